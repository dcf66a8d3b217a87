"""The order composer's answers, asked of its own modules under node."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.orders_in import press_problems
from pbem.rulesets import AnyRuleset
from pbem.sheet import read_sheet, split_lines

RUNNER = Path(__file__).parent / "composer.mjs"
MINUTES = 20


def node() -> str:
    """Where node is; skips, saying so, where it is not."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no node here")
    return found


def composed(
    ruleset: str,
    jobs: Iterable[tuple[dict[str, Any], Sequence[dict[str, Any]]]],
    *,
    seconds: int = 60 * MINUTES,
) -> list[list[Any]]:
    """The answers to each text of each job, from one process; it is stopped when it takes so long."""
    lines = [json.dumps({"data": data, "texts": list(texts)}, ensure_ascii=False) for data, texts in jobs]
    done = subprocess.run(
        [node(), str(RUNNER), ruleset],
        input="\n".join(lines),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=seconds,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def checked(ruleset: AnyRuleset, seats: tuple[str, ...], state: Any, seat: str, text: str) -> list[Any]:
    """What `pbem check` says of each line of a text that is an order or a problem."""
    sheet = read_sheet(text)
    orders = ruleset.parse(sheet, state, seat)
    told = {line.line: line.text for line in ruleset.forecast(state, seat, orders)}
    lines = [
        {"number": line.number, "text": line.text, "reads": True, "message": told[line.number]}
        for line in orders.lines
    ]
    lines += [
        {"number": each.line, "text": each.text, "reads": False, "message": each.message}
        for each in (*orders.problems, *press_problems(sheet.press, seats, split_lines(text)))
    ]
    return sorted(lines, key=lambda line: int(line["number"]))


def said(answer: dict[str, Any]) -> list[Any]:
    """What the composer says of each line, press that will be printed apart."""
    return [line for line in answer["lines"] if line["message"] != "press, printed with the turn"]


HANG = 60
"""Seconds that no text of an order file's size needs, however it is made; what went over a run of blanks
from each of them took some times as much."""
BLANKS = " " * 60_000
SLOW = (
    f"hold{BLANKS}x",
    f"hold else{BLANKS}x",
    f"press{BLANKS}x",
    f"press to{BLANKS}x",
    f"standing{BLANKS}x",
    f"if{BLANKS}x",
    f"if x{BLANKS}x",
    "if alive jade: " * 4000 + "hold",
    "hold else " * 6000 + "hold",
    "a" * 60_000,
    "\t" * 60_000 + "x",
    "\n" * 65_000 + "x",
    "schtuck speak " + "a " * 30_000,
    "schtuck use " + "roll " * 12_000,
    "schtuck meditate " + "- " * 30_000,
    "move wizard via " + "K9 " * 20_000,
)

SIGNS = "abeilmnorstxz0123456789 :,-#'!.K\u212a\u017f\u2013\u201c\u00a0\u200b\uff21\u00e9\t"
WORDS = {
    "flux": (
        "else", "if", "not", "if not", "standing:", "the", "at", "onto", "end", "--", "hold", "keep",
        "keep 4", "move", "cast", "times 2", "destroy with", "great-dragon", "dragon", "via", "free",
        "flux 9",
        "press: hi", "press to azure: hi", "press to nobody: x", "game: x", "alive jade:", "moove",
        "K09",
    ),
    "magic": (
        "else", "if", "not", "standing:", "the", "at", "end", "--", "hold", "move to", "run", "walk",
        "speak",
        "roll over", "roll-over", "sieze!", "heel!", "timed shoot", "timed", "chord", "meditate", "chrage",
        "the roadblock", "take-steps", "3.5,4", "-3,4", "3.55,4", "1e3,4", "alive", "near", "use", "with bow",
        "light fire", "or show", "fight", "charge", "declare illusion pile", "skills yobs: a", "ambush", "#",
        "press: hi",
    ),
}  # fmt: skip


def mutated(rng: Random, text: str, ruleset: str) -> str:
    """A text with a few of its signs and words changed, left out, doubled or put elsewhere."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(lines))
        words = lines[place].split(" ")
        spot = rng.randrange(len(words))
        match rng.randrange(6):
            case 0:
                words[spot] = rng.choice(WORDS[ruleset])
            case 1:
                words.insert(spot, rng.choice(WORDS[ruleset]))
            case 2:
                del words[spot]
            case 3:
                words[spot] = rng.choice(words).upper()
            case _ if words[spot]:
                sign = rng.randrange(len(words[spot]))
                words[spot] = words[spot][:sign] + rng.choice(SIGNS) + words[spot][sign + rng.randrange(2) :]
            case _:
                pass
        lines[place] = " ".join(words)
    return "\n".join(lines)
