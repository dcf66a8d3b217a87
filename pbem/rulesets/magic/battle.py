"""A turn under way: the position so far, what the phases have to remember, and what every phase can do.

Whatever the phases decide they tell as an event, and every event is folded into the position at once, so
that the rules read the same position that the log will give.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.dice import Dice
from pbem.events import Throw
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.data import Core
from pbem.rulesets.magic.evolve import evolve
from pbem.rulesets.magic.geometry import UP, Limits, Point, Way, go, square, touches, within
from pbem.rulesets.magic.names import (
    AMBUSH,
    BARRING,
    BELLY,
    CHORD,
    COMPELLED,
    ELF_EARS,
    FLATULENCE,
    FLEE,
    FREEZE,
    HIDING,
    NOMAN,
    OUT,
    PILE,
    PREPARING,
    PRIESTS,
    ROUT,
    SEIZE,
    SIDES,
    SPINNING,
    STEALTH,
    SideName,
)
from pbem.rulesets.magic.orders import MagicOrders
from pbem.rulesets.magic.state import Condition, Figure, State
from pbem.sheet import SeatOrders

Rules = tuple[str, ...]
Orders = Mapping[str, MagicOrders]


class Battle:
    """One adjudication under way."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        self.turn = state.turn + 1
        self.state = replace(state, turn=self.turn)
        self.core: Core = state.field.core
        self.orders = orders
        self.events: list[e.MagicEvent] = []
        self.order: tuple[SideName, SideName] = SIDES
        """The sides in initiative order."""
        self.moved: set[str] = set()
        """Whose moment in MOVE has come (M2.8)."""
        self.sides_moved: set[SideName] = set()
        self.marched: dict[str, str] = {}
        """Whose move of this turn is spent: on an order (M2.2), or on what compels him (M2.9)."""
        self.skill: dict[str, str] = {}
        """The skill that each figure uses this turn, in the order declared."""
        self.things: dict[str, str | None] = {}
        """What a skill of this turn is used on."""
        self.attacks: dict[str, None] = {}
        """The figures that have an attack of flatulence this turn."""
        self.shows: set[str] = set()
        """Stealthy figures that would rather be seen than hide."""
        self.tested: set[tuple[str, str]] = set()
        """Figures and causes of tests of this turn: one each (M3)."""
        self.charges: dict[str, tuple[str, ...]] = {}
        """Whom each figure has charged this turn and come into contact with."""
        self.defending: set[str] = set()
        self.narrowed: dict[str, tuple[str, ...]] = {}
        self.shot: set[str] = set()
        self.saves: dict[str, int] = {}
        self.wounded: dict[str, str] = {}
        """Who was wounded this turn, by whom last."""
        self.hit_by_shot: set[str] = set()
        """Who was wounded by a shot this turn."""
        self.bereaved: dict[str, str] = {}
        """Whose mate died near by this turn, and the mate's killer."""
        self.disturbed: dict[str, list[str]] = {}
        """What each figure did or suffered this turn that breaks meditations and preparations (M6.3)."""
        self.engaged_at_start: set[str] = set()
        self.spoken: set[str] = set()
        self.phase = "start"
        self._dice = dice
        self._walls: tuple[int, list[tuple[Point, ...]]] | None = None

    # Telling and throwing

    def tell(self, event: e.MagicEvent) -> None:
        """An event happens."""
        self.events.append(event)
        self.state = evolve(self.state, event)
        self._note(event)

    def throw(self, key: str, sides: int) -> Throw:
        """A throw of a die of so many sides."""
        return Throw(key=key, sides=sides, value=self._dice(key, sides))

    def _note(self, event: e.MagicEvent) -> None:
        """What judgements at END have to remember (M6.3)."""
        match event:
            case e.FigureMoved() if event.from_ != event.to:
                self._disturb(event.figure, "he moved")
            case e.ShotFired():
                self._disturb(event.figure, "he shot")
            case e.SkillUsed():
                self._disturb(event.figure, "he used a skill")
            case e.BlowsStruck():
                for name in event.strikers:
                    self._disturb(name, "he struck")
            case e.FigureWounded():
                self._disturb(event.figure, "he was wounded")
            case e.EngagementBegan():
                for name in event.figures:
                    self._disturb(name, "he was engaged")
            case e.StateBegan() if event.state in BARRING:
                said = {
                    "out of action": "out of action",
                    "freeze": "frozen",
                    "rout": "routing",
                    "flee": "fleeing",
                }
                self._disturb(event.figure, f"he was {said[event.state]}")
            case e.ChordPlayed():
                self._disturb(event.caster, "he played the chord")
            case e.FigureKilled() | e.FigureLost():
                self._disturb(event.figure, "he died" if isinstance(event, e.FigureKilled) else "he was lost")
            case _:
                pass

    def note_start(self) -> None:
        """What holds as the turn begins counts for it whole: judgements ask what was this turn (M6.3, M4)."""
        for figure in self.living():
            if figure.engaged:
                self.engaged_at_start.add(figure.name)
                self._disturb(figure.name, "he was engaged as the turn began")
            if any(state in figure.states for state in BARRING):
                self._disturb(figure.name, "he could not act as the turn began")

    def _disturb(self, name: str, why: str) -> None:
        self.disturbed.setdefault(name, []).append(why)

    def was_engaged(self, name: str) -> bool:
        """Whether a figure is engaged, or has been this turn."""
        return bool(self.figure(name).engaged) or "he was engaged" in self.disturbed.get(name, ())

    # Looking

    def figure(self, name: str) -> Figure:
        """A figure as it is now."""
        return self.state.figures[name]

    def living(self) -> list[Figure]:
        """All figures on the table, by name (M2.12)."""
        return [figure for _, figure in sorted(self.state.figures.items()) if figure.alive]

    def has(self, name: str, *states: str) -> bool:
        """Whether a figure is in one of these states."""
        held = self.figure(name).states
        return any(state in held for state in states)

    def enemies(self, name: str) -> list[Figure]:
        """The living enemies of a figure, by name."""
        side = self.figure(name).commander
        return [figure for figure in self.living() if figure.commander != side]

    def friends(self, name: str) -> list[Figure]:
        """The living friends of a figure, by name, itself left out."""
        side = self.figure(name).commander
        return [figure for figure in self.living() if figure.commander == side and figure.name != name]

    def seen(self, figure: Figure, side: str) -> bool:
        """Whether a side sees a figure: its own always, stealthy ones with elf ears alone (M1.5)."""
        if figure.commander == side:
            return True
        if AMBUSH in figure.states:
            return False
        if STEALTH not in figure.states and HIDING not in figure.states:
            return True
        return any(self.figure(name).commander == side and self.hears(name, figure) for name in self.skill)

    def hears(self, name: str, figure: Figure) -> bool:
        """Whether a figure that uses elf ears this turn sees a stealthy one (M4)."""
        ears = self.figure(name)
        reach = self.core.skills.elf_ears.reach
        return self.skill.get(name) == ELF_EARS and ears.alive and within(ears.at, figure.at, reach)

    def seen_enemies(self, name: str) -> list[Figure]:
        """The living enemies of a figure that its side sees, by name."""
        side = self.figure(name).commander
        return [figure for figure in self.enemies(name) if self.seen(figure, side)]

    def nearest_enemy(self, name: str, *, in_sight: bool) -> Figure | None:
        """The nearest enemy that is seen, of several the first by name."""
        here = self.figure(name).at
        found = [enemy for enemy in self.seen_enemies(name) if not in_sight or self.in_sight(here, enemy.at)]
        return min(found, key=lambda enemy: square(here, enemy.at), default=None)

    def in_sight(self, one: Point, other: Point) -> bool:
        """Whether nothing that blocks sight lies between two places (M1.4)."""
        return not any(
            piece.blocks_sight and touches(one, other, piece.points) for piece in self.state.terrain()
        )

    def in_contact(self, one: Point, other: Point) -> bool:
        """Whether two places are in contact (M1.3)."""
        return within(one, other, self.core.table.contact)

    def squared(self, name: str, other: str) -> int:
        """The square of the distance between two figures."""
        return square(self.figure(name).at, self.figure(other).at)

    def by_standard(self, place: Point) -> bool:
        """Whether a place lies in the field of the standard (M3)."""
        standard = self.state.standard_at()
        return standard is not None and within(standard, place, self.core.standard.reach)

    def priest(self, role: str) -> Figure | None:
        """The priest of a name, dead or alive."""
        return next((figure for figure in self.state.figures.values() if figure.priest == role), None)

    def together(self) -> bool:
        """Whether the three priests are near one another and free to act (M3)."""
        three = [self.priest(role) for role in PRIESTS]
        found = [priest for priest in three if priest is not None and priest.alive]
        reach = self.core.together.reach
        return (
            len(found) == len(PRIESTS)
            and not any(self.bars(priest.name) for priest in found)
            and all(within(one.at, other.at, reach) for one in found for other in found)
        )

    def bars(self, name: str) -> list[tuple[str, str]]:
        """The states that let a figure carry out no order now: each a reason with its ruling (M2.9)."""
        held = self.figure(name).states
        found: list[tuple[str, str]] = []
        said = {"out of action": "is out of action", "freeze": "is frozen", "rout": "routs", "flee": "flees"}
        found.extend((f"{name} {said[state]}", "M2.9") for state in BARRING if state in held)
        if AMBUSH in held:
            found.append((f"{name} lies in ambush, and springs it first", "M3"))
        if HIDING in held and not self.past(held[HIDING]):
            found.append((f"{name} hides", "M4"))
        if PREPARING in held:
            found.append((f"{name} is getting madder and madder, and only defends", "M4"))
        return found

    def may_defend(self, name: str) -> bool:
        """Whether an order to defend can be carried out: by the frozen, and by who prepares to go berserk."""
        held = self.figure(name).states
        hides = HIDING in held and not self.past(held[HIDING])
        return not hides and not any(state in held for state in (OUT, ROUT, FLEE, AMBUSH))

    def past(self, condition: Condition) -> bool:
        """Whether a state's last turn is over."""
        return condition.until is not None and condition.until < self.turn

    def has_moved(self, name: str) -> bool:
        """Whether a figure's moment in MOVE has come, or its side has moved (M2.8)."""
        return name in self.moved or self.figure(name).commander in self.sides_moved

    def rate(self, name: str, base: int, *, own: bool) -> int:
        """What is left of a rate: skills change own moves alone, the Pile and the belly all (M2.11)."""
        figure = self.figure(name)
        per_cent = 100
        if own:
            movement = self.core.skills.movement
            if name in self.skill:
                per_cent += movement[self.skill[name]]
            if name in self.attacks:
                per_cent += movement[FLATULENCE]
        if self.piled(figure) and figure.side == NOMAN:
            per_cent += self.core.illusions.pile.noman_movement
        if BELLY in figure.states:
            per_cent += self.core.illusions.bloated_belly.movement
        return base * max(0, per_cent) // 100

    def piled(self, figure: Figure) -> bool:
        """Whether the Pile works on a figure (M7.1)."""
        pile = self.state.effects.get(PILE)
        return pile is not None and figure.name not in (pile.spared or ())

    # States

    def begin(
        self,
        name: str,
        state: str,
        turns: int | None,
        cause: str | None,
        rules: Rules,
        *,
        last: int | None = None,
        word: str | None = None,
        at: Point | None = None,
        dice: Sequence[Throw] = (),
    ) -> None:
        """A state begins, for so many turns or without end; `last` where its end is fixed (M2.8).

        What has not moved yet has this turn as its first, what has moved the next. Begun again, a state
        keeps the later end and the newer cause; a newer compelling Word replaces the older (M2.9).
        """
        figure = self.figure(name)
        until = last
        if until is None and turns is not None:
            until = self.turn + turns - (0 if self.has_moved(name) else 1)
        held = figure.states.get(state)
        if held is not None and state != COMPELLED and until is not None:
            until = None if held.until is None else max(until, held.until)
        self.tell(
            e.StateBegan(
                rules=rules, figure=name, state=state, turns=turns, until=until, cause=cause, word=word,
                at=at, dice=tuple(dice),
            )
        )  # fmt: skip
        if state == SPINNING:
            self._no_longer_enemies(name)

    def end(self, name: str, state: str, rules: Rules) -> None:
        """A state ends, if the figure is in it."""
        held = self.figure(name).states.get(state)
        if held is None:
            return
        self.tell(e.StateEnded(rules=rules, figure=name, state=state, cause=held.cause))
        if state == SPINNING:
            self._no_longer_enemies(name)

    def unveil(self, name: str, by: str | None, cause: str, rules: Rules) -> None:
        """A stealthy figure is seen: its stealth and hiding are over (M4)."""
        self.tell(e.FigureSeen(rules=rules, figure=name, by=by, cause=cause))
        self.end_stealth(name, rules)

    def end_stealth(self, name: str, rules: Rules) -> None:
        """Hiding and stealth end."""
        self.end(name, HIDING, rules)
        self.end(name, STEALTH, rules)

    # Engagement

    def engage(self, one: str, other: str, rules: Rules) -> None:
        """Two figures in contact are engaged (M1.3); fighting ends stealth, and Seize is done."""
        if other in self.figure(one).engaged:
            return
        first, second = sorted((one, other))
        self.tell(e.EngagementBegan(rules=rules, figures=(first, second)))
        for name in (first, second):
            self.end_stealth(name, ("M4",))
            held = self.figure(name).states.get(COMPELLED)
            if held is not None and held.word == SEIZE:
                self.end(name, COMPELLED, ("M5.4",))

    def _part(self, one: str, other: str) -> None:
        first, second = sorted((one, other))
        self.tell(e.EngagementEnded(rules=("M1.3",), figures=(first, second)))

    def _no_longer_enemies(self, name: str) -> None:
        side = self.figure(name).commander
        for other in self.figure(name).engaged:
            if self.figure(other).commander == side:
                self._part(name, other)

    def part_all(self, name: str) -> None:
        """All engagements of a figure end: it is dead or lost."""
        for other in self.figure(name).engaged:
            self._part(name, other)

    def kill(self, name: str, by: str, cause: str, rules: Rules) -> None:
        """A figure dies; unit mates near it have a test due (M3)."""
        dead = self.figure(name)
        self.tell(e.FigureKilled(rules=rules, figure=name, by=by, cause=cause))
        self.part_all(name)
        for mate in self.state.field.units[dead.unit].members:
            if self.figure(mate).alive and within(self.figure(mate).at, dead.at, self.core.morale.mate):
                self.bereaved[mate] = by

    # Moving

    def walls(self) -> list[tuple[Point, ...]]:
        """What blocks movement now."""
        opened = len(self.state.opened)
        if self._walls is None or self._walls[0] != opened:
            self._walls = (opened, [piece.points for piece in self.state.terrain() if piece.blocks_movement])
        return self._walls[1]

    def circle(self) -> tuple[Point, int] | None:
        """The circle of a chord played this turn, which nobody enters (M6.2)."""
        chord = self.state.effects.get(CHORD)
        if chord is None or chord.turn != self.turn or chord.at is None or chord.radius is None:
            return None
        return chord.at, chord.radius

    def limits(self, name: str, *, own: bool) -> Limits:
        """What may end a move of this figure's; stealth binds own moves alone (M1.1, M4)."""
        figure = self.figure(name)
        shy_of: list[tuple[Point, int]] = []
        if own and STEALTH in figure.states:
            closest = self.core.skills.stealth.closest**2
            shy_of = [
                (enemy.at, min(closest, square(figure.at, enemy.at))) for enemy in self.seen_enemies(name)
            ]
        return Limits(self.state.field.size, self.walls(), self.circle(), shy_of)

    def travel(
        self,
        name: str,
        towards: Point,
        length: int,
        *,
        rate: str | None,
        cause: str,
        rules: Rules,
        own: bool = False,
        whole: bool = False,
        contact: Point | None = None,
        leaves: bool = False,
        dice: Sequence[Throw] = (),
    ) -> Way:
        """A figure moves, with all that follows of it at once; `leaves`: off the table if that is its way."""
        start = self.figure(name).at
        way = go(
            start,
            towards,
            length,
            self.limits(name, own=own),
            whole=whole,
            contact=None if contact is None else (contact, self.core.table.contact),
        )
        self.tell(
            e.FigureMoved(
                rules=rules, figure=name, from_=start, to=way.end, rate=rate, cause=cause, dice=tuple(dice)
            )
        )
        for other in self.figure(name).engaged:
            if not self.in_contact(way.end, self.figure(other).at):
                self._part(name, other)
        if leaves and way.off:
            self.tell(e.FigureLost(rules=("M2.10",), figure=name))
            self.part_all(name)
            return way
        self._come_near(name)
        return way

    def away_from(self, name: str, place: Point | None) -> Point:
        """The direction straight away from a place; up the table where that means nothing (M2.10)."""
        here = self.figure(name).at
        if place is None or here == place:
            return UP
        return here[0] - place[0], here[1] - place[1]

    def _come_near(self, name: str) -> None:
        """Stealthy enemies hide, and ambushes are sprung, where this figure has ended a move (M3, M4)."""
        mover = self.figure(name)
        near = self.core.skills.stealth.near
        for enemy in self.enemies(name):
            if (
                STEALTH in enemy.states
                and HIDING not in enemy.states
                and within(mover.at, enemy.at, near)
                and self.seen(mover, enemy.commander)
            ):
                if enemy.name in self.shows:
                    self.unveil(enemy.name, name, "show", ("M4",))
                else:
                    self.begin(enemy.name, HIDING, self.core.skills.stealth.hiding, name, ("M4",))
        for unit in sorted(self.state.field.units):
            if self._springs(unit, mover):
                self.spring(unit, name)

    def _springs(self, unit: str, mover: Figure) -> bool:
        lurkers = self.lurkers(unit)
        return (
            bool(lurkers)
            and lurkers[0].commander != mover.commander
            and self.seen(mover, lurkers[0].commander)
            and any(within(lurker.at, mover.at, self.core.ambush.near) for lurker in lurkers)
            and any(self.in_sight(lurker.at, mover.at) for lurker in lurkers)
        )

    def lurkers(self, unit: str) -> list[Figure]:
        """The living members of a unit that lie in ambush, in the scenario's order."""
        members = (self.figure(name) for name in self.state.field.units[unit].members)
        return [figure for figure in members if figure.alive and AMBUSH in figure.states]

    def spring(self, unit: str, cause: str) -> None:
        """An ambush is sprung: enemy units near it are surprised as a whole (M3)."""
        lurkers = self.lurkers(unit)
        side = lurkers[0].commander
        reach = self.core.ambush.surprise
        units = self.state.field.units
        surprised: list[str] = []
        for other in sorted(units):
            members = [self.figure(name) for name in units[other].members]
            foes = [figure for figure in members if figure.alive and figure.commander != side]
            if any(within(foe.at, lurker.at, reach) for foe in foes for lurker in lurkers) and not any(
                self.turn - 1 in figure.used.get(ELF_EARS, ()) for figure in members if figure.alive
            ):
                surprised.extend(foe.name for foe in foes)
        surprised.sort()
        self.tell(e.AmbushSprung(rules=("M3",), unit=unit, cause=cause, surprised=tuple(surprised)))
        for lurker in lurkers:
            self.end(lurker.name, AMBUSH, ("M3",))
        for name in surprised:
            self.begin(name, FREEZE, 1, unit, ("M3",), last=self.turn)

    # The standard

    def sift(self, names: Sequence[str], cause: str) -> tuple[list[str], list[str], list[Throw]]:
        """Who of those reached is left to the magic, and whom the standard spares, with its throws (M3)."""
        left: list[str] = []
        spared: list[str] = []
        dice: list[Throw] = []
        for name in names:
            if self.by_standard(self.figure(name).at):
                throw = self.throw(f"standard {self.turn} {name} {cause} 1", self.core.standard.die)
                dice.append(throw)
                if throw.value >= self.core.standard.spared:
                    spared.append(name)
                    continue
            left.append(name)
        return left, spared, dice

    def side_orders(self, side: str) -> MagicOrders:
        """A side's orders, none if it sent none."""
        return self.orders.get(side, SeatOrders())
