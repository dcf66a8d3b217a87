"""Throws for those who make them again: many keys, dice of every sort, and digests that decide nothing."""

from pbem import dice
from pbem.events import Throw

WIDE = 32769
"""Sides of which nearly half of all numbers are passed over, so that one digest in 65,536 decides nothing."""
SIDES = (1, 2, 6, 10, 12, 100, WIDE, 40000, 65535, 65536)


def throws(seed: bytes, count: int) -> list[Throw]:
    """`count` throws; the first rests on a second digest, since all of its first is passed over."""
    keys = [
        second_digest(seed),
        *(f"cast {n % 40} Zoë\u2019s knight H{n} \u2013 {n}" for n in range(1, count)),
    ]
    sides = [WIDE, *(SIDES[n % len(SIDES)] for n in range(1, count))]
    return [
        Throw(key=key, sides=die, value=dice.throw(seed, key, die))
        for key, die in zip(keys, sides, strict=True)
    ]


def second_digest(seed: bytes) -> str:
    """A key whose digest holds sixteen numbers that a die of `WIDE` sides passes over."""
    number = 0
    while any(int.from_bytes(digits, "big") < WIDE for digits in _numbers(seed, f"second {number}")):
        number += 1
    return f"second {number}"


def _numbers(seed: bytes, key: str) -> list[bytes]:
    block = dice._mac(seed, key)
    return [block[at : at + 2] for at in range(0, 32, 2)]
