"""What a turn costs as its game grows old: turn 5 and the last turns of a game of 200 rounds."""

import resource
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.games import SETTLING, new_game, steady_orders, write_orders
from benchmarks.harness import Line, Measured, Options, interleaved, milliseconds, tell

BOUND = 1.2


def processor_seconds(command: list[str]) -> float:
    """Processor time of one whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(options: Options) -> Measured:
    """Turn 5, and the last but one and the last of a long game."""
    rounds = SETTLING + 3 if options.small else 200
    young = SETTLING + 1
    old = (rounds - 1, rounds)
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        events, pieces = build(top, rounds, (young, *old))

        def adjudicated(turn: int) -> float:
            again = top / "again"
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(top / f"before-{turn}", again)
            pbem = str(Path(sys.executable).with_name("pbem"))
            return processor_seconds([pbem, "-C", str(again), "adjudicate", f"turn-{turn}"])

        times = interleaved(options.runs, {str(turn): partial(adjudicated, turn) for turn in (young, *old)})
    lines = []
    for turn in old:
        ratio = times[str(turn)] / times[str(young)]
        lines.append(
            Line(
                f"turn {turn} of {rounds}, adjudicate to reports",
                milliseconds(times[str(turn)]),
                f"turn {young} of the same game",
                milliseconds(times[str(young)]),
                ratio,
                f"at most {BOUND:g} times the time",
                ratio <= BOUND,
            )
        )
    return Measured(
        "An old game",
        f"Six wizards, {rounds} rounds, {events:,} events before the last turn; {pieces} pieces stand"
        f" before each of the turns {young}, {old[0]} and {old[1]}. The whole command with all reports."
        " Processor time. The log is read and its chain checked whole each time; the state after the last"
        " turn is taken from what the turn before put aside (gm/state.json), where that fits.",
        tuple(lines),
        ("The last turn ends the game and has no order templates.",),
    )


def build(top: Path, rounds: int, wanted: tuple[int, ...]) -> tuple[int, int]:
    """Plays the game, and keeps it as it stood before each of the turns, the orders for it waiting.

    Gives the events before the last turn, and the pieces, of which each of the turns has as many.
    """
    tell(f"playing {rounds} rounds of six wizards …")
    game, pieces = new_game(top / "long", rounds), set[int]()
    for turn in range(1, rounds + 1):
        write_orders(game, steady_orders)
        if turn in wanted:
            pieces.add(sum(len(list(wizard.standing())) for wizard in game.history.state.wizards.values()))
            game.write_all_reports(turn - 1)
            shutil.copytree(game.folder, top / f"before-{turn}")
        if turn < rounds:
            game.adjudicate(turn)
    if len(pieces) > 1:
        sys.exit(f"The turns to compare have {sorted(pieces)} pieces, and should have the same number.")
    return len(game.rows), pieces.pop()
