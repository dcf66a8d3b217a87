"""The report as a value: what a ruleset's view tells one reader, for pages, text and JSON alike.

A view *builds* it from what its reader may know; nothing is filtered out of it afterwards. Words
come as spans, so that a page can colour a seat's name and the text twin can print it plainly.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pbem.drawing import Change, Drawing, Layer, Playback
from pbem.events import Throw

PUBLIC: Final = "public"
GM: Final = "gm"
"""Readers that are no seats: everybody, and the GM, who sees all."""

Tone: TypeAlias = Literal["", "strong", "muted", "code", "seat"]
Verdict: TypeAlias = Literal["done", "failed", "refused", "skipped", "unread", "held"]


class Span(NamedTuple):
    """A run of text; with tone `seat` it is written in the colour of `seat`."""

    text: str
    tone: Tone = ""
    seat: str = ""


Words: TypeAlias = tuple[Span, ...]


def words(*parts: str | Span | Words) -> Words:
    """Spans from text, spans and runs of spans, in order."""
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, str):
            spans.append(Span(part))
        elif isinstance(part, Span):
            spans.append(part)
        else:
            spans.extend(part)
    return tuple(spans)


def joined(items: Sequence[str | Span | Words], last: str = " and ") -> Words:
    """`a, b and c` of words."""
    out: list[Span] = []
    for index, item in enumerate(items):
        if index:
            out.append(Span(last if index == len(items) - 1 else ", "))
        out.extend(words(item))
    return tuple(out)


def strong(text: object) -> Span:
    """A name or number that the eye should find."""
    return Span(str(text), "strong")


def code(text: str) -> Span:
    """Something that a player typed or may type."""
    return Span(text, "code")


def seat_name(seat: str, text: str = "") -> Span:
    """A seat's name in its own colour; `text` where it is inflected (`amber's`)."""
    return Span(text or seat, "seat", seat)


def plain_text(spans: Iterable[Span]) -> str:
    """Words as the text twin prints them."""
    return "".join(f"`{span.text}`" if span.tone == "code" else span.text for span in spans)


class Icon(NamedTuple):
    """A little picture: a symbol among the definitions of the map's drawing, and its name for ears."""

    symbol: str
    name: str = ""


class Item(NamedTuple):
    """One thing in a list, with a quieter second line; `mark` singles it out (your own place)."""

    text: Words
    note: Words = ()
    icon: Icon | None = None
    mark: bool = False


class Figure(NamedTuple):
    """A number that the reader wants before all else, and what it counts."""

    value: str
    label: str


class ItemList(NamedTuple):
    """A titled list: `row` runs on, `list` takes a line each, `two` holds short ones, `chain` has arrows."""

    title: str
    items: tuple[Item, ...]
    layout: Literal["list", "row", "two", "chain"] = "list"
    note: Words = ()


class Odds(NamedTuple):
    """A throw against its chance: success at `chance` or less on a die of `sides`."""

    sides: int
    chance: int
    throw: int
    success: bool
    note: Words = ()
    dice: tuple[Throw, ...] = ()
    """The throw as the dice know it, for readers who check it."""


class Outcome(NamedTuple):
    """What became of one side of a line: a word or two, then the sentence, throws and rulings."""

    verdict: Verdict
    label: str
    text: Words = ()
    odds: tuple[Odds, ...] = ()
    rules: tuple[str, ...] = ()
    dice: tuple[Throw, ...] = ()
    """What else was thrown for it, as far as its reader may know."""


class OrderReport(NamedTuple):
    """One order line, as written and without its comment, with the outcomes of its sides in order."""

    line: int
    text: str
    outcomes: tuple[Outcome, ...]


class SeatReport(NamedTuple):
    """The orders of one seat, as far as this reader may know them."""

    seat: str
    lines: tuple[OrderReport, ...]


class Told(NamedTuple):
    """One thing that happened; `label` (a phase) is given where it changes, `calc` is arithmetic."""

    text: Words
    label: str = ""
    verdict: Verdict | Literal[""] = ""
    word: str = ""
    calc: str = ""
    rules: tuple[str, ...] = ()
    odds: tuple[Odds, ...] = ()
    dice: tuple[Throw, ...] = ()
    """What else was thrown for it, as far as its reader may know."""
    changes: tuple[Change, ...] = ()
    """What it did to the map, for playing the turn back."""


class Chapter(NamedTuple):
    """A part of the turn as it happened: a seat's turn, a phase."""

    title: Words
    told: tuple[Told, ...]
    seat: str = ""
    icon: Icon | None = None
    lead: Words = ()


class Column(NamedTuple):
    """A table's column."""

    title: str
    numeric: bool = False


class Row(NamedTuple):
    """A table's row; the first cell heads it. `bar` is its share of 1000 where a bar is shown."""

    cells: tuple[Words, ...]
    icon: Icon | None = None
    seat: str = ""
    bar: int | None = None


class Table(NamedTuple):
    """Rows and columns. `bar_column` is the column beside whose number the rows' bars stand."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: Words = ()
    bar_column: int | None = None


class Board(NamedTuple):
    """The map, its caption, and its legend in words for small screens; `near` is a closer view box."""

    drawing: Drawing
    caption: Words = ()
    legend: tuple[Item, ...] = ()
    near: tuple[int, int, int, int] | None = None
    near_title: str = ""
    layers: tuple[Layer, ...] = ()
    """What of the drawing can be hidden and shown, from below."""
    playback: Playback = Playback()


class Reading(NamedTuple):
    """One point of a curve over the turns: `value` in whole units, or as text where it is a fraction."""

    measure: str
    seat: str
    value: str


class Report(NamedTuple):
    """All that one reader is told of one turn."""

    reader: str
    heading: str
    """Which turn this is, after the game's name: `turn 3 of 10`."""
    headline: Words
    board: Board
    next_turn: tuple[ItemList, ...] = ()
    figures: tuple[Figure, ...] = ()
    changed: tuple[Item, ...] = ()
    orders: tuple[SeatReport, ...] = ()
    round: tuple[Chapter, ...] = ()
    round_title: str = "The turn"
    standings: Table | None = None
    in_words: tuple[Table, ...] = ()
    """The map in words, whole."""
    template: tuple[str, ...] = ()
    """Order lines to begin the next turn's file with; those that only show the grammar as comments."""
    thumbnail: Drawing | None = None
    readings: tuple[Reading, ...] = ()
    icons: Mapping[str, Icon] = MappingProxyType({})
    """The token that stands for each seat."""
    script_data: Mapping[str, Any] = MappingProxyType({})
    """JSON for the page's script, each value in a block of its name: no more than this reader may know."""
    data: Mapping[str, Any] = MappingProxyType({})
    """What this reader's turn JSON holds: `position`, `events`, and whatever else the ruleset gives."""
    throws: tuple[Throw, ...] | None = None
    """The throws that this reader knows of; None: those of events that everybody may read."""
