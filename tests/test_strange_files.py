"""Named pipes, devices, folders and links where a file should be: nothing waits, nothing reads for ever."""

import os
import threading
from pathlib import Path

import pytest

from tests.commands import Ran, Regatta, new_regatta, pbem


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    game = new_regatta(tmp_path / "spring", "--length", 2)
    game("start")
    for seat in ("red", "blue"):
        game.orders(1, f"{seat}.txt", "row\n")
    monkeypatch.chdir(tmp_path)
    return game


def in_time(game: Regatta, *words: object) -> Ran:
    """The command in a thread of its own, so that waiting for ever is a failure and no stop."""
    ran: list[Ran] = []
    thread = threading.Thread(target=lambda: ran.append(game(*words)), daemon=True)
    thread.start()
    thread.join(60)
    assert ran, f"{words} does not come back"
    return ran[0]


HANDED_IN: dict[str, tuple[object, ...]] = {
    "audit": ("audit", "pipe"),
    "ruling": ("ruling", "pipe", "--reason", "x"),
    "note": ("note", 1, "pipe"),
    "cases": ("cases", "pipe.toml"),
    "restore": ("restore", "pipe"),
    "map": ("new", "cup", "--ruleset", "flux", "--player", "A", "--player", "B", "--map", "pipe.toml"),
    "rules": ("new", "cup", "--ruleset", "flux", "--player", "A", "--player", "B", "--rules", "pipe"),
    "submit": ("submit", "pipe"),
    "check": ("check", "pipe"),
    "receive": ("receive", "pipe"),
}


@pytest.mark.parametrize("name", HANDED_IN)
def test_a_pipe_that_nobody_writes_to(game: Regatta, name: str) -> None:
    os.mkfifo("pipe")
    os.mkfifo("pipe.toml")
    before = game.log_bytes()
    assert in_time(game, *HANDED_IN[name]).status == 1
    assert game.log_bytes() == before


def test_a_pipe_that_somebody_writes_to_is_read(game: Regatta) -> None:
    """As a shell's `<(…)` is: what comes late comes all the same."""
    report = (game.folder / "reports/turn-0/turn-0.json").read_bytes()
    reading, writing = os.pipe()
    timer = threading.Timer(0.3, lambda: (os.write(writing, report), os.close(writing)))
    timer.start()
    try:
        assert "All that was checked agrees" in pbem("audit", f"/dev/fd/{reading}").out
    finally:
        timer.join()
        os.close(reading)


@pytest.mark.parametrize("command", ["verify", "adjudicate", "backup", "report", "key"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "loop"])
def test_the_secret_is_no_file(game: Regatta, command: str, kind: str) -> None:
    words = {"adjudicate": (1,), "backup": ("b.zip",), "key": ("red",)}.get(command, ())
    path = game.folder / "secret.key"
    path.unlink()
    _put(path, kind)
    before = game.log_bytes()
    ran = in_time(game, command, *words)
    if (command, kind) == ("verify", "loop"):  # which goes on without, as far as it can
        assert "secret.key is missing" in ran.err
    else:
        assert "secret.key" in ran.sentence
    assert game.log_bytes() == before


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "loop"])
def test_the_log_is_no_file(game: Regatta, kind: str) -> None:
    path = game.folder / "pbem.db"
    path.unlink()
    _put(path, kind)
    assert "pbem.db" in in_time(game, "status").sentence
    assert "pbem.db" in in_time(game, "adjudicate", 1).sentence


@pytest.mark.parametrize("name", ["gm/log.txt", "gm/summaries.json"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_only_saves_time_is_no_file(game: Regatta, name: str, kind: str) -> None:
    path = game.folder / name
    path.unlink()
    _put(path, kind)
    assert in_time(game, "status").status == 0
    assert in_time(game, "adjudicate", 1).status == 0
    assert path.is_file()
    assert not path.is_symlink()


def _put(path: Path, kind: str) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to(path.name)
