"""`[mail]` of game.toml: where mail comes from, how it goes out, and who may send it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.errors import BadInput

_TEXTS = ("in", "out", "address", "password_env")
_KNOWN = {*_TEXTS, "plus", "require"}


@dataclass(frozen=True, slots=True)
class MailSettings:
    """How a game sends and receives. `incoming` and `out` are empty where the default holds."""

    incoming: str = ""
    out: str = ""
    address: str = ""
    password_env: str = ""
    plus: bool = False
    require: tuple[str, ...] = ()

    def password(self) -> str:
        """The mailbox's password, from the environment variable that game.toml names."""
        if not self.password_env:
            raise BadInput(
                'game.toml: [mail] names no password_env; write password_env = "PBEM_PASSWORD", and put the'
                " password into that variable."
            )
        found = os.environ.get(self.password_env)
        if not found:
            raise BadInput(
                f"The variable {self.password_env}, which holds the mail password, is not set; set it."
            )
        return found


def mail_settings(table: Mapping[str, Any]) -> MailSettings:
    """The table `[mail]` as read; `BadInput` names the key that is not as it should be."""
    for key in table:
        if key not in _KNOWN:
            raise BadInput(f"game.toml: [mail] has no {key}; it has {', '.join(sorted(_KNOWN))}.")
    for key in _TEXTS:
        if not isinstance(table.get(key, ""), str):
            raise BadInput(f"game.toml: {key} of [mail] is {table[key]!r}; it should be a text in quotes.")
        if "\0" in table.get(key, ""):
            raise BadInput(f"game.toml: {key} of [mail] is {table[key]!r}; take the NUL out of it.")
    plus, require = table.get("plus", False), table.get("require", [])
    if not isinstance(plus, bool):
        raise BadInput(f"game.toml: plus of [mail] is {plus!r}; it should be true or false.")
    if not isinstance(require, list) or not all(isinstance(way, str) for way in require):
        raise BadInput(f'game.toml: require of [mail] is {require!r}; write a list, as in ["dkim"].')
    incoming, out, address, password_env = (table.get(key, "") for key in _TEXTS)
    return MailSettings(incoming, out, address.strip(), password_env, plus, tuple(require))
