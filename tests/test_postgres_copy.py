"""`pbem copy`: a game goes from one store to another, whole, checked, and goes on in one place alone."""

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pbem.store
from pbem import copying
from pbem.dice import salt
from pbem.errors import Conflict, NotNow
from pbem.game import Game
from pbem.home import DatabaseHome, FolderHome, close_databases, database_at
from pbem.store import Draft, Log
from pbem.store_postgres import Database, PostgresLog
from tests.commands import SECRET, Regatta, new_regatta
from tests.commands import pbem as run
from tests.postgres import PASSWORD, Server
from tests.scale import scaled
from tests.test_postgres import NOW, environment, query, told


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


def letter(game: Regatta, seat: str, text: str, number: int) -> bytes:
    key = game("key", seat).out.strip()
    return f"From: x@example.org\nMessage-ID: <{number}@example.org>\n\nkey: {key}\n{text}\nend\n".encode()


def begun(folder: Path) -> Regatta:
    """A game with kept mail, receipts that wait, and one message too large to be read."""
    game = new_regatta(folder)
    assert game("start").status == 0
    assert game("send", 0).status == 0
    assert "accepted" in game("receive", "-", stdin=letter(game, "red", "row", 1)).out
    assert "accepted" in game("receive", "-", stdin=letter(game, "red", "sail", 2)).out
    game("receive", "-", stdin=b"From: x@example.org\n\n" + b"x" * 1_200_000)
    return game


def test_there_and_back_again(database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    rows, settings, key = Game(game.folder).rows, game("settings").out, game("key", "red").out
    again = letter(game, "red", "sail", 2)
    waiting = len(list((game.folder / "outbox/new").iterdir()))
    assert waiting >= 4

    ran = game("copy", database)
    assert f"at version {len(rows)} of its log, with 3 kept messages; verified." in ran.out, ran.err
    assert not any((game.folder / name).exists() for name in ("pbem.db", "secret.key", "mail", "outbox"))
    assert Game(game.folder).rows == rows
    assert (game("settings").out, game("key", "red").out) == (settings, key)
    assert query(database, "SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(waiting,)]
    assert "duplicate" in game("receive", "-", stdin=again).out
    assert game("send", 0).out.startswith("turn-0 was sent before.")
    assert len(list((game.folder / "outbox/new").iterdir())) == waiting
    assert game("adjudicate", 1, "--allow-missing").status == 0
    assert game("send", 1).status == 0

    back = Regatta(tmp_path / "home")
    gone_on = Game(game.folder).rows
    ran = game("copy", back.folder)
    assert f"is in {back.folder}, at version {len(gone_on)}" in ran.out, ran.err
    assert Game(back.folder).rows == gone_on
    assert back("settings").out == settings
    assert back("verify").status == 0
    assert "duplicate" in back("receive", "-", stdin=again).out
    assert back("send", 1).out.startswith("turn-1 was sent before.")
    assert len(list((back.folder / "mail/kept").glob("*.eml"))) == 2
    (whole,) = (back.folder / "mail/kept").glob("*.whole")
    assert whole.stat().st_size > 1_200_000
    modes = {path.name: path.stat().st_mode & 0o777 for path in back.folder.iterdir()}
    assert modes["secret.key"] == 0o600
    assert {modes[name] for name in ("orders", "players", "gm", "mail", "outbox")} == {0o700}

    told(game("adjudicate", 2, "--allow-missing"), "was moved from postgresql://.* to .*home; go on there")
    told(game("copy", tmp_path / "third"), "was moved from")
    assert game("status").status == 0
    assert back("adjudicate", 2, "--allow-missing").status == 0
    assert run("games", database).out == "There is no game in it.\n"


def test_from_one_database_to_another(postgres: Server, database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    assert game("copy", database).status == 0
    other = postgres.database()
    rows = Game(game.folder).rows
    assert "with 3 kept messages; verified" in game("copy", other).out
    assert database_at(other).public_url in game.read("game.toml")
    assert Game(game.folder).rows == rows
    assert query(database, "SELECT moved_to IS NULL FROM games") == [(False,)]
    told(game("copy", other), "is where the game is already; nothing was copied")
    told(
        game("copy", other.replace("127.0.0.1", "localhost")),
        "is where the game is already; nothing was copied",
    )
    assert game("adjudicate", 1, "--allow-missing").status == 0


def test_a_target_that_has_the_game_is_refused(database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    (tmp_path / "far").mkdir()
    assert new_regatta(tmp_path / "far/spring", "--store", database)("start").status == 0
    before = game.log_bytes()
    told(
        game("copy", database),
        "has another game spring already, or has gone on with this one; nothing was copied",
    )
    assert game.log_bytes() == before
    told(game("copy", game.folder), "is where the game is; name another folder")
    told(game("copy", tmp_path / "third"), "spring lies in a folder, which you can move as any other")
    assert game("adjudicate", 1, "--allow-missing").status == 0
    (tmp_path / "full").mkdir()
    (tmp_path / "full/letter.txt").touch()
    there = Regatta(tmp_path / "far/spring")
    told(there("copy", tmp_path / "full"), "is there already and not empty")
    told(there("copy", tmp_path / "no/where"), "/no is no folder; make it, or name a folder in one that is")
    assert there("adjudicate", 1, "--allow-missing").status == 0


def test_a_log_that_does_not_hold_is_not_copied(database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    (game.folder / "secret.key").write_text("00" * 32 + "\n")
    told(game("copy", database), "spring does not hold: event 1 does not follow.*Nothing was copied")
    assert query(database, "SELECT count(*) FROM games") == [(0,)]


def test_nobody_appends_while_it_goes_or_after(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(tmp_path / "spring")
    monkeypatch.setattr(pbem.store, "TIMEOUT", 0.05)
    bring = copying._bring
    met: list[BaseException] = []
    draft = Draft(1, "noted", 1, "{}")

    def late() -> None:
        log = Log(game.folder / "pbem.db")
        log.append("spring", [draft], expected=len(log.rows()), at="", salt=str)

    def meanwhile(*words: Any) -> None:
        with pytest.raises(Conflict) as told_so:
            late()
        met.append(told_so.value)
        bring(*words)

    monkeypatch.setattr(copying, "_bring", meanwhile)
    assert game("copy", database).status == 0
    assert len(met) == 1
    # One that had opened the file before, and waited for it.
    (game.folder / "pbem.db.moved").rename(game.folder / "pbem.db")
    with pytest.raises(NotNow, match=r"is closed, since its game was moved to a database; see game\.toml"):
        late()


def test_what_fails_on_the_way_leaves_the_game_where_it_was(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(tmp_path / "spring")
    bring_mail = copying._bring_mail

    def cut(*words: Any) -> None:
        query(
            database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pbem'"
        )
        bring_mail(*words)

    with monkeypatch.context() as patched:
        patched.setattr(copying, "_bring_mail", cut)
        told(game("copy", database), "connection to .* was lost")
    with monkeypatch.context() as patched:
        patched.setattr(copying, "_mail_in_folder", lambda _: copying.Mail((), (), ("{}",), ()))
        told(game("copy", database), "")
    assert query(database, "SELECT count(*) FROM games") == [(0,)]
    assert (game.folder / "pbem.db").exists()
    assert game("note", 1, "-", stdin=b"Still here.").status == 0
    assert game("copy", database).status == 0


def leading_to(folder: Path, url: str) -> Regatta:
    """Another machine's folder of the game."""
    folder.mkdir()
    text = f'[store]\nurl = "{database_at(url).public_url}"\ngame = "spring"\n'
    (folder / "game.toml").write_text(text)
    return Regatta(folder)


STEPS = {
    "it is brought": (copying, "_bring"),
    "it is closed": (copying, "_open"),
    "the folder leads there": (copying, "_lead"),
    "it goes on there": (Database, "open"),
    "the rest is put aside": (copying, "_put_aside"),
}
"""Each is broken off before it is done, the first one after."""
WAYS = {"in": list(STEPS), "across": list(STEPS)[:-1], "out": list(STEPS)[:2]}


@pytest.fixture(params=[(way, step) for way, steps in WAYS.items() for step in steps], ids=": ".join)
def broken_off(
    request: pytest.FixtureRequest, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Regatta, Regatta, Regatta, str]:
    """A game that was being copied: where it was, and where it goes; whose `pbem copy`, to where."""
    way, step = request.param
    game, urls = new_regatta(tmp_path / "spring"), [postgres.database(), postgres.database()]
    assert game("start").status == 0
    old = game
    if way != "in":
        assert game("copy", urls[0]).status == 0
        old = leading_to(tmp_path / "old", urls[0])
    target = str(tmp_path / "home") if way == "out" else urls[1]
    database_at(urls[1]).make_tables()
    new = Regatta(tmp_path / "home") if way == "out" else leading_to(tmp_path / "new", urls[1])
    place, name = STEPS[step]
    bring = copying._bring

    def cut(*words: Any) -> None:
        if name == "_bring":
            bring(*words)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(place, name, cut)
        assert "Interrupted" in game("copy", target).err
    return old, new, game, target


def test_broken_off_anywhere_it_goes_on_in_one_place_at_most(
    broken_off: tuple[Regatta, Regatta, Regatta, str],
) -> None:
    """Whichever of the two takes another event then, copying once more ends with it in the new place."""
    old, new, game, target = broken_off
    took = [each for each in (old, new) if each("note", 1, "-", stdin=b"Meanwhile.").status == 0]
    assert len(took) <= 1
    before = [Game(each.folder).rows for each in took]
    again = game("copy", target)
    assert again.status == 0, again.err
    assert all(Game(new.folder).rows == rows for rows in before)
    assert new("verify").status == 0
    assert new("adjudicate", 1, "--allow-missing").status == 0
    assert old is game or "was moved from" in old("note", 1, "-", stdin=b"Late.").sentence
    assert not [path for path in new.folder.parent.iterdir() if path.name.startswith(".")]


def test_a_game_comes_back_to_where_it_was_closed(database: str, tmp_path: Path) -> None:
    """With all that happened elsewhere; what was to be sent and went there is not sent again."""
    game = begun(tmp_path / "spring")
    assert game("copy", database).status == 0
    for number in (1, 2):
        home = Regatta(tmp_path / f"home-{number}")
        assert game("copy", home.folder).status == 0
        told(game("note", 1, "-", stdin=b"x"), "was moved from postgresql://.* to .*home-")
        if number == 2:  # the first time nothing happens there
            sent = min((home.folder / "outbox/new").iterdir())
            sent.rename(home.folder / "outbox/cur" / f"{sent.name}:2,S")
            assert "accepted" in home("receive", "-", stdin=letter(home, "red", "row", 3)).out
            assert home("adjudicate", 1, "--allow-missing").status == 0
            text = home("settings").out
            assert home("settings", "-", stdin=f"# Mine\n{text}".encode()).status == 0
        kept = copying._mail_in(FolderHome(home.folder))
        rows, settings = Game(home.folder).rows, home("settings").out
        ran = home("copy", database)
        assert "verified" in ran.out, ran.err
        assert Game(game.folder).rows == Game(home.folder).rows == rows
        assert game("settings").out == settings
        assert copying._mail_in(DatabaseHome(game.folder, database_at(database), "spring")) == kept
        assert game("note", 1, "-", stdin=b"Back.").status == 0
        assert database_at(database).games() == ("spring",)


def test_a_message_that_two_mailboxes_brought_is_copied_once(database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    assert game("copy", database).status == 0
    twice = letter(game, "blue", "row", 5)
    assert "accepted" in game("receive", "-", stdin=twice).out
    assert "duplicate" in run("-C", tmp_path, "receive", "--games", database, "-", stdin=twice).out
    assert "with 4 kept messages; verified" in game("copy", tmp_path / "home").out
    home = Regatta(tmp_path / "home")
    assert "duplicate" in home("receive", "-", stdin=twice).out
    assert "with 4 kept messages; verified" in home("copy", database).out


def test_order_files_that_are_not_taken_in_come_along(database: str, tmp_path: Path) -> None:
    game = begun(tmp_path / "spring")
    assert game("copy", database).status == 0
    game.orders(1, "blue.txt", "row\n")
    assert game("copy", tmp_path / "home").status == 0
    home = Regatta(tmp_path / "home")
    assert "blue: file blue.txt, 1 order line" in home("submit", home.folder / "orders/turn-1").out


def test_what_is_appended_while_copy_waits_comes_along(database: str, tmp_path: Path) -> None:
    """Also where the database's transactions see by default what was there when they began."""
    game = new_regatta(tmp_path / "spring")
    assert game("start").status == 0
    assert game("copy", database).status == 0
    where = "options=-cdefault_transaction_isolation%3Drepeatable%5C%20read%20"
    leads = game.folder / "game.toml"
    leads.write_text(leads.read_text().replace("options=", where))
    other = Database(database)
    log = PostgresLog(other, "spring")
    count = len(log.rows())
    words = [sys.executable, "-m", "pbem", "-C", str(game.folder), "copy", str(tmp_path / "home")]
    waits = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%moved_to%'"
    with other.transaction() as connection:
        other.hold(connection, "spring")
        copied = subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE)
        while not query(database, waits) and copied.poll() is None:
            time.sleep(0.02)
        note = '{"text":"Late.","turn":1}'
        drafts = [Draft(1, "note_added", 1, note)]
        salted = partial(salt, bytes.fromhex(SECRET))
        log.append("spring", drafts, expected=count, at="2026-11-30T05:55:00.000000Z", salt=salted)
    err = copied.communicate()[1]
    assert copied.returncode == 0, err
    assert len(Log(tmp_path / "home/pbem.db").rows()) == count + 1
    other.close()


@pytest.mark.parametrize("way", ["to the database", "to a folder"])
def test_killed_at_a_random_moment_it_is_in_one_place_or_finishes(
    way: str, postgres: Server, tmp_path: Path
) -> None:
    dice = random.Random(way)
    template = begun(tmp_path / "spring").folder
    rows = Game(template).rows
    span = 1.5
    for number in range(scaled(40)):
        url, folder = postgres.database(), tmp_path / f"run-{number}" / "spring"
        shutil.copytree(template, folder)
        game, target = Regatta(folder), url
        if way == "to a folder":
            assert game("copy", url).status == 0
            target = str(tmp_path / f"run-{number}" / "home")
        words = [sys.executable, "-m", "pbem", "-C", str(folder), "copy", target]
        began = time.monotonic()
        process = subprocess.Popen(
            words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(dice.uniform(span * 0.3, span * 1.1))
            span = time.monotonic() - began
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        again = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
        assert "Traceback" not in again.stderr
        done = "is where the game is already" in again.stderr or "was moved from" in again.stderr
        assert again.returncode == 0 or done, again.stderr
        where = Regatta(Path(target)) if way == "to a folder" else game
        assert Game(where.folder).rows == rows
        assert where("adjudicate", 1, "--allow-missing").status == 0
        if way == "to a folder":
            told(game("adjudicate", 1, "--allow-missing"), "was moved from")
            assert not list(Path(target).parent.glob(".*"))
        else:
            assert not (folder / "pbem.db").exists()
        close_databases()
        shutil.rmtree(folder.parent)
