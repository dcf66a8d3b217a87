"""Whole commands against the imports they cannot do without, interleaved in one run.

    python -m benchmarks.commands [RUNS]

Six players in round 8 of ten on the map `grob`: the game is played up to there first, with random
orders that are the same in every run.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from pbem.game import Game
from tests.flux.games import random_order

FLOORS = {
    "five imports": "import click, pydantic, jinja2, sqlite_utils, svgwrite",
    "import click": "import click",
    "three imports": "import click, pydantic, sqlite_utils",
}
BOUNDS = (
    ("adjudicate", "five imports", "3"),
    ("--help", "import click", "2"),
    ("status", "three imports", "1.5"),
)


def pbem(*words: str) -> list[str]:
    """The command line of an installed pbem."""
    return [str(Path(sys.executable).with_name("pbem")), *words]


def run(command: list[str]) -> float:
    """Seconds of one whole process."""
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    seconds = perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    return seconds


def game_before_turn_8(folder: Path) -> None:
    """A contest of six with the orders of turn 8 waiting."""
    players = [word for number in range(6) for word in ("--player", f"P{number} <p{number}@example.org>")]
    run(pbem("new", str(folder), "--ruleset", "flux", "--secret", "20" * 32, *players))
    run(pbem("-C", str(folder), "start"))
    rng = Random(5)
    for turn in range(1, 9):
        state = Game.find(folder).history.state
        orders = folder / "orders" / f"turn-{turn}"
        orders.mkdir(exist_ok=True, parents=True)
        for hue in state.wizards:
            lines = [random_order(rng, state, hue) for _ in range(9)]
            orders.joinpath(f"{hue}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        if turn < 8:
            run(pbem("-C", str(folder), "adjudicate", f"turn-{turn}"))


def main() -> None:
    """Prints medians and ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        before, again = Path(name, "six"), Path(name, "again")
        game_before_turn_8(before)
        times: dict[str, list[float]] = {}
        for _ in range(runs + 1):
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(before, again)
            commands = {name: [sys.executable, "-c", code] for name, code in FLOORS.items()}
            commands |= {
                "adjudicate": pbem("-C", str(again), "adjudicate", "turn-8"),
                "--help": pbem("--help"),
                "status": pbem("-C", str(before), "status"),
            }
            for what, command in commands.items():
                times.setdefault(what, []).append(run(command))
    medians = {what: median(found[1:]) for what, found in times.items()}
    for what, floor, bound in BOUNDS:
        ratio = medians[what] / medians[floor]
        times_told = f"{medians[what]:.3f} s   {floor:<14} {medians[floor]:.3f} s"
        print(f"pbem {what:<12} {times_told}   {ratio:.2f} (at most {bound})")


if __name__ == "__main__":
    main()
