"""Turn 0: declarations, skills, ambushes (M4.1, M6.3, M7, M8.6)."""

from collections.abc import Callable

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.data import AllocationColumn
from pbem.rulesets.magic.geometry import in_polygon
from pbem.rulesets.magic.glamours import off_table
from pbem.rulesets.magic.lines import NOBODY, Check, Refused, forbid, phase_lines
from pbem.rulesets.magic.names import AMBUSH, BOCHE, FLATULENCE, SIDES, SKILLS, SideName
from pbem.rulesets.magic.orders import Declare, LayAmbush, Line, NameSkilled, Order
from pbem.rulesets.magic.state import Unit


def phase(battle: Battle) -> None:
    """Declarations and who comes first for skills, the skills themselves, then ambushes."""
    first: dict[str, tuple[str, ...]] = {}

    def perform(side: SideName, order: Order) -> None:
        if isinstance(order, Declare):
            _declare(battle, side, order)
        elif isinstance(order, NameSkilled):
            _name_skilled(battle, side, order, first)
        elif isinstance(order, LayAmbush):
            _lay_ambush(battle, side, order)

    for kinds in ((Declare, NameSkilled), (LayAmbush,)):
        for side in SIDES:
            for line in phase_lines(battle, side, "sign-up"):
                if isinstance(line.sides[0].order, kinds):
                    _run(battle, side, line, perform)
        if Declare in kinds:
            for unit in battle.state.field.units.values():
                _throw_skills(battle, unit, first.get(unit.name, ()))


def _run(battle: Battle, side: SideName, line: Line, perform: Callable[[SideName, Order], None]) -> None:
    """The sides of a sign-up line in turn until one is done (M8.3)."""
    for index, attempt in enumerate(line.sides):
        figures = battle.state.figures
        for guard in attempt.guards:
            figure = figures.get(guard.condition.name)
            holds = figure is not None and figure.alive and not hasattr(guard.condition, "reach")
            if holds is guard.negated:
                _skip(battle, side, line, "its condition does not hold", "M8.4")
                break
        else:
            try:
                perform(side, attempt.order)
            except Refused as refused:
                battle.tell(
                    e.OrderRefused(
                        rules=refused.rules, side=side, figure=None, line=line.number, text=attempt.text,
                        reason=refused.reason,
                    )
                )  # fmt: skip
                continue
            if index + 1 < len(line.sides):
                _skip(battle, side, line, "what came before it was done", "M8.3")
            return


def _skip(battle: Battle, side: SideName, line: Line, reason: str, rule: str) -> None:
    battle.tell(
        e.OrderSkipped(rules=(rule,), side=side, figure=None, line=line.number, text=line.text, reason=reason)
    )


def _declare(battle: Battle, side: SideName, order: Declare) -> None:
    """Glamours or the illusion are declared publicly (M6.3, M7)."""
    rule = "M6.3" if order.priest == "achtung" else "M7"
    priest = battle.priest(order.priest)
    checks: list[Check] = [
        (side != BOCHE or priest is None or not priest.alive, f"there is no {order.priest} of yours", rule),
        (priest is not None and bool(priest.declared), "that has been declared already", rule),
        (
            order.priest == "achtung" and len(order.names) > battle.core.glamours.most,
            f"at most {battle.core.glamours.most} glamours may be declared",
            rule,
        ),
    ]
    forbid(checks)
    assert priest is not None
    battle.tell(e.MagicDeclared(rules=(rule,), caster=priest.name, declared=order.names))


def _own_unit(battle: Battle, side: SideName, who: str) -> Unit:
    unit = battle.state.field.units.get(who)
    if unit is None and who in battle.state.figures and battle.figure(who).side == side:
        unit = battle.state.field.units[battle.figure(who).unit]
        raise Refused(f"{who} is one of the unit {unit.name}; order the unit", ("M8.6",))
    if unit is None or unit.side != side or not any(battle.figure(name).alive for name in unit.members):
        raise Refused(NOBODY, ("M1.5",))
    return unit


def _name_skilled(
    battle: Battle, side: SideName, order: NameSkilled, first: dict[str, tuple[str, ...]]
) -> None:
    """Who comes first when a unit's skills are thrown for (M4.1)."""
    unit = _own_unit(battle, side, order.who)
    checks: list[Check] = []
    for name in order.names:
        figure = battle.state.figures.get(name)
        if figure is None or not figure.alive or figure.side != side:
            raise Refused(NOBODY, ("M1.5",))
        checks += [
            (figure.unit != unit.name, f"{name} is not of {unit.name}", "M4.1"),
            (figure.priest is not None, f"{name} is a priest", "M4.1"),
        ]
    forbid(checks)
    first[unit.name] = (*first.get(unit.name, ()), *order.names)


def skilled(columns: list[AllocationColumn], rows: tuple[int, ...], members: int, throw: int) -> int:
    """How many of so many members have skills, by the throw (M4.1)."""
    row = next(index for index, most in enumerate(rows) if throw <= most)
    column = next(column for column in columns if members <= column.members)
    return column.skilled[row]


def _throw_skills(battle: Battle, unit: Unit, first: tuple[str, ...]) -> None:
    """A unit throws for how many, and each of those for what (M4.1)."""
    rules = battle.core.allocation
    members = [
        name for name in unit.members if battle.figure(name).alive and battle.figure(name).priest is None
    ]
    if not members:
        return
    most = rules.columns[-1].members
    dice = []
    throws: list[int] = []
    count, rest = 0, len(members)
    while rest > 0:
        die = battle.throw(f"skills 0 {unit.name} {len(throws) + 1}", rules.die)
        dice.append(die)
        throws.append(die.value)
        count += skilled(rules.columns, rules.throws, min(rest, most), die.value)
        rest -= most
    order = list(dict.fromkeys((*first, *members)))[:count]
    figures: dict[str, tuple[str, ...]] = {}
    for name in order:
        made = [battle.throw(f"skill 0 {name} {number}", rules.skill_die) for number in (1, 2)]
        dice.extend(made)
        figures[name] = tuple(dict.fromkeys(SKILLS[die.value - 1] for die in made))
    battle.tell(
        e.SkillsThrown(
            rules=("M4.1",), unit=unit.name, members=len(members), throws=tuple(throws), skilled=len(order),
            figures=figures, dice=tuple(dice),
        )
    )  # fmt: skip


def _lay_ambush(battle: Battle, side: SideName, order: LayAmbush) -> None:
    """A unit is set down hidden, its members as the scenario spaces them (M3, M8.6)."""
    unit = _own_unit(battle, side, order.who)
    figures = [battle.figure(name) for name in unit.members if battle.figure(name).alive]
    origin = figures[0].at
    goal = origin if order.at is None else order.at
    places = {
        figure.name: (figure.at[0] - origin[0] + goal[0], figure.at[1] - origin[1] + goal[1])
        for figure in figures
    }
    checks: list[Check] = [
        (
            any(FLATULENCE in figure.skills for figure in figures),
            f"{unit.name} has a flatulent member, and never lies in ambush",
            "M4",
        ),
        (any(AMBUSH in figure.states for figure in figures), f"{unit.name} lies in ambush already", "M3"),
    ]
    for name, place in places.items():
        if order.at is not None:
            checks.append(off_table(battle, place))
            checks.append(
                (
                    any(in_polygon(place, wall) for wall in battle.walls()),
                    f"{name} would stand in terrain that blocks movement",
                    "M8.6",
                )
            )
            checks.append(
                (
                    unit.zone is not None and not in_polygon(place, unit.zone),
                    f"{name} would stand outside the zone of {unit.name}",
                    "M8.6",
                )
            )
    forbid(checks)
    for name, place in places.items():
        battle.begin(name, AMBUSH, None, unit.name, ("M3", "M8.6"), at=place)
