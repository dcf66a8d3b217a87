"""Skills declared for the turn, and those judged when their side has moved or at END (M4)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import square, within
from pbem.rulesets.magic.lines import Check, barred, forbid
from pbem.rulesets.magic.morale import undone
from pbem.rulesets.magic.names import (
    BERSERK,
    CHAPPIE,
    ELF_EARS,
    FLATULENCE,
    HIDING,
    LIGHT_FIRE,
    PREPARING,
    STEALTH,
    UNLOCK,
    WITCH_FIRE,
    SideName,
)
from pbem.rulesets.magic.orders import Order, Use
from pbem.rulesets.magic.state import Thing

RULES = ("M4",)


def use(battle: Battle, name: str, order: Order) -> bool:
    """A skill is declared (M4.2)."""
    assert isinstance(order, Use)
    figure = battle.figure(name)
    skill = order.skill
    checks: list[Check] = barred(battle, name, "M4.2")
    checks += [
        (name in battle.skill, f"{name} uses {battle.skill.get(name)} this turn", "M4.2"),
        (skill not in figure.skills, f"{name} has not the skill {skill}", "M4"),
        (bool(figure.engaged), f"{name} is in hand-to-hand combat", "M4" if skill == BERSERK else "M4.2"),
        (skill == FLATULENCE, "flatulence comes of itself, and is not to be ordered", "M4"),
    ]
    if skill == STEALTH:
        checks += _stealth_checks(battle, name)
    if skill == BERSERK:
        checks.append((BERSERK in figure.used, f"{name} has been berserk in this game", "M4"))
    if skill == LIGHT_FIRE:
        checks.append((battle.state.field.weather == "wet", "the weather is wet", "M4"))
    if order.thing is not None:
        checks += _thing_checks(battle, skill, order.thing)
    forbid(checks)
    battle.skill[name] = skill
    battle.things[name] = order.thing
    movement = battle.core.skills.movement[skill]
    battle.tell(e.SkillUsed(rules=RULES, figure=name, skill=skill, movement=movement))
    if skill == STEALTH:
        if order.show:
            battle.shows.add(name)
        battle.begin(name, STEALTH, 1, name, RULES, last=battle.turn)
    else:
        battle.end_stealth(name, RULES)
    if skill == BERSERK:
        battle.begin(name, PREPARING, 1, name, RULES, last=battle.turn)
    if skill == ELF_EARS:
        for enemy in battle.enemies(name):
            if battle.has(enemy.name, STEALTH, HIDING) and battle.hears(name, enemy):
                battle.tell(e.FigureSeen(rules=RULES, figure=enemy.name, by=name, cause=ELF_EARS))
    return True


def _stealth_checks(battle: Battle, name: str) -> list[Check]:
    figure, rules = battle.figure(name), battle.core.skills.stealth
    recent = [turn for turn in figure.used.get(STEALTH, ()) if turn > battle.turn - rules.turns]
    near = [enemy.name for enemy in battle.seen_enemies(name) if within(enemy.at, figure.at, rules.near)]
    return [
        (name in battle.attacks, f"{name} has an attack of flatulence", "M4"),
        (bool(near), f"{' and '.join(near)} is too near to {name}", "M4"),
        (len(recent) >= rules.uses, f"{name} has used stealth {len(recent)} times in ten turns", "M4"),
    ]


def _thing_checks(battle: Battle, skill: str, named: str) -> list[Check]:
    thing = battle.state.field.things.get(named)
    if thing is None:
        return [(True, f"there is no {named} on the table", "M4")]
    if skill == UNLOCK:
        return [
            (thing.kind == "fuel", f"{named} is neither door nor lock", "M4"),
            (named in battle.state.opened, f"{named} is open", "M4"),
        ]
    return [(thing.kind != "fuel", f"{named} is nothing to light", "M4")]


def expire_stealth(battle: Battle) -> None:
    """Stealth and hiding last until the next turn's skills are declared: which has just been done (M4)."""
    near = battle.core.skills.stealth.near
    for figure in battle.living():
        hiding = figure.states.get(HIDING)
        if hiding is not None and battle.past(hiding):
            close = [
                enemy.name
                for enemy in sorted(
                    battle.seen_enemies(figure.name),
                    key=lambda enemy: battle.squared(figure.name, enemy.name),
                )
                if within(enemy.at, figure.at, near)
            ]
            if close:
                battle.unveil(figure.name, close[0], HIDING, RULES)
            else:
                battle.end(figure.name, HIDING, RULES)
        stealth = battle.figure(figure.name).states.get(STEALTH)
        if stealth is not None and battle.past(stealth):
            battle.end(figure.name, STEALTH, RULES)


def _fail(battle: Battle, name: str, skill: str, reason: str) -> None:
    battle.tell(e.SkillFailed(rules=RULES, figure=name, skill=skill, reason=reason))


def judge_moved(battle: Battle, side: SideName) -> None:
    """Light fire and unlock door, judged when their side has moved, by name (M4)."""
    for name in sorted(battle.skill):
        figure, skill = battle.figure(name), battle.skill[name]
        if skill not in {LIGHT_FIRE, UNLOCK} or not figure.alive or figure.commander != side:
            continue
        bars = battle.bars(name)
        if figure.engaged:
            _fail(battle, name, skill, f"{name} is engaged")
        elif bars:
            _fail(battle, name, skill, bars[0][0])
        elif skill == LIGHT_FIRE:
            _light(battle, name, skill)
        else:
            _open(battle, name)


def _light(battle: Battle, name: str, skill: str) -> None:
    figure, named = battle.figure(name), battle.things[name]
    thing = None if named is None else battle.state.field.things[named]
    if thing is not None and not battle.in_contact(figure.at, thing.at):
        _fail(battle, name, skill, f"{name} is not in contact with {thing.name}")
        return
    place = figure.at if thing is None else thing.at
    battle.tell(e.FireLit(rules=RULES, figure=name, skill=skill, thing=named, at=place))


def _open(battle: Battle, name: str) -> None:
    place, named = battle.figure(name).at, battle.things[name]

    def closed(thing: Thing) -> bool:
        return thing.kind != "fuel" and thing.name not in battle.state.opened

    things = battle.state.field.things
    meant = [things[named]] if named is not None else [things[key] for key in sorted(things)]
    near = [thing for thing in meant if closed(thing) and battle.in_contact(place, thing.at)]
    if not near:
        _fail(battle, name, UNLOCK, f"{name} is not in contact with {named or 'a closed door or lock'}")
        return
    thing = min(near, key=lambda each: square(place, each.at))
    battle.tell(e.ThingOpened(rules=RULES, figure=name, thing=thing.name))


def judge_witch_fire(battle: Battle) -> None:
    """At END: witch-fire fails if its lighter was wounded or engaged this turn (M4)."""
    for name in sorted(battle.skill):
        if battle.skill[name] != WITCH_FIRE or not battle.figure(name).alive:
            continue
        if name in battle.wounded:
            _fail(battle, name, WITCH_FIRE, f"{name} was wounded")
        elif battle.was_engaged(name) or name in battle.engaged_at_start:
            _fail(battle, name, WITCH_FIRE, f"{name} was engaged")
        else:
            _light(battle, name, WITCH_FIRE)


def judge_berserk(battle: Battle) -> None:
    """At END: who has prepared undisturbed goes berserk (M4)."""
    for figure in battle.living():
        held = figure.states.get(PREPARING)
        if held is None or held.until != battle.turn:
            continue
        if undone(battle, figure.name):
            why = "engaged" if battle.was_engaged(figure.name) else "wounded by a shot"
            _fail(battle, figure.name, BERSERK, f"{figure.name} was {why}")
        else:
            turns = battle.core.skills.berserk.turns
            battle.begin(figure.name, BERSERK, turns, figure.name, RULES, last=battle.turn + turns)


def judge_chappies(battle: Battle) -> None:
    """At END: on a 6 his own unit kills him, if another of it lives (M4)."""
    rules = battle.core.skills.cheeky_chappie
    for name in sorted(battle.skill):
        figure = battle.figure(name)
        unit = battle.state.field.units[figure.unit]
        mates = [mate for mate in unit.members if mate != name and battle.figure(mate).alive]
        if battle.skill[name] != CHAPPIE or not figure.alive or not mates:
            continue
        die = battle.throw(f"chappie {battle.turn} {name} 1", rules.die)
        killed = die.value >= rules.murder
        battle.tell(e.ChappieJudged(rules=RULES, figure=name, throw=die.value, killed=killed, dice=(die,)))
        if killed:
            battle.kill(name, figure.unit, CHAPPIE, RULES)
