"""What a line would do now, if it were this wizard's turn and every cast succeeded at once."""

from pbem.rulesets import Forecast
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.decide import Round, WizardTurn
from pbem.rulesets.flux.orders import FluxOrders, Phase
from pbem.rulesets.flux.state import State


def forecast(state: State, hue: str, orders: FluxOrders) -> tuple[Forecast, ...]:
    """A sentence a line, in file order: the rules themselves, asked on the position as it is.

    Others may play first, and casts may fail, so this promises nothing; fights are left out.
    """
    if state.over or state.wizards[hue].eliminated:
        return tuple(Forecast(line.number, "nothing: you do not play any more") for line in orders.lines)
    game = Round(state, {hue: orders}, lambda _key, _sides: 1)
    turn = WizardTurn(game, hue)
    if turn.me.at is None:
        turn.come_back()
    said: dict[int, list[str]] = {line.number: [] for line in orders.lines}
    for phase in Phase:
        seen = len(game.events)
        turn.phase(phase)
        for event in game.events[seen:]:
            if sentence := _sentence(event, state):
                line, text = sentence
                said[line].append(text)
    return tuple(Forecast(number, "; ".join(texts) or "nothing") for number, texts in said.items())


def _sentence(event: e.FluxEvent, state: State) -> tuple[int, str] | None:
    match event:
        case e.PieceMoved():
            steps = len(event.path) - 1
            hexes = "1 hex" if steps == 1 else f"{steps} hexes"
            of = state.rules.move(event.piece)
            return event.line, f"moves {event.piece} {event.path[0]} to {event.path[-1]}, {hexes} of {of}"
        case e.SpellCast():
            where = "-".join(event.hexes)
            return event.line, (
                f"casts {event.spell} at {where}, {event.distance} away: succeeds on {event.chance} or less, "
                f"costs {event.cost} a try, {event.reserve} left after one"
            )
        case e.DestructionAttempted():
            what = f"{event.owner}'s {event.earth} with {event.piece}"
            return event.line, f"tries to destroy {what}: succeeds on {event.chance} or less"
        case e.OrderRefused():
            return event.line, f"would be refused: {event.reason} ({', '.join(event.rules)})"
        case e.OrderSkipped(rules=("F9.4",)):
            return event.line, f"would be skipped: {event.reason}"
        case _:
            return None
