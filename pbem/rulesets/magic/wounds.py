"""Wounds: what stops them, what they do, and death (M3)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.names import BERSERK, OUT
from pbem.rulesets.magic.state import Figure

RULES = ("M3",)


def wound(battle: Battle, target: str, by: str, how: str, *, saved: bool = True) -> None:
    """One hit: a save if there is armour or shield, else a wound; `saved` False: none is thrown (M3)."""
    figure = battle.figure(target)
    if not figure.alive:
        return
    needed = _needed(battle, figure) if saved else None
    dice = []
    if needed is not None:
        number = battle.saves.get(target, 0) + 1
        battle.saves[target] = number
        die = battle.throw(f"save {battle.turn} {target} {number}", battle.core.saves.die)
        dice.append(die)
        if die.value >= needed:
            battle.tell(
                e.WoundSaved(
                    rules=RULES, figure=target, by=by, throw=die.value, needed=needed, dice=tuple(dice)
                )
            )
            return
    wounds = figure.wounds + 1
    battle.tell(e.FigureWounded(rules=RULES, figure=target, by=by, wounds=wounds, dice=tuple(dice)))
    battle.wounded[target] = by
    if how == "shot":
        battle.hit_by_shot.add(target)
    if wounds >= figure.wound_points:
        battle.kill(target, by, how, RULES)
    elif BERSERK not in figure.states:
        battle.begin(target, OUT, wounds, by, RULES)


def _needed(battle: Battle, figure: Figure) -> int | None:
    """The throw that stops a wound, or None where nothing can (M3)."""
    rules = battle.core.saves
    if figure.armour and figure.shield:
        return rules.both
    if figure.armour:
        return rules.armour
    return rules.shield if figure.shield else None
