"""Deciding a turn of Flux, against the movement phases of `diplomacy`."""

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.games import LINES, random_orders
from benchmarks.harness import Measured, Options, at_most, interleaved, microseconds, no_peer
from benchmarks.peers import working
from pbem.dice import Dice, player_seed, seeded, turn_seed
from pbem.players.flux_planner import PLAYER
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.orders import FluxOrders
from pbem.rulesets.flux.state import State
from pbem.rulesets.flux.territory import covered
from pbem.sheet import read_sheet
from tests.flux.turns import opening

TRIED = ("order_refused", "piece_moved", "spell_cast", "destruction_attempted")
"""What an order that is reached becomes."""

Writing = Callable[[State, str, bytes], str]
"""A seat's order text for the open turn, with the secret of the contest."""


class Played(NamedTuple):
    """A turn that can be decided again, and how many order lines it has."""

    state: State
    orders: dict[str, FluxOrders]
    dice: Dice
    lines: int


class Contests(NamedTuple):
    """Turns of one kind, and what share of all that was tried in them was refused."""

    turns: list[Played]
    refused: float


def at_random() -> Writing:
    """Nine lines aimed at what stands near."""
    orders_of = random_orders(5)
    return lambda state, hue, _: orders_of(state, hue, state.round)


def by_planners() -> Writing:
    """What pbem's own planner writes: nearly all of it can be done."""
    return lambda state, hue, secret: PLAYER.orders(state, hue, seeded(player_seed(secret, state.round, hue)))


def played(writing: Writing, contests: int, rounds: int) -> Contests:
    """The rounds of contests of six."""
    found: list[Played] = []
    kinds = Counter[str]()
    rng = Random(7)
    for _ in range(contests):
        state, secret = opening(HUES, length=rounds), rng.randbytes(32)
        while not state.over:
            orders: dict[str, FluxOrders] = {}
            if state.round:
                orders = {
                    hue: RULESET.parse(read_sheet(writing(state, hue, secret)), state, hue) for hue in HUES
                }
            dice = seeded(turn_seed(secret, state.round))
            if orders:
                found.append(Played(state, orders, dice, sum(len(each.lines) for each in orders.values())))
            for event in RULESET.decide(state, orders, dice):
                kinds[event.kind] += 1
                state = RULESET.evolve(state, event)
    return Contests(found, kinds["order_refused"] / sum(kinds[kind] for kind in TRIED))


def afresh(state: State) -> State:
    """The position as the log gives it, of which no run before has looked up anything."""
    return replace(state, wizards={hue: replace(wizard) for hue, wizard in state.wizards.items()})


def order_of(turns: Sequence[Played]) -> float:
    """The median over the turns of the time an order, of processor time."""
    times = []
    for turn in turns:
        state = afresh(turn.state)
        covered.cache_clear()
        start = process_time()
        RULESET.decide(state, turn.orders, turn.dice)
        times.append((process_time() - start) / turn.lines)
    gc.collect()
    return median(times)


def measure(options: Options) -> Measured:
    """Random orders and planners' against the peer."""
    random = played(at_random(), 1, 2 if options.small else 40)
    planned = played(by_planners(), 1, 2) if options.small else played(by_planners(), 4, 10)
    things = {"random": partial(order_of, random.turns), "planned": partial(order_of, planned.turns)}
    if options.peers is None:
        found = interleaved(options.runs, things)
    else:
        with working(options.peers, "deciding", "5" if options.small else "30") as worker:
            found = interleaved(options.runs, things | {"peer": worker.seconds})
    process = "an order of `diplomacy`'s process()"
    rows = {
        "random": f"an order of a Flux turn, {LINES} random ones a seat",
        "planned": "an order of a Flux turn, planners'",
    }
    return Measured(
        "Deciding",
        f"`decide` for {len(random.turns)} turns of six wizards with {LINES} random lines each, of which"
        f" {random.refused:.0%} are refused, and for {len(planned.turns)} turns of six planners, with"
        f" {_lines(planned)} lines a turn, of which {planned.refused:.0%} are; against `process()` of the"
        " movement phases of a game of seven powers, its orders drawn from all possible ones; the median turn"
        " and phase, divided by its orders, whatever they cost beside. Processor time.",
        tuple(
            at_most(what, found[name], process, found["peer"], 1, microseconds)
            if "peer" in found
            else no_peer(what, process, microseconds(found[name]))
            for name, what in rows.items()
        ),
    )


def _lines(contests: Contests) -> int:
    return round(sum(turn.lines for turn in contests.turns) / len(contests.turns))
