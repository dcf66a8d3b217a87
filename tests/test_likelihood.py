"""Intervals and the chi-square test against what the tables of statistics say."""

import pytest

from pbem.likelihood import equal_shares, tail, wilson

TABLE = {
    1: (3.841459, 6.634897), 2: (5.991465, 9.210340), 3: (7.814728, 11.344867), 4: (9.487729, 13.276704),
    5: (11.070498, 15.086272), 6: (12.591587, 16.811894), 7: (14.067140, 18.475307),
    11: (19.675138, 24.724970),
}  # fmt: skip
"""By degrees of freedom: which values only one chi-square in twenty, and one in a hundred, exceeds."""


@pytest.mark.parametrize("freedom", TABLE)
def test_the_tail_is_that_of_the_tables(freedom: int) -> None:
    twentieth, hundredth = TABLE[freedom]
    assert tail(twentieth, freedom) == pytest.approx(0.05, abs=1e-6)
    assert tail(hundredth, freedom) == pytest.approx(0.01, abs=1e-6)
    assert tail(0.0, freedom) == 1
    assert tail(1000.0, freedom) < 1e-100


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (5, 10, 0.236593, 0.763407),
        (400, 500, 0.762711, 0.832715),
        (0, 10, 0, 0.277533),
        (10, 10, 0.722467, 1),
    ],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-6)


def test_nothing_is_known_of_no_trials() -> None:
    assert wilson(0, 0) == (0, 1)
    assert equal_shares([0, 0, 0]) is None
    assert equal_shares([4]) is None


def test_equal_shares() -> None:
    found = equal_shares([16, 18, 16, 14, 12, 12])
    assert found is not None
    assert found.statistic == 2
    assert found.freedom == 5
    assert found.p == pytest.approx(0.8491, abs=1e-4)


def test_many_classes_are_no_trouble() -> None:
    """A ruleset may have hundreds of seats."""
    assert tail(400.0, 400) == pytest.approx(0.4906, abs=1e-3)
    assert tail(0.0, 400) == 1
    assert tail(20_000.0, 399) == 0
    assert equal_shares([1] * 500) is not None
