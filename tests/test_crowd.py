"""Eight processes at once: nothing acknowledged is lost, no version used twice, no half a turn seen."""

import json
import subprocess
import sys
from pathlib import Path

from pbem.game import Game
from tests.commands import new_regatta, pbem
from tests.scale import scaled

PROCESSES = 8


def test_eight_processes_submit_and_adjudicate_at_once(tmp_path: Path) -> None:
    (tmp_path / "lake.toml").write_text("distance = 100000\n")
    game = new_regatta(tmp_path / "spring", "--length", 1000, "--map", tmp_path / "lake.toml")
    assert game("start").status == 0
    crowd = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.crowd", str(game.folder), str(number), str(scaled(60))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
        for number in range(PROCESSES)
    ]
    told = [process.communicate(timeout=600) for process in crowd]
    assert [process.returncode for process in crowd] == [0] * PROCESSES, [errors for _, errors in told]
    taken = [json.loads(line)["sha256"] for out, _ in told for line in out.splitlines()]
    rows = Game(game.folder).rows
    logged = [json.loads(row.data)["sha256"] for row in rows if row.kind == "orders_received"]
    assert taken
    assert sorted(taken) == sorted(logged)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    assert sum(row.kind == "turn_closed" for row in rows) > 1
    assert pbem("-C", game.folder, "report").status == 0
    found = game("verify", "--json").json()
    assert (found["ok"], found["differs"]) == (True, [])
