"""Rules as data: every case passes, throws are explicit, and every ruling and table row has a case."""

import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.cases import run_case
from pbem.rulesets.magic.names import GLAMOURS, ILLUSIONS, SKILLS, WORDS

CASES = Path(__file__).parents[1] / "cases" / "magic"
FILES = sorted(CASES.glob("*.toml"))
RULINGS = (
    *(f"M1.{number}" for number in range(1, 6)),
    *(f"M2.{number}" for number in range(1, 13)),
    "M3", "M4", "M4.1", "M4.2", "M5",
    *(f"M5.{number}" for number in range(1, 11)),
    "M6.1", "M6.2", "M6.3", "M7", "M7.1", "M7.2", "M7.3",
    *(f"M8.{number}" for number in range(1, 7)),
)  # fmt: skip


@cache
def tables() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(file.read_text("utf-8"), parse_float=Decimal) for file in FILES)


def expected(kind: str) -> list[dict[str, Any]]:
    return [
        event
        for table in tables()
        for event in table.get("expect", {}).get("events", [])
        if event["kind"] == kind
    ]


@pytest.mark.parametrize("place", range(len(FILES)), ids=[file.stem for file in FILES])
def test_case(place: int) -> None:
    verdict = run_case(tables()[place], FILES[place].name)
    assert verdict.passed, verdict.reason


def test_there_are_enough_and_every_throw_is_explicit() -> None:
    assert len(FILES) >= 150
    assert not any("default" in table.get("dice", {}) for table in tables())
    assert len({table["title"] for table in tables()}) == len(FILES)


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_a_case(ruling: str) -> None:
    assert any(ruling in table["rules"] for table in tables())


@pytest.mark.parametrize("word", WORDS)
def test_each_word_in_both_ranges(word: str) -> None:
    spoken = [event for event in expected("word_spoken") if event.get("word") == word]
    assert any(event.get("distance") == 100 for event in spoken)
    assert any(event.get("distance") == 200 for event in spoken)


@pytest.mark.parametrize("skill", SKILLS)
def test_each_skill(skill: str) -> None:
    if skill == "flatulence":
        assert {event["attack"] for event in expected("flatulence_thrown") if "attack" in event} == {
            True,
            False,
        }
    else:
        assert any(event.get("skill") == skill for event in expected("skill_used"))
    assert any({"rodney": [skill]} == event.get("figures") for event in expected("skills_thrown"))


def test_every_cell_of_the_chord() -> None:
    """Ten throws by six rings: the figures r05 to r30 stand on the rings' edges."""
    cells = {
        (name, event["throw"])
        for event in expected("chord_played")
        for name in event.get("results", {})
        if name in {"r05", "r10", "r15", "r20", "r25", "r30"}
    }
    assert len(cells) == 60


def test_every_cell_of_the_allocation_table() -> None:
    cells = {
        (column, row)
        for event in expected("skills_thrown")
        for column, most in enumerate((5, 10, 20, 30))
        for row, highest in enumerate((2, 4, 6))
        if event["unit"] == "yobs"
        and len(event.get("throws", [])) == 1
        and event["members"] <= most
        and event["members"] > (0, 5, 10, 20)[column]
        and highest - 2 < event["throws"][0] <= highest
    }
    assert len(cells) == 12


@pytest.mark.parametrize("glamour", GLAMOURS)
def test_each_glamour(glamour: str) -> None:
    assert any(event.get("glamour") == glamour for event in expected("glamour_cast"))


@pytest.mark.parametrize("illusion", ILLUSIONS)
def test_each_illusion(illusion: str) -> None:
    assert any(event.get("illusion") == illusion for event in expected("illusion_cast"))


@pytest.mark.parametrize(
    ("weapon", "chances"),
    [("stone", (45, 30)), ("pilum", (60, 35)), ("sling", (55, 45, 35, 25)), ("bow", (60, 50, 40, 30))],
)
def test_each_weapon_in_each_column(weapon: str, chances: tuple[int, ...]) -> None:
    shots = {
        (event.get("weapon"), event.get("column"), event.get("chance")) for event in expected("shot_fired")
    }
    for place, chance in enumerate(chances):
        assert (weapon, 100 * (place + 1), chance) in shots
