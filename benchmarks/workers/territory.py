"""Who covers which globe by `shapely`, its hexes made once: FILE with the positions, `plain` or `sifted`.

The hull of each territory is that of its hexes, and a globe is covered if more than half the area of
its hex is in the intersection. Plain: asked globe by globe, or of all globes at once, whichever is faster.
Sifted: only of those globes that the hull, prepared, neither covers nor misses.
"""

import gc
import json
import sys
from math import sqrt
from pathlib import Path
from time import process_time

import numpy as np
import shapely


def cell(q: int, r: int) -> shapely.Polygon:
    """A hex where it lies on a board of hexes with side 1."""
    a, b = 3 * q, 3 * r
    lattice = ((a + 2, b - 1), (a + 1, b + 1), (a - 1, b + 2), (a - 2, b + 1), (a - 1, b - 1), (a + 1, b - 2))
    return shapely.Polygon([(x / 2, sqrt(3) / 2 * (y + x / 2) * 2 / 3) for x, y in lattice])


def main() -> None:
    positions = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    cells: dict[tuple[int, int], shapely.Polygon] = {}
    for globes, grounds in positions:
        for place in (*globes, *(place for ground in grounds for place in ground)):
            cells[tuple(place)] = cell(*place)
    half = cell(0, 0).area / 2
    asked = [
        (
            np.array([cells[tuple(place)] for place in globes]),
            [[cells[tuple(place)] for place in ground] for ground in grounds],
        )
        for globes, grounds in positions
    ]

    def at_once() -> list[list[bool]]:
        answers = []
        for globes, grounds in asked:
            for ground in grounds:
                hull = shapely.convex_hull(shapely.geometrycollections(ground))
                answers.append((shapely.area(shapely.intersection(hull, globes)) > half).tolist())
        return answers

    def one_by_one() -> list[list[bool]]:
        answers = []
        for globes, grounds in asked:
            for ground in grounds:
                hull = shapely.MultiPolygon(ground).convex_hull
                answers.append([hull.intersection(globe).area > half for globe in globes])
        return answers

    def sifted() -> list[list[bool]]:
        answers = []
        for globes, grounds in asked:
            for ground in grounds:
                hull = shapely.convex_hull(shapely.geometrycollections(ground))
                shapely.prepare(hull)
                held = shapely.covers(hull, globes)
                cut = shapely.intersects(hull, globes) & ~held
                held[cut] = shapely.area(shapely.intersection(hull, globes[cut])) > half
                answers.append(held.tolist())
        return answers

    ways = {"plain": (at_once, one_by_one), "sifted": (sifted,)}[sys.argv[2]]
    gc.disable()
    for _ in sys.stdin:
        times = []
        for way in ways:
            start = process_time()
            answers = way()
            times.append(process_time() - start)
        print(json.dumps({"seconds": min(times) / len(positions), "answers": answers}), flush=True)
        gc.collect()


main()
