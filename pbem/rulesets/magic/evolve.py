"""The fold: one event into the position. Knows no rule and never fails."""

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from pbem.events import RulingMade, TurnClosed
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.names import BERSERK, CHORD, CHUFFA, MEDITATION, PILE, PREPARATION
from pbem.rulesets.magic.ruling import apply_ruling
from pbem.rulesets.magic.state import Condition, Effect, Figure, State


def evolve(state: State, event: e.MagicEvent | TurnClosed | RulingMade) -> State:
    """The position after an event."""
    match event:
        case e.FigureMoved():
            return _change(state, event.figure, lambda figure: replace(figure, at=event.to))
        case e.StateBegan():
            return _began(state, event)
        case e.StateEnded():
            return _change(state, event.figure, lambda figure: _without(figure, event.state))
        case e.MoraleTested():
            return _tested(state, event)
        case e.SkillUsed():
            return state if event.skill == BERSERK else _used(state, event.figure, event.skill)
        case e.EngagementBegan():
            one, other = event.figures
            return _engaged(_engaged(state, one, other), other, one)
        case e.EngagementEnded():
            one, other = event.figures
            return _apart(_apart(state, one, other), other, one)
        case e.FigureWounded():
            return _change(state, event.figure, lambda figure: replace(figure, wounds=event.wounds))
        case e.FigureKilled():
            return _change(state, event.figure, lambda figure: replace(figure, alive=False, states={}))
        case e.FigureLost():
            return _change(
                state, event.figure, lambda figure: replace(figure, alive=False, lost=True, states={})
            )
        case e.ItemsDropped():
            return _dropped(state, event)
        case e.FireLit():
            return state if event.at in state.fires else replace(state, fires=(*state.fires, event.at))
        case e.ThingOpened():
            return replace(state, opened=tuple(sorted({*state.opened, event.thing})))
        case e.ChordPlayed():
            until = state.turn + state.field.core.chord.recovery
            return _effect(
                state, CHORD, Effect(event.caster, state.turn, until, at=event.at, radius=event.radius)
            )
        case e.GlamourBegun():
            return _effect(
                state,
                MEDITATION,
                Effect(event.caster, state.turn, glamour=event.glamour, at=event.at, target=event.target),
            )
        case e.GlamourBroken():
            return _no_effect(state, MEDITATION)
        case e.GlamourCast():
            return _used(_no_effect(state, MEDITATION), event.caster, event.glamour)
        case e.IllusionBegun():
            return _effect(state, PREPARATION, Effect(event.caster, state.turn, illusion=event.illusion))
        case e.IllusionBroken():
            return _no_effect(state, PREPARATION)
        case e.IllusionCast():
            return _illusion(_used(_no_effect(state, PREPARATION), event.caster, event.illusion), event)
        case e.EffectEnded():
            return _no_effect(state, event.effect)
        case e.MagicDeclared():
            return _change(state, event.caster, lambda figure: replace(figure, declared=event.declared))
        case e.SkillsThrown():
            return _skilled(state, event)
        case e.BattleEnded():
            return replace(state, over=True)
        case TurnClosed():
            return replace(state, turn=event.turn)
        case RulingMade():
            return apply_ruling(state, tuple((change.path, change.now) for change in event.changes))
        case (
            e.InitiativeThrown()
            | e.FlatulenceThrown()
            | e.SkillFailed()
            | e.ChappieJudged()
            | e.WordSpoken()
            | e.FigureSeen()
            | e.AmbushSprung()
            | e.ShotFired()
            | e.BlowsStruck()
            | e.WoundSaved()
            | e.OrderRefused()
            | e.OrderSkipped()
        ):
            return state
        case _:
            assert_never(event)


def _change(state: State, name: str, change: Callable[[Figure], Figure]) -> State:
    figure = state.figures.get(name)
    return state if figure is None else replace(state, figures={**state.figures, name: change(figure)})


def _without(figure: Figure, gone: str) -> Figure:
    return replace(figure, states={name: held for name, held in figure.states.items() if name != gone})


def _began(state: State, event: e.StateBegan) -> State:
    condition = Condition(event.until, event.cause, event.word)

    def change(figure: Figure) -> Figure:
        at = figure.at if event.at is None else event.at
        return replace(figure, at=at, states={**figure.states, event.state: condition})

    begun = _change(state, event.figure, change)
    return _used(begun, event.figure, BERSERK) if event.state == BERSERK else begun


def _skilled(state: State, event: e.SkillsThrown) -> State:
    figures = {
        name: replace(figure, skills=event.figures.get(name, figure.skills))
        for name, figure in state.figures.items()
    }
    return replace(state, figures=figures)


def _used(state: State, name: str, what: str) -> State:
    def change(figure: Figure) -> Figure:
        turns = figure.used.get(what, ())
        return replace(figure, used={**figure.used, what: (*turns, state.turn)})

    return _change(state, name, change)


def _engaged(state: State, name: str, other: str) -> State:
    return _change(
        state, name, lambda figure: replace(figure, engaged=tuple(sorted({*figure.engaged, other})))
    )


def _apart(state: State, name: str, other: str) -> State:
    return _change(
        state,
        name,
        lambda figure: replace(figure, engaged=tuple(each for each in figure.engaged if each != other)),
    )


def _dropped(state: State, event: e.ItemsDropped) -> State:
    def change(figure: Figure) -> Figure:
        return replace(
            figure,
            weapons=tuple(weapon for weapon in figure.weapons if weapon not in event.items),
            armour=figure.armour and "armour" not in event.items,
            shield=figure.shield and "shield" not in event.items,
        )

    changed = _change(state, event.figure, change)
    return replace(changed, standard=event.at) if "standard" in event.items else changed


def _effect(state: State, name: str, effect: Effect) -> State:
    return replace(state, effects={**state.effects, name: effect})


def _no_effect(state: State, gone: str) -> State:
    return replace(state, effects={name: effect for name, effect in state.effects.items() if name != gone})


def _illusion(state: State, event: e.IllusionCast) -> State:
    """The Pile and the Chuffa-Puffa run as effects; the belly is a state of each figure."""
    if event.effect and event.illusion == PILE:
        until = None if event.turns is None else state.turn + event.turns - 1
        return _effect(state, PILE, Effect(event.caster, state.turn, until, spared=event.spared))
    if event.effect and event.illusion == CHUFFA:
        return _effect(state, CHUFFA, Effect(event.caster, state.turn, state.turn, results={}))
    return state


def _tested(state: State, event: e.MoraleTested) -> State:
    """What the Chuffa-Puffa's test gave waits in its effect for the next START."""
    effect = state.effects.get(CHUFFA)
    if event.cause != CHUFFA or effect is None:
        return state
    results = {**(effect.results or {}), event.figure: event.result}
    return _effect(state, CHUFFA, replace(effect, results=results))
