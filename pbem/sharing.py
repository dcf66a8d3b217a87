"""Many games of a database, attended to by several processes at once, on one machine or on several.

Each takes a game that is due, holds its advisory lock while it attends to it, and goes on to the next.
A process that dies loses its locks with its connection, and another takes its game over: what it had
appended is there, what it had not is not. That a turn is adjudicated once rests on none of this, but on
the log, which takes each version once.
"""

import gc
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from pbem import clock
from pbem.config import config_of
from pbem.counter import Counter
from pbem.errors import Conflict, PbemError
from pbem.files import CONFIG
from pbem.home import database_at, leads_to
from pbem.mail.kept_in_database import ALL_GAMES, DatabaseMailroom
from pbem.mail_settings import mail_settings
from pbem.post import PostOffice
from pbem.store_postgres import Database
from pbem.ticking import Tell, attend, hindered, next_look, receive

PAGE = 50
"""So many due games are asked for at a time."""
MAIL_WAIT = 60.0
"""Seconds to wait for another process that takes in the mail of all games."""


def office_of_all(url: str, folder: Path, warn: Tell) -> PostOffice:
    """One mailbox for all games of a database; their reports and files lie below the folder."""
    database = database_at(url)
    folders = _led(folder, url, database.games(), warn)
    office = PostOffice(folders, DatabaseMailroom(database, ALL_GAMES), warn=warn)
    office.failed = len(folders) < len(database.games())
    return office


def _led(folder: Path, url: str, games: Iterable[str], warn: Tell) -> list[Path]:
    """The folders of games, without those that stand in the way of their own game alone."""
    found: list[Path] = []
    for game in games:
        try:
            found.append(leads_to(folder, url, game))
        except (PbemError, OSError) as error:
            hindered(game, error, warn)
    return found


def tick_all(
    url: str, folder: Path, *, force: bool, tell: Tell, warn: Tell, now: Callable[[], datetime] = clock.now
) -> bool:
    """Attend to every game of a database that is due; gives whether nothing stood in the way."""
    gc.freeze()
    gc.enable()  # unlike other commands this one may run for hours
    database = database_at(url)
    late = _receive(database, url, folder, tell, warn)
    smooth, seen = not late, set[str]()
    while True:
        count = len(seen)
        after = 0
        while page := database.due(now(), after, PAGE):
            for due in page:
                after = due.id
                if due.game in seen:
                    continue
                with database.lock_of_game(due.id) as locked:
                    if locked and database.is_due(due.game, now()):
                        seen.add(due.game)
                        smooth &= _serve(
                            database,
                            url,
                            folder,
                            due.game,
                            fetched=due.game not in late,
                            force=force,
                            tell=tell,
                            warn=warn,
                        )
        if len(seen) == count:  # a whole pass found nothing more, whoever died meanwhile
            return smooth


def _receive(database: Database, url: str, folder: Path, tell: Tell, warn: Tell) -> frozenset[str]:
    """Take in mail for the games that have a mailbox; gives those for which not all could be."""
    served: list[str] = []
    for game, toml in database.settings_of_all():
        if "mail" in toml:
            try:
                if mail_settings(config_of(toml, Path(CONFIG)).mail).incoming:
                    served.append(game)
            except PbemError as error:
                warn(f"{game}: {error}")
    folders = _led(folder, url, served, warn)
    if not folders:
        return frozenset()
    office = PostOffice(folders, DatabaseMailroom(database, ALL_GAMES), warn=warn)
    try:
        with office.open(MAIL_WAIT):
            # The receipts go out with each game, which they have woken.
            return frozenset() if receive(office, tell, warn) else frozenset(served)
    except (PbemError, OSError) as error:
        hindered("mail", error, warn)
        return frozenset(served)


def _serve(
    database: Database,
    url: str,
    below: Path,
    name: str,
    *,
    fetched: bool,
    force: bool,
    tell: Tell,
    warn: Tell,
) -> bool:
    """One game, of which this process has the lock."""
    try:
        folder = leads_to(below, url, name)
        office = PostOffice([folder], folder, warn=warn)
        with office.open(wait=0):
            for result in office.left_over():
                tell(f"{name}: {result.source}: {result.outcome}.")
            smooth = attend(office, fetched=fetched, force=force, tell=tell, warn=warn)
            (counter,) = office.counters.values()
            if smooth:
                _let_rest(database, counter)
    except Conflict as error:
        tell(f"{name}: {error}")
        return True
    except (PbemError, OSError) as error:
        return hindered(name, error, warn)
    return smooth


def _let_rest(database: Database, counter: Counter) -> None:
    """Until its next reminder or deadline, or until something happens; not while mail still waits."""
    game = counter.game
    database.sleep(counter.name, game.rows[-1].version, game.settings, next_look(counter, game.moment()))
