"""The benchmarks run, at tiny counts and without their peers, and write what they find."""

import shutil
import sys
from pathlib import Path

import psycopg
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import harness, many_games, peers, territory
from benchmarks.harness import Measured, Options, as_markdown, at_least, at_most, interleaved, microseconds
from pbem.errors import PbemError
from pbem.home import DatabaseHome, database_at
from pbem.rulesets.flux.hexes import Hex
from pbem.store import Draft

TOP = Path(benchmarks.__file__).parent.parent
TINY = Options(runs=1, small=True, peers=None)


@pytest.mark.parametrize("name", ["appending", "reading", "deciding", "territory"])
def test_it_runs_without_peers(name: str) -> None:
    measured = benchmarks.ALL[name](TINY)
    assert measured.lines
    assert all(line.ratio is not None for line in measured.lines if line.theirs != "not installed")


def test_what_territory_calls_covered_is_true() -> None:
    asked = territory.positions(1)
    assert territory.wrong(territory.ours(asked)[1], territory.exactly(asked)) == 0


def test_wrong_answers_about_territory_miss_their_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {line.what.split(",")[0]: line.met for line in territory.measure(TINY).lines[2:]} == {
        "wrong answers": True,
        "hexes called covered": True,
    }

    def all_of_them(_: frozenset[Hex], globes: tuple[Hex, ...]) -> frozenset[Hex]:
        return frozenset(globes)

    monkeypatch.setattr(all_of_them, "cache_clear", lambda: None, raising=False)
    monkeypatch.setattr(territory, "covered", all_of_them)
    assert [line.met for line in territory.measure(TINY).lines[2:]] == [False, False]


def test_the_things_take_turns_and_the_first_round_does_not_count() -> None:
    seen: list[str] = []

    def thing(name: str, *times: float) -> float:
        seen.append(name)
        return times[seen.count(name) - 1]

    found = interleaved(3, {"a": lambda: thing("a", 9, 1, 3, 2), "b": lambda: thing("b", 9, 5, 5, 4)})
    assert found == {"a": 2, "b": 5}
    assert seen == ["a", "b"] * 4


def test_ratios_and_verdicts() -> None:
    fast = at_least("x", 1e-6, "y", 2e-6, 1.5, microseconds)
    slow = at_most("x", 3e-6, "y", 2e-6, 1, microseconds)
    assert (fast.ratio, fast.met, slow.ratio, slow.met) == (2, True, 1.5, False)
    told = as_markdown([Measured("T", "about", (fast, slow), ("note",))])
    assert "| x | 1 µs | y | 2 µs | 2.00 | at least 1.5 times as fast | met |" in told
    assert "**missed**" in told


def test_figures_stand_between_the_marks_and_nothing_else_changes() -> None:
    page = benchmarks.PAGE.read_text("utf-8")
    once = benchmarks.with_figures(page, [Measured("T", "about", ())], "a machine")
    again = benchmarks.with_figures(once, [Measured("T", "about", ())], "a machine")
    assert once == again
    assert "### T" in once
    before, _, rest = page.partition(benchmarks.BEGIN)
    assert once.startswith(before)
    assert once.endswith(rest.partition(benchmarks.END)[2])


def test_the_machine_is_told_without_its_name() -> None:
    told = harness.machine()
    assert "Python" in told
    assert (
        Path("/etc/hostname").exists() is False
        or Path("/etc/hostname").read_text("utf-8").strip() not in told
    )


def test_the_page_names_every_measurement_and_every_command() -> None:
    page = benchmarks.PAGE.read_text("utf-8")
    for name in benchmarks.ALL:
        assert f"`{name}`" in page, name
    for path in sorted((TOP / "benchmarks").glob("*.py")):
        if path.stem not in {"__main__", *benchmarks.ALL} and "__name__ ==" in path.read_text("utf-8"):
            assert f"python -m benchmarks.{path.stem}" in page, path.stem


def test_the_page_is_written_whole_and_only_between_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    shutil.copy(benchmarks.PAGE, page)
    before = page.read_text("utf-8")
    monkeypatch.setattr(benchmarks, "PAGE", page)
    benchmarks.write([Measured("T", "about", ())], "a machine")
    assert page.read_text("utf-8") == benchmarks.with_figures(
        before, [Measured("T", "about", ())], "a machine"
    )
    assert list(tmp_path.iterdir()) == [page]


def test_a_page_without_marks_is_told_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text("no marks", "utf-8")
    monkeypatch.setattr(benchmarks, "PAGE", page)
    monkeypatch.setattr(benchmarks, "ALL", {})
    monkeypatch.setattr(benchmarks, "peers_python", lambda: Path(sys.executable))
    monkeypatch.setattr(benchmarks, "versions", lambda _: "none")
    with pytest.raises(SystemExit, match="has no marks"):
        benchmarks.main(["--write"])
    assert page.read_text("utf-8") == "no marks"


def test_without_peers_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmarks, "peers_python", lambda: None)
    monkeypatch.setattr(benchmarks, "ALL", {})
    with pytest.raises(SystemExit, match="none are installed"):
        benchmarks.main(["--write"])


@pytest.mark.parametrize(
    "words", [["--runs", "0"], ["--runs", "x"], ["--only", "none"], ["--small", "--write"]]
)
def test_what_cannot_be_measured_is_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        benchmarks.main(words)
    assert left.value.code == 2
    assert "error: " in capsys.readouterr().err


def test_peers_that_do_not_load_are_a_sentence() -> None:
    """This Python has none of them, as its environment never should."""
    with pytest.raises(
        SystemExit, match=r"do not load \(ModuleNotFoundError: .*\); `python -m benchmarks.peers`"
    ):
        peers.versions(Path(sys.executable))


def test_a_worker_that_dies_is_a_sentence(tmp_path: Path) -> None:
    python = tmp_path / "python of nobody"
    python.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    python.chmod(0o755)
    with (
        pytest.raises(SystemExit, match="The worker reading ended"),
        peers.working(python, "reading") as worker,
    ):
        worker.ask()


def test_what_is_no_fault_of_the_code_ends_in_a_sentence(tmp_path: Path) -> None:
    def missing() -> None:
        tmp_path.joinpath("none").read_bytes()

    def stopped() -> None:
        raise KeyboardInterrupt

    def not_here() -> None:
        pytest.skip("Chromium is not installed")

    for happens, told in ((missing, "No such file"), (stopped, "Interrupted"), (not_here, "Chromium is not")):
        with pytest.raises(SystemExit, match=told), harness.in_sentences():
            happens()
    with pytest.raises(ZeroDivisionError), harness.in_sentences():
        raise ZeroDivisionError


def test_many_games_finds_what_is_wrong_with_them(database: str, tmp_path: Path) -> None:
    """A turn closed twice, one never played, a game lost: none of them may pass for good."""
    numbers = range(4)
    where = database_at(database)
    where.make_tables()
    many_games.make_games(database, tmp_path, numbers)
    _tick(database, tmp_path, but=2)
    assert [name.partition(":")[0] for name in many_games.faults_of(database, tmp_path, numbers)] == [
        "game-000002"
    ]
    expected = many_games.reports_of(tmp_path, "game-000000")
    assert many_games.told_of(expected, expected) == ""
    assert "reports/turn-1/index.html" in many_games.told_of(expected, many_games.Reports(frozenset(), 0))
    half = many_games.Reports(expected.names | {"reports/.index.html.1.half"}, 0)
    assert many_games.told_of(expected, half) == "left reports/.index.html.1.half"
    nothing = many_games.Reports(frozenset(), 0)
    assert many_games.told_of(nothing, nothing).startswith("lacks players/azure/turn-1.html")
    # Closed once more, as if two workers had both done it.
    log = DatabaseHome(tmp_path, where, "game-000001").log
    rows = log.rows()
    closed = next(row for row in reversed(rows) if row.kind == "turn_closed")
    again = Draft(closed.turn, closed.kind, closed.schema, closed.data)
    log.append("game-000001", [again], expected=len(rows), at=closed.at, salt=lambda _: "00" * 16)
    faults = many_games.faults_of(database, tmp_path, [0, 1, 2, 3, 4])
    assert [fault.partition(":")[0] for fault in faults] == ["game-000001", "game-000002", "game-000004"]


def _tick(url: str, folder: Path, but: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE games SET wake = '-infinity'")
        connection.execute("UPDATE games SET wake = 'infinity' WHERE game = %s", [many_games.name_of(but)])
    connection.close()
    worker = many_games.worker(url, folder, folder / "log")
    worker.join()
    assert worker.exitcode == 0


def test_many_games_leaves_a_database_with_games_alone(database: str, tmp_path: Path) -> None:
    database_at(database).make_tables()
    many_games.make_games(database, tmp_path, [0])
    phases = many_games.phases_of(3, (False,))
    with pytest.raises(PbemError, match="has games"):
        many_games.measure(database, None, tmp_path, phases)


def test_every_measurement_has_as_many_games_of_its_own() -> None:
    phases = many_games.phases_of(13, (False, True))
    assert [(phase.workers, phase.kills) for phase in phases] == [
        (1, False), (2, False), (4, False), (1, True), (2, True), (4, True)
    ]  # fmt: skip
    assert [phase.games for phase in phases] == [range(place, place + 2) for place in range(0, 12, 2)]
    with pytest.raises(PbemError, match="There are 6 measurements"):
        many_games.phases_of(5, (False, True))
