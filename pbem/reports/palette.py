"""PNG in few colours: a map is then a quarter as large, which mail is glad of.

The flat colours that cover most stay exactly as they are; the others, all edges and shades, are told
apart as well as the rest of the palette can (k-means, in whole numbers, so that it comes out the same
everywhere). Reads only what resvg writes (8 bits, RGBA, not interlaced, opaque), with the standard
library alone.
"""

import struct
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST = 285_000
COLOURS = (128, 96, 72, 48)
"""How many colours, tried in turn until the picture is small enough."""
KEPT = 24
"""How many of the commonest colours are kept exactly."""
ROUNDS = 6
"""How often the other places of the palette are moved to the middle of what they stand for."""
SEED, POINT, CELL = 4, 3, 2
"""Bits of a channel that do not count: as places are first given, as they are moved, as pixels get theirs."""

_SUMS = [number & 255 for number in range(511)]


def with_palette(png: bytes, largest: int = LARGEST) -> bytes:
    """The picture in the most colours that keep it below `largest` bytes, or in the fewest."""
    width, height, raw = _read(png)
    pixels = array("I", _unfiltered(raw, width, height))
    if sys.byteorder == "big":
        pixels.byteswap()
    counts = Counter(pixels)
    palette, packed = list[Colour](), b""
    for colours in COLOURS:
        palette, places = _palette(counts, colours)
        image = bytes(map(places.__getitem__, pixels))
        packed = zlib.compress(
            b"".join(b"\0" + image[at : at + width] for at in range(0, len(image), width)), 9
        )
        if len(packed) < largest:
            break
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(part for colour in palette for part in colour)),
        (b"IDAT", packed),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _palette(counts: Mapping[int, int], colours: int) -> tuple[list[Colour], dict[int, int]]:
    """The palette, and for every pixel its place there."""
    kept = sorted(counts, key=lambda pixel: (-counts[pixel], pixel))[:KEPT]
    places = {pixel: place for place, pixel in enumerate(kept)}
    others = {pixel: count for pixel, count in counts.items() if pixel not in places}
    palette = _moved([_colour(pixel) for pixel in kept], others, colours)
    nearest: dict[Colour, int] = {}
    for pixel in others:
        red, green, blue = _colour(pixel)
        cell = red >> CELL, green >> CELL, blue >> CELL
        if cell not in nearest:
            nearest[cell] = _nearest([(part << CELL) + (1 << CELL - 1) for part in cell], palette)
        places[pixel] = nearest[cell]
    return palette, places


def _moved(kept: Sequence[Colour], others: Mapping[int, int], colours: int) -> list[Colour]:
    """The colours kept, and those that stand for the others, which are given with their counts."""
    points = _gathered(((_colour(pixel), count) for pixel, count in others.items()), POINT)
    seeds = sorted(_gathered(points, SEED), key=lambda seed: (-seed[1], seed[0]))
    found = [*kept, *(colour for colour, _ in seeds[: colours - len(kept)])]
    for _ in range(ROUNDS):
        sums = [[0, 0, 0, 0] for _ in found]
        for colour, count in points:
            _add(sums[_nearest(colour, found)], colour, count)
        moved = zip(sums[len(kept) :], found[len(kept) :], strict=True)
        found = [*kept, *(_mean(of)[0] if of[0] else was for of, was in moved)]
    return found


def _gathered(colours: Iterable[tuple[Colour, int]], bits: int) -> list[tuple[Colour, int]]:
    """Colours that are the same but for their last bits as one, their mean, with their counts."""
    sums: dict[Colour, list[int]] = {}
    for colour, count in colours:
        red, green, blue = colour
        _add(sums.setdefault((red >> bits, green >> bits, blue >> bits), [0, 0, 0, 0]), colour, count)
    return [_mean(of) for of in sums.values()]


def _add(to: list[int], colour: Colour, count: int) -> None:
    to[0] += count
    for channel, part in enumerate(colour, 1):
        to[channel] += part * count


def _mean(of: Sequence[int]) -> tuple[Colour, int]:
    count, red, green, blue = of
    return (red // count, green // count, blue // count), count


def _colour(pixel: int) -> Colour:
    return pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _read(png: bytes) -> tuple[int, int, bytes]:
    """Width, height, and the filtered rows."""
    at, packed = len(SIGNATURE), b""
    width, height = struct.unpack_from(">II", png, at + 8)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += 12 + length
    return width, height, zlib.decompress(packed)


def _unfiltered(raw: bytes, width: int, height: int) -> bytes:
    stride = 4 * width
    rows: list[bytes] = []
    above = bytearray(stride + 4)
    for start in range(0, height * (stride + 1), stride + 1):
        above = _row(raw[start], raw[start + 1 : start + 1 + stride], above)
        rows.append(bytes(above[4:]))
    return b"".join(rows)


def _row(kind: int, delta: bytes, above: bytearray) -> bytearray:
    """A row from its differences, by PNG's five filters; rows here begin with an empty pixel."""
    row = bytearray(4) + bytearray(delta)
    match kind:
        case 1:
            for at in range(4, len(row)):
                row[at] = (row[at] + row[at - 4]) & 255
        case 2:
            row[:] = map(_SUMS.__getitem__, map(int.__add__, row, above))
        case 3:
            for at in range(4, len(row)):
                row[at] = (row[at] + (row[at - 4] + above[at] >> 1)) & 255
        case 4:
            _paeth(row, above)
    return row


def _paeth(row: bytearray, above: bytearray) -> None:
    for channel in range(4):
        left = corner = 0
        here: list[int] = []
        for difference, up in zip(row[channel + 4 :: 4], above[channel + 4 :: 4], strict=True):
            if up == corner:
                guess = left
            elif left == corner:
                guess = up
            else:
                estimate = left + up - corner
                to_left, to_up, to_corner = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
                if to_left <= to_up and to_left <= to_corner:
                    guess = left
                else:
                    guess = up if to_up <= to_corner else corner
            left, corner = (difference + guess) & 255, up
            here.append(left)
        row[channel + 4 :: 4] = bytes(here)


def _nearest(colour: Sequence[int], palette: Sequence[Colour]) -> int:
    r, g, b = colour
    distances = [(r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2 for red, green, blue in palette]
    return distances.index(min(distances))
