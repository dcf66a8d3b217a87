"""Every page of the demonstration battle: the same checks as the pages of Flux pass.

In a run of PBEM_SCALE below 100 one page in four is opened, each reader's and each turn's among them.
"""

import tomllib
from itertools import cycle, islice
from pathlib import Path

import pytest

from pbem.rulesets.magic.scenario import MAX_NAME
from tests.browser.chromium import LOOKS, Tab
from tests.commands import pbem
from tests.scale import SCALE, scaled

ORDERS = Path(__file__).parents[2] / "orders" / "magic"
SEATS = [player["seat"] for player in tomllib.loads((ORDERS / "game.toml").read_text("utf-8"))["players"]]
TURNS = range(len([*ORDERS.glob("turn-*")]))
PAGES = (
    "reports/index.html",
    *(f"reports/turn-{turn}/index.html" for turn in TURNS),
    *(f"{folder}/turn-{turn}.html" for turn in TURNS for folder in ("gm", *(f"players/{s}" for s in SEATS))),
)
EVERY = 1 if SCALE >= 100 else 4
"""Has no common factor with the three readers, so that each of them is looked at."""
SCENARIO = Path(__file__).parents[2] / "pbem/rulesets/magic/scenarios/hayrick.toml"
OVERHANGING = """() => [...document.querySelectorAll(".list li b")].filter(name =>
    name.getBoundingClientRect().right > name.closest("li").getBoundingClientRect().right + 1
).map(name => name.textContent)"""
"""Names that stand out of their place in a list."""


def test_the_pages_below_are_all_there_are(battle: Path) -> None:
    assert {str(path.relative_to(battle)) for path in battle.rglob("*.html")} == set(PAGES)


@pytest.mark.parametrize("number", range(0, len(PAGES), EVERY), ids=PAGES[::EVERY])
def test_page(tab: Tab, battle: Path, number: int) -> None:
    path = battle / PAGES[number]
    tab.open(path)
    audited = set(islice(cycle(LOOKS), number % len(LOOKS), number % len(LOOKS) + scaled(len(LOOKS))))
    for look in LOOKS:
        tab.look(*look)
        assert tab.too_wide() == [], look
        if look in audited:
            assert tab.violations(contrast=SCALE >= 100 or number % 3 == 0) == [], look
    tab.assert_quiet(path)


def test_the_longest_names_fit(tab: Tab, tmp_path: Path) -> None:
    scenario = SCENARIO.read_text("utf-8")
    for name in ("rodney", "trigger", "yobs", "barn-door"):
        scenario = scenario.replace(f'"{name}"', f'"{name:w>{MAX_NAME}}"')
    (tmp_path / "long.toml").write_text(scenario, "utf-8")
    players = ("--player", "Ada <ada@example.org>", "--player", "Ben <ben@example.org>")
    game = tmp_path / "pond"
    options = ("--ruleset", "magic", "--scenario", tmp_path / "long.toml")
    made = pbem("new", game, *options, *players)
    assert made.status == 0, made.err
    assert pbem("-C", game, "start", "--allow-missing").status == 0
    tab.open(game / "players/boche/turn-0.html")
    for look in LOOKS[::2]:
        tab.look(*look)
        assert tab.too_wide() == [], look
        assert tab.run(OVERHANGING) == [], look


@pytest.mark.parametrize("turn", TURNS[:: EVERY if EVERY == 1 else 3])
def test_a_map_alone_is_quiet(tab: Tab, battle: Path, turn: int) -> None:
    path = battle / f"reports/turn-{turn}/map.svg"
    tab.said.clear()
    tab.asked.clear()
    tab.page.goto(path.as_uri())
    tab.assert_quiet(path)
