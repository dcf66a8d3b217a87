"""FIGHT: every engaged pair once, then wounds (M2.4, M3)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.lines import Runner, barred, find, forbid
from pbem.rulesets.magic.names import (
    BARRING,
    BERSERK,
    BOCHE,
    FLATULENCE,
    HIDING,
    OUT,
    PILE,
    PREPARING,
    WITCH_FIRE,
)
from pbem.rulesets.magic.orders import Defend, Fight, Order
from pbem.rulesets.magic.state import Figure
from pbem.rulesets.magic.wounds import wound

Blow = tuple[str, str, bool]
"""Who is wounded, by whom, and whether a save may stop it."""


def phase(battle: Battle) -> None:
    """Orders for the fight, all blows by the pairs' names, then the wounds in that order (M2.4)."""
    Runner(battle, _order).by_name("fight")
    pairs = sorted(
        (figure.name, other) for figure in battle.living() for other in figure.engaged if figure.name < other
    )
    blows: list[Blow] = []
    for one, other in pairs:
        blows.extend(_pair(battle, one, other))
    for target, by, saved in blows:
        wound(battle, target, by, "blow", saved=saved)


def _order(battle: Battle, name: str, order: Order) -> bool:
    if isinstance(order, Defend):
        forbid((True, reason, rule) for reason, rule in battle.bars(name) if not battle.may_defend(name))
        battle.defending.add(name)
        return True
    assert isinstance(order, Fight)
    targets = [find(battle, name, target).name for target in order.targets]
    engaged = battle.figure(name).engaged
    forbid(
        [
            *barred(battle, name),
            (
                not any(target in engaged for target in targets),
                f"{name} is not engaged with {' or '.join(targets)}",
                "M3",
            ),
        ]
    )
    battle.narrowed[name] = tuple(targets)
    return True


def _strikes(battle: Battle, name: str, other: str) -> bool:
    """Whether a figure strikes at one that it is engaged with (M3)."""
    if battle.has(name, *BARRING, PREPARING, HIDING):
        return False
    if name in battle.defending or battle.skill.get(name) == WITCH_FIRE:
        return False
    chosen = battle.narrowed.get(name)
    return chosen is None or other in chosen or other in battle.charges.get(name, ())


def _pair(battle: Battle, one: str, other: str) -> list[Blow]:
    """The blows of one pair, and the wounds that they give (M3)."""
    strikers = [name for name, foe in ((one, other), (other, one)) if _strikes(battle, name, foe)]
    if not strikers:
        return []
    foe_of = {one: other, other: one}
    if battle.has(one, OUT) or battle.has(other, OUT):
        wounded = [foe_of[name] for name in strikers]
        battle.tell(
            e.BlowsStruck(
                rules=("M3",), figures=(one, other), strikers=tuple(strikers), throws={}, modifiers={},
                totals={}, wounded=tuple(wounded),
            )
        )  # fmt: skip
        return [(name, foe_of[name], False) for name in wounded]
    dice = [
        battle.throw(f"blow {battle.turn} {one} {other} {name} 1", battle.core.blows.die)
        for name in (one, other)
    ]
    throws = {one: dice[0].value, other: dice[1].value}
    modifiers = {name: tuple(_modifiers(battle, battle.figure(name))) for name in (one, other)}
    totals = {name: throws[name] + sum(number for _, number in modifiers[name]) for name in (one, other)}
    wounded = [foe_of[name] for name in strikers if totals[name] > totals[foe_of[name]]]
    battle.tell(
        e.BlowsStruck(
            rules=("M3",), figures=(one, other), strikers=tuple(strikers), throws=throws, modifiers=modifiers,
            totals=totals, wounded=tuple(wounded), dice=tuple(dice),
        )
    )  # fmt: skip
    return [(name, foe_of[name], True) for name in wounded]


def _modifiers(battle: Battle, figure: Figure) -> list[e.Modifier]:
    """What changes a blow, zeros left out (M3, M4, M7.1)."""
    core, skills, pile = battle.core.blows, battle.core.skills, battle.core.illusions.pile
    values = [(weapon, _weapon(battle, weapon)) for weapon in figure.weapons]
    best = max(values, key=lambda pair: pair[1], default=("none", core.none))
    found = [best]
    if BERSERK in figure.states:
        found.append((BERSERK, skills.berserk.blows))
    if figure.name in battle.attacks:
        found.append((FLATULENCE, skills.flatulence.blows))
    if battle.piled(figure):
        found.append((PILE, pile.blows if figure.side == BOCHE else pile.noman_blows))
    return [(why, number) for why, number in found if number]


def _weapon(battle: Battle, weapon: str) -> int:
    return {str(name): number for name, number in battle.core.blows.weapons.items()}.get(weapon, 0)
