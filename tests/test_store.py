"""The event log: what is appended stays, whole and in its chain, or a sentence says what is wrong."""

import json
import sqlite3
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import dice, store
from pbem.errors import Conflict, Damaged, PbemError
from pbem.store import FIRST_PREV, Draft, Log, row_json

AT = "2026-11-30T05:55:00.123456Z"


salt = partial(dice.salt, bytes(32))


def draft(text: str, turn: int = 0) -> Draft:
    return Draft(turn, "noted", 1, json.dumps({"text": text}, separators=(",", ":"), ensure_ascii=False))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    made = Log(tmp_path / "pbem.db")
    made.create()
    made.append("grob", [draft("one"), draft("zwölf 🧙")], expected=0, at=AT, salt=salt)
    return made


def test_rows_come_back_in_order_and_chained(log: Log) -> None:
    log.append("grob", [draft("three", 1)], expected=2, at=AT, salt=salt)
    rows = log.rows()
    assert [row.version for row in rows] == [1, 2, 3]
    assert [row.prev for row in rows] == [FIRST_PREV, rows[0].hash, rows[1].hash]
    assert [json.loads(row.data)["text"] for row in rows] == ["one", "zwölf 🧙", "three"]
    assert [name for name in row_json(rows[2], {}) if name != "data"] == [
        "version", "turn", "kind", "schema", "at", "salt", "prev", "hash",
    ]  # fmt: skip


def test_the_table_is_as_published(log: Log) -> None:
    with sqlite3.connect(log.path) as connection:
        columns = [(name, kind) for _, name, kind, *_ in connection.execute("PRAGMA table_info(events)")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    texts = dict.fromkeys(("game", "kind", "data", "at", "salt", "prev", "hash"), "TEXT")
    assert dict(columns) == texts | dict.fromkeys(("seq", "version", "turn", "schema"), "INTEGER")


@pytest.mark.parametrize(
    "change",
    ["UPDATE events SET turn = 9", "DELETE FROM events", "REPLACE INTO events SELECT * FROM events"],
)
def test_the_table_refuses_what_is_no_append(log: Log, change: str) -> None:
    connection = sqlite3.connect(log.path)
    connection.execute("PRAGMA recursive_triggers = on")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change)
    connection.close()


def test_who_comes_second_is_told_both_versions_and_appends_nothing(log: Log) -> None:
    before = log.path.read_bytes()
    with pytest.raises(Conflict, match=r"version 1 .* version 2;"):
        log.append("grob", [draft("late")], expected=1, at=AT, salt=salt)
    assert log.path.read_bytes() == before


def test_a_command_appends_all_or_nothing(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> tuple[store.Row, ...]:
        rows = chained("grob", [draft("a"), draft("b")], log.rows()[-1], at=AT, salt=salt)
        return (rows[0], rows[1]._replace(version=rows[0].version))

    chained = store.chained
    monkeypatch.setattr(store, "chained", broken)
    with pytest.raises(PbemError):
        log.append("grob", [draft("a"), draft("b")], expected=2, at=AT, salt=salt)
    assert [row.version for row in log.rows()] == [1, 2]


@given(
    st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * 4),
    st.tuples(st.integers(0, 10**9), st.integers(0, 9)),
)
def test_hashes_are_those_of_the_published_form(texts: tuple[str, ...], numbers: tuple[int, int]) -> None:
    """docs/formats.md, written out with the standard library alone."""
    game, kind, data, at = texts
    turn, schema = numbers
    (row,) = store.chained(game, [Draft(turn, kind, schema, data)], None, at=at, salt=salt)
    digest = sha256((salt(1) + data).encode()).hexdigest()
    listed = [FIRST_PREV, game, 1, turn, kind, schema, at, digest]
    form = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert row.digest == digest
    assert row.hash == store.row_hash(row) == sha256(form.encode()).hexdigest()
    assert row.follows(FIRST_PREV, 1)
    assert store.checked((row,), "it") == (row,)


def test_a_log_is_not_made_over_another(log: Log) -> None:
    with pytest.raises(FileExistsError):
        log.create()


def test_a_locked_log_is_waited_for_and_then_told(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "TIMEOUT", 0.05)
    holder = sqlite3.connect(log.path)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Conflict, match=r"pbem\.db is locked by another program; try again"):
        log.rows()
    with pytest.raises(Conflict, match="is locked"):
        log.append("grob", [draft("x")], expected=2, at=AT, salt=salt)
    holder.close()
    assert len(log.rows()) == 2


def changed_by(*statements: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            for name in ("events_UPDATE_refused", "events_DELETE_refused"):
                connection.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                connection.execute(statement)
        connection.close()

    return change


DAMAGE: dict[str, Callable[[Path], None]] = {
    "data": changed_by("UPDATE events SET data = replace(data, 'one', 'won') WHERE version = 1"),
    "salt": changed_by("UPDATE events SET salt = upper(salt) || 'x' WHERE version = 1"),
    "turn": changed_by("UPDATE events SET turn = 7 WHERE version = 2"),
    "kind": changed_by("UPDATE events SET kind = 'told' WHERE version = 2"),
    "at": changed_by("UPDATE events SET at = '2027-11-30T05:55:00.123456Z' WHERE version = 2"),
    "game": changed_by("UPDATE events SET game = 'other'"),
    "removed": changed_by("DELETE FROM events WHERE version = 1"),
    "swapped": changed_by("UPDATE events SET seq = 9 WHERE version = 1"),
    "emptied": changed_by("DELETE FROM events"),
    "no table": changed_by("DROP TABLE events"),
    "a blob": changed_by(
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events AS SELECT * FROM old",
        "UPDATE events SET data = x'ff' WHERE version = 2",
    ),
    "a number as text": changed_by(
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events (seq, game, version, turn, kind, schema, data, at, salt, prev, hash)",
        "INSERT INTO events SELECT * FROM old",
        "UPDATE events SET turn = CAST(turn AS TEXT) WHERE version = 2",
    ),
    "a number with a point": changed_by(
        "ALTER TABLE events RENAME TO old",
        "CREATE TABLE events (seq, game, version, turn, kind, schema, data, at, salt, prev, hash)",
        "INSERT INTO events SELECT * FROM old",
        "UPDATE events SET schema = 1.0 WHERE version = 2",
    ),
    "no UTF-8": changed_by("UPDATE events SET data = CAST(x'ff' AS TEXT) WHERE version = 2"),
    "another file": lambda path: (path.write_text("A letter.\n" * 500), None)[1],
    "an empty file": lambda path: (path.write_bytes(b""), None)[1],
    "zeros": lambda path: (path.write_bytes(path.read_bytes()[:4096] + bytes(8192)), None)[1],
    "missing": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_is_told_in_one_sentence(log: Log, damage: Callable[[Path], None]) -> None:
    damage(log.path)
    with pytest.raises(Damaged, match=r"pbem\.db") as told:
        log.rows()
    assert "put back a backup" in str(told.value)
