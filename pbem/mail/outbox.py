"""outbox/: a Maildir of messages to send, which any mail program opens (mail.md, 8).

A message's file has a name made from its Message-ID, and a journal says what was ever put there: so
putting it there again, after a crash or by mistake, does nothing.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pbem.files import PRIVATE_FILE, PRIVATE_FOLDER, make_folders, write_whole

_SENT = ":2,S"
_FAILED = ":2,F"


def file_name(identity: str) -> str:
    """The name of a message's file, made from its id: written again, it is the same file."""
    return sha256(identity.encode()).hexdigest()[:24]


class Outbox:
    """The folder outbox/ of a game, and beside it in mail/ the journal of what was put there."""

    def __init__(self, folder: Path, journal: Path) -> None:
        self.folder = folder
        self._journal = journal
        self._put: set[str] | None = None

    def make(self) -> None:
        """Make the Maildir, its owner's alone."""
        for part in ("tmp", "new", "cur"):
            make_folders(self.folder.parent, self.folder / part, PRIVATE_FOLDER)
        make_folders(self._journal.parent.parent, self._journal.parent, PRIVATE_FOLDER)

    def forget(self) -> None:
        """Read the journal anew when it is next needed."""
        self._put = None

    def has(self, identity: str) -> bool:
        """Whether a message of this id was ever put here, or a note of it."""
        return identity in self.known

    @property
    def known(self) -> set[str]:
        """The ids of all messages that were ever put here."""
        if self._put is None:
            self._put = set()
            with suppress(FileNotFoundError), self._journal.open(encoding="utf-8") as file:
                for line in file:
                    with suppress(ValueError, TypeError, KeyError):
                        self._put.add(json.loads(line)["id"])
        return self._put

    def put(self, identity: str, data: Callable[[], bytes]) -> bool:
        """Put a message here, unless it ever was; `data` is made only then. Gives whether it is new."""
        if identity in self.known:
            return False
        self.make()
        name = file_name(identity)
        here = [*self.folder.glob(f"new/{name}*"), *self.folder.glob(f"cur/{name}*")]
        if not here:
            part = self.folder / "tmp" / name
            write_whole(part, data(), PRIVATE_FILE)
            part.rename(self.folder / "new" / name)
        self.note(identity)
        return not here

    def note(self, identity: str) -> None:
        """Write down that something was done for good."""
        handle = os.open(self._journal, os.O_RDWR | os.O_CREAT | os.O_APPEND, PRIVATE_FILE)
        with open(handle, "r+b") as file:  # noqa: PTH123 - a file descriptor
            end = file.seek(0, os.SEEK_END)
            cut = end and file.seek(end - 1) and file.read(1) != b"\n"
            file.write((b"\n" if cut else b"") + json.dumps({"id": identity}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.known.add(identity)

    def waiting(self) -> list[str]:
        """The messages that are yet to be sent, in the order in which they were put here."""
        found = [path for path in self.folder.glob("new/*") if not path.name.startswith(".")]
        return [path.name for path in sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))]

    def message(self, name: str) -> bytes:
        """One of them."""
        return (self.folder / "new" / name).read_bytes()

    def sent(self, name: str) -> None:
        """A message was sent: it is kept as mail programs keep what has been seen to."""
        (self.folder / "new" / name).rename(self.folder / "cur" / f"{name}{_SENT}")

    def refused(self, name: str) -> None:
        """A mail server will never take this message: it is flagged, and not tried again."""
        (self.folder / "new" / name).rename(self.folder / "cur" / f"{name}{_FAILED}")

    def hand_over(self) -> None:
        """Where no server sends the mail, it lies here for a mail program already."""
