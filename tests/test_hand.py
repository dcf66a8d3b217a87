"""The GM's hand, in the open: reopening, corrections, rulings, the end, and what each player is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem import dice
from pbem.game import Game
from tests.commands import SECRET, Regatta, new_regatta, pbem
from tests.flux_game import ORDERS, new_flux, play

KEY = bytes.fromhex(SECRET)


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-11-30T05:55:00Z")


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    """Turn 1 is played, turn 2 is open."""
    game = new_flux(tmp_path / "glen", "--length", 3)
    play(game, 1)
    return game


def rows(game: Regatta, kind: str = "") -> list[dict[str, Any]]:
    return [row for row in game("log", "--json").json() if kind in {"", row["kind"]}]


def notices(game: Regatta, seat: str) -> list[str]:
    paths = sorted((game.folder / "players" / seat).glob("notice-*.txt"))
    return [" ".join(path.read_text("utf-8").split()) for path in paths]


def holds(game: Regatta) -> None:
    told = game("verify", "--json").json()
    assert (told["ok"], told["differs"]) == (True, [])
    assert pbem("audit", game.folder / "reports").out.endswith("All that was checked agrees.\n")


# Reopening.


def test_a_reopened_turn_has_new_dice_and_its_orders_stand(game: Regatta) -> None:
    assert game("reopen", "turn-1", "--reason", "The map was wrong.").status == 0
    (reopened,) = rows(game, "turn_reopened")
    seed = dice.turn_seed(KEY, 1, 2)
    assert reopened["turn"] == 2
    assert reopened["data"] == {
        "turn": 1,
        "attempt": 2,
        "reason": "The map was wrong.",
        "keep_dice": False,
        "commitment": dice.commitment(seed),
    }
    assert game("status", "--json").json()["turn"] == 1
    assert game("state", "--json").json()["turn"] == 0
    assert {each["state"] for each in game("status", "--json").json()["seats"]} == {"in"}
    assert game("adjudicate", 1).status == 0
    closed = rows(game, "turn_closed")[-1]["data"]
    assert (closed["attempt"], closed["seed"]) == (2, seed.hex())
    holds(game)


def test_its_old_pages_stand_aside_marked_void(game: Regatta) -> None:
    before = json.loads(game.read("reports/turn-1/turn-1.json"))
    game("reopen", 1, "--reason", "The map was wrong.")
    assert sorted(path.name for path in (game.folder / "reports/turn-1").iterdir()) == ["attempt-1"]
    assert not (game.folder / "players/crimson/turn-1.html").exists()
    page = game.read("reports/turn-1/attempt-1/index.html")
    assert "Void." in page
    assert "The map was wrong." in page
    void = json.loads(game.read("reports/turn-1/attempt-1/turn-1.json"))
    assert (before["void"], void["void"]) == (None, "The map was wrong.")
    assert (void["rows"], void["log"]) == (before["rows"], before["log"])
    assert "VOID" in game.read("players/azure/turn-1-attempt-1.txt")
    assert "turn-1/index.html" not in game.read("reports/index.html").replace("attempt-1/index.html", "")
    game("adjudicate", 1)
    again = json.loads(game.read("reports/turn-1/turn-1.json"))
    assert again["voided"] == [{"turn": 1, "attempt": 1, "reason": "The map was wrong."}]
    assert "s hand</h2>" in game.read("reports/turn-1/index.html")
    assert "turn-1/attempt-1/index.html" in game.read("reports/index.html")


def test_every_seat_gets_a_new_key_and_the_old_one_is_worth_nothing(game: Regatta) -> None:
    old = dice.order_key(KEY, "glen", 1, "crimson")
    game("reopen", 1, "--reason", "x")
    new = dice.order_key(KEY, "glen", 1, "crimson", 2)
    assert [row["data"] for row in rows(game, "key_issued")] == [
        {"seat": "crimson", "issue": 2},
        {"seat": "azure", "issue": 2},
    ]
    assert new in notices(game, "crimson")[-1]
    assert new not in notices(game, "azure")[-1]
    assert f"key: {new}" in game.read("players/crimson/turn-0.txt")
    head = "turn: 1\nplayer: crimson\n"
    assert (
        "its key is not the one" in game("submit", "-", stdin=f"{head}key: {old}\nhold\n".encode()).sentence
    )
    assert game("submit", "-", stdin=f"{head}key: {new}\nhold\n".encode()).status == 0


def test_going_further_back_is_repeating_it(game: Regatta) -> None:
    play(game, 2, "--allow-missing")
    assert "reopen turn-2 first" in game("reopen", 1, "--reason", "x").sentence
    for turn in (2, 1, 0):
        assert game("reopen", turn, "--reason", f"Back to {turn}.").status == 0
    assert game("status", "--json").json()["phase"] == "signup"
    assert game("start").status == 0
    play(game, 1)
    play(game, 2)
    closed = [row["data"] for row in rows(game, "turn_closed")]
    assert [(each["turn"], each["attempt"]) for each in closed] == [
        (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2),
    ]  # fmt: skip
    assert closed[3]["next_commitment"] == dice.commitment(dice.turn_seed(KEY, 1, 2))
    assert closed[4]["next_commitment"] == dice.commitment(dice.turn_seed(KEY, 2, 2))
    holds(game)


def test_orders_for_a_later_turn_no_longer_count_and_their_sender_is_told(game: Regatta) -> None:
    game("submit", game.orders(2, "azure.txt", "hold\n"))
    told = game("reopen", 1, "--reason", "x")
    assert "Orders for turn-2 no longer count: azure." in told.out
    assert "What you sent for turn 2 no longer counts." in notices(game, "azure")[-1]
    assert "What you sent for turn 2" not in notices(game, "crimson")[-1]
    game("adjudicate", 1)
    assert [each["state"] for each in game("status", "--json").json()["seats"]] == ["missing", "missing"]


def test_a_notice_has_the_commitment_to_the_fresh_dice(game: Regatta) -> None:
    """Before they are thrown: afterwards nobody could tell whether they were chosen."""
    game("reopen", 1, "--reason", "x")
    (reopened,) = rows(game, "turn_reopened")
    for seat in ("crimson", "azure"):
        assert reopened["data"]["commitment"] in notices(game, seat)[-1]


def test_the_opening_reopened(tmp_path: Path) -> None:
    game = new_flux(tmp_path / "glen")
    game("start")
    game("reopen", 0, "--reason", "x")
    told = notices(game, "azure")[-1]
    assert "open again" in told
    assert "orders" not in told  # which this turn never takes
    assert "key" not in told
    assert game("reopen", 0, "--reason", "x").sentence == (
        "turn-0 has been reopened already; `pbem start` resolves it."
    )
    assert game("start").status == 0


def test_a_turn_may_be_reopened_several_times(game: Regatta) -> None:
    for number in (1, 2, 3):
        assert game("reopen", 1, "--reason", f"Reason {number}.").status == 0
        assert game("adjudicate", 1).status == 0
    for number in (1, 2, 3):
        assert f"Reason {number}." in game.read(f"reports/turn-1/attempt-{number}/index.html")
    assert rows(game, "turn_closed")[-1]["data"]["attempt"] == 4
    holds(game)


def test_a_finished_game_can_be_reopened_until_it_is_ended(game: Regatta) -> None:
    play(game, 2)
    play(game, 3)
    assert game("reopen", 3, "--reason", "x").status == 0
    assert "is not over" in game("end").sentence
    assert game("adjudicate", 3).status == 0
    assert SECRET in game("end").out
    assert "nothing can be reopened" in game("reopen", 3, "--reason", "x").sentence
    assert "has been ended already" in game("end").sentence
    assert json.loads(game.read("reports/turn-0/turn-0.json"))["dice"]["secret"] == SECRET
    assert SECRET in game.read("reports/index.html")
    holds(game)


def test_what_cannot_be_reopened(game: Regatta, tmp_path: Path) -> None:
    assert "Only the last adjudicated turn" in game("reopen", 2, "--reason", "x").sentence
    assert "The reason is empty" in game("reopen", 1, "--reason", " ").sentence
    assert "characters" in game("reopen", 1, "--reason", "x" * 2000).sentence
    assert game("reopen", 1).status == 2
    fresh = new_regatta(tmp_path / "spring")
    assert "has not started" in fresh("reopen", 0, "--reason", "x").sentence


def test_a_new_deadline_is_set_for_a_reopened_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_flux(tmp_path / "glen")
    path = game.folder / "game.toml"
    path.write_text(path.read_text() + '\n[turns]\nevery = "7d"\n')
    play(game, 1)
    monkeypatch.setenv("PBEM_NOW", "2027-01-05T00:00:00Z")
    game("reopen", 1, "--reason", "x")
    assert game("status", "--json").json()["deadline"] == "2027-01-12T20:00:00.000000Z"
    game("adjudicate", 1)
    game("reopen", 1, "--reason", "x", "--keep-dice")
    assert game("status", "--json").json()["deadline"] is None


# Corrections.


@pytest.fixture
def corrected(game: Regatta) -> Regatta:
    assert game("reopen", 1, "--reason", "A letter was mislaid.", "--keep-dice").status == 0
    return game


def test_a_correction_keeps_its_dice(corrected: Regatta) -> None:
    game = corrected
    before = [row["data"] for row in rows(game, "spell_cast")]
    game("adjudicate", 1)
    after = [row["data"] for row in rows(game, "spell_cast")][len(before) :]
    assert after == before
    closed = [row["data"] for row in rows(game, "turn_closed") if row["data"]["turn"] == 1]
    assert closed[0]["seed"] == closed[1]["seed"]
    assert [each["attempt"] for each in closed] == [1, 1]
    assert "Nothing came out otherwise for you." in notices(game, "crimson")[-1]
    assert (game.folder / "reports/turn-1/attempt-1/index.html").exists()
    holds(game)


def test_a_correction_takes_nothing_but_what_the_gm_submits_with_a_reason(corrected: Regatta) -> None:
    game = corrected
    mine = game.orders(1, "azure-late.txt", "hold\n")
    assert "the GM alone can submit orders, with --reason" in game("submit", mine).sentence
    aside = game("adjudicate", 1)
    assert aside.status == 0
    assert "azure-late.txt is left aside" in aside.err
    assert "azure-late" not in game("orders", 1).out
    game("reopen", 1, "--reason", "Again.", "--keep-dice")
    assert game("submit", mine, "--reason", "It came in time.").status == 0
    assert rows(game, "orders_received")[-1]["data"]["reason"] == "It came in time."
    assert game("adjudicate", 1).status == 0
    assert "The GM submitted orders for azure: It came in time." in game.read("reports/turn-1/index.html")
    told = notices(game, "azure")[-1]
    assert "`hold`: Held" in told
    assert "pieces.gnome: nothing; it was G12" in told
    holds(game)


# Rulings.


def ruled(game: Regatta, text: str, *options: object) -> Any:
    path = game.folder.parent / "ruling.toml"
    path.write_text(text, encoding="utf-8")
    return game("ruling", path, "--reason", "A river was misdrawn.", *options)


def test_a_ruling_sets_parts_of_the_position_in_the_open(game: Regatta) -> None:
    was = game("state", "--json").json()["wizards"]["crimson"]
    assert ruled(game, '[wizards.crimson]\nreserve = 99\nat = "G3"\n').status == 0
    now = game("state", "--json").json()["wizards"]["crimson"]
    assert (now["reserve"], now["at"]) == (99, "G3")
    (made,) = rows(game, "ruling_made")
    assert made["data"] == {
        "reason": "A river was misdrawn.",
        "changes": [
            {"path": "wizards.crimson.reserve", "was": was["reserve"], "now": 99},
            {"path": "wizards.crimson.at", "was": was["at"], "now": "G3"},
        ],
    }
    assert "wizards.crimson.reserve: 99; it was" in notices(game, "crimson")[-1]
    assert notices(game, "azure") == []
    play(game, 2)
    assert "A ruling was made: A river was misdrawn." in game.read("players/azure/turn-2.txt")
    holds(game)


def test_what_a_ruling_changed_is_new_in_the_next_report(game: Regatta) -> None:
    """Its reader's last report was written before it."""
    ruled(game, '[wizards.crimson.pieces]\ntroll = "H3"\nknight = "none"\n')
    made = ruled(game, '[[wizards.crimson.earths]]\nearth = "forest"\nhexes = ["G4", "G5"]\n')
    assert made.status == 0, made.err
    play(game, 2, "--allow-missing", crimson="hold\n")
    text = game.read("players/crimson/turn-2.txt")
    told = text.partition("What changed since your last report:")[2].partition("Your orders")[0]
    assert "New: troll at H3" in told
    assert "Lost: knight at G2" in told
    assert "New: forest at G4-G5" in told
    game("reopen", 2, "--reason", "x")
    assert game("adjudicate", 2, "--allow-missing").status == 0
    again = game.read("players/crimson/turn-2.txt")
    assert again.partition("What changed since your last report:")[2].partition("Your orders")[0] == told
    play(game, 3, "--allow-missing", crimson="hold\n")
    assert "New: troll" not in game.read("players/crimson/turn-3.txt")


def test_a_void_report_asks_for_no_orders(game: Regatta) -> None:
    game("deadline", 2, "2026-12-07 20:00")
    game("reopen", 1, "--reason", "The map was wrong.")
    page, text = (
        game.read("reports/turn-1/attempt-1/index.html"),
        game.read("players/crimson/turn-1-attempt-1.txt"),
    )
    assert "VOID" in text
    for told in (page, text):
        assert "Orders for turn" not in told
        assert "deadline" not in told


def test_a_ruling_is_taken_back_if_it_still_stands(game: Regatta) -> None:
    before = game("state", "--json").json()
    ruled(game, '[wizards.crimson.pieces]\ntroll = "G4"\n')
    version = rows(game)[-1]["version"]
    assert game("state", "--json").json() != before
    assert game("ruling", "--undo", version, "--reason", "No.").status == 0
    assert game("state", "--json").json() == before
    assert "cannot be undone" in game("ruling", "--undo", version, "--reason", "No.").sentence
    assert "the rulings are: " in game("ruling", "--undo", 1, "--reason", "No.").sentence
    holds(game)


def test_nothing_and_none_can_be_set(game: Regatta) -> None:
    ruled(game, '[wizards.crimson.pieces]\ntroll = "G4"\n')
    assert ruled(game, '[wizards.crimson.pieces]\ntroll = "none"\n').status == 0
    assert "troll" not in game("state", "--json").json()["wizards"]["crimson"]["pieces"]
    ruled(game, '[wizards.crimson.pieces]\ntroll = "G4"\n')
    assert ruled(game, "[wizards.crimson]\npieces = {}\n").status == 0
    assert game("state", "--json").json()["wizards"]["crimson"]["pieces"] == {}
    assert ruled(game, '[wizards.crimson]\nat = "none"\n').status == 0
    assert not game("state", "--json").json()["wizards"]["crimson"]["alive"]
    holds(game)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "sets nothing"),
        ("[wizards.crimson]\nreserve = 1.5\n", "a ruling sets whole numbers"),
        ("[wizards.crimson]\nreserve = 2026-11-30\n", "a ruling sets whole numbers"),
        ("[wizards.crimson]\nreserve = -4\n", "wizards.crimson.reserve"),
        (f"[wizards.crimson]\nreserve = {10**30}\n", "is too large a number; 9,007,199,254,740,992"),
        (f"[wizards.crimson]\nreserve = {'9' * 5000}\n", "a number in it has too many digits"),
        ("[wizards.crimson]\nincome = 4\n", "wizards.crimson.income"),
        ("[wizards.jade]\nreserve = 4\n", "wizards.jade.reserve"),
        ('[wizards.crimson]\nat = "Z99"\n', "'Z99' is no hex of this map"),
        ('[wizards.crimson]\nat = "E5"\n', "That position cannot be"),
        ('round = "x"\n', "round is no part of the position that a ruling can set"),
        ('"a.b" = 3\n', "is no part of the position"),
        ("[wizards", "is no TOML"),
        ("a = " + "[" * 3000, "nested too deeply"),
    ],
)
def test_what_a_ruling_cannot_be(game: Regatta, text: str, told: str) -> None:
    before = game.log_bytes()
    assert told in ruled(game, text).sentence
    assert game.log_bytes() == before


def test_when_there_can_be_no_ruling(game: Regatta, tmp_path: Path) -> None:
    reserve = game("state", "--json").json()["wizards"]["crimson"]["reserve"]
    assert "changes nothing" in ruled(game, f"[wizards.crimson]\nreserve = {reserve}\n").sentence
    assert game("ruling", "--reason", "x").status == 2
    assert game("ruling", "a.toml", "--undo", 3, "--reason", "x").status == 2
    play(game, 2)
    play(game, 3)
    assert "reopen turn-3 to rule" in ruled(game, "[wizards.crimson]\nreserve = 1\n").sentence
    toy = new_regatta(tmp_path / "spring")
    assert "has not started" in ruled(toy, "a = 1\n").sentence
    toy("start")
    assert "regatta knows no rulings" in ruled(toy, "a = 1\n").sentence


def test_a_ruling_in_a_correction_counts_for_the_turn(corrected: Regatta) -> None:
    game = corrected
    ruled(game, "[wizards.azure]\nreserve = 0\n")
    game("adjudicate", 1)
    refused = [row["data"] for row in rows(game, "order_refused")]
    assert any(each["hue"] == "azure" and "F5.3" in each["rules"] for each in refused)
    holds(game)


# Reports that a killed command did not finish.


def test_the_next_command_finishes_the_reports(game: Regatta) -> None:
    want = {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()}
    for name in ("reports/turn-1/index.html", "gm/log.txt", "players/azure/turn-1.txt"):
        (game.folder / name).unlink()
    told = game("adjudicate", 1).sentence
    assert "has been adjudicated already, and its reports, which had not been finished, are written" in told
    assert {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()} == want
    assert "has been adjudicated already; turn-2 is open" in game("adjudicate", 1).sentence


def test_everything_follows_from_the_log(corrected: Regatta) -> None:
    game = corrected
    ruled(game, "[wizards.azure]\nreserve = 3\n")
    game("submit", "-", "--reason", "x", stdin=b"turn: 1\nplayer: azure\nhold\n")
    game("adjudicate", 1)
    want = {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()}
    for path in want:
        if path.relative_to(game.folder).parts[0] in {"reports", "players", "gm"}:
            path.unlink()
    assert Game(game.folder).report().exists()
    assert {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()} == want
    assert set(ORDERS) == {"crimson", "azure"}
