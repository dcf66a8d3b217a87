"""What all measurements share: interleaved runs, medians, and how they are told."""

import argparse
import gc
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest

from pbem.cli import sentence_of


class Line(NamedTuple):
    """One comparison. `ratio` is what the bound is about, in words that say which way round."""

    what: str
    ours: str
    against: str
    theirs: str
    ratio: float | None
    bound: str = ""
    met: bool | None = None


class Measured(NamedTuple):
    """What one benchmark came to."""

    title: str
    about: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


class Options(NamedTuple):
    """How much is measured. `small` is for trying the benchmarks out: its figures mean nothing."""

    runs: int
    small: bool
    peers: Path | None
    """The Python of the peers' environment, if it is there."""


def interleaved(runs: int, things: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """The median of each, run in turns so that what else the machine does falls on all alike.

    A first round warms everything up and is not counted. There is no search for cycles meanwhile, as the
    command `pbem` makes none. How far the runs lie apart is told beside.
    """
    times: dict[str, list[float]] = {name: [] for name in things}
    gc.disable()
    try:
        for number in range(runs + 1):
            for name, run in things.items():
                seconds = run()
                if number:
                    times[name].append(seconds)
    finally:
        gc.enable()
    for name, found in times.items():
        tell(f"  {name}: {milliseconds(min(found))} to {milliseconds(max(found))}")
    return {name: median(found) for name, found in times.items()}


@contextmanager
def in_sentences() -> Iterator[None]:
    """What a machine lacks, or a person stops, ends in a sentence, as it does in the commands of pbem."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit("Interrupted; nothing was written.")
    except pytest.skip.Exception as error:  # by helpers of the tests, where no browser or server is
        sys.exit(f"{error}.")
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout or b"").strip().splitlines() or [""]
        last = said[-1] if isinstance(said[-1], str) else said[-1].decode(errors="replace")
        sys.exit(f"`{' '.join(map(str, error.cmd))}` ended with status {error.returncode}. {last}".strip())
    except Exception as error:  # noqa: BLE001 - what nobody foresaw is raised again there
        sys.exit(sentence_of(error)[0])


def positive(word: str) -> int:
    """A count on the command line: of nothing there is no median."""
    if not word.isascii() or not word.isdecimal() or not 1 <= int(word) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{word!r} is no whole number from 1 to 1,000,000")
    return int(word)


def at_least(  # noqa: PLR0917 - the columns of the table, in their order
    what: str, ours: float, against: str, theirs: float, bound: float, show: Callable[[float], str]
) -> Line:
    """How many times as fast as something else, which should be so much or more."""
    ratio = theirs / ours
    return Line(
        what, show(ours), against, show(theirs), ratio, f"at least {bound:g} times as fast", ratio >= bound
    )


def at_most(  # noqa: PLR0917 - the columns of the table, in their order
    what: str, ours: float, against: str, theirs: float, bound: float, show: Callable[[float], str]
) -> Line:
    """How many times the time of something else, which should be so much or less."""
    ratio = ours / theirs
    return Line(
        what, show(ours), against, show(theirs), ratio, f"at most {bound:g} times the time", ratio <= bound
    )


def no_peer(what: str, against: str, ours: str = "") -> Line:
    """A comparison that could not be made."""
    return Line(what, ours, against, "not installed", None)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 10 else f"{seconds:.1f} s"


def microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs"


def as_markdown(measured: Sequence[Measured]) -> str:
    """The tables of docs/performance.md."""
    parts: list[str] = []
    for each in measured:
        rows = [
            f"| {line.what} | {line.ours} | {line.against} | {line.theirs} | {_ratio(line)} |"
            f" {line.bound or 'told'} | {_verdict(line)} |"
            for line in each.lines
        ]
        notes = "".join(f"\n{note}\n" for note in each.notes)
        head = "| what | pbem | against | it | ratio | bound | |\n|---|---|---|---|---|---|---|"
        parts.append(f"### {each.title}\n\n{each.about}\n\n{head}\n" + "\n".join(rows) + f"\n{notes}")
    return "\n".join(parts)


def as_text(measured: Measured) -> str:
    """The same for a terminal."""
    rows = [
        f"  {line.what}: {line.ours}; {line.against}: {line.theirs}"
        + (f"; ratio {_ratio(line)}" if line.ratio else "")
        + (f" ({line.bound}: {_verdict(line)})" if line.bound else "")
        for line in measured.lines
    ]
    return "\n".join((measured.title, *rows, *(f"  {note}" for note in measured.notes)))


def _ratio(line: Line) -> str:
    return "" if line.ratio is None else f"{line.ratio:.2f}"


def _verdict(line: Line) -> str:
    return "" if line.met is None else "met" if line.met else "**missed**"


def machine() -> str:
    """The machine in a sentence, without its name."""
    model = _value(_lines(Path("/proc/cpuinfo")), "model name") or platform.machine()
    memory = _value(_lines(Path("/proc/meminfo")), "MemTotal").partition(" ")[0]
    told = f", {round(int(memory) / 2**20)} GiB of memory" if memory else ""
    kept = _file_system(Path(tempfile.gettempdir()))
    disk = f", temporary files on {kept}" if kept else ""
    python, sqlite = platform.python_version(), sqlite3.sqlite_version
    cores = f"{os.cpu_count()} cores"
    return f"{model}, {cores}{told}{disk}, {platform.system()}, Python {python}, SQLite {sqlite}"


def _value(lines: Sequence[str], name: str) -> str:
    """What a file of `name : value` lines says first of a name."""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _file_system(folder: Path) -> str:
    """Its kind: on one in memory nothing is waited for."""
    kinds = {fields[1]: fields[2] for fields in map(str.split, _lines(Path("/proc/mounts")))}
    return next((kinds[str(each)] for each in (folder, *folder.parents) if str(each) in kinds), "")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def tell(text: str) -> None:
    """What a person waits for."""
    print(text, file=sys.stderr, flush=True)
