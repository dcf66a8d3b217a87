"""Random: orders of every kind, aimed near its own pieces, without any plan."""

from pbem.dice import Dice
from pbem.players import Player
from pbem.players.flux_sight import Sight
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import State

CASTS = 4
REACH = 4
"""So far from the wizard it casts: where most spells succeed."""


def orders(seen: State, seat: str, dice: Dice) -> str:
    """A walk, some casts, and a destruction with whoever stands on an earth."""
    if seen.wizards[seat].eliminated:
        return ""
    sight = Sight(seen, seat)

    at = sight.at
    out: list[str] = []
    for piece, start in ((WIZARD, at), *sight.pieces.items()):
        taken = {at, *sight.pieces.values()} - {start}
        reach = sorted(set(sight.reach(piece, start, taken)) - {start})
        if reach and dice(f"whether {piece}", 2) == 1:
            goal = reach[dice(f"where {piece}", len(reach)) - 1]
            out.append(f"move {piece} to {sight.label(goal)}")
            at = goal if piece == WIZARD else at
    return "\n".join((*out, *_casts(sight, at, dice), *(f"destroy with {name}" for name in sight.pieces)))


def _casts(sight: Sight, at: Hex, dice: Dice) -> list[str]:
    near = [place for place in sight.plain.board.around if place - at <= REACH]
    spells = [name for name, count in sight.stock.items() if count]
    out: list[str] = []
    for number in range(CASTS if spells else 0):
        spell = spells[dice(f"spell {number}", len(spells)) - 1]
        place = near[dice(f"place {number}", len(near)) - 1]
        if spell in sight.rules.earths:
            ring = sight.plain.board.around[place]
            other = ring[dice(f"beside {number}", len(ring)) - 1]
            out.append(f"cast {spell} at {sight.label(place)}-{sight.label(other)}")
        else:
            out.append(f"cast {spell} at {sight.label(place)}")
    return out


PLAYER = Player("random", "flux", "orders of every kind, without any plan", orders)
