"""Golden games stay readable for ever: hashes, seeds and throws hold, and this program decides alike."""

import json
from pathlib import Path

import pytest

from pbem.game import Game
from pbem.rulesets import find_ruleset
from tests import golden
from tests.commands import pbem

HASHES = {path.stem: golden.read(path)[0]["hash"] for path in golden.FILES}


def test_there_are_three_and_one_has_all_of_the_gms_hand() -> None:
    kinds = {path.stem: {row.kind for row in golden.read(path)[1]} for path in golden.FILES}
    assert len(kinds) >= 3
    assert {"turn_reopened", "ruling_made", "seat_handed_over"} <= kinds["glade-cup"]
    beacons = [
        json.loads(row.data)["beacon"]
        for row in golden.read(golden.GAMES / "glade-cup.jsonl")[1]
        if row.kind == "turn_closed"
    ]
    assert sum(beacon is not None for beacon in beacons) >= 5


@pytest.mark.parametrize("path", golden.FILES, ids=lambda path: path.stem)
def test_a_golden_game_holds_and_is_decided_alike(path: Path, tmp_path: Path) -> None:
    about, rows = golden.read(path)
    folder = golden.unpack(path, tmp_path / path.stem)
    told = pbem("-C", folder, "verify", "--json").json()
    assert (told["ok"], told["first"]) == (True, None)
    assert told["checked"]["events"] == told["checked"]["salts"] == len(rows)
    assert told["checked"]["throws"] == sum(len(json.loads(row.data).get("dice") or ()) for row in rows)
    game = Game(folder)
    assert game.rows[-1].hash == about["hash"]
    if find_ruleset(game.contest.created.ruleset).version == about["ruleset_version"]:
        assert told["differs"] == [], "raise the ruleset's version when it decides otherwise"


@pytest.mark.parametrize("name", ["duel", "glade-cup", "haycock"])
def test_reports_are_written_from_a_golden_log_and_agree_with_it(name: str, tmp_path: Path) -> None:
    folder = golden.unpack(golden.GAMES / f"{name}.jsonl", tmp_path / name)
    assert pbem("-C", folder, "report").status == 0
    told = pbem("-C", folder, "verify", "--json").json()
    assert told["differs"] == []
    assert told["checked"]["reports"] > 50
    assert pbem("audit", folder / "reports").out.endswith("All that was checked agrees.\n")
