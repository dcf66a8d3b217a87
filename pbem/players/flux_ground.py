"""The plains as a program sees them: turned so that one corner is on top, with all coverage in bits.

A player that looks from his own corner treats all seats alike wherever the map does, and what was
worked out for one seat serves the others. Bit i of a mask is the i-th globe of the turned board.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from pbem.rulesets.flux.hexes import Board, Hex, side
from pbem.rulesets.flux.territory import convex_hull, covered

MOST_KEPT = 200_000
"""So many masks are remembered of one board."""

Pair = tuple[Hex, Hex]
Rim = tuple[tuple[int, int], ...]


def turned(place: Hex, sixths: int) -> Hex:
    """A hex after so many sixths of a full turn, clockwise."""
    q, r = place
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return Hex(q, r)


def gap(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The distance of two hexes."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) >> 1


@dataclass(frozen=True, slots=True)
class Site:
    """Two hexes beside a globe on which an earth could lie, were they empty; in ascending order."""

    hexes: Pair
    across: bool
    """A river runs between them."""
    wet: bool
    """One of them touches water."""


@dataclass(frozen=True)
class Plain:
    """A turned board with what can be known of it beforehand."""

    board: Board
    _masks: dict[frozenset[Hex], int] = field(default_factory=dict, compare=False, hash=False)
    _rims: dict[frozenset[Hex], Rim] = field(default_factory=dict, compare=False, hash=False)

    _far: dict[Hex, dict[Hex, int]] = field(default_factory=dict, compare=False, hash=False)

    @cached_property
    def globes(self) -> tuple[Hex, ...]:
        """Where the globes lie, corners apart: bit i is the i-th."""
        return tuple(place for place, _ in self.board.globes)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """What they are worth."""
        return tuple(value for _, value in self.board.globes)

    @cached_property
    def sites(self) -> tuple[tuple[Site, ...], ...]:
        """By globe: the pairs around it, and those that lead away from it."""
        return tuple(tuple(self._sites(globe)) for globe in self.globes)

    def _sites(self, globe: Hex) -> Iterable[Site]:
        ring = globe.neighbours()
        around = [(ring[index], ring[(index + 1) % 6]) for index in range(6)]
        away = [(place, Hex(2 * place.q - globe.q, 2 * place.r - globe.r)) for place in ring]
        for one, other in (*around, *away):
            hexes = side(one, other)
            if all(self.is_ground(place) for place in hexes):
                yield Site(
                    hexes,
                    hexes in self.board.rivers,
                    any(self.board.touches_water(place) for place in hexes),
                )

    def far(self, place: Hex) -> dict[Hex, int]:
        """How far every hex of the board is from this one."""
        found = self._far.get(place)
        if found is None:
            found = self._far[place] = {other: gap(place, other) for other in self.board.hexes()}
        return found

    def is_ground(self, place: Hex) -> bool:
        """Whether an earth could lie there as far as the map goes: full, no lake, no globe (F5.4)."""
        board = self.board
        return board.is_full(place) and place not in board.lakes and not board.holds_globe(place)

    def rim(self, hexes: frozenset[Hex]) -> Rim:
        """The outermost of these hexes, in one turning sense: all others change nothing."""
        found = self._rims.get(hexes)
        if found is None:
            if len(self._rims) >= MOST_KEPT:
                self._rims.clear()
            found = self._rims[hexes] = convex_hull(hexes) or tuple(hexes)
        return found

    def mask(self, hexes: frozenset[Hex]) -> int:
        """The globes that a territory of these hexes covers (F8.2)."""
        found = self._masks.get(hexes)
        return self._kept(hexes, self.rim(hexes)) if found is None else found

    def mask_with(self, hexes: frozenset[Hex], rim: Rim, site: Site) -> int:
        """What these hexes, whose rim is known, and an earth more would cover."""
        grown = hexes.union(site.hexes)
        found = self._masks.get(grown)
        return self._kept(grown, convex_hull((*rim, *site.hexes))) if found is None else found

    def _kept(self, hexes: frozenset[Hex], rim: Rim) -> int:
        if len(self._masks) >= MOST_KEPT:
            self._masks.clear()
        found = self._masks[hexes] = self._covered(rim)
        return found

    def _covered(self, rim: Rim) -> int:
        """The rim has far fewer hexes than the ground, and the same band round it."""
        held = covered(frozenset(Hex(*point) for point in rim), self.globes)
        return sum(1 << bit for bit, globe in enumerate(self.globes) if globe in held)


@lru_cache(maxsize=64)
def plain_of(board: Board) -> Plain:
    """One plain for all boards that are equal."""
    return Plain(board)


@dataclass(frozen=True)
class Ground:
    """A board seen from one seat: how its hexes turn, and the plain that they turn into."""

    plain: Plain
    own: dict[Hex, Hex]
    """By hex of the board, the same hex as this seat sees it."""
    labels: dict[Hex, str]
    """By hex as this seat sees it, its label on the board."""
    order: tuple[int, ...]
    """By bit of the plain, the globe's place among the board's."""


@lru_cache(maxsize=384)
def ground_of(board: Board, seat: int) -> Ground:
    """The board turned so that this seat's corner is on top."""
    sixths = 1 - seat
    own = {place: turned(place, sixths) for place in board.hexes()}
    globes = sorted((own[place], value, index) for index, (place, value) in enumerate(board.globes))
    seen = Board(
        "",
        board.radius,
        tuple((place, value) for place, value, _ in globes),
        frozenset(own[place] for place in board.lakes),
        frozenset(side(own[one], own[other]) for one, other in board.rivers),
    )
    labels = {mine: board.label(place) for place, mine in own.items()}
    return Ground(plain_of(seen), own, labels, tuple(index for _, _, index in globes))


@lru_cache(maxsize=2304)
def _steps(board: Board, theirs: int, mine: int) -> tuple[int, ...]:
    place = {index: bit for bit, index in enumerate(ground_of(board, mine).order)}
    return tuple(1 << place[index] for index in ground_of(board, theirs).order)


def translated(board: Board, mask: int, theirs: int, mine: int) -> int:
    """A mask of the plain that one seat sees as another's."""
    steps = _steps(board, theirs, mine)
    out = 0
    while mask:
        low = mask & -mask
        out |= steps[low.bit_length() - 1]
        mask ^= low
    return out
