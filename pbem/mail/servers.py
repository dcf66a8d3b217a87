"""Mail servers as game.toml names them (mail.md, 8)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from pbem.errors import BadInput

IMAP: Mapping[str, int] = {"imaps": 993, "imap": 143}
SMTP: Mapping[str, int] = {"smtps": 465, "smtp": 587}
"""The ports of each scheme where none is named."""


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server as game.toml names it."""

    scheme: str
    host: str
    port: int
    user: str
    folder: str = ""


def server_of(url: str, key: str, schemes: Mapping[str, int]) -> Server:
    """The server that a URL in game.toml names; `BadInput` says how it should look. Ports by scheme."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in schemes or not parts.hostname or parts.password:
        example = next(iter(schemes))
        raise BadInput(
            f"game.toml: {key} of [mail] is {re.sub(r':[^/@]*@', ':…@', url)!r}; write it as {example}://USER@HOST,"
            " the password in the variable that password_env names."
        )
    folder = unquote(parts.path.strip("/"))
    return Server(
        parts.scheme, parts.hostname, port or schemes[parts.scheme], unquote(parts.username or ""), folder
    )
