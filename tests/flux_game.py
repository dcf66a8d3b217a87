"""A small game of Flux for the tests of what the toy ruleset does not have: rulings, hexes, throws."""

from pathlib import Path

from tests.commands import SECRET, Regatta, pbem

ORDERS = {
    "crimson": "cast knight at G2\ncast forest at F3-F4 times 2\n",
    "azure": "cast gnome at G12\ncast forest at F11-F10 times 2\n",
}


def new_flux(folder: Path, *options: object) -> Regatta:
    """A started game on the glade; its turns are played by `play`."""
    players = ("--player", "crimson=Ada <ada@example.org>", "--player", "azure=Ben <ben@example.org>")
    made = pbem("new", folder, "--ruleset", "flux", "--map", "glade", "--secret", SECRET, *players, *options)
    assert made.status == 0, made.err
    game = Regatta(folder)
    assert game("start").status == 0
    return game


def play(game: Regatta, turn: int, *options: object, **orders: str) -> None:
    for seat, text in (orders or ORDERS).items():
        game.orders(turn, f"{seat}.txt", text)
    ran = game("adjudicate", turn, *options)
    assert ran.status == 0, ran.err
