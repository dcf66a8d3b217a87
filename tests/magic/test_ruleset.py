"""The record's other functions: forecasts, rulings by the GM, the page of rulings, views."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cases import case_turn_closed
from pbem.errors import BadInput
from pbem.events import Change, RulingMade
from pbem.rulesets import find_ruleset
from pbem.rulesets.magic import RULESET
from pbem.rulings import parse_rulings
from pbem.sheet import read_sheet
from tests.magic.battles import play, random_position, read, scenario
from tests.magic.test_cases import RULINGS, tables
from tests.scale import scaled

ROOT = Path(__file__).parents[2]


def test_it_is_found_by_its_name() -> None:
    found = find_ruleset("magic")
    assert (found.name, found.version, found.events) == ("magic", RULESET.version, RULESET.events)


def test_the_page_of_rulings_has_every_ruling_that_is_cited() -> None:
    rulings = parse_rulings((ROOT / "docs" / "rules" / "magic.md").read_text("utf-8"))
    assert set(RULINGS) <= set(rulings)
    assert all(ruling.text for ruling in rulings.values())
    assert {rule for table in tables() for rule in table["rules"]} <= set(rulings)


@given(st.integers(0, 2**40))
@settings(max_examples=scaled(200), deadline=None, derandomize=True)
def test_every_line_has_a_forecast(seed: int) -> None:
    rng = Random(seed)
    state = random_position(rng)
    for played in play(rng, state, 1):
        for side, orders in played.turn.orders.items():
            forecasts = RULESET.forecast(state, side, orders)
            assert [each.line for each in forecasts] == [line.number for line in orders.lines]
            assert all(each.text for each in forecasts)


def forecast_of(text: str) -> str:
    state = RULESET.evolve(scenario("ford"), case_turn_closed(0))
    orders = read(state, {"boche": text})["boche"]
    return RULESET.forecast(state, "boche", orders)[0].text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rodney move to 20,26", "rodney moves 4 cm to 20,26 (walk)"),
        ("schtuck speak stay to rodney", "schtuck says stay to rodney, 6.4 cm away: heeded on 70 or less"),
        ("rodney shoot brutalus", "would be refused: brutalus is out of range (M3)"),
        ("ghost move to 3,4", "(M1.5)"),
        ("ghost hold", "holds"),
        ("rodney defend", "is tried in FIGHT: rodney defend"),
    ],
)
def test_a_forecast_says_what_would_happen_now(line: str, said: str) -> None:
    assert said in forecast_of(line)


def test_a_ruling_sets_parts_of_the_position() -> None:
    state = scenario("ford")
    assert RULESET.ruling is not None
    changes = (
        ("figures.rodney.at", [100, 120]),
        ("figures.rodney.wounds", 1),
        ("figures.brutalus.armour", False),
        ("figures.brutalus.states.freeze", {"until": 3, "cause": "schtuck"}),
        ("fires", [[1, 2]]),
    )
    after = RULESET.ruling(state, changes)
    shown = RULESET.state_json(after)
    assert shown["figures"]["rodney"]["at"] == [100, 120]
    assert shown["figures"]["rodney"]["wounds"] == 1
    assert not shown["figures"]["brutalus"]["armour"]
    assert shown["figures"]["brutalus"]["states"] == {"freeze": {"until": 3, "cause": "schtuck"}}
    assert shown["fires"] == [[1, 2]]
    event = RulingMade(
        reason="a slip", changes=tuple(Change(path=path, was=None, now=now) for path, now in changes)
    )
    assert RULESET.evolve(state, event) == after


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("figures.rodney.at", [5000, 1]),
        ("figures.rodney.at", [480, 170]),
        ("figures.rodney.at", "here"),
        ("figures.rodney.wounds", 9),
        ("figures.rodney.engaged", ["brutalus"]),
        ("figures.nobody.at", [1, 1]),
        ("figures.rodney.weapons", ["axe"]),
        ("turn", 3),
        ("open", ["raft2"]),
    ],
)
def test_a_ruling_that_cannot_be_is_refused(path: str, now: object) -> None:
    assert RULESET.ruling is not None
    with pytest.raises(BadInput):
        RULESET.ruling(scenario("ford"), ((path, now),))


def test_orders_for_a_side_that_does_not_play() -> None:
    with pytest.raises(BadInput, match="gaul"):
        RULESET.parse(read_sheet("rodney hold"), scenario("ford"), "gaul")


SCRIPT = """
from random import Random
from pbem.events import dump_json, event_json
from tests.magic.battles import play, random_position, scenario
out = []
for seed in range(6):
    rng = Random(seed)
    for played in play(rng, scenario("hayrick") if seed == 0 else random_position(rng), 2):
        out.append(dump_json([event_json(event) for event in played.turn.events]))
print("\\n".join(out))
"""


def test_the_same_under_another_hash_seed() -> None:
    texts = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        texts.append(done.stdout)
    assert texts[0]
    assert texts[0] == texts[1]
