"""What a line would do now, told of the position as its side knows it (product.md, `check`)."""

from pbem.rulesets import Forecast
from pbem.rulesets.magic import orders as o
from pbem.rulesets.magic.state import State


def forecast(state: State, side: str, orders: o.MagicOrders) -> tuple[Forecast, ...]:
    """A sentence a line: when its moment comes, and for whom."""
    if state.over:
        return tuple(Forecast(line.number, "nothing: the battle is over") for line in orders.lines)
    return tuple(Forecast(line.number, _sentence(state, side, line)) for line in orders.lines)


_MOMENTS = {
    "glamours": "as glamours come into force at START",
    "start": "at START",
    "declare": "when skills and magic are declared in MOVE",
    "move": "when its side moves",
    "shoot": "in SHOOT",
    "fight": "in FIGHT",
    "sign-up": "when the battle starts",
}


def _sentence(state: State, side: str, line: o.Line) -> str:
    phase = o.line_phase(line)
    moment = _MOMENTS.get(phase) or f"at the beginning of {phase.removeprefix('timed ').upper()}"
    who = line.sides[0].order.who
    figure, unit = state.figures.get(who), state.field.units.get(who)
    if figure is not None and figure.commander == side:
        known = figure.alive
    else:
        names = () if figure is not None or unit is None or unit.side != side else unit.members
        known = any(state.figures[name].alive for name in names)
    if who and not known:
        return "would be refused: nobody of that name is yours to order, or on the table and seen (M1.5)"
    return f"is tried {moment}: {line}"
