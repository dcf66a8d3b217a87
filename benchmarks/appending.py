"""Appending to the log, durably, against raw SQLite and against `eventsourcing`."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter

from benchmarks.games import random_contest
from benchmarks.harness import Line, Measured, Options, at_least, interleaved, milliseconds, no_peer
from benchmarks.peers import working
from pbem import dice
from pbem.store import Draft, Log, chained

AT = "2026-11-30T05:55:00.123456Z"
INSERT = (
    "INSERT INTO events (game, version, turn, kind, schema, data, at, salt, prev, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
salt = dice.salts(bytes(32))


def measure(options: Options) -> Measured:
    """One event a transaction, and a thousand."""
    single, many = (3, 20) if options.small else (100, 1000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = random_contest(folder / "game", 2 if options.small else 14)
        drafts = [Draft(row.turn, row.kind, row.schema, row.data) for row in made.rows[1 : many + 1]]
        rows = [tuple(row) for row in chained("game", drafts, None, at=AT, salt=salt)]
        numbers = count()

        def fresh() -> Log:
            log = Log(folder / f"{next(numbers)}.db")
            log.create()
            return log

        def ours_single() -> float:
            log = fresh()
            start = perf_counter()
            for number, draft in enumerate(drafts[:single]):
                log.append("game", [draft], expected=number, at=AT, salt=salt)
            return (perf_counter() - start) / single

        def ours_many() -> float:
            log = fresh()
            start = perf_counter()
            log.append("game", drafts, expected=0, at=AT, salt=salt)
            return perf_counter() - start

        def raw(size: int) -> float:
            """The same rows in the same table, by a connection that stays open."""
            connection = sqlite3.connect(fresh().path, isolation_level=None)
            connection.execute("PRAGMA synchronous = FULL")
            start = perf_counter()
            for first in range(0, single if size == 1 else many, size):
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(INSERT, rows[first : first + size])
                connection.execute("COMMIT")
            seconds = perf_counter() - start
            connection.close()
            return seconds / single if size == 1 else seconds

        things: dict[str, Callable[[], float]] = {
            "ours": ours_single,
            "raw": partial(raw, 1),
            "ours many": ours_many,
            "raw many": partial(raw, many),
            "sync": partial(one_sync, folder),
        }
        if options.peers is None:
            found = interleaved(options.runs, things)
        else:
            events = folder / "events.jsonl"
            lines = (json.dumps([draft.kind, json.loads(draft.data)]) for draft in drafts)
            events.write_text("\n".join(lines), "utf-8")
            with working(options.peers, "appending", str(events), str(folder), str(single)) as worker:
                found = interleaved(options.runs, things | {"peer": worker.seconds})
    return Measured(
        "Appending",
        "Durably: each transaction is on the disk before the next begins. Ours checks file and version,"
        " salts, hashes and chains each row; raw SQLite has rows that are ready, with the same table,"
        " triggers, rollback journal and `synchronous = FULL`. All without the search for cycles, as the"
        " command runs.",
        tuple(_lines(found, many)),
        (_waiting(found["sync"]),),
    )


def _waiting(sync: float) -> str:
    return (
        f"One `fsync` of a small file took {milliseconds(sync)} there. A rollback journal waits for several"
        " in each transaction, the write-ahead log that `eventsourcing` chooses for one; a game's log is one"
        " file that can be copied at any time, which a write-ahead log is not."
    )


def _lines(found: dict[str, float], many: int) -> list[Line]:
    one = "one event a transaction"
    save = "`eventsourcing` Application.save, as it comes"
    peer = (
        at_least(one, found["ours"], save, found["peer"], 1.5, milliseconds)
        if "peer" in found
        else no_peer(one, save)
    )
    return [
        at_least(one, found["ours"], "raw sqlite3", found["raw"], 0.8, milliseconds),
        peer,
        at_least(
            f"{many:,} events in one transaction",
            found["ours many"],
            "raw sqlite3",
            found["raw many"],
            0.6,
            milliseconds,
        ),
    ]


def one_sync(folder: Path) -> float:
    """Seconds in which the disk takes one small change: what durable costs here."""
    with (folder / "sync").open("ab") as file:
        file.write(b"x" * 4096)
        file.flush()
        start = perf_counter()
        os.fsync(file.fileno())
        return perf_counter() - start
