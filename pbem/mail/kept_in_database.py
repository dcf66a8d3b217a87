"""Kept mail and the outbox of games in a database: the same as kept.py and outbox.py do in folders."""

import json
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from pbem.clock import patiently
from pbem.errors import Conflict
from pbem.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folders, write_whole
from pbem.mail.kept import BARE, Entry, entry_json, name_of
from pbem.mail.outbox import file_name
from pbem.store_postgres import Database, Kept, Letters

ALL_GAMES = ""
"""The room of a mailbox that all games of a database share."""


class DatabaseMailroom:
    """The mail of one game of a database, or, as the room `ALL_GAMES`, of the mailbox of all."""

    def __init__(self, database: Database, room: str) -> None:
        self.letters = Letters(database, room)
        self.name = f"the mail of {room or 'all games'} in {database.name}"

    @contextmanager
    def locked(self, wait: float) -> Iterator[None]:
        """Nobody else takes in mail meanwhile, on any machine; `Conflict` if somebody does for longer."""

        def wait_for(attempt: Callable[[], bool]) -> bool:
            return patiently(attempt, wait)

        with self.letters.database.lock_of_room(self.letters.room, wait_for) as locked:
            if not locked:
                raise Conflict(f"Another pbem is at work on {self.name}; try again when it is done.")
            yield

    # Messages.

    def is_bare(self, name: str) -> bool:
        """Whether what is kept under a name came as a bare order text."""
        return name.startswith(BARE)

    def source(self, name: str) -> str:
        """How a result calls a kept message."""
        return f"{name}.eml"

    def read(self, name: str) -> bytes:
        """A message as it came."""
        return self.letters.message(name)

    def keep(self, data: bytes, *, bare: bool = False) -> str:
        """Keep a message, unless it is; gives its name."""
        name = f"{BARE if bare else ''}{name_of(data)}"
        self.letters.keep(name, data)
        return name

    def keep_header(self, data: bytes, size: int) -> str:
        """Keep the header of a message that is too large to be read; gives the name."""
        name = name_of(b"%d\n%b" % (size, data))
        self.letters.keep(name, data, header_only=True)
        return name

    def spooling(self, _: ExitStack) -> Callable[[bytes], object]:
        """What takes the pieces of a message too large to be read that would otherwise be lost."""
        return partial(self.letters.keep_piece, f"large-{uuid4().hex[:20]}")

    def unjudged(self) -> list[str]:
        """Messages that were kept but never judged, since a crash came between, in order of arrival."""
        return list(self.letters.unjudged())

    def unjudged_waiting(self) -> Mapping[str, str | None]:
        """The same, with the game that each waits for, if any."""
        return self.letters.unjudged()

    def wait(self, name: str, game: str) -> None:
        """Note for which game a message waits."""
        self.letters.wait(name, game)

    def settle(self, names: list[str]) -> None:
        """Nothing has to be waited for: what is kept is on the database's disk."""

    # The journal.

    def entry(self, name: str) -> Entry | None:
        """What became of a message, if it was judged in this room."""
        found = self.letters.entry(name)
        return self.entry_of(found) if found else None

    @staticmethod
    def entry_of(line: str) -> Entry:
        """A line of the journal."""
        return Entry(**json.loads(line))

    def were_judged(self, names: Collection[str]) -> Container[str]:
        """Those of these messages that any room's journal has: a game's own mailbox's, or that of all."""
        return self.letters.judged_anywhere(names)

    def record(self, entries: Iterable[Entry]) -> None:
        """Append to the journal."""
        self.letters.record(map(line_of, entries))

    def has_text(self, message_id: str | None, seat: str, text: str) -> bool:
        """Whether a message of this id brought this text (its SHA-256) before; `seat` with game and turn."""
        return message_id is not None and self.letters.has_sent(_mark(message_id, seat, text))

    def answers(self, seat: str, day: str) -> int:
        """How many receipts were made for a seat, named with its game, on a day."""
        return self.letters.answers(f"{seat} {day}")


def line_of(entry: Entry) -> tuple[str, str, str | None, str | None, str | None]:
    """A line of the journal as its table has it: name, line, game, what was sent, who was answered when."""
    sent = None
    if entry.text and entry.message_id and entry.seat and entry.outcome in {"accepted", "duplicate"}:
        sent = _mark(entry.message_id, f"{entry.game} {entry.turn} {entry.seat}", entry.text)
    answered = f"{entry.answered} {entry.day}" if entry.answered else None
    # As ASCII: a Message-ID may hold what is no UTF-8, or a NUL.
    return entry.name, json.dumps(entry_json(entry)), entry.game, sent, answered


def _mark(message_id: str, seat: str, text: str) -> str:
    return sha256(json.dumps([message_id, seat, text]).encode()).hexdigest()


class DatabaseOutbox:
    """A game's messages to send; `folder` is where they go if no server sends them."""

    def __init__(self, kept: Kept, folder: Path) -> None:
        self._kept = kept
        self._folder = folder

    def make(self) -> None:
        """There is nothing to make."""

    def has(self, identity: str) -> bool:
        """Whether a message of this id was ever put here, or a note of it."""
        return self._kept.has_posted(identity)

    def put(self, identity: str, data: Callable[[], bytes]) -> bool:
        """Put a message here, unless it ever was; `data` is made only then. Gives whether it is new."""
        return not self.has(identity) and self._kept.post(identity, data(), "waiting")

    def note(self, identity: str) -> None:
        """Write down that something was done for good."""
        self._kept.post(identity, None, "noted")

    def waiting(self) -> list[str]:
        """The messages that are yet to be sent, in the order in which they were put here."""
        return self._kept.waiting()

    def message(self, name: str) -> bytes:
        """One of them."""
        return self._kept.message(name)

    def sent(self, name: str) -> None:
        """A message was sent."""
        self._kept.done_with(name, "sent")

    def refused(self, name: str) -> None:
        """A mail server will never take this message."""
        self._kept.done_with(name, "refused")

    def hand_over(self) -> None:
        """Where no server sends them: into a Maildir of this machine, for a mail program."""
        for identity in self.waiting():
            for part in ("tmp", "new", "cur"):
                make_folders(self._folder.parent, self._folder / part, PRIVATE_FOLDER)
            name = file_name(identity)
            part_of = self._folder / "tmp" / name
            write_whole(part_of, self.message(identity), PRIVATE_FILE)
            part_of.rename(self._folder / "new" / name)
            self.sent(identity)
