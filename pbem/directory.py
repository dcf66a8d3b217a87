"""The mail of all games of a database, without reading all games: those that rest are found by marks.

A game that rests has told by which keys and addresses its mail can be known. So taking in mail costs what
the games cost that it is for, and those in which something has happened since they were last attended to.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from pbem import clock
from pbem.counter import Counter, Counters, Opened
from pbem.errors import Conflict, MustWait, PbemError, Unreachable
from pbem.game import Game
from pbem.home import leads_to
from pbem.mail.kept_in_database import ALL_GAMES, DatabaseMailroom
from pbem.post import PostOffice, Tell
from pbem.store_postgres import Database
from pbem.ticking import hindered


class Directory(Counters):
    """Counters that are opened when somebody asks for them; `open_counter` may raise anything of ours."""

    def __init__(
        self, database: Database, open_counter: Callable[[str], Counter], *, with_mailbox: bool
    ) -> None:
        """`with_mailbox`: only for games that have a mailbox."""
        super().__init__()
        self._database = database
        self._open_counter = open_counter
        self._with_mailbox = with_mailbox
        self._asked: set[str] = set()
        self._left_out: set[str] = set()
        self.shut: dict[str, str] = {}
        """Why games could not be opened, by name."""

    def open(self, name: str) -> None:
        """Have a game's counter from here on; `MustWait` if it cannot be opened."""
        if name in self or name in self._left_out:
            return
        if name not in self.shut:
            try:
                self._take(name, self._open_counter(name))
            except (Conflict, Unreachable):
                raise  # of the database, not of this game
            except (PbemError, OSError) as error:
                hindered(name, error, lambda told: self.shut.update({name: told}))
        if name in self.shut:
            raise MustWait(self.shut[name])

    def _take(self, name: str, counter: Counter) -> None:
        counter.game.moment()  # a clock that is wrong is told before anything is judged by it
        if self._with_mailbox and not counter.settings.incoming:
            self._left_out.add(name)
            return
        self[name] = counter
        for known in ("_keys", "_addresses"):
            self.__dict__.pop(known, None)

    def _open_known_by(self, marks: Iterable[str]) -> None:
        new = [mark for mark in dict.fromkeys(marks) if mark not in self._asked]
        if new:
            for name in self._database.games_known_by(new):
                self.open(name)
            self._asked.update(new)

    def opened(self, like: Iterable[str]) -> tuple[Opened, ...]:
        """What is opened by those of these texts that are keys."""
        asked = tuple(like)
        self._open_known_by(asked)
        return super().opened(asked)

    def may_know(self, sender: str) -> bool:
        """Whether it may be worth the while to ask for the addresses in a From field."""
        return "@" in sender

    def with_address(self, address: str) -> tuple[Counter, str] | None:
        """The first game by name, and its seat, whose address on file this is."""
        self._open_known_by((address.casefold(),))
        found = ((self[name], self[name].seat_of(address)) for name in sorted(self))
        return next(((counter, seat) for counter, seat in found if seat), None)

    def must_be_whole(self) -> None:
        """`MustWait` if some game could not be opened."""
        for told in self.shut.values():
            raise MustWait(told)

    def mailboxes(self) -> tuple[Counter, ...]:
        """Of each mailbox that game.toml names, a game that does."""
        known = {tuple(_box(counter)) for counter in super().mailboxes()}
        for box, names in self._database.mailboxes():
            if tuple(box) not in known:
                self._open_first(names)
        return super().mailboxes()

    def _open_first(self, names: Iterable[str]) -> None:
        for name in names:
            try:
                self.open(name)
            except MustWait:
                continue  # told when a message is for it; its mailbox is the others' too
            return


def _box(counter: Counter) -> tuple[str, str]:
    return counter.settings.incoming, counter.settings.password_env


class SharedOffice(PostOffice):
    """The post office of all games of a database; their reports and files lie below a folder."""

    def __init__(
        self,
        database: Database,
        below: Path,
        *,
        with_mailbox: bool,
        warn: Tell,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        """`with_mailbox`: only for the games that have a mailbox."""
        super().__init__((), DatabaseMailroom(database, ALL_GAMES), now=now, warn=warn)
        self._database = database
        self._below = below
        self._with_mailbox = with_mailbox

    def may_have_mail(self) -> bool:
        """Whether a game may name a mailbox: asked before anybody is waited for."""
        return bool(self._database.mailboxes()) or any("mail" in toml for _, toml in self._database.awake())

    def load(self) -> None:
        """Read anew the games in which something has happened, and the others when they are asked for."""
        self.counters = directory = Directory(self._database, self._opened, with_mailbox=self._with_mailbox)
        for name, toml in self._database.awake():
            if not self._with_mailbox or "mail" in toml:
                try:
                    directory.open(name)
                except MustWait as error:
                    self._waits(str(error))

    def _opened(self, name: str) -> Counter:
        folder = leads_to(self._below, self._database.url, name)
        return Counter(Game(folder, now=self._now, warn=self._warn), judged=self.room.was_judged)
