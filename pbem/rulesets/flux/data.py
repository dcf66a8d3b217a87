"""Rules and maps as data: read from TOML, checked, and kept in the log as plain JSON (F1.6, F2)."""

import tomllib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pbem.errors import BadInput, reader_says
from pbem.events import Json
from pbem.rulesets import Source
from pbem.rulesets.flux.hexes import Board, Hex, side

HUES = ("crimson", "amber", "jade", "azure", "violet", "slate")
"""Seat n has the n-th of them (F1.3)."""
UNNAMEABLE = frozenset({"at", "on", "onto", "the", "else"})
"""Words that orders lose, or that part them: no piece can be called by one (F9.1, F9.3)."""
MAX_RADIUS = 26
MAX_GLOBE = 1000
MAX_TITLE = 100
SOURCES = ("rulebook", "house")
EarthName = Literal["forest", "hills", "swamp", "mountain"]


def _value(raw: Any) -> Any:
    """A number of the rules with its source, `{ value = 3, source = "house" }`, or the number alone."""
    if not (isinstance(raw, dict) and raw.keys() == {"value", "source"}):
        return raw
    if raw["source"] not in SOURCES:
        raise ValueError(f"should have one of {' and '.join(SOURCES)} for its source, not {raw['source']!r}")
    return raw["value"]


Number = Annotated[int, BeforeValidator(_value), Field(ge=0, le=1000)]
Positive = Annotated[int, BeforeValidator(_value), Field(ge=1, le=1000)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Earth(_Table):
    """A kind of earth counter (F2)."""

    cost: Positive
    counters: Number
    may_cover_lake: bool = False
    may_cross_river: bool = False
    must_touch_water: bool = False


class Animate(_Table):
    """A kind of piece (F2). `destroys` gives the throw on or below which it destroys an earth."""

    cost: Positive
    combat: Number
    move: Number
    counters: Number
    flies: bool = False
    may_not_enter: list[EarthName] = []
    destroys: dict[EarthName, Number] = {}


class WizardRow(_Table):
    """The wizard's own row of the chart (F2)."""

    combat: Number
    move: Number
    may_not_enter: list[EarthName] = []


class Band(_Table):
    """Up to so many hexes a cast succeeds on `chance` or less (F5.1)."""

    up_to: Positive
    chance: Number


class Contest(_Table):
    """The numbers of a contest as a whole."""

    length: Positive
    corner: Number
    die: Annotated[int, BeforeValidator(_value), Field(ge=2, le=1000)]
    wizard_killed: Annotated[Literal["returns", "eliminated"], BeforeValidator(_value)]


class Rules(_Table):
    """All numbers of the game, with the tables they stand in."""

    contest: Contest
    casting: list[Band]
    earths: dict[EarthName, Earth]
    animates: dict[Annotated[str, Field(pattern="^[a-z]+( [a-z]+)*$")], Animate]
    wizard: WizardRow

    def chance(self, distance: int) -> int | None:
        """The throw on or below which a cast so far away succeeds; None where it is too far (F5.1)."""
        band = self.band(distance)
        return self.casting[band].chance if band < len(self.casting) else None

    def band(self, distance: int) -> int:
        """Which band of distance this lies in; beyond the last is one of its own (F5.2)."""
        for number, band in enumerate(self.casting):
            if distance <= band.up_to:
                return number
        return len(self.casting)

    def pieces(self) -> tuple[str, ...]:
        """The names of a hue's animates: `troll`, and `troll 2` where there are two (F2)."""
        return tuple(
            name if number == 1 else f"{name} {number}"
            for name, row in self.animates.items()
            for number in range(1, row.counters + 1)
        )

    def animate(self, piece: str) -> Animate:
        """The row of a piece by its name."""
        return self.animates[piece.rstrip("0123456789 ")]

    def cost(self, counter: str) -> int:
        """What a cast of an earth or an animate costs (F5.3)."""
        row = self.earths.get(counter)  # type: ignore[call-overload]
        return int((row or self.animate(counter)).cost)

    def combat(self, piece: str) -> int:
        """A piece's combat rating, the wizard's included."""
        return self.wizard.combat if piece == WIZARD else self.animate(piece).combat

    def move(self, piece: str) -> int:
        """How many hexes a piece may move in a turn, the wizard included."""
        return self.wizard.move if piece == WIZARD else self.animate(piece).move

    def flies(self, piece: str) -> bool:
        """Whether earths and lakes do not bind the piece (F4.2)."""
        return piece != WIZARD and self.animate(piece).flies

    def forbidden(self, piece: str) -> tuple[str, ...]:
        """The earths that a piece may not enter (F2)."""
        return tuple(self.wizard.may_not_enter if piece == WIZARD else self.animate(piece).may_not_enter)


WIZARD = "wizard"


def read_toml(source: Source) -> dict[str, Any]:
    """A TOML text as a table; `BadInput` names the file and the place of the mistake."""
    try:
        return tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{source.name} is no TOML: {reader_says(error)}.") from error


_FAULTS = {
    "missing": "is missing",
    "extra_forbidden": "is nothing that the rules have",
    "int_type": "should be a whole number",
    "list_type": "should be a list",
    "dict_type": "should be a table",
    "model_type": "should be a table",
    "string_pattern_mismatch": "should be a name in small letters",
}
"""Pydantic's complaints in the words of somebody who writes TOML."""


def _check(model: type[Rules], raw: Json, name: str) -> Rules:
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"] if part != "[key]") or "it"
        given = first.get("input")
        shown = f", not {given!r}" if isinstance(given, int | str) and first["type"] != "value_error" else ""
        message = _FAULTS.get(
            first["type"], first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        )
        raise BadInput(f"{name}: {where} {message}{shown}; correct it and try again.") from error


def read_rules(raw: Json, name: str) -> Rules:
    """Rules from their table; `BadInput` names the file and the number that cannot be."""
    rules = _check(Rules, raw, name)
    limits = [band.up_to for band in rules.casting]
    if not limits or limits != sorted(set(limits)):
        raise BadInput(f"{name}: casting must list its bands by growing distance; put them in order.")
    missing = [earth for earth in ("forest", "hills", "swamp", "mountain") if earth not in rules.earths]
    if missing:
        raise BadInput(f"{name}: earths.{missing[0]} is missing; every earth needs its table.")
    clash = [piece for piece in rules.animates if piece in {WIZARD, *rules.earths}]
    if clash:
        raise BadInput(f"{name}: animates.{clash[0]} has the name of another counter; choose another.")
    lost = [piece for piece in rules.animates if not UNNAMEABLE.isdisjoint(piece.split())]
    if lost:
        raise BadInput(
            f"{name}: animates.{lost[0]} could not be ordered by that name; choose another (F9.1)."
        )
    return rules


def read_board(raw: Json, name: str) -> Board:
    """A map from its table; `BadInput` names the file and the hex that breaks a ruling (F1.6)."""
    if not isinstance(raw, dict):
        raise BadInput(f"{name} must be a table with radius, globes, lakes and rivers.")
    for key in raw:
        if key not in {"title", "radius", "globes", "lakes", "rivers"}:
            raise BadInput(
                f"{name}: {key!r} is nothing that a map has; it has radius, globes, lakes, rivers."
            )
    radius = raw.get("radius")
    if not isinstance(radius, int) or isinstance(radius, bool) or not 1 <= radius <= MAX_RADIUS:
        raise BadInput(
            f"{name}: radius must be a whole number from 1 to {MAX_RADIUS}, not {radius!r} (F1.1)."
        )
    bare = Board(name, radius, (), frozenset(), frozenset())

    def hex_of(label: Any, what: str) -> Hex:
        place = bare.find(label) if isinstance(label, str) else None
        if place is None:
            raise BadInput(f"{name}: {what} at {label!r} is not on this map of radius {radius} (F1.2).")
        return place

    globes: dict[Hex, int] = {}
    table = raw.get("globes", {})
    if not isinstance(table, dict):
        raise BadInput(f"{name}: globes must be a table such as {{ K11 = 4 }}.")
    for label, value in table.items():
        place = hex_of(label, "the globe")
        if not bare.is_full(place):
            raise BadInput(
                f"{name}: the globe at {label} lies on a part hex; only full hexes hold one (F1.5)."
            )
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_GLOBE:
            raise BadInput(
                f"{name}: the globe at {label} is worth {value!r}; a value is a whole number"
                f" from 1 to {MAX_GLOBE} (F1.5)."
            )
        if place in globes:
            raise BadInput(f"{name}: there are two globes at {label} (F1.5).")
        globes[place] = value
    lakes: set[Hex] = set()
    for label in _list(raw, "lakes", name):
        place = hex_of(label, "the lake")
        if place in globes or place in bare.start_corners:
            raise BadInput(f"{name}: the lake at {label} lies where a globe is (F1.5).")
        lakes.add(place)
    rivers: set[tuple[Hex, Hex]] = set()
    for pair in _list(raw, "rivers", name):
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadInput(
                f"{name}: a river is a list of pairs of adjacent hexes, and {pair!r} is no pair (F1.4)."
            )
        one, other = (hex_of(label, "the river") for label in pair)
        if one - other != 1:
            raise BadInput(
                f"{name}: the river between {pair[0]} and {pair[1]}: they are not adjacent (F1.4)."
            )
        rivers.add(side(one, other))
    title = raw.get("title", "")
    if not isinstance(title, str) or not title.isprintable() or len(title) > MAX_TITLE:
        raise BadInput(f"{name}: title must be a line of text of {MAX_TITLE} characters at most.")
    return Board(name, radius, tuple(sorted(globes.items())), frozenset(lakes), frozenset(rivers), title)


def _list(raw: dict[str, Any], key: str, name: str) -> list[Any]:
    found = raw.get(key, [])
    if not isinstance(found, list):
        raise BadInput(f"{name}: {key} must be a list.")
    return found
