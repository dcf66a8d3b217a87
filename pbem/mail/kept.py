"""Kept mail: each message byte for byte before it is judged, and a journal of outcomes (mail.md, 6)."""

import json
import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import IO

from pbem.clock import patiently, ticks
from pbem.errors import Conflict, shown
from pbem.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folders, write_whole

NAME_LENGTH = 20
BARE = "text-"
"""How the name of an order text begins that came as a file, without the header of a mail."""
_HAD_TEXT = frozenset({"accepted", "duplicate", "refused"})
FEW = 4
"""So many files are put on the disk one by one; of more, the system writes all that it holds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of a message: one line of the journal."""

    name: str
    outcome: str
    message_id: str | None = None
    game: str | None = None
    seat: str | None = None
    turn: int | None = None
    text: str | None = None
    """The SHA-256 of its order text, or of all its text if none was taken from it."""
    reason: str | None = None
    answered: str | None = None
    """Whom a receipt was made for: a game and a seat."""
    day: str = ""


def entry_json(entry: Entry) -> dict[str, object]:
    """A line of the journal, before it is written."""
    return {each.name: getattr(entry, each.name) for each in fields(entry)}


def name_of(data: bytes) -> str:
    """A message's name: the beginning of its SHA-256, so that the same bytes are the same message."""
    return sha256(data).hexdigest()[:NAME_LENGTH]


def _lock(file: IO[str]) -> bool:
    import fcntl  # noqa: PLC0415 - only where there are such locks

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Mailroom:
    """The folder mail/ of a game, or of several."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._last_time = 0
        self._entries: dict[str, Entry] | None = None
        self._texts: set[tuple[str, str, str]] = set()
        self._answers: dict[tuple[str, str], int] = {}

    @property
    def _journal(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def _kept(self) -> Path:
        return self.folder / "kept"

    @property
    def name(self) -> str:
        """What tells it from other rooms."""
        return str(self.folder)

    def path(self, name: str) -> Path:
        """Where a message is kept."""
        return self._kept / f"{name}.eml"

    def source(self, name: str) -> str:
        """How a result calls a kept message."""
        return str(self.path(name))

    def read(self, name: str) -> bytes:
        """A message as it came."""
        return self.path(name).read_bytes()

    def entry(self, name: str) -> Entry | None:
        """What became of a message, if it was judged."""
        return self.entries.get(name)

    def were_judged(self, _: Collection[str]) -> Container[str]:
        """The messages that the journal has, these among them."""
        return self.entries

    def make(self) -> None:
        """Make the folders, their owner's alone."""
        make_folders(self.folder.parent, self._kept, PRIVATE_FOLDER)

    @contextmanager
    def locked(self, wait: float) -> Iterator[None]:
        """Nobody else takes in mail meanwhile; `Conflict` if somebody does for longer than `wait` seconds."""
        self.make()
        with (self.folder / ".lock").open("a") as lock:
            if not patiently(lambda: _lock(lock), wait):
                raise Conflict(f"Another pbem is at work in {shown(self.folder)}; try again when it is done.")
            self.forget()
            yield

    def forget(self) -> None:
        """Read the journal anew when it is next needed: others may have written to it."""
        self._entries = None

    # Messages.

    def is_bare(self, name: str) -> bool:
        """Whether what is kept under a name came as a bare order text."""
        return name.startswith(BARE)

    def keep(self, data: bytes, *, bare: bool = False) -> str:
        """Keep a message, unless it is; gives its name. `settle` waits until the disk has it."""
        name = f"{BARE if bare else ''}{name_of(data)}"
        # A path as text and a file without a buffer: this is done for every message of a mailbox.
        folder = str(self._kept)
        path = f"{folder}/{name}.eml"
        if not os.path.exists(path):  # noqa: PTH110
            part = f"{folder}/.{name}"
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
            with open(handle, "wb", buffering=0) as file:  # noqa: PTH123
                written = 0
                while written < len(data):
                    written += file.write(data[written:])
            # Strictly later than the one before: so the order of arrival can be told again after a crash.
            self._last_time = max(ticks(), self._last_time + 1_000)
            os.utime(part, ns=(self._last_time, self._last_time))
            os.rename(part, path)  # noqa: PTH104
        return name

    def put_back(self, file: str, data: bytes) -> None:
        """A file of kept mail that comes from another store; in order of arrival."""
        write_whole(self._kept / file, data, PRIVATE_FILE, durable=False)
        self._last_time = max(ticks(), self._last_time + 1_000)
        os.utime(self._kept / file, ns=(self._last_time, self._last_time))

    def keep_header(self, data: bytes, size: int) -> str:
        """Keep the header of a message that is too large to be read; gives the name."""
        name = name_of(b"%d\n%b" % (size, data))
        path = self._kept / f"{name}.header"
        if not path.exists():
            write_whole(path, data, PRIVATE_FILE)
        return name

    def spooling(self, open_files: ExitStack) -> Callable[[bytes], object]:
        """What takes the pieces of a message too large to be read that would otherwise be lost."""
        handle, _ = mkstemp(prefix="large-", suffix=".eml.whole", dir=self._kept)
        return open_files.enter_context(open(handle, "wb")).write  # noqa: PTH123 - a file descriptor

    def unjudged(self) -> list[str]:
        """Messages that were kept but never judged, since a crash came between, in order of arrival."""
        entries = self.entries
        with os.scandir(self._kept) as files:
            found = [
                (file.stat().st_mtime_ns, file.name.removesuffix(".eml"))
                for file in files
                if file.name.endswith(".eml") and file.name.removesuffix(".eml") not in entries
            ]
        return [name for _, name in sorted(found)]

    def settle(self, names: list[str]) -> None:
        """Wait until the disk has these messages."""
        if len(names) > FEW:
            os.sync()
            return
        for path in (*map(self.path, names), self._kept):
            with suppress(FileNotFoundError):
                handle = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)

    # The journal.

    @property
    def entries(self) -> dict[str, Entry]:
        """All that was judged, by name."""
        if self._entries is None:
            self._entries, self._texts, self._answers = {}, set(), {}
            for entry in self._read():
                self._remember(entry)
        return self._entries

    def _read(self) -> Iterator[Entry]:
        with suppress(FileNotFoundError), self._journal.open(encoding="utf-8") as file:
            for line in file:
                # The last line may be cut off by a crash: its message is judged again.
                with suppress(ValueError, TypeError):
                    yield Entry(**json.loads(line))

    def _remember(self, entry: Entry) -> None:
        assert self._entries is not None
        self._entries[entry.name] = entry
        if entry.text and entry.message_id and entry.seat and entry.outcome in _HAD_TEXT:
            self._texts.add((entry.message_id, f"{entry.game} {entry.turn} {entry.seat}", entry.text))
        if entry.answered:
            count = (entry.answered, entry.day)
            self._answers[count] = self._answers.get(count, 0) + 1

    def record(self, entries: Iterable[Entry]) -> None:
        """Append to the journal, and wait until the disk has it."""
        entries = list(entries)
        known = self.entries
        lines = "".join(json.dumps(entry_json(entry), ensure_ascii=False) + "\n" for entry in entries)
        handle = os.open(self._journal, os.O_RDWR | os.O_CREAT | os.O_APPEND, PRIVATE_FILE)
        with open(handle, "r+b") as file:  # noqa: PTH123
            end = file.seek(0, os.SEEK_END)
            if end and file.seek(end - 1) and file.read(1) != b"\n":
                lines = "\n" + lines  # what a crash cut off
            file.write(lines.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
        for entry in entries:
            known.setdefault(entry.name, entry)
            self._remember(entry)

    def has_text(self, message_id: str | None, seat: str, text: str) -> bool:
        """Whether a message of this id brought this text (its SHA-256) before; `seat` with game and turn."""
        return self.entries is not None and message_id is not None and (message_id, seat, text) in self._texts

    def answers(self, seat: str, day: str) -> int:
        """How many receipts were made for a seat, named with its game, on a day."""
        return self._answers.get((seat, day), 0) if self.entries is not None else 0
