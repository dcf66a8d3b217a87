"""From a log's file to its state, against raw reading and against `eventsourcing`."""

import gc
import json
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from benchmarks.games import random_contest
from benchmarks.harness import Measured, Options, at_least, interleaved, microseconds, no_peer
from benchmarks.peers import working
from pbem.files import LOG
from pbem.history import Fold
from pbem.rulesets import find_ruleset
from pbem.store import Log

SELECT = "SELECT game, version, turn, kind, schema, data, at, salt, prev, hash FROM events ORDER BY seq"


def measure(options: Options) -> Measured:
    """Seconds an event, of processor time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = random_contest(folder / "game", 2 if options.small else 100)
        path, events, ruleset = game.folder / LOG, len(game.rows), find_ruleset("flux")

        def ours() -> float:
            start = process_time()
            Fold(ruleset, Log(path).rows()).history().state  # noqa: B018 - folds
            return (process_time() - start) / events

        def raw() -> float:
            start = process_time()
            connection = sqlite3.connect(path)
            kept = [(row, json.loads(row[5])) for row in connection.execute(SELECT)]
            connection.close()
            assert len(kept) == events
            return (process_time() - start) / events

        things: dict[str, Callable[[], float]] = {"ours": _alone(ours), "raw": _alone(raw)}
        if options.peers is None:
            found = interleaved(options.runs, things)
        else:
            kept = folder / "events.jsonl"
            lines = (json.dumps([row.kind, json.loads(row.data)]) for row in game.rows)
            kept.write_text("\n".join(lines), "utf-8")
            with working(options.peers, "reading", str(kept), str(folder)) as worker:
                found = interleaved(options.runs, things | {"peer": worker.seconds})
    what, get = "an event, from file to state", "`eventsourcing` repository.get"
    return Measured(
        "From file to state",
        f"Reading {events:,} events of six wizards, checking the hashes of all, decoding them strictly and"
        " folding them into the position, the history of the turns beside it. Raw is reading the same rows"
        " and `json.loads` of their data. The peer reads and folds the same events, with no hashes and no"
        " checking of fields. Processor time; all without the search for cycles, as the command runs.",
        (
            at_least(what, found["ours"], "raw read and json.loads", found["raw"], 0.5, microseconds),
            at_least(what, found["ours"], get, found["peer"], 5, microseconds)
            if "peer" in found
            else no_peer(what, get, microseconds(found["ours"])),
        ),
    )


def _alone(run: Callable[[], float]) -> Callable[[], float]:
    """With what the run before left behind swept away."""

    def swept() -> float:
        gc.collect()
        return run()

    return swept
