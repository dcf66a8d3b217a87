"""Players of Magic: what they write reads, whole battles end, and nothing hidden changes what they write."""

from random import Random

import pytest

from pbem.dice import Dice, seeded, turn_seed
from pbem.players import find_player, player_names
from pbem.rulesets import Turn
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.state import State
from pbem.sheet import read_sheet
from pbem.simulate import planned, simulate
from tests.magic.battles import play, random_position, scenario
from tests.magic.fog import Change, elsewhere, foggy_position, other_goals, other_skills, unseen
from tests.scale import scaled

NAMES = player_names("magic")


def dice(number: int) -> Dice:
    return seeded(turn_seed(b"a player's own", number))


@pytest.mark.parametrize("name", NAMES)
def test_every_line_reads(name: str) -> None:
    player = find_player("magic", name)
    rng = Random(1)
    states = [random_position(rng) for _ in range(scaled(300))]
    states += [played.turn.after for played in play(rng, scenario("hayrick"), scaled(20))]
    states.append(scenario("hayrick"))
    for number, state in enumerate(states):
        for side in SIDES:
            text = player.orders(RULESET.seen(state, side), side, dice(number))  # type: ignore[misc]
            orders = RULESET.parse(read_sheet(text), state, side)
            assert orders.problems == (), text


@pytest.mark.parametrize("board", ["hayrick", "ford"])
@pytest.mark.parametrize("players", [("simple", "random"), ("random", "random"), ("simple", "simple")])
def test_whole_battles_come_to_their_end(board: str, players: tuple[str, str]) -> None:
    contests = scaled(40)
    summary = simulate(planned("magic", players, contests, scenario=board), 1)
    assert sum(summary.turns.values()) == contests
    assert summary.counts["simple" if "simple" in players else "random"]


def test_the_simple_player_beats_the_random_one() -> None:
    contests = scaled(100)
    summary = simulate(planned("magic", ("simple", "random"), contests), 1)
    assert summary.players["simple"].wins * 2 > contests


@pytest.mark.parametrize(
    ("side", "change"),
    [
        *((side, change) for side in SIDES for change in (elsewhere, other_skills)),
        ("noman", other_goals),  # the goals of glamours are the Boche's own
    ],
)
def test_nothing_hidden_changes_what_a_player_sees_or_writes(side: str, change: Change) -> None:
    rng = Random(7)
    changed = 0
    for number in range(scaled(800)):
        state = foggy_position(rng)
        if state.over:
            continue
        hidden = [name for name, figure in state.figures.items() if unseen(figure, (side,))]
        other = change(rng, Turn(state.turn, state, (), state, {}), side, hidden).after
        seen, also = (RULESET.seen(each, side) for each in (state, other))  # type: ignore[misc]
        changed += state != other
        assert seen == also
        for name in NAMES:
            orders = find_player("magic", name).orders
            assert orders(seen, side, dice(number)) == orders(also, side, dice(number))
    assert changed


def test_a_side_sees_the_others_that_stand_in_the_open_and_no_others() -> None:
    rng = Random(8)
    for _ in range(scaled(300)):
        state: State = foggy_position(rng)
        for side in SIDES:
            seen = RULESET.seen(state, side)  # type: ignore[misc]
            hidden = {name for name, figure in state.figures.items() if unseen(figure, (side,))}
            assert seen.figures.keys() == state.figures.keys() - hidden
