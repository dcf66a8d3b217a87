"""Flux orders: text to values (F9). `str()` of a value is its canonical text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, assert_never

from pbem.rulesets.flux.data import HUES, WIZARD, Rules
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.sheet import CannotRead, OrderLine, SeatOrders, Sheet, nearest, read_orders

VERBS = ("move", "cast", "destroy", "hold")
CONDITIONS = ("enemy", "own", "free", "earth", "flux", "alive")
MAX_NUMBER = 999_999

_TOKEN = re.compile(r"[^\s,\-]+|[,\-]")


class Phase(IntEnum):
    """The phases of a wizard's turn in which orders are carried out, in their order (F3.4)."""

    MOVE = 1
    CAST = 2
    DESTROY = 3


class Move(NamedTuple):
    """`via` is None where the way is left to the shortest path (F4.5)."""

    piece: str
    to: Hex
    to_label: str
    via: tuple[Hex, ...] | None = None
    via_labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.via is None:
            return f"move {self.piece} to {self.to_label}"
        return f"move {self.piece} via {' '.join(self.via_labels)}"


class Cast(NamedTuple):
    """An earth has two hexes, as ordered; `times` attempts at most, down to `keep` flux (F5.6)."""

    spell: str
    hexes: tuple[Hex, ...]
    labels: tuple[str, ...]
    times: int | None = None
    keep: int | None = None

    def __str__(self) -> str:
        times = "" if self.times is None else f" times {self.times}"
        keep = "" if self.keep is None else f" keep {self.keep}"
        return f"cast {self.spell} at {'-'.join(self.labels)}{times}{keep}"


class Destroy(NamedTuple):
    """With which piece, wherever it stands by then (F7)."""

    piece: str

    def __str__(self) -> str:
        return f"destroy with {self.piece}"


@dataclass(frozen=True, slots=True)
class Hold:
    """Nothing (F9.5)."""

    def __str__(self) -> str:
        return "hold"


Order = Move | Cast | Destroy | Hold


class Place(NamedTuple):
    """`enemy`, `own`, `free` or `earth` at a hex (F9.4)."""

    what: str
    hex: Hex
    label: str

    def __str__(self) -> str:
        return f"{self.what} {self.label}" if self.what == "free" else f"{self.what} at {self.label}"


class Flux(NamedTuple):
    """The reserve is so much or more (F9.4)."""

    amount: int

    def __str__(self) -> str:
        return f"flux {self.amount}"


class Alive(NamedTuple):
    """A hue's wizard is on the board (F9.4)."""

    hue: str

    def __str__(self) -> str:
        return f"alive {self.hue}"


Condition = Place | Flux | Alive
FluxOrders = SeatOrders[Order, Condition]


def phase_of(order: Order) -> Phase | None:
    """The phase in which an order is carried out; None for `hold`, which fits any."""
    match order:
        case Move():
            return Phase.MOVE
        case Cast():
            return Phase.CAST
        case Destroy():
            return Phase.DESTROY
        case Hold():
            return None
        case _:
            assert_never(order)


def line_phase(line: OrderLine[Order, Condition]) -> Phase:
    """The one phase of a line's sides; lines that only hold come with the moves."""
    for side in line.sides:
        if phase := phase_of(side.order):
            return phase
    return Phase.MOVE


def parse(sheet: Sheet, rules: Rules, board: Board, hues: Sequence[str]) -> FluxOrders:
    """A sheet's orders in a game with these rules, board and hues (F9.2)."""
    reader = _Reader(rules, board, hues)
    return read_orders(sheet, reader.order, reader.condition, _one_phase)


def _one_phase(orders: tuple[Order, ...]) -> None:
    if len({phase for order in orders if (phase := phase_of(order))}) > 1:
        raise CannotRead("all sides of an `else` must belong to one phase: moves, casts or destructions")


class _Words:
    """The words of one order or condition, taken from the left; hyphens and commas are words."""

    def __init__(self, text: str) -> None:
        # A Kelvin sign would become an ordinary k: what is not ASCII stays as it is, and is no word.
        self._words = [word.lower() if word.isascii() else word for word in _TOKEN.findall(text)]
        self._next = 0

    def peek(self, ahead: int = 0) -> str:
        place = self._next + ahead
        return self._words[place] if place < len(self._words) else ""

    def take(self) -> str:
        word = self.peek()
        self._next += 1
        return word

    def skip(self, count: int) -> None:
        self._next += count

    def done(self) -> None:
        if self.peek():
            raise CannotRead(f"here the order should end, but there is `{self.peek()}`")


class _Reader:
    """Reads orders and conditions in one game."""

    def __init__(self, rules: Rules, board: Board, hues: Sequence[str]) -> None:
        self.board = board
        self.hues = tuple(hues)
        self.pieces = rules.pieces()
        self.earths = tuple(rules.earths)

    def order(self, text: str) -> Order:
        words = _Words(text)
        verb = words.take()
        order: Order
        match verb:
            case "move":
                order = self._move(words)
            case "cast":
                order = self._cast(words)
            case "destroy":
                if words.peek() != "with":
                    raise CannotRead("after `destroy` the word `with` and a piece are expected")
                words.take()
                order = Destroy(self._name(words, (WIZARD, *self.pieces), "a piece"))
            case "hold":
                order = Hold()
            case _:
                raise CannotRead(
                    f"an order begins with {', '.join(VERBS[:-1])} or {VERBS[-1]}, not with `{verb}`"
                    + nearest(verb, VERBS)
                )
        words.done()
        return order

    def _move(self, words: _Words) -> Move:
        piece = self._name(words, (WIZARD, *self.pieces), "a piece")
        if words.peek() == "via":
            words.take()
            way = self._hexes(words)
            return Move(
                piece, way[-1][0], way[-1][1], tuple(h for h, _ in way), tuple(name for _, name in way)
            )
        if words.peek() == "to":
            words.take()
        place, label = self._hex(words)
        return Move(piece, place, label)

    def _cast(self, words: _Words) -> Cast:
        spell = self._name(words, (*self.earths, *self.pieces), "an earth or an animate")
        places = self._hexes(words)
        wanted = 2 if spell in self.earths else 1
        if len(places) != wanted:
            raise CannotRead(
                f"{'an earth covers two hexes' if wanted == 2 else 'an animate stands on one hex'}, "
                f"and here {'is' if len(places) == 1 else 'are'} {len(places)}"
            )
        limits: dict[str, int] = {}
        while words.peek() in {"times", "keep"}:
            word = words.take()
            if word in limits:
                raise CannotRead(f"`{word}` stands twice; leave one of them")
            limits[word] = self._number(words, word)
        if limits.get("times") == 0:
            raise CannotRead("after `times` a number of 1 or more is expected")
        return Cast(
            spell,
            tuple(place for place, _ in places),
            tuple(name for _, name in places),
            limits.get("times"),
            limits.get("keep"),
        )

    def condition(self, text: str) -> Condition:
        words = _Words(text)
        what = words.take()
        condition: Condition
        match what:
            case "enemy" | "own" | "free" | "earth":
                place, label = self._hex(words)
                condition = Place(what, place, label)
            case "flux":
                condition = Flux(self._number(words, "flux"))
            case "alive":
                hue = words.take()
                if hue not in self.hues:
                    known = ", ".join(self.hues)
                    raise CannotRead(
                        f"after `alive` a hue of this game is expected ({known})"
                        + (f", not `{hue}`" if hue else "")
                        + nearest(hue, tuple(hue for hue in HUES if hue in self.hues))
                    )
                condition = Alive(hue)
            case _:
                raise CannotRead(
                    f"after `if` one of {', '.join(CONDITIONS)} is expected, not `{what}`"
                    + nearest(what, CONDITIONS)
                )
        words.done()
        return condition

    def _name(self, words: _Words, known: Sequence[str], wanted: str) -> str:
        """The longest known name that the next words spell, hyphens inside it allowed."""
        for name in sorted((*known, "dragon"), key=lambda name: -len(name)):
            parts = name.split()
            taken = 0
            for index, part in enumerate(parts):
                if index and words.peek(taken) == "-":
                    taken += 1
                if words.peek(taken) != part:
                    break
                taken += 1
            else:
                full = name if name in known else "great dragon"
                if full in known:
                    words.skip(taken)
                    return full
        word = words.peek()
        raise CannotRead(
            f"{wanted} is expected" + (f", not `{word}`" if word else "") + nearest(word, tuple(known)),
        )

    def _hexes(self, words: _Words) -> list[tuple[Hex, str]]:
        """One hex or more, parted by blanks, commas or hyphens."""
        found = [self._hex(words)]
        while True:
            parted = words.peek() in {",", "-"}
            if parted:
                words.take()
            elif not words.peek() or words.peek() in {"times", "keep"}:
                return found
            found.append(self._hex(words))

    def _hex(self, words: _Words) -> tuple[Hex, str]:
        word = words.take()
        place = self.board.find(word) if word else None
        if place is None:
            raise CannotRead(
                f"a hex of this map ({self.board.label(Hex(-self.board.radius, 0))} to "
                f"{self.board.label(Hex(self.board.radius, 0))}) is expected"
                + (f", not `{word}`" if word else "")
            )
        return place, self.board.label(place)

    def _number(self, words: _Words, after: str) -> int:
        word = words.take()
        if not (word.isascii() and word.isdigit() and int(word[:7]) <= MAX_NUMBER and len(word) <= 6):
            raise CannotRead(
                f"after `{after}` a number up to {MAX_NUMBER:,} is expected"
                + (f", not `{word}`" if word else "")
            )
        return int(word)
