"""Fetching by IMAP: unread messages, each marked read once the log has its result (mail.md, 6).

Whole messages are fetched one by one, and of those beyond the limit the header alone: a mailbox of
any size, and a message of any size, take the memory of one message.
"""

# ruff: noqa: PLC0415 - imap-tools is slow to import

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError
from pbem.mail.servers import Server
from pbem.mail.sources import MAX_HEADER, MAX_MESSAGE, Arrived

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

TIMEOUT = 60.0
CHUNK = 200
_SIZE = re.compile(rb"UID (\d+).*?RFC822\.SIZE (\d+)|RFC822\.SIZE (\d+).*?UID (\d+)")


class Mailbox:
    """A mailbox that is open: unread messages, and the means to mark them read."""

    def __init__(self, box: "BaseMailBox", name: str) -> None:
        self._box = box
        self._name = name

    def unread(self) -> Iterator[Arrived]:
        """The unread messages in order of arrival."""
        with _told(self._name):
            uids = sorted(self._box.uids("UNSEEN"), key=int)
        for at in range(0, len(uids), CHUNK):
            chunk = uids[at : at + CHUNK]
            sizes = self._sizes(chunk)
            for uid in chunk:
                # One that somebody deleted meanwhile has no size.
                if size := sizes.get(uid):
                    what = "BODY.PEEK[]" if size <= MAX_MESSAGE else f"BODY.PEEK[HEADER]<0.{MAX_HEADER}>"
                    data = self._fetch(uid, what)
                    if data is not None:
                        yield Arrived(f"{self._name};uid={uid}", data, max(size, len(data)), uid=uid)

    def mark_read(self, uids: Sequence[str]) -> None:
        """Tell the server that these are dealt with."""
        if uids:
            with _told(self._name):
                self._box.flag(list(uids), r"\Seen", True)

    def _sizes(self, uids: Sequence[str]) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for line in self._asked(",".join(uids), "(UID RFC822.SIZE)"):
            if isinstance(line, bytes) and (found := _SIZE.search(line)):
                uid, size = (found[1], found[2]) if found[1] else (found[4], found[3])
                sizes[uid.decode()] = int(size)
        return sizes

    def _fetch(self, uid: str, what: str) -> bytes | None:
        for line in self._asked(uid, f"({what})"):
            if isinstance(line, tuple):
                data: bytes = line[1]
                return data
        return None

    def _asked(self, uids: str, what: str) -> list[Any]:
        with _told(self._name):
            status, answer = self._box.client.uid("FETCH", uids, what)
        if status != "OK":
            raise PbemError(
                f"{self._name}: the server does not give its messages ({status}); try again later."
            )
        return answer


@contextmanager
def opened(server: Server, password: Callable[[], str]) -> Iterator[Mailbox]:
    """A mailbox, logged in; `PbemError` says why mail cannot be fetched."""
    try:
        from imap_tools import MailBox, MailBoxUnencrypted
    except ImportError:
        raise PbemError(
            'Fetching by IMAP needs a library that is not installed; pip install "pbem[mail]".'
        ) from None
    folder = server.folder or "INBOX"
    name = f"{server.scheme}://{server.host}/{folder}"
    kind = MailBox if server.scheme == "imaps" else MailBoxUnencrypted
    secret = password()
    with _told(name):
        box = kind(server.host, server.port, timeout=TIMEOUT)
        try:
            box.login(server.user, secret, initial_folder=folder)
        except BaseException:
            box.client.shutdown()
            raise
    try:
        yield Mailbox(box, name)
    finally:
        with suppress(PbemError), _told(name):
            box.logout()


@contextmanager
def _told(name: str) -> Iterator[None]:
    """What goes wrong between here and the server, as one sentence."""
    from imaplib import IMAP4

    from imap_tools import ImapToolsError

    try:
        yield
    except (ImapToolsError, IMAP4.error, OSError, EOFError, ValueError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise PbemError(f"{name}: mail could not be fetched ({reason}); try again later.") from error
