"""Who covers what: convex hulls in the lattice of axial co-ordinates times 3, in integers (F8).

Ratios of areas are the same in this skew basis as on the board, so nothing here is ever rounded.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from pbem.rulesets.flux.hexes import Hex

Corner = tuple[int, int]
Hull = tuple[Corner, ...]
"""A convex outline, its corners in one turning sense, none of them on a line with its neighbours."""

HEX_AREA = 18
"""Twice the area of a hex in the lattice times 3."""


def convex_hull(places: Iterable[Corner]) -> Hull:
    """The convex hull of lattice points by Andrew's monotone chain, counter-clockwise."""
    ordered = sorted(set(places))
    return (*_chain(ordered), *_chain(ordered[::-1]))


def _chain(corners: Sequence[Corner]) -> list[Corner]:
    """One half of a hull, without its last corner: only turns to the left are kept."""
    out: list[Corner] = []
    for corner in corners:
        x, y = corner
        while len(out) > 1:
            (ax, ay), (bx, by) = out[-2], out[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            out.pop()
        out.append(corner)
    return out[:-1]


@lru_cache(maxsize=4096)
def territory(hexes: frozenset[Hex]) -> Hull:
    """The band drawn round whole hexes (F8.1)."""
    return convex_hull(corner for place in sorted(hexes) for corner in place.corners())


@lru_cache(maxsize=65536)
def covers(hull: Hull, place: Hex) -> bool:
    """Whether more than half of the hex lies inside the hull (F8.2).

    A hex is the same seen from both sides of its centre: an edge that leaves the centre outside or
    runs through it leaves at most half inside, and one edge alone that leaves the centre strictly
    inside leaves more than half. Only where several edges cut the hex is its share worked out.
    """
    x, y = 3 * place.q, 3 * place.r
    cutting = 0
    for (x1, y1), (x2, y2) in pairwise((*hull, hull[0])):
        dx, dy = x2 - x1, y2 - y1
        # Twice the area that the edge and the centre span, positive where the centre lies inside; a corner
        # opposite to the edge's direction spans less by at most `deep`.
        height = dx * (y - y1) - dy * (x - x1)
        if height <= 0:
            return False
        deep = max(abs(dx + 2 * dy), abs(dx - dy), abs(2 * dx + dy))
        cutting += height < deep
    return cutting < 2 or 2 * covered_share(hull, place) > 1


@lru_cache(maxsize=4096)
def covered(hull: Hull, places: tuple[Hex, ...]) -> frozenset[Hex]:
    """Those of several hexes that the hull covers (F8.2)."""
    return frozenset(place for place in places if covers(hull, place))


def covered_share(hull: Hull, place: Hex) -> Fraction:
    """How much of the hex lies inside the hull, 0 to 1, exactly.

    Sutherland and Hodgman's clipping in homogeneous whole numbers (x, y, w): the point (x/w, y/w).
    """
    outline = [(x, y, 1) for x, y in place.corners()]
    for start, end in zip(hull, hull[1:] + hull[:1], strict=True):
        a, b = start[1] - end[1], end[0] - start[0]
        c = -(a * start[0] + b * start[1])
        heights = [a * x + b * y + c * w for x, y, w in outline]
        kept: list[tuple[int, int, int]] = []
        for index, (point, height) in enumerate(zip(outline, heights, strict=True)):
            before, height_before = outline[index - 1], heights[index - 1]
            if height * height_before < 0:
                # Where the side crosses the edge: a mix of its ends, weighted with each other's height.
                mine, other = abs(height), abs(height_before)
                kept.append(tuple(mine * p + other * q for p, q in zip(before, point, strict=True)))  # type: ignore[arg-type]
            if height >= 0:
                kept.append(point)
        outline = kept
    double = Fraction(0)
    for (x1, y1, w1), (x2, y2, w2) in zip(outline, outline[1:] + outline[:1], strict=True):
        double += Fraction(x1 * y2 - x2 * y1, w1 * w2)
    return double / HEX_AREA
