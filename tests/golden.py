"""Golden games: whole logs as text, which every later version must read, with their hashes and throws.

A file has a first line `{"secret": …, "ruleset_version": …, "hash": …}` and then a list of columns for
each row. `python -m tests.golden FOLDER FILE.jsonl` writes one from a game folder.
"""

import json
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.game import Game
from pbem.store import Draft, Log, Row

__all__ = ["FILES", "GAMES", "Draft", "dump", "read", "unpack", "write_log"]

GAMES = Path(__file__).parent / "games"
FILES = sorted(GAMES.glob("*.jsonl"))


def read(path: Path) -> tuple[dict[str, Any], list[Row]]:
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads(first), [Row(*json.loads(line)) for line in lines]


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """A log file that holds just these rows, whatever they say."""
    Log(path).create()
    with sqlite3.connect(path) as connection:
        columns = "game, version, turn, kind, schema, data, at, salt, prev, hash"
        insert = f"INSERT INTO events ({columns}) VALUES (?,?,?,?,?,?,?,?,?,?)"  # noqa: S608 - our own names
        connection.executemany(insert, rows)
    connection.close()


def unpack(path: Path, folder: Path) -> Path:
    """The golden game in a folder as a GM would have it, its reports not yet written."""
    about, rows = read(path)
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text("[turns]\nevery = '7d'\n", encoding="utf-8")
    (folder / "secret.key").write_text(about["secret"] + "\n", encoding="ascii")
    (folder / "secret.key").chmod(0o600)
    write_log(folder / "pbem.db", rows)
    return folder


def dump(folder: Path, path: Path) -> None:
    game = Game(folder)
    about = {
        "secret": game.secret.hex(),
        "ruleset_version": game.contest.created.ruleset_version,
        "hash": game.rows[-1].hash,
    }
    lines = [about, *map(list, game.rows)]
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    dump(Path(sys.argv[1]), Path(sys.argv[2]))
