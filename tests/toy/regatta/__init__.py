"""Regatta, a whole ruleset in 150 lines: boats race to a buoy (rulings R1.1 to R1.4)."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias, assert_never

from pbem.dice import Dice
from pbem.drawing import Circle, Drawing
from pbem.errors import BadInput
from pbem.events import EventKinds, RulesetEvent, RulingMade, Throw, TurnClosed, event_json
from pbem.rulesets import Counted, Files, Forecast, NewGame, Ready, Result, Ruleset, Tally, Turn, model
from pbem.sheet import CannotRead, SeatOrders, nearest, read_orders

SEATS = ("red", "green", "blue", "white")


@dataclass(frozen=True)
class Race:
    """The state: how many cables each boat has come."""

    distance: int
    length: int
    boats: Mapping[str, int]
    turn: int = 0


class BoatMoved(RulesetEvent):
    """A boat rowed, or set sail and may have caught no wind: then `cables` is 0 (R1.1)."""

    kind: Literal["boat_moved"] = "boat_moved"
    seat: str
    line: int
    text: str
    cables: int
    at: int
    rules: tuple[str, ...] = ("R1.1",)
    dice: tuple[Throw, ...] = ()


class OrderRefused(RulesetEvent):
    """A line came to nothing: unreadable (R1.4), or one too many (R1.1)."""

    kind: Literal["order_refused"] = "order_refused"
    seat: str
    line: int
    text: str
    reason: str
    rules: tuple[str, ...] = ("R1.1",)


Event: TypeAlias = BoatMoved | OrderRefused
Orders: TypeAlias = SeatOrders[str, None]


def prepare(new: NewGame) -> Ready:
    distance = tomllib.loads(new.board.text).get("distance")
    if type(distance) is not int or distance < 1:
        raise BadInput(f"{new.board.name}: distance is {distance!r}; write a whole number from 1.")
    length = new.length or 5
    return Ready({"distance": distance, "length": length, "boats": dict.fromkeys(new.seats, 0)}, length)


def no_condition(text: str) -> None:
    raise CannotRead(f"Regatta knows no conditions, such as `{text}`")


def read_move(text: str) -> str:
    if text.lower() not in {"row", "sail"}:
        raise CannotRead(f"`row` or `sail` is expected{nearest(text, ('row', 'sail'))}")
    return text.lower()


def decide(race: Race, orders: Mapping[str, Orders], dice: Dice) -> tuple[Event, ...]:
    """Turn 0 brings nothing; in any other all boats move."""
    return tuple(event for seat in orders if race.turn for event in moves(race, seat, orders[seat], dice))


def moves(race: Race, seat: str, orders: Orders, dice: Dice) -> Iterator[Event]:
    for bad in orders.problems:
        yield OrderRefused(seat=seat, line=bad.line, text=bad.text, reason=bad.message, rules=("R1.4",))
    for line in orders.lines[1:]:
        yield OrderRefused(seat=seat, line=line.number, text=line.text, reason="one move a turn")
    for line, side in ((first, side) for first in orders.lines[:1] for side in first.sides):
        key = f"{side.order} {race.turn} {seat}"
        throws = (Throw(key=key, sides=6, value=dice(key, 6)),) if side.order == "sail" else ()
        cables = sum(throw.value for throw in throws if throw.value >= 3) if throws else 1
        at = race.boats[seat] + cables
        yield BoatMoved(seat=seat, line=line.number, text=line.text, cables=cables, at=at, dice=throws)
        if cables:
            break


def evolve(race: Race, event: Event | TurnClosed | RulingMade) -> Race:
    match event:
        case BoatMoved():
            return replace(race, boats={**race.boats, event.seat: event.at})
        case TurnClosed():
            return replace(race, turn=event.turn + 1)
        case OrderRefused() | RulingMade():
            return race
        case _:
            assert_never(event)


def outcome(event: Event) -> model.Outcome:
    if isinstance(event, OrderRefused):
        return model.Outcome("refused", "refused", model.words(event.reason), rules=event.rules)
    return model.Outcome("done" if event.cables else "failed", f"{event.cables} cables", rules=event.rules)


def order_reports(events: Sequence[Event], seat: str) -> tuple[model.OrderReport, ...]:
    by_line: dict[tuple[int, str], list[model.Outcome]] = {}
    for event in (event for event in events if event.seat == seat):
        by_line.setdefault((event.line, event.text), []).append(outcome(event))
    return tuple(model.OrderReport(line, text, tuple(came)) for (line, text), came in by_line.items())


def view(turn: Turn[Race, Event, str, None], reader: str) -> model.Report:
    boats = [Circle(20 + 9 * at, 20 + 9 * row, 4) for row, at in enumerate(turn.after.boats.values())]
    return model.Report(
        reader=reader,
        heading=f"turn {turn.number} of {turn.after.length}",
        headline=model.words(f"The first boat has come {max(turn.after.boats.values())} cables."),
        board=model.Board(Drawing((0, 0, 40 + 9 * turn.after.distance, 64), "Race", "", items=tuple(boats))),
        orders=tuple(model.SeatReport(seat, order_reports(turn.events, seat)) for seat in turn.orders),
        template=("sail else row",),
        data={"position": turn.after.boats, "events": [event_json(event) for event in turn.events]},
    )


def tally(turn: Turn[Race, Event, str, None]) -> Tally:
    moved = [event for event in turn.events if isinstance(event, BoatMoved)]
    counts = (Counted(event.seat, "sail" if event.dice else "row", "moves", 1) for event in moved)
    return Tally({"cables": turn.after.boats}, tuple(counts), ("moves",))


def result(race: Race) -> Result:
    """Whoever has come farthest (R1.3)."""
    best = max(race.boats.values())
    winners = tuple(seat for seat, at in race.boats.items() if at == best)
    return Result({seat: Fraction(at) for seat, at in race.boats.items()}, winners)


RULESET: Ruleset[Race, Event, str, None] = Ruleset(
    name="regatta",
    version="1",
    title="Regatta",
    seats=SEATS,
    files=Files("regatta", "", "courses", "harbour", rulings="rulings.md", demo="demo", demo_game="spring"),
    events=EventKinds((BoatMoved, OrderRefused)),
    default_seats=lambda count: SEATS[:count],
    prepare=prepare,
    initial=lambda setup: Race(**setup),
    parse=lambda sheet, _race, _seat: read_orders(sheet, read_move, no_condition),
    decide=decide,
    evolve=evolve,
    is_over=lambda race: max(race.boats.values()) >= race.distance or race.turn > race.length,  # R1.3
    view=view,
    state_json=lambda race: {"boats": dict(race.boats), "distance": race.distance},
    forecast=lambda _race, _seat, orders: tuple(Forecast(line.number, "is tried") for line in orders.lines),
    case_setup=lambda table, _board, _rules: Race(**table),
    seen=lambda race, _seat: race,
    tally=tally,
    result=result,
)
