"""What a turn of battle came to in numbers: points, who is left, and what each thing that is done brought."""

from collections.abc import Iterator
from fractions import Fraction

from pbem.rulesets import Counted, Result, Tally, Turn
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.orders import Condition, Order
from pbem.rulesets.magic.state import State

MagicTurn = Turn[State, e.MagicEvent, Order, Condition]
ORDER = ("uses", "successes", "killed", "run off", "refused")
"""What is counted of weapons, skills, magic, figures and orders."""


def tally(turn: MagicTurn) -> Tally:
    """Points and living figures as the turn leaves them, and what weapons, skills and magic did in it."""
    after = turn.after
    living: dict[str, int] = {
        side: sum(1 for figure in after.figures.values() if figure.alive and figure.side == side)
        for side in SIDES
    }
    return Tally({"points": after.points(), "living": living}, tuple(_counts(turn)), ORDER)


def result(state: State) -> Result:
    """The points of each side, and who has more; nobody wins where they are equal (M1.2)."""
    points = state.points()
    best = max(points.values())
    leaders = tuple(side for side in SIDES if points[side] == best)
    return Result({side: Fraction(points[side]) for side in SIDES}, leaders if len(leaders) == 1 else ())


def _counts(turn: MagicTurn) -> Iterator[Counted]:
    figures = turn.before.figures
    for event in turn.events:
        match event:
            case e.ShotFired():
                side = figures[event.figure].side
                yield Counted(side, event.weapon, "uses", 1)
                yield Counted(side, event.weapon, "successes", int(event.hit))
            case e.BlowsStruck():
                for striker in event.strikers:
                    yield Counted(figures[striker].side, "blows", "uses", 1)
                for wounded in event.wounded:
                    striker = event.figures[1 - event.figures.index(wounded)]
                    yield Counted(figures[striker].side, "blows", "successes", 1)
            case e.SkillUsed() | e.SkillFailed():
                yield Counted(figures[event.figure].side, event.skill, "uses", 1)
                yield Counted(
                    figures[event.figure].side, event.skill, "successes", int(isinstance(event, e.SkillUsed))
                )
            case e.WordSpoken():
                yield Counted("boche", f"the word {event.word}", "uses", 1)
            case e.GlamourBegun():
                yield Counted("boche", event.glamour, "uses", 1)
            case e.GlamourCast():
                yield Counted("boche", event.glamour, "successes", int(event.effect))
            case e.IllusionBegun():
                yield Counted("boche", event.illusion, "uses", 1)
            case e.IllusionCast():
                yield Counted("boche", event.illusion, "successes", int(event.effect))
            case e.ChordPlayed():
                yield Counted("boche", "the chord", "uses", 1)
            case e.FigureKilled():
                yield Counted(figures[event.figure].side, "figures", "killed", 1)
            case e.FigureLost():
                yield Counted(figures[event.figure].side, "figures", "run off", 1)
            case e.MoraleTested():
                yield Counted(figures[event.figure].side, "morale", "uses", 1)
                yield Counted(figures[event.figure].side, "morale", "successes", int(event.passed))
            case e.OrderRefused():
                yield Counted(event.side, "orders", "refused", 1)
            case _:
                pass
