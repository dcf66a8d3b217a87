"""The Power Chord (M6.1, M6.2)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.data import chord_row
from pbem.rulesets.magic.geometry import square
from pbem.rulesets.magic.glamours import reach
from pbem.rulesets.magic.lines import barred, forbid
from pbem.rulesets.magic.names import CHORD, FLEE, FREEZE, OUT, ROUT
from pbem.rulesets.magic.orders import Play

RULES = ("M6.1",)
RESULTS: dict[int, tuple[str, int | None]] = {
    2: (FLEE, 1),
    3: (OUT, 1),
    4: (FREEZE, 1),
    5: (FREEZE, 2),
    6: (ROUT, None),
}
"""By result: the state and the turns it lasts, this one counted (M6.1)."""


def play(battle: Battle, name: str, _: Play) -> bool:
    """One D10, and each figure but the three priests gets the result of its ring (M6.1)."""
    figure = battle.figure(name)
    running = battle.state.effects.get(CHORD)
    forbid(
        [
            *barred(battle, name, "M6.2"),
            (figure.priest != "achtung", f"{name} is not Achtung, and has no lyre", "M6.1"),
            (running is not None, f"{name} recovers from the chord", "M6.2"),
        ]
    )
    core = battle.core.chord
    rings = [reach(battle, ring) for ring in core.rings]
    die = battle.throw(f"chord {battle.turn} {name} 1", core.die)
    ring_of: dict[str, int] = {}
    for other in battle.living():
        gap = square(figure.at, other.at)
        ring = next((index for index, far in enumerate(rings) if gap <= far * far), None)
        if ring is not None and other.priest is None:
            ring_of[other.name] = ring
    left, spared, dice = battle.sift(list(ring_of), CHORD)
    results = {reached: chord_row(battle.core, ring_of[reached])[die.value - 1] for reached in left}
    battle.tell(
        e.ChordPlayed(
            rules=RULES, caster=name, throw=die.value, results=results, spared=tuple(spared), at=figure.at,
            radius=rings[-1], dice=(die, *dice),
        )
    )  # fmt: skip
    for reached, result in results.items():
        if result in RESULTS:
            state, turns = RESULTS[result]
            last = None if turns is None else battle.turn + turns - 1
            battle.begin(reached, state, turns, name, RULES, last=last)
    return True
