"""What forbids an order at its moment: every ruling that does, each with its reason (F3.6)."""

from collections import deque
from collections.abc import Callable, Mapping

from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import Move
from pbem.rulesets.flux.position import land_faults, place_faults
from pbem.rulesets.flux.state import State

Refusals = list[tuple[str, str]]
"""Pairs of a ruling's number and a reason in words."""


def _where(state: State, hue: str, piece: str) -> Hex | None:
    wizard = state.wizards[hue]
    return wizard.at if piece == WIZARD else wizard.pieces.get(piece)


def shortest_path(state: State, piece: str, start: Hex, end: Hex) -> tuple[Hex, ...] | None:
    """The steps of the shortest allowed way, the start left out; None where there is none (F4.5).

    Whether the end itself may be entered is not asked here, so that a refusal can name both. A way no
    longer than the distance is sought first, step by step in the order N to NW; where there is none,
    breadth first, each hex's neighbours in that order, so that of several shortest ways the first in it
    is found.
    """
    if start == end:
        return ()
    passes = _passage(state, piece)
    if way := _direct_way(passes, start, end, set()):
        return way
    around, came_from = state.board.around, {start: start}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for near in around[here]:
            if near == end:
                came_from[end] = here
                return _way_back(came_from, start, end)
            if near not in came_from:
                came_from[near] = here
                if passes(near):
                    queue.append(near)
    return None


def _direct_way(
    passes: Callable[[Hex], bool], here: Hex, end: Hex, dead_ends: set[Hex]
) -> tuple[Hex, ...] | None:
    """The first of the ways each of whose steps comes nearer; hexes that lead nowhere become `dead_ends`."""
    for near in here.towards(end):
        if near == end:
            return (end,)
        if near not in dead_ends and passes(near) and (rest := _direct_way(passes, near, end, dead_ends)):
            return (near, *rest)
    dead_ends.add(here)
    return None


def _way_back(came_from: Mapping[Hex, Hex], start: Hex, end: Hex) -> tuple[Hex, ...]:
    way = [end]
    while (before := came_from[way[-1]]) != start:
        way.append(before)
    return tuple(reversed(way))


def planned_way(state: State, hue: str, order: Move) -> tuple[Hex, ...] | None:
    """The steps that a move names, or the shortest; None where there is none, or no piece to make it."""
    start = _where(state, hue, order.piece)
    if order.via or start is None:
        return order.via or None
    return shortest_path(state, order.piece, start, order.to)


def _passage(state: State, piece: str) -> Callable[[Hex], bool]:
    """Whether a hex may lie on a piece's way: nobody stands there, and its land is open to it (F4.2-4)."""
    taken, lakes, earths = state.occupied, state.board.lakes, state.earths
    if state.rules.flies(piece):
        return lambda place: place not in taken
    forbidden = state.rules.forbidden(piece)

    def passes(place: Hex) -> bool:
        if place in taken or place in lakes:
            return False
        return place not in earths or earths[place][1].earth not in forbidden

    return passes


def move_refusals(
    state: State, hue: str, order: Move, left: int, way: tuple[Hex, ...] | None, *, stopped: bool
) -> Refusals:
    """Why a piece with `left` hexes of its move may not make this move, by its planned way (F4)."""
    start = _where(state, hue, order.piece)
    if start is None:
        return [("F3.6", f"the {order.piece} is not on the board")]
    found: Refusals = []
    if stopped:
        found.append(("F4.4", f"the {order.piece} has entered an enemy's hex, which ends its movement"))
    if order.to == start:
        found.append(("F4.5", f"the {order.piece} stands at {order.to_label} already"))
    # A way that leaves the start and comes back enters it: only what never leaves does not.
    entered = order.via or ((order.to,) if order.to != start else ())
    for place in dict.fromkeys(entered):
        for fault in land_faults(state, order.piece, place):
            found.append(("F4.2", fault))
        mine = state.wizards[hue].stands.get(place)
        if mine and place != start:
            found.append(("F4.3", f"your {mine} stands at {state.board.label(place)}"))
    if order.via:
        found.extend(_via_refusals(state, hue, order.via, start))
        steps = len(order.via)
    else:
        steps = order.to - start if way is None else len(way)
        if way is None:
            found.append(("F4.5", f"no way that the {order.piece} may take leads to {order.to_label}"))
    if steps > left:
        found.append(("F4.1", f"it is {steps} hexes and the {order.piece} may still move {left}"))
    return found


def _via_refusals(state: State, hue: str, way: tuple[Hex, ...], start: Hex) -> Refusals:
    found: Refusals = []
    before = start
    for place in way:
        if place - before != 1:
            label = state.board.label
            found.append(("F4.5", f"{label(before)} and {label(place)} are not adjacent"))
        before = place
    found.extend(
        ("F4.4", f"an enemy stands at {state.board.label(place)}, and nothing passes him")
        for place in dict.fromkeys(way[:-1])
        if state.enemies_at(hue, place)
    )
    return found


def attempt_refusals(state: State, hue: str, spell: str, keep: int | None) -> Refusals:
    """Why an attempt cannot be paid for (F5.3, F5.6)."""
    cost, reserve = state.rules.cost(spell), state.wizards[hue].reserve
    found: Refusals = []
    if reserve < cost:
        found.append(("F5.3", f"it costs {cost} and your reserve is {reserve}"))
    if keep is not None and reserve - cost < keep:
        found.append(("F5.6", f"it costs {cost} of your {reserve} flux, and you keep {keep}"))
    return found


def cast_refusals(state: State, hue: str, spell: str, hexes: tuple[Hex, ...], keep: int | None) -> Refusals:
    """Why a spell may not be cast there now (F5)."""
    wizard = state.wizards[hue]
    if wizard.at is None:
        return [("F5.1", "your wizard is not on the board to cast it")]
    found: Refusals = []
    distances = [wizard.at - place for place in hexes]
    reach = state.rules.casting[-1].up_to
    if max(distances) > reach:
        found.append(("F5.1", f"it is {max(distances)} hexes from your wizard, and spells reach {reach}"))
    if len(set(map(state.rules.band, distances))) > 1:
        found.append(
            ("F5.2", f"its hexes are {distances[0]} and {distances[1]} away, in two bands of distance")
        )
    if not state.is_in_stock(hue, spell):
        what = (
            f"no {spell} counter is left in your stock"
            if len(hexes) == 2
            else f"your {spell} is on the board"
        )
        found.append(("F5.3", what))
    found.extend(attempt_refusals(state, hue, spell, keep))
    found.extend(
        _earth_faults(state, spell, hexes)
        if len(hexes) == 2
        else _animate_faults(state, hue, spell, hexes[0])
    )
    return found


def _earth_faults(state: State, spell: str, hexes: tuple[Hex, ...]) -> Refusals:
    faults = place_faults(state, spell, hexes)
    for place in dict.fromkeys(hexes):
        if found := state.earths.get(place):
            faults.append(f"{found[0]}'s {found[1].earth} lies on {state.board.label(place)}")
        for piece in state.pieces_at(place):
            faults.append(f"{piece.hue}'s {piece.name} stands at {state.board.label(place)}")
    return [("F5.4", fault) for fault in faults]


def _animate_faults(state: State, hue: str, spell: str, place: Hex) -> Refusals:
    label = state.board.label(place)
    found: Refusals = []
    if state.board.holds_globe(place):
        found.append(("F5.5", f"a globe lies at {label}"))
    if place in state.board.lakes and not state.rules.flies(spell):
        found.append(("F5.5", f"{label} is a lake, and a {spell} does not fly"))
    if mine := state.wizards[hue].stands.get(place):
        reason = f"your {mine} stands at {label}"
        found.extend([("F5.5", reason), ("F4.3", reason)])
    return found


def destroy_refusals(state: State, hue: str, piece: str, *, new: bool, tried: bool) -> Refusals:
    """Why a piece may not try to destroy the earth it stands on (F7)."""
    place = _where(state, hue, piece)
    if place is None:
        return [("F3.6", f"the {piece} is not on the board")]
    found: Refusals = []
    if tried:
        found.append(("F7.1", f"the {piece} has tried already this turn"))
    if new:
        found.append(("F7.2", f"the {piece} was cast this turn"))
    under = state.earths.get(place)
    row = {} if piece == WIZARD else state.rules.animate(piece).destroys
    if under is None:
        found.append(("F7.2", f"the {piece} stands on no earth"))
        if not row:
            found.append(("F7.1", f"the {piece} destroys no earth"))
        return found
    _, earth = under
    if earth.earth not in row:
        found.append(("F7.1", f"the {piece} does not destroy {earth.earth}"))
    for spot in earth.hexes:
        for enemy in state.enemies_at(hue, spot):
            found.append(("F7.3", f"{enemy.hue}'s {enemy.name} stands at {state.board.label(spot)}"))
    return found
