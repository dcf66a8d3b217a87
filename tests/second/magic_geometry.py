"""Points, segments and polygons in whole millimetres, exactly (M1.1, M1.4)."""

from collections.abc import Iterator
from math import isqrt

Point = tuple[int, int]
Polygon = list[Point]


def square(one: Point, two: Point) -> int:
    """The squared distance."""
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


def within(one: Point, two: Point, limit: int) -> bool:
    return square(one, two) <= limit * limit


def rounded_up(one: Point, two: Point) -> int:
    """The distance, rounded up to the millimetre."""
    root = isqrt(square(one, two))
    return root if root * root == square(one, two) else root + 1


def turn_of(a: Point, b: Point, c: Point) -> int:
    """Positive where a, b, c turn left, negative where right, 0 in line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on_segment(a: Point, b: Point, p: Point) -> bool:
    inside = min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    return inside and turn_of(a, b, p) == 0


def segments_touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the closed segments ab and cd share a point."""
    if on_segment(a, b, c) or on_segment(a, b, d) or on_segment(c, d, a) or on_segment(c, d, b):
        return True
    one, two, three, four = turn_of(a, b, c), turn_of(a, b, d), turn_of(c, d, a), turn_of(c, d, b)
    return one * two < 0 and three * four < 0


def edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    for index, corner in enumerate(polygon):
        yield polygon[index - 1], corner


def covers(polygon: Polygon, p: Point) -> bool:
    """Whether the point lies in the polygon or on its edge."""
    odd = False
    for a, b in edges(polygon):
        if on_segment(a, b, p):
            return True
        if (a[1] > p[1]) != (b[1] > p[1]):
            low, high = (a, b) if a[1] < b[1] else (b, a)
            if turn_of(low, high, p) > 0:  # the edge crosses the ray to the right of p
                odd = not odd
    return odd


def touches(polygon: Polygon, a: Point, b: Point) -> bool:
    """Whether the segment shares a point with the polygon, its inside included."""
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    if max(a[0], b[0]) < min(xs) or min(a[0], b[0]) > max(xs):
        return False
    if max(a[1], b[1]) < min(ys) or min(a[1], b[1]) > max(ys):
        return False
    return covers(polygon, a) or any(segments_touch(a, b, c, d) for c, d in edges(polygon))


def along(start: Point, way: Point, k: int) -> Point:
    """The point k mm from the start in that direction, rounded to the nearest millimetre."""
    length = way[0] ** 2 + way[1] ** 2

    def part(component: int) -> int:
        twice = isqrt(4 * (k * component) ** 2 // length)  # 2k|c| / |way|, rounded down
        nearest = (twice + 1) // 2
        return nearest if component >= 0 else -nearest

    return start[0] + part(way[0]), start[1] + part(way[1])


def steps_to(start: Point, goal: Point, limit: int) -> Iterator[Point]:
    """The points of a move towards a goal, which is the last one if it is reached."""
    way = (goal[0] - start[0], goal[1] - start[1])
    gap = square(start, goal)
    if gap == 0:
        return
    for k in range(1, limit + 1):
        if k * k >= gap:
            yield goal
            return
        yield along(start, way, k)


def steps_away(start: Point, cause: Point, limit: int) -> Iterator[Point]:
    """The points of a move straight away from another; up the table where they are one."""
    way = (start[0] - cause[0], start[1] - cause[1])
    if way == (0, 0):
        way = (0, 1)
    for k in range(1, limit + 1):
        yield along(start, way, k)
