"""Deciding a played turn again, to hold what was recorded against what this program makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.dice import seeded, turn_seed, with_beacon
from pbem.errors import PbemError
from pbem.events import Json, RulesetEvent, dump_json, event_json
from pbem.history import PlayedTurn
from pbem.rulesets import AnyRuleset
from pbem.sheet import SeatOrders


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a decision differs: the place among the turn's outcomes, or -1 for the turn as a whole."""

    place: int
    what: str


def first_difference(
    ruleset: AnyRuleset, turn: PlayedTurn, orders: "Mapping[str, SeatOrders[Any, Any]]", secret: bytes | None
) -> Difference | None:
    """The first thing that this program decides otherwise; None if nothing, or if the seed is hidden."""
    seed = seed_of(turn, secret)
    if seed is None:
        return None
    try:
        decided = ruleset.decide(turn.before, orders, seeded(seed))
        over = ruleset.is_over(turn.after)
    except PbemError as error:
        return Difference(-1, f"this program cannot decide turn-{turn.number}: {error}")
    except Exception as error:  # noqa: BLE001 - a position that nobody could reach, written by somebody
        what = f"{type(error).__name__}: {error}"
        return Difference(-1, f"this program cannot decide turn-{turn.number}: {what}")
    if found := _first_unlike(turn.events, decided):
        return found
    if over != (turn.closed.next_commitment is None):
        ends = "ends" if over else "does not end"
        return Difference(-1, f"turn-{turn.number} {ends} the game for this program")
    return None


def seed_of(turn: PlayedTurn, secret: bytes | None) -> bytes | None:
    """The seed in use of a played turn, as far as it is revealed or follows from the secret."""
    closed = turn.closed
    if closed.seed is not None:
        seed = bytes.fromhex(closed.seed)
    elif secret is not None:
        seed = turn_seed(secret, closed.turn, closed.attempt)
    else:
        return None
    return with_beacon(seed, closed.beacon) if closed.beacon is not None else seed


def _first_unlike(recorded: Sequence[RulesetEvent], decided: Sequence[RulesetEvent]) -> Difference | None:
    for place in range(max(len(recorded), len(decided))):
        was = event_json(recorded[place]) if place < len(recorded) else None
        now = event_json(decided[place]) if place < len(decided) else None
        if was != now:
            return Difference(place, _in_words(was, now))
    return None


def _in_words(was: Json, now: Json) -> str:
    """What was recorded and what comes now, in as few words as show the difference."""
    if was is None:
        return f"this program decides one more event: {_short(now)}"
    if now is None:
        return f"this program does not decide the event {_short(was)}"
    if was["kind"] != now["kind"]:
        return f"this program decides {_short(now)} where {_short(was)} was recorded"
    field = next(name for name in (*was, *now) if was.get(name) != now.get(name))
    one, other = (_short(event.get(field)) for event in (was, now))
    return f"{was['kind']}: {field} was recorded as {one}, and this program decides {other}"


def _short(value: Json) -> str:
    text = dump_json(value)
    return text if len(text) <= 160 else f"{text[:160]}…"
