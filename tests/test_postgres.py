"""A game in PostgreSQL is the same game: played there, served from anywhere, and every trouble told."""

import builtins
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.pq import Conninfo

from pbem import home
from pbem.dice import order_key
from pbem.errors import PbemError
from pbem.game import Game
from pbem.home import close_databases, database_at
from pbem.store import Log
from pbem.store_postgres import TABLES, Database
from tests.commands import SECRET, Ran, Regatta, new_regatta, pbem
from tests.postgres import PASSWORD, Server, binaries, running

NOW = "2026-11-30T05:55:00Z"
LATER = "2026-12-20T05:55:00Z"
EVERY_WEEK = '[turns]\nevery = "7d"\n'


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


def in_database(folder: Path, url: str) -> Regatta:
    return new_regatta(folder, "--store", url)


def query(url: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode())
        found = done.fetchall() if done.description else []
    connection.close()
    return found


def played(game: Regatta) -> Regatta:
    """Three turns, a reopening, a note and a hand-over."""
    assert game("start").status == 0
    for turn in (1, 2):
        game.orders(turn, "red.txt", "sail else row\npress: ahoy\n")
        game.orders(turn, "blue.txt", "row\nstanding: row\n")
        assert game("adjudicate", turn).status == 0
    assert game("reopen", 2, "--reason", "The wind was misread.").status == 0
    assert game("note", 2, "-", stdin=b"Thrown again.").status == 0
    assert game("adjudicate", 2, "--allow-missing").status == 0
    assert game("seat", "blue", "--name", "Cy Cole", "--email", "cy@example.org").status == 0
    return game


def reports(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in ("reports", "players", "gm", "orders")
        for path in (folder / part).rglob("*")
        if path.is_file()
    }


def test_it_is_the_same_game_to_the_last_byte(database: str, tmp_path: Path) -> None:
    here = played(new_regatta(tmp_path / "spring"))
    (tmp_path / "far").mkdir()
    there = played(in_database(tmp_path / "far/spring", database))
    assert Game(there.folder).rows == Game(here.folder).rows
    assert reports(there.folder) == reports(here.folder)
    for words in ("status --json", "log --json", "state --json", "orders 1", "key red", "settings"):
        assert there(*words.split()).out == here(*words.split()).out
    ok, other = there("verify"), here("verify")
    assert (ok.status, ok.out, ok.err) == (other.status, other.out, other.err)
    assert sorted(path.name for path in there.folder.iterdir()) == [
        "game.toml", "gm", "orders", "outbox", "players", "reports",
    ]  # fmt: skip


def test_any_machine_serves_any_game(database: str, tmp_path: Path) -> None:
    """All that another machine is given is a game.toml of two lines."""
    first = in_database(tmp_path / "spring", database)
    assert first("start").status == 0
    second = Regatta(tmp_path / "elsewhere")
    second.folder.mkdir()
    store = f'[store]\nurl = "{database_at(database).public_url}"\ngame = "spring"\n'
    (second.folder / "game.toml").write_text(store)
    assert second("status").out == first("status").out
    second.orders(1, "red.txt", "row\n")
    assert second("adjudicate", 1, "--allow-missing").status == 0
    assert reports(second.folder).keys() - reports(first.folder).keys() > {"reports/turn-1/index.html"}
    assert "adjudicated already" in first("adjudicate", 1).sentence
    assert first("report").status == 0
    assert first.read("reports/turn-1/index.html") == second.read("reports/turn-1/index.html")
    assert Game(first.folder).rows == Game(second.folder).rows


def test_the_log_gives_nothing_away(database: str, tmp_path: Path) -> None:
    game = played(in_database(tmp_path / "spring", database))
    key = game("key", "red").out.strip()
    letter = tmp_path / "letter.eml"
    letter.write_text(
        "From: Ann <ann@example.org>\nTo: gm@example.net\nMessage-ID: <1@example.org>\n\n"
        f"game: spring\nturn: 3\nplayer: red\nkey: {key}\nrow # my {key}\n"
    )
    assert game("receive", letter, "--json").json()[0]["outcome"] == "accepted"
    text = "\n".join(str(row) for row in query(database, "SELECT * FROM events"))
    assert "row" in text
    secret = bytes.fromhex(SECRET)
    keys = [
        order_key(secret, "spring", turn, seat, issue)
        for turn in range(5)
        for seat in ("red", "blue")
        for issue in (1, 2, 3)
    ]
    for hidden in (SECRET, *keys, *(each.replace("-", "") for each in keys), "example.org", "Ann", "Cole"):
        assert hidden not in text
    assert key in str(query(database, "SELECT convert_from(message, 'UTF8') FROM messages"))


def test_mail_goes_out_once_whichever_machine_sends(database: str, tmp_path: Path) -> None:
    first = in_database(tmp_path / "spring", database)
    assert first("start").status == 0
    assert first("send", 0).out.startswith("turn-0: red, blue.")
    assert len(list((first.folder / "outbox/new").iterdir())) == 2
    second = Regatta(tmp_path / "elsewhere")
    second.folder.mkdir()
    (second.folder / "game.toml").write_text(first.read("game.toml"))
    assert second("send", 0).out.startswith("turn-0 was sent before.")
    assert not (second.folder / "outbox/new").exists()
    key = first("key", "red").out.strip()
    letter = f"From: ann@example.org\nMessage-ID: <7@example.org>\n\nkey: {key}\nrow\nend\n".encode()
    assert "accepted" in first("receive", "-", stdin=letter).out
    assert "duplicate" in second("receive", "-", stdin=letter).out
    assert query(database, "SELECT count(*) FROM outbox WHERE state = 'sent'") == [(3,)]
    large = b"From: ann@example.org\nSubject: all of it\n\n" + b"x" * 1_500_000
    assert (
        "refused" in first("receive", "-", stdin=large).out
        or "quarantined" in first("receive", "-", stdin=large).out
    )
    assert query(database, "SELECT sum(length(piece)) / count(DISTINCT name) FROM pieces")[0][0] == len(large)


# Who may do what.

FORBIDDEN = {
    "pbem_events": ["secrets", "settings", "marks", "mailboxes", "messages", "pieces", "journal", "outbox"],
    "pbem_players": ["events", "secrets", "marks", "mailboxes", "messages", "pieces", "journal", "outbox"],
}


@pytest.fixture
def roles(postgres: Server, database: str, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A game at home in the database, and by role the URL of somebody who has it."""
    game = in_database(tmp_path / "spring", database)
    assert game("start").status == 0
    script = Path(home.__file__).with_name("store_postgres_roles.sql").read_text()
    for _ in range(2):  # it may be run again
        query(database, script)
    urls = {}
    for role in ("pbem_events", "pbem_players", "pbem_host"):
        query(
            database, f"DROP ROLE IF EXISTS a_{role}; CREATE ROLE a_{role} LOGIN PASSWORD 'x' IN ROLE {role}"
        )
        urls[role] = database.replace(postgres.url(""), postgres.url("", f"a_{role}", "x"))
    yield urls
    close_databases()
    query(database, "DROP OWNED BY a_pbem_events, a_pbem_players, a_pbem_host")


@pytest.mark.parametrize(
    ("role", "table"), [(role, table) for role in FORBIDDEN for table in FORBIDDEN[role]]
)
def test_a_role_reads_what_is_its_own_alone(roles: dict[str, str], role: str, table: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        query(roles[role], f"SELECT FROM {table}")


def test_who_may_read_events_alone_can_check_them_and_nothing_else(
    roles: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert query(roles["pbem_events"], "SELECT count(*) FROM events") == [(2,)]
    columns = "game, version, turn, kind, schema, data, at, salt, prev, hash"
    for change in (
        f"INSERT INTO events ({columns}) VALUES ('spring', 3, 1, 'x', 1, '{{}}', '', '', '', '')",  # noqa: S608
        "UPDATE events SET turn = 1",
        "DELETE FROM events",
        "TRUNCATE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TABLE events",
        "UPDATE games SET wake = 'infinity'",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            query(roles["pbem_events"], change)
    close_databases()
    monkeypatch.setenv("PGPASSWORD", "x")
    game = Regatta(tmp_path / "reader")
    game.folder.mkdir()
    (game.folder / "game.toml").write_text(f'[store]\nurl = "{roles["pbem_events"]}"\ngame = "spring"\n')
    assert "turn-1 is open" in game("status").out
    checked = game("verify")
    assert "The log holds, and all agrees." in checked.out, checked.err
    assert "is missing or not yours to read: salts, and promises not yet kept" in checked.err
    assert re.search(
        r"does not allow this to its user; nothing was changed, grant the role pbem_host\.",
        game("key", "red").sentence,
    )


def test_a_host_serves_games_and_can_change_no_event(
    roles: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_databases()
    monkeypatch.setenv("PGPASSWORD", "x")
    game = Regatta(tmp_path / "host")
    game.folder.mkdir()
    (game.folder / "game.toml").write_text(f'[store]\nurl = "{roles["pbem_host"]}"\ngame = "spring"\n')
    game.orders(1, "red.txt", "row\n")
    assert game("adjudicate", 1, "--allow-missing").status == 0
    assert game("send", 1).status == 0
    assert game("seat", "red", "--name", "Dee").status == 0
    assert "verified" not in game("verify").out
    assert game("verify").status == 0
    for _ in range(2):
        assert pbem("-C", tmp_path / "ticks", "tick", "--games", roles["pbem_host"]).status == 0
    for change in (
        "UPDATE events SET turn = 1",
        "DELETE FROM events",
        "TRUNCATE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TABLE events",
        "DELETE FROM secrets",
        "UPDATE secrets SET secret = ''",
        "DELETE FROM messages",
        "DELETE FROM marks",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            query(roles["pbem_host"], change)
    assert new_regatta(tmp_path / "autumn", "--store", roles["pbem_host"])("start").status == 0


# Troubles.


def told(ran: Ran, sentence: str) -> None:
    """One sentence, which shows no password however it came about."""
    assert re.search(sentence, ran.sentence), ran.sentence
    for part in (PASSWORD, "b@d", "pass:word", "b%40d"):
        assert part not in ran.err


def test_a_server_that_is_down_a_wrong_password_and_no_such_database(
    postgres: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_database(tmp_path / "spring", database)
    close_databases()
    told(
        pbem("games", f"postgresql://owner:{PASSWORD[:1]}x@127.0.0.1:1/games"),
        "cannot be reached .*Connection refused",
    )
    told(pbem("games", postgres.url("nowhere")), 'cannot be reached .*database "nowhere" does not exist')
    told(pbem("games", postgres.url("postgres", "nobody")), "does not let nobody in: the password is wrong")
    told(
        pbem("games", postgres.url("postgres", "owner", "b@d")),
        "does not let owner in: the password is wrong",
    )
    monkeypatch.delenv("PGPASSWORD")
    told(pbem("-C", tmp_path / "spring", "status"), "the password is wrong or missing; set it in PGPASSWORD")
    told(pbem("games", "postgresql://owner@no-such-host.invalid/games"), "cannot be reached .*resolve")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://owner:b@d@host/games",
        "postgresql://owner:b@d/pass:word?@127.0.0.1:5432/games",
        "postgresql://owner:x/b@d@host:5432/games",
        "postgresql://owner:b%4@host/games",
        "postgresql://host/games?b@d=1",
        "postgresql://host:b%40d/games",
    ],
)
def test_a_url_that_cannot_be_read_is_not_repeated(url: str, tmp_path: Path) -> None:
    told(pbem("games", url), "URL of the store cannot be read; write it as postgresql://USER@HOST/DATABASE")
    told(
        pbem("new", tmp_path / "x", "--ruleset", "regatta", "--player", "Ann", "--store", url),
        "cannot be read",
    )
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:b@d@h/db",
        "POSTGRESQL://u:b@d@h/db",
        " postgresql://u:b@d@h/db",
        "postgresql:/u:b@d@h/db",
        "postgres//u:b@d@h/db",
        "postgresql:u:b@d@h",
        "host=h password=b@d dbname=x",
    ],
)
def test_what_is_almost_a_url_is_no_folder_and_not_repeated(url: str, tmp_path: Path) -> None:
    folder = new_regatta(tmp_path / "spring").folder
    new = ("new", tmp_path / "x", "--ruleset", "regatta", "--player", "Ann", "--player", "Bo", "--store")
    for words in (("games",), ("tick", "--games"), ("receive", "--games"), ("-C", folder, "copy"), new):
        told(pbem(*words, url), "names no store of pbem; write it as postgresql://HOST/DATABASE")
    assert [path.name for path in tmp_path.iterdir()] == ["spring"]


def test_no_kind_of_password_is_written_or_shown() -> None:
    hidden = ("password", "sslpassword", "oauth_client_secret", "scram_client_key")
    known = [each for each in hidden if each in {one.keyword.decode() for one in Conninfo.get_defaults()}]
    assert known[:2] == ["password", "sslpassword"]
    more = "&".join(f"{each}=hunter2" for each in known)
    database = Database(f"postgresql://me@127.0.0.1:1/games?{more}&sslmode=disable")
    assert database.public_url == "postgresql://me@127.0.0.1:1/games?sslmode=disable"
    with pytest.raises(PbemError) as failed, database.statement():
        pass
    assert "hunter2" not in str(failed.value)


def test_who_may_make_no_tables_is_told_who_can(
    postgres: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = database.rpartition("%3D")[2]
    query(database, "DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN PASSWORD 'x'")
    monkeypatch.setenv("PGPASSWORD", "x")
    url = database.replace(postgres.url(""), postgres.url("", "plain", "x"))
    words = ("new", tmp_path / "x", "--ruleset", "regatta", "--player", "Ann", "--player", "Bo", "--store")
    told(pbem(*words, url), "has no schema for tables that its search_path names and its user may use")
    query(database, f"GRANT USAGE ON SCHEMA {schema} TO plain")
    told(pbem(*words, url), f"its user may make none in the schema {schema}; let the schema's owner make")
    query(database, f"GRANT CREATE ON SCHEMA {schema} TO plain")
    assert pbem(*words, url).status == 0
    close_databases()
    query(database, "DROP OWNED BY plain; DROP ROLE plain")


def test_another_schema_of_the_same_database_is_locked_by_itself(postgres: Server) -> None:
    """Its games have the same numbers, and its common mailbox the same name."""
    one, other = Database(postgres.database()), Database(postgres.database())
    for database in (one, other):
        database.make_tables()
    with one.lock_of_game(1) as first, other.lock_of_game(1) as second:
        assert (first, second) == (True, True)
    with (
        one.lock_of_room("", lambda attempt: attempt()) as first,
        other.lock_of_room("", lambda attempt: attempt()) as second,
    ):
        assert (first, second) == (True, True)
    again = Database(one.url)
    with one.lock_of_game(1), again.lock_of_game(1) as second:
        assert not second
    for database in (one, other, again):
        database.close()


def test_what_takes_too_long_for_the_server_is_told(database: str, tmp_path: Path) -> None:
    game = in_database(tmp_path / "spring", database)
    close_databases()
    leads = game.folder / "game.toml"
    leads.write_text(leads.read_text().replace("options=", "options=-cstatement_timeout%3D200%20"))
    with psycopg.connect(database) as holder:
        holder.execute("SELECT FROM games FOR UPDATE")
        told(game("start"), "broke this off, by its statement_timeout or by hand; nothing was changed")
    holder.close()
    assert game("start").status == 0


def test_tables_that_are_missing_newer_or_anothers(database: str, tmp_path: Path) -> None:
    told(pbem("games", database), "has no tables of pbem")
    game = in_database(tmp_path / "spring", database)
    query(database, "UPDATE pbem_tables SET version = 2")
    close_databases()
    told(game("status"), "are of version 2, and this pbem knows 1")
    query(database, "UPDATE pbem_tables SET version = 1; DROP TABLE outbox")
    close_databases()
    told(game("send", 0), "has not started|has no tables of pbem, or lacks one")
    query(database, "DROP TABLE settings")
    told(game("settings"), "has no tables of pbem, or lacks one")
    query(database, "DROP TABLE pbem_tables")
    close_databases()
    told(
        pbem(
            "new",
            tmp_path / "x",
            "--ruleset",
            "regatta",
            "--player",
            "Ann",
            "--player",
            "Bo",
            "--store",
            database,
        ),
        "tables of these names that are not pbem's",
    )
    assert not (tmp_path / "x").exists()


def test_a_database_that_cannot_hold_every_letter_is_refused(postgres: Server, tmp_path: Path) -> None:
    words = ("new", tmp_path / "x", "--ruleset", "regatta", "--player", "Ann", "--player", "Bo", "--store")
    for name in ("latin1", "sql_ascii"):
        postgres.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{name}'")
        sentence = f"is encoded as {name.upper()}; make one with ENCODING 'UTF8'"
        told(pbem(*words, postgres.url(name)), sentence)
        query(postgres.url(name), TABLES.read_text())  # also where somebody has made the tables
        told(pbem(*words, postgres.url(name)), sentence)


def test_a_database_that_can_only_be_read(database: str, tmp_path: Path) -> None:
    game = in_database(tmp_path / "spring", database)
    close_databases()
    at = (
        (game.folder / "game.toml")
        .read_text()
        .replace("options=", "options=-cdefault_transaction_read_only%3Don%20")
    )
    (game.folder / "game.toml").write_text(at)
    assert game("status").status == 0
    told(game("start"), "can only be read, as a standby can; nothing was changed")
    assert len(Game(game.folder).rows) == 1


def test_a_connection_lost_in_the_middle_does_nothing_by_halves(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends the connection when the rows are sent and not yet committed."""
    from pbem import store_postgres

    game = in_database(tmp_path / "spring", database)
    chained = store_postgres.chained

    def cut(*words: Any, **more: Any) -> Any:
        query(
            database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pbem'"
        )
        return chained(*words, **more)

    with monkeypatch.context() as patched:
        patched.setattr(store_postgres, "chained", cut)
        told(
            game("start"),
            "connection to postgresql://.* was lost, and what was not finished there was not done",
        )
    assert len(Game(game.folder).rows) == 1
    assert not (game.folder / "reports").exists()
    assert game("start").status == 0


def test_a_full_disk_is_told_and_nothing_done_by_halves(database: str, tmp_path: Path) -> None:
    game = in_database(tmp_path / "spring", database)
    assert game("start").status == 0
    query(
        database,
        "CREATE FUNCTION filled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " IF NEW.kind = 'turn_closed' THEN"
        " RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END IF; RETURN NEW; END $$;"
        " CREATE TRIGGER filled BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION filled()",
    )
    game.orders(1, "red.txt", "row\n")
    told(
        game("adjudicate", 1, "--allow-missing"),
        "cannot grow: its disk is full; nothing was changed, make room and try again",
    )
    assert len(Game(game.folder).rows) == 2
    query(database, "DROP TRIGGER filled ON events")
    assert game("adjudicate", 1, "--allow-missing").status == 0


def test_the_driver_prints_nothing_of_its_own() -> None:
    """It warns of what follows from a failure that is told in one sentence."""
    code = "import logging, pbem.store_postgres; logging.getLogger('psycopg').warning('error ignored')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stderr


def test_a_game_that_is_held_is_waited_for_and_then_told(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem import store_postgres

    game = in_database(tmp_path / "spring", database)
    close_databases()
    monkeypatch.setattr(store_postgres, "_SETTINGS", "SELECT set_config('lock_timeout', '50ms', false)")
    with psycopg.connect(database) as holder:
        holder.execute("SELECT FROM games FOR UPDATE")
        told(game("start"), "is locked by another command; try again when that has finished")
        assert game("status").status == 0  # reading waits for nobody
        holder.rollback()
    holder.close()
    assert game("start").status == 0


def test_without_psycopg_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *words: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "psycopg":
            raise ImportError(name)
        return imported(name, *words, **more)

    for name in [name for name in sys.modules if name == "pbem.store_postgres"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    told(pbem("games", "postgresql://host/games"), r"needs psycopg; pip install 'pbem\[postgresql\]'")


def test_a_game_in_its_folder_loads_nothing_of_it(tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "spring")
    code = (
        "import sys; from pbem.cli import run; run(['-C', sys.argv[1], 'start']);"
        "print([name for name in sys.modules if 'psycopg' in name or 'postgres' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(game.folder)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_is_told_to_be_appended_survives_a_power_cut(tmp_path: Path) -> None:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    with running() as server:
        url = server.database()
        game = in_database(tmp_path / "spring", url)
        assert game("start").status == 0
        rows = Game(game.folder).rows
        server.stop(hard=True)
        told(game("status"), "connection to .* was lost|cannot be reached")
        close_databases()
        told(game("status"), "cannot be reached")
        server.start()
        assert Game(game.folder).rows == rows
        assert game("verify").status == 0
        close_databases()


# game.toml.


def test_settings_are_shown_and_changed_wherever_they_are(database: str, tmp_path: Path) -> None:
    for game in (in_database(tmp_path / "spring", database), new_regatta(tmp_path / "autumn")):
        before = game("settings").out
        assert 'email = "ann@example.org"' in before
        wanted = f"# Mine\n{EVERY_WEEK}{before}"
        assert game("settings", "-", stdin=wanted.encode()).status == 0
        assert game("settings").out == wanted
        for broken in ("[turns]\nevery = 7\n", "players = 1\n", "[mail\n", "[mail]\npluss = true\n"):
            assert "game.toml" in game("settings", "-", stdin=broken.encode()).sentence
        assert game("settings").out == wanted
        assert game("seat", "red", "--email", "ann@example.net").status == 0
        assert game("settings").out == wanted.replace("ann@example.org", "ann@example.net")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[store]\nurl = "sqlite:///x"\n', "url of .store. names no store"),
        ("[store]\nurl = 5\n", "should be a text in quotes"),
        ('[store]\nurl = "postgresql://h/g"\nuser = "x"\n', "has no user; it has url and game"),
        ('[store]\nurl = "postgresql://h/g"\n[turns]\nevery = "7d"\n', "has .store., and turns beside it"),
        ("store = 3\n", "store is no table"),
    ],
)
def test_a_store_that_cannot_be_meant_is_told(tmp_path: Path, text: str, sentence: str) -> None:
    folder = tmp_path / "spring"
    folder.mkdir()
    (folder / "game.toml").write_text(text)
    told(pbem("-C", folder, "status"), sentence)
    assert f"{folder}" in pbem("games", tmp_path).out


def test_a_log_beside_a_game_toml_that_leads_away_is_not_gone_on_with(database: str, tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "spring")
    (game.folder / "game.toml").write_text(f'[store]\nurl = "{database_at(database).public_url}"\n')
    told(game("start"), r"leads to postgresql://.*, but pbem\.db lies beside it")
    assert len(Log(game.folder / "pbem.db").rows()) == 1


def test_a_game_that_the_database_has_not_is_told(database: str, tmp_path: Path) -> None:
    game = in_database(tmp_path / "spring", database)
    (game.folder / "game.toml").write_text(game.read("game.toml").replace("spring", "summer"))
    for words in (("status",), ("start",), ("verify",), ("copy", tmp_path / "x")):
        told(game(*words), "has no game summer|holds no event|does not hold")


def test_a_secret_that_is_missing_or_anothers_is_told(database: str, tmp_path: Path) -> None:
    game = in_database(tmp_path / "spring", database)
    query(database, "UPDATE secrets SET secret = repeat('0', 64)")
    told(game("start"), "the secret of spring in postgresql://.* is not the secret of spring")
    query(database, "UPDATE secrets SET secret = 'lost'")
    told(game("start"), "is no 64 hex digits; put the right one back")
    query(database, "DELETE FROM secrets")
    told(game("start"), "is missing; put it back")
    assert "could not be checked" in game("verify").err


def test_new_in_a_database_leaves_nothing_behind_when_refused(database: str, tmp_path: Path) -> None:
    in_database(tmp_path / "spring", database)
    (tmp_path / "far").mkdir()
    words = ("new", tmp_path / "far/spring", "--ruleset", "regatta", "--player", "Ann", "--player", "Bo")
    told(pbem(*words, "--store", database), "has a game spring already")
    told(pbem(*words, "--store", "somewhere"), "names no store; write --store postgresql://HOST/DATABASE")
    assert not (tmp_path / "far/spring").exists()
    assert query(database, "SELECT count(*) FROM games") == [(1,)]


def test_games_lists_a_database(database: str, tmp_path: Path) -> None:
    assert in_database(tmp_path / "spring", database)("start").status == 0
    in_database(tmp_path / "autumn", database)
    lines = pbem("games", database).out.splitlines()
    assert lines == [
        "autumn: autumn, regatta, sign-up",
        "spring: spring, regatta, turn-1 is open, missing red, blue",
    ]
    assert pbem("games", tmp_path).out.count("regatta") == 2


def test_a_backup_of_a_game_in_a_database_is_restored_as_a_folder(database: str, tmp_path: Path) -> None:
    game = played(in_database(tmp_path / "spring", database))
    assert game("backup", tmp_path / "b.zip").status == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        assert {"pbem.db", "secret.key", "game.toml", "orders/turn-1/red.txt"} < set(packed.namelist())
    back = Regatta(tmp_path / "back")
    assert back("restore", tmp_path / "b.zip").status == 0
    assert Game(back.folder).rows == Game(game.folder).rows
    assert back("verify").status == 0
    assert back("settings").out == game("settings").out
    told(game("restore", tmp_path / "b.zip"), "restore the game into another folder")


def environment(now: str = NOW) -> dict[str, str]:
    return {**os.environ, "PBEM_NOW": now, "PGPASSWORD": PASSWORD}
