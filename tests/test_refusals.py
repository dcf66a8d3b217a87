"""What is refused: one clear sentence, exit status 1, and a log of which no byte has changed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem import dice, store
from pbem.errors import Conflict
from pbem.game import Game
from pbem.rulesets import find_ruleset
from tests.commands import SECRET, Ran, Regatta, new_regatta, pbem

NOBODY = 65534


def started(folder: Path) -> Regatta:
    """A game whose turn 2 is open, with all orders for it in the folder but not yet taken in."""
    game = new_regatta(folder)
    assert game("start").status == 0
    for turn in (1, 2):
        for seat in ("red", "blue"):
            game.orders(turn, f"{seat}.txt", "row\n")
    assert game("adjudicate", 1).status == 0
    return game


@pytest.fixture
def game(tmp_path: Path) -> Regatta:
    return started(tmp_path / "spring")


def refused(game: Regatta, *words: object, stdin: bytes = b"") -> str:
    """The sentence of a refusal that left the log as it was."""
    before = game.log_bytes()
    sentence = game(*words, stdin=stdin).sentence
    assert game.log_bytes() == before
    return sentence


# Turns out of turn.


def test_a_turn_adjudicated_twice(game: Regatta) -> None:
    assert refused(game, "adjudicate", "turn-1") == "turn-1 has been adjudicated already; turn-2 is open."


def test_a_turn_before_the_one_that_comes_first(game: Regatta) -> None:
    told = refused(game, "adjudicate", "turn-5")
    assert told == "turn-5 cannot be adjudicated yet; turn-2 is open and comes first."


def test_a_turn_before_the_start(tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "spring")
    assert refused(game, "adjudicate", 0) == "spring has not started; `pbem start` resolves turn 0."
    assert "takes no orders" in refused(game, "submit", "-", stdin=b"row")
    assert "has not started" in refused(game, "report")
    assert "has not started" in refused(game, "state", 0)


def test_orders_missing(game: Regatta) -> None:
    (game.folder / "orders/turn-2/blue.txt").unlink()
    told = refused(game, "adjudicate", 2)
    assert told == "turn-2 waits: orders are missing from blue; --allow-missing goes on without."


# Files that cannot be taken: by `submit`, and by `adjudicate` where they lie in the turn's folder.

LINES = "row\n" * 501
BAD_FILES: dict[str, tuple[str, str | bytes, str]] = {
    "an unknown seat": ("red.txt", "player: bob\nrow\n", "player: bob, but no such seat plays; this"),
    "a name that is no seat": ("bob.txt", "row\n", "neither its name nor a line player: SEAT says"),
    "a wrong game": ("red.txt", "game: grob\nrow\n", "its header says game: grob, but this is spring"),
    "a wrong turn": ("red.txt", "turn: 3\nrow\n", "its header says turn: 3, but it lies in turn-2"),
    "a word for a turn": ("red.txt", "turn: next\nrow\n", "turn: next, which is no turn; write turn: 2"),
    "another seat's header": ("red.txt", "player: blue\nrow\n", "player: blue, but its name says red"),
    "a header at odds with itself": ("red.txt", "turn: 2\nturn: 3\n", "line 2 says turn: 3, but an"),
    "a wrong key": ("red.txt", "key: 7Q3K-92MQ-X1WP\nrow\n", "its key is not the one of red for turn-2"),
    "65 KiB": ("red.txt", "row # " + "x" * (65 * 1024 - 6), "it has 66,560 bytes of orders; at most 65,536"),
    "2 MiB": ("red.txt", "#\n" * (1024 * 1024), "has more than 1,048,576 bytes"),
    "501 lines": ("red.txt", LINES, "it has 501 order lines; at most 500 are taken"),
    "NULs": ("red.txt", b"row\nro\0w\n", "line 2 holds a NUL"),
    "UTF-16 without BOM": ("red.txt", "row\n".encode("utf-16-le"), "line 1 holds a NUL"),
    "a control character": ("red.txt", b"row \x1b[31m\n", "line 1 holds a control character U+001B"),
    "a mail without orders": ("red.eml", "Subject: row\n\n\n", "it has no text"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data", "told"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file(game: Regatta, name: str, data: str | bytes, told: str) -> None:
    path = game.orders(2, name, data)
    for words in (("submit", path), ("adjudicate", 2)):
        sentence = refused(game, *words)
        assert told in sentence
        assert name in sentence
    if not name.endswith(".eml"):
        assert told in refused(game, "check", path)


def test_two_new_files_of_one_seat(game: Regatta) -> None:
    paths = [game.orders(2, "red-early.txt", "row\n"), game.orders(2, "red-late.txt", "sail\n")]
    told = "red-early.txt and "
    for words in (("submit", *paths), ("submit", paths[0].parent), ("adjudicate", 2)):
        sentence = refused(game, *words)
        assert told in sentence
        assert "red-late.txt" in sentence
        assert "both red's; leave the one that is meant" in sentence


def test_two_submissions_at_once_of_one_seat(game: Regatta) -> None:
    path = game.orders(2, "red.txt", "row\n")
    told = refused(game, "submit", path, "-", stdin=b"turn: 2\nplayer: red\nsail\n")
    assert "both red's" in told


def test_every_bad_file_is_named_and_none_is_taken(game: Regatta) -> None:
    bad = [game.orders(2, "red.txt", b"\0"), game.orders(2, "bob.txt", "row")]
    sentence = refused(game, "submit", *bad, game.folder / "orders/turn-2/blue.txt")
    assert sentence.startswith("Nothing was taken: ")
    assert all(path.name in sentence for path in bad)


def test_a_file_for_a_closed_turn(game: Regatta) -> None:
    assert "it is for turn-1, but turn-2 is open" in refused(
        game, "submit", game.orders(1, "red.txt", "sail")
    )


def test_a_file_that_says_too_little(game: Regatta) -> None:
    assert "it does not say for which turn it is" in refused(game, "submit", "-", stdin=b"player: red\nrow")
    assert "says whose it is" in refused(game, "submit", "-", stdin=b"turn: 2\nrow")


def test_a_file_that_is_not_there_or_none(game: Regatta) -> None:
    assert "No such file" in refused(game, "submit", game.folder / "letter.txt")
    assert "No such file" in refused(game, "check", game.folder / "letter.txt")
    assert "is a folder" in refused(game, "check", game.folder)
    (game.folder / "orders/turn-2/red.txt").unlink()
    (game.folder / "orders/turn-2/red.txt").symlink_to(game.folder / "secret.key")
    assert "is a symbolic link" in refused(game, "adjudicate", 2)
    shutil.rmtree(game.folder / "orders/turn-2")
    (game.folder / "orders/turn-2/red.txt").mkdir(parents=True)
    assert "is a folder" in refused(game, "adjudicate", 2)


# A damaged game folder.


@pytest.mark.parametrize("words", [("status",), ("adjudicate", 2), ("report",), ("log",), ("key", "red")])
def test_no_log(game: Regatta, words: tuple[object, ...]) -> None:
    (game.folder / "pbem.db").unlink()
    assert "pbem.db is missing; put back a backup" in game(*words).sentence


@pytest.mark.parametrize("words", [("status",), ("adjudicate", 2), ("log",), ("start",)])
def test_a_damaged_log(game: Regatta, words: tuple[object, ...]) -> None:
    path = game.folder / "pbem.db"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"seat":"red"', b'"seat":"rod"'))
    assert "is not what was written (its hash does not follow)" in refused(game, *words)
    path.write_bytes(data[:5000])
    assert "pbem.db is damaged or no event log" in refused(game, *words)


def test_a_locked_log(game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "TIMEOUT", 0.05)
    for lock in ("EXCLUSIVE", "IMMEDIATE"):
        holder = sqlite3.connect(game.folder / "pbem.db")
        holder.execute(f"BEGIN {lock}")
        assert "pbem.db is locked by another program; try again" in refused(game, "adjudicate", 2)
        holder.close()


def test_events_of_a_newer_program(game: Regatta) -> None:
    log = Game(game.folder).log
    last = log.rows()[-1]
    draft = store.Draft(2, "moon_landed", 1, "{}")
    log.append("spring", [draft], expected=last.version, at=last.at, salt=str)
    assert "'moon_landed' (schema 1) that this version of pbem does not know" in refused(
        game, "adjudicate", 2
    )


def test_no_secret(game: Regatta) -> None:
    path = game.folder / "secret.key"
    path.write_text("00" * 32)
    assert "secret.key is not the secret of spring" in refused(game, "adjudicate", 2)
    path.write_text("my secret")
    assert "secret.key does not hold 64 hex digits" in refused(game, "adjudicate", 2)
    path.unlink()
    assert "secret.key is missing; put back a copy" in refused(game, "adjudicate", 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("players = 3", "players is no list"),
        ("[[players]\n", "is no TOML"),
        ('[turns]\nevery = "weekly"', "every of [turns] is 'weekly'"),
        ('[turns]\nevery = "7d"\nat = "25:00"', "at of [turns] is '25:00'"),
        ('[turns]\nevery = "7d"\nzone = "Mars/Base"', "there is no zone 'Mars/Base'"),
        ('[turns]\nevery = "7d"\nzone = "../../etc/passwd"', "there is no zone"),
        ("[turns]\nevery = 7", "every of [turns] is 7; it should be a text in quotes"),
        ("[dice]\nbeacon = true", "beacon of [dice] is True"),
        ("dice = 3", "dice is no table"),
        ("a = " + "[" * 3000 + "]" * 3000, "game.toml is nested too deeply"),
        ("a = " + "1" * 5000, "game.toml is no TOML"),
    ],
)
def test_a_bad_game_toml(game: Regatta, text: str, told: str) -> None:
    (game.folder / "game.toml").write_text(text)
    sentence = refused(game, "adjudicate", 2)
    assert told in sentence
    assert "game.toml" in sentence


def test_a_clock_set_back(game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2001-01-01T00:00:00Z")
    assert "set the clock right" in refused(game, "adjudicate", 2)
    monkeypatch.setenv("PBEM_NOW", "yesterday")
    assert "PBEM_NOW is 'yesterday'" in refused(game, "adjudicate", 2)
    for year in ("0001-01-01T00:00+05:00", "0999-12-31", "9999-12-31T23:59-05:00"):
        monkeypatch.setenv("PBEM_NOW", year)
        assert "in a year that no game is played in" in refused(game, "adjudicate", 2)


def test_a_pipe_among_the_orders_is_named_and_not_waited_for(game: Regatta) -> None:
    os.mkfifo(game.folder / "orders/turn-2/blue-again.txt")
    assert "blue-again.txt is no ordinary file" in refused(game, "adjudicate", 2)


# Two at once.


def test_the_second_of_two_adjudications_is_told_both_versions(game: Regatta) -> None:
    first, second = Game(game.folder), Game(game.folder)
    seen = len(second.rows)
    first.adjudicate(2)
    before = game.log_bytes()
    with pytest.raises(Conflict, match=rf"at version {seen} of the log, which is now at version \d+;"):
        second.adjudicate(2)
    assert game.log_bytes() == before


def test_two_adjudicates_at_once(game: Regatta) -> None:
    command = [sys.executable, "-m", "pbem", "-C", str(game.folder), "adjudicate", "turn-2"]
    racing = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=60)[1] for process in racing]
    assert sorted(process.returncode for process in racing) == [0, 1], told
    lost = next(text for process, text in zip(racing, told, strict=True) if process.returncode)
    assert "got there first" in lost or "has been adjudicated already" in lost
    rows = Game(game.folder).rows
    assert [row.kind for row in rows].count("turn_closed") == 3


# Folders and disks.


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may reach, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    shutil.rmtree(folder)


@cache
def without_privileges() -> tuple[tuple[str, ...], dict[str, Any]]:
    """How to run a command for whom modes of files count: as `nobody`, or as a root stripped of its rights.

    The second is for where Python itself lies in root's own folders.
    """
    if os.geteuid() != 0:
        return (), {}
    nobody: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", "import pbem.cli"], check=True, capture_output=True, **nobody)
    except (OSError, subprocess.CalledProcessError):
        stripped = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
        if not shutil.which("setpriv"):
            pytest.skip("nobody cannot run this Python, and there is no setpriv")
        return stripped, {}
    return (), nobody


def powerless(folder: Path, *words: object) -> Ran:
    """A command run in a folder that it may not write."""
    prefix, user = without_privileges()
    for path in (*folder.rglob("*"), folder):
        if user:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(path.stat().st_mode & 0o555)
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "pbem", *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        **user,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_a_folder_that_cannot_be_written(open_folder: Path) -> None:
    game = started(open_folder / "spring")
    before = game.log_bytes()
    told = powerless(game.folder, "adjudicate", 2).sentence
    assert told == "pbem.db or its folder cannot be written; nothing was changed, check who owns them."
    assert "turn-2 is open" in powerless(game.folder, "status").out
    assert game.log_bytes() == before
    (game.folder / "gm/turn-1.txt").unlink()
    assert powerless(game.folder, "report", 1).sentence.endswith(
        "gm/turn-1.txt: Permission denied; mend that and try again."
    )


def test_files_that_cannot_be_read(open_folder: Path) -> None:
    game = started(open_folder / "spring")
    orders = game.folder / "orders/turn-2/red.txt"
    orders.chmod(0)
    told = powerless(game.folder, "submit", orders).sentence
    assert "Nothing was taken: orders/turn-2/red.txt cannot be read: Permission denied" in told
    game.folder.chmod(0)
    assert "Permission denied" in powerless(open_folder, "-C", game.folder, "status").sentence
    game.folder.chmod(0o755)


def test_folders_that_cannot_be_looked_into_are_told(open_folder: Path) -> None:
    """A game in them would be neither listed nor served, and nobody would know."""
    started(open_folder / "spring")
    (open_folder / "closed").mkdir()
    (open_folder / "closed").chmod(0)
    for words in (("games", "."), ("tick", "--games", "."), ("receive", "--games", ".", "spring/orders")):
        ran = powerless(open_folder, *words)
        assert "closed cannot be looked into: Permission denied; a game in it is left out." in ran.err, words
        assert ran.status == 1
    assert "spring, regatta" in powerless(open_folder, "games", ".").out


def test_nothing_is_left_out_unseen_because_a_folder_is_closed(open_folder: Path) -> None:
    """Of a backup, of an audit, of the cases and of the reports that `verify` compares."""
    game = started(open_folder / "spring")
    cases = open_folder / "cases/flux"
    shutil.copytree(Path(__file__).parent / "cases/flux", cases, ignore=lambda _, names: names[1:])
    (cases / "more").mkdir()
    closed = (game.folder / "orders/turn-1", game.folder / "reports/turn-1", cases / "more")
    for folder in closed:
        folder.chmod(0)
    told = "Permission denied; mend that and try again."
    assert f"orders/turn-1: {told}" in powerless(game.folder, "backup", "../b.zip").sentence
    assert f"reports/turn-1: {told}" in powerless(game.folder, "audit", "reports").sentence
    assert f"more: {told}" in powerless(open_folder, "cases", "cases").sentence
    verified = powerless(game.folder, "verify").out
    assert "reports/turn-1 cannot be looked into: reports in it were not compared" in verified
    assert verified.endswith("The log holds, but see above.\n")
    for folder in closed:
        folder.chmod(0o755)


def test_a_folder_for_a_new_game_that_cannot_be_written(open_folder: Path) -> None:
    made = powerless(open_folder, "new", "spring", "--ruleset", "regatta", "--player", "Ann")
    assert made.sentence.endswith("spring: Permission denied; mend that and try again.")
    assert not list(open_folder.iterdir())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a mebibyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2048k", "pbem-test", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root can mount a small file system here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path, leave: int = 0) -> None:
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
        if leave:
            file.truncate(file.tell() - leave)


def test_a_full_disk(small_disk: Path) -> None:
    game = started(small_disk / "spring")
    fill(small_disk)
    assert "pbem.db cannot grow: the disk is full; nothing was changed" in refused(game, "adjudicate", 2)
    (small_disk / "ballast").unlink()
    assert game("adjudicate", 2).status == 0


def test_a_disk_too_full_for_the_reports(small_disk: Path) -> None:
    game = started(small_disk / "spring")
    fill(small_disk, leave=24 * 1024)
    told = game("adjudicate", 2).sentence
    assert "turn-2 is adjudicated and in the log, but its reports could not be written (/" in told
    assert ": No space left on device)" in told
    assert told.endswith("`pbem report turn-2`.")
    (small_disk / "ballast").unlink()
    assert game("report", "turn-2").status == 0
    assert (game.folder / "reports/turn-2/index.html").exists()
    assert not list(game.folder.rglob(".*"))


def test_a_disk_that_can_only_be_read(small_disk: Path) -> None:
    game = started(small_disk / "spring")
    (game.folder / "reports/turn-1/index.html").unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for words in (("status",), ("state",), ("log",), ("verify",)):
        assert game(*words).status == 0
    assert "or its folder cannot be written; nothing was changed" in game("adjudicate", 2).sentence
    told = game("report", "turn-1").sentence
    assert told.endswith("reports/turn-1/index.html: Read-only file system; mend that and try again.")
    assert "half" not in told
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert game("adjudicate", 2).status == 0


def test_a_disk_too_full_for_a_new_game_leaves_nothing_behind(small_disk: Path) -> None:
    fill(small_disk, leave=8 * 1024)
    made = pbem("new", small_disk / "spring", "--ruleset", "regatta", "--player", "Ann")
    assert "full" in made.sentence or "No space left" in made.sentence
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


# New games.

NEW: dict[str, tuple[tuple[object, ...], str]] = {
    "a bad name": (("Grob!",), "'Grob!' cannot name a game"),
    "an unknown ruleset": (("cup", "--ruleset", "chess"), "There is no ruleset 'chess' here; installed"),
    "an unknown map": (("cup", "--map", "ocean"), "There is no map 'ocean'; shipped are: harbour, pond"),
    "a map file that is not there": (("cup", "--map", "ocean.toml"), "ocean.toml: No such file"),
    "a seat that is none": (("cup", "--player", "pink=Pia"), "regatta has no seat 'pink'; its seats"),
    "a seat twice": (("cup", "--player", "red=A", "--player", "red=B"), "Two players have the same seat"),
    "a seat for some": (("cup", "--player", "red=A", "--player", "B"), "Some players have a seat and some"),
    "no player": (("cup", "--player", "Ann <ann@>"), "'Ann <ann@>' names no player"),
    "a bad secret": (("cup", "--secret", "abc"), "The secret is not 64 hex digits"),
    "a rules file that is not there": (("cup", "--rules", "rules.toml"), "rules.toml: No such file"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "told"), NEW.values(), ids=NEW)
def test_a_refused_new_leaves_nothing_behind(
    words: tuple[object, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    defaults: list[object] = ["--ruleset", "regatta"]
    if "--player" not in words:
        defaults += ["--player", "Ann"]
    assert told in pbem("new", *defaults, *words).sentence
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_empty(game: Regatta) -> None:
    made = pbem("new", game.folder, "--ruleset", "regatta", "--player", "Ann")
    assert made.sentence.endswith("is there already and not empty; name another folder.")
    assert game("status").status == 0


def refused_flux(folder: Path, option: str, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    players = ("--player", "Ann", "--player", "Bert")
    sentence = pbem("new", folder / "grob", "--ruleset", "flux", option, path, *players).sentence
    assert "mine.toml" in sentence
    assert not (folder / "grob").exists()
    return sentence


def test_a_map_with_a_globe_on_a_part_hex(tmp_path: Path) -> None:
    sentence = refused_flux(tmp_path, "--map", "radius = 3\nglobes = { A5 = 3 }\nlakes = []\nrivers = []\n")
    assert "A5" in sentence


def test_a_rules_file_with_a_negative_cost(tmp_path: Path) -> None:
    files = find_ruleset("flux").files
    shipped = files.path(files.rules).read_text(encoding="utf-8")
    text = shipped.replace("cost = { value = 2,", "cost = { value = -2,", 1)
    assert text != shipped
    assert "earths.forest.cost" in refused_flux(tmp_path, "--rules", text)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (
            "{ value = 2, source = 1.5 }",
            "earths.forest.cost should have one of rulebook and house for its source",
        ),
        ("{ value = 2, source = 1979-05-27 }", "earths.forest.cost should have one of rulebook and house"),
        ("2.0", "earths.forest.cost should be a whole number"),
        ("1" * 5000, "is no TOML"),
    ],
)
def test_a_number_of_the_rules_that_the_log_could_not_keep(tmp_path: Path, number: str, told: str) -> None:
    files = find_ruleset("flux").files
    shipped = files.path(files.rules).read_text(encoding="utf-8")
    text = shipped.replace('cost = { value = 2, source = "rulebook" }', f"cost = {number}", 1)
    assert text != shipped
    assert told in refused_flux(tmp_path, "--rules", text)


@pytest.mark.parametrize(
    ("name", "told"), [("the ogre", "could not be ordered"), ("Ogre", "in small letters")]
)
def test_a_piece_that_nobody_could_name(tmp_path: Path, name: str, told: str) -> None:
    files = find_ruleset("flux").files
    shipped = files.path(files.rules).read_text(encoding="utf-8")
    text = shipped.replace("[animates.gnome", f'[animates."{name}"')
    assert told in refused_flux(tmp_path, "--rules", text)


@pytest.mark.parametrize("title", ["\\u0000", "\\u001b[31m", "\\u202egnp", "x" * 101])
def test_a_map_s_title_that_no_page_could_show(tmp_path: Path, title: str) -> None:
    assert "title must be" in refused_flux(tmp_path, "--map", f'title = "{title}"\nradius = 3\n')


def test_the_log_does_not_tell_in_which_folder_a_map_lay(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    board = tmp_path / "ada" / "meadow.toml"
    board.write_text("radius = 3\n")
    players = ("--player", "Ann", "--player", "Bert")
    assert pbem("new", tmp_path / "cup", "--ruleset", "flux", "--map", board, *players).status == 0
    assert b'"map_name":"meadow.toml"' in (tmp_path / "cup/pbem.db").read_bytes()


# And what is no refusal.


def test_a_secret_that_others_can_read_is_warned_of_and_on_it_goes(game: Regatta) -> None:
    (game.folder / "secret.key").chmod(0o640)
    ran = game("adjudicate", 2)
    assert ran.status == 0
    assert "secret.key can be read by others" in ran.err


def test_every_seat_s_key_is_refused_to_every_other(game: Regatta) -> None:
    key = dice.order_key(bytes.fromhex(SECRET), "spring", 2, "blue")
    assert "its key is not the one of red" in refused(
        game, "submit", game.orders(2, "red.txt", f"key: {key}\nrow")
    )


def test_output_that_nobody_reads_any_more_is_no_error(game: Regatta) -> None:
    command = f"{sys.executable} -m pbem -C '{game.folder}' log --json | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[", "")


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(game: Regatta, closed: str) -> None:
    command = f"{sys.executable} -m pbem -C '{game.folder}' status {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_standard_input_that_is_closed_is_told(game: Regatta) -> None:
    command = f"{sys.executable} -m pbem -C '{game.folder}' submit - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    told = Ran(done.returncode, done.stdout, done.stderr).sentence
    assert told == "Standard input is closed; name a file, or send the text there."


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_whatever_the_terminal_can_show(game: Regatta, encoding: str) -> None:
    game.orders(2, "red.txt", "row # naïve 🧙\n")
    assert game("submit", game.folder / "orders/turn-2").status == 0
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "-C", str(game.folder), "log", "turn-2", "--json"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    texts = [row["data"]["text"] for row in json.loads(done.stdout.decode(encoding))]
    assert "row # naïve 🧙\n" in texts
