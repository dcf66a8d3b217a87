"""What a line would do now: the rules themselves, asked on the position as its side knows it."""

from dataclasses import replace

from pbem.events import Json, event_data
from pbem.rulesets import Forecast
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import movement, shooting, start, words
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import distance
from pbem.rulesets.magic.lines import NOBODY, Runner, ordered
from pbem.rulesets.magic.names import SideName, side_name
from pbem.rulesets.magic.orders import Hold, Line, MagicOrders, Use, line_phase, place_text
from pbem.rulesets.magic.state import State
from pbem.rulesets.magic.told import signed

SHOWN = 3
"""Of a unit's members no more than so many are told of one by one."""
_MOMENTS = {
    "glamours": "as glamours come into force at START",
    "start": "at START",
    "fight": "in FIGHT",
    "sign-up": "when the battle starts",
}


def forecast(state: State, side: str, orders: MagicOrders) -> tuple[Forecast, ...]:
    """A sentence a line, each by itself: what others do first, and throws, may change it.

    It is asked of the position as the side knows it: what is hidden changes no word of it.
    """
    from pbem.rulesets.magic.known import known_state  # noqa: PLC0415 - start-up needs no forecast

    if state.over:
        return tuple(Forecast(line.number, "nothing: the battle is over") for line in orders.lines)
    seen = known_state(state, side)
    return tuple(Forecast(line.number, sentence(seen, side, line)) for line in orders.lines)


def opened(state: State) -> State:
    """The position when what is over has ended: asked of it, many lines are forecast sooner, and alike."""
    battle = Battle(state, {}, lambda _key, _sides: 1)
    start.durations(battle)
    return replace(battle.state, turn=state.turn)


def sentence(state: State, side: str, line: Line) -> str:
    """What a line would do now, by itself, in a position as its side knows it."""
    battle = Battle(state, {}, lambda _key, _sides: 1)
    # First: who spins around no longer is his owner's again (M2.1, M6.3).
    start.durations(battle)
    phase, mine = line_phase(line), side_name(side)
    members, _ = ordered(battle, mine, line.sides[0].order.who)
    if phase == "sign-up":
        return f"is tried {_MOMENTS[phase]}: {line}"
    if isinstance(line.sides[0].order, Hold):
        return "holds"
    if not members:
        return f"would be refused: {NOBODY} (M1.5)"
    if strangers := _unsure_of_skill(battle, mine, line, members):
        return f"is tried in MOVE: whether {strangers} has that skill is not yours to know"
    perform = {"declare": movement.declare, "move": movement.move, "shoot": shooting.forecast}.get(phase)
    if perform is None and phase.startswith("timed "):
        perform = words.perform
    if perform is None:
        return f"is tried {_MOMENTS[phase]}: {line}"
    told = len(battle.events)
    runner = Runner(battle, perform)
    for name in members[:SHOWN]:
        runner.member(mine, line, name)
    said = [sentence for event in battle.events[told:] if (sentence := _said(event))]
    more = [f"and so for {len(members) - SHOWN} more"] if len(members) > SHOWN else []
    return "; ".join([*dict.fromkeys(said), *more]) or "nothing"


def _unsure_of_skill(battle: Battle, side: SideName, line: Line, members: list[str]) -> str:
    """Who of those ordered is the other side's for all but orders, and has not used the skill yet (M6.3)."""
    wanted = {attempt.order.skill for attempt in line.sides if isinstance(attempt.order, Use)}
    found = [
        name
        for name in members
        if (figure := battle.figure(name)).side != side and not wanted <= set(figure.skills)
    ]
    return " and ".join(found)


def _said(event: e.MagicEvent) -> str:
    """What one event would mean to who sent the line; what follows of it is not his to know."""
    match event:
        case e.FigureMoved(cause="order"):
            gone = _cm(distance(event.from_, event.to))
            return f"{event.figure} moves {gone} cm to {place_text(event.to)} ({event.rate})"
        case e.ShotFired():
            return (
                f"{event.figure} shoots {event.target} with {event.weapon}, {_cm(event.distance)} cm away: "
                f"hits on {event.chance} or less"
            )
        case e.WordSpoken():
            return (
                f"{event.caster} says {event.word} to {event.target}, {_cm(event.distance)} cm away: "
                f"heeded on {event.chance} or less"
            )
        case e.ChordPlayed():
            return f"{event.caster} plays the Power Chord, {_cm(event.radius)} cm to every side"
        case e.SkillUsed():
            return f"{event.figure} uses {event.skill}{_slower(event.movement)}"
        case e.GlamourBegun() | e.IllusionBegun():
            data: dict[str, Json] = event_data(event)
            return f"{event.caster} begins {data.get('glamour') or data.get('illusion')}"
        case e.OrderRefused():
            return f"would be refused: {event.reason} ({', '.join(event.rules)})"
        case e.OrderSkipped(rules=("M8.4",)):
            return f"{event.figure} would be skipped: {event.reason}"
        case _:
            return ""


def _slower(per_cent: int) -> str:
    return f", {signed(per_cent)} % movement" if per_cent else ""


def _cm(length: int) -> str:
    return f"{length // 10}.{length % 10}" if length % 10 else str(length // 10)
