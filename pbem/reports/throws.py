"""The throws of a page, numbered, so that its script finds the one that a place rests on."""

from collections.abc import Iterable, Iterator

from pbem.events import Json, Throw
from pbem.reports.facts import DiceFacts, TurnFacts
from pbem.reports.plain import visible
from pbem.rulesets.model import Report, SeatReport


class Throws:
    """First those in the page's table, then the others that its reader is told of."""

    def __init__(self, dice: DiceFacts, orders: Iterable[SeatReport], report: Report) -> None:
        self._places: dict[tuple[str, int, int], int] = {}
        for place, throw in enumerate(dice.throws):
            self._places.setdefault(_identity(throw), place)
        self._more: list[Json] = []
        for throw in _told(orders, report):
            if _identity(throw) not in self._places:
                self._places[_identity(throw)] = len(dice.throws) + len(self._more)
                self._more.append(list(_identity(throw)))

    def at(self, throws: Iterable[Throw]) -> str:
        """The numbers of these throws, as the page's elements carry them."""
        return " ".join(str(self._places[_identity(throw)]) for throw in throws)

    def data(self, facts: TurnFacts) -> dict[str, Json]:
        """What the page does not say in words: the turn, the attempt, and the throws in no table."""
        data: dict[str, Json] = {"turn": facts.turn, "attempt": facts.dice.attempt}
        if self._more:
            data["more"] = self._more
        beacon = facts.dice.beacon
        if beacon is not None and visible(beacon) != beacon:
            data["beacon"] = beacon
        return data


def _identity(throw: Throw) -> tuple[str, int, int]:
    return throw.key, throw.sides, throw.value


def _told(orders: Iterable[SeatReport], report: Report) -> Iterator[Throw]:
    for seat in orders:
        for line in seat.lines:
            for outcome in line.outcomes:
                for odds in outcome.odds:
                    yield from odds.dice
                yield from outcome.dice
    for chapter in report.round:
        for told in chapter.told:
            for odds in told.odds:
                yield from odds.dice
            yield from told.dice
