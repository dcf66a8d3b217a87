"""How fast whole games go, whether maps are fair, and what each counter is good for (docs/balance.md).

    python -m benchmarks.balance speed [CONTESTS]      1,000 if left out
    python -m benchmarks.balance strength [CONTESTS]   500
    python -m benchmarks.balance maps [CONTESTS]       3,000 for each map
    python -m benchmarks.balance order [CONTESTS]      300: who wins by his place in the order of play

`maps` keeps games in the folder balance-games/ as it goes, and goes on from there if it was stopped: a
game follows from the seed and its number alone, so that the result is the same.
"""

import argparse
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from os import cpu_count
from pathlib import Path
from time import perf_counter

from benchmarks.harness import in_sentences, positive
from pbem.dice import player_seed, seeded, turn_seed
from pbem.rulesets.flux.events import ContestEnded, InitiativeThrown
from pbem.sheet import read_sheet
from pbem.simulate import Plan, Played, Summary, Table, planned, simulate
from pbem.simulated import summary_json
from pbem.workers import spread

PLANNERS = ("planner",) * 6
MAPS = ("grob", "mere", "glade")
PAIRS = (("planner", "greedy"), ("greedy", "random"), ("planner", "random"))
KEPT = Path("balance-games")
PORTION = 20


def speed(contests: int) -> None:
    """Contests a second on one core and on two, one after the other in the same run, and the bytes."""
    plan = planned("flux", PLANNERS, contests)
    told, times = set(), {}
    for jobs in (1, 2, 4):
        start = perf_counter()
        told.add(repr(summary_json(simulate(plan, jobs))))
        times[jobs] = perf_counter() - start
        print(f"{jobs} jobs: {contests / times[jobs]:.2f} contests a second", flush=True)
    print(f"two against one: {times[1] / times[2]:.2f}; the same bytes: {len(told) == 1}")


def strength(contests: int) -> None:
    """Who beats whom, each seat half the time."""
    for better, worse in PAIRS:
        summary = simulate(planned("flux", (better, worse), contests), cpu_count() or 1)
        print(f"{better} against {worse}: {summary_json(summary)['players'][better]}", flush=True)


def maps(contests: int) -> None:
    """Titles by seat and casts by counter among six equal planners."""
    for name in MAPS:
        plan = planned("flux", PLANNERS, contests, map_name=name)
        summary = Summary(plan)
        for game in _games(plan, KEPT / name):
            summary.add(game)
        told = summary_json(summary)
        wins = {seat: score["wins"] for seat, score in told["seats"].items()}
        print(f"\n{name}: {wins}, shared {told['shared_titles']}, chi-square {told['chi_square']}")
        counts = told["counts"]["planner"]
        casts = sum(each.get("casts", 0) for each in counts.values())
        for counter, each in counts.items():
            if each.get("casts"):
                print(f"  {counter}: {100 * each['casts'] / casts:.2f} % of casts, {each}")
        for measure, curves in told["curves"].items():
            print(f"  {measure}: {curves['planner']}", flush=True)


def _games(plan: Plan, folder: Path) -> Iterator[Played]:
    folder.mkdir(parents=True, exist_ok=True)
    portions = range(0, plan.contests, PORTION)
    missing = [first for first in portions if not (folder / f"{first}.pickle").exists()]
    with spread(cpu_count() or 1, partial(_portions, plan, folder), missing) as kept:
        for _ in kept:
            pass
    for first in portions:
        games = pickle.loads((folder / f"{first}.pickle").read_bytes())  # noqa: S301 - our own, of this folder
        yield from games[: plan.contests - first]


def _portions(plan: Plan, folder: Path) -> Callable[[int], None]:
    table = Table(plan)

    def keep(first: int) -> None:
        games = [table.play(number) for number in range(first, first + PORTION)]
        part = folder / f"{first}.part"
        part.write_bytes(pickle.dumps(games))
        part.rename(folder / f"{first}.pickle")

    return keep


def order(contests: int) -> None:
    """Undivided titles by the winner's place in the order of play of the first and of the last round."""
    table = Table(planned("flux", PLANNERS, contests))
    ruleset, places = table.ruleset, {"first": Counter[int](), "last": Counter[int]()}
    for number in range(contests):
        secret = f"order {number}".encode()
        state, orders_of_play, turn = table.initial, [], 0
        winners: tuple[str, ...] = ()
        while not ruleset.is_over(state):
            orders = {}
            for seat in table.plan.seats if turn else ():
                own = seeded(player_seed(secret, turn, seat))
                text = table.players["planner"].orders(state, seat, own)
                orders[seat] = ruleset.parse(read_sheet(text), state, seat)
            for event in ruleset.decide(state, orders, seeded(turn_seed(secret, turn))):
                state = ruleset.evolve(state, event)
                if isinstance(event, InitiativeThrown):
                    orders_of_play.append(event.order)
                elif isinstance(event, ContestEnded):
                    winners = event.loremasters
            turn += 1
        if len(winners) == 1:
            places["first"][orders_of_play[0].index(winners[0]) + 1] += 1
            places["last"][orders_of_play[-1].index(winners[0]) + 1] += 1
    for which, found in places.items():
        print(f"{which} round: {[found[place] for place in range(1, 7)]}")


WHAT = {"speed": (speed, 1000), "strength": (strength, 500), "maps": (maps, 3000), "order": (order, 300)}


def main() -> None:
    """Runs what is named."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.balance")
    options.add_argument("what", choices=WHAT)
    options.add_argument("contests", type=positive, nargs="?", help="as many as stand above if left out")
    asked = options.parse_args()
    measure, contests = WHAT[asked.what]
    measure(asked.contests or contests)


if __name__ == "__main__":
    with in_sentences():
        main()
