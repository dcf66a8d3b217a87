"""Dice: the published vectors, and that no face is favoured by construction."""

import hmac
import json
import struct
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import dice
from pbem.store import FIRST_PREV, Draft, Row, chained, row_hash

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("dice_vectors.json").read_bytes())
SEED = bytes.fromhex(VECTORS["seed"])


def test_commitment() -> None:
    assert dice.commitment(SEED) == VECTORS["commitment"]


@pytest.mark.parametrize("vector", VECTORS["throws"], ids=lambda vector: vector["key"])
def test_throws(vector: dict[str, Any]) -> None:
    throws = {f"d{sides}": dice.throw(SEED, vector["key"], sides) for sides in (6, 10, 100)}
    assert throws == {name: vector[name] for name in throws}


def test_turn_seed_and_beacon() -> None:
    vector = VECTORS["turn_seed"]
    seed = dice.turn_seed(bytes.fromhex(vector["secret"]), vector["turn"], vector["attempt"])
    assert seed.hex() == vector["seed"]
    assert dice.commitment(seed) == vector["commitment"]
    assert dice.with_beacon(seed, vector["with_beacon"]["beacon"]).hex() == vector["with_beacon"]["seed"]


@pytest.mark.parametrize("vector", VECTORS["order_keys"], ids=lambda vector: vector["key"])
def test_order_keys(vector: dict[str, Any]) -> None:
    secret = bytes.fromhex(vector["secret"])
    key = dice.order_key(secret, vector["game"], vector["turn"], vector["seat"], vector["issue"])
    assert key == vector["key"]


def test_chain() -> None:
    secret = bytes.fromhex(VECTORS["chain"]["secret"])
    last: Row | None = None
    for expected in VECTORS["chain"]["rows"]:
        draft = Draft(expected["turn"], expected["kind"], expected["schema"], expected["data"])
        (last,) = chained(expected["game"], [draft], last, at=expected["at"], salt=partial(dice.salt, secret))
        assert last._asdict() == expected


@given(st.binary(min_size=32, max_size=32), st.text(), st.integers(1, 65536))
def test_a_throw_is_one_of_the_faces_and_the_same_again(seed: bytes, key: str, sides: int) -> None:
    value = dice.throw(seed, key, sides)
    assert 1 <= value <= sides
    assert dice.seeded(seed)(key, sides) == value


def test_a_block_rejected_whole_is_followed_by_its_own_hmac() -> None:
    # With 32,769 sides nearly half of all numbers are rejected: of the first million keys this is the
    # first whose 16 all are.
    block = hmac.digest(SEED, b"key 168907", "sha256")
    assert all(number >= 32_769 for number in struct.unpack(">16H", block))
    assert dice.throw(SEED, "key 168907", 32_769) == 1734 + 1


@given(st.integers(1, 4))
def test_a_key_is_read_in_any_usual_spelling(turn: int) -> None:
    key = dice.order_key(SEED, "grob", turn, "crimson")
    assert dice.same_key(f" {key.lower().replace('-', '')} ", key)
    assert dice.same_key(key.replace("0", "O").replace("1", "l"), key)
    assert not dice.same_key(key[:-1], key)
    assert not dice.same_key("é" + key[1:], key)


@given(st.binary(max_size=130), st.integers(min_value=0, max_value=2**70))
def test_salts_of_one_secret_are_those_of_each(secret: bytes, version: int) -> None:
    """Our own HMAC against the library's."""
    assert dice.salts(secret)(version) == dice.salt(secret, version)


@given(
    st.lists(st.tuples(st.text(), st.integers(0, 9), st.text(), st.text()), min_size=1, max_size=4), st.text()
)
def test_a_chain_has_the_hashes_that_each_row_should_have(
    drafts: list[tuple[str, int, str, str]], game: str
) -> None:
    rows = chained(
        game, [Draft(turn, kind, 1, data) for kind, turn, data, _ in drafts], None, at=drafts[0][3],
        salt=partial(dice.salt, b"s"),
    )  # fmt: skip
    assert [row.hash for row in rows] == [row_hash(row) for row in rows]
    assert [row.prev for row in rows] == [FIRST_PREV, *(row.hash for row in rows[:-1])]
