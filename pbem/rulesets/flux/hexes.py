"""The plains: hexes in axial co-ordinates, their labels, corners and the water on them (F1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NewType

Label = NewType("Label", str)

_LABEL = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})")


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
        q, r = self
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
        return place - Hex(0, 0) <= self.radius

    def is_full(self, place: Hex) -> bool:
        """Whether the hex lies wholly inside the competition area (F1.1)."""
        return place - Hex(0, 0) < self.radius

    @cached_property
    def start_corners(self) -> tuple[Hex, ...]:
        """The hexes of corners 1 to 6, clockwise from the top (F1.3)."""
        n = self.radius
        return (Hex(0, -n), Hex(n, -n), Hex(n, 0), Hex(0, n), Hex(-n, n), Hex(-n, 0))

    @cached_property
    def values(self) -> dict[Hex, int]:
        """The globes' values by hex, corners apart."""
        return dict(self.globes)

    @cached_property
    def near(self) -> dict[Hex, tuple[Hex, ...]]:
        """By hex, its neighbours on the board, in the order N, NE, SE, S, SW, NW (F4.5)."""
        return {
            place: tuple(other for other in place.neighbours() if other in self) for place in self.hexes()
        }

    @cached_property
    def _labels(self) -> dict[Hex, str]:
        return {place: self._label(place) for place in self.hexes()}

    @cached_property
    def _places(self) -> dict[str, Hex]:
        return {label: place for place, label in self._labels.items()}

    def holds_globe(self, place: Hex) -> bool:
        """Whether a globe lies there; corners hold one whoever plays from them (F1.3)."""
        return place in self.values or place in self.start_corners

    def touches_water(self, place: Hex) -> bool:
        """Whether a side of the hex is a river or a neighbour a lake (F1.4)."""
        return any(near in self.lakes or side(place, near) in self.rivers for near in place.neighbours())

    def label(self, place: Hex) -> str:
        """The hex as players write it, such as `K11` (F1.2)."""
        return self._labels.get(place) or self._label(place)

    def _label(self, place: Hex) -> str:
        return f"{column(place.q + self.radius)}{place.r + self.radius + 1}"

    def find(self, label: str) -> Hex | None:
        """The hex of a label in either case; None for what is no label or not on the board."""
        if label in self._places:
            return self._places[label]
        found = _LABEL.fullmatch(label.upper())
        if not found or not label.isascii():
            return None
        letters, number = found.groups()
        index = 0
        for letter in letters:
            index = index * 26 + ord(letter) - 64
        place = Hex(index - 1 - self.radius, int(number) - self.radius - 1)
        return place if place in self else None

    def hexes(self) -> Iterator[Hex]:
        """All hexes in ascending order."""
        n = self.radius
        for q in range(-n, n + 1):
            for r in range(max(-n, -q - n), min(n, n - q) + 1):
                yield Hex(q, r)
