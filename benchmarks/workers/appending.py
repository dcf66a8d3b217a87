"""Application.save of `eventsourcing`, SQLite, its settings as they come: FILE with events, how many.

FILE has a JSON list of [kind, data] a line. Each run saves them one by one, in a transaction each.
"""

import gc
import json
import os
import sys
from pathlib import Path
from time import perf_counter


def main() -> None:
    events = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    folder, count = Path(sys.argv[2]), int(sys.argv[3])
    os.environ |= {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}
    from eventsourcing.application import Application  # noqa: PLC0415 - it reads the environment
    from eventsourcing.domain import Aggregate, event  # noqa: PLC0415 - so does this

    class Contest(Aggregate):
        @event("Happened")
        def happened(self, kind: str, data: dict) -> None:
            self.last = (kind, data)

    gc.disable()
    for number, _ in enumerate(sys.stdin):
        name = folder / f"appended-{number}.db"
        app = Application(env={"SQLITE_DBNAME": str(name)})
        contest = Contest()
        app.save(contest)
        start = perf_counter()
        for kind, data in events[:count]:
            contest.happened(kind, data)
            app.save(contest)
        seconds = perf_counter() - start
        app.close()
        print(json.dumps({"seconds": seconds / count}), flush=True)


main()
