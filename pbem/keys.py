"""Order keys: which seat may say what for which turn, and keeping them out of everything published."""

import re
from collections.abc import Container, Mapping
from functools import lru_cache
from types import MappingProxyType

from pbem.contest import Contest
from pbem.dice import KEY_SYMBOLS, order_key, plain_key, plain_order_key, same_key
from pbem.sheet import plain

BLANKED = "****-****-****"

_KEY_LIKE = re.compile(r"(?<![0-9A-Za-z])[0-9A-Za-z](?:-*[0-9A-Za-z]){11}(?![0-9A-Za-z])")
_PLUS = re.compile(r'\+([0-9A-Za-z-]{12,23})"?@')
_KEY_LINE = re.compile(r"(?im)^([ \t>]*key[ \t]*:[ \t]*)([^\s#](?:[^\r\n#]*[^\s#])?)")


def key_of(secret: bytes, contest: Contest, seat: str, turn: int | None = None) -> str:
    """The key that a seat has now for the open turn, or for another."""
    return order_key(secret, contest.game, contest.turn if turn is None else turn, seat, contest.issue(seat))


def keys_out(secret: bytes, contest: Contest) -> Mapping[str, tuple[int, str]]:
    """Every key that may be in somebody's hands, in plain form, with the turn and seat that it is for."""
    last = max((contest.turn, *contest.commitments))
    return _keys_out(secret, contest.game, last, tuple((seat, contest.issue(seat)) for seat in contest.seats))


@lru_cache(maxsize=16)
def _keys_out(
    secret: bytes, game: str, last: int, issues: tuple[tuple[str, int], ...]
) -> Mapping[str, tuple[int, str]]:
    """The keys of all turns up to `last`: every file and every text of a command asks for them."""
    return MappingProxyType(
        {
            _plain_key(secret, game, turn, seat, issue): (turn, seat)
            for turn in range(last + 1)
            for seat, latest in issues
            for issue in range(1, latest + 1)
        }
    )


_plain_key = lru_cache(maxsize=8192)(plain_order_key)
"""A turn's keys are asked for again when the next is open, and so is every one before."""


def blank_keys(text: str, keys: Mapping[str, tuple[int, str]]) -> str:
    """The text without any key of this game, and without whatever stands behind a `key:`."""
    text = _KEY_LINE.sub(rf"\g<1>{BLANKED}", text)
    # Keys are read with or without dashes, in either case, O for 0, I and L for 1: so they are sought.
    read_as = {char: plain_key(plain(char)[0]) for char in set(text)}
    signs = [(place, sign) for place, char in enumerate(text) if (sign := read_as[char])]
    reading = "".join(sign if len(sign) == 1 else "?" for _, sign in signs)
    pieces: list[str] = []
    done = at = 0
    while at + KEY_SYMBOLS <= len(reading):
        if reading[at : at + KEY_SYMBOLS] in keys:
            pieces += [text[done : signs[at][0]], BLANKED]
            done = signs[at + KEY_SYMBOLS - 1][0] + 1
            at += KEY_SYMBOLS
        else:
            at += 1
    return "".join((*pieces, text[done:]))


def like_keys(text: str) -> tuple[str, ...]:
    """What has the form of a key in a text, in plain form, each once, in their order there."""
    return tuple(dict.fromkeys(plain_key(like) for like in _KEY_LIKE.findall(plain(text)[0])))


def like_keys_of_addresses(field: str) -> tuple[str, ...]:
    """What has it in the addresses of a header field, as in gm+7Q3K92MQX1WP@example.org."""
    return tuple(dict.fromkeys(plain_key(like) for like in _PLUS.findall(field)))


def keys_in(text: str, keys: Container[str]) -> tuple[str, ...]:
    """The keys, in plain form, that stand in a text, each once, in their order there."""
    return tuple(like for like in like_keys(text) if like in keys)


def without_keys(text: str, keys: Container[str]) -> str:
    """The text with every key of these left out."""
    return _KEY_LIKE.sub(lambda like: "" if plain_key(like[0]) in keys else like[0], plain(text)[0])


def is_key(typed: str, secret: bytes, contest: Contest, seat: str) -> bool:
    """Whether what stands behind `key:` opens the open turn for this seat."""
    return same_key(typed, key_of(secret, contest, seat))
