"""PNG in few colours: a map is then a quarter as large, which mail is glad of.

The flat colours that cover most stay exactly as they are; the others, all edges and shades, are told
apart as well as the rest of the palette can (k-means, in whole numbers, so that it comes out the same
everywhere). Pillow reads the picture; its own ways to choose colours lose small flat areas, or let a
crowded map grow beyond what a mail should carry.
"""

import struct
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
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
SEED, POINT = 4, 3
"""Bits of a channel that do not count: as places are first given, and as they are moved."""


def with_palette(png: bytes, largest: int = LARGEST) -> bytes:
    """The picture in the most colours that keep it below `largest` bytes, or in the fewest."""
    from PIL import Image  # noqa: PLC0415 - a map is seldom drawn as PNG

    image = Image.open(BytesIO(png)).convert("RGBA")
    width, height = image.size
    pixels = array("I", image.tobytes())
    if sys.byteorder == "big":
        pixels.byteswap()
    counts = Counter(pixels)
    palette, packed = list[Colour](), b""
    for colours in COLOURS:
        palette, places = _palette(counts, colours)
        found = bytes(map(places.__getitem__, pixels))
        packed = zlib.compress(
            b"".join(b"\0" + found[at : at + width] for at in range(0, len(found), width)), 9
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
    places |= zip(others, _nearest(list(map(_colour, others)), palette), strict=True)
    return palette, places


def _moved(kept: Sequence[Colour], others: Mapping[int, int], colours: int) -> list[Colour]:
    """The colours kept, and those that stand for the others, which are given with their counts."""
    points = _gathered(((_colour(pixel), count) for pixel, count in others.items()), POINT)
    seeds = sorted(_gathered(points, SEED), key=lambda seed: (-seed[1], seed[0]))
    found = [*kept, *(colour for colour, _ in seeds[: colours - len(kept)])]
    for _ in range(ROUNDS):
        sums = [[0, 0, 0, 0] for _ in found]
        for place, (colour, count) in zip(
            _nearest([colour for colour, _ in points], found), points, strict=True
        ):
            _add(sums[place], colour, count)
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


def _nearest(colours: Sequence[Colour], palette: Sequence[Colour]) -> bytes:
    """For each colour the place of the nearest in the palette, found for cells of 4 x 4 x 4 colours."""
    from PIL import Image  # noqa: PLC0415 - a map is seldom drawn as PNG

    line = Image.new("RGB", (len(colours), 1))
    line.putdata(colours)
    places = Image.new("P", (1, 1))
    # Pillow asks what is nearest to a cell's lowest corner; its middle lies 2 above.
    places.putpalette([max(part - 2, 0) for colour in palette for part in colour])
    return line.quantize(palette=places, dither=Image.Dither.NONE).tobytes()
