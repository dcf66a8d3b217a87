"""The plains: hexes in axial co-ordinates, their labels, corners and the water on them (F1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple, NewType

Label = NewType("Label", str)


class Hex(NamedTuple):
    """An axial place (q, r), flat-top, the centre of the board at (0, 0) (F1.1)."""

    q: int
    r: int

    def __sub__(self, other: "Hex") -> int:
        """The distance in hexes (F1.2)."""
        dq, dr = self.q - other.q, self.r - other.r
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def corners(self) -> tuple[tuple[int, int], ...]:
        """The six corners, clockwise, in the lattice of axial co-ordinates times 3 (F8.2)."""
        a, b = 3 * self.q, 3 * self.r
        return (
            (a + 2, b - 1),
            (a + 1, b + 1),
            (a - 1, b + 2),
            (a - 2, b + 1),
            (a - 1, b - 1),
            (a + 1, b - 2),
        )

    def neighbours(self) -> "tuple[Hex, ...]":
        """The six hexes around, on the board or not, in the order N, NE, SE, S, SW, NW (F4.5)."""
        return _around(self)

    def towards(self, end: "Hex") -> "list[Hex]":
        """Those of the neighbours that lie nearer to another hex, in the order N to NW (F4.5)."""
        q, r = end.q - self.q, end.r - self.r
        s = q + r
        nearer = (r < 0 and s < 0, q > 0 > r, q > 0 and s > 0, r > 0 and s > 0, q < 0 < r, q < 0 and s < 0)
        return list(compress(_around(self), nearer))


@lru_cache(maxsize=4096)
def _around(place: Hex) -> tuple[Hex, ...]:
    q, r = place
    return (
        Hex(q, r - 1),
        Hex(q + 1, r - 1),
        Hex(q + 1, r),
        Hex(q, r + 1),
        Hex(q - 1, r + 1),
        Hex(q - 1, r),
    )


Side = tuple[Hex, Hex]
"""A hexside: its two hexes in ascending order."""


def side(one: Hex, other: Hex) -> Side:
    """The hexside between two adjacent hexes."""
    return (one, other) if one < other else (other, one)


def column(number: int) -> str:
    """A, B, … Z, AA, AB, … for 0, 1, … (F1.2)."""
    letters = chr(65 + number % 26)
    return letters if number < 26 else chr(64 + number // 26) + letters


@dataclass(frozen=True)
class Board:
    """A board of one radius with its globes (corners apart), lakes and rivers (F1)."""

    name: str
    radius: int
    globes: tuple[tuple[Hex, int], ...]
    """In ascending order of hexes."""
    lakes: frozenset[Hex]
    rivers: frozenset[Side]
    title: str = ""
    """What the map calls itself."""

    def __contains__(self, place: Hex) -> bool:
        return place in self._labels

    def is_full(self, place: Hex) -> bool:
        """Whether the hex lies wholly inside the competition area (F1.1)."""
        return max(abs(place.q), abs(place.r), abs(place.q + place.r)) < self.radius

    @cached_property
    def start_corners(self) -> tuple[Hex, ...]:
        """The hexes of corners 1 to 6, clockwise from the top (F1.3)."""
        n = self.radius
        return (Hex(0, -n), Hex(n, -n), Hex(n, 0), Hex(0, n), Hex(-n, n), Hex(-n, 0))

    @cached_property
    def globe_hexes(self) -> tuple[Hex, ...]:
        """Where globes lie, corners apart, in ascending order."""
        return tuple(place for place, _ in self.globes)

    @cached_property
    def values(self) -> dict[Hex, int]:
        """The globes' values by hex, corners apart."""
        return dict(self.globes)

    @cached_property
    def plains(self) -> frozenset[Hex]:
        """The full hexes without globe or lake: what lies there by nature bars no earth from them."""
        full = frozenset(filter(self.is_full, self.hexes()))
        return full - self._globes_and_corners - self.lakes

    @cached_property
    def _globes_and_corners(self) -> frozenset[Hex]:
        return frozenset({*self.values, *self.start_corners})

    def holds_globe(self, place: Hex) -> bool:
        """Whether a globe lies there; corners hold one whoever plays from them (F1.3)."""
        return place in self._globes_and_corners

    @cached_property
    def _shores(self) -> frozenset[Hex]:
        beside_lakes = (near for lake in self.lakes for near in lake.neighbours())
        return frozenset(beside_lakes) | {place for river in self.rivers for place in river}

    def touches_water(self, place: Hex) -> bool:
        """Whether a side of the hex is a river or a neighbour a lake (F1.4)."""
        return place in self._shores

    @cached_property
    def _labels(self) -> Mapping[Hex, str]:
        return _labels(self.radius)

    def label(self, place: Hex) -> str:
        """The hex as players write it, such as `K11` (F1.2)."""
        return self._labels.get(place) or _label(place, self.radius)

    def find(self, label: str) -> Hex | None:
        """The hex of a label in either case; None for what is no label or not on the board."""
        places = _places(self.radius)
        return places.get(label) or (places.get(label.upper()) if label.isascii() else None)

    @property
    def around(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The neighbours of every hex that are on the board, in the order N to NW (F4.5)."""
        return _neighbourhood(self.radius)

    def hexes(self) -> Iterator[Hex]:
        """All hexes in ascending order."""
        return iter(_labels(self.radius))


def _label(place: Hex, radius: int) -> str:
    return f"{column(place.q + radius)}{place.r + radius + 1}"


@lru_cache(maxsize=8)
def _labels(radius: int) -> Mapping[Hex, str]:
    """Every hex of a board of this radius with its label, in ascending order."""
    hexes = (
        Hex(q, r)
        for q in range(-radius, radius + 1)
        for r in range(max(-radius, -q - radius), min(radius, radius - q) + 1)
    )
    return {place: _label(place, radius) for place in hexes}


@lru_cache(maxsize=8)
def _neighbourhood(radius: int) -> Mapping[Hex, tuple[Hex, ...]]:
    there = _labels(radius)
    return {place: tuple(near for near in place.neighbours() if near in there) for place in there}


@lru_cache(maxsize=8)
def _places(radius: int) -> Mapping[str, Hex]:
    """The hex of every label: the fold of a log looks up thousands."""
    return {label: place for place, label in _labels(radius).items()}
