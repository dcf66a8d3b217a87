"""Many games in PostgreSQL, one turn due in each: games a second, with workers killed all the while.

    python -m benchmarks.many_games [--games 600] [--calm-only] [--url postgresql://…]

Without --url a server of its own is started, with PostgreSQL's own settings (fsync on), on loopback in a
temporary folder. Two-player contests of Flux on the map `glade`, each with its own secret and orders, so
that each has its own outcomes. `pbem tick --games URL` works them off in 1, 2 and 4 processes, first
undisturbed, then with one process killed every second and another started in its place; each of the six
has the same number of games. A process is stopped first and then killed, so that can be counted how many of
the killed held a game. The processes are forked from one that has everything loaded, since to start Python
and load pbem takes longer than a game: a real worker loses that much more by each death. In the end every
game must have exactly one adjudication of its turn, verify, and have all the report files that the first has.

With --url the schema must be empty; what is put into it stays there, for whoever wants to look.
"""

import argparse
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from time import monotonic, perf_counter, sleep
from typing import NamedTuple, TypeVar

import psycopg

from benchmarks.harness import in_sentences, positive
from pbem.clock import stamp
from pbem.closing import Closing
from pbem.config import Player, config_of
from pbem.contest import fold_contest
from pbem.dice import salt
from pbem.errors import PbemError
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
from pbem.store_postgres import Database
from pbem.verify import verify
from tests.flux.games import random_order
from tests.postgres import binaries, running

BEGUN = datetime(2026, 11, 30, 6, tzinfo=UTC)
DUE = BEGUN + timedelta(days=8)
SEATS = ("crimson", "azure")
SETTINGS = '[turns]\nevery = "7d"\n\n' + "\n".join(f'[[players]]\nseat = "{seat}"\n' for seat in SEATS)
LINES = 6
KILL_EVERY = 1.0
WORKERS = (1, 2, 4)
ALWAYS = frozenset({"reports/turn-1/index.html", *(f"players/{seat}/turn-1.html" for seat in SEATS)})
"""Reports without which the first game has none itself."""
FORKED = multiprocessing.get_context("fork")


T = TypeVar("T")


@dataclass(frozen=True)
class Phase:
    workers: int
    kills: bool
    games: range

    @property
    def name(self) -> str:
        return f"{self.workers} worker{'s' if self.workers > 1 else ''}{', kills' if self.kills else ''}"


class Worked(NamedTuple):
    """Seconds until all games of a phase had been attended to, workers killed, and those that held a game."""

    seconds: float
    killed: int
    at_work: int


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
    uninterrupted()
    os.environ |= {"PBEM_NOW": stamp(DUE), "PGAPPNAME": application(os.getpid())}

    def warn(sentence: str) -> None:
        if "has no address" not in sentence:
            with log.open("a") as file:
                file.write(f"{sentence}\n")

    if not tick_all(url, folder, force=False, tell=lambda _: None, warn=warn):
        sys.exit(1)


def application(pid: int | None) -> str:
    """What a worker is called in the database."""
    return f"pbem-worker-{pid}"


def uninterrupted() -> None:
    """Ctrl-C is for the process that was started; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def spread_out(over: int, do: Callable[[Sequence[int]], T], numbers: range) -> list[T]:
    """What comes of doing the games in so many processes."""
    with ProcessPoolExecutor(over, FORKED, uninterrupted) as pool:
        try:
            return list(pool.map(do, [numbers[place::over] for place in range(over)]))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def worker(url: str, folder: Path, log: Path) -> BaseProcess:
    process = FORKED.Process(target=work, args=(url, folder, log))
    process.start()
    return process


def seconds_of_workers() -> float:
    """Of the processor, used by workers that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of_server(pid: int | None) -> float:
    """Of the processor, used by a server of our own: its connections, also those that have ended, and its
    writers and cleaners."""
    if pid is None:
        return 0.0
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = place.read_text().partition(" ")
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
        fields = rest.rpartition(")")[2].split()
        if int(number) == pid or int(fields[1]) == pid:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def kill(process: BaseProcess, connection: "psycopg.Connection[tuple[int]]") -> int:
    """Ends a worker in whatever it does; gives whether it held a game then."""
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    holds = connection.execute(
        "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
        " WHERE locktype = 'advisory' AND granted AND application_name = %s",
        [application(process.pid)],
    ).fetchone()
    process.kill()
    process.join()
    return holds[0] if holds else 0


def work_off(url: str, folder: Path, phase: Phase, log: Path) -> Worked:
    """The games of a phase, due from now on."""
    rng = Random(phase.workers)
    killed = at_work = 0
    workers: list[BaseProcess] = []
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            bounds = [name_of(phase.games[0]), name_of(phase.games[-1])]
            connection.execute("UPDATE games SET wake = '-infinity' WHERE game BETWEEN %s AND %s", bounds)
            begun = perf_counter()
            workers += [worker(url, folder, log) for _ in range(phase.workers)]
            due = monotonic() + KILL_EVERY
            while any(each.is_alive() for each in workers):
                sleep(0.02)
                if phase.kills and monotonic() >= due:
                    due += KILL_EVERY
                    place = rng.randrange(len(workers))
                    if workers[place].is_alive():
                        at_work += kill(workers[place], connection)
                        workers[place] = worker(url, folder, log)
                        killed += 1
            seconds = perf_counter() - begun
    finally:
        for each in workers:
            each.kill()
            each.join()
    if any(each.exitcode for each in workers):
        said = log.read_text()[-2000:] if log.exists() else ""
        sys.exit(f"A worker failed; what the workers said last:\n{said}")
    return Worked(seconds, killed, at_work)


def faults_of(url: str, folder: Path, numbers: Sequence[int]) -> list[str]:
    """What is wrong with these games, of each the first thing."""
    database = database_at(url)
    faults: list[str] = []
    for number in numbers:
        name = name_of(number)
        try:
            fault = fault_of(database, folder, name)
        except PbemError as error:
            fault = str(error)
        if fault:
            faults.append(f"{name}: {fault}")
    database.close()
    return faults


def fault_of(database: Database, folder: Path, name: str) -> str:
    """What is wrong with a game apart from its report files; empty if nothing is."""
    game = Game(Path(os.devnull) / name)
    game.home = DatabaseHome(game.folder, database, name)
    turns = Counter(turn.number for turn in game.history.turns)
    closings = sum(row.kind == "turn_closed" for row in game.rows)
    if turns != {0: 1, 1: 1} or closings != 2:
        return f"adjudicated {dict(turns)}, {closings} closings"
    found, published = verify(game), game.history.published
    if not found.ok or found.differs:
        return str(found.first or found.differs)
    if reached(folder / name) != (published.version, published.hash):
        return "its reports were not finished"
    return ""


@contextmanager
def server(url: str | None) -> Iterator[tuple[str, int | None]]:
    """The URL, and the number of the server's process if it is our own."""
    if url is not None:
        yield url, None
        return
    if binaries() is None:
        raise PbemError("PostgreSQL is not installed (Debian: postgresql); install it, or name a --url.")
    with running() as started:
        yield started.database(), started.pid


def prepare(url: str) -> None:
    """Makes the tables; no game of anybody else's may be played on."""
    database = database_at(url)
    database.make_tables()
    if database.games():
        raise PbemError(f"{database.name} has games, which this would play on; name an empty schema.")
    database.close()


class Reports(NamedTuple):
    """A turn's report files by name, and their size in bytes."""

    names: frozenset[str]
    size: int


def reports_of(folder: Path, game: str) -> Reports:
    """The report files of a game, taken away again: how large a disk is is not what is asked."""
    names, size = set[str](), 0
    for part in ("reports", "players"):
        for path in (folder / game / part).rglob("*"):
            if path.is_file() and path.stat().st_size:
                names.add(path.relative_to(folder / game).as_posix())
                size += path.stat().st_size
        shutil.rmtree(folder / game / part, ignore_errors=True)
    return Reports(frozenset(names), size)


def told_of(expected: Reports, found: Reports) -> str:
    """What a game's reports lack of those of the first, or what is half written; empty if all are there."""
    missing = sorted((expected.names | ALWAYS) - found.names)
    half = sorted(name for name in found.names if name.rpartition("/")[2].startswith("."))
    told = [f"{word} {', '.join(names)}" for word, names in (("lacks", missing), ("left", half)) if names]
    return "; ".join(told)


def phases_of(games: int, kinds: Sequence[bool]) -> list[Phase]:
    """As many games to each number of workers, with kills and without."""
    each = [(workers, kills) for kills in kinds for workers in WORKERS]
    share = games // len(each)
    if not share:
        raise PbemError(f"There are {len(each)} measurements, each with games of its own; name more games.")
    return [
        Phase(workers, kills, range(place * share, (place + 1) * share))
        for place, (workers, kills) in enumerate(each)
    ]


def main() -> None:
    """Prints games a second for each phase, and what was found in the end."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.many_games", description=(__doc__ or "").partition("\n")[0]
    )
    options.add_argument("--games", type=positive, default=600, help="all in all; 600 if left out")
    options.add_argument("--calm-only", action="store_true", help="without the runs with kills")
    options.add_argument("--url", help="an empty schema of a database, instead of a server of its own")
    asked = options.parse_args()
    phases = phases_of(asked.games, (False,) if asked.calm_only else (False, True))
    warm_up()
    with server(asked.url) as (url, pid), tempfile.TemporaryDirectory(prefix="pbem-many-") as name:
        try:
            faults = measure(url, pid, Path(name), phases)
        except psycopg.Error as error:
            raise PbemError(f"PostgreSQL says: {error}") from error
    for fault in faults[:20]:
        print(f"  {fault}")
    if faults:
        sys.exit(1)


def measure(url: str, pid: int | None, folder: Path, phases: Sequence[Phase]) -> list[str]:
    """Makes the games, has them worked off phase by phase, and gives what is wrong with them in the end."""
    everything, processors, log = range(phases[-1].games.stop), os.cpu_count() or 1, folder / "stderr"
    prepare(url)
    begun = perf_counter()
    spread_out(processors, partial(make_games, url, folder), everything)
    print(f"{len(everything)} games made in {perf_counter() - begun:.0f} s.", flush=True)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE games SET wake = 'infinity'")
    head = f"{'':18}{'games':>7}{'seconds':>9}{'games/s':>9}{'killed':>8}{'at work':>9}"
    print(f"{head}{'CPU ms a game: workers':>24}{'server':>8}", flush=True)
    faults: list[str] = []
    expected: Reports | None = None
    for phase in phases:
        workers, served = seconds_of_workers(), seconds_of_server(pid)
        worked = work_off(url, folder, phase, log)
        workers, served = seconds_of_workers() - workers, seconds_of_server(pid) - served
        count = len(phase.games)
        rate = f"{worked.seconds:9.1f}{count / worked.seconds:9.2f}{worked.killed:8}{worked.at_work:9}"
        each = f"{workers / count * 1000:24.0f}{served / count * 1000:8.0f}" if pid else f"{'':32}"
        print(f"{phase.name:18}{count:7}{rate}{each}", flush=True)
        for number in phase.games:
            found = reports_of(folder, name_of(number))
            expected = expected or found
            if told := told_of(expected, found):
                faults.append(f"{name_of(number)}: {told}")
    begun = perf_counter()
    faults += chain.from_iterable(spread_out(processors, partial(faults_of, url, folder), everything))
    checked = perf_counter() - begun
    with psycopg.connect(url) as connection:
        (table,) = connection.execute("SELECT pg_total_relation_size('events')").fetchone() or (0,)
    assert expected is not None
    print(
        f"The events and their indexes take {table / len(everything) / 1024:.1f} KiB a game in the database,"
    )
    print(
        f"the reports of the turn {expected.size / 1024:.0f} KiB in {len(expected.names)} files on the disk."
    )
    print(f"{len(everything)} games checked in {checked:.0f} s; faults: {len(faults)}", flush=True)
    return faults


if __name__ == "__main__":
    with in_sentences():
        main()
