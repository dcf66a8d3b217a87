"""What a turn of a small game costs beside its adjudication, as docs/scale.md tells it.

    python -m benchmarks.one_turn [--runs 5]

The games are like those of `many_games`, which measures the adjudication itself: two players of Flux on the
map `glade`, six random orders each. PostgreSQL is a server of its own, with its own settings. Seconds are
those of the processor, ours and the server's; its log is measured as its tables and indexes grow.
"""

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

from benchmarks.games import Unreported, new_game, random_orders, write_orders
from benchmarks.harness import in_sentences, interleaved, milliseconds, positive
from benchmarks.many_games import DUE, LINES, SEATS, SETTINGS, name_of, seconds_of_server
from pbem.errors import PbemError
from pbem.home import close_databases, database_at, leads_to
from pbem.mail.kept_in_database import ALL_GAMES, DatabaseMailroom
from pbem.mailing import _picture
from pbem.post import PostOffice
from pbem.reports.png import svg_to_png
from pbem.reports.svg import drawing_to_svg
from pbem.store import Row
from pbem.store_postgres import Database
from tests.postgres import Server, binaries, running

GAMES = 40
TURNS = 4
QUESTIONS = 500
WIDTHS = (800, 1280)


class Kept(NamedTuple):
    """Games in a schema, and what a game takes there in bytes."""

    database: Database
    url: str
    size: float


def played(folder: Path, number: int) -> Unreported:
    """A contest of two, some turns old."""
    game, orders = new_game(folder / name_of(number), TURNS + 1, SEATS, "glade"), random_orders(number, LINES)
    for turn in range(1, TURNS + 1):
        write_orders(game, orders)
        game.adjudicate(turn)
    return game


def kept(server: Server, games: Sequence[Unreported], turns: int) -> Kept:
    """The games as they stood after so many turns, asleep in a schema of their own."""
    url = server.database()
    database = database_at(url)
    database.make_tables()
    for game in games:
        rows: tuple[Row, ...] = tuple(row for row in game.rows if row.turn <= turns)
        with database.arriving(rows, game.secret.hex(), SETTINGS):
            pass
    with database.statement() as connection:
        connection.execute("UPDATE games SET wake = 'infinity'")
        (size,) = connection.execute("SELECT pg_total_relation_size('events')").fetchone() or (0,)
    return Kept(database, url, size / len(games))


def asked(where: Kept, pid: int) -> float:
    """Seconds to ask whether anything is due, where nothing is."""
    started = process_time() + seconds_of_server(pid)
    for _ in range(QUESTIONS):
        if where.database.due(DUE, 0, 50):
            raise PbemError("A game is due that should be asleep.")
    return (process_time() + seconds_of_server(pid) - started) / QUESTIONS


def folded(where: Kept, folder: Path, pid: int) -> float:
    """Seconds a game to know all keys that a mail could have, as whoever takes in mail must."""
    folders = [leads_to(folder, where.url, game) for game in where.database.games()]
    office = PostOffice(folders, DatabaseMailroom(where.database, ALL_GAMES))
    started = process_time() + seconds_of_server(pid)
    office.load()
    found = sum(len(counter.keys) for counter in office.counters.values())
    seconds = process_time() + seconds_of_server(pid) - started
    if found < len(folders) * len(SEATS):
        raise PbemError("A game has no keys.")
    return seconds / len(folders)


class Mail:
    """The reports of a turn as mail, into the outbox of the game's folder."""

    def __init__(self, game: Unreported, folder: Path) -> None:
        self._from, self._folder, self.size = game.folder, folder, 0

    def __call__(self) -> float:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._from, self._folder)
        _picture.cache_clear()
        office = PostOffice([self._folder], self._folder)
        started = process_time()
        with office.open():
            (counter,) = office.counters.values()
            sent = office.send(counter, TURNS)
            office.flush()
        seconds = process_time() - started
        if sent != SEATS:
            raise PbemError(f"The reports went to {sent}, not to {SEATS}.")
        self.size = sum(
            path.stat().st_size for path in (self._folder / "outbox").rglob("*") if path.is_file()
        )
        return seconds


def main() -> None:
    """Prints what there is to tell."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.one_turn")
    options.add_argument("--runs", type=positive, default=5, help="how often each is run; the median counts")
    runs = options.parse_args().runs
    if binaries() is None:
        raise PbemError("PostgreSQL is not installed (Debian: postgresql); install it first.")
    with tempfile.TemporaryDirectory() as name, running() as server:
        folder = Path(name)
        (folder / "games").mkdir()
        games = [played(folder / "games", number) for number in range(GAMES)]
        young, old = kept(server, games, 1), kept(server, games, TURNS)
        first = games[0]
        mail = Mail(first, folder / "mailed")
        seat = first.archive.view(first.history.played(TURNS), SEATS[0])
        svg = drawing_to_svg(seat.board.drawing)
        pictures = {width: len(svg_to_png(svg, width)) for width in WIDTHS}

        def drawn(width: int) -> float:
            started = process_time()
            svg_to_png(svg, width)
            return process_time() - started

        found = interleaved(
            runs,
            {
                "due": partial(asked, old, server.pid),
                "young": partial(folded, young, folder / "young", server.pid),
                "old": partial(folded, old, folder / "old", server.pid),
                "mail": mail,
                **{f"{width}": partial(drawn, width) for width in WIDTHS},
            },
        )
        close_databases()
    further = (old.size - young.size) / (TURNS - 1)
    print(f"the log in the database: {young.size / 1024:.1f} KiB a game after turn 1, ", end="")
    print(f"{further / 1024:.1f} KiB for each of the {TURNS - 1} turns after it")
    sent = f"{found['mail']:.2f} s, {mail.size / 1024:.0f} KiB"
    print(f"to send the reports by mail, {len(SEATS)} players: {sent}")
    print(f"to ask whether anything is due: {milliseconds(found['due'])}")
    print(f"to fold a game and make its keys: {milliseconds(found['young'])} after turn 1, ", end="")
    print(f"{milliseconds(found['old'])} after turn {TURNS}")
    for width, size in pictures.items():
        print(f"a map as PNG, {width} pixels wide: {found[str(width)]:.2f} s, {size / 1024:.0f} KiB")


if __name__ == "__main__":
    with in_sentences():
        main()
