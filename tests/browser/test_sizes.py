"""How large reports and pictures are, and that every label of a crowded map is drawn and can be read."""

import re
import struct
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from pbem.drawing import Drawing, Group, Label
from pbem.reports.png import raw_png, svg_to_png
from pbem.reports.svg import drawing_to_svg
from pbem.rulesets.flux import RULESET
from tests.browser.chromium import Tab
from tests.flux.crowded import crowded_turn

WIDTH = 1200
LAYERS = ("labels", "labels2")
SIZE = 9.6
"""Of a hex's label, in units of the map."""


@pytest.fixture(scope="module")
def crowded() -> Drawing:
    turn = crowded_turn()
    assert sum(len(wizard.earths) for wizard in turn.after.wizards.values()) >= 60
    return RULESET.view(turn, "crimson").board.drawing


@pytest.fixture(scope="module")
def png(crowded: Drawing) -> bytes:
    return svg_to_png(drawing_to_svg(crowded), WIDTH)


def test_a_page_of_the_map_of_331_hexes_is_below_400_kb(demo: Path) -> None:
    """With its script; without it, as a reader without script has it, below 350 KB."""
    for page in demo.rglob("*.html"):
        html = page.read_bytes()
        assert len(html) < 400_000, page
        assert len(re.sub(rb"<script.*?</script>", b"", html, flags=re.DOTALL)) < 350_000, page


def test_no_two_labels_touch(crowded: Drawing) -> None:
    labels = list(hex_labels(crowded))
    assert len(labels) == 331
    touching = [
        (one.text, other.text)
        for one, other in combinations(labels, 2)
        if abs(float(one.x) - float(other.x)) < SIZE * 0.32 * (len(one.text) + len(other.text))
        and abs(float(one.y) - float(other.y)) < SIZE * 0.8
    ]
    assert touching == []


def test_the_png_is_below_300_kb_and_has_every_label(crowded: Drawing, png: bytes) -> None:
    assert len(png) < 300_000
    shown, bare = pixels(png), full_pixels(without_labels(crowded))
    left, top, across, _ = crowded.view
    scale = WIDTH / across
    for label in hex_labels(crowded):
        x, y = (float(label.x) - left) * scale, (float(label.y) - top) * scale
        wide, high = 0.3 * SIZE * len(label.text) * scale, 0.75 * SIZE * scale
        drawn = sum(
            sum(bare[row * WIDTH + column]) - sum(shown[row * WIDTH + column]) > 100
            for row in range(round(y - high), round(y))
            for column in range(max(0, round(x - wide)), min(WIDTH, round(x + wide)))
        )
        assert drawn > 10 * len(label.text), (label.text, drawn)


def test_fewer_colours_leave_large_areas_as_they_are(crowded: Drawing, png: bytes) -> None:
    pairs = Counter(zip(full_pixels(crowded), pixels(png), strict=True))
    off = {pair: max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs}
    assert max(off[pair] for pair, count in pairs.items() if count > 2000) <= 10
    assert sum(off[pair] * count for pair, count in pairs.items()) / pairs.total() < 3


def hex_labels(drawing: Drawing) -> Iterator[Label]:
    for layer in drawing.items:
        if isinstance(layer, Group) and layer.id in LAYERS:
            yield from (item for item in layer.items if isinstance(item, Label))


def without_labels(drawing: Drawing) -> Drawing:
    kept = [item for item in drawing.items if not (isinstance(item, Group) and item.id in LAYERS)]
    return drawing._replace(items=tuple(kept))


def full_pixels(drawing: Drawing) -> list[tuple[int, ...]]:
    """The pixels of the drawing in all its colours, row after row."""
    return pixels(raw_png(drawing_to_svg(drawing), WIDTH))


def pixels(png: bytes) -> list[tuple[int, ...]]:
    """The pixels of a picture, row after row."""
    return list(struct.iter_unpack("3B", Image.open(BytesIO(png)).convert("RGB").tobytes()))


@pytest.mark.parametrize("width", [1280, 360])
def test_a_small_map_is_without_its_labels_and_the_nearer_one_has_them(
    tab: Tab, demo: Path, battle: Path, width: int
) -> None:
    for page in (demo / "players/violet/turn-6.html", battle / "players/boche/turn-4.html"):
        tab.open(page)
        tab.look(width, "light")
        shown = "() => getComputedStyle(document.querySelector('#m-labels')).display"
        assert (tab.run(shown) == "none") is (width == 360), page
        near = "() => document.querySelector('.near svg')?.checkVisibility()"
        assert tab.run(near) is (width == 360)
        if width == 360:
            # Letters are all that the layer paints: without it the nearer map is another picture.
            whole = tab.page.locator(".near svg").screenshot()
            tab.run("() => document.querySelector('.near use[href=\"#m-labels\"]').remove()")
            assert tab.page.locator(".near svg").screenshot() != whole
