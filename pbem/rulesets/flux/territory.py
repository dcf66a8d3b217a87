"""Who covers what: convex hulls in the lattice of axial co-ordinates times 3, in integers (F8).

Ratios of areas are the same in this skew basis as on the board, so nothing here is ever rounded.

A band round whole hexes is the hull of their centres with a hex laid on every point of it. `covered`
therefore works with the centres alone, on which a few numbers of one or two digits decide nearly all.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from pbem.rulesets.flux.hexes import Hex

Corner = tuple[int, int]
Hull = tuple[Corner, ...]
"""A convex outline, its corners in one turning sense, none of them on a line with its neighbours."""

HEX_AREA = 18
"""Twice the area of a hex in the lattice times 3."""


def _turn(a: Corner, b: Corner, c: Corner) -> int:
    """Twice the signed area of the triangle: positive if c lies to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def convex_hull(places: Iterable[Corner]) -> Hull:
    """The convex hull of lattice points by Andrew's monotone chain, counter-clockwise."""
    ordered = sorted(set(places))

    def chain(corners: Iterable[Corner]) -> list[Corner]:
        out: list[Corner] = []
        for corner in corners:
            while len(out) > 1 and _turn(out[-2], out[-1], corner) <= 0:
                out.pop()
            out.append(corner)
        return out[:-1]

    return (*chain(ordered), *chain(reversed(ordered)))


@lru_cache(maxsize=4096)
def territory(hexes: frozenset[Hex]) -> Hull:
    """The band drawn round whole hexes (F8.1)."""
    return convex_hull(corner for place in sorted(hexes) for corner in place.corners())


Edge = tuple[int, int, int, int]
"""An edge of a hull of centres: a, b, c, with aq + br + c >= 0 on its inner side, and `swing`: by how
much 3(aq + br + c) grows or shrinks from a hex's centre to its farthest corner."""


@lru_cache(maxsize=4096)
def covered(hexes: frozenset[Hex], globes: tuple[Hex, ...]) -> frozenset[Hex]:
    """Those of the globes of which more than half lies in the band round the hexes (F8.1, F8.2).

    A hex whose centre lies in the hull of the centres lies in the band whole. Beyond an edge of that
    hull, a swing farther out, runs an edge of the band. A hex is the same seen from both sides of its
    centre: an edge that leaves the centre outside, or runs through it, leaves at most half inside, and
    one edge alone that leaves it inside leaves more than half. The band's other edges run along
    hexsides, and never cut a hex whose centre they leave inside. What several edges cut off, each of
    them at most half of its share of the swing, is less than half if their shares are less than one.
    Only where they are not is it worked out.
    """
    corners, edges = _centre_hull(hexes)
    along = [2 * q + r for q, r in corners]
    across = [q + 2 * r for q, r in corners]
    askew = [q - r for q, r in corners]
    low, high = min(along), max(along)
    low_across, high_across = min(across), max(across)
    low_askew, high_askew = min(askew), max(askew)
    found: list[Hex] = []
    for globe in globes:
        q, r = globe
        if not (
            low <= 2 * q + r <= high
            and low_across <= q + 2 * r <= high_across
            and low_askew <= q - r <= high_askew
        ):
            continue
        cutting: list[Edge] | None = None
        for edge in edges:
            height = edge[0] * q + edge[1] * r + edge[2]
            if height < 0:
                if 3 * height + edge[3] <= 0:
                    break
                cutting = [edge] if cutting is None else [*cutting, edge]
        else:
            if cutting is None or len(cutting) == 1 or _is_mostly_inside(cutting, globe):
                found.append(globe)
    return frozenset(found)


def _is_mostly_inside(cutting: Sequence[Edge], place: Hex) -> bool:
    """Whether edges that each leave the centre inside leave more than half of the hex."""
    shares = sum(Fraction(-3 * (a * place.q + b * place.r + c), swing) for a, b, c, swing in cutting)
    return shares < 1 or 2 * _share([(a, b, 3 * c + swing) for a, b, c, swing in cutting], place) > 1


def _centre_hull(hexes: Iterable[Hex]) -> tuple[list[Corner], list[Edge]]:
    """The convex hull of the centres, in axial co-ordinates, and its edges; of one hex it has none.

    Only the first and the last hex of each column can be on it.
    """
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for q, r in hexes:
        if q not in first:
            first[q] = last[q] = r
        elif r < first[q]:
            first[q] = r
        elif r > last[q]:
            last[q] = r
    columns = sorted(first)
    corners = _bent([(q, first[q]) for q in columns])
    far = _bent([(q, last[q]) for q in reversed(columns)])
    corners += far[1:] if far[0] == corners[-1] else far
    if len(corners) > 1 and corners[-1] == corners[0]:
        del corners[-1]
    edges: list[Edge] = []
    q, r = corners[-1]
    for next_q, next_r in corners if len(corners) > 1 else ():
        a, b = r - next_r, next_q - q
        edges.append((a, b, -(a * q + b * r), max(abs(2 * a - b), abs(a + b), abs(2 * b - a))))
        q, r = next_q, next_r
    return corners, edges


def _bent(places: Iterable[Corner]) -> list[Corner]:
    """Those of the places, column by column, at which their hull bends to the left."""
    out: list[Corner] = []
    for x, y in places:
        while len(out) > 1:
            (x1, y1), (x2, y2) = out[-2], out[-1]
            if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                break
            del out[-1]
        out.append((x, y))
    return out


def covered_share(hull: Hull, place: Hex) -> Fraction:
    """How much of the hex lies inside the hull, 0 to 1, exactly."""
    return _share(_lines(hull), place)


def _lines(hull: Hull) -> Iterator[tuple[int, int, int]]:
    """The hull's edges as a, b, c, with ax + by + c >= 0 inside."""
    for start, end in zip(hull, hull[1:] + hull[:1], strict=True):
        a, b = start[1] - end[1], end[0] - start[0]
        yield a, b, -(a * start[0] + b * start[1])


def _share(lines: Iterable[tuple[int, int, int]], place: Hex) -> Fraction:
    """How much of the hex lies on the inner side of all the lines.

    Sutherland and Hodgman's clipping in homogeneous whole numbers (x, y, w): the point (x/w, y/w).
    """
    outline = [(x, y, 1) for x, y in place.corners()]
    for a, b, c in lines:
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
