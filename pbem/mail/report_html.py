"""A report as the HTML body of a mail: tables and words that every mail program shows, the map as a picture.

No SVG, no script, no style sheet: mail programs drop them. Below 100 KB, so that none cuts it off.
"""

from collections.abc import Iterator
from html import escape

from pbem.reports.facts import TurnFacts
from pbem.reports.plain import visible
from pbem.reports.template import order_template
from pbem.reports.words import VERDICTS, game_title, odds_in_words
from pbem.rulesets.model import Item, ItemList, OrderReport, Report, Words

LIMIT = 90_000
"""Bytes; with its frame and its encoding the body then stays below 100 KB."""
MAP = "map"
_METAS = (
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    # Its colours and the map's go together: no mail program is asked to turn half of them round.
    '<meta name="color-scheme" content="light">'
)
_FONT = "font-family:Georgia,serif;font-size:16px;line-height:1.5;color:#1d1b16;background:#ffffff"
_CODE = "font-family:Menlo,Consolas,monospace;font-size:14px"
_MUTED = "color:#5c574c"


def render_report_html(facts: TurnFacts, report: Report, cid: str) -> str:
    """The body; `cid` is the content id of the map. What would be too long is left to the attached report."""
    title = f"{game_title(facts.game)}, {report.heading}"
    head = [f'<h1 style="font-size:22px;margin:0 0 4px">{_text(title)}</h1>', _paragraph(_deadline(facts))]
    if report.headline:
        head.append(f"<p>{_words(report.headline)}</p>")
    caption = _text("".join(span.text for span in report.board.caption) or report.board.drawing.title)
    head.append(
        f'<p><img src="cid:{escape(cid)}" alt="Map: {caption}" width="640"'
        ' style="width:100%;max-width:640px;height:auto;border:0"></p>'
    )
    tail = [*_template(facts, report), _paragraph("The whole report is attached as a page.", _MUTED)]
    body = _fitting([*_position(report), *_orders(report)], LIMIT - sum(map(_size, (*head, *tail))))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"{_METAS}<title>{_text(title)}</title></head>\n"
        f'<body style="margin:0;padding:12px;{_FONT}"><div style="max-width:640px;margin:0 auto">\n'
        + "\n".join((*head, *body, *tail))
        + "\n</div></body></html>\n"
    )


def _fitting(parts: list[str], room: int) -> Iterator[str]:
    for part in parts:
        room -= _size(part)
        if room < 0:
            yield _paragraph("There is more of this in the attached report.", _MUTED)
            return
        yield part


def _size(text: str) -> int:
    return len(text.encode()) + 1


def _deadline(facts: TurnFacts) -> str:
    if facts.ended:
        return "The game is over."
    if facts.deadline is None:
        return f"Orders for turn {facts.turn + 1}: no deadline is set."
    return f"Orders for turn {facts.turn + 1} are due {facts.deadline.words} ({facts.deadline.zone})."


def _position(report: Report) -> Iterator[str]:
    if report.figures:
        cells = "".join(
            f'<td style="padding:4px 16px 4px 0"><b style="font-size:20px">{_text(figure.value)}</b><br>'
            f'<span style="{_MUTED}">{_text(figure.label)}</span></td>'
            for figure in report.figures
        )
        yield f'<table role="presentation" cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>'
    listed = report.next_turn
    if report.changed:
        listed = (*listed, ItemList("What changed since your last report", report.changed))
    for each in listed:
        yield _heading(each.title)
        if each.layout in {"row", "chain"}:
            between = " &rsaquo; " if each.layout == "chain" else ", "
            yield f"<p>{between.join(_item(item) for item in each.items)}</p>"
        else:
            yield f"<ul>{''.join(f'<li>{_item(item)}</li>' for item in each.items)}</ul>"
        if each.note:
            yield f'<p style="{_MUTED}">{_words(each.note)}</p>'


def _item(item: Item) -> str:
    text = f"<b>{_words(item.text)}</b>" if item.mark else _words(item.text)
    return f'{text} <span style="{_MUTED}">({_words(item.note)})</span>' if item.note else text


def _orders(report: Report) -> Iterator[str]:
    for seat in report.orders:
        if seat.seat != report.reader:
            continue
        yield _heading("Your orders")
        if not seat.lines:
            yield _paragraph("None.")
        for line in seat.lines:
            yield _order(line)


def _order(line: OrderReport) -> str:
    outcomes = "".join(
        f"<br>{_text(outcome.label or VERDICTS[outcome.verdict])}{': ' if outcome.text else '.'}"
        f"{_words(outcome.text)}"
        + (f' <span style="{_MUTED}">[{_text(", ".join(outcome.rules))}]</span>' if outcome.rules else "")
        + "".join(f'<br><span style="{_MUTED}">{_text(odds_in_words(odds))}</span>' for odds in outcome.odds)
        for outcome in line.outcomes
    )
    return (
        f'<p style="margin:8px 0">{line.line}. <code style="{_CODE}">{_text(line.text)}</code>{outcomes}</p>'
    )


def _template(facts: TurnFacts, report: Report) -> Iterator[str]:
    template = order_template(facts, report)
    if template is not None:
        yield _heading(f"Order template for turn {facts.turn + 1}")
        yield _paragraph("Answer with these lines, your orders above end. The key is yours alone.")
        style = f"{_CODE};background:#f4f1e8;padding:8px;white-space:pre-wrap"
        yield f'<pre style="{style}">{_text(template)}</pre>'


def _heading(text: str) -> str:
    return f'<h2 style="font-size:18px;margin:20px 0 4px">{_text(text)}</h2>'


def _paragraph(text: str, style: str = "") -> str:
    return f'<p style="{style}">{_text(text)}</p>' if style else f"<p>{_text(text)}</p>"


def _text(text: str) -> str:
    return escape(visible(text))


def _words(spans: Words) -> str:
    out: list[str] = []
    for span in spans:
        text = _text(span.text)
        match span.tone:
            case "strong" | "seat":
                out.append(f"<b>{text}</b>")
            case "code":
                out.append(f'<code style="{_CODE}">{text}</code>')
            case "muted":
                out.append(f'<span style="{_MUTED}">{text}</span>')
            case _:
                out.append(text)
    return "".join(out)
