"""The position as JSON values and back, for a state that is put aside between two commands."""

from dataclasses import replace

from pbem.events import Json
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard


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


def load(initial: State, kept: Json) -> State:
    """The position again, from the one before turn 0 of the same game."""
    return replace(
        initial,
        round=kept["round"],
        order_of_play=tuple(kept["order_of_play"]),
        wizards={
            hue: _wizard(initial.board, wizard, kept["wizards"][hue])
            for hue, wizard in initial.wizards.items()
        },
        scores=kept["scores"],
        loremasters=tuple(kept["loremasters"]),
        over=kept["over"],
    )


def _wizard(board: Board, wizard: Wizard, kept: Json) -> Wizard:
    return replace(
        wizard,
        at=None if kept["at"] is None else _place(board, kept["at"]),
        reserve=kept["reserve"],
        earths=tuple(
            PlacedEarth(name, (_place(board, one), _place(board, other)))
            for name, one, other in kept["earths"]
        ),
        pieces={name: _place(board, label) for name, label in kept["pieces"].items()},
        eliminated=kept["eliminated"],
    )


def _place(board: Board, label: str) -> Hex:
    if (place := board.find(label)) is None:
        raise ValueError(label)
    return place
