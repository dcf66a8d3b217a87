"""Players of Regatta, as a package of somebody else's would bring them."""

from pbem.dice import Dice
from pbem.players import Player
from regatta import Race

LENGTH = 7
"""No player at all, though an entry point says so."""


def row(_race: Race, _seat: str, _dice: Dice) -> str:
    return "row"


def sail(race: Race, seat: str, dice: Dice) -> str:
    """Sails while it is behind, or when its own dice say so; else it rows."""
    behind = race.boats[seat] < max(race.boats.values())
    return "sail else row" if behind or dice("whether", 2) == 1 else "row"


def fail(_race: Race, _seat: str, _dice: Dice) -> str:
    raise KeyError("no wind")


def say_nothing(_race: Race, _seat: str, _dice: Dice) -> str:
    return None  # type: ignore[return-value]


ROWER = Player("rower", "regatta", "rows", row)
SAILOR = Player("sailor", "regatta", "sails while it is behind", sail)
BROKEN = Player("broken", "regatta", "fails", fail)
MUTE = Player("mute", "regatta", "gives no text", say_nothing)
