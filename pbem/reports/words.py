"""Small words that pages, text twins and feeds share: titles, dates, rulings, an example to check dice by."""

import hmac
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from struct import unpack

from pbem.events import Throw
from pbem.reports.facts import DiceFacts, Ruling, TurnFacts
from pbem.rulesets.model import (
    GM,
    PUBLIC,
    Odds,
    OrderReport,
    Report,
    SeatReport,
    Span,
    Verdict,
    Words,
    plain_text,
)

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
VERDICTS: dict[Verdict, str] = {
    "done": "Done",
    "failed": "Failed",
    "refused": "Refused",
    "skipped": "Skipped",
    "unread": "Not read",
    "held": "Held",
}
_ODD = re.compile(r"[^A-Za-z0-9_-]")
_MARKDOWN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)|\*(\S[^*]*)\*")


def game_title(game: str) -> str:
    """A game's name as a heading shows it."""
    return game.replace("-", " ").capitalize()


def day(iso: str) -> str:
    """`5 March 2026` of an ISO time, in UTC."""
    at = datetime.fromisoformat(iso)
    return f"{at.day} {MONTHS[at.month - 1]} {at.year}"


def report_title(facts: TurnFacts, report: Report) -> str:
    """What a browser's tab says."""
    whose = {PUBLIC: "public report", GM: "the GM's report"}.get(report.reader, f"report for {report.reader}")
    return f"{game_title(facts.game)}, {report.heading}: {whose}"


def orders_shown(facts: TurnFacts, report: Report) -> tuple[SeatReport, ...]:
    """The orders that the report tells of; where it tells none, the public ones as they were written."""
    if report.orders or report.reader not in {PUBLIC, GM}:
        return report.orders
    return tuple(
        SeatReport(seat, tuple(OrderReport(line, text, ()) for line, text in lines))
        for seat, lines in facts.orders_text.items()
    )


def cited(report: Report) -> Iterator[str]:
    """The numbers of all rulings that the report names, with repeats."""
    for seat in report.orders:
        for line in seat.lines:
            for outcome in line.outcomes:
                yield from outcome.rules
    for chapter in report.round:
        for told in chapter.told:
            yield from told.rules


def glossary(facts: TurnFacts, report: Report) -> tuple[Ruling, ...]:
    """The rulings named in the report, in the order of the rules."""
    named = {number for number in cited(report) if number in facts.rulings}
    return tuple(facts.rulings[number] for number in sorted(named, key=_by_number))


def _by_number(number: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall(r"\d+|\D+", number)]


def odds_in_words(odds: Odds) -> str:
    """A throw against its chance, the same in text twins, mails and `explain`."""
    note = f" ({plain_text(odds.note)})" if odds.note else ""
    ended = "success" if odds.success else "failure"
    return f"threw {odds.throw} of {odds.sides}, needs {odds.chance} or less: {ended}{note}"


def from_markdown(text: str) -> Words:
    """A paragraph of a rules page as words: its code, strong words and links, the links without address."""
    spans: list[Span] = []
    done = 0
    for found in _MARKDOWN.finditer(text):
        spans.append(Span(text[done : found.start()]))
        code, strong, *plain = found.groups()
        other = Span(strong, "strong") if strong else Span("".join(filter(None, plain)))
        spans.append(Span(code, "code") if code else other)
        done = found.end()
    return (*spans, Span(text[done:]))


@dataclass(frozen=True, slots=True)
class Example:
    """One throw of the turn with all that is needed to find it again."""

    throw: Throw
    command: str
    digits: str
    number: int
    limit: int


def dice_example(dice: DiceFacts) -> Example | None:
    """The first throw of the turn that one reading of its digest decides (nearly every one does)."""
    if dice.seed is None:
        return None
    seed = bytes.fromhex(dice.seed)
    if dice.beacon is not None:
        seed = hmac.digest(seed, f"beacon {dice.beacon}".encode(), "sha256")
    for throw in dice.throws:
        digest = hmac.digest(seed, throw.key.encode(), "sha256")
        number = int(unpack(">H", digest[:2])[0])
        limit = 65536 - 65536 % throw.sides
        if number < limit and number % throw.sides + 1 == throw.value:
            command = (
                f"printf %s {shlex.quote(throw.key)} |\n"
                f"openssl dgst -sha256 -mac HMAC -macopt \\\n"
                f"hexkey:{seed.hex()}"
            )
            return Example(throw, command, digest[:2].hex(), number, limit)
    return None


def seats_listed(seats: Iterable[str]) -> Words:
    """`crimson, amber and azure`, each in its own colour."""
    listed = list(seats)
    out: list[Span] = []
    for index, seat in enumerate(listed):
        if index:
            out.append(Span(" and " if index == len(listed) - 1 else ", "))
        out.append(Span(seat, "seat", seat))
    return tuple(out)


def css_name(seat: str) -> str:
    """A seat as part of a class name."""
    return _ODD.sub("-", seat)
