"""A mailbox that all games of a database share: what it costs to take in a few letters.

    python -m benchmarks.shared_mailbox [--games 2000] [--letters 10] [--runs 3] [--url postgresql://…]

The letters bring orders for as many games, and half as many are junk. Once all games rest, so that only
those are read that a letter is for; once all are awake, so that each is read: as it was before games left
marks of their keys. Each is done by a process forked from one that has everything loaded. Without --url a
server of its own is started on loopback, as for `benchmarks.many_games`.
"""

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import process_time

import psycopg

from benchmarks.harness import in_sentences, positive
from benchmarks.many_games import BEGUN, FORKED, make_games, name_of, prepare, server, warm_up
from pbem.counter import Counter
from pbem.directory import SharedOffice
from pbem.errors import PbemError
from pbem.game import Game
from pbem.home import database_at, leads_to
from pbem.store_postgres import Box

MAIL = '\n[mail]\nin = "{}"\naddress = "gm@example.net"\n'


def let_rest(url: str, folder: Path, numbers: Sequence[int]) -> None:
    """As `pbem tick` does once it has attended to a game."""
    database = database_at(url)
    for number in numbers:
        counter = Counter(Game(leads_to(folder, url, name_of(number)), now=lambda: BEGUN))
        version, toml = counter.game.rows[-1].version, counter.game.settings
        box = Box(counter.settings.incoming, counter.settings.password_env)
        database.sleep(counter.name, version, toml, None, marks=counter.marks, box=box)


def letters(url: str, folder: Path, run: int, numbers: Sequence[int], count: int) -> list[bytes]:
    """Letters that nobody has sent before: orders for some games, and junk."""
    step = len(numbers) // count
    found = []
    for number in numbers[run::step][:count]:
        counter = Counter(Game(leads_to(folder, url, name_of(number)), now=lambda: BEGUN))
        found.append(f"key: {counter.key('azure')}\nhold # {run}\nend\n")
    found += [f"An extraordinary opportunity, number {run} {number}.\n" for number in range(count // 2)]
    return [
        f"From: who@example.org\nMessage-ID: <{run}-{place}@x>\n\n{text}".encode()
        for place, text in enumerate(found)
    ]


def take_in(url: str, folder: Path, box: Path, to: Connection) -> None:
    """In a process of its own: tells seconds of the processor, games read, orders accepted, MiB used."""
    Path("/proc/self/clear_refs").write_text("5")
    start, before = process_time(), _peak()
    office = SharedOffice(database_at(url), folder, warn=lambda _: None, now=lambda: BEGUN)
    with office.open():
        accepted = sum(result.outcome == "accepted" for result in office.receive([str(box)]))
        to.send((process_time() - start, len(office.counters), accepted, (_peak() - before) / 1024))


def _peak() -> int:
    """KiB of memory that this process has had at most since it was told to forget."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def measured(url: str, folder: Path, box: Path) -> tuple[float, int, int, float]:
    """What `take_in` tells."""
    here, there = Pipe(duplex=False)
    process = FORKED.Process(target=take_in, args=(url, folder, box, there))
    process.start()
    there.close()
    try:
        told: tuple[float, int, int, float] = here.recv()
    except EOFError:
        raise PbemError("The process that takes in mail ended instead; what it said stands above.") from None
    finally:
        process.join()
    return told


def main() -> None:
    """Prints seconds and memory, for games that rest and for games that are awake."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.shared_mailbox", description=(__doc__ or "").partition("\n")[0]
    )
    options.add_argument("--games", type=positive, default=2000, help="2,000 if left out")
    options.add_argument("--letters", type=positive, default=10, help="with orders; 10 if left out")
    options.add_argument("--runs", type=positive, default=3, help="how often each is run; the median counts")
    options.add_argument("--url", help="an empty schema of a database, instead of a server of its own")
    asked = options.parse_args()
    if asked.letters > asked.games:
        options.error("--letters: each is for a game of its own; name more --games")
    warm_up()
    numbers = range(asked.games)
    with server(asked.url) as (url, _), tempfile.TemporaryDirectory(prefix="pbem-mail-") as name:
        folder, inbox = Path(name) / "games", Path(name) / "inbox"
        database = database_at(url)
        prepare(url)
        make_games(url, folder, numbers, MAIL.format(inbox))
        with psycopg.connect(url, autocommit=True) as connection:
            wake = partial(connection.execute, "UPDATE games SET wake = '-infinity'")
            found: dict[str, list[tuple[float, int, int, float]]] = {"rest": [], "are awake": []}
            for run in range(asked.runs):
                for place, (way, told) in enumerate(found.items()):
                    let_rest(url, folder, numbers)
                    box = inbox / f"{run}-{place}"
                    box.mkdir(parents=True)
                    for number, letter in enumerate(
                        letters(url, folder, 2 * run + place, numbers, asked.letters)
                    ):
                        (box / f"{number}.eml").write_bytes(letter)
                    if way == "are awake":
                        wake()
                    database.close()
                    told.append(measured(url, folder, box))
    print(f"{asked.letters} letters with orders and {asked.letters // 2} others, of {asked.games} games:")
    for way, told in found.items():
        seconds, read, accepted, memory = (median(each) for each in zip(*told, strict=True))
        print(
            f"if all {way}: {seconds:.3f} s of the processor, {read:.0f} games read,"
            f" {accepted:.0f} accepted, {memory:.0f} MiB"
        )


if __name__ == "__main__":
    with in_sentences():
        main()
