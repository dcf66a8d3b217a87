"""Greedy: every cast the one that brings most at once for its cost; no pieces, no thought of the enemy."""

from pbem.dice import Dice
from pbem.players import Player
from pbem.players.flux_ground import Site, gap
from pbem.players.flux_sight import Sight
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import State

CHEAPEST_FIRST = 3
"""So many earths a turn are looked for: one's flux seldom goes further."""


def orders(seen: State, seat: str, _dice: Dice) -> str:
    """Walk to the nearest globe that is not covered, and cast what gains most income for its cost."""
    if seen.wizards[seat].eliminated:
        return ""
    return "\n".join(_Greedy(Sight(seen, seat)).lines())


class _Greedy:
    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.at = sight.at
        self.hexes = sight.mine
        self.reserve = sight.me.reserve
        self.stock = dict(sight.stock)

    def lines(self) -> list[str]:
        out = self._walk()
        for _ in range(CHEAPEST_FIRST):
            order = self._cast()
            if order is None:
                break
            out.append(order)
        return out

    def _walk(self) -> list[str]:
        sight = self.sight
        wanted = [place for bit, place in enumerate(sight.plain.globes) if not sight.covered >> bit & 1]
        if not wanted:
            return []
        goal = min(wanted, key=lambda place: (gap(place, self.at), place))
        reach = sight.reach(WIZARD, self.at, set(sight.pieces.values()))
        free = [place for place in reach if place not in sight.foes or place == self.at]
        best = min(free, key=lambda place: (gap(place, goal), reach[place], place))
        if best == self.at:
            return []
        self.at = best
        return [f"move wizard to {sight.label(best)}"]

    def _cast(self) -> str | None:
        sight, plain = self.sight, self.sight.plain
        rim, covered = plain.rim(self.hexes), plain.mask(self.hexes)
        best: tuple[int, str, Site] | None = None
        for bit, sites in enumerate(plain.sites):
            if covered >> bit & 1 or gap(plain.globes[bit], self.at) > 6:
                continue
            for site in sites:
                if not sight.is_empty(site) or self._is_own(site.hexes):
                    continue
                if sight.earth_chance(self.at, site.hexes) < sight.rules.casting[0].chance:
                    continue
                cost, spell = min(
                    ((sight.ground_rows[name].cost, name) for name in sight.kinds(site) if self.stock[name]),
                    default=(0, ""),
                )
                if not spell or cost > self.reserve:
                    continue
                new = plain.mask_with(self.hexes, rim, site) & ~covered
                gain = sum(
                    value
                    for place, value in enumerate(plain.values)
                    if new >> place & 1 and not sight.rivals(place)
                )
                if gain and (best is None or gain * 100 // cost > best[0]):
                    best = gain * 100 // cost, spell, site
        if best is None:
            return None
        _, spell, site = best
        self.hexes = self.hexes.union(site.hexes)
        self.reserve -= sight.ground_rows[spell].cost
        self.stock[spell] -= 1
        one, two = site.hexes
        return f"cast {spell} at {sight.label(one)}-{sight.label(two)} times 2"

    def _is_own(self, hexes: tuple[Hex, Hex]) -> bool:
        return any(
            spot == self.at or spot in self.hexes or spot in self.sight.pieces.values() for spot in hexes
        )


PLAYER = Player("greedy", "flux", "casts what gains most at once, and fights nobody", orders)
