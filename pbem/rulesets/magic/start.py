"""START: what ended, what comes into force, flatulence, ambushes sprung (M2.1)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import glamours, illusions, morale
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import within
from pbem.rulesets.magic.lines import Refused, Runner, barred, forbid
from pbem.rulesets.magic.names import (
    AMBUSH,
    BERSERK,
    CHUFFA,
    FLATULENCE,
    FREEZE,
    HIDING,
    OUT,
    STEALTH,
)
from pbem.rulesets.magic.orders import Order


def phase(battle: Battle) -> None:
    """All of START but what is timed for it, in the order of M2.1."""
    chuffa = battle.state.effects.get(CHUFFA)
    durations(battle)
    battle.note_start()
    if chuffa is not None and chuffa.turn < battle.turn:
        for name, result in sorted((chuffa.results or {}).items()):
            if name in battle.state.figures and battle.figure(name).alive:
                morale.suffer(battle, name, result, chuffa.cause, ("M7.2",))
    Runner(battle, glamours.spin).by_name("glamours")
    glamours.in_force(battle)
    illusions.in_force(battle)
    _flatulence(battle)
    _ambushes(battle)


def durations(battle: Battle) -> None:
    """States whose last turn is over, by figure and state, then effects (M2.8)."""
    for figure in battle.living():
        for state, held in sorted(figure.states.items()):
            # Out of action may have been begun again by the end of a Berserk just told (M2.8).
            renewed = battle.figure(figure.name).states.get(state) != held
            if state in {STEALTH, HIDING} or renewed or not battle.past(held):
                continue
            battle.end(figure.name, state, ("M2.8",))
            if state == BERSERK:
                _sobering(battle, figure.name)
    for name, effect in sorted(battle.state.effects.items()):
        if effect.until is not None and effect.until < battle.turn:
            battle.tell(e.EffectEnded(rules=("M2.8",), effect=name, cause=effect.cause))


def _sobering(battle: Battle, name: str) -> None:
    """After a Berserk: out of action D10 turns and one for each wound (M4)."""
    die = battle.throw(f"berserk {battle.turn} {name} 1", battle.core.skills.berserk.out_die)
    turns = die.value + battle.figure(name).wounds
    battle.begin(name, OUT, turns, name, ("M4",), dice=(die,))


def _flatulence(battle: Battle) -> None:
    """Each flatulent figure throws; on an attack greens near it step away (M4)."""
    rules = battle.core.skills.flatulence
    for farter in battle.living():
        if FLATULENCE not in farter.skills or not battle.figure(farter.name).alive:
            continue
        die = battle.throw(f"flatulence {battle.turn} {farter.name} 1", rules.die)
        attack = die.value <= rules.attack
        battle.tell(
            e.FlatulenceThrown(rules=("M4",), figure=farter.name, throw=die.value, attack=attack, dice=(die,))
        )
        if not attack:
            continue
        battle.attacks[farter.name] = None
        if battle.has(farter.name, STEALTH, HIDING):
            battle.unveil(farter.name, None, FLATULENCE, ("M4",))
        _greens_step_away(battle, farter.name)


def _greens_step_away(battle: Battle, farter: str) -> None:
    rules = battle.core.skills.flatulence
    place = battle.figure(farter).at
    greens = [
        figure.name
        for figure in battle.living()
        if figure.grade == "green" and figure.name != farter and within(figure.at, place, rules.near)
    ]
    for name in greens:
        if battle.has(name, OUT, FREEZE) or battle.figure(name).engaged:
            continue
        die = battle.throw(f"flatulence {battle.turn} {farter} {name} 1", rules.die)
        battle.travel(
            name,
            battle.away_from(name, place),
            battle.rate(name, die.value * rules.step, own=False),
            rate=None,
            cause=FLATULENCE,
            rules=("M4",),
            dice=(die,),
        )


def _ambushes(battle: Battle) -> None:
    """Ambushes sprung by order, by the names written; the whole unit springs at once (M3)."""

    def perform(battle: Battle, name: str, _: Order) -> bool:
        if not battle.has(name, AMBUSH):
            raise Refused(f"{battle.figure(name).unit} lies in no ambush", ("M3",))
        checks = [check for check in barred(battle, name) if check[2] != "M3"]
        forbid(checks)
        battle.spring(battle.figure(name).unit, "order")
        return True

    Runner(battle, perform).by_unit("start")
