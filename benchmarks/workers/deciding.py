"""process() of `diplomacy`'s movement phases, seven powers with random orders; the time an order."""

import gc
import json
import random
import sys
from statistics import median
from time import process_time

from diplomacy import Game


def one_game(phases: int) -> list[float]:
    chosen = random.Random(3)
    game = Game()
    found: list[float] = []
    while not game.is_game_done and len(found) < phases:
        possible = game.get_all_possible_orders()
        count = 0
        for power in sorted(game.powers):
            places = sorted(place for place in game.get_orderable_locations(power) if possible[place])
            orders = [chosen.choice(sorted(possible[place])) for place in places]
            game.set_orders(power, orders)
            count += len(orders)
        movement = game.phase_type == "M"
        start = process_time()
        game.process()
        seconds = process_time() - start
        if movement and count:
            found.append(seconds / count)
    return found


def main() -> None:
    gc.disable()
    for _ in sys.stdin:
        print(json.dumps({"seconds": median(one_game(int(sys.argv[1])))}), flush=True)
        gc.collect()


main()
