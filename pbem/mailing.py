"""What a game writes to its players of itself: reports, reminders, notices."""

from collections.abc import Iterator
from functools import lru_cache

from pbem import clock
from pbem.counter import Counter
from pbem.errors import NotNow
from pbem.history import PlayedTurn
from pbem.mail.report_html import render_report_html
from pbem.mail.writing import Attachment, Kind, Outgoing, message_id, paragraphs
from pbem.reports.template import order_template
from pbem.roll import roll

MAX_PICTURE = 300_000
WIDTHS = (1280, 1024, 800, 640, 480, 320)
"""Of the map in a mail, in pixels: the largest whose PNG stays below `MAX_PICTURE` bytes."""


def report_mail(
    counter: Counter, turn: int, seat: str, *, kind: Kind = "report", mark: str = "", answers: str = ""
) -> Outgoing:
    """A seat's report of a turn as a mail: short text, HTML with the map, the whole report attached."""
    game = counter.game
    played = game.history.played(turn)
    archive = game.archive
    facts, report = archive.facts(played), archive.view(played, seat)
    page = archive.page(played, seat)
    cid = f"map-{turn}.{seat}@{counter.sender.domain}".encode("ascii", "replace").decode().replace("?", "-")
    attempt = played.closed.attempt
    earlier = _report_ids(counter, turn, seat)
    from pbem.reports.svg import drawing_to_svg  # noqa: PLC0415 - slow to import
    from pbem.reports.text import render_letter  # noqa: PLC0415

    return Outgoing(
        kind=kind,
        seat=seat,
        turn=turn,
        to_name=counter.names.get(seat, ""),
        to=counter.addresses[seat],
        subject=f"[{counter.name}] turn-{turn} report: {seat}",
        text=render_letter(facts, report),
        at=clock.read_stamp(facts.closed_at),
        mark=mark or ("" if attempt == 1 else f"attempt-{attempt}"),
        html=render_report_html(facts, report, cid),
        attachments=(
            Attachment(f"map-{turn}.png", "image/png", _picture(drawing_to_svg(report.board.drawing)), cid),
            Attachment(f"{counter.name}-turn-{turn}-{seat}.html", "text/html", page),
        ),
        key=counter.key(seat),
        answers=answers or (earlier[-1] if earlier else ""),
        references="" if answers else " ".join(earlier[:-1]),
    )


def _report_ids(counter: Counter, turn: int, seat: str) -> list[str]:
    """The ids of the first report and of the one before this turn's: one thread a game."""
    marks = {
        each.number: "" if each.closed.attempt == 1 else f"attempt-{each.closed.attempt}"
        for each in counter.game.history.turns
    }
    before = [number for number in dict.fromkeys((0, turn - 1)) if 0 <= number < turn]
    return [message_id(counter.sender, number, seat, "report", marks.get(number, "")) for number in before]


@lru_cache(maxsize=8)
def _picture(svg: str) -> bytes:
    from pbem.reports.png import svg_to_png  # noqa: PLC0415 - slow to import

    for width in WIDTHS:
        png = svg_to_png(svg, width)
        if len(png) < MAX_PICTURE:
            break
    return png


def reminders(counter: Counter) -> Iterator[Outgoing]:
    """A reminder to each seat that has sent nothing and is not away; `NotNow` if no turn takes orders."""
    if counter.closed:
        raise NotNow(f"{counter.closed[:1].upper()}{counter.closed[1:]}.")
    contest = counter.contest
    for each in roll(contest):
        if each.state != "missing" or each.seat not in counter.addresses:
            continue
        earlier = _report_ids(counter, contest.turn, each.seat)
        yield Outgoing(
            kind="reminder",
            seat=each.seat,
            turn=contest.turn,
            to_name=counter.names.get(each.seat, ""),
            to=counter.addresses[each.seat],
            subject=f"[{counter.name}] turn-{contest.turn} orders are due: {each.seat}",
            text=paragraphs(
                f"No orders for turn {contest.turn} of {counter.name} have come from you ({each.seat}).",
                counter.deadline(),
                "Answer with these lines, your orders above `end`. The key is yours alone.",
                template_of(counter, each.seat),
            ),
            at=counter.game.moment(),
            key=counter.key(each.seat),
            answers=earlier[-1] if earlier else "",
            references=" ".join(earlier[:-1]),
        )


def template_of(counter: Counter, seat: str) -> str:
    """A seat's order template for the open turn."""
    last = counter.contest.last_turn
    if last is not None:
        played: PlayedTurn = counter.game.history.played(last)
        found = order_template(counter.game.archive.facts(played), counter.game.archive.view(played, seat))
        if found:
            return f"{found}\n"
    return counter.bare_template(seat)


def notice(
    counter: Counter, seat: str, to: str, word: str, mark: str, *texts: str, key: str = ""
) -> Outgoing:
    """A short message to an address, which need not be the one on file."""
    return Outgoing(
        kind="notice",
        seat=seat,
        turn=counter.contest.turn,
        to_name=counter.names.get(seat, "") if to == counter.addresses.get(seat) else "",
        to=to,
        subject=f"[{counter.name}] {word}: {seat}",
        text=paragraphs(*texts),
        at=counter.game.moment(),
        mark=mark,
        key=key,
    )
