"""Every page of the demonstration game: quiet, alone, as wide as the window, open to all readers.

With PBEM_SCALE=100 every page is seen in all sizes and both themes, and axe goes over each. Below that
every page is seen in all sizes; axe, and with it the dark theme, comes to it in one look or a few, by
turns, and to one page in five with the slow rule on contrast.
"""

import re
import tomllib
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.browser.chromium import LOOKS, Tab
from tests.scale import SCALE, scaled

ORDERS = Path(__file__).parents[2] / "orders" / "flux"
SEATS = [player["seat"] for player in tomllib.loads((ORDERS / "game.toml").read_text("utf-8"))["players"]]
TURNS = range(len([*ORDERS.glob("turn-*")]) + 1)
PAGES = (
    "reports/index.html",
    *(f"reports/turn-{turn}/index.html" for turn in TURNS),
    *(f"{folder}/turn-{turn}.html" for turn in TURNS for folder in ("gm", *(f"players/{s}" for s in SEATS))),
)
CONTRAST_EVERY = 5
"""Has no factor in common with the six looks, so that the pages it picks meet each of them."""

IDS = re.compile(r'<[^<>]*\sid="([^"]*)"')
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)


def test_the_pages_below_are_all_there_are(demo: Path) -> None:
    assert {str(path.relative_to(demo)) for path in demo.rglob("*.html")} == set(PAGES)


@pytest.mark.parametrize("number", range(len(PAGES)), ids=PAGES)
def test_page(tab: Tab, demo: Path, number: int) -> None:
    path = demo / PAGES[number]
    tab.open(path)
    audited = set(islice(cycle(LOOKS), number % len(LOOKS), number % len(LOOKS) + scaled(len(LOOKS))))
    for look in LOOKS:
        if SCALE < 100 and look[1] == "dark" and look not in audited:
            continue
        tab.look(*look)
        assert tab.too_wide() == [], look
        if look in audited:
            contrast = SCALE >= 100 or number % CONTRAST_EVERY == 0
            assert tab.violations(contrast=contrast) == [], look
    tab.assert_quiet(path)


@pytest.mark.parametrize("turn", TURNS)
def test_a_map_alone_is_quiet(tab: Tab, demo: Path, turn: int) -> None:
    path = demo / f"reports/turn-{turn}/map.svg"
    tab.said.clear()
    tab.asked.clear()
    tab.page.goto(path.as_uri())
    tab.assert_quiet(path)


@pytest.mark.parametrize("game", ["demo", "battle"])
def test_no_id_stands_twice(game: str, request: pytest.FixtureRequest) -> None:
    """On any page or map, disputed globes of any number of owners among them."""
    folder: Path = request.getfixturevalue(game)
    for path in sorted((*folder.rglob("*.html"), *folder.rglob("*.svg"))):
        ids = IDS.findall(SCRIPTS.sub("", path.read_text("utf-8")))
        assert ids, path
        assert len(ids) == len(set(ids)), (path, {name for name in ids if ids.count(name) > 1})
