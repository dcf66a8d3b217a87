"""Provably fair throws: everything follows from one secret by HMAC-SHA-256 (docs/formats.md).

A throw depends on the turn's seed and on its key, a line of text that says what it is for, and on
nothing else, so that changing one player's orders leaves every other throw as it was.
"""

import hmac
from collections.abc import Callable
from hashlib import sha256
from struct import unpack

Dice = Callable[[str, int], int]
"""`dice(key, sides)` gives 1 to sides. A ruleset's `decide` knows dice in this form only."""

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KEY_SYMBOLS = 12
"""An order key is the first 60 bits of its HMAC: twelve symbols of five bits."""
_AS_COMPARED = str.maketrans("OIL", "011", "-")
_BLOCK = 64
"""Bytes of a block of SHA-256, to which HMAC fills up a key (RFC 2104)."""
_SHIFTS = range(5 * (KEY_SYMBOLS - 1), -1, -5)


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def throw(seed: bytes, key: str, sides: int) -> int:
    """The throw of a die of 1 to 65,536 sides: rejection sampling, so that no face is favoured."""
    limit = 65536 - 65536 % sides
    block = _mac(seed, key)
    while True:
        for number in unpack(">16H", block):
            if number < limit:
                return int(number) % sides + 1
        block = hmac.digest(seed, block, "sha256")


def seeded(seed: bytes) -> Dice:
    """The dice of one turn."""
    return lambda key, sides: throw(seed, key, sides)


def turn_seed(secret: bytes, turn: int, attempt: int = 1) -> bytes:
    """The 32-byte seed of one adjudication; `attempt` is one more after each reopening."""
    return _mac(secret, f"turn {turn} {attempt}")


def player_seed(secret: bytes, turn: int, seat: str, attempt: int = 1) -> bytes:
    """The seed of a program's own dice for one turn: it tells nothing of the turn's dice."""
    return _mac(secret, f"player {turn} {attempt} {seat}")


def with_beacon(seed: bytes, beacon: str) -> bytes:
    """The seed in use where a public number, agreed on beforehand, is mixed in."""
    return _mac(seed, f"beacon {beacon}")


def commitment(seed: bytes) -> str:
    """What is published before the seed is revealed: its SHA-256 as 64 hex digits."""
    return sha256(seed).hexdigest()


def salt(secret: bytes, version: int) -> str:
    """The salt of the log's row `version`, 64 hex digits: it hides a row's data from guessing."""
    return _mac(secret, f"salt {version}").hex()


def salts(secret: bytes) -> Callable[[int], str]:
    """`salt` for who needs many of one secret: its HMAC is begun once, which halves the time of each."""
    block = (secret if len(secret) <= _BLOCK else sha256(secret).digest()).ljust(_BLOCK, b"\0")
    inside, outside = (sha256(bytes(byte ^ pad for byte in block)).copy for pad in (0x36, 0x5C))

    def salted(version: int) -> str:
        inner, outer = inside(), outside()
        inner.update(b"salt %d" % version)
        outer.update(inner.digest())
        return outer.hexdigest()

    return salted


def order_key(secret: bytes, game: str, turn: int, seat: str, issue: int = 1) -> str:
    """The key that proves game, turn and seat, as `XXXX-XXXX-XXXX` in Crockford's base 32."""
    symbols = plain_order_key(secret, game, turn, seat, issue)
    return "-".join((symbols[:4], symbols[4:8], symbols[8:]))


def plain_order_key(secret: bytes, game: str, turn: int, seat: str, issue: int = 1) -> str:
    """The same in the form of `plain_key`, without dashes."""
    digest = _mac(secret, f"key {game} {turn} {seat} {issue}")
    bits = int.from_bytes(digest[:8], "big") >> 4
    return "".join([CROCKFORD[bits >> shift & 31] for shift in _SHIFTS])


def plain_key(text: str) -> str:
    """A key as typed, in the form in which keys are compared: no dashes, O as 0, I and L as 1."""
    return text.strip().upper().translate(_AS_COMPARED)


def same_key(typed: str, key: str) -> bool:
    """Whether a typed key is this key, compared in constant time."""
    return hmac.compare_digest(plain_key(typed).encode(), plain_key(key).encode())
