"""Whatever a GM does is the same with the state put aside, without it, with an old one, with half of one."""

import shutil
from pathlib import Path
from random import Random

import pytest

from pbem.snapshot import SNAPSHOT
from tests.commands import Ran, Regatta
from tests.flux_game import new_flux
from tests.scale import scaled

STEPS, LENGTH = 30, 12
SEATS = ("crimson", "azure")
LATE = b"game: game\nturn: %d\nplayer: azure\n\ncast gnome at G12\ncast forest at F11-F10 times 2\nend\n"


def random_game(place: Path, *options: object) -> Regatta:
    """A game of which programs play both seats."""
    place.mkdir()
    game = new_flux(place / "game", "--length", LENGTH, *options)
    for seat in SEATS:
        assert game("seat", seat, "--player", "random").status == 0
    return game


class Twins:
    """Two copies of one game: one keeps what it puts aside, from the other it is taken, or exchanged."""

    def __init__(self, folder: Path, dice: Random) -> None:
        self.dice = dice
        self.one = random_game(folder / "one")
        self.other = self.another(folder / "other")
        self.old: list[bytes] = []

    def another(self, place: Path) -> Regatta:
        shutil.copytree(self.one.folder, place / "game")
        return Regatta(place / "game")

    def both(self, *words: object, stdin: bytes = b"") -> Ran:
        """A command in both, of which nothing may differ."""
        self.meddle()
        ran = self.one(*words, stdin=stdin)
        again = self.other(*words, stdin=stdin)
        assert again == Ran(*(self.moved(each) for each in (ran.status, ran.out, ran.err))), words
        assert self.files(self.other) == self.files(self.one), words
        return ran

    def moved(self, text: str | int) -> str | int:
        if isinstance(text, int):
            return text
        return text.replace(str(self.one.folder), str(self.other.folder))

    def meddle(self) -> None:
        aside = self.one.folder / SNAPSHOT
        if aside.exists() and aside.read_bytes() not in self.old:
            self.old.append(aside.read_bytes())
        place = self.other.folder / SNAPSHOT
        place.parent.mkdir(exist_ok=True)
        match self.dice.randrange(4):
            case 0 if self.old:
                place.write_bytes(self.dice.choice(self.old))
            case 1 if self.old:
                place.write_bytes(self.old[-1][: self.dice.randrange(len(self.old[-1]))])
            case 2 | 3:
                place.unlink(missing_ok=True)

    def files(self, game: Regatta) -> dict[str, bytes]:
        parts = ("pbem.db", "game.toml", "reports", "players", "gm", "orders")
        found = [path for part in parts for path in (game.folder / part, *(game.folder / part).rglob("*"))]
        files = {path.relative_to(game.folder).as_posix(): path for path in found if path.is_file()}
        return {name: path.read_bytes() for name, path in files.items() if name != SNAPSHOT}

    def open_turn(self) -> int:
        turn = self.one("status", "--json").json()["turn"]
        return LENGTH + 1 if turn is None else int(turn)

    def step(self) -> tuple[object, ...]:
        """Something that a GM may do, or try to do."""
        dice, turn, seat = self.dice, self.dice.randrange(1, 9), self.dice.choice(SEATS)
        number = self.open_turn()
        ruling = self.one.folder.parent.parent / "ruling.toml"
        ruling.write_text(
            f"[wizards.{seat}]\nreserve = {dice.randrange(60)}\n"
            if dice.randrange(2)
            else f'[wizards.{seat}.pieces]\ngnome = "{dice.choice("FGH")}{dice.randrange(4, 9)}"\n'
        )
        steps: list[tuple[tuple[object, ...], int]] = [
            (("adjudicate", number, "--allow-missing") if number else ("start",), 12),
            (("adjudicate", number, "--allow-missing", "--dry-run"), 2),
            (("adjudicate", number, "--with", "-"), 1),
            (("reopen", number - 1, "--reason", "A slip.", *(("--keep-dice",) * dice.randrange(2))), 3),
            (("ruling", ruling, "--reason", "A river was misdrawn."), 3),
            (("absent", seat, "--until", number + 1), 1),
            (("absent", seat, "--back"), 1),
            (("note", number - 1, "-"), 1),
            (("key", seat, "--new"), 1),
            (("seat", seat, "--name", "Cy", "--email", "cy@example.org"), 1),
            (("seat", seat, "--player", "random"), 1),
            (("check", "-"), 1),
            (("state", "--json"), 2),
            (("state", turn, "--json"), 2),
            (("explain", turn, seat, 2), 1),
            (("report",), 1),
            (("report", turn), 2),
            (("verify",), 2),
        ]
        return dice.choices([words for words, _ in steps], [weight for _, weight in steps])[0]


@pytest.mark.parametrize("seed", range(scaled(20)))
def test_nothing_depends_on_what_was_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setenv("PBEM_NOW", "2031-05-05T05:05:05.000000Z")
    twins = Twins(tmp_path, Random(seed))
    done = set[object]()
    for _ in range(STEPS):
        words = twins.step()
        if twins.both(*words, stdin=LATE % twins.open_turn()).status == 0:
            done.add(words[0])
    assert "adjudicate" in done
    assert twins.old
    assert twins.both("state", "--json").json()
    twins.both("report")
    if (twins.one.folder / SNAPSHOT).exists():
        assert twins.other.read(SNAPSHOT) == twins.one.read(SNAPSHOT)
