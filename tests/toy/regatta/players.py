"""Players of Regatta, as a package of somebody else's would bring them."""

import os
import signal
import sys

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


def leave(_race: Race, _seat: str, _dice: Dice) -> str:
    sys.exit(3)


class Speechless(Exception):
    """Cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError


def gasp(_race: Race, _seat: str, _dice: Dice) -> str:
    raise Speechless


def whisper(_race: Race, _seat: str, _dice: Dice) -> str:
    return "row # \udcff"


def ring(_race: Race, _seat: str, _dice: Dice) -> str:
    return "row\n\0"


def talk(_race: Race, _seat: str, _dice: Dice) -> str:
    return "row\n" * 50_000


def shout(race: Race, seat: str, dice: Dice) -> str:
    print("ahoy")  # noqa: T201 - left in, as happens
    return row(race, seat, dice)


def sink(_race: Race, _seat: str, _dice: Dice) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return "row"


ROWER = Player("rower", "regatta", "rows", row)
SAILOR = Player("sailor", "regatta", "sails while it is behind", sail)
BROKEN = Player("broken", "regatta", "fails", fail)
MUTE = Player("mute", "regatta", "gives no text", say_nothing)
LEAVER = Player("leaver", "regatta", "leaves", leave)
GASPER = Player("gasper", "regatta", "fails without a word", gasp)
WHISPERER = Player("whisperer", "regatta", "writes what nobody can read", whisper)
RINGER = Player("ringer", "regatta", "writes what no text has", ring)
TALKER = Player("talker", "regatta", "writes without end", talk)
SHOUTER = Player("shouter", "regatta", "prints", shout)
SINKER = Player("sinker", "regatta", "ends its process", sink)
