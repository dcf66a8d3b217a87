"""The Python API: a game read-only, cheap to import, and documented by an example that runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pbem
from pbem.api import PUBLIC, PbemError
from tests import golden
from tests.commands import pbem as run

API = Path(__file__).parent.parent / "docs/api.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("api")
    golden.unpack(golden.GAMES / "grob.jsonl", top / "grob")
    golden.unpack(golden.GAMES / "glade-cup.jsonl", top / "glade-cup")
    return top


def test_importing_pbem_imports_next_to_nothing() -> None:
    code = (
        "import sys, pbem;"
        "print(*(name for name in sys.modules if name.startswith('pbem')), 'pydantic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["pbem", "False"]
    with pytest.raises(AttributeError, match="has no attribute 'Gamer'"):
        _ = pbem.Gamer  # type: ignore[attr-defined]


def test_the_example_of_the_docs_runs(folder: Path) -> None:
    block = re.search(r"```python\n(.*?)```", API.read_text("utf-8"), re.DOTALL)
    assert block is not None
    ran = subprocess.run(
        [sys.executable, "-c", block[1]], cwd=folder, capture_output=True, text=True, check=True
    )
    lines = ran.stdout.splitlines()
    assert lines[0] == "grob flux ended seats: crimson amber azure violet"
    assert len(lines) == 12
    assert lines[-1].endswith("throws")


def test_a_game_is_read_and_nothing_is_written(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    game = pbem.Game(folder / "glade-cup")
    assert (game.name, game.ruleset, game.phase, game.open_turn, game.deadline) == (
        "glade-cup", "flux", "ended", None, None,
    )  # fmt: skip
    assert game.seats == ("crimson", "amber", "azure")
    assert game.version == len(game.log()) == len(golden.read(golden.GAMES / "glade-cup.jsonl")[1])
    assert [turn.number for turn in game.turns] == [0, 1, 2, 3, 4, 5]
    assert game.length == 5
    (void,) = game.void_turns
    assert (void.number, void.void) == (2, "A letter of azure’s lay in the junk folder.")  # noqa: RUF001
    last = game.turn(5)
    assert last.void is None
    assert {"turn": 5, **last.state}.items() <= game.state(5).items()
    assert last.state == game.turns[-1].state
    assert last.beacon == "5 6 7"
    assert last.seed is not None
    assert last.throws == [throw for event in last.events for throw in event.get("dice") or ()]
    assert set(last.orders) == set(game.seats)
    assert game.turn(3).missing == ()
    assert last.closed_at.endswith("Z")
    assert len(last.hash) == 64
    assert last.report().reader == PUBLIC
    assert last.report("azure").reader == "azure"
    assert last.map_svg().startswith("<?xml")
    assert game.verify()["ok"]
    assert game.reload().name == game.status()["game"]
    assert game.folder == folder / "glade-cup"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_goes_wrong_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PbemError, match="There is no game in"):
        pbem.Game(tmp_path)
    game = pbem.Game(folder / "glade-cup")
    with pytest.raises(PbemError, match="turn-9 has not been adjudicated"):
        game.turn(9)
    with pytest.raises(PbemError, match="There is no reader 'pink'"):
        game.turn(1).report("pink")


def test_every_public_name_stands_in_the_docs() -> None:
    page = API.read_text("utf-8")
    for kind in (pbem.Game, pbem.Turn):
        for name in vars(kind):
            if not name.startswith("_"):
                assert f"`{name}" in page or f", `{name}`" in page, name
    assert run("--version").status == 0


def test_what_the_system_refuses_is_a_sentence_too(tmp_path: Path) -> None:
    folder = golden.unpack(golden.GAMES / "duel.jsonl", tmp_path / "duel")
    loop = tmp_path / "loop"
    loop.mkdir()
    (loop / "game.toml").symlink_to("game.toml")
    with pytest.raises(PbemError, match="There is no game in"):
        pbem.Game(loop)
    (folder / "secret.key").unlink()
    (folder / "secret.key").mkdir()
    with pytest.raises(PbemError, match=r"secret\.key: Is a directory; mend that and try again\."):
        pbem.Game(folder).verify()


def test_a_damaged_log_can_be_opened_and_verified(tmp_path: Path) -> None:
    folder = golden.unpack(golden.GAMES / "duel.jsonl", tmp_path / "duel")
    (folder / "pbem.db").write_bytes(b"torn")
    game = pbem.Game(folder)
    assert not game.verify()["ok"]
    with pytest.raises(PbemError, match="put back a backup"):
        game.log()
