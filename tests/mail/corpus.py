"""Writes the corpus: every message as a file, its expected outcome beside it (run by hand, from the top).

python -m tests.mail.corpus
"""

# ruff: noqa: T201 - it tells what it did

import json
from pathlib import Path
from typing import Any

from tests.mail.generate import (
    automatic_mail,
    cases,
    commands,
    reading_text,
    sizes_and_structure,
    where_the_orders_are,
    who_and_which_turn,
)
from tests.mail.nasty import nasty

HERE = Path(__file__).parent / "messages"
LARGE = 300_000
"""Larger messages are made by the tests and not kept as files."""


def build() -> dict[str, tuple[bytes, dict[str, Any]]]:
    """Every message with what is expected of it, by file name."""
    if not cases:
        who_and_which_turn()
        where_the_orders_are()
        reading_text()
        automatic_mail()
        commands()
        sizes_and_structure()
        nasty()
    return cases


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for path in HERE.iterdir():
        path.unlink()
    for name, (data, expected) in build().items():
        if len(data) < LARGE:
            (HERE / name).write_bytes(data)
            told = json.dumps(expected, ensure_ascii=False, indent=1)
            (HERE / f"{name}.json").write_text(f"{told}\n", encoding="utf-8")
    print(f"{len(cases)} messages")


if __name__ == "__main__":
    main()
