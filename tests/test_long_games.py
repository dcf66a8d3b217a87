"""What grows with a game is kept small: the archive's first page has the last turns in little, no more."""

from pathlib import Path

import pytest

from pbem import archive
from pbem.game import Game
from tests import golden


def test_the_first_page_has_the_last_turns_in_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = golden.unpack(golden.GAMES / "duel.jsonl", tmp_path / "duel")
    game = Game(folder)
    played = len(game.history.turns)
    page = folder / "reports" / "index.html"
    game.report()
    assert page.read_text("utf-8").count('class="thumb"') == played
    monkeypatch.setattr(archive, "PICTURED", 2)
    game.report()
    told = page.read_text("utf-8")
    assert played > 2
    assert told.count('class="thumb"') == 2
    assert all(f'href="turn-{turn}/index.html"' in told for turn in range(played))
    # What is kept for the next turn gives the same page as the log alone.
    Game(folder).write_reports(played - 1)
    assert page.read_text("utf-8") == told
