"""What a round came to in numbers: incomes, and for each counter how often it was cast and what it gained."""

from collections.abc import Iterator
from fractions import Fraction

from pbem.rulesets import Counted, Result, Tally, Turn
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.evolve import evolve
from pbem.rulesets.flux.orders import Condition, Order
from pbem.rulesets.flux.state import State, holdings, income

ORDER = (
    "casts", "successes", "flux", "gained", "taken", "attempts", "destroyed", "fights", "kills", "lost",
    "moves", "returns", "refused",
)  # fmt: skip
"""What is counted of counters, wizards and orders."""


def tally(turn: Turn[State, e.FluxEvent, Order, Condition]) -> Tally:
    """Incomes and reserves as the round leaves them, and what each counter did in it."""
    paid = _incomes(turn.after)
    reserves = {hue: wizard.reserve for hue, wizard in turn.after.wizards.items()}
    earths = {hue: len(wizard.earths) for hue, wizard in turn.after.wizards.items()}
    return Tally({"income": paid, "reserve": reserves, "earths": earths}, tuple(_counts(turn)), ORDER)


def result(state: State) -> Result:
    """Scores and Loremasters of a contest that is over (F8.4)."""
    return Result({hue: Fraction(score) for hue, score in state.scores.items()}, state.loremasters)


def _incomes(state: State) -> dict[str, int]:
    held = holdings(state)
    return {hue: income(state, hue, held[hue]) for hue in state.wizards}


def _counts(turn: Turn[State, e.FluxEvent, Order, Condition]) -> Iterator[Counted]:
    """`gained` is what the income rose by at once, `taken` what that of others fell by."""
    state = turn.before
    incomes: dict[str, int] | None = None
    for event in turn.events:
        after = evolve(state, event)
        match event:
            case e.SpellCast():
                yield Counted(event.hue, event.spell, "casts", 1)
                yield Counted(event.hue, event.spell, "flux", event.cost)
                if event.success:
                    yield Counted(event.hue, event.spell, "successes", 1)
                    if len(event.hexes) == 2:
                        now = _incomes(after)
                        yield from _swing(event.hue, event.spell, incomes or _incomes(state), now)
                        incomes = now
            case e.DestructionAttempted():
                yield Counted(event.hue, event.piece, "attempts", 1)
                if event.success:
                    now = _incomes(after)
                    yield Counted(event.hue, event.piece, "destroyed", 1)
                    yield Counted(event.owner, event.earth, "lost", 1)
                    yield from _swing(event.hue, event.piece, incomes or _incomes(state), now)
                    incomes = now
            case e.CombatFought():
                yield Counted(event.attacker.hue, event.attacker.piece, "fights", 1)
                yield Counted(event.defender.hue, event.defender.piece, "fights", 1)
                victor = event.attacker if event.winner == event.attacker.hue else event.defender
                yield Counted(victor.hue, victor.piece, "kills", 1)
            case e.PieceKilled():
                yield Counted(event.hue, event.piece, "lost", 1)
            case e.WizardEliminated():
                incomes = None
            case e.WizardReturned():
                yield Counted(event.hue, WIZARD, "returns", 1)
            case e.OrderRefused():
                yield Counted(event.hue, "orders", "refused", 1)
            case e.PieceMoved():
                yield Counted(event.hue, event.piece, "moves", 1)
            case _:
                pass
        state = after


def _swing(hue: str, thing: str, was: dict[str, int], now: dict[str, int]) -> Iterator[Counted]:
    yield Counted(hue, thing, "gained", now[hue] - was[hue])
    yield Counted(hue, thing, "taken", sum(was[other] - now[other] for other in was if other != hue))
