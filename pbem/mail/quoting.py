"""Which lines of a body its sender wrote, and which he quotes or forwards (mail.md, 2)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.mail.phrases import BEGINS, FIELDS, FORWARDED, ORIGINAL, WROTE
from pbem.sheet import HEADER_WORDS, plain, split_lines

_DATED = re.compile(r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d\d\b|@")
_DAY = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2})(?!\d)")
_DIGIT_SOON = re.compile(r"\D{0,11}\d")
_DIGIT = re.compile(r"\d")
_MOST_LINES = 3
"""Of an attribution."""
_MOST_ATTRIBUTIONS = 300
"""Looked for in one body: no mail of a person has more."""
_FIELD = re.compile(
    r"[*_ ]*(?P<label>[^\W\d_][^\n:<>@#>]{0,30}?)[*_ ]*\s?:[*_]*(?P<value>\s.*|(?<=[^\x00-\x7f]:)\S.*|)"
)
_OURS = re.compile(
    rf"(?:(?:{'|'.join(HEADER_WORDS)}|standing|press(?:\s+to\b[^:]*)?)\s*:|if\b)", re.IGNORECASE
)
_SHORTEST, _LONGEST = 4, 300
"""Characters of a line in which a mail program says something of its own."""
_RULE = re.compile(r"[-_=*]{5,}")

ReadsAsOrder = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Body:
    """A body's lines as sent, and which of them are quoted."""

    lines: tuple[str, ...]
    shown: tuple[str, ...]
    """The same as plain characters, without blanks at either end."""
    quoted: tuple[bool, ...]

    @property
    def quote_begins(self) -> int:
        """The index of the first quoted line, or the number of lines."""
        return next((at for at, quoted in enumerate(self.quoted) if quoted), len(self.lines))


def read_body(text: str, reads: ReadsAsOrder) -> Body:
    """Tell a body's lines apart. `reads` says whether a line reads as an order: no attribution does."""
    lines = split_lines(text)
    shown = [line.strip() for line in split_lines(plain(text)[0])]  # no repair makes or takes a line end
    quoted = [False] * len(lines)
    attributions = 0
    for at, line in enumerate(shown):
        if line.startswith(">"):
            quoted[at] = True
        elif begins := _unmarked_block(shown, at):
            first = at
            while first and (not shown[first - 1] or _RULE.fullmatch(shown[first - 1])) and begins > 1:
                first -= 1
            quoted[first:] = [True] * (len(lines) - first)
            break
        elif (
            line.endswith(":")
            and attributions < _MOST_ATTRIBUTIONS
            and (count := _lines_of_attribution(shown, at, reads))
        ):
            quoted[at - count + 1 : at + 1] = [True] * count
            attributions += 1
    return Body(tuple(lines), tuple(shown), tuple(quoted))


def unmarked(line: str) -> str:
    """A quoted line without its marks."""
    return line.lstrip("> \t")


def _unmarked_block(shown: Sequence[str], at: int) -> int:
    """1 where a line says that the mail answered follows, 2 where its fields do; 0 elsewhere."""
    line = shown[at]
    if len(line) < _SHORTEST:
        return 0
    if len(line) < _LONGEST and (ORIGINAL.fullmatch(line) or FORWARDED.fullmatch(line)):
        return 1
    return 2 if _fields_begin(shown, at) else 0


def _fields_begin(shown: Sequence[str], at: int) -> bool:
    """Three or more lines in a row such as From, Sent, To: known ones, or with a date or address."""
    known = dated = count = 0
    for line in shown[at : at + 6]:
        found = None if ":" not in line or _OURS.match(line) else _FIELD.fullmatch(line)
        if not found:
            break
        count += 1
        known += found["label"].strip("* ").casefold() in FIELDS
        dated += _DATED.search(found["value"]) is not None
    return known >= 3 or (count >= 3 and dated > 0)


def _lines_of_attribution(
    shown: Sequence[str], last: int, reads: ReadsAsOrder, most: int = _MOST_LINES
) -> int:
    """How many lines, up to this one, say who wrote what is quoted next; 0 if none do."""
    lines: list[str] = []
    found: dict[str, int] = {}
    for at in range(last, max(last - most, -1), -1):
        line = shown[at]
        if not line or line.startswith((">", "#")) or (lines and line.endswith(":")):
            break
        lines.insert(0, line)
        words = " ".join(lines)
        begins, has_day = BEGINS.match(words) is not None, _DAY.search(words) is not None
        if begins or (has_day and _DIGIT_SOON.match(words)):
            if has_day or WROTE.search(words):
                found.setdefault("begun", len(lines))
            if begins and has_day and (len(lines) == found.get("begun") or _DIGIT.search(line)):
                found["begun"] = len(lines)
                break
        if has_day and not line.startswith("<"):
            found.setdefault("dated", len(lines))
            if not at or not shown[at - 1] or shown[at - 1].startswith(">"):
                found.setdefault("paragraph", len(lines))
    count = next((found[way] for way in ("begun", "paragraph", "dated") if way in found), min(1, len(lines)))
    if not count or not _says_who(" ".join(lines[-count:]), shown, last + 1):
        return 0
    # Orders that stand right above are none of it.
    ours = next((at for at in range(count) if _is_ours(shown[last - at], reads)), None)
    return count if ours is None else _lines_of_attribution(shown, last, reads, ours)


def _says_who(words: str, shown: Sequence[str], after: int) -> bool:
    wrote, dated = WROTE.search(words) is not None, _DATED.search(words) is not None
    following = next((shown[at] for at in range(after, len(shown)) if shown[at]), "")
    if following.startswith(">"):
        return wrote or dated
    # Its quote was deleted: still no order.
    has_day = _DAY.search(words) is not None
    return (wrote and dated and (has_day or BEGINS.match(words) is not None)) or (has_day and "@" in words)


def _is_ours(line: str, reads: ReadsAsOrder) -> bool:
    return _OURS.match(line) is not None or reads(line)


def forwarded(lines: Sequence[str]) -> list[bool]:
    """Which lines stand in a forwarded block: it goes on to the end, a quoted one as far as that quote.

    Lines of plain characters, as in `Body.shown`.
    """
    out: list[bool] = []
    depth: int | None = None
    for line in lines:
        marks = _depth(line)
        if depth is not None and marks < depth:
            depth = None
        if (
            depth is None
            and _SHORTEST <= len(line) < _LONGEST
            and FORWARDED.fullmatch(unmarked(line).strip())
        ):
            depth = marks
        out.append(depth is not None)
    return out


def _depth(line: str) -> int:
    return line[: len(line) - len(line.lstrip("> \t"))].count(">")
