"""Whole commands against the imports they cannot do without, interleaved in one run.

Six players in round 8 of ten on the map `grob`: the game is played up to there first, with random
orders that are the same in every run.
"""

import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.harness import Measured, Options, at_most, interleaved, milliseconds
from pbem.game import Game
from tests.flux.games import random_order

FLOORS = {
    "five imports": "import click, pydantic, jinja2, sqlite_utils, svgwrite",
    "import click": "import click",
    "three imports": "import click, pydantic, sqlite_utils",
}
BOUNDS = (
    ("adjudicate", "`pbem adjudicate` with all reports", "five imports", 3.0),
    ("--help", "`pbem --help`", "import click", 2.0),
    ("status", "`pbem status`", "three imports", 1.5),
)
TURN = 8


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


def game_before(turn: int, folder: Path) -> None:
    """A contest of six with the orders of a turn waiting."""
    players = [word for number in range(6) for word in ("--player", f"P{number} <p{number}@example.org>")]
    run(pbem("new", str(folder), "--ruleset", "flux", "--secret", "20" * 32, *players))
    run(pbem("-C", str(folder), "start"))
    rng = Random(5)
    for number in range(1, turn + 1):
        state = Game.find(folder).history.state
        orders = folder / "orders" / f"turn-{number}"
        orders.mkdir(exist_ok=True, parents=True)
        for hue in state.wizards:
            lines = [random_order(rng, state, hue) for _ in range(9)]
            orders.joinpath(f"{hue}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        if number < turn:
            run(pbem("-C", str(folder), "adjudicate", f"turn-{number}"))


def measure(options: Options) -> Measured:
    """Whole processes, by the clock."""
    turn = 1 if options.small else TURN
    with tempfile.TemporaryDirectory() as name:
        before, again = Path(name, "six"), Path(name, "again")
        game_before(turn, before)

        def adjudicate() -> float:
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(before, again)
            return run(pbem("-C", str(again), "adjudicate", f"turn-{turn}"))

        things = {name: partial(run, [sys.executable, "-c", code]) for name, code in FLOORS.items()}
        found = interleaved(
            options.runs,
            {
                **things,
                "adjudicate": adjudicate,
                "--help": partial(run, pbem("--help")),
                "status": partial(run, pbem("-C", str(before), "status")),
            },
        )
    return Measured(
        "Whole commands",
        f"Six wizards in round {turn} on the map `grob`, nine order lines each; whole processes, by the"
        " clock. The imports are those of a bare `python -c`.",
        tuple(
            at_most(what, found[name], FLOORS[floor], found[floor], bound, milliseconds)
            for name, what, floor, bound in BOUNDS
        ),
        ("The first run after an installation compiles the page templates too; it is the one not counted.",),
    )
