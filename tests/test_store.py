"""The event log: what is appended stays, whole and in its chain, or a sentence says what is wrong.

The same tests for both stores: `store` is a log in a file, and one on a real PostgreSQL server.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Thread
from typing import Protocol

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbem
from pbem import dice, home
from pbem import store as store_module
from pbem.errors import Conflict, Damaged, NotNow, PbemError
from pbem.store import FIRST_PREV, Draft, EventLog, Log, Row, chained, checked, row_hash, row_json
from pbem.store_postgres import Database, PostgresLog

AT = "2026-11-30T05:55:00.123456Z"


salt = partial(dice.salt, bytes(32))


def draft(text: str, turn: int = 0) -> Draft:
    return Draft(turn, "noted", 1, json.dumps({"text": text}, separators=(",", ":"), ensure_ascii=False))


class Store(Protocol):
    """A store under test: how to make a log in it, and to change what is kept behind its back."""

    log: EventLog
    name: str
    """A pattern of what a sentence calls it."""

    def change(self, *statements: str, guards: bool = False) -> None:
        """Run SQL on the table; `guards`: with its guards still there."""

    def bytes(self) -> object:
        """What is kept, as a value to compare."""

    def another(self) -> EventLog:
        """The same log, as another process meets it."""


class InFile:
    name = r"pbem\.db"

    def __init__(self, folder: Path) -> None:
        self.log: Log = Log(folder / "pbem.db")
        self.log.create()

    def change(self, *statements: str, guards: bool = False) -> None:
        with sqlite3.connect(self.log.path) as connection:
            connection.execute("PRAGMA recursive_triggers = on")
            for name in () if guards else ("events_UPDATE_refused", "events_DELETE_refused"):
                connection.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def bytes(self) -> object:
        return self.log.path.read_bytes()

    def another(self) -> EventLog:
        return Log(self.log.path)


class InDatabase:
    name = r"grob in postgresql://owner@127\.0\.0\.1:\d+/\w+"

    def __init__(self, url: str) -> None:
        self.url = url
        self.opened: list[Database] = []
        database = home.database_at(url)
        database.make_tables()
        with database.statement() as connection:
            connection.execute("INSERT INTO games (game) VALUES ('grob'), ('moor')")
        self.log: EventLog = PostgresLog(database, "grob")
        # A game beside it, which nothing here may touch or show.
        PostgresLog(database, "moor").append("moor", [draft("fog")], expected=0, at=AT, salt=salt)

    def change(self, *statements: str, guards: bool = False) -> None:
        with psycopg.connect(self.url) as connection:
            if not guards:
                connection.execute("ALTER TABLE events DISABLE TRIGGER events_change_refused")
                connection.execute("ALTER TABLE events DROP CONSTRAINT events_game_version")
            for statement in statements:
                connection.execute(statement.encode())
        connection.close()

    def bytes(self) -> object:
        with psycopg.connect(self.url) as connection:
            found = connection.execute("SELECT * FROM events ORDER BY seq").fetchall()
        connection.close()
        return found

    def another(self) -> EventLog:
        self.opened.append(Database(self.url))
        return PostgresLog(self.opened[-1], "grob")


@pytest.fixture(params=["file", "database"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: InFile | InDatabase
    made = InFile(tmp_path) if request.param == "file" else InDatabase(request.getfixturevalue("database"))
    made.log.append("grob", [draft("one"), draft("zwölf 🧙")], expected=0, at=AT, salt=salt)
    yield made
    for each in made.opened if isinstance(made, InDatabase) else ():
        each.close()


@pytest.fixture
def log(tmp_path: Path) -> Log:
    made = InFile(tmp_path).log
    made.append("grob", [draft("one"), draft("zwölf 🧙")], expected=0, at=AT, salt=salt)
    return made


def test_rows_come_back_in_order_and_chained(store: Store) -> None:
    store.log.append("grob", [draft("three", 1)], expected=2, at=AT, salt=salt)
    rows = store.another().rows()
    assert [row.version for row in rows] == [1, 2, 3]
    assert [row.prev for row in rows] == [FIRST_PREV, rows[0].hash, rows[1].hash]
    assert [json.loads(row.data)["text"] for row in rows] == ["one", "zwölf 🧙", "three"]
    assert [name for name in row_json(rows[2], {}) if name != "data"] == [
        "version", "turn", "kind", "schema", "at", "salt", "prev", "hash",
    ]  # fmt: skip


def test_both_stores_give_the_same_rows(store: Store, tmp_path: Path) -> None:
    """A log's bytes do not tell where it is kept; what is hard to keep is kept by both."""
    texts = ["\0", "\\u0000", "\x7f\x85\u2028", "\U0010ffff", "'\"$1 %s \\", "x" * 1_000_000]
    drafts = [draft(text) for text in texts]
    given = store.log.append("grob", drafts, expected=2, at=AT, salt=salt)
    (tmp_path / "other").mkdir()
    other = InFile(tmp_path / "other").log
    other.append("grob", [draft("one"), draft("zwölf 🧙")], expected=0, at=AT, salt=salt)
    other.append("grob", drafts, expected=2, at=AT, salt=salt)
    assert store.another().rows() == other.rows()
    assert other.rows()[2:] == given


def test_a_copy_as_a_file_has_the_same_rows(store: Store, tmp_path: Path) -> None:
    store.log.copy_to(tmp_path / "copy.db")
    assert Log(tmp_path / "copy.db").rows() == store.log.rows()
    assert Log(tmp_path / "copy.db").faults_of_file() == ()


def test_the_table_is_as_published(log: Log) -> None:
    with sqlite3.connect(log.path) as connection:
        columns = [(name, kind) for _, name, kind, *_ in connection.execute("PRAGMA table_info(events)")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    texts = dict.fromkeys(("game", "kind", "data", "at", "salt", "prev", "hash"), "TEXT")
    assert dict(columns) == texts | dict.fromkeys(("seq", "version", "turn", "schema"), "INTEGER")


def test_the_table_in_a_database_has_the_same_columns(database: str, log: Log) -> None:
    with sqlite3.connect(log.path) as connection:
        columns = [(name, kind) for _, name, kind, *_ in connection.execute("PRAGMA table_info(events)")]
    connection.close()
    InDatabase(database)
    with psycopg.connect(database) as server:
        found = server.execute(
            "SELECT column_name, data_type, is_nullable FROM information_schema.columns"
            " WHERE table_name = 'events' AND table_schema = current_schema() ORDER BY ordinal_position"
        ).fetchall()
    server.close()
    alike = {"TEXT": {"text"}, "INTEGER": {"integer", "bigint"}}
    assert [name for name, *_ in found] == [name for name, _ in columns]
    assert all(kind in alike[other] for (_, kind, _), (_, other) in zip(found, columns, strict=True))
    assert {nullable for *_, nullable in found} == {"NO"}


CHANGES = {
    "file": ["UPDATE events SET turn = 9", "DELETE FROM events", "REPLACE INTO events SELECT * FROM events"],
    "database": [
        "UPDATE events SET turn = 9",
        "UPDATE events SET turn = 9 WHERE version = 99",
        "DELETE FROM events",
        "TRUNCATE events",
        "TRUNCATE games CASCADE; TRUNCATE events",
        "SET session_replication_role = replica; DELETE FROM events",
        "WITH gone AS (DELETE FROM events RETURNING *) SELECT FROM gone",
        "INSERT INTO events SELECT * FROM events ON CONFLICT (game, version) DO UPDATE SET turn = 9",
        "MERGE INTO events USING games ON events.game = games.game WHEN MATCHED THEN DELETE",
    ],
}


@pytest.mark.parametrize("number", range(max(map(len, CHANGES.values()))))
def test_the_table_refuses_what_is_no_append(store: Store, number: int) -> None:
    changes = CHANGES["file" if isinstance(store, InFile) else "database"]
    before = store.bytes()
    # More changes can be tried on the one than on the other; the last one is tried again.
    change = changes[min(number, len(changes) - 1)]
    kind = sqlite3.IntegrityError if isinstance(store, InFile) else psycopg.errors.IntegrityError
    if isinstance(store, InDatabase) and "OVERRIDING" not in change:
        change = change.replace(
            "INSERT INTO events SELECT", "INSERT INTO events OVERRIDING SYSTEM VALUE SELECT"
        )
    with pytest.raises(kind, match="append-only"):
        store.change(change, guards=True)
    assert store.bytes() == before
    assert store.log.faults_of_file() == ()


def test_a_version_that_is_there_is_refused_by_the_table(store: Store) -> None:
    columns = "game, version, turn, kind, schema, data, at, salt, prev, hash"
    kind = sqlite3.IntegrityError if isinstance(store, InFile) else psycopg.errors.UniqueViolation
    with pytest.raises(kind):
        store.change(f"INSERT INTO events ({columns}) SELECT {columns} FROM events", guards=True)  # noqa: S608


def test_who_comes_second_is_told_both_versions_and_appends_nothing(store: Store) -> None:
    before = store.bytes()
    with pytest.raises(Conflict, match=r"version 1 .* version 2;"):
        store.log.append("grob", [draft("late")], expected=1, at=AT, salt=salt)
    assert store.bytes() == before


def test_of_many_at_once_one_appends(store: Store) -> None:
    """Eight processes' worth of threads, each with its own connection, all from version 2."""
    logs = [store.another() for _ in range(8)]
    barrier = Barrier(len(logs))

    def compete(number: int) -> str:
        barrier.wait()
        try:
            drafts = [draft(f"{number} {place}") for place in range(3)]
            logs[number].append("grob", drafts, expected=2, at=AT, salt=salt)
        except Conflict as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(len(logs)) as threads:
        told = list(threads.map(compete, range(len(logs))))
    assert told.count("") == 1
    assert all(re.search(r"version 2 .* version 5;", each) for each in told if each)
    (winner,) = (number for number, each in enumerate(told) if not each)
    assert [json.loads(row.data)["text"] for row in store.log.rows()[2:]] == [
        f"{winner} {place}" for place in range(3)
    ]


def test_a_command_appends_all_or_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> tuple[Row, ...]:
        rows = chained("grob", [draft("a"), draft("b")], store.log.rows()[-1], at=AT, salt=salt)
        return (rows[0], rows[1]._replace(version=rows[0].version))

    for module in (pbem.store, pbem.store_postgres):
        monkeypatch.setattr(module, "chained", broken)
    with pytest.raises(PbemError):
        store.log.append("grob", [draft("a"), draft("b")], expected=2, at=AT, salt=salt)
    assert [row.version for row in store.log.rows()] == [1, 2]


@given(
    st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * 4),
    st.tuples(st.integers(0, 10**9), st.integers(0, 9)),
)
def test_hashes_are_those_of_the_published_form(texts: tuple[str, ...], numbers: tuple[int, int]) -> None:
    """docs/formats.md, written out with the standard library alone."""
    game, kind, data, at = texts
    turn, schema = numbers
    (row,) = chained(game, [Draft(turn, kind, schema, data)], None, at=at, salt=salt)
    digest = sha256((salt(1) + data).encode()).hexdigest()
    listed = [FIRST_PREV, game, 1, turn, kind, schema, at, digest]
    form = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert row.digest == digest
    assert row.hash == row_hash(row) == sha256(form.encode()).hexdigest()
    assert row.follows(FIRST_PREV, 1)
    assert checked((row,), "it") == (row,)


def test_a_log_is_not_made_over_another(log: Log) -> None:
    with pytest.raises(FileExistsError):
        log.create()


def test_a_log_that_was_put_in_place_of_another_is_the_one_that_is_read(log: Log, tmp_path: Path) -> None:
    """As a restored backup is, while a program goes on that has read the log before."""
    log.append("game", [draft("old")], expected=2, at=AT, salt=salt)
    other = Log(tmp_path / "other.db")
    other.create()
    other.append("game", [draft("new"), draft("newer")], expected=0, at=AT, salt=salt)
    other.path.replace(log.path)
    assert [row.data for row in log.rows()] == ['{"text":"new"}', '{"text":"newer"}']
    log.append("game", [draft("newest")], expected=2, at=AT, salt=salt)
    assert len(Log(log.path).rows()) == 3
    log.path.unlink()
    with pytest.raises(Damaged, match="is missing"):
        log.rows()


def test_a_log_can_be_handed_from_thread_to_thread_and_to_a_child(log: Log) -> None:
    log.append("grob", [draft("one")], expected=2, at=AT, salt=salt)

    def two() -> None:
        log.append("grob", [draft("two")], expected=3, at=AT, salt=salt)

    thread = Thread(target=two)
    thread.start()
    thread.join()
    child = get_context("fork").Process(
        target=log.append, args=("grob", [draft("three")]), kwargs={"expected": 4, "at": AT, "salt": salt}
    )
    child.start()
    child.join()
    assert child.exitcode == 0
    log.append("grob", [draft("four")], expected=5, at=AT, salt=salt)
    assert [row.data for row in log.rows()[2:]] == [
        draft(text).data for text in ("one", "two", "three", "four")
    ]


def test_a_thread_lets_go_of_no_connection_but_its_own(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread opens the log just when this one is about to close it."""
    whole = log.rows()
    log.path.with_name("other.db").write_bytes(log.path.read_bytes())
    log.path.with_name("other.db").replace(log.path)
    here, calls, found = store_module._here, count(1), []

    def just_then() -> tuple[int, int]:
        if next(calls) == 2:
            thread = Thread(target=lambda: found.append(log.rows()))
            thread.start()
            thread.join()
        return here()

    monkeypatch.setattr(store_module, "_here", just_then)
    assert log.rows() == whole
    assert found == [whole]


def test_what_fails_within_leaves_the_log_held(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when `pbem copy` checks a log that it holds: others still wait, and what failed is what is told."""
    with log.leaving() as close:
        with monkeypatch.context() as patched:
            patched.setattr(store_module, "_READ", "SELECT nothing FROM nowhere")
            assert log.rows_until_damage()[1] is not None
        with (
            closing(sqlite3.connect(log.path, timeout=0, isolation_level=None)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")
        close()
    with pytest.raises(NotNow, match="was moved"):
        log.append("grob", [draft("more")], expected=2, at=AT, salt=salt)


def test_a_copy_stands_alone_whatever_was_made_of_the_log(log: Log, tmp_path: Path) -> None:
    """In SQLite's other journal mode a folder that cannot be written is one whose log cannot be read."""
    with closing(sqlite3.connect(log.path)) as tool:
        assert tool.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    log.append("grob", [draft("one")], expected=2, at=AT, salt=salt)
    log.copy_to(tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert Log(tmp_path / "copy.db").rows() == log.rows()


def test_an_open_log_holds_up_nobody(log: Log) -> None:
    log.append("grob", [draft("one")], expected=2, at=AT, salt=salt)
    log.rows()
    with closing(sqlite3.connect(log.path, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        other.execute("COMMIT")


def test_a_locked_log_is_waited_for_and_then_told(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem.store, "TIMEOUT", 0.05)
    holder = sqlite3.connect(log.path)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Conflict, match=r"pbem\.db is locked by another program; try again"):
        log.rows()
    with pytest.raises(Conflict, match="is locked"):
        log.append("grob", [draft("x")], expected=2, at=AT, salt=salt)
    holder.close()
    assert len(log.rows()) == 2


def changed_by(*statements: str) -> Callable[[Store], None]:
    return lambda store: store.change(*statements)


DAMAGE: dict[str, Callable[[Store], None]] = {
    "data": changed_by("UPDATE events SET data = replace(data, 'one', 'won') WHERE version = 1"),
    "salt": changed_by("UPDATE events SET salt = upper(salt) || 'x' WHERE version = 1"),
    "turn": changed_by("UPDATE events SET turn = 7 WHERE version = 2"),
    "kind": changed_by("UPDATE events SET kind = 'told' WHERE version = 2"),
    "schema": changed_by("UPDATE events SET schema = 2 WHERE version = 2"),
    "at": changed_by("UPDATE events SET at = '2027-11-30T05:55:00.123456Z' WHERE version = 2"),
    "game": changed_by("UPDATE events SET game = 'other' WHERE game = 'grob'"),
    "removed": changed_by("DELETE FROM events WHERE version = 1"),
    "renumbered": changed_by("UPDATE events SET version = version + 10 WHERE game = 'grob'"),
    "emptied": changed_by("DELETE FROM events"),
    "no table": changed_by("DROP TABLE events"),
    "other columns": changed_by("ALTER TABLE events RENAME COLUMN hash TO sum"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_is_told_in_one_sentence(store: Store, damage: Callable[[Store], None]) -> None:
    damage(store)
    with pytest.raises(Damaged) as told:
        store.another().rows()
    assert re.search(rf"{store.name.replace('grob in ', '(grob in )?')}\b.*[^.]\.$", str(told.value))
    assert "b@d" not in str(told.value)


DAMAGE_OF_FILES: dict[str, Callable[[Path], None]] = {
    "swapped": lambda path: sql(path, "UPDATE events SET seq = 9 WHERE version = 1"),
    "a blob": lambda path: sql(
        path,
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events AS SELECT * FROM old",
        "UPDATE events SET data = x'ff' WHERE version = 2",
    ),
    "a number as text": lambda path: sql(
        path,
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events (seq, game, version, turn, kind, schema, data, at, salt, prev, hash)",
        "INSERT INTO events SELECT * FROM old",
        "UPDATE events SET turn = CAST(turn AS TEXT) WHERE version = 2",
    ),
    "a number with a point": lambda path: sql(
        path,
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events (seq, game, version, turn, kind, schema, data, at, salt, prev, hash)",
        "INSERT INTO events SELECT * FROM old",
        "UPDATE events SET schema = 1.0 WHERE version = 2",
    ),
    "no UTF-8": lambda path: sql(path, "UPDATE events SET data = CAST(x'ff' AS TEXT) WHERE version = 2"),
    "another file": lambda path: (path.write_text("A letter.\n" * 500), None)[1],
    "an empty file": lambda path: (path.write_bytes(b""), None)[1],
    "zeros": lambda path: (path.write_bytes(path.read_bytes()[:4096] + bytes(8192)), None)[1],
    "missing": lambda path: path.unlink(),
}


def sql(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for name in ("events_UPDATE_refused", "events_DELETE_refused"):
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("damage", DAMAGE_OF_FILES.values(), ids=DAMAGE_OF_FILES)
def test_damage_of_a_file_is_told_in_one_sentence(log: Log, damage: Callable[[Path], None]) -> None:
    damage(log.path)
    with pytest.raises(Damaged, match=r"pbem\.db") as told:
        log.rows()
    assert "put back a backup" in str(told.value)


GUARDS = {
    "file": ["DROP TRIGGER events_UPDATE_refused", "DROP TRIGGER events_DELETE_refused"],
    "database": [
        "DROP TRIGGER events_change_refused ON events",
        "ALTER TABLE events DISABLE TRIGGER events_change_refused",
        "ALTER TABLE events ENABLE REPLICA TRIGGER events_change_refused",
        """CREATE OR REPLACE TRIGGER events_change_refused BEFORE UPDATE ON events
        EXECUTE FUNCTION events_refused()""",
    ],
}


@pytest.mark.parametrize("number", range(4))
def test_a_guard_that_is_gone_is_told(store: Store, number: int) -> None:
    guards = GUARDS["file" if isinstance(store, InFile) else "database"]
    store.change(guards[min(number, len(guards) - 1)], guards=True)
    (fault,) = store.another().faults_of_file()
    assert re.fullmatch("the triggers? that refuses? changes (is|are) gone( or disabled)?", fault)
    assert len(store.another().rows()) == 2
