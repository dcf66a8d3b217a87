"""The dice of the pages' script, as modules under node: the same as Python's."""

import json
import shutil
import subprocess
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.scale import scaled
from tests.thrown import throws

SCRIPT = Path(str(resources.files("pbem").joinpath("templates"))).resolve() / "script"
VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("dice_vectors.json").read_bytes())
SEED = sha256(b"the seed").digest()


def node(*arguments: object, given: str = "") -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("there is no node here")
    ran = subprocess.run(
        [found, *map(str, arguments)], input=given, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def recomputed(seed: bytes, wanted: list[tuple[str, int]]) -> dict[str, list[int]]:
    given = json.dumps({"seed": seed.hex(), "throws": wanted})
    found: dict[str, list[int]] = json.loads(
        node(Path(__file__).with_name("throws.mjs"), SCRIPT / "dice.js", given=given)
    )
    assert len(found) == 2
    return found


def test_throws_equal_pythons() -> None:
    made = throws(SEED, scaled(10_000))
    for way, values in recomputed(SEED, [(throw.key, throw.sides) for throw in made]).items():
        assert values == [throw.value for throw in made], way


def test_the_published_vectors() -> None:
    wanted = [(vector["key"], sides) for vector in VECTORS["throws"] for sides in (6, 10, 100)]
    expected = [vector[f"d{sides}"] for vector in VECTORS["throws"] for sides in (6, 10, 100)]
    for values in recomputed(bytes.fromhex(VECTORS["seed"]), wanted).values():
        assert values == expected


OWN_HASHES = """
import { createHash, createHmac } from "node:crypto";
const { ownHmac, ownSha256 } = await import(process.argv[1]);
for (let length = 0; length < 300; length += 1) {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
  const key = bytes.map(byte => byte ^ 0xa5);
  const hash = createHash("sha256").update(bytes).digest();
  const mac = createHmac("sha256", key).update(bytes).digest();
  if (Buffer.compare(ownSha256(bytes), hash)) console.log("hash", length);
  if (Buffer.compare(ownHmac(key, bytes), mac)) console.log("mac", length);
}
"""


def test_our_own_hashes_are_the_standards() -> None:
    """Of every length about the ends of blocks; node's are OpenSSL's."""
    assert node("--input-type=module", "-e", OWN_HASHES, "--", (SCRIPT / "sha256.js").as_uri()) == ""


HEX, OTHER = "ab" * 32, "cd" * 32
KEPT = {
    HEX: (3, HEX),
    f"  {HEX.upper()}\n": (3, HEX),
    f"Commitment of turn-0:  {HEX}": (0, HEX),
    f"Commitment to the seed of turn 3:\n  {HEX}\nSHA-256 of the secret:\n  {OTHER}": (3, HEX),
    f'<dt>Commitment to the seed of turn 3</dt><dd class="hash">{HEX}</dd> {OTHER}': (3, HEX),
    f"<dt>Commitment to the seed of turn 3, published in the report of turn 2</dt><dd>{OTHER}</dd>"
    f"<dt>Commitment to the seed of turn 4</dt><dd>{HEX}</dd>": (4, HEX),
    json.dumps({"turn": 2, "dice": {"next_commitment": HEX, "seed": OTHER}}): (3, HEX),
    json.dumps({"turn": 2, "dice": {"next_commitment": None}}): (3, "null"),
    "{": None,
    '{"turn": 2}': None,
    f"{HEX} {OTHER}": None,
    HEX[1:]: None,
    HEX + "0": None,
    "": None,
}
COMMITTED = """
const { committed } = await import(process.argv[1]);
const found = JSON.parse(process.argv[2]).map(each => committed(each, 3));
console.log(JSON.stringify(found.map(each => each && [each.of, each.digits])));
"""


def test_a_commitment_is_found_in_whatever_was_kept() -> None:
    module = (SCRIPT / "dice.js").as_uri()
    found = json.loads(node("--input-type=module", "-e", COMMITTED, "--", module, json.dumps(list(KEPT))))
    assert found == [list(each) if each else None for each in KEPT.values()]
