"""All measurements, one after the other: python -m benchmarks [--runs N] [--only NAME] [--write].

Prints a table of each, and with --write puts them into docs/performance.md between its two marks.
"""

import argparse
import os
import sys
from pathlib import Path

from benchmarks import ageing, appending, commands, deciding, drawing, reading, territory
from benchmarks.harness import (
    Measured,
    Options,
    as_markdown,
    as_text,
    in_sentences,
    machine,
    positive,
    tell,
)
from benchmarks.peers import peers_python, versions
from pbem.files import write_whole

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
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


def write(measured: list[Measured], about: str) -> None:
    """The figures into the page, whole or not at all."""
    page = with_figures(PAGE.read_text("utf-8"), measured, about)
    write_whole(PAGE, page.encode(), PAGE.stat().st_mode & 0o777)


def main(words: list[str] | None = None) -> None:
    """Measures, prints, and writes if that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=positive, default=7, help="how often each is run; the median counts")
    parser.add_argument("--only", choices=ALL, action="append", help="this one alone; may be repeated")
    parser.add_argument("--small", action="store_true", help="a try with tiny counts, which mean nothing")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    asked = parser.parse_args(words)
    if asked.write and (asked.only or asked.small):
        parser.error("--write goes with all measurements at full size")
    peers = peers_python()
    if peers is None:
        if asked.write:
            sys.exit(
                "The page tells of peers, and none are installed: `python -m benchmarks.peers` does that."
            )
        tell("The peers are not installed: `python -m benchmarks.peers` does that. Their lines stay empty.")
    # The machine as it was found; and what would stand in the way in the end is told before minutes pass.
    load = f"{os.getloadavg()[0]:.1f}"
    about = (
        f"Measured on {machine()}, its load {load} at the start. Medians of {asked.runs} runs, interleaved,"
        f" after one that does not count. The peers: {versions(peers) if peers else 'none'}."
    )
    tell(about)
    if asked.write:
        with_figures(PAGE.read_text("utf-8"), [], about)
        write_whole(PAGE, PAGE.read_bytes(), PAGE.stat().st_mode & 0o777)
    # Where it is set, every process that is timed would compile all of an editable install again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = Options(asked.runs, asked.small, peers)
    measured = []
    for name in asked.only or ALL:
        tell(f"measuring {name} …")
        measured.append(ALL[name](options))
        print(as_text(measured[-1]), flush=True)
    if asked.write:
        write(measured, about)


if __name__ == "__main__":
    with in_sentences():
        main()
