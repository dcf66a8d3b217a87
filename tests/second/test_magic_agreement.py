"""Magic against a second reading of its rulings, on random positions and orders."""

from typing import Any

import pytest

from pbem import cases, shipped
from pbem.events import event_json
from pbem.rulesets.magic import RULESET
from pbem.sheet import read_sheet
from tests.scale import scaled
from tests.second.magic_positions import hashed_dice, random_case
from tests.second.magic_second import adjudicate

BLOCKS = 10
WORDING = {"reason", "text", "rules"}


def first_reading(case: dict[str, Any], seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    position = {key: value for key, value in case.items() if key not in cases.HOST_KEYS}
    rules = shipped.shipped_text("magic", RULESET.files.rules)
    before = RULESET.case_setup(position, lambda name: shipped.board_source(RULESET, name), rules)
    orders = {side: RULESET.parse(read_sheet(text), before, side) for side, text in case["orders"].items()}
    events = RULESET.decide(before, orders, hashed_dice(seed))
    after = RULESET.evolve(before, cases.case_turn_closed(case["turn"]))
    for event in events:
        after = RULESET.evolve(after, event)
    return [event_json(event) for event in events], RULESET.state_json(after)


def without_nulls(value: Any) -> Any:
    """What is not there and what is null are one, here."""
    if isinstance(value, dict):
        return {key: without_nulls(part) for key, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_readings_give_the_same_events_and_state(block: int) -> None:
    """Wording apart; both cite at least one ruling in common."""
    count = scaled(3000) // BLOCKS
    for seed in range(block * count, block * count + count):
        case = random_case(seed)
        events, state = first_reading(case, seed)
        second = adjudicate(case, throw=hashed_dice(seed))
        for mine, theirs in zip(events, second["events"], strict=True):
            assert set(mine["rules"]) & set(theirs["rules"]) or mine["rules"] == theirs["rules"], (seed, mine)
            told, expected = (
                {key: value for key, value in event.items() if key not in WORDING} for event in (mine, theirs)
            )
            assert without_nulls(told) == without_nulls(expected), seed
        expected = {key: value for key, value in second["state"].items() if key in state}
        assert without_nulls(state) == without_nulls(expected), seed
