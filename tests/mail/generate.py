"""Messages as bytes, each with its expected outcome, subject by subject; `corpus.py` writes them as files.

What is expected is written down here, from docs/mail.md, and never taken from what the program does.
"""

# ruff: noqa: RUF001, E501 - signs that look like others are what is tested; so is the length of lines

import base64
import quopri
from typing import Any

from tests.mail.corpus_game import AZURE, AZURE_REPLACED, CRIMSON, GAME, NOBODYS, OLD

ORDERS = "move wizard to D5\ncast forest at E5-E6\n"
HEADER = f"game: {GAME}\nturn: 2\nplayer: crimson\nkey: {CRIMSON}\n"
BLOCK = f"{HEADER}\n{ORDERS}end\n"
READ = [[6, "move wizard to D5"], [7, "cast forest at E5-E6"]]
MOVE = "move wizard to D5"
ATTRIBUTION = "On Mon, 30 Nov 2026 at 06:00, The GM <gm@example.net> wrote:"
QUOTE = f"> Orders for turn 2 are due.\n> game: {GAME}\n> turn: 2\n> player: crimson\n> key: {CRIMSON}\n>\n> end\n"
UNMARKED = QUOTE.replace("> ", "").replace(">", "")

cases: dict[str, tuple[bytes, dict[str, Any]]] = {}


def message(
    body: str | bytes,
    *fields: str,
    charset: str = "",
    kind: str = "text/plain",
    cte: str = "",
    params: str = "",
    sender: str = "Ada <ada@example.org>",
    subject: str = "my orders",
    identity: str = "",
) -> bytes:
    number = len(cases) + 1
    head = [
        f"From: {sender}",
        "To: gm@example.net",
        f"Subject: {subject}",
        f"Message-ID: {identity or f'<{number}@example.org>'}",
        "Date: Mon, 30 Nov 2026 05:50:00 +0000",
        *fields,
    ]
    if charset or cte or params or kind != "text/plain":
        parameter = (f"; charset={charset}" if charset else "") + params
        head += ["MIME-Version: 1.0", f"Content-Type: {kind}{parameter}"]
    if cte:
        head.append(f"Content-Transfer-Encoding: {cte}")
    data = body.encode() if isinstance(body, str) else body
    return "\n".join(head).encode() + b"\n\n" + data


def parts(kind: str, *children: bytes, close: bool = True, boundary: str = "") -> tuple[bytes, str]:
    """A container's body, and its Content-Type field."""
    boundary = boundary or f"b{len(cases)}-{kind.rpartition('/')[2]}"
    body = b"".join(f"--{boundary}\n".encode() + child + b"\n" for child in children)
    return body + (
        f"--{boundary}--\n".encode() if close else b""
    ), f'Content-Type: {kind}; boundary="{boundary}"'


def part(body: str | bytes, *fields: str) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    return b"".join(f"{field}\n".encode() for field in fields) + b"\n" + data


def inside(container: tuple[bytes, str]) -> bytes:
    return part(container[0], container[1])


def mixed(container: tuple[bytes, str], *fields: str, **more: str) -> bytes:
    return message(container[0], "MIME-Version: 1.0", container[1], *fields, **more)


def attached(body: str | bytes, name: str = "orders.txt", kind: str = "text/plain", *fields: str) -> bytes:
    return part(
        body,
        f'Content-Type: {kind}; name="{name}"',
        f'Content-Disposition: attachment; filename="{name}"',
        *fields,
    )


def case(name: str, data: bytes, outcome: str = "accepted", suffix: str = "eml", **expected: Any) -> None:
    """One message. What is not said of an accepted one: crimson's two orders, nothing wrong, a receipt to Ada."""
    name = f"{name}.{suffix}"
    assert name not in cases, name
    cases[name] = data, whole(outcome, **expected)


def case_of_several(name: str, data: bytes, *expected: dict[str, Any]) -> None:
    """A file of several messages, what is expected of each in their order."""
    assert name not in cases, name
    cases[name] = data, {"messages": [whole(**each) for each in expected]}


def whole(outcome: str = "accepted", **expected: Any) -> dict[str, Any]:
    """An expectation with what goes without saying."""
    usual: dict[str, dict[str, Any]] = {
        "accepted": {"seat": "crimson", "turn": 2, "orders": READ, "receipt_to": "ada@example.org"},
        "refused": {"seat": "crimson", "turn": 2, "orders": [], "receipt_to": "ada@example.org"},
        "duplicate": {"seat": "crimson", "turn": 2, "orders": [], "receipt_to": None},
        "ignored": {"seat": None, "turn": None, "orders": [], "receipt_to": None},
        "quarantined": {"seat": None, "turn": None, "orders": [], "receipt_to": None},
    }
    return {"outcome": outcome, **usual[outcome], "problems": [], "repairs": [], "reason": None, **expected}


def who_and_which_turn() -> None:
    case("1-key-line", message(BLOCK))
    case(
        "1-key-in-quoted-text",
        message(f"{ORDERS}\n{ATTRIBUTION}\n{QUOTE}"),
        orders=[[1, MOVE], [2, READ[1][1]]],
    )
    case(
        "1-key-in-subject",
        message(ORDERS, subject=f"Re: orders {CRIMSON}"),
        orders=[[1, MOVE], [2, READ[1][1]]],
    )
    case(
        "1-key-in-encoded-subject",
        message(ORDERS, subject=f"=?utf-8?q?f=C3=BCr_{CRIMSON}?="),
        orders=[[1, MOVE], [2, READ[1][1]]],
    )
    bare = CRIMSON.replace("-", "")
    for field in ("Delivered-To", "X-Original-To", "Cc"):
        case(
            f"1-key-in-{field.lower()}",
            message(ORDERS, f"{field}: gm+{bare}@example.net"),
            orders=[[1, MOVE], [2, READ[1][1]]],
        )
    data = message(ORDERS).replace(
        b"To: gm@example.net", f"To: The GM <gm+{bare.lower()}@example.net>, x@example.com".encode()
    )
    case("1-key-in-to", data, orders=[[1, MOVE], [2, READ[1][1]]])
    loose = CRIMSON.lower().replace("0", "o").replace("1", "l").replace("-", "")
    case("1-key-small-letters-no-dashes", message(BLOCK.replace(CRIMSON, loose)))
    case(
        "1-key-dashes-anywhere-o-and-i",
        message(
            BLOCK.replace(CRIMSON, f"{bare[:2]}-{bare[2:7]}-{bare[7:]}".replace("0", "O").replace("1", "i"))
        ),
    )
    case(
        "1-key-with-typographic-dashes",
        message(BLOCK.replace(CRIMSON, CRIMSON.replace("-", "–")), charset="utf-8"),
        repairs=["dashes"],
    )
    case("1-unknown-sender", message(BLOCK, sender="Stranger <stranger@example.com>"))
    case("1-no-sender", message(BLOCK).replace(b"From: Ada <ada@example.org>\n", b""))
    case("1-two-senders", message(BLOCK, "From: mallory@example.com"))
    case("1-dated-long-ago", message(BLOCK).replace(b"30 Nov 2026", b"30 Nov 1999"))
    inner = message(BLOCK)
    case(
        "1-key-only-in-attached-message",
        mixed(parts("multipart/mixed", part(ORDERS), part(inner, "Content-Type: message/rfc822"))),
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    forward = f"{ORDERS}\n---------- Forwarded message ---------\nFrom: The GM <gm@example.net>\nDate: Mon, 30 Nov 2026\nSubject: report\n\n{UNMARKED}"
    case(
        "1-key-only-in-forwarded-block",
        message(forward),
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    apple = f"{ORDERS}\nBegin forwarded message:\n\n> From: The GM <gm@example.net>\n> Subject: report\n>\n{QUOTE}"
    case(
        "1-key-only-in-apples-forwarded-block",
        message(apple),
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    case(
        "1-orders-above-a-forward-key-in-subject",
        message(forward, subject=CRIMSON),
        orders=[[1, MOVE], [2, READ[1][1]]],
    )
    case("1-header-other-game", message(BLOCK.replace(GAME, "summer")), "refused", reason="game: summer")
    case("1-header-other-turn", message(BLOCK.replace("turn: 2", "turn: 3")), "refused", reason="turn: 3")
    case(
        "1-header-turn-unreadable",
        message(BLOCK.replace("turn: 2", "turn: two")),
        "refused",
        reason="turn: two",
    )
    case(
        "1-header-other-player",
        message(BLOCK.replace("player: crimson", "player: azure")),
        "refused",
        reason="player: azure",
    )
    case(
        "1-header-other-key",
        message(BLOCK.replace(CRIMSON, NOBODYS), subject=CRIMSON),
        "refused",
        reason="another key",
    )
    case("1-header-turn-as-turn-2", message(BLOCK.replace("turn: 2", "turn: turn-2")))
    case(
        "1-two-seats-keys",
        message(f"{BLOCK}\nkey: {AZURE}\n"),
        "refused",
        seat=None,
        reason="two different seats",
    )
    case(
        "1-two-seats-keys-from-a-stranger",
        message(BLOCK, sender="x@example.com", subject=AZURE),
        "refused",
        seat=None,
        receipt_to=None,
        reason="two different seats",
    )
    case("1-old-key", message(BLOCK.replace(CRIMSON, OLD)), "refused", turn=1, reason="turn-2 is open")
    case("1-old-key-and-the-open-one", message(f"{HEADER}\n{ORDERS}end\n\n{ATTRIBUTION}\n> key: {OLD}\n"))
    case(
        "1-old-key-in-header-open-one-quoted",
        message(f"{BLOCK.replace(CRIMSON, OLD)}\n{ATTRIBUTION}\n{QUOTE}"),
        "refused",
        reason="another key",
    )
    case(
        "1-replaced-key",
        message(BLOCK.replace(CRIMSON, AZURE_REPLACED).replace("crimson", "azure"), sender="ben@example.org"),
        "refused",
        seat="azure",
        receipt_to="ben@example.org",
        reason="replaced",
    )
    case(
        "1-azures",
        message(BLOCK.replace(CRIMSON, AZURE).replace("crimson", "azure"), sender="ben@example.org"),
        seat="azure",
        receipt_to="ben@example.org",
    )
    case(
        "1-key-of-another-seat",
        message(BLOCK.replace(CRIMSON, AZURE)),
        "refused",
        seat="azure",
        receipt_to="ben@example.org",
        reason="player: crimson",
    )
    case(
        "1-spoofed-sender-without-key",
        message(BLOCK.replace(CRIMSON, NOBODYS)),
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    case(
        "1-stranger-without-key",
        message("Buy now!\n", sender="spam@example.com"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "1-key-glued-to-letters",
        message(f"{ORDERS}\nx{bare}x\n", sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )


def where_the_orders_are() -> None:
    from_top = [[1, MOVE], [2, READ[1][1]]]
    case("2-attachment-with-key", mixed(parts("multipart/mixed", part("See the file.\n"), attached(BLOCK))))
    case(
        "2-attachment-named-for-the-seat",
        mixed(
            parts("multipart/mixed", part("See the file.\n"), attached(ORDERS, "crimson.txt")),
            subject=CRIMSON,
        ),
        orders=from_top,
    )
    case(
        "2-attachment-seat-in-capitals",
        mixed(
            parts(
                "multipart/mixed", part("x\n"), attached(ORDERS, "CRIMSON.TXT", "application/octet-stream")
            ),
            subject=CRIMSON,
        ),
        orders=from_top,
    )
    case(
        "2-attachment-of-another-type",
        mixed(parts("multipart/mixed", part("x\n"), attached(BLOCK, "o.txt", "application/octet-stream"))),
    )
    case(
        "2-attachment-inline-with-a-name",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                part(BLOCK, 'Content-Type: text/plain; name="o"', "Content-Disposition: inline"),
            )
        ),
    )
    case(
        "2-attachment-without-a-name",
        mixed(parts("multipart/mixed", part("x\n"), part(BLOCK, "Content-Disposition: attachment"))),
    )
    case(
        "2-attachment-html-is-none",
        mixed(
            parts(
                "multipart/mixed",
                part(BLOCK),
                attached(f"<p>key: {CRIMSON}</p><p>hold</p>", "crimson.txt", "text/html"),
            )
        ),
    )
    case(
        "2-attachment-that-does-not-qualify",
        mixed(parts("multipart/mixed", part(BLOCK), attached("a diary\nhold\n", "diary.txt"))),
    )
    case(
        "2-attachment-starts-at-its-top",
        mixed(parts("multipart/mixed", part("x\n"), attached(f"# mine\n{BLOCK}"))),
        orders=[[7, MOVE], [8, READ[1][1]]],
    )
    case(
        "2-attachment-and-orders-in-the-body",
        mixed(parts("multipart/mixed", part("hold\n"), attached(BLOCK))),
    )
    case(
        "2-two-attachments",
        mixed(parts("multipart/mixed", part("x\n"), attached(BLOCK, "one.txt"), attached(BLOCK, "two.txt"))),
        "refused",
        reason="one.txt, two.txt",
    )
    case(
        "2-attachment-name-encoded",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                part(
                    ORDERS,
                    "Content-Type: application/octet-stream",
                    "Content-Disposition: attachment; filename*=utf-8''crimson%2Etxt",
                ),
            ),
            subject=CRIMSON,
        ),
        orders=from_top,
    )
    case(
        "2-attachment-name-in-an-encoded-word",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(ORDERS, "=?utf-8?b?Y3JpbXNvbi50eHQ=?=", "application/octet-stream"),
            ),
            subject=CRIMSON,
        ),
        orders=from_top,
    )
    html = "<div>move wizard to D5</div>"
    case(
        "2-apples-hidden-attachment",
        mixed(
            parts(
                "multipart/alternative",
                part("See below.\n"),
                inside(parts("multipart/mixed", part(html, "Content-Type: text/html"), attached(BLOCK))),
            )
        ),
    )
    two = parts("multipart/mixed", part(HEADER), part(b"\x89PNG", "Content-Type: image/png"), part(ORDERS))
    case("2-two-plain-parts-are-one-body", mixed(two), orders=[[5, MOVE], [6, READ[1][1]]])
    case(
        "2-plain-before-html",
        mixed(parts("multipart/alternative", part(BLOCK), part("<p>hold</p>", "Content-Type: text/html"))),
    )
    lines = "".join(f"<div>{line or '<br>'}</div>" for line in BLOCK.split("\n"))
    case("2-html-alone", message(f"<html><body>{lines}</body></html>", kind="text/html", charset="utf-8"))
    case(
        "2-html-with-br",
        message(
            "<html><head><title>hold</title><style>p{}</style></head><body>" + BLOCK.replace("\n", "<br>\n"),
            kind="text/html",
            charset="utf-8",
        ),
    )
    case(
        "2-html-paragraphs-without-empty-lines",
        message(
            "".join(f'<p class="MsoNormal">{line}</p>\n' for line in BLOCK.split("\n") if line),
            kind="text/html",
            charset="utf-8",
        ),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "2-html-entities-and-blanks",
        message(
            f"<p>key: {CRIMSON}</p><p>move&nbsp;wizard   to\n D5</p><p>cast forest at E5&#8211;E6</p>",
            kind="text/html",
            charset="utf-8",
        ),
        orders=[[2, MOVE], [3, READ[1][1]]],
        repairs=["dashes", "blanks"],
    )
    case("2-html-pre", message(f"<pre>{BLOCK}</pre>", kind="text/html", charset="utf-8"))
    case(
        "2-empty-plain-part-counts-as-absent",
        mixed(
            parts(
                "multipart/alternative",
                part(" \n\xa0\n-\n", "Content-Type: text/plain; charset=utf-8"),
                part(lines, "Content-Type: text/html; charset=utf-8"),
            )
        ),
    )
    gmail_html = (
        f'<div dir="ltr"><div>{MOVE}</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{ATTRIBUTION.replace("<", "&lt;")}<br></div><blockquote class="gmail_quote" style="margin:0">'
        + UNMARKED.replace("\n", "<br>")
        + "</blockquote></div>"
    )
    case("2-html-gmail-quote", message(gmail_html, kind="text/html", charset="utf-8"), orders=[[1, MOVE]])
    case(
        "2-html-blockquote",
        message(
            f"<div>{MOVE}</div><blockquote type=cite><div>{ATTRIBUTION.replace('<', '&lt;')}</div>"
            + UNMARKED.replace("\n", "<br>")
            + "</blockquote>",
            kind="text/html",
            charset="utf-8",
        ),
        orders=[[1, MOVE]],
    )
    ruled = (
        f'<div class="WordSection1"><p class="MsoNormal">{MOVE}</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> The GM<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> report</p></div>'
        + "".join(f"<p class=MsoNormal>{line}</p>" for line in UNMARKED.split("\n"))
        + "<p>hold</p></div>"
    )
    case("2-html-outlooks-ruled-block", message(ruled, kind="text/html", charset="utf-8"), orders=[[1, MOVE]])
    ruled_alone = ruled.replace(
        "<b>From:</b> The GM<br><b>Sent:</b> Monday<br><b>To:</b> Ada<br><b>Subject:</b> report",
        "The GM wrote something",
    )
    case(
        "2-html-a-rule-alone-is-outlooks-block",
        message(ruled_alone, kind="text/html", charset="utf-8"),
        orders=[[1, MOVE]],
    )
    case("2-block-after-a-greeting", message(f"Dear GM,\n\nhere they are:\n\n{BLOCK}"))
    case(
        "2-block-with-empty-lines-among-the-header",
        message(f"\n\ngame: {GAME}\n\nturn: 2\n\nkey: {CRIMSON}\n\n\n{MOVE}\n"),
        orders=[[8, MOVE]],
    )
    case("2-block-ends-at-end", message(f"{BLOCK}hold\nfly\n"))
    case("2-block-ends-at-the-signature", message(f"{HEADER}\n{ORDERS}-- \nAda\nhold\n"))
    case("2-block-ends-at-two-dashes", message(f"{HEADER}\n{ORDERS}--\nhold\n"))
    case("2-block-ends-at-the-quote", message(f"{HEADER}\n{ORDERS}\n{ATTRIBUTION}\n{QUOTE}"))
    case("2-block-below-the-quote", message(f"{ATTRIBUTION}\n{QUOTE}\n{BLOCK}"))
    case(
        "2-no-header-counts-from-the-first-line",
        message(f"Hello GM,\n{ORDERS}\n{ATTRIBUTION}\n{QUOTE}"),
        orders=[[2, MOVE], [3, READ[1][1]]],
        problems=[[1, "Hello GM,"]],
    )
    case(
        "2-order-below-the-quote",
        message(f"{ORDERS}\n{ATTRIBUTION}\n{QUOTE}\ncast hills at E5-E6\n"),
        "refused",
        reason="cast hills at E5-E6",
    )
    case(
        "2-order-between-quoted-lines",
        message(f"{ATTRIBUTION}\n> game: {GAME}\n> key: {CRIMSON}\n{MOVE}\n> end\n"),
        "refused",
        reason=MOVE,
    )
    case(
        "2-words-below-the-quote",
        message(f"{ORDERS}\n{ATTRIBUTION}\n{QUOTE}\nCheers, Ada\n"),
        orders=from_top,
    )
    case(
        "2-orders-only-in-the-quote",
        message(f"Here you are.\n\n{ATTRIBUTION}\n{QUOTE}> {MOVE}\n"),
        "refused",
        reason="quoted part",
        problems=None,
    )
    case(
        "2-orders-only-in-the-quote-nothing-above",
        message(f"{QUOTE}> {MOVE}\n"),
        "refused",
        reason="quoted part",
    )
    case("2-quote-begins-at-a-mark", message(f"{ORDERS}{QUOTE}"), orders=from_top)
    for name, lines in {
        "english-on-two-lines": "On Mon, 30 Nov 2026 at 06:00, The Game Master of Everything\n<gm@example.net> wrote:",
        "english-on-three-lines": "On Mon, 30 Nov 2026 at 06:00,\nThe Game Master of Everything <gm@example.net>\nwrote:",
        "german": "Am 30.11.26 um 06:00 schrieb The GM:",
        "german-gmail": "Am Mo., 30. Nov. 2026 um 06:00 Uhr schrieb The GM <gm@example.net>:",
        "french": "Le lun. 30 nov. 2026 à 06:00, The GM <gm@example.net> a écrit\u00a0:",
        "spanish": "El lun, 30 nov 2026 a las 6:00, The GM (<gm@example.net>) escribió:",
        "dutch": "Op ma 30 nov 2026 om 06:00 schreef The GM <gm@example.net>:",
        "polish": "pon., 30 lis 2026 o 06:00 The GM <gm@example.net> napisał(a):",
        "russian": "пн, 30 нояб. 2026 г. в 06:00, The GM <gm@example.net>:",
        "japanese": "2026年11月30日(月) 6:00 The GM <gm@example.net>:",
        "chinese": "The GM <gm@example.net> 于2026年11月30日周一 06:00写道：",
        "nameless": "The GM wrote:",
    }.items():
        case(
            f"2-attribution-{name}",
            message(f"{ORDERS}\n{lines}\n\n{QUOTE}", charset="utf-8", cte="8bit"),
            orders=from_top,
        )
    case(
        "2-attribution-right-below-the-orders",
        message(f"{ORDERS}On Mon, 30 Nov 2026 at 06:00, The GM\n<gm@example.net> wrote:\n{QUOTE}"),
        orders=from_top,
    )
    case(
        "2-attribution-whose-quote-was-deleted",
        message(f"{ORDERS}\n{ATTRIBUTION}\n\n", subject=CRIMSON),
        orders=from_top,
    )
    for name, line in {
        "original-message": "-----Original Message-----",
        "original-german": "-----Ursprüngliche Nachricht-----",
        "original-french": "-----Message d'origine-----",
        "original-spanish": "-----Mensaje original-----",
        "original-italian": "-----Messaggio originale-----",
        "original-thunderbird": "-------- Original Message --------",
    }.items():
        case(
            f"2-quote-{name}",
            message(f"{ORDERS}\n{line}\n{UNMARKED}hold\n", charset="utf-8", cte="8bit"),
            orders=from_top,
        )
    for name, lines in {
        "english": "From: The GM <gm@example.net>\nSent: Monday, 30 November 2026 06:00\nTo: Ada\nSubject: report",
        "german": "Von: The GM <gm@example.net>\nGesendet: Montag, 30. November 2026 06:00\nAn: Ada\nBetreff: report",
        "french": "De : The GM <gm@example.net>\nEnvoyé : lundi 30 novembre 2026 06:00\nÀ : Ada\nObjet : report",
        "finnish": "Lähettäjä: The GM <gm@example.net>\nLähetetty: maanantai 30. marraskuuta 2026\nVastaanottaja: Ada\nAihe: report",
        "welsh": "Oddi wrth: The GM <gm@example.net>\nAnfonwyd: 30 Tachwedd 2026 06:00\nAt: Ada\nPwnc: report",
        "chinese": "发件人：The GM <gm@example.net>\n发送时间：2026年11月30日\n收件人：Ada\n主题：report",
        "bold": "*From:* The GM <gm@example.net>\n*Sent:* Monday, 30 November 2026 06:00\n*To:* Ada\n*Subject:* report",
    }.items():
        case(
            f"2-quote-fields-{name}",
            message(
                f"{ORDERS}\n________________________________\n{lines}\n\n{UNMARKED}hold\n",
                charset="utf-8",
                cte="8bit",
            ),
            orders=from_top,
        )
    case(
        "2-two-fields-are-no-quote",
        message(f"{HEADER}\nFrom: me\nTo: you\n{ORDERS}"),
        orders=[[8, MOVE], [9, READ[1][1]]],
        problems=[[6, "From: me"], [7, "To: you"]],
    )
    case("2-header-without-orders", message(HEADER), orders=[])
    case("2-header-and-press-alone", message(f"{HEADER}press: hello\n"), orders=[])
    case(
        "2-no-line-can-be-read",
        message(f"{HEADER}\nfly\nswim\n"),
        "refused",
        problems=[[6, "fly"], [7, "swim"]],
        reason="can be read",
    )
    case(
        "2-some-lines-can-be-read",
        message(f"{HEADER}\nfly\n{ORDERS}"),
        orders=[[7, MOVE], [8, READ[1][1]]],
        problems=[[6, "fly"]],
    )
    case("2-nothing-but-a-key", message("\n", subject=CRIMSON), "refused", reason="no text")
    case(
        "2-order-above-the-header",
        message(f"{MOVE}\n{HEADER}\ncast forest at E5-E6\n"),
        "refused",
        reason=MOVE,
    )
    case("2-key-at-the-bottom", message(f"{ORDERS}\nkey: {CRIMSON}\n"), "refused", reason=MOVE)


def reading_text() -> None:
    cafe = f"{HEADER}\n# café\n{ORDERS}end\n"
    read = [[7, MOVE], [8, READ[1][1]]]
    dashes = f"{HEADER}\nmove wizard to D5\ncast forest at E5–E6\nend\n"
    case("3-utf-8", message(cafe, charset="utf-8"), orders=read)
    case("3-no-charset-ascii", message(BLOCK))
    case("3-no-charset-utf-8", message(cafe), orders=read, repairs=["UTF-8"])
    case(
        "3-no-charset-windows-1252",
        message(dashes.encode("windows-1252")),
        repairs=["windows-1252", "dashes"],
    )
    case("3-unknown-charset", message(cafe, charset="x-klingon"), orders=read, repairs=["UTF-8"])
    case("3-charset-that-is-no-charset", message(cafe, charset="rot13"), orders=read, repairs=["UTF-8"])
    case(
        "3-charset-does-not-decode",
        message(cafe.encode("windows-1252"), charset="utf-8"),
        orders=read,
        repairs=["windows-1252"],
    )
    case("3-ascii-declared-utf-8-sent", message(cafe, charset="us-ascii"), orders=read, repairs=["UTF-8"])
    case("3-latin-1", message(cafe.encode("latin-1"), charset="iso-8859-1"), orders=read)
    case(
        "3-latin-1-that-is-windows-1252",
        message(dashes.encode("windows-1252"), charset="iso-8859-1", cte="8bit"),
        repairs=["windows-1252", "dashes"],
    )
    case(
        "3-latin-1-with-85-breaks-no-line",
        message(f"{HEADER}\nhold # one\x85two\n{ORDERS}".encode("latin-1"), charset="iso-8859-1", cte="8bit"),
        orders=[[6, "hold"], [7, MOVE], [8, READ[1][1]]],
        repairs=["windows-1252"],
    )
    case(
        "3-u-85-and-2028-break-no-line",
        message(f"{HEADER}\nhold # one\u0085two\u2028three\n{ORDERS}", charset="utf-8"),
        orders=[[6, "hold"], [7, MOVE], [8, READ[1][1]]],
        repairs=["blanks"],
    )
    case("3-koi8-r", message(f"{HEADER}\n# Ада\n{ORDERS}".encode("koi8-r"), charset="koi8-r"), orders=read)
    case(
        "3-iso-2022-jp",
        message(f"{HEADER}\n# 命令\n{ORDERS}".encode("iso-2022-jp"), charset="iso-2022-jp"),
        orders=read,
    )
    b64 = base64.encodebytes
    case(
        "3-utf-16-with-mark", message(b64(cafe.encode("utf-16")), charset="utf-16", cte="base64"), orders=read
    )
    case(
        "3-utf-16-mark-in-spite-of-its-label",
        message(b64(cafe.encode("utf-16")), charset="utf-8", cte="base64"),
        orders=read,
        repairs=["UTF-16"],
    )
    case(
        "3-utf-16-without-mark-by-its-nuls",
        message(b64(cafe.encode("utf-16-le")), charset="us-ascii", cte="base64"),
        orders=read,
        repairs=["UTF-16"],
    )
    case(
        "3-utf-16-be-without-mark",
        message(b64(cafe.encode("utf-16-be")), charset="utf-16", cte="base64"),
        orders=read,
    )
    case("3-utf-8-mark", message(b"\xef\xbb\xbf" + BLOCK.encode(), charset="utf-8"))
    case("3-stray-nul", message(BLOCK.replace("D5", "D\x005"), charset="utf-8"), "refused", reason="NUL")
    case(
        "3-control-character",
        message(BLOCK.replace("D5", "D\x075"), charset="utf-8"),
        "refused",
        reason="U+0007",
    )
    case(
        "3-not-decodable",
        message(BLOCK.encode().replace(b"D5", b"D\x81\x8d5"), charset="utf-8"),
        "refused",
        reason="charset",
    )
    case(
        "3-quoted-printable",
        message(quopri.encodestring(cafe.encode()), charset="utf-8", cte="quoted-printable"),
        orders=read,
    )
    case(
        "3-quoted-printable-soft-breaks",
        message(
            BLOCK.replace("wizard to", "wizard=\n to").replace("cast forest", "cast =  \nforest"),
            charset="utf-8",
            cte="quoted-printable",
        ),
    )
    case(
        "3-quoted-printable-equals-that-is-no-escape",
        message(BLOCK.replace(MOVE, f"{MOVE} # a=zz"), charset="utf-8", cte="quoted-printable"),
    )
    case(
        "3-quoted-printable-small-hex",
        message(cafe.replace("é", "=c3=a9"), charset="utf-8", cte="Quoted-Printable"),
        orders=read,
    )
    case("3-base64", message(b64(BLOCK.encode()), charset="utf-8", cte="base64"))
    case(
        "3-base64-foreign-characters",
        message(b64(BLOCK.encode())[:-8] + b"!!\n" + b64(BLOCK.encode())[-8:], charset="utf-8", cte="base64"),
        "refused",
        reason="base64",
    )
    cut = b64(HEADER.encode() + b"\n" + ORDERS.encode() + b"move troll to B2\n").rstrip()
    case("3-base64-cut", message(cut[:-10], charset="utf-8", cte="base64"), "refused", reason="base64")
    footer = base64.b64encode(BLOCK.encode()) + b"\n_______________\nlist footer\n"
    case("3-base64-with-a-footer", message(footer, charset="utf-8", cte="base64"), "refused", reason="base64")
    broken_off = parts(
        "multipart/mixed",
        part(base64.b64encode(f"{HEADER}\n{MOVE}\n#\n".encode()), "Content-Transfer-Encoding: base64"),
        close=False,
    )
    case("3-base64-in-a-mail-that-breaks-off", mixed(broken_off), "refused", reason="breaks off")
    case(
        "3-base64-in-an-attachment-cut",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(cut[:-10], "o.txt", "text/plain", "Content-Transfer-Encoding: base64"),
            )
        ),
        "refused",
        reason="base64",
    )
    flowed = f"{HEADER}\nmove wizard \nto D5\ncast forest at \nE5-E6\n\n> quoted \n> on\n-- \nAda\n"
    case("3-flowed", message(flowed, charset="utf-8", params="; format=flowed"))
    case(
        "3-flowed-delsp",
        message(
            f"{HEADER}\nmove wi \nzard to D5\ncast forest at  \nE5-E6\n",
            charset="utf-8",
            params="; format=flowed; delsp=yes",
        ),
    )
    case(
        "3-flowed-space-stuffed",
        message(
            f"{HEADER}\n  move wizard to D5\n cast forest at E5-E6\n",
            charset="utf-8",
            params="; format=flowed",
        ),
    )
    case(
        "3-flowed-quote-is-not-joined",
        message(
            f"move wizard \nto D5\n\n{ATTRIBUTION}\n{QUOTE}", charset="utf-8", params='; format="flowed"'
        ),
        orders=[[1, MOVE]],
    )
    case("3-unknown-transfer-encoding", message(BLOCK, charset="utf-8", cte="x-rot13"))
    case("3-crlf", message(BLOCK).replace(b"\n", b"\r\n"))
    case("3-cr-in-the-text", message(b64(BLOCK.replace("\n", "\r").encode()), charset="utf-8", cte="base64"))
    pretty = f"{HEADER}\nmove wizard to D5 # “yes”\ncast\u00a0forest at E5—E6\n\u200bmove\ttroll to \uff22\uff12 \u2212\u00ad\n"
    case(
        "3-typographic",
        message(pretty, charset="utf-8"),
        orders=READ,
        problems=[[8, None]],
        repairs=["dashes", "quotation marks", "blanks", "invisible", "full-width"],
    )
    case("3-tab-is-a-blank", message(BLOCK.replace("move ", "move\t"), charset="utf-8"), repairs=["blanks"])
    for number, sign in enumerate("\u2010\u2011\u2012\u2013\u2014\u2015\u2212"):
        case(
            f"3-dash-{number}",
            message(BLOCK.replace("E5-E6", f"E5{sign}E6"), charset="utf-8"),
            repairs=["dashes"],
        )
    for number, sign in enumerate("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"):
        case(
            f"3-invisible-{number}",
            message(BLOCK.replace("wizard", f"wiz{sign}ard"), charset="utf-8"),
            repairs=["invisible"],
        )
    for number, sign in enumerate("\u00a0\u1680\u2000\u2003\u2009\u200a\u202f\u205f\u3000"):
        case(
            f"3-blank-{number}",
            message(BLOCK.replace("move wizard", f"move{sign}wizard"), charset="utf-8"),
            repairs=["blanks"],
        )
    for name, sign in {
        "arabic-digit": "٣",
        "cyrillic": "Ｄ"[:0] + "3і",
        "ellipsis": "3…",
        "superscript": "³",
    }.items():
        case(
            f"3-{name}-stays",
            message(BLOCK.replace("to D5", f"to D{sign}"), charset="utf-8"),
            orders=[READ[1]],
            problems=[[6, None]],
        )
    long = "# " + "x" * 62 + "\n"
    case("3-text-too-large", message(f"{HEADER}{long * 1100}{ORDERS}"), "refused", reason="65,536")
    case("3-limits-are-the-texts-own", message(f"{long * 1100}{BLOCK}"))
    case("3-500-lines", message(HEADER + "hold\n" * 500), orders=[[line, "hold"] for line in range(5, 505)])
    case("3-501-lines", message(HEADER + "hold\n" * 501), "refused", reason="501 order lines")
    case(
        "3-header-lines-and-comments-do-not-count",
        message(HEADER + "# x\n\n" * 600 + "hold\n" * 2),
        orders=[[1205, "hold"], [1206, "hold"]],
    )


def automatic_mail() -> None:
    for name, field in {
        "auto-replied": "Auto-Submitted: auto-replied (vacation)",
        "auto-generated": "auto-submitted: auto-generated",
        "bulk": "Precedence: bulk",
        "list": "Precedence: list",
        "junk": "Precedence: junk",
        "auto-reply": "Precedence: Auto_Reply",
        "empty-return-path": "Return-Path: <>",
        "own": "X-Pbem: glade-cup receipt",
    }.items():
        case(f"4-{name}", message(BLOCK, field), "ignored", reason="")
    case("4-auto-submitted-no", message(BLOCK, "Auto-Submitted: no"))
    case("4-return-path", message(BLOCK, "Return-Path: <ada@example.org>"))
    case(
        "4-mailer-daemon",
        message(BLOCK, sender="Mail Delivery System <MAILER-DAEMON@example.net>"),
        "ignored",
        reason="mailer-daemon",
    )
    case(
        "4-bounce",
        mixed(
            parts(
                "multipart/report; report-type=delivery-status",
                part(BLOCK),
                part(message(BLOCK), "Content-Type: message/rfc822"),
            )
        ),
        "ignored",
        reason="report",
    )
    case(
        "4-read-receipt",
        mixed(parts("multipart/report; report-type=disposition-notification", part(BLOCK))),
        "ignored",
        reason="report",
    )
    case("4-automatic-too-large", message(BLOCK + "x" * 1_100_000, "Precedence: bulk"), "ignored", reason="")


def commands() -> None:
    none: dict[str, Any] = {"orders": []}
    case("5-status-in-the-subject", message("", subject=f"status {CRIMSON}"), reason="status", **none)
    case("5-help-in-the-first-line", message(f"Help\nkey: {CRIMSON}\n"), reason="help", **none)
    case(
        "5-resend-below-the-header",
        message(f"key: {CRIMSON}\n\nresend turn-1\nend\n"),
        reason="resend turn-1",
        **none,
    )
    case(
        "5-resend-short",
        message(f"{ATTRIBUTION}\n{QUOTE}", subject="RESEND 1"),
        reason="resend turn-1",
        **none,
    )
    case("5-status-with-an-order", message(f"status\nkey: {CRIMSON}\n{MOVE}\n"), "refused", reason=MOVE)
    case(
        "5-status-in-the-subject-and-an-attachment",
        mixed(parts("multipart/mixed", part("x\n"), attached(BLOCK)), subject="status"),
        "refused",
        reason=MOVE,
    )
    case(
        "5-status-without-a-key",
        message("status\n"),
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    case("5-status-is-no-subject-with-more", message(BLOCK, subject="status of my orders"))


def sizes_and_structure() -> None:
    case("6-too-large", message(BLOCK + "x\n" * 600_000), "refused", seat=None, turn=None, reason="bytes")
    case(
        "6-too-large-key-in-subject",
        message(BLOCK + "x" * 1_100_000, subject=CRIMSON),
        "refused",
        reason="bytes",
    )
    case(
        "6-too-large-from-a-stranger",
        message(BLOCK + "x" * 1_100_000, sender="x@example.com"),
        "refused",
        seat=None,
        turn=None,
        receipt_to=None,
        reason="bytes",
    )
    mbox = (
        b"From ada@example.org Mon Nov 30 05:50:00 2026\n"
        + message(f"{HEADER}\n{ORDERS}\n>From here on:\n>>From there on:\nend\n")
        + b"\n"
    )
    case("6-mbox-of-one", mbox, suffix="mbox", problems=[[9, "From here on:"]], orders=READ)
    envelope = b"From ada@example.org Mon Nov 30 05:50:00 2026\n" + message(BLOCK)
    case("6-eml-that-is-an-mbox", envelope)
    case("6-text-file", BLOCK.encode(), suffix="txt")
    case(
        "6-text-file-windows-1252",
        f"{HEADER}\n# café\n{ORDERS}".encode("windows-1252"),
        suffix="txt",
        orders=[[7, MOVE], [8, READ[1][1]]],
        repairs=["windows-1252"],
    )
    case("6-text-file-utf-16", BLOCK.encode("utf-16"), suffix="txt", repairs=["UTF-16"])
    case(
        "6-text-file-without-key",
        BLOCK.replace(CRIMSON, "").encode(),
        "quarantined",
        suffix="txt",
        reason="no valid key",
    )
    case("6-text-file-that-is-a-mail", message(BLOCK), suffix="txt")
    deep = b"".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n".encode() for n in range(1500))
    case(
        "6-1500-parts-within-parts",
        message(b"", subject=CRIMSON)[:-1] + deep + part(BLOCK),
        "refused",
        reason="parts",
    )
    many = parts("multipart/mixed", *[part("x\n")] * 10_000, part(BLOCK))
    case("6-10000-parts", mixed(many))
    case(
        "6-no-boundary",
        message(BLOCK, "MIME-Version: 1.0", "Content-Type: multipart/mixed"),
        "refused",
        reason="parts",
    )
    case("6-unclosed-but-ended", mixed(parts("multipart/mixed", part(BLOCK), close=False)))
    case(
        "6-crlf-encoded-in-from",
        message(BLOCK, sender="=?utf-8?q?Ada=0D=0ABcc:_x@example.com?= <ada@example.org>"),
    )
    case(
        "6-header-injection",
        message(
            BLOCK,
            "In-Reply-To: <a@b>\r\n\tBcc: x@example.com",
            subject="=?utf-8?q?x=0D=0ABcc:_x@example.com?=",
            identity="<a@example.org>\n Bcc: <x@example.com>",
        ),
    )
    case("6-eight-bit-header", message(BLOCK, sender='"Adä" <ada@example.org>'))
    case("6-no-message-id", message(BLOCK).replace(b"Message-ID", b"X-Was-Id"))
    case("6-empty", b"", "quarantined", reason="no valid key")
    case(
        "6-nothing-but-a-header",
        message("", subject="x").rstrip() + b"\n",
        "quarantined",
        receipt_to="ada@example.org",
        reason="no valid key",
    )
    case("6-binary", bytes(range(256)) * 8, "quarantined", reason="no valid key")
