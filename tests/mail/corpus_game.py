"""The game that the corpus of messages is written to, and its keys: turn 2 of a Flux contest is open."""

from pathlib import Path

from pbem.dice import order_key
from tests.commands import SECRET, pbem

GAME = "glade-cup"
NOW = "2026-11-30T05:55:00Z"


def key(seat: str, turn: int = 2, issue: int = 1) -> str:
    return order_key(bytes.fromhex(SECRET), GAME, turn, seat, issue)


CRIMSON = key("crimson")
AZURE = key("azure", issue=2)
AZURE_REPLACED = key("azure")
OLD = key("crimson", turn=1)
NOBODYS = "ZZZZ-ZZZZ-ZZZZ"


def make_game(folder: Path) -> Path:
    """Sign-up to turn 2; azure's key was replaced, and plus addresses are on."""
    players = ("--player", "crimson=Ada <ada@example.org>", "--player", "azure=Ben <ben@example.org>")
    made = pbem("new", folder / GAME, "--ruleset", "flux", "--map", "glade", "--secret", SECRET, *players)
    assert made.status == 0, made.err
    settings = folder / GAME / "game.toml"
    settings.write_text(settings.read_text() + '\n[mail]\naddress = "gm@example.net"\nplus = true\n')
    for words in (("start",), ("adjudicate", "1", "--allow-missing"), ("key", "azure", "--new")):
        ran = pbem("-C", folder / GAME, *words)
        assert ran.status == 0, ran.err
    return folder / GAME
