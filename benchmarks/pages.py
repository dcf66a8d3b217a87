"""How soon a seat's report answers: its script's last mark after the navigation began, in Chromium.

    python -m benchmarks.pages [RUNS]

Both demonstration games are played first. The heaviest page of each is then loaded again and again, in
turns with its twin without script, which is the floor: what parsing and drawing the page takes anyhow.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.harness import in_sentences, positive
from tests.browser.chromium import opened
from tests.commands import pbem

MARKS = "() => performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime])"
PARSED = "() => performance.getEntriesByType('navigation')[0].domContentLoadedEventStart"
SCRIPT = re.compile(r'<script type="module">.*?</script>', re.DOTALL)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.pages")
    options.add_argument("runs", type=positive, nargs="?", default=9, help="9 if left out; the median counts")
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory() as folder, opened() as tab:
        for ruleset in ("flux", "magic"):
            game = Path(folder) / ruleset
            played = pbem("demo", game, "--ruleset", ruleset)
            if played.status:
                sys.exit(played.err)
            page = max(game.glob("players/*/turn-*.html"), key=lambda path: path.stat().st_size)
            bare = page.with_name("bare.html")
            bare.write_text(SCRIPT.sub("", page.read_text("utf-8")), "utf-8")
            ready: list[float] = []
            floor: list[float] = []
            for _ in range(runs):
                tab.page.goto(page.as_uri())
                ready.append(max(at for _, at in tab.run(MARKS)))
                tab.page.goto(bare.as_uri())
                floor.append(tab.run(PARSED))
            size = page.stat().st_size
            script = size - bare.stat().st_size
            print(f"{ruleset}: {page.name} of {page.parent.name}, {size:,} bytes, its script {script:,}")
            times = median(ready) / median(floor)
            print(f"  ready after {median(ready):.0f} ms (least {min(ready):.0f}, most {max(ready):.0f})")
            print(f"  without script parsed after {median(floor):.0f} ms; ratio {times:.2f}")


if __name__ == "__main__":
    with in_sentences():
        main()
