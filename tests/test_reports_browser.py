"""Pages in Debian's Chromium: no message, no request, no sideways scroll, no violation that axe can find.

Needs playwright, axe-playwright-python and a Chromium; without them these tests are skipped.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from pbem.reports.archive import render_index, render_turn
from pbem.rulesets.model import PUBLIC
from tests.sample_report import FLUX_FILES, PLAIN_FILES, sample_archive, sample_facts, sample_reports
from tests.scale import SCALE
from tests.test_reports_pages import HOSTILE, hostile_turn

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")

WIDTHS = (1280, 768, 360)
SCHEMES = ("light", "dark")
AUDITED = {(1280, "light"), (360, "dark")}
"""Where axe is run at a small scale: it takes seconds."""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = tmp_path_factory.mktemp("grob")
    files = render_turn(sample_facts(), sample_reports(), FLUX_FILES) | render_index(
        sample_archive(), FLUX_FILES
    )
    for number, hostile in enumerate(HOSTILE):
        files[f"hostile/{number}.html"] = hostile_turn(hostile)
    plain = render_turn(sample_facts(), {PUBLIC: sample_reports()[PUBLIC]}, PLAIN_FILES)
    files["plain.html"] = plain["reports/turn-3/index.html"]
    over = replace(sample_facts(ended=True, deadline=None, keys={}), length=3)
    files["over.html"] = render_turn(over, sample_reports(), FLUX_FILES)["players/azure/turn-3.html"]
    for path, content in files.items():
        place = game / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return game


PAGES = (
    "players/crimson/turn-3.html",
    "reports/turn-3/index.html",
    "gm/turn-3.html",
    "reports/index.html",
    "plain.html",
    "over.html",
)


def visit(browser: Any, page: Path, width: int, scheme: str, *, audit: bool = True) -> str:
    """Asserts what every page keeps; gives the text that is seen."""
    said: list[str] = []
    asked: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= width, (page, width)
    if audit:
        tab.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        tab.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
        found = tab.evaluate("levels => axe.run({runOnly: levels})", LEVELS)["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (page, width, scheme)
    text: str = tab.evaluate("document.body.innerText")
    context.close()
    assert said == [], page
    assert [url for url in asked if not url.startswith("data:")] == [page.as_uri()]
    return text


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_quiet_fit_and_accessible(browser: Any, folder: Path, page: str) -> None:
    for width in WIDTHS:
        for scheme in SCHEMES:
            audit = SCALE >= 100 or (width, scheme) in AUDITED
            visit(browser, folder / page, width, scheme, audit=audit)


def test_hostile_text_is_only_seen(browser: Any, folder: Path) -> None:
    for number in range(len(HOSTILE)):
        for width in WIDTHS:
            text = visit(browser, folder / "hostile" / f"{number}.html", width, "light", audit=False)
            assert "Void." in text
            assert "Check it yourself" in text


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("demo") / "grob"
    subprocess.run([sys.executable, "-m", "pbem", "demo", str(place)], check=True, capture_output=True)
    return place


def test_pages_of_the_demonstration_game(browser: Any, demo: Path) -> None:
    pages = sorted((*demo.glob("reports/**/*.html"), *demo.glob("players/*/*.html"), *demo.glob("gm/*.html")))
    assert len(pages) > 10
    for number, page in enumerate(pages):
        if number % 100 < max(SCALE, 8):
            for width in WIDTHS:
                for scheme in SCHEMES:
                    visit(browser, page, width, scheme, audit=SCALE >= 100)
