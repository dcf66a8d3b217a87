"""Many games of a database, attended to by several processes at once, on one machine or on several.

Each takes a game that is due, holds its advisory lock while it attends to it, and goes on to the next.
A process that dies loses its locks with its connection, and another takes its game over: what it had
appended is there, what it had not is not. That a turn is adjudicated once rests on none of this, but on
the log, which takes each version once.
"""

import gc
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem import clock
from pbem.counter import Counter
from pbem.directory import SharedOffice
from pbem.errors import Conflict, PbemError
from pbem.home import database_at, leads_to
from pbem.post import PostOffice
from pbem.store_postgres import Box, Database
from pbem.ticking import Tell, attend, hindered, next_look, receive

PAGE = 50
"""So many due games are asked for at a time."""
MAIL_WAIT = 60.0
"""Seconds to wait for another process that takes in the mail of all games."""


def office_of_all(url: str, folder: Path, warn: Tell) -> PostOffice:
    """One mailbox for all games of a database; their reports and files lie below the folder."""
    return SharedOffice(database_at(url), folder, warn=warn)


def tick_all(
    url: str, folder: Path, *, force: bool, tell: Tell, warn: Tell, now: Callable[[], datetime] = clock.now
) -> bool:
    """Attend to every game of a database that is due; gives whether nothing stood in the way."""
    gc.freeze()
    gc.enable()  # unlike other commands this one may run for hours
    database = database_at(url)
    warn = _once(warn)
    fetched, smooth, shut = _receive(database, folder, tell, warn)
    seen = set[str]()
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
                            fetched=fetched,
                            waited=due.game in shut,
                            force=force,
                            tell=tell,
                            warn=warn,
                        )
        if len(seen) == count:  # a whole pass found nothing more, whoever died meanwhile
            return smooth


def _once(warn: Tell) -> Tell:
    """What is in a game's way is told when mail is taken in, and not again when its turn comes."""
    told = set[str]()

    def warn_once(sentence: str) -> None:
        if sentence not in told:
            told.add(sentence)
            warn(sentence)

    return warn_once


class _Mail(NamedTuple):
    """Whether all mail that there is was taken in, whether all went well, and the games that were shut."""

    fetched: bool
    smooth: bool
    shut: Collection[str]


def _receive(database: Database, folder: Path, tell: Tell, warn: Tell) -> _Mail:
    office = SharedOffice(database, folder, warn=warn)
    try:
        fetched = True
        if office.may_have_mail():
            with office.open(MAIL_WAIT):
                fetched = receive(office, tell, warn)  # receipts go out with each game, which they have woken
    except (PbemError, OSError) as error:
        fetched = hindered("mail", error, warn)
    return _Mail(fetched, fetched and not office.waiting_for, frozenset(office.shut))


def _serve(
    database: Database,
    url: str,
    below: Path,
    name: str,
    *,
    fetched: bool,
    waited: bool,
    force: bool,
    tell: Tell,
    warn: Tell,
) -> bool:
    """One game, of which this process has the lock; `waited`: mail may wait that could not be judged."""
    try:
        folder = leads_to(below, url, name)
        office = PostOffice([folder], folder, warn=warn)
        with office.open(wait=0):
            for result in office.left_over():
                tell(f"{name}: {result.source}: {result.outcome}.")
            (counter,) = office.counters.values()
            # Mail is taken in for the games that have a mailbox: no other has to wait for it.
            whole = not waited and (fetched or not counter.settings.incoming)
            smooth = attend(office, fetched=whole, force=force, tell=tell, warn=warn)
            (counter,) = office.counters.values()  # read anew, if it was adjudicated
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
    database.sleep(
        counter.name,
        game.rows[-1].version,
        game.settings,
        next_look(counter, game.moment()),
        marks=counter.marks,
        box=Box(counter.settings.incoming, counter.settings.password_env),
    )
