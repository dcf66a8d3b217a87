"""Random: orders of every kind for its own figures, aimed at whoever is in sight, without any plan."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.dice import Dice
from pbem.players import Player
from pbem.rulesets.magic.known import Known, KnownFigure
from pbem.rulesets.magic.names import GLAMOURS, ILLUSIONS, TIMES, WORDS
from pbem.rulesets.magic.orders import place_text

STEP = 160
T = TypeVar("T")


def orders(seen: Known, side: str, dice: Dice) -> str:
    """A line or two for every figure, and for every priest something magical now and then."""
    chance = _Chance(dice)
    mine = seen.mine()
    if seen.number < 0:
        return "\n".join(_sign_up(mine, chance))
    foes = [foe for foe in seen.figures.values() if foe.alive and foe.commander != side] or mine
    return "\n".join(line for one in mine for line in _lines(seen, one, foes, chance))


class _Chance:
    """One choice after another: each has its number for a key."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._made = 0

    def up_to(self, most: int) -> int:
        self._made += 1
        return self._dice(f"choice {self._made}", most)

    def of(self, things: Sequence[T]) -> T:
        return things[self.up_to(len(things)) - 1]


def _sign_up(mine: Sequence[KnownFigure], chance: _Chance) -> Iterator[str]:
    if any(one.priest for one in mine):
        yield f"declare glamours {chance.of(GLAMOURS)}, {chance.of(GLAMOURS)}"
        yield f"declare illusion {chance.of(ILLUSIONS)}"
    for unit in dict.fromkeys(one.unit for one in mine):
        if chance.up_to(4) == 1:
            yield f"{unit} ambush"


def _lines(seen: Known, one: KnownFigure, foes: Sequence[KnownFigure], chance: _Chance) -> Iterator[str]:
    if one.at is None:
        return
    foe = chance.of(foes)
    x, y = (part + chance.up_to(2 * STEP) - STEP for part in one.at)
    place = place_text((min(max(x, 0), seen.size[0]), min(max(y, 0), seen.size[1])))
    yield chance.of(
        (
            f"{one.name} move to {place} walk", f"{one.name} move to {place} run",
            f"{one.name} charge {foe.name}", f"{one.name} shoot {foe.name}", f"{one.name} shoot {foe.name}",
            f"{one.name} fight {foe.name}",
            f"{one.name} defend", f"{one.name} hold", f"{one.unit} spring",
        )
    )  # fmt: skip
    if one.skills and chance.up_to(3) == 1:
        yield f"{one.name} use {chance.of(one.skills)}"
    if one.priest and chance.up_to(2) == 1:
        yield from _magic(one, foe, place, chance)


def _magic(one: KnownFigure, foe: KnownFigure, place: str, chance: _Chance) -> Iterator[str]:
    match one.priest:
        case "schtuck":
            yield f"{one.name} speak {chance.of(WORDS)} to {foe.name} timed {chance.of(TIMES)}"
        case "achtung":
            goals = {"roadblock": f" {place}", "take steps": f" {foe.name}"}
            glamour = chance.of(one.declared or GLAMOURS)
            chord = f"{one.name} chord timed {chance.of(TIMES)}"
            yield chance.of((f"{one.name} meditate {glamour}{goals.get(glamour, '')}", chord))
            if chance.up_to(3) == 1:
                yield f"{one.name} spin {foe.name}"
        case _:
            yield f"{one.name} prepare {chance.of(one.declared or ILLUSIONS)}"


PLAYER = Player("random", "magic", "orders of every kind, without any plan", orders)
