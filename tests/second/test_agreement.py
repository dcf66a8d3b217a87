"""The ruleset against a second reading of the rulings, on random positions and orders."""

from typing import Any

import pytest

from pbem import cases, shipped
from pbem.events import event_json
from pbem.rulesets.flux import RULESET
from pbem.sheet import read_sheet
from tests.scale import scaled
from tests.second.flux_second import adjudicate
from tests.second.positions import hashed_dice, random_case

BLOCKS = 20
WORDING = {"reason", "text"}


def first_reading(case: dict[str, Any], seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    position = {key: value for key, value in case.items() if key not in cases.HOST_KEYS}
    rules = shipped.shipped_text("flux", RULESET.files.rules)
    before = RULESET.case_setup(position, lambda name: shipped.board_source(RULESET, name), rules)
    orders = {hue: RULESET.parse(read_sheet(text), before, hue) for hue, text in case["orders"].items()}
    events = RULESET.decide(before, orders, hashed_dice(seed))
    after = before
    for event in events:
        after = RULESET.evolve(after, event)
    return [event_json(event) for event in events], RULESET.state_json(after)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_readings_give_the_same_events_and_state(block: int) -> None:
    """Wording apart. A refusal here may cite more rulings than the second reading: F4.3 beside F5.5 for a
    cast onto a piece of one's own, F7.1 beside F7.2 for a wizard who stands on no earth."""
    count = scaled(20_000) // BLOCKS
    for seed in range(block * count, block * count + count):
        case = random_case(seed)
        events, state = first_reading(case, seed)
        second = adjudicate(case, throw=hashed_dice(seed))
        for mine, theirs in zip(events, second["events"], strict=True):
            assert set(theirs["rules"]) <= set(mine["rules"]), (seed, mine, theirs)
            shared = theirs.keys() - WORDING - {"rules"}
            assert {key: mine[key] for key in shared} == {key: theirs[key] for key in shared}, seed
        expected = {key: value for key, value in second["state"].items() if key in state}
        assert state == expected, seed
