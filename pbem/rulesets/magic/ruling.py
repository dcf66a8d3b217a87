"""A GM's ruling: parts of the position set by hand, in the open."""

from collections.abc import Sequence
from dataclasses import replace

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets.magic.geometry import Point, in_polygon, within
from pbem.rulesets.magic.names import COMPELLING, SKILLS, STATES, WEAPONS
from pbem.rulesets.magic.state import Condition, Figure, State

Changes = Sequence[tuple[str, Json]]
"""Dotted paths of `state --json` and their new values."""


def rule(state: State, changes: Changes) -> State:
    """The position after a ruling; `BadInput` if a path or value cannot be, or the position could not."""
    changed = apply_ruling(state, changes)
    if fault := _fault(changed):
        raise BadInput(f"That position cannot be: {fault}.")
    return changed


def apply_ruling(state: State, changes: Changes) -> State:
    """The position after a ruling that `rule` has checked, or `BadInput` where it cannot be read."""
    for path, now in changes:
        match path.split("."):
            case ["figures", name, *parts] if name in state.figures and parts:
                figure = _figure(state.figures[name], parts, now, path)
                state = replace(state, figures={**state.figures, name: figure})
            case ["fires"] if isinstance(now, list):
                state = replace(state, fires=tuple(_point(place, path) for place in now))
            case ["open"] if isinstance(now, list):
                state = replace(
                    state, opened=tuple(sorted(_name(each, state.field.things, path) for each in now))
                )
            case ["effects", name] if name in state.effects and now is None:
                state = replace(
                    state, effects={key: held for key, held in state.effects.items() if key != name}
                )
            case _:
                raise BadInput(f"{path} is no part of the position that a ruling can set.")
    return state


def _fault(state: State) -> str:
    walls = [piece.points for piece in state.terrain() if piece.blocks_movement]
    width, height = state.field.size
    for figure in state.figures.values():
        if not figure.alive:
            if figure.engaged or figure.states:
                return f"{figure.name} is dead and has states or engagements"
            continue
        if not (0 <= figure.at[0] <= width and 0 <= figure.at[1] <= height):
            return f"{figure.name} would stand off the table"
        if any(in_polygon(figure.at, wall) for wall in walls):
            return f"{figure.name} would stand in terrain that blocks movement"
        if figure.wounds >= figure.wound_points:
            return f"{figure.name} would be dead of {figure.wounds} wounds"
        for name in figure.engaged:
            other = state.figures.get(name)
            if other is None or figure.name not in other.engaged:
                return f"{figure.name} would be engaged with {name}, but not {name} with {figure.name}"
            if not within(figure.at, other.at, state.field.core.table.contact):
                return f"{figure.name} and {name} would be engaged and not in contact"
    return ""


def _point(raw: Json, path: str) -> Point:
    if not isinstance(raw, list) or len(raw) != 2 or not all(_is_whole(part) for part in raw):
        raise BadInput(f"{path}: {raw!r} is no place; give whole millimetres such as [345, 560].")
    return raw[0], raw[1]


def _is_whole(raw: Json) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool)


def _name(raw: Json, known: object, path: str) -> str:
    if not isinstance(raw, str) or raw not in known:  # type: ignore[operator]
        raise BadInput(f"{path}: {raw!r} is not known.")
    return raw


def _figure(figure: Figure, parts: list[str], now: Json, path: str) -> Figure:
    match parts:
        case ["at"]:
            return replace(figure, at=_point(now, path))
        case ["wounds"] if _is_whole(now) and now >= 0:
            return replace(figure, wounds=now)
        case ["armour"] if isinstance(now, bool):
            return replace(figure, armour=now)
        case ["shield"] if isinstance(now, bool):
            return replace(figure, shield=now)
        case ["alive"] if isinstance(now, bool):
            return replace(figure, alive=now, lost=False, states=figure.states if now else {})
        case ["weapons"] if isinstance(now, list):
            return replace(figure, weapons=tuple(_name(each, WEAPONS, path) for each in now))
        case ["skills"] if isinstance(now, list):
            return replace(figure, skills=tuple(_name(each, SKILLS, path) for each in now))
        case ["engaged"] if isinstance(now, list) and all(isinstance(each, str) for each in now):
            return replace(figure, engaged=tuple(sorted(now)))
        case ["states", state] if now is None:
            held = {name: condition for name, condition in figure.states.items() if name != state}
            return replace(figure, states=held)
        case ["states", state] if state in STATES and isinstance(now, dict):
            return replace(figure, states={**figure.states, state: _condition(now, path)})
        case _:
            raise BadInput(
                f"{path} cannot be set to {now!r}; a ruling sets at, wounds, armour, shield, alive, weapons,"
                " skills, engaged, or a state."
            )


def _condition(raw: dict[str, Json], path: str) -> Condition:
    until, cause, word = raw.get("until"), raw.get("cause"), raw.get("word")
    if (
        not raw.keys() <= {"until", "cause", "word"}
        or not (until is None or _is_whole(until))
        or not (cause is None or isinstance(cause, str))
        or not (word is None or word in COMPELLING)
    ):
        raise BadInput(f'{path}: a state is {{"until": 6, "cause": "achtung"}}, not {raw!r}.')
    return Condition(until, cause, word)
