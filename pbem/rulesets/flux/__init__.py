"""Flux: wizards on the Great Plains of Grob (docs/rules/flux.md)."""

from pbem.errors import BadInput
from pbem.events import altered
from pbem.rulesets import Files, Keeping, Ruleset, Turn
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.decide import decide
from pbem.rulesets.flux.events import EVENTS, FluxEvent
from pbem.rulesets.flux.evolve import evolve
from pbem.rulesets.flux.forecast import forecast
from pbem.rulesets.flux.keeping import dump, load
from pbem.rulesets.flux.orders import Condition, FluxOrders, Order, parse
from pbem.rulesets.flux.ruling import rule
from pbem.rulesets.flux.setup import case_setup, default_seats, initial, prepare
from pbem.rulesets.flux.state import State, state_json
from pbem.rulesets.flux.tally import result, tally
from pbem.rulesets.model import Report
from pbem.sheet import Sheet


def _parse(sheet: Sheet, state: State, hue: str) -> FluxOrders:
    if hue not in state.wizards:
        raise BadInput(f"There are orders for {hue!r}, who does not play; {', '.join(state.wizards)} do.")
    return parse(sheet, state.rules, state.board, tuple(state.wizards))


def _is_over(state: State) -> bool:
    return state.over


def _view(turn: Turn[State, FluxEvent, Order, Condition], reader: str) -> Report:
    from pbem.rulesets.flux.view import view  # noqa: PLC0415 - only reports need the map and its glyphs

    return view(turn, reader)


def _seen(state: State, _: str) -> State:
    """An open game: everybody sees the position (F3.3). What a program does to it stays with the program."""
    wizards = {hue: altered(each, pieces=dict(each.pieces)) for hue, each in state.wizards.items()}
    return altered(state, wizards=wizards, scores=dict(state.scores))


def _out(state: State) -> tuple[str, ...]:
    """Who was eliminated (F6.3)."""
    return tuple(hue for hue, wizard in state.wizards.items() if wizard.eliminated)


RULESET: Ruleset[State, FluxEvent, Order, Condition] = Ruleset(
    name="flux",
    version="1",
    title="Flux",
    seats=HUES,
    files=Files(
        anchor="pbem",
        rules="rulesets/flux/rules.toml",
        boards="rulesets/flux/maps",
        default_board="grob",
        rulings="rulings/flux.md",
        demo="orders/flux",
        demo_game="grob",
        templates="templates/flux",
    ),
    events=EVENTS,
    default_seats=default_seats,
    prepare=prepare,
    initial=initial,
    parse=_parse,
    decide=decide,
    evolve=evolve,
    is_over=_is_over,
    view=_view,
    state_json=state_json,
    forecast=forecast,
    case_setup=case_setup,
    ruling=rule,
    seen=_seen,
    tally=tally,
    result=result,
    out=_out,
    keeping=Keeping(dump, load),
)
