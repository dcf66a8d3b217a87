"""The fold: one event into the position. Knows no rule and never fails."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from pbem.events import RulingMade, TurnClosed
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.ruling import apply_ruling
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard


def evolve(state: State, event: e.FluxEvent | TurnClosed | RulingMade) -> State:
    """The position after an event."""
    match event:
        case e.RoundOpened():
            return replace(state, round=event.round)
        case e.FluxClaimed():
            return _with(state, event.hue, reserve=event.reserve)
        case e.InitiativeThrown():
            return replace(state, order_of_play=event.order)
        case e.WizardReturned():
            withdrawn = _without(state.wizards[event.hue].pieces, event.withdrawn)
            return _with(state, event.hue, at=_hex(state.board, event.hex), pieces=withdrawn)
        case e.PieceMoved():
            return _placed(state, event.hue, event.piece, event.path[-1])
        case e.SpellCast():
            paid = _with(state, event.hue, reserve=event.reserve)
            if not event.success:
                return paid
            if len(event.hexes) == 1:
                return _placed(paid, event.hue, event.spell, event.hexes[0])
            one, other = (_hex(state.board, label) for label in event.hexes)
            earths = (*paid.wizards[event.hue].earths, PlacedEarth(event.spell, (one, other)))
            return _with(paid, event.hue, earths=earths)
        case e.PieceKilled():
            if event.piece == WIZARD:
                return _with(state, event.hue, at=None)
            return _with(state, event.hue, pieces=_without(state.wizards[event.hue].pieces, event.piece))
        case e.WizardEliminated():
            return _with(state, event.hue, at=None, earths=(), pieces={}, eliminated=True)
        case e.DestructionAttempted():
            if not event.success:
                return state
            gone = tuple(_hex(state.board, label) for label in event.hexes)
            kept = tuple(earth for earth in state.wizards[event.owner].earths if earth.hexes != gone)
            return _with(state, event.owner, earths=kept)
        case e.ContestEnded():
            return replace(state, scores=event.scores, loremasters=event.loremasters, over=True)
        case RulingMade():
            return apply_ruling(state, tuple((change.path, change.now) for change in event.changes))
        case e.WizardTurnBegan() | e.CombatFought() | e.OrderRefused() | e.OrderSkipped() | TurnClosed():
            return state
        case _:
            assert_never(event)


def _hex(board: Board, label: str) -> Hex:
    """The hex of a label that an event recorded: the log's map never changes, so it is on it."""
    place = board.find(label)
    assert place is not None, label
    return place


def _with(state: State, hue: str, **fields: object) -> State:
    changed: Wizard = replace(state.wizards[hue], **fields)  # type: ignore[arg-type]
    return replace(state, wizards={**state.wizards, hue: changed})


def _placed(state: State, hue: str, piece: str, label: str) -> State:
    place = _hex(state.board, label)
    if piece == WIZARD:
        return _with(state, hue, at=place)
    return _with(state, hue, pieces={**state.wizards[hue].pieces, piece: place})


def _without(pieces: Mapping[str, Hex], name: str | None) -> dict[str, Hex]:
    return {piece: place for piece, place in pieces.items() if piece != name}
