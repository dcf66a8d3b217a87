"""The benchmarks run, at tiny counts and without their peers, and write what they find."""

from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import territory
from benchmarks.harness import Measured, Options, as_markdown, at_least, at_most, interleaved, microseconds

TINY = Options(runs=1, small=True, peers=None)


@pytest.mark.parametrize("name", ["appending", "reading", "deciding", "territory"])
def test_it_runs_without_peers(name: str) -> None:
    measured = benchmarks.ALL[name](TINY)
    assert measured.lines
    assert all(line.ratio is not None for line in measured.lines if line.theirs != "not installed")


def test_what_territory_calls_covered_is_true() -> None:
    asked = territory.positions(1)
    assert territory.wrong(territory.ours(asked)[1], territory.exactly(asked)) == 0


def test_the_things_take_turns_and_the_first_round_does_not_count() -> None:
    seen: list[str] = []

    def thing(name: str, *times: float) -> float:
        seen.append(name)
        return times[seen.count(name) - 1]

    found = interleaved(3, {"a": lambda: thing("a", 9, 1, 3, 2), "b": lambda: thing("b", 9, 5, 5, 4)})
    assert found == {"a": 2, "b": 5}
    assert seen == ["a", "b"] * 4


def test_ratios_and_verdicts() -> None:
    fast = at_least("x", 1e-6, "y", 2e-6, 1.5, microseconds)
    slow = at_most("x", 3e-6, "y", 2e-6, 1, microseconds)
    assert (fast.ratio, fast.met, slow.ratio, slow.met) == (2, True, 1.5, False)
    told = as_markdown([Measured("T", "about", (fast, slow), ("note",))])
    assert "| x | 1 µs | y | 2 µs | 2.00 | at least 1.5 times as fast | met |" in told
    assert "**missed**" in told


def test_figures_stand_between_the_marks_and_nothing_else_changes() -> None:
    page = benchmarks.PAGE.read_text("utf-8")
    once = benchmarks.with_figures(page, [Measured("T", "about", ())], "a machine")
    again = benchmarks.with_figures(once, [Measured("T", "about", ())], "a machine")
    assert once == again
    assert "### T" in once
    before, _, rest = page.partition(benchmarks.BEGIN)
    assert once.startswith(before)
    assert once.endswith(rest.partition(benchmarks.END)[2])


def test_the_machine_is_told_without_its_name() -> None:
    told = benchmarks.machine()
    assert "Python" in told
    assert (
        Path("/etc/hostname").exists() is False
        or Path("/etc/hostname").read_text("utf-8").strip() not in told
    )
