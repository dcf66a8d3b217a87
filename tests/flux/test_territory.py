"""F8.1 and F8.2: hulls and the half-hex, against an independent exact computation."""

import random
from collections.abc import Iterator
from fractions import Fraction

from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.territory import Hull, convex_hull, covered, covered_share, territory
from tests.scale import scaled

Point = tuple[Fraction, Fraction]


def second_share(hull: Hull, place: Hex) -> Fraction:
    """The covered share another way: gather the corners of the intersection, order them, add triangles.

    The intersection of two convex figures has as corners: the corners of each that lie in the other,
    and the crossings of their sides.
    """
    cell = [(Fraction(x), Fraction(y)) for x, y in place.corners()]
    band = [(Fraction(x), Fraction(y)) for x, y in hull]
    corners = {p for p in cell if _inside(p, band)} | {p for p in band if _inside(p, cell)}
    for a, b in _sides(cell):
        for c, d in _sides(band):
            if crossing := _crossing(a, b, c, d):
                corners.add(crossing)
    if len(corners) < 3:
        return Fraction(0)
    middle = (
        sum((p[0] for p in corners), Fraction(0)) / len(corners),
        sum((p[1] for p in corners), Fraction(0)) / len(corners),
    )
    ordered = sorted(corners, key=lambda p: _angle_key(p, middle))
    area = sum((abs(_cross(middle, a, b)) for a, b in _sides(ordered)), Fraction(0))
    return area / sum((abs(_cross(cell[0], a, b)) for a, b in _sides(cell)), Fraction(0))


def is_hull_of(hull: Hull, ground: frozenset[Hex]) -> bool:
    """Whether it is theirs: no other outline bends one way, holds all, and has corners of hexes alone."""
    corners = {corner for place in ground for corner in place.corners()}
    turns = [
        (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        for (x1, y1), (x2, y2) in zip(hull, hull[1:] + hull[:1], strict=True)
        for x, y in corners
    ]
    return corners.issuperset(hull) and all(turn >= 0 for turn in turns)


def _sides(points: list[Point]) -> list[tuple[Point, Point]]:
    return [(points[i - 1], points[i]) for i in range(len(points))]


def _cross(o: Point, a: Point, b: Point) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _inside(p: Point, outline: list[Point]) -> bool:
    turns = [_cross(a, b, p) for a, b in _sides(outline)]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


def _crossing(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if across == 0:
        return None
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    if 0 <= t <= 1 and 0 <= u <= 1:
        return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
    return None


def _angle_key(p: Point, middle: Point) -> tuple[int, Fraction]:
    x, y = p[0] - middle[0], p[1] - middle[1]
    half = 0 if (y > 0 or (y == 0 and x > 0)) else 1
    if y == 0:
        return half, Fraction(-(10**12))
    return half, -x / y


def random_ground(rng: random.Random) -> frozenset[Hex]:
    """A corner hex and up to eight earths, as in play."""
    hexes = {Hex(0, -10)}
    for _ in range(rng.randrange(0, 9)):
        place = Hex(rng.randrange(-7, 8), rng.randrange(-9, 5))
        hexes |= {place, rng.choice(place.neighbours())}
    return frozenset(hexes)


def half_covered(rng: random.Random) -> Iterator[tuple[frozenset[Hex], Hex]]:
    """Grounds, each with the hexes of which exactly half lies in the band round it."""
    while True:
        ground = random_ground(rng)
        hull = territory(ground)
        for (x1, y1), (x2, y2) in zip(hull, hull[1:] + hull[:1], strict=True):
            if max(abs(x2 - x1), abs(y2 - y1)) > 2:  # no hexside
                for q in range(min(x1, x2) // 3, max(x1, x2) // 3 + 1):
                    down, rest = divmod((y2 - y1) * (3 * q - x1), x2 - x1) if x2 != x1 else (0, 1)
                    place = Hex(q, (y1 + down) // 3)
                    if not rest and not (y1 + down) % 3 and covered_share(hull, place) == Fraction(1, 2):
                        yield ground, place


def half_hull(rng: random.Random) -> tuple[Hull, Hex]:
    """A hull one of whose edges runs through a hex's centre, and which holds all on one side of it."""
    place = Hex(rng.randrange(-9, 10), rng.randrange(-9, 10))
    x, y = 3 * place.q, 3 * place.r
    while True:
        dx, dy = rng.randrange(-12, 13), rng.randrange(-12, 13)
        ends = [(x - dx, y - dy), (x + dx, y + dy)]
        corners = place.corners()
        if not any(_inside_open(end, corners) for end in ends) and (dx, dy) != (0, 0):
            break
    left = [c for c in corners if (dx * (c[1] - y) - dy * (c[0] - x)) >= 0]
    more = [(x + rng.randrange(-30, 31), y + rng.randrange(-30, 31)) for _ in range(rng.randrange(0, 5))]
    left += [c for c in more if (dx * (c[1] - y) - dy * (c[0] - x)) > 0]
    return convex_hull([*ends, *left]), place


def _inside_open(p: tuple[int, int], corners: tuple[tuple[int, int], ...]) -> bool:
    exact = [(Fraction(x), Fraction(y)) for x, y in corners]
    turns = [_cross(a, b, (Fraction(p[0]), Fraction(p[1]))) for a, b in _sides(exact)]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def test_covering_agrees_with_an_independent_exact_computation() -> None:
    """A third of the pairs are built to be exactly half, and exactly half is not enough (F8.2)."""
    rng = random.Random(8)
    half = half_covered(rng)
    count, partly, halves = scaled(50_000), 0, 0
    for number in range(count):
        if number % 3 == 0:
            ground, place = next(half)
        else:
            ground, place = random_ground(rng), Hex(rng.randrange(-9, 10), rng.randrange(-9, 10))
        hull = territory(ground)
        share = second_share(hull, place)
        partly += 0 < share < 1
        halves += share == Fraction(1, 2)
        assert covered_share(hull, place) == share
        assert (place in covered(ground, (place,))) == (share > Fraction(1, 2)), (sorted(ground), place)
    assert halves >= count // 3
    assert partly > halves


def test_shares_of_hulls_that_are_no_bands() -> None:
    rng = random.Random(9)
    for _ in range(scaled(5_000)):
        hull, place = half_hull(rng)
        assert second_share(hull, place) == covered_share(hull, place) == Fraction(1, 2)


def test_hexes_at_the_bends_of_a_band() -> None:
    """Where two of its edges cut one hex, what they leave decides (F8.2)."""
    rng = random.Random(10)
    cut_twice = 0
    for _ in range(scaled(3_000)):
        ground = random_ground(rng)
        hull = territory(ground)
        bends = [Hex((x + 1) // 3, (y + 1) // 3) for x, y in hull]
        near = tuple(dict.fromkeys(spot for place in bends for spot in (place, *place.neighbours())))
        found = covered(ground, near)
        for place in near:
            share = covered_share(hull, place)
            cut_twice += 0 < share < 1
            assert (place in found) == (share > Fraction(1, 2)), (sorted(ground), place)
    assert cut_twice


def test_a_wizard_without_earths_owns_his_start_hex_alone() -> None:
    hull = territory(frozenset({Hex(0, -10)}))
    assert sorted(hull) == sorted(Hex(0, -10).corners())
    assert covered_share(hull, Hex(0, -10)) == 1
    assert covered(frozenset({Hex(0, -10)}), (Hex(0, -9), Hex(0, -10))) == {Hex(0, -10)}


def test_a_hull_is_one_and_its_proof_is_no_formality() -> None:
    rng = random.Random(11)
    for _ in range(scaled(5_000)):
        ground = random_ground(rng)
        hull = territory(ground)
        assert is_hull_of(hull, ground), sorted(ground)
        assert not is_hull_of(hull[1:], ground), "a corner is missing"
        assert not is_hull_of(hull[::-1], ground), "it turns the other way"
        x, y = hull[0]
        assert not is_hull_of(((x + 1, y), *hull[1:]), ground), "a corner is none of a hex"


def test_a_hull_has_no_corner_between_others() -> None:
    hull = territory(frozenset({Hex(0, 0), Hex(0, 1), Hex(0, 2)}))
    assert len(hull) == 8
