"""The mail of all games of a database, without reading all games: those that rest are found by marks.

A game that rests has told by which keys and addresses its mail can be known. So taking in mail costs what
the games cost that it is for, and those in which something has happened since they were last attended to.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from pbem import clock
from pbem.counter import Counter, Counters, Opened
from pbem.errors import Conflict, MustWait, PbemError, Unreachable, trouble_of
from pbem.game import Game
from pbem.home import leads_to
from pbem.mail.kept_in_database import ALL_GAMES, DatabaseMailroom
from pbem.post import PostOffice, Tell
from pbem.store_postgres import Box, Database

_MAY_HAVE_MAIL = re.compile(r"(?<![\w-])mail(?![\w-])|\\")
"""In every game.toml that has [mail], which may be written with escapes; `email` is no sign of it."""

Shut: TypeAlias = dict[str, str]
"""Why games could not be opened, by name."""


class Directory(Counters):
    """Counters that are opened when somebody asks for them; `open_counter` may raise anything of ours."""

    def __init__(
        self, database: Database, open_counter: Callable[[str], Counter], shut: Mapping[str, str]
    ) -> None:
        """`shut`: those that could not be opened before, and stay so: no later mail passes theirs."""
        super().__init__()
        self._database = database
        self._open_counter = open_counter
        self._asked: set[str] = set()
        self._unmarked: set[str] = set()
        """Of the games that are shut, those which have perhaps not told all that their mail is known by."""
        self.shut: Shut = dict(shut)

    def open(self, name: str) -> None:
        """Have a game's counter from here on; `MustWait` if it cannot be opened."""
        if name in self:
            return
        if name not in self.shut:
            try:
                self._take(name, self._open_counter(name))
            except (Conflict, Unreachable):
                raise  # of the database, not of this game
            except (PbemError, OSError) as error:
                self.shut[name] = trouble_of(name, error)
        if name in self.shut:
            raise MustWait(self.shut[name], name)

    def _take(self, name: str, counter: Counter) -> None:
        counter.read()
        # What is known of others is not gathered anew: a mailbox may be for as many games as it has letters.
        if "_keys" in vars(self):
            self._keys.update(counter.keys)
        if "_games_at" in vars(self):
            _add_addresses(self._games_at, counter)
        if "_behind" in vars(self) and counter.is_behind:
            self._behind.append(counter)
        self[name] = counter

    @cached_property
    def _games_at(self) -> dict[str, list[str]]:
        """By address, the games that know it."""
        found: dict[str, list[str]] = {}
        for counter in self.values():
            _add_addresses(found, counter)
        return found

    def open_awake(self, tell: Tell = lambda _: None) -> None:
        """Open the games that do not rest; what is in the way of one is told."""
        for name in self._database.awake():
            try:
                self.open(name)
            except MustWait as error:
                self._unmarked.add(name)
                tell(str(error))

    def renew(self) -> None:
        """Go on from what other processes did since: a letter's key may be newer than what was read."""
        self._asked.clear()
        known = {
            name: (counter.game.rows[-1].version, counter.game.settings) for name, counter in self.items()
        }
        changed = self._database.changed(known) if known else ()
        for name in changed:
            del self[name]
        if changed:
            for gathered in ("_keys", "_games_at", "_behind"):
                vars(self).pop(gathered, None)
        self.open_awake()

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
        folded = address.casefold()
        self._open_known_by((folded,))
        found = ((self[name], self[name].seat_of(address)) for name in sorted(self._games_at.get(folded, ())))
        return next(((counter, seat) for counter, seat in found if seat), None)

    def must_be_whole(self) -> None:
        """`MustWait` if some game could not be opened that mail may be for without its marks."""
        for name in self._unmarked:
            raise MustWait(self.shut[name], name)

    def mailboxes(self) -> tuple[Counter, ...]:
        """Of each mailbox that game.toml names, a game that does."""
        known = {_box(counter) for counter in super().mailboxes()}
        for box in self._database.mailboxes():
            if box not in known:
                self._open_first(self._database.games_with(box))
        return super().mailboxes()

    def _open_first(self, names: Iterable[str]) -> None:
        for name in names:
            try:
                self.open(name)
            except MustWait:
                continue  # told when a message is for it; its mailbox is the others' too
            return


def _add_addresses(games_at: dict[str, list[str]], counter: Counter) -> None:
    for address in {address.casefold() for address in counter.addresses.values()}:
        games_at.setdefault(address, []).append(counter.name)


def _box(counter: Counter) -> Box:
    return Box(counter.settings.incoming, counter.settings.password_env)


class SharedOffice(PostOffice):
    """The post office of all games of a database; their reports and files lie below a folder."""

    def __init__(
        self,
        database: Database,
        below: Path,
        *,
        warn: Tell,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        self._room = DatabaseMailroom(database, ALL_GAMES)
        super().__init__((), self._room, now=now, warn=warn)
        self._database = database
        self._below = below

    def may_have_mail(self) -> bool:
        """Whether there may be anything to take in: asked before anybody is waited for."""
        return (
            bool(self._database.mailboxes())
            or any(map(_MAY_HAVE_MAIL.search, self._database.settings_of_awake()))
            or bool(self._room.unjudged())
        )

    def load(self) -> None:
        """Read anew the games in which something has happened, and the others when they are asked for."""
        self.counters = directory = Directory(self._database, self._opened, self.shut)
        self.shut = directory.shut
        directory.open_awake(self._tell_once)

    def _opened(self, name: str) -> Counter:
        folder = leads_to(self._below, self._database.url, name)
        return Counter(Game(folder, now=self._now, warn=self._warn), judged=self.room.were_judged)

    def _left_names(self) -> list[str]:
        """Without those that still wait for a game: of them there may be thousands."""
        waiting = self._room.unjudged_waiting()
        present = self._database.present({game for game in waiting.values() if game})
        return [name for name, game in waiting.items() if game not in present or self._opens(game)]

    def _opens(self, game: str) -> bool:
        assert isinstance(self.counters, Directory)
        try:
            self.counters.open(game)
        except MustWait as error:
            self._tell_once(str(error))
            self.some_wait = True
            return False
        return True

    def _wait(self, waiting: Mapping[str, MustWait]) -> None:
        super()._wait(waiting)
        for name, error in waiting.items():
            self._room.wait(name, error.game)
