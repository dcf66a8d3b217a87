"""`pbem tick --games URL`: several processes share the games of a database, and die as they please."""

import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbem.game import Game, games_in, reached
from pbem.home import close_databases, database_at
from pbem.store import row_hash
from pbem.store_postgres import Box, Database
from pbem.verify import verify
from tests.commands import Ran, Regatta, new_regatta, pbem
from tests.postgres import PASSWORD
from tests.scale import scaled
from tests.test_postgres import EVERY_WEEK, LATER, NOW, environment, query

AT = datetime.fromisoformat(NOW).astimezone(UTC)


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


def weekly(folder: Path, url: str, more: str = "") -> Regatta:
    """A game that has started, with a week a turn."""
    game = new_regatta(folder, "--store", url)
    text = f"{EVERY_WEEK}{more}{game('settings').out}"
    assert game("settings", "-", stdin=text.encode()).status == 0
    assert game("start").status == 0
    return game


def tick(folder: Path, url: str, *options: str) -> Ran:
    return pbem("-C", folder, "tick", "--games", url, *options)


def due(url: str, now: datetime) -> list[str]:
    return [each.game for each in database_at(url).due(now, 0, 100)]


def test_a_game_is_looked_at_when_there_is_something_to_do(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = weekly(tmp_path / "spring", database)
    new_regatta(tmp_path / "asleep", "--store", database)
    assert due(database, AT) == ["spring", "asleep"]
    ran = tick(tmp_path, database)
    assert "spring: turn-0 reports for red, blue." in ran.out
    assert due(database, AT) == []
    # A day before the deadline of next week, then at the deadline.
    deadline = datetime(2026, 12, 7, 20, tzinfo=UTC)
    assert due(database, deadline - timedelta(hours=24, minutes=1)) == []
    assert due(database, deadline - timedelta(hours=24)) == ["spring"]
    monkeypatch.setenv("PBEM_NOW", (deadline - timedelta(hours=2)).isoformat())
    assert "reminded red, blue" in tick(tmp_path, database).out
    assert due(database, deadline - timedelta(minutes=1)) == []
    assert due(database, deadline) == ["spring"]
    # Whatever is appended wakes it, and so does another game.toml.
    game.orders(1, "red.txt", "row\n")
    assert game("submit", game.folder / "orders/turn-1").status == 0
    assert due(database, AT) == ["spring"]
    assert tick(tmp_path, database).status == 0
    assert due(database, AT) == []
    text = game("settings").out.replace(EVERY_WEEK, f"{EVERY_WEEK}early = true\n")
    assert game("settings", "-", stdin=text.encode()).status == 0
    assert due(database, AT) == ["spring"]
    assert tick(tmp_path, database).status == 0
    game.orders(1, "blue.txt", "row\n")
    assert game("submit", game.folder / "orders/turn-1").status == 0
    assert "spring: turn-1 is adjudicated" in tick(tmp_path, database).out
    # One that is asleep is woken by its start.
    assert "asleep" not in tick(tmp_path, database).out
    assert pbem("-C", tmp_path / "asleep", "start").status == 0
    assert due(database, AT) == ["asleep"]


def test_something_that_happens_meanwhile_is_not_slept_through(database: str, tmp_path: Path) -> None:
    game = weekly(tmp_path / "spring", database)
    host = Game(game.folder)
    version, toml, shared = host.rows[-1].version, host.settings, database_at(database)
    assert game("note", 1, "-", stdin=b"Meanwhile.").status == 0
    sleep = partial(shared.sleep, marks=(), box=Box("", ""))
    sleep("spring", version, toml, None)
    assert due(database, AT) == ["spring"]
    sleep("spring", version + 1, f"{toml}# other\n", None)
    assert due(database, AT) == ["spring"]
    sleep("spring", version + 1, toml, None)
    assert due(database, AT) == []


def test_a_game_that_another_process_attends_to_is_left_to_it(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weekly(tmp_path / "spring", database)
    weekly(tmp_path / "autumn", database)
    assert tick(tmp_path, database).status == 0
    monkeypatch.setenv("PBEM_NOW", LATER)
    code = """
import sys, time
from pbem.mail.kept_in_database import DatabaseMailroom
from pbem.store_postgres import Box, Database
with Database(sys.argv[1]).lock_of_game(1) as locked:
    print(locked, flush=True)
    time.sleep(600)
"""
    held = subprocess.Popen([sys.executable, "-c", code, database], stdout=subprocess.PIPE)
    assert held.stdout is not None
    assert held.stdout.readline() == b"True\n"
    ran = tick(tmp_path, database)
    assert "autumn: turn-1 is adjudicated" in ran.out
    assert "spring" not in ran.out
    held.kill()
    held.wait()
    held.stdout.close()
    for _ in range(100):  # until the server has noticed
        if "spring: turn-1 is adjudicated" in tick(tmp_path, database).out:
            break
        time.sleep(0.05)
    assert len(games_in(database)["spring"].history.turns) == 2


def test_one_game_in_trouble_stops_no_other(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("autumn", "damaged", "spring", "unread"):
        weekly(tmp_path / name, database)
    query(
        database,
        "ALTER TABLE events DISABLE TRIGGER events_change_refused;"
        " UPDATE events SET data = replace(data, 'red', 'sly') WHERE game = 'damaged' AND version = 1;"
        " UPDATE settings SET toml = '[turns' WHERE game = 'unread'",
    )
    (tmp_path / "other").mkdir()
    new_regatta(tmp_path / "other/autumn")  # a folder of that name which is another game's
    monkeypatch.setenv("PBEM_NOW", LATER)
    ran = tick(tmp_path / "other", database)
    assert ran.status == 1
    assert "spring: turn-1 is adjudicated" in ran.out
    assert "Traceback" not in ran.err
    for name, told in (
        ("damaged", "event 1 is not what was written"),
        ("unread", "is no TOML"),
        ("autumn", "another game's"),
    ):
        assert f"pbem: {name}: " in ran.err
        assert told in ran.err
    assert PASSWORD not in ran.err


def forged(url: str, game: str, **fields: Any) -> None:
    """One more row in a game's log, with a hash that follows: as whoever may serve games can insert it."""
    last = games_in(url)[game].rows[-1]
    row = last._replace(version=last.version + 1, prev=last.hash, kind="note_added", schema=1)
    row = row._replace(**{"data": '{"turn":0,"text":"x"}', **fields})
    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO events (game, version, turn, kind, schema, data, at, salt, prev, hash)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            row._replace(hash=row_hash(row)),
        )
    connection.close()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"at": "soon"}, "'soon' for a time"),
        ({"at": "2026-11-30T05:55:00"}, "for a time"),
        ({"at": "2026-11-30T05:55:00.000000+00:00"}, "for a time"),
        ({"at": "9999-12-31T23:59:59.999999Z"}, "for a time"),
        ({"kind": "boat_moved"}, "belongs to no turn"),
        ({"schema": 77}, "does not know"),
        ({"data": "[" * 100_000}, "cannot be read"),
        ({"data": "{"}, "cannot be read"),
    ],
)
def test_a_row_that_somebody_else_wrote_stops_its_own_game_alone(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, Any], told: str
) -> None:
    for name in ("autumn", "forged", "spring"):
        weekly(tmp_path / name, database)
    forged(database, "forged", **fields)
    close_databases()
    monkeypatch.setenv("PBEM_NOW", LATER)
    ran = tick(tmp_path, database)
    assert ran.status == 1
    for name in ("autumn", "spring"):
        assert f"{name}: turn-1 is adjudicated" in ran.out
    assert re.fullmatch(r"(pbem: forged: [^\n]+\n)+", ran.err)
    assert told in ran.err
    game = Regatta(tmp_path / "forged")
    assert "event 4 does not follow" in game("verify").sentence
    for words in (("backup", tmp_path / "forged.zip"), ("receive", "-")):
        ran = game(*words, stdin=b"From: a@b.org\n\nHello?\n")
        assert ran.status == 0 or re.fullmatch(r"pbem: [^\n]+\n", ran.err)


def test_a_message_that_waits_and_is_not_there_stops_its_own_game_alone(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("autumn", "broken", "spring"):
        weekly(tmp_path / name, database)
    query(database, "INSERT INTO outbox (game, identity, state) VALUES ('broken', '<1@x>', 'waiting')")
    monkeypatch.setenv("PBEM_NOW", LATER)
    ran = tick(tmp_path, database)
    assert ran.status == 1
    for name in ("autumn", "spring", "broken"):
        assert f"{name}: turn-1 is adjudicated" in ran.out
    assert "says of a message of broken that it waits, and has not kept it" in ran.err
    query(database, "UPDATE outbox SET state = 'noted' WHERE message IS NULL AND state = 'waiting'")
    assert tick(tmp_path, database).status == 0


def test_a_game_without_a_mailbox_does_not_wait_for_that_of_another(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("autumn", "spring"):
        weekly(tmp_path / name, database)
    mail = '[mail]\nin = "imaps://gm@127.0.0.1:1/INBOX"\naddress = "gm@example.org"\n'
    weekly(tmp_path / "mailed", database, mail)
    monkeypatch.setenv("PBEM_NOW", LATER)
    ran = tick(tmp_path, database)
    assert ran.status == 1
    for name in ("autumn", "spring"):
        assert f"{name}: turn-1 is adjudicated" in ran.out
    assert "mailed: turn-1 is due, but is not adjudicated while mail cannot be fetched." in ran.err
    assert "mailed: turn-1 is adjudicated" not in ran.out


def test_what_a_database_calls_its_games_makes_no_folders_elsewhere(database: str, tmp_path: Path) -> None:
    """Nor is one whose folder cannot be made in the way of others."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    mail = f'[mail]\nin = "{inbox}"\naddress = "gm@example.net"\n'
    for name in ("autumn", "spring"):
        weekly(tmp_path / name, database, mail)
    outside = tmp_path / "outside"
    names = ["../up", str(outside), "a/b", "..", ".", ""]
    with psycopg.connect(database) as connection:
        connection.cursor().executemany("INSERT INTO games (game) VALUES (%s)", [(name,) for name in names])
        connection.cursor().executemany(
            "INSERT INTO settings (game, toml) VALUES (%s, %s)", [(name, mail) for name in names]
        )
    connection.close()
    here = tmp_path / "machine" / "games"
    here.mkdir(parents=True)
    (here / "autumn").write_text("A file where its folder should be.")
    before = {path for path in tmp_path.iterdir() if path.name != "inbox"}
    for words in (("tick",), ("receive", "-")):
        ran = pbem("-C", here, words[0], "--games", database, *words[1:], stdin=b"From: a@b.org\n\nHello?\n")
        assert ran.status == (1 if words == ("tick",) else 75)
        assert "Traceback" not in ran.err
        for name in names:
            assert f"pbem: {name}: its name is none for a folder; serve it by" in ran.err
        assert f"autumn: {here / 'autumn'}" in ran.err
        if words == ("tick",):
            assert "spring: turn-0 reports for red, blue." in ran.out
        else:
            assert ran.out == ""  # it might be for a game that cannot be read here
    (tmp_path / "elsewhere").mkdir()
    query(database, "UPDATE games SET moved_to = 'away' WHERE game NOT IN ('autumn', 'spring')")
    assert "quarantined" in pbem("-C", tmp_path / "elsewhere", "tick", "--games", database).out
    shutil.rmtree(tmp_path / "elsewhere")
    assert {path for path in tmp_path.iterdir() if path.name != "inbox"} == before
    assert sorted(path.name for path in here.iterdir()) == ["autumn", "spring"]
    assert not list((tmp_path / "machine").glob("up"))


def test_what_waits_in_a_game_that_another_process_attends_to_is_not_sent_by_two(
    database: str, tmp_path: Path
) -> None:
    """The common mailbox is no game's: who takes in mail for all sends nothing behind another's back."""
    game = weekly(tmp_path / "spring", database)
    assert tick(tmp_path, database).status == 0
    assert due(database, AT) == []
    there = tmp_path / "there"
    letter = f"From: b@example.org\nMessage-ID: <1@x>\n\nkey: {game('key', 'red').out}row\nend\n".encode()
    waiting = "SELECT count(*) FROM outbox WHERE state = 'waiting'"
    other = Database(database)  # as another process has it
    with other.lock_of_room("spring", lambda attempt: attempt()) as locked:
        assert locked
        assert "accepted" in pbem("-C", there, "receive", "--games", database, "-", stdin=letter).out
        assert query(database, waiting) == [(1,)]
    assert due(database, AT) == ["spring"]  # also after the other one had looked at what waits
    host = Game(game.folder)
    shared = database_at(database)
    shared.sleep("spring", host.rows[-1].version, host.settings, None, marks=(), box=Box("", ""))
    assert due(database, AT) == ["spring"]
    assert tick(there, database).status == 0
    assert query(database, waiting) == [(0,)]
    assert due(database, AT) == []
    # What is quarantined changes no log, and is answered all the same.
    letter = letter.replace(b"<1@x>", b"<2@x>").replace(b"key: ", b"key: X").replace(b"b@ex", b"ann@ex")
    with other.lock_of_room("spring", lambda attempt: attempt()):
        rows = Game(game.folder).rows
        assert "quarantined" in pbem("-C", there, "receive", "--games", database, "-", stdin=letter).out
        assert Game(game.folder).rows == rows
        assert query(database, waiting) == [(1,)]
    other.close()
    assert tick(there, database).status == 0
    assert query(database, waiting) == [(0,)]


def test_a_mail_server_that_is_down_holds_up_no_game(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail can be fetched; only what one game sends cannot go out."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    mail = f'[mail]\nin = "{inbox}"\naddress = "gm@example.net"\n'
    down = weekly(tmp_path / "autumn", database, f'{mail}out = "smtp://127.0.0.1:1"\n')
    weekly(tmp_path / "spring", database, mail)
    tick(tmp_path, database)
    key = down("key", "red").out.strip()
    letter = f"From: b@example.org\nMessage-ID: <1@x>\n\nkey: {key}\nrow\nend\n"
    (inbox / "1.eml").write_text(letter)
    monkeypatch.setenv("PBEM_NOW", LATER)
    ran = tick(tmp_path, database)
    assert ran.status == 1
    for name in ("autumn", "spring"):
        assert f"{name}: turn-1 is adjudicated" in ran.out, ran.err
    assert due(database, datetime.fromisoformat(LATER)) == ["autumn"]


def test_killed_workers_leave_every_game_with_one_adjudication(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three at once, one of them killed every half second on average, on two machines' folders."""
    count = max(8, scaled(100))
    (tmp_path / "made").mkdir()
    for number in range(count):
        weekly(tmp_path / "made" / f"game-{number}", database)
    close_databases()
    dice = random.Random(10)

    def started(place: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "pbem",
                "-C",
                str(tmp_path / f"machine-{place % 2}"),
                "tick",
                "--games",
                database,
            ],
            env=environment(LATER),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    workers = [started(place) for place in range(3)]
    killed = 0
    while killed < count // 2:
        time.sleep(dice.uniform(0.2, 0.8))
        place = dice.randrange(3)
        if workers[place].poll() is None:
            workers[place].kill()
            killed += 1
        told = workers[place].communicate()[1].decode()
        assert "Traceback" not in told, told
        workers[place] = started(place)
    for worker in workers:
        assert worker.communicate(timeout=120)[1] == b""
        assert worker.returncode == 0
    monkeypatch.setenv("PBEM_NOW", LATER)
    assert due(database, datetime.fromisoformat(LATER)) == []
    for name, game in games_in(database).items():
        assert [turn.number for turn in game.history.turns] == [0, 1]
        assert sum(row.kind == "turn_closed" for row in game.rows) == 2
        found = verify(game)
        assert found.ok
        assert not found.differs
        published = game.history.published
        folders = [tmp_path / f"machine-{place}" / name for place in (0, 1)]
        assert any(reached(folder) == (published.version, published.hash) for folder in folders)
    # Each report went into the outbox once, and from there into one Maildir.
    assert query(database, "SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)]
    sent = query(database, "SELECT count(*) FROM outbox WHERE state = 'sent' AND identity LIKE '%report%'")
    assert sent == [(2 * count,)]  # of the last turn, to both
