"""Running pbem in tests: one call a command, in this process, and a Regatta game to run it on."""

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem.cli import run

SECRET = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"  # noqa: S105 - of the published vectors


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The one line of a refusal, which is all that it may print."""
        assert self.status == 1, (self.status, self.out, self.err)
        assert not self.out, self.out
        assert re.fullmatch(r"pbem: [^\n]+\.\n", self.err), self.err
        return self.err.removeprefix("pbem: ").strip()


def pbem(*words: object, stdin: bytes = b"") -> Ran:
    """Run `pbem WORDS…`; nothing but its own sentences may come out of it."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = run([str(word) for word in words])
    return Ran(status, out.getvalue(), err.getvalue())


@dataclass(frozen=True)
class Regatta:
    """A game of the toy ruleset in its folder."""

    folder: Path

    def __call__(self, *words: object, stdin: bytes = b"") -> Ran:
        return pbem("-C", self.folder, *words, stdin=stdin)

    def orders(self, turn: int, name: str, text: str | bytes) -> Path:
        """A file in the turn's folder of orders."""
        path = self.folder / "orders" / f"turn-{turn}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def log_bytes(self) -> bytes:
        return (self.folder / "pbem.db").read_bytes()

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def new_regatta(folder: Path, *options: object) -> Regatta:
    """A game in sign-up: red is Ann, blue is Bert."""
    players = ("--player", "red=Ann Ames <ann@example.org>", "--player", "blue=Bert Boyd <bert@example.org>")
    made = pbem("new", folder, "--ruleset", "regatta", "--secret", SECRET, *players, *options)
    assert made.status == 0, made.err
    return Regatta(folder)
