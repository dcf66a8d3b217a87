"""A message as bytes, taken apart: its header fields, and the leaf parts where orders may stand (mail.md, 2).

Parts inside another message (message/rfc822) are never among them. Python's own MIME parser finds
the parts; what stands in them is decoded by `decoding`, which refuses what the library would guess at.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import errors, message_from_bytes
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["plain", "html", "attachment", "other"]

MAX_CONTAINERS = 100
"""Parts within parts; no mail program nests a tenth of it."""
MAX_PARTS = 12_000
"""Lines that may part one part from the next."""
MAX_WORK = 300_000
"""Lines times containers, which is what taking a message apart costs."""
MAX_FIELD = 8_000
MAX_FROM = 1_000
"""Characters of one header field, and of From; what goes beyond is not looked at."""

_FIELD_END = re.compile(rb"\r?\n\r?\n|\r\r")
_CLOSED_BADLY = (errors.CloseBoundaryNotFoundDefect,)


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of the message: `raw` as sent, before any decoding; `whole` if its container was closed."""

    role: Role
    kind: str
    raw: bytes
    name: str = ""
    charset: str = ""
    transfer: str = ""
    flowed: bool = False
    delete_space: bool = False
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Letter:
    """A message taken apart. `plain` and `html` are its two bodies, each perhaps of several parts."""

    fields: Mapping[str, tuple[str, ...]]
    """By name in small letters, each field's value in one line, encoded words still encoded."""
    plain: tuple[Part, ...] = ()
    html: tuple[Part, ...] = ()
    attachments: tuple[Part, ...] = ()
    """Those that may hold orders: text/plain with a name or marked as attachment, or named *.txt."""
    report: bool = False
    """Whether it holds a multipart/report."""
    broken: str = ""
    """Why it could not be taken apart, if it could not."""

    def values(self, name: str) -> tuple[str, ...]:
        """All fields of a name, encoded words decoded."""
        return tuple(decoded_words(value) for value in self.fields.get(name, ()))

    def first(self, name: str) -> str:
        """The first field of a name, decoded; empty if there is none."""
        return next(iter(self.values(name)), "")

    @property
    def message_id(self) -> str | None:
        """As sent, in its angle brackets; None if there is none."""
        found = next(iter(self.fields.get("message-id", ())), "").strip()
        return found or None

    @property
    def senders(self) -> list[str]:
        """The addresses in From; those behind more comments and groups than anybody writes are none."""
        values = [value[:MAX_FROM] for value in self.fields.get("from", ())]
        # The library takes one within the other, and so one call within the other.
        readable = [value for value in values if value.count("(") + value.count(":") <= MAX_CONTAINERS]
        return [address for _, address in getaddresses(readable) if address]

    @property
    def subject(self) -> str:
        """The first subject, in one line."""
        return self.first("subject")


def read_letter(data: bytes) -> Letter:
    """Take a message apart. Whatever the bytes are, a letter comes of them."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if _too_intricate(data):
        fields = _fields(message_from_bytes(header_of(data)))
        return Letter(fields, broken="it has too many lines or parts to be taken apart")
    try:
        message = message_from_bytes(data)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        fields = _fields(message_from_bytes(header_of(data)))
        return Letter(fields, broken="its parts cannot be told from one another")
    leaves = _Leaves()
    leaves.walk(message)
    plain = tuple(leaves.bodies(message, "plain"))
    if not message.is_multipart():
        # A mail that is one text has it as its body, whether or not a program gave it a name.
        plain = tuple(part for part in leaves.parts.values() if part.kind == "text/plain")
    return Letter(
        fields=_fields(message),
        plain=plain,
        html=tuple(leaves.bodies(message, "html")),
        attachments=tuple(part for part in leaves.parts.values() if part.role == "attachment"),
        report=leaves.report,
        broken=leaves.broken,
    )


def letter_of_header(data: bytes) -> Letter:
    """The header alone, of a message whose body is not read."""
    return Letter(_fields(message_from_bytes(header_of(data))))


def letter_of_text(data: bytes) -> Letter:
    """A bare order text that came as a file, without any header of a mail."""
    return Letter({}, plain=(Part("plain", "text/plain", data, transfer="8bit"),))


def header_of(data: bytes) -> bytes:
    """The header of a message, with the empty line that ends it."""
    found = _FIELD_END.search(data)
    return data[: found.end()] if found else data


def _too_intricate(data: bytes) -> bool:
    containers = data.lower().count(b"boundary")
    lines = data.count(b"\n") + data.count(b"\r")
    many = data.count(b"\n--") > MAX_PARTS
    return many or containers > MAX_CONTAINERS or (containers + 1) * lines > MAX_WORK


def _fields(message: "Message[str, str]") -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = " ".join(_as_text(str(value)[:MAX_FIELD]).split())
        found.setdefault(name.strip().lower(), []).append(text)
    return {name: tuple(values) for name, values in found.items()}


def _as_text(value: str) -> str:
    """A header field's bytes, which the parser hides in surrogates, as UTF-8 or windows-1252."""
    if value.isascii():
        return value
    data = value.encode("utf-8", "surrogateescape")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("windows-1252", "replace")


def decoded_words(value: str) -> str:
    """A header field's value with its encoded words (`=?utf-8?q?…?=`) read; what is none stays."""
    if "=?" not in value:
        return value
    try:
        return "".join(
            piece if isinstance(piece, str) else _decoded_word(piece, charset)
            for piece, charset in decode_header(value)
        )
    except (ValueError, errors.HeaderParseError):  # an encoded word that is no base64
        return value


def _decoded_word(data: bytes, charset: str | None) -> str:
    for encoding in (charset or "ascii", "utf-8"):
        try:
            return data.decode(encoding)
        except (LookupError, ValueError):
            continue
    return data.decode("windows-1252", "replace")


class _Leaves:
    """One walk over a message's tree."""

    def __init__(self) -> None:
        self.parts: dict[int, Part] = {}
        self.report = False
        self.broken = ""

    def walk(self, message: "Message[str, str]", *, whole: bool = True) -> None:
        kind = message.get_content_type()
        if kind == "multipart/report":
            self.report = True
        several = message.is_multipart()
        if kind == "message/rfc822" or (several and kind.startswith("message/")):
            return
        if several:
            whole = whole and not any(isinstance(defect, _CLOSED_BADLY) for defect in message.defects)
            for child in message.get_payload():
                if isinstance(child, Message):
                    self.walk(child, whole=whole)
            return
        if kind.startswith("multipart/"):
            self.broken = self.broken or "its parts cannot be told from one another"
            kind = "text/plain"
        part = _part(message, kind, whole=whole)
        self.parts[id(message)] = part

    def bodies(self, message: "Message[str, str]", role: Role) -> Iterator[Part]:
        """The body of one role: of alternatives the one that has it, of other containers all parts."""
        if id(message) in self.parts:
            part = self.parts[id(message)]
            if part.role == role:
                yield part
        elif message.is_multipart() and message.get_content_maintype() == "multipart":
            children = [child for child in message.get_payload() if isinstance(child, Message)]
            if message.get_content_type() != "multipart/alternative":
                for child in children:
                    yield from self.bodies(child, role)
                return
            # The last alternative is the one that its sender thinks best; but what stands below a picture
            # or an attachment inside one, often a mere signature, is no alternative to a part of its own.
            leaves = [child for child in children if id(child) in self.parts]
            others = [child for child in children if id(child) not in self.parts]
            for child in (*reversed(leaves), *reversed(others)):
                if found := list(self.bodies(child, role)):
                    yield from found
                    return


def _part(message: "Message[str, str]", kind: str, *, whole: bool) -> Part:
    typed, disposed = _parameters(message, "content-type"), _parameters(message, "content-disposition")
    name = disposed.get("filename") or typed.get("name", "")
    name = decoded_words(name).replace("\\", "/").rpartition("/")[2].strip()
    attached = _first_word(message, "content-disposition") == "attachment"
    role: Role = "other"
    if kind == "text/html":
        role = "html" if not attached else "other"
    elif name.lower().endswith(".txt") or (kind == "text/plain" and (name or attached)):
        role = "attachment"
    elif kind == "text/plain":
        role = "plain"
    transfer = _first_word(message, "content-transfer-encoding")
    # Without this field the library gives the bytes as they were sent, which it otherwise cannot.
    del message["content-transfer-encoding"]
    raw = message.get_payload(decode=True)
    return Part(
        role=role,
        kind=kind,
        raw=raw if isinstance(raw, bytes) else b"",
        name=name,
        charset=_word(typed.get("charset", "")),
        transfer=transfer,
        flowed=_word(typed.get("format", "")) == "flowed",
        delete_space=_word(typed.get("delsp", "")) == "yes",
        whole=whole,
    )


def _first_word(message: "Message[str, str]", name: str) -> str:
    value = _as_text(str(message.get(name, "")))
    return re.split(r"[;\s(]", value.strip(), maxsplit=1)[0].lower()


def _parameters(message: "Message[str, str]", header: str) -> dict[str, str]:
    """A field's parameters by name in small letters; of two of one name the first."""
    found: dict[str, str] = {}
    try:
        parameters = message.get_params([], header=header)
    except (ValueError, LookupError, TypeError):  # nonsense in the encoding of RFC 2231
        return found
    for name, value in parameters:
        found.setdefault(name.lower(), _as_text(_decoded_parameter(value)).strip().strip("'\""))
    return found


def _word(value: str) -> str:
    """A parameter that is one word, in small letters, without the comment that may follow it (RFC 2045)."""
    return re.split(r'[;\s("]', value, maxsplit=1)[0].lower()


def _decoded_parameter(value: str | tuple[str | None, str | None, str]) -> str:
    if isinstance(value, str):
        return value
    charset, _, encoded = value
    try:
        return encoded.encode("latin-1", "replace").decode(charset or "ascii", "replace")
    except (LookupError, ValueError):
        return encoded
