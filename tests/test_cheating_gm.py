"""A GM who cheats, played through: what exposes him, and to whom. docs/fairness.md says the same in words.

He knows the program, the secret and how to make hashes good again. What he cannot reach are the reports
that the players have already.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import dice
from pbem.game import Game
from pbem.orders_in import text_digest
from pbem.store import Row, chained
from tests import golden
from tests.commands import SECRET, Regatta, pbem
from tests.flux_game import ORDERS, new_flux, play

KEY = bytes.fromhex(SECRET)


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    """Two turns are played; `kept` is what the players have of it."""
    game = new_flux(tmp_path / "glen", "--length", 3)
    play(game, 1)
    play(game, 2)
    shutil.copytree(game.folder / "reports", tmp_path / "kept")
    return game


def audited(*paths: Path) -> str:
    ran = pbem("audit", *paths)
    return ran.out if ran.status == 0 else ran.sentence


def rewrite(game: Regatta, change: Callable[[Row], Row], secret: bytes = KEY) -> None:
    """The log with rows changed, every hash and salt made good again, and the reports written from it."""
    rows: list[Row] = []
    for row in map(change, Game(game.folder).rows):
        draft = golden.Draft(row.turn, row.kind, row.schema, row.data)
        after = rows[-1] if rows else None
        rows += chained(row.game, [draft], after, at=row.at, salt=lambda version: dice.salt(secret, version))
    (game.folder / "pbem.db").unlink()
    golden.write_log(game.folder / "pbem.db", rows)
    game("report")


def edit(kind: str, turn: int, **fields: object) -> Callable[[Row], Row]:
    def change(row: Row) -> Row:
        data = json.loads(row.data)
        if row.kind != kind or row.turn != turn:
            return row
        return row._replace(data=json.dumps({**data, **fields}, ensure_ascii=False, separators=(",", ":")))

    return change


# He changes dice.


def test_another_secret_does_not_fit_what_new_has_published(game: Regatta) -> None:
    (game.folder / "secret.key").write_text("ab" * 32)
    assert "is not the secret of glen" in game("adjudicate", 3).sentence
    assert "is not the secret" in game("verify").sentence


def test_another_seed_does_not_fit_the_commitment(game: Regatta, tmp_path: Path) -> None:
    rewrite(game, edit("turn_closed", 2, seed="ab" * 32))
    assert "does not hold" in game("verify").sentence
    one = tmp_path / "kept/turn-1/turn-1.json"
    assert "is not the one that was committed to" in audited(one, game.folder / "reports/turn-2/turn-2.json")


def test_another_throw_does_not_fit_the_seed(game: Regatta) -> None:
    def change(row: Row) -> Row:
        data = json.loads(row.data)
        if row.kind != "spell_cast":
            return row
        data |= {"throw": 1, "success": True, "dice": [{**data["dice"][0], "value": 1}]}
        return row._replace(data=json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    rewrite(game, change)
    assert "does not hold" in game("verify").sentence
    assert "is told as 1, which is not what the dice gave" in audited(game.folder / "reports")


# He decides against the rules, or as if an order had not come.


def test_an_outcome_that_does_not_follow_from_the_orders(game: Regatta) -> None:
    rewrite(game, edit("flux_claimed", 2, reserve=500))
    found = game("verify", "--json").json()
    assert "reserve was recorded as 500" in found["differs"][0]["what"]
    assert "the outcomes do not follow from the orders" in audited(game.folder / "reports")


def test_an_order_dropped_before_the_turn_is_missed_in_the_report_and_known_by_its_receipt(
    game: Regatta,
) -> None:
    """The player has the SHA-256 of his text from his receipt; it is not in the log."""
    text = "turn: 3\nplayer: azure\nmove wizard to G11\n"
    game("submit", "-", stdin=text.encode())
    receipt = text_digest(text)
    assert receipt in game("log").out
    rows = Game(game.folder).rows[:-1]
    (game.folder / "pbem.db").unlink()
    golden.write_log(game.folder / "pbem.db", rows)
    assert game("adjudicate", 3, "--allow-missing").status == 0
    assert json.loads(game.read("reports/turn-3/turn-3.json"))["orders"]["azure"] == []
    assert "No orders came from" in game.read("players/azure/turn-3.html")
    assert receipt not in game("log").out


def test_an_order_dropped_after_the_turn_breaks_the_chain_that_the_players_have(
    game: Regatta, tmp_path: Path
) -> None:
    rewrite(game, edit("orders_received", 1, text="hold\n", sha256=text_digest("hold\n")))
    found = game("verify", "--json").json()
    assert found["differs"]
    told = audited(tmp_path / "kept/turn-1/turn-1.json", game.folder / "reports")
    assert "two different adjudications of turn 1" in told


# He edits the log and makes its hashes good again.


def test_a_log_rewritten_does_not_have_the_hash_in_the_players_reports(game: Regatta, tmp_path: Path) -> None:
    rewrite(game, lambda row: row._replace(at=row.at.replace(row.at[:4], "2031")))
    assert game("verify", "--json").json()["ok"]
    shutil.rmtree(game.folder / "reports")
    shutil.copytree(tmp_path / "kept", game.folder / "reports")
    assert any(
        "which this log never reached" in each["what"] for each in game("verify", "--json").json()["differs"]
    )
    kept = [tmp_path / f"kept/turn-{turn}/turn-{turn}.json" for turn in (0, 1)]
    game("report")
    new = [game.folder / f"reports/turn-{turn}/turn-{turn}.json" for turn in (1, 2)]
    assert "two different adjudications" in audited(*kept, *new)
    assert "tell differently of row" in audited(kept[0], new[0]) or "was exchanged" in audited(
        kept[0], new[0]
    )


def test_the_log_itself_refuses_to_be_edited(game: Regatta) -> None:
    connection = sqlite3.connect(game.folder / "pbem.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE events SET data = '{}'")
    connection.close()


# He reopens a turn quietly.


def test_a_turn_reopened_is_told_to_everybody(game: Regatta, tmp_path: Path) -> None:
    assert game("reopen", 2, "--reason", "I did not like it.").status == 0
    assert game("adjudicate", 2).status == 0
    assert "I did not like it." in game.read("players/crimson/turn-2.txt")
    assert "All that was checked agrees." in audited(
        tmp_path / "kept/turn-2/turn-2.json", game.folder / "reports"
    )


def test_a_turn_reopened_quietly_has_two_reports(game: Regatta, tmp_path: Path) -> None:
    """He takes the rows away, adjudicates again with other orders, and publishes as if for the first time."""
    rows = Game(game.folder).rows
    cut = next(row.version for row in rows if row.turn == 2) - 1
    (game.folder / "pbem.db").unlink()
    golden.write_log(game.folder / "pbem.db", rows[:cut])
    again = game("adjudicate", 2, "--allow-missing")
    assert "was its end cut off?" in again.err
    shutil.rmtree(game.folder / "orders/turn-2")
    told = audited(tmp_path / "kept/turn-2/turn-2.json", game.folder / "reports")
    assert "two different adjudications of turn 2" in told or "All that was checked agrees" in told
    if (
        "All that was checked agrees" in told
    ):  # the same orders at the same time give the same bytes: nothing was gained
        assert game.read("reports/turn-2/turn-2.json") == (tmp_path / "kept/turn-2/turn-2.json").read_text()


def test_fresh_dice_taken_quietly_do_not_fit_the_commitment(game: Regatta, tmp_path: Path) -> None:
    rewrite(game, edit("turn_closed", 2, attempt=2, seed=dice.turn_seed(KEY, 2, 2).hex()))
    told = audited(tmp_path / "kept/turn-1/turn-1.json", game.folder / "reports/turn-2/turn-2.json")
    assert "is not the one that was committed to" in told


# He chooses among beacons.


def test_a_beacon_stands_in_the_report_beside_what_was_agreed(tmp_path: Path) -> None:
    """The program cannot know the lottery; everybody else can look it up."""
    game = new_flux(tmp_path / "glen")
    path = game.folder / "game.toml"
    path.write_text(path.read_text() + '\n[dice]\nbeacon = "the six numbers of 5 December, ascending"\n')
    play(game, 1, "--beacon", "1 2 3 4 5 6", **ORDERS)
    told = audited(game.folder / "reports")
    assert "turn 1 has the beacon '1 2 3 4 5 6', which no report before it had announced" in told
    play(game, 2, "--beacon", "4 8 15 16 23 42", **ORDERS)
    told = audited(game.folder / "reports")
    assert "whether '4 8 15 16 23 42', mixed in for turn 2, is the six numbers of 5 December" in told
    page = game.read("players/azure/turn-2.txt")
    assert "4 8 15 16 23 42" in page
    assert "the six numbers of 5 December, ascending" in page


def test_a_beacon_exchanged_afterwards_gives_other_throws(tmp_path: Path) -> None:
    game = new_flux(tmp_path / "glen")
    path = game.folder / "game.toml"
    path.write_text(path.read_text() + '\n[dice]\nbeacon = "the lottery"\n')
    play(game, 1, "--beacon", "1 2 3", **ORDERS)
    rewrite(game, edit("turn_closed", 1, beacon="1 2 4"))
    assert "is not what the dice gave" in audited(game.folder / "reports")


# He tells different players different things.


def test_two_players_compare_their_reports(game: Regatta, tmp_path: Path) -> None:
    mine = shutil.copy(game.folder / "players/azure/turn-2.html", tmp_path / "azure.html")
    page = Path(mine)
    text = page.read_text("utf-8")
    promise = json.loads(game.read("reports/turn-2/turn-2.json"))["dice"]["next_commitment"]
    page.write_text(text.replace(promise, "ab" * 32), "utf-8")
    assert "disagree about turn 2" in audited(page, game.folder / "players/crimson/turn-2.html")
