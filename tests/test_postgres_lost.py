"""The connection to the database is lost at any moment of any command: one sentence, and nothing twice."""

import re
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from pbem import Game as Api
from pbem import store_postgres
from pbem.errors import PbemError
from pbem.game import Game
from pbem.home import DatabaseHome, close_databases, database_at
from pbem.store_postgres import Database
from pbem.verify import verify
from tests.commands import Ran, Regatta, pbem
from tests.postgres import PASSWORD, Server
from tests.scale import scaled
from tests.test_postgres import LATER, NOW, query
from tests.test_postgres_tick import weekly

OURS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pbem'"


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


class Loss:
    """Counts pbem's exchanges with the server, and ends its connection at the one of the number `at`.

    `late`: when the server has done what it was told, and the answer is on its way.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, at: int = 0, url: str = "", *, late: bool = False
    ) -> None:
        self.seen = 0
        exchange = psycopg.Connection.wait

        def wait(connection: Any, *words: Any, **more: Any) -> Any:
            if connection.info.parameter_status("application_name") != "pbem":
                return exchange(connection, *words, **more)
            self.seen += 1
            if self.seen != at:
                return exchange(connection, *words, **more)
            if not late:
                query(url, OURS)
                return exchange(connection, *words, **more)
            done = exchange(connection, *words, **more)
            if connection._pipeline is not None:
                query(url, OURS)
                return done
            connection.close()
            raise psycopg.OperationalError("consuming input failed: server closed the connection")

        monkeypatch.setattr(psycopg.Connection, "wait", wait)


Command = Callable[[Regatta], Ran]


def letter(game: Regatta) -> bytes:
    key = game("key", "red").out.strip()
    return f"From: ann@example.org\nMessage-ID: <1@x>\n\nkey: {key}\nrow\nend\n".encode()


def tick_all(game: Regatta) -> Ran:
    store = Game(game.folder).home
    assert isinstance(store, DatabaseHome)
    return pbem("-C", game.folder.parent, "tick", "--games", store.database.url)


COMMANDS: dict[str, Command] = {
    "adjudicate": lambda game: game("adjudicate", 1, "--allow-missing"),
    "submit": lambda game: game("submit", game.folder.parent / "red.txt"),
    "receive": lambda game: game("receive", "-", stdin=(game.folder.parent / "red.eml").read_bytes()),
    "send": lambda game: game("send", 0),
    "tick": lambda game: game("tick"),
    "tick --games": tick_all,
    "reopen": lambda game: game("reopen", 0, "--reason", "A slip."),
    "seat": lambda game: game("seat", "red", "--name", "Dee", "--email", "dee@example.org"),
    "verify": lambda game: game("verify"),
    "copy": lambda game: game("copy", game.folder.parent / "copied"),
}


def ready(folder: Path, url: str, name: str, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    """A game that has begun, and what the command `name` needs."""
    folder.mkdir()
    monkeypatch.setenv("PBEM_NOW", NOW)
    game = weekly(folder / "spring", url)
    mail = letter(game)
    (folder / "red.eml").write_bytes(mail)
    (folder / "red.txt").write_bytes(b"game: spring\nturn: 1\nplayer: red\n%b" % mail.partition(b"\n\n")[2])
    if "tick" in name:
        monkeypatch.setenv("PBEM_NOW", LATER)
    close_databases()
    return game


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_told_and_done_again_nothing_is_doubled(
    name: str, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, dice = COMMANDS[name], Random(name)
    game = ready(tmp_path / "whole", postgres.database(), name, monkeypatch)
    with monkeypatch.context() as patched:
        loss = Loss(patched)
        assert command(game).status == 0
        count = loss.seen
    rows = [row.kind for row in Game(game.folder).rows] if name != "copy" else []
    for number in range(scaled(20)):
        url = postgres.database()
        game = ready(tmp_path / str(number), url, name, monkeypatch)
        with monkeypatch.context() as patched:
            Loss(patched, dice.randrange(1, count + 1), url, late=bool(dice.randrange(2)))
            ran = command(game)
        close_databases()
        assert re.search(r"pbem: (\S+: )?The connection to \S+ was lost", ran.err), ran
        # What was taken in is not sent back because its receipt waits; what was not is sent again.
        assert ran.status in ((0, 75) if name == "receive" else (1,)), ran
        again = command(game)
        assert again.status == 0 or re.search("already|nothing was copied|no file", again.sentence), again
        if name == "copy":
            game = Regatta(game.folder.parent / "copied")
        found = Game(game.folder)
        assert verify(found).ok
        assert not verify(found).differs
        if name in {"adjudicate", "submit", "receive", "tick", "tick --games"}:
            assert [row.kind for row in found.rows] == rows
        if name not in {"copy", "reopen", "seat"}:
            assert query(url, "SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)]


def test_mail_that_comes_while_it_is_away_is_not_sent_back(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail server tries again after 75, and after any other status tells the sender that nothing came."""
    game = ready(tmp_path / "one", database, "receive", monkeypatch)
    mail = (tmp_path / "one/red.eml").read_bytes()
    toml = game.read("game.toml")
    (game.folder / "game.toml").write_text(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", toml))
    ran = game("receive", "-", stdin=mail)
    assert (ran.status, ran.out) == (75, "")
    assert re.fullmatch(r"pbem: \S+ cannot be reached .*\n", ran.err)
    away = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", database)
    ran = pbem("-C", tmp_path, "receive", "-", "--games", away, stdin=mail)
    assert (ran.status, ran.out) == (75, "")
    assert game("receive", tmp_path / "one/red.eml").status == 1
    (game.folder / "game.toml").write_text(toml)
    assert "accepted" in game("receive", "-", stdin=mail).out


def test_a_child_speaks_on_a_connection_of_its_own(database: str, tmp_path: Path) -> None:
    """As where a web server has read a game before it forks."""
    game = ready(tmp_path / "one", database, "verify", pytest.MonkeyPatch())
    assert Api(game.folder).version == 3

    def reads() -> None:
        for _ in range(20):
            assert Api(game.folder).version == 3
        close_databases()

    children = [get_context("fork").Process(target=reads) for _ in range(3)]
    for child in children:
        child.start()
    reads()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0]
    assert Api(game.folder).version == 3


def end_ours(url: str) -> None:
    """End our connections, and wait until the server has: it is told to, and does so a little later."""
    query(url, OURS)
    for _ in range(1000):
        if query(url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pbem'") == [(0,)]:
            return
        time.sleep(0.01)
    raise AssertionError("the server still has connections of ours")


def test_a_connection_that_ended_while_nothing_was_asked_is_made_again(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a program finds it that reads games for days; but not while it has something locked there."""
    game = ready(tmp_path / "one", database, "verify", monkeypatch)
    program = Api(game.folder)
    assert program.version == 3
    end_ours(database)
    assert program.reload().version == 3
    store = database_at(database)
    with store.lock_of_game(1):
        end_ours(database)
        with pytest.raises(PbemError, match="was lost"):
            program.reload().status()
    assert program.reload().version == 3


def test_a_server_that_takes_no_more_connections_is_told(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query(database, "DROP ROLE IF EXISTS one_too_many; CREATE ROLE one_too_many LOGIN CONNECTION LIMIT 0")
    query(database, "ALTER ROLE one_too_many PASSWORD 'x'")
    monkeypatch.setenv("PGPASSWORD", "x")
    crowded = re.sub(r"//owner:[^@]*@", "//one_too_many@", database)
    assert re.search(r"takes no more connections; try again later", pbem("games", crowded).sentence)
    ran = pbem("-C", tmp_path, "receive", "-", "--games", crowded, stdin=b"From: a@b.org\n\nHello?\n")
    assert ran.status == 75
    query(database, "DROP ROLE one_too_many")


def test_nothing_is_said_on_a_connection_that_is_not_set_up(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is appended would not wait for the disk, where the database prefers that."""
    store = Database(f"{database.replace('options=', 'options=-csynchronous_commit%3Doff%20')}")
    with monkeypatch.context() as patched:
        patched.setattr(store_postgres, "_SETTINGS", "SELECT pg_sleep(1 / 0)")
        with pytest.raises(PbemError, match="division by zero"):
            store.make_tables()
    store.make_tables()
    with store.statement() as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
    store.close()
