"""SHOOT: all shots are thrown, then wounds are applied (M2.3, M3)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import distance, square, within
from pbem.rulesets.magic.lines import Check, Runner, barred, find, forbid
from pbem.rulesets.magic.names import (
    BELLY,
    BERSERK,
    BOCHE,
    FLATULENCE,
    KEEN_EYE,
    PILE,
    STRONG_ARM,
)
from pbem.rulesets.magic.orders import SHOOTING_WEAPONS, Order, Shoot
from pbem.rulesets.magic.state import Figure
from pbem.rulesets.magic.wounds import wound

Hit = tuple[str, str]
"""Who was hit, and by whom."""


def phase(battle: Battle) -> None:
    """All shots by the shooters' names, then the wounds in that order (M2.3, M2.12)."""
    hits: list[Hit] = []

    def perform(battle: Battle, name: str, order: Order) -> bool:
        assert isinstance(order, Shoot)
        return _shoot(battle, name, order, hits)

    Runner(battle, perform).by_name("shoot")
    for target, by in hits:
        wound(battle, target, by, "shot")


def forecast(battle: Battle, name: str, order: Order) -> bool:
    """A shot by itself, its wound left out."""
    assert isinstance(order, Shoot)
    return _shoot(battle, name, order, [])


def _shoot(battle: Battle, name: str, order: Shoot, hits: list[Hit]) -> bool:
    target = find(battle, name, order.target)
    figure = battle.figure(name)
    weapon = order.weapon or next((held for held in figure.weapons if held in SHOOTING_WEAPONS), None)
    column = None if weapon is None else _column(battle, name, weapon, square(figure.at, target.at))
    checks: list[Check] = barred(battle, name)
    checks += [
        (BERSERK in figure.states, f"{name} is berserk", "M4"),
        (BELLY in figure.states, f"{name}'s belly is bloated", "M7.3"),
        (name in battle.shot, f"{name} has shot this turn", "M3"),
        (target.commander == figure.commander, f"{target.name} is no enemy of {name}'s", "M3"),
        (weapon is None, f"{name} has nothing to shoot with", "M3"),
        (weapon is not None and weapon not in figure.weapons, f"{name} has no {weapon}", "M3"),
        (bool(figure.engaged), f"{name} is engaged", "M3"),
        (bool(target.engaged), f"{target.name} is engaged", "M3"),
        (weapon is not None and column is None, f"{target.name} is out of range", "M3"),
        (not battle.in_sight(figure.at, target.at), f"{target.name} is out of sight", "M1.4"),
    ]
    forbid(checks)
    assert weapon is not None
    assert column is not None
    rules = battle.core.shooting
    modifiers = _modifiers(battle, figure)
    chance = rules.chances[weapon][column] + sum(number for _, number in modifiers)  # type: ignore[index]
    chance = max(0, min(rules.die, chance))
    die = battle.throw(f"shot {battle.turn} {name} {target.name} 1", rules.die)
    hit = die.value <= chance
    battle.shot.add(name)
    battle.tell(
        e.ShotFired(
            rules=("M3",), figure=name, target=target.name, weapon=weapon,
            distance=distance(figure.at, target.at), column=rules.columns[column], chance=chance,
            modifiers=tuple(modifiers), throw=die.value, hit=hit, dice=(die,),
        )
    )  # fmt: skip
    battle.end_stealth(name, ("M4",))
    if hit:
        hits.append((target.name, name))
    return hit


def _column(battle: Battle, name: str, weapon: str, gap: int) -> int | None:
    """The column that counts at a distance whose square is `gap`; None if that is out of range (M3)."""
    rules = battle.core.shooting
    column = next((index for index, far in enumerate(rules.columns) if gap <= far * far), None)
    if column is None:
        return None
    hurled = dict(rules.hurled.items()).get(weapon, False)  # type: ignore[call-overload]
    if hurled and battle.skill.get(name) == STRONG_ARM:
        column = max(0, column - battle.core.skills.strong_arm.columns)
    chances = dict(rules.chances.items()).get(weapon, ())  # type: ignore[call-overload]
    return column if column < len(chances) else None


def _modifiers(battle: Battle, figure: Figure) -> list[e.Modifier]:
    """What changes a shot's chance, zeros left out (M3, M4, M7.1)."""
    rules, pile = battle.core.skills, battle.core.illusions.pile
    found: list[e.Modifier] = []
    if battle.skill.get(figure.name) == KEEN_EYE:
        found.append((KEEN_EYE, rules.keen_eye.shooting))
    if figure.name in battle.attacks:
        found.append((FLATULENCE, rules.flatulence.shooting))
    if any(
        friend.name in battle.attacks and within(friend.at, figure.at, rules.flatulence.near)
        for friend in battle.friends(figure.name)
    ):
        found.append(("flatulence near by", rules.flatulence.shooting_near))
    if battle.piled(figure):
        found.append((PILE, pile.shooting if figure.side == BOCHE else pile.noman_shooting))
    return [(why, number) for why, number in found if number]
