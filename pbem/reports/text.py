"""The text twin of a report: 72 columns, readable in any mail program, from the same value as the page."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from pbem.reports.facts import TurnFacts
from pbem.reports.plain import visible
from pbem.reports.template import order_template
from pbem.reports.words import VERDICTS, dice_example, game_title, glossary, odds_in_words, orders_shown
from pbem.rulesets.model import (
    GM,
    Item,
    ItemList,
    Odds,
    OrderReport,
    Outcome,
    Report,
    SeatReport,
    Table,
    Told,
    Words,
    plain_text,
)

WIDTH = 72


def render_text(facts: TurnFacts, report: Report) -> str:
    """The whole report; its end is the order template, unwrapped, ready to be answered."""
    sections = [
        _heading(facts, report),
        _next_turn(report),
        *(_orders(seat, report) for seat in orders_shown(facts, report)),
        *_round(report),
        _press(facts, report),
        _notes(facts),
        _hand(facts, report),
        *(table_lines(table) for table in (report.standings, *report.in_words) if table is not None),
        _dice(facts),
        _glossary(facts, report),
        _template(facts, report),
    ]
    return "\n\n".join("\n".join(lines).rstrip() for section in sections if (lines := list(section))) + "\n"


def _title(text: str) -> list[str]:
    text = visible(text)
    return [*_fill(text), "-" * min(len(text), WIDTH)]


def _fill(text: str, indent: str = "", first: str | None = None) -> list[str]:
    lines: list[str] = []
    for paragraph in visible(text).split("\n"):
        before = indent if first is None or lines else first
        if len(before) + len(paragraph) <= WIDTH and paragraph == paragraph.strip() != "":
            lines.append(before + paragraph)
            continue
        lines += wrap(
            paragraph, WIDTH, initial_indent=before, subsequent_indent=indent, break_on_hyphens=False
        )
    return lines


def _words(spans: Words, indent: str = "", first: str | None = None) -> list[str]:
    return _fill(plain_text(spans), indent, first)


def _heading(facts: TurnFacts, report: Report) -> Iterator[str]:
    title = f"{game_title(facts.game)}, {report.heading}"
    yield visible(title)
    yield "=" * min(len(title), WIDTH)
    whose = {"public": "What everyone may see.", GM: "What the GM sees."}
    yield whose.get(report.reader, f"Report for {visible(report.reader)}.")
    if facts.void is not None:
        yield from _fill(f"VOID: this adjudication no longer counts. {facts.void}")
    if report.headline:
        yield ""
        yield from _words(report.headline)
    if facts.missing:
        yield from _fill("No orders came from: " + ", ".join(facts.missing) + ".")
    for seat, program in facts.programs.items():
        yield from _fill(f"{seat} is played by a program: {program}.")
    if facts.void is not None:
        return
    yield ""
    if facts.ended:
        yield "The game is over."
    elif facts.deadline is not None:
        yield from _fill(
            f"Orders for turn {facts.turn + 1} are due {facts.deadline.words} ({facts.deadline.zone})."
        )
    else:
        yield f"Orders for turn {facts.turn + 1}: no deadline is set."


def _next_turn(report: Report) -> Iterator[str]:
    if not (report.figures or report.next_turn or report.changed):
        return
    yield from _title("Your next turn" if report.next_turn else "At a glance")
    for figure in report.figures:
        yield from _fill(f"{figure.value} {figure.label}", "    ", "  ")
    for listed in report.next_turn:
        yield ""
        yield from _item_list(listed)
    if report.changed:
        yield ""
        yield from _item_list(ItemList("What changed since your last report", report.changed))


def _item_list(listed: ItemList) -> Iterator[str]:
    yield from _fill(f"{listed.title}:")
    if listed.layout in {"row", "chain"}:
        between = " > " if listed.layout == "chain" else ", "
        yield from _fill(between.join(_item(item) for item in listed.items), "    ", "  ")
    else:
        for item in listed.items:
            yield from _fill(_item(item), "    ", "  * " if item.mark else "  - ")
    if listed.note:
        yield from _words(listed.note, "  ")


def _item(item: Item) -> str:
    text = plain_text(item.text)
    return f"{text} ({plain_text(item.note)})" if item.note else text


def _orders(seat: SeatReport, report: Report) -> Iterator[str]:
    yield from _title("Your orders" if seat.seat == report.reader else f"The orders of {seat.seat}")
    if not seat.lines:
        yield "None."
    for line in seat.lines:
        yield from _order(line)


def _order(line: OrderReport) -> Iterator[str]:
    yield from _fill(line.text, "     ", f"{line.line:>3}. ")
    for outcome in line.outcomes:
        yield from _outcome(outcome)


def _odds(odds: Odds, indent: str) -> list[str]:
    return _fill(odds_in_words(odds), indent + "  ", indent)


def _outcome(outcome: Outcome) -> Iterator[str]:
    label = outcome.label or VERDICTS[outcome.verdict]
    text = plain_text(outcome.text)
    rules = f" [{', '.join(outcome.rules)}]" if outcome.rules else ""
    yield from _fill(f"{label}{': ' if text else '.'}{text}{rules}", "       ", "     > ")
    for odds in outcome.odds:
        yield from _odds(odds, "       ")


def _round(report: Report) -> Iterator[list[str]]:
    if report.round:
        yield _title(report.round_title)
    for chapter in report.round:
        lead = f": {plain_text(chapter.lead)}" if chapter.lead else ""
        title = plain_text(chapter.title)
        lines = _fill(title[:1].upper() + title[1:] + lead)
        for told in chapter.told:
            lines += _told(told)
        yield lines


def _told(told: Told) -> Iterator[str]:
    if told.label:
        yield from _fill(f"{told.label}:", "  ")
    word = told.word or (VERDICTS[told.verdict] if told.verdict and told.verdict != "done" else "")
    calc = f" ({told.calc})" if told.calc else ""
    rules = f" [{', '.join(told.rules)}]" if told.rules else ""
    yield from _fill(f"{word + ': ' if word else ''}{plain_text(told.text)}{calc}{rules}", "    ", "  - ")
    for odds in told.odds:
        yield from _odds(odds, "    ")


def _press(facts: TurnFacts, report: Report) -> Iterator[str]:
    press = facts.press.get(report.reader, ())
    if press:
        yield from _title("Press")
    for index, message in enumerate(press):
        if index:
            yield ""
        yield from _fill(f"{message.seat} to {message.to or 'all'}:")
        yield from _fill(message.text, "  | ")


def _notes(facts: TurnFacts) -> Iterator[str]:
    if facts.notes:
        yield from _title("The GM's note")
    for note in facts.notes:
        yield from _fill(note)


def _hand(facts: TurnFacts, report: Report) -> Iterator[str]:
    done = facts.hand.get(report.reader, ())
    if done:
        yield from _title("The GM's hand")
    for sentences in done:
        yield from _fill(sentences)


def table_lines(table: Table, most: int = WIDTH) -> Iterator[str]:
    """A table in columns, or row by row where it is too wide for that."""
    yield from _title(table.title)
    rows = [[visible(plain_text(cell)) for cell in row.cells] for row in table.rows]
    titles = [column.title for column in table.columns]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) <= most:
        for cells in (titles, *rows):
            aligned = (
                cell.rjust(width) if column.numeric else cell.ljust(width)
                for cell, width, column in zip(cells, widths, table.columns, strict=True)
            )
            yield "  ".join(aligned).rstrip()
    else:
        for cells in rows:
            yield from _fill(cells[0])
            for title, cell in zip(titles[1:], cells[1:], strict=True):
                if cell:
                    yield from _fill(f"{title}: {cell}", "      ", "    ")
    if table.note:
        yield from _words(table.note)


def _dice(facts: TurnFacts) -> Iterator[str]:
    dice = facts.dice
    yield from _title("Dice")
    yield from _hash("Commitment to this turn's seed, published before", dice.commitment)
    if dice.seed is None:
        yield "The seed stays hidden until the game ends, since it made secrets."
    else:
        yield from _hash("Seed, revealed now", dice.seed)
    if dice.beacon_rule is not None:
        yield from _fill(f"Beacon agreed on: {dice.beacon_rule}")
    if dice.beacon is not None:
        yield from _fill(f"Beacon drawn: {dice.beacon}")
    if dice.next_commitment is not None:
        yield from _hash(f"Commitment to the seed of turn {facts.turn + 1}", dice.next_commitment)
    yield from _hash("SHA-256 of the game's secret", dice.secret_hash)
    if dice.first_seed is not None:
        yield from _hash("Seed of turn 0, hidden until now", dice.first_seed)
    if dice.secret is not None:
        yield from _hash("The secret, published at the end", dice.secret)
    version = "" if facts.log_version is None else f", version {facts.log_version}"
    yield from _hash(f"Event log{version}", facts.log_hash)
    if example := dice_example(dice):
        yield ""
        yield from _fill(
            "Check it yourself: the SHA-256 of the seed's 32 bytes is the commitment, and a throw is"
            " HMAC-SHA-256 of its key under the seed. For instance:"
        )
        yield ""
        yield from example.command.split("\n")
        yield ""
        yield from _fill(
            f"begins with {example.digits}, which is {example.number}; that modulo"
            f" {example.throw.sides}, plus 1, is the throw, {example.throw.value}."
        )


def _hash(what: str, text: str) -> Iterable[str]:
    return (*_fill(f"{what}:"), f"  {text}")


def _glossary(facts: TurnFacts, report: Report) -> Iterator[str]:
    rulings = glossary(facts, report)
    if rulings:
        yield from _title("Rulings named above")
    for ruling in rulings:
        yield from _fill(ruling.title, " " * 6, f"{ruling.number:<6}")


def _template(facts: TurnFacts, report: Report) -> Iterator[str]:
    template = order_template(facts, report)
    if template is not None:
        yield from _title(f"Order template for turn {facts.turn + 1}")
        yield from _fill("Answer with these lines, your orders above `end`. The key is yours alone.")
        yield ""
        yield from template.split("\n")


def render_letter(facts: TurnFacts, report: Report) -> str:
    """The short report that goes as the text of a mail: position, own orders, the order template."""
    own = [_orders(seat, report) for seat in report.orders if seat.seat == report.reader]
    sections = [_heading(facts, report), _next_turn(report), *own, _template(facts, report)]
    return "\n\n".join("\n".join(lines).rstrip() for section in sections if (lines := list(section))) + "\n"
