"""The roll: who has sent what for the open turn, who is missing, and which lines count."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pbem.contest import Contest, Received
from pbem.sheet import SeatOrders, Sheet, read_sheet

SeatState: TypeAlias = Literal["in", "standing", "absent", "missing"]
Parse: TypeAlias = Callable[[Sheet, Any, str], "SeatOrders[Any, Any]"]
"""A ruleset's `parse`: a sheet, the state in which it will count, and the seat."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one seat stands: what it sent for the open turn, if anything, and what will count."""

    seat: str
    state: SeatState
    received: Received | None
    sheet: Sheet


def standing(contest: Contest, seat: str) -> Standing:
    """A seat's place on the roll; standing orders, absence or a program keep it from missing.

    Absent is who gave notice, and who has nothing left to order.
    """
    latest = contest.latest(seat)
    if latest and latest.turn == contest.turn:
        return Standing(seat, "in", latest, read_sheet(latest.text))
    if seat in contest.programs:
        return Standing(seat, "standing", None, Sheet(header={}))
    # Only the latest file counts: a file without standing lines ends those of the file before it.
    sheet = read_sheet(latest.text).standing_only() if latest else Sheet(header={})
    if seat in contest.out or contest.absences.get(seat, -1) >= contest.turn:
        return Standing(seat, "absent", None, sheet)
    return Standing(seat, "standing" if sheet.lines else "missing", None, sheet)


def roll(contest: Contest) -> tuple[Standing, ...]:
    """All seats, in seat order."""
    return tuple(standing(contest, seat) for seat in contest.seats)


def orders_that_count(contest: Contest, state: Any, parse: Parse) -> "dict[str, SeatOrders[Any, Any]]":
    """What every seat, in seat order, will have done; a seat that sent nothing has no lines."""
    return {each.seat: parse(each.sheet, state, each.seat) for each in roll(contest)}
