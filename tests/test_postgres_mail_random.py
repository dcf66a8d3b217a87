"""Whether games rest or are awake changes nothing of what becomes of mail, whatever happens to them."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from email.header import Header
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.dice import order_key
from pbem.game import Game
from pbem.home import close_databases
from tests.commands import SECRET, Regatta, pbem
from tests.postgres import PASSWORD, Server
from tests.scale import scaled
from tests.test_postgres import NOW, query
from tests.test_postgres_tick import due, weekly

STEPS = 24
NAMES = ("autumn", "spring", "winter")
SEATS = ("red", "blue")
ADDRESSES = (
    "ann@example.org", "BERT@Example.org", "cy@example.org", "straße@example.org", "STRASSE@example.org",
)  # fmt: skip
AWAKE = "UPDATE games SET wake = '-infinity'; DELETE FROM marks; DELETE FROM mailboxes"


@pytest.fixture(autouse=True)
def _clock_and_password(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PBEM_NOW", NOW)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    yield
    close_databases()


class World:
    """A database of games, all of which rest, or none, whenever mail comes."""

    def __init__(self, folder: Path, url: str, *, rests: bool) -> None:
        self.folder, self.url, self.rests = folder, url, rests
        folder.mkdir()
        self.away: dict[str, Path] = {}
        """Games that are in a folder meanwhile."""

    def game(self, name: str) -> Regatta:
        return Regatta(self.away.get(name, self.folder / name))

    def found(self, name: str) -> None:
        mail = '[mail]\naddress = "gm@example.net"\nplus = true\n'
        weekly(self.folder / name, self.url, mail)

    def receive(self, letter: bytes) -> tuple[int, Any, str]:
        if not self.rests:
            query(self.url, AWAKE)
        ran = pbem("-C", self.folder, "receive", "--games", self.url, "-", "--json", stdin=letter)
        return ran.status, json.loads(ran.out or "null"), ran.err

    def tick(self) -> None:
        assert pbem("-C", self.folder, "tick", "--games", self.url).status == 0
        assert due(self.url, Game(self.game("spring").folder).moment()) == []

    def all_that_came_of_it(self) -> dict[str, Any]:
        return {
            "log": query(self.url, "SELECT game, version, kind, data, at, hash FROM events ORDER BY 1, 2"),
            "journal": query(self.url, "SELECT name, entry FROM journal ORDER BY place"),
            "answers": query(self.url, "SELECT game, identity FROM outbox ORDER BY 1, 2"),
        }


def key_at(dice: Random, name: str) -> str:
    """Of a seat and a turn that may be open, have been or never will be; replaced or not yet issued."""
    seat, turn, issue = dice.choice(SEATS), dice.choice((0, 1, 1, 2, 2, 3, 4)), dice.choice((1, 1, 1, 2, 3))
    return order_key(bytes.fromhex(SECRET), name, turn, seat, issue)


def current_key(dice: Random, world: World, name: str) -> str:
    game = Game(world.game(name).folder)
    seat = dice.choice(SEATS)
    return order_key(game.secret, name, game.contest.turn, seat, game.contest.issue(seat))


DISGUISES: tuple[Callable[[str], str], ...] = (
    str,
    str.lower,
    lambda key: key.replace("-", ""),
    lambda key: key.lower().replace("0", "o").replace("1", "l"),
    lambda key: key.replace("0", "O").replace("1", "I"),
    lambda key: key.replace("-", "\u2013"),
    lambda key: key.replace("-", "-\u200b"),
    lambda key: "".join(chr(ord(sign) + 0xFEE0) for sign in key),
    lambda key: key.replace("A", "\u0410").replace("C", "\u0421"),  # Cyrillic: no key
    lambda key: f"x{key}",
    lambda key: key[:-1],
)


def letter(dice: Random, number: int, keys: list[str]) -> bytes:
    """One of any kind, which holds these keys somewhere."""
    message = EmailMessage()
    sender = dice.choice((*ADDRESSES, "who@example.org"))
    senders = (
        sender,
        sender.upper(),
        f"Ann ({sender}) <{sender}>",
        f"{sender}, {ADDRESSES[0]}",
        f"<{sender}>",
    )
    fields = [("From", dice.choice(senders))]
    shown = [dice.choice(DISGUISES)(key) if dice.random() < 0.6 else key for key in keys]
    lines = [f"key: {each}" for each in shown] + [dice.choice(("row", "sail else row", "fly", "status", ""))]
    text = "\n".join([*lines, dice.choice(("end", "", "PARTICULARLY unscrupulous 000000000000"))])
    where = dice.choice(
        ("body",) * 8
        + ("subject", "encoded subject", "address", "quoted", "forwarded", "attached", "html", "utf-16")
        + ("broken", "large", "automatic", "inside", "windows")
    )
    subject, to, kind, body = "orders", "gm@example.net", "text/plain; charset=utf-8", text.encode()
    joined = " ".join(shown)
    if where in {"subject", "large"}:
        subject, body = joined, b"row\n"
    elif where == "encoded subject":
        subject, body = Header(joined, "utf-8").encode(), b"row\nend\n"
    elif where == "address":
        to = ", ".join(f"gm+{key.replace('-', '')}@example.net" for key in shown) or to
        body = b"row\nend\n"
    elif where == "quoted":
        body = ("row\n\nOn Monday, GM wrote:\n" + "".join(f"> {line}\n" for line in lines)).encode()
    elif where == "forwarded":
        body = f"See.\n\n---------- Forwarded message\nFrom: x\n\n{text}".encode()
    elif where == "html":
        markup = "".join(f"<p>{line.replace('-', '<b>-</b>')}</p>" for line in lines)
        kind, body = "text/html; charset=utf-8", markup.encode()
    elif where == "utf-16":
        kind, body = (
            'text/plain; charset="utf-16"\nContent-Transfer-Encoding: base64',
            b64encode(text.encode("utf-16")),
        )
    elif where == "windows":
        kind, body = (
            "text/plain; charset=iso-8859-1",
            text.encode("windows-1252", "replace") + b"\n\x93ahoy\x94",
        )
    elif where in {"attached", "inside"}:
        inner = "message/rfc822" if where == "inside" else 'text/plain; name="red.txt"'
        between = b"Subject: x\n\n" if where == "inside" else b""
        kind = 'multipart/mixed; boundary="B"'
        body = b"--B\n\nHello.\n--B\nContent-Type: %b\n\n%b%b\n--B--\n" % (inner.encode(), between, body)
    elif where == "broken":
        kind = 'multipart/mixed; boundary="B"'
        body = b"--C\n\n" + body
    elif where == "automatic":
        fields.append(("Auto-Submitted", "auto-replied"))
    if where == "large":
        body += b"x" * 1_100_000
    del message
    fields += [
        (dice.choice(("To", "Cc", "Delivered-To", "X-Original-To")), to),
        ("Subject", subject),
        ("Message-ID", f"<{dice.choice((number, number, number // 2))}@x>"),
        ("Content-Type", kind),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields).encode() + b"\n" + body


def something_happens(dice: Random, number: int, worlds: tuple[World, World], games: list[str]) -> None:
    """The same in both worlds."""
    name, seat, address = dice.choice(games), dice.choice(SEATS), dice.choice(ADDRESSES)
    what = dice.choice(
        ("adjudicate",) * 4 + ("reopen", "seat", "seat", "key", "settings", "plus", "copy", "new")
    )
    new = next((each for each in NAMES if each not in games), None)
    statuses: list[list[int]] = []
    for world in worlds:
        done: list[int] = []
        statuses.append(done)
        game = world.game(name)
        host = Game(game.folder)
        turn = host.contest.turn
        if what == "new" and new:
            world.found(new)
        elif what == "adjudicate":
            done.append(game("adjudicate", turn, "--allow-missing").status)
        elif what == "reopen":
            done.append(game("reopen", max(1, turn - 1), "--reason", "A slip.").status)
        elif what == "seat":
            done.append(game("seat", seat, "--name", "Dee", "--email", address).status)
        elif what == "key":
            done.append(game("key", seat, "--new").status)
        elif what in {"settings", "plus"}:
            text = game("settings").out
            old, other = ("plus = true", "plus = false") if what == "plus" else ("bert@", "Ann@")
            text = text.replace(old, other) if old in text else text.replace(other, old)
            done.append(game("settings", "-", stdin=text.encode()).status)
        elif what == "copy":
            if name in world.away:
                done.append(game("copy", world.url).status)
                del world.away[name]
            else:
                away = world.folder / f"away-{number}" / name
                away.parent.mkdir()
                done.append(game("copy", away).status)
                world.away[name] = away
                done.append(world.game(name)("key", seat, "--new").status)
    assert statuses[0] == statuses[1]
    if what == "new" and new:
        games.append(new)


@pytest.mark.parametrize("seed", range(scaled(40)))
def test_rest_changes_nothing(seed: int, postgres: Server, tmp_path: Path) -> None:
    dice, games = Random(seed), ["spring", "autumn"]
    worlds = (
        World(tmp_path / "rests", postgres.database(), rests=True),
        World(tmp_path / "awake", postgres.database(), rests=False),
    )
    for world in worlds:
        for name in games:
            world.found(name)
    seen, handed_out = set[str](), list[str]()
    for number in range(STEPS):
        if dice.random() < 0.6:
            something_happens(dice, number, worlds, games)
        if dice.random() < 0.7:
            for world in worlds:
                world.tick()
        handed_out += [current_key(dice, worlds[0], name) for name in games]
        keys = [
            dice.choice(
                (
                    key_at(dice, dice.choice(games)),
                    dice.choice(handed_out),
                    dice.choice(handed_out),
                    dice.choice(handed_out[-len(games) :]),
                )
            )
            for _ in range(dice.choice((0, 1, 1, 1, 1, 1, 2)))
        ]
        message = letter(dice, number, keys)
        resting, awake = (world.receive(message) for world in worlds)
        assert resting == awake, (seed, number, message[:2000])
        seen.update(each["outcome"] for each in resting[1])
        assert worlds[0].all_that_came_of_it() == worlds[1].all_that_came_of_it(), (seed, number)
    assert len(seen) > 1
