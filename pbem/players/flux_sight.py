"""One wizard's sight of the position: everything in the hexes of his own turned board, worths in numbers.

Worths are whole numbers: an undisputed globe of value v is worth 60 v, a disputed one a share of that.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pbem.players.flux_ground import Ground, Plain, Site, ground_of, translated
from pbem.rulesets.flux.data import Animate, Earth, Rules
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import State, Wizard

WHOLE = 60
"""What a flux of undisputed income is worth."""
SHARED = 36
"""What a flux of a disputed globe is worth, all its shares together: it pays at the end alone."""
SURE = 10_000
"""The scale of probabilities."""


@dataclass(frozen=True, slots=True)
class Lying:
    """An earth on the board."""

    hue: str
    earth: str
    hexes: tuple[Hex, Hex]
    owners: tuple[Hex, Hex]
    """The same hexes as its owner sees them."""


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy's piece."""

    hue: str
    name: str
    at: Hex


class Tables(NamedTuple):
    """The numbers of the rules as the players look them up."""

    bands: tuple[int, ...]
    """By distance, its band."""
    chances: tuple[int, ...]
    """By band; none beyond the last."""
    earths: Mapping[str, Earth]
    animates: Mapping[str, Animate]
    """By the name of a piece."""
    throws: Mapping[str, Mapping[str, int]]
    """By piece and earth, the throw on or below which the one destroys the other."""
    softness: Mapping[str, int]
    """By earth: how often, how far and for how little its destroyers strike."""


class _Same:
    """Rules as a key: the same only as themselves, since to compare all their numbers would take long."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules

    def __hash__(self) -> int:
        return id(self.rules)


@lru_cache(maxsize=4)
def _tables(key: _Same, farthest: int) -> Tables:
    rules = key.rules
    animates = {name: rules.animate(name) for name in rules.pieces()}
    throws = {
        name: {str(earth): throw for earth, throw in row.destroys.items()} for name, row in animates.items()
    }
    earths: dict[str, Earth] = {str(name): row for name, row in rules.earths.items()}
    limits = [row.up_to for row in rules.casting]
    return Tables(
        tuple(sum(distance > limit for limit in limits) for distance in range(farthest + 1)),
        (*(row.chance for row in rules.casting), 0),
        earths,
        animates,
        throws,
        {
            earth: sum(
                throws[name].get(earth, 0) * (70 + 5 * row.move) // row.cost for name, row in animates.items()
            )
            for earth in earths
        },
    )


class Sight:
    """What one wizard sees. He himself is where his turn will find him: on his corner if killed (F6.3)."""

    def __init__(self, state: State, hue: str) -> None:
        """From the position, which is open to all."""
        self.state = state
        self.rules = state.rules
        self.me = me = state.wizards[hue]
        self.ground: Ground = ground_of(state.board, me.seat)
        self.plain: Plain = self.ground.plain
        own = self.ground.own
        self.at = own[me.corner if me.at is None else me.at]
        self.corner = own[me.corner]
        self.pieces = {name: own[place] for name, place in me.pieces.items()}
        if me.at is None:
            self.pieces = {name: place for name, place in self.pieces.items() if place != self.corner}
        self.stock = state.stock(hue)
        seats = list(state.wizards.values())
        place = seats.index(me)
        self.others: tuple[Wizard, ...] = tuple(
            other for other in (*seats[place + 1 :], *seats[:place]) if not other.eliminated
        )
        """The other wizards, clockwise from here: so that no seat comes before another."""
        self.foes: dict[Hex, Foe] = {
            own[where]: Foe(other.hue, name, own[where])
            for other in reversed(self.others)
            for name, where in other.standing()
        }
        self.earths: dict[Hex, Lying] = {}
        self._spots: dict[str, frozenset[Hex]] = {}
        for wizard in (me, *self.others):
            theirs = ground_of(state.board, wizard.seat).own
            spots = [theirs[wizard.corner]]
            for earth in wizard.earths:
                one, two = earth.hexes
                lying = Lying(wizard.hue, earth.earth, (own[one], own[two]), (theirs[one], theirs[two]))
                self.earths[own[one]] = self.earths[own[two]] = lying
                spots += lying.owners
            self._spots[wizard.hue] = frozenset(spots)
        self.mine = self._spots[hue]
        self.masks = {other.hue: self._mask_of(other, None) for other in self.others}
        self._others_masks = tuple(self.masks.values())
        self.covered = self.plain.mask(self.mine)
        tables = _tables(_Same(self.rules), 2 * self.plain.board.radius)
        self._bands, self._chances = tables.bands, tables.chances
        self.ground_rows, self.throws, self.rows = tables.earths, tables.throws, tables.animates
        self.softness = tables.softness
        self.left = state.length - state.round
        """How many rounds follow this one."""
        self.harm = 100 // max(len(self.others), 1)
        """How many per cent of an enemy's loss is one's own gain."""

    def _mask_of(self, other: Wizard, without: Lying | None) -> int:
        """What another covers, or would cover without one of his earths."""
        spots = self._spots[other.hue]
        if without is not None:
            spots = spots.difference(without.owners)
        mask = ground_of(self.state.board, other.seat).plain.mask(spots)
        return translated(self.state.board, mask, other.seat, self.me.seat)

    def label(self, place: Hex) -> str:
        """The hex as orders write it."""
        return self.ground.labels[place]

    def rivals(self, bit: int) -> int:
        """How many others cover a globe."""
        count = 0
        for mask in self._others_masks:
            count += mask >> bit & 1
        return count

    def gains(self) -> tuple[int, ...]:
        """By globe, what covering it would be worth, beside what the others would lose."""
        out = []
        counts = [self.rivals(bit) for bit in range(len(self.plain.values))]
        for value, rivals in zip(self.plain.values, counts, strict=True):
            if not rivals:
                out.append(WHOLE * value)
                continue
            share = SHARED * value // (rivals + 1)
            lost = (WHOLE * value if rivals == 1 else SHARED * value) - share * rivals
            out.append(share + lost * self.harm // 100)
        return tuple(out)

    def loss(self, bits: int) -> int:
        """What losing these globes would cost him and, in part, bring others."""
        gains = self.gains()
        return sum(gains[bit] for bit in range(len(gains)) if bits >> bit & 1)

    def loss_of(self, lying: Lying) -> int:
        """What an earth of his own is worth to him."""
        without = self.plain.mask(self.mine.difference(lying.hexes))
        return self.loss(self.covered & ~without)

    def worth_destroying(self, lying: Lying) -> int:
        """What the loss of another's earth would be worth."""
        other = self.state.wizards[lying.hue]
        lost = self.masks[lying.hue] & ~self._mask_of(other, lying)
        worth = 0
        for bit, value in enumerate(self.plain.values):
            if not lost >> bit & 1:
                continue
            rivals = self.rivals(bit)
            if self.covered >> bit & 1:
                worth += (WHOLE * value if rivals == 1 else SHARED * value // rivals) - SHARED * value // (
                    rivals + 1
                )
                worth += SHARED * value // (rivals + 1) * self.harm // 100
            else:
                worth += (WHOLE * value if rivals == 1 else SHARED * value // rivals) * self.harm // 100
        return worth

    def barred(self, piece: str) -> set[Hex]:
        """Where a piece may not go: lakes and forbidden earths, unless it flies (F4.2)."""
        if self.rules.flies(piece):
            return set()
        forbidden = self.rules.forbidden(piece)
        barred = {spot for spot, lying in self.earths.items() if lying.earth in forbidden}
        return barred | self.plain.board.lakes

    def reach(self, piece: str, start: Hex, taken: set[Hex]) -> dict[Hex, int]:
        """Where a piece can get to, with how many steps; enemies end the way, `taken` bar it (F4)."""
        barred, near, foes = self.barred(piece) | taken, self.plain.board.around, self.foes
        most = self.rules.move(piece)
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            count = steps[here]
            if count == most or (here in foes and here != start):
                continue
            for place in near[here]:
                if place not in steps and place not in barred:
                    steps[place] = count + 1
                    queue.append(place)
        return steps

    def chance(self, at: Hex, place: Hex) -> int:
        """The chance of a cast onto a hex from there, 0 where it is too far (F5.1)."""
        return self._chances[self._bands[self.plain.far(at)[place]]]

    def earth_chance(self, at: Hex, hexes: tuple[Hex, Hex]) -> int:
        """The chance of casting an earth, 0 too where its hexes lie in two bands (F5.2)."""
        bands, far = self._bands, self.plain.far(at)
        band = bands[far[hexes[0]]]
        return self._chances[band] if band == bands[far[hexes[1]]] else 0

    def is_empty(self, site: Site) -> bool:
        """Whether neither earth nor an enemy's piece is in the way; one's own are asked for elsewhere."""
        one, two = site.hexes
        return not (one in self.earths or two in self.earths or one in self.foes or two in self.foes)

    def kinds(self, site: Site) -> Iterator[str]:
        """The earths that could lie on a site, as far as the ground goes (F5.4)."""
        for name, row in self.ground_rows.items():
            if (row.may_cross_river or not site.across) and (site.wet or not row.must_touch_water):
                yield name


@lru_cache(maxsize=4096)
def win(mine: int, theirs: int, die: int) -> int:
    """The chance to win a fight with these ratings, in ten-thousandths: equal totals throw again (F6.1)."""
    lead = mine - theirs
    better = sum(max(0, min(die, throw + lead - 1)) for throw in range(1, die + 1))
    equal = sum(1 <= throw + lead <= die for throw in range(1, die + 1))
    return SURE * better // (die * die - equal) if equal < die * die else SURE // 2
