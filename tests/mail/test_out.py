"""What goes out: reports that any mail program shows, and whose answers come back readable (docs/mail.md, 8)."""

import re
import shutil
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import escape
from pathlib import Path
from typing import Any

import pytest

from tests.commands import pbem
from tests.mail.corpus_game import CRIMSON, NOW
from tests.mail.test_corpus import prepared, received

# ruff: noqa: E501 - messages as mail programs write them

__all__ = ["prepared"]


@pytest.fixture
def game(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOW)
    return Path(shutil.copytree(prepared, tmp_path / prepared.name))


def outbox(game: Path) -> list[EmailMessage]:
    found = [path.read_bytes() for path in sorted((game / "outbox" / "new").iterdir())]
    messages = [message_from_bytes(data, policy=default) for data in found]
    return [message for message in messages if isinstance(message, EmailMessage)]


@pytest.fixture
def report(game: Path) -> EmailMessage:
    assert pbem("-C", game, "send", "turn-1").status == 0
    (found,) = (message for message in outbox(game) if "crimson" in message["Subject"])
    return found


def content(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    text: str = body.get_content()
    return text.replace("\r\n", "\n")


def test_headers(report: EmailMessage) -> None:
    assert report["Subject"] == "[glade-cup] turn-1 report: crimson"
    assert report["To"] == "Ada <ada@example.org>"
    assert report["Auto-Submitted"] == "auto-generated"
    assert report["List-Id"] == "<glade-cup.pbem.example.net>"
    assert report["Message-ID"] == "<glade-cup.turn-1.crimson.report@example.net>"
    assert report["In-Reply-To"] == "<glade-cup.turn-0.crimson.report@example.net>"
    assert report["X-Pbem"] == "glade-cup report"
    assert report["Reply-To"] == f"gm+{CRIMSON.replace('-', '')}@example.net"


def test_the_text_reads_well_at_72_columns(report: EmailMessage) -> None:
    text = content(report, "plain")
    assert max(map(len, text.splitlines())) <= 72
    for part in ("Your next turn", "Your orders", "Order template for turn 2", f"key: {CRIMSON}\n"):
        assert part in text
    assert len(text) < 6000


def test_the_html_is_small_and_plain(report: EmailMessage) -> None:
    html = content(report, "html")
    body = report.get_body(("html",))
    assert body is not None
    assert len(body.as_bytes()) < 100_000
    assert not re.search(
        r"<(?:svg|script|style|link|iframe|form)\b|\bon\w+=|javascript:|https?:", html, re.IGNORECASE
    )
    (cid,) = re.findall(r'<img src="cid:([^"]+)"', html)
    (picture,) = (part for part in report.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == f"<{cid}>"
    data: Any = picture.get_content()
    assert data.startswith(b"\x89PNG")
    assert len(data) < 300_000


def test_the_whole_report_is_attached_as_it_lies_in_the_folder(game: Path, report: EmailMessage) -> None:
    (attached,) = report.iter_attachments()
    assert attached.get_filename() == "glade-cup-turn-1-crimson.html"
    assert attached.get_content_type() == "text/html"
    assert attached.get_payload(decode=True) == (game / "players/crimson/turn-1.html").read_bytes()


def test_names_begin_no_header(game: Path) -> None:
    path = game / "game.toml"
    path.write_text(
        path.read_text().replace('name = "Ada"', 'name = "Ada\\r\\nBcc: x@example.com\\u2028\\u0085Y: z"')
    )
    assert pbem("-C", game, "send", "1").status == 0
    (found,) = (message for message in outbox(game) if "crimson" in message["Subject"])
    assert found["Bcc"] is None
    assert found["Y"] is None
    assert found["To"].addresses[0].addr_spec == "ada@example.org"


@pytest.mark.parametrize("address", ["ada", "ada@", "a@b@c d", "ada@example.org\\nBcc: x@example.com", "<>"])
def test_an_address_that_is_none_is_told_and_stops_nobody(game: Path, address: str) -> None:
    path = game / "game.toml"
    path.write_text(path.read_text().replace("ada@example.org", address))
    ran = pbem("-C", game, "send", "1")
    assert ran.status == 0
    assert "is no address that mail can be sent to" in ran.err
    assert [message["To"] for message in outbox(game)] == ["Ben <ben@example.org>"]


def test_addresses_beyond_ascii(game: Path) -> None:
    path = game / "game.toml"
    path.write_text(path.read_text().replace("ada@example.org", "ada@exämple.org").replace("ben@", "bén@"))
    assert "'bén@example.org' is no address that mail can be sent to" in pbem("-C", game, "send", "1").err
    assert [message["To"] for message in outbox(game)] == ["Ada <ada@xn--exmple-cua.org>"]


# Answers, as four mail programs quote.

ORDER = "move wizard to D5"
WHEN = "Mon, 30 Nov 2026 at 06:00"
MANY = "move wizard to D5\ncast forest at E5-E6"


def filled_in(text: str) -> str:
    """The order template at the end of a report, with an order put in above `end`."""
    template = text[text.rindex("game: glade-cup") :]
    return template.replace("\nend\n", f"\n{MANY}\nend\n")


def marked(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def gmail(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    who = f"On {WHEN}, pbem: glade-cup <gm@example.net> wrote:"
    answer.set_content(f"{text}\n{who}\n\n{marked(content(report, 'plain'))}")
    lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.splitlines())
    quoted = f'<blockquote class="gmail_quote">{content(report, "html")}</blockquote>'
    answer.add_alternative(
        f'<div dir="ltr">{lines}</div><br><div class="gmail_quote"><div class="gmail_attr">{escape(who)}<br></div>{quoted}</div>',
        subtype="html",
    )
    return answer


def gmail_html_alone(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    answer.set_content(content(gmail(report, text), "html"), subtype="html")
    return answer


def outlook(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    fields = (
        "From: pbem: glade-cup <gm@example.net>\nSent: Monday, November 30, 2026 6:00 AM\n"
        "To: Ada <ada@example.org>\nSubject: [glade-cup] turn-1 report: crimson\n"
    )
    answer.set_content(f"{text}\n{fields}\n{content(report, 'plain')}", cte="quoted-printable")
    return answer


def outlook_html_alone(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    lines = "".join(
        f'<p class="MsoNormal">{escape(line) or "<o:p>&nbsp;</o:p>"}</p>\n' for line in text.splitlines()
    )
    rule = '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    fields = '<p class="MsoNormal"><b>From:</b> glade-cup &lt;gm@example.net&gt; <br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> report</p>'
    answer.set_content(
        f'<html><body><div class="WordSection1">{lines}{rule}{fields}</div></div>{content(report, "html")}</div></body></html>',
        subtype="html",
    )
    return answer


def apple(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    answer.set_content(
        f"{text}\n> On 30 Nov 2026, at 06:00, glade-cup <gm@example.net> wrote:\n> \n{marked(content(report, 'plain'))}"
    )
    quoted = f'<blockquote type="cite"><div>On 30 Nov 2026, at 06:00, glade-cup &lt;gm@example.net&gt; wrote:</div><br>{content(report, "html")}</blockquote>'
    answer.add_alternative(
        f"<html><body>{escape(text).replace(chr(10), '<br>')}<div>{quoted}</div></body></html>",
        subtype="html",
    )
    return answer


def thunderbird(report: EmailMessage, text: str) -> EmailMessage:
    answer = EmailMessage()
    flowed = "\n".join(
        f" {line}" if line.startswith((" ", ">", "From ")) else line for line in text.splitlines()
    )
    answer.set_content(
        f"{flowed}\n\nAm 30.11.26 um 06:00 schrieb pbem: glade-cup:\n{marked(content(report, 'plain'))}"
    )
    answer.set_param("format", "flowed")
    return answer


PROGRAMS = [gmail, gmail_html_alone, outlook, outlook_html_alone, apple, thunderbird]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("how", ["the template filled in", "orders alone"])
def test_answering_the_report(
    program: Any, how: str, game: Path, report: EmailMessage, tmp_path: Path
) -> None:
    text = filled_in(content(report, "plain")) if how == "the template filled in" else f"{MANY}\n"
    answer = program(report, text)
    answer["From"], answer["To"] = "Ada <ada@example.org>", "gm@example.net"
    answer["Subject"], answer["Message-ID"] = f"Re: {report['Subject']}", "<answer@example.org>"
    answer["In-Reply-To"] = report["Message-ID"]
    path = tmp_path / "answer.eml"
    path.write_bytes(answer.as_bytes())
    (told,) = received(game, path)
    assert told["outcome"] == "accepted", told["reason"]
    assert [order["text"] for order in told["orders"]] == MANY.split("\n")
    assert told["problems"] == []
