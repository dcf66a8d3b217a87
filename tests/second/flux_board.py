"""The plains (F1), and how much of a hex a band round some hexes takes in (F8)."""

import re
from fractions import Fraction
from functools import cache
from typing import Any

Hex = tuple[int, int]
Number = int | Fraction
Point = tuple[Number, Number]
HalfPlane = tuple[Number, Number, Number]  # a, b, c: the points with a*x + b*y >= c

STEPS: tuple[Hex, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # N NE SE S SW NW


def distance(one: Hex, two: Hex) -> int:
    q, r = one[0] - two[0], one[1] - two[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


class Board:
    """A map, its labels turned into hexes."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.radius: int = table["radius"]
        span = range(-self.radius, self.radius + 1)
        self.hexes = [(q, r) for q in span for r in span if abs(q + r) <= self.radius]
        self.on_board = set(self.hexes)
        self.globes: dict[Hex, int] = {self.hex(at): n for at, n in table.get("globes", {}).items()}
        self.lakes = {self.hex(at) for at in table.get("lakes", [])}
        self.rivers = {frozenset((self.hex(a), self.hex(b))) for a, b in table.get("rivers", [])}
        self.corners: list[Hex] = [(self.radius * q, self.radius * r) for q, r in STEPS]

    def label(self, at: Hex) -> str:
        column, letters = at[0] + self.radius, ""
        while column >= 0:
            letters = chr(ord("A") + column % 26) + letters
            column = column // 26 - 1
        return f"{letters}{at[1] + self.radius + 1}"

    def hex(self, label: str) -> Hex:
        """The hex of a label; KeyError if it is none or off the map."""
        match = re.fullmatch(r"([A-Z]+)([1-9][0-9]*)", label.upper(), re.ASCII)
        if match is None:
            raise KeyError(label)
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("A") + 1
        at = (column - 1 - self.radius, int(match[2]) - self.radius - 1)
        if at not in self.on_board:
            raise KeyError(label)
        return at

    def neighbours(self, at: Hex) -> list[Hex]:
        """In the order N, NE, SE, S, SW, NW, those on the board."""
        return [n for n in ((at[0] + q, at[1] + r) for q, r in STEPS) if n in self.on_board]

    def is_full(self, at: Hex) -> bool:
        return distance(at, (0, 0)) < self.radius

    def has_globe(self, at: Hex) -> bool:
        return at in self.globes or at in self.corners

    def touches_water(self, at: Hex) -> bool:
        return any(n in self.lakes or frozenset((at, n)) in self.rivers for n in self.neighbours(at))


def corner_points(at: Hex) -> list[Point]:
    q, r = 3 * at[0], 3 * at[1]
    return [(q + dq, r + dr) for dq, dr in ((2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2))]


@cache
def band(hexes: frozenset[Hex]) -> list[HalfPlane]:
    """The half-planes that bound a band drawn round all these hexes: walked from left to right, by slopes."""
    points = {point for at in hexes for point in corner_points(at)}
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    planes: list[HalfPlane] = [(1, 0, left), (-1, 0, -right)]
    for side in (1, -1):  # 1: the boundary below, 1 * y >= …; -1: the one above
        x, y = min((px, side * py) for px, py in points)
        while x < right:
            onward = [(Fraction(side * py - y) / (px - x), px, side * py) for px, py in points if px > x]
            slope = min(onward)[0]
            rise, run = slope.numerator, slope.denominator
            planes.append((-rise, side * run, run * y - rise * x))
            x, y = max((px, py) for s, px, py in onward if s == slope)
    return planes


def twice_the_area(polygon: list[Point]) -> Number:
    """The sum of the trapezia under its sides, doubled."""
    total: Number = 0
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        total += (bx - ax) * (ay + by)
    return max(total, -total)


def clip(polygon: list[Point], plane: HalfPlane) -> list[Point]:
    """What of a convex polygon lies in the half-plane (Sutherland and Hodgman)."""
    a, b, c = plane
    result: list[Point] = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        height, next_height = a * here[0] + b * here[1] - c, a * there[0] + b * there[1] - c
        if height >= 0:
            result.append(here)
        if height * next_height < 0:
            part = Fraction(height) / (height - next_height)
            result.append((here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])))
    return result


@cache
def covers(ring: frozenset[Hex], at: Hex) -> bool:
    """Whether more than half of the hex lies in the band round the ring (F8.2)."""
    whole = polygon = corner_points(at)
    for plane in band(ring):
        polygon = clip(polygon, plane)
    return 2 * twice_the_area(polygon) > twice_the_area(whole)
