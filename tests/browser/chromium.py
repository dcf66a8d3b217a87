"""A tab of Debian's Chromium that remembers what a page said and asked for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
WIDTHS = (1280, 768, 360)
THEMES = ("light", "dark")
LOOKS = tuple((width, theme) for width in WIDTHS for theme in THEMES)

AXE = """async ([levels, contrast]) => {
    const rules = {"color-contrast": {enabled: contrast}}
    const found = await axe.run({runOnly: levels, resultTypes: ["violations"], rules})
    return found.violations.map(one => [one.id, ...one.nodes.slice(0, 3).map(node => node.html)])
}"""


@dataclass(frozen=True)
class Tab:
    """One tab, used for page after page; `said` and `asked` are of the page that is open."""

    page: "Page"
    axe: str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self, path: Path) -> None:
        """Go to a file, with all its folded parts open."""
        self.said.clear()
        self.asked.clear()
        self.page.goto(path.as_uri())
        self.run("document.querySelectorAll('details').forEach(part => part.open = true)")

    def look(self, width: int, theme: str) -> None:
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")

    def run(self, script: str, *given: Any) -> Any:
        return self.page.evaluate(script, *given)

    def saved(self, button: str) -> Path:
        """What a button saves as a file; Chromium loses one of many downloads of one page now and then."""
        from playwright.sync_api import TimeoutError as TooLate

        for _ in range(2):
            try:
                return self._saved(button, 10_000)
            except TooLate:
                continue
        return self._saved(button, 30_000)

    def _saved(self, button: str, patience: int) -> Path:
        with self.page.expect_download(timeout=patience) as download:
            self.page.get_by_role("button", name=button).click()
        return Path(download.value.path())

    def too_wide(self) -> list[str]:
        """What stands out to the right, if the page can be scrolled sideways."""
        return list(
            self.run("""() => document.documentElement.scrollWidth <= innerWidth ? [] :
                [...document.querySelectorAll("body *")].filter(
                    part => part.getBoundingClientRect().right > innerWidth
                ).map(part => part.outerHTML.slice(0, 200)).concat("scrolls")""")
        )

    def violations(self, *, contrast: bool) -> list[list[str]]:
        """What axe finds against WCAG 2.2 A and AA; the contrast of texts takes most of its time."""
        if not self.run("() => 'axe' in window"):
            self.run(self.axe)
        return list(self.run(AXE, [LEVELS, contrast]))

    def assert_quiet(self, path: Path) -> None:
        """The page said nothing and asked for nothing but itself."""
        assert self.said == []
        assert self.asked == [path.as_uri()]


@contextmanager
def opened() -> Iterator[Tab]:
    """A browser with one tab; skips, saying why, where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not here")
    pytest.importorskip("axe_playwright_python", reason="the package axe-playwright-python is not here")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no chromium here")
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=list(FLAGS))
        tab = Tab(browser.new_page(), axe)
        tab.page.on("console", lambda message: tab.said.append(message.text))
        tab.page.on("pageerror", lambda error: tab.said.append(str(error)))
        tab.page.on("dialog", lambda dialog: tab.said.append(dialog.message))
        tab.page.on("popup", lambda popup: tab.said.append(popup.url))
        tab.page.on("request", lambda request: tab.asked.append(request.url))
        yield tab
        browser.close()
