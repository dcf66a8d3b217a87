"""A part's bytes as text, cleanly or not at all (mail.md, 3)."""

import binascii
import codecs
import re
from dataclasses import dataclass

from pbem.errors import BadInput
from pbem.mail.flowed import unflowed
from pbem.mail.letter import Part

_BLANKS = re.compile(rb"[ \t\r\n]+")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]*={0,2}")
_FOREIGN = re.compile(rb"[^A-Za-z0-9+/=]")
_ESCAPE = re.compile(rb"=([0-9A-Fa-f]{2})|=[ \t]*(?:\r\n|\r|\n|\Z)|(?<![ \t])[ \t]+(?=\r|\n|\Z)")
"""An escape; or nothing: a soft line break, or blanks at the end of a line."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_CHARSETS = frozenset(
    {"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined", "mbcs", "oem"}
)
"""Codecs of Python's that are no charset of any mail."""


@dataclass(frozen=True, slots=True)
class Text:
    """A part as read; `repairs` names the charset used, where it is not the one declared."""

    text: str
    repairs: tuple[str, ...] = ()


def text_of(part: Part) -> Text:
    """The text of a part; `BadInput` where it cannot be decoded cleanly: nothing is guessed."""
    data = _transferred(part)
    encoding, repaired = _charset(data, part.charset)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise BadInput("its text is in no charset that can be told; send it as UTF-8 text") from None
    if _SURROGATE.search(text):  # as UTF-7 can hold them
        raise BadInput("its text holds halves of characters; send it as UTF-8 text")
    if "\0" in text:
        raise BadInput("its text holds NULs, so it is no plain text; send it as UTF-8 text")
    if part.flowed and part.kind == "text/plain":
        text = unflowed(text, delete_space=part.delete_space)
    return Text(text.removeprefix("\ufeff"), (repaired,) if repaired else ())


def any_text_of(part: Part) -> str:
    """What can be made out of a part, however damaged: good for finding a key, never for reading orders."""
    data = part.raw
    if part.transfer == "base64":
        data = _FOREIGN.sub(b"", data).rstrip(b"=")
        data = binascii.a2b_base64(data[: len(data) // 4 * 4])
    elif part.transfer == "quoted-printable":
        data = _unquoted(data)
    return data.replace(b"\0", b"").decode("utf-8", "replace")


def _transferred(part: Part) -> bytes:
    """The bytes that were meant; an unknown transfer encoding is read as 8bit."""
    if part.transfer == "quoted-printable":
        return _unquoted(part.raw)
    if part.transfer != "base64":
        return part.raw
    packed = _BLANKS.sub(b"", part.raw)
    if not _BASE64.fullmatch(packed):
        raise BadInput("its base64 holds foreign characters, so that parts may be lost; send it again")
    if len(packed) % 4:
        raise BadInput("its base64 breaks off in the middle, so that parts may be lost; send it again")
    return binascii.a2b_base64(packed)


def _unquoted(data: bytes) -> bytes:
    """Quoted-printable read; a `=` that begins no escape stays."""
    # In one go: what a soft break joins is no escape.
    return _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()) if found[1] else b"", data)


def _charset(data: bytes, declared: str) -> tuple[str, str]:
    """Python's name of the charset to use, and the repair if it is not the one declared."""
    if wide := _utf_16(data):
        told = declared.replace("_", "-").startswith("utf-16")
        return wide, "" if told else "read as UTF-16, which its bytes show"
    if data.startswith(codecs.BOM_UTF8):
        told = declared.replace("_", "-") in {"utf-8", "utf8"}
        return "utf-8-sig", "" if told else "read as UTF-8, which its mark shows"
    try:
        found = codecs.lookup(declared).name if declared else ""
    except (LookupError, ValueError):
        found = ""
    if found in {"iso8859-1", "latin-1"} and any(0x80 <= byte < 0xA0 for byte in data):
        return "windows-1252", "read as windows-1252, since it holds characters that Latin-1 lacks"
    if found and found not in _NO_CHARSETS and not found.startswith("utf-16") and _decodes(data, found):
        return found, ""
    reason = "no known charset was declared" if not found else "the charset declared does not fit"
    if data.isascii():
        # What is plain ASCII is the same in both, and in what a mail means that declares nothing.
        return "utf-8", "" if not declared else f"read as UTF-8: {reason}"
    if _decodes(data, "utf-8"):
        return "utf-8", f"read as UTF-8: {reason}"
    return "windows-1252", f"read as windows-1252: {reason}"


def _utf_16(data: bytes) -> str:
    """UTF-16 by its mark, or by its NULs: every other byte, on one side only, and no few."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    first, second = data[::2].count(0), data[1::2].count(0)
    if first and not second and first * 4 >= len(data):
        return "utf-16-be"
    if second and not first and second * 4 >= len(data):
        return "utf-16-le"
    return ""


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        return isinstance(data.decode(encoding), str)
    except (LookupError, ValueError):  # a codec that gives no text is a LookupError
        return False
