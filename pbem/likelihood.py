"""How sure a count is: intervals and a test, for people who read statistics. No rule rests on any of it."""

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

Z_95 = 1.959963984540054
"""How many standard deviations to either side hold 95 %."""


class Interval(NamedTuple):
    """From and to, as shares of 1."""

    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """Wilson's 95 % interval for a share; nothing is known of no trials."""
    if not trials:
        return Interval(0.0, 1.0)
    share, square = successes / trials, Z_95 * Z_95 / trials
    centre = share + square / 2
    spread = Z_95 * sqrt(share * (1 - share) / trials + square / (4 * trials))
    low, high = ((centre + sign * spread) / (1 + square) for sign in (-1, 1))
    return Interval(max(low, 0.0), min(high, 1.0))


class ChiSquare(NamedTuple):
    """A test of whether all classes are equally likely."""

    statistic: Fraction
    freedom: int
    p: float


def equal_shares(counts: Sequence[int]) -> ChiSquare | None:
    """Pearson's test of equal shares; None where there is nothing to test."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        return None
    expected = Fraction(total, len(counts))
    statistic = sum(((count - expected) ** 2 / expected for count in counts), Fraction(0))
    return ChiSquare(statistic, len(counts) - 1, tail(float(statistic), len(counts) - 1))


def tail(value: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is this large or larger.

    For whole degrees the regularised gamma function is a finite sum: of powers of half the value over
    factorials, or over gamma at halves, where it begins with the tail of the normal distribution.
    """
    half = value / 2
    first, start = (erfc(sqrt(half)), 0.5) if freedom % 2 else (0.0, 0.0)
    if not half:
        return 1.0
    # By logarithms, since of many degrees neither power nor factorial is a float.
    powers = (start + step for step in range(freedom // 2))
    return min(1.0, first + sum(exp(power * log(half) - half - lgamma(power + 1)) for power in powers))
