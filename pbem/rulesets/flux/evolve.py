"""The fold: one event into the position. Knows no rule and never fails."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from pbem.events import RulingMade, TurnClosed, altered
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.ruling import apply_ruling
from pbem.rulesets.flux.state import PlacedEarth, State

_NO_CHANGE = frozenset((e.OrderRefused, e.OrderSkipped, e.WizardTurnBegan, e.CombatFought, TurnClosed))


def evolve(state: State, event: e.FluxEvent | TurnClosed | RulingMade) -> State:
    """The position after an event. What happens most often is asked for first: it takes time to ask."""
    if event.__class__ in _NO_CHANGE:
        return state
    match event:
        case e.PieceMoved():
            return _placed(state, event.hue, event.piece, event.path[-1])
        case e.SpellCast():
            return _cast(state, event)
        case e.FluxClaimed():
            wizard = state.wizards[event.hue]
            return state.having(wizard.now(wizard.at, event.reserve, wizard.earths, wizard.pieces))
        case e.PieceKilled():
            wizard = state.wizards[event.hue]
            if event.piece == WIZARD:
                return state.having(wizard.now(None, wizard.reserve, wizard.earths, wizard.pieces))
            pieces = _without(wizard.pieces, event.piece)
            return state.having(wizard.now(wizard.at, wizard.reserve, wizard.earths, pieces))
        case e.DestructionAttempted():
            if not event.success:
                return state
            gone = tuple(_hex(state.board, label) for label in event.hexes)
            owner = state.wizards[event.owner]
            kept = tuple(earth for earth in owner.earths if earth.hexes != gone)
            return state.having(owner.now(owner.at, owner.reserve, kept, owner.pieces))
        case e.WizardReturned():
            wizard = state.wizards[event.hue]
            pieces = _without(wizard.pieces, event.withdrawn)
            home = _hex(state.board, event.hex)
            return state.having(wizard.now(home, wizard.reserve, wizard.earths, pieces))
        case e.RoundOpened():
            return altered(state, round=event.round)
        case e.InitiativeThrown():
            return altered(state, order_of_play=event.order)
        case e.WizardEliminated():
            wizard = state.wizards[event.hue]
            return state.having(replace(wizard, at=None, earths=(), pieces={}, eliminated=True))
        case e.ContestEnded():
            return replace(state, scores=event.scores, loremasters=event.loremasters, over=True)
        case RulingMade():
            return apply_ruling(state, tuple((change.path, change.now) for change in event.changes))
        case e.OrderRefused() | e.OrderSkipped() | e.WizardTurnBegan() | e.CombatFought() | TurnClosed():
            return state
        case _:
            assert_never(event)


def _hex(board: Board, label: str) -> Hex:
    """The hex of a label that an event recorded: the log's map never changes, so it is on it."""
    place = board.find(label)
    assert place is not None, label
    return place


def _placed(state: State, hue: str, piece: str, label: str) -> State:
    place, wizard = _hex(state.board, label), state.wizards[hue]
    if piece == WIZARD:
        return state.having(wizard.now(place, wizard.reserve, wizard.earths, wizard.pieces))
    pieces = {**wizard.pieces, piece: place}
    return state.having(wizard.now(wizard.at, wizard.reserve, wizard.earths, pieces))


def _cast(state: State, event: e.SpellCast) -> State:
    wizard = state.wizards[event.hue]
    earths, pieces = wizard.earths, wizard.pieces
    if event.success:
        places = tuple(_hex(state.board, label) for label in event.hexes)
        if len(places) == 1:
            pieces = {**pieces, event.spell: places[0]}
        else:
            one, other = places
            earths = (*earths, PlacedEarth(event.spell, (one, other)))
    return state.having(wizard.now(wizard.at, event.reserve, earths, pieces))


def _without(pieces: Mapping[str, Hex], name: str | None) -> dict[str, Hex]:
    return {piece: place for piece, place in pieces.items() if piece != name}
