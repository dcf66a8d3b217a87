"""Small turns for tests of reports: a few figures, orders, and throws by the first word of their keys."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.cases import case_turn_closed
from pbem.rulesets import Turn
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.state import State
from tests.magic.battles import RULES, read
from tests.magic.fog import MagicTurn

Placed = tuple[str, tuple[int, int], str | None]
"""A name, a place in millimetres, and which priest it is."""


def _cm(length: int) -> str:
    return f"{length // 10}.{length % 10}"


def turn_of(
    *,
    boche: Sequence[Placed],
    noman: Sequence[Placed],
    orders: Mapping[str, str],
    throws: Mapping[str, int] | None = None,
    weapons: Mapping[str, Sequence[str]] | None = None,
    skills: Mapping[str, Sequence[str]] | None = None,
    running: Sequence[Mapping[str, Any]] = (),
    turn: int = 3,
) -> MagicTurn:
    """A turn on the default table; dice not named show 5 (initiative: the Boche's 8)."""
    rows: list[dict[str, Any]] = []
    for side, placed in zip(SIDES, (boche, noman), strict=True):
        for name, (x, y), priest in placed:
            row: dict[str, Any] = {
                "name": name,
                "side": side,
                "at": [f"{x // 10}.{x % 10}", f"{y // 10}.{y % 10}"],
            }
            row["weapons"] = list((weapons or {}).get(name, ()))
            row["skills"] = list((skills or {}).get(name, ()))
            if priest is not None:
                row["priest"] = priest
            rows.append(row)
    case = {"turn": turn, "length": 10, "figure": rows, "running": [dict(each) for each in running]}
    return _played(RULESET.case_setup(case, lambda _: RULES, RULES), turn, orders, throws)


def follow(turn: MagicTurn, orders: Mapping[str, str], throws: Mapping[str, int] | None = None) -> MagicTurn:
    """The turn after a turn."""
    return _played(replace(turn.after, turn=turn.number + 1), turn.number + 1, orders, throws)


def _played(
    state: State, turn: int, orders: Mapping[str, str], throws: Mapping[str, int] | None
) -> MagicTurn:
    read_orders = read(state, dict(orders))

    def dice(key: str, _sides: int) -> int:
        if key.startswith("initiative"):
            return 8 if " boche " in key else 3
        return (throws or {}).get(key.split(" ", maxsplit=1)[0], 5)

    events = RULESET.decide(state, read_orders, dice)
    after = RULESET.evolve(state, case_turn_closed(turn))
    for event in events:
        after = RULESET.evolve(after, event)
    return Turn(turn, state, events, after, read_orders)
