"""Text to orders (M8, and F9 to which it refers)."""

import re
from dataclasses import dataclass, field
from decimal import Decimal

from .magic_data import GLAMOURS, ILLUSIONS, PHASES, SHOTS, SKILLS, WORDS
from .magic_geometry import Point

IDLE_WORDS = {"at", "on", "onto", "the"}
NAME = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)
LENGTH = re.compile(r"[0-9]+(\.[0-9])?", re.ASCII)
HEADER = re.compile(r"(game|turn|player|key)\s*:", re.IGNORECASE)
VERBS = (
    "move", "charge", "shoot", "use", "speak", "chord", "meditate", "spin", "prepare", "spring", "defend",
    "fight", "hold", "ambush",
)  # fmt: skip
GRAMMAR = {
    *VERBS, *IDLE_WORDS, *PHASES, "to", "with", "timed", "if", "not", "else", "alive", "near", "standing",
    "end", "declare", "skills", "glamours", "illusion", "walk", "run", "or", "show",
}  # fmt: skip
SIGN_UP = ("declare glamours", "declare illusion", "skills", "ambush")


class Unreadable(Exception):
    """What was expected where (F9.2)."""


@dataclass
class Guard:
    word: str  # alive or near
    wanted: bool
    name: str
    limit: int = 0


@dataclass
class Side:
    verb: str
    subject: str
    target: str = ""  # a figure or a thing
    place: Point | None = None
    rate: str = "walk"
    what: str = ""  # a weapon, skill, word, glamour or illusion
    names: list[str] = field(default_factory=list)
    shows: bool = False  # `stealth or show`
    timed: str = "start"
    guards: list[Guard] = field(default_factory=list)

    def phase(self) -> str:
        match self.verb:
            case "spring" | "spin":
                return self.verb
            case "speak" | "chord":
                return f"timed {self.timed}"
            case "use" | "meditate" | "prepare":
                return "declared"
            case "move" | "charge":
                return "move"
            case "shoot":
                return "shoot"
            case "defend" | "fight" | "hold":
                return "fight"
            case _:
                return "sign-up"


@dataclass
class Line:
    seat: str
    number: int
    text: str
    sides: list[Side] = field(default_factory=list)
    problem: str = ""
    rule: str = "M8.2"
    told: set[int] = field(default_factory=set)  # the sides that M1.5 has refused once for a whole unit

    def phase(self) -> str:
        return self.sides[0].phase()


def read(text: str, seat: str, turn: int) -> list[Line]:
    """Every line that is neither header, empty nor a comment, up to `end` or the signature mark."""
    lines: list[Line] = []
    header = True
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = raw.split("#")[0].strip()
        if line.lower() == "end" or line == "--":
            break
        if not line or (header and HEADER.match(line)):
            continue
        header = False
        lines.append(read_line(seat, number, line, turn))
    return lines


def read_line(seat: str, number: int, text: str, turn: int) -> Line:
    line = Line(seat, number, text)
    words = [w for w in re.findall(r"[^\s,:!]+|[,:]", text.lower()) if w not in IDLE_WORDS]
    if words[:2] == ["standing", ":"]:
        words = words[2:]
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "else":
            parts.append([])
        else:
            parts[-1].append(word)
    try:
        sides = [Reader(part).side() for part in parts]
        agree(sides)
    except Unreadable as problem:
        line.problem = f"expected {problem}"
        return line
    line.sides = sides
    if (sides[0].phase() == "sign-up") != (turn == 0):
        line.problem, line.rule = "sign-up orders in turn 0, others after", "M8.1"
    return line


def agree(sides: list[Side]) -> None:
    """M8.3"""
    if len({side.phase() for side in sides}) > 1:
        raise Unreadable("orders of one phase on both sides of else")
    if len({side.subject for side in sides}) > 1:
        raise Unreadable("orders for one figure or unit on both sides of else")


def compact(words: list[str]) -> str:
    return "".join(part for word in words for part in word.split("-") if part not in IDLE_WORDS)


class Reader:
    """Reads one side of a line, word by word."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def peek(self) -> str:
        return self.words[0] if self.words else ""

    def take(self) -> str:
        return self.words.pop(0) if self.words else ""

    def took(self, word: str) -> bool:
        found = self.peek() == word
        if found:
            self.take()
        return found

    def need(self, word: str) -> None:
        if not self.took(word):
            raise Unreadable(word)

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
        word = self.take()
        if word not in {"alive", "near"}:
            raise Unreadable("alive or near")
        guard = Guard(word, wanted, self.name())
        if word == "near":
            guard.limit = self.length()
        self.need(":")
        return guard

    def order(self) -> Side:
        if self.took("declare"):
            return self.declaration()
        if self.took("skills"):
            side = Side("skills", self.name())
            self.need(":")
            side.names = self.names()
            return side
        subject = self.name()
        verb = self.take()
        if verb not in VERBS:
            raise Unreadable("one of " + ", ".join(VERBS))
        side = Side(verb, subject)
        self.rest(side)
        return side

    def declaration(self) -> Side:
        if self.took("illusion"):
            return Side("declare illusion", "wasserpferd", names=[self.one_of(list(ILLUSIONS))])
        self.need("glamours")
        names = [self.one_of(list(GLAMOURS))]
        while self.words:
            self.took(",")
            names.append(self.one_of(list(GLAMOURS)))
        if len(names) > 2 or len(set(names)) < len(names):
            raise Unreadable("one or two glamours, each once")
        return Side("declare glamours", "achtung", names=names)

    def rest(self, side: Side) -> None:
        match side.verb:
            case "move":
                self.took("to")
                self.goal(side)
                if self.peek() in {"walk", "run"}:
                    side.rate = self.take()
            case "charge" | "spin":
                side.target = self.name()
            case "shoot":
                side.target = self.name()
                if self.took("with"):
                    side.what = self.one_of(list(SHOTS))
            case "use":
                side.what = self.one_of(list(SKILLS))
                if side.what == "stealth" and self.took("or"):
                    self.need("show")
                    side.shows = True
                if side.what in {"light fire", "light witch-fire", "unlock door"} and self.words:
                    side.target = self.name()
            case "speak":
                side.what = self.one_of([*WORDS, "sieze"]).replace("sieze", "seize")
                self.took("to")
                side.target = self.name()
                self.timing(side)
            case "chord":
                self.timing(side)
            case "meditate":
                side.what = self.one_of(list(GLAMOURS))
                if side.what == "roadblock":
                    side.place = self.place()
                if side.what == "take steps":
                    side.target = self.name()
            case "prepare":
                side.what = self.one_of(list(ILLUSIONS))
            case "fight":
                side.names = self.names()
            case "ambush":
                if self.words:
                    side.place = self.place()

    def timing(self, side: Side) -> None:
        if self.took("timed"):
            side.timed = self.take()
            if side.timed not in PHASES:
                raise Unreadable("one of " + ", ".join(PHASES))

    def goal(self, side: Side) -> None:
        if LENGTH.fullmatch(self.peek()):
            side.place = self.place()
        else:
            side.target = self.name()

    def one_of(self, known: list[str]) -> str:
        """The longest known name that comes next, its blanks and hyphens apart."""
        spelt = {compact(name.split()): name for name in known}
        for count in range(len(self.words), 0, -1):
            found = spelt.get(compact(self.words[:count]))
            if found is not None:
                del self.words[:count]
                return found
        raise Unreadable("one of " + ", ".join(known))

    def name(self) -> str:
        word = self.take()
        if not NAME.fullmatch(word) or word in GRAMMAR:
            raise Unreadable("a name")
        return word

    def names(self) -> list[str]:
        result = [self.name()]
        while self.words:
            self.took(",")
            result.append(self.name())
        return result

    def length(self) -> int:
        word = self.take()
        if not LENGTH.fullmatch(word):
            raise Unreadable("a length in centimetres")
        return int(Decimal(word) * 10)

    def place(self) -> Point:
        x = self.length()
        self.need(",")
        return x, self.length()
