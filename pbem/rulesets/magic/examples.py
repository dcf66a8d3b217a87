"""Order lines that would be allowed as things stand: they show the grammar in a report's template (M8)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import isqrt

from pbem.rulesets.magic.forecast import opened, sentence
from pbem.rulesets.magic.geometry import Point, square
from pbem.rulesets.magic.known import Known, KnownFigure, known_state
from pbem.rulesets.magic.names import (
    AMBUSH,
    COMPELLED,
    FLATULENCE,
    FLEE,
    FREEZE,
    HIDING,
    OUT,
    PREPARING,
    ROADBLOCK,
    ROUT,
    TAKE_STEPS,
)
from pbem.rulesets.magic.orders import SHOOTING_WEAPONS, parse, place_text
from pbem.rulesets.magic.state import State
from pbem.sheet import read_sheet

BARS = (OUT, FREEZE, ROUT, FLEE, AMBUSH, HIDING, PREPARING)
"""States in which no order is carried out (M2.9, M3, M4)."""
MOST = 12
"""So many candidates of one kind are tried."""


def examples(state: State, known: Known) -> Iterator[str]:
    """One line of each kind that somebody of this side could carry out."""
    seen = opened(known_state(state, known.reader))
    # Soldiers first: nobody should learn the grammar by sending a priest to charge.
    mine = sorted(known.mine(), key=lambda one: one.priest is not None)
    free = [one for one in mine if not barred(one, known.number + 1)]
    foes = [one for one in known.figures.values() if one.alive and one.commander != known.reader]
    kinds = (
        _moves(mine, foes, known),
        _runs(mine, foes, known),
        (f"{one.name} charge {foe.name}" for one, foe in _pairs(mine, foes)),
        (
            f"{one.name} shoot {foe.name} with {weapon}"
            for one, foe in _pairs(mine, foes)
            for weapon in one.weapons
            if weapon in SHOOTING_WEAPONS
        ),
        (f"{one.name} use {skill}" for one in mine for skill in one.skills if skill != FLATULENCE),
        _words(mine, foes),
        _magic(mine, foes),
        (f"{one.name} fight {one.engaged[0]}" for one in free if one.engaged),
        (f"{one.unit} spring" for one in mine if AMBUSH in one.states),
        (f"{one.name} defend" for one in free),
        _guarded(mine, foes, known),
        (f"{one.unit} hold" for one in mine if not one.priest and one.side == known.reader),
    )
    for lines in kinds:
        yield from islice((line for line in islice(lines, MOST) if allowed(seen, known.reader, line)), 1)


def barred(one: KnownFigure, turn: int) -> bool:
    """Whether a state that still holds in a turn lets a figure carry out no order (M2.9, M3, M4)."""
    return any(
        state in BARS and (held.until is None or held.until >= turn) for state, held in one.states.items()
    )


def allowed(seen: State, side: str, line: str) -> bool:
    """Whether a line reads, and nothing that its side knows forbids it."""
    orders = parse(read_sheet(line), sign_up=False)
    if orders.problems:
        return False
    told = sentence(seen, side, orders.lines[0])
    return "would be" not in told and told != "nothing"


def _pairs(mine: list[KnownFigure], foes: list[KnownFigure]) -> Iterator[tuple[KnownFigure, KnownFigure]]:
    """Each figure of one's own with its nearest enemy."""
    for one in mine:
        if foes and one.at is not None:
            here = one.at
            yield one, min(foes, key=lambda foe: square(here, foe.at or here))


def _towards(start: Point, goal: Point, length: int) -> Point:
    """So far on the way, in whole millimetres; what is nearer than that is halfway."""
    gap = isqrt(square(start, goal))
    length = min(length, gap // 2)
    if gap == 0:
        return start
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    return start[0] + dx * length // gap, start[1] + dy * length // gap


def _steps(
    mine: list[KnownFigure], foes: list[KnownFigure], known: Known, length: int
) -> Iterator[tuple[KnownFigure, str]]:
    middle = known.size[0] // 2, known.size[1] // 2
    for one in mine:
        if one.at is None or COMPELLED in one.states:
            continue
        here = one.at
        goal = min((foe.at for foe in foes if foe.at), key=lambda at: square(here, at), default=middle)
        yield one, place_text(_towards(here, goal, length))


def _moves(mine: list[KnownFigure], foes: list[KnownFigure], known: Known) -> Iterator[str]:
    return (f"{one.name} move to {place} walk" for one, place in _steps(mine, foes, known, 80))


def _runs(mine: list[KnownFigure], foes: list[KnownFigure], known: Known) -> Iterator[str]:
    soldiers = [one for one in reversed(mine) if not one.priest]
    return (f"{one.name} move to {place} run" for one, place in _steps(soldiers, foes, known, 150))


def _words(mine: list[KnownFigure], foes: list[KnownFigure]) -> Iterator[str]:
    for one in mine:
        if one.priest == "schtuck" and one.at is not None:
            here = one.at
            near = sorted(foes, key=lambda foe: (square(here, foe.at or here), foe.name))
            yield from (f"{one.name} speak stay to {foe.name} timed move" for foe in near)
            friends = [friend for friend in mine if friend.name != one.name]
            yield from (f"{one.name} speak good boy to {friend.name}" for friend in friends)


def _magic(mine: list[KnownFigure], foes: list[KnownFigure]) -> Iterator[str]:
    for one in mine:
        left = [what for what in one.declared if what not in one.used]
        if one.priest == "achtung":
            for glamour in left:
                yield f"{one.name} meditate {glamour}{_goal(glamour, one, foes)}"
            yield f"{one.name} chord timed shoot"
        if one.priest == "wasserpferd":
            yield from (f"{one.name} prepare {illusion}" for illusion in left)


def _goal(glamour: str, one: KnownFigure, foes: Iterable[KnownFigure]) -> str:
    here = one.at or (0, 0)
    near = min(foes, key=lambda foe: square(here, foe.at or here), default=None)
    if glamour == ROADBLOCK:
        return f" {place_text(here if near is None else _towards(here, near.at or here, 150))}"
    return f" {near.name}" if glamour == TAKE_STEPS and near is not None else ""


def _guarded(mine: list[KnownFigure], foes: list[KnownFigure], known: Known) -> Iterator[str]:
    """A condition and an `else`: closer while the enemy is far, then a charge."""
    for (one, foe), (_, place) in zip(_pairs(mine, foes), _steps(mine, foes, known, 60), strict=False):
        yield f"if not near {foe.name} 20: {one.name} move to {place} else {one.name} charge {foe.name}"
