"""Wasserpferd's illusions: preparation, its judgement, and what comes into force at START (M7)."""

from pbem.events import Throw
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import morale
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import within
from pbem.rulesets.magic.glamours import disturbance, reach
from pbem.rulesets.magic.lines import Check, barred, forbid
from pbem.rulesets.magic.names import BELLY, CHUFFA, FREEZE, NOMAN, PILE, PREPARATION, key_name
from pbem.rulesets.magic.orders import Order, Prepare
from pbem.rulesets.magic.state import Figure

TURNS = 2
"""Prepared in T, cast in T + 1, in force at START of T + 2 (M7)."""


def prepare(battle: Battle, name: str, order: Order) -> bool:
    """A preparation begins (M7)."""
    assert isinstance(order, Prepare)
    figure = battle.figure(name)
    checks: list[Check] = barred(battle, name, "M7")
    checks += [
        (figure.priest != "wasserpferd", f"{name} is not Wasserpferd, and has no illusions", "M7"),
        (order.illusion not in figure.declared, f"{order.illusion} was not declared at sign-up", "M7"),
        (order.illusion in figure.used, f"{order.illusion} has been used", "M7"),
        (bool(figure.engaged), f"{name} is engaged", "M7"),
        (PREPARATION in battle.state.effects, f"{name} prepares already", "M7"),
    ]
    forbid(checks)
    battle.tell(e.IllusionBegun(rules=("M7",), caster=name, illusion=order.illusion))
    return True


def judge(battle: Battle) -> None:
    """At END of both its turns a preparation is broken, or goes on (M7)."""
    effect = battle.state.effects.get(PREPARATION)
    if effect is not None and (why := disturbance(battle, effect.cause)):
        battle.tell(
            e.IllusionBroken(rules=("M7",), caster=effect.cause, illusion=effect.illusion or "", reason=why)
        )


def in_force(battle: Battle) -> None:
    """The illusion prepared two turns ago comes into force (M7)."""
    effect = battle.state.effects.get(PREPARATION)
    if effect is None or effect.turn + TURNS > battle.turn:
        return
    caster = battle.figure(effect.cause)
    if not caster.alive:
        battle.tell(
            e.IllusionBroken(
                rules=("M7",), caster=caster.name, illusion=effect.illusion or "", reason="he died"
            )
        )
    elif effect.illusion == PILE:
        _pile(battle, caster)
    elif effect.illusion == CHUFFA:
        _chuffa_puffa(battle, caster)
    else:
        _belly(battle, caster)


def _tell(
    battle: Battle,
    caster: Figure,
    illusion: str,
    rule: str,
    *,
    throw: int | None = None,
    turns: int | None = None,
    effect: bool,
    targets: list[str],
    spared: list[str],
    dice: list[Throw],
) -> None:
    battle.tell(
        e.IllusionCast(
            rules=(rule,), caster=caster.name, illusion=illusion, throw=throw, turns=turns, effect=effect,
            targets=tuple(targets), spared=tuple(spared), dice=tuple(dice),
        )
    )  # fmt: skip


def _pile(battle: Battle, caster: Figure) -> None:
    """The whole table, for as many turns as thrown (M7.1)."""
    rules = battle.core.illusions.pile
    die = battle.throw(f"pile {battle.turn} {caster.name} 1", rules.die)
    if die.value == rules.nothing:
        _tell(
            battle, caster, PILE, "M7.1", throw=die.value, turns=0, effect=False, targets=[], spared=[],
            dice=[die],
        )  # fmt: skip
        return
    _, spared, dice = battle.sift([figure.name for figure in battle.living()], PILE)
    turns = None if die.value == rules.for_ever else die.value
    _tell(
        battle, caster, PILE, "M7.1", throw=die.value, turns=turns, effect=True, targets=[], spared=spared,
        dice=[die, *dice],
    )  # fmt: skip


def _chuffa_puffa(battle: Battle, caster: Figure) -> None:
    """Every Noman within range is charged by the beast (M7.2)."""
    far = reach(battle, battle.core.illusions.chuffa_puffa.range)
    reached = [
        figure.name
        for figure in battle.living()
        if figure.side == NOMAN and within(figure.at, caster.at, far)
    ]
    targets, spared, dice = battle.sift(reached, CHUFFA)
    _tell(
        battle, caster, CHUFFA, "M7.2", turns=1, effect=bool(targets), targets=targets, spared=spared,
        dice=dice,
    )  # fmt: skip
    for name in targets:
        morale.chuffa_puffa(battle, name)
        battle.begin(name, FREEZE, 1, caster.name, ("M7.2",), last=battle.turn)


def _belly(battle: Battle, caster: Figure) -> None:
    """Every Noman in his line of sight (M7.3)."""
    rules = battle.core.illusions.bloated_belly
    reached = [
        figure.name
        for figure in battle.living()
        if figure.side == NOMAN and battle.in_sight(caster.at, figure.at)
    ]
    targets, spared, dice = battle.sift(reached, key_name(BELLY))
    if not targets:
        _tell(battle, caster, BELLY, "M7.3", turns=0, effect=False, targets=targets, spared=spared, dice=dice)
        return
    die = battle.throw(f"belly {battle.turn} {caster.name} 1", rules.die)
    _tell(
        battle, caster, BELLY, "M7.3", throw=die.value, turns=die.value, effect=True, targets=targets,
        spared=spared, dice=[*dice, die],
    )  # fmt: skip
    for name in targets:
        battle.begin(name, BELLY, die.value, caster.name, ("M7.3",))
        figure = battle.figure(name)
        items = [item for item, worn in (("armour", figure.armour), ("shield", figure.shield)) if worn]
        if items:
            battle.tell(e.ItemsDropped(rules=("M7.3",), figure=name, items=tuple(items), at=figure.at))
