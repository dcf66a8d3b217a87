"""MOVE: compelled figures first by name, then orders in file order (M2.2, M2.9, M2.10)."""

from pbem.errors import StillEqual
from pbem.events import Throw
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import glamours, illusions, morale, skills
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import Point
from pbem.rulesets.magic.lines import Check, Runner, barred, find, forbid
from pbem.rulesets.magic.names import (
    AWAY,
    BELLY,
    BERSERK,
    CHARGE,
    COMPELLED,
    FETCH,
    FLEE,
    FREEZE,
    HEEL,
    OUT,
    ROUT,
    RUN,
    SEIZE,
    SIDES,
    WALK,
)
from pbem.rulesets.magic.orders import Charge, Meditate, Move, Order, Prepare, Use

MAX_REPEATS = 100
"""Equal throws are thrown again so often, and then something is wrong with the dice."""
ORDERED = ("M2.2",)


def phase(battle: Battle) -> None:
    """MOVE without what is timed for it: initiative, declarations, and the sides' moves (M2.2)."""
    _initiative(battle)
    for side in battle.order:
        Runner(battle, declare).in_file_order(side, "declare")
    skills.expire_stealth(battle)
    for side in battle.order:
        for figure in battle.living():
            if figure.commander == side:
                _compelled(battle, figure.name)
        Runner(battle, move, moment=battle.moved.add).in_file_order(side, "move")
        battle.sides_moved.add(side)
        skills.judge_moved(battle, side)


def _initiative(battle: Battle) -> None:
    """Sides throw a D10, the higher first, ties again (M2.2)."""
    throws: list[dict[str, int]] = []
    dice: list[Throw] = []
    while True:
        if len(throws) > MAX_REPEATS:
            raise StillEqual(f"The initiative of turn {battle.turn} is still equal after 100 repeats.")
        number = len(throws) + 1
        made: dict[str, Throw] = {
            side: battle.throw(f"initiative {battle.turn} {side} {number}", battle.core.initiative.die)
            for side in SIDES
        }
        dice.extend(made.values())
        throws.append({side: die.value for side, die in made.items()})
        boche, noman = made["boche"].value, made["noman"].value
        if boche != noman:
            break
    battle.order = ("boche", "noman") if boche > noman else ("noman", "boche")
    battle.tell(
        e.InitiativeThrown(rules=("M2.2",), throws=tuple(throws), order=battle.order, dice=tuple(dice))
    )


def declare(battle: Battle, name: str, order: Order) -> bool:
    """A skill, a meditation or a preparation is declared (M2.2)."""
    if isinstance(order, Use):
        return skills.use(battle, name, order)
    if isinstance(order, Meditate):
        return glamours.meditate(battle, name, order)
    assert isinstance(order, Prepare)
    return illusions.prepare(battle, name, order)


def move(battle: Battle, name: str, order: Order) -> bool:
    """A move or charge by order (M2.2, M3)."""
    if isinstance(order, Charge):
        return _charge(battle, name, order)
    assert isinstance(order, Move)
    figure = battle.figure(name)
    target = find(battle, name, order.to) if isinstance(order.to, str) else None
    checks = _march_checks(battle, name)
    if not isinstance(order.to, str):
        checks.append(glamours.off_table(battle, order.to))
    forbid(checks)
    goal = target.at if target is not None else order.to
    assert not isinstance(goal, str)
    rate, length = _own_rate(battle, name, order.rate)
    battle.marched[name] = "M2.2"
    battle.travel(
        name,
        _towards(figure.at, goal),
        length,
        rate=rate,
        cause="order",
        rules=ORDERED,
        own=True,
        whole=True,
        contact=None if target is None else target.at,
    )
    return True


def _march_checks(battle: Battle, name: str) -> list[Check]:
    """What forbids a move or charge of a figure's own (M1.3, M2.2, M2.9)."""
    figure = battle.figure(name)
    spent = battle.marched.get(name)
    told = any(rule == "M2.9" for _, rule in battle.bars(name))
    compelled = COMPELLED in figure.states
    return [
        *barred(battle, name),
        (compelled, f"{name} is compelled by a Word", "M2.9"),
        (
            spent == "M2.9" and not compelled and not told,
            f"{name} has made a compelled move this turn",
            "M2.9",
        ),
        (bool(figure.engaged), f"{name} is engaged", "M1.3"),
        (spent == "M2.2", f"{name} has moved this turn", "M2.2"),
    ]


def _own_rate(battle: Battle, name: str, rate: str) -> tuple[str, int]:
    """The rate of an own move or charge and the length it gives; a Berserk has his own (M4)."""
    rates = getattr(battle.core.rates, battle.figure(name).side)
    if battle.has(name, BERSERK):
        base = rates.charge * battle.core.skills.berserk.rate // 100
        return BERSERK, battle.rate(name, base, own=True)
    return rate, battle.rate(name, getattr(rates, rate), own=True)


def _towards(here: Point, goal: Point) -> Point:
    return goal[0] - here[0], goal[1] - here[1]


def _charge(battle: Battle, name: str, order: Charge) -> bool:
    """Straight at an enemy who is seen (M3)."""
    target = find(battle, name, order.target)
    figure = battle.figure(name)
    forbid(
        [
            *_march_checks(battle, name),
            (target.commander == figure.commander, f"{target.name} is no enemy of {name}'s", "M3"),
            (BELLY in figure.states, f"{name}'s belly is bloated", "M7.3"),
        ]
    )
    rate, length = _own_rate(battle, name, CHARGE)
    battle.marched[name] = "M2.2"
    _assault(battle, name, target.name, length, rate=rate, cause="order", rules=("M3",), own=True)
    return True


def _assault(
    battle: Battle,
    name: str,
    target: str,
    length: int,
    *,
    rate: str,
    cause: str,
    rules: tuple[str, ...],
    own: bool,
) -> None:
    """A charge: into contact the target tests first, then the two are engaged (M3)."""
    goal = battle.figure(target).at
    battle.travel(
        name,
        _towards(battle.figure(name).at, goal),
        length,
        rate=rate,
        cause=cause,
        rules=rules,
        own=own,
        whole=True,
        contact=goal,
    )
    if battle.in_contact(battle.figure(name).at, goal):
        battle.charges[name] = (*battle.charges.get(name, ()), target)
        morale.charged(battle, target, name)
        battle.engage(name, target, ("M1.3",))


def seize(battle: Battle, name: str) -> None:
    """Seize: charges its nearest enemy, a move of this turn (M5.4)."""
    target = battle.nearest_enemy(name, in_sight=False)
    if target is None or battle.has(name, BELLY):
        return
    rates = getattr(battle.core.rates, battle.figure(name).side)
    length = battle.rate(name, rates.charge, own=False)
    battle.marched[name] = "M2.9"
    battle.moved.add(name)
    _assault(battle, name, target.name, length, rate=CHARGE, cause=SEIZE, rules=("M5.4",), own=False)


def _compelled(battle: Battle, name: str) -> None:
    """What rout, flee or a Word makes of a figure's move, the strongest alone (M2.9)."""
    figure = battle.figure(name)
    if name in battle.marched or battle.has(name, OUT, FREEZE):
        return
    if ROUT in figure.states:
        _rout(battle, name)
    elif FLEE in figure.states:
        cause = figure.states[FLEE].cause
        source = None if cause is None else battle.state.figures.get(cause)
        _run_from(battle, name, None if source is None else source.at, FLEE)
    elif COMPELLED in figure.states:
        _obey(battle, name)


def _rout(battle: Battle, name: str) -> None:
    """Away from the nearest enemy in sight; without one it stands (M2.10)."""
    enemy = battle.nearest_enemy(name, in_sight=True)
    battle.moved.add(name)
    if enemy is not None:
        _run_from(battle, name, enemy.at, ROUT)


def _run_from(battle: Battle, name: str, place: Point | None, state: str) -> None:
    """Straight away at its rate, off the table if that is its way (M2.10)."""
    rates = getattr(battle.core.rates, battle.figure(name).side)
    battle.moved.add(name)
    battle.marched[name] = "M2.9"
    battle.travel(
        name,
        battle.away_from(name, place),
        battle.rate(name, getattr(rates, state), own=False),
        rate=state,
        cause=state,
        rules=("M2.10",),
        leaves=True,
    )


def _obey(battle: Battle, name: str) -> None:
    """A compelling Word's move; engaged it waits, and Seize is done (M1.3, M5)."""
    figure = battle.figure(name)
    held = figure.states[COMPELLED]
    word = held.word or HEEL
    if figure.engaged:
        if word == SEIZE:
            battle.end(name, COMPELLED, ("M5.4",))
        return
    battle.moved.add(name)
    if word == SEIZE:
        seize(battle, name)
        return
    source = None if held.cause is None else battle.state.figures.get(held.cause)
    goal = figure.at if source is None else source.at
    rates = getattr(battle.core.rates, figure.side)
    rate = WALK if word == HEEL else RUN
    if word == FETCH and rates.charge > rates.run:
        rate = CHARGE
    length = battle.rate(name, getattr(rates, rate), own=False)
    rules = (WORD_RULES[word],)
    battle.marched[name] = "M2.9"
    if word == AWAY:
        battle.travel(name, battle.away_from(name, goal), length, rate=rate, cause=word, rules=rules)
    else:
        battle.travel(
            name,
            _towards(figure.at, goal),
            length,
            rate=rate,
            cause=word,
            rules=rules,
            whole=True,
            contact=goal,
        )
    if word != FETCH:
        battle.end(name, COMPELLED, rules)
    elif battle.in_contact(battle.figure(name).at, goal):
        _drop_everything(battle, name, held.cause or name)


def _drop_everything(battle: Battle, name: str, priest: str) -> None:
    """Fetch is done: weapons, shield and all items lie there, and it flees the turn after (M5.9)."""
    figure = battle.figure(name)
    items = list(figure.weapons)
    if figure.shield:
        items.append("shield")
    if battle.state.standard == name:
        items.append("standard")
    if items:
        battle.tell(e.ItemsDropped(rules=("M5.9",), figure=name, items=tuple(items), at=figure.at))
    battle.end(name, COMPELLED, ("M5.9",))
    battle.begin(name, FLEE, 1, priest, ("M5.9",))


WORD_RULES = {
    "stay": "M5.1", "heel": "M5.2", "roll over": "M5.3", "seize": "M5.4", "away": "M5.5", "come by": "M5.6",
    "gercha": "M5.7", "leave it": "M5.8", "fetch": "M5.9", "good boy": "M5.10",
}  # fmt: skip
