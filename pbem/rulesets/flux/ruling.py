"""A GM's ruling: parts of the position set by hand, in the open."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.position import faults
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard

Changes = Sequence[tuple[str, Json]]
"""Dotted paths of `state --json` and their new values."""


def rule(state: State, changes: Changes) -> State:
    """The position after a ruling; `BadInput` if a path or value cannot be, or the position could not."""
    changed = apply_ruling(state, changes)
    if fault := next(faults(changed), None):
        raise BadInput(f"That position cannot be: {fault}.")
    return changed


def apply_ruling(state: State, changes: Changes) -> State:
    """The position after a ruling that `rule` has checked, or `BadInput` where it cannot be read."""
    for path, now in changes:
        parts = path.split(".")
        if parts == ["order_of_play"]:
            state = replace(state, order_of_play=_order(state, now, path))
        elif len(parts) >= 3 and parts[0] == "wizards" and parts[1] in state.wizards:
            wizard = _wizard(state, state.wizards[parts[1]], parts[2:], now, path)
            state = replace(state, wizards={**state.wizards, parts[1]: wizard})
        else:
            raise BadInput(f"{path} is no part of the position that a ruling can set.")
    return state


def _order(state: State, now: Json, path: str) -> tuple[str, ...]:
    playing = sorted(hue for hue, wizard in state.wizards.items() if not wizard.eliminated)
    if not isinstance(now, list) or sorted(map(str, now)) != playing:
        raise BadInput(f"{path} must list each hue that plays once: {', '.join(playing)}.")
    return tuple(now)


def _wizard(state: State, wizard: Wizard, parts: list[str], now: Json, path: str) -> Wizard:
    match parts:
        case ["reserve"] if isinstance(now, int) and not isinstance(now, bool) and now >= 0:
            return replace(wizard, reserve=now)
        case ["at"]:
            return replace(wizard, at=None if now is None else _hex(state.board, now, path))
        case ["earths"] if isinstance(now, list):
            return replace(wizard, earths=tuple(_earth(state, earth, path) for earth in now))
        case ["pieces"] if isinstance(now, dict):
            pieces = {
                _piece(state, name, path): _hex(state.board, label, path) for name, label in now.items()
            }
            return replace(wizard, pieces=pieces)
        case ["pieces", name]:
            others = {piece: place for piece, place in wizard.pieces.items() if piece != name}
            if now is None:
                return replace(wizard, pieces=others)
            return replace(wizard, pieces={**others, _piece(state, name, path): _hex(state.board, now, path)})
        case _:
            raise BadInput(f"{path} cannot be set to {now!r}; a ruling sets reserve, at, earths or pieces.")


def _hex(board: Board, label: Any, path: str) -> Hex:
    place = board.find(label) if isinstance(label, str) else None
    if place is None:
        raise BadInput(f"{path}: {label!r} is no hex of this map.")
    return place


def _piece(state: State, name: str, path: str) -> str:
    if name == WIZARD or name not in state.rules.pieces():
        raise BadInput(f"{path}: there is no piece {name!r}.")
    return name


def _earth(state: State, raw: Any, path: str) -> PlacedEarth:
    if (
        not isinstance(raw, dict)
        or raw.keys() != {"earth", "hexes"}
        or raw["earth"] not in tuple(state.rules.earths)
    ):
        raise BadInput(f'{path}: an earth is {{"earth": "forest", "hexes": ["K6", "K7"]}}, not {raw!r}.')
    if not isinstance(raw["hexes"], list) or len(raw["hexes"]) != 2:
        raise BadInput(f"{path}: an earth covers two hexes.")
    one, other = sorted(_hex(state.board, label, path) for label in raw["hexes"])
    return PlacedEarth(raw["earth"], (one, other))
