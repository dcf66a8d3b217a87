"""Schtuck's Words of Power, and when Words and the Chord are timed for (M5, M2.7)."""

from pbem.rulesets.magic import chord, movement
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import distance, go, square, within
from pbem.rulesets.magic.glamours import reach
from pbem.rulesets.magic.lines import Check, Runner, barred, find, forbid
from pbem.rulesets.magic.movement import WORD_RULES
from pbem.rulesets.magic.names import (
    AWAY,
    BARRING,
    COME_BY,
    COMPELLED,
    FETCH,
    FLEE,
    FREEZE,
    GERCHA,
    GOOD_BOY,
    HEEL,
    LEAVE_IT,
    OUT,
    ROLL_OVER,
    ROUT,
    SEIZE,
    SIDES,
    STAY,
    key_name,
)
from pbem.rulesets.magic.orders import Order, Play, Speak


def timed(battle: Battle, phase: str) -> None:
    """What comes at the beginning of a phase: Words, then the Chord (M2.7)."""
    for wanted in (_is_word, _is_chord):
        for side in SIDES:
            Runner(battle, perform).in_file_order(side, f"timed {phase}", wanted)


def _is_word(order: Order) -> bool:
    return isinstance(order, Speak)


def _is_chord(order: Order) -> bool:
    return isinstance(order, Play)


def perform(battle: Battle, name: str, order: Order) -> bool:
    """A Word or the Chord at its time (M2.7)."""
    if isinstance(order, Play):
        return chord.play(battle, name, order)
    assert isinstance(order, Speak)
    return speak(battle, name, order)


def speak(battle: Battle, name: str, order: Speak) -> bool:
    """A Word is spoken, if it may be and reaches that far; heeded or not (M5)."""
    target = find(battle, name, order.target)
    figure = battle.figure(name)
    rules = battle.core.words
    bands = [reach(battle, band) for band in rules.bands]
    gap = square(figure.at, target.at)
    band = next((index for index, far in enumerate(bands) if gap <= far * far), None)
    checks: list[Check] = barred(battle, name, "M5")
    checks += [
        (figure.priest != "schtuck", f"{name} is not Schtuck, and has no Words of Power", "M5"),
        (name in battle.spoken, f"{name} has spoken this turn", "M5"),
        (target.name == name, f"{name} speaks to nobody who is himself", "M5"),
        (band is None, f"{target.name} is farther than {bands[-1]} mm away", "M5"),
    ]
    forbid(checks)
    assert band is not None
    modifiers: list[e.Modifier] = []
    if battle.by_standard(target.at):
        modifiers.append(("standard", battle.core.standard.words))
    if battle.together():
        modifiers.append(("three together", battle.core.together.words))
    modifiers = [(why, number) for why, number in modifiers if number]
    chance = rules.chances[order.word][band] + sum(number for _, number in modifiers)
    chance = max(0, min(rules.die, chance))
    battle.spoken.add(name)
    die = battle.throw(f"word {battle.turn} {name} {key_name(order.word)} {target.name} 1", rules.die)
    success = die.value <= chance
    battle.tell(
        e.WordSpoken(
            rules=("M5", WORD_RULES[order.word]), caster=name, word=order.word, target=target.name,
            distance=distance(figure.at, target.at), chance=chance, modifiers=tuple(modifiers),
            throw=die.value, success=success, dice=(die,),
        )
    )  # fmt: skip
    if success:
        _heed(battle, name, order.word, target.name)
    return success


def _heed(battle: Battle, caster: str, word: str, target: str) -> None:
    """What a Word does to whom it reached (M5.1 to M5.10)."""
    rules = (WORD_RULES[word],)
    engaged = bool(battle.figure(target).engaged)
    if word == STAY:
        battle.begin(target, FREEZE, 1, caster, rules)
    elif word == ROLL_OVER:
        battle.begin(target, OUT, 1, caster, rules)
    elif word in {HEEL, AWAY, COME_BY, FETCH}:
        battle.begin(target, COMPELLED, None, caster, rules, word=word)
    elif word == SEIZE:
        if not engaged:
            battle.begin(target, COMPELLED, None, caster, rules, word=word)
            if not battle.has(target, *BARRING):
                movement.seize(battle, target)
    elif word == GERCHA:
        die = battle.throw(f"gercha {battle.turn} {target} 1", battle.core.words.gercha_die)
        battle.begin(target, FLEE, die.value, caster, rules, dice=(die,))
    elif word == LEAVE_IT:
        if engaged and _way_out(battle, caster, target):
            battle.begin(target, FLEE, 1, caster, rules)
    else:
        _good_boy(battle, caster, target, rules)


def _way_out(battle: Battle, caster: str, target: str) -> bool:
    """Whether no terrain or circle stops the flight at once (M5.8)."""
    way = go(
        battle.figure(target).at,
        battle.away_from(target, battle.figure(caster).at),
        battle.core.words.way_out,
        battle.limits(target, own=False),
    )
    return not way.barred or way.off


def _good_boy(battle: Battle, caster: str, target: str, rules: tuple[str, ...]) -> None:
    """The target and its side near it: morale, and flee and rout end (M5.10)."""
    good = battle.core.words.good_boy
    figure = battle.figure(target)
    group = [
        friend.name
        for friend in battle.living()
        if friend.commander == figure.commander and within(friend.at, figure.at, good.reach)
    ]
    for name in group:
        battle.begin(name, GOOD_BOY, good.turns, caster, rules)
        battle.end(name, FLEE, rules)
        battle.end(name, ROUT, rules)
