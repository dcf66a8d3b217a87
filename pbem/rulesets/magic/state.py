"""The position: the table, its figures with their states, and the effects that run (magic.md, State)."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default
from functools import cached_property

from pbem.events import Json
from pbem.rulesets.magic.data import Core
from pbem.rulesets.magic.geometry import Point, Polygon
from pbem.rulesets.magic.names import SPINNING, SideName


@dataclass(frozen=True, slots=True)
class Condition:
    """A state of a figure: the last turn in which it holds (None: no end), and whom it comes from (M2.8)."""

    until: int | None
    cause: str | None
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `at` stays where it was when it died or was lost."""

    name: str
    side: SideName
    unit: str
    at: Point
    grade: str = "regular"
    wound_points: int = 3
    wounds: int = 0
    weapons: tuple[str, ...] = ()
    armour: bool = False
    shield: bool = False
    priest: str | None = None
    points: int = 1
    skills: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    used: Mapping[str, tuple[int, ...]] = default(default_factory=dict)
    states: Mapping[str, Condition] = default(default_factory=dict)
    engaged: tuple[str, ...] = ()
    alive: bool = True
    lost: bool = False

    @property
    def commander(self) -> SideName:
        """Whose orders, friends and enemies it has: Spinning Around makes a Noman a Boche (M6.3)."""
        return "boche" if SPINNING in self.states else self.side


@dataclass(frozen=True, slots=True)
class Effect:
    """What runs without being a state of one figure; the fields that its kind has not are None."""

    cause: str
    turn: int
    until: int | None = None
    glamour: str | None = None
    illusion: str | None = None
    at: Point | None = None
    target: str | None = None
    radius: int | None = None
    spared: tuple[str, ...] | None = None
    results: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Terrain:
    """A polygon on the table (M1.2)."""

    name: str
    points: Polygon
    blocks_sight: bool = False
    blocks_movement: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """Something to light, or a door or lock; open, it takes the terrain that it `opens` away (M1.2)."""

    name: str
    kind: str
    at: Point
    opens: str | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with its members in the scenario's order, and where it may be set down in ambush (M8.6)."""

    name: str
    side: SideName
    members: tuple[str, ...]
    zone: Polygon | None = None


@dataclass(frozen=True)
class Field:
    """What never changes in a battle."""

    title: str
    size: Point
    weather: str
    terrain: tuple[Terrain, ...]
    things: Mapping[str, Thing]
    units: Mapping[str, Unit]
    core: Core

    @cached_property
    def opened_by(self) -> Mapping[str, tuple[str, ...]]:
        """By terrain: the things any of which, when open, takes it off the table."""
        found: dict[str, tuple[str, ...]] = {}
        for thing in self.things.values():
            if thing.opens is not None:
                found[thing.opens] = (*found.get(thing.opens, ()), thing.name)
        return found


@dataclass(frozen=True, slots=True)
class State:
    """A battle as it stands. `turn` is the last one adjudicated, -1 before sign-up is closed."""

    field: Field
    length: int
    turn: int
    figures: Mapping[str, Figure]
    effects: Mapping[str, Effect] = default(default_factory=dict)
    fires: tuple[Point, ...] = ()
    opened: tuple[str, ...] = ()
    """The things that are open, by name."""
    standard: str | Point | None = None
    """Its bearer, or the place where it stands."""
    over: bool = False

    def terrain(self) -> tuple[Terrain, ...]:
        """What stands on the table, without what an open door takes away."""
        doors = self.field.opened_by
        if not self.opened:
            return self.field.terrain
        return tuple(
            piece
            for piece in self.field.terrain
            if not any(door in self.opened for door in doors.get(piece.name, ()))
        )

    def standard_at(self) -> Point | None:
        """With its bearer, where he fell, or where it was dropped; None: lost (M3)."""
        if isinstance(self.standard, str):
            bearer = self.figures[self.standard]
            return None if bearer.lost else bearer.at
        return self.standard

    def points(self) -> dict[str, int]:
        """What each side has got for the other's dead and lost (M1.2)."""
        return {
            side: sum(
                figure.points for figure in self.figures.values() if not figure.alive and figure.side != side
            )
            for side in ("boche", "noman")
        }


def state_json(state: State) -> dict[str, Json]:
    """The position for `state --json` (magic_case_format.md, State)."""
    return {
        "figures": {name: _figure_json(figure) for name, figure in state.figures.items()},
        "effects": {name: _effect_json(name, effect) for name, effect in state.effects.items()},
        "fires": [list(place) for place in state.fires],
        "open": sorted(state.opened),
        "points": state.points(),
    }


def _figure_json(figure: Figure) -> dict[str, Json]:
    return {
        "side": figure.side,
        "unit": figure.unit,
        "at": None if figure.lost else list(figure.at),
        "wounds": figure.wounds,
        "states": {name: condition_json(condition) for name, condition in sorted(figure.states.items())},
        "skills": list(figure.skills),
        "armour": figure.armour,
        "shield": figure.shield,
        "weapons": list(figure.weapons),
        "alive": figure.alive,
        "engaged": sorted(figure.engaged),
        "used": {what: list(turns) for what, turns in sorted(figure.used.items())},
        "declared": list(figure.declared),
    }


def condition_json(condition: Condition) -> dict[str, Json]:
    """A state as JSON: `word` for a compelled one alone."""
    base: dict[str, Json] = {"until": condition.until, "cause": condition.cause}
    return base if condition.word is None else {**base, "word": condition.word}


def _effect_json(name: str, effect: Effect) -> dict[str, Json]:
    match name:
        case "meditation":
            named = {"at": effect.at and list(effect.at), "target": effect.target}
            given = {key: value for key, value in named.items() if value is not None}
            return {"cause": effect.cause, "glamour": effect.glamour, "turn": effect.turn, **given}
        case "preparation":
            return {"cause": effect.cause, "illusion": effect.illusion, "turn": effect.turn}
        case "chord":
            place = None if effect.at is None else list(effect.at)
            return {
                "cause": effect.cause, "turn": effect.turn, "until": effect.until, "at": place,
                "radius": effect.radius,
            }  # fmt: skip
        case "pile":
            return {
                "cause": effect.cause, "turn": effect.turn, "until": effect.until,
                "spared": list(effect.spared or ()),
            }  # fmt: skip
        case _:
            return {
                "cause": effect.cause, "turn": effect.turn, "until": effect.until,
                "results": dict(effect.results or {}),
            }  # fmt: skip
