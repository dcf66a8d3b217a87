"""What one reader knows of a turn: all that reports, maps and data are built from (M1.5, Reports).

There is one rule for each kind of fact. Sight is judged at the moment of each event, as the rules
judge it: a side sees its own figures, and of the others those that neither lie in ambush nor are
stealthy or hide; elf ears hear the stealthy for their turn. The public sees what both sides see.
Once the battle has ended, everybody knows everything.

Nothing that is hidden is ever handed on from here: a figure becomes a `KnownFigure`, and an event
is told with what its reader may know of it, or not at all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from pbem.events import Throw, event_json
from pbem.rulesets import Turn
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.data import Core
from pbem.rulesets.magic.evolve import evolve
from pbem.rulesets.magic.geometry import Point, Polygon, within
from pbem.rulesets.magic.names import (
    AMBUSH,
    BELLY,
    CHORD,
    CHUFFA,
    ELF_EARS,
    FLATULENCE,
    HIDING,
    MEDITATION,
    NOMAN,
    PILE,
    PREPARATION,
    SIDES,
    SKILLS,
    SPINNING,
    STEALTH,
    TAKE_STEPS,
)
from pbem.rulesets.magic.orders import Condition as Guard
from pbem.rulesets.magic.orders import MagicOrders, Order
from pbem.rulesets.magic.state import Condition, Effect, Figure, State, Terrain, condition_json, state_json
from pbem.rulesets.model import GM, PUBLIC

MagicTurn: TypeAlias = Turn[State, e.MagicEvent, Order, Guard]
HIDDEN = (AMBUSH, STEALTH, HIDING)
"""States in which the other side does not see a figure (M1.5)."""
UNKNOWN = ""
"""Whom a reader does not see, where an event must name somebody."""


class Moment(NamedTuple):
    """The position between two events, and who has elf ears this turn so far."""

    state: State
    ears: tuple[str, ...]

    def hears(self, side: str, figure: Figure) -> bool:
        """Whether a side hears a stealthy figure with elf ears (M4)."""
        figures, reach = self.state.figures, self.state.field.core.skills.elf_ears.reach
        return any(
            figures[name].commander == side
            and figures[name].alive
            and within(figures[name].at, figure.at, reach)
            for name in self.ears
        )

    def seen(self, side: str, figure: Figure) -> bool:
        """Whether a side sees a figure, as the rules have it; the killed and lost are shown (M1.5)."""
        if not figure.alive or figure.commander == side:
            return True
        if AMBUSH in figure.states:
            return False
        unseen = STEALTH in figure.states or HIDING in figure.states
        return not unseen or self.hears(side, figure)


class Eye(NamedTuple):
    """Whose sight a reader has: with several sides, what all of them see."""

    sides: tuple[str, ...]
    everything: bool = False

    def owns(self, side: str) -> bool:
        """Whether the reader is this side, or sees all."""
        return self.everything or self.sides == (side,)

    def sees(self, moment: Moment, name: str) -> bool:
        """Whether the reader sees a figure of this name; nobody who does not exist is seen."""
        figure = moment.state.figures.get(name)
        if figure is None:
            return False
        return self.everything or all(moment.seen(side, figure) for side in self.sides)

    def hears(self, moment: Moment, name: str) -> bool:
        """Whether the reader would know of a figure though it were stealthy."""
        figure = moment.state.figures[name]
        return self.everything or all(
            figure.commander == side or moment.hears(side, figure) for side in self.sides
        )

    def named(self, moment: Moment, name: str | None) -> str | None:
        """A figure or unit as a cause, if the reader sees it, or somebody of it."""
        if name is None or self.sees(moment, name):
            return name
        unit = moment.state.field.units.get(name)
        if unit is not None and (
            self.owns(unit.side) or any(self.sees(moment, member) for member in unit.members)
        ):
            return name
        return None


def eye_of(turn: MagicTurn, reader: str) -> Eye:
    """Everything is public once the battle has ended; the GM sees all at any time."""
    if reader == GM or turn.after.over:
        return Eye(SIDES, everything=True)
    return Eye(SIDES if reader == PUBLIC else (reader,))


# The turn, event by event -------------------------------------------------------------------------


class _Same:
    """A turn as a key: the same only as itself, so that it is folded once for all readers."""

    def __init__(self, turn: MagicTurn) -> None:
        self.turn = turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.turn is other.turn

    def __hash__(self) -> int:
        return id(self.turn)


@lru_cache(maxsize=2)
def _moments(key: _Same) -> tuple[Moment, ...]:
    """The moment before each event, and the one after the last."""
    turn = key.turn
    state, ears = replace(turn.before, turn=turn.number), tuple[str, ...]()
    found = [Moment(state, ears)]
    for event in turn.events:
        state = evolve(state, event)
        if isinstance(event, e.SkillUsed) and event.skill == ELF_EARS:
            ears = (*ears, event.figure)
        found.append(Moment(state, ears))
    return tuple(found)


# Figures and effects ------------------------------------------------------------------------------


class KnownFigure(NamedTuple):
    """A figure as a reader knows it; None for what is its owner's alone."""

    name: str
    side: str
    commander: str
    unit: str
    grade: str
    at: Point | None
    """None: lost. Of the dead, where they fell."""
    wounds: int
    weapons: tuple[str, ...]
    armour: bool
    shield: bool
    alive: bool
    priest: str | None
    states: Mapping[str, Condition]
    engaged: tuple[str, ...]
    skills: tuple[str, ...]
    """All of one's own, of others those that they have used."""
    declared: tuple[str, ...]
    """Glamours and the illusion are declared publicly."""
    used: Mapping[str, tuple[int, ...]]
    """Turns of use: of one's own everything, of others glamours and the illusion."""
    wound_points: int | None
    points: int | None
    own: bool
    """Whether all of it is known: its owner's, or everybody's."""

    @property
    def unseen(self) -> bool:
        """Whether it is hidden from the other side."""
        return any(state in HIDDEN for state in self.states)


def _figure(figure: Figure, moment: Moment, eye: Eye, attacks: frozenset[str]) -> KnownFigure:
    own = eye.owns(figure.side)
    used = (
        figure.used if own else {what: figure.used[what] for what in figure.declared if what in figure.used}
    )
    shown = tuple(
        skill for skill in SKILLS if skill in figure.used or (skill == FLATULENCE and figure.name in attacks)
    )
    return KnownFigure(
        name=figure.name,
        side=figure.side,
        commander=figure.commander,
        unit=figure.unit,
        grade=figure.grade,
        at=None if figure.lost else figure.at,
        wounds=figure.wounds,
        weapons=figure.weapons,
        armour=figure.armour,
        shield=figure.shield,
        alive=figure.alive,
        priest=figure.priest,
        states={
            name: replace(held, cause=eye.named(moment, held.cause))
            for name, held in sorted(figure.states.items())
        },
        engaged=tuple(sorted(other for other in figure.engaged if eye.sees(moment, other))),
        skills=figure.skills if own else shown,
        declared=figure.declared,
        used=dict(sorted(used.items())),
        wound_points=figure.wound_points if own else None,
        points=figure.points if own else None,
        own=own,
    )


def _figures(moment: Moment, eye: Eye, attacks: frozenset[str] = frozenset()) -> dict[str, KnownFigure]:
    return {
        name: _figure(figure, moment, eye, attacks)
        for name, figure in moment.state.figures.items()
        if eye.sees(moment, name)
    }


def _effects(moment: Moment, eye: Eye) -> dict[str, Effect]:
    """What runs: the Pile is over the whole table; else whose caster is seen (Reports)."""
    found: dict[str, Effect] = {}
    for name, effect in sorted(moment.state.effects.items()):
        known = _effect(name, effect, moment, eye)
        if known is not None:
            found[name] = known
    return found


def _effect(name: str, effect: Effect, moment: Moment, eye: Eye) -> Effect | None:
    caster = moment.state.figures.get(effect.cause)
    seen = eye.sees(moment, effect.cause)
    match name:
        case _ if name == PILE:
            spared = tuple(one for one in effect.spared or () if eye.sees(moment, one))
            return Effect(
                eye.named(moment, effect.cause) or UNKNOWN, effect.turn, effect.until, spared=spared
            )
        case _ if name == CHUFFA:
            results = _chuffa_results(effect, moment, eye)
            cause = eye.named(moment, effect.cause) or UNKNOWN
            return Effect(cause, effect.turn, effect.until, results=results) if results else None
        case _ if name == MEDITATION and seen:
            mine = caster is not None and eye.owns(caster.commander)
            return Effect(
                effect.cause, effect.turn, glamour=effect.glamour, at=effect.at if mine else None,
                target=effect.target if mine else None,
            )  # fmt: skip
        case _ if name == PREPARATION and seen:
            return Effect(effect.cause, effect.turn, illusion=effect.illusion)
        case _ if name == CHORD and seen:
            return Effect(effect.cause, effect.turn, effect.until, at=effect.at, radius=effect.radius)
        case _:
            return None


def _chuffa_results(effect: Effect, moment: Moment, eye: Eye) -> dict[str, str]:
    return {name: text for name, text in (effect.results or {}).items() if eye.sees(moment, name)}


# Events -------------------------------------------------------------------------------------------

_NAMES_IN_KEY = {
    "flatulence": (2, 3), "word": (2, 4), "gercha": (2,), "chord": (2,), "standard": (2,),
    "roadblock": (2,), "spinning": (2,), "pile": (2,), "belly": (2,), "shot": (2, 3), "blow": (2, 3, 4),
    "save": (2,), "morale": (2,), "berserk": (2,), "chappie": (2,),
}  # fmt: skip
"""Where figures are named in a throw's key; `flatulence TURN FARTER 1` ends before the second."""


class _Telling:
    """One event between two moments, for one reader."""

    def __init__(self, eye: Eye, before: Moment, after: Moment) -> None:
        self._eye = eye
        self._before = before
        self._after = after

    def sees(self, *names: str) -> bool:
        """Whether all of them are seen all the while: what happens while one comes or goes is not."""
        return all(self._eye.sees(self._before, name) and self._eye.sees(self._after, name) for name in names)

    def shows_itself(self, name: str) -> bool:
        """Whether a figure is seen, or is seen by what it does now; an ambush only when sprung (M4)."""
        figure = self._before.state.figures.get(name)
        return figure is not None and (self._eye.sees(self._before, name) or AMBUSH not in figure.states)

    def owns(self, name: str) -> bool:
        """Whether a figure is this reader's own."""
        figure = self._before.state.figures.get(name)
        return figure is not None and self._eye.owns(figure.side)

    def named(self, name: str | None) -> str | None:
        """A cause as far as it is known."""
        return self._eye.named(self._before, name) or self._eye.named(self._after, name)

    def those(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of them who are seen."""
        return tuple(name for name in names if self.sees(name))

    def results(self, results: Mapping[str, int]) -> dict[str, int]:
        """What became of those who are seen."""
        return {name: result for name, result in results.items() if self.sees(name)}

    def dice(self, dice: tuple[Throw, ...]) -> tuple[Throw, ...]:
        """The throws that name nobody hidden."""
        return tuple(throw for throw in dice if all(map(self.sees, self._names(throw.key))))

    @staticmethod
    def _names(key: str) -> list[str]:
        words = key.split(" ")
        return [words[place] for place in _NAMES_IN_KEY.get(words[0], ()) if place < len(words) - 1]

    def told(self, event: e.MagicEvent) -> e.MagicEvent | None:
        """The event as its reader learns of it, or nothing."""
        if self._eye.everything:
            return event
        match event:
            case e.MagicDeclared() | e.InitiativeThrown() | e.BattleEnded():
                return event
            case e.SkillsThrown():
                unit = self._before.state.field.units.get(event.unit)
                return event if unit is not None and self._eye.owns(unit.side) else None
            case e.OrderRefused() | e.OrderSkipped():
                return event if self._eye.owns(event.side) else None
            case e.FlatulenceThrown():
                mine = self.owns(event.figure) and self.sees(event.figure)
                known = mine or (event.attack and self.shows_itself(event.figure))
                return event if known else None
            case e.SkillUsed():
                return event if self._skill_is_seen(event) else None
            case e.SkillFailed() | e.FireLit() | e.ThingOpened() | e.ChappieJudged() | e.MoraleTested():
                return event if self.sees(event.figure) else None
            case e.ItemsDropped():
                return event if self.sees(event.figure) else None
            case e.WordSpoken():
                return event if self.sees(event.caster, event.target) else None
            case e.ChordPlayed():
                return self._chord(event) if self.sees(event.caster) else None
            case e.GlamourBegun():
                return self._begun(event) if self.sees(event.caster) else None
            case e.GlamourBroken() | e.IllusionBegun() | e.IllusionBroken():
                return event if self.sees(event.caster) else None
            case e.GlamourCast():
                return self._glamour(event) if self.sees(event.caster) else None
            case e.IllusionCast():
                return self._illusion(event) if self.sees(event.caster) else None
            case e.StateBegan():
                return self._began(event) if self.sees(event.figure) else None
            case e.StateEnded():
                return self._ended(event)
            case e.EffectEnded():
                return self._effect_ended(event)
            case e.FigureMoved():
                return _with(event, dice=self.dice(event.dice)) if self.sees(event.figure) else None
            case e.EngagementBegan():
                return event if all(map(self.shows_itself, event.figures)) else None
            case e.EngagementEnded() | e.BlowsStruck():
                return event if self.sees(*event.figures) else None
            case e.FigureSeen():
                return self._seen(event)
            case e.AmbushSprung():
                cause = event.cause if event.cause == "order" else self.named(event.cause) or UNKNOWN
                return _with(event, cause=cause, surprised=self.those(event.surprised))
            case e.ShotFired():
                known = self.shows_itself(event.figure) and self.sees(event.target)
                return event if known else None
            case e.WoundSaved() | e.FigureWounded():
                by = self.named(event.by) or UNKNOWN
                return _with(event, by=by) if self.sees(event.figure) else None
            case e.FigureKilled():
                return _with(event, by=self.named(event.by))
            case e.FigureLost():
                return event

    def _skill_is_seen(self, event: e.SkillUsed) -> bool:
        """Who vanishes does so unremarked; any other skill is seen, and ends stealth (M4)."""
        if event.skill == STEALTH:
            return self._eye.hears(self._before, event.figure) and self.sees(event.figure)
        return self.shows_itself(event.figure)

    def _chord(self, event: e.ChordPlayed) -> e.MagicEvent:
        return _with(
            event,
            results=self.results(event.results),
            spared=self.those(event.spared),
            dice=self.dice(event.dice),
        )

    def _begun(self, event: e.GlamourBegun) -> e.MagicEvent:
        """Centre and target of a meditation are its own side's until it is cast (Reports)."""
        caster = self._before.state.figures[event.caster]
        return event if self._eye.owns(caster.commander) else _with(event, at=None, target=None)

    def _glamour(self, event: e.GlamourCast) -> e.MagicEvent:
        """`effect` is what the reader sees of it: nothing, where it reached hidden figures alone."""
        caster = self._before.state.figures[event.caster]
        spared = self.those(event.spared)
        results = None if event.results is None else self.results(event.results)
        targets = None if event.targets is None else self.those(event.targets)
        target = event.target
        if target is not None and not (self.sees(target) or self._eye.owns(caster.commander)):
            target = None
        effect = event.effect
        if results is not None or targets is not None:
            effect = bool(results or targets)
        elif event.glamour == TAKE_STEPS and effect:
            effect = target is not None and self.sees(target) and self._steps_reach(event, spared)
        elif event.glamour == SPINNING and effect:
            effect = target is not None
        return _with(
            event, effect=effect, target=target, targets=targets, results=results, spared=spared,
            dice=self.dice(event.dice),
        )  # fmt: skip

    def _steps_reach(self, event: e.GlamourCast, spared: tuple[str, ...]) -> bool:
        state = self._before.state
        target = state.figures.get(event.target or "")
        near = state.field.core.glamours.take_steps.group
        return target is not None and any(
            figure.alive
            and figure.side == NOMAN
            and within(figure.at, target.at, near)
            and name not in spared
            and self.sees(name)
            for name, figure in state.figures.items()
        )

    def _illusion(self, event: e.IllusionCast) -> e.MagicEvent:
        """The belly's throw is made for whom it reached: nobody seen, no throw known."""
        targets, dice = self.those(event.targets), self.dice(event.dice)
        spared = self.those(event.spared)
        if event.illusion == PILE:
            return _with(event, spared=spared, dice=dice)
        if event.illusion == BELLY and not targets:
            rest = tuple(throw for throw in dice if not throw.key.startswith("belly "))
            return _with(event, throw=None, turns=0, effect=False, targets=(), spared=spared, dice=rest)
        return _with(event, effect=bool(targets), targets=targets, spared=spared, dice=dice)

    def _began(self, event: e.StateBegan) -> e.MagicEvent:
        return _with(event, cause=self.named(event.cause), dice=self.dice(event.dice))

    def _ended(self, event: e.StateEnded) -> e.MagicEvent | None:
        """Who comes out of hiding is seen again: that is told, what went before is not."""
        was, now = (self._eye.sees(moment, event.figure) for moment in (self._before, self._after))
        if not now or not (was or event.state in HIDDEN):
            return None
        return _with(event, cause=self.named(event.cause))

    def _effect_ended(self, event: e.EffectEnded) -> e.MagicEvent | None:
        cause = self.named(event.cause)
        if event.effect == PILE:
            return _with(event, cause=cause or UNKNOWN)
        if event.effect == CHUFFA:
            effect = self._before.state.effects.get(CHUFFA)
            known = effect is not None and _chuffa_results(effect, self._before, self._eye)
            return _with(event, cause=cause or UNKNOWN) if known else None
        return event if self.sees(event.cause) else None

    def _seen(self, event: e.FigureSeen) -> e.MagicEvent | None:
        """Elf ears tell their own side and the one that is heard; else he is seen by everybody (M4)."""
        known = self.sees(event.figure) if event.cause == ELF_EARS else self.shows_itself(event.figure)
        return _with(event, by=self.named(event.by)) if known else None


def _with(event: e.MagicEvent, **known: Any) -> e.MagicEvent:
    """The event with what is known in place of what is; itself where that is the same."""
    if all(getattr(event, name) == value for name, value in known.items()):
        return event
    return event.model_copy(update=known)


# All of it ----------------------------------------------------------------------------------------


class KnownThing(NamedTuple):
    """Something to light, a door or a lock."""

    name: str
    kind: str
    at: Point
    open: bool
    burns: bool


class Shot(NamedTuple):
    """A shot with the places of both at that moment."""

    event: e.ShotFired
    start: Point
    end: Point


class Known(NamedTuple):
    """All that one reader knows of a turn."""

    reader: str
    everything: bool
    number: int
    length: int
    over: bool
    title: str
    size: Point
    weather: str
    core: Core
    terrain: tuple[Terrain, ...]
    """What stands on the table now."""
    things: tuple[KnownThing, ...]
    fires: tuple[Point, ...]
    standard: Point | None
    bearer: str | None
    zones: Mapping[str, Polygon]
    """Of units of which nobody is seen: where the scenario lets them lie in ambush."""
    figures: Mapping[str, KnownFigure]
    before: Mapping[str, KnownFigure]
    """As the turn began."""
    reported: Mapping[str, KnownFigure]
    """As the reader's last report told them: who was heard then, and before the GM's rulings since."""
    effects: Mapping[str, Effect]
    events: tuple[e.MagicEvent, ...]
    shots: tuple[Shot, ...]
    orders: Mapping[str, MagicOrders]
    """Of the sides whose orders this reader may read."""
    points: Mapping[str, int]
    points_reported: Mapping[str, int]

    def mine(self) -> list[KnownFigure]:
        """The living figures that the reader commands in the next turn, in the scenario's order."""
        return [one for one in self.figures.values() if one.alive and self.commands_next(one) == self.reader]

    def commands_next(self, one: KnownFigure) -> str:
        """Whose orders a figure takes in the next turn: his owner's, if by then he spins no more (M6.3)."""
        held = one.states.get(SPINNING)
        over = held is not None and held.until is not None and held.until <= self.number
        return one.side if over else one.commander


def known(turn: MagicTurn, reader: str) -> Known:
    """What a reader knows of a turn."""
    eye, moments = eye_of(turn, reader), _moments(_Same(turn))
    last = moments[-1]._replace(state=turn.after)
    events, shots, attacks = _events(turn, moments, eye)
    state, field = turn.after, turn.after.field
    bearer = state.standard if isinstance(state.standard, str) else None
    shown = bearer is None or eye.sees(last, bearer)
    return Known(
        reader=reader,
        everything=eye.everything,
        number=turn.number,
        length=state.length,
        over=state.over,
        title=field.title,
        size=field.size,
        weather=field.weather,
        core=field.core,
        terrain=state.terrain(),
        things=tuple(
            KnownThing(name, thing.kind, thing.at, name in state.opened, thing.at in state.fires)
            for name, thing in field.things.items()
        ),
        fires=state.fires,
        standard=state.standard_at() if shown else None,
        bearer=bearer if shown else None,
        zones=_zones(last, eye),
        figures=_figures(last, eye, attacks),
        before=_figures(moments[0], eye),
        reported=_figures(_last_report(turn), eye),
        effects=_effects(last, eye),
        events=events,
        shots=shots,
        orders={side: turn.orders[side] for side in SIDES if eye.owns(side) and side in turn.orders},
        points=state.points(),
        points_reported=turn.told.points(),
    )


def _last_report(turn: MagicTurn) -> Moment:
    """What the report before rested on: its own elf ears still heard then (M4)."""
    figures = turn.told.figures.values()
    ears = (one.name for one in figures if turn.number - 1 in one.used.get(ELF_EARS, ()))
    return Moment(turn.told, tuple(ears))


def _events(
    turn: MagicTurn, moments: tuple[Moment, ...], eye: Eye
) -> tuple[tuple[e.MagicEvent, ...], tuple[Shot, ...], frozenset[str]]:
    """The events that are told, the shots among them, and whose bellies were seen to attack."""
    events: list[e.MagicEvent] = []
    shots: list[Shot] = []
    attacks: set[str] = set()
    for index, event in enumerate(turn.events):
        telling = _Telling(eye, moments[index], moments[index + 1])
        told = telling.told(event)
        if told is None:
            continue
        events.append(told)
        if isinstance(told, e.ShotFired):
            places = moments[index].state.figures
            shots.append(Shot(told, places[told.figure].at, places[told.target].at))
        elif isinstance(told, e.FlatulenceThrown) and told.attack:
            attacks.add(told.figure)
    return tuple(events), tuple(shots), frozenset(attacks)


def _zones(moment: Moment, eye: Eye) -> dict[str, Polygon]:
    """Of a hidden unit's deployment only the scenario's zone (Reports)."""
    return {
        unit.name: unit.zone
        for unit in moment.state.field.units.values()
        if unit.zone is not None
        and not eye.owns(unit.side)
        and not any(eye.sees(moment, name) for name in unit.members)
    }


# For programs -------------------------------------------------------------------------------------


def known_json(turn: MagicTurn, what: Known) -> dict[str, Any]:
    """The reader's position and events: of others' figures what is public of them (Reports)."""
    events = [_event_json(event) for event in what.events]
    if what.everything:
        return {"position": state_json(turn.after), "events": events}
    return {
        "position": {
            "figures": {name: _figure_json(figure) for name, figure in what.figures.items()},
            "effects": {name: _effect_json(effect) for name, effect in what.effects.items()},
            "fires": [list(place) for place in what.fires],
            "open": [thing.name for thing in what.things if thing.open],
            "standard": None if what.standard is None else list(what.standard),
            "zones": {name: [list(corner) for corner in zone] for name, zone in what.zones.items()},
            "points": dict(what.points),
        },
        "events": events,
    }


def _event_json(event: e.MagicEvent) -> dict[str, Any]:
    data = event_json(event)
    for name in ("by", "cause"):
        if data.get(name) == UNKNOWN:
            data[name] = None
    return data


def _figure_json(figure: KnownFigure) -> dict[str, Any]:
    data: dict[str, Any] = {
        "side": figure.side,
        "commander": figure.commander,
        "unit": figure.unit,
        "grade": figure.grade,
        "at": None if figure.at is None else list(figure.at),
        "wounds": figure.wounds,
        "states": {name: condition_json(held) for name, held in figure.states.items()},
        "skills": list(figure.skills),
        "armour": figure.armour,
        "shield": figure.shield,
        "weapons": list(figure.weapons),
        "alive": figure.alive,
        "engaged": list(figure.engaged),
        "used": {what: list(turns) for what, turns in figure.used.items()},
        "declared": list(figure.declared),
    }
    if figure.own:
        data |= {"wound_points": figure.wound_points, "points": figure.points}
    return data


def _effect_json(effect: Effect) -> dict[str, Any]:
    given: dict[str, Any] = {
        "cause": effect.cause or None,
        "turn": effect.turn,
        "until": effect.until,
        "glamour": effect.glamour,
        "illusion": effect.illusion,
        "at": None if effect.at is None else list(effect.at),
        "target": effect.target,
        "radius": effect.radius,
        "spared": None if effect.spared is None else list(effect.spared),
        "results": None if effect.results is None else dict(effect.results),
    }
    return {name: value for name, value in given.items() if value is not None or name == "cause"}


# For forecasts ------------------------------------------------------------------------------------


def known_state(state: State, side: str) -> State:
    """The position as a side knows it between two turns, for what its orders would do now.

    Who is not seen is not there; of the enemy's skills there are those that have been used, not when.
    """
    moment, eye = Moment(state, ()), Eye((side,))
    figures = {
        name: _as_known(figure, moment, eye)
        for name, figure in state.figures.items()
        if eye.sees(moment, name)
    }
    units = {
        name: replace(unit, members=tuple(member for member in unit.members if member in figures))
        for name, unit in state.field.units.items()
        if unit.side == side or any(member in figures for member in unit.members)
    }
    standard = state.standard
    if isinstance(standard, str) and standard not in figures:
        standard = None
    return replace(
        state,
        field=replace(state.field, units=units),
        figures=figures,
        effects=_effects(moment, eye),
        standard=standard,
    )


def _as_known(figure: Figure, moment: Moment, eye: Eye) -> Figure:
    engaged = tuple(other for other in figure.engaged if eye.sees(moment, other))
    if eye.owns(figure.side):
        return replace(figure, engaged=engaged)
    skills = tuple(skill for skill in SKILLS if skill in figure.used)
    used = {what: turns if what in figure.declared else () for what, turns in figure.used.items()}
    return replace(figure, engaged=engaged, skills=skills, used=used)
