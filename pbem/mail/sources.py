"""Where mail comes from, file by file: messages as bytes in order of arrival (mail.md, In; 6).

Sources are only read. No message is held whole beyond `MAX_MESSAGE`: of a larger one the header alone.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from pbem.errors import BadInput, shown
from pbem.mail.letter import header_of

MAX_MESSAGE = 1024 * 1024
MAX_HEADER = 64 * 1024
STREAM = "-"
"""The standard input as a source."""

_SEPARATOR = re.compile(rb"From .*\d{1,2}:\d{2}")
_SURE_SEPARATOR = re.compile(rb"From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d .*\d{4}\s*\Z")
"""As mail programs write it; no empty line need stand above it."""
_ESCAPED = re.compile(rb"(?m)^>(>*From )")
_MAIL_FIELD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:from|return-path|received|delivered-to|envelope-to|x-[!-9;-~]+|date|subject|to|cc"
    rb"|reply-to|sender|message-id|mime-version|content-[a-z-]+|dkim-signature|arc-[a-z-]+"
    rb"|authentication-results|in-reply-to|references|user-agent|auto-submitted|precedence)[ \t]*:",
    re.IGNORECASE,
)
_MAILDIR_TIME = re.compile(r"(\d+)(?:\.M(\d+))?")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message at the door: its bytes, or the header alone of one of `size` bytes that is too large."""

    source: str
    data: bytes
    size: int
    bare: bool = False
    """An order text saved as a file, without the header of a mail."""
    uid: str = ""
    """Of a message in an IMAP mailbox."""

    @property
    def too_large(self) -> bool:
        """Whether it is more than is read."""
        return self.size > MAX_MESSAGE


def arrivals(path: Path, failed: Callable[[str], None]) -> Iterator[Arrived]:
    """The messages of a file, an mbox, a Maildir or a folder of .eml and .txt files.

    What cannot be read is told to `failed`, and the rest goes on.
    """
    try:
        files = _files(path)
    except OSError as error:
        failed(f"{shown(path)} cannot be read: {error.strerror}; mend that and receive it again.")
        return
    for each in files:
        if each.exists() and not each.is_file():
            failed(
                f"{shown(each)} is no ordinary file; name a file, or pipe one message to `pbem receive -`."
            )
            continue
        try:
            yield from _file(each, str(each))
        except OSError as error:
            failed(f"{shown(each)} cannot be read: {error.strerror}; mend that and receive it again.")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(each for each in path.iterdir() if each.suffix.lower() in {".eml", ".txt"})
    # Of a Maildir that was copied an empty folder may be lost, so one of the two tells it.
    folders = [path / part for part in ("new", "cur") if (path / part).is_dir()]
    mails = [each for folder in folders for each in folder.iterdir() if not each.name.startswith(".")]
    return [each for each in (*sorted(mails, key=_arrival), *files) if each.is_file()]


def from_stream(stream: BinaryIO, spool: Callable[[bytes], None]) -> Iterator[Arrived]:
    """The one message of a stream; what is too large goes to `spool` piece by piece, whole."""
    data = stream.read(MAX_MESSAGE + 1)
    size = len(data)
    if size > MAX_MESSAGE:
        spool(data)
        while piece := stream.read(MAX_MESSAGE):
            size += len(piece)
            spool(piece)
    if data.startswith(b"From "):  # the envelope line that procmail and Postfix put before a message
        data = _ESCAPED.sub(rb"\1", data.partition(b"\n")[2])
    if not data.strip():
        raise BadInput("Standard input is empty; pipe one message into it.")
    yield _arrived(STREAM, data, size)


def _arrived(source: str, data: bytes, size: int, *, bare: bool = False) -> Arrived:
    return Arrived(source, header_of(data)[:MAX_HEADER] if size > MAX_MESSAGE else data, size, bare)


def _arrival(path: Path) -> tuple[int, int, str]:
    found = _MAILDIR_TIME.match(path.name)
    return (int(found[1]), int(found[2] or 0), path.name) if found else (0, 0, path.name)


def _file(path: Path, source: str) -> Iterator[Arrived]:
    with path.open("rb") as file:
        start = file.read(5)
        file.seek(0)
        if start == b"From ":
            yield from _mbox(file, source)
            return
        data = file.read(MAX_MESSAGE + 1)
        size = len(data)
        if size > MAX_MESSAGE:
            size = path.stat().st_size
        bare = path.suffix.lower() == ".txt" and not _MAIL_FIELD.match(data)
        yield _arrived(source, data, size, bare=bare)


def _mbox(file: BinaryIO, source: str) -> Iterator[Arrived]:
    """One after the other, line by line, so that a mailbox of any size takes the memory of one message."""
    number, gathered, size, empty_before = 0, BytesIO(), 0, True
    for line in _lines(file):
        if line.startswith(b"From ") and (
            number == 0 or _SURE_SEPARATOR.match(line) or (empty_before and _SEPARATOR.match(line))
        ):
            if number:
                yield _from_mbox(f"{source}#{number}", gathered, size)
            number, gathered, size = number + 1, BytesIO(), 0
        else:
            size += len(line)
            if gathered.tell() <= MAX_MESSAGE:
                gathered.write(line)
        empty_before = not line.strip(b"\r\n")
    yield _from_mbox(f"{source}#{number}", gathered, size)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(MAX_MESSAGE):
        yield line


def _from_mbox(source: str, gathered: BytesIO, size: int) -> Arrived:
    data = _ESCAPED.sub(rb"\1", gathered.getvalue())
    # The empty line before the next `From ` is the mbox's, not the message's.
    if size <= MAX_MESSAGE:
        data = data.removesuffix(b"\n").removesuffix(b"\r") if data.endswith((b"\n\n", b"\n\r\n")) else data
    return _arrived(source, data, size)
