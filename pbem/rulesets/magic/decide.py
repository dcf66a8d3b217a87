"""All the rules of a turn: orders and dice in, events out; each phase has a module of its own (M2)."""

from pbem.dice import Dice
from pbem.rulesets.magic import end, fight, morale, movement, shooting, sign_up, start, words
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle, Orders
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.state import State


def decide(state: State, orders: Orders, dice: Dice) -> tuple[e.MagicEvent, ...]:
    """The events of the turn now open: sign-up where the battle has not begun, else one turn."""
    if state.over:
        return ()
    battle = Battle(state, orders, dice)
    _unreadable(battle)
    if battle.turn == 0:
        sign_up.phase(battle)
    else:
        _turn(battle)
    return tuple(battle.events)


def _unreadable(battle: Battle) -> None:
    """Lines that could not be read are the turn's first events, the Boche's first (M8.2)."""
    for side in SIDES:
        for problem in battle.side_orders(side).problems:
            battle.tell(
                e.OrderRefused(
                    rules=(*filter(None, (problem.ruling,)), "M8.2"), side=side, figure=None,
                    line=problem.line, text=problem.text, reason=problem.message,
                )
            )  # fmt: skip


def _turn(battle: Battle) -> None:
    """START, MOVE, SHOOT, FIGHT, MORALE, END (M2.1 to M2.6)."""
    start.phase(battle)
    words.timed(battle, "start")
    words.timed(battle, "move")
    movement.phase(battle)
    words.timed(battle, "shoot")
    shooting.phase(battle)
    words.timed(battle, "fight")
    fight.phase(battle)
    morale.phase(battle)
    words.timed(battle, "end")
    end.phase(battle)
    end.battle_over(battle)
