"""Trouble that is nobody's fault: one sentence, exit status 1, and the log as it was.

Full disks and folders that cannot be written are in test_refusals.py; here are the commands of the GM's
hand, the vanished folder, the clock, and another game's secret.
"""

import shutil
from pathlib import Path

import pytest

from tests.commands import Regatta, new_regatta, pbem

COMMANDS: dict[str, tuple[object, ...]] = {
    "adjudicate": ("adjudicate", 2),
    "submit": ("submit", "orders/turn-2"),
    "reopen": ("reopen", 1, "--reason", "x"),
    "key": ("key", "red", "--new"),
    "note": ("note", 1, "-"),
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    game = new_regatta(tmp_path / "spring", "--length", 2)
    game("start")
    for turn in (1, 2):
        for seat in ("red", "blue"):
            game.orders(turn, f"{seat}.txt", "row\n")
    assert game("adjudicate", 1).status == 0
    monkeypatch.chdir(game.folder)
    return game


def refused(game: Regatta, *words: object) -> str:
    before = game.log_bytes()
    sentence = game(*words, stdin=b"text").sentence
    assert game.log_bytes() == before
    return sentence


@pytest.mark.parametrize("name", COMMANDS)
def test_another_games_secret(game: Regatta, name: str) -> None:
    (game.folder / "secret.key").write_text("ab" * 32)
    assert "secret.key is not the secret of spring" in refused(game, *COMMANDS[name])


def test_another_games_secret_at_the_end(game: Regatta) -> None:
    assert game("adjudicate", 2).status == 0
    (game.folder / "secret.key").write_text("ab" * 32)
    assert "secret.key is not the secret of spring" in refused(game, "end")
    assert game("verify", "--json").status == 1
    assert "is not the secret" in game("verify").sentence


@pytest.mark.parametrize("name", COMMANDS)
def test_a_clock_set_back(game: Regatta, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2001-01-01T00:00:00Z")
    assert "set the clock right" in refused(game, *COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_log_that_cannot_be_written(game: Regatta, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    from pbem import store

    monkeypatch.setattr(store, "TIMEOUT", 0.05)
    holder = sqlite3.connect(game.folder / "pbem.db")
    holder.execute("BEGIN IMMEDIATE")
    assert "is locked by another program" in refused(game, *COMMANDS[name])
    holder.close()


def test_a_folder_that_vanished(game: Regatta, tmp_path: Path) -> None:
    shutil.rmtree(game.folder)
    for words in (*COMMANDS.values(), ("verify",), ("end",), ("backup", tmp_path / "b.zip")):
        assert "is no folder" in game(*words, stdin=b"x").sentence
    ran = pbem("status")
    assert ran.status == 1
    assert "Traceback" not in ran.err


DONE: dict[str, tuple[object, ...]] = {
    "reopen": ("reopen", 1, "--reason", "x"),
    "key": ("key", "red", "--new"),
    "note": ("note", 1, "-"),
    "adjudicate": ("adjudicate", 2),
    "deadline": ("deadline", 2, "2030-01-01T20:00"),
}


@pytest.mark.parametrize("name", DONE)
def test_what_is_in_the_log_is_said_to_be_done_though_its_reports_are_not(game: Regatta, name: str) -> None:
    """Told to try again, a GM would do it twice."""
    shutil.rmtree(game.folder / "gm")
    (game.folder / "gm").write_text("in the way")
    before = len(game("log", "--json").json())
    told = game(*DONE[name], stdin=b"text").sentence
    assert "in the log, but" in told
    assert "mend that, then `pbem report" in told
    assert len(game("log", "--json").json()) > before
    (game.folder / "gm").unlink()
    assert game("report").status == 0
    assert game("verify", "--json").json()["differs"] == []


def test_a_seat_is_handed_over_whole_or_not_at_all(game: Regatta) -> None:
    """The seat, its new key and its address go together, whatever becomes of the reports."""
    shutil.rmtree(game.folder / "gm")
    (game.folder / "gm").write_text("in the way")
    assert "in the log, but" in game("seat", "red", "--email", "new@example.org").sentence
    assert [row["kind"] for row in game("log", "--json").json()][-2:] == ["seat_handed_over", "key_issued"]
    assert "new@example.org" in game.read("game.toml")
    (game.folder / "gm").unlink()
    assert game("adjudicate", 2).status == 0
    assert "correct names and addresses in game.toml itself" in refused(game, "seat", "red", "--name", "Z")


def test_files_that_cannot_be_written_to(game: Regatta, tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "b.zip"
    assert "No such file or directory" in refused(game, "backup", nowhere)
    assert "No such file or directory" in refused(game, "restore", nowhere)
    assert game("adjudicate", 2).status == 0
    game("end")
    assert "No such file or directory" in refused(game, "bundle", nowhere)
    assert "directory" in refused(game, "backup", tmp_path)
