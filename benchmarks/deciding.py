"""Deciding a turn of Flux, against the movement phases of `diplomacy`."""

import gc
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.games import random_orders
from benchmarks.harness import Measured, Options, at_most, interleaved, microseconds, no_peer
from benchmarks.peers import working
from pbem.dice import Dice, seeded, turn_seed
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.orders import FluxOrders
from pbem.rulesets.flux.state import State
from pbem.rulesets.flux.territory import covered
from pbem.sheet import read_sheet
from tests.flux.turns import opening


class Played(NamedTuple):
    """A turn that can be decided again, and how many order lines it has."""

    state: State
    orders: dict[str, FluxOrders]
    dice: Dice
    lines: int


def contest(turns: int) -> list[Played]:
    """The rounds of a contest of six with random orders."""
    state, orders_of, found = opening(HUES, length=turns), random_orders(5), list[Played]()
    secret = Random(7).randbytes(32)
    while not state.over:
        orders: dict[str, FluxOrders] = {}
        if state.round:
            orders = {
                hue: RULESET.parse(read_sheet(orders_of(state, hue, state.round)), state, hue) for hue in HUES
            }
        dice = seeded(turn_seed(secret, state.round))
        if state.round:
            found.append(Played(state, orders, dice, sum(len(each.lines) for each in orders.values())))
        for event in RULESET.decide(state, orders, dice):
            state = RULESET.evolve(state, event)
    return found


def afresh(state: State) -> State:
    """The position as the log gives it, of which no run before has looked up anything."""
    return replace(state, wizards={hue: replace(wizard) for hue, wizard in state.wizards.items()})


def measure(options: Options) -> Measured:
    """The median time an order, of processor time."""
    turns = contest(2 if options.small else 40)

    def ours() -> float:
        times = []
        covered.cache_clear()
        for played in turns:
            state = afresh(played.state)
            start = process_time()
            RULESET.decide(state, played.orders, played.dice)
            times.append((process_time() - start) / played.lines)
        gc.collect()
        return median(times)

    if options.peers is None:
        found = interleaved(options.runs, {"ours": ours})
    else:
        with working(options.peers, "deciding", "5" if options.small else "30") as worker:
            found = interleaved(options.runs, {"ours": ours, "peer": worker.seconds})
    what, process = "an order of a Flux turn, decided", "an order of `diplomacy`'s process()"
    return Measured(
        "Deciding",
        f"`decide` for {len(turns)} turns of six wizards with nine lines each, against `process()` of the"
        " movement phases of a game of seven powers, both with random orders; the median turn and phase,"
        " divided by its orders. Processor time.",
        (
            at_most(what, found["ours"], process, found["peer"], 1, microseconds)
            if "peer" in found
            else no_peer(what, process),
        ),
    )
