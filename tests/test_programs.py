"""A seat that a program plays: openly, through the same intake as anybody, and the same again each time."""

import json
import shutil
from pathlib import Path

import pytest

from tests.commands import SECRET, Ran, Regatta, new_regatta, pbem


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    game = new_regatta(tmp_path / "cup", "--map", "pond", "--length", 4)
    assert game("start").status == 0
    return game


def played_by(game: Regatta, seat: str = "red", program: str = "rower") -> Ran:
    ran = game("seat", seat, "--player", program)
    assert ran.status == 0, ran.err
    return ran


def events(game: Regatta, kind: str) -> list[dict[str, object]]:
    return [row["data"] for row in game("log", "--json").json() if row["kind"] == kind]


# The command.


def test_a_program_takes_a_seat_and_everybody_is_told(game: Regatta) -> None:
    key = game("key", "red").out
    assert played_by(game).out == "red is played by the program rower; told: ann@example.org.\n"
    assert events(game, "seat_handed_over") == [{"seat": "red", "player": "rower"}]
    assert game("key", "red").out != key
    assert "  red   standing  played by a program: rower\n" in game("status").out
    seats = {each["seat"]: each for each in game("status", "--json").json()["seats"]}
    assert (seats["red"]["state"], seats["red"]["program"]) == ("standing", "rower")
    assert "program" not in seats["blue"]
    (told,) = [path.read_text() for path in (game.folder / "outbox/new").iterdir()]
    assert "To: ann@example.org" in told.replace("Ann Ames <ann@example.org>", "ann@example.org")
    assert "is played by a program, rower," in " ".join(told.split())
    assert "ann@example.org" not in game.read("game.toml")


def test_it_is_shown_in_every_report_and_in_the_index(game: Regatta) -> None:
    played_by(game)
    game.orders(1, "blue.txt", "row")
    assert game("adjudicate", 1).status == 0
    for page in ("reports/index.html", "reports/turn-1/index.html", "players/blue/turn-1.html"):
        assert "</b> is played by a program: rower." in game.read(page), page
    for text in ("players/blue/turn-1.txt", "gm/turn-1.txt"):
        assert "red is played by a program: rower." in game.read(text)
        assert "The seat red was handed over to the program rower." in " ".join(game.read(text).split())
    assert json.loads(game.read("reports/turn-1/turn-1.json"))["programs"] == {"red": "rower"}
    assert "programs" not in json.loads(game.read("reports/turn-0/turn-0.json"))


def test_its_orders_come_through_the_same_intake(game: Regatta) -> None:
    played_by(game)
    game.orders(1, "blue.txt", "row")
    ran = game("adjudicate", 1)
    assert "red: player rower, 1 order line.\n" in ran.out
    assert game.read("orders/turn-1/red.txt") == "row"
    (of_red,) = [each for each in events(game, "orders_received") if each["seat"] == "red"]
    assert (of_red["source"], of_red["text"], of_red["turn"]) == ("player rower", "row", 1)
    assert game("state", "--json").json()["boats"] == {"red": 1, "blue": 1}
    # Its file lies in the folder now, and is no new one.
    assert game("orders", 1).out.startswith("red (in, player rower)\n")
    assert game("verify").status == 0


def test_nobody_waits_for_a_program(game: Regatta) -> None:
    played_by(game)
    assert "orders are missing from blue; --allow-missing" in game("adjudicate", 1).sentence
    assert not (game.folder / "orders/turn-1/red.txt").exists()
    game.orders(1, "blue.txt", "row")
    assert game("adjudicate", 1).status == 0
    (closed,) = [each for each in events(game, "turn_closed") if each["turn"] == 1]
    assert closed["missing"] == []


def test_what_the_gm_submits_for_its_seat_goes_before(game: Regatta) -> None:
    played_by(game)
    game.orders(1, "red.txt", "sail")
    game.orders(1, "blue.txt", "row")
    assert "red: file red.txt" in game("adjudicate", 1).out
    assert game.read("orders/turn-1/red.txt") == "sail"
    # A bad file is named, and the program plays.
    game.orders(2, "red.txt", "turn: 7\nsail")
    game.orders(2, "blue.txt", "row")
    assert "its header says turn: 7" in game("adjudicate", 2).sentence
    ran = game("adjudicate", 2, "--allow-missing")
    assert (ran.status, "its header says turn: 7" in ran.err) == (0, True)
    assert game.read("orders/turn-2/red-program.txt") == "row"


def test_it_writes_the_same_again(game: Regatta, tmp_path: Path) -> None:
    played_by(game, program="sailor")
    copy = Regatta(shutil.copytree(game.folder, tmp_path / "copy"))
    for turn in (1, 2):
        for each in (game, copy):
            each.orders(turn, "blue.txt", "sail")
            assert each("adjudicate", turn).status == 0
        name = f"orders/turn-{turn}/red.txt"
        assert game.read(name) == copy.read(name)


def test_a_dry_run_writes_nothing(game: Regatta) -> None:
    played_by(game)
    game.orders(1, "blue.txt", "row")
    before = game.log_bytes()
    assert "red: player rower, 1 order line." in game("adjudicate", 1, "--dry-run").out
    assert game.log_bytes() == before
    assert not (game.folder / "orders/turn-1/red.txt").exists()
    late = game.orders(1, "blue-late.txt", "row")
    (game.folder / "orders/turn-1/blue.txt").unlink()
    assert game("adjudicate", 1, "--dry-run", "--with", late).status == 0


def test_tick_has_it_play(game: Regatta) -> None:
    played_by(game)
    with (game.folder / "game.toml").open("a") as file:
        file.write('\n[turns]\nevery = "7d"\nearly = true\n')
    game.orders(1, "blue.txt", "row")
    ran = game("tick")
    assert "red: player rower, 1 order lines." in ran.out
    assert "turn-1 is adjudicated" in ran.out
    # No report goes to a program, and nobody is asked to give it one.
    assert "red has no address" not in ran.err


def test_it_writes_when_the_turn_is_closed_and_not_before(game: Regatta) -> None:
    """So what it writes is for the position as it then is, and no seat's next hand finds it sent."""
    played_by(game, program="sailor")
    with (game.folder / "game.toml").open("a") as file:
        file.write('\n[turns]\nevery = "7d"\nearly = true\n')
    assert game("tick").status == 0
    assert events(game, "orders_received") == []
    assert game("seat", "red", "--name", "Cleo").status == 0
    game.orders(1, "blue.txt", "row")
    assert "adjudicated" not in game("tick").out
    assert "orders are missing from red" in game("adjudicate", 1).sentence


def test_a_failing_program_keeps_tick_from_nothing_else(game: Regatta) -> None:
    played_by(game, program="broken")
    assert game("deadline", 1, "2099-01-01T20:00").status == 0
    game.orders(1, "blue.txt", "row")
    ran = game("tick")
    assert (ran.status, ran.err) == (0, "")
    assert [each["seat"] for each in events(game, "orders_received")] == ["blue"]


def test_tick_counts_no_program_as_silent(game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    played_by(game)
    game.orders(1, "blue.txt", "row")
    assert game("adjudicate", 1).status == 0
    assert game("deadline", 2, "2099-01-01T20:00").status == 0
    monkeypatch.setenv("PBEM_NOW", "2099-01-02T00:00:00Z")
    ran = game("tick")
    assert "turn-2 is adjudicated" in ran.out
    assert "red: player rower" in ran.out


def test_a_reopened_turn_keeps_what_it_wrote(game: Regatta) -> None:
    played_by(game)
    game.orders(1, "blue.txt", "row")
    assert game("adjudicate", 1).status == 0
    assert game("reopen", 1, "--reason", "a slip").status == 0
    assert game("adjudicate", 1).status == 0
    assert len([each for each in events(game, "orders_received") if each["seat"] == "red"]) == 1


def test_the_seat_goes_back_to_a_person(game: Regatta) -> None:
    played_by(game)
    ran = game("seat", "red", "--name", "Cleo", "--email", "cleo@example.org")
    assert ran.status == 0
    assert "program" not in game("status").out
    game.orders(1, "blue.txt", "row")
    assert "orders are missing from red" in game("adjudicate", 1).sentence


# What is refused.


def test_what_is_refused(game: Regatta) -> None:
    before = game.log_bytes()
    assert "There is no player 'rover' of regatta here" in game("seat", "red", "--player", "rover").sentence
    assert "There is no seat 'pink'" in game("seat", "pink", "--player", "rower").sentence
    assert game("seat", "red", "--player", "rower", "--name", "Ann").status == 2
    assert game("seat", "red").status == 2
    assert game.log_bytes() == before
    assert "ann@example.org" in game.read("game.toml")


def test_a_seat_goes_back_to_somebody_with_a_name(game: Regatta) -> None:
    """Else mail would go to `the program rower <cleo@example.org>`."""
    played_by(game)
    before = game.log_bytes()
    assert "say with --name who" in game("seat", "red", "--email", "cleo@example.org").sentence
    assert game.log_bytes() == before
    assert game("seat", "red", "--name", "Cleo", "--email", "cleo@example.org").status == 0
    assert "program" not in game.read("game.toml")


def test_what_it_wrote_for_a_turn_that_is_void_does_not_come_back(game: Regatta) -> None:
    """Its copy lies there, but answers a position that no longer is."""
    played_by(game, program="sailor")
    for turn in (1, 2):
        game.orders(turn, "blue.txt", f"row # {turn}")
        assert game("adjudicate", turn).status == 0
    stale = game.read("orders/turn-2/red.txt")
    for turn in (2, 1):
        ran = game("reopen", turn, "--reason", "a letter was lost")
        assert ran.status == 0
    assert "Orders for turn-2 no longer count: red, blue." in ran.out
    assert game("adjudicate", 1).status == 0
    ran = game("adjudicate", 2)
    assert "red: player sailor" in ran.out
    last = [each for each in events(game, "orders_received") if each["seat"] == "red"][-1]
    assert (last["source"], last["turn"]) == ("player sailor", 2)
    assert game.read("orders/turn-2/red.txt") == stale
    assert game("verify").status == 0


def test_a_failing_program_stops_the_turn_with_one_sentence(game: Regatta) -> None:
    played_by(game, program="broken")
    game.orders(1, "blue.txt", "row")
    before = game.log_bytes()
    assert "The player 'broken' of regatta fails at the orders of red" in game("adjudicate", 1).sentence
    assert game.log_bytes() == before
    game.orders(1, "red.txt", "row")
    assert game("adjudicate", 1).status == 0


def test_a_finished_game_takes_no_program(game: Regatta) -> None:
    for turn in range(1, 5):
        game.orders(turn, "red.txt", "row")
        game.orders(turn, "blue.txt", "row")
        if game("status", "--json").json()["phase"] == "ended":
            break
        assert game("adjudicate", turn).status == 0
    assert "is over" in game("seat", "red", "--player", "rower").sentence


def test_a_ruleset_that_shows_programs_nothing(game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    import regatta

    monkeypatch.setattr(regatta, "RULESET", regatta.RULESET._replace(seen=None))
    assert "Regatta tells programs nothing to play by" in game("seat", "red", "--player", "rower").sentence


# The real ones.


def test_six_programs_play_a_whole_contest_of_flux(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    people = [word for name in ("Ann", "Bert", "Cleo") for word in ("--player", name)]
    made = pbem(
        "new", folder, "--ruleset", "flux", "--map", "mere", "--length", 4, "--secret", SECRET, *people
    )
    assert made.status == 0, made.err
    flux = Regatta(folder)
    assert flux("start").status == 0
    for seat, program in (("crimson", "planner"), ("jade", "greedy"), ("violet", "random")):
        played_by(flux, seat, program)
    for turn in range(1, 5):
        assert flux("adjudicate", turn).status == 0
    assert flux("status", "--json").json()["phase"] == "ended"
    checked = flux("verify", "--json").json()
    assert (checked["ok"], checked["first"], checked["differs"]) == (True, None, [])


def test_programs_fight_a_battle_of_magic_from_sign_up_on(tmp_path: Path) -> None:
    folder = tmp_path / "war"
    made = pbem(
        "new", folder, "--ruleset", "magic", "--secret", SECRET, "--player", "Ann", "--player", "Bert"
    )
    assert made.status == 0, made.err
    war = Regatta(folder)
    played_by(war, "boche", "simple")
    played_by(war, "noman", "random")
    assert war("start").status == 0
    for turn in (1, 2):
        assert war("adjudicate", turn).status == 0
    assert war("verify").status == 0
    assert {each["source"] for each in events(war, "orders_received")} == {"player simple", "player random"}
