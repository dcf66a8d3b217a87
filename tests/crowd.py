"""One of several processes at once on one game: `python -m tests.crowd FOLDER NUMBER SECONDS`.

Prints what was acknowledged to it, one JSON line each: the digest of every text that was taken.
"""

import json
import random
import sys
import time
from pathlib import Path

from pbem.errors import Conflict, NotNow, PbemError
from pbem.game import Game
from pbem.orders_in import text_digest


def submit(folder: Path, number: int, count: int, dice: random.Random) -> None:
    game = Game(folder)
    seat = dice.choice(game.contest.seats)
    text = f"turn: {game.contest.turn}\nplayer: {seat}\nrow # {number} {count}\n"
    game.submit([Path("-")], stdin=text.encode)
    print(json.dumps({"sha256": text_digest(text)}), flush=True)  # noqa: T201 - its purpose


def adjudicate(folder: Path) -> None:
    game = Game(folder)
    game.adjudicate(game.contest.turn, allow_missing=True)


def read(folder: Path) -> None:
    """A reader: never half a turn. A Regatta's turn closes with all boats having moved or none."""
    history = Game(folder).history
    for turn in history.turns:
        assert {event.seat for event in turn.events} <= set(history.contest.seats)  # type: ignore[attr-defined]
        if turn.number:
            moved = {event.seat for event in turn.events}  # type: ignore[attr-defined]
            sent = {each.seat for each in turn.contest.received if each.turn == turn.number}
            assert moved == sent, (turn.number, moved, sent)


def main(folder: Path, number: int, seconds: float) -> None:
    dice = random.Random(number)
    until = time.monotonic() + seconds
    count = 0
    while time.monotonic() < until:
        count += 1
        try:
            task = dice.choices(("submit", "adjudicate", "read"), (6, 1, 2))[0]
            if task == "submit":
                submit(folder, number, count, dice)
            elif task == "adjudicate":
                adjudicate(folder)
            else:
                read(folder)
        except (Conflict, NotNow):
            continue
        except PbemError as error:
            if "it is for turn-" not in str(error):
                raise


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
