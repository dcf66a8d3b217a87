"""PNG in few colours: a map is then a quarter as large, which mail is glad of.

The flat colours that cover most stay exactly as they are; all others, edges and shades, share the rest
of the palette.
"""

from io import BytesIO
from typing import TypeAlias, cast

Colour: TypeAlias = tuple[int, int, int]

LARGEST = 285_000
COLOURS = (224, 176, 128, 96, 72, 48)
"""How many colours, tried in turn until the picture is small enough."""
KEPT = 24
"""How many of the commonest colours are kept exactly."""


def with_palette(png: bytes, largest: int = LARGEST) -> bytes:
    """The picture in the most colours that keep it below `largest` bytes, or in the fewest."""
    from PIL import Image  # noqa: PLC0415 - a map is seldom drawn as PNG

    image = Image.open(BytesIO(png)).convert("RGB")
    counted = cast("list[tuple[int, Colour]]", image.getcolors(image.width * image.height))
    commonest = sorted(counted, key=lambda each: (-each[0], each[1]))[:KEPT]
    kept = [part for _, colour in commonest for part in colour]
    packed = BytesIO()
    for colours in COLOURS:
        # An octree keeps colours that are far from all others, however few pixels have them.
        shared = image.quantize(colours - KEPT, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        palette = Image.new("P", (1, 1))
        palette.putpalette([*kept, *(shared.getpalette() or [])])
        packed = BytesIO()
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
        if packed.tell() < largest:
            break
    return packed.getvalue()
