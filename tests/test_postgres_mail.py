"""Mail for all games of a database: whose it is, whether they rest, are awake or cannot be read."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem import ticking
from pbem.counter import Counter
from pbem.dice import order_key, plain_key
from pbem.directory import SharedOffice
from pbem.game import Game, games_in
from pbem.home import close_databases, database_at
from pbem.mail.kept_in_database import DatabaseMailroom
from pbem.store_postgres import Box, Database
from tests.commands import Regatta, new_regatta, pbem
from tests.mail.servers import PASSWORD as MAIL_PASSWORD
from tests.mail.servers import dovecot
from tests.postgres import PASSWORD, Server
from tests.scale import scaled
from tests.test_postgres import LATER, NOW, query
from tests.test_postgres_lost import Loss
from tests.test_postgres_tick import AT, due, forged, tick, weekly


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


def test_one_mailbox_for_all_games(database: str, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    mail = f'[mail]\nin = "{inbox}"\naddress = "gm@example.net"\n'
    games = [weekly(tmp_path / name, database, mail) for name in ("autumn", "spring")]
    weekly(tmp_path / "winter", database)  # which has none
    for number, game in enumerate(games):
        key = game("key", "red").out.strip()
        (inbox / f"{number}.eml").write_text(
            f"From: Ann <ann@example.org>\nMessage-ID: <{number}@example.org>\n\nkey: {key}\nrow\nend\n"
        )
    (inbox / "9.eml").write_text("From: who@example.org\nMessage-ID: <9@example.org>\n\nHello?\n")
    ran = tick(tmp_path / "a", database)
    assert ran.status == 0, ran.err
    assert "0.eml: accepted autumn turn-1 red" in ran.out
    assert "1.eml: accepted spring turn-1 red" in ran.out
    assert "9.eml: quarantined" in ran.out
    for game in games:
        assert [each["state"] for each in game("status", "--json").json()["seats"]] == ["in", "missing"]
    # Another machine, with a mailbox that was not emptied.
    rows = {name: game.rows for name, game in games_in(database).items()}
    again = tick(tmp_path / "b", database)
    assert again.out.count("duplicate") == 2
    assert {name: game.rows for name, game in games_in(database).items()} == rows
    # And the orders stand for whoever looks at one game alone.
    assert games[0]("remind").out.startswith("Reminded: blue.")
    key = games[0]("key", "blue").out.strip()
    letter = f"From: b@example.org\nMessage-ID: <3@example.org>\n\nkey: {key}\nrow\nend\n".encode()
    (told,) = pbem("-C", tmp_path / "a", "receive", "--games", database, "-", "--json", stdin=letter).json()
    assert (told["outcome"], told["game"], told["seat"]) == ("accepted", "autumn", "blue")


@pytest.fixture
def mailed(database: str, tmp_path: Path) -> dict[str, Regatta]:
    """Three games with one mailbox, which rest."""
    mail = f'[mail]\nin = "{tmp_path / "inbox"}"\naddress = "gm@example.net"\nplus = true\n'
    (tmp_path / "inbox").mkdir()
    games = {name: weekly(tmp_path / name, database, mail) for name in ("autumn", "spring", "winter")}
    assert games["spring"]("seat", "blue", "--name", "Cy", "--email", "Cy@Example.org").status == 0
    assert tick(tmp_path, database).status == 0
    assert due(database, AT) == []
    return games


def letter(text: str, number: int, sender: str = "ann@example.org", to: str = "gm@example.net") -> bytes:
    return f"From: {sender}\nTo: {to}\nMessage-ID: <{number}@x>\n\n{text}\nend\n".encode()


def letters(games: dict[str, Regatta]) -> list[bytes]:
    """One of each kind that is told apart by whose it is."""
    own = {name: game("key", "red").out.strip() for name, game in games.items()}
    old = Game(games["spring"].folder)
    replaced = order_key(old.secret, "spring", 1, "blue", 1)
    stale = order_key(old.secret, "spring", 0, "red", 1)
    plus = own["winter"].replace("-", "")
    texts = [
        f"key: {own['spring']}\nrow",
        f"key: {own['spring'].lower()}\nrow\nrow",
        f"key: {own['autumn']} {own['winter']}\nrow",
        f"key: {stale}\nrow",
        f"key: {replaced}\nrow",
        "The professional international championships: no key.",
        f"status\nkey: {own['autumn']}",
    ]
    found = [letter(text, number) for number, text in enumerate(texts)]
    found.append(letter("row", 20, to=f"gm+{plus}@example.net"))
    found.append(letter("No key of mine.", 21, sender="CY@example.org"))
    found.append(letter("No key of mine.", 22, sender="stranger@example.org"))
    found.append(letter(f"Key {own['autumn']}\n{'x' * 2_000_000}", 23))
    return found


def received(folder: Path, url: str, message: bytes) -> list[dict[str, Any]]:
    told = pbem("-C", folder, "receive", "--games", url, "-", "--json", stdin=message).json()
    return [{**each, "source": ""} for each in told]


def test_mail_finds_games_that_rest_as_it_finds_those_that_do_not(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    there = tmp_path / "there"
    rest = [received(there, database, message) for message in letters(mailed)]
    assert [each["outcome"] for told in rest for each in told] == [
        "accepted", "accepted", "refused", "refused", "refused", "quarantined", "accepted",
        "accepted", "quarantined", "quarantined", "refused",
    ]  # fmt: skip
    assert [each["receipt_to"] for each in rest[8]] == ["Cy@Example.org"]
    # The same letters by other ids, with all games awake, as if each had to be read.
    query(database, "UPDATE games SET wake = '-infinity'; DELETE FROM marks; DELETE FROM mailboxes")
    for message, told in zip(letters(mailed), rest, strict=True):
        again = received(there, database, message.replace(b"@x>", b"@y>").replace(b"row\n", b"row # \n"))
        for new, old in zip(again, told, strict=True):
            assert new == {**old, "message_id": new["message_id"], "orders": new["orders"]}


def test_mail_is_taken_in_without_reading_the_games_that_it_is_not_for(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    office = SharedOffice(database_at(database), tmp_path, warn=pytest.fail)
    with office.open():
        assert list(office.counters) == []
        assert [each.settings.address for each in office.counters.mailboxes()] == ["gm@example.net"]
        office = SharedOffice(database_at(database), tmp_path, warn=pytest.fail)
    (tmp_path / "inbox/1.eml").write_bytes(letters(mailed)[0])
    with office.open():
        told = list(office.receive([str(tmp_path / "inbox")]))
        assert [(each.outcome, each.game) for each in told] == [("accepted", "spring")]
        assert list(office.counters) == ["spring"]


def test_mail_of_a_game_that_cannot_be_read_waits_and_stops_no_other(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    for number, message in enumerate(letters(mailed)[:3]):
        (tmp_path / f"inbox/{number}.eml").write_bytes(message)
    for number, name in enumerate(("winter", "autumn")):
        key = mailed[name]("key", "blue").out.strip()
        (tmp_path / f"inbox/1{number}.eml").write_bytes(letter(f"key: {key}\nrow", 10 + number))
    query(
        database,
        "ALTER TABLE events DISABLE TRIGGER events_change_refused;"
        " UPDATE events SET data = replace(data, 'red', 'sly') WHERE game = 'winter' AND version = 1;",
    )
    ran = tick(tmp_path, database)
    assert ran.status == 1
    assert ran.out.count("accepted spring") == 2
    assert ran.out.count("accepted autumn") == 1
    assert "winter" not in ran.out
    assert ran.err.count("winter: winter in postgresql") == 1, ran.err
    query(
        database,
        "UPDATE events SET data = replace(data, 'sly', 'red') WHERE game = 'winter' AND version = 1;"
        "ALTER TABLE events ENABLE ALWAYS TRIGGER events_change_refused;",
    )
    ran = tick(tmp_path, database)
    assert "accepted winter turn-1 blue" in ran.out
    assert "refused: It holds keys of two different seats" in ran.out
    assert (ran.status, ran.err) == (0, "")


def test_orders_that_the_log_had_before_a_crash_are_found_when_their_game_rests_again(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as crashing:
        crashing.setattr(DatabaseMailroom, "record", crash)
        pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=letters(mailed)[0])
    rows = Game(mailed["spring"].folder).rows
    assert rows[-1].kind == "orders_received"
    host = Game(mailed["spring"].folder)
    shared = database_at(database)
    marks = Counter(host).marks
    query(database, "UPDATE outbox SET state = 'sent', message = NULL")  # as another process would
    shared.sleep("spring", rows[-1].version, host.settings, None, marks=marks, box=Box("", ""))
    assert due(database, AT) == []
    told = received(tmp_path, database, letters(mailed)[0])
    assert [(each["outcome"], each["game"], each["seat"]) for each in told] == [("accepted", "spring", "red")]
    assert Game(mailed["spring"].folder).rows == rows


DAMAGED = (
    "ALTER TABLE events DISABLE TRIGGER events_change_refused;"
    " UPDATE events SET data = replace(data, 'red', 'sly') WHERE game = '{}' AND version = 1;"
)
MENDED = (
    "UPDATE events SET data = replace(data, 'sly', 'red') WHERE game = '{}' AND version = 1;"
    "ALTER TABLE events ENABLE ALWAYS TRIGGER events_change_refused;"
)
WAKE = "UPDATE games SET wake = '-infinity' WHERE game = '{}'"


def orders(game: Regatta, seat: str, number: int, text: str = "row") -> bytes:
    return letter(f"key: {game('key', seat).out.strip()}\n{text}", number)


@pytest.mark.parametrize("awake", [False, True])
def test_who_pipes_mail_for_one_game_hears_nothing_of_another(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], *, awake: bool
) -> None:
    """What was taken in must not be sent back by the mail server, though other mail waits."""
    mine, theirs = orders(mailed["spring"], "red", 1), orders(mailed["winter"], "red", 2)
    query(database, DAMAGED.format("winter") + (WAKE.format("winter") if awake else ""))
    for message, status, outcome in (
        (theirs, 75, ""),
        (mine, 0, "accepted"),
        (theirs, 75, ""),
        (mine, 0, "duplicate"),
    ):
        ran = pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=message)
        assert (ran.status, ran.out.partition(" ")[2].partition(" ")[0]) == (status, outcome), ran.err
        assert ran.err.count("winter: winter in postgresql") == 1
    query(database, MENDED.format("winter"))
    ran = pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=theirs)
    assert (ran.status, ran.err) == (0, "")
    assert "accepted winter turn-1 red" in ran.out


def test_junk_waits_for_a_game_that_may_know_it_and_for_no_other(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    theirs, junk = orders(mailed["winter"], "red", 1), letter("Hello?", 2, sender="who@example.org")
    for number, message in enumerate((theirs, junk)):
        (tmp_path / f"inbox/{number}.eml").write_bytes(message)
    query(database, DAMAGED.format("winter"))
    assert "quarantined" in tick(tmp_path, database).out  # its keys and addresses are all known
    assert query(database, "SELECT waits_for FROM messages WHERE NOT judged") == [("winter",)]
    query(database, WAKE.format("winter"))
    (tmp_path / "inbox/3.eml").write_bytes(junk.replace(b"<2@", b"<3@"))
    assert "quarantined" not in tick(tmp_path, database).out.replace("1.eml: quarantined", "")
    query(database, MENDED.format("winter"))
    ran = tick(tmp_path, database)
    assert "accepted winter" in ran.out
    assert ran.out.count("quarantined") == 2


def test_what_waits_is_not_read_again_before_its_game_can_be(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand letters that wait cost the next one nothing."""
    mine = [orders(mailed["spring"], "red", number) for number in (1, 2)]
    for number in range(10, 20):
        (tmp_path / f"inbox/{number}.eml").write_bytes(orders(mailed["winter"], "red", number))
    query(database, DAMAGED.format("winter"))
    assert tick(tmp_path, database).status == 1
    read: list[str] = []
    reading = DatabaseMailroom.read

    def noted(room: DatabaseMailroom, name: str) -> bytes:
        read.append(name)
        return reading(room, name)

    monkeypatch.setattr(DatabaseMailroom, "read", noted)
    assert "accepted spring" in pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=mine[0]).out
    assert len(read) <= 1  # its copy
    query(database, MENDED.format("winter"))
    read.clear()
    told = pbem("-C", tmp_path, "receive", "--games", database, "-", "--json", stdin=mine[1]).json()
    assert [each["game"] for each in told] == ["spring"] + ["winter"] * 10
    assert len([name for name in read if name]) >= 10


def test_a_mailbox_is_fetched_for_a_game_whatever_is_wrong_with_others(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    """Also if those that come first by name cannot be read: else its turn ends without its mail."""
    mail = f'[mail]\nin = "{tmp_path / "inbox"}"\n'
    broken = [f"a{number}" for number in range(6)]
    for name in broken:
        weekly(tmp_path / name, database, mail)
    assert tick(tmp_path, database).status == 0
    for name in broken:
        query(database, DAMAGED.format(name))
    query(database, DAMAGED.format("autumn"))
    (tmp_path / "inbox/1.eml").write_bytes(orders(mailed["spring"], "red", 1))
    assert "accepted spring" in tick(tmp_path, database).out


def test_a_letter_in_the_common_mailbox_is_taken_in_for_a_game_that_names_none(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key alone settles whose it is; and what was piped in and left by a crash waits for no mailbox."""
    other = weekly(tmp_path / "summer", database)
    (tmp_path / "inbox/1.eml").write_bytes(orders(other, "red", 1))
    assert "accepted summer turn-1 red" in tick(tmp_path, database).out
    for name, game in mailed.items():
        text = game("settings").out.replace("in = ", "# in = ")
        assert game("settings", "-", stdin=text.encode()).status == 0, name
    assert tick(tmp_path, database).status == 0
    with monkeypatch.context() as crashing:

        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        crashing.setattr(SharedOffice, "_judged", crash)
        piped = orders(other, "blue", 2)
        pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=piped)
    assert "accepted summer turn-1 blue" in tick(tmp_path, database).out


def test_a_turn_does_not_end_without_the_mail_that_waits_for_its_game(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was in the way when mail was taken in may be gone when the game's turn comes, moments later."""
    (tmp_path / "inbox/1.eml").write_bytes(orders(mailed["winter"], "red", 1))
    query(database, DAMAGED.format("winter"))
    monkeypatch.setenv("PBEM_NOW", LATER)
    taking_in = ticking.receive

    def then_mended(*words: Any) -> bool:
        done = taking_in(*words)
        query(database, MENDED.format("winter"))
        return done

    with monkeypatch.context() as mending:
        mending.setattr("pbem.sharing.receive", then_mended)
        ran = tick(tmp_path, database)
    assert "winter: turn-1 is due, but is not adjudicated while mail cannot be fetched" in ran.err
    assert "spring: turn-1 is adjudicated" in ran.out
    ran = tick(tmp_path, database)
    assert "accepted winter turn-1 red" in ran.out
    assert "winter: turn-1 is adjudicated" in ran.out


@pytest.mark.parametrize("awake", [False, True])
@pytest.mark.parametrize("asleep", [False, True])
def test_a_key_that_is_newer_than_what_the_office_has_read_is_known(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], *, awake: bool, asleep: bool
) -> None:
    """Another process adjudicates while this one has the mailbox, and the players answer at once."""
    spring, folder = mailed["spring"], tmp_path / "letters"
    folder.mkdir()
    if awake:
        query(database, WAKE.format("spring"))
    office = SharedOffice(database_at(database), tmp_path, warn=pytest.fail)
    other = Database(database)
    with office.open():
        old = orders(spring, "red", 1)
        (folder / "1.eml").write_bytes(letter("Perhaps ZZZZ-ZZZZ-ZZZZ?", 9, sender="who@example.org"))
        assert [each.outcome for each in office.receive([str(folder)])] == ["quarantined"]
        assert spring("adjudicate", 1, "--allow-missing").status == 0
        new = orders(spring, "red", 2)
        (folder / "1.eml").write_bytes(new)
        if asleep:
            counter = Counter(Game(spring.folder))
            query(database, "UPDATE outbox SET state = 'sent', message = NULL")
            marks, box = counter.marks, Box(counter.settings.incoming, "")
            version, toml = counter.game.rows[-1].version, counter.game.settings
            other.sleep("spring", version, toml, None, marks=marks, box=box)
            assert due(database, AT) == []
        told = [(each.outcome, each.turn) for each in office.receive([str(folder)])]
        (folder / "1.eml").write_bytes(old)
        told += [(each.outcome, each.turn) for each in office.receive([str(folder)])]
        assert told == [("accepted", 2), ("refused", 1)]
    other.close()


def test_a_key_of_a_game_that_cannot_be_read_is_the_second_of_two_all_the_same(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    own = [mailed[name]("key", "red").out.strip() for name in ("spring", "winter")]
    both = letter(f"key: {own[0]}\nrow\nPS: {own[1]}", 1)
    query(database, DAMAGED.format("winter") + WAKE.format("winter"))
    ran = pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=both)
    assert (ran.status, ran.out) == (75, "")
    query(database, MENDED.format("winter"))
    ran = pbem("-C", tmp_path, "receive", "--games", database, "-", stdin=both)
    assert "refused: It holds keys of two different seats" in ran.out


def test_a_mail_too_large_to_be_kept_whole_stays_unread_until_its_game_can_be_read(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = mailed["winter"]("key", "red").out.strip()
    large = letter("x" * 2_000_000, 1).replace(b"To:", f"Subject: {key}\nTo:".encode(), 1)
    small = orders(mailed["winter"], "red", 2)
    with dovecot(tmp_path) as server:
        monkeypatch.setenv("MAIL_WORD", MAIL_PASSWORD)
        for name, game in mailed.items():
            old = game("settings").out
            text = old.replace(
                f'in = "{tmp_path / "inbox"}"', f'in = "{server.url}"\npassword_env = "MAIL_WORD"'
            )
            assert text != old, name
            assert game("settings", "-", stdin=text.encode()).status == 0
        assert tick(tmp_path, database).status == 0
        server.deliver(large)
        server.deliver(small)
        query(database, DAMAGED.format("winter"))
        assert tick(tmp_path, database).status == 1
        query(database, MENDED.format("winter"))
        ran = tick(tmp_path, database)
        assert "refused winter turn-1 red: It has 2,000," in ran.out
        assert "accepted winter turn-1 red" in ran.out


def test_a_mailbox_whose_name_no_file_and_no_database_can_have_is_refused(
    database: str, tmp_path: Path
) -> None:
    for store in ((), ("--store", database)):
        game = new_regatta(tmp_path / f"game-{len(store)}", *store)
        text = f'[mail]\nin = "a\\u0000b"\n{game("settings").out}'
        told = game("settings", "-", stdin=text.encode())
        if not told.status:
            told = game("receive")
        assert "take the NUL out" in told.sentence


def test_a_game_that_goes_to_rest_again_leaves_what_is_new_alone(
    database: str, mailed: dict[str, Regatta]
) -> None:
    """However old it is; and all of it, if what it had left is gone."""
    spring, shared = mailed["spring"], database_at(database)

    def rests() -> set[tuple[Any, ...]]:
        query(database, "UPDATE outbox SET state = 'sent', message = NULL")
        counter = Counter(Game(spring.folder))
        version, toml = counter.game.rows[-1].version, counter.game.settings
        box = Box(counter.settings.incoming, counter.settings.password_env)
        shared.sleep("spring", version, toml, None, marks=counter.marks, box=box)
        assert due(database, AT) == []
        assert query(database, "SELECT marked FROM mailboxes WHERE game = 'spring'") == [
            (len(counter.marks),)
        ]
        for mark in counter.marks:
            assert shared.games_known_by([mark])[-1:] == ("spring",) or "@" in mark
        return set(query(database, "SELECT mark, xmin::text FROM marks WHERE game = 'spring'"))

    first = rests()
    assert rests() == first
    assert spring("adjudicate", 1, "--allow-missing").status == 0
    second = rests()
    assert second > first
    assert len(second - first) == 3  # of red one, of blue two, whose key was replaced
    assert spring("key", "red", "--new").status == 0
    third = rests()
    assert third > second
    assert len(third - second) == 3
    query(database, "DELETE FROM marks")
    assert {mark for mark, _ in rests()} == {mark for mark, _ in third}


def test_a_connection_lost_while_mail_waits_or_is_judged_at_last_changes_nothing(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any exchange with the server, before the game can be read or after."""

    def played(
        folder: Path, lost: str = "", at: int = 0, *, late: bool = False
    ) -> tuple[Any, dict[str, int]]:
        url, seen = postgres.database(), dict[str, int]()
        (folder / "inbox").mkdir(parents=True)
        mail = f'[mail]\nin = "{folder / "inbox"}"\naddress = "gm@example.net"\n'
        games = {name: weekly(folder / name, url, mail) for name in ("spring", "winter")}
        assert tick(folder, url).status == 0
        own = [games[name]("key", "red").out.strip() for name in games]
        for number, message in enumerate(
            [
                orders(games["winter"], "red", 0),
                orders(games["spring"], "red", 1),
                orders(games["winter"], "red", 2, "sail"),
                letter("Hello?", 3, sender="bert@example.org"),
                letter(f"key: {own[0]} {own[1]}\nrow", 4),
                orders(games["spring"], "blue", 5),
            ]
        ):
            (folder / f"inbox/{number}.eml").write_bytes(message)
        for phase, change in (("waits", DAMAGED), ("is judged", MENDED)):
            query(url, change.format("winter"))
            with monkeypatch.context() as patched:
                loss = Loss(patched, at if phase == lost else 0, url, late=late)
                ran = tick(folder, url)
                seen[phase] = loss.seen
            close_databases()
            assert "Traceback" not in ran.err
            assert ran.status == int(phase in {"waits", lost}), ran
        assert tick(folder, url).status == 0
        assert query(url, "SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)]
        assert query(url, "SELECT count(*) FROM messages WHERE NOT judged") == [(0,)]
        log = "SELECT game, kind, data FROM events ORDER BY game, version"
        answers = "SELECT game, identity FROM outbox ORDER BY 1, 2"
        queries = (log, answers, "SELECT entry FROM journal ORDER BY name")
        return [query(url, each) for each in queries], seen

    dice = Random(5)
    undisturbed, count = played(tmp_path / "whole")
    for number in range(scaled(40)):
        phase = dice.choice([*count])
        at, late = dice.randrange(1, count[phase] + 1), bool(dice.randrange(2))
        assert played(tmp_path / str(number), phase, at, late=late)[0] == undisturbed, (phase, at, late)


def test_a_letter_costs_nothing_for_the_games_that_were_opened_for_others(
    database: str, tmp_path: Path, mailed: dict[str, Regatta], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else four thousand letters for as many games take two minutes, and eight thousand take eight."""
    asked: list[str] = []
    own, seat_of = vars(Counter)["keys"].func, Counter.seat_of

    def keys(counter: Counter) -> Any:
        asked.append(counter.name)
        return own(counter)

    def seat(counter: Counter, address: str) -> str | None:
        asked.append(counter.name)
        return seat_of(counter, address)

    found = [order_key(Game(mailed[name].folder).secret, name, 1, "red", 1) for name in mailed]
    monkeypatch.setattr(Counter, "keys", property(keys))
    monkeypatch.setattr(Counter, "seat_of", seat)
    office = SharedOffice(database_at(database), tmp_path, warn=pytest.fail)
    with office.open():
        for name, key in zip(mailed, found, strict=True):
            (opened,) = office.counters.opened([plain_key(key)])
            assert opened.game == name
        assert sorted(asked) == sorted([*mailed] * 2)  # whether they can be had, and what they are
        asked.clear()
        assert office.counters.with_address("who@example.org") is None
        assert asked == []
        assert office.counters.with_address("cy@example.org") == (office.counters["spring"], "blue")


def test_what_is_in_a_games_way_is_told_once(
    database: str, tmp_path: Path, mailed: dict[str, Regatta]
) -> None:
    for number in range(3):
        (tmp_path / f"inbox/{number}.eml").write_bytes(orders(mailed["winter"], "red", number))
    query(database, DAMAGED.format("winter") + WAKE.format("winter"))
    assert tick(tmp_path, database).err.count("pbem: winter: ") == 1


@pytest.mark.parametrize("awake", [False, True])
@pytest.mark.parametrize("trouble", ["secret", "toml", "mail", "require", "row"])
def test_whatever_is_wrong_with_a_game_is_in_the_way_of_its_own_mail_alone(
    trouble: str, database: str, tmp_path: Path, mailed: dict[str, Regatta], *, awake: bool
) -> None:
    """Also what shows only when a letter for it is judged."""
    theirs, mine = orders(mailed["winter"], "red", 1), orders(mailed["spring"], "red", 2)
    setting = "UPDATE settings SET toml = {} WHERE game = 'winter'"
    changes = {
        "secret": "DELETE FROM secrets WHERE game = 'winter'",
        "toml": setting.format("'[mail'"),
        "mail": setting.format("replace(toml, 'plus = true', 'plus = 1')"),
        "require": setting.format("replace(toml, 'plus = true', 'require = [\"x\"]')"),
    }
    if trouble == "row":
        forged(database, "winter", kind="boat_moved")
    else:
        query(database, changes[trouble])
    if awake:
        query(database, WAKE.format("winter"))
    close_databases()
    for number, message in enumerate((theirs, mine)):
        (tmp_path / f"inbox/{number}.eml").write_bytes(message)
    for _ in range(2):
        ran = pbem("-C", tmp_path, "receive", "--games", database)
        assert ran.status == 1
        assert ran.out.count("\n") == 1
        assert "spring turn-1 red" in ran.out
        assert re.fullmatch(r"pbem: winter: [^\n]+\n", ran.err), ran.err
    ran = tick(tmp_path, database)
    assert ran.status == 1
    assert re.search(r"duplicate spring|^$", ran.out)
    assert query(database, "SELECT waits_for FROM messages WHERE NOT judged") == [("winter",)]
