"""Order sheets: bytes to text, text to header and numbered lines, and the grammar all games share.

A line's number is its place in the text as sent, header included, from 1. What a ruleset adds is
how one order and one condition read; `if`, `else` and `standing:` are the same everywhere (F9.3-5).
"""

import re
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from pbem.errors import BadInput

MAX_BYTES = 64 * 1024
MAX_ORDER_LINES = 500
MAX_PRESS = 2000
HEADER_WORDS = ("game", "turn", "player", "key")

# ASCII: a Kelvin sign is no k and a long s no s, however alike they look.
_FLAGS = re.IGNORECASE | re.ASCII
_HEADER = re.compile(rf"({'|'.join(HEADER_WORDS)})\s*:(.*)", _FLAGS)
_PRESS = re.compile(r"press(?:\s+to\s++([^:\s]*+))?\s*:(.*)", _FLAGS)
_STANDING = re.compile(r"standing\s*:(.*)", _FLAGS)
_GUARD = re.compile(r"if\b(\s+not\b)?([^:]*)(:?)(.*)", _FLAGS)
# Blanks are looked at from where they begin: from each of them would take the square of their number.
_ELSE = re.compile(r"(?:^|(?<!\s)\s+)else(?=\s|$)", _FLAGS)
_NOISE = re.compile(r"(?<![^\s:,])(?:at|on|onto|the)(?![^\s:,])", _FLAGS)
_LINE_END = re.compile(r"\r\n|\r|\n")

_DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
_QUOTES = {
    **dict.fromkeys([0x2018, 0x2019, 0x201A, 0x201B, 0x2039, 0x203A], "'"),
    **dict.fromkeys([0x201C, 0x201D, 0x201E, 0x201F, 0xAB, 0xBB], '"'),
}
_INVISIBLE = dict.fromkeys([*range(0x200B, 0x2010), 0x2060, 0xFEFF, 0xAD])
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
# Every blank of Unicode (its classes Zs, Zl and Zp), listed: to search them would cost each start of pbem.
_SPACES = [0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
_BLANKS = dict.fromkeys([9, 11, 12, 0x85, *_SPACES], " ")
_REPAIRS: tuple[tuple[str, Mapping[int, str | None]], ...] = (
    ("typographic dashes read as -", _DASHES),
    ("typographic quotation marks read as plain ones", _QUOTES),
    ("unusual blanks read as blanks", _BLANKS),
    ("invisible characters left out", _INVISIBLE),
    ("full-width characters read as plain ones", _FULL_WIDTH),
)
_PLAIN: dict[int, str | None] = {code: to for _, table in _REPAIRS for code, to in table.items()}
# U+0085 is a blank of Unicode's, and was one of these only by its old name.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")


class Problem(NamedTuple):
    """A line that could not be read: `message` says what was expected there (F9.2)."""

    line: int
    text: str
    message: str
    ruling: str = ""


class Line(NamedTuple):
    """An order line as written, its comment cut off; `standing` if it stands for later turns.

    `text` is the whole line, `order` what follows `standing:` in it, or the same.
    """

    number: int
    text: str
    order: str
    standing: bool = False


class Press(NamedTuple):
    """A message of a player's; `to` is a seat as typed, or None for everybody."""

    number: int
    to: str | None
    text: str


class Sheet(NamedTuple):
    """What one file of orders holds. `header` has the words found, in small letters."""

    header: Mapping[str, str]
    lines: tuple[Line, ...] = ()
    press: tuple[Press, ...] = ()
    repairs: tuple[str, ...] = ()

    def standing_only(self) -> "Sheet":
        """What of it counts in a later turn in which its player sends nothing (F9.5)."""
        return Sheet(header={}, lines=tuple(line for line in self.lines if line.standing))


class Decoded(NamedTuple):
    """Text read from bytes, its encoding, and what had to be repaired."""

    text: str
    encoding: str
    repairs: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """Order bytes as text: UTF-8 (BOM or not), UTF-16 with BOM, else windows-1252.

    `BadInput` for NULs and other control characters (a binary file, or UTF-16 without its BOM).
    The size limit is the caller's, who knows the file's name: see `check_size`.
    """
    repairs: tuple[str, ...] = ()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
        try:
            text = data.decode("utf-16")
        except UnicodeDecodeError:
            raise BadInput("it begins like UTF-16 but is not; save it as UTF-8 text") from None
    else:
        try:
            encoding, text = "utf-8", data.decode("utf-8-sig")
        except UnicodeDecodeError:
            encoding, text = "windows-1252", "".join(map(_windows_1252, data))
            repairs = ("read as windows-1252, since it is not UTF-8",)
    check_characters(text)
    return Decoded(text, encoding, repairs)


def check_characters(text: str) -> None:
    """`BadInput` with the line of the first character that no plain text has."""
    if bad := _CONTROL.search(text):
        line = len(_LINE_END.findall(text[: bad.start()])) + 1
        what = "NUL" if bad.group() == "\0" else f"control character U+{ord(bad.group()):04X}"
        raise BadInput(f"line {line} holds a {what}, so this is no plain text; save it as UTF-8 text")


def _windows_1252(byte: int) -> str:
    """One byte of windows-1252; the five that it leaves undefined are the control characters of Latin-1."""
    raw = bytes([byte])
    try:
        return raw.decode("windows-1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def check_size(size: int) -> None:
    """`BadInput` with the size if an order text of so many bytes is too large."""
    if size > MAX_BYTES:
        raise BadInput(f"it has {size:,} bytes of orders; at most {MAX_BYTES:,} are taken; send fewer orders")


def split_lines(text: str) -> list[str]:
    """Lines end at CRLF, CR or LF only: U+0085 and the like stay inside their line."""
    return _LINE_END.split(text)


def plain(text: str) -> tuple[str, tuple[str, ...]]:
    """Typographic characters made plain, and a sentence for each sort of change."""
    if text.isascii() and not any(blank in text for blank in "\t\x0b\x0c"):
        return text, ()
    signs = set(map(ord, set(text)))
    found = tuple(what for what, table in _REPAIRS if not signs.isdisjoint(table))
    return text.translate(_PLAIN), found


def read_sheet(text: str) -> Sheet:
    """Header, order lines and press of one order text.

    `BadInput` where the whole cannot be taken: too large, too many lines, or a header line twice
    with two values.
    """
    check_size(len(text.encode("utf-8", "surrogatepass")))
    body, repairs = plain(text)
    header: dict[str, str] = {}
    lines: list[Line] = []
    press: list[Press] = []
    in_header = True
    for number, raw in enumerate(split_lines(body), start=1):
        if raw.rstrip() == "--":
            break
        written = raw.split("#", 1)[0].strip()
        if found := _PRESS.fullmatch(raw.strip()):
            in_header = False
            press.append(Press(number, found[1], found[2].strip()))
            continue
        if not written:
            continue
        if in_header and (found := _HEADER.fullmatch(written)):
            word, value = found[1].lower(), found[2].strip()
            if header.setdefault(word, value).casefold() != value.casefold():
                raise BadInput(
                    f"line {number} says {word}: {value}, but an earlier line says {word}: {header[word]};"
                    " leave one of them"
                )
            continue
        in_header = False
        if written.casefold() == "end":
            break
        lines.append(order_line(number, written))
    if len(lines) > MAX_ORDER_LINES:
        raise BadInput(f"it has {len(lines)} order lines; at most {MAX_ORDER_LINES} are taken; send fewer")
    return Sheet(header, tuple(lines), tuple(press), repairs)


def order_line(number: int, written: str) -> Line:
    """An order line from its text without comment, as files have it and reports publish it."""
    if found := _STANDING.fullmatch(written):
        return Line(number, written, found[1].strip(), standing=True)
    return Line(number, written, written)


class CannotRead(Exception):
    """Raised by a ruleset's reader of one order or condition; says what was expected there.

    `ruling` is the number of the one that makes it unreadable, where it has one of its own.
    """

    def __init__(self, message: str, ruling: str = "") -> None:
        super().__init__(message)
        self.ruling = ruling


O_co = TypeVar("O_co", covariant=True)
C_co = TypeVar("C_co", covariant=True)
O = TypeVar("O")  # noqa: E741 - an order
C = TypeVar("C")


class Guard(NamedTuple, Generic[C_co]):
    """`if CONDITION:` or `if not CONDITION:` before an order (F9.4)."""

    condition: C_co
    negated: bool = False

    def __str__(self) -> str:
        return f"if {'not ' if self.negated else ''}{self.condition}:"


class Side(NamedTuple, Generic[O_co, C_co]):
    """One order of a line with its guards; `text` as written. `str()` is its canonical form."""

    text: str
    order: O_co
    guards: tuple[Guard[C_co], ...] = ()

    def __str__(self) -> str:
        return " ".join((*map(str, self.guards), str(self.order)))


class OrderLine(NamedTuple, Generic[O_co, C_co]):
    """A readable line: its sides are tried in turn until one succeeds (F9.3)."""

    number: int
    text: str
    sides: tuple[Side[O_co, C_co], ...]
    standing: bool = False

    def __str__(self) -> str:
        return ("standing: " if self.standing else "") + " else ".join(map(str, self.sides))


class SeatOrders(NamedTuple, Generic[O_co, C_co]):
    """One seat's orders of a turn as read: the lines that can be read, and the problems."""

    lines: tuple[OrderLine[O_co, C_co], ...] = ()
    problems: tuple[Problem, ...] = ()


def read_orders(
    sheet: Sheet,
    read_order: Callable[[str], O],
    read_condition: Callable[[str], C],
    check_sides: Callable[[tuple[O, ...]], None] = lambda _: None,
) -> SeatOrders[O, C]:
    """Every line of a sheet by the shared grammar and a ruleset's two readers.

    Orders and conditions are values whose `str()` is their canonical text; the readers get text without
    the words that do not matter, `at`, `on`, `onto` and `the` (F9.1). `check_sides` may refuse a
    combination of sides. All three raise `CannotRead`, which makes their line a problem.
    """
    lines: list[OrderLine[O, C]] = []
    problems: list[Problem] = []
    for line in sheet.lines:
        try:
            if not line.order:
                raise CannotRead("after `standing:` an order is expected")  # noqa: TRY301 - as the readers do
            sides = tuple(_read_side(text, read_order, read_condition) for text in _ELSE.split(line.order))
            check_sides(tuple(side.order for side in sides))
        except CannotRead as unreadable:
            problems.append(Problem(line.number, line.text, str(unreadable), unreadable.ruling))
        else:
            lines.append(OrderLine(line.number, line.text, sides, line.standing))
    return SeatOrders(tuple(lines), tuple(problems))


def _read_side(text: str, read_order: Callable[[str], O], read_condition: Callable[[str], C]) -> Side[O, C]:
    guards: list[Guard[C]] = []
    rest = _NOISE.sub(" ", text).strip()
    while found := _GUARD.fullmatch(rest):
        negation, condition, colon, after = found.groups()
        if not condition.strip():
            raise CannotRead("after `if` a condition is expected")
        if not colon:
            raise CannotRead(f"after the condition `{' '.join(condition.split())}` a colon is expected")
        guards.append(Guard(read_condition(condition.strip()), negated=negation is not None))
        rest = after.strip()
    if not rest:
        where = "after the colon" if guards else "on either side of `else`" if not text.strip() else "here"
        raise CannotRead(f"{where} an order is expected")
    return Side(text.strip(), read_order(rest), tuple(guards))


def nearest(word: str, known: tuple[str, ...]) -> str:
    """A hint at the end of a message, `; nearest known word: forest`, or nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import, and few lines are misspelt

    found = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"; nearest known word: {found[0]}" if found else ""
