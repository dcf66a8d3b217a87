"""The position as JSON values and back, for a state that is put aside between two commands."""

from collections.abc import Iterable
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from pbem.events import Json
from pbem.rulesets.flux.data import Rules
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard


class _Values(BaseModel):
    """Read as strictly as an event: the rules would be blamed for a text in place of a number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _KeptWizard(_Values):
    at: str | None
    reserve: NonNegativeInt
    earths: list[list[str]]
    pieces: dict[str, str]
    eliminated: bool


class _Kept(_Values):
    round: NonNegativeInt
    order_of_play: list[str]
    wizards: dict[str, _KeptWizard]
    scores: dict[str, str]
    loremasters: list[str]
    over: bool


def dump(state: State) -> Json:
    """All that events change: rules, board and length stay as the game was set up."""
    label = state.board.label
    return {
        "round": state.round,
        "order_of_play": list(state.order_of_play),
        "wizards": {
            hue: {
                "at": None if wizard.at is None else label(wizard.at),
                "reserve": wizard.reserve,
                "earths": [[earth.earth, *map(label, earth.hexes)] for earth in wizard.earths],
                "pieces": {name: label(place) for name, place in wizard.pieces.items()},
                "eliminated": wizard.eliminated,
            }
            for hue, wizard in state.wizards.items()
        },
        "scores": dict(state.scores),
        "loremasters": list(state.loremasters),
        "over": state.over,
    }


def load(initial: State, values: Json) -> State:
    """The position again, from the one before turn 0 of the same game; `ValueError` for what is none."""
    kept = _Kept.model_validate(values)
    _must_be_among(initial.wizards, (*kept.order_of_play, *kept.scores, *kept.loremasters, *kept.wizards))
    if kept.over and len(kept.scores) < len(initial.wizards):
        raise ValueError("over without scores")
    return replace(
        initial,
        round=kept.round,
        order_of_play=tuple(kept.order_of_play),
        wizards={
            hue: _wizard(initial.rules, initial.board, wizard, kept.wizards[hue])
            for hue, wizard in initial.wizards.items()
        },
        scores=kept.scores,
        loremasters=tuple(kept.loremasters),
        over=kept.over,
    )


def _wizard(rules: Rules, board: Board, wizard: Wizard, kept: _KeptWizard) -> Wizard:
    _must_be_among(rules.pieces(), kept.pieces)
    _must_be_among(rules.earths, [name for name, *_ in kept.earths])
    return replace(
        wizard,
        at=None if kept.at is None else _place(board, kept.at),
        reserve=kept.reserve,
        earths=tuple(
            PlacedEarth(name, (_place(board, one), _place(board, other))) for name, one, other in kept.earths
        ),
        pieces={name: _place(board, label) for name, label in kept.pieces.items()},
        eliminated=kept.eliminated,
    )


def _must_be_among(known: Iterable[str], names: Iterable[str]) -> None:
    if strange := set(names) - set(known):
        raise ValueError(min(strange))


def _place(board: Board, label: str) -> Hex:
    if (place := board.find(label)) is None:
        raise ValueError(label)
    return place
