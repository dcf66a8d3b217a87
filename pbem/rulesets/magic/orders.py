"""What players write: one order a line, read by the shared grammar of sheets (M8)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from pbem.rulesets.magic.data import millimetres
from pbem.rulesets.magic.geometry import Point
from pbem.rulesets.magic.names import (
    GLAMOURS,
    ILLUSIONS,
    LIGHT_FIRE,
    RESERVED,
    ROADBLOCK,
    RUN,
    SKILLS,
    SPINNING,
    STEALTH,
    TAKE_STEPS,
    TIMES,
    UNLOCK,
    WALK,
    WITCH_FIRE,
    WORDS,
)
from pbem.sheet import CannotRead, OrderLine, SeatOrders, Sheet, nearest, read_orders

Phase: TypeAlias = str
"""`glamours` (`spin`), `start`, `timed PHASE`, `declare`, `move`, `shoot`, `fight`; or `sign-up` (M8.3)."""

SHOOTING_WEAPONS = ("stone", "pilum", "sling", "bow")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_NOISE = frozenset({"at", "on", "onto", "the"})
"""Words that do not matter (F9.1)."""


def _cm(length: int) -> str:
    sign, length = ("-", -length) if length < 0 else ("", length)
    whole, tenth = divmod(length, 10)
    return f"{sign}{whole}.{tenth}" if tenth else f"{sign}{whole}"


def place_text(place: Point) -> str:
    """A place as orders write it: `34.5,56`."""
    return f"{_cm(place[0])},{_cm(place[1])}"


@dataclass(frozen=True, slots=True)
class Move:
    """`rodney move to 34,56 walk`, or to a figure."""

    phase: ClassVar[Phase] = "move"
    who: str
    to: Point | str
    rate: str = WALK

    def __str__(self) -> str:
        goal = self.to if isinstance(self.to, str) else place_text(self.to)
        return f"{self.who} move to {goal} {self.rate}"


@dataclass(frozen=True, slots=True)
class Charge:
    """`trigger charge brutalus`."""

    phase: ClassVar[Phase] = "move"
    who: str
    target: str

    def __str__(self) -> str:
        return f"{self.who} charge {self.target}"


@dataclass(frozen=True, slots=True)
class Shoot:
    """`del shoot shakslag with sling`."""

    phase: ClassVar[Phase] = "shoot"
    who: str
    target: str
    weapon: str | None = None

    def __str__(self) -> str:
        return f"{self.who} shoot {self.target}" + (f" with {self.weapon}" if self.weapon else "")


@dataclass(frozen=True, slots=True)
class Use:
    """`del use light fire on hayrick`; `show`: `use stealth or show`."""

    phase: ClassVar[Phase] = "declare"
    who: str
    skill: str
    thing: str | None = None
    show: bool = False

    def __str__(self) -> str:
        return (
            f"{self.who} use {self.skill}"
            + (" or show" if self.show else "")
            + (f" on {self.thing}" if self.thing else "")
        )


@dataclass(frozen=True, slots=True)
class Speak:
    """`schtuck speak roll over to brutalus timed fight`."""

    who: str
    word: str
    target: str
    timed: str = "start"

    @property
    def phase(self) -> Phase:
        """The beginning of the phase that it is timed for (M2.7)."""
        return f"timed {self.timed}"

    def __str__(self) -> str:
        return f"{self.who} speak {self.word} to {self.target} timed {self.timed}"


@dataclass(frozen=True, slots=True)
class Play:
    """`achtung chord timed shoot`."""

    who: str
    timed: str = "start"

    @property
    def phase(self) -> Phase:
        """The beginning of the phase that it is timed for (M2.7)."""
        return f"timed {self.timed}"

    def __str__(self) -> str:
        return f"{self.who} chord timed {self.timed}"


@dataclass(frozen=True, slots=True)
class Meditate:
    """`achtung meditate roadblock 30,40`."""

    phase: ClassVar[Phase] = "declare"
    who: str
    glamour: str
    at: Point | None = None
    target: str | None = None

    def __str__(self) -> str:
        goal = place_text(self.at) if self.at is not None else self.target
        return f"{self.who} meditate {self.glamour}" + (f" {goal}" if goal else "")


@dataclass(frozen=True, slots=True)
class Spin:
    """`achtung spin brutalus`: the target of Spinning Around, as it comes into force."""

    phase: ClassVar[Phase] = "glamours"
    who: str
    target: str

    def __str__(self) -> str:
        return f"{self.who} spin {self.target}"


@dataclass(frozen=True, slots=True)
class Prepare:
    """`wasserpferd prepare pile`."""

    phase: ClassVar[Phase] = "declare"
    who: str
    illusion: str

    def __str__(self) -> str:
        return f"{self.who} prepare {self.illusion}"


@dataclass(frozen=True, slots=True)
class Spring:
    """`yobs spring`."""

    phase: ClassVar[Phase] = "start"
    who: str

    def __str__(self) -> str:
        return f"{self.who} spring"


@dataclass(frozen=True, slots=True)
class Defend:
    """`rodney defend`: he strikes nobody this turn."""

    phase: ClassVar[Phase] = "fight"
    who: str

    def __str__(self) -> str:
        return f"{self.who} defend"


@dataclass(frozen=True, slots=True)
class Fight:
    """`rodney fight brutalus`: he strikes those named and those he charged, and nobody else."""

    phase: ClassVar[Phase] = "fight"
    who: str
    targets: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.who} fight {' '.join(self.targets)}"


@dataclass(frozen=True, slots=True)
class Hold:
    """`yobs hold`: does nothing, and is never refused."""

    phase: ClassVar[Phase] = "fight"
    who: str = ""

    def __str__(self) -> str:
        return f"{self.who} hold".strip()


@dataclass(frozen=True, slots=True)
class Declare:
    """`declare glamours roadblock, take steps`, `declare illusion pile`: what will mostly be used."""

    phase: ClassVar[Phase] = "sign-up"
    priest: str
    names: tuple[str, ...]
    who: str = ""

    def __str__(self) -> str:
        what = "illusion" if self.priest == "wasserpferd" else "glamours"
        return f"declare {what} {', '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class NameSkilled:
    """`skills yobs: rodney trigger`: who comes first when skills are thrown for."""

    phase: ClassVar[Phase] = "sign-up"
    who: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"skills {self.who}: {' '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class LayAmbush:
    """`yobs ambush at 34,56`."""

    phase: ClassVar[Phase] = "sign-up"
    who: str
    at: Point | None = None

    def __str__(self) -> str:
        return f"{self.who} ambush" + (f" at {place_text(self.at)}" if self.at is not None else "")


Order: TypeAlias = (
    Move | Charge | Shoot | Use | Speak | Play | Meditate | Spin | Prepare | Spring | Defend | Fight | Hold
    | Declare | NameSkilled | LayAmbush
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alive:
    """`alive NAME`: on the table and, if the other side's, seen (M8.4)."""

    name: str

    def __str__(self) -> str:
        return f"alive {self.name}"


@dataclass(frozen=True, slots=True)
class Near:
    """`near NAME CM`: within so many millimetres of the ordered figure (M8.4)."""

    name: str
    reach: int

    def __str__(self) -> str:
        return f"near {self.name} {_cm(self.reach)}"


Condition: TypeAlias = Alive | Near
MagicOrders: TypeAlias = SeatOrders[Order, Condition]
Line: TypeAlias = OrderLine[Order, Condition]

VERBS = (
    "move", "charge", "shoot", "use", "speak", "chord", "meditate", "spin", "prepare", "spring", "defend",
    "fight", "hold",
)  # fmt: skip


def line_phase(line: Line) -> Phase:
    """The phase of a line: all its sides have the same (M8.3)."""
    return line.sides[0].order.phase


def parse(sheet: Sheet, *, sign_up: bool) -> MagicOrders:
    """One side's orders as read: sign-up orders in turn 0 alone, all others only after it (M8.1, M8.2)."""

    def order(text: str) -> Order:
        return _read_order(text, sign_up=sign_up)

    return read_orders(sheet, order, _read_condition, _check_sides)


def _check_sides(sides: Sequence[Order]) -> None:
    if len({side.phase for side in sides}) > 1:
        raise CannotRead("all sides of an `else` belong to one phase")
    if len({side.who for side in sides}) > 1:
        raise CannotRead("all sides of an `else` are for one figure or unit")


def _tokens(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[0-9])\s*,\s*(?=-?[0-9])", " ", text.lower())
    return [token for token in spaced.replace(",", " , ").split() if token not in _NOISE]


def _name(token: str, what: str) -> str:
    if not token[0].isalpha():
        raise CannotRead(f"{what} is expected, and {token!r} is no name; names begin with a letter")
    if token in RESERVED:
        raise CannotRead(f"{what} is expected, and `{token}` is a word of the orders")
    return token


def _one_name(tokens: Sequence[str], what: str) -> str:
    if len(tokens) != 1:
        raise CannotRead(f"{what} is expected, one name" + (f", not {' '.join(tokens)!r}" if tokens else ""))
    return _name(tokens[0], what)


def _number(token: str) -> int:
    if not _NUMBER.fullmatch(token):
        raise CannotRead(f"a number of centimetres is expected, not {token!r}")
    try:
        return millimetres(token)
    except ValueError as error:
        raise CannotRead(f"the number {error}") from None


def _place(tokens: Sequence[str]) -> Point:
    if len(tokens) != 2:
        raise CannotRead(f"a place in centimetres such as 34.5,56 is expected, not {' '.join(tokens)!r}")
    return _number(tokens[0]), _number(tokens[1])


def _is_place(tokens: Sequence[str]) -> bool:
    return bool(tokens) and (tokens[0][0].isdigit() or tokens[0][0] in "-.+")


def _squeezed(text: str) -> str:
    """A name of several words with blanks, hyphens, `!` and `the` left out (M5, M8.1)."""
    parts = re.split(r"[\s!-]+", text)
    return "".join(part for part in parts if part != "the")


_SPELLINGS: dict[tuple[str, ...], dict[str, str]] = {
    names: {_squeezed(name): name for name in names} for names in (WORDS, GLAMOURS, ILLUSIONS, SKILLS)
}
_SPELLINGS[WORDS]["sieze"] = "seize"


def _known(tokens: Sequence[str], names: tuple[str, ...], what: str) -> str:
    text = " ".join(tokens)
    found = _SPELLINGS[names].get(_squeezed(text))
    if found is None:
        raise CannotRead(f"{what} is expected, not {text!r}{nearest(text, names)}")
    return found


def _leading(tokens: Sequence[str], names: tuple[str, ...], what: str) -> tuple[str, Sequence[str]]:
    """The longest name at the head of the tokens, and the rest; no more is read than a name can be long."""
    spellings = _SPELLINGS[names]
    longest = max(map(len, spellings))
    name, taken, head = "", 0, ""
    for number, token in enumerate(tokens, start=1):
        head += _squeezed(token)
        if len(head) > longest:
            break
        if head in spellings:
            name, taken = spellings[head], number
    if name:
        return name, tokens[taken:]
    text = " ".join(tokens)
    raise CannotRead(f"{what} is expected, not {text!r}{nearest(text, names)}")


def _read_order(text: str, *, sign_up: bool) -> Order:
    """An order of the turn's kind; what reads as one of the other kind is refused for that (M8.1)."""
    try:
        return _read(text, sign_up=sign_up)
    except CannotRead as unreadable:
        try:
            _read(text, sign_up=not sign_up)
        except CannotRead:
            raise unreadable from None
        raise CannotRead(str(unreadable), "M8.1") from None


def _read(text: str, *, sign_up: bool) -> Order:
    tokens = _tokens(text.replace(":", " : "))
    if not tokens:
        raise CannotRead("an order is expected here")
    if sign_up:
        return _read_sign_up(tokens)
    if tokens == ["hold"]:
        return Hold()
    if tokens[0] in {"declare", "skills"}:
        raise CannotRead(f"`{tokens[0]}` is a sign-up order, for turn 0 alone")
    who = _name(tokens[0], "the name of a figure or unit")
    if len(tokens) < 2:
        raise CannotRead(f"after {who} an order is expected: {', '.join(VERBS)}")
    verb, rest = tokens[1], tokens[2:]
    if verb == "ambush":
        raise CannotRead("`ambush` is a sign-up order, for turn 0 alone")
    reader = _READERS.get(verb)
    if reader is None:
        raise CannotRead(f"after {who} an order is expected, not {verb!r}{nearest(verb, VERBS)}")
    return reader(who, rest)


def _read_sign_up(tokens: list[str]) -> Order:
    match tokens:
        case ["declare", "glamours" | "glamour", *rest] if rest:
            return Declare("achtung", _list(rest, GLAMOURS, "a glamour", 2))
        case ["declare", "illusion" | "illusions", *rest] if rest:
            return Declare("wasserpferd", _list(rest, ILLUSIONS, "an illusion", 1))
        case ["declare", *_]:
            raise CannotRead("after `declare` comes `glamours` with one or two, or `illusion` with one")
        case ["skills", who, ":", *names] | ["skills", who, *names] if names:
            found = tuple(_name(name, "the name of a figure") for name in names if name != ",")
            if not found:
                raise CannotRead("after the colon names of figures are expected")
            return NameSkilled(_name(who, "the name of a unit"), found)
        case ["skills", *_]:
            raise CannotRead("`skills UNIT: NAME NAME …` is expected")
        case [who, "ambush", *rest]:
            place = _place(rest) if rest else None
            return LayAmbush(_name(who, "the name of a unit"), place)
        case [_, verb, *_] if verb in VERBS:
            raise CannotRead(f"turn 0 takes sign-up orders alone, and `{verb}` is for the turns after it")
        case _:
            raise CannotRead("a sign-up order is expected: declare, skills, or UNIT ambush")


def _list(tokens: list[str], names: tuple[str, ...], what: str, most: int) -> tuple[str, ...]:
    found: list[str] = []
    parts = " ".join(tokens).split(" , ")
    for part in parts:
        rest: Sequence[str] = part.split()
        if not rest or rest == [","]:
            raise CannotRead(f"{what} is expected on either side of a comma")
        while rest:
            name, rest = _leading(rest, names, what)
            found.append(name)
    if len(found) > most:
        raise CannotRead(f"at most {most} may be declared, and here are {len(found)}")
    if len(set(found)) < len(found):
        raise CannotRead(f"{found[0]} is declared twice")
    return tuple(found)


def _read_move(who: str, rest: Sequence[str]) -> Order:
    rate = WALK
    if rest and rest[0] == "to":
        rest = rest[1:]
    if rest and rest[-1] in {WALK, RUN}:
        rate, rest = rest[-1], rest[:-1]
    if _is_place(rest):
        return Move(who, _place(rest), rate)
    if not rest:
        raise CannotRead("after `move to` a place such as 34.5,56 or a figure's name is expected")
    if len(rest) > 1:
        last = rest[-1]
        raise CannotRead(
            f"after the place a rate is expected, walk or run, not {last!r}{nearest(last, (WALK, RUN))}"
        )
    return Move(who, _name(rest[0], "a place or the name of a figure"), rate)


def _read_charge(who: str, rest: Sequence[str]) -> Order:
    return Charge(who, _one_name(rest, "the name of an enemy"))


def _read_shoot(who: str, rest: Sequence[str]) -> Order:
    weapon = None
    if "with" in rest:
        place = rest.index("with")
        rest, given = rest[:place], rest[place + 1 :]
        if len(given) != 1 or given[0] not in SHOOTING_WEAPONS:
            shown = " ".join(given)
            raise CannotRead(
                f"after `with` a weapon that shoots is expected, not {shown!r}"
                f"{nearest(shown, SHOOTING_WEAPONS)}"
            )
        weapon = given[0]
    return Shoot(who, _one_name(rest, "the name of a target"), weapon)


def _read_use(who: str, rest: Sequence[str]) -> Order:
    skill, after = _leading(rest, SKILLS, "a skill") if rest else ("", rest)
    if not skill:
        raise CannotRead("after `use` a skill is expected")
    if skill == STEALTH and list(after) == ["or", "show"]:
        return Use(who, skill, show=True)
    if not after:
        return Use(who, skill)
    if skill in {LIGHT_FIRE, WITCH_FIRE, UNLOCK}:
        return Use(who, skill, _one_name(after, "the name of a thing"))
    raise CannotRead(f"after `use {skill}` nothing more is expected, not {' '.join(after)!r}")


def _timed(rest: Sequence[str]) -> tuple[Sequence[str], str]:
    """What stands before `timed PHASE`, and the phase."""
    if "timed" not in rest:
        return rest, "start"
    place = rest.index("timed")
    given = list(rest[place + 1 :])
    if len(given) != 1 or given[0] not in TIMES:
        shown = " ".join(given)
        raise CannotRead(
            f"after `timed` a phase is expected: {', '.join(TIMES)}, not {shown!r}{nearest(shown, TIMES)}"
        )
    return rest[:place], given[0]


def _read_speak(who: str, rest: Sequence[str]) -> Order:
    rest, timed = _timed(rest)
    word, after = _leading(rest, WORDS, "a Word of Power") if rest else ("", rest)
    if not word:
        raise CannotRead("after `speak` a Word of Power is expected")
    after = [token for token in after if token.strip("!")]
    if after and after[0] == "to":
        after = after[1:]
    return Speak(who, word, _one_name(after, "the name of a figure"), timed)


def _read_chord(who: str, rest: Sequence[str]) -> Order:
    rest, timed = _timed(rest)
    if rest:
        raise CannotRead(f"after `chord` only `timed PHASE` is expected, not {' '.join(rest)!r}")
    return Play(who, timed)


def _read_meditate(who: str, rest: Sequence[str]) -> Order:
    glamour, after = _leading(rest, GLAMOURS, "a glamour") if rest else ("", rest)
    if glamour == ROADBLOCK:
        return Meditate(who, glamour, at=_place(after))
    if glamour == TAKE_STEPS:
        return Meditate(who, glamour, target=_one_name(after, "the name of a Noman"))
    if not glamour:
        raise CannotRead("after `meditate` a glamour is expected")
    if after:
        later = "; its target is named next turn, with `spin NAME`" if glamour == SPINNING else ""
        raise CannotRead(f"after `meditate {glamour}` nothing more is expected{later}")
    return Meditate(who, glamour)


def _read_spin(who: str, rest: Sequence[str]) -> Order:
    return Spin(who, _one_name(rest, "the name of a Noman"))


def _read_prepare(who: str, rest: Sequence[str]) -> Order:
    return Prepare(who, _known(rest, ILLUSIONS, "an illusion"))


def _read_fight(who: str, rest: Sequence[str]) -> Order:
    names = tuple(_name(word, "the name of an enemy") for word in rest if word != ",")
    if not names:
        raise CannotRead("after `fight` the name of an enemy is expected")
    return Fight(who, names)


def _nothing_more(verb: str, rest: Sequence[str]) -> None:
    if rest:
        raise CannotRead(f"after `{verb}` nothing more is expected, not {' '.join(rest)!r}")


def _read_spring(who: str, rest: Sequence[str]) -> Order:
    _nothing_more("spring", rest)
    return Spring(who)


def _read_defend(who: str, rest: Sequence[str]) -> Order:
    _nothing_more("defend", rest)
    return Defend(who)


def _read_hold(who: str, rest: Sequence[str]) -> Order:
    _nothing_more("hold", rest)
    return Hold(who)


_READERS: dict[str, Callable[[str, Sequence[str]], Order]] = {
    "move": _read_move,
    "charge": _read_charge,
    "shoot": _read_shoot,
    "use": _read_use,
    "speak": _read_speak,
    "chord": _read_chord,
    "meditate": _read_meditate,
    "spin": _read_spin,
    "prepare": _read_prepare,
    "spring": _read_spring,
    "defend": _read_defend,
    "fight": _read_fight,
    "hold": _read_hold,
}


def _read_condition(text: str) -> Condition:
    tokens = _tokens(text)
    match tokens:
        case ["alive", name]:
            return Alive(_name(name, "the name of a figure"))
        case ["near", name, number]:
            return Near(_name(name, "the name of a figure"), _number(number))
        case _:
            first = tokens[0] if tokens else ""
            raise CannotRead(
                f"`alive NAME` or `near NAME CM` is expected, not {text!r}{nearest(first, ('alive', 'near'))}"
            )
