"""The planner: territory for its flux, harm to others' earths, guard over its own, retries within a budget.

Everything is weighed in worths (flux_sight) against a price of flux that falls as flux gets plentiful
and as the end comes near, since what is in the reserve at the end counts for nothing (F8.4).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.dice import Dice
from pbem.players import Player
from pbem.players.flux_ground import Site, gap
from pbem.players.flux_sight import SURE, Foe, Lying, Sight, win
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import State

WALK_AND_CAST = 8
"""A site farther off is nothing for this turn."""
LOOKED_AT = 10
"""So many of the best sites decide where the wizard goes."""
MOST_CASTS = 8
THREATENS = 8
"""So near enemies are a threat to an earth."""
RETRIES = 3
SOFT = 15
"""How much an earth's softness counts where enemies are near."""
DEAREST = 3
"""A flux is never valued higher than this."""
HUNT = 60
"""What it is worth to send an enemy's wizard home, to those who lose nothing by it."""
LASTING = (20, 6)
"""In per cent: how likely a piece cast now is there next turn, without and for each point of combat."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """A site and what an earth there would newly cover."""

    gain: int
    new: int
    site: Site


@dataclass(frozen=True, slots=True)
class Option:
    """Something to cast: its worth by the chance that it comes to anything, and what it may cost."""

    worth: int
    cost: int
    expected: int
    """Its cost by how often it will have to be tried."""
    spell: str
    hexes: tuple[Hex, ...]
    site: Site | None = None


def orders(seen: State, seat: str, _dice: Dice) -> str:
    """Pieces first, then the wizard's walk, then casts while they are worth their price."""
    if seen.wizards[seat].eliminated:
        return ""
    return "\n".join(_Plan(Sight(seen, seat)).lines())


class _Plan:
    """One turn's plan under way."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.at = sight.at
        self.pieces = dict(sight.pieces)
        self.hexes = sight.mine
        self.covered = sight.covered
        self.reserve = sight.me.reserve
        self.stock = dict(sight.stock)
        self.gains = sight.gains()
        self._worths: dict[tuple[Hex, Hex], int] = {}
        self._threats: dict[Hex, int] = {}
        self._aimed: set[tuple[Hex, Hex]] = set()
        """Earths of others that something is done about."""
        self._seen_to: set[Hex] = set()
        """Hexes of intruders that something is done about."""

    def lines(self) -> list[str]:
        """The order lines of the turn."""
        moves, destructions = self._use_pieces()
        prospects = self._prospects()
        walk = self._walk(prospects)
        return [*moves, *walk, *self._casts(prospects), *destructions]

    # Others' earths

    def _worth(self, lying: Lying) -> int:
        found = self._worths.get(lying.hexes)
        if found is None:
            found = self._worths[lying.hexes] = self.sight.worth_destroying(lying)
        return found

    def _foreign(self) -> Iterator[Lying]:
        seen: set[tuple[Hex, Hex]] = set()
        for lying in self.sight.earths.values():
            if lying.hue != self.sight.me.hue and lying.hexes not in seen:
                seen.add(lying.hexes)
                yield lying

    def _stands(self, lying: Lying, place: Hex) -> tuple[Foe | None, bool]:
        """The enemy on that hex of an earth, and whether another shields it from the other hex (F7.3)."""
        other = lying.hexes[0] if place == lying.hexes[1] else lying.hexes[1]
        return self.sight.foes.get(place), other in self.sight.foes

    # Pieces

    def _use_pieces(self) -> tuple[list[str], list[str]]:
        moves: list[str] = []
        destructions: list[str] = []
        for name in list(self.pieces):
            place, destroys = self._best_place(name)
            if place != self.pieces[name]:
                moves.append(f"move {name} to {self.sight.label(place)}")
                self.pieces[name] = place
            if destroys:
                destructions.append(f"destroy with {name}")
        return moves, destructions

    def _best_place(self, name: str) -> tuple[Hex, bool]:
        sight = self.sight
        start = self.pieces[name]
        row = sight.rows[name]
        taken = {self.at, *(place for other, place in self.pieces.items() if other != name)}
        reach = sight.reach(name, start, taken)
        best, goal, destroys = 0, start, False
        chances = sight.throws[name]
        for place in reach:
            lying = sight.earths.get(place)
            foe = sight.foes.get(place)
            if lying is None and foe is None:
                continue
            odds = (
                SURE
                if foe is None
                else win(row.combat, sight.rules.combat(foe.name), sight.rules.contest.die)
            )
            worth, will = 0, False
            if lying is not None and lying.hue != sight.me.hue and lying.hexes not in self._aimed:
                chance = chances.get(lying.earth, 0)
                if chance and not self._stands(lying, place)[1]:
                    will = True
                    worth = 1 + self._worth(lying) * chance * odds // (SURE * sight.rules.contest.die)
            if foe is not None:
                worth += self._worth_of_killing(foe, lying) * odds // SURE
            if worth > best or (worth == best and best and (reach[place], place) < (reach[goal], goal)):
                best, goal, destroys = worth, place, will
        if not best:
            return self._march(chances, start, reach), False
        if goal in sight.foes:
            self._seen_to.add(goal)
        if destroys:
            self._aimed.add(sight.earths[goal].hexes)
        return goal, destroys

    def _worth_of_killing(self, foe: Foe, lying: Lying | None) -> int:
        sight = self.sight
        if foe.at in self._seen_to:
            return 0
        if foe.name == WIZARD:
            other = sight.state.wizards[foe.hue]
            far = gap(sight.ground.own[other.corner], foe.at)
            return HUNT * sight.harm * min(far, 8) // 800 if sight.left else 0
        worth = 2 * sight.rows[foe.name].cost
        if lying is not None and lying.hue == sight.me.hue:
            chance = sight.throws[foe.name].get(lying.earth, 0)
            worth += sight.loss_of(lying) * chance // sight.rules.contest.die
        return worth

    def _march(self, chances: Mapping[str, int], start: Hex, reach: dict[Hex, int]) -> Hex:
        """Where to go while there is nothing to do at once: nearer to what it could destroy."""
        sight = self.sight
        targets = sorted(
            (min(gap(spot, start) for spot in lying.hexes), lying.hexes)
            for lying in self._foreign()
            if chances.get(lying.earth) and lying.hexes not in self._aimed
        )[:4]
        goal = next((hexes for _, hexes in targets if self._worth(sight.earths[hexes[0]]) > 0), None)
        if goal is None:
            return start
        return min(
            (place for place in reach if place not in sight.foes),
            key=lambda place: (min(gap(spot, place) for spot in goal), reach[place], place),
            default=start,
        )

    # The walk

    def _prospects(self) -> list[Prospect]:
        """Sites that could be reached this turn, the best first."""
        sight, plain = self.sight, self.sight.plain
        rim = plain.rim(self.hexes)
        found: dict[tuple[Hex, Hex], Prospect] = {}
        own = set(self.pieces.values())
        far = plain.far(self.at)
        for bit, sites in enumerate(plain.sites):
            if self.covered >> bit & 1 or far[plain.globes[bit]] > WALK_AND_CAST + 1:
                continue
            for site in sites:
                one, two = site.hexes
                if (
                    site.hexes in found
                    or far[one] > WALK_AND_CAST
                    or far[two] > WALK_AND_CAST
                    or one in own
                    or two in own
                    or not sight.is_empty(site)
                ):
                    continue
                new = plain.mask_with(self.hexes, rim, site) & ~self.covered
                if new:
                    found[site.hexes] = Prospect(self._gain(new), new, site)
        return sorted(found.values(), key=lambda each: (-each.gain, each.site.hexes))

    def _gain(self, new: int) -> int:
        gain = 0
        gains = self.gains
        while new:
            low = new & -new
            gain += gains[low.bit_length() - 1]
            new ^= low
        return gain

    def _walk(self, prospects: list[Prospect]) -> list[str]:
        sight = self.sight
        start = self.at
        reach = sight.reach(WIZARD, start, set(self.pieces.values()))
        free = [place for place in reach if place not in sight.foes]
        if not free:
            return []
        goal = self._goal()
        foes = self._dangerous()
        far = sight.plain.far(goal)
        best = max(
            free,
            key=lambda place: (
                self._prospect_from(place, prospects[:LOOKED_AT])
                - sum(danger for fars, most, danger in foes if fars[place] <= most),
                -far[place],
                -reach[place],
                place,
            ),
        )
        if best == start:
            return []
        self.at = best
        return [f"move wizard to {sight.label(best)}"]

    def _goal(self) -> Hex:
        """The globe that draws the wizard on: much to gain, not far."""
        plain = self.sight.plain
        wanted = [
            (-100 * self.gains[bit] // (gap(place, self.at) + 3), place)
            for bit, place in enumerate(plain.globes)
            if not self.covered >> bit & 1
        ]
        return min(wanted)[1] if wanted else self.at

    def _prospect_from(self, place: Hex, prospects: Sequence[Prospect]) -> int:
        """What could be cast from there, each globe counted once, while the flux lasts."""
        sight = self.sight
        worth, had, flux = 0, 0, self.reserve
        for each in prospects:
            if flux < 2:
                break
            if place in each.site.hexes or not each.new & ~had:
                continue
            chance = sight.earth_chance(place, each.site.hexes)
            if chance:
                worth += each.gain * chance // sight.rules.contest.die
                had |= each.new
                flux -= 3
        return worth

    def _dangerous(self) -> list[tuple[dict[Hex, int], int, int]]:
        """Pieces that could come at him: how far all is from them, how far they go, how bad it would be."""
        sight = self.sight
        rules = sight.rules
        mine, die = rules.wizard.combat, rules.contest.die
        return [
            (sight.plain.far(at), row.move, HUNT * win(row.combat, mine, die) // (4 * SURE))
            for at, foe in sight.foes.items()
            if foe.name != WIZARD
            and sight.left
            and (row := sight.rows[foe.name])
            and gap(at, self.at) <= row.move + rules.wizard.move
        ]

    # Casts

    def _price(self, prospects: Sequence[Prospect]) -> int:
        """What a flux could bring otherwise, in worths."""
        had, total = 0, 0
        for each in prospects:
            if each.new & ~had:
                total += each.gain
                had |= each.new
        if not self.sight.left:
            return 0
        return min(DEAREST, total // (6 * max(self.reserve, 1)))

    def _casts(self, prospects: list[Prospect]) -> list[str]:
        price = self._price(prospects)
        near = [each for each in prospects if self.sight.earth_chance(self.at, each.site.hexes)]
        pieces = [each for each in self._piece_options() if each.worth > price * each.expected]
        out: list[str] = []
        earths = list(self._earth_options(near, price))
        for _ in range(MOST_CASTS):
            pieces = [each for each in pieces if self._is_open(each)]
            worthy = [
                each
                for each in (*earths, *pieces)
                if each.worth > price * each.expected and each.cost <= self.reserve
            ]
            if not worthy:
                break
            best = max(worthy, key=lambda each: (100 * each.worth // each.expected, each.worth, each.hexes))
            times = max(1, min(RETRIES, self.reserve // best.cost))
            out.append(self._order(best, times))
            self._do(best)
            if best.site is not None:
                earths = list(self._earth_options(near, price))
            else:  # whose coverage it leaves as it was
                earths = [each for each in earths if best.hexes[0] not in each.hexes]
        return out

    def _is_open(self, option: Option) -> bool:
        """Whether what was planned meanwhile leaves a piece something to be put there for."""
        place = option.hexes[0]
        lying = self.sight.earths.get(place)
        return (
            self.stock[option.spell] > 0
            and option.cost <= self.reserve
            and place not in self._seen_to
            and place not in self.pieces.values()
            and (lying is None or lying.hexes not in self._aimed)
        )

    def _order(self, option: Option, times: int) -> str:
        where = "-".join(self.sight.label(place) for place in option.hexes)
        return f"cast {option.spell} at {where}" + (f" times {times}" if times > 1 else "")

    def _do(self, option: Option) -> None:
        self.reserve -= min(self.reserve, option.expected)
        self.stock[option.spell] -= 1
        if option.site is not None:
            plain = self.sight.plain
            self.covered |= plain.mask_with(self.hexes, plain.rim(self.hexes), option.site)
            self.hexes = self.hexes.union(option.hexes)
            return
        self.pieces[option.spell] = option.hexes[0]
        self._seen_to.add(option.hexes[0])
        if lying := self.sight.earths.get(option.hexes[0]):
            self._aimed.add(lying.hexes)

    def _earth_options(self, prospects: list[Prospect], price: int) -> Iterator[Option]:
        sight, plain, rules = self.sight, self.sight.plain, self.sight.rules
        rim = plain.rim(self.hexes)
        own = {self.at, *self.pieces.values()}
        die = rules.contest.die
        for each in prospects:
            site = each.site
            if not each.new & ~self.covered:
                continue
            chance = sight.earth_chance(self.at, site.hexes)
            if not chance or not own.isdisjoint(site.hexes) or not self.hexes.isdisjoint(site.hexes):
                continue
            new = plain.mask_with(self.hexes, rim, site) & ~self.covered
            gain = self._gain(new)
            threat = self._threat(site.hexes[0])
            best: Option | None = None
            for kind in sight.kinds(site):
                cost = sight.ground_rows[kind].cost
                if not self.stock[kind] or cost > self.reserve:
                    continue
                keeps = max(100, 1000 - SOFT * sight.softness[kind] * threat // 1000)
                expected = -(-cost * die // chance)
                option = Option(gain * chance * keeps // (1000 * die), cost, expected, kind, site.hexes, site)
                if best is None or option.worth - price * expected > best.worth - price * best.expected:
                    best = option
            if best is not None:
                yield best

    def _threat(self, place: Hex) -> int:
        """How much is about that could destroy, in per cent."""
        found = self._threats.get(place)
        if found is None:
            far = self.sight.plain.far(place)
            near = sum(1 for at in self.sight.foes if far[at] <= THREATENS)
            found = min(100, 30 * near) if self.sight.left else min(40, 10 * near)
            self._threats[place] = found
        return found

    def _piece_options(self) -> Iterator[Option]:
        yield from self._intruders()
        if self.sight.left:
            yield from self._raids()
            yield from self._hunts()

    def _animates(self) -> Iterator[str]:
        for name in self.sight.rules.pieces():
            if self.stock[name] and self.sight.rows[name].cost <= self.reserve:
                yield name

    def _can_stand(self, name: str, place: Hex) -> bool:
        board = self.sight.plain.board
        return not (
            board.holds_globe(place)
            or (place in board.lakes and not self.sight.rules.flies(name))
            or place == self.at
            or place in self.pieces.values()
        )

    def _fights(self, name: str, foe: Foe, worth: int) -> Iterator[Option]:
        rules = self.sight.rules
        chance = self.sight.chance(self.at, foe.at)
        if chance and worth and self._can_stand(name, foe.at):
            row, die = self.sight.rows[name], rules.contest.die
            odds = win(row.combat, rules.combat(foe.name), die)
            yield Option(
                worth * chance * odds // (SURE * die), row.cost, -(-row.cost * die // chance), name, (foe.at,)
            )

    def _intruders(self) -> Iterator[Option]:
        """Enemies on his own earths, who could destroy them in their next turn."""
        for place, foe in self.sight.foes.items():
            lying = self.sight.earths.get(place)
            if lying is None or lying.hue != self.sight.me.hue or foe.name == WIZARD:
                continue
            worth = self._worth_of_killing(foe, lying)
            for name in self._animates():
                yield from self._fights(name, foe, worth)

    def _hunts(self) -> Iterator[Option]:
        """Wizards far from home."""
        for foe in self.sight.foes.values():
            if foe.name == WIZARD and gap(foe.at, self.at) <= WALK_AND_CAST:
                worth = self._worth_of_killing(foe, None)
                for name in self._animates():
                    yield from self._fights(name, foe, worth)

    def _raids(self) -> Iterator[Option]:
        """Pieces put onto others' earths, to destroy them in the next turns."""
        sight, rules = self.sight, self.sight.rules
        die = rules.contest.die
        far = sight.plain.far(self.at)
        for lying in self._foreign():
            if lying.hexes in self._aimed or min(far[spot] for spot in lying.hexes) > WALK_AND_CAST:
                continue
            worth = self._worth(lying)
            if not worth:
                continue
            for place in lying.hexes:
                chance = sight.chance(self.at, place)
                foe, shielded = self._stands(lying, place)
                if not chance or shielded or foe is not None:
                    continue
                for name in self._animates():
                    row = sight.rows[name]
                    throw = sight.throws[name].get(lying.earth, 0)
                    if throw and self._can_stand(name, place):
                        lasts = LASTING[0] + LASTING[1] * row.combat
                        again = 100 + 25 * min(sight.left - 1, 3)
                        yield Option(
                            worth * throw * chance * lasts * again // (die * die * 10_000),
                            row.cost,
                            -(-row.cost * die // chance),
                            name,
                            (place,),
                        )


PLAYER = Player("planner", "flux", "weighs territory, threats and its budget", orders)
