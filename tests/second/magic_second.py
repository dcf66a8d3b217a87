"""Magic, adjudicated a second time from the rulings alone: a test case in, its events and state out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from . import magic_data as data
from .magic_geometry import Point, covers, rounded_up, square, steps_away, steps_to, touches, within
from .magic_orders import Guard, Line, Side, read

Throw = Callable[[str, int], int]
Event = dict[str, Any]
BARS = ("out of action", "freeze", "rout", "flee")
HIDDEN = ("ambush", "hiding", "stealth")
FIGHTLESS = (*BARS, "hiding", "preparing berserk")


class CaseFails(Exception):
    """The dice of the case do not suffice: a throw without a value, or equal throws for ever."""


def adjudicate(case: dict[str, Any], throw: Throw | None = None) -> dict[str, Any]:
    """Events and state after the case's turn; `throw` takes the place of the case's dice."""
    game = Game(case, throw or from_table(case.get("dice", {})))
    game.play(case.get("orders", {}))
    return {"events": game.events, "state": game.state()}


def from_table(table: dict[str, int]) -> Throw:
    def throw(key: str, sides: int) -> int:
        value = table.get(key, table.get("default"))
        if value is None or not 1 <= value <= sides:
            raise CaseFails(f"no throw for {key}")
        return value

    return throw


def millimetres(value: int | Decimal) -> int:
    return int(Decimal(value) * 10)


def point(at: Iterable[int | Decimal]) -> Point:
    x, y = at
    return millimetres(x), millimetres(y)


def dashed(name: str) -> str:
    return name.replace(" ", "-")


def without_zeros(pairs: list[tuple[str, int]]) -> list[list[Any]]:
    return [[why, n] for why, n in pairs if n]


def other(side: str) -> str:
    return "noman" if side == "boche" else "boche"


@dataclass
class State:
    until: int | None
    cause: str
    word: str = ""


@dataclass
class Figure:
    name: str
    side: str
    unit: str
    at: Point
    grade: str = "regular"
    wound_points: int = 3
    wounds: int = 0
    weapons: list[str] = field(default_factory=list)
    armour: bool = False
    shield: bool = False
    priest: str = ""
    points: int = 1
    skills: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    used: dict[str, list[int]] = field(default_factory=dict)
    alive: bool = True
    lost: bool = False
    states: dict[str, State] = field(default_factory=dict)
    engaged: set[str] = field(default_factory=set)
    # What counts only until the turn ends:
    moment: bool = False  # M2.8: has moved
    own_move: bool = False  # its own order to move or charge is spent
    replaced: str = ""  # the ruling by which something else was its move
    shot: bool = False
    skill: str = ""  # declared this turn
    thing: str = ""  # what the skill is meant for
    shows: bool = False
    attack: bool = False  # of flatulence
    disturbed: list[str] = field(default_factory=list)
    shot_at: bool = False  # wounded by shooting
    calm_from: int = 0  # what of `disturbed` came before its berserk was declared
    wounded_by: str = ""
    mate_killed_by: str = ""
    mate_died: bool = False
    tested: set[str] = field(default_factory=set)
    saves: int = 0
    defends: bool = False
    fights: set[str] | None = None
    charged: set[str] = field(default_factory=set)

    def here(self) -> bool:
        return self.alive and not self.lost


@dataclass
class Thing:
    name: str
    kind: str
    at: Point
    opens: str
    open: bool


@dataclass
class Terrain:
    name: str
    points: list[Point]
    sight: bool
    movement: bool


class Refused(Exception):
    """What forbids an order; `whole` where no one figure is meant (M1.5)."""

    def __init__(self, *rules: str, whole: bool = False) -> None:
        super().__init__(", ".join(rules))
        self.rules, self.whole = list(rules), whole


def figure_of(row: dict[str, Any]) -> Figure:
    plain = (
        "grade", "wound_points", "wounds", "armour", "shield", "priest", "points", "alive"
    )  # fmt: skip
    return Figure(
        row["name"],
        row["side"],
        row.get("unit", row["name"]),
        point(row["at"]),
        weapons=list(row.get("weapons", [])),
        skills=list(row.get("skills", [])),
        declared=list(row.get("declared", [])),
        used={what: list(turns) for what, turns in row.get("used", {}).items()},
        engaged=set(row.get("engaged", [])),
        **{key: row[key] for key in plain if key in row},
    )


class Game:
    def __init__(self, case: dict[str, Any], throw: Throw) -> None:
        self.source = throw
        self.turn: int = case["turn"]
        self.length: int = case.get("length", 10)
        table = case.get("table", {})
        width, height = table.get("size", [120, 80])
        self.size = (millimetres(width), millimetres(height))
        self.wet = table.get("weather", "dry") == "wet"
        self.terrain = [
            Terrain(
                row["name"],
                [point(at) for at in row["points"]],
                row.get("blocks_sight", False),
                row.get("blocks_movement", False),
            )
            for row in table.get("terrain", [])
        ]
        self.things = {
            row["name"]: Thing(
                row["name"], row["kind"], point(row["at"]), row.get("opens", ""), row.get("open", False)
            )
            for row in table.get("things", [])
        }
        self.fires = [point(at) for at in case.get("fires", [])]
        self.figures = {row["name"]: figure_of(row) for row in case["figure"]}
        for figure in self.figures.values():
            for name in list(figure.engaged):
                self.figures[name].engaged.add(figure.name)
        standard = table.get("standard")
        self.bearer: Figure | None = self.figures[standard] if isinstance(standard, str) else None
        self.standard_at: Point | None = point(standard) if isinstance(standard, list) else None
        self.effects: dict[str, dict[str, Any]] = {}
        for row in case.get("running", []):
            self.run_on(row)
        self.events: list[Event] = []
        self.dice: list[dict[str, Any]] = []
        self.order = list(data.SIDES)
        self.lines: list[Line] = []
        self.circle: tuple[Point, int] | None = None
        self.spin_due = False
        self.over = False

    def run_on(self, row: dict[str, Any]) -> None:
        """What is under way as the turn begins."""
        if "effect" in row:
            effect = {key: value for key, value in row.items() if key != "effect"}
            if "at" in effect:
                effect["at"] = list(point(effect["at"]))
            if "radius" in effect:
                effect["radius"] = millimetres(effect["radius"])
            self.effects[row["effect"]] = effect
        else:
            state = State(row.get("until"), row.get("cause", row["figure"]), row.get("word", ""))
            self.figures[row["figure"]].states[row["state"]] = state

    # Telling and throwing

    def tell(self, kind: str, rules: str, **fields: Any) -> None:
        event: Event = {"kind": kind, "rules": rules.split()}
        event |= {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
        if self.dice:
            event["dice"], self.dice = self.dice, []
        self.events.append(event)

    def throw(self, key: str, sides: int) -> int:
        value = self.source(key, sides)
        self.dice.append({"key": key, "sides": sides, "value": value})
        return value

    # Who is what to whom

    def by_name(self) -> list[Figure]:
        return [self.figures[name] for name in sorted(self.figures) if self.figures[name].here()]

    def side(self, figure: Figure) -> str:
        return "boche" if "spinning around" in figure.states else figure.side

    def enemies(self, one: Figure, two: Figure) -> bool:
        return self.side(one) != self.side(two)

    def members(self, unit: str) -> list[Figure]:
        return [f for f in self.figures.values() if f.unit == unit]

    def units(self) -> list[str]:
        return list(dict.fromkeys(f.unit for f in self.figures.values()))

    def seen(self, figure: Figure, side: str) -> bool:
        """M1.5, and the elf ears of M4."""
        if self.side(figure) == side or not any(state in figure.states for state in HIDDEN):
            return True
        if "ambush" in figure.states:
            return False
        return any(
            f.skill == "elf ears" and self.side(f) == side and within(f.at, figure.at, 200)
            for f in self.by_name()
        )

    def polygons(self) -> Iterator[Terrain]:
        opened = {thing.opens for thing in self.things.values() if thing.open}
        return (terrain for terrain in self.terrain if terrain.name not in opened)

    def line_of_sight(self, one: Point, two: Point) -> bool:
        return not any(t.sight and touches(t.points, one, two) for t in self.polygons())

    def together(self) -> bool:
        priests = [f for f in self.figures.values() if f.priest and f.here()]
        return (
            len(priests) == 3
            and all(within(a.at, b.at, 100) for a in priests for b in priests)
            and not any(state in f.states for f in priests for state in (*FIGHTLESS, "ambush"))
        )

    def reach(self, limit: int) -> int:
        return limit * 3 // 2 if self.together() else limit

    def standard(self) -> Point | None:
        if self.bearer is not None:
            return None if self.bearer.lost else self.bearer.at
        return self.standard_at

    def under_standard(self, figure: Figure) -> bool:
        at = self.standard()
        return at is not None and within(figure.at, at, 200)

    def spares(self, figure: Figure, cause: str) -> bool:
        """The standard's D6 (M3)."""
        if not self.under_standard(figure):
            return False
        return self.throw(f"standard {self.turn} {figure.name} {dashed(cause)} 1", 6) >= 5

    def pile(self, figure: Figure) -> int:
        """1 for those whom the pile cheers, -1 for those whom it sickens."""
        pile = self.effects.get("pile")
        if pile is None or figure.name in pile.get("spared", []):
            return 0
        return 1 if figure.side == "boche" else -1

    # States

    def begin(
        self,
        figure: Figure,
        state: str,
        turns: int | None,
        cause: str,
        rules: str,
        *,
        rest: bool = False,
        word: str = "",
        **fields: Any,
    ) -> None:
        """M2.8; `rest`: for what the ruling counts from this turn, moved or not."""
        if not figure.here():
            return
        until: int | None = None
        if turns is not None:
            until = self.turn + turns - (0 if figure.moment and not rest else 1)
        now = figure.states.get(state)
        if now is not None and state != "compelled":
            until = None if now.until is None or until is None else max(now.until, until)
        figure.states[state] = State(until, cause, word)
        if state in BARS:
            figure.disturbed.append(state)
        extra = {"word": word} if word else {}
        self.tell(
            "state_began", rules, figure=figure.name, state=state, turns=turns, until=until, cause=cause,
            **extra, **fields,
        )  # fmt: skip

    def finish(self, figure: Figure, state: str, rules: str) -> None:
        ended = figure.states.pop(state)
        self.tell("state_ended", rules, figure=figure.name, state=state, cause=ended.cause)
        if state == "spinning around":
            self.look_at_engagements()

    def show(self, figure: Figure, by: str | None, cause: str) -> None:
        """A stealthy or hiding figure is seen."""
        self.tell("figure_seen", "M4", figure=figure.name, by=by, cause=cause)
        for state in ("hiding", "stealth"):
            if state in figure.states:
                self.finish(figure, state, "M4")

    def engage(self, one: Figure, two: Figure, rules: str) -> None:
        new = two.name not in one.engaged
        one.engaged.add(two.name)
        two.engaged.add(one.name)
        for figure in (one, two):
            figure.disturbed.append("engaged")
        if new:
            self.tell("engagement_began", rules, figures=sorted((one.name, two.name)))
        for figure in sorted((one, two), key=lambda f: f.name):
            for state in ("hiding", "stealth"):
                if state in figure.states:
                    self.finish(figure, state, "M4")
            compelled = figure.states.get("compelled")
            if compelled is not None and compelled.word == "seize":
                self.finish(figure, "compelled", "M5.4")

    def look_at_engagements(self) -> None:
        """Ends what M1.3 ends."""
        for a, b in self.pairs():
            one, two = self.figures[a], self.figures[b]
            together = one.here() and two.here() and within(one.at, two.at, data.CONTACT)
            if not together or not self.enemies(one, two):
                one.engaged.discard(b)
                two.engaged.discard(a)
                self.tell("engagement_ended", "M1.3", figures=[a, b])

    def pairs(self) -> list[tuple[str, str]]:
        return sorted({(min(f.name, n), max(f.name, n)) for f in self.figures.values() for n in f.engaged})

    # Moves

    def distance_of(self, figure: Figure, rate: str, *, own: bool) -> int:
        full = data.RATES[figure.side][rate]
        percent = 100
        if own:
            percent += data.SKILLS.get(figure.skill, 0)
            percent += 10 if figure.attack else 0
        if figure.side == "noman" and self.pile(figure):
            percent -= 25
        if "bloated belly" in figure.states:
            percent -= 75
        return full * max(percent, 0) // 100

    def may_step(self, figure: Figure, start: Point, to: Point, *, own: bool) -> bool:
        if any(t.movement and touches(t.points, start, to) for t in self.polygons()):
            return False
        if self.circle is not None:
            centre, radius = self.circle
            if square(start, centre) >= radius * radius > square(to, centre):
                return False
        if own and "stealth" in figure.states:
            for foe in self.by_name():
                if self.enemies(foe, figure) and self.seen(foe, self.side(figure)):
                    gap = square(to, foe.at)
                    if gap < 110 * 110 and gap < square(start, foe.at):
                        return False
        return True

    def on_table(self, at: Point) -> bool:
        return 0 <= at[0] <= self.size[0] and 0 <= at[1] <= self.size[1]

    def walk(
        self,
        figure: Figure,
        steps: Iterator[Point],
        *,
        rate: str | None,
        cause: str,
        rules: str,
        own: bool = False,
        runs: bool = False,
        touch: Point | None = None,
    ) -> None:
        """Step by step (M1.1); `runs`: over the table's edge, `touch`: until in contact with that place."""
        start = figure.at
        lost = False
        if touch is None or not within(start, touch, data.CONTACT):
            for step in steps:
                if not self.on_table(step):
                    lost = runs
                    break
                if not self.may_step(figure, start, step, own=own):
                    break
                figure.at = step
                if touch is not None and within(step, touch, data.CONTACT):
                    break
        if figure.at != start:
            figure.disturbed.append("moved")
        self.tell(
            "figure_moved", rules, figure=figure.name, **{"from": start}, to=figure.at, rate=rate, cause=cause
        )  # fmt: skip
        if figure.at != start:
            self.look_at_engagements()
        if lost:
            figure.lost = True
            figure.states.clear()
            self.tell("figure_lost", "M2.10", figure=figure.name)
            self.look_at_engagements()
        if not lost:
            self.come_near(figure)

    def come_near(self, mover: Figure) -> None:
        """What a move's end brings about: stealthy enemies hide or are seen, ambushes are sprung."""
        for foe in self.by_name():
            if "stealth" in foe.states and "hiding" not in foe.states and self.enemies(foe, mover):
                if not self.seen(mover, self.side(foe)) or not within(foe.at, mover.at, 100):
                    continue
                if foe.shows:
                    self.show(foe, mover.name, "show")
                else:
                    self.begin(foe, "hiding", 2, mover.name, "M4")
        for unit in sorted(self.units()):
            lurking = [f for f in self.members(unit) if f.here() and "ambush" in f.states]
            if (
                lurking
                and self.enemies(lurking[0], mover)
                and self.seen(mover, self.side(lurking[0]))
                and any(within(f.at, mover.at, 100) for f in lurking)
                and any(self.line_of_sight(f.at, mover.at) for f in lurking)
            ):
                self.spring(unit, mover.name)

    def spring(self, unit: str, cause: str) -> None:
        lurking = [f for f in self.members(unit) if f.here() and "ambush" in f.states]
        surprised: list[Figure] = []
        for foes in self.units():
            there = [f for f in self.members(foes) if f.here() and self.enemies(f, lurking[0])]
            warned = any(self.turn - 1 in f.used.get("elf ears", []) for f in self.members(foes) if f.here())
            if not warned and any(within(f.at, g.at, 200) for f in there for g in lurking):
                surprised += there
        names = sorted(f.name for f in surprised)
        self.tell("ambush_sprung", "M3", unit=unit, cause=cause, surprised=names)
        for f in lurking:
            self.finish(f, "ambush", "M3")
        for name in names:
            self.begin(self.figures[name], "freeze", 1, unit, "M3", rest=True)

    def flee(self, figure: Figure) -> None:
        """Its moment in MOVE while it routs or flees (M2.10)."""
        rate = "rout" if "rout" in figure.states else "flee"
        cause: Figure | None = self.figures.get(figure.states[rate].cause)
        if rate == "rout":
            cause = self.nearest(figure, in_sight=True)
        if cause is not None:
            limit = self.distance_of(figure, rate, own=False)
            steps = steps_away(figure.at, cause.at, limit)
            self.walk(figure, steps, rate=rate, cause=rate, rules="M2.10", runs=True)

    def nearest(self, figure: Figure, *, in_sight: bool = False) -> Figure | None:
        foes = [
            foe
            for foe in self.by_name()
            if self.enemies(foe, figure)
            and self.seen(foe, self.side(figure))
            and (not in_sight or self.line_of_sight(figure.at, foe.at))
        ]
        return min(foes, key=lambda foe: square(foe.at, figure.at), default=None)

    def charge(self, figure: Figure, target: Figure, *, rate: str, cause: str, rules: str, own: bool) -> None:
        limit = self.distance_of(figure, rate, own=own)
        steps = steps_to(figure.at, target.at, limit)
        self.walk(figure, steps, rate=rate, cause=cause, rules=rules, own=own, touch=target.at)
        if not figure.here() or not within(figure.at, target.at, data.CONTACT):
            return
        figure.charged.add(target.name)
        if "charged" not in target.tested:
            self.test(target, "charged", figure.name)
        self.engage(figure, target, "M1.3 M3")

    def compelled(self, figure: Figure) -> None:
        """Its moment in MOVE under a Word (M5)."""
        state = figure.states["compelled"]
        caster = self.figures[state.cause]
        word = state.word
        rule = data.WORD_RULE[word]
        if word == "seize":
            if figure.engaged:
                self.finish(figure, "compelled", rule)
            else:
                figure.replaced = figure.replaced or rule
                self.seize(figure)
            return
        if figure.engaged:
            return
        figure.replaced = rule
        if word == "away":
            steps = steps_away(figure.at, caster.at, self.distance_of(figure, "run", own=False))
            self.walk(figure, steps, rate="run", cause=word, rules=rule)
        else:
            rate = {"heel": "walk", "come by": "run", "fetch": "charge"}[word]
            steps = steps_to(figure.at, caster.at, self.distance_of(figure, rate, own=False))
            self.walk(figure, steps, rate=rate, cause=word, rules=rule, touch=caster.at)
        if "compelled" not in figure.states:
            return
        if word != "fetch":
            self.finish(figure, "compelled", rule)
        elif within(figure.at, caster.at, data.CONTACT):
            items = [*figure.weapons, *(["shield"] if figure.shield else [])]
            if self.bearer is figure:
                items.append("standard")
                self.bearer, self.standard_at = None, figure.at
            figure.weapons, figure.shield = [], False
            if items:
                self.tell("items_dropped", rule, figure=figure.name, items=items, at=figure.at)
            self.finish(figure, "compelled", rule)
            self.begin(figure, "flee", 1, caster.name, rule)

    def seize(self, figure: Figure) -> None:
        target = self.nearest(figure)
        if target is not None and "bloated belly" not in figure.states:
            figure.moment = True
            figure.replaced = figure.replaced or "M5.4"
            self.charge(figure, target, rate="charge", cause="seize", rules="M5.4", own=False)

    # Morale

    def excused(self, figure: Figure, cause: str) -> bool:
        if "berserk" in figure.states:
            return True
        if "preparing berserk" in figure.states and cause not in {"charged", "rally"}:
            return "engaged" not in figure.disturbed[figure.calm_from :] and not figure.shot_at
        return False

    def morale(self, figure: Figure, cause: str) -> tuple[int, list[list[Any]], int]:
        """Throw, modifiers and total."""
        cheered = any(
            f.skill == "cheeky chappie"
            and f is not figure
            and not self.enemies(f, figure)
            and within(f.at, figure.at, 200)
            for f in self.by_name()
        )
        modifiers = [
            ("grade", data.GRADES[figure.grade]),
            ("pile", self.pile(figure)),
            ("bloated belly", -2 if "bloated belly" in figure.states else 0),
            ("good boy", 2 if "good boy" in figure.states else 0),
            ("better the khylie you know", 2 if "better the khylie you know" in figure.states else 0),
            ("cheeky chappie", 2 if cheered else 0),
            ("charged", -1 if cause in {"charged", "chuffa-puffa"} else 0),
            ("chuffa-puffa", -3 if cause == "chuffa-puffa" else 0),
            ("too many broken hearts", -2 if cause == "too many broken hearts" else 0),
        ]
        kept = without_zeros(modifiers)
        throw = self.throw(f"morale {self.turn} {figure.name} {dashed(cause)} 1", 10)
        return throw, kept, throw + sum(n for _, n in kept)

    def test(self, figure: Figure, cause: str, source: str, *, later: bool = False) -> str:
        """One test and what follows; `later`: its result is only told."""
        if self.excused(figure, cause):
            return "passed"
        figure.tested.add(cause)
        throw, modifiers, total = self.morale(figure, cause)
        result = "passed" if total >= 6 else "flee" if total > 2 else "rout"
        rules = {"too many broken hearts": "M6.3", "chuffa-puffa": "M7.2"}.get(cause, "M3")
        self.tell(
            "morale_tested", rules, figure=figure.name, cause=cause, throw=throw, modifiers=modifiers,
            total=total, passed=total >= 6, result=result,
        )  # fmt: skip
        if result != "passed" and not later:
            self.begin(figure, result, 1 if result == "flee" else None, source, rules)
        return result

    # Wounds

    def hit(self, figure: Figure, by: str, cause: str, *, down: bool = False) -> None:
        """A hit, and its save (M3)."""
        if not figure.here():
            return
        needed = {(True, True): 4, (True, False): 5, (False, True): 6}.get((figure.armour, figure.shield))
        if needed is not None and not down:
            figure.saves += 1
            throw = self.throw(f"save {self.turn} {figure.name} {figure.saves}", 6)
            if throw >= needed:
                self.tell("wound_saved", "M3", figure=figure.name, by=by, throw=throw, needed=needed)
                return
        figure.wounds += 1
        figure.disturbed.append("wounded")
        figure.wounded_by = by
        if cause == "shot":
            figure.shot_at = True
        self.tell("figure_wounded", "M3", figure=figure.name, by=by, wounds=figure.wounds)
        if figure.wounds >= figure.wound_points:
            self.kill(figure, by, cause, "M3")
        elif "berserk" not in figure.states:
            self.begin(figure, "out of action", figure.wounds, by, "M3")

    def kill(self, figure: Figure, by: str | None, cause: str, rules: str) -> None:
        figure.alive = False
        figure.states.clear()
        figure.disturbed.append("died")
        self.tell("figure_killed", rules, figure=figure.name, by=by, cause=cause)
        self.look_at_engagements()
        for mate in self.members(figure.unit):
            if mate.here() and within(mate.at, figure.at, 100):
                mate.mate_died, mate.mate_killed_by = True, by or figure.name

    # The turn

    def play(self, orders: dict[str, str]) -> None:
        for seat in data.SIDES:
            self.lines += read(orders.get(seat, ""), seat, self.turn)
        for line in self.lines:
            if line.problem:
                self.refuse(line, None, [line.rule])
        self.lines = [line for line in self.lines if not line.problem]
        if self.turn == 0:
            self.sign_up()
            return
        self.start()
        self.move()
        self.words("shoot")
        self.shoot()
        self.words("fight")
        self.fight()
        for figure in self.by_name():
            if figure.wounded_by:
                self.test(figure, "wounded", figure.wounded_by)
            if figure.mate_died:
                self.test(figure, "mate", figure.mate_killed_by)
        self.words("end")
        self.end()

    # Orders

    def refuse(self, line: Line, figure: Figure | None, rules: list[str]) -> None:
        self.tell(
            "order_refused", " ".join(dict.fromkeys(rules)), side=line.seat,
            figure=figure.name if figure else None, line=line.number, text=line.text,
            reason="is forbidden by " + ", ".join(rules),
        )  # fmt: skip

    def skip(self, line: Line, figure: Figure | None, rule: str) -> None:
        self.tell(
            "order_skipped", rule, side=line.seat, figure=figure.name if figure else None,
            line=line.number, text=line.text, reason="was not needed" if rule == "M8.3" else "if",
        )  # fmt: skip

    def carry_out(self, phase: str, seats: list[str] | None = None) -> None:
        for seat in seats or list(data.SIDES):
            for line in self.lines:
                if line.seat == seat and line.phase() == phase:
                    self.carry_line(line)

    def carry_line(self, line: Line) -> None:
        figures = self.subject(line)
        if not figures:
            self.not_yours(line)
            return
        if line.phase() == "spring":
            figures = figures[:1]
        ours = [f for f in figures if self.side(f) == line.seat]
        for figure in ours:
            if figure.here():
                self.carry_for(line, figure)
        if len(ours) < len(figures):
            self.not_yours(line)

    def not_yours(self, line: Line) -> None:
        """M1.5, but a hold is never refused (M8.3)."""
        for index, side in enumerate(line.sides):
            if side.verb == "hold":
                if index + 1 < len(line.sides):
                    self.skip(line, None, "M8.3")
                return
            self.refuse(line, None, ["M1.5"])

    def carry_by_name(self, phase: str) -> None:
        """SHOOT and FIGHT are one moment for all: by name (M2.12)."""
        tasks: list[tuple[str, Line, Figure | None]] = []
        for line in self.lines:
            if line.phase() == phase:
                figures = self.subject(line)
                tasks += [(f.name, line, f) for f in figures if self.side(f) == line.seat]
                if any(self.side(f) != line.seat for f in figures):
                    tasks.append((line.sides[0].subject, line, None))
                if not figures:
                    tasks.append((line.sides[0].subject, line, None))
        for _, line, figure in sorted(tasks, key=lambda task: task[0]):
            if figure is None:
                self.not_yours(line)
            elif figure.here():
                self.carry_for(line, figure)

    def subject(self, line: Line) -> list[Figure]:
        name = line.sides[0].subject
        one = self.figures.get(name)
        if one is not None:
            return [one] if one.here() and self.side(one) == line.seat else []
        return [f for f in self.members(name) if f.here() and f.side == line.seat]

    def carry_for(self, line: Line, figure: Figure) -> None:
        who = figure if line.phase() != "spring" else None
        for index, side in enumerate(line.sides):
            if not all(self.holds(guard, line.seat, figure) for guard in side.guards):
                self.skip(line, who, "M8.4")
                continue
            try:
                done = self.do(side, figure)
            except Refused as refused:
                if not refused.whole or index not in line.told:
                    self.refuse(line, None if refused.whole else who, refused.rules)
                if refused.whole:
                    line.told.add(index)
                continue
            if done:
                if index + 1 < len(line.sides):
                    self.skip(line, who, "M8.3")
                return

    def holds(self, guard: Guard, seat: str, figure: Figure) -> bool:
        met = self.figures.get(guard.name)
        result = met is not None and met.here() and self.seen(met, seat)
        if guard.word == "near" and met is not None and result:
            result = within(figure.at, met.at, guard.limit)
        return result is guard.wanted

    def do(self, side: Side, figure: Figure) -> bool:
        match side.verb:
            case "spring":
                return self.do_spring(figure)
            case "spin":
                return self.do_spin(side, figure)
            case "speak":
                return self.do_speak(side, figure)
            case "chord":
                return self.do_chord(figure)
            case "use":
                return self.do_use(side, figure)
            case "meditate":
                return self.do_meditate(side, figure)
            case "prepare":
                return self.do_prepare(side, figure)
            case "move":
                return self.do_move(side, figure)
            case "charge":
                return self.do_charge(side, figure)
            case "shoot":
                return self.do_shoot(side, figure)
            case "fight" | "defend":
                return self.do_fight(side, figure)
            case _:
                return True

    def named(self, name: str, seat: str) -> Figure:
        """The figure of that name, as M1.5 lets it be named."""
        figure = self.figures.get(name)
        if figure is None or not figure.here() or not self.seen(figure, seat):
            raise Refused("M1.5", whole=True)
        return figure

    def barred(self, figure: Figure) -> list[str]:
        """The rulings by which states bar a figure's own orders."""
        rules = []
        if any(state in figure.states for state in BARS):
            rules += ["M2.9", "M2.10"]
        hiding = figure.states.get("hiding")
        still = hiding is not None and (hiding.until is None or hiding.until >= self.turn)
        if still or "preparing berserk" in figure.states:
            rules.append("M4")
        if figure.skill == "light witch-fire":
            rules.append("M4")
        if "ambush" in figure.states:
            rules.append("M3")
        return rules

    def do_spring(self, figure: Figure) -> bool:
        if "ambush" not in figure.states:
            raise Refused("M3")
        members = [f for f in self.members(figure.unit) if f.here() and self.side(f) == self.side(figure)]
        bars = [[rule for rule in self.barred(f) if rule != "M3"] for f in members]
        if all(bars):
            raise Refused(*bars[0])
        self.spring(figure.unit, "order")
        return True

    # START

    def start(self) -> None:
        for figure in self.by_name():
            for state in sorted(figure.states):
                until = figure.states[state].until
                if until is not None and until < self.turn and state not in {"stealth", "hiding"}:
                    self.finish(figure, state, "M2.8")
                    if state == "berserk":
                        throw = self.throw(f"berserk {self.turn} {figure.name} 1", 10)
                        turns = throw + figure.wounds
                        self.begin(figure, "out of action", turns, figure.name, "M4")
        results: dict[str, str] = {}
        source = ""
        for effect in sorted(self.effects):
            row = self.effects[effect]
            if row.get("until") is not None and row["until"] < self.turn:
                del self.effects[effect]
                self.tell("effect_ended", "M2.8", effect=effect, cause=row["cause"])
                if effect == "chuffa-puffa":
                    results, source = row["results"], row["cause"]
        for figure in self.by_name():
            figure.disturbed += [state for state in BARS if state in figure.states]
            if figure.engaged:
                figure.disturbed.append("engaged")
        for name in sorted(results):
            if results[name] != "passed":
                turns_ = 1 if results[name] == "flee" else None
                self.begin(self.figures[name], results[name], turns_, source, "M7.2")
        self.glamour()
        self.illusion()
        self.flatulence()
        for line in sorted(self.lines, key=lambda line: line.sides[0].subject if line.sides else ""):
            if line.phase() == "spring":
                self.carry_line(line)
        self.words("start")

    def words(self, phase: str) -> None:
        """Words, then the chord."""
        timed = [line for line in self.lines if line.phase() == f"timed {phase}"]
        for line in sorted(timed, key=lambda line: line.sides[0].verb == "chord"):
            self.carry_line(line)

    def do_spin(self, side: Side, figure: Figure) -> bool:
        target = self.named(side.target, self.side(figure))
        if figure.priest != "achtung" or not self.spin_due:
            raise Refused("M6.3")
        if target.side != "noman":
            raise Refused("M6.3")
        self.spin_due = False
        return self.spin_around(figure, target)

    def glamour(self) -> None:
        row = self.effects.get("meditation")
        if row is None or row["turn"] >= self.turn:
            self.carry_out("spin")
            return
        del self.effects["meditation"]
        if row["glamour"] != "spinning around":
            self.carry_out("spin")
        caster, glamour = self.figures[row["cause"]], row["glamour"]
        caster.used.setdefault(glamour, []).append(self.turn)
        match glamour:
            case "roadblock":
                self.roadblock(caster, (row["at"][0], row["at"][1]))
            case "spinning around":
                self.spin_due = True
                self.carry_out("spin")
                if self.spin_due:
                    self.spin_around(caster, None)
            case "take steps":
                self.take_steps(caster, self.figures[row["target"]])
            case _:
                self.song(caster, glamour)

    def part(self, figures: list[Figure], cause: str) -> tuple[list[Figure], list[str]]:
        """Those whom the magic reaches, and those whom the standard spares."""
        spared = [f.name for f in figures if self.spares(f, cause)]
        return [f for f in figures if f.name not in spared], spared

    def roadblock(self, caster: Figure, at: Point) -> None:
        fields: dict[str, Any] = {"caster": caster.name, "glamour": "roadblock", "at": at}
        if not within(caster.at, at, self.reach(150)):
            self.tell("glamour_cast", "M6.3", effect=False, spared=[], **fields)
            return
        there = [f for f in self.by_name() if within(f.at, at, 50)]
        reached, spared = self.part(there, "roadblock")
        results = {f.name: self.throw(f"roadblock {self.turn} {f.name} 1", 6) for f in reached}
        self.tell("glamour_cast", "M6.3", effect=bool(reached), results=results, spared=spared, **fields)
        for f in reached:
            if results[f.name] < 6:
                self.begin(f, "freeze", results[f.name], caster.name, "M6.3")

    def spin_around(self, caster: Figure, target: Figure | None) -> bool:
        fields: dict[str, Any] = {"caster": caster.name, "glamour": "spinning around"}
        if target is None or not within(target.at, caster.at, self.reach(250)):
            name = target.name if target else None
            self.tell("glamour_cast", "M6.3", effect=False, target=name, spared=[], **fields)
            return False
        reached, spared = self.part([target], "spinning around")
        self.tell("glamour_cast", "M6.3", effect=bool(reached), target=target.name, spared=spared, **fields)
        if reached:
            turns = self.throw(f"spinning {self.turn} {caster.name} 1", 6)
            self.begin(target, "spinning around", turns, caster.name, "M6.3")
            self.look_at_engagements()
        return bool(reached)

    def take_steps(self, caster: Figure, target: Figure) -> None:
        fields: dict[str, Any] = {"caster": caster.name, "glamour": "take steps", "target": target.name}
        met = target.here() and self.seen(target, self.side(caster))
        if not met or not within(target.at, caster.at, self.reach(300)):
            self.tell("glamour_cast", "M6.3", effect=False, spared=[], **fields)
            return
        there = [f for f in self.by_name() if f.side == "noman" and within(f.at, target.at, 50)]
        reached, spared = self.part(there, "take steps")
        self.tell("glamour_cast", "M6.3", effect=bool(reached), spared=spared, **fields)
        for f in reached:
            self.begin(f, "flee", 1, caster.name, "M6.3")

    def song(self, caster: Figure, glamour: str) -> None:
        hearts = glamour == "too many broken hearts"
        limit = self.reach(300 if hearts else 150)
        there = [
            f for f in self.by_name() if self.enemies(f, caster) == hearts and within(f.at, caster.at, limit)
        ]
        reached, spared = self.part(there, glamour)
        names = [f.name for f in reached]
        self.tell(
            "glamour_cast", "M6.3", caster=caster.name, glamour=glamour, effect=bool(reached),
            targets=names, spared=spared,
        )  # fmt: skip
        for f in reached:
            if hearts:
                self.test(f, glamour, caster.name)
            else:
                self.begin(f, glamour, 1, caster.name, "M6.3")

    def illusion(self) -> None:
        row = self.effects.get("preparation")
        if row is None or row["turn"] > self.turn - 2:
            return
        del self.effects["preparation"]
        caster, illusion = self.figures[row["cause"]], row["illusion"]
        caster.used.setdefault(illusion, []).append(self.turn)
        if illusion == "pile":
            self.cast_pile(caster)
        elif illusion == "chuffa-puffa":
            self.cast_chuffa(caster)
        else:
            self.cast_belly(caster)

    def cast_pile(self, caster: Figure) -> None:
        throw = self.throw(f"pile {self.turn} {caster.name} 1", 10)
        fields: dict[str, Any] = {"caster": caster.name, "illusion": "pile", "throw": throw}
        if throw == 1:
            self.tell("illusion_cast", "M7.1", effect=False, turns=0, targets=[], spared=[], **fields)
            return
        spared = self.part(self.by_name(), "pile")[1]
        turns = None if throw == 10 else throw
        until = None if turns is None else self.turn + turns - 1
        self.tell("illusion_cast", "M7.1", effect=True, turns=turns, targets=[], spared=spared, **fields)
        self.effects["pile"] = {
            "cause": caster.name, "turn": self.turn, "until": until, "spared": spared
        }  # fmt: skip

    def cast_chuffa(self, caster: Figure) -> None:
        limit = self.reach(400)
        there = [f for f in self.by_name() if f.side == "noman" and within(f.at, caster.at, limit)]
        reached, spared = self.part(there, "chuffa-puffa")
        self.tell(
            "illusion_cast", "M7.2", caster=caster.name, illusion="chuffa-puffa", throw=None, turns=1,
            effect=bool(reached), targets=[f.name for f in reached], spared=spared,
        )  # fmt: skip
        results = {}
        for f in reached:
            if not self.excused(f, "chuffa-puffa"):
                results[f.name] = self.test(f, "chuffa-puffa", caster.name, later=True)
            self.begin(f, "freeze", 1, caster.name, "M7.2")
        if reached:
            self.effects["chuffa-puffa"] = {
                "cause": caster.name, "turn": self.turn, "until": self.turn, "results": results
            }  # fmt: skip

    def cast_belly(self, caster: Figure) -> None:
        there = [
            f for f in self.by_name() if f.side == "noman" and self.line_of_sight(caster.at, f.at)
        ]  # fmt: skip
        reached, spared = self.part(there, "bloated belly")
        throw = self.throw(f"belly {self.turn} {caster.name} 1", 6) if reached else None
        self.tell(
            "illusion_cast", "M7.3", caster=caster.name, illusion="bloated belly", throw=throw,
            turns=throw or 0, effect=bool(reached), targets=[f.name for f in reached], spared=spared,
        )  # fmt: skip
        for f in reached:
            self.begin(f, "bloated belly", throw, caster.name, "M7.3")
            items = [gear for gear, worn in (("armour", f.armour), ("shield", f.shield)) if worn]
            f.armour = f.shield = False
            if items:
                self.tell("items_dropped", "M7.3", figure=f.name, items=items, at=f.at)

    def flatulence(self) -> None:
        for farter in self.by_name():
            if "flatulence" not in farter.skills or not farter.here():
                continue
            throw = self.throw(f"flatulence {self.turn} {farter.name} 1", 6)
            farter.attack = throw <= 2
            self.tell("flatulence_thrown", "M4", figure=farter.name, throw=throw, attack=farter.attack)
            if not farter.attack:
                continue
            if "stealth" in farter.states or "hiding" in farter.states:
                self.show(farter, None, "flatulence")
            for green in self.by_name():
                close = within(green.at, farter.at, 50)
                if green is farter or green.grade != "green" or not close or not self.may_recoil(green):
                    continue
                way = self.throw(f"flatulence {self.turn} {farter.name} {green.name} 1", 6) * 10
                percent = 100
                if green.side == "noman" and self.pile(green):
                    percent -= 25
                if "bloated belly" in green.states:
                    percent -= 75
                steps = steps_away(green.at, farter.at, way * max(percent, 0) // 100)
                self.walk(green, steps, rate=None, cause="flatulence", rules="M4")

    def may_recoil(self, green: Figure) -> bool:
        return not green.engaged and not any(state in green.states for state in ("out of action", "freeze"))

    # Words and chord

    def do_speak(self, side: Side, caster: Figure) -> bool:
        target = self.named(side.target, self.side(caster))
        word = side.what
        bars = [rule for rule in self.barred(caster) if rule.startswith("M2") or rule == "M3"]
        rules = ["M5", *bars] if bars else []
        near, far = self.reach(100), self.reach(200)
        if caster.priest != "schtuck" or target is caster or "word" in caster.tested:
            rules.append("M5")
        if not within(caster.at, target.at, far):
            rules.append("M5")
        if rules:
            raise Refused(*rules)
        caster.tested.add("word")
        pairs: list[tuple[str, int]] = []
        if self.under_standard(target):
            pairs.append(("standard", -20))
        if self.together():
            pairs.append(("three together", 15))
        base = data.WORDS[word][0 if within(caster.at, target.at, near) else 1]
        chance = min(100, max(0, base + sum(n for _, n in pairs)))
        throw = self.throw(f"word {self.turn} {caster.name} {dashed(word)} {target.name} 1", 100)
        self.tell(
            "word_spoken", f"M5 {data.WORD_RULE[word]}", caster=caster.name, word=word, target=target.name,
            distance=rounded_up(caster.at, target.at), chance=chance,
            modifiers=without_zeros(pairs), throw=throw, success=throw <= chance,
        )  # fmt: skip
        if throw <= chance:
            self.obey(caster, word, target)
        return throw <= chance

    def obey(self, caster: Figure, word: str, target: Figure) -> None:
        rule = data.WORD_RULE[word]
        match word:
            case "stay":
                self.begin(target, "freeze", 1, caster.name, rule)
            case "roll over":
                self.begin(target, "out of action", 1, caster.name, rule)
            case "heel" | "away" | "come by" | "fetch":
                self.begin(target, "compelled", None, caster.name, rule, word=word)
            case "seize":
                if target.engaged:
                    return
                self.begin(target, "compelled", None, caster.name, rule, word=word)
                if not any(state in target.states for state in BARS):
                    self.seize(target)
            case "gercha":
                turns = self.throw(f"gercha {self.turn} {target.name} 1", 6)
                self.begin(target, "flee", turns, caster.name, rule)
            case "leave it":
                if target.engaged and self.way_out(target, caster):
                    self.begin(target, "flee", 1, caster.name, rule)
            case "good boy":
                for f in self.by_name():
                    if not self.enemies(f, target) and within(f.at, target.at, 50):
                        self.begin(f, "good boy", 2, caster.name, rule)
                        for state in ("flee", "rout"):
                            if state in f.states:
                                self.finish(f, state, rule)

    def way_out(self, figure: Figure, caster: Figure) -> bool:
        return all(
            not self.on_table(step) or self.may_step(figure, figure.at, step, own=False)
            for step in steps_away(figure.at, caster.at, 20)
        )

    def do_chord(self, caster: Figure) -> bool:
        rules = [rule for rule in self.barred(caster) if rule.startswith("M2") or rule == "M3"]
        if rules or caster.priest != "achtung" or "chord" in self.effects:
            raise Refused("M6.2", *rules)
        radius = self.reach(300)
        throw = self.throw(f"chord {self.turn} {caster.name} 1", 10)
        there = [f for f in self.by_name() if not f.priest and within(f.at, caster.at, radius)]
        reached, spared = self.part(there, "chord")
        results = {
            f.name: next(
                row[throw - 1] for limit, row in data.RINGS if within(f.at, caster.at, limit * radius // 300)
            )
            for f in reached
        }
        self.tell(
            "chord_played", "M6.1", caster=caster.name, throw=throw, results=results, spared=spared,
            at=caster.at, radius=radius,
        )  # fmt: skip
        caster.disturbed.append("chord")
        self.circle = (caster.at, radius)
        self.effects["chord"] = {
            "cause": caster.name, "turn": self.turn, "until": self.turn + 2, "at": list(caster.at),
            "radius": radius,
        }  # fmt: skip
        meanings: dict[int, tuple[str, int | None]] = {
            2: ("flee", 1), 3: ("out of action", 1), 4: ("freeze", 1), 5: ("freeze", 2), 6: ("rout", None)
        }  # fmt: skip
        for f in reached:
            if results[f.name] > 1:
                state, turns = meanings[results[f.name]]
                self.begin(f, state, turns, caster.name, "M6.1", rest=True)
        return True

    # MOVE

    def move(self) -> None:
        self.words("move")
        throws: list[dict[str, int]] = []
        while not throws or throws[-1]["boche"] == throws[-1]["noman"]:
            if len(throws) == 100:
                raise CaseFails("the throws are equal for ever")
            number = len(throws) + 1
            throws.append(
                {side: self.throw(f"initiative {self.turn} {side} {number}", 10) for side in data.SIDES}
            )
        self.order = sorted(data.SIDES, key=lambda side: -throws[-1][side])
        self.tell("initiative_thrown", "M2.2", throws=throws, order=list(self.order))
        self.carry_out("declared", self.order)
        self.hiding_ends()
        for seat in self.order:
            for figure in self.by_name():
                if self.side(figure) == seat and figure.here():
                    self.forced(figure)
            self.carry_out("move", [seat])
            for figure in self.by_name():
                if self.side(figure) == seat:
                    figure.moment = True
            self.judge_crafts(seat)

    def hiding_ends(self) -> None:
        for figure in self.by_name():
            for state in ("hiding", "stealth"):
                row = figure.states.get(state)
                if row is not None and row.until is not None and row.until < self.turn:
                    if state == "hiding":
                        self.come_out(figure)
                    else:
                        self.finish(figure, state, "M4")

    def come_out(self, figure: Figure) -> None:
        """Its two turns of hiding are over: it is seen if an enemy is still near."""
        near = [
            foe
            for foe in self.by_name()
            if self.enemies(foe, figure)
            and self.seen(foe, self.side(figure))
            and within(foe.at, figure.at, 100)
        ]
        if near:
            self.show(figure, min(near, key=lambda foe: square(foe.at, figure.at)).name, "hiding")
        else:
            self.finish(figure, "hiding", "M4")

    def forced(self, figure: Figure) -> None:
        if any(state in figure.states for state in ("out of action", "freeze")):
            return
        if "rout" in figure.states or "flee" in figure.states:
            if figure.moment:
                return  # Seize has been its move (M2.8)
            figure.moment = True
            self.flee(figure)
        elif "compelled" in figure.states and not figure.replaced:
            figure.moment = True
            self.compelled(figure)

    def judge_crafts(self, seat: str) -> None:
        """Fires and doors, as their side has moved (M4)."""
        for f in self.by_name():
            if self.side(f) != seat or f.skill not in {"light fire", "unlock door"}:
                continue
            thing = self.things.get(f.thing)
            reason = ""
            if f.engaged:
                reason = "engaged"
            elif self.barred(f):
                reason = "barred"
            elif thing is not None and not within(thing.at, f.at, data.CONTACT):
                reason = "not in contact"
            if reason:
                self.tell("skill_failed", "M4", figure=f.name, skill=f.skill, reason=reason)
            elif f.skill == "light fire":
                self.light(f)
            elif thing is not None:
                thing.open = True
                self.tell("thing_opened", "M4", figure=f.name, thing=thing.name)

    def light(self, figure: Figure) -> None:
        thing = self.things.get(figure.thing)
        at = thing.at if thing is not None else figure.at
        if at not in self.fires:
            self.fires.append(at)
        name = thing.name if thing is not None else None
        self.tell("fire_lit", "M4", figure=figure.name, skill=figure.skill, thing=name, at=at)

    def do_use(self, side: Side, figure: Figure) -> bool:
        skill = side.what
        thing = self.things.get(side.target)
        rules = self.barred(figure)
        if rules and any(rule.startswith("M2") for rule in rules):
            rules.append("M4.2")
        if figure.engaged:
            rules += ["M4"] if skill == "berserk" else ["M4.2"]
        if figure.skill:
            rules.append("M4.2")
        if skill not in figure.skills or skill == "flatulence":
            rules.append("M4")
        recent = [turn for turn in figure.used.get(skill, []) if self.turn - 9 <= turn <= self.turn]
        forbidden = {
            "light fire": self.wet or (bool(side.target) and (thing is None or thing.kind != "fuel")),
            "light witch-fire": bool(side.target) and (thing is None or thing.kind != "fuel"),
            "unlock door": thing is None or thing.kind == "fuel" or thing.open,
            "stealth": len(recent) >= 3 or figure.attack or self.too_near(figure),
            "berserk": bool(figure.used.get("berserk")),
        }
        if forbidden.get(skill, False):
            rules.append("M4")
        if rules:
            raise Refused(*rules)
        figure.skill, figure.thing, figure.shows = skill, side.target, side.shows
        figure.disturbed.append("skill")
        figure.calm_from = len(figure.disturbed)
        if skill != "berserk":
            figure.used.setdefault(skill, []).append(self.turn)
        self.tell("skill_used", "M4", figure=figure.name, skill=skill, movement=data.SKILLS[skill])
        for state in ("hiding", "stealth"):
            if state in figure.states and skill != "stealth":
                self.finish(figure, state, "M4")
        if skill == "elf ears":
            for foe in self.by_name():
                hides = any(state in foe.states for state in ("stealth", "hiding"))
                if hides and self.enemies(foe, figure) and within(foe.at, figure.at, 200):
                    self.tell("figure_seen", "M4", figure=foe.name, by=figure.name, cause=skill)
        if skill == "berserk":
            self.begin(figure, "preparing berserk", 1, figure.name, "M4")
        if skill == "stealth":
            self.begin(figure, "stealth", 1, figure.name, "M4")
        return True

    def too_near(self, figure: Figure) -> bool:
        return any(
            self.enemies(foe, figure) and self.seen(foe, self.side(figure)) and within(foe.at, figure.at, 100)
            for foe in self.by_name()
        )

    def do_meditate(self, side: Side, figure: Figure) -> bool:
        target = self.named(side.target, self.side(figure)) if side.target else None
        glamour = side.what
        rules = self.barred(figure)
        if side.place is not None and not self.on_table(side.place):
            rules.append("M1.1")
        if rules or figure.engaged or figure.priest != "achtung" or glamour not in figure.declared:
            rules.append("M6.3")
        if glamour in figure.used or "meditation" in self.effects:
            rules.append("M6.3")
        if "chord" in self.effects:
            rules.append("M6.2")
        if target is not None and target.side != "noman":
            rules.append("M6.3")
        if rules:
            raise Refused(*rules)
        row: dict[str, Any] = {"cause": figure.name, "glamour": glamour, "turn": self.turn}
        fields: dict[str, Any] = {}
        if side.place is not None:
            fields["at"] = list(side.place)
        if target is not None:
            fields["target"] = target.name
        self.effects["meditation"] = row | fields
        self.tell("glamour_begun", "M6.3", caster=figure.name, glamour=glamour, **fields)
        return True

    def do_prepare(self, side: Side, figure: Figure) -> bool:
        illusion = side.what
        rules = self.barred(figure)
        if rules or figure.engaged or figure.priest != "wasserpferd" or illusion not in figure.declared:
            rules.append("M7")
        if figure.used or "preparation" in self.effects:
            rules.append("M7")
        if rules:
            raise Refused(*rules)
        self.effects["preparation"] = {"cause": figure.name, "illusion": illusion, "turn": self.turn}
        self.tell("illusion_begun", "M7", caster=figure.name, illusion=illusion)
        return True

    def may_move(self, figure: Figure) -> list[str]:
        rules = self.barred(figure)
        if figure.engaged:
            rules.append("M1.3")
        if figure.replaced:
            rules += ["M2.9", figure.replaced]
        if "compelled" in figure.states:
            rules.append("M2.9")
        if figure.own_move:
            rules.append("M2.2")
        return rules

    def do_move(self, side: Side, figure: Figure) -> bool:
        target = self.named(side.target, self.side(figure)) if side.target else None
        figure.moment = True
        rules = self.may_move(figure)
        if side.place is not None and not self.on_table(side.place):
            rules.append("M1.1")
        if rules:
            raise Refused(*rules)
        figure.own_move = True
        rate = "berserk" if "berserk" in figure.states else side.rate
        limit = self.distance_of(figure, rate, own=True)
        goal = target.at if target is not None else side.place
        assert goal is not None
        touch = target.at if target is not None else None
        steps = steps_to(figure.at, goal, limit)
        self.walk(figure, steps, rate=rate, cause="order", rules="M2.2", own=True, touch=touch)
        return True

    def do_charge(self, side: Side, figure: Figure) -> bool:
        target = self.named(side.target, self.side(figure))
        figure.moment = True
        rules = self.may_move(figure)
        if "bloated belly" in figure.states:
            rules.append("M7.3")
        if not self.enemies(figure, target):
            rules.append("M3")
        if rules:
            raise Refused(*rules)
        figure.own_move = True
        rate = "berserk" if "berserk" in figure.states else "charge"
        self.charge(figure, target, rate=rate, cause="order", rules="M3", own=True)
        return True

    # SHOOT

    def shoot(self) -> None:
        self.hits: list[tuple[Figure, str]] = []
        self.carry_by_name("shoot")
        for target, by in self.hits:
            self.hit(target, by, "shot")

    def do_shoot(self, side: Side, figure: Figure) -> bool:
        target = self.named(side.target, self.side(figure))
        rules = self.barred(figure)
        weapon = side.what or next((w for w in figure.weapons if w in data.SHOTS), "")
        if "bloated belly" in figure.states:
            rules.append("M7.3")
        if "berserk" in figure.states:
            rules.append("M4")
        column: int | None = None
        if weapon in figure.weapons:
            column = self.column(figure, target, weapon)
        if (
            column is None
            or figure.shot
            or figure.engaged
            or target.engaged
            or not self.enemies(figure, target)
        ):
            rules.append("M3")
        if not self.line_of_sight(figure.at, target.at):
            rules.append("M1.4")
        if rules:
            raise Refused(*rules)
        assert column is not None
        figure.shot = True
        figure.disturbed.append("shot")
        stink = any(
            f.attack and f is not figure and not self.enemies(f, figure) and within(f.at, figure.at, 50)
            for f in self.by_name()
        )
        pairs = [
            ("keen eye", 25 if figure.skill == "keen eye" else 0),
            ("flatulence", -25 if figure.attack else 0),
            ("flatulence near by", -10 if stink else 0),
            ("pile", 10 * self.pile(figure)),
        ]
        modifiers = without_zeros(pairs)
        base = data.SHOTS[weapon][column]
        assert base is not None
        chance = min(100, max(0, base + sum(n for _, n in pairs)))
        throw = self.throw(f"shot {self.turn} {figure.name} {target.name} 1", 100)
        self.tell(
            "shot_fired", "M3", figure=figure.name, target=target.name, weapon=weapon,
            distance=rounded_up(figure.at, target.at), column=data.COLUMNS[column], chance=chance,
            modifiers=modifiers, throw=throw, hit=throw <= chance,
        )  # fmt: skip
        for state in ("stealth", "hiding"):
            if state in figure.states:
                self.finish(figure, state, "M4")
        if throw <= chance:
            self.hits.append((target, figure.name))
        return throw <= chance

    def column(self, figure: Figure, target: Figure, weapon: str) -> int | None:
        """The number of the column, the strong arm's shift included; none where it does not reach."""
        number = next((n for n, c in enumerate(data.COLUMNS) if within(figure.at, target.at, c)), None)
        if number is None:
            return None
        if figure.skill == "strong arm" and weapon in data.HURLED:
            number = max(0, number - 1)
        return number if data.SHOTS[weapon][number] is not None else None

    # FIGHT

    def do_fight(self, side: Side, figure: Figure) -> bool:
        names = [self.named(name, self.side(figure)).name for name in side.names]
        rules = self.barred(figure)
        if side.verb == "defend":
            down = any(state in figure.states for state in ("out of action", "rout", "flee"))
            if down or "hiding" in figure.states or "ambush" in figure.states:
                raise Refused(*rules)
            figure.defends = True
        else:
            if not set(names) & figure.engaged:
                rules.append("M3")
            if rules:
                raise Refused(*rules)
            figure.fights = set(names)
        return True

    def strikes(self, figure: Figure, foe: Figure) -> bool:
        if figure.defends or figure.skill == "light witch-fire":
            return False
        if any(state in figure.states for state in FIGHTLESS):
            return False
        return figure.fights is None or foe.name in figure.fights | figure.charged

    def blow_modifiers(self, figure: Figure) -> list[list[Any]]:
        best = max(figure.weapons, key=lambda w: data.BLOWS[w], default="none")
        modifiers = [
            (best, data.BLOWS.get(best, -1)),
            ("berserk", 2 if "berserk" in figure.states else 0),
            ("flatulence", 2 if figure.attack else 0),
            ("pile", self.pile(figure)),
        ]
        return without_zeros(modifiers)

    def fight(self) -> None:
        self.carry_by_name("fight")
        hits: list[tuple[Figure, str, bool]] = []
        for a, b in self.pairs():
            both = [self.figures[a], self.figures[b]]
            strikers = [f.name for f, foe in (both, both[::-1]) if self.strikes(f, foe)]
            if not strikers:
                continue
            for name in strikers:
                self.figures[name].disturbed.append("struck")
            down = [f.name for f in both if "out of action" in f.states]
            throws: dict[str, int] = {}
            modifiers: dict[str, list[list[Any]]] = {}
            totals: dict[str, int] = {}
            wounded = down
            if not down:
                for f in both:
                    throws[f.name] = self.throw(f"blow {self.turn} {a} {b} {f.name} 1", 10)
                    modifiers[f.name] = self.blow_modifiers(f)
                    totals[f.name] = throws[f.name] + sum(n for _, n in modifiers[f.name])
                wounded = [
                    f.name for f, foe in (both, both[::-1])
                    if foe.name in strikers and totals[foe.name] > totals[f.name]
                ]  # fmt: skip
            self.tell(
                "blows_struck", "M3", figures=[a, b], strikers=strikers, throws=throws, modifiers=modifiers,
                totals=totals, wounded=wounded,
            )  # fmt: skip
            hits += [(self.figures[name], b if name == a else a, bool(down)) for name in wounded]
        for target, by, helpless in hits:
            self.hit(target, by, "blow", down=helpless)

    # END

    def end(self) -> None:
        for f in self.by_name():
            if f.skill == "light witch-fire":
                thing = self.things.get(f.thing)
                reason = ""
                if "wounded" in f.disturbed or "engaged" in f.disturbed:
                    reason = "wounded or engaged"
                elif thing is not None and not within(thing.at, f.at, data.CONTACT):
                    reason = "not in contact"
                if reason:
                    self.tell("skill_failed", "M4", figure=f.name, skill=f.skill, reason=reason)
                else:
                    self.light(f)
        for f in self.by_name():
            if "preparing berserk" in f.states:
                self.judge_berserk(f)
        for f in self.by_name():
            mates = [m for m in self.members(f.unit) if m.here() and m is not f]
            if f.skill == "cheeky chappie" and mates and f.here():
                throw = self.throw(f"chappie {self.turn} {f.name} 1", 6)
                self.tell("chappie_judged", "M4", figure=f.name, throw=throw, killed=throw == 6)
                if throw == 6:
                    self.kill(f, f.unit, "cheeky chappie", "M4")
        for effect, turns in (("meditation", 1), ("preparation", 2)):
            row = self.effects.get(effect)
            if row is not None and self.turn - row["turn"] < turns:
                caster = self.figures[row["cause"]]
                if caster.disturbed:
                    self.break_off(effect, caster.disturbed[0])
        for f in self.by_name():
            if "rout" in f.states and "berserk" not in f.states:
                throw, modifiers, total = self.morale(f, "rally")
                passed = total >= 8
                self.tell(
                    "morale_tested", "M3", figure=f.name, cause="rally", throw=throw, modifiers=modifiers,
                    total=total, passed=passed, result="rallied" if passed else "rout",
                )  # fmt: skip
                if passed:
                    self.finish(f, "rout", "M3")
        standing = {f.side for f in self.figures.values() if f.here()}
        if self.turn >= self.length or len(standing) < 2:
            self.over = True
            points = self.points()
            winner = max(points, key=lambda side: points[side])
            even = points["boche"] == points["noman"]
            self.tell("battle_ended", "M1.2", points=points, winner=None if even else winner)

    def judge_berserk(self, f: Figure) -> None:
        if "engaged" in f.disturbed[f.calm_from :] or f.shot_at:
            self.tell("skill_failed", "M4", figure=f.name, skill="berserk", reason="disturbed")
        else:
            f.used.setdefault("berserk", []).append(self.turn)
            self.begin(f, "berserk", 3, f.name, "M4")

    def break_off(self, effect: str, reason: str) -> None:
        row = self.effects.pop(effect)
        if effect == "meditation":
            self.tell("glamour_broken", "M6.3", caster=row["cause"], glamour=row["glamour"], reason=reason)
        else:
            self.tell("illusion_broken", "M7", caster=row["cause"], illusion=row["illusion"], reason=reason)

    # Sign-up

    def sign_up(self) -> None:
        named: dict[str, list[Figure]] = {}
        for line in self.lines:
            if line.sides[0].verb.startswith("declare"):
                self.declare(line)
            if line.sides[0].verb == "skills":
                self.name_skilled(line, named)
        for unit in self.units():
            self.throw_skills(unit, named.get(unit, []))
        for line in self.lines:
            if line.sides[0].verb == "ambush":
                self.set_ambush(line)

    def declare(self, line: Line) -> None:
        side = line.sides[0]
        rule = "M6.3" if side.verb == "declare glamours" else "M7"
        caster = next(
            (f for f in self.figures.values() if f.priest == side.subject and f.here()), None
        )  # fmt: skip
        if caster is None or caster.side != line.seat or caster.declared:
            self.refuse(line, None, [rule])
            return
        caster.declared = list(side.names)
        self.tell("magic_declared", rule, caster=caster.name, declared=caster.declared)

    def name_skilled(self, line: Line, named: dict[str, list[Figure]]) -> None:
        side = line.sides[0]
        members = [f for f in self.members(side.subject) if f.here() and f.side == line.seat]
        if not members:
            one = self.figures.get(side.subject)
            self.refuse(line, None, ["M8.6" if one is not None and one.side == line.seat else "M1.5"])
            return
        wanted = [f for name in side.names for f in members if f.name == name and not f.priest]
        if len(wanted) < len(side.names):
            self.refuse(line, None, ["M4.1"])
            return
        named[side.subject] = wanted

    def throw_skills(self, unit: str, first: list[Figure]) -> None:
        members = [f for f in self.members(unit) if f.here() and not f.priest]
        if not members:
            return
        throws: list[int] = []
        skilled = 0
        rest = len(members)
        while rest > 0:
            number = min(rest, 30)
            throws.append(self.throw(f"skills 0 {unit} {len(throws) + 1}", 6))
            row = next(row for limit, row in data.SKILLED if number <= limit)
            skilled += row[(throws[-1] - 1) // 2]
            rest -= number
        figures: dict[str, list[str]] = {}
        for f in list({f.name: f for f in [*first, *members]}.values())[:skilled]:
            pair = [data.SKILL_OF_THROW[self.throw(f"skill 0 {f.name} {n}", 10) - 1] for n in (1, 2)]
            f.skills = list(dict.fromkeys(pair))
            figures[f.name] = list(f.skills)
        self.tell(
            "skills_thrown", "M4.1", unit=unit, members=len(members), throws=throws, skilled=skilled,
            figures=figures,
        )  # fmt: skip

    def set_ambush(self, line: Line) -> None:
        side = line.sides[0]
        members = [f for f in self.members(side.subject) if f.here() and f.side == line.seat]
        if not members:
            one = self.figures.get(side.subject)
            self.refuse(line, None, ["M8.6" if one is not None and one.side == line.seat else "M1.5"])
            return
        rules = []
        if any("flatulence" in f.skills for f in members):
            rules.append("M4")
        if any("ambush" in f.states for f in members):
            rules.append("M3")
        places = [f.at for f in members]
        if side.place is not None:
            dx, dy = side.place[0] - places[0][0], side.place[1] - places[0][1]
            places = [(x + dx, y + dy) for x, y in places]
        if not all(self.on_table(at) for at in places):
            rules.append("M1.1")
        if any(t.movement and covers(t.points, at) for t in self.polygons() for at in places):
            rules.append("M8.6")
        if rules:
            self.refuse(line, None, rules)
            return
        for f, at in zip(members, places, strict=True):
            f.at = at
            self.begin(f, "ambush", None, f.unit, "M3", at=at)

    # Afterwards

    def points(self) -> dict[str, int]:
        return {
            side: sum(f.points for f in self.figures.values() if f.side == other(side) and not f.here())
            for side in data.SIDES
        }

    def state(self) -> dict[str, Any]:
        return {
            "ruleset": "magic",
            "turn": self.turn,
            "phase": "ended" if self.over else "open",
            "figures": {f.name: self.row(f) for f in self.figures.values()},
            "effects": self.effects,
            "fires": [list(at) for at in self.fires],
            "open": sorted(thing.name for thing in self.things.values() if thing.open),
            "points": self.points(),
        }

    def row(self, f: Figure) -> dict[str, Any]:
        states: dict[str, Any] = {}
        for name, state in f.states.items():
            states[name] = {"until": state.until, "cause": state.cause}
            if state.word:
                states[name]["word"] = state.word
        return {
            "side": f.side,
            "unit": f.unit,
            "at": None if f.lost else list(f.at),
            "wounds": f.wounds,
            "states": states,
            "skills": f.skills,
            "armour": f.armour,
            "shield": f.shield,
            "weapons": f.weapons,
            "alive": f.here(),
            "engaged": sorted(f.engaged),
            "used": f.used,
            "declared": f.declared,
        }


__all__ = ["CaseFails", "Throw", "adjudicate"]
