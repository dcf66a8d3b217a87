"""Magic: the Priests of Khylie and the Noman legion, on a table in millimetres (docs/rules/magic.md)."""

from typing import TYPE_CHECKING

from pbem.errors import BadInput
from pbem.rulesets import Files, Ruleset, Turn
from pbem.rulesets.magic.decide import decide
from pbem.rulesets.magic.events import EVENTS, BattleEnded, InitiativeThrown, MagicDeclared, MagicEvent
from pbem.rulesets.magic.evolve import evolve
from pbem.rulesets.magic.forecast import forecast
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.orders import Condition, MagicOrders, Order, parse
from pbem.rulesets.magic.ruling import rule
from pbem.rulesets.magic.setup import case_setup, default_seats, initial, prepare
from pbem.rulesets.magic.state import State, state_json
from pbem.rulesets.magic.tally import result, tally
from pbem.rulesets.model import Report
from pbem.sheet import Sheet

if TYPE_CHECKING:
    from pbem.rulesets.magic.known import Known


def _parse(sheet: Sheet, state: State, side: str) -> MagicOrders:
    if side not in SIDES:
        raise BadInput(f"There are orders for {side!r}, who does not play; {' and '.join(SIDES)} do.")
    return parse(sheet, sign_up=state.turn < 0)


def _is_over(state: State) -> bool:
    return state.over


def _is_public(event: MagicEvent) -> bool:
    return isinstance(event, MagicDeclared | InitiativeThrown | BattleEnded)


def _invitation(state: State, side: str) -> tuple[str, ...]:
    from pbem.rulesets.magic.invitation import invitation  # noqa: PLC0415 - one command alone needs it

    return invitation(state, side)


def _view(turn: Turn[State, MagicEvent, Order, Condition], reader: str) -> Report:
    from pbem.rulesets.magic.view import view  # noqa: PLC0415 - only reports need it

    return view(turn, reader)


def _seen(state: State, side: str) -> "Known":
    from pbem.rulesets.magic.known import known  # noqa: PLC0415 - only reports and programs need it

    return known(Turn(state.turn, state, (), state, {}), side)


RULESET: Ruleset[State, MagicEvent, Order, Condition] = Ruleset(
    name="magic",
    version="1",
    title="Magic",
    seats=SIDES,
    files=Files(
        anchor="pbem",
        rules="rulesets/magic/core.toml",
        boards="rulesets/magic/scenarios",
        default_board="hayrick",
        board_option="scenario",
        rulings="rulings/magic.md",
        templates="templates/magic",
        demo="orders/magic",
        demo_game="hayrick",
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
    is_public=_is_public,
    open_information=False,
    sign_up_orders=True,
    invitation=_invitation,
    seen=_seen,
    tally=tally,
    result=result,
)
