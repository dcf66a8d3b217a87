"""A mailbox of good mail, junk, automatic mail, duplicates and broken MIME, as a busy address gets it."""

import random
from pathlib import Path

from tests.mail.corpus_game import CRIMSON, GAME

# ruff: noqa: E501 - messages as they are

WORDS = [
    "dear",
    "friend",
    "offer",
    "winner",
    "pills",
    "bank",
    "account",
    "urgent",
    "hello",
    "meeting",
    "report",
]


def good(number: int) -> bytes:
    return (
        f"From: Ada <ada@example.org>\nTo: gm@example.net\nSubject: orders\nMessage-ID: <good-{number}@example.org>\n"
        f"Received: from mx.example.org by example.net; Mon, 30 Nov 2026 05:50:00 +0000\n\n"
        f"game: {GAME}\nturn: 2\nplayer: crimson\nkey: {CRIMSON}\n\nmove wizard to D5 # {number}\nend\n"
    ).encode()


def prose(chance: random.Random, lines: int) -> str:
    return "\n".join(" ".join(chance.choices(WORDS, k=10)) for _ in range(lines))


def junk(number: int, chance: random.Random) -> bytes:
    head = (
        f"Return-Path: <s{number}@example.com>\nReceived: from a by b; Mon, 30 Nov 2026 05:50:00 +0000\n"
        f"From: =?utf-8?q?S=C3=A9_{number}?= <s{number}@example.com>\nTo: gm@example.net\nSubject: {prose(chance, 1)}\n"
        f"Message-ID: <junk-{number}@example.com>\nMIME-Version: 1.0\n"
    )
    text = prose(chance, 40)
    html = "".join(
        f'<p style="margin:0"><a href="https://example.com/{n}">{line}</a></p>'
        for n, line in enumerate(text.split("\n"))
    )
    match number % 5:
        case 0:
            body = f'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n{text}\n--b\nContent-Type: text/html; charset=utf-8\n\n{html}\n--b--\n'
        case 1:
            body = f"Content-Type: text/html; charset=utf-8\n\n<html><body>{html}</body></html>\n"
        case 2:
            body = f"Precedence: bulk\nContent-Type: text/plain; charset=iso-8859-1\n\n{text}\n"
        case 3:  # no closing boundary, and a header line that is none
            body = f'Content-Type: multipart/mixed; boundary="c"\nbroken\n\n--c\nContent-Transfer-Encoding: base64\n\n!!!!\n--d\n{text}\n'
        case _:
            body = f"Content-Type: text/plain; charset=x-unknown\nContent-Transfer-Encoding: quoted-printable\n\n{text.replace('o', '=6F')}\n"
    return (head + body).encode()


def mailbox(folder: Path, count: int, of_these_good: int, seed: int = 7) -> list[bytes]:
    """A Maildir of `count` messages; gives their bytes in order of arrival. One in ten comes twice."""
    chance = random.Random(seed)
    step = count // of_these_good
    messages: list[bytes] = []
    for number in range(count):
        if number % step == 0:
            messages.append(good(number))
        elif number % 10 == 9:
            messages.append(chance.choice(messages))
        else:
            messages.append(junk(number, chance))
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, data in enumerate(messages):
        (folder / "new" / f"{1_796_000_000 + number}.M1P1.test").write_bytes(data)
    return messages
