"""The table in whole millimetres: distances, ways and sight, exact in integers (M1.1, M1.4).

No root is ever taken but the integer one: distances are compared as squares, and a point on a way is
found by asking how many half-millimetre marks lie before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeAlias

Point: TypeAlias = tuple[int, int]
Polygon: TypeAlias = tuple[Point, ...]
UP: Point = (0, 1)
"""Up the table, where straight away from a point means nothing (M2.10)."""


def square(one: Point, other: Point) -> int:
    """The square of the distance between two places."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def within(one: Point, other: Point, reach: int) -> bool:
    """Whether two places are `reach` millimetres or less apart (M1.1)."""
    return square(one, other) <= reach * reach


def distance(one: Point, other: Point) -> int:
    """The distance rounded up to the millimetre, so that it never contradicts a band (M1.1)."""
    squared = square(one, other)
    return isqrt(squared - 1) + 1 if squared else 0


def on_way(start: Point, towards: Point, length: int) -> Point:
    """The point so many millimetres from `start` in the direction (dx, dy), to the nearest millimetre."""
    squared = towards[0] ** 2 + towards[1] ** 2
    return (
        start[0] + _nearest(length, towards[0], squared),
        start[1] + _nearest(length, towards[1], squared),
    )


def _nearest(length: int, part: int, squared: int) -> int:
    """`length` times part over the root of `squared`, to the nearest whole number.

    It is the largest m with (2m - 1) root(squared) <= 2 length part. An exact half cannot occur: the
    root would have to be an even whole number, and part over it an odd number of halves, but a
    whole-numbered hypotenuse in lowest terms is odd.
    """
    marks = isqrt((2 * length * part) ** 2 // squared)
    rounded = (marks + 1) >> 1
    return rounded if part > 0 else -rounded


def _turn(one: Point, other: Point, third: Point) -> int:
    """Positive if the way from one over other to third turns left, 0 if it is straight."""
    return (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])


def _between(one: Point, other: Point, point: Point) -> bool:
    """Whether a point known to lie on the line through two others lies between them, ends included."""
    return (
        min(one[0], other[0]) <= point[0] <= max(one[0], other[0])
        and min(one[1], other[1]) <= point[1] <= max(one[1], other[1])
    )  # fmt: skip


def segments_touch(one: Point, other: Point, start: Point, end: Point) -> bool:
    """Whether two segments have a point in common."""
    first, second = _turn(start, end, one), _turn(start, end, other)
    third, fourth = _turn(one, other, start), _turn(one, other, end)
    if (
        ((first > 0) != (second > 0))
        and ((third > 0) != (fourth > 0))
        and first
        and second
        and third
        and fourth
    ):
        return True
    return (
        (first == 0 and _between(start, end, one))
        or (second == 0 and _between(start, end, other))
        or (third == 0 and _between(one, other, start))
        or (fourth == 0 and _between(one, other, end))
    )


def in_polygon(point: Point, polygon: Polygon) -> bool:
    """Whether a place lies in a polygon or on its edge."""
    inside = False
    before = polygon[-1]
    for corner in polygon:
        turn = _turn(before, corner, point)
        if turn == 0 and _between(before, corner, point):
            return True
        if (before[1] > point[1]) != (corner[1] > point[1]) and (turn > 0) == (corner[1] > before[1]):
            inside = not inside
        before = corner
    return inside


def touches(one: Point, other: Point, polygon: Polygon) -> bool:
    """Whether the segment between two places touches a polygon, its edge included (M1.1, M1.4)."""
    low_x, high_x = (one[0], other[0]) if one[0] <= other[0] else (other[0], one[0])
    low_y, high_y = (one[1], other[1]) if one[1] <= other[1] else (other[1], one[1])
    if (
        all(x < low_x for x, _ in polygon)
        or all(x > high_x for x, _ in polygon)
        or all(y < low_y for _, y in polygon)
        or all(y > high_y for _, y in polygon)
    ):
        return False
    before = polygon[-1]
    for corner in polygon:
        if segments_touch(one, other, before, corner):
            return True
        before = corner
    return in_polygon(one, polygon)


@dataclass(frozen=True, slots=True)
class Limits:
    """What may end a way before its length: the table's edge, terrain, a circle, stealth (M1.1)."""

    size: Point
    walls: Sequence[Polygon] = ()
    circle: tuple[Point, int] | None = None
    """A centre and its radius: nobody comes nearer than that from outside (M6.2)."""
    shy_of: Sequence[tuple[Point, int]] = ()
    """Places and the squares of the distances from them that the way may not fall below (M4)."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where a way ended; `off` if the next step would have left the table, `barred` if anything barred it."""

    end: Point
    length: int
    off: bool = False
    barred: bool = False


def go(
    start: Point,
    towards: Point,
    length: int,
    limits: Limits,
    *,
    whole: bool = False,
    contact: tuple[Point, int] | None = None,
) -> Way:
    """The way from `start` in the direction `towards`, `length` millimetres at most, step by step (M1.1).

    `whole`: the direction is the way to a place, and the way ends there. `contact` is a place and the
    distance at which the way has come into contact with it, where it ends.
    """
    if contact is not None and within(start, contact[0], contact[1]):
        return Way(start, 0)
    squared = towards[0] ** 2 + towards[1] ** 2
    if squared == 0:
        return Way(start, 0)
    last = length
    goal = (start[0] + towards[0], start[1] + towards[1])
    if whole and length * length >= squared:
        last = isqrt(squared - 1) + 1

    def at(step: int) -> Point:
        return goal if whole and step * step >= squared else on_way(start, towards, step)

    hinders = _hindrances(start, at(last), limits) if last else []
    first = 1
    if not hinders:
        if contact is None:
            return Way(at(last), last)
        first = max(1, min(last, isqrt(square(start, contact[0])) - contact[1] - 2))
    here = start
    for step in range(first, last + 1):
        point = at(step)
        for hinder in hinders:
            if hinder(here, point):
                return Way(here, step - 1, off=_off(point, limits.size), barred=True)
        here = point
        if contact is not None and within(here, contact[0], contact[1]):
            return Way(here, step)
    return Way(here, last)


def _off(point: Point, size: Point) -> bool:
    return not (0 <= point[0] <= size[0] and 0 <= point[1] <= size[1])


def _hindrances(start: Point, end: Point, limits: Limits) -> list[Callable[[Point, Point], bool]]:
    """The tests that a way from start to end needs at each step: none where nothing is near it.

    A step's point lies less than a millimetre from the straight way, so a margin of two is ample.
    """
    tests: list[Callable[[Point, Point], bool]] = []
    if _off(end, limits.size):
        tests.append(lambda _, point: _off(point, limits.size))
    low = (min(start[0], end[0]) - 2, min(start[1], end[1]) - 2)
    high = (max(start[0], end[0]) + 2, max(start[1], end[1]) + 2)
    tests.extend(
        _into_wall(start, wall)
        for wall in limits.walls
        if any(x >= low[0] for x, _ in wall)
        and any(x <= high[0] for x, _ in wall)
        and any(y >= low[1] for _, y in wall)
        and any(y <= high[1] for _, y in wall)
    )
    if limits.circle is not None:
        centre, radius = limits.circle
        tests.append(lambda here, point: square(point, centre) < radius * radius <= square(here, centre))
    tests.extend(_too_near(place, least) for place, least in limits.shy_of)
    return tests


def _into_wall(start: Point, wall: Polygon) -> Callable[[Point, Point], bool]:
    return lambda _, point: touches(start, point, wall)


def _too_near(place: Point, least: int) -> Callable[[Point, Point], bool]:
    return lambda _, point: square(point, place) < least
