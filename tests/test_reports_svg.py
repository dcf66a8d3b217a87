"""Drawings as SVG and PNG: escaped, deterministic, quick, each shape as its value says."""

import struct
import time
from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.drawing import (
    Circle,
    Clip,
    Drawing,
    Group,
    Label,
    Paint,
    Path,
    Pattern,
    Polyline,
    Rect,
    Shape,
    Symbol,
    Use,
)
from pbem.reports.palette import COLOURS, KEPT, with_palette
from pbem.reports.png import raw_png, svg_to_png
from pbem.reports.svg import drawing_to_svg, symbols_to_svg
from tests.sample_map import sample_map

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


def draw(*items: Shape, **options: object) -> ET.Element:
    drawing = Drawing((0, 0, 10, 10), "A <b>title", "A & description", (), items)
    return ET.fromstring(drawing_to_svg(drawing, **options).encode())  # type: ignore[arg-type]  # noqa: S314


def test_title_and_description_are_read_out() -> None:
    root = draw()
    title, description = root[0], root[1]
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"] == f"{title.attrib['id']} {description.attrib['id']}"
    assert (title.text, description.text) == ("A <b>title", "A & description")


def test_a_decorative_picture_is_hidden_from_ears() -> None:
    root = draw(decorative=True)
    assert root.attrib["aria-hidden"] == "true"
    assert root.find(f"{SVG}title") is None


def test_text_is_escaped_and_cleaned() -> None:
    root = draw(Group((Label(1, 2, "</text><script>\x00\u202e", 9),), title='"><x>'))
    group = root[-1]
    assert [child.tag for child in group] == [f"{SVG}title", f"{SVG}text"]
    assert group[0].text == '"><x>'
    assert group[1].text == "</text><script>\ufffd\ufffd"


def test_shapes_keep_their_numbers_and_paint() -> None:
    paint = Paint("#abc", "none", "1.5", dash="2 3", rule="evenodd", classes="f-ink")
    path, line, circle, rect, label = draw(
        Path("M0 0L1 1", paint, "p"),
        Polyline(((0, 1), ("2.5", 3))),
        Circle(1, 2, 3),
        Rect(0, 0, 4, 5, rx=1),
        Label(1, 2, "A1", 9, anchor="end", halo="#fff"),
    )[-5:]
    assert path.attrib == {
        "class": "f-ink",
        "clip-rule": "evenodd",
        "d": "M0 0L1 1",
        "fill": "#abc",
        "fill-rule": "evenodd",
        "id": "p",
        "stroke": "none",
        "stroke-dasharray": "2 3",
        "stroke-width": "1.5",
    }
    assert line.attrib["points"] == "0,1 2.5,3"
    assert circle.attrib == {"cx": "1", "cy": "2", "r": "3"}
    assert rect.attrib == {"x": "0", "y": "0", "width": "4", "height": "5", "rx": "1"}
    assert (label.attrib["text-anchor"], label.attrib["paint-order"]) == ("end", "stroke")


def test_a_prefix_goes_before_every_id_and_reference() -> None:
    drawing = Drawing(
        (0, 0, 9, 9),
        "t",
        "d",
        (
            Symbol("s", (Circle(0, 0, 1),)),
            Pattern("p", 2, 2, (Rect(0, 0, 1, 1),)),
            Clip("c", ((0, 0), (1, 0), (1, 1))),
        ),
        (
            Group(
                (Use("s", 1, 2), Use("s", 1, 2, scale="0.5", rotate=90)),
                id="g",
                clip="c",
                paint=Paint("url(#p)"),
            ),
        ),
    )
    root = ET.fromstring(drawing_to_svg(drawing, id_prefix="m-"))  # noqa: S314
    assert [part.attrib["id"] for part in root[2]] == ["m-s", "m-p", "m-c"]
    group = root[-1]
    assert group.attrib == {"id": "m-g", "clip-path": "url(#m-c)", "fill": "url(#m-p)"}
    assert group[0].attrib == {HREF: "#m-s", "x": "1", "y": "2"}
    assert group[1].attrib == {HREF: "#m-s", "transform": "translate(1 2) rotate(90) scale(0.5)"}


def test_symbols_come_with_what_they_refer_to() -> None:
    definitions = sample_map().definitions
    inner = Symbol("inner", (Rect(0, 0, 1, 1, Paint("url(#p-amber)")),))
    outer = Symbol("outer", (Group((Use("inner"),), clip="c-board"),))
    svg = symbols_to_svg((*definitions, inner, outer), ["outer", "nowhere"], "m-")
    root = ET.fromstring(svg)  # noqa: S314
    assert [part.attrib["id"] for part in root[0]] == ["m-p-amber", "m-c-board", "m-inner", "m-outer"]


def test_same_drawing_same_bytes() -> None:
    assert drawing_to_svg(sample_map()) == drawing_to_svg(sample_map())


def test_a_map_of_331_hexes_is_written_quickly() -> None:
    drawing = sample_map()
    drawing_to_svg(drawing)
    began = time.process_time()
    drawing_to_svg(drawing)
    assert time.process_time() - began < 0.1


def test_png_is_small_in_a_palette_and_shows_its_labels() -> None:
    svg = drawing_to_svg(sample_map())
    png = svg_to_png(svg, 1200)
    width, height, depth, kind = struct.unpack_from(">IIBB", png, 16)
    assert (width, height, depth, kind) == (1200, 1374, 8, 3)
    assert len(png) < 300_000
    # The flat colours that cover most are in it exactly as they were.
    whole = Image.open(BytesIO(raw_png(svg, 1200))).convert("RGB")
    few = Image.open(BytesIO(png)).convert("RGB")
    flat = sorted(whole.getcolors(whole.width * whole.height) or [], reverse=True)[:KEPT]
    assert {colour for _, colour in flat} <= {colour for _, colour in few.getcolors(256) or []}
    # And no other is far from what it was.
    difference = ImageStat.Stat(ImageChops.difference(whole, few))
    assert max(difference.rms) < 6
    assert png == svg_to_png(svg, 1200)


def test_a_full_map_makes_do_with_fewer_colours() -> None:
    svg = drawing_to_svg(sample_map())
    whole = svg_to_png(svg, 400)
    assert len(with_palette(raw_png(svg, 400), largest=1)) < len(whole)


@pytest.mark.parametrize("count", [1, KEPT])
def test_a_picture_of_few_colours_keeps_them_all(count: int) -> None:
    image, file = Image.new("RGB", (count, 2)), BytesIO()
    image.putdata([(7 * each % 256, 255 - each, 3 * each) for each in range(count)] * 2)
    image.save(file, "PNG")
    assert Image.open(BytesIO(with_palette(file.getvalue()))).convert("RGB").tobytes() == image.tobytes()


def test_every_letter_of_a_label_has_ink() -> None:
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+éßŁ→≤":
        mark = Label(10, 17, letter, 18, Paint("#000000"), weight="700")
        drawing = Drawing((0, 0, 20, 20), "", "", (), (mark,))
        dark = [shade for shade in _shades(svg_to_png(drawing_to_svg(drawing), 20)) if shade < 128]
        assert len(dark) > 10, letter


def _shades(png: bytes) -> list[int]:
    image = Image.open(BytesIO(png))
    assert image.mode == "P"
    colours = image.getpalette() or []
    assert len(colours) <= 3 * max(COLOURS)
    return [colours[3 * place] for place in image.tobytes()]
