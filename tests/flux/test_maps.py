"""Every shipped map: the same from every corner, and everything on it can be reached and used (F1.6).

That no seat wins more often than another is a matter of thousands of contests: docs/balance.md.
"""

from collections import deque
from importlib import resources

import pytest

from pbem.players.flux_ground import turned
from pbem.rulesets import NewGame
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Hex, side
from pbem.rulesets.flux.position import faults, place_faults
from pbem.rulesets.flux.state import State
from tests.flux.games import source

FOLDER = resources.files("pbem").joinpath("rulesets", "flux", "maps")
MAPS = sorted(entry.name.removesuffix(".toml") for entry in FOLDER.iterdir() if entry.name.endswith(".toml"))


def contest(name: str) -> State:
    ready = RULESET.prepare(NewGame(HUES, source("rules.toml"), source(f"maps/{name}.toml"), 10))
    return RULESET.initial(ready.setup)


def test_there_are_three_at_least() -> None:
    assert {"grob", "glade", "mere"} <= set(MAPS)


@pytest.mark.parametrize("name", MAPS)
def test_turned_by_a_sixth_it_is_the_same(name: str) -> None:
    board = contest(name).board

    def once(place: Hex) -> Hex:
        return turned(place, 1)

    assert {once(place): value for place, value in board.globes} == board.values
    assert {once(place) for place in board.lakes} == board.lakes
    assert {side(once(one), once(other)) for one, other in board.rivers} == board.rivers
    assert tuple(map(once, board.start_corners)) == (*board.start_corners[1:], board.start_corners[0])


@pytest.mark.parametrize("name", MAPS)
def test_it_can_be_played_by_six(name: str) -> None:
    state = contest(name)
    assert state.board.title
    assert list(faults(state)) == []


@pytest.mark.parametrize("name", MAPS)
def test_a_wizard_can_walk_to_every_globe(name: str) -> None:
    board = contest(name).board
    there = {board.start_corners[0]}
    queue = deque(there)
    while queue:
        for near in board.around[queue.popleft()]:
            if near not in there and near not in board.lakes:
                there.add(near)
                queue.append(near)
    assert there == set(board.hexes()) - board.lakes


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("earth", ["forest", "hills", "swamp", "mountain"])
def test_every_earth_has_a_place_within_the_first_turn_s_reach(name: str, earth: str) -> None:
    """A walk and the best band of casting, from every corner."""
    state = contest(name)
    board, reach = state.board, state.rules.wizard.move + state.rules.casting[0].up_to
    for corner in board.start_corners:
        places = [
            (one, other)
            for one in board.hexes()
            for other in board.around[one]
            if one < other
            and max(one - corner, other - corner) <= reach
            and not place_faults(state, earth, (one, other))
        ]
        assert len(places) >= 3
