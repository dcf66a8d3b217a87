"""The host with a game it knows nothing of: every command, played on the toy ruleset Regatta."""

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import regatta

from pbem import dice
from pbem.game import Game
from pbem.store import row_hash
from tests.commands import SECRET, Ran, Regatta, new_regatta, pbem
from tests.flux_game import new_flux, play


def key(turn: int, seat: str, issue: int = 1) -> str:
    return dice.order_key(bytes.fromhex(SECRET), "spring", turn, seat, issue)


def seed(turn: int) -> bytes:
    return dice.turn_seed(bytes.fromhex(SECRET), turn)


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-11-30T05:55:00Z")


@pytest.fixture
def signup(tmp_path: Path) -> Regatta:
    return new_regatta(tmp_path / "spring", "--map", "pond", "--length", 3)


@pytest.fixture
def game(signup: Regatta) -> Regatta:
    assert signup("start").status == 0
    return signup


def played(game: Regatta, turn: int, **orders: str) -> Ran:
    """A turn adjudicated with these files in its folder."""
    for seat, text in orders.items():
        game.orders(turn, f"{seat}.txt", text)
    ran = game("adjudicate", f"turn-{turn}")
    assert ran.status == 0, ran.err
    return ran


def log(game: Regatta, *turn: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = game("log", *turn, "--json").json()
    return rows


def kinds(game: Regatta, *turn: object) -> list[str]:
    return [row["kind"] for row in log(game, *turn)]


# new and start.


def test_new_makes_a_folder_whose_secrets_are_its_owners(signup: Regatta) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in signup.folder.iterdir()}
    assert modes == {
        "game.toml": 0o644,
        "pbem.db": modes["pbem.db"],
        "secret.key": 0o600,
        "orders": 0o700,
        "players": 0o700,
        "gm": 0o700,
    }
    assert signup.read("secret.key").strip() == SECRET


def test_new_publishes_what_commits_the_dice(tmp_path: Path) -> None:
    made = pbem("new", tmp_path / "spring", "--ruleset", "regatta", "--secret", SECRET, "--player", "Ann")
    secret = bytes.fromhex(SECRET)
    assert dice.commitment(secret) in made.out
    assert dice.commitment(dice.turn_seed(secret, 0)) in made.out


def test_a_random_secret_is_another_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert pbem("new", tmp_path / name, "--ruleset", "regatta", "--player", "Ann").status == 0
    assert len({(tmp_path / name / "secret.key").read_text() for name in ("one", "two")}) == 2


def test_the_first_event_holds_all_that_later_data_must_not_change(signup: Regatta) -> None:
    (row,) = log(signup)
    assert (row["version"], row["turn"], row["kind"], row["schema"]) == (1, 0, "game_created", 1)
    assert row["at"] == "2026-11-30T05:55:00.000000Z"
    data = row["data"]
    assert list(data) == [
        "ruleset", "ruleset_version", "pbem_version", "seats", "length", "setup", "secret_hash", "commitment",
    ]  # fmt: skip
    assert (data["seats"], data["length"], data["setup"]["distance"]) == (["red", "blue"], 3, 4)


def test_names_and_addresses_stand_in_game_toml_alone(signup: Regatta) -> None:
    assert tomllib.loads(signup.read("game.toml")) == {
        "players": [
            {"seat": "red", "name": "Ann Ames", "email": "ann@example.org"},
            {"seat": "blue", "name": "Bert Boyd", "email": "bert@example.org"},
        ]
    }
    assert b"Ann" not in signup.log_bytes()
    assert b"example.org" not in signup.log_bytes()


def test_players_without_a_seat_get_the_default_ones(tmp_path: Path) -> None:
    pbem(
        "new", tmp_path / "cup", "--ruleset", "regatta", "--player", "Ann", "--player", "Bert <b@example.org>"
    )
    assert Game(tmp_path / "cup").contest.seats == ("red", "green")


def test_a_map_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "lake.toml").write_text("distance = 77\n")
    pbem("new", tmp_path / "cup", "--ruleset", "regatta", "--player", "Ann", "--map", tmp_path / "lake.toml")
    assert Game(tmp_path / "cup").contest.created.setup["distance"] == 77


def test_start_closes_turn_0_and_commits_turn_1(game: Regatta) -> None:
    closed = log(game)[-1]
    assert closed["kind"] == "turn_closed"
    assert closed["data"] == {
        "turn": 0,
        "attempt": 1,
        "seed": seed(0).hex(),
        "beacon": None,
        "missing": [],
        "deadline": None,
        "beacon_rule": None,
        "next_commitment": dice.commitment(seed(1)),
        "seed_0": None,
    }
    assert (game.folder / "reports/turn-0/index.html").exists()
    assert game("start").sentence == "spring has started already; see `pbem status`."


# Finding the game.


def test_a_command_finds_its_game_as_git_does(game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.folder / "reports" / "turn-0")
    assert pbem("status").status == 0
    monkeypatch.chdir(game.folder.parent)
    assert "There is no game in" in pbem("status").sentence
    monkeypatch.setenv("PBEM_GAME", str(game.folder))
    assert pbem("status").status == 0
    assert "There is no game in" in pbem("-C", game.folder.parent, "status").sentence
    # A way that leads through the game's folder does not make it one above.
    assert "There is no game in" in pbem("-C", game.folder / "..", "status").sentence


def test_the_name_is_fixed_whatever_the_folder_is_called(game: Regatta) -> None:
    moved = Regatta(game.folder.rename(game.folder.with_name("Moved here")))
    assert moved("status", "--json").json()["game"] == "spring"


# Orders.


def test_adjudicate_takes_in_files_resolves_and_reports(game: Regatta) -> None:
    told = played(game, 1, red="sail else row  # with the wind\n", blue="row\npress: ahoy\n")
    assert "turn-1 is adjudicated: " in told.out
    rows = log(game, "turn-1")
    assert [row["kind"] for row in rows][:3] == ["orders_received", "orders_received", "turn_closed"]
    assert rows[0]["data"]["source"] == "file blue.txt"
    thrown = [throw for row in rows for throw in row["data"].get("dice", [])]
    assert thrown == [{"key": "sail 1 red", "sides": 6, "value": dice.throw(seed(1), "sail 1 red", 6)}]
    for name in (
        "reports/index.html", "reports/turn-1/index.html", "reports/turn-1/map.svg",
        "reports/turn-1/turn-1.json", "players/red/turn-1.html", "players/red/turn-1.txt",
        "players/red/turn-1.json", "players/red/map-1.svg", "gm/turn-1.html", "gm/turn-1.txt",
    ):  # fmt: skip
        assert (game.folder / name).stat().st_size, name


def test_the_chain_holds_from_the_first_row_to_the_last(game: Regatta) -> None:
    played(game, 1, red="row", blue="row")
    rows = Game(game.folder).log.unchecked_rows()
    assert [row.hash for row in rows] == [row_hash(row) for row in rows]
    assert [row.prev for row in rows] == ["0" * 64, *(row.hash for row in rows[:-1])]
    assert [row.salt for row in rows] == [dice.salt(bytes.fromhex(SECRET), row.version) for row in rows]


def test_each_seed_is_what_was_committed_to(game: Regatta) -> None:
    played(game, 1, red="row", blue="row")
    played(game, 2, red="row", blue="row")
    closed = [row["data"] for row in log(game) if row["kind"] == "turn_closed"]
    for before, after in pairwise(closed):
        assert before["next_commitment"] == dice.commitment(bytes.fromhex(after["seed"]))


def test_submit_takes_files_folders_and_standard_input(game: Regatta, tmp_path: Path) -> None:
    letters = tmp_path / "turn-1"
    letters.mkdir()
    (letters / "red-late.txt").write_text("row\n")
    assert game("submit", letters).out == "red: file red-late.txt, 1 order line.\n"
    taken = game("submit", "-", stdin=b"game: Spring\nturn: turn-1\nplayer: BLUE\nsail\n")
    assert taken.out == "blue: standard input, 1 order line.\n"
    assert kinds(game, 1) == ["orders_received", "orders_received"]
    states = {seat["seat"]: seat["state"] for seat in game("status", "--json").json()["seats"]}
    assert states == {"red": "in", "blue": "in"}


def test_the_same_file_twice_is_one_submission(game: Regatta) -> None:
    path = game.orders(1, "red.txt", "row\n")
    game("submit", path)
    before = game.log_bytes()
    assert game("submit", path).out == "red: file red.txt stands already.\n"
    assert game("submit", game.orders(1, "red-again.txt", "row\r\n")).status == 0
    assert game.log_bytes() == before


def test_the_last_good_file_counts_and_an_old_one_lying_about_does_not_come_back(game: Regatta) -> None:
    first = game.orders(1, "red.txt", "sail\n")
    game("submit", first)
    game("submit", "-", stdin=b"turn: 1\nplayer: red\nrow\n")
    game.orders(1, "blue.txt", "row\n")
    assert "row" in game("orders", 1).out
    played(game, 1)
    assert kinds(game, 1).count("orders_received") == 3
    assert game("orders", 1).out == (
        "red (in, standard input)\n    3  row\nblue (in, file blue.txt)\n    1  row\n"
    )


def test_a_file_named_again_by_hand_does_come_back(game: Regatta) -> None:
    first = game.orders(1, "red.txt", "sail\n")
    game("submit", first)
    game("submit", "-", stdin=b"turn: 1\nplayer: red\nrow\n")
    game("submit", first)
    assert "sail" in game("orders", 1).out


@pytest.mark.parametrize(
    "data",
    [
        "# café\rplayer: red\rrow\rend\r".encode(),
        "# café\nplayer: red\nrow\nend\n".encode("utf-16"),
        "# café\r\nplayer: red\r\nrow\r\nend\r\n".encode("windows-1252"),
        b"\xef\xbb\xbf# caf\xc3\xa9\nplayer: red\nrow\nend\n",
    ],
    ids=["CR alone", "UTF-16", "windows-1252", "BOM"],
)
def test_any_usual_encoding_and_line_end_is_read(game: Regatta, data: bytes) -> None:
    game("submit", game.orders(1, "red.txt", data))
    (received,) = log(game, 1)
    assert received["data"]["text"] == "# café\nplayer: red\nrow\nend\n"
    assert "    3  row\n" in game("orders", 1).out


def test_standing_orders_count_until_another_file_comes(game: Regatta) -> None:
    played(game, 1, red="standing: row\nsail\n", blue="row")
    assert {seat["seat"]: seat["state"] for seat in game("status", "--json").json()["seats"]} == {
        "red": "standing",
        "blue": "missing",
    }
    played(game, 2, blue="sail else row")
    moved = [row["data"] for row in log(game, 2) if row["kind"] == "boat_moved"]
    assert (moved[0]["seat"], moved[0]["line"], moved[0]["text"]) == ("red", 1, "standing: row")


def test_only_the_latest_file_has_standing_orders(game: Regatta) -> None:
    played(game, 1, red="standing: row\n", blue="standing: row")
    played(game, 2, red="sail else row\n")
    assert "orders are missing from red;" in game("adjudicate", 3).sentence


def test_orders_missing_are_named_and_left_out_where_the_gm_says_so(game: Regatta) -> None:
    game.orders(1, "red.txt", "row")
    assert game("adjudicate", "turn-1").sentence == (
        "turn-1 waits: orders are missing from blue; --allow-missing goes on without."
    )
    assert game("adjudicate", "turn-1", "--allow-missing").status == 0
    closed = next(row["data"] for row in log(game, 1) if row["kind"] == "turn_closed")
    assert closed["missing"] == ["blue"]


def test_a_bad_file_is_named_and_its_seat_is_missing(game: Regatta) -> None:
    game.orders(1, "red.txt", "row")
    game.orders(1, "blue.txt", "game: summer\nrow")
    told = game("adjudicate", 1).sentence
    assert "blue.txt: its header says game: summer, but this is spring" in told
    assert "orders are missing from blue" in told
    ran = game("adjudicate", 1, "--allow-missing")
    assert ran.status == 0
    assert "blue.txt: its header says game: summer" in ran.err


def test_what_editors_leave_lying_about_is_no_order_file(game: Regatta) -> None:
    for name in (".DS_Store", "red.txt~", "#red.txt#"):
        game.orders(1, name, "\0")
    played(game, 1, red="row", blue="row")


def test_unreadable_lines_are_problems_and_the_rest_stands(game: Regatta) -> None:
    told = game("submit", game.orders(1, "red.txt", "player: red\nfly\nrow\npress to nobody: hm\n"))
    assert "line 2: fly" in told.out
    (received,) = log(game, 1)
    assert received["data"]["problems"] == [
        {"line": 2, "text": "fly", "message": "`row` or `sail` is expected"},
        {
            "line": 4,
            "text": "press to nobody: hm",
            "message": "press to nobody: no such seat plays; the seats are red, blue",
        },
    ]
    assert len(game("status", "--json").json()["seats"][0]["problems"]) == 2


def test_check_says_line_by_line_what_would_be_done_and_appends_nothing(game: Regatta) -> None:
    before = game.log_bytes()
    path = game.orders(1, "red.txt", "player: red\nrow  # gently\n")
    assert game("check", path, "--json").json() == {
        "lines": [{"line": 2, "text": "row", "reads": True, "message": None, "forecast": "is tried"}]
    }
    path.write_text("row\nfly\npress to x: y\n")
    ran = game("check", path, "--json")
    assert ran.status == 1
    assert not ran.err
    assert [(line["line"], line["reads"]) for line in json.loads(ran.out)["lines"]] == [
        (1, True),
        (2, False),
        (3, False),
    ]
    assert "line 2: fly" in game("check", "-", stdin=b"turn: 1\nplayer: red\nfly\n").out.replace(
        "line 3", "line 2"
    )
    assert game.log_bytes() == before


def test_the_report_s_template_is_itself_an_order_file(game: Regatta) -> None:
    text = game.read("players/red/turn-0.txt")
    template = text[text.index("game: spring") :]
    assert f"key: {key(1, 'red')}" in template
    assert game("check", "-", stdin=template.encode()).status == 0
    assert game("submit", "-", stdin=template.encode()).status == 0


# Press.


def test_press_goes_to_everybody_or_to_one(game: Regatta) -> None:
    played(game, 1, red="row\npress: Ahoy, all!\npress to BLUE: just you\n", blue="row")
    public = game.read("reports/turn-1/turn-1.json")
    assert "Ahoy, all!" in public
    assert "just you" not in public
    assert "just you" not in game.read("reports/turn-1/index.html")
    for reader in ("players/red", "players/blue", "gm"):
        assert "just you" in game.read(f"{reader}/turn-1.txt")


def test_press_past_the_limit_is_a_problem_and_the_rest_stands(game: Regatta) -> None:
    long = "x" * 1500
    game("submit", game.orders(1, "red.txt", f"press: {long}\npress: {long}\npress: short\nrow\n"))
    (received,) = log(game, 1)
    assert [problem["line"] for problem in received["data"]["problems"]] == [2]
    played(game, 1, blue="row")
    data = json.loads(game.read("reports/turn-1/turn-1.json"))
    assert [len(press["text"]) for press in data["press"]] == [1500, 5]


# Keys.


def test_keys_open_their_own_turn_and_stand_nowhere_in_the_log(game: Regatta) -> None:
    others = f"{key(1, 'blue').replace('-', '')} {key(0, 'red')}"
    text = f"key: {key(1, 'red').lower()}  # mine\nrow\npress: {others}\n"
    assert game("submit", game.orders(1, "red.txt", text)).status == 0
    (received,) = log(game, 1)
    blank = "****-****-****"
    assert received["data"]["text"] == f"key: {blank}  # mine\nrow\npress: {blank} {blank}\n"
    assert "turn-1" in game("submit", game.orders(1, "blue.txt", f"key: {key(1, 'red')}\nrow\n")).sentence


def test_no_key_comes_into_the_log_by_a_file_s_name_or_a_note(game: Regatta) -> None:
    named = game.orders(1, f"red-{key(1, 'red')}.txt", "row\n")
    assert game("submit", named).status == 0
    assert log(game, 1)[0]["data"]["source"] == "file red-****-****-****.txt"
    assert game("note", 0, "-", stdin=f"Blue's key is {key(1, 'blue').lower()} now.".encode()).status == 0
    assert "key is ****-****-**** now." in game.read("reports/turn-0/index.html")
    for each in (key(1, "red"), key(1, "blue").lower()):
        assert each.encode() not in game.log_bytes()


def test_names_of_files_that_are_no_utf_8(game: Regatta, tmp_path: Path) -> None:
    odd = os.fsdecode(b"\xff")
    game.orders(1, f"red-{odd}.txt", "row\n")
    assert game("submit", game.folder / "orders/turn-1").status == 0
    assert log(game, 1)[0]["data"]["source"] == "file red-?.txt"
    board = tmp_path / f"{odd}.toml"
    board.write_text("radius = 3\n")
    players = ("--player", "Ann", "--player", "Bert")
    assert pbem("new", tmp_path / "cup", "--ruleset", "flux", "--map", board, *players).status == 0
    assert pbem("-C", tmp_path / "cup", "start").status == 0


def test_what_new_says_is_next_can_be_typed(tmp_path: Path) -> None:
    (tmp_path / "my games").mkdir()
    made = pbem("new", tmp_path / "my games/cup", "--ruleset", "regatta", "--player", "Ann")
    assert made.out.splitlines()[-1] == f"Next: pbem -C '{tmp_path}/my games/cup' start"


def test_a_new_key_replaces_the_old_and_its_report(game: Regatta) -> None:
    assert game("key", "red").out.strip() == key(1, "red")
    assert game("key", "RED", "--new").out.strip() == key(1, "red", 2)
    assert log(game)[-1]["data"] == {"seat": "red", "issue": 2}
    assert key(1, "red", 2) in game.read("players/red/turn-0.txt")
    old = game("submit", "-", stdin=f"turn: 1\nplayer: red\nkey: {key(1, 'red')}\nrow\n".encode())
    assert "its key is not the one of red for turn-1" in old.sentence
    assert game("submit", "-", stdin=f"turn: 1\nplayer: red\nkey: {key(1, 'red', 2)}\n".encode()).status == 0


def test_nothing_public_holds_a_key_the_secret_a_name_or_an_address(game: Regatta) -> None:
    for turn in (1, 2, 3):
        game.orders(turn, "red.txt", f"key: {key(turn, 'red')}\nsail else row # {key(turn, 'blue')}\n")
        game.orders(turn, "blue.txt", f"row\npress: my key is {key(turn, 'blue')}\n")
        if game("status", "--json").json()["phase"] == "open":
            assert game("adjudicate", turn).status == 0
    keys = [key(turn, seat) for turn in range(6) for seat in ("red", "blue")]
    hidden = [SECRET, "example.org", *keys, *(each.replace("-", "") for each in keys)]
    published = [path for path in (game.folder / "reports").rglob("*") if path.is_file()]
    assert published
    for path in published:
        text = path.read_text(encoding="utf-8")
        found = [word for word in hidden if word.casefold() in text.casefold()]
        assert not [*found, *re.findall(r"\b(?:Ann|Bert)\b", text)], path  # not the ann of cannot


# Deadlines and beacons.

TURNS = '\n[turns]\nevery = "7d"\nat = "20:00"\nzone = "Europe/London"\n'


def configured(game: Regatta, text: str) -> None:
    path = game.folder / "game.toml"
    path.write_text(path.read_text() + text)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-11-30T05:55:00Z", "2026-12-07T20:00:00.000000Z"),
        ("2027-03-25T12:00:00Z", "2027-04-01T19:00:00.000000Z"),
        ("2027-10-28T12:00:00", "2027-11-04T20:00:00.000000Z"),
    ],
)
def test_a_deadline_keeps_its_clock_time_when_the_clocks_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: str, due: str
) -> None:
    monkeypatch.setenv("PBEM_NOW", now)
    game = new_regatta(tmp_path / "spring")
    configured(game, TURNS)
    game("start")
    assert log(game)[-1]["kind"] == "deadline_set"
    assert (log(game)[-1]["turn"], log(game)[-1]["data"]) == (1, {"turn": 1, "at": due})
    assert game("status", "--json").json()["deadline"] == due


def test_after_its_deadline_nobody_is_waited_for(signup: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    configured(signup, TURNS.replace("7d", "36h"))
    signup("start")
    monkeypatch.setenv("PBEM_NOW", "2026-12-01T17:54:59Z")
    assert "orders are missing from red, blue" in signup("adjudicate", 1).sentence
    monkeypatch.setenv("PBEM_NOW", "2026-12-01T17:55:00Z")
    assert signup("adjudicate", 1).status == 0
    closed = next(row["data"] for row in log(signup, 1) if row["kind"] == "turn_closed")
    assert (closed["missing"], closed["deadline"]) == (["red", "blue"], "2026-12-01T17:55:00.000000Z")


def test_a_beacon_is_announced_asked_for_and_mixed_in(signup: Regatta) -> None:
    configured(signup, '\n[dice]\nbeacon = "the lottery of Saturday"\n')
    signup("start")
    assert log(signup)[-1]["data"]["beacon_rule"] == "the lottery of Saturday"
    for seat in ("red", "blue"):
        signup.orders(1, f"{seat}.txt", "sail")
    assert signup("adjudicate", 1).sentence == (
        "turn-1 needs its beacon: --beacon TEXT, which is the lottery of Saturday."
    )
    assert "without --dry-run" in signup("adjudicate", 1, "--dry-run", "--beacon", "7").sentence
    assert signup("adjudicate", 1, "--beacon", "7-14-22").status == 0
    rows = log(signup, 1)
    mixed = dice.with_beacon(seed(1), "7-14-22")
    assert [throw["value"] for row in rows for throw in row["data"].get("dice", [])] == [
        dice.throw(mixed, f"sail 1 {seat}", 6) for seat in ("red", "blue")
    ]
    closed = next(row["data"] for row in rows if row["kind"] == "turn_closed")
    assert (closed["seed"], closed["beacon"]) == (seed(1).hex(), "7-14-22")


def test_a_beacon_stands_as_announced_when_its_turn_is_reopened(signup: Regatta) -> None:
    """Whatever the turn had announced for the next one, or that it was the last."""
    configured(signup, '\n[dice]\nbeacon = "the lottery of Saturday"\n')
    signup("start")
    text = signup.read("game.toml")
    (signup.folder / "game.toml").write_text(text.replace("Saturday", "Sunday"))
    for turn in (1, 2):
        for seat in ("red", "blue"):
            signup.orders(turn, f"{seat}.txt", "row")
        assert signup("adjudicate", turn, "--beacon", "7").status == 0
        signup("reopen", turn, "--reason", "A gust.")
        day = ("Saturday", "Sunday")[turn - 1]
        told = signup("adjudicate", turn).sentence
        assert told == f"turn-{turn} needs its beacon: --beacon TEXT, which is the lottery of {day}."
        assert signup("adjudicate", turn, "--beacon", "8").err == ""
    assert signup("verify", "--json").json()["ok"]


def test_a_table_of_turns_that_does_not_say_how_often(game: Regatta) -> None:
    configured(game, '\n[turns]\nzone = "Europe/London"\n')
    assert "[turns] does not say how often orders are due; write every" in game("report").sentence


@pytest.mark.parametrize("name", ["game", "turn", "player"])
def test_a_sentence_quotes_no_more_than_it_can_hold(game: Regatta, name: str) -> None:
    header = {"game": "spring", "turn": "1", "player": "red", name: "9" * 5000}
    text = "".join(f"{key}: {value}\n" for key, value in header.items())
    told = game("check", "-", stdin=f"{text}row\n".encode()).sentence
    assert "9…" in told
    assert len(told) < 250


def test_a_published_secret_need_not_be_hidden(game: Regatta) -> None:
    (game.folder / "secret.key").chmod(0o644)
    assert "chmod 600" in game("report").err
    played(game, 1, red="row", blue="row")
    played(game, 2, red="row", blue="row")
    played(game, 3, red="row", blue="row")
    assert game("end").status == 0
    assert game("report").err == ""


def test_a_beacon_that_nobody_agreed_on_is_refused(game: Regatta) -> None:
    assert "No beacon was agreed on" in game("adjudicate", 1, "--beacon", "7").sentence


def test_a_dry_run_tells_the_outcome_and_changes_nothing(game: Regatta) -> None:
    for seat in ("red", "blue"):
        game.orders(1, f"{seat}.txt", "sail")
    before = sorted((path, path.stat().st_mtime_ns) for path in game.folder.rglob("*"))
    told = game("adjudicate", 1, "--dry-run")
    assert "nothing was appended" in told.out
    assert sorted((path, path.stat().st_mtime_ns) for path in game.folder.rglob("*")) == before
    played(game, 1)
    assert game.read("gm/turn-1.txt").strip() in told.out


# Games whose turn 0 takes orders and makes secrets.


@pytest.fixture
def secretive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    """Regatta, were it such a game."""
    hidden = regatta.RULESET._replace(sign_up_orders=True, open_information=False)
    monkeypatch.setattr(regatta, "RULESET", hidden)
    return new_regatta(tmp_path / "spring", "--map", "pond", "--length", 2)


def test_an_invitation_holds_the_key_and_a_template_of_turn_0(secretive: Regatta) -> None:
    assert secretive.read("players/red/invitation.txt") == (
        f"game: spring\nturn: 0\nplayer: red\nkey: {key(0, 'red')}\n\n\nend\n"
    )
    assert secretive("key", "red", "--new").status == 0
    assert f"key: {key(0, 'red', 2)}" in secretive.read("players/red/invitation.txt")
    assert secretive("submit", secretive.folder / "players/red/invitation.txt").status == 0


def test_start_takes_in_the_orders_of_sign_up(secretive: Regatta) -> None:
    secretive.orders(0, "red.txt", "row")
    assert secretive("start").sentence == (
        "turn-0 waits: orders are missing from blue; --allow-missing goes on without."
    )
    secretive("submit", "-", stdin=b"turn: 0\nplayer: blue\nrow\n")
    assert secretive("start").status == 0
    assert kinds(secretive) == ["game_created", "orders_received", "orders_received", "turn_closed"]


def test_the_seed_of_turn_0_stays_hidden_until_the_end(secretive: Regatta) -> None:
    assert secretive("start", "--allow-missing").status == 0
    first = log(secretive)[-1]["data"]
    assert (first["seed"], first["missing"]) == (None, ["red", "blue"])
    for turn in (1, 2):
        played(secretive, turn, red="row", blue="row")
    closed = [row["data"] for row in log(secretive) if row["kind"] == "turn_closed"]
    assert [each["seed_0"] for each in closed] == [None, None, seed(0).hex()]
    assert dice.commitment(seed(0)) == log(secretive)[0]["data"]["commitment"]


def test_a_game_that_hides_something_publishes_neither_orders_nor_how_many_rows(secretive: Regatta) -> None:
    secretive("start", "--allow-missing")
    played(secretive, 1, red="row # my secret", blue="sail")
    public = json.loads(secretive.read("reports/turn-1/turn-1.json"))
    assert (public["rows"], public["orders"], public["log"]["version"]) == ([], {}, None)
    assert public["log"]["hash"] == log(secretive)[-1]["hash"]


# Looking.


def test_status(game: Regatta) -> None:
    game("submit", game.orders(1, "red.txt", "row"))
    assert game("status", "--json").json() == {
        "game": "spring",
        "ruleset": "regatta",
        "phase": "open",
        "turn": 1,
        "deadline": None,
        "seats": [
            {"seat": "red", "state": "in", "problems": [], "received": "2026-11-30T05:55:00.000000Z"},
            {"seat": "blue", "state": "missing", "problems": [], "received": None},
        ],
    }
    assert "blue  missing" in game("status").out


def test_games_lists_all_games_below_a_folder(game: Regatta, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    new_regatta(tmp_path / "more" / "cup")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/game.toml").touch()
    (tmp_path / "broken/pbem.db").touch()
    told = pbem("games", tmp_path).out.splitlines()
    assert len(told) == 3
    assert "broken" in told[0]
    assert told[1].endswith("cup: cup, regatta, sign-up")
    assert told[2].endswith("spring: spring, regatta, turn-1 is open, missing red, blue")
    assert pbem("games", game.folder / "orders").out.startswith("There is no game below")


def test_state_before_the_start(signup: Regatta) -> None:
    told = signup("state", "--json").json()
    assert (told["game"], told["turn"], told["phase"]) == ("spring", None, "signup")
    assert told["boats"] == {"red": 0, "blue": 0}
    assert "phase: signup" in signup("state").out
    assert "has not started" in signup("state", 0).sentence


def test_state_and_the_end_of_a_game(game: Regatta) -> None:
    for turn in (1, 2, 3):
        played(game, turn, red="row", blue="sail else row")
        told = game("state", "--json").json()
        assert (told["game"], told["ruleset"], told["turn"]) == ("spring", "regatta", turn)
        assert told["boats"]["red"] == turn
        if told["phase"] == "ended":
            break
    assert told["phase"] == "ended"
    assert game("state", "turn-1", "--json").json()["phase"] == "open"
    assert game("status", "--json").json()["turn"] is None
    assert "over" in game("status").out
    closed = [row["data"] for row in log(game) if row["kind"] == "turn_closed"][-1]
    assert closed["next_commitment"] is None
    assert "is over" in game("adjudicate", turn + 1).sentence
    assert "is over" in game("submit", "-", stdin=b"row").sentence
    assert "is over" in game("key", "red").sentence
    assert "boats:" in game("state").out


def test_log_for_people(game: Regatta) -> None:
    assert [line.split()[3] for line in game("log").out.splitlines()] == ["game_created", "turn_closed"]
    assert game("log", 1).out == ""
    assert game("log", 2).sentence == "turn-2 is not open yet; turn-1 is."


def test_explain_prints_rulings_without_their_links(tmp_path: Path) -> None:
    folder = tmp_path / "glade-cup"
    players = ("--player", "crimson=Ann", "--player", "azure=Bert")
    assert pbem("new", folder, "--ruleset", "flux", "--map", "glade", *players).status == 0
    flux = Regatta(folder)
    assert flux("start").status == 0
    played(flux, 1, crimson="move wizard to G3", azure="hold")
    told = flux("explain", 1, "crimson", 1).out
    assert "no more steps than its move in the table of F2, all" in told
    assert "](" not in told


def test_explain_tells_a_throw_in_the_words_of_the_report(tmp_path: Path) -> None:
    flux = new_flux(tmp_path / "glen")
    play(flux, 1)
    report = " ".join(flux.read("gm/turn-1.txt").split())
    told = [line.strip() for line in flux("explain", 1, "crimson", 1).out.splitlines()]
    thrown, *_ = [line for line in told if line.startswith("threw ")]
    assert thrown in report
    assert " flux, " in thrown


def test_explain_gives_throw_and_ruling(game: Regatta) -> None:
    played(game, 1, red="sail else row", blue="row\nrow")
    told = game("explain", "turn-1", "red", 1).out
    assert told.startswith("red, turn-1, line 1: sail else row\n")
    assert "R1.1 One move a turn: A boat rows one cable for certain" in told
    assert "one move a turn" in game("explain", 1, "BLUE", 2).out
    assert "the lines that counted are: 1" in game("explain", 1, "red", 2).sentence
    assert "There is no seat 'pink'" in game("explain", 1, "pink", 2).sentence
    assert "has not been adjudicated" in game("explain", 2, "red", 1).sentence


def test_map(game: Regatta, tmp_path: Path) -> None:
    assert game("map", "-o", tmp_path / "map.svg").status == 0
    assert (tmp_path / "map.svg").read_text().startswith("<?xml")
    assert game("map", "turn-0", "--seat", "Red", "-o", tmp_path / "red.svg").status == 0
    assert game("map", "-o", tmp_path / "map.gif").status == 2


def test_a_note_stands_in_its_turn_s_report(game: Regatta, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The wind was slow: see you in the harbour.\n")
    assert game("note", "turn-0", note).status == 0
    assert "see you in the harbour" in game.read("reports/turn-0/index.html")
    assert game("note", "turn-1", "-", stdin=b"Next time.").out == "It will stand in the report of turn-1.\n"
    played(game, 1, red="row", blue="row")
    assert "Next time." in game.read("players/red/turn-1.txt")
    assert "not open yet" in game("note", "turn-3", note).sentence


def test_reports_come_back_from_the_log_alone_byte_for_byte(game: Regatta) -> None:
    played(game, 1, red="sail else row", blue="row\npress: hi")
    played(game, 2, red="row", blue="row")
    before = {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()}
    for path in before:
        if path.relative_to(game.folder).parts[0] in {"reports", "players", "gm"}:
            path.unlink()
    assert game("report").status == 0
    assert {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()} == before
    (game.folder / "reports/turn-1/index.html").unlink()
    assert game("report", "turn-1").out.strip().endswith("reports/turn-1/index.html")
    assert {path: path.read_bytes() for path in game.folder.rglob("*") if path.is_file()} == before


def test_private_files_are_their_owner_s_alone(game: Regatta) -> None:
    for name, mode in {
        "players/red": 0o700,
        "gm": 0o700,
        "orders/turn-1": 0o700,
        "players/red/turn-0.txt": 0o600,
    }.items():
        assert stat.S_IMODE((game.folder / name).stat().st_mode) == mode, name


def test_a_secret_that_others_can_read_is_warned_of(game: Regatta) -> None:
    (game.folder / "secret.key").chmod(0o644)
    ran = game("key", "red")
    assert ran.status == 0
    assert "can be read by others" in ran.err


# The rest.


def test_demo_plays_the_ruleset_s_own_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = pbem("demo", "--ruleset", "regatta")
    assert told.status == 0, told.err
    assert "turn-2: " in told.out
    game = Regatta(tmp_path / "spring")
    assert (game.folder / "reports/index.html").exists()
    assert game("status").status == 0
    assert "is there already" in pbem("demo", "--ruleset", "regatta").sentence
    assert pbem("demo", tmp_path / "other", "--ruleset", "regatta").status == 0


def test_cases_run_on_any_ruleset(tmp_path: Path) -> None:
    case = tmp_path / "row.toml"
    case.write_text(
        'title = "Rowing is certain"\nrules = ["R1.1"]\nruleset = "regatta"\ndistance = 9\n'
        'length = 5\nturn = 1\n[boats]\nred = 0\n[orders]\nred = """\nrow\n"""\n'
        '[expect]\nevents = [{ kind = "boat_moved", seat = "red", cables = 1 }]\n'
    )
    ran = pbem("cases", case)
    assert ran.status == 0, ran.out + ran.err
    assert ran.out.splitlines()[-1] == "1 passed, 0 failed"


SLOW = {"pydantic", "jinja2", "svgwrite", "sqlite_utils", "tomlkit", "pbem.rulesets", "pbem.reports"}


@pytest.mark.parametrize(
    ("words", "needed"),
    [(("--help",), set()), (("status",), {"pydantic"}), (("log",), {"pydantic"})],
)
def test_a_command_imports_only_what_it_needs(
    game: Regatta, words: tuple[str, ...], needed: set[str]
) -> None:
    code = f"import sys; from pbem.cli import run; run({list(words)}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=game.folder, capture_output=True, text=True, check=True
    )
    assert SLOW & set(done.stderr.split()) == needed


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",), ("adjudicate", "--help")])
def test_help(words: tuple[str, ...]) -> None:
    assert "Usage: pbem" in pbem(*words).out + pbem(*words).err


@pytest.mark.parametrize(
    "words",
    [
        ("fly",),
        ("adjudicate",),
        ("adjudicate", "turn-three"),
        ("explain", "1", "red", "0"),
        ("new", "x", "--ruleset", "regatta"),
        ("new", "x", "--ruleset", "regatta", "--player", "Ann", "--scenario", "pond"),
    ],
)
def test_wrong_usage_is_status_2(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert pbem(*words).status == 2
    assert not list(tmp_path.iterdir())
