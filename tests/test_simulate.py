"""Whole games between programs: the same numbers from any number of processes."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import ENOSPC
from fractions import Fraction
from pathlib import Path
from subprocess import PIPE, Popen, run
from time import sleep
from typing import Any

import pytest

from pbem.errors import BadInput
from pbem.players import find_player, player_names
from pbem.rulesets.flux import RULESET
from pbem.simulate import Plan, Table, planned, simulate
from pbem.simulated import decimal
from tests.commands import Ran, pbem
from tests.scale import scaled


def race(*options: object) -> Ran:
    return pbem("simulate", "--ruleset", "regatta", *options)


# The same numbers.


def test_any_number_of_processes_gives_the_same_bytes(tmp_path: Path) -> None:
    told: set[tuple[str, str, bytes]] = set()
    for jobs in (1, 2, 4):
        page = tmp_path / f"page-{jobs}.html"
        options = ("--players", "planner,greedy,random", "--contests", scaled(60) + 4, "--map", "glade")
        ran = pbem("simulate", *options, "--length", 3, "--jobs", jobs, "--json", "--html", page)
        assert (ran.status, ran.err) == (0, "")
        text = pbem("simulate", *options, "--length", 3, "--jobs", jobs).out
        told.add((ran.out, text, page.read_bytes()))
    assert len(told) == 1


def test_the_seed_decides_and_nothing_else() -> None:
    options = ("--players", "sailor,sailor", "--contests", 40, "--jobs", 1, "--json")
    first = race(*options, "--seed", "spring").json()
    assert race(*options, "--seed", "spring").json() == first
    other = race(*options, "--seed", "autumn").json()
    assert other["seed"] == "autumn"
    assert other["curves"] != first["curves"]


def test_in_each_game_everybody_sits_one_seat_further_on() -> None:
    table = Table(planned("regatta", ("rower", "sailor", "sailor"), 3))
    assert [table.play(number).players for number in range(4)] == [
        ("rower", "sailor", "sailor"),
        ("sailor", "rower", "sailor"),
        ("sailor", "sailor", "rower"),
        ("rower", "sailor", "sailor"),
    ]


def test_a_game_follows_from_its_number_alone() -> None:
    plan = planned("regatta", ("rower", "sailor"), 9)
    assert Table(plan).play(7) == [Table(plan).play(number) for number in range(9)][7]


# What is counted.


def test_what_a_simulation_counts() -> None:
    told = race("--players", "rower,rower", "--contests", 6, "--length", 4, "--jobs", 1, "--json").json()
    assert told["ruleset"] == "regatta"
    assert (told["contests"], told["shared_titles"], told["no_winner"]) == (6, 6, 0)
    assert told["turns"] == {"4": 6}
    # Whoever rows comes one cable a turn, and both have come equally far.
    assert told["curves"] == {"cables": {"rower": ["0.0000", "1.0000", "2.0000", "3.0000", "4.0000"]}}
    assert told["counts"] == {"rower": {"row": {"moves": 48}}}
    seat = {"games": 6, "wins": 0, "shared": 6, "rate": "0.0000", "interval": ["0.0000", "0.3903"]}
    assert told["seats"] == {"red": {**seat, "points": "4.0000"}, "green": {**seat, "points": "4.0000"}}
    # Both seats are the same player's, who won every game.
    assert told["players"]["rower"]["wins"] == 6
    assert told["chi_square"] is None


def test_rates_curves_and_counts_agree_with_the_games() -> None:
    plan = planned("regatta", ("rower", "sailor"), 30, length=5)
    games = [Table(plan).play(number) for number in range(30)]
    summary = simulate(plan, 1)
    for seat in plan.seats:
        assert summary.seats[seat].wins == sum(game.winners == (seat,) for game in games)
        assert summary.seats[seat].shared == sum(len(game.winners) > 1 for game in games)
    sailing = [dict(zip(game.players, game.scores, strict=True))["sailor"] for game in games]
    assert summary.players["sailor"].points == sum(sailing, Fraction(0))
    assert summary.players["sailor"].games == summary.players["sailor"].seats == 30
    fair = summary.fairness()
    wins = [summary.seats[seat].wins for seat in plan.seats]
    expected = Fraction(sum(wins), 2)
    assert fair is not None
    assert fair.statistic == sum((won - expected) ** 2 / expected for won in wins)


def test_flux_counts_what_counters_cost_and_gain() -> None:
    told = pbem(
        "simulate", "--players", "greedy,greedy", "--contests", 4, "--jobs", 1, "--length", 4, "--json"
    ).json()
    forest = told["counts"]["greedy"]["forest"]
    assert forest["flux"] == 2 * forest["casts"]
    assert 0 < forest["successes"] <= forest["casts"]
    assert forest["gained"] > 0
    assert told["curves"]["income"]["greedy"][0] == "10.0000"
    assert set(told["curves"]) == {"income", "reserve", "earths"}


def test_decimals_are_exact() -> None:
    halves = [decimal(Fraction(each, 2), 0) for each in (-1, 1, 3, 5)]
    assert halves == ["-1", "1", "2", "3"]
    assert decimal(Fraction(2, 3), 4) == "0.6667"
    assert decimal(Fraction(-1, 1000), 2) == "0.00"


# For people.


def test_tables_for_people(tmp_path: Path) -> None:
    page = tmp_path / "race.html"
    ran = race("--players", "rower,sailor", "--contests", 10, "--jobs", 1, "--html", page)
    assert ran.status == 0
    for title in (
        "Players",
        "Seats",
        "Length",
        "What rower used",
        "What sailor used",
        "Cables, turn by turn",
    ):
        assert f"\n{title}\n{'-' * len(title)}\n" in ran.out
        assert title.split(",")[0] in page.read_text("utf-8")
    assert ran.out.endswith(f"\nWritten: {page}\n")


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    page = tmp_path / "nowhere" / "page.html"
    ran = race("--players", "rower,rower", "--contests", 1, "--jobs", 1, "--html", page)
    assert "No such file or directory" in ran.sentence


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_page_takes_the_place_of_no_other_thing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe or a device would be gone for good; and nothing is played before that is known."""
    page = tmp_path / "page.html"
    make(page)
    mode = page.stat().st_mode
    ran = race("--players", "broken,rower", "--contests", 1, "--jobs", 1, "--html", page)
    assert "page.html is " in ran.sentence
    assert page.stat().st_mode == mode
    assert "folder" in race("--players", "broken,rower", "--contests", 1, "--jobs", 1, "--html", "").sentence


def test_a_page_goes_where_a_link_points_to(tmp_path: Path) -> None:
    link = tmp_path / "link.html"
    link.symlink_to(tmp_path / "page.html")
    assert race("--players", "rower,rower", "--contests", 1, "--jobs", 1, "--html", link).status == 0
    assert link.is_symlink()
    assert "Regatta" in (tmp_path / "page.html").read_text("utf-8")


def test_what_was_played_is_told_even_where_the_page_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _: bytes) -> None:
        raise OSError(ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("pbem.files.write_whole", full)
    page = tmp_path / "page.html"
    ran = race("--players", "rower,rower", "--contests", 3, "--jobs", 1, "--html", page)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "No space left on device" in ran.err
    assert "Regatta: 3 games between programs" in ran.out


# What is refused.


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--players", "rover,rower"),
            "no player 'rover' of regatta here; installed are: absent, alone, broken,",
        ),
        (("--players", "rower,"), "no player '' of regatta"),
        (
            ("--players", "broken,rower"),
            "The player 'broken' of regatta fails at the orders of red: KeyError",
        ),
        (
            ("--players", "leaver,rower"),
            "The player 'leaver' of regatta fails at the orders of red: SystemExit",
        ),
        (("--players", "gasper,rower"), "fails at the orders of red: Speechless; mend it"),
        (
            ("--players", "whisperer,rower"),
            "'whisperer' of regatta writes orders for red that cannot be taken",
        ),
        (("--players", "ringer,rower"), "cannot be taken: line 2 holds a NUL"),
        (("--players", "talker,rower"), "cannot be taken: it has 200,000 bytes of orders"),
        (("--players", "closed,rower"), "(regatta.closed:CLOSED) cannot be loaded: SystemExit: closed"),
        (("--players", "mute,rower"), "The player 'mute' of regatta gave no text; mend it."),
        (("--players", "stranger,rower"), "calls itself 'rower' of 'regatta'; mend its package."),
        (("--players", "absent,rower"), "(regatta.players:ABSENT) cannot be loaded: AttributeError"),
        (("--players", "number,rower"), "is no pbem Player; reinstall its package."),
        (("--players", "rower,rower", "--map", "ocean"), "There is no map 'ocean'"),
        (("--players", "rower,rower", "--map", "away/ocean.toml"), "away/ocean.toml"),
    ],
)
def test_what_is_refused(options: tuple[str, ...], sentence: str) -> None:
    assert sentence in race(*options, "--contests", 2, "--jobs", 1).sentence


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--players", "planner"), "Flux is played by 2 to 6 wizards, not by 1."),
        (("--players", ",".join(["greedy"] * 7)), "Flux is played by 2 to 6 wizards, not by 7."),
        (("--players", "rower,rower"), "There is no player 'rower' of flux here"),
        (("--ruleset", "chess", "--players", "a,b"), "There is no ruleset 'chess' here"),
        (("--ruleset", "magic", "--players", "simple,simple,simple"), "two sides"),
        (("--players", "greedy,greedy", "--rules", "none.toml"), "none.toml"),
    ],
)
def test_what_is_refused_of_other_games(options: tuple[str, ...], sentence: str) -> None:
    assert sentence in pbem("simulate", *options, "--contests", 1).sentence


def test_a_failing_player_is_one_sentence_from_another_process_too() -> None:
    assert (
        "fails at the orders of" in race("--players", "broken,rower", "--contests", 2, "--jobs", 2).sentence
    )


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("leaver", "fails at the orders of red: SystemExit"),
        ("alone", "cannot be loaded: ImportError: one is enough"),
        ("sinker", "One of the processes was ended from outside"),
    ],
)
def test_a_process_that_cannot_go_on_ends_the_simulation(player: str, sentence: str) -> None:
    """Nobody waits for what a dead process had in hand."""
    words = (
        "simulate",
        "--ruleset",
        "regatta",
        "--players",
        f"{player},rower",
        "--contests",
        "9",
        "--jobs",
        "2",
    )
    ran = run(
        [sys.executable, "-m", "pbem", *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert sentence in ran.stderr
    assert ran.stderr.count("\n") == 1


INTERRUPTIBLE = """
import signal
from pbem.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
"""
"""As from a terminal, whether or not the suite itself can be interrupted."""


def test_what_is_interrupted_leaves_nothing_running() -> None:
    words = ("simulate", "--players", "planner,planner", "--contests", "500", "--jobs", "2")
    with Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *words],
        stdout=PIPE, stderr=PIPE, text=True, start_new_session=True,
    ) as started:  # fmt: skip
        while started.poll() is None and b"spawn_main" not in b"".join(command_lines(started.pid)):
            sleep(0.01)
        os.killpg(started.pid, signal.SIGINT)  # as a terminal does: all of them are told
        out, err = started.communicate()
    assert (started.returncode, out) == (1, "")
    assert err.strip().startswith("pbem: Interrupted")
    assert err.strip().count("\n") == 0
    assert list(command_lines(started.pid)) == []


def command_lines(group: int) -> Iterator[bytes]:
    """Of all processes of a group that are not dead."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getpgid(int(folder.name)) == group and (words := (folder / "cmdline").read_bytes()):
                yield words


def test_what_a_player_prints_is_not_in_the_results() -> None:
    ran = race("--players", "shouter,rower", "--contests", 1, "--jobs", 1, "--json")
    assert ran.json()["contests"] == 1
    assert "ahoy" in ran.err


def test_what_a_player_does_to_what_it_sees_stays_with_it() -> None:
    state = RULESET.initial(dict(planned("flux", ("greedy", "greedy"), 1).setup))
    before = RULESET.state_json(state)
    assert RULESET.seen is not None
    seen: Any = RULESET.seen(state, "crimson")
    assert seen == state
    seen.scores["crimson"] = "99"
    for wizard in seen.wizards.values():
        wizard.pieces["gnome"] = wizard.corner
    seen.wizards.clear()
    assert RULESET.state_json(state) == before


def test_wrong_usage() -> None:
    assert race("--contests", 2).status == 2
    assert race("--players", "rower,rower", "--contests", 0).status == 2
    assert race("--players", "rower,rower", "--jobs", 0).status == 2
    assert race("--players", "rower,rower", "--scenario", "pond").status == 2


def test_a_game_without_what_programs_need_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import regatta

    monkeypatch.setattr(regatta, "RULESET", regatta.RULESET._replace(tally=None))
    assert "it cannot be simulated" in race("--players", "rower,rower").sentence


@pytest.mark.parametrize("name", ["seen", "tally", "result", "default_seats"])
def test_a_ruleset_that_fails_is_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import regatta

    def broken(*_: object) -> Any:
        raise KeyError("no wind")

    fields: dict[str, Any] = {name: broken}
    monkeypatch.setattr(regatta, "RULESET", regatta.RULESET._replace(**fields))
    ran = race("--players", "rower,rower", "--contests", 1, "--jobs", 1)
    assert f"The ruleset 'regatta' fails at '{name}': KeyError: 'no wind'" in ran.sentence


def test_counts_that_a_ruleset_gives_no_order_are_in_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    import regatta

    tally = regatta.RULESET.tally
    assert tally is not None
    unordered = regatta.RULESET._replace(tally=lambda turn: tally(turn)._replace(order=()))
    monkeypatch.setattr(regatta, "RULESET", unordered)
    ran = race("--players", "rower,rower", "--contests", 1, "--jobs", 1)
    assert (ran.status, "What rower used" in ran.out) == (0, False)


# Players by name.


def test_players_are_found_by_entry_point() -> None:
    assert player_names("flux") == ("greedy", "planner", "random")
    assert player_names("magic") == ("random", "simple")
    assert find_player("regatta", "sailor").title == "sails while it is behind"
    with pytest.raises(BadInput, match="installed are: none"):
        find_player("chess", "fish")


def test_a_plan_can_be_handed_to_another_process() -> None:
    plan = planned("flux", ("greedy", "random"), 2, map_name="mere")
    assert isinstance(plan, Plan)
    assert json.loads(json.dumps(plan.setup)) == plan.setup


def test_the_player_in_the_documents_plays() -> None:
    page = (Path(__file__).parent.parent / "docs/programs.md").read_text("utf-8")
    written: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], written)  # noqa: S102 - our own page
    shipped = find_player("regatta", "sailor")
    assert written["SAILOR"]._replace(orders=shipped.orders) == shipped
    table = Table(planned("regatta", ("sailor", "sailor"), 5))
    games = [table.play(number) for number in range(5)]
    table.players["sailor"] = written["SAILOR"]
    assert [table.play(number) for number in range(5)] == games
