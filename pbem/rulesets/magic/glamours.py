"""Achtung's glamours: meditation, its judgement, and what comes into force at START (M6.3)."""

from pbem.events import Throw
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import morale
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import Point, within
from pbem.rulesets.magic.lines import Check, barred, find, forbid
from pbem.rulesets.magic.names import (
    BARRING,
    CHORD,
    FLEE,
    FREEZE,
    HEARTS,
    KHYLIE,
    MEDITATION,
    NOMAN,
    ROADBLOCK,
    SPINNING,
    TAKE_STEPS,
    key_name,
)
from pbem.rulesets.magic.orders import Meditate, Order, Spin, place_text
from pbem.rulesets.magic.state import Effect, Figure

RULES = ("M6.3",)


def reach(battle: Battle, length: int) -> int:
    """A range counted from a priest, longer while the three are together (M3)."""
    return length * battle.core.together.ranges // 100 if battle.together() else length


def off_table(battle: Battle, place: Point) -> Check:
    """Whether a place that an order names is off the table (M1.1)."""
    size = battle.state.field.size
    off = not (0 <= place[0] <= size[0] and 0 <= place[1] <= size[1])
    return off, f"{place_text(place)} is off the table", "M1.1"


def meditate(battle: Battle, name: str, order: Order) -> bool:
    """Meditation begins (M6.3)."""
    assert isinstance(order, Meditate)
    target = None if order.target is None else find(battle, name, order.target)
    figure = battle.figure(name)
    checks: list[Check] = barred(battle, name, "M6.3")
    checks += [
        (figure.priest != "achtung", f"{name} is not Achtung, and has no glamours", "M6.3"),
        (order.glamour not in figure.declared, f"{order.glamour} was not declared at sign-up", "M6.3"),
        (order.glamour in figure.used, f"{order.glamour} has been used", "M6.3"),
        (bool(figure.engaged), f"{name} is engaged", "M6.3"),
        (MEDITATION in battle.state.effects, f"{name} meditates already", "M6.3"),
        (CHORD in battle.state.effects, f"{name} recovers from the chord", "M6.2"),
    ]
    if order.at is not None:
        checks.append(off_table(battle, order.at))
    if target is not None:
        checks.append((target.side != NOMAN, f"{target.name} is no Noman", "M6.3"))
    forbid(checks)
    battle.tell(
        e.GlamourBegun(rules=RULES, caster=name, glamour=order.glamour, at=order.at, target=order.target)
    )
    return True


def disturbance(battle: Battle, name: str) -> str:
    """What broke a priest's meditation or preparation this turn, or nothing (M6.3)."""
    if found := battle.disturbed.get(name):
        return found[0]
    figure = battle.figure(name)
    if not figure.alive:
        return "he died"
    if figure.engaged:
        return "he was engaged"
    return "he could not act" if any(state in figure.states for state in BARRING) else ""


def judge(battle: Battle) -> None:
    """At END a meditation of this turn is broken, or will be in force at the next START (M6.3)."""
    effect = battle.state.effects.get(MEDITATION)
    if effect is not None and (why := disturbance(battle, effect.cause)):
        battle.tell(
            e.GlamourBroken(rules=RULES, caster=effect.cause, glamour=effect.glamour or "", reason=why)
        )


def _due(battle: Battle) -> Effect | None:
    """The meditation that comes into force now."""
    effect = battle.state.effects.get(MEDITATION)
    return effect if effect is not None and effect.turn < battle.turn else None


def spin(battle: Battle, name: str, order: Order) -> bool:
    """Spinning Around's target is named as it comes into force; out of range it is used up (M6.3)."""
    assert isinstance(order, Spin)
    target = find(battle, name, order.target)
    effect = _due(battle)
    due = effect is not None and effect.glamour == SPINNING and effect.cause == name
    forbid(
        [
            (battle.figure(name).priest != "achtung", f"{name} is not Achtung, and spins nobody", "M6.3"),
            (not due, "Spinning Around does not come into force this turn", "M6.3"),
            (target.side != NOMAN, f"{target.name} is no Noman", "M6.3"),
        ]
    )
    return _spinning(battle, name, target)


def in_force(battle: Battle) -> None:
    """The glamour meditated last turn comes into force (M6.3)."""
    effect = _due(battle)
    if effect is None:
        return
    caster = battle.figure(effect.cause)
    match effect.glamour:
        case _ if not caster.alive:
            battle.tell(
                e.GlamourBroken(
                    rules=RULES, caster=caster.name, glamour=effect.glamour or "", reason="he died"
                )
            )
        case "roadblock" if effect.at is not None:
            _roadblock(battle, caster, effect.at)
        case "too many broken hearts":
            _broken_hearts(battle, caster)
        case "better the khylie you know":
            _khylie(battle, caster)
        case "take steps":
            _take_steps(battle, caster, effect.target or "")
        case glamour:
            _tell(battle, caster.name, glamour or SPINNING, effect=False)


def _tell(
    battle: Battle,
    caster: str,
    glamour: str,
    *,
    effect: bool,
    at: Point | None = None,
    target: str | None = None,
    targets: list[str] | None = None,
    results: dict[str, int] | None = None,
    spared: list[str] | None = None,
    dice: list[Throw] | None = None,
) -> None:
    battle.tell(
        e.GlamourCast(
            rules=RULES, caster=caster, glamour=glamour, effect=effect, at=at, target=target,
            targets=None if targets is None else tuple(targets), results=results, spared=tuple(spared or ()),
            dice=tuple(dice or ()),
        )
    )  # fmt: skip


def _roadblock(battle: Battle, caster: Figure, centre: Point) -> None:
    rules = battle.core.glamours.roadblock
    if not within(caster.at, centre, reach(battle, rules.range)):
        _tell(battle, caster.name, ROADBLOCK, effect=False, at=centre)
        return
    inside = [figure.name for figure in battle.living() if within(figure.at, centre, rules.radius)]
    left, spared, dice = battle.sift(inside, ROADBLOCK)
    results: dict[str, int] = {}
    for name in left:
        die = battle.throw(f"roadblock {battle.turn} {name} 1", rules.die)
        dice.append(die)
        results[name] = die.value
    _tell(
        battle, caster.name, ROADBLOCK, effect=bool(results), at=centre, results=results, spared=spared,
        dice=dice,
    )  # fmt: skip
    for name, turns in results.items():
        if turns != rules.nothing:
            battle.begin(name, FREEZE, turns, caster.name, RULES)


def _broken_hearts(battle: Battle, caster: Figure) -> None:
    far = reach(battle, battle.core.glamours.broken_hearts.range)
    reached = [enemy.name for enemy in battle.enemies(caster.name) if within(caster.at, enemy.at, far)]
    targets, spared, dice = battle.sift(reached, key_name(HEARTS))
    _tell(battle, caster.name, HEARTS, effect=bool(targets), targets=targets, spared=spared, dice=dice)
    for name in targets:
        morale.broken_hearts(battle, name, caster.name)


def _khylie(battle: Battle, caster: Figure) -> None:
    far = reach(battle, battle.core.glamours.khylie.range)
    near = [friend.name for friend in battle.friends(caster.name) if within(caster.at, friend.at, far)]
    targets, spared, dice = battle.sift(sorted([*near, caster.name]), key_name(KHYLIE))
    _tell(battle, caster.name, KHYLIE, effect=bool(targets), targets=targets, spared=spared, dice=dice)
    for name in targets:
        battle.begin(name, KHYLIE, 1, caster.name, RULES, last=battle.turn)


def _spinning(battle: Battle, caster: str, target: Figure) -> bool:
    rules = battle.core.glamours.spinning
    if not within(battle.figure(caster).at, target.at, reach(battle, rules.range)):
        _tell(battle, caster, SPINNING, effect=False, target=target.name)
        return False
    left, spared, dice = battle.sift([target.name], key_name(SPINNING))
    _tell(
        battle, caster, SPINNING, effect=bool(left), target=target.name, spared=spared, dice=dice,
    )  # fmt: skip
    if left:
        die = battle.throw(f"spinning {battle.turn} {caster} 1", rules.die)
        battle.begin(target.name, SPINNING, die.value, caster, RULES, dice=(die,))
    return bool(left)


def _take_steps(battle: Battle, caster: Figure, named: str) -> None:
    rules = battle.core.glamours.take_steps
    target = battle.state.figures.get(named)
    if (
        target is None
        or not target.alive
        or not battle.seen(target, caster.commander)
        or not within(caster.at, target.at, reach(battle, rules.range))
    ):
        _tell(battle, caster.name, TAKE_STEPS, effect=False, target=named)
        return
    group = [
        figure.name
        for figure in battle.living()
        if figure.side == NOMAN and within(figure.at, target.at, rules.group)
    ]
    targets, spared, dice = battle.sift(group, key_name(TAKE_STEPS))
    _tell(
        battle, caster.name, TAKE_STEPS, effect=bool(targets), target=named, spared=spared, dice=dice,
    )  # fmt: skip
    for name in targets:
        battle.begin(name, FLEE, 1, caster.name, RULES)
