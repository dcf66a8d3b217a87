"""All measurements, one after the other: python -m benchmarks [--runs N] [--only NAME] [--write].

Prints a table of each, and with --write puts them into docs/performance.md between its two marks.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks import ageing, appending, commands, deciding, drawing, reading, territory
from benchmarks.harness import Measured, Options, as_markdown, as_text, machine, tell
from benchmarks.peers import peers_python

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
VERSIONS = """
from importlib.metadata import version
print(*(f"{name} {version(name)}" for name in ("diplomacy", "eventsourcing", "shapely")), sep=", ")
"""
ALL = {
    "commands": commands.measure,
    "appending": appending.measure,
    "reading": reading.measure,
    "deciding": deciding.measure,
    "territory": territory.measure,
    "drawing": drawing.measure,
    "ageing": ageing.measure,
}


def with_figures(page: str, measured: list[Measured], about: str) -> str:
    """The page with what stands between its marks replaced."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE.name} has no marks {BEGIN} and {END}; put them where the figures should stand.")
    return f"{before}{begin}\n\n{about}\n\n{as_markdown(measured)}\n{end}{after}"


def main(words: list[str] | None = None) -> None:
    """Measures, prints, and writes if that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often each is run; the median counts")
    parser.add_argument("--only", choices=ALL, action="append", help="this one alone; may be repeated")
    parser.add_argument("--small", action="store_true", help="a try with tiny counts, which mean nothing")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    asked = parser.parse_args(words)
    if asked.write and (asked.only or asked.small):
        parser.error("--write goes with all measurements at full size")
    peers = peers_python()
    if peers is None:
        tell("The peers are not installed: `python -m benchmarks.peers` does that. Their lines stay empty.")
    # Where it is set, every process that is timed would compile all of an editable install again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = Options(asked.runs, asked.small, peers)
    measured = []
    for name in asked.only or ALL:
        tell(f"measuring {name} …")
        measured.append(ALL[name](options))
        print(as_text(measured[-1]), flush=True)
    if asked.write:
        about = (
            f"Measured on {machine()}. Medians of {asked.runs} runs, interleaved. The peers: {versions()}."
        )
        PAGE.write_text(with_figures(PAGE.read_text("utf-8"), measured, about), "utf-8")


def versions() -> str:
    """Which peers were measured against."""
    python = peers_python()
    if python is None:
        return "none, which were not installed"
    done = subprocess.run([str(python), "-c", VERSIONS], capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    main()
