"""SVG as PNG by resvg, with our own font and no other, so that the same picture comes everywhere."""

from contextlib import ExitStack
from importlib import resources

from pbem.reports.palette import with_palette

FAMILY = "DejaVu Sans"
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def svg_to_png(svg: str, width: int) -> bytes:
    """The picture `width` pixels wide on paper, in few colours; its height follows from the view box."""
    return with_palette(raw_png(svg, width))


def raw_png(svg: str, width: int) -> bytes:
    """The picture as resvg writes it, in full colour."""
    import resvg_py  # noqa: PLC0415 - a map is seldom drawn as PNG

    folder = resources.files("pbem.reports").joinpath("fonts")
    with ExitStack() as files:
        fonts = [str(files.enter_context(resources.as_file(folder.joinpath(font)))) for font in FONTS]
        png: bytes = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            background="#FBF8F1",
            skip_system_fonts=True,
            font_files=fonts,
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            serif_family=FAMILY,
            monospace_family=FAMILY,
        )
    return png
