"""Outlines on paper: exact polygons of territories and their overlaps, and rivers as curves.

Polygons are worked out in the lattice of territory.py, in homogeneous whole numbers, and rounded to
tenths of a unit only where they are written down, so that the same position gives the same bytes.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from pbem.drawing import Length, Point
from pbem.rulesets.flux.hexes import Board, Hex, Side
from pbem.rulesets.flux.state import State
from pbem.rulesets.flux.territory import Corner, Hull, covered_share

Outline: TypeAlias = tuple[tuple[int, int, int], ...]
"""A polygon of points (x, y, w) that lie at (x/w, y/w) in the lattice."""


def centre(place: Hex) -> tuple[int, int]:
    """A hex's centre in user units."""
    return 36 * place.q, 42 * place.r + 21 * place.q


def on_paper(corner: Corner) -> tuple[int, int]:
    """A point of the lattice in user units."""
    return 12 * corner[0], 14 * corner[1] + 7 * corner[0]


def tenths(number: int) -> Length:
    """A number of tenths as a length."""
    whole, rest = divmod(abs(number), 10)
    if not rest:
        return number // 10 if number >= 0 else -whole
    return f"{'-' if number < 0 else ''}{whole}.{rest}"


def frame(board: Board) -> tuple[Corner, ...]:
    """The competition area, through the centres of its six corner hexes (F1.1)."""
    return tuple((3 * place.q, 3 * place.r) for place in board.start_corners)


def outline(hull: Sequence[Corner]) -> Outline:
    """A hull as an outline."""
    return tuple((x, y, 1) for x, y in hull)


def clipped(shape: Outline, by: Sequence[Corner]) -> Outline:
    """What of a convex shape lies inside a hull, after Sutherland and Hodgman."""
    for start, end in zip(by, (*by[1:], by[0]), strict=True):
        a, b = start[1] - end[1], end[0] - start[0]
        c = -(a * start[0] + b * start[1])
        heights = [a * x + b * y + c * w for x, y, w in shape]
        if min(heights, default=0) >= 0:
            continue
        kept: list[tuple[int, int, int]] = []
        for index, height in enumerate(heights):
            before = heights[index - 1]
            if height * before < 0:
                kept.append(_between(shape[index - 1], shape[index], abs(height), abs(before)))
            if height >= 0:
                kept.append(shape[index])
        shape = tuple(kept)
    return shape


def _between(
    one: tuple[int, int, int], other: tuple[int, int, int], weight: int, other_weight: int
) -> tuple[int, int, int]:
    """The point where the line from one to the other crosses an edge, weighted with each other's height."""
    x, y, w = (weight * p + other_weight * q for p, q in zip(one, other, strict=True))
    common = gcd(x, y, w)
    return x // common, y // common, w // common


def tenths_on_paper(shape: Outline) -> list[tuple[int, int]]:
    """An outline in tenths of a user unit, rounded."""
    return [((2 * 120 * x + w) // (2 * w), (2 * (140 * y + 70 * x) + w) // (2 * w)) for x, y, w in shape]


def drawn(shape: Outline) -> tuple[Point, ...]:
    """An outline in user units, without points that rounding has made one."""
    places = tenths_on_paper(shape)
    return tuple((tenths(x), tenths(y)) for index, (x, y) in enumerate(places) if (x, y) != places[index - 1])


def path_of(shape: Outline) -> str:
    """An outline as a closed subpath."""
    return "M" + "L".join(f"{x} {y}" for x, y in drawn(shape)) + "Z"


def _has_area(shape: Outline) -> bool:
    places = tenths_on_paper(shape)
    double = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(places, places[1:] + places[:1], strict=True)
    )
    return double > 1000  # five square units: less cannot be seen


def overlaps(shapes: Mapping[str, Outline], hulls: Mapping[str, Hull]) -> dict[tuple[str, ...], Outline]:
    """Where two or more territories meet, by the hues that do, each inside the board."""
    found: dict[tuple[str, ...], Outline] = {}
    hues = list(shapes)
    last: dict[tuple[str, ...], Outline] = {(hue,): shapes[hue] for hue in hues}
    while last:
        step: dict[tuple[str, ...], Outline] = {}
        for together, shape in last.items():
            for hue in hues[hues.index(together[-1]) + 1 :]:
                common = clipped(shape, hulls[hue])
                if _has_area(common):
                    step[(*together, hue)] = common
        found |= step
        last = step
    return found


def exactly(together: tuple[str, ...], found: Mapping[tuple[str, ...], Outline]) -> str:
    """The path of the ground that these hues dispute and no other: even-odd over all that join them.

    A point that m more hues cover lies in 2^m of these polygons, which is odd for none alone.
    """
    wanted = set(together)
    return "".join(path_of(shape) for hues, shape in found.items() if wanted <= set(hues))


_OFFSETS = ((2, -1), (1, 1), (-1, 2))
"""A hex's corners from its centre; the other three lie opposite."""


def globe_shares(state: State) -> dict[Hex, dict[str, Fraction]]:
    """How much of each globe's hex lies in whose territory, where any does (F8.2)."""
    shares: dict[Hex, dict[str, Fraction]] = {place: {} for place, _ in state.board.globes}
    for hue, wizard in state.wizards.items():
        if wizard.eliminated:
            continue
        hull = wizard.hull()
        edges = []
        for start, end in zip(hull, (*hull[1:], hull[0]), strict=True):
            a, b = start[1] - end[1], end[0] - start[0]
            swing = max(abs(a * x + b * y) for x, y in _OFFSETS)
            edges.append((a, b, -(a * start[0] + b * start[1]), swing))
        for place, share_of in shares.items():
            heights = [(a * 3 * place.q + b * 3 * place.r + c, swing) for a, b, c, swing in edges]
            if any(height <= -swing for height, swing in heights):
                continue
            whole = all(height >= swing for height, swing in heights)
            share = Fraction(1) if whole else covered_share(hull, place)
            if share:
                share_of[hue] = share
    return shares


def rivers(sides: Iterable[Side]) -> str:
    """All rivers as one path: through the middles of their hexsides, bending at the corners (F1.4)."""
    links: dict[Corner, list[Corner]] = {}
    for one, other in sorted(sides):
        start, end = sorted(set(one.corners()) & set(other.corners()))
        links.setdefault(start, []).append(end)
        links.setdefault(end, []).append(start)
    done: set[tuple[Corner, Corner]] = set()
    ends = sorted(corner for corner, near in links.items() if len(near) != 2)
    out: list[str] = []
    for start in (*ends, *sorted(links)):
        out.extend(
            _curve(_walk(start, second, links, done))
            for second in links[start]
            if (start, second) not in done
        )
    return "".join(out)


def _walk(
    start: Corner, second: Corner, links: Mapping[Corner, list[Corner]], done: set[tuple[Corner, Corner]]
) -> list[Corner]:
    """From corner to corner until the river ends, forks or comes round again."""
    way = [start]
    here, there = start, second
    while (here, there) not in done:
        done |= {(here, there), (there, here)}
        way.append(there)
        near = links[there]
        if len(near) != 2:
            break
        here, there = there, near[0] if near[1] == here else near[1]
    return way


def _curve(way: Sequence[Corner]) -> str:
    points = [on_paper(corner) for corner in way]
    if len(points) == 2:
        return f"M{_xy(points[0])}L{_xy(points[1])}"
    parts = [f"M{_xy(points[0])}L{_middle(points[0], points[1])}"]
    parts.extend(
        f"Q{_xy(points[index])} {_middle(points[index], points[index + 1])}"
        for index in range(1, len(points) - 1)
    )
    return "".join(parts) + f"L{_xy(points[-1])}"


def _xy(point: tuple[int, int]) -> str:
    return f"{point[0]} {point[1]}"


def _middle(one: tuple[int, int], other: tuple[int, int]) -> str:
    return f"{tenths(5 * (one[0] + other[0]))} {tenths(5 * (one[1] + other[1]))}"
