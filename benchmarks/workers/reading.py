"""repository.get of `eventsourcing` with the same events as a log of pbem's: FILE, FOLDER.

FILE has a JSON list of [kind, data] a line. The aggregate keeps what a position of Flux does.
"""

import gc
import json
import os
import sys
from pathlib import Path
from time import process_time


def main() -> None:
    events = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    os.environ |= {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(Path(sys.argv[2]) / "read.db"),
    }
    from eventsourcing.application import Application  # noqa: PLC0415 - it reads the environment
    from eventsourcing.domain import Aggregate, event  # noqa: PLC0415 - so does this

    class Contest(Aggregate):
        def __init__(self) -> None:
            self.reserves: dict[str, int] = {}
            self.pieces: dict[tuple[str, str], str] = {}
            self.earths: dict[str, list] = {}
            self.received: list = []

        @event("Happened")
        def happened(self, kind: str, data: dict) -> None:
            if kind == "piece_moved":
                self.pieces[data["hue"], data["piece"]] = data["path"][-1]
            elif kind == "spell_cast":
                self.reserves[data["hue"]] = data["reserve"]
                if data["success"]:
                    self.earths.setdefault(data["hue"], []).append((data["spell"], data["hexes"]))
            elif kind == "flux_claimed":
                self.reserves[data["hue"]] = data["reserve"]
            elif kind == "orders_received":
                self.received.append(data)

    app = Application()
    contest = Contest()
    for kind, data in events:
        contest.happened(kind, data)
    app.save(contest)
    gc.disable()
    for _ in sys.stdin:
        start = process_time()
        app.repository.get(contest.id)
        print(json.dumps({"seconds": (process_time() - start) / len(events)}), flush=True)
        gc.collect()


main()
