"""Kill -9 at random moments: the log is the one before or the one after, and the next run finishes the work.

500 at full scale, over `start`, `submit`, `adjudicate`, `report` and `reopen`. With a fixed clock the final
bytes are those of a run that nobody disturbed.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.game import Game
from pbem.store import Row
from tests.commands import Regatta, new_regatta
from tests.scale import scaled

NOW = "2026-11-30T05:55:00Z"
ENVIRONMENT = {**os.environ, "PBEM_NOW": NOW}
Words = tuple[str, ...]


def command(folder: Path, words: Words) -> list[str]:
    return [sys.executable, "-m", "pbem", "-C", str(folder), *words]


def tree(folder: Path) -> dict[str, bytes]:
    """All files but the log, whose pages may lie in another order; its rows are compared instead."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "pbem.db"
    }


def prepared(folder: Path, until: str) -> Regatta:
    """A game in which the command `until` comes next."""
    game = new_regatta(folder)
    steps: list[tuple[str, Words]] = [
        ("start", ("start",)),
        ("submit", ("submit", str(folder / "orders/turn-1"))),
        ("adjudicate", ("adjudicate", "turn-1")),
        ("report", ("report",)),
        ("reopen", ("reopen", "turn-1", "--reason", "The wind was misread.")),
    ]
    for name, words in steps:
        if name == "submit":
            game.orders(1, "red.txt", "sail else row\npress: ahoy\n")
            game.orders(1, "blue.txt", "row\n")
        if name == until:
            return game
        assert game(*words).status == 0
    raise AssertionError(until)


WORDS: dict[str, Words] = {
    "start": ("start",),
    "submit": ("submit", "orders/turn-1"),
    "adjudicate": ("adjudicate", "turn-1"),
    "report": ("report",),
    "reopen": ("reopen", "turn-1", "--reason", "The wind was misread."),
}


@pytest.mark.parametrize("name", WORDS)
def test_killed_at_a_random_moment(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NOW)
    dice = random.Random(name)
    start = prepared(tmp_path / "spring", name).folder
    before: tuple[Row, ...] = Game(start).rows
    undisturbed = Path(shutil.copytree(start, tmp_path / "whole"))
    began = time.monotonic()
    subprocess.run(command(undisturbed, WORDS[name]), check=True, env=ENVIRONMENT, cwd=undisturbed)
    span = time.monotonic() - began
    after, want = Game(undisturbed).rows, tree(undisturbed)
    counts = {"before": 0, "after": 0}
    for number in range(scaled(100)):
        folder = Path(shutil.copytree(start, tmp_path / f"run-{number}"))
        process = subprocess.Popen(
            command(folder, WORDS[name]),
            env=ENVIRONMENT,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(dice.uniform(span * 0.3, span * 1.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        rows = Game(folder).rows
        assert rows in {before, after}
        counts["before" if rows == before else "after"] += 1
        again = subprocess.run(
            command(folder, WORDS[name]),
            env=ENVIRONMENT,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        done = rows == after and name in {"start", "adjudicate", "reopen"}
        assert again.returncode == (1 if done else 0), again.stderr
        assert "Traceback" not in again.stderr
        assert Game(folder).rows == after
        assert tree(folder) == want
        assert not (folder / "pbem.db-journal").exists()
        shutil.rmtree(folder)
    assert sum(counts.values()) == scaled(100)
