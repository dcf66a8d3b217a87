"""Whether a position could come about by play: the checks on test cases and on a GM's rulings."""

from collections.abc import Iterator, Sequence

from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex, side
from pbem.rulesets.flux.state import State


def place_faults(state: State, earth: str, hexes: Sequence[Hex]) -> list[str]:
    """Why the ground itself bars an earth counter from these two hexes, whatever else lies there (F5.4)."""
    board, row = state.board, state.rules.earths[earth]  # type: ignore[index]
    one, other = hexes
    label = board.label
    faults: list[str] = []
    if one - other != 1:
        faults.append(f"{label(one)} and {label(other)} are not two adjacent hexes")
    for place in dict.fromkeys(hexes):
        if place in board.plains:
            continue
        if place not in board:
            faults.append(f"{label(place)} is not on the map")
        elif not board.is_full(place):
            faults.append(f"{label(place)} is a part hex")
        if board.holds_globe(place):
            faults.append(f"a globe lies at {label(place)}")
        if place in board.lakes and not row.may_cover_lake:
            faults.append(f"{label(place)} is a lake")
    if not row.may_cross_river and side(one, other) in board.rivers:
        faults.append(f"a river runs between {label(one)} and {label(other)}")
    if row.must_touch_water and not any(board.touches_water(place) for place in hexes):
        faults.append(f"neither {label(one)} nor {label(other)} touches water")
    return faults


def land_faults(state: State, piece: str, place: Hex) -> list[str]:
    """Why a piece may not enter the land of a hex: a lake or an earth forbidden to it (F4.2)."""
    lake, found = place in state.board.lakes, state.earths.get(place)
    if not (lake or found) or state.rules.flies(piece):
        return []
    label = state.board.label
    faults: list[str] = []
    if lake:
        faults.append(f"{label(place)} is a lake, and only what flies may enter it")
    if found and found[1].earth in state.rules.forbidden(piece):
        faults.append(f"{label(place)} is {found[1].earth}, which the {piece} may not enter")
    return faults


def faults(state: State) -> Iterator[str]:
    """What no play could have brought about, each naming the hex."""
    label = state.board.label
    covered: dict[Hex, str] = {}
    for hue, wizard in state.wizards.items():
        if wizard.eliminated and (wizard.earths or wizard.pieces):
            place = wizard.earths[0].hexes[0] if wizard.earths else next(iter(wizard.pieces.values()))
            yield f"{hue} is eliminated but still has a counter at {label(place)}"
        for earth in wizard.earths:
            for fault in place_faults(state, earth.earth, earth.hexes):
                yield f"{hue}'s {earth.earth} cannot lie there: {fault}"
            for place in earth.hexes:
                if place in covered:
                    yield f"two earths lie on {label(place)}, {covered[place]} and {hue}'s {earth.earth}"
                covered[place] = f"{hue}'s {earth.earth}"
        taken: dict[Hex, str] = {}
        for name, place in wizard.standing():
            if place not in state.board:
                yield f"{hue}'s {name} stands off the map at {label(place)}"
            if place in taken:
                yield f"{hue} has two pieces on {label(place)}, {taken[place]} and {name}"
            taken[place] = name
            if place in state.board.lakes and not state.rules.flies(name):
                yield f"{hue}'s {name} cannot stand on the lake at {label(place)}"
            if name == WIZARD and land_faults(state, name, place):
                yield f"{hue}'s wizard cannot stand on {label(place)}, an earth forbidden to him"
        for counter, left in state.stock(hue).items():
            if left < 0:
                place = next(earth.hexes[0] for earth in reversed(wizard.earths) if earth.earth == counter)
                yield f"{hue} has more {counter} counters on the board than there are, one at {label(place)}"
