"""More messages, written from the sentences of docs/mail.md alone to break what the first let pass."""

# ruff: noqa: RUF001, E501 - signs that look like others are what is tested; so is the length of lines

import base64
import quopri
from typing import Any

from tests.mail.corpus_game import AZURE, AZURE_REPLACED, CRIMSON, NOBODYS, OLD
from tests.mail.generate import (
    ATTRIBUTION,
    BLOCK,
    HEADER,
    MOVE,
    ORDERS,
    QUOTE,
    READ,
    UNMARKED,
    attached,
    case,
    case_of_several,
    inside,
    message,
    mixed,
    part,
    parts,
)

TOP = [[1, READ[0][1]], [2, READ[1][1]]]
BARE = CRIMSON.replace("-", "")
UTF_8 = {"charset": "utf-8", "cte": "8bit"}
HTML: dict[str, Any] = {"charset": "utf-8", "cte": "8bit", "kind": "text/html"}
QUOTED_KEY = f"> key: {CRIMSON}\n"
PLAIN_HEADER = HEADER.replace("\n", "<br>")


def nasty() -> None:
    """All of them."""
    keys()
    attachments()
    blocks()
    attributions()
    quotes()
    html()
    charsets()
    transfer()
    flowed()
    characters()
    automatic()
    commands()
    odd_forms()
    several()
    second_thoughts()


def keys() -> None:
    case(
        "n1-key-in-a-deeper-quote",
        message(f"{ORDERS}\n> On Monday Ada wrote:\n>> key: {CRIMSON}\n"),
        orders=TOP,
    )
    case("n1-key-in-a-quote-without-its-word", message(f"{ORDERS}\n> use {CRIMSON} please\n"), orders=TOP)
    case(
        "n1-key-behind-original-message",
        message(f"{ORDERS}\n-----Original Message-----\n{UNMARKED}"),
        orders=TOP,
    )
    case("n1-key-below-the-signature", message(f"{ORDERS}-- \nAda\nkey: {CRIMSON}\n"), orders=TOP)
    case(
        "n1-key-split-over-encoded-words",
        message(
            ORDERS,
            subject=f"=?us-ascii?q?{CRIMSON[:7]}?=\n =?utf-8?b?{base64.b64encode(CRIMSON[7:].encode()).decode()}?=",
        ),
        orders=TOP,
    )
    case("n1-key-in-a-folded-subject", message(ORDERS, subject=f"Re: turn 2\n\t{CRIMSON}"), orders=TOP)
    case("n1-key-in-brackets-in-the-subject", message(ORDERS, subject=f"[{BARE.lower()}]"), orders=TOP)
    case(
        "n1-key-in-the-second-delivered-to",
        message(ORDERS, "Delivered-To: gm@example.net", f"Delivered-To: GM+{BARE}@Example.Net"),
        orders=TOP,
    )
    case(
        "n1-key-with-dashes-in-the-address",
        message(ORDERS, f"X-Original-To: gm+{CRIMSON.lower()}@example.net"),
        orders=TOP,
    )
    for field in ("Bcc", "Envelope-To", "Reply-To", "In-Reply-To", "Received", "X-Key"):
        case(
            f"n1-key-in-{field.lower()}-does-not-count",
            message(ORDERS, f"{field}: <gm+{BARE}@example.net>"),
            "quarantined",
            receipt_to="ada@example.org",
            reason="no valid key",
        )
    case(
        "n1-key-in-the-senders-plus-address",
        message(ORDERS, sender=f"gm+{BARE}@example.net"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-key-one-letter-short",
        message(BLOCK.replace(CRIMSON, CRIMSON[:-1]), sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-key-one-letter-more",
        message(BLOCK.replace(CRIMSON, f"{CRIMSON}7"), sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-key-full-width",
        message(BLOCK.replace(CRIMSON, "".join(chr(ord(c) + 0xFEE0) for c in CRIMSON)), **UTF_8),
        repairs=["full-width"],
    )
    case(
        "n1-key-with-a-soft-hyphen",
        message(BLOCK.replace(CRIMSON, f"{CRIMSON[:3]}\u00ad{CRIMSON[3:]}"), **UTF_8),
        repairs=["invisible"],
    )
    case(
        "n1-key-with-u",
        message(BLOCK.replace(CRIMSON, f"U{CRIMSON[1:]}"), sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )
    digest = parts("multipart/digest", part(message(f"key: {CRIMSON}\n")))
    case(
        "n1-key-in-a-digest",
        mixed(parts("multipart/mixed", part(ORDERS), inside(digest)), sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-orders-in-an-attached-message-key-outside",
        mixed(
            parts(
                "multipart/mixed",
                part("See the attached.\n"),
                part(
                    message(BLOCK),
                    "Content-Type: message/rfc822",
                    "Content-Disposition: attachment; filename=crimson.txt",
                ),
            ),
            subject=CRIMSON,
        ),
        "refused",
        problems=[[1, "See the attached."]],
        reason="can be read",
    )
    case(
        "n1-open-key-wins-over-an-old-one-of-another-seat",
        message(f"{BLOCK}\n{ATTRIBUTION}\n> key: {AZURE_REPLACED}\n"),
    )
    case(
        "n1-two-old-keys-of-one-seat",
        message(f"key: {OLD}\n{ORDERS}", subject=OLD),
        "refused",
        turn=1,
        reason="turn-2 is open",
    )
    case(
        "n1-two-seats-one-in-the-address",
        message(BLOCK, f"Cc: gm+{AZURE.replace('-', '')}@example.net", sender="Ben <BEN@example.org>"),
        "refused",
        seat=None,
        receipt_to="ben@example.org",
        reason="two different seats",
    )
    case(
        "n1-two-seats-one-in-the-html-alone",
        mixed(
            parts(
                "multipart/alternative", part(BLOCK), part(f"<p>key: {AZURE}</p>", "Content-Type: text/html")
            )
        ),
        "refused",
        seat=None,
        reason="two different seats",
    )
    case(
        "n1-two-seats-one-forwarded",
        message(f"{BLOCK}\n---------- Forwarded message ---------\nkey: {AZURE}\n"),
    )
    case(
        "n1-two-seats-one-attached-as-a-message",
        mixed(
            parts(
                "multipart/mixed",
                part(BLOCK),
                part(message(f"key: {AZURE}\n"), "Content-Type: message/rfc822"),
            )
        ),
    )
    case(
        "n1-forwarded-inside-a-quote",
        message(f"{ORDERS}\n> ---------- Forwarded message ---------\n{QUOTED_KEY}", sender="x@example.com"),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-forwarded-with-typographic-dashes",
        message(f"{ORDERS}\n———— Forwarded message ————\nkey: {CRIMSON}\n", sender="x@example.com", **UTF_8),
        "quarantined",
        reason="no valid key",
    )
    case(
        "n1-header-key-is-nonsense",
        message(BLOCK.replace(CRIMSON, "see below"), subject=CRIMSON),
        "refused",
        reason="another key",
    )
    case("n1-header-key-left-blank", message(BLOCK.replace(f" {CRIMSON}", ""), subject=CRIMSON))
    case(
        "n1-header-player-twice",
        message(BLOCK.replace("turn: 2", "player: azure")),
        "refused",
        reason="player: crimson",
    )
    case(
        "n1-header-in-capitals",
        message(BLOCK.replace("game: ", "GAME :  ").replace("player: crimson", "Player:CRIMSON")),
    )
    case(
        "n1-header-turn-in-arabic-digits",
        message(BLOCK.replace("turn: 2", "turn: ٢"), **UTF_8),
        "refused",
        reason="turn: ٢",
    )
    case(
        "n1-header-disagrees-in-an-attachment",
        mixed(parts("multipart/mixed", part("x\n"), attached(BLOCK.replace("turn: 2", "turn: 1")))),
        "refused",
        reason="turn: 1",
    )
    case(
        "n1-header-disagrees-below-the-first-order",
        message(f"key: {CRIMSON}\n{MOVE}\nturn: 3\n"),
        orders=[[2, MOVE]],
        problems=[[3, "turn: 3"]],
    )
    case("n1-resent-by-somebody", message(BLOCK, "Resent-From: x@example.com", "Resent-To: gm@example.net"))


def attachments() -> None:
    case(
        "n2-attachment-of-another-seats-name-disagrees",
        mixed(
            parts("multipart/mixed", part("x\n"), attached(f"player: azure\n{ORDERS}", "azure.txt")),
            subject=CRIMSON,
        ),
        "refused",
        reason="player: azure",
    )
    case(
        "n2-attachment-key-of-nobody",
        mixed(parts("multipart/mixed", part(f"key: {CRIMSON}\n"), attached(BLOCK.replace(CRIMSON, NOBODYS)))),
        "refused",
        reason="another key",
    )
    case(
        "n2-attachment-as-text-csv-named-txt",
        mixed(parts("multipart/mixed", part("x\n"), attached(BLOCK, "o.TXT", "text/csv"))),
    )
    case(
        "n2-attachment-as-image-named-txt",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(
                    base64.encodebytes(BLOCK.encode()),
                    "o.txt",
                    "image/png",
                    "Content-Transfer-Encoding: base64",
                ),
            )
        ),
    )
    case(
        "n2-attachment-html-named-txt-is-none",
        mixed(
            parts(
                "multipart/mixed", part(BLOCK), attached(f"key: {CRIMSON}\nhold\n", "orders.txt", "text/html")
            )
        ),
    )
    case(
        "n2-attachment-named-for-the-seat-but-pdf",
        mixed(
            parts("multipart/mixed", part(BLOCK), attached(b"%PDF-1.7", "crimson.txt.pdf", "application/pdf"))
        ),
    )
    case(
        "n2-attachment-with-a-path-in-its-name",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(ORDERS, r"C:\\orders\\crimson.txt", "application/octet-stream"),
            ),
            subject=CRIMSON,
        ),
        orders=TOP,
    )
    case(
        "n2-attachment-name-in-pieces",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                part(
                    ORDERS,
                    "Content-Type: application/octet-stream",
                    "Content-Disposition: attachment; filename*0*=utf-8''crim%73;",
                    " filename*1=on; filename*2=.txt",
                ),
            ),
            subject=CRIMSON,
        ),
        orders=TOP,
    )
    case(
        "n2-two-attachments-one-without-a-key",
        mixed(parts("multipart/mixed", part("x\n"), attached("hold\n", "notes.txt"), attached(BLOCK))),
    )
    case(
        "n2-attachment-named-for-the-seat-and-one-with-a-key",
        mixed(
            parts("multipart/mixed", part("x\n"), attached(ORDERS, "crimson.txt"), attached(BLOCK, "o.txt"))
        ),
        "refused",
        reason="crimson.txt, o.txt",
    )
    case(
        "n2-attachment-inside-related-inside-mixed",
        mixed(
            parts(
                "multipart/mixed",
                inside(
                    parts(
                        "multipart/related", part("<p>hello</p>", "Content-Type: text/html"), attached(BLOCK)
                    )
                ),
                part("bye\n"),
            )
        ),
    )
    case(
        "n2-attachment-ends-at-end",
        mixed(parts("multipart/mixed", part("x\n"), attached(f"{BLOCK}fly\nhold\n"))),
    )
    case(
        "n2-attachment-with-quoted-lines",
        mixed(parts("multipart/mixed", part("x\n"), attached(f"{HEADER}\n{ORDERS}> hold\n"))),
        problems=[[8, "> hold"]],
    )
    case(
        "n2-attachment-empty-named-for-the-seat",
        mixed(parts("multipart/mixed", part(ORDERS), attached("", "crimson.txt")), subject=CRIMSON),
        "refused",
        reason="no orders in it",
    )
    case(
        "n2-attachment-utf-16",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(
                    base64.encodebytes(BLOCK.encode("utf-16")),
                    "o.txt",
                    "text/plain",
                    "Content-Transfer-Encoding: base64",
                ),
            )
        ),
        repairs=["UTF-16"],
    )
    case(
        "n2-attachment-broken-beside-a-good-body",
        mixed(
            parts(
                "multipart/mixed",
                part(BLOCK),
                attached("!!!!", "crimson.txt", "text/plain", "Content-Transfer-Encoding: base64"),
            )
        ),
        "refused",
        reason="base64",
    )
    case("n2-whole-mail-is-a-named-text", message(BLOCK, kind="text/plain", params='; name="orders"'))
    case(
        "n2-whole-mail-is-a-named-text-key-in-subject",
        message(ORDERS, kind="text/plain", params='; name="mail"', subject=CRIMSON),
        orders=TOP,
    )
    case(
        "n2-winmail-dat",
        mixed(
            parts(
                "multipart/mixed",
                part(BLOCK),
                attached(
                    base64.encodebytes(b"\x78\x9f\x3e\x22"),
                    "winmail.dat",
                    "application/ms-tnef",
                    "Content-Transfer-Encoding: base64",
                ),
            )
        ),
    )
    case(
        "n2-nothing-but-winmail-dat",
        mixed(
            parts(
                "multipart/mixed",
                attached(
                    base64.encodebytes(b"\x78\x9f\x3e\x22"),
                    "winmail.dat",
                    "application/ms-tnef",
                    "Content-Transfer-Encoding: base64",
                ),
            ),
            subject=CRIMSON,
        ),
        "refused",
        reason="no text",
    )
    calendar = part(
        "BEGIN:VCALENDAR\nkey: x\nEND:VCALENDAR\n",
        'Content-Type: text/calendar; method=REQUEST; name="meeting.ics"',
    )
    case(
        "n2-calendar-part",
        mixed(
            parts(
                "multipart/alternative", part(BLOCK), part("<p>hold</p>", "Content-Type: text/html"), calendar
            )
        ),
    )
    signature = part(
        "-----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n",
        'Content-Type: application/pgp-signature; name="signature.asc"',
    )
    case(
        "n2-pgp-mime-signed",
        mixed(
            parts(
                'multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"',
                inside(parts("multipart/mixed", part(BLOCK))),
                signature,
            )
        ),
    )
    smime = part(
        base64.encodebytes(b"0\x82"),
        'Content-Type: application/pkcs7-signature; name="smime.p7s"',
        "Content-Transfer-Encoding: base64",
        'Content-Disposition: attachment; filename="smime.p7s"',
    )
    case(
        "n2-smime-signed",
        mixed(
            parts(
                'multipart/signed; protocol="application/pkcs7-signature"',
                part(BLOCK, "Content-Type: text/plain; charset=us-ascii"),
                smime,
            )
        ),
    )
    case(
        "n2-pgp-inline-signed",
        message(
            f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{BLOCK}\n-----BEGIN PGP SIGNATURE-----\n\niQEz=ab\n-----END PGP SIGNATURE-----\n"
        ),
    )
    case(
        "n2-encrypted",
        mixed(
            parts(
                "multipart/encrypted",
                part("Version: 1\n", "Content-Type: application/pgp-encrypted"),
                part("-----BEGIN PGP MESSAGE-----\n", "Content-Type: application/octet-stream"),
            ),
            subject=CRIMSON,
        ),
        "refused",
        reason="no text",
    )
    case(
        "n2-related-alternative-plain",
        mixed(
            parts(
                "multipart/related",
                inside(
                    parts(
                        "multipart/alternative", part(BLOCK), part("<p>hold</p>", "Content-Type: text/html")
                    )
                ),
                part(b"\x89PNG", "Content-Type: image/png", "Content-ID: <x>"),
            )
        ),
    )
    trailing = inside(
        parts(
            "multipart/mixed",
            part("<p>hold</p>", "Content-Type: text/html"),
            attached("a diary\n", "d.txt"),
            part("Sent from a telephone\n"),
        )
    )
    case(
        "n2-plain-beside-mixed-that-ends-in-plain",
        mixed(parts("multipart/alternative", part(BLOCK), trailing)),
    )
    case(
        "n2-plain-parts-around-a-picture",
        mixed(
            parts(
                "multipart/mixed",
                part(f"{HEADER}{MOVE}"),
                part(b"\x89PNG", "Content-Type: image/png", "Content-Disposition: inline; filename=a.png"),
                part("cast forest at E5-E6\nend\n"),
            )
        ),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "n2-list-footer-as-a-part",
        mixed(parts("multipart/mixed", part(BLOCK), part("____\nlist mailing list\nhold\n"))),
    )
    case(
        "n2-text-enriched-is-no-plain-body",
        mixed(
            parts(
                "multipart/alternative",
                part("hold\n", "Content-Type: text/enriched"),
                part(f"<p>{MOVE}</p>", "Content-Type: text/html"),
            ),
            subject=CRIMSON,
        ),
        orders=[[1, MOVE]],
    )
    case("n2-parts-of-no-type", mixed(parts("multipart/mixed", part(BLOCK, "Content-Type: text"))))
    case(
        "n2-alternatives-in-the-wrong-order",
        mixed(parts("multipart/alternative", part("<p>hold</p>", "Content-Type: text/html"), part(BLOCK))),
    )


def blocks() -> None:
    case("n2-empty-body-with-a-quote", message(f"\n{ATTRIBUTION}\n{QUOTE}"), "refused", reason="")
    case("n2-signature-alone", message("-- \nAda\n", subject=CRIMSON), "refused", reason="")
    case("n2-header-with-end-and-a-quote", message(f"{HEADER}\nend\n\n{ATTRIBUTION}\n{QUOTE}"), orders=[])
    case("n2-comments-alone-below-the-header", message(f"{HEADER}\n# I wait\nend\n"), orders=[])
    case("n2-end-in-capitals-with-a-comment", message(f"{HEADER}\n{ORDERS}END # bye\nhold\n"))
    case(
        "n2-end-is-no-word-of-another",
        message(f"{HEADER}\n{ORDERS}ending\nhold\n"),
        orders=[*READ, [9, "hold"]],
        problems=[[8, "ending"]],
    )
    case(
        "n2-header-between-greeting-and-prose",
        message(f"Dear GM,\nhow are you?\n\n{HEADER}\n{MOVE}\nend\n\nI hold my breath.\n"),
        orders=[[6, MOVE]],
    )
    case("n2-block-stops-at-a-quoted-line", message(f"{HEADER}{MOVE}\n> hold\nCheers\n"), orders=[[5, MOVE]])
    case(
        "n2-order-below-the-quote-with-a-header",
        message(f"{HEADER}{MOVE}\n> hold\ncast hills at E5-E6\n"),
        "refused",
        reason="cast hills at E5-E6",
    )
    case("n2-order-below-the-quote-after-end", message(f"{BLOCK}\n{ATTRIBUTION}\n{QUOTE}\nhold\n"))
    case(
        "n2-order-below-an-unmarked-quote-is-quoted",
        message(f"{ORDERS}\n-----Original Message-----\nFrom: GM\n\nhold\n", subject=CRIMSON),
        orders=TOP,
    )
    case(
        "n2-answers-between-quoted-lines",
        message(f"> key: {CRIMSON}\n> # your orders\n{MOVE}\n> end\n"),
        "refused",
        reason=MOVE,
    )
    case("n2-misspelt-line-below-the-quote", message(f"{ORDERS}\n{QUOTE}\nmvoe wizard to D5\n"), orders=TOP)
    case(
        "n2-quoted-with-blanks-before-the-mark",
        message(f"{ORDERS}\n  > hold\n \t> key: {CRIMSON}\n"),
        orders=TOP,
    )
    case(
        "n2-orders-in-a-deep-quote-alone",
        message(f"Yes, so be it.\n\n> > {MOVE}\n> > key: {CRIMSON}\n"),
        "refused",
        problems=None,
        reason="quoted part",
    )
    case(
        "n2-signature-mark-with-blanks",
        message(f"{HEADER}{ORDERS}--   \nhold\n"),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "n2-three-dashes-are-no-signature",
        message(f"{HEADER}{ORDERS}---\nhold\n"),
        orders=[[5, MOVE], [6, READ[1][1]], [8, "hold"]],
        problems=[[7, "---"]],
    )
    case(
        "n2-conditions-and-retries",
        message(f"{HEADER}\nstanding: if not flux 5: hold else move wizard to the D5\n"),
        orders=[[6, "standing: if not flux 5: hold else move wizard to D5"]],
    )
    case("n2-press-with-a-hash", message(f"{HEADER}press to azure: number #1?\nhold\n"), orders=[[6, "hold"]])
    case(
        "n2-press-to-nobody",
        message(f"{HEADER}press to pink: hello\nhold\n"),
        orders=[[6, "hold"]],
        problems=[[5, "press to pink: hello"]],
    )
    case(
        "n2-press-too-long",
        message(f"{HEADER}press: {'a' * 2001}\nhold\n"),
        orders=[[6, "hold"]],
        problems=[[5, None]],
    )
    case("n2-comment-lines-before-the-header", message(f"# mine\n\n{BLOCK}"))


def attributions() -> None:
    for name, lines in {
        "polish-wrapped": "pon., 30 lis 2026 o 06:00 The Game Master of\nEverything <gm@example.net> napisał(a):",
        "russian-wrapped": "пн, 30 нояб. 2026 г. в 06:00, The Game Master of Everything\n<gm@example.net>:",
        "ukrainian": "пн, 30 лист. 2026 р. о 06:00 The GM <gm@example.net> пише:",
        "czech": "po 30. 11. 2026 v 6:00 odesílatel The GM <gm@example.net> napsal:",
        "norwegian-wrapped": "man. 30. nov. 2026 kl. 06:00 skrev The Game Master of Everything <\ngm@example.net>:",
        "swedish": "Den mån 30 nov. 2026 kl 06:00 skrev The GM <gm@example.net>:",
        "danish": "Den man. 30. nov. 2026 kl. 06.00 skrev The GM <gm@example.net>:",
        "finnish": "ma 30. marrask. 2026 klo 6.00 The GM (gm@example.net) kirjoitti:",
        "hungarian": "The GM <gm@example.net> ezt írta (időpont: 2026. nov. 30., H, 6:00):",
        "turkish": "The GM <gm@example.net>, 30 Kas 2026 Pzt, 06:00 tarihinde şunu\nyazdı:",
        "portuguese": "Em seg., 30 de nov. de 2026 às 06:00, The GM <gm@example.net> escreveu:",
        "italian": "Il giorno lun 30 nov 2026 alle ore 06:00 The GM <gm@example.net> ha\nscritto:",
        "romanian": "În lun., 30 nov. 2026 la 06:00, The GM <gm@example.net> a scris:",
        "catalan": "Missatge de The GM <gm@example.net> del dia dl., 30 de nov. 2026 a les 6:00:",
        "greek": "Στις Δευ 30 Νοε 2026 στις 6:00 π.μ., ο χρήστης The GM <gm@example.net> έγραψε:",
        "vietnamese": "Vào Th 2, 30 thg 11, 2026 vào lúc 06:00 The GM <gm@example.net> đã viết:",
        "indonesian": "Pada tanggal Sen, 30 Nov 2026 pukul 06.00 The GM <gm@example.net> menulis:",
        "korean": "2026년 11월 30일 (월) 오전 6:00, The GM <gm@example.net>님이 작성:",
        "hebrew": "\u202bבתאריך יום ב׳, 30 בנוב׳ 2026 ב-6:00 מאת \u202aThe GM\u202c\u200f <\u202agm@example.net\u202c\u200f>:\u202c".replace(
            "\u202b", ""
        )
        .replace("\u202c", "")
        .replace("\u202a", ""),
        "arabic": "في الاثنين، 30 نوفمبر 2026 في 6:00 ص تمت كتابة ما يلي بواسطة The GM <gm@example.net>:",
        "estonian": "Kirjutas The GM (gm@example.net) kuupäeval E, 30. november 2026 kell 06:00:",
        "german-name-first-wrapped": "The Game Master of Everything\n<gm@example.net> schrieb am Mo., 30. Nov. 2026,\n06:00:",
        "german-name-first-name-broken": "The Game Master of\nEverything <gm@example.net> schrieb am Mo., 30. Nov. 2026\num 06:00:",
        "apple-french": "Le 30 nov. 2026 à 06:00, The GM <gm@example.net> a écrit\u00a0:",
        "thunderbird-short": "On 11/30/26 06:00, The GM wrote:",
        "date-broken": "On Mon, Nov 30, 2026 at\n6:00 AM The GM <gm@example.net>\nwrote:",
        "full-width-colon": "The GM <gm@example.net> 於 2026年11月30日 週一 上午6:00寫道：",
    }.items():
        case(f"n2-attribution-{name}", message(f"{ORDERS}\n{lines}\n\n{QUOTE}", **UTF_8), orders=TOP)
        case(
            f"n2-attribution-{name}-after-the-header-block",
            message(f"{HEADER}{ORDERS}\n{lines}\n{QUOTE}", **UTF_8),
            orders=[[5, MOVE], [6, READ[1][1]]],
        )
    case(
        "n2-attribution-right-below-a-wrapped-one-in-polish",
        message(
            f"{ORDERS}pon., 30 lis 2026 o 06:00 The Game Master of\nEverything <gm@example.net> napisał(a):\n{QUOTE}",
            **UTF_8,
        ),
        orders=TOP,
    )
    case(
        "n2-attribution-quote-deleted-in-german",
        message(f"{ORDERS}\nAm 30.11.26 um 06:00 schrieb The GM:\n", subject=CRIMSON),
        orders=TOP,
    )
    case(
        "n2-attribution-quote-deleted-name-first",
        message(
            f"{ORDERS}\nThe GM <gm@example.net> schrieb am Mo., 30. Nov. 2026, 06:00:\n", subject=CRIMSON
        ),
        orders=TOP,
    )
    case(
        "n2-attribution-quote-deleted-on-two-lines",
        message(
            f"{ORDERS}\nOn Mon, 30 Nov 2026 at 06:00, The GM\n<gm@example.net> wrote:\n", subject=CRIMSON
        ),
        orders=TOP,
    )
    case(
        "n2-garbled-order-above-an-attribution",
        message(f"{MOVE}\nmvoe wizard to D6\n{ATTRIBUTION}\n{QUOTE}"),
        orders=[[1, MOVE]],
        problems=[[2, "mvoe wizard to D6"]],
    )
    case(
        "n2-press-that-looks-like-an-attribution",
        message(f"{HEADER}press to azure: On 30 Nov 2026 at 06:00 he wrote:\n{MOVE}\n"),
        orders=[[6, MOVE]],
    )


def quotes() -> None:
    for name, line in {
        "proton": "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
        "dutch": "-----Oorspronkelijk bericht-----",
        "portuguese": "-----Mensagem original-----",
        "swedish": "-----Ursprungligt meddelande-----",
        "danish": "-----Oprindelig meddelelse-----",
        "polish": "-----Oryginalna wiadomość-----",
        "russian": "-----Исходное сообщение-----",
        "japanese": "-----元のメッセージ-----",
        "in-capitals": "----- ORIGINAL MESSAGE -----",
        "indented": "   -----Original Message-----",
    }.items():
        case(
            f"n2-quote-original-{name}",
            message(f"{ORDERS}\n{line}\nDate: x\n\n{UNMARKED}hold\n", **UTF_8),
            orders=TOP,
        )
    for name, lines in {
        "spanish": "De: The GM <gm@example.net>\nEnviado: lunes, 30 de noviembre de 2026 6:00\nPara: Ada\nAsunto: report",
        "swedish": "Från: The GM <gm@example.net>\nSkickat: den 30 november 2026 06:00\nTill: Ada\nÄmne: report",
        "russian": "От: The GM <gm@example.net>\nОтправлено: 30 ноября 2026 г. 6:00\nКому: Ada\nТема: report",
        "japanese": "差出人: The GM <gm@example.net>\n送信日時: 2026年11月30日 6:00\n宛先: Ada\n件名: report",
        "irish": "Ó: The GM <gm@example.net>\nSeolta: 30 Samhain 2026 06:00\nChuig: Ada\nÁbhar: report",
        "with-cc-folded": "From: The GM <gm@example.net>\nSent: Monday\nTo: Ada <ada@example.org>;\n\tBen\nSubject: report",
        "hebrew": "מאת: The GM <gm@example.net>\nנשלח: יום שני 30 נובמבר 2026 06:00\nאל: Ada\nנושא: report",
        "with-a-date-field": "From: GM\nDate: yesterday\nSubject: report",
    }.items():
        case(
            f"n2-quote-fields-{name}", message(f"{ORDERS}\n{lines}\n\n{UNMARKED}hold\n", **UTF_8), orders=TOP
        )
    for name, line in {
        "german": "-------- Weitergeleitete Nachricht --------",
        "french": "---------- Message transféré ----------",
        "spanish": "---------- Mensaje reenviado ---------",
        "apple-german": "Anfang der weitergeleiteten Nachricht:",
        "apple-spanish": "Inicio del mensaje reenviado:",
        "yahoo": "----- Forwarded Message -----",
        "pine": "---------- Forwarded message follows ----------",
    }.items():
        case(
            f"n2-forwarded-{name}",
            message(f"{ORDERS}\n{line}\n\n{UNMARKED}hold\n", sender="x@example.com", **UTF_8),
            "quarantined",
            reason="no valid key",
        )
        case(
            f"n2-forwarded-{name}-key-above",
            message(f"{HEADER}{ORDERS}\n{line}\n\nhold\n", **UTF_8),
            orders=[[5, MOVE], [6, READ[1][1]]],
        )


def html() -> None:
    def body(text: str) -> str:
        return f"<html><head><style>p{{margin:0}}</style></head><body>{text}</body></html>"

    lines = f"<div>{MOVE}</div><div>cast forest at E5-E6</div>"
    inner = UNMARKED.replace("\n", "<br>")
    for name, quote in {
        "yahoo": f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, GM wrote:</div><div>{inner}hold</div></div>',
        "proton": f'<div class="protonmail_quote">-------- Original Message --------<br>On Monday, GM wrote:<br><blockquote class="protonmail_quote" type="cite">{inner}hold</blockquote></div>',
        "thunderbird": f'<div class="moz-cite-prefix">Am 30.11.26 um 06:00 schrieb GM:<br></div><blockquote type="cite" cite="mid:x">{inner}hold</blockquote>',
        "outlook-web": f'<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> GM<br></div><div>{inner}hold</div>',
        "outlook-web-rewritten": f'<div id="x_x_divRplyFwdMsg"><b>From:</b> GM<br></div><div>{inner}hold</div>',
        "outlook-rule-the-other-way-round": f'<div><div style="border-right:none; border-top:1pt solid rgb(225,225,225); padding:3pt 0 0"><b>From:</b> GM</div></div><div>{inner}hold</div>',
        "outlook-rule-spaced": f'<div style="border: none; border-top: solid #B5C4DF 1.0pt; padding: 3.0pt 0in 0in 0in"><p><b>Von:</b> GM</p></div><p>{inner}hold</p>',
        "gmail-behind-outlook": f'<div class="x_gmail_quote">On Monday, GM wrote:<br>{inner}hold</div>',
        "gmail-unquoted-class": f"<div class=gmail_quote>{inner}hold</div>",
        "fields-without-a-rule": f"<p><b>From:</b> GM</p><p><b>Sent:</b> Monday</p><p><b>To:</b> Ada</p><p><b>Subject:</b> report</p><div>{inner}hold</div>",
    }.items():
        case(f"n2-html-quote-{name}", message(body(f"{lines}<br>{quote}"), **HTML), orders=TOP)
    case(
        "n2-html-below-a-blockquote",
        message(body(f"<blockquote>{inner}</blockquote><div>{MOVE}</div>"), **HTML),
        "refused",
        reason=MOVE,
    )
    case(
        "n2-html-header-below-a-blockquote",
        message(body(f"<blockquote>{inner}</blockquote>{PLAIN_HEADER}<br>{MOVE}"), **HTML),
        orders=[[6, MOVE]],
    )
    case(
        "n2-html-forwarded-key",
        message(
            body(
                f"{lines}<br><div class=gmail_quote>---------- Forwarded message ---------<br>{inner}</div>"
            ),
            sender="x@example.com",
            **HTML,
        ),
        "quarantined",
        reason="no valid key",
    )
    split = f"<span class=SpellE>{CRIMSON[:4]}</span>{CRIMSON[4:]}"
    case(
        "n2-html-key-cut-by-tags",
        message(body(f"{lines}<blockquote>key: {split}</blockquote>"), **HTML),
        orders=TOP,
    )
    case(
        "n2-html-key-with-named-entities",
        message(body(f"{lines}<blockquote>key: {CRIMSON.replace('-', '&ndash;')}</blockquote>"), **HTML),
        orders=TOP,
    )
    case(
        "n2-html-key-with-wbr",
        message(body(f"{lines}<blockquote>key: {CRIMSON.replace('-', '-<wbr>')}</blockquote>"), **HTML),
        orders=TOP,
    )
    case(
        "n2-html-invisible",
        message(
            body(
                f'{PLAIN_HEADER}<div style="display:none">hold</div>{lines}<script>hold</script><!-- <div>hold</div> -->'
            ),
            **HTML,
        ),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "n2-html-nbsp-lines",
        message(
            body(
                f"<p>key: {CRIMSON}</p><p>&nbsp;</p><p>move&nbsp;wizard to D5</p><p>&nbsp;</p><p>end</p><p>hold</p>"
            ),
            **HTML,
        ),
        orders=[[3, MOVE]],
        repairs=["blanks"],
    )
    case(
        "n2-html-signature",
        message(body(f"{PLAIN_HEADER}<div>{MOVE}</div><div>-- </div><div>hold</div>"), **HTML),
        orders=[[5, MOVE]],
    )
    case(
        "n2-html-table",
        message(
            body(
                f"<table><tr><td>key: {CRIMSON}</td></tr><tr><td>move</td><td>wizard to D5</td></tr></table>"
            ),
            **HTML,
        ),
        orders=[[2, MOVE]],
    )
    case(
        "n2-html-marked-lines",
        message(body(f"{lines}<div>&gt; hold</div><div>&gt; key: {CRIMSON}</div>"), **HTML),
        orders=TOP,
    )
    case(
        "n2-html-upper-case",
        message(body(f"{PLAIN_HEADER}{lines}").upper().replace(CRIMSON.upper(), CRIMSON), **HTML),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "n2-html-inline-part-named-txt",
        mixed(
            parts(
                "multipart/mixed",
                part(
                    body(f"{PLAIN_HEADER}{lines}"),
                    'Content-Type: text/html; charset=utf-8; name="crimson.txt"',
                ),
            )
        ),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case(
        "n2-html-ellipsis-stays",
        message(body(f"{PLAIN_HEADER}<div>move wizard to D5&hellip;</div><div>hold</div>"), **HTML),
        orders=[[6, "hold"]],
        problems=[[5, "move wizard to D5…"]],
    )
    case(
        "n2-html-never-closed",
        message(f"<html><body><div>{PLAIN_HEADER}<div>{MOVE}<div>hold", **HTML),
        orders=[[5, MOVE], [6, "hold"]],
    )
    case(
        "n2-html-windows-1252",
        message(
            f"{PLAIN_HEADER}<p>cast forest at E5\x96E6</p>".encode("latin-1"),
            kind="text/html",
            charset="iso-8859-1",
        ),
        orders=[[5, READ[1][1]]],
        repairs=["windows-1252", "dashes"],
    )


def charsets() -> None:
    dashed = BLOCK.replace("E5-E6", "E5–E6")
    accent = BLOCK.replace(MOVE, f"{MOVE} # é")
    western = accent.encode("windows-1252")
    case(
        "n3-ascii-declared-windows-1252-sent",
        message(dashed.encode("windows-1252"), charset="us-ascii"),
        repairs=["windows-1252", "dashes"],
    )
    case("n3-charset-with-a-comment", message(BLOCK, params="; charset=us-ascii (Plain text)"))
    case("n3-charset-in-quotes-and-capitals", message(accent, charset='"UTF-8"'))
    case("n3-charset-in-rfc-2231", message(western, params="; charset*=us-ascii'en'windows-1252"))
    case("n3-charset-in-rfc-2231-pieces", message(western, params="; charset*0=windows-; charset*1=1252"))
    case("n3-charset-empty", message(accent, charset='""'), repairs=["UTF-8"])
    case(
        "n3-charset-unknown-windows-1252", message(western, charset="x-mac-klingon"), repairs=["windows-1252"]
    )
    case("n3-charset-a-codec-that-is-none", message(accent, charset="base64"), repairs=["UTF-8"])
    case(
        "n3-charset-unicode-escape",
        message(BLOCK.replace("hold", "hold"), charset="unicode_escape"),
        repairs=["UTF-8"],
    )
    case(
        "n3-windows-1252-declared",
        message(dashed.encode("windows-1252"), charset="windows-1252"),
        repairs=["dashes"],
    )
    case(
        "n3-latin-1-by-another-name",
        message(dashed.encode("windows-1252"), charset="ISO_8859-1:1987"),
        repairs=["windows-1252", "dashes"],
    )
    case(
        "n3-latin-1-undefined-byte",
        message(accent.encode("latin-1").replace(b"\xe9", b"\x81"), charset="iso-8859-1"),
        "refused",
        reason="charset",
    )
    case(
        "n3-latin-9", message(BLOCK.replace(MOVE, f"{MOVE} # €").encode("iso-8859-15"), charset="iso-8859-15")
    )
    case("n3-utf-7", message(BLOCK.replace("E5-E6", "E5+IBM-E6"), charset="utf-7"), repairs=["dashes"])
    case(
        "n3-utf-8-cut-in-a-letter",
        message(BLOCK.replace(MOVE, f"{MOVE} # é").encode().replace(b"\xa9", b""), charset="utf-8"),
        repairs=["windows-1252"],
    )
    case("n3-utf-16-as-8bit", message(BLOCK.encode("utf-16"), charset="utf-16", cte="8bit"))
    case(
        "n3-utf-16-be-mark-quoted-printable",
        message(
            quopri.encodestring(BLOCK.encode("utf-16-be").join([b"\xfe\xff", b""])),
            charset="utf-16be",
            cte="quoted-printable",
        ),
    )
    case(
        "n3-utf-16-le-declared-without-mark",
        message(base64.encodebytes(BLOCK.encode("utf-16-le")), charset="utf-16le", cte="base64"),
    )
    case(
        "n3-utf-16-html",
        message(
            base64.encodebytes(f"<p>key: {CRIMSON}</p><p>hold</p>".encode("utf-16")),
            charset="utf-16",
            kind="text/html",
            cte="base64",
        ),
        orders=[[2, "hold"]],
    )
    case(
        "n3-utf-32",
        message(base64.encodebytes(BLOCK.encode("utf-32")), charset="utf-32", cte="base64", subject=CRIMSON),
        "refused",
        reason="NUL",
    )
    case(
        "n3-one-nul-in-quoted-printable",
        message(BLOCK.replace("D5", "D=005"), charset="utf-8", cte="quoted-printable"),
        "refused",
        reason="NUL",
    )
    case(
        "n3-two-charsets-in-one-body",
        mixed(
            parts(
                "multipart/mixed",
                part(f"{HEADER}# é\n", "Content-Type: text/plain; charset=utf-8"),
                part(
                    dashed.split("\n\n")[1].encode("windows-1252"),
                    "Content-Type: text/plain; charset=windows-1252",
                ),
            )
        ),
        orders=[[6, MOVE], [7, READ[1][1]]],
        repairs=["dashes"],
    )
    case("n3-gb18030", message(BLOCK.replace(MOVE, f"{MOVE} # 移动").encode("gb18030"), charset="GB18030"))
    case(
        "n3-shift-jis",
        message(BLOCK.replace(MOVE, f"{MOVE} # 表示").encode("shift_jis"), charset="Shift_JIS"),
    )


def transfer() -> None:
    b64 = base64.encodebytes
    qp: dict[str, Any] = {"charset": "utf-8", "cte": "quoted-printable"}
    case("n3-base64-in-capitals", message(b64(BLOCK.encode()), charset="utf-8", cte="BASE64"))
    case(
        "n3-base64-on-one-long-line", message(base64.b64encode(BLOCK.encode()), charset="utf-8", cte="base64")
    )
    case(
        "n3-base64-with-blank-lines",
        message(b64(BLOCK.encode()).replace(b"\n", b"\r\n \t\r\n"), charset="utf-8", cte="base64"),
    )
    padded = base64.b64encode(f"{HEADER}{MOVE}\n".encode().ljust(100))
    assert padded.endswith(b"=")
    case(
        "n3-base64-without-its-last-padding",
        message(padded.rstrip(b"="), charset="utf-8", cte="base64"),
        "refused",
        reason="base64",
    )
    case(
        "n3-base64-two-texts-joined",
        message(b64(f"{HEADER}{MOVE}\n".encode().ljust(100)) + b64(b"hold\n"), charset="utf-8", cte="base64"),
        "refused",
        reason="base64",
    )
    case(
        "n3-base64-url-alphabet",
        message(b64(BLOCK.encode()).replace(b"Z", b"_", 1), charset="utf-8", cte="base64", subject=CRIMSON),
        "refused",
        reason="base64",
    )
    case(
        "n3-base64-label-on-plain-text",
        message(BLOCK, charset="utf-8", cte="base64", subject=CRIMSON),
        "refused",
        reason="base64",
    )
    case(
        "n3-base64-of-nothing",
        message("\n", charset="utf-8", cte="base64", subject=CRIMSON),
        "refused",
        reason="no text",
    )
    case(
        "n3-base64-of-cr-lines",
        message(b64(BLOCK.replace("\n", "\r\n").encode()), charset="utf-8", cte="base64"),
    )
    case(
        "n3-qp-equals-before-other-signs",
        message(BLOCK.replace(MOVE, f"{MOVE} # 1=2 =G1 == ="), **qp),
        orders=[READ[0]],
    )
    case("n3-qp-equals-inside-a-line", message(BLOCK.replace(MOVE, f"{MOVE} # 1=2 =G1 == =3 x"), **qp))
    case(
        "n3-qp-equals-before-a-soft-break",
        message(f"{HEADER}hold # ==\n3D\n{ORDERS}", **qp),
        orders=[[5, "hold"], [6, MOVE], [7, READ[1][1]]],
    )
    case("n3-qp-equals-at-the-very-end", message(f"{HEADER}\n{ORDERS}end=", **qp))
    case("n3-qp-encoded-line-ends", message(BLOCK.replace("\n", "=0D=0A=\n"), **qp))
    case(
        "n3-qp-encoded-lf",
        message(BLOCK.replace(MOVE, f"{MOVE}=0Ahold"), **qp),
        orders=[READ[0], [7, "hold"], [8, READ[1][1]]],
    )
    case("n3-qp-trailing-blanks", message(BLOCK.replace(MOVE, f"{MOVE}   "), **qp))
    case(
        "n3-qp-underscore-is-no-blank",
        message(BLOCK.replace(MOVE, "move_wizard to D5"), **qp),
        orders=[READ[1]],
        problems=[[6, "move_wizard to D5"]],
    )
    case("n3-qp-raw-eight-bit", message(BLOCK.replace("E5-E6", "E5–E6"), **qp), repairs=["dashes"])
    case("n3-qp-key-with-encoded-dashes", message(BLOCK.replace(CRIMSON, CRIMSON.replace("-", "=2D")), **qp))
    case(
        "n3-qp-soft-break-in-the-key", message(BLOCK.replace(CRIMSON, f"{CRIMSON[:6]}=\n{CRIMSON[6:]}"), **qp)
    )
    case("n3-encoding-with-a-comment", message(b64(BLOCK.encode()), charset="utf-8", cte="base64 (as ever)"))
    case("n3-encoding-with-a-semicolon", message(b64(BLOCK.encode()), charset="utf-8", cte="base64;"))
    case("n3-encoding-uuencode-is-unknown", message(BLOCK, charset="utf-8", cte="x-uuencode"))
    case("n3-encoding-empty", message(BLOCK, "Content-Transfer-Encoding: ", charset="utf-8"))
    case(
        "n3-encoding-8-bit-misspelt",
        message(BLOCK.replace("E5-E6", "E5–E6"), charset="utf-8", cte="8-bit"),
        repairs=["dashes"],
    )
    case(
        "n3-encoding-on-the-container",
        mixed(parts("multipart/mixed", part(BLOCK)), "Content-Transfer-Encoding: base64"),
    )


def flowed() -> None:
    form: dict[str, Any] = {"charset": "utf-8", "params": "; format=flowed"}
    case(
        "n3-flowed-in-capitals",
        message(f"{HEADER}\nmove wizard \nto D5\n", charset="utf-8", params="; Format=Flowed"),
        orders=[[6, MOVE]],
    )
    case(
        "n3-flowed-counts-lines-after",
        message(f"{HEADER}\n# a long \ncomment that \nflows\n{MOVE}\n", **form),
        orders=[[7, MOVE]],
    )
    case(
        "n3-flowed-stuffed-from",
        message(f"{HEADER}\n # From here\n  # two\n{MOVE}\n", **form),
        orders=[[8, MOVE]],
    )
    case(
        "n3-flowed-signature-does-not-join",
        message(f"{HEADER}\n{MOVE} \n-- \nhold\n", **form),
        orders=[[6, MOVE]],
    )
    case(
        "n3-flowed-joins-no-other-depth",
        message(f"key: {CRIMSON}\n{MOVE} \n> quoted \nhold\n", **form),
        "refused",
        reason="hold",
    )
    case(
        "n3-flowed-quoted-key",
        message(f"move wizard \nto D5\n\n>> key: \n>> {CRIMSON}\n", **form),
        orders=[[1, MOVE]],
    )
    case(
        "n3-flowed-delsp-in-words",
        message(
            f"{HEADER}\nmo \nve wiz \nard to D5\n", charset="utf-8", params='; format=flowed; DelSp="Yes"'
        ),
        orders=[[6, MOVE]],
    )
    case(
        "n3-flowed-delsp-no",
        message(f"{HEADER}\nmove \nwizard to D5\n", charset="utf-8", params="; format=flowed; delsp=no"),
        orders=[[6, MOVE]],
    )
    case(
        "n3-flowed-quoted-printable",
        message(
            f"{HEADER}\nmove wizard=20\nto D5\n",
            charset="utf-8",
            cte="quoted-printable",
            params="; format=flowed",
        ),
        orders=[[6, MOVE]],
    )
    case(
        "n3-flowed-base64",
        message(
            base64.encodebytes(f"{HEADER}\nmove wizard \r\nto D5\r\n".encode()),
            charset="utf-8",
            cte="base64",
            params="; format=flowed",
        ),
        orders=[[6, MOVE]],
    )
    case(
        "n3-fixed-is-not-joined",
        message(f"{HEADER}\nmove wizard \nto D5\nhold\n", charset="utf-8", params="; format=fixed"),
        orders=[[8, "hold"]],
        problems=[[6, "move wizard"], [7, "to D5"]],
    )
    case(
        "n3-flowed-html-is-not",
        message(
            f"<pre>key: {CRIMSON}\nhold \nhold</pre>",
            kind="text/html",
            charset="utf-8",
            params="; format=flowed",
        ),
        orders=[[2, "hold"], [3, "hold"]],
    )
    case(
        "n3-flowed-crlf",
        message(f"{HEADER}\nmove wizard \nto D5\n".replace("\n", "\r\n"), **form),
        orders=[[6, MOVE]],
    )


def characters() -> None:
    def order(text: str) -> bytes:
        return message(BLOCK.replace(MOVE, text), **UTF_8)

    for name, text in {
        "kelvin-sign": "move wizard to \u212a9",
        "long-s": "ca\u017ft hills at E5-E6",
        "dotless-i": "move w\u0131zard to D5",
        "ligature": "move wizard to D5 \ufb01",
        "greek-omicron": "move wizard t\u03bf D5",
        "devanagari-digit": "move wizard to D\u096b",
        "ideographic-digit": "move wizard to D五",
        "mathematical-digit": "move wizard to D\U0001d7d3",
        "circled-digit": "move wizard to D\u2464",
        "fraction": "cast forest at E5-E6 times \u00bd",
        "superscript-times": "cast forest at E5-E6 times \u00b2",
        "combining-accent": "move wizard to D\u03015",
        "bidi-mark": "move wizard to \u202eD5",
        "arabic-letter-mark": "move wizard to D\u061c5",
        "mongolian-separator": "move wizard to D\u180e5",
        "small-hyphen": "cast hills at E5\ufe63E6",
        "tag-character": "move wizard to D5\U000e0041",
        "ideographic-full-stop": "move wizard to D5。",
    }.items():
        case(f"n3-{name}-stays", order(text), orders=[READ[1]], problems=[[6, None]])
    case("n3-ideographic-space", order("move\u3000wizard\u3000to\u3000D5"), repairs=["blanks"])
    case("n3-full-width-order", order("ｍｏｖｅ　ｗｉｚａｒｄ　ｔｏ　Ｄ５"), repairs=["blanks", "full-width"])
    case("n3-full-width-comment-sign", order(f"{MOVE} ＃ hello"), repairs=["full-width"])
    case(
        "n3-full-width-colon-in-the-header",
        message(BLOCK.replace("turn: 2", "turn：２"), **UTF_8),
        repairs=["full-width"],
    )
    case("n3-line-separator-is-a-blank", order("move\u2028wizard\u2029to D5"), repairs=["blanks"])
    case("n3-u-85-in-utf-8-is-a-blank", order("move\u0085wizard to D5"), repairs=["blanks"])
    case("n3-form-feed-is-a-blank", order("move\fwizard to D5"), repairs=["blanks"])
    case(
        "n3-vertical-tab-is-refused",
        order("move\vwizard to D5"),
        "refused",
        repairs=["blanks"],
        reason="U+000B",
    )
    case("n3-escape-is-refused", order("move wizard to D5\x1b[0m"), "refused", reason="U+001B")
    case("n3-delete-is-refused", order("move wizard to D5\x7f"), "refused", reason="U+007F")
    case("n3-control-below-the-block-does-not-matter", message(f"{BLOCK}bye\x07\n", **UTF_8))
    case("n3-mark-in-the-middle", order("move \ufeffwizard to D5"), repairs=["invisible"])
    case(
        "n3-only-invisible-signs-in-a-line",
        order(f"\u200b\u00ad\n{MOVE}"),
        orders=[[7, MOVE], [8, READ[1][1]]],
        repairs=["invisible"],
    )
    case("n3-repairs-in-a-comment", order(f"{MOVE} # “well” – so…"), repairs=["dashes", "quotation marks"])
    case("n3-repairs-above-the-block-are-none", message(f"“Dear” GM –\n\n{BLOCK}", **UTF_8))
    case(
        "n3-end-with-a-no-break-space",
        message(f"{HEADER}\n{ORDERS}\u00a0end\u00a0\nhold\n", **UTF_8),
        repairs=["blanks"],
    )
    case("n3-signature-mark-with-a-no-break-space", message(f"{HEADER}\n{ORDERS}--\u00a0\nhold\n", **UTF_8))
    case("n3-quote-mark-full-width", message(f"{ORDERS}＞ key: {CRIMSON}\n", **UTF_8), orders=TOP)
    case(
        "n3-lone-surrogate-in-utf-8",
        message(BLOCK.encode().replace(b"D5", b"D\xed\xa0\x805"), charset="utf-8"),
        orders=[READ[1]],
        problems=[[6, None]],
        repairs=["windows-1252", "blanks"],
    )


def automatic() -> None:
    for name, fields in {
        "vacation": ('Auto-Submitted: auto-replied; owner-email="ada@example.org"',),
        "auto-notified": ("AUTO-SUBMITTED:   Auto-Notified",),
        "auto-submitted-yes": ("Auto-Submitted: yes",),
        "precedence-in-capitals": ("Precedence: BULK ",),
        "return-path-with-blanks": ("Return-Path: < >",),
        "return-path-with-nothing": ("Return-Path:",),
        "second-auto-submitted": ("Auto-Submitted: no", "Auto-Submitted: auto-generated"),
        "x-pbem-of-another-game": ("X-Pbem: other report",),
        "x-pbem-with-nothing": ("X-Pbem:",),
        "return-path-mailer-daemon": ("Return-Path: <MAILER-DAEMON@mx.example.org>",),
    }.items():
        case(f"n4-{name}", message(BLOCK, *fields), "ignored", reason="")
    case(
        "n4-mailer-daemon-bare",
        message(BLOCK, sender="MAILER-DAEMON (Mail Delivery System)"),
        "ignored",
        reason="mailer-daemon",
    )
    case(
        "n4-mailer-daemon-googles",
        message(BLOCK, sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>"),
        "ignored",
        reason="mailer-daemon",
    )
    case("n4-mailer-daemon-in-the-subject-alone", message(BLOCK, subject="about mailer-daemon"))
    case("n4-auto-submitted-no-with-a-comment", message(BLOCK, "Auto-Submitted: No (by hand)"))
    case("n4-precedence-first-class", message(BLOCK, "Precedence: first-class"))
    case("n4-list-id-alone-is-no-sign", message(BLOCK, "List-Id: <players.example.org>"))
    report = parts("multipart/report; report-type=disposition-notification", part("read\n"))
    case(
        "n4-report-inside-mixed",
        mixed(parts("multipart/mixed", part(BLOCK), inside(report))),
        "ignored",
        reason="report",
    )
    case(
        "n4-report-inside-an-attached-message",
        mixed(parts("multipart/mixed", part(BLOCK), part(mixed(report), "Content-Type: message/rfc822"))),
    )
    case(
        "n4-report-with-no-parts",
        message("x\n", "MIME-Version: 1.0", "Content-Type: Multipart/Report; report-type=delivery-status"),
        "ignored",
        reason="report",
    )
    case(
        "n4-automatic-with-two-seats-keys",
        message(f"{BLOCK}key: {AZURE}\n", "Precedence: junk"),
        "ignored",
        reason="",
    )
    case(
        "n4-automatic-from-nobody",
        message("away\n", "Auto-Submitted: auto-replied", sender="x@example.com"),
        "ignored",
        reason="",
    )
    case("n4-x-pbem-in-the-body-only", message(f"{BLOCK}\n> X-Pbem: glade-cup report\n"))


def commands() -> None:
    none: dict[str, Any] = {"orders": []}
    case(
        "n5-status-first-line-above-a-quote",
        message(f"STATUS\n\n{ATTRIBUTION}\n{QUOTE}"),
        reason="status",
        **none,
    )
    case(
        "n5-help-with-prose-below",
        message(f"help\n\nI am lost.\n{ATTRIBUTION}\n{QUOTE}"),
        reason="help",
        **none,
    )
    case(
        "n5-resend-with-many-blanks",
        message(f" resend   Turn-1 \nkey: {CRIMSON}\n"),
        reason="resend turn-1",
        **none,
    )
    case(
        "n5-resend-with-a-typographic-dash",
        message(f"resend turn–1\nkey: {CRIMSON}\n", **UTF_8),
        reason="resend turn-1",
        **none,
    )
    case(
        "n5-resend-of-a-turn-to-come",
        message(f"resend turn-9\nkey: {CRIMSON}\n"),
        reason="resend turn-9",
        **none,
    )
    case(
        "n5-resend-without-a-turn-is-none",
        message(f"resend\n{QUOTED_KEY}"),
        "refused",
        problems=[[1, "resend"]],
        reason="can be read",
    )
    case(
        "n5-command-in-the-second-line-is-none",
        message(f"Hello\nstatus\n{QUOTED_KEY}"),
        "refused",
        problems=[[1, "Hello"], [2, "status"]],
        reason="can be read",
    )
    case(
        "n5-order-below-the-command-and-the-quote",
        message(f"status\n{QUOTED_KEY}\nhold\n"),
        "refused",
        reason="hold",
    )
    case(
        "n5-quoted-orders-below-a-command",
        message(f"status\n> {MOVE}\n{QUOTED_KEY}"),
        reason="status",
        **none,
    )
    case(
        "n5-command-in-the-subject-orders-in-the-body",
        message(BLOCK, subject="Status"),
        "refused",
        reason=MOVE,
    )
    case(
        "n5-command-in-an-encoded-subject",
        message(f"key: {CRIMSON}\n", subject="=?utf-8?b?c3RhdHVz?="),
        reason="status",
        **none,
    )
    case(
        "n5-command-in-html",
        message(f"<p>status</p><blockquote>key: {CRIMSON}</blockquote>", **HTML),
        reason="status",
        **none,
    )
    case(
        "n5-command-in-an-attachment",
        mixed(parts("multipart/mixed", part("x\n"), attached(f"key: {CRIMSON}\nstatus\nend\n"))),
        reason="status",
        **none,
    )
    case(
        "n5-command-in-an-attachment-with-an-order",
        mixed(parts("multipart/mixed", part("x\n"), attached(f"key: {CRIMSON}\nstatus\nhold\n"))),
        "refused",
        reason="hold",
    )
    case(
        "n5-command-with-an-old-key",
        message(f"status\nkey: {OLD}\n"),
        "refused",
        turn=1,
        reason="turn-2 is open",
    )
    case(
        "n5-command-with-two-seats-keys",
        message(f"status\nkey: {CRIMSON}\n", subject=AZURE),
        "refused",
        seat=None,
        reason="two different seats",
    )
    case(
        "n5-command-in-an-automatic-mail",
        message(f"status\nkey: {CRIMSON}\n", "Auto-Submitted: auto-replied"),
        "ignored",
        reason="",
    )


def odd_forms() -> None:
    case("n6-cr-alone", message(BLOCK).replace(b"\n", b"\r"))
    case("n6-header-lf-body-crlf", message(BLOCK.replace("\n", "\r\n")))
    case("n6-empty-lines-before-the-header", b"\r\n\r\n" + message(BLOCK))
    case("n6-utf-8-mark-before-the-header", b"\xef\xbb\xbf" + message(BLOCK))
    case("n6-fields-without-a-blank", message(BLOCK).replace(b": ", b":", 4))
    case(
        "n6-two-content-types",
        message(BLOCK, "Content-Type: text/plain; charset=utf-8", "Content-Type: text/html"),
    )
    case("n6-message-id-folded", message(BLOCK, identity="\n <folded@example.org>"))
    case("n6-from-with-a-group", message(BLOCK, sender="undisclosed-recipients:;"))
    case("n6-from-with-quoted-comma", message(BLOCK, sender='"Lovelace, Ada" <ADA@EXAMPLE.ORG>'))
    case(
        "n6-boundary-with-odd-signs", mixed(parts("multipart/mixed", part(BLOCK), boundary="a'()+_,-./:=? b"))
    )
    case(
        "n6-boundary-that-begins-like-another",
        mixed(
            parts(
                "multipart/mixed",
                inside(
                    parts(
                        "multipart/alternative",
                        part(BLOCK),
                        part("<p>hold</p>", "Content-Type: text/html"),
                        boundary="b-1",
                    )
                ),
                part("bye\n"),
                boundary="b",
            )
        ),
    )
    case(
        "n6-preamble-and-epilogue",
        mixed(
            (
                b"hold\n\n" + parts("multipart/mixed", part(BLOCK), boundary="q")[0] + b"\nhold\n",
                'Content-Type: multipart/mixed; boundary="q"',
            )
        ),
    )
    case(
        "n6-no-blank-line-before-a-parts-text",
        mixed(parts("multipart/mixed", b"\n" + BLOCK.encode(), part("bye\n"))),
    )
    case(
        "n6-plain-text-not-closed",
        mixed(parts("multipart/mixed", part(f"{HEADER}{ORDERS}"), close=False)),
        orders=[[5, MOVE], [6, READ[1][1]]],
    )
    case("n6-from-escaped-in-no-mbox", message(f"{HEADER}{MOVE}\nend\n>From here\n"), orders=[[5, MOVE]])
    case(
        "n6-mbox-with-crlf",
        b"From ada@example.org Mon Nov 30 05:50:00 2026\r\n"
        + message(f"{HEADER}{MOVE}\n>From K9\n").replace(b"\n", b"\r\n"),
        suffix="mbox",
        orders=[[5, MOVE]],
        problems=[[6, "From K9"]],
    )
    case(
        "n6-mbox-with-from-in-the-text",
        b"From ada Mon Nov 30 05:50:00 2026\n"
        + message(f"Hello\n\nFrom now on it is war\n\n{BLOCK}")
        + b"\n",
        suffix="mbox",
    )
    case("n6-text-file-cr", BLOCK.replace("\n", "\r").encode(), suffix="txt")
    case("n6-text-file-mark", b"\xef\xbb\xbf" + BLOCK.encode(), suffix="txt", repairs=["UTF-8"])
    case(
        "n6-text-file-with-a-nul",
        BLOCK.replace("D5", "D\x005").encode(),
        "refused",
        suffix="txt",
        reason="NUL",
    )
    case(
        "n6-text-file-status", f"status\nkey: {CRIMSON}\n".encode(), suffix="txt", orders=[], reason="status"
    )


MBOX = b"From ada@example.org Mon Nov 30 05:50:00 2026\n"


def several() -> None:
    """Mboxes of more than one message: what came before decides what becomes of the next."""

    def again(data: bytes) -> bytes:
        return b"Received: from a by b; Mon, 30 Nov 2026 05:52:00 +0000\n" + data

    first, same_id = message(BLOCK, identity="<a@x>"), message(BLOCK.replace("D5", "D6"), identity="<a@x>")
    other = message(BLOCK.replace("D5", "D6"), identity="<b@x>")
    azures = message(BLOCK.replace(CRIMSON, AZURE).replace("crimson", "azure"), identity="<a@x>")
    to_d6 = [[6, "move wizard to D6"], READ[1]]
    mbox(
        "n6-same-id-same-text", (first, {}), (again(first), {"outcome": "duplicate", "reason": "came before"})
    )
    mbox(
        "n6-another-id-same-text",
        (first, {}),
        (message(BLOCK, identity="<b@x>"), {"outcome": "duplicate", "reason": "came before"}),
    )
    mbox("n6-same-id-another-text", (first, {}), (same_id, {"orders": to_d6}))
    mbox("n6-same-id-another-seat", (first, {}), (azures, {"seat": "azure", "receipt_to": "ben@example.org"}))
    mbox(
        "n6-back-to-the-first-text",
        (first, {}),
        (other, {"orders": to_d6}),
        (again(first), {"outcome": "duplicate", "reason": "came before"}),
        (message(BLOCK, identity="<c@x>"), {}),
    )
    bad = message(f"{HEADER}fly\n", identity="<d@x>")
    refusal = {"outcome": "refused", "problems": [[5, "fly"]], "reason": "can be read"}
    mbox(
        "n6-refused-and-again",
        (bad, refusal),
        (again(bad), {"outcome": "duplicate", "reason": "came before"}),
        (first, {}),
    )
    stray = message(f"{MOVE}\n{QUOTED_KEY}hold\n", identity="<e@x>")
    mbox(
        "n6-refused-without-a-block-and-again",
        (stray, {"outcome": "refused", "reason": "hold"}),
        (again(stray), {"outcome": "duplicate", "reason": "came before"}),
    )
    asked = message(f"status\nkey: {CRIMSON}\n", identity="<f@x>")
    answer = {"orders": [], "reason": "status"}
    mbox(
        "n6-asked-and-again",
        (asked, answer),
        (again(asked), {"outcome": "duplicate", "reason": "came before"}),
        (message(f"status\nkey: {CRIMSON}\n", identity="<g@x>"), answer),
    )
    no_id = message(BLOCK).replace(b"Message-ID", b"X-Was")
    mbox("n6-no-id-same-text", (no_id, {}), (again(no_id), {"outcome": "duplicate", "reason": "came before"}))
    nobodys = message("hello\n", sender="x@example.com")
    stranger = {"outcome": "quarantined", "reason": "no valid key"}
    mbox("n6-strangers", (nobodys, stranger), (again(nobodys), stranger), (first, {}))
    mbox(
        "n6-a-refused-mail-changes-nothing",
        (first, {}),
        (bad, refusal),
        (message(BLOCK, identity="<h@x>"), {"outcome": "duplicate", "reason": "came before"}),
    )
    data = MBOX + message(f"{HEADER}{MOVE}\nend", identity="<i@x>") + b"\n" + MBOX + first
    case_of_several("n6-no-empty-line-between.mbox", data, {"orders": [[5, MOVE]]}, {})
    data = (
        MBOX
        + message(f"{HEADER}{MOVE}\nend\n\nFrom 10:30 on I am away\n", identity="<i@x>")
        + b"\n"
        + MBOX.replace(b"\n", b"\r\n")
        + first.replace(b"\n", b"\r\n")
    )
    case_of_several(
        "n6-mbox-of-two-kinds-of-line-ends.mbox",
        data.replace(b"From 10:30", b">From 10:30"),
        {"orders": [[5, MOVE]]},
        {},
    )


def mbox(name: str, *messages: tuple[bytes, dict[str, Any]]) -> None:
    data = b"".join(MBOX + each + b"\n" for each, _ in messages)
    case_of_several(f"{name}.mbox", data, *(expected for _, expected in messages))


def second_thoughts() -> None:
    """What came to mind when the rest had passed."""
    case(
        "n7-same-template-unquoted-below",
        message(
            f"{MOVE}\n\nOn Monday, 30 November 2026, 06:00:00 GMT, The GM <gm@example.net> wrote:\n\n{UNMARKED}"
        ),
        "refused",
        reason=MOVE,
    )
    case(
        "n7-key-in-html-alone-plain-without-quote",
        mixed(
            parts(
                "multipart/alternative",
                part(ORDERS),
                part(f"<div>{MOVE}</div><blockquote>key: {CRIMSON}</blockquote>", "Content-Type: text/html"),
            )
        ),
        orders=TOP,
    )
    case(
        "n7-two-plain-parts-quote-in-the-second",
        mixed(parts("multipart/mixed", part(ORDERS), part(QUOTE))),
        orders=TOP,
    )
    case(
        "n7-header-in-first-part-orders-in-attachment-without-key",
        mixed(parts("multipart/mixed", part(HEADER), attached(ORDERS, "orders.txt"))),
        orders=[],
    )
    case("n7-header-alone-with-a-signature", message(f"{HEADER}-- \nhold\n"), orders=[])
    case("n7-standing-alone", message(f"{HEADER}standing: hold\n"), orders=[[5, "standing: hold"]])
    case(
        "n7-unreadable-standing",
        message(f"{HEADER}standing: fly\nhold\n"),
        orders=[[6, "hold"]],
        problems=[[5, "standing: fly"]],
    )
    case("n7-press-and-unreadable", message(f"{HEADER}press: hi\nfly\n"), orders=[], problems=[[6, "fly"]])
    case(
        "n7-press-problem-alone",
        message(f"{HEADER}press to pink: hi\n"),
        "accepted",
        orders=[],
        problems=[[5, "press to pink: hi"]],
    )
    case(
        "n7-else",
        message(f"{HEADER}move wizard to D5 else hold # x\n"),
        orders=[[5, "move wizard to D5 else hold"]],
    )
    case(
        "n7-blank-first-lines-no-header",
        message(f"\n\n{ORDERS}\n{QUOTE}"),
        orders=[[3, MOVE], [4, READ[1][1]]],
    )
    case(
        "n7-flowed-quoted-attribution",
        message(
            f"{ORDERS}\nOn Mon, 30 Nov 2026 at 06:00, The GM \n<gm@example.net> wrote:\n> key: {CRIMSON}\n",
            charset="utf-8",
            params="; format=flowed",
        ),
        orders=TOP,
    )
    case("n7-cc-key-encoded", message(ORDERS, f"Cc: =?utf-8?q?The_GM?= <gm+{BARE}@example.net>"), orders=TOP)
    case("n7-to-key-quoted-local", message(ORDERS, f'X-Original-To: "gm+{BARE}"@example.net'), orders=TOP)
    case("n7-subject-with-eight-bit", message(ORDERS, subject=f"Grüße {CRIMSON}"), orders=TOP)
    case(
        "n7-utf16-attachment-named-seat-no-key",
        mixed(
            parts(
                "multipart/mixed",
                part("x\n"),
                attached(
                    base64.encodebytes(ORDERS.encode("utf-16")),
                    "crimson.txt",
                    "text/plain; charset=utf-16",
                    "Content-Transfer-Encoding: base64",
                ),
            ),
            subject=CRIMSON,
        ),
        orders=TOP,
    )
    case(
        "n7-html-with-plain-key-and-outlook-list",
        message(f"<p>key: {CRIMSON}</p><ul><li>hold</li></ul>", **HTML),
        orders=[[2, "hold"]],
    )
    case(
        "n7-html-two-parts",
        mixed(
            parts(
                "multipart/mixed",
                part(f"<p>key: {CRIMSON}</p>", "Content-Type: text/html"),
                part("<p>hold</p>", "Content-Type: text/html"),
            )
        ),
        orders=[[2, "hold"]],
    )
    case(
        "n7-nbsp-only-plain",
        mixed(
            parts(
                "multipart/alternative",
                part("&nbsp; 123 --\n"),
                part(f"<p>key: {CRIMSON}</p><p>hold</p>", "Content-Type: text/html"),
            )
        ),
        "refused",
        problems=[[1, "&nbsp; 123 --"]],
        reason="can be read",
    )
    case(
        "n7-bounce-as-plain",
        message(
            f"The following message could not be delivered:\n{BLOCK}",
            "X-Failed-Recipients: gm@example.net",
            sender="Mail Delivery System <Mailer-Daemon@mx.example.net>",
        ),
        "ignored",
        reason="",
    )
    case("n7-sender-daemon", message(BLOCK, "Sender: <MAILER-DAEMON@x.org>"), "ignored", reason="")
    case("n7-auto-submitted-quoted", message(BLOCK, "Auto-Submitted:\n auto-replied"), "ignored", reason="")
    case(
        "n7-multipart-report-broken",
        message("--b\n\nx\n", "MIME-Version: 1.0", 'Content-Type: multipart/report; boundary="b"'),
        "ignored",
        reason="",
    )
    case(
        "n7-utf8-latin1-double",
        message(BLOCK.replace("E5-E6", "E5–E6").encode(), charset="iso-8859-1", cte="8bit"),
        repairs=["windows-1252", "quotation"],
        orders=[READ[0]],
        problems=[[7, None]],
    )
    case(
        "n7-cp1252-utf8-bom",
        message(b"\xef\xbb\xbf" + BLOCK.encode(), charset="iso-8859-1"),
        repairs=["UTF-8"],
    )
    case(
        "n7-endian-labelled-latin",
        message(base64.encodebytes(BLOCK.encode("utf-16-be")), charset="iso-8859-1", cte="base64"),
        repairs=["UTF-16"],
    )
    case(
        "n7-gmail-signature-html",
        message(
            f'<div>{PLAIN_HEADER}<br>{MOVE}</div><br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div class="gmail_signature">hold</div>',
            **HTML,
        ),
        orders=[[6, MOVE]],
    )
    case(
        "n7-command-turn-zero", message(f"resend turn-0\nkey: {CRIMSON}\n"), orders=[], reason="resend turn-0"
    )
    case("n7-subject-re-status", message(f"key: {CRIMSON}\n", subject="Re: status"), orders=[])
    case(
        "n7-status-colon",
        message(f"key: {CRIMSON}\n", subject=f"status key: {CRIMSON}"),
        orders=[],
        reason="status",
    )
    case(
        "n7-old-key-header-and-plus",
        message(BLOCK.replace(CRIMSON, OLD), f"Delivered-To: gm+{BARE}@example.net"),
        "refused",
        reason="another key",
    )
    case(
        "n7-replaced-and-good-of-azure",
        message(
            BLOCK.replace(CRIMSON, AZURE).replace("crimson", "azure") + f"\n> {AZURE_REPLACED}\n",
            sender="ben@example.org",
        ),
        seat="azure",
        receipt_to="ben@example.org",
    )
    case(
        "n7-mixed-alt-attach-other",
        mixed(
            parts(
                "multipart/mixed",
                inside(
                    parts(
                        "multipart/alternative",
                        part(BLOCK),
                        inside(
                            parts(
                                "multipart/related",
                                part("<p>x</p>", "Content-Type: text/html"),
                                part(b"\x89PNG", "Content-Type: image/png"),
                            )
                        ),
                    )
                ),
                attached("notes\n", "n.txt"),
            )
        ),
    )
    case(
        "n7-rfc822-base64",
        mixed(
            parts(
                "multipart/mixed",
                part(ORDERS),
                part(
                    base64.encodebytes(message(BLOCK)),
                    "Content-Type: message/rfc822",
                    "Content-Transfer-Encoding: base64",
                ),
            )
        ),
        "quarantined",
        receipt_to="ada@example.org",
        reason="",
    )
    case(
        "n7-external-body",
        mixed(
            parts(
                "multipart/mixed",
                part(BLOCK),
                part(
                    "Content-Type: text/plain\n\nhold\n", "Content-Type: message/external-body; access-type=x"
                ),
            )
        ),
    )
    case(
        "n7-ms-quoted-original-underscores",
        message(f"{ORDERS}\n________________________________\nFrom: GM\nSent: x\nTo: y\n{UNMARKED}"),
        orders=TOP,
    )
    case("n7-hash-key", message(f"# key: {CRIMSON}\n{ORDERS}"), orders=[[2, MOVE], [3, READ[1][1]]])
    case("n7-long-line", message(f"{HEADER}# {'x' * 5000}\nhold\n"), orders=[[6, "hold"]])
    case(
        "n7-crlf-mixed-cr",
        message(
            base64.encodebytes(BLOCK.replace("\n", "\r", 2).replace("\n", "\r\n", 2).encode()),
            charset="utf-8",
            cte="base64",
        ),
    )
