"""The pictures in docs/images, made again by `python -m tests.browser.pictures`; needs pdftoppm."""

import base64
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.reports.archive import render_turn
from pbem.reports.palette import with_palette
from pbem.reports.png import raw_png
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from tests.browser.chromium import Tab, opened
from tests.commands import pbem
from tests.flux.crowded import crowded_turn
from tests.sample_report import FLUX_FILES, sample_facts

IMAGES = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 270_000
A4 = ("-r", "110", "-png")


def main() -> None:
    with TemporaryDirectory() as name, opened() as tab:
        folder = Path(name)
        pbem("demo", folder / "grob", "--ruleset", "flux")
        seat = folder / "grob" / "players" / "crimson"
        report, last = seat / "turn-6.html", seat / "turn-10.html"
        shot(tab, report, "report", (1280, "light"), 1300)
        shot(tab, report, "phone", (360, "light"), 3200)
        shot(tab, report, "map-dark", (1280, "dark"), "#mapfig")
        shot(tab, last, "last-round", (1280, "light"), "#mapfig")
        shot(tab, last, "last-round-grey", (1280, "light"), "#mapfig", grey=True)
        shot(tab, folder / "grob" / "reports" / "index.html", "archive", (1280, "light"), 1500)
        shot(tab, crowded(folder), "sixty-earths", (1280, "light"), "#mapfig")
        shot(tab, crowded(folder), "sixty-earths-phone", (360, "light"), 3000)
        printed(tab, report, folder, "print")
        pbem("demo", folder / "hayrick", "--ruleset", "magic")
        battle = folder / "hayrick" / "players"
        shot(tab, battle / "boche" / "turn-4.html", "magic-report", (1280, "light"), 1100)
        shot(tab, battle / "noman" / "turn-7.html", "magic-chord", (1280, "light"), "#mapfig")
        shot(tab, battle / "boche" / "turn-2.html", "magic-dark", (1280, "dark"), "#mapfig")
        shot(tab, battle / "boche" / "turn-4.html", "magic-phone", (360, "light"), 3000)
        printed(tab, battle / "boche" / "turn-4.html", folder, "magic-print")


def crowded(folder: Path) -> Path:
    turn = crowded_turn()
    facts = sample_facts(seats=HUES, turn=turn.number, missing=(), orders_text={})
    files = render_turn(facts, {"crimson": RULESET.view(turn, "crimson")}, FLUX_FILES)
    page = folder / "crowded.html"
    page.write_bytes(files[f"players/crimson/turn-{turn.number}.html"])
    return page


def shot(
    tab: Tab, page: Path, name: str, look: tuple[int, str], part: int | str = 900, *, grey: bool = False
) -> None:
    """A page's top, so many pixels of it, or the part that a selector names."""
    tab.page.goto(page.as_uri())
    tab.look(*look)
    if isinstance(part, int):
        tab.page.set_viewport_size({"width": look[0], "height": part})
    tab.run("grey => { document.documentElement.style.filter = grey ? 'grayscale(1)' : '' }", grey)
    keep(name, tab.page.screenshot() if isinstance(part, int) else tab.page.locator(part).screenshot())


def printed(tab: Tab, page: Path, folder: Path, name: str) -> None:
    """The first two sheets of A4 side by side."""
    tab.page.goto(page.as_uri())
    (folder / "report.pdf").write_bytes(tab.page.pdf(prefer_css_page_size=True, print_background=True))
    tool = shutil.which("pdftoppm") or sys.exit("pdftoppm is not here.")
    subprocess.run([tool, *A4, "-l", "2", folder / "report.pdf", folder / "sheet"], check=True)
    sheets = sorted(folder.glob("sheet*.png"))
    images = "".join(f"<img src='{sheet.as_uri()}' style='width:620px;margin:10px 5px'>" for sheet in sheets)
    both = folder / "both.html"
    both.write_text(
        f"<body style='margin:0;background:#888;text-align:center;width:1280px'>{images}", "utf-8"
    )
    shot(tab, both, name, (1280, "light"), 900)


def keep(name: str, png: bytes) -> None:
    """In a palette; resvg first writes it as our palettes read it."""
    width, height = struct.unpack_from(">II", png, 16)
    data = base64.b64encode(png).decode()
    size = f'width="{width}" height="{height}"'
    image = f'<image {size} href="data:image/png;base64,{data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{image}</svg>'
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{name}.png").write_bytes(with_palette(raw_png(svg, width), LARGEST))


if __name__ == "__main__":
    main()
