"""Many games in PostgreSQL, one turn due in each: games a second, with workers killed all the while.

    python -m benchmarks.many_games [--games 600] [--calm-only] [--url postgresql://…]

Without --url a server of its own is started, with PostgreSQL's own settings (fsync on), on loopback in a
temporary folder. Two-player contests of Flux on the map `glade`, each with its own secret and orders, so
that each has its own outcomes. `pbem tick --games URL` works them off in 1, 2 and 4 processes, first
undisturbed, then with one process killed every second and another started in its place; each of the six
has the same number of games. The processes are forked from one that has everything loaded, since to start
Python and load pbem takes longer than a game. In the end every game must have exactly one adjudication of
its turn, all its reports, and verify.
"""

import argparse
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from time import monotonic, perf_counter, sleep

import psycopg

from pbem.clock import stamp
from pbem.closing import Closing
from pbem.config import Player, config_of
from pbem.contest import fold_contest
from pbem.dice import salt
from pbem.events import QUIET_KINDS, Event, dump_json, event_data
from pbem.files import write_tree
from pbem.founding import Wanted, created, found
from pbem.game import REACHED, Game, reached
from pbem.history import Fold
from pbem.home import DatabaseHome, database_at, leads_to
from pbem.orders_in import Desk
from pbem.rulesets import NewGame, find_ruleset
from pbem.sharing import tick_all
from pbem.shipped import board_source, shipped_text
from pbem.store import Draft, Row, chained
from pbem.verify import verify
from tests.flux.games import random_order
from tests.postgres import running

BEGUN = datetime(2026, 11, 30, 6, tzinfo=UTC)
DUE = BEGUN + timedelta(days=8)
SEATS = ("crimson", "azure")
SETTINGS = '[turns]\nevery = "7d"\n\n' + "\n".join(f'[[players]]\nseat = "{seat}"\n' for seat in SEATS)
LINES = 6
KILL_EVERY = 1.0
FORKED = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Phase:
    workers: int
    kills: bool
    games: range

    @property
    def name(self) -> str:
        return f"{self.workers} worker{'s' if self.workers > 1 else ''}{', kills' if self.kills else ''}"


def name_of(number: int) -> str:
    return f"game-{number:06}"


def rows_of(game: str) -> tuple[tuple[Row, ...], bytes]:
    """A contest up to the orders of turn 1, and its secret: built as the commands build it, in memory."""
    secret = sha256(game.encode()).digest()
    salted = partial(salt, secret)
    ruleset = find_ruleset("flux")
    rules, board = shipped_text("flux", ruleset.files.rules), board_source(ruleset, "glade")

    def added(rows: tuple[Row, ...], events: Sequence[tuple[int, Event]]) -> tuple[Row, ...]:
        drafts = [
            Draft(turn, each.kind, each.schema_version, dump_json(event_data(each))) for turn, each in events
        ]
        return (*rows, *chained(game, drafts, rows[-1] if rows else None, at=stamp(BEGUN), salt=salted))

    rows = added((), [(0, created(ruleset, NewGame(SEATS, rules, board, 5), secret))])
    state = Fold(ruleset, rows).history().state
    config = config_of(SETTINGS, Path("game.toml"))
    plan = Closing(ruleset, fold_contest(rows), state, secret, config).plan((), None, BEGUN)
    rows = added(rows, plan.events)
    history = Fold(ruleset, rows).history()
    desk = Desk(history.contest, secret, history.state, ruleset.parse)
    rng = Random(game)
    for seat in SEATS:
        text = "\n".join(random_order(rng, history.state, seat) for _ in range(LINES))
        taken = desk.take(text.encode(), f"file {seat}.txt", seat=seat, turn=1)
        rows = added(rows, [(1, taken.event())])
    return rows, secret


def make_games(url: str, folder: Path, numbers: Sequence[int], more: str = "") -> None:
    """These games in the database; their folders as if the reports of turn 0 had been written there."""
    database = database_at(url)
    for number in numbers:
        rows, secret = rows_of(name_of(number))
        with database.arriving(rows, secret.hex(), SETTINGS + more):
            pass
        here = leads_to(folder, url, rows[0].game)
        closed = [row for row in rows if row.kind not in QUIET_KINDS][-1]
        write_tree(here, {REACHED: f"{closed.version} {closed.hash}\n".encode()}, ("gm",))
    database.close()


def warm_up() -> None:
    """A game played once, so that all is loaded before workers are forked."""
    with tempfile.TemporaryDirectory() as name:
        wanted = Wanted(Path(name) / "warm", "flux", [Player(seat) for seat in SEATS], map="glade", length=5)
        founded = found(wanted, BEGUN)
        Game(founded.folder, now=lambda: BEGUN).start()
        Game(founded.folder, now=lambda: DUE).adjudicate(1, allow_missing=True)


def work(url: str, folder: Path, log: Path) -> None:
    """What a worker does: `pbem tick --games URL`, in a process forked from one that has all loaded."""
    os.environ["PBEM_NOW"] = stamp(DUE)

    def warn(sentence: str) -> None:
        if "has no address" not in sentence:
            with log.open("a") as file:
                file.write(f"{sentence}\n")

    if not tick_all(url, folder, force=False, tell=lambda _: None, warn=warn):
        sys.exit(1)


def worker(url: str, folder: Path, log: Path) -> BaseProcess:
    process = FORKED.Process(target=work, args=(url, folder, log))
    process.start()
    return process


def seconds_of_workers() -> float:
    """Of the processor, used by workers that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of_server(pid: int | None) -> float:
    """Of the processor, used by a server of our own and by its connections that have ended."""
    if pid is None:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def work_off(url: str, folder: Path, phase: Phase, log: Path) -> tuple[float, int]:
    """Seconds until all games of a phase have been attended to, and how many workers were killed."""
    with psycopg.connect(url, autocommit=True) as connection:
        first, last = name_of(phase.games[0]), name_of(phase.games[-1])
        connection.execute("UPDATE games SET wake = '-infinity' WHERE game BETWEEN %s AND %s", [first, last])
    rng = Random(phase.workers)
    begun = perf_counter()
    workers = [worker(url, folder, log) for _ in range(phase.workers)]
    killed, due = 0, monotonic() + KILL_EVERY
    while any(each.is_alive() for each in workers):
        sleep(0.02)
        if phase.kills and monotonic() >= due:
            due += KILL_EVERY
            place = rng.randrange(len(workers))
            if workers[place].is_alive():
                workers[place].kill()
                workers[place].join()
                workers[place] = worker(url, folder, log)
                killed += 1
    seconds = perf_counter() - begun
    if any(each.exitcode for each in workers):
        sys.exit(f"A worker failed:\n{log.read_text()[-2000:]}")
    return seconds, killed


def faults_of(url: str, folder: Path, numbers: Sequence[int]) -> list[str]:
    """What is wrong with these games."""
    database = database_at(url)
    faults: list[str] = []
    for number in numbers:
        name = name_of(number)
        game = Game(Path(os.devnull) / name)
        game.home = DatabaseHome(game.folder, database, name)
        turns = Counter(turn.number for turn in game.history.turns)
        closings = sum(row.kind == "turn_closed" for row in game.rows)
        found = verify(game)
        published = game.history.published
        if turns != {0: 1, 1: 1} or closings != 2:
            faults.append(f"{name}: adjudicated {dict(turns)}, {closings} closings")
        elif not found.ok or found.differs:
            faults.append(f"{name}: {found.first or found.differs}")
        elif reached(folder / name) != (published.version, published.hash):
            faults.append(f"{name}: its reports were not finished")
        elif not (folder / name / "reports/turn-1/index.html").is_file():
            faults.append(f"{name}: it has no report of turn 1")
    database.close()
    return faults


@contextmanager
def server(url: str | None) -> Iterator[tuple[str, int | None]]:
    """The URL, and the number of the server's process if it is our own."""
    if url is not None:
        yield url, None
        return
    with running() as started:
        yield started.database(), started.pid


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def make_room(folder: Path) -> None:
    """Takes most of a game's reports away again: how large a disk is is not what is asked."""
    page = folder / "reports/turn-1/index.html"
    is_there = page.is_file()
    for part in ("reports", "players"):
        shutil.rmtree(folder / part, ignore_errors=True)
    if is_there:
        page.parent.mkdir(parents=True)
        page.touch()


def spread(numbers: range, over: int) -> list[Sequence[int]]:
    return [numbers[place::over] for place in range(over)]


def main() -> None:
    """Prints games a second for each phase, and what was found in the end."""
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=600)
    options.add_argument("--calm-only", action="store_true")
    options.add_argument("--url")
    asked = options.parse_args()
    warm_up()
    kinds = [
        (count, kills) for kills in ((False,) if asked.calm_only else (False, True)) for count in (1, 2, 4)
    ]
    share = asked.games // len(kinds)
    phases = [
        Phase(count, kills, range(place * share, (place + 1) * share))
        for place, (count, kills) in enumerate(kinds)
    ]
    everything = range(share * len(kinds))
    processors = os.cpu_count() or 1
    with server(asked.url) as (url, pid), tempfile.TemporaryDirectory(prefix="pbem-many-") as name:
        folder, log = Path(name), Path(name) / "stderr"
        database = database_at(url)
        database.make_tables()
        database.close()
        begun = perf_counter()
        with ProcessPoolExecutor(processors, FORKED) as pool:
            list(pool.map(partial(make_games, url, folder), spread(everything, processors)))
        made = perf_counter() - begun
        print(f"{len(everything)} games made in {made:.0f} s.", flush=True)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE games SET wake = 'infinity'")
        head = f"{'':18}{'games':>7}{'seconds':>9}{'games/s':>9}{'killed':>8}"
        print(f"{head}{'CPU ms a game: workers':>24}{'server':>8}", flush=True)
        for phase in phases:
            workers, served = seconds_of_workers(), seconds_of_server(pid)
            seconds, killed = work_off(url, folder, phase, log)
            workers, served = seconds_of_workers() - workers, seconds_of_server(pid) - served
            count = len(phase.games)
            each = f"{workers / count * 1000:24.0f}{served / count * 1000:8.0f}"
            print(f"{phase.name:18}{count:7}{seconds:9.1f}{count / seconds:9.2f}{killed:8}{each}", flush=True)
            size = size_of(folder / name_of(phase.games[0]))
            for number in phase.games:
                make_room(folder / name_of(number))
        begun = perf_counter()
        with ProcessPoolExecutor(processors, FORKED) as pool:
            found = pool.map(partial(faults_of, url, folder), spread(everything, processors))
            faults = [fault for each in found for fault in each]
        checked = perf_counter() - begun
        with psycopg.connect(url) as connection:
            (table,) = connection.execute("SELECT pg_total_relation_size('events')").fetchone() or (0,)
        kept = table / len(everything) / 1024
        print(f"The events and their indexes take {kept:.1f} KiB a game in the database,")
        print(f"the reports of the turn {size / 1024:.0f} KiB a game on the disk.")
        print(f"{len(everything)} games checked in {checked:.0f} s; faults: {len(faults)}")
        for fault in faults[:20]:
            print(f"  {fault}")
        if faults:
            sys.exit(1)


if __name__ == "__main__":
    main()
