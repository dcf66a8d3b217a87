"""Text to orders (F9.1 to F9.5)."""

import re
from dataclasses import dataclass, field
from typing import Any

from .flux_board import Board, Hex
from .flux_data import animates

IDLE_WORDS = {"at", "on", "onto", "the"}
LABEL = re.compile(r"[a-z]+[0-9]+", re.ASCII)
NUMBER = re.compile(r"[0-9]+", re.ASCII)


class Unreadable(Exception):
    """What was expected where (F9.2)."""


@dataclass
class Guard:
    word: str
    wanted: bool
    at: Hex | None = None
    number: int = 0
    hue: str = ""


@dataclass
class Side:
    verb: str
    name: str = ""
    hexes: list[Hex] = field(default_factory=list)
    via: bool = False
    times: int = 1
    keep: int | None = None
    guards: list[Guard] = field(default_factory=list)


@dataclass
class Line:
    number: int
    text: str
    sides: list[Side] = field(default_factory=list)
    phase: str = "move"
    problem: str = ""


def read(text: str, board: Board, data: dict[str, Any], hues: list[str]) -> list[Line]:
    """Every line that is neither empty nor a comment, up to `end` or the signature mark."""
    lines = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = raw.split("#")[0].strip()
        if line.lower() == "end" or line == "--":
            break
        if line:
            lines.append(read_line(number, line, board, data, hues))
    return lines


def read_line(number: int, text: str, board: Board, data: dict[str, Any], hues: list[str]) -> Line:
    line = Line(number, text)
    words = [w for w in re.findall(r"[^\s,:\-]+|[,:\-]", text.lower()) if w not in IDLE_WORDS]
    if words[:2] == ["standing", ":"]:
        words = words[2:]
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "else":
            parts.append([])
        else:
            parts[-1].append(word)
    try:
        line.sides = [Reader(part, board, data, hues).side() for part in parts]
    except Unreadable as problem:
        line.problem = f"expected {problem}"
        return line
    phases = {side.verb for side in line.sides} - {"hold"}
    if len(phases) > 1:
        line.sides, line.problem = [], "expected orders of one phase on both sides of else"
    else:
        line.phase = next(iter(phases), "move")
    return line


class Reader:
    """Reads one side of a line, word by word."""

    def __init__(self, words: list[str], board: Board, data: dict[str, Any], hues: list[str]) -> None:
        self.words, self.board, self.hues = words, board, hues
        self.earths, self.animates = list(data["earths"]), list(animates(data))

    def peek(self) -> str:
        return self.words[0] if self.words else ""

    def take(self) -> str:
        return self.words.pop(0) if self.words else ""

    def took(self, word: str) -> bool:
        found = self.peek() == word
        if found:
            self.take()
        return found

    def side(self) -> Side:
        guards = []
        while self.took("if"):
            guards.append(self.guard())
        side = self.order()
        side.guards = guards
        if self.words:
            raise Unreadable(f"the end of the order before {self.peek()}")
        return side

    def guard(self) -> Guard:
        wanted = not self.took("not")
        guard = Guard(self.take(), wanted)
        match guard.word:
            case "enemy" | "own" | "free" | "earth":
                guard.at = self.hex()
            case "flux":
                guard.number = self.number()
            case "alive":
                guard.hue = self.take()
                if guard.hue not in self.hues:
                    raise Unreadable("a hue of this game")
            case _:
                raise Unreadable("enemy, own, free, earth, flux or alive")
        if not self.took(":"):
            raise Unreadable("a colon after the condition")
        return guard

    def order(self) -> Side:
        side = Side(self.take())
        match side.verb:
            case "move":
                side.name = self.name(["wizard", *self.animates])
                side.via = self.took("via")
                if not side.via:
                    self.took("to")
                side.hexes = self.hexes()
                if not side.via and len(side.hexes) != 1:
                    raise Unreadable("one hex")
            case "cast":
                side.name = self.name([*self.earths, *self.animates])
                side.hexes = self.hexes()
                if len(side.hexes) != (2 if side.name in self.earths else 1):
                    raise Unreadable("two hexes for an earth, one for an animate")
                self.options(side)
            case "destroy":
                if not self.took("with"):
                    raise Unreadable("with")
                side.name = self.name(["wizard", *self.animates])
            case "hold":
                pass
            case _:
                raise Unreadable("move, cast, destroy or hold")
        return side

    def options(self, side: Side) -> None:
        given = set()
        while self.peek() in {"times", "keep"}:
            word = self.take()
            if word in given:
                raise Unreadable(f"{word} once")
            given.add(word)
            number = self.number()
            if word == "keep":
                side.keep = number
            elif number == 0:
                raise Unreadable("times 1 or more")
            else:
                side.times = number

    def name(self, known: list[str]) -> str:
        """The longest known name that comes next, `great-dragon` and `dragon` included."""
        for name in sorted(known, key=len, reverse=True):
            for spelling in (name, name.removeprefix("great ")):
                words = spelling.split()
                hyphened = " - ".join(words).split()
                for form in (words, hyphened):
                    if self.words[: len(form)] == form:
                        del self.words[: len(form)]
                        return name
        raise Unreadable("one of " + ", ".join(known))

    def number(self) -> int:
        word = self.take()
        if not NUMBER.fullmatch(word):
            raise Unreadable("a number")
        return int(word)

    def hex(self) -> Hex:
        word = self.take()
        try:
            return self.board.hex(word)
        except KeyError:
            raise Unreadable("a hex of the map") from None

    def hexes(self) -> list[Hex]:
        result = [self.hex()]
        while self.peek() in {",", "-"} or LABEL.fullmatch(self.peek()):
            if self.peek() in {",", "-"}:
                self.take()
            result.append(self.hex())
        return result
