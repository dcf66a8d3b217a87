"""How often shapely's floats decide a covered hex wrongly, and how long both take (F8.2).

    pip install shapely && python -m benchmarks.territory [PAIRS]

The pairs are those of tests/flux/test_territory.py: a third of them exactly half covered.
"""

import random
import sys
from fractions import Fraction
from math import sqrt
from time import perf_counter

from shapely import Polygon  # type: ignore[import-untyped]

from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.territory import Hull, covered_share, covers
from tests.flux.test_territory import half_hull, random_territory


def on_the_board(corner: tuple[int, int]) -> tuple[float, float]:
    """A lattice corner where it lies on a real board of hexes with side 1."""
    a, b = corner
    return a / 2, sqrt(3) / 2 * (b + a / 2) * 2 / 3


def pairs(count: int) -> list[tuple[Hull, Hex]]:
    """The pairs of the test, in its order."""
    rng = random.Random(8)
    found: list[tuple[Hull, Hex]] = []
    for number in range(count):
        if number % 3 == 0:
            found.append(half_hull(rng))
        else:
            hull = random_territory(rng)
            found.append((hull, Hex(rng.randrange(-9, 10), rng.randrange(-9, 10))))
    return found


def main() -> None:
    """Prints the counts and the times of one run."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    made = pairs(count)
    truth = [covered_share(hull, place) > Fraction(1, 2) for hull, place in made]
    covers.cache_clear()
    start = perf_counter()
    ours = [covers(hull, place) for hull, place in made]
    our_time = perf_counter() - start
    bands = [Polygon([on_the_board(corner) for corner in hull]) for hull, _ in made]
    cells = [Polygon([on_the_board(corner) for corner in place.corners()]) for _, place in made]
    start = perf_counter()
    theirs = [band.intersection(cell).area > cell.area / 2 for band, cell in zip(bands, cells, strict=True)]
    their_time = perf_counter() - start
    wrong = sum(said != true for said, true in zip(theirs, truth, strict=True))
    halves = sum(2 * covered_share(hull, place) == 1 for hull, place in made)
    print(f"{count:,} pairs of a territory and a hex, {halves:,} of them exactly half covered")
    ours_wrong = sum(said != true for said, true in zip(ours, truth, strict=True))
    print(f"wrong: pbem {ours_wrong}, shapely {wrong:,}")
    ratio = our_time / their_time
    print(
        f"time: pbem {our_time:.2f} s, shapely {their_time:.2f} s (polygons made before); ratio {ratio:.2f}"
    )


if __name__ == "__main__":
    main()
