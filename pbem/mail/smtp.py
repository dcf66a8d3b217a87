"""Sending by a mail server: `smtp://user@host:587` or `smtps://…` (mail.md, 8)."""

# ruff: noqa: PLC0415 - start-up is imports

import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from email.policy import default
from typing import Protocol

from pbem.errors import PbemError
from pbem.mail.servers import Server

TIMEOUT = 60.0
_PERMANENT = 500


class Outgoing(Protocol):
    """An outbox, as far as sending from it goes."""

    def waiting(self) -> list[str]:
        """The messages that are yet to be sent, in order."""

    def message(self, name: str) -> bytes:
        """One of them."""

    def sent(self, name: str) -> None:
        """It was sent."""

    def refused(self, name: str) -> None:
        """A mail server will never take it."""


def send_waiting(
    outbox: Outgoing, server: Server, password: Callable[[], str], told: Callable[[str], None]
) -> int:
    """Send what waits in the outbox, each recorded as it is sent; gives how many. `told` hears of failures.

    An address that is refused for good is flagged and does not stop the others; what fails otherwise
    stays, to be sent the next time.
    """
    waiting = outbox.waiting()
    if not waiting:
        return 0
    count = 0
    with _connected(server, password) as connection:
        for name in waiting:
            data = outbox.message(name)
            message = message_from_bytes(data, policy=default)
            to = [each.addr_spec for each in message["To"].addresses]
            sender = message["From"].addresses[0].addr_spec
            try:
                connection.sendmail(sender, to, data)
            except smtplib.SMTPRecipientsRefused as error:
                code, reason = next(iter(error.recipients.values()), (0, b""))
                told(f"{', '.join(to)} {_failed(outbox, name, code, reason)}")
            except smtplib.SMTPResponseException as error:
                told(f"{', '.join(to)} {_failed(outbox, name, error.smtp_code, error.smtp_error)}")
                with suppress(smtplib.SMTPException):
                    connection.rset()
            except (smtplib.SMTPException, OSError, ValueError) as error:
                raise PbemError(
                    f"{server.host} does not take mail any more ({error}); what waits is sent next time."
                ) from error
            else:
                outbox.sent(name)
                count += 1
    return count


def _failed(outbox: Outgoing, name: str, code: int, reason: bytes | str) -> str:
    """What becomes of a message that the server did not take, as the end of a sentence."""
    said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    said = " ".join(said.split())[:200]
    if code >= _PERMANENT:
        outbox.refused(name)
        return f"is refused by the mail server ({code} {said}); mend the address in game.toml."
    return f"cannot be reached now ({code} {said}); it is tried again next time."


@contextmanager
def _connected(server: Server, password: Callable[[], str]) -> Iterator[smtplib.SMTP]:
    import ssl

    try:
        if server.scheme == "smtps":
            context = ssl.create_default_context()
            connection: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, timeout=TIMEOUT, context=context
            )
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
            connection.ehlo()
            if connection.has_extn("starttls"):
                connection.starttls(context=ssl.create_default_context())
                connection.ehlo()
        if server.user:
            connection.login(server.user, password())
    except (smtplib.SMTPException, OSError) as error:
        raise PbemError(
            f"No mail could be sent by {server.host}: {error}; what waits in outbox/ is sent next time."
        ) from error
    try:
        yield connection
    finally:
        with suppress(smtplib.SMTPException, OSError):
            connection.quit()
