"""Damaged copies of a log: `verify` finds every one that changes an event, and no command hides one.

2,000 at full scale: one byte, one value through SQL with the triggers dropped, a row removed, inserted
or swapped, and the tail cut off, which the hash in the last report shows.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.game import Game
from tests import golden
from tests.commands import pbem
from tests.scale import scaled

COLUMNS = ("game", "version", "turn", "kind", "schema", "data", "at", "salt", "prev", "hash")
Damage = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with its reports written; short, so that each copy is checked in no time."""
    top = tmp_path_factory.mktemp("whole")
    folder = golden.unpack(golden.GAMES / "duel.jsonl", top / "duel")
    assert pbem("-C", folder, "report").status == 0
    for path in [*(folder / "players").rglob("*"), *(folder / "gm").rglob("*")]:
        if path.is_file() and path.name != "log.txt":
            path.unlink()
    return folder


def one_byte(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    place = dice.randrange(len(data))
    data[place] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def by_sql(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    with sqlite3.connect(path) as connection:
        for verb in ("UPDATE", "DELETE"):
            connection.execute(f"DROP TRIGGER events_{verb}_refused")
        connection.execute("DROP INDEX IF EXISTS idx_events_game_version")
        for statement, values in statements:
            connection.execute(statement, values)
    connection.close()


def row_count(path: Path) -> int:
    connection = sqlite3.connect(path)
    (count,) = connection.execute("SELECT count(*) FROM events").fetchone()
    connection.close()
    return int(count)


def one_value(path: Path, dice: random.Random) -> None:
    version, column = dice.randint(1, row_count(path)), dice.choice(COLUMNS)
    connection = sqlite3.connect(path)
    (was,) = connection.execute(f"SELECT {column} FROM events WHERE version = ?", (version,)).fetchone()  # noqa: S608
    connection.close()
    if isinstance(was, int):
        now: object = was + dice.choice((-1, 1, 1000))
    else:
        place = dice.randrange(len(was))
        now = (
            was[:place]
            + dice.choice([sign for sign in "0123456789abcxyz" if sign != was[place]])
            + was[place + 1 :]
        )
    by_sql(path, (f"UPDATE events SET {column} = ? WHERE version = ?", (now, version)))  # noqa: S608


def removed(path: Path, dice: random.Random) -> None:
    # The last row's removal is the cut tail's business.
    by_sql(path, ("DELETE FROM events WHERE version = ?", (dice.randint(1, row_count(path) - 1),)))


def inserted(path: Path, dice: random.Random) -> None:
    count = row_count(path)
    like, place = dice.randint(1, count), dice.randint(1, count + 1)
    by_sql(
        path,
        ("UPDATE events SET seq = -seq - 1 WHERE version >= ?", (place,)),
        ("UPDATE events SET version = -version - 1 WHERE version >= ?", (place,)),
        ("UPDATE events SET seq = -seq, version = -version WHERE seq < 0", ()),
        (
            (
                "INSERT INTO events SELECT ?, game, ?, turn, kind, schema, data, at, salt, prev, hash"
                " FROM events WHERE version = ?"
            ),
            (place, place, like if like < place else like + 1),
        ),
    )


def swapped(path: Path, dice: random.Random) -> None:
    one, other = dice.sample(range(1, row_count(path) + 1), 2)
    columns = [column for column in COLUMNS if column != "version" or dice.random() < 0.5]
    connection = sqlite3.connect(path)
    select = f"SELECT {', '.join(columns)} FROM events WHERE version = ?"  # noqa: S608
    rows = {version: connection.execute(select, (version,)).fetchone() for version in (one, other)}
    connection.close()
    sets = ", ".join(f"{column} = ?" for column in columns)
    by_sql(
        path,
        (f"UPDATE events SET {sets} WHERE seq = ?", (*rows[other], one)),  # noqa: S608
        (f"UPDATE events SET {sets} WHERE seq = ?", (*rows[one], other)),  # noqa: S608
    )


def cut(path: Path, dice: random.Random) -> None:
    """One row or many, in the middle of a turn too."""
    by_sql(path, ("DELETE FROM events WHERE version > ?", (dice.randint(1, row_count(path) - 1),)))


DAMAGES: dict[str, tuple[Damage, int]] = {
    "one byte": (one_byte, 800),
    "one value": (one_value, 600),
    "a row removed": (removed, 150),
    "a row inserted": (inserted, 150),
    "two rows swapped": (swapped, 150),
    "the tail cut": (cut, 150),
}
assert sum(count for _, count in DAMAGES.values()) == 2000


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_copy_is_found(name: str, whole: Path, tmp_path: Path) -> None:
    damage, count = DAMAGES[name]
    dice = random.Random(name)
    good_rows, good_state = Game(whole).rows, pbem("-C", whole, "state", "--json").out
    folder = Path(shutil.copytree(whole, tmp_path / "duel"))
    log = folder / "pbem.db"
    unharmed = 0
    for number in range(scaled(count)):
        shutil.copy(whole / "pbem.db", log)
        damage(log, dice)
        told = pbem("-C", folder, "verify", "--json")
        found = json.loads(told.out)
        rows, broken = Game(folder).log.rows_until_damage()
        if broken is None and rows == good_rows:
            unharmed += 1
            assert (told.status, found["ok"], found["differs"]) == (0, True, []), number
        elif name == "the tail cut":
            assert (told.status, found["ok"]) == (0, True)
            assert any("rows were cut off" in each["what"] for each in found["differs"]), number
        else:
            assert (told.status, found["ok"]) == (1, False), number
            assert found["first"]["version"] >= 1
        ran = pbem("-C", folder, "state", "--json")
        said = ran.err != ""
        assert said or ran.out == good_state, number
        assert ran.status == 0 or ran.sentence
    if name != "one byte":
        assert unharmed == 0
