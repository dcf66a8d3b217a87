"""Simple: everybody goes for the nearest enemy in sight, shoots when he can, and charges when he is near."""

from collections.abc import Iterator
from math import isqrt

from pbem.dice import Dice
from pbem.players import Player
from pbem.rulesets.magic.geometry import Point, square
from pbem.rulesets.magic.known import Known, KnownFigure
from pbem.rulesets.magic.names import BARRING, COMPELLED, HIDING, PREPARING
from pbem.rulesets.magic.orders import place_text

SHOTS = ("bow", "sling", "pilum", "stone")
"""Weapons that reach, the best first."""
BUSY = (*BARRING, COMPELLED, HIDING, PREPARING)
"""States in which nothing that a figure is ordered would be done."""


def orders(seen: Known, side: str, _dice: Dice) -> str:
    """Lines for every figure that can do anything; the priests keep out of it."""
    if seen.number < 0:
        return ""
    return "\n".join(line for one in seen.mine() for line in _lines(seen, one, side))


def _lines(seen: Known, one: KnownFigure, side: str) -> Iterator[str]:
    if one.at is None or any(state in BUSY for state in one.states):
        return
    here = one.at
    foes = [
        foe for foe in seen.figures.values() if foe.alive and foe.commander != side and foe.at is not None
    ]
    if one.engaged:
        yield f"{one.name} fight {one.engaged[0]}"
        return
    if not foes:
        if not one.priest:
            yield f"{one.name} move to {place_text(_on_the_way(here, _middle(seen), 80))}"
        return
    foe = min(foes, key=lambda foe: (square(here, foe.at or here), foe.name))
    gap = isqrt(square(here, foe.at or here))
    weapon = next((weapon for weapon in SHOTS if weapon in one.weapons), None)
    if weapon is not None and gap <= seen.core.shooting.columns[_columns(seen, weapon) - 1]:
        yield f"{one.name} shoot {foe.name} with {weapon}"
    elif one.priest is None:
        rates = seen.core.rates.boche if one.side == "boche" else seen.core.rates.noman
        step = place_text(_on_the_way(here, foe.at or here, rates.run))
        charge = f"{one.name} charge {foe.name} else " if gap <= rates.charge else ""
        yield f"{charge}{one.name} move to {step} run"


def _columns(seen: Known, weapon: str) -> int:
    return len(seen.core.shooting.chances[weapon])  # type: ignore[index]


def _middle(seen: Known) -> Point:
    return seen.size[0] // 2, seen.size[1] // 2


def _on_the_way(start: Point, goal: Point, length: int) -> Point:
    """So far towards a place, and no nearer than a third of the way from it."""
    gap = isqrt(square(start, goal))
    length = min(length, 2 * gap // 3)
    if gap == 0:
        return start
    return start[0] + (goal[0] - start[0]) * length // gap, start[1] + (goal[1] - start[1]) * length // gap


PLAYER = Player("simple", "magic", "goes for the nearest enemy in sight", orders)
