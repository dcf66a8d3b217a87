"""Whole games by mail: with real servers, and with the serverless default."""

import re
import smtplib
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from pbem import dice
from tests.commands import SECRET, Regatta, new_regatta
from tests.mail.servers import PASSWORD, Imap, Smtp, dovecot, smtp_server

GM = "gm@example.net"
DAY = "2026-12-{:02}T{}:00Z"


def key(turn: int, seat: str) -> str:
    return dice.order_key(bytes.fromhex(SECRET), "spring", turn, seat)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Any:
    def set_clock(day: int, hour: str = "06:00") -> None:
        monkeypatch.setenv("PBEM_NOW", DAY.format(day, hour))

    set_clock(1)
    return set_clock


def settings(game: Regatta, mail: str, early: str = "false") -> None:
    path = game.folder / "game.toml"
    turns = f'[turns]\nevery = "2d"\nat = "20:00"\nzone = "Europe/London"\nearly = {early}\n'
    path.write_text(f"{path.read_text()}\n{turns}\n[mail]\n{mail}")


@pytest.fixture
def smtp() -> Iterator[Smtp]:
    with smtp_server() as server:
        yield server


@pytest.fixture
def imap(tmp_path: Path) -> Iterator[Imap]:
    with dovecot(tmp_path) as server:
        yield server


@pytest.fixture
def served(tmp_path: Path, smtp: Smtp, imap: Imap, at: Any, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    """A game whose players and GM write to each other by real servers."""
    del at
    monkeypatch.setenv("TEST_PASSWORD", PASSWORD)
    game = new_regatta(tmp_path / "spring", "--length", 3)
    settings(
        game, f'in = "{imap.url}"\nout = "{smtp.url}"\naddress = "{GM}"\npassword_env = "TEST_PASSWORD"\n'
    )
    smtp.deliver = lambda to, data: imap.deliver(data) if GM in to else None
    assert game("start").status == 0
    return game


def write(smtp: Smtp, sender: str, text: str, **fields: str) -> None:
    """A player's mail, by SMTP."""
    message = EmailMessage()
    message["From"], message["To"] = sender, GM
    message["Subject"] = "orders"
    message["Message-ID"] = f"<{len(smtp.taken)}.{abs(hash(text))}@example.org>"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", smtp.port) as connection:
        connection.send_message(message)


def kinds(messages: list[EmailMessage]) -> list[str]:
    return [str(message["X-Pbem"]).partition(" ")[2] for message in messages]


def ticked(game: Regatta, status: int = 0, *words: str) -> str:
    ran = game("tick", *words)
    assert ran.status == status, (ran.out, ran.err)
    return ran.out + ran.err


def test_three_turns_by_imap_and_smtp(served: Regatta, smtp: Smtp, at: Any) -> None:
    game = served
    ticked(game)
    assert kinds(smtp.messages("ann@example.org")) == ["report"]
    template = smtp.messages("ann@example.org")[0].get_body(("plain",)).get_content()
    assert f"key: {key(1, 'red')}" in template
    for turn in (1, 2, 3):
        first = 2 * turn - 1
        at(first, "20:45")
        before = len(smtp.messages("ann@example.org")), len(smtp.messages("bert@example.org"))
        write(smtp, "ann@example.org", f"key: {key(turn, 'red')}\nrow\nend\n")
        told = ticked(game)
        assert "accepted spring" in told
        (receipt,) = smtp.messages("ann@example.org")[before[0] :]
        assert "row" in receipt.get_content()
        assert receipt["Auto-Submitted"] == "auto-replied"
        assert ticked(game) == ""
        at(first + 1, "21:00")  # less than 24 hours before
        assert ticked(game).startswith("spring: reminded blue.\n")
        assert kinds(smtp.messages("bert@example.org")[before[1] :]) == ["reminder"]
        write(smtp, "bert@example.org", f"> key: {key(turn, 'blue')}\n", Auto_Submitted="auto-replied")
        assert "ignored" in ticked(game)
        at(first + 2, "20:30")
        assert f"turn-{turn} is adjudicated" in ticked(game)
        assert ticked(game) == ""
        new = smtp.messages("ann@example.org")[before[0] :]
        assert kinds(new) == ["receipt", "report"]
        assert new[-1]["Subject"] == f"[spring] turn-{turn} report: red"
        at(first + 2, "20:31")
    assert game("status", "--json").json()["phase"] == "ended"
    reports = [
        m
        for m in smtp.messages("ann@example.org")
        if m["Subject"].startswith("[spring] turn-") and "report" in m["Subject"]
    ]
    assert [m["In-Reply-To"] for m in reports] == [None, *(m["Message-ID"] for m in reports[:-1])]
    assert len({m["Message-ID"] for m in smtp.messages()}) == len(smtp.messages())


@pytest.mark.usefixtures("at")
def test_three_turns_without_a_server(tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "spring", "--length", 3)
    settings(game, f'address = "{GM}"\n', early="true")
    assert game("start").status == 0
    ticked(game)
    assert len(outbox(game)) == 2
    for turn in (1, 2, 3):
        game.orders(turn, "red.txt", "row\n")
        assert "is adjudicated" not in ticked(game)
        game.orders(turn, "blue.txt", "row\n")
        assert f"turn-{turn} is adjudicated" in ticked(game)
        assert ticked(game) == ""
        assert len(outbox(game)) == 2 + 2 * turn
    assert game("status", "--json").json()["phase"] == "ended"
    assert all(message["X-Pbem"] == "spring report" for message in outbox(game))


def outbox(game: Regatta) -> list[EmailMessage]:
    return [
        message
        for path in sorted((game.folder / "outbox" / "new").iterdir())
        if isinstance(message := message_from_bytes(path.read_bytes(), policy=default), EmailMessage)
    ]


# What stands in the way.


def test_nothing_is_adjudicated_while_mail_cannot_be_fetched(
    served: Regatta, imap: Imap, at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(3, "21:00")
    monkeypatch.setenv("TEST_PASSWORD", "wrong")
    told = ticked(served, 1)
    assert "mail could not be fetched" in told
    assert "is not adjudicated while mail cannot be fetched" in told
    assert served("status", "--json").json()["turn"] == 1
    assert "is adjudicated" in ticked(served, 1, "--force")
    assert imap.user == "gm"


def test_nothing_is_adjudicated_if_most_have_fallen_silent(tmp_path: Path, at: Any) -> None:
    game = new_regatta(tmp_path / "spring", "--length", 3)
    settings(game, f'address = "{GM}"\n')
    assert game("start").status == 0
    game.orders(1, "red.txt", "row\n")
    game.orders(1, "blue.txt", "row\n")
    at(3, "21:00")
    assert "turn-1 is adjudicated" in ticked(game)
    game.orders(2, "red.txt", "row\n")
    at(5, "19:00")
    assert "reminded blue" in ticked(game)
    (game.folder / "orders/turn-2/red.txt").unlink()
    at(5, "21:00")
    assert "turn-2 is adjudicated" in ticked(game)  # half of them is not more than half
    at(7, "21:00")
    told = ticked(game, 1)
    assert "nothing has come from red" in told
    assert "turn-3 is adjudicated" in ticked(game, 0, "--force")


def test_the_absent_are_neither_reminded_nor_waited_for(tmp_path: Path, at: Any) -> None:
    game = new_regatta(tmp_path / "spring", "--length", 3)
    settings(game, f'address = "{GM}"\n', early="true")
    assert game("start").status == 0
    assert game("absent", "blue", "--until", "turn-1").out == "blue is away until turn-1.\n"
    game.orders(1, "red.txt", "row\n")
    at(2, "21:00")
    told = ticked(game)
    assert "reminded" not in told
    assert "turn-1 is adjudicated" in told
    assert (
        game("absent", "blue", "--until", "turn-1").sentence == "turn-1 is past; name turn-2 or a later one."
    )
    assert game("absent", "blue", "--back").out == "blue is back.\n"
    assert game("absent", "blue").status == 2


# Servers that say no.


def test_a_refused_address_does_not_stop_the_others(served: Regatta, smtp: Smtp) -> None:
    smtp.refused.add("ann@example.org")
    ran = served("send", 0)
    assert ran.status == 0
    assert "ann@example.org is refused by the mail server" in ran.err
    assert kinds(smtp.messages()) == ["report"]
    assert smtp.messages()[0]["To"] == "Bert Boyd <bert@example.org>"
    again = served("send", 0)
    assert again.out.startswith("turn-0 was sent before.")
    assert len(smtp.messages()) == 1


def test_mail_waits_until_the_server_is_back(served: Regatta, smtp: Smtp) -> None:
    path = served.folder / "game.toml"
    text = path.read_text()
    path.write_text(re.sub(r'out = "[^"]*"', 'out = "smtp://127.0.0.1:1"', text))
    assert "No mail could be sent by 127.0.0.1" in served("send", 0).err
    path.write_text(text)
    ticked(served)
    assert len(smtp.messages()) == 2
    assert len({message["Message-ID"] for message in smtp.messages()}) == 2


def test_seen_is_told_after_the_log_has_it(served: Regatta, smtp: Smtp, imap: Imap) -> None:
    write(smtp, "ann@example.org", f"key: {key(1, 'red')}\nrow\n")
    (told,) = served("receive", "--json").json()
    assert (told["outcome"], told["seat"]) == ("accepted", "red")
    assert served("receive", "--json").json() == []
    (kept,) = (imap.maildir / "cur").iterdir()
    assert kept.name.endswith(":2,S")


def test_200_megabytes_by_imap(served: Regatta, imap: Imap) -> None:
    head = b"From: Ann <ann@example.org>\r\nSubject: big\r\nMessage-ID: <big@example.org>\r\n\r\n"
    name = imap.maildir / "tmp" / "1.M1P1.big"
    with name.open("wb") as file:
        file.write(head)
        file.truncate(200_000_000)
    name.chmod(0o666)
    name.rename(imap.maildir / "new" / name.name)
    (told,) = served("receive", "--json").json()
    assert (told["outcome"], told["receipt_to"]) == ("refused", "ann@example.org")
    assert "bytes; mails of at most 1,048,576 are read" in told["reason"]
