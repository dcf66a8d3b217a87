"""Players that are programs: pure functions from what a seat sees to an order file's text.

They are found through the entry-point group `pbem.players`, each under `RULESET.NAME`. A player knows
the ruleset's `seen` of its seat and dice of its own, and nothing else: no log, no secret, no clock.
"""

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from pbem.dice import Dice
from pbem.errors import BadInput, raised
from pbem.sheet import check_characters, read_sheet

GROUP = "pbem.players"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Player(NamedTuple):
    """A program that plays a seat.

    `orders(seen, seat, dice)` gives the text of an order file for the open turn, as a person would
    write it. `seen` is what the ruleset's `seen` gives for this seat; `dice` are the player's own, and
    all the chance that it has: the same three give the same text, on every machine.
    """

    name: str
    ruleset: str
    title: str
    """What it does, in a few words for people."""
    orders: Callable[[Any, str, Dice], str]


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def player_names(ruleset: str) -> tuple[str, ...]:
    """The names of all players of a ruleset that are installed, by name."""
    stem = f"{ruleset}."
    return tuple(sorted(name.removeprefix(stem) for name in _entry_points() if name.startswith(stem)))


def find_player(ruleset: str, name: str) -> Player:
    """The player of this name; `BadInput` if none is installed under it, or it does not load."""
    point = _entry_points().get(f"{ruleset}.{name}")
    if point is None:
        known = ", ".join(player_names(ruleset)) or "none"
        raise BadInput(f"There is no player {name!r} of {ruleset} here; installed are: {known}.")
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise BadInput(f"The player {name!r} ({point.value}) cannot be loaded: {raised(error)}.") from error
    if not isinstance(found, Player):
        raise BadInput(f"The player {name!r} ({point.value}) is no pbem Player; reinstall its package.")
    if (found.ruleset, found.name) != (ruleset, name) or not _NAME.fullmatch(name):
        raise BadInput(
            f"The player {name!r} ({point.value}) calls itself {found.name!r} of {found.ruleset!r};"
            " mend its package."
        )
    return found


def written_orders(player: Player, seen: Any, seat: str, dice: Dice) -> str:
    """A player's order text; `BadInput` with its name for whatever it raises, or for what is no order text.

    What it prints goes to standard error: standard output is the command's.
    """
    who = f"The player {player.name!r} of {player.ruleset}"
    try:
        with redirect_stdout(sys.stderr):
            text = player.orders(seen, seat, dice)
    except (Exception, SystemExit) as error:
        raise BadInput(
            f"{who} fails at the orders of {seat}: {raised(error)}; mend it, or hand the seat to another."
        ) from error
    if not isinstance(text, str):
        raise BadInput(f"{who} gave no text; mend it.")
    try:
        check_characters(text)
        read_sheet(text)
        text.encode()
    except (BadInput, UnicodeEncodeError) as error:
        what = error if isinstance(error, BadInput) else "it has characters that no UTF-8 text has"
        raise BadInput(
            f"{who} writes orders for {seat} that cannot be taken: {what}; mend it, or hand the seat to"
            " another."
        ) from None
    return text
