"""What is hidden from a reader, found by other means than the program's, and altered at random."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import Any

from pbem.cases import case_turn_closed
from pbem.events import event_json
from pbem.rulesets import Turn
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.names import SIDES, SKILLS
from pbem.rulesets.magic.orders import Condition, Order
from pbem.rulesets.magic.state import Condition as Held
from pbem.rulesets.magic.state import Figure, State
from tests.magic.battles import random_position, random_text, read

MagicTurn = Turn[State, e.MagicEvent, Order, Condition]
VEILS = ("ambush", "stealth", "hiding")
LISTS = ("surprised", "spared", "targets")


def foggy_position(rng: Random) -> State:
    """A random position in which more figures than usual lie in ambush or are stealthy."""
    state = random_position(rng)
    figures = dict(state.figures)
    for name, figure in figures.items():
        if figure.alive and not figure.engaged and rng.random() < 0.3:
            veil = rng.choice(VEILS)
            until = None if veil == "ambush" else state.turn + rng.randint(0, 1)
            figures[name] = replace(figure, states={**figure.states, veil: Held(until, name)})
    return replace(state, figures=figures)


def sides_of(reader: str) -> tuple[str, ...]:
    return SIDES if reader == "public" else (reader,)


def unseen(figure: Figure, sides: Iterable[str], ears: Iterable[str] = ()) -> bool:
    """Whether some of these sides do not see a figure; who has elf ears may hear all but an ambush."""
    veils = {side: {"ambush"} if side in ears else set(VEILS) for side in sides if figure.commander != side}
    return figure.alive and any(veil & set(figure.states) for veil in veils.values())


def never_seen(turn: MagicTurn, reader: str) -> list[str]:
    """Who is hidden from a reader from his last report to the end of a turn."""
    sides = sides_of(reader)
    state = RULESET.evolve(turn.before, case_turn_closed(turn.number))
    ears = ears_in(turn)
    heard = ears | ears_before(turn)
    hidden = {name for name, figure in state.figures.items() if unseen(figure, sides, heard)}
    for event in turn.events:
        state = RULESET.evolve(state, event)
        hidden &= {name for name, figure in state.figures.items() if unseen(figure, sides, ears)}
        if isinstance(event, e.AmbushSprung):
            hidden -= set(state.field.units[event.unit].members)
        if isinstance(event, e.FigureSeen | e.ShotFired | e.SkillUsed):
            hidden.discard(event.figure)
    return [name for name in turn.before.figures if name in hidden]


def ears_in(turn: MagicTurn) -> set[str]:
    """The sides that have elf ears in a turn, whose figure it was and who commanded it alike."""
    state, found = turn.before, set[str]()
    for event in turn.events:
        if isinstance(event, e.SkillUsed) and event.skill == "elf ears":
            figure = state.figures[event.figure]
            found |= {figure.side, figure.commander}
        state = RULESET.evolve(state, event)
    return found


def ears_before(turn: MagicTurn) -> set[str]:
    """The sides that had elf ears in the turn before: their last report shows whom they heard."""
    listened = [
        one for one in turn.before.figures.values() if turn.number - 1 in one.used.get("elf ears", ())
    ]
    return {side for one in listened for side in (one.side, one.commander)}


Change = Callable[[Random, MagicTurn, str, list[str]], MagicTurn]


def elsewhere(rng: Random, turn: MagicTurn, _reader: str, hidden: list[str]) -> MagicTurn:
    """The hidden stand somewhere else, and have gone other ways."""
    width, height = turn.after.field.size

    def moved(state: State) -> State:
        figures = dict(state.figures)
        for name in hidden:
            place = rng.randint(0, width), rng.randint(0, height)
            wounds = rng.randint(0, 3)
            figures[name] = replace(
                figures[name], at=place, wounds=wounds, grade=rng.choice(("green", "leader")), armour=True,
                states={**figures[name].states, "freeze": Held(None, name)}, points=figures[name].points,
            )  # fmt: skip
        return replace(state, figures=figures)

    events = [
        event for event in turn.events if not (isinstance(event, e.FigureMoved) and event.figure in hidden)
    ]
    return turn._replace(before=moved(turn.before), after=moved(turn.after), events=events)


def other_skills(rng: Random, turn: MagicTurn, reader: str, _hidden: list[str]) -> MagicTurn:
    """Others' figures have other skills that they have not used."""

    def skilled(state: State) -> State:
        figures = {
            name: figure
            if sides_of(reader) == (figure.side,)
            else replace(figure, skills=tuple(rng.sample(SKILLS, rng.randint(0, 3))), points=figure.points,
                         wound_points=rng.randint(5, 9))
            for name, figure in state.figures.items()
        }  # fmt: skip
        return replace(state, figures=figures)

    events: list[e.MagicEvent] = []
    for event in turn.events:
        silent = isinstance(event, e.FlatulenceThrown) and not event.attack
        owner = turn.after.figures[event.figure].side if isinstance(event, e.FlatulenceThrown) else ""
        if not silent or sides_of(reader) == (owner,):
            events.append(event)
    return turn._replace(before=skilled(turn.before), after=skilled(turn.after), events=events)


def other_orders(rng: Random, turn: MagicTurn, reader: str, _hidden: list[str]) -> MagicTurn:
    """The enemy has sent other orders, and others of them were refused."""
    others = [side for side in SIDES if sides_of(reader) != (side,)]
    texts: dict[str, str] = {side: random_text(rng, turn.before, side) for side in others}
    events = [
        event
        for event in turn.events
        if not (isinstance(event, e.OrderRefused | e.OrderSkipped) and event.side in others)
    ]
    extra = e.OrderRefused(
        rules=("M3",), side=rng.choice(others), figure=None, line=rng.randint(1, 9), text="secret plan",
        reason="it is",
    )  # fmt: skip
    events.insert(rng.randint(0, len(events)), extra)
    return turn._replace(orders={**turn.orders, **read(turn.before, texts)}, events=events)


def other_goals(rng: Random, turn: MagicTurn, reader: str, _hidden: list[str]) -> MagicTurn:
    """Achtung meditates for another place or target: known to the Boche alone."""
    if reader == "boche" or any(figure.commander != figure.side for figure in turn.before.figures.values()):
        return turn
    place = rng.randint(0, 100), rng.randint(0, 100)

    def aimed(state: State) -> State:
        effect = state.effects.get("meditation")
        if effect is None:
            return state
        aim = replace(effect, at=None if effect.at is None else place, target=effect.target and "f0")
        return replace(state, effects={**state.effects, "meditation": aim})

    events = [
        event.model_copy(update={"at": event.at and place, "target": event.target and "f0"})
        if isinstance(event, e.GlamourBegun)
        else event
        for event in turn.events
    ]
    return turn._replace(before=aimed(turn.before), after=aimed(turn.after), events=events)


def gone(_rng: Random, turn: MagicTurn, _reader: str, hidden: list[str]) -> MagicTurn:
    """The hidden are not there at all, and never were."""
    events = [kept for event in turn.events if (kept := without(event, hidden)) is not None]
    return turn._replace(before=bare(turn.before, hidden), after=bare(turn.after, hidden), events=events)


CHANGES: tuple[Change, ...] = (elsewhere, other_skills, other_orders, other_goals, gone)


def bare(state: State, hidden: list[str]) -> State:
    """A position without some figures."""
    figures = {
        name: replace(figure, engaged=tuple(foe for foe in figure.engaged if foe not in hidden))
        for name, figure in state.figures.items()
        if name not in hidden
    }
    units = {
        name: replace(unit, members=tuple(member for member in unit.members if member not in hidden))
        for name, unit in state.field.units.items()
    }
    effects = {}
    for name, effect in state.effects.items():
        if effect.cause in hidden and name not in {"pile", "chuffa-puffa"}:
            continue
        results = effect.results and {who: what for who, what in effect.results.items() if who not in hidden}
        spared = effect.spared and tuple(who for who in effect.spared if who not in hidden)
        effects[name] = replace(effect, results=results, spared=spared)
    standard = None if state.standard in hidden else state.standard
    field = replace(state.field, units=units)
    return replace(state, figures=figures, effects=effects, standard=standard, field=field)


def without(event: e.MagicEvent, hidden: list[str]) -> e.MagicEvent | None:
    """An event of a battle in which some figures are not there."""
    data = event_json(event)
    subjects = [data.get(key) for key in ("figure", "caster")]
    if isinstance(event, e.WordSpoken | e.ShotFired):
        subjects.append(event.target)
    subjects += data.get("figures", []) if isinstance(data.get("figures"), list) else []
    if any(name in hidden for name in subjects) and not isinstance(event, e.FigureKilled | e.FigureLost):
        return None
    known: dict[str, Any] = {}
    for key in LISTS:
        value = getattr(event, key, None)
        if value is not None:
            known[key] = tuple(name for name in value if name not in hidden)
    results = getattr(event, "results", None)
    if isinstance(results, dict):
        known["results"] = {name: got for name, got in results.items() if name not in hidden}
    dice = getattr(event, "dice", ())
    known_dice = tuple(throw for throw in dice if not set(throw.key.split(" ")) & set(hidden))
    if dice:
        known["dice"] = known_dice
    if isinstance(event, e.IllusionCast) and event.illusion != "pile" and not known["targets"]:
        nothing = event.illusion == "bloated belly"
        known |= {"effect": False, "throw": None, "turns": 0 if nothing else event.turns}
        known["dice"] = tuple(throw for throw in known_dice if not throw.key.startswith("belly"))
    if isinstance(event, e.GlamourCast):
        reached = [known.get("results"), known.get("targets")]
        if any(part is not None for part in reached) and not any(reached):
            known["effect"] = False
    return event.model_copy(update=known) if known else event


def scrubbed(turn: MagicTurn, hidden: list[str]) -> list[Any]:
    """The events as they would be without the hidden: what others can have seen of them."""
    kept = [without(event, hidden) for event in turn.events]
    seen = [event_json(event) for event in kept if event is not None]
    for data in seen:
        if (
            data["kind"] in {"glamour_cast", "illusion_cast"}
            and data["glamour" if "glamour" in data else "illusion"] != "pile"
        ):
            data["effect"] = None
    return seen
