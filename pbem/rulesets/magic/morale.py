"""Tests of morale, those that fall due in MORALE, and rallies (M3, M2.5)."""

from collections.abc import Sequence

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.events import Modifier
from pbem.rulesets.magic.geometry import within
from pbem.rulesets.magic.names import (
    BELLY,
    BERSERK,
    BOCHE,
    CHAPPIE,
    CHARGED,
    CHUFFA,
    FLEE,
    GOOD_BOY,
    HEARTS,
    KHYLIE,
    MATE,
    PASSED,
    PILE,
    PREPARING,
    RALLIED,
    RALLY,
    ROUT,
    WOUNDED,
)


def modifiers(battle: Battle, name: str) -> list[Modifier]:
    """What a figure adds to any test, zeros left out (M3)."""
    figure, core = battle.figure(name), battle.core
    pile = core.illusions.pile
    found = [("grade", core.morale.grades.of(figure.grade))]
    if battle.piled(figure):
        found.append((PILE, pile.morale if figure.side == BOCHE else pile.noman_morale))
    if BELLY in figure.states:
        found.append((BELLY, core.illusions.bloated_belly.morale))
    if GOOD_BOY in figure.states:
        found.append((GOOD_BOY, core.words.good_boy.morale))
    if KHYLIE in figure.states:
        found.append((KHYLIE, core.glamours.khylie.morale))
    chappie = core.skills.cheeky_chappie
    if any(
        battle.skill.get(friend.name) == CHAPPIE and within(friend.at, figure.at, chappie.reach)
        for friend in battle.friends(name)
    ):
        found.append((CHAPPIE, chappie.morale))
    return [(why, number) for why, number in found if number]


def excused(battle: Battle, name: str) -> bool:
    """Whether a figure tests no morale: berserk, or preparing for it undisturbed (M4)."""
    if battle.has(name, BERSERK):
        return True
    return battle.has(name, PREPARING) and not undone(battle, name)


def undone(battle: Battle, name: str) -> bool:
    """Whether a Berserk's preparation has been undone this turn (M4)."""
    return battle.was_engaged(name) or name in battle.hit_by_shot


def throw(battle: Battle, name: str, cause: str, extra: Sequence[Modifier], rules: tuple[str, ...]) -> str:
    """Throws and tells a test: `passed`, `flee` or `rout`; what comes of it is the caller's (M3)."""
    core = battle.core.morale
    die = battle.throw(f"morale {battle.turn} {name} {cause.replace(' ', '-')} 1", core.die)
    added = [*modifiers(battle, name), *((why, number) for why, number in extra if number)]
    total = die.value + sum(number for _, number in added)
    if cause == RALLY:
        passed = total >= core.rally
        result = RALLIED if passed else ROUT
    else:
        passed = total >= core.passes
        result = PASSED if passed else ROUT if core.passes - total >= core.rout_by else FLEE
    battle.tell(
        e.MoraleTested(
            rules=rules, figure=name, cause=cause, throw=die.value, modifiers=tuple(added), total=total,
            passed=passed, result=result, dice=(die,),
        )
    )  # fmt: skip
    return result


def _test(
    battle: Battle,
    name: str,
    cause: str,
    source: str,
    extra: Sequence[Modifier] = (),
    *,
    rules: tuple[str, ...] = ("M3",),
) -> None:
    """A test with its consequences; `source` is whom a failing figure runs from (M3, M2.10)."""
    suffer(battle, name, throw(battle, name, cause, extra, rules), source, rules)


def suffer(battle: Battle, name: str, result: str, source: str, rules: tuple[str, ...]) -> None:
    """A failed test's flee or rout begins (M3)."""
    if result == FLEE:
        battle.begin(name, FLEE, battle.core.morale.flee_turns, source, rules)
    elif result == ROUT:
        battle.begin(name, ROUT, None, source, rules)


def charged(battle: Battle, target: str, by: str) -> None:
    """A charge came into contact: the target tests, once a turn whoever charges (M3)."""
    if (target, CHARGED) in battle.tested or battle.has(target, BERSERK):
        return
    battle.tested.add((target, CHARGED))
    _test(battle, target, CHARGED, by, ((CHARGED, battle.core.morale.charged),))


def broken_hearts(battle: Battle, name: str, by: str) -> None:
    """Too Many Broken Hearts (M6.3)."""
    if not excused(battle, name):
        extra = ((HEARTS, battle.core.glamours.broken_hearts.morale),)
        _test(battle, name, HEARTS, by, extra, rules=("M6.3", "M3"))


def chuffa_puffa(battle: Battle, name: str) -> None:
    """The Chuffa-Puffa's test, whose result holds from the next START (M7.2)."""
    if not excused(battle, name):
        extra = (
            (CHARGED, battle.core.morale.charged),
            (CHUFFA, battle.core.illusions.chuffa_puffa.morale),
        )
        throw(battle, name, CHUFFA, extra, ("M7.2", "M3"))


def phase(battle: Battle) -> None:
    """MORALE: the tests due for wounds and dead mates, by name (M2.5)."""
    for figure in battle.living():
        for cause, due in ((WOUNDED, battle.wounded), (MATE, battle.bereaved)):
            if figure.name in due and not excused(battle, figure.name):
                _test(battle, figure.name, cause, due[figure.name])


def rally(battle: Battle) -> None:
    """Routing figures test last of all at END (M3)."""
    for figure in battle.living():
        if ROUT not in figure.states or excused(battle, figure.name):
            continue
        if throw(battle, figure.name, RALLY, (), ("M3",)) == RALLIED:
            battle.end(figure.name, ROUT, ("M3",))
