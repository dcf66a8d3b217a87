"""Mail that means harm, and mail in bulk: one outcome each, bounded time and memory (docs/mail.md)."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter as Tally
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.letter import read_letter
from tests.commands import pbem
from tests.mail.corpus_game import CRIMSON, NOW
from tests.mail.generate import BLOCK, HEADER, message, mixed, part, parts
from tests.mail.junk import mailbox
from tests.mail.test_corpus import game, prepared, received

# ruff: noqa: E501 - messages as they are

__all__ = ["game", "prepared"]


def nested(depth: int, filling: bytes) -> bytes:
    head = b"".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n".encode() for n in range(depth)
    )
    return message(b"", subject=CRIMSON)[:-1] + head + filling


BOMBS: dict[str, bytes] = {
    "deep": nested(1500, part(BLOCK)),
    "deep with many lines": nested(90, b"\n" + b"a\n" * 400_000),
    "many parts": mixed(parts("multipart/mixed", *[part("x\n")] * 60_000, part(BLOCK))),
    "many attachments": mixed(
        parts("multipart/mixed", *[part(BLOCK, 'Content-Type: text/plain; name="a"')] * 2000)
    ),
    "many short lines": message("a\n" * 500_000, subject=CRIMSON),
    "many order lines below a quote": message(f"> x\n{HEADER}\n> y\n" + "hold \n" * 150_000),
    "many fields": message(BLOCK, *[f"X-{n}: {n}" for n in range(40_000)]),
    "long field": message(BLOCK, "X-Long: " + "x" * 900_000),
    "long line": message(f"{HEADER}\n{'x' * 900_000}\n"),
    "long subject": message(BLOCK, subject="=?utf-8?q?" + "=41" * 200_000 + "?="),
    "many addresses": message(BLOCK, "Cc: " + "<a@b>, " * 100_000),
    "colons": message(f"{HEADER}\n" + "a: " * 300_000),
    "dashes": message(f"{HEADER}\n" + "a-" * 400_000),
    "comments in html": message("<!--" * 200_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "open tags": message("<a " * 300_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "deep html": message("<div>" * 100_000 + BLOCK + "</div>" * 50_000, kind="text/html", subject=CRIMSON),
    "blockquotes": message("<blockquote>" * 50_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "marked sections": message("<![if>" * 100_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "ampersands": message("&#" * 300_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "quotation marks": message(">" * 900_000 + "\n", subject=CRIMSON),
    "equals signs": message("=" * 900_000, subject=CRIMSON, cte="quoted-printable"),
    "charset": message(BLOCK, charset="x" * 100_000),
    "numbered parameters": message(BLOCK, kind="text/plain", params="; a*0=b" * 50_000),
    "tags in html": message("<" * 500_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "quotes in tags": message("<a b='" * 100_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "closing tags": message("</a " * 100_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "character data": message("<![CDATA[" * 100_000 + BLOCK, kind="text/html", subject=CRIMSON),
    "rules": message("<p style='border-top:solid " + "a" * 900_000 + "'>", kind="text/html", subject=CRIMSON),
    "attributions": message("a\nb\nOn 2026 wrote:\n" * 40_000, subject=CRIMSON),
    "years": message("2026 " * 200_000 + ":\n> x\n", subject=CRIMSON),
    "fields": message("a: 2026\n\n" * 100_000, subject=CRIMSON),
    "blanks in an order": message(f"{HEADER}hold{' ' * 60_000}x\n"),
    "blanks behind press": message(f"{HEADER}hold\npress to{' ' * 60_000}x\n"),
    "blanks behind a key": message(f"{HEADER}hold\nkey: x{' ' * 60_000}y\n"),
    "comments in From": message(BLOCK, sender="(" * 5_000),
    "comments in From, and no key": message("hold\n", sender="(" * 5_000 + "ada@example.org"),
    "groups in From": message(BLOCK, sender=":" * 5_000),
    "one group in the other": message("hold\n", sender="(a:" * 5_000 + "@"),
    "many From fields": message("hold\n", *[f"From: {'x@y.org, ' * 100}"] * 900),
    "comments everywhere": message(
        BLOCK, *[f"{name}: {'(' * 5_000}" for name in ("To", "Cc", "References", "Precedence")]
    ),
    "blanks at line ends": message(f"{' ' * 900_000}x\n{BLOCK}", cte="quoted-printable"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_has_one_outcome(name: str, game: Path, tmp_path: Path) -> None:
    """How long it takes is measured by `python -m benchmarks.mailbox`."""
    path = tmp_path / "bomb.eml"
    path.write_bytes(BOMBS[name])
    (told,) = received(game, path)
    assert told["outcome"] in {"accepted", "refused", "quarantined"}


FIELDS = ("From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Reply-To", "Sender", "List-Id")
INJECTIONS = (
    "x\n\tBcc: victim@example.com",
    "=?utf-8?q?x=0D=0ABcc:_victim=40example.com?= <ada@example.org>",
    "<a@b>\r\n\t<c@d>\r\n Bcc: victim@example.com",
    "\x85\u2028Bcc: victim@example.com",
)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", INJECTIONS, ids=range(len(INJECTIONS)))
def test_no_header_can_be_put_into_an_answer(field: str, value: str, game: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.eml"
    head = [f"{name}: {value if name == field else f'<{name}@example.org>'}" for name in FIELDS]
    path.write_bytes("\n".join(head).encode() + b"\n\n" + BLOCK.encode())
    (told,) = received(game, path)
    assert told["outcome"] == "accepted"
    (answer,) = (game / "outbox" / "new").iterdir()
    data = answer.read_bytes()
    sent: Any = message_from_bytes(data, policy=default)
    assert [address.addr_spec for address in sent["To"].addresses] == ["ada@example.org"]
    header = data.partition(b"\r\n\r\n")[0]
    assert b"victim" not in header
    assert all(line[:1] in b" \t" or b":" in line for line in header.split(b"\r\n"))


def test_twenty_receipts_a_seat_and_day(game: Path, tmp_path: Path) -> None:
    for number in range(23):
        (tmp_path / f"{number:02}.eml").write_bytes(
            f"From: ada@example.org\nMessage-ID: <{number}@x>\n\n{HEADER}\nmove wizard to D5 # {number}\n".encode()
        )
    told = received(game, tmp_path)
    assert {each["outcome"] for each in told} == {"accepted"}
    assert [each["receipt_to"] for each in told] == ["ada@example.org"] * 20 + [None] * 3
    assert len(list((game / "outbox/new").iterdir())) == 20


def test_any_bytes_are_taken_apart() -> None:
    from hypothesis import given, settings
    from hypothesis import strategies as st

    pieces = st.sampled_from(
        [b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n", b"--x--\n", b"\n", b"From: a@b\n", b"\x00", b"=?",
         b"Content-Type: text/plain; charset*=utf-8''%ff\n", b"Content-Type: message/rfc822\n", b"\xff\xfe", b"\r",
         b"Content-Transfer-Encoding: base64\n", b"Content-Disposition: attachment; filename*0*=x''%\n", b": \n"]
    )  # fmt: skip

    @settings(deadline=None)
    @given(st.lists(pieces | st.binary(max_size=8), max_size=14))
    def taken_apart(chosen: list[bytes]) -> None:
        read_letter(b"".join(chosen))

    taken_apart()


# In bulk.


def measured(game: Path, box: Path) -> tuple[list[dict[str, Any]], int]:
    """What became of a mailbox, and the peak memory, in KiB, of taking it in, in a process of its own."""
    program = (
        # Not ru_maxrss, which a child inherits from a large parent.
        "import sys; from pbem.cli import run; run(sys.argv[1:]);"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, "-C", str(game), "receive", "--json", str(box)],
        capture_output=True, text=True, check=True, env={**os.environ, "PBEM_NOW": NOW},
    )  # fmt: skip
    assert "Traceback" not in ran.stderr
    return json.loads(ran.stdout), int(ran.stderr.split()[-1])


def test_a_mailbox_of_two_thousand(prepared: Path, tmp_path: Path) -> None:
    small = Path(shutil.copytree(prepared, tmp_path / "small" / prepared.name))
    large = Path(shutil.copytree(prepared, tmp_path / "large" / prepared.name))
    mailbox(tmp_path / "500", 500, 50)
    messages = mailbox(tmp_path / "2000", 2000, 200)
    few, memory_of_500 = measured(small, tmp_path / "500")
    told, memory = measured(large, tmp_path / "2000")
    assert memory < memory_of_500 * 1.1
    assert (len(few), len(told)) == (500, 2000)
    assert [each["source"] for each in told] == sorted(each["source"] for each in told)
    assert Tally(each["outcome"] for each in told)["accepted"] == 200
    rows = pbem("-C", large, "log", "--json").json()
    assert sum(row["kind"] == "orders_received" for row in rows) == 200
    assert len(list((large / "mail/kept").glob("*.eml"))) == len(set(messages))


def test_the_limit_of_memory_is_one_message(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "large.mbox"
    with path.open("wb") as file:
        for number in range(3):
            file.write(
                b"From x Mon Nov 30 05:50:00 2026\nFrom: ada@example.org\nMessage-ID: <%d@x>\n\n" % number
            )
            for _ in range(400):
                file.write(b"x" * 99_999 + b"\n")
            file.write(b"\n")
    _, memory = measured(game, path)
    assert memory * 1024 < 3 * 40_000_000
