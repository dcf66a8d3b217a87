"""The position as JSON values and back, for a state that is put aside between two commands."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.events import Json
from pbem.rulesets.flux.data import Rules
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard

_POSITION: Mapping[str, type] = {
    "round": int,
    "order_of_play": list,
    "wizards": dict,
    "scores": dict,
    "loremasters": list,
    "over": bool,
}
_SIDE: Mapping[str, type] = {"reserve": int, "earths": list, "pieces": dict, "eliminated": bool}


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
    """The position again, from the one before turn 0 of the same game; raises something for what is none.

    It is read as strictly as an event, since the rules would be blamed for a text in place of a number;
    without pydantic, which takes longer to make ready than this saves in most games.
    """
    _must_have(_POSITION, kept)
    _must_be_among(initial.wizards, (*kept["order_of_play"], *kept["scores"], *kept["loremasters"]))
    if kept["wizards"].keys() != initial.wizards.keys() or not all(
        isinstance(score, str) for score in kept["scores"].values()
    ):
        raise ValueError("wizards")
    if kept["over"] and len(kept["scores"]) < len(initial.wizards):
        raise ValueError("over without scores")
    return replace(
        initial,
        round=kept["round"],
        order_of_play=tuple(kept["order_of_play"]),
        wizards={
            hue: _wizard(initial.rules, initial.board, wizard, kept["wizards"][hue])
            for hue, wizard in initial.wizards.items()
        },
        scores=kept["scores"],
        loremasters=tuple(kept["loremasters"]),
        over=kept["over"],
    )


def _wizard(rules: Rules, board: Board, wizard: Wizard, kept: Json) -> Wizard:
    at = kept["at"]
    _must_have(_SIDE, {name: value for name, value in kept.items() if name != "at"})
    _must_be_among(rules.pieces(), kept["pieces"])
    _must_be_among(rules.earths, [name for name, _, _ in kept["earths"]])
    return replace(
        wizard,
        at=None if at is None else _place(board, at),
        reserve=kept["reserve"],
        earths=tuple(
            PlacedEarth(name, (_place(board, one), _place(board, other)))
            for name, one, other in kept["earths"]
        ),
        pieces={name: _place(board, label) for name, label in kept["pieces"].items()},
        eliminated=kept["eliminated"],
    )


def _must_have(form: Mapping[str, type], values: Json) -> None:
    if {name: type(value) for name, value in values.items()} != form:
        raise ValueError("another form")
    if min(value for value in values.values() if isinstance(value, int)) < 0:
        raise ValueError("less than nothing")


def _must_be_among(known: Iterable[str], names: Iterable[str]) -> None:
    if not set(names) <= set(known):
        raise ValueError("an unknown name")


def _place(board: Board, label: str) -> Hex:
    if (place := board.find(label)) is None:
        raise ValueError(label)
    return place
