"""A six-player position with 60 earths on the 331 hexes, and a turn of orders for everybody in it."""

import hashlib
import random
from collections.abc import Iterator

from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.position import place_faults
from pbem.rulesets.flux.state import State
from tests.flux.games import random_line
from tests.flux.turns import FluxTurn, opening, play, position

EARTHS = ("swamp", "mountain", "forest", "hills", "forest", "hills", "forest", "mountain", "forest", "forest")
ANIMATES = ("gnome", "knight", "troll", "manticore", "wyvern", "phoenix")


def crowded_turn(seed: int = 60) -> FluxTurn:
    """The turn as played: the same for the same seed."""
    rng = random.Random(seed)
    state = crowded(rng)
    orders = {hue: "\n".join(random_line(rng, state, hue) for _ in range(8)) for hue in HUES}

    def dice(key: str, sides: int) -> int:
        return int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:4], "big") % sides + 1

    return play(state, 6, orders, dice=dice)


def crowded(rng: random.Random) -> State:
    """Ten earths and seven pieces each, nearest to the own corner but for some that went further."""
    board = opening(HUES)
    taken: set[Hex] = set()
    wizards = [_wizard(board, hue, rng, taken) for hue in HUES]
    table = "\n".join(wizards)
    return position(f'turn = 6\nmap = "grob"\norder_of_play = {list(HUES)}\n{table}')


def _wizard(empty: State, hue: str, rng: random.Random, taken: set[Hex]) -> str:
    board, corner = empty.board, empty.wizards[hue].corner
    corners = [wizard.corner for wizard in empty.wizards.values()]
    ours = [
        place
        for place in board.hexes()
        if 2 <= place - corner <= 11 and place - corner <= 1 + min(place - other for other in corners)
    ]
    rng.shuffle(ours)
    earths = []
    for earth in EARTHS:
        pair = next(_pairs(empty, earth, ours, taken))
        taken.update(pair)
        earths.append([earth, *map(board.label, pair)])
    free = iter([place for place in ours if place not in taken and not board.holds_globe(place)])
    places = [next(place for place in free if place not in board.lakes) for _ in (*ANIMATES, "wizard")]
    taken.update(places)
    *animates, at = map(board.label, places)
    pieces = ", ".join(f'{name} = "{where}"' for name, where in zip(ANIMATES, animates, strict=True))
    return (
        f'[[wizard]]\nhue = "{hue}"\nat = "{at}"\nreserve = 30\nearths = {earths}\npieces = {{ {pieces} }}\n'
    )


def _pairs(empty: State, earth: str, ours: list[Hex], taken: set[Hex]) -> Iterator[tuple[Hex, Hex]]:
    """Where the earth may lie, nothing else being there."""
    for one in ours:
        for other in one.neighbours():
            pair = (one, other)
            if other in empty.board and not taken & {*pair} and not place_faults(empty, earth, pair):
                yield pair
