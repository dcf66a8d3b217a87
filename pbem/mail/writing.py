"""Messages of pbem's own: headers by the email package's own classes, bytes that follow from their content.

Every message carries `X-Pbem` and `Auto-Submitted`, and a Message-ID made from game, turn, seat and
kind, so that sending it again is sending the same message (mail.md, 8).
"""

import re
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from textwrap import wrap
from typing import Literal, TypeAlias

from pbem.errors import BadInput

Kind: TypeAlias = Literal["report", "reminder", "receipt", "answer", "notice"]
WIDTH = 72
NO_DOMAIN = "pbem.invalid"

_ODD = re.compile(r"[^a-z0-9-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u0080-\u009f\u2028\u2029]+")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")
_LONG_LINE = 900


@dataclass(frozen=True, slots=True)
class Sender:
    """As whom a game writes."""

    game: str
    address: str
    """Of the GM, from game.toml; empty where he has given none."""
    plus: bool = False
    """Whether gm+KEY@… reaches him too."""

    @property
    def domain(self) -> str:
        """The right side of message ids."""
        found = self.address.rpartition("@")[2].lower()
        return found if re.fullmatch(r"[a-z0-9.-]+", found) else NO_DOMAIN


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a message; with `cid` a picture inside the HTML."""

    name: str
    kind: str
    data: bytes
    cid: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to one seat, as its facts; `mark` tells messages of one kind apart."""

    kind: Kind
    seat: str
    turn: int
    to_name: str
    to: str
    subject: str
    text: str
    at: datetime
    mark: str = ""
    html: str = ""
    attachments: tuple[Attachment, ...] = ()
    key: str = ""
    """For the address that answers go to."""
    answers: str = ""
    """The Message-ID of the mail that this one answers."""
    references: str = ""


def message_id(sender: Sender, turn: int, seat: str, kind: str, mark: str = "") -> str:
    """A message's id: the same facts give the same id."""
    parts = (sender.game, f"turn-{turn}", seat, kind, mark)
    return f"<{'.'.join(_ODD.sub('-', part.lower()) for part in parts if part)}@{sender.domain}>"


def written(sender: Sender, out: Outgoing) -> tuple[str, bytes]:
    """Message-ID and bytes of a message, CRLF line ends; `BadInput` names an address that is none."""
    identity = message_id(sender, out.turn, out.seat, out.kind, out.mark)
    message = EmailMessage(policy=SMTP)
    message["From"] = address(sender.address or f"gm@{NO_DOMAIN}", f"pbem: {sender.game}")
    message["To"] = address(out.to, out.to_name)
    message["Subject"] = one_line(out.subject)
    message["Date"] = format_datetime(out.at)
    message["Message-ID"] = identity
    if reply_to := _reply_to(sender, out.key):
        message["Reply-To"] = reply_to
    if answered := _MESSAGE_ID.fullmatch(out.answers.strip()):
        message["In-Reply-To"] = answered[0]
        earlier = _MESSAGE_ID.findall(out.references)[-8:]
        message["References"] = " ".join(dict.fromkeys([*earlier, answered[0]]))
    message["List-Id"] = f"<{sender.game}.pbem.{sender.domain}>"
    message["Auto-Submitted"] = "auto-replied" if out.kind in {"receipt", "answer"} else "auto-generated"
    message["X-Pbem"] = f"{sender.game} {out.kind}"
    _fill(message, out)
    _set_boundaries(message, identity)
    return identity, message.as_bytes(policy=SMTP)


def _fill(message: EmailMessage, out: Outgoing) -> None:
    message.set_content(out.text, cte=_encoding(out.text))
    if out.html:
        message.add_alternative(out.html, subtype="html", cte="quoted-printable")
        html = list(message.iter_parts())[1]
        assert isinstance(html, EmailMessage)
        for picture in (each for each in out.attachments if each.cid):
            main, _, sub = picture.kind.partition("/")
            html.add_related(
                picture.data, main, sub, cid=f"<{picture.cid}>", filename=picture.name, disposition="inline"
            )
    for file in (each for each in out.attachments if not each.cid):
        main, _, sub = file.kind.partition("/")
        message.add_attachment(file.data, main, sub, filename=file.name)


def _encoding(text: str) -> str:
    plain = text.isascii() and max(map(len, text.split("\n"))) < _LONG_LINE
    return "7bit" if plain else "quoted-printable"


def _set_boundaries(message: EmailMessage, identity: str) -> None:
    """Boundaries from the message's id and not at random: the same message gives the same bytes."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            digest = sha256(f"{identity} {number}".encode()).hexdigest()[:24]
            part.set_boundary(f"=_pbem_{digest}")


def address(spec: str, name: str = "") -> Address:
    """An address for a header; `BadInput` if it is none."""
    try:
        found = Address(display_name=one_line(name), addr_spec=_with_ascii_domain(one_line(spec)))
    except (MessageError, ValueError, IndexError):
        raise BadInput(f"{spec!r} is no address that mail can be sent to; mend it in game.toml.") from None
    if not found.domain or not found.username or re.search(r"[\s<>,]", found.addr_spec):
        raise BadInput(f"{spec!r} is no address that mail can be sent to; mend it in game.toml.")
    return found


def _with_ascii_domain(spec: str) -> str:
    local, at, domain = spec.rpartition("@")
    return f"{local}{at}{domain if domain.isascii() else domain.encode('idna').decode()}"


def one_line(text: str) -> str:
    """A text fit for a header: nothing in it can begin another field."""
    return " ".join(_CONTROL.sub(" ", text).encode("utf-8", "replace").decode().split())


def _reply_to(sender: Sender, key: str) -> Address | None:
    if not sender.address:
        return None
    local, _, domain = sender.address.rpartition("@")
    if sender.plus and key:
        return address(f"{local}+{key.replace('-', '')}@{domain}")
    return address(sender.address)


def paragraphs(*texts: str) -> str:
    """Paragraphs at 72 columns with empty lines between; one that begins with a blank is left as it is."""
    out = [
        text.rstrip()
        if text.startswith((" ", "\n")) or "\n" in text
        else "\n".join(wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False))
        for text in texts
        if text
    ]
    return "\n\n".join(out) + "\n"


def filled(text: str, first: str = "", rest: str = "") -> str:
    """One paragraph at 72 columns, its first line and the others begun as told."""
    lines = wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return "\n".join(lines) or first.rstrip()
