"""Non-interference: nothing that is hidden from a reader changes a byte of what he gets (Reports, M1.5)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.cases import case_turn_closed
from pbem.dice import Dice
from pbem.events import dump_json
from pbem.rulesets import Turn
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.state import State
from pbem.rulesets.model import PUBLIC, Report
from tests.magic.battles import play_turn, random_text, read, scenario
from tests.magic.fog import (
    CHANGES,
    Change,
    MagicTurn,
    elsewhere,
    foggy_position,
    gone,
    never_seen,
    scrubbed,
    unseen,
)
from tests.scale import scaled

READERS = (*SIDES, PUBLIC)
FOG = settings(
    max_examples=scaled(1000), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
seeds = st.integers(0, 2**40)


def whole(report: Report) -> str:
    """All of a report: pages, text, map and JSON are made from it and the host's facts alone."""
    return repr(report._replace(data={})) + dump_json(dict(report.data))


@given(seeds)
@FOG
def test_a_turn_retold_with_other_hidden_facts_is_the_same_report(seed: int) -> None:
    rng = Random(seed)
    turn = play_turn(rng, foggy_position(rng)).turn
    for reader in READERS:
        if turn.after.over:
            return
        told = whole(RULESET.view(turn, reader))
        hidden = never_seen(turn, reader)
        for change in CHANGES:
            other = change(rng, turn, reader, hidden)
            assert whole(RULESET.view(other, reader)) == told, (reader, change.__name__, hidden)


@given(seeds)
@FOG
def test_hidden_names_are_not_in_the_report(seed: int) -> None:
    rng = Random(seed)
    turn = play_turn(rng, foggy_position(rng)).turn
    if turn.after.over:
        return
    for reader in READERS:
        hidden = never_seen(turn, reader)
        if not hidden:
            continue
        # Take Steps' target its own side has named itself, when it was seen.
        meant = turn.before.effects.get("meditation")
        hidden = [name for name in hidden if reader != "boche" or meant is None or name != meant.target]
        silent = turn._replace(orders={})
        told = whole(RULESET.view(silent, reader))
        for name in hidden:
            own_words = [event for event in turn.events if getattr(event, "side", "") == reader]
            if not any(name in getattr(event, "text", "") for event in own_words):
                assert f"'{name}'" not in told
                assert f'"{name}"' not in told


@given(seeds)
@FOG
def test_a_battle_fought_again_with_the_hidden_elsewhere(seed: int) -> None:
    """Adjudicated anew: where all that is seen comes out the same, so does every report of it."""
    rng = Random(seed)
    before = foggy_position(rng)
    first = play_turn(rng, before)
    turn = first.turn
    for reader in READERS:
        hidden = never_seen(turn, reader)
        if not hidden or turn.after.over:
            continue
        width, height = before.field.size
        figures = dict(before.figures)
        for name in hidden:
            figures[name] = replace(figures[name], at=(rng.randint(0, width), rng.randint(0, height)))
        other = again(replace(before, figures=figures), turn, first.dice)
        if not set(hidden) <= set(never_seen(other, reader)) or never_seen(other, reader) != hidden:
            continue
        if scrubbed(turn, hidden) == scrubbed(other, hidden):
            assert whole(RULESET.view(other, reader)) == whole(RULESET.view(turn, reader)), reader


def again(before: State, turn: MagicTurn, dice: Dice) -> MagicTurn:
    events = RULESET.decide(before, turn.orders, dice)
    after = RULESET.evolve(before, case_turn_closed(turn.number))
    for event in events:
        after = RULESET.evolve(after, event)
    return Turn(turn.number, before, events, after, turn.orders)


@given(seeds)
@FOG
def test_receipts_and_check_tell_nothing_hidden(seed: int) -> None:
    """Forecasts of any lines, whoever they name."""
    rng = Random(seed)
    state = foggy_position(rng)
    for side in SIDES:
        text = "\n".join(random_text(rng, state, side) for _ in range(2))
        orders = read(state, {side: text})[side]
        told = RULESET.forecast(state, side, orders)
        hidden = [name for name, figure in state.figures.items() if unseen(figure, (side,))]
        turn: MagicTurn = Turn(state.turn, state, [], state, {})
        changes: tuple[Change, ...] = CHANGES
        for change in changes:
            other = change(rng, turn, side, hidden).after
            assert RULESET.forecast(other, side, orders) == told, (change.__name__, hidden)


@pytest.mark.parametrize("change", [elsewhere, gone], ids=lambda change: change.__name__)
def test_ambushers_of_the_hayrick(change: Change) -> None:
    """The Boche's lurkers: the Noman are told of the scenario's zone alone."""
    rng = Random(7)
    state = scenario("hayrick")
    texts: dict[str, str] = {"boche": "lurkers ambush at 20,60", "noman": ""}
    orders = read(state, texts)
    events = RULESET.decide(state, orders, lambda _key, sides: 7 if sides == 10 else 3)
    after = RULESET.evolve(state, case_turn_closed(0))
    for event in events:
        after = RULESET.evolve(after, event)
    hidden = list(state.field.units["lurkers"].members)
    before = replace(
        state,
        figures={name: after.figures[name] if name in hidden else one for name, one in state.figures.items()},
    )
    turn: MagicTurn = Turn(0, before, events, after, orders)
    for reader in ("noman", PUBLIC):
        told = whole(RULESET.view(turn, reader))
        assert "lurkers may lie in here" in told
        assert not any(f"'{name}'" in told for name in hidden)
        assert whole(RULESET.view(change(rng, turn, reader, hidden), reader)) == told
