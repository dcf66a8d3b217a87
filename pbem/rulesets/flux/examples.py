"""Order lines that a position allows: they show the grammar in a report's order template (F9.1)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from pbem.rulesets.flux.data import WIZARD, Rules
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import Cast, Destroy, Move, Order
from pbem.rulesets.flux.refusals import cast_refusals, destroy_refusals, move_refusals, planned_way
from pbem.rulesets.flux.state import State, Wizard

_MIDDLE = Hex(0, 0)
_REACH = 3
"""How far from the wizard the examples cast."""


def at_turn(wizard: Wizard) -> Wizard:
    """A wizard as his turn will find him: set on his corner if he was killed (F6.3)."""
    if wizard.at is not None:
        return wizard
    pieces = {name: place for name, place in wizard.pieces.items() if place != wizard.corner}
    return replace(wizard, at=wizard.corner, pieces=pieces)


def examples(state: State, hue: str) -> Iterator[str]:
    """A move, casts and an attempt to destroy, each of which would be allowed were it his turn now."""
    state = replace(state, wizards={**state.wizards, hue: at_turn(state.wizards[hue])})
    moves = list(islice(_moves(state, hue), 2))
    yield from (str(order) for order in moves[:1])
    yield from _guarded(state, hue, moves)
    earth = next(_casts(state, hue, tuple(state.rules.earths)), None)
    animate = next(_casts(state, hue, state.rules.pieces()), None)
    if earth:
        spare = state.wizards[hue].reserve - cost_of(state.rules, earth.spell)
        yield str(earth._replace(times=2, keep=min(4, spare)))
    if animate:
        yield str(animate)
    if earth and animate:
        yield f"if flux {cost_of(state.rules, animate.spell) + 2}: {animate} else {earth}"
    yield from (str(order) for order in islice(_destructions(state, hue), 1))
    yield "hold"


def _moves(state: State, hue: str) -> Iterator[Move]:
    """One step of each piece towards the middle, where it may go."""
    for name, place in state.wizards[hue].standing():
        steps = sorted(place.neighbours(), key=lambda near: (near - _MIDDLE, near))
        for near in steps:
            if near in state.board:
                order = Move(name, near, state.board.label(near))
                left, way = state.rules.move(name), planned_way(state, hue, order)
                if not move_refusals(state, hue, order, left, way, stopped=False):
                    yield order
                    break


def _guarded(state: State, hue: str, moves: list[Move]) -> Iterator[str]:
    """A condition on the hex of the nearest enemy, or on the middle of the board."""
    at = state.wizards[hue].at
    order: Order | None = moves[-1] if moves else None
    if at is None or order is None:
        return
    enemies = [place for other in state.wizards.values() if other.hue != hue for _, place in other.standing()]
    where = min(enemies, key=lambda place: (place - at, place), default=_MIDDLE)
    yield f"if enemy at {state.board.label(where)}: {order}"


def _casts(state: State, hue: str, spells: tuple[str, ...]) -> Iterator[Cast]:
    """What he can pay, near his wizard and towards the middle."""
    at = state.wizards[hue].at
    assert at is not None
    near = [place for place in _around(at, _REACH) if place in state.board]
    near.sort(key=lambda place: (place - _MIDDLE, place))
    label = state.board.label
    stock, reserve = state.stock(hue), state.wizards[hue].reserve
    for spell in spells:
        if not stock[spell] or cost_of(state.rules, spell) > reserve:
            continue
        for place in near:
            grounds = (place.neighbours()) if spell in state.rules.earths else (None,)
            for other in grounds:
                hexes = (place,) if other is None else tuple(sorted((place, other)))
                if all(spot in state.board for spot in hexes) and not cast_refusals(
                    state, hue, spell, hexes, None
                ):
                    yield Cast(spell, hexes, tuple(map(label, hexes)))


def cost_of(rules: Rules, spell: str) -> int:
    """What an attempt at a spell costs (F2)."""
    return rules.earths[spell].cost if spell in rules.earths else rules.animate(spell).cost


def _around(place: Hex, reach: int) -> Iterator[Hex]:
    """All hexes up to so many steps away, the hex itself left out."""
    for q in range(-reach, reach + 1):
        for r in range(max(-reach, -q - reach), min(reach, reach - q) + 1):
            if (q, r) != (0, 0):
                yield Hex(place.q + q, place.r + r)


def _destructions(state: State, hue: str) -> Iterator[Destroy]:
    """Pieces that stand on an earth which they can destroy."""
    for name in state.wizards[hue].pieces:
        if name != WIZARD and not destroy_refusals(state, hue, name, new=False, tried=False):
            yield Destroy(name)
