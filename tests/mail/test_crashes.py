"""Killed anywhere and run again: log, receipts and reports are those of an undisturbed run (docs/mail.md, 6).

A killed process is a fork of this one that ends without a word, either as it is about to do its Nth thing
with a file, or after a random time.
"""

import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem import dice
from pbem.game import Game
from tests.commands import SECRET, Regatta, new_regatta
from tests.mail.servers import smtp_server
from tests.scale import scaled

POINTS = scaled(200)
NOTED = (
    "open",
    "os.rename",
    "os.mkdir",
    "os.remove",
    "os.utime",
    "os.chmod",
    "sqlite3.connect",
    "socket.connect",
)


def key(turn: int, seat: str) -> str:
    return dice.order_key(bytes.fromhex(SECRET), "spring", turn, seat)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-12-01T06:00:00Z")


def message(number: int, text: str, sender: str = "ann@example.org", more: str = "") -> bytes:
    return f"From: {sender}\nMessage-ID: <{number}@example.org>\nSubject: x\n{more}\n{text}".encode()


MESSAGES = [
    message(1, f"key: {key(1, 'red')}\nsail\n"),
    message(2, f"key: {key(1, 'blue')}\nfly\n", "bert@example.org"),
    message(3, "buy now\n", "spam@example.com"),
    message(4, f"key: {key(1, 'blue')}\nrow\n", "bert@example.org"),
    message(5, f"key: {key(1, 'red')}\nrow\nfly\n"),
    message(6, f"key: {key(1, 'red')}\nsail\n"),
    message(7, "out of office\n", more="Auto-Submitted: auto-replied\n"),
    message(8, f"key: {key(1, 'red')}\nstatus\n"),
    message(9, f"key: {key(1, 'red')}\nkey: {key(1, 'blue')}\nrow\n"),
    message(10, f"key: {key(1, 'red')}\nrow\n"),
    message(10, f"key: {key(1, 'red')}\nrow\n"),
    message(11, "no key at all\n"),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose turn 1 is open, with a Maildir of mail beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_NOW", "2026-12-01T06:00:00Z")
        top = tmp_path_factory.mktemp("crashes")
        game = new_regatta(top / "spring", "--length", 3)
        settings = game.folder / "game.toml"
        turns = '[turns]\nevery = "3d"\nat = "20:00"\n'
        settings.write_text(
            f'{settings.read_text()}\n{turns}\n[mail]\nin = "inbox"\naddress = "gm@example.net"\n'
        )
        assert game("start").status == 0
        assert game("send", 0).status == 0
        for name in ("new", "cur", "tmp"):
            (game.folder / "inbox" / name).mkdir(parents=True)
        for number, data in enumerate(MESSAGES):
            (game.folder / "inbox" / "new" / f"{1_796_000_000 + number}.M1P1.test").write_bytes(data)
    return game.folder


def in_a_fork(run: Callable[[], Any], *, point: int = 0, after: float = 0) -> int:
    """The exit status of `run` in a process of its own; killed at its Nth noted thing, or after seconds."""
    child = os.fork()
    if child == 0:
        status = 70
        with suppress(BaseException):
            if point:
                _kill_at(point)
            if after:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, after)
            status = int(run().status)
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _kill_at(point: int) -> None:
    count = 0

    def hook(event: str, _arguments: Any) -> None:
        nonlocal count
        if event in NOTED:
            count += 1
            if count == point:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def noted(run: Callable[[], Any]) -> int:
    """How many things `run` does with files."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0

        def hook(event: str, _arguments: Any) -> None:
            nonlocal count
            count += event in NOTED

        with suppress(BaseException):
            sys.addaudithook(hook)
            run()
            os.write(writing, str(count).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    told = os.read(reading, 100)
    os.close(reading)
    return int(told)


def outcome(folder: Path) -> dict[str, Any]:
    """All that a game holds, without what a killed process leaves half written."""
    found: dict[str, Any] = {"log": [row[:8] for row in Game(folder).log.rows()]}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        half = path.name.startswith(".") or name.startswith("outbox/tmp/")
        if half or not path.is_file() or path.name == "pbem.db":
            continue
        if path.suffix == ".jsonl":
            found[name] = {line for line in path.read_text().splitlines() if _whole(line)}
        else:
            found[name] = path.read_bytes()
    return found


def _whole(line: str) -> bool:
    with suppress(ValueError):
        json.loads(line)
        return True
    return False


def points(count: int) -> Iterator[dict[str, Any]]:
    """Where to kill: at a random thing done with files, or, one time in four, at a random moment."""
    chance = random.Random(11)
    for number in range(POINTS):
        if number % 4 == 3:
            yield {"after": chance.uniform(0.001, 0.4)}
        else:
            yield {"point": chance.randint(1, count)}


COMMANDS: dict[str, tuple[str, tuple[object, ...]]] = {
    "receive": ("2026-12-01T06:00:00Z", ("receive", "inbox")),
    "send": ("2026-12-01T06:00:00Z", ("send", "0")),
    "tick": ("2026-12-04T20:30:00Z", ("tick",)),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_killed_anywhere_and_run_again(
    command: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, words = COMMANDS[command]
    monkeypatch.setenv("PBEM_NOW", clock)
    fresh = tmp_path / "fresh" / "spring"
    shutil.copytree(prepared, fresh)
    if command == "send":
        shutil.rmtree(fresh / "outbox")
        (fresh / "mail" / "posted.jsonl").unlink()
    words = tuple(fresh.parent / "x" / "spring" / word if word == "inbox" else word for word in words)
    folder = fresh.parent / "x" / "spring"

    def anew() -> Regatta:
        shutil.rmtree(folder.parent, ignore_errors=True)
        shutil.copytree(fresh, folder)
        return Regatta(folder)

    game = anew()
    assert in_a_fork(lambda: game(*words)) == 0
    undisturbed = outcome(folder)
    assert len(list((folder / "outbox" / "new").iterdir())) >= 2
    game = anew()
    count = noted(lambda: game(*words))
    killed = 0
    for kill in points(count):
        game = anew()
        status = in_a_fork(lambda at=game: at(*words), **kill)
        killed += status < 0
        assert status in {0, -signal.SIGKILL, -signal.SIGALRM}, kill
        assert in_a_fork(lambda at=game: at(*words)) == 0, kill
        assert outcome(folder) == undisturbed, kill
    assert killed >= POINTS // 2


def test_killed_while_a_server_takes_the_reports(prepared: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh" / "spring"
    shutil.copytree(prepared, fresh)
    shutil.rmtree(fresh / "outbox")
    (fresh / "mail" / "posted.jsonl").unlink()
    with smtp_server() as server:
        settings = fresh / "game.toml"
        settings.write_text(f'{settings.read_text()}out = "{server.url}"\n')
        folder = tmp_path / "spring"
        shutil.copytree(fresh, folder)
        count = noted(lambda: Regatta(folder)("send", 0))
        for kill in points(count):
            shutil.rmtree(folder)
            shutil.copytree(fresh, folder)
            server.taken.clear()
            in_a_fork(lambda: Regatta(folder)("send", 0), **kill)
            assert in_a_fork(lambda: Regatta(folder)("send", 0)) == 0
            for address in ("ann@example.org", "bert@example.org"):
                assert len({message["Message-ID"] for message in server.messages(address)}) == 1, (
                    kill,
                    address,
                )


def test_two_ticks_at_once(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-12-04T20:30:00Z")
    folder = tmp_path / "spring"
    undisturbed: dict[str, Any] = {}
    for _ in range(scaled(50) + 1):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(prepared, folder)
        children: list[int] = []
        for _child in range(2 if undisturbed else 1):
            if (child := os.fork()) == 0:
                os._exit(_ticked(folder))
            children.append(child)
        for child in children:
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        undisturbed = undisturbed or outcome(folder)
        assert outcome(folder) == undisturbed
        closed = [row.turn for row in Game(folder).rows if row.kind == "turn_closed"]
        assert closed == [0, 1]


def _ticked(folder: Path) -> int:
    with suppress(BaseException):
        return Regatta(folder)("tick").status
    return 70
