"""The rulings as data: every case in tests/cases/flux passes, and no ruling is without one."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem.cases import Verdict, run_file

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases/flux").glob("*.toml"))
RULINGS = re.findall(r"^### (F[0-9]\.[0-9]) ", (ROOT / "docs/rules/flux.md").read_text("utf-8"), re.MULTILINE)

each_case = pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)


def case(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def told(verdict: Verdict) -> str:
    """What `pbem cases` would print of a failure."""
    return "\n".join([verdict.title, verdict.reason, *map(str, verdict.near)])


@each_case
def test_case(path: Path) -> None:
    """It passes, and its throws are those that are thrown: none left to chance, none named for nothing."""
    verdict = run_file(path)
    assert verdict.passed, told(verdict)
    named = sorted(case(path).get("dice", {}))
    thrown = sorted(throw["key"] for event in verdict.events for throw in event.get("dice", ()))
    assert named == thrown


@each_case
def test_a_case_says_what_it_shows(path: Path) -> None:
    """It is named after a ruling that it is about, has a sentence for its title, and expects something."""
    table = case(path)
    stem = re.fullmatch(r"f([0-9])_(?:([0-9])_)?[a-z0-9_]+", path.stem)
    assert stem, "a case's name is its ruling and a few words, such as f5_4_on_a_globe.toml"
    named = f"F{stem[1]}.{stem[2]}" if stem[2] else f"F{stem[1]}"
    assert named in table["rules"]
    assert set(table["rules"]) <= {*RULINGS, "F2"}
    assert re.fullmatch(r"[A-Z`].*\w+.*[^.]", table["title"])
    assert table["ruleset"] == "flux"
    assert any(table["expect"].values()), "a case that expects nothing shows nothing"


def test_every_ruling_has_a_case() -> None:
    shown = {ruling for path in CASES for ruling in case(path)["rules"]}
    assert len(RULINGS) == 40
    assert sorted({*RULINGS, "F2"} - shown) == []


def test_there_are_many_cases_and_no_two_alike() -> None:
    titles = Counter(case(path)["title"] for path in CASES)
    assert len(CASES) >= 120
    assert [title for title, count in titles.items() if count > 1] == []


def test_every_throw_is_explicit() -> None:
    assert [path.name for path in CASES if "default" in case(path).get("dice", {})] == []
