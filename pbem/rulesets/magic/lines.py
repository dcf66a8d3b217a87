"""Running order lines: whose they are, guards, `else`, and what is told of each side (M8).

A side is refused, done or failed, or a hold; what an earlier success makes needless has one skip.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import within
from pbem.rulesets.magic.names import SIDES, SideName
from pbem.rulesets.magic.orders import Alive, Condition, Hold, Line, Order, line_phase
from pbem.rulesets.magic.state import Figure
from pbem.sheet import Guard, Side

NOBODY = "nobody of that name is yours to order, or on the table and seen"
"""The one sentence for every name that cannot be used (M1.5)."""
Check: TypeAlias = tuple[object, str, str]
"""Whether something forbids the order, why, and the ruling."""


class Refused(Exception):
    """An order is refused at its moment; `unnamed`: for the sake of a name, citing M1.5 alone."""

    def __init__(self, reason: str, rules: tuple[str, ...], *, unnamed: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rules = rules
        self.unnamed = unnamed


def forbid(checks: Iterable[Check]) -> None:
    """Refuses the order if anything forbids it: all reasons, and every ruling that does."""
    found = [(reason, rule) for bad, reason, rule in checks if bad]
    if found:
        reasons = "; ".join(dict.fromkeys(reason for reason, _ in found))
        raise Refused(reasons, tuple(dict.fromkeys(rule for _, rule in found)))


def barred(battle: Battle, name: str, *rules: str) -> list[Check]:
    """What states and this turn's skill forbid any order; `rules` are cited beside M2.9."""
    found: list[Check] = [(True, reason, rule) for reason, rule in battle.bars(name)]
    found += [
        (True, reason, rule) for reason, cited in battle.bars(name) if cited == "M2.9" for rule in rules
    ]
    if battle.skill.get(name) == "light witch-fire":
        found.append((True, f"{name} lights witch-fire, and does nothing else this turn", "M4"))
    return found


def barred_by_states(battle: Battle, name: str) -> bool:
    """Whether anything but an ambush keeps a figure from acting."""
    return any(rule != "M3" for _, _, rule in barred(battle, name))


Perform: TypeAlias = Callable[[Battle, str, Order], bool]
"""Carries an order of a figure out: True if it was done, False if it failed; raises `Refused`."""


@dataclass
class Runner:
    """Runs lines of one phase; remembers which sides were refused for the sake of a name (M1.5)."""

    battle: Battle
    perform: Perform
    moment: Callable[[str], None] = lambda _: None
    """Told whenever a figure's moment has come."""
    told: set[tuple[str, int, int]] = field(default_factory=set)

    def in_file_order(
        self, side: SideName, phase: str, wanted: Callable[[Order], bool] = lambda _: True
    ) -> None:
        """A side's lines of a phase in file order, units in the scenario's order (M2.2, M2.12)."""
        for line in phase_lines(self.battle, side, phase):
            if wanted(line.sides[0].order):
                self.line(side, line)

    def by_name(self, phase: str) -> None:
        """Both sides' lines of a phase, by the names of the figures ordered (M2.12)."""
        entries: list[tuple[str, int, int, int, Line, SideName, str | None]] = []
        for place, side in enumerate(SIDES):
            for number, line in enumerate(phase_lines(self.battle, side, phase)):
                who = line.sides[0].order.who
                members, void = ordered(self.battle, side, who)
                entries.extend(
                    (name, place, number, index, line, side, name) for index, name in enumerate(members)
                )
                if void:
                    entries.append((who, place, number, len(members), line, side, None))
        entries.sort(key=lambda entry: entry[:4])
        for _, _, _, _, line, side, name in entries:
            if name is None:
                self.void(side, line)
            elif self.battle.figure(name).alive:
                self.member(side, line, name)

    def by_unit(self, phase: str) -> None:
        """Both sides' lines of a phase that a unit carries out as one, by the names written (M2.12).

        The first member that is free to act speaks for its unit, and no one figure is told of.
        """
        lines = [
            (line.sides[0].order.who, place, number, line, side)
            for place, side in enumerate(SIDES)
            for number, line in enumerate(phase_lines(self.battle, side, phase))
        ]
        for who, _, _, line, side in sorted(lines, key=lambda entry: entry[:3]):
            members, _ = ordered(self.battle, side, who)
            if not members:
                self.void(side, line)
                continue
            free = [name for name in members if not barred_by_states(self.battle, name)]
            alone = who in self.battle.state.figures
            self.member(side, line, (free or members)[0], shown=who if alone else None)

    def line(self, side: SideName, line: Line) -> None:
        """One line, for each living member of a unit."""
        members, void = ordered(self.battle, side, line.sides[0].order.who)
        for name in members:
            if self.battle.figure(name).alive:
                self.member(side, line, name)
        if void:
            self.void(side, line)

    def void(self, side: SideName, line: Line) -> None:
        """A line for somebody whom this side does not command (M1.5); a hold is never refused (M8.3)."""
        rules = ("M1.5", "M6.3") if _spun_away(self.battle, side, line.sides[0].order.who) else ("M1.5",)
        for index, attempt in enumerate(line.sides):
            if isinstance(attempt.order, Hold):
                self._skip_rest(side, None, line, index)
                return
            self._refuse(side, None, line, attempt, Refused(NOBODY, rules))

    def member(self, side: SideName, line: Line, name: str, shown: str | None = "") -> None:
        """A line for one figure: its sides in turn until one is done (M8.3); `shown` is whom events name."""
        shown = name if shown == "" else shown
        self.moment(name)
        for index, attempt in enumerate(line.sides):
            if not all(self._holds(guard, side, name) for guard in attempt.guards):
                self._skip(side, shown, line, "its condition does not hold", "M8.4")
                continue
            if isinstance(attempt.order, Hold):
                self._skip_rest(side, shown, line, index)
                return
            try:
                done = self.perform(self.battle, name, attempt.order)
            except Refused as refused:
                if not refused.unnamed:
                    self._refuse(side, shown, line, attempt, refused)
                elif (side, line.number, index) not in self.told:
                    self.told.add((side, line.number, index))
                    self._refuse(side, None, line, attempt, refused)
                continue
            if done:
                self._skip_rest(side, shown, line, index)
                return

    def _holds(self, guard: Guard[Condition], side: SideName, name: str) -> bool:
        condition = guard.condition
        figure = self.battle.state.figures.get(condition.name)
        known = figure is not None and figure.alive and self.battle.seen(figure, side)
        if figure is None or not known:
            return guard.negated
        if isinstance(condition, Alive):
            return not guard.negated
        return within(self.battle.figure(name).at, figure.at, condition.reach) is not guard.negated

    def _refuse(
        self, side: SideName, name: str | None, line: Line, attempt: Side[Order, Condition], refused: Refused
    ) -> None:
        self.battle.tell(
            e.OrderRefused(
                rules=refused.rules, side=side, figure=name, line=line.number, text=attempt.text,
                reason=refused.reason,
            )
        )  # fmt: skip

    def _skip(self, side: SideName, name: str | None, line: Line, reason: str, rule: str) -> None:
        self.battle.tell(
            e.OrderSkipped(
                rules=(rule,), side=side, figure=name, line=line.number, text=line.text, reason=reason
            )
        )

    def _skip_rest(self, side: SideName, name: str | None, line: Line, done: int) -> None:
        if done + 1 < len(line.sides):
            self._skip(side, name, line, "what came before it was done", "M8.3")


def phase_lines(battle: Battle, side: SideName, phase: str) -> list[Line]:
    """A side's readable lines of a phase, in file order."""
    return [line for line in battle.side_orders(side).lines if line_phase(line) == phase]


def ordered(battle: Battle, side: SideName, who: str) -> tuple[list[str], bool]:
    """The figures that a side orders by a name, and whether somebody it does not command is meant (M1.5)."""
    figure = battle.state.figures.get(who)
    if figure is not None:
        mine = figure.alive and figure.commander == side
        return ([who] if mine else []), not mine
    unit = battle.state.field.units.get(who)
    if unit is None or unit.side != side:
        return [], True
    living = [name for name in unit.members if battle.figure(name).alive]
    mine_too = [name for name in living if battle.figure(name).commander == side]
    return mine_too, len(mine_too) < len(living) or not living


def _spun_away(battle: Battle, side: SideName, who: str) -> bool:
    """Whether one of this side's living figures so named is commanded by the enemy (M6.3)."""
    unit = battle.state.field.units.get(who)
    names = (who,) if who in battle.state.figures else unit.members if unit is not None else ()
    figures = [battle.figure(name) for name in names]
    return any(figure.alive and figure.side == side and figure.commander != side for figure in figures)


def unnamed() -> Refused:
    """The refusal for a name that cannot be used (M1.5)."""
    return Refused(NOBODY, ("M1.5",), unnamed=True)


def find(battle: Battle, name: str, target: str) -> Figure:
    """The figure that an order names; refused if it is not there, dead or not seen (M1.5)."""
    figure = battle.state.figures.get(target)
    if figure is None or not figure.alive or not battle.seen(figure, battle.figure(name).commander):
        raise unnamed()
    return figure
