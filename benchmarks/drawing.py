"""The map and a turn's pages, against plain string building and against the imports of a command."""

import gc
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from unittest.mock import patch
from xml.sax.saxutils import escape, unescape

import svgwrite.base

from benchmarks.games import Unreported, random_contest
from benchmarks.harness import Line, Measured, Options, at_most, interleaved, milliseconds
from benchmarks.peers import working
from pbem.reports.svg import drawing_to_svg
from pbem.rulesets.model import PUBLIC

IMPORTS = (
    "import gc; from time import process_time; gc.disable(); start = process_time();"
    " import click, pydantic, jinja2, sqlite_utils, svgwrite; print(process_time() - start)"
)
_PIECE = re.compile(
    r"<(?P<tag>[^ />]+)(?P<attributes>[^>]*?)(?P<end>/?)>|(?P<text>[^<]+)|</(?P<close>[^>]+)>"
)
_ATTRIBUTE = re.compile(r' ([^= ]+)="([^"]*)"')

_QUOTED = {'"': "&quot;"}

Piece = tuple[str, tuple[tuple[str, str], ...], str]


def pieces_of(svg: str) -> list[Piece]:
    """Every tag with its attributes apart, so that it can be put together again."""
    found: list[Piece] = []
    for match in _PIECE.finditer(svg):
        if match["tag"]:
            attributes = tuple(
                (name, unescape(value, {"&quot;": '"'}))
                for name, value in _ATTRIBUTE.findall(match["attributes"])
            )
            found.append((match["tag"], attributes, " />" if match["end"] else ">"))
        else:
            found.append(("", (), match["text"] or f"</{match['close']}>"))
    return found


def put_together(pieces: list[Piece]) -> str:
    """The same bytes by plain string building: what no way of writing SVG in Python can be faster than."""
    out: list[str] = []
    for tag, attributes, end in pieces:
        if tag:
            out.append(f"<{tag}")
            for name, value in attributes:
                out.append(f' {name}="{escape(value, _QUOTED)}"')
        out.append(end)
    return "".join(out)


def measure(options: Options) -> Measured:
    """The map of 331 hexes, and a turn's seven HTML reports."""
    turns = 2 if options.small else 8
    with tempfile.TemporaryDirectory() as name:
        game = random_contest(Path(name, "game"), turns)
        drawing = game.archive.view(game.history.played(turns), PUBLIC).board.drawing
        svg = drawing_to_svg(drawing, standalone=False)
        pieces = pieces_of(svg)
        assert put_together(pieces) == svg

        def timed(run: Callable[[], object]) -> Callable[[], float]:
            def once() -> float:
                gc.collect()
                start = process_time()
                run()
                return process_time() - start

            return once

        found = interleaved(
            options.runs,
            {
                "map": timed(lambda: drawing_to_svg(drawing, standalone=False)),
                "plain": timed(lambda: put_together(pieces)),
                "text": lambda: seconds_to_text(lambda: drawing_to_svg(drawing, standalone=False)),
            },
        )
        pages = interleaved(options.runs, {"pages": lambda: fresh_pages(game, turns), "imports": imports})
    return Measured(
        "Map and pages",
        f"The public map after {turns} random rounds, {len(svg) / 1000:.0f} kB, from its value to its text;"
        " and the HTML reports of six wizards and the public one, with their maps, from the folded log to"
        " their bytes, in a process that has just begun. Processor time, all without the search for cycles.",
        (
            Line(
                "the 331-hex map as SVG",
                milliseconds(found["map"]),
                "plain string building of the same bytes",
                milliseconds(found["plain"]),
                found["map"] / found["plain"],
            ),
            at_most(
                "a turn's seven HTML reports",
                pages["pages"],
                "importing click, pydantic, jinja2, sqlite_utils and svgwrite",
                pages["imports"],
                1,
                milliseconds,
            ),
        ),
        (_halving(found["text"] / found["map"]),),
    )


def _halving(share: float) -> str:
    return (
        f"Of the map's time {share:.0%} goes into svgwrite's turning its elements into a tree of ElementTree"
        " and that into text. To halve it, shapes would have to be written as text directly in"
        " `pbem/reports/svg.py`, without svgwrite: the drawing is a value already, and the escaping would be"
        " ours to get right."
    )


def seconds_to_text(run: Callable[[], object]) -> float:
    """How much of a run svgwrite spends from its elements to text."""
    original, spent = svgwrite.base.BaseElement.tostring, list[float]()

    def tostring(element: svgwrite.base.BaseElement) -> str:
        start = process_time()
        text: str = original(element)
        spent.append(process_time() - start)
        return text

    gc.collect()
    with patch.object(svgwrite.base.BaseElement, "tostring", tostring):
        run()
    (seconds,) = spent  # one call writes the whole drawing
    return seconds


def imports() -> float:
    """Seconds of the five imports, in a process of their own."""
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    return float(done.stdout)


def fresh_pages(game: Unreported, turn: int) -> float:
    """Seconds of the seven pages, in a process of their own."""
    with working(Path(sys.executable), "reports", str(game.folder), str(turn)) as worker:
        told = worker.ask()
    assert told["pages"] == 7, told
    return float(told["seconds"])
