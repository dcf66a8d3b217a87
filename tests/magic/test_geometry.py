"""The table's integer geometry against independent exact computations (M1.1, M1.4)."""

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

from pbem.rulesets.magic.geometry import (
    Limits,
    Point,
    Polygon,
    distance,
    go,
    in_polygon,
    on_way,
    square,
    touches,
    within,
)
from tests.scale import scaled

OPEN = Limits((10_000, 10_000))


def rounded(length: int, part: int, squared: int) -> int:
    """`length` times part over the root, by sixty decimals: far more than tell two roundings apart."""
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(length * part) / Decimal(squared).sqrt()
        return int(exact.to_integral_value())


def test_points_on_a_way_are_rounded_exactly() -> None:
    rng = Random(1)
    for _ in range(scaled(50_000)):
        towards = rng.randint(-1500, 1500), rng.randint(-1500, 1500)
        squared = towards[0] ** 2 + towards[1] ** 2
        if not squared:
            continue
        length = rng.randint(0, 400)
        assert on_way((7, 9), towards, length) == (
            7 + rounded(length, towards[0], squared), 9 + rounded(length, towards[1], squared),
        )  # fmt: skip


def test_no_step_is_ever_exactly_half_way() -> None:
    """(2m - 1)^2 D = (2kx)^2 has no solution for small directions."""
    for x in range(1, 60):
        for y in range(1, 60):
            squared = x * x + y * y
            for length in range(1, 60):
                double = 4 * length * length * x * x
                assert not any((2 * m - 1) ** 2 * squared == double for m in range(1, length + 1))


def step_by_step(start: Point, goal: Point, length: int, limits: Limits, contact: int | None) -> Point:
    """A move as M1.1 tells it, with nothing left out and nothing thought ahead."""
    towards = goal[0] - start[0], goal[1] - start[1]
    here = start
    if contact is not None and within(start, goal, contact):
        return start
    for step in range(1, length + 1):
        squared = towards[0] ** 2 + towards[1] ** 2
        arrives = step * step >= squared
        point = goal if arrives else (
            start[0] + rounded(step, towards[0], squared), start[1] + rounded(step, towards[1], squared),
        )  # fmt: skip
        if not (0 <= point[0] <= limits.size[0] and 0 <= point[1] <= limits.size[1]):
            return here
        if any(crosses(start, point, wall) for wall in limits.walls):
            return here
        if limits.circle is not None:
            centre, radius = limits.circle
            if square(point, centre) < radius**2 <= square(here, centre):
                return here
        if any(square(point, place) < least for place, least in limits.shy_of):
            return here
        here = point
        if contact is not None and within(here, goal, contact):
            return here
        if arrives:
            return here
    return here


def crosses(one: Point, other: Point, polygon: Polygon) -> bool:
    """Whether a segment has a point in common with a polygon, solved with fractions."""
    return encloses(one, polygon) or any(
        meet(one, other, polygon[place - 1], corner) for place, corner in enumerate(polygon)
    )


def encloses(point: Point, polygon: Polygon) -> bool:
    """Crossings of a ray that no corner lies on, counted; the edge itself is `meet`'s."""
    inside = False
    for place, corner in enumerate(polygon):
        before = polygon[place - 1]
        if (before[1] > point[1]) != (corner[1] > point[1]):
            share = Fraction(point[1] - before[1], corner[1] - before[1])
            if before[0] + share * (corner[0] - before[0]) > point[0]:
                inside = not inside
    return inside


def meet(one: Point, other: Point, start: Point, end: Point) -> bool:
    """Whether two segments meet: each as a point and a direction, the two shares solved exactly."""
    way = other[0] - one[0], other[1] - one[1]
    edge = end[0] - start[0], end[1] - start[1]
    gap = start[0] - one[0], start[1] - one[1]
    across = way[0] * edge[1] - way[1] * edge[0]
    if across:
        share = Fraction(gap[0] * edge[1] - gap[1] * edge[0], across)
        along = Fraction(gap[0] * way[1] - gap[1] * way[0], across)
        return 0 <= share <= 1 and 0 <= along <= 1
    points = ((one, start, end), (other, start, end), (start, one, other), (end, one, other))
    return any(lies_on(*each) for each in points)


def lies_on(point: Point, one: Point, other: Point) -> bool:
    way = other[0] - one[0], other[1] - one[1]
    gap = point[0] - one[0], point[1] - one[1]
    if way[0] * gap[1] != way[1] * gap[0]:
        return False
    length = way[0] ** 2 + way[1] ** 2
    along = way[0] * gap[0] + way[1] * gap[1]
    return 0 <= along <= length if length else gap == (0, 0)


def random_polygon(rng: Random, size: int) -> Polygon:
    return tuple((rng.randint(0, size), rng.randint(0, size)) for _ in range(rng.randint(3, 6)))


def test_touching_agrees_with_fractions() -> None:
    rng = Random(2)
    for _ in range(scaled(50_000)):
        size = rng.choice((4, 8, 40))
        polygon = random_polygon(rng, size)
        one, other = (
            (rng.randint(0, size), rng.randint(0, size)),
            (rng.randint(0, size), rng.randint(0, size)),
        )
        assert touches(one, other, polygon) == crosses(one, other, polygon)
        assert in_polygon(one, polygon) == crosses(one, one, polygon)


def test_moves_agree_with_the_plain_way_to_make_them() -> None:
    rng = Random(3)
    for _ in range(scaled(4_000)):
        size = 300
        start = rng.randint(0, size), rng.randint(0, size)
        goal = rng.randint(-40, size + 40), rng.randint(-40, size + 40)
        walls = [
            wall
            for wall in (random_polygon(rng, size) for _ in range(rng.randint(0, 2)))
            if not in_polygon(start, wall)
        ]
        circle = ((rng.randint(0, size), rng.randint(0, size)), 90) if rng.random() < 0.5 else None
        shy_of = [
            (place, min(110**2, square(place, start)))
            for place in ((rng.randint(0, size), rng.randint(0, size)) for _ in range(rng.randint(0, 2)))
        ]
        limits = Limits((size, size), walls, circle, shy_of)
        length = rng.randint(0, 330)
        contact = 20 if rng.random() < 0.5 else None
        towards = goal[0] - start[0], goal[1] - start[1]
        way = go(
            start, towards, length, limits, whole=True, contact=None if contact is None else (goal, contact)
        )
        assert way.end == step_by_step(start, goal, length, limits, contact)


def test_distances_are_rounded_up() -> None:
    rng = Random(4)
    for _ in range(1000):
        one, other = (rng.randint(0, 999), rng.randint(0, 999)), (rng.randint(0, 999), rng.randint(0, 999))
        squared, found = square(one, other), distance(one, other)
        assert found**2 >= squared
        assert found == 0 or (found - 1) ** 2 < squared
        assert within(one, other, found)


def test_a_way_ends_at_its_goal_or_goes_on() -> None:
    assert go((0, 0), (7, 12), 14, OPEN, whole=True).end == (7, 12)
    assert go((0, 0), (7, 12), 13, OPEN, whole=True).end == (7, 11)
    assert go((0, 0), (7, 12), 400, OPEN).end == (202, 346)
    off = go((5, 5), (-1, 0), 20, OPEN)
    assert (off.end, off.off, off.length) == ((0, 5), True, 5)
