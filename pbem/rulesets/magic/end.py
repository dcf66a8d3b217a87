"""END: what is judged when all is done, and the battle's own end (M2.6, M1.2)."""

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import glamours, illusions, morale, skills
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.names import SIDES


def phase(battle: Battle) -> None:
    """Witch-fire, Berserks, chappies, glamours, illusions; rally last (M2.6)."""
    skills.judge_witch_fire(battle)
    skills.judge_berserk(battle)
    skills.judge_chappies(battle)
    glamours.judge(battle)
    illusions.judge(battle)
    morale.rally(battle)


def battle_over(battle: Battle) -> None:
    """After the last turn, or when a side has nobody left, the higher sum wins (M1.2)."""
    left = [figure.side for figure in battle.living()]
    if battle.turn < battle.state.length and all(side in left for side in SIDES):
        return
    points = battle.state.points()
    best = max(points.values())
    leaders = [side for side in SIDES if points[side] == best]
    winner = leaders[0] if len(leaders) == 1 else None
    battle.tell(e.BattleEnded(rules=("M1.2",), points=points, winner=winner))
