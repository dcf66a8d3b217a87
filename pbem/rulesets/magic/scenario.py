"""From tables to a position: scenarios and the figures of test cases, checked field by field (M1.2).

Every error is one sentence that names the file, the figure and the field.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets.magic.data import Core, millimetres
from pbem.rulesets.magic.geometry import Point, Polygon, in_polygon, within
from pbem.rulesets.magic.names import (
    GLAMOURS,
    GRADES,
    ILLUSIONS,
    PRIESTS,
    RESERVED,
    SIDES,
    SKILLS,
    THING_KINDS,
    WEAPONS,
    side_name,
)
from pbem.rulesets.magic.orders import place_text
from pbem.rulesets.magic.state import Field, Figure, State, Terrain, Thing, Unit

DEFAULT_SIZE = (1200, 800)
MAX_SIZE = 10_000
MAX_TURNS = 1000
FIGURE_KEYS = (
    "name", "side", "at", "unit", "grade", "wound_points", "weapons", "armour", "shield", "priest", "points",
)  # fmt: skip
CASE_FIGURE_KEYS = (*FIGURE_KEYS, "wounds", "skills", "declared", "used", "engaged", "alive")
MAX_NAME = 24
"""Of a name's letters: a longer one has no room on a map or in a list."""
_NAME_RULE = f"one word of at most {MAX_NAME} small letters, digits and hyphens that begins with a letter"


@dataclass(frozen=True)
class Reader:
    """Reads tables; `where` is the file and the part of it that a mistake is told of."""

    where: str

    def inside(self, what: str) -> "Reader":
        """A reader for one part."""
        return Reader(f"{self.where}: {what}" if self.where else what)

    def fail(self, field: str, message: str) -> NoReturn:
        """What is wrong with a field, as one sentence."""
        prefix = f"{self.where}, {field}" if self.where and field else self.where or field
        raise BadInput(f"{prefix}: {message}.")

    def table(self, raw: Json, field: str) -> dict[str, Any]:
        """A table."""
        if not isinstance(raw, dict):
            self.fail(field, f"must be a table, not {raw!r}")
        return raw

    def keys(self, raw: Mapping[str, Any], known: Sequence[str]) -> None:
        """Refuses what nobody knows."""
        for key in raw:
            if key not in known:
                self.fail(key, f"is nothing that is known here; known are {', '.join(known)}")

    def rows(self, raw: Json, field: str) -> list[dict[str, Any]]:
        """A list of tables."""
        if not isinstance(raw, list) or not all(isinstance(row, dict) for row in raw):
            self.fail(field, "must be a list of tables")
        return raw

    def name(self, raw: Json, field: str) -> str:
        """A name that orders can use (M8.1)."""
        if not isinstance(raw, str) or not _is_name(raw):
            self.fail(field, f"must be {_NAME_RULE}, not {raw!r}")
        if raw in RESERVED:
            self.fail(field, f"{raw!r} is a word of the orders; choose another name")
        return raw

    def choice(self, raw: Json, field: str, known: Sequence[str]) -> str:
        """One of the names known."""
        if not isinstance(raw, str) or raw not in known:
            self.fail(field, f"must be one of {', '.join(known)}, not {raw!r}")
        return raw

    def choices(self, raw: Json, field: str, known: Sequence[str]) -> tuple[str, ...]:
        """Some of the names known, each once."""
        if not isinstance(raw, list):
            self.fail(field, f"must be a list of names, not {raw!r}")
        found = tuple(self.choice(each, field, known) for each in raw)
        if len(set(found)) < len(found):
            self.fail(field, "names something twice")
        return found

    def flag(self, raw: Json, field: str) -> bool:
        """True or false."""
        if not isinstance(raw, bool):
            self.fail(field, f"must be true or false, not {raw!r}")
        return raw

    def whole(self, raw: Json, field: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            self.fail(field, f"must be a whole number from {least} to {most}, not {raw!r}")
        return raw

    def length(self, raw: Json, field: str) -> int:
        """Centimetres as written, in millimetres (M1.1)."""
        try:
            return millimetres(raw)
        except ValueError as error:
            self.fail(field, str(error))

    def point(self, raw: Json, field: str) -> Point:
        """A place anywhere."""
        if not isinstance(raw, list) or len(raw) != 2:
            self.fail(field, f"must be a place such as [34.5, 56], not {raw!r}")
        return self.length(raw[0], field), self.length(raw[1], field)

    def place(self, raw: Json, field: str, size: Point) -> Point:
        """A place on the table."""
        place = self.point(raw, field)
        if not (0 <= place[0] <= size[0] and 0 <= place[1] <= size[1]):
            self.fail(field, f"{place_text(place)} is off the table of {place_text(size)}")
        return place

    def polygon(self, raw: Json, field: str) -> Polygon:
        """Three corners or more."""
        if not isinstance(raw, list) or not 3 <= len(raw) <= 100:
            self.fail(field, "must be a list of 3 to 100 places")
        return tuple(self.point(corner, field) for corner in raw)

    def turns(self, raw: Json, field: str) -> tuple[int, ...]:
        """A list of turn numbers."""
        if not isinstance(raw, list):
            self.fail(field, f"must be a list of turns, not {raw!r}")
        return tuple(self.whole(turn, field, 0, MAX_TURNS) for turn in raw)


def _is_name(text: str) -> bool:
    return (
        0 < len(text) <= MAX_NAME
        and "a" <= text[0] <= "z"
        and all("a" <= sign <= "z" or "0" <= sign <= "9" or sign == "-" for sign in text)
    )


@dataclass(frozen=True)
class Ground:
    """The table before its figures."""

    size: Point
    weather: str
    terrain: tuple[Terrain, ...]
    things: dict[str, Thing]
    opened: tuple[str, ...]
    standard: Json


def read_table(raw: Json, reader: Reader) -> Ground:
    """`[table]`: size, weather, terrain, things, the standard (M1.2)."""
    table = reader.table(raw, "table")
    at = reader.inside("table")
    at.keys(table, ("size", "weather", "standard", "terrain", "things"))
    size = DEFAULT_SIZE if "size" not in table else at.point(table["size"], "size")
    if not all(1 <= side <= MAX_SIZE for side in size):
        at.fail("size", f"must be from 0.1 to {MAX_SIZE // 10} cm each way")
    weather = at.choice(table.get("weather", "dry"), "weather", ("dry", "wet"))
    terrain: list[Terrain] = []
    for row in at.rows(table.get("terrain", []), "terrain"):
        piece = at.inside(f"terrain {row.get('name', '?')}")
        piece.keys(row, ("name", "points", "blocks_sight", "blocks_movement"))
        name = piece.name(row.get("name"), "name")
        if any(name == other.name for other in terrain):
            piece.fail("name", "there are two pieces of terrain of that name")
        terrain.append(
            Terrain(
                name,
                piece.polygon(row.get("points"), "points"),
                piece.flag(row.get("blocks_sight", False), "blocks_sight"),
                piece.flag(row.get("blocks_movement", False), "blocks_movement"),
            )
        )
    things: dict[str, Thing] = {}
    opened: list[str] = []
    for row in at.rows(table.get("things", []), "things"):
        part = at.inside(f"thing {row.get('name', '?')}")
        part.keys(row, ("name", "kind", "at", "opens", "open"))
        name = part.name(row.get("name"), "name")
        if name in things:
            part.fail("name", "there are two things of that name")
        kind = part.choice(row.get("kind"), "kind", THING_KINDS)
        opens = row.get("opens")
        if opens is not None and (kind == "fuel" or all(opens != piece.name for piece in terrain)):
            part.fail("opens", f"{opens!r} is no terrain that a {kind} could open")
        things[name] = Thing(name, kind, part.place(row.get("at"), "at", size), opens)
        if part.flag(row.get("open", False), "open"):
            if kind == "fuel":
                part.fail("open", "fuel cannot be open")
            opened.append(name)
    return Ground(size, weather, tuple(terrain), things, tuple(sorted(opened)), table.get("standard"))


def read_figure(raw: dict[str, Any], reader: Reader, size: Point, *, case: bool) -> Figure:
    """One `[[figure]]`; a case's may be wounded, skilled, dead and so on (M1.2)."""
    at = reader.inside(f"figure {raw.get('name', '?')}")
    at.keys(raw, CASE_FIGURE_KEYS if case else FIGURE_KEYS)
    name = at.name(raw.get("name"), "name")
    side = side_name(at.choice(raw.get("side"), "side", SIDES))
    priest = None if "priest" not in raw else at.choice(raw["priest"], "priest", PRIESTS)
    if priest is not None and side != "boche":
        at.fail("priest", "the high priests are Boche")
    alive = at.flag(raw.get("alive", True), "alive")
    wound_points = at.whole(raw.get("wound_points", 3), "wound_points", 1, 100)
    wounds = at.whole(raw.get("wounds", 0), "wounds", 0, 100)
    if alive and wounds >= wound_points:
        at.fail("wounds", f"with {wounds} wounds of {wound_points} it would be dead")
    known = {"achtung": GLAMOURS, "wasserpferd": ILLUSIONS}.get(priest or "", ())
    declared = at.choices(raw.get("declared", []), "declared", known)
    if len(declared) > (2 if priest == "achtung" else 1):
        at.fail("declared", "more is declared than may be")
    used = at.table(raw.get("used", {}), "used")
    return Figure(
        name=name,
        side=side,
        unit=at.name(raw.get("unit", name), "unit"),
        at=at.place(raw.get("at"), "at", size),
        grade=at.choice(raw.get("grade", "regular"), "grade", GRADES),
        wound_points=wound_points,
        wounds=wounds,
        weapons=at.choices(raw.get("weapons", []), "weapons", WEAPONS),
        armour=at.flag(raw.get("armour", False), "armour"),
        shield=at.flag(raw.get("shield", False), "shield"),
        priest=priest,
        points=at.whole(raw.get("points", 1), "points", 0, 1000),
        skills=at.choices(raw.get("skills", []), "skills", SKILLS),
        declared=declared,
        used={
            at.choice(what, "used", (*SKILLS, *GLAMOURS, *ILLUSIONS)): at.turns(turns, "used")
            for what, turns in used.items()
        },
        alive=alive,
    )


def read_position(
    raw: Mapping[str, Any], core: Core, reader: Reader, *, title: str, length: int, turn: int, case: bool
) -> State:
    """A position from `[table]`, `[[figure]]` and `[[unit]]`; engagements are the caller's (M1.2)."""
    ground = read_table(raw.get("table", {}), reader)
    rows = reader.rows(raw.get("figure", []), "figure")
    if not rows:
        reader.fail("figure", "there is no figure; put [[figure]] tables in")
    figures: dict[str, Figure] = {}
    for row in rows:
        figure = read_figure(row, reader, ground.size, case=case)
        at = reader.inside(f"figure {figure.name}")
        if figure.name in figures or figure.name in ground.things:
            at.fail("name", "there are two of that name")
        for other in figures.values():
            if figure.priest is not None and figure.priest == other.priest:
                at.fail("priest", f"there are two priests {figure.priest}: {other.name} is one already")
            if figure.unit == other.unit and figure.side != other.side:
                at.fail("unit", f"the unit {figure.unit} would be of both sides")
        figures[figure.name] = figure
    units = _units(raw, figures, ground, reader, case=case)
    standard = _standard(ground, figures, reader)
    field = Field(title, ground.size, ground.weather, ground.terrain, ground.things, units, core)
    state = State(field, length, turn, figures, opened=ground.opened, standard=standard)
    _check_places(state, reader)
    return state


def _units(
    raw: Mapping[str, Any], figures: Mapping[str, Figure], ground: Ground, reader: Reader, *, case: bool
) -> dict[str, Unit]:
    members: dict[str, list[str]] = {}
    for figure in figures.values():
        members.setdefault(figure.unit, []).append(figure.name)
    for name, names in members.items():
        at = reader.inside(f"figure {names[0]}")
        if name in ground.things or (name in figures and names != [name]):
            at.fail("unit", f"{name} is the name of something else")
    zones: dict[str, Polygon] = {}
    rows = [] if case and "unit" not in raw else reader.rows(raw.get("unit", []), "unit")
    for row in rows:
        at = reader.inside(f"unit {row.get('name', '?')}")
        at.keys(row, ("name", "zone"))
        name = at.name(row.get("name"), "name")
        if name not in members:
            at.fail("name", "the unit has no figures")
        if name in zones:
            at.fail("name", "there are two units of that name")
        if "zone" in row:
            zones[name] = at.polygon(row["zone"], "zone")
    return {
        name: Unit(name, figures[names[0]].side, tuple(names), zones.get(name))
        for name, names in members.items()
    }


def _standard(ground: Ground, figures: Mapping[str, Figure], reader: Reader) -> str | Point | None:
    raw = ground.standard
    at = reader.inside("table")
    if raw is None:
        return None
    if isinstance(raw, list):
        return at.place(raw, "standard", ground.size)
    if not isinstance(raw, str) or raw not in figures:
        at.fail("standard", f"must be a figure's name or a place, and {raw!r} is neither")
    return raw


def _check_places(state: State, reader: Reader) -> None:
    walls = [piece for piece in state.terrain() if piece.blocks_movement]
    for figure in state.figures.values():
        for wall in walls:
            if figure.alive and in_polygon(figure.at, wall.points):
                reader.inside(f"figure {figure.name}").fail(
                    "at", f"{place_text(figure.at)} is inside {wall.name}, which blocks movement"
                )


def with_engagements(state: State, engaged: Mapping[str, Iterable[str]], reader: Reader) -> State:
    """Figures engaged, each pair named by one of the two or both (M1.3)."""
    figures = dict(state.figures)
    for name, others in engaged.items():
        at = reader.inside(f"figure {name}")
        for other in others:
            one, two = figures[name], figures.get(other)
            if two is None or other == name:
                at.fail("engaged", f"there is no other figure {other!r}")
            if not one.alive or not two.alive:
                at.fail("engaged", f"{name} and {other} are not both alive")
            if one.commander == two.commander:
                at.fail("engaged", f"{name} and {other} are no enemies")
            if not within(one.at, two.at, state.field.core.table.contact):
                at.fail("engaged", f"{name} and {other} are not in contact")
            figures[name] = replace(one, engaged=tuple(sorted({*one.engaged, other})))
            figures[other] = replace(two, engaged=tuple(sorted({*two.engaged, name})))
    return replace(state, figures=figures)
