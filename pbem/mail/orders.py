"""Where the orders of a letter are: an attachment, or a block of its body (mail.md, 2)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from pbem.errors import BadInput
from pbem.mail.decoding import Text, any_text_of, text_of
from pbem.mail.html_text import glance, text_of_html
from pbem.mail.letter import Letter, Part
from pbem.mail.quoting import Body, ReadsAsOrder, forwarded, read_body, unmarked
from pbem.sheet import HEADER_WORDS, plain, split_lines

_HEADER = re.compile(rf"\s*(?:{'|'.join(HEADER_WORDS)})\s*:.*", re.IGNORECASE | re.ASCII)
_KEY_LINE = re.compile(r"(?im)^[ \t]*key[ \t]*:[ \t]*[^\s#]")
_COMMAND = re.compile(r"status|help|resend\s+(?:turn-)?(?:0|[1-9][0-9]{0,5})", re.IGNORECASE | re.ASCII)
_KEY_WORD = re.compile(r" ?\bkey ?:?\Z", re.IGNORECASE | re.ASCII)
"""What may be left of `status key: 7Q3K-92MQ-X1WP` without the key."""
_NAMES_SHOWN = 5
_LINES_SEARCHED = 2000
"""Lines looked through for orders out of place: no mail of a person has more."""


@dataclass(frozen=True, slots=True)
class Written:
    """The text read, from its line 1, before characters are repaired; `command` if it is one instead."""

    text: str
    repairs: tuple[str, ...] = ()
    command: str = ""


def texts_with_keys(letter: Letter, has_key: Callable[[str], bool]) -> list[str]:
    """Every text of a letter in which a key counts and may stand; forwarded blocks are left out.

    `has_key` says quickly whether a text may hold one.
    """
    # To look for forwarded blocks, and to take HTML apart, is slow, and most mail is junk: it is done where
    # there may be a key.
    plain_ones = (_readable(part) for part in dict.fromkeys((*letter.attachments, *letter.plain)))
    html_ones = (_readable(part) for part in letter.html)
    return [
        letter.subject,
        *(_own_text(each) for each in plain_ones if has_key(each)),
        *(_own_text(text_of_html(each)) for each in html_ones if has_key(each) or has_key(glance(each))),
    ]


def _readable(part: Part) -> str:
    try:
        return text_of(part).text
    except BadInput:
        return any_text_of(part)


def _own_text(text: str) -> str:
    lines = split_lines(plain(text)[0])  # as plain as a key has to be found in it
    return "\n".join(line for line, out in zip(lines, forwarded(lines), strict=True) if not out)


def find_orders(
    letter: Letter, seats: Sequence[str], reads: ReadsAsOrder, strip_keys: Callable[[str], str]
) -> Written:
    """The order text, or the command, of a letter; `BadInput` says why neither can be taken from it.

    `reads` says whether a line reads as an order; `strip_keys` takes the keys out of a text.
    """
    if letter.broken:
        raise BadInput(f"{letter.broken}; send the orders as a plain mail")
    command = _command(strip_keys(letter.subject))
    attached = [part for part in letter.attachments if _holds_orders(part, seats)]
    if len(attached) > 1:
        names = [part.name or "one without a name" for part in attached]
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        raise BadInput(
            f"several attachments hold orders: {', '.join(names[:_NAMES_SHOWN])}{more}; send one alone"
        )
    if attached:
        written = _attachment(attached[0], command=command, reads=reads, strip_keys=strip_keys)
    else:
        text = _body(letter)
        if text is None and command:
            return Written("", command=command)
        if text is None:
            raise BadInput("it has no text; write the orders into the mail, or attach them as a .txt file")
        written = _block(text, reads, command=command, strip_keys=strip_keys)
    return written


def _holds_orders(part: Part, seats: Sequence[str]) -> bool:
    name = part.name.casefold()
    if any(name == f"{seat}.txt" for seat in seats):
        return True
    return _KEY_LINE.search(plain(_readable(part))[0].replace("\r", "\n")) is not None


def _attachment(
    part: Part, *, command: str, reads: ReadsAsOrder, strip_keys: Callable[[str], str]
) -> Written:
    read = _clean(part)
    text = "\n".join(split_lines(read.text))
    word = command or _first_command([text], strip_keys)
    if word:
        word = _obeyed(word, text, reads)
    return Written(text, read.repairs, command=word)


def _clean(part: Part) -> Text:
    read = text_of(part)
    if part.transfer == "base64" and not part.whole and not _ends(read.text):
        raise BadInput("the mail breaks off before its end, so that orders may be lost; send it again")
    return read


def _ends(text: str) -> bool:
    return any(_is_end(line.strip()) for line in split_lines(plain(text)[0]))


def _body(letter: Letter) -> Text | None:
    """The plain body, or where that has no letter the HTML body as text; None where neither has one."""
    for parts, convert in ((letter.plain, str), (letter.html, text_of_html)):
        texts = [_clean(part) for part in parts]
        text = "".join(_ended(convert(each.text)) for each in texts)
        if any(sign.isalpha() for sign in text):
            return Text(text, tuple(dict.fromkeys(repair for each in texts for repair in each.repairs)))
    return None


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) else f"{text}\n"


def _block(text: Text, reads: ReadsAsOrder, *, command: str, strip_keys: Callable[[str], str]) -> Written:
    """The orders of a body: the unquoted block from its first header line, or what stands above the quote."""
    body = read_body(text.text, reads)
    header = _first_header(body)
    start = 0 if header is None else header
    lines, ended, stop = _until_end(body, start, body.quote_begins if header is None else None)
    block = "\n".join(lines).rstrip()
    block = f"{block}\n" if block else ""
    whole = "\n".join(body.lines[at] for at in _unquoted(body))
    word = command or _first_command([whole, block], strip_keys)
    if word:
        return Written(block, text.repairs, command=_obeyed(word, whole, reads))
    stray = (at for at in _unquoted(body) if at < start or (not ended and at >= stop))
    for at in islice(stray, _LINES_SEARCHED):
        line = body.lines[at].strip()
        if reads(line):
            where = "above the block that begins with the header" if at < start else "below quoted text"
            raise BadInput(
                f"the line `{line[:200]}` reads as an order but stands {where}; put all orders into one"
                " block, above what is quoted"
            )
    if not any(reads(line) for line in lines[:_LINES_SEARCHED]):
        quoted = (unmarked(line).strip() for line, out in zip(body.lines, body.quoted, strict=True) if out)
        if found := next((line for line in islice(quoted, _LINES_SEARCHED) if reads(line)), None):
            raise BadInput(
                f"orders such as `{found[:200]}` stand only in the quoted part; copy them above it, without"
                " marks such as >"
            )
    return Written(block, text.repairs)


def _first_header(body: Body) -> int | None:
    """Where the first header line stands that is neither quoted nor below an `end` or a signature mark."""
    for at in _unquoted(body):
        if _is_end(body.shown[at]):
            return None
        if _HEADER.fullmatch(body.shown[at]):
            return at
    return None


def _unquoted(body: Body) -> list[int]:
    return [at for at, quoted in enumerate(body.quoted) if not quoted]


def _until_end(body: Body, start: int, limit: int | None) -> tuple[list[str], bool, int]:
    """The lines from `start` to `end`, the signature mark or a quote; whether they were ended; where."""
    lines: list[str] = []
    at = start
    while at < len(body.lines) and not body.quoted[at] and (limit is None or at < limit):
        shown = body.shown[at]
        if _is_signature(shown):
            return lines, True, at
        lines.append(body.lines[at])
        at += 1
        if _is_end(shown):
            return lines, True, at
    return lines, False, at


def _is_signature(line: str) -> bool:
    return line.rstrip() == "--"


def _is_end(line: str) -> bool:
    return (
        line[:3].casefold() == "end" and line.split("#", 1)[0].strip().casefold() == "end"
    ) or _is_signature(line)


def _command(text: str) -> str:
    """`status`, `help` or `resend turn-3` if the text is one of them."""
    text = _KEY_WORD.sub("", " ".join(plain(text)[0].split()))
    if not _COMMAND.fullmatch(text):
        return ""
    word, _, turn = text.casefold().partition(" ")
    return f"{word} turn-{turn.removeprefix('turn-')}" if turn else word


def _first_command(texts: Sequence[str], strip_keys: Callable[[str], str]) -> str:
    """The command in the first line of a text below its header, if one of the texts has one there."""
    for text in texts:
        lines = (plain(line)[0] for line in split_lines(text))
        written = (line for line in lines if line.strip() and not _HEADER.fullmatch(line))
        if word := _command(strip_keys(next(written, ""))):
            return word
    return ""


def _obeyed(command: str, text: str, reads: ReadsAsOrder) -> str:
    """The command, unless orders came with it."""
    for line in split_lines(text)[:_LINES_SEARCHED]:
        if reads(line.strip()):
            raise BadInput(
                f"it asks for `{command}`, but the line `{line.strip()[:200]}` reads as an order; send the"
                " one or the other"
            )
    return command
