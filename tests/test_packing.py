"""`backup`, `restore` and `bundle`: what is packed, what is not; nothing good is ever overwritten."""

import io
import shutil
import stat
import threading
import zipfile
from pathlib import Path

import pytest

from pbem.game import Game
from pbem.store import Log
from tests.commands import SECRET, Regatta, new_regatta, pbem


@pytest.fixture(autouse=True)
def _fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-11-30T05:55:00Z")


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    game = new_regatta(tmp_path / "spring", "--length", 2)
    game("start")
    game.orders(1, "red.txt", "row # quietly\npress: Ahoy\n")
    game.orders(1, "blue.txt", "sail else row\n")
    game("adjudicate", 1)
    game.orders(2, "red.txt", "row\n")
    return game


def finished(game: Regatta) -> Regatta:
    game.orders(2, "blue.txt", "row\n")
    assert game("adjudicate", 2).status == 0
    assert game("end").status == 0
    return game


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_a_backup_brings_the_game_back(game: Regatta, tmp_path: Path) -> None:
    path = tmp_path / "spring.zip"
    assert game("backup", path).status == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(path) == [
        "game.toml", "orders/turn-1/blue.txt", "orders/turn-1/red.txt", "orders/turn-2/red.txt", "pbem.db",
        "secret.key",
    ]  # fmt: skip
    before = {each: each.read_bytes() for each in game.folder.rglob("*") if each.is_file()}
    rows = Game(game.folder).rows
    shutil.rmtree(game.folder)
    assert game("restore", path).status == 0
    assert game("report").status == 0
    after = {each: each.read_bytes() for each in game.folder.rglob("*") if each.is_file()}
    log = game.folder / "pbem.db"
    assert {**after, log: b""} == {**before, log: b""}
    assert Game(game.folder).rows == rows
    assert stat.S_IMODE((game.folder / "secret.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((game.folder / "orders/turn-2").stat().st_mode) == 0o700
    assert game("verify", "--json").json()["differs"] == []


def test_a_backup_is_the_same_whenever_it_is_made(game: Regatta, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        game("backup", tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_backup_made_while_orders_come_in_is_whole(game: Regatta, tmp_path: Path) -> None:
    done = threading.Event()

    def submit() -> None:
        for number in range(40):
            Game(game.folder).submit([Path("-")], stdin=lambda number=number: (  # type: ignore[misc]
                f"turn: 2\nplayer: red\nrow # {number}\n".encode()))  # fmt: skip
        done.set()

    writer = threading.Thread(target=submit)
    writer.start()
    while not done.is_set():
        path = tmp_path / "now.zip"
        if game("backup", path).status == 0:
            with zipfile.ZipFile(path) as archive:
                (tmp_path / "copy.db").write_bytes(archive.read("pbem.db"))
            Log(tmp_path / "copy.db").rows()
    writer.join()


def test_a_damaged_log_is_kept_beside_the_restored_one(game: Regatta, tmp_path: Path) -> None:
    game("backup", tmp_path / "b.zip")
    rows = Game(game.folder).rows
    game.folder.joinpath("pbem.db").write_bytes(b"SQLite format 3\0, or so")
    told = game("restore", tmp_path / "b.zip")
    assert "The damaged log is kept as pbem.db.damaged-1." in told.out
    assert Game(game.folder).rows == rows
    assert (game.folder / "pbem.db.damaged-1").read_bytes() == b"SQLite format 3\0, or so"


def test_a_whole_log_is_never_replaced_by_another(game: Regatta, tmp_path: Path) -> None:
    game("backup", tmp_path / "b.zip")
    game.orders(2, "blue.txt", "row\n")
    game("adjudicate", 2)
    before = game.log_bytes()
    assert "is whole and at version" in game("restore", tmp_path / "b.zip").sentence
    other = new_regatta(tmp_path / "other")
    assert "move pbem.db away yourself" in other("restore", tmp_path / "b.zip").sentence
    assert game.log_bytes() == before
    (game.folder / "game.toml").write_text("# mine\n")
    (game.folder / "pbem.db").rename(tmp_path / "away.db")
    told = game("restore", tmp_path / "b.zip")
    assert "game.toml was there and was left as it is." in told.out
    assert (game.folder / "game.toml").read_text() == "# mine\n"


def test_a_bare_copy_of_the_log_is_restored_too(game: Regatta, tmp_path: Path) -> None:
    shutil.copy(game.folder / "pbem.db", tmp_path / "copy.db")
    (game.folder / "pbem.db").unlink()
    assert game("restore", tmp_path / "copy.db").status == 0
    assert game("verify").status == 0
    alone = pbem("-C", tmp_path / "alone", "restore", tmp_path / "copy.db")
    assert "Put game.toml and secret.key beside it" in alone.out


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 nothing",
        zipped(**{"../evil.txt": b"x", "pbem.db": b""}),
        zipped(**{"/etc/passwd": b"x"}),
        zipped(**{"orders/../../evil.txt": b"x"}),
        zipped(**{"orders\\evil.txt": b"x"}),
        zipped(**{"reports/index.html": b"x"}),
        zipped(**{"game.toml": b""}),
        zipped(**{"pbem.db": b"no log"}),
        zipped(**{"pbem.db": bytes(1000)}),
        b"SQLite format 3\0" + bytes(9000),
    ],
)
def test_what_is_no_backup_restores_nothing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(data)
    assert pbem("-C", tmp_path / "new", "restore", path).status == 1
    assert [each.name for each in tmp_path.iterdir()] == ["b.zip"]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pbem.db", b"x")
    data = bytearray(path.read_bytes())
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = (2**32 - 2).to_bytes(4, "little")
    path.write_bytes(data)
    assert "unpacks to more than any game has" in pbem("-C", tmp_path / "new", "restore", path).sentence


# Bundles.


def test_a_bundle_has_all_that_a_stranger_needs_and_nothing_private(game: Regatta, tmp_path: Path) -> None:
    finished(game)
    path = tmp_path / "spring.zip"
    assert game("bundle", path).status == 0
    assert {name.split("/")[1] for name in names(path)} == {
        "README.txt", "game.toml", "pbem.db", "reports", "secret.key",
    }  # fmt: skip
    there = tmp_path / "there"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(there)
    folder = there / "spring"
    everything = b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
    assert b"Ann" not in everything
    assert b"example.org" not in everything
    told = pbem("-C", folder, "verify", "--json")
    assert told.json()["ok"]
    assert told.json()["differs"] == []
    assert pbem("audit", folder / "reports").out.endswith("All that was checked agrees.\n")
    assert SECRET in (folder / "secret.key").read_text()
    assert Game(folder).rows[-1].hash in (folder / "README.txt").read_text()


def test_only_an_ended_game_is_bundled(game: Regatta, tmp_path: Path) -> None:
    assert "has not been ended" in game("bundle", tmp_path / "b.zip").sentence
    assert not (tmp_path / "b.zip").exists()


# What may not be overwritten, and what may not be in the way.


@pytest.mark.parametrize("name", ["pbem.db", "secret.key", "game.toml"])
def test_a_pack_never_replaces_what_is_no_pack(game: Regatta, name: str) -> None:
    before = (game.folder / name).read_bytes()
    assert "is there already and is no backup" in game("backup", game.folder / name).sentence
    assert (game.folder / name).read_bytes() == before


@pytest.mark.parametrize(
    "name", ["orders/b.zip", "orders/turn-1/late.txt", "reports/b.zip", "players/red/b.zip"]
)
def test_a_pack_never_lies_among_the_games_files(game: Regatta, name: str) -> None:
    """In reports/ it would publish the secret, in orders/ it would pack itself the next time."""
    assert "would lie among the game's own files" in game("backup", game.folder / name).sentence
    assert not (game.folder / name).exists()


def test_a_bundle_never_replaces_what_is_no_pack(game: Regatta, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("dear")
    finished(game)
    assert "is no backup" in game("bundle", other).sentence
    assert "among the game's own files" in game("bundle", game.folder / "reports/b.zip").sentence
    assert "is a directory" in game("bundle", tmp_path).sentence
    assert other.read_text() == "dear"


@pytest.mark.parametrize("text", ["ab" * 32, "", "ab" * 31, "no secret"])
def test_a_backup_without_the_games_secret_is_none(game: Regatta, tmp_path: Path, text: str) -> None:
    (game.folder / "secret.key").write_text(text)
    assert "secret.key" in game("backup", tmp_path / "b.zip").sentence
    (game.folder / "secret.key").unlink()
    assert "put back a copy of it" in game("backup", tmp_path / "b.zip").sentence
    assert not (tmp_path / "b.zip").exists()


def test_a_game_is_not_restored_beside_the_secret_of_another(game: Regatta, tmp_path: Path) -> None:
    game("backup", tmp_path / "b.zip")
    other = new_regatta(tmp_path / "autumn", "--length", 2)
    (other.folder / "pbem.db").unlink()
    for text in ("ab" * 32, "torn"):
        (other.folder / "secret.key").write_text(text)
        assert "is not the secret of spring" in other("restore", tmp_path / "b.zip").sentence
        assert not (other.folder / "pbem.db").exists()


@pytest.mark.parametrize("name", ["orders", "players", "gm", "game.toml/x", "secret.key/x", "pbem.db/x"])
def test_what_bars_a_file_bars_the_restoring_of_all(game: Regatta, tmp_path: Path, name: str) -> None:
    game("backup", tmp_path / "b.zip")
    bar = tmp_path / "new" / name
    bar.parent.mkdir(parents=True)
    bar.write_text("in the way")
    before = sorted(tmp_path.joinpath("new").rglob("*"))
    assert (
        "is in the way; move it away" in pbem("-C", tmp_path / "new", "restore", tmp_path / "b.zip").sentence
    )
    assert sorted(tmp_path.joinpath("new").rglob("*")) == before


def test_a_file_is_no_folder_to_restore_into(game: Regatta, tmp_path: Path) -> None:
    game("backup", tmp_path / "b.zip")
    (tmp_path / "new").write_text("")
    assert "is no folder" in pbem("-C", tmp_path / "new", "restore", tmp_path / "b.zip").sentence
    assert "is no ordinary file" in game("restore", tmp_path).sentence
