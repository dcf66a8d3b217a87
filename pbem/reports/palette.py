"""PNG in 160 colours: a map is then a third as large, which mail is glad of.

Reads only what resvg writes (8 bits, RGBA, not interlaced, opaque), with the standard library alone.
"""

import struct
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 160
STEP = 3
"""Bits of each channel by which colours may differ and still share a place in the palette."""


_SUMS = [number & 255 for number in range(511)]


def with_palette(png: bytes) -> bytes:
    """The picture with the colours that stand for most of it, each other pixel by the nearest."""
    width, height, raw = _read(png)
    pixels = array("I", _unfiltered(raw, width, height))
    if sys.byteorder == "big":
        pixels.byteswap()
    counts = Counter(pixels)
    by_place: dict[tuple[int, int, int], Counter[int]] = {}
    for pixel, count in counts.items():
        place = (pixel & 255) >> STEP, (pixel >> 8 & 255) >> STEP, (pixel >> 16 & 255) >> STEP
        by_place.setdefault(place, Counter())[pixel] = count
    weights = sorted(by_place.items(), key=lambda item: (-item[1].total(), item[0]))
    palette = [min(found, key=lambda pixel: (-found[pixel], pixel)) for _, found in weights[:COLOURS]]
    index = {pixel: number for number, (_, found) in enumerate(weights[:COLOURS]) for pixel in found}
    for place, found in weights[COLOURS:]:
        nearest = _nearest([part << STEP for part in place], palette)
        index |= dict.fromkeys(found, nearest)
    image = bytes(map(index.__getitem__, pixels))
    rows = b"".join(b"\0" + image[row * width : (row + 1) * width] for row in range(height))
    colours = b"".join(struct.pack("<I", pixel)[:3] for pixel in palette)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", colours),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


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


def _nearest(colour: Iterable[int], palette: list[int]) -> int:
    red, green, blue = (part + (1 << STEP - 1) for part in colour)
    distances = [
        (red - (pixel & 255)) ** 2 + (green - (pixel >> 8 & 255)) ** 2 + (blue - (pixel >> 16 & 255)) ** 2
        for pixel in palette
    ]
    return distances.index(min(distances))
