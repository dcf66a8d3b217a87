"""Who covers which globe, exactly, against shapely's floats with hexes made once (F8.2)."""

import json
import tempfile
from contextlib import ExitStack
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time

from benchmarks.harness import Line, Measured, Options, at_least, interleaved, microseconds, no_peer
from benchmarks.peers import working
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.territory import covered, territory
from tests.flux.test_territory import half_covered, is_hull_of, second_share

GLOBES = 37
EARTHS = 16
REACH = 11
BOUND = 5
WAYS = {"plain": "shapely, hexes made once", "sifted": "the same, prepared and sifted"}
"""Of asking shapely, as its worker knows them."""

Position = tuple[list[Hex], list[list[Hex]]]
"""Globes, and the hexes of each wizard."""


def positions(count: int) -> list[Position]:
    """Six wizards with all their earths on a board of radius 10, none on another's or on a globe."""
    rng = Random(8)
    board = Board("", 10, (), frozenset(), frozenset())
    full = [place for place in board.hexes() if board.is_full(place)]
    found: list[Position] = []
    while len(found) < count:
        globes = sorted(rng.sample(full, GLOBES))
        grounds = _grounds(rng, board, full, set(globes))
        if grounds:
            found.append((globes, grounds))
    return found


def _grounds(rng: Random, board: Board, full: list[Hex], taken: set[Hex]) -> list[list[Hex]]:
    """Nothing where somebody found no more room."""
    grounds = [[corner] for corner in board.start_corners]
    for _ in range(EARTHS):
        for ground in grounds:
            pairs = [
                (place, near)
                for place in full
                if place not in taken and place - ground[0] <= REACH
                for near in place.neighbours()
                if near not in taken and board.is_full(near)
            ]
            if not pairs:
                return []
            pair = rng.choice(pairs)
            taken.update(pair)
            ground.extend(pair)
    return grounds


def ours(asked: list[Position]) -> tuple[float, list[list[bool]]]:
    """Processor time a position, nothing remembered, and the answers, wizard by wizard."""
    ready = [(tuple(globes), [frozenset(ground) for ground in grounds]) for globes, grounds in asked]
    covered.cache_clear()
    start = process_time()
    found = [(globes, [covered(ground, globes) for ground in grounds]) for globes, grounds in ready]
    seconds = (process_time() - start) / len(asked)
    return seconds, [[place in held for place in globes] for globes, each in found for held in each]


def exactly(asked: list[Position]) -> list[list[bool]]:
    """The truth, by the independent computation of the tests, on hulls that are proved to be that."""
    half = Fraction(1, 2)
    found: list[list[bool]] = []
    for globes, grounds in asked:
        for ground in map(frozenset, grounds):
            hull = territory(ground)
            assert is_hull_of(hull, ground)
            found.append([second_share(hull, place) > half for place in globes])
    return found


def wrong(said: list[list[bool]], truth: list[list[bool]]) -> int:
    """How many answers are not true."""
    return sum(
        one != other
        for each, true in zip(said, truth, strict=True)
        for one, other in zip(each, true, strict=True)
    )


def measure(options: Options) -> Measured:
    """Time and truth of whole positions, and of hexes of which exactly half is covered."""
    asked = positions(1 if options.small else 20)
    halves = [
        ([place], [sorted(ground)]) for ground, place in islice(half_covered(Random(8)), 6 * len(asked))
    ]
    truth = exactly(asked)
    ours_wrong, halves_wrong = wrong(ours(asked)[1], truth), sum(map(sum, ours(halves)[1]))
    answers = f"wrong answers, of {len(truth) * GLOBES:,}"
    called = f"hexes called covered, of {len(halves):,} of which exactly half is"
    what = "six wizards, 16 earths each, 37 globes"
    lines = [no_peer(what, them) for them in WAYS.values()]
    theirs_wrong = their_halves = "not installed"
    if options.peers is not None:
        with tempfile.TemporaryDirectory() as name, ExitStack() as workers:
            told, half_told = Path(name, "positions.json"), Path(name, "halves.json")
            told.write_text(json.dumps(asked), "utf-8")
            half_told.write_text(json.dumps(halves), "utf-8")
            ask = partial(working, options.peers, "territory")
            peers = {way: workers.enter_context(ask(str(told), way)) for way in WAYS}
            found_wrong = [wrong(worker.ask()["answers"], truth) for worker in peers.values()]
            theirs_wrong = " and ".join(map(str, found_wrong))
            things = {way: worker.seconds for way, worker in peers.items()}
            found = interleaved(options.runs, {"ours": lambda: ours(asked)[0]} | things)
            with ask(str(half_told), "plain") as worker:
                their_halves = str(sum(map(sum, worker.ask()["answers"])))
        lines = [
            at_least(what, found["ours"], them, found[way], BOUND, microseconds) for way, them in WAYS.items()
        ]
    shapely = "shapely, plainly and sifted"
    lines += [
        Line(answers, str(ours_wrong), shapely, theirs_wrong, None, "none", not ours_wrong),
        Line(called, str(halves_wrong), "shapely, plainly", their_halves, None, "none", not halves_wrong),
    ]
    return Measured(
        "Territory",
        "Hulls and answers of whole positions, every one of them new, in whole numbers, against hulls and"
        " areas in floats: plainly, hull and globe cut with each other (the faster of all globes at once and"
        " one by one); and sifted, as who knows shapely well would write it, where only a globe that lies"
        " neither wholly inside nor wholly outside of a prepared hull is cut. Processor time. The truth is"
        " an independent computation in fractions (tests/flux/test_territory.py).",
        tuple(lines),
    )
