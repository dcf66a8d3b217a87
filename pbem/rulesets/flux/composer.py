"""What the order composer of a seat's page needs: board, rules and position as plain data (F1 to F9)."""

from pbem.events import Json
from pbem.rulesets.flux.data import HUES, WIZARD, Rules
from pbem.rulesets.flux.hexes import Board
from pbem.rulesets.flux.state import State, Wizard


def composer_data(state: State, hue: str) -> dict[str, Json]:
    """All of it for one hue; nothing for whom has no orders to write."""
    if state.over or state.wizards[hue].eliminated:
        return {}
    return {
        "hue": hue,
        "hues": list(state.wizards),
        "all_hues": list(HUES),
        "round": state.round,
        "order": list(state.order_of_play),
        "board": _board(state.board),
        **_rules(state.rules),
        "wizards": {name: _wizard(wizard, state.board) for name, wizard in state.wizards.items()},
    }


def _board(board: Board) -> dict[str, Json]:
    return {
        "radius": board.radius,
        "globes": [board.label(place) for place, _ in board.globes],
        "lakes": [board.label(place) for place in sorted(board.lakes)],
        "rivers": [[board.label(one), board.label(other)] for one, other in sorted(board.rivers)],
    }


def _rules(rules: Rules) -> dict[str, Json]:
    return {
        "casting": [[band.up_to, band.chance] for band in rules.casting],
        "die": rules.contest.die,
        "wizard": {"move": rules.wizard.move, "barred": list(rules.forbidden(WIZARD))},
        "earths": {
            name: {
                "cost": row.cost,
                "counters": row.counters,
                "lake": row.may_cover_lake,
                "river": row.may_cross_river,
                "water": row.must_touch_water,
            }
            for name, row in rules.earths.items()
        },
        "animates": {
            name: {
                "cost": row.cost,
                "move": row.move,
                "flies": row.flies,
                "barred": list(row.may_not_enter),
                "destroys": dict(row.destroys),
            }
            for name, row in rules.animates.items()
        },
        "pieces": list(rules.pieces()),
    }


def _wizard(wizard: Wizard, board: Board) -> dict[str, Json]:
    label = board.label
    return {
        "corner": label(wizard.corner),
        "at": None if wizard.at is None else label(wizard.at),
        "reserve": wizard.reserve,
        "earths": [
            {"earth": earth.earth, "hexes": [label(place) for place in earth.hexes]}
            for earth in wizard.earths
        ],
        "pieces": {name: label(place) for name, place in wizard.pieces.items()},
    }
