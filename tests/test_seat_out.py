"""Nobody waits for a seat that has nothing left to order, and a reopened turn brings it back."""

from pathlib import Path
from random import Random

import pytest

from pbem.game import Game
from pbem.hand import reopen
from pbem.rulesets.flux import RULESET
from tests.commands import Regatta
from tests.flux.games import new_contest
from tests.flux.games import play as play_contest
from tests.flux_game import new_flux, play


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    """Azure was out after turn 1."""
    made = new_flux(tmp_path / "game")
    made.orders(1, "crimson.txt", "cast knight at G2\n")
    made.orders(1, "azure.txt", "hold\n")
    with_azure_out(made.folder).adjudicate(1)
    return made


def with_azure_out(folder: Path) -> Game:
    game = Game(folder)
    game.ruleset = game.ruleset._replace(out=lambda _: ("azure",))
    return game


def states(game: Regatta) -> dict[str, str]:
    return {each["seat"]: each["state"] for each in game("status", "--json").json()["seats"]}


def test_nobody_waits_for_it(game: Regatta) -> None:
    assert states(game) == {"crimson": "missing", "azure": "absent"}
    play(game, 2, crimson="hold\n")
    assert "No orders came from" not in game.read("reports/turn-2/index.html")
    assert states(game) == {"crimson": "missing", "azure": "absent"}
    assert "The log holds" in game("verify").out


def test_it_is_told_once(game: Regatta) -> None:
    game.orders(2, "crimson.txt", "hold\n")
    with_azure_out(game.folder).adjudicate(2)
    assert [row.kind for row in Game(game.folder).rows].count("seat_out") == 1


def test_it_may_be_called_back_by_nothing_but_a_reopening(game: Regatta) -> None:
    assert game("absent", "azure", "--back").status == 0
    assert states(game)["azure"] == "absent"
    reopen(Game(game.folder), 1, "a slip", keep_dice=False)
    assert states(game)["azure"] != "absent"


def test_flux_has_no_orders_for_the_eliminated() -> None:
    """F6.3, by the other ruling."""
    assert RULESET.out is not None
    found = 0
    for seed in range(40):
        rng = Random(seed)
        for played in play_contest(rng, new_contest(rng)):
            out = RULESET.out(played.turn.after)
            assert out == tuple(hue for hue, wizard in played.turn.after.wizards.items() if wizard.eliminated)
            found += len(out)
    assert found
