"""F4.5: the shortest way, and of several the one whose steps come first in the order N to NW."""

import random
from dataclasses import replace

from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.refusals import shortest_path
from pbem.rulesets.flux.state import PlacedEarth, State
from tests.flux.turns import opening
from tests.scale import scaled


def crowded(rng: random.Random, state: State) -> State:
    """The plains with so much on them that many a straight way is barred."""
    hexes = list(state.board.hexes())
    wizards, covered = {}, set[Hex]()
    for hue, wizard in state.wizards.items():
        earths = []
        for _ in range(8):
            place = rng.choice(hexes)
            near = rng.choice([spot for spot in place.neighbours() if spot in state.board])
            one, other = sorted((place, near))
            if not covered.isdisjoint((one, other)):
                continue  # One hex has one earth (F5.4).
            covered.update((one, other))
            earths.append(PlacedEarth(rng.choice(("swamp", "mountain", "forest")), (one, other)))
        pieces = dict(zip(state.rules.pieces(), rng.sample(hexes, 7), strict=True))
        wizards[hue] = replace(wizard, at=rng.choice(hexes), earths=tuple(earths), pieces=pieces)
    return replace(state, wizards=wizards)


def all_ways(state: State, hue: str, piece: str, start: Hex, end: Hex) -> tuple[Hex, ...] | None:
    """Level by level, every way to a hex, the first in the order of its steps kept: by the rule's letter."""
    own = {place for _, place in state.wizards[hue].standing()} - {start, end}
    enemies = {place for other in state.wizards.values() if other.hue != hue for _, place in other.standing()}
    barred = set(own)
    if not state.rules.flies(piece):
        forbidden = state.rules.forbidden(piece)
        barred |= state.board.lakes - {end}
        for wizard in state.wizards.values():
            for earth in wizard.earths:
                if earth.earth in forbidden:
                    barred |= set(earth.hexes) - {end}
    level: dict[Hex, tuple[int, ...]] = {start: ()}
    ways: dict[Hex, tuple[Hex, ...]] = {start: ()}
    seen = {start}
    while level and end not in level:
        following: dict[Hex, tuple[int, ...]] = {}
        reached: dict[Hex, tuple[Hex, ...]] = {}
        for here, steps in level.items():
            if here in enemies and here != start:
                continue
            for number, near in enumerate(here.neighbours()):
                if near in state.board and near not in seen and near not in barred:
                    told = (*steps, number)
                    if near not in following or told < following[near]:
                        following[near], reached[near] = told, (*ways[here], near)
        seen |= set(following)
        level, ways = following, reached
    return ways.get(end) if end in level else None


def test_the_way_found_is_the_first_of_the_shortest() -> None:
    rng = random.Random(12)
    start_of_all = opening(HUES)
    found = longer = none = 0
    for _ in range(scaled(400)):
        state = crowded(rng, start_of_all)
        hexes = list(state.board.hexes())
        for _ in range(10):
            hue = rng.choice(HUES)
            piece, start = rng.choice(list(state.wizards[hue].standing()))
            end = rng.choice(hexes if rng.random() < 0.3 else [spot for spot in hexes if spot - start <= 6])
            way = shortest_path(state, piece, start, end)
            assert way == all_ways(state, hue, piece, start, end), (hue, piece, start, end)
            found += way is not None
            none += way is None
            longer += way is not None and len(way) > end - start
    assert found
    assert longer
    assert none or scaled(400) < 40
