"""`adjudicate --dry-run --with`: whom a late order would touch, and how, unless the GM wants to be blind."""

from pathlib import Path

import pytest

from tests.commands import Ran, Regatta
from tests.flux_game import new_flux, play

LATE = "turn: {turn}\nplayer: crimson\ncast knight at G2\nmove wizard to G3\n"
BLOCK = {"crimson": "hold\n", "azure": "hold\n"}


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    return new_flux(tmp_path / "glen")


def late(game: Regatta, turn: int, text: str = LATE) -> Path:
    path = game.folder.parent / "late.txt"
    path.write_text(text.format(turn=turn))
    return path


def tried(game: Regatta, turn: int, *options: str, text: str = LATE) -> Ran:
    before = {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()}
    ran = game("adjudicate", turn, "--dry-run", "--with", late(game, turn, text), *options)
    assert {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()} == before
    return ran


def test_it_shows_what_a_late_file_would_change_in_the_open_turn(game: Regatta) -> None:
    for seat, text in BLOCK.items():
        game.orders(1, f"{seat}.txt", text)
    told = tried(game, 1).out
    assert "It would touch nobody else; nothing was appended." in told
    assert "`cast knight at G2`: " in told
    assert "wizards.crimson.at: G3; it was G1" in told


def test_blind_it_shows_no_outcome(game: Regatta) -> None:
    assert tried(game, 1, "--blind").out == (
        "crimson: file late.txt, 2 order lines.\nIt would touch nobody else; nothing was appended.\n"
    )


def test_it_shows_whom_it_would_touch(game: Regatta) -> None:
    """Who plays first comes to stand where the other looks for an enemy."""
    first, other = game("state", "--json").json()["order_of_play"]
    steps = {"crimson": "G3", "azure": "G11"}
    text = f"if enemy at {steps[first]}: hold else move wizard to {steps[other]}\n"
    game.orders(1, f"{first}.txt", "hold\n")
    game.orders(1, f"{other}.txt", text)
    late_text = f"turn: 1\nplayer: {first}\nmove wizard to {steps[first]}\n"
    told = tried(game, 1, "--blind", text=late_text)
    assert f"It would touch {other}; nothing was appended." in told.out
    told = tried(game, 1, text=late_text)
    assert f"wizards.{other}.at: " in told.out


def test_the_last_turn_played_may_be_tried_with_its_own_dice(game: Regatta) -> None:
    play(game, 1, **BLOCK)
    assert "`cast knight at G2`: " in tried(game, 1).out
    same = "turn: 1\nplayer: crimson\nhold\n"
    assert "Nothing would come out otherwise for crimson." in tried(game, 1, text=same).out


def test_what_cannot_be_tried(game: Regatta) -> None:
    play(game, 1, **BLOCK)
    play(game, 2, **BLOCK)
    assert "turn-3 or turn-2, the last one played" in tried(game, 1).sentence
    assert "no such seat plays" in tried(game, 3, text="turn: 3\nplayer: pink\nhold\n").sentence
    assert game("adjudicate", 3, "--with", late(game, 3)).status == 2
    assert game("adjudicate", 3, "--dry-run", "--blind").status == 2


def test_with_a_beacon_only_a_turn_played_can_be_tried(game: Regatta) -> None:
    path = game.folder / "game.toml"
    path.write_text(path.read_text() + '\n[dice]\nbeacon = "the lottery"\n')
    assert "With a beacon nothing is thrown beforehand" in tried(game, 1).sentence
    play(game, 1, "--beacon", "7", **BLOCK)
    assert "`cast knight at G2`: " in tried(game, 1).out
