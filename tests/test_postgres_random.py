"""Whatever a GM does is the same in a folder and in a database, to the last letter and byte."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pbem.game import Game
from pbem.home import close_databases
from tests.commands import Regatta, pbem
from tests.postgres import PASSWORD
from tests.scale import scaled
from tests.test_snapshot_random import LATE, LENGTH, Twins, random_game

STEPS = 25


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", "2031-05-05T05:05:05.000000Z")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


class InBoth(Twins):
    """The same game twice: one in its folder, the other in a database."""

    def __init__(self, folder: Path, dice: Random, url: str) -> None:
        self.url = url
        super().__init__(folder, dice)

    def another(self, place: Path) -> Regatta:
        return random_game(place, "--store", self.url)

    def meddle(self) -> None:
        """Each has what it put aside."""

    def files(self, game: Regatta) -> dict[str, bytes]:
        homes = {"pbem.db", "game.toml"}
        return {name: data for name, data in super().files(game).items() if name not in homes}


@pytest.mark.parametrize("seed", range(scaled(10)))
def test_a_game_is_the_same_wherever_it_is_kept(database: str, tmp_path: Path, seed: int) -> None:
    twins = InBoth(tmp_path, Random(seed), database)
    for _ in range(STEPS):
        twins.both(*twins.step(), stdin=LATE % twins.open_turn())
    turn = twins.open_turn()
    if turn == 0:
        twins.both("start")
        turn = 1
    for open_turn in range(turn, LENGTH + 1):
        if twins.both("adjudicate", open_turn, "--allow-missing").status:
            break
    for words in (
        ("end",),
        ("status", "--json"),
        ("log", "--json"),
        ("settings",),
        ("orders", 1),
        ("verify",),
    ):
        assert twins.both(*words).status == 0, words
    assert Game(twins.other.folder).rows == Game(twins.one.folder).rows
    for game in (twins.one, twins.other):
        assert game("backup", game.folder.parent / "kept.zip").status == 0
        again = Regatta(game.folder.parent / "again")
        assert pbem("-C", again.folder, "restore", game.folder.parent / "kept.zip").status == 0
        assert again("report").status == 0
        assert twins.files(again) == twins.files(game)
        assert game("bundle", game.folder.parent / "bundle.zip").status == 0
        assert pbem("audit", game.folder / "reports").status == 0
