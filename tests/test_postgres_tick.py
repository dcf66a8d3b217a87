"""`pbem tick --games URL`: several processes share the games of a database, and die as they please."""

import random
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

from pbem.counter import Counter
from pbem.dice import order_key
from pbem.directory import SharedOffice
from pbem.game import Game, games_in, reached
from pbem.home import close_databases, database_at
from pbem.mail.kept_in_database import DatabaseMailroom
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


def test_one_mailbox_for_all_games(database: str, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    mail = f'[mail]\nin = "{inbox}"\naddress = "gm@example.net"\n'
    games = [weekly(tmp_path / name, database, mail) for name in ("autumn", "spring")]
    weekly(tmp_path / "winter", database)  # which has none
    for number, game in enumerate(games):
        key = game("key", "red").out.strip()
        (inbox / f"{number}.eml").write_text(
            f"From: Ann <ann@example.org>\nMessage-ID: <{number}@example.org>\n\nkey: {key}\nrow\nend\n"
        )
    (inbox / "9.eml").write_text("From: who@example.org\nMessage-ID: <9@example.org>\n\nHello?\n")
    ran = tick(tmp_path / "a", database)
    assert ran.status == 0, ran.err
    assert "0.eml: accepted autumn turn-1 red" in ran.out
    assert "1.eml: accepted spring turn-1 red" in ran.out
    assert "9.eml: quarantined" in ran.out
    for game in games:
        assert [each["state"] for each in game("status", "--json").json()["seats"]] == ["in", "missing"]
    # Another machine, with a mailbox that was not emptied.
    rows = {name: game.rows for name, game in games_in(database).items()}
    again = tick(tmp_path / "b", database)
    assert again.out.count("duplicate") == 2
    assert {name: game.rows for name, game in games_in(database).items()} == rows
    # And the orders stand for whoever looks at one game alone.
    assert games[0]("remind").out.startswith("Reminded: blue.")
    key = games[0]("key", "blue").out.strip()
    letter = f"From: b@example.org\nMessage-ID: <3@example.org>\n\nkey: {key}\nrow\nend\n".encode()
    (told,) = pbem("-C", tmp_path / "a", "receive", "--games", database, "-", "--json", stdin=letter).json()
    assert (told["outcome"], told["game"], told["seat"]) == ("accepted", "autumn", "blue")


@pytest.fixture
def mailed(database: str, tmp_path: Path) -> dict[str, Regatta]:
    """Three games with one mailbox, which rest."""
    mail = f'[mail]\nin = "{tmp_path / "inbox"}"\naddress = "gm@example.net"\nplus = true\n'
    (tmp_path / "inbox").mkdir()
    games = {name: weekly(tmp_path / name, database, mail) for name in ("autumn", "spring", "winter")}
    assert games["spring"]("seat", "blue", "--name", "Cy", "--email", "Cy@Example.org").status == 0
    assert tick(tmp_path, database).status == 0
    assert due(database, AT) == []
    return games


def letter(text: str, number: int, sender: str = "ann@example.org", to: str = "gm@example.net") -> bytes:
    return f"From: {sender}\nTo: {to}\nMessage-ID: <{number}@x>\n\n{text}\nend\n".encode()


def letters(games: dict[str, Regatta]) -> list[bytes]:
    """One of each kind that is told apart by whose it is."""
    own = {name: game("key", "red").out.strip() for name, game in games.items()}
    old = Game(games["spring"].folder)
    replaced = order_key(old.secret, "spring", 1, "blue", 1)
    stale = order_key(old.secret, "spring", 0, "red", 1)
    plus = own["winter"].replace("-", "")
    texts = [
        f"key: {own['spring']}\nrow",
        f"key: {own['spring'].lower()}\nrow\nrow",
        f"key: {own['autumn']} {own['winter']}\nrow",
        f"key: {stale}\nrow",
        f"key: {replaced}\nrow",
        "The professional international championships: no key.",
        f"status\nkey: {own['autumn']}",
    ]
    found = [letter(text, number) for number, text in enumerate(texts)]
    found.append(letter("row", 20, to=f"gm+{plus}@example.net"))
    found.append(letter("No key of mine.", 21, sender="CY@example.org"))
    found.append(letter("No key of mine.", 22, sender="stranger@example.org"))
    found.append(letter(f"Key {own['autumn']}\n{'x' * 2_000_000}", 23))
    return found


def received(folder: Path, url: str, message: bytes) -> list[dict[str, Any]]:
    told = pbem("-C", folder, "receive", "--games", url, "-", "--json", stdin=message).json()
    return [{**each, "source": ""} for each in told]


def test_mail_finds_games_that_rest_as_it_finds_those_that_do_not(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    there = tmp_path / "there"
    rest = [received(there, database, message) for message in letters(mailed)]
    assert [each["outcome"] for told in rest for each in told] == [
        "accepted", "accepted", "refused", "refused", "refused", "quarantined", "accepted",
        "accepted", "quarantined", "quarantined", "refused",
    ]  # fmt: skip
    assert [each["receipt_to"] for each in rest[8]] == ["Cy@Example.org"]
    # The same letters by other ids, with all games awake, as if each had to be read.
    query(database, "UPDATE games SET wake = '-infinity'; DELETE FROM marks; DELETE FROM mailboxes")
    for message, told in zip(letters(mailed), rest, strict=True):
        again = received(there, database, message.replace(b"@x>", b"@y>").replace(b"row\n", b"row # \n"))
        for new, old in zip(again, told, strict=True):
            assert new == {**old, "message_id": new["message_id"], "orders": new["orders"]}


def test_mail_is_taken_in_without_reading_the_games_that_it_is_not_for(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    office = SharedOffice(database_at(database), tmp_path, with_mailbox=True, warn=pytest.fail)
    with office.open():
        assert list(office.counters) == []
        assert [each.settings.address for each in office.counters.mailboxes()] == ["gm@example.net"]
        office = SharedOffice(database_at(database), tmp_path, with_mailbox=True, warn=pytest.fail)
    (tmp_path / "inbox/1.eml").write_bytes(letters(mailed)[0])
    with office.open():
        told = list(office.receive([str(tmp_path / "inbox")]))
        assert [(each.outcome, each.game) for each in told] == [("accepted", "spring")]
        assert list(office.counters) == ["spring"]


def test_mail_of_a_game_that_cannot_be_read_waits_and_stops_no_other(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    for number, message in enumerate(letters(mailed)[:3]):
        (tmp_path / f"inbox/{number}.eml").write_bytes(message)
    for number, name in enumerate(("winter", "autumn")):
        key = mailed[name]("key", "blue").out.strip()
        (tmp_path / f"inbox/1{number}.eml").write_bytes(letter(f"key: {key}\nrow", 10 + number))
    query(
        database,
        "ALTER TABLE events DISABLE TRIGGER events_change_refused;"
        " UPDATE events SET data = replace(data, 'red', 'sly') WHERE game = 'winter' AND version = 1;",
    )
    ran = tick(tmp_path, database)
    assert ran.status == 1
    assert ran.out.count("accepted spring") == 2
    assert ran.out.count("accepted autumn") == 1
    assert "winter" not in ran.out
    assert ran.err.count("winter: winter in postgresql") == 1, ran.err
    query(
        database,
        "UPDATE events SET data = replace(data, 'sly', 'red') WHERE game = 'winter' AND version = 1;"
        "ALTER TABLE events ENABLE ALWAYS TRIGGER events_change_refused;",
    )
    ran = tick(tmp_path, database)
    assert "accepted winter turn-1 blue" in ran.out
    assert "refused: It holds keys of two different seats" in ran.out
    assert (ran.status, ran.err) == (0, "")


def test_orders_that_the_log_had_before_a_crash_are_found_when_their_game_rests_again(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as crashing:
        crashing.setattr(DatabaseMailroom, "record", crash)
        pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=letters(mailed)[0])
    rows = Game(mailed["spring"].folder).rows
    assert rows[-1].kind == "orders_received"
    host = Game(mailed["spring"].folder)
    shared = database_at(database)
    marks = Counter(host).marks
    query(database, "UPDATE outbox SET state = 'sent', message = NULL")  # as another process would
    shared.sleep("spring", rows[-1].version, host.settings, None, marks=marks, box=Box("", ""))
    assert due(database, AT) == []
    told = received(tmp_path, database, letters(mailed)[0])
    assert [(each["outcome"], each["game"], each["seat"]) for each in told] == [("accepted", "spring", "red")]
    assert Game(mailed["spring"].folder).rows == rows


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
