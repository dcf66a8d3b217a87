"""The same log gives the same bytes: whole reports of random contests, in processes with other hash seeds."""

import os
import subprocess
import sys
from hashlib import sha256
from random import Random

import pytest

from pbem.reports.archive import render_turn
from pbem.rulesets.flux import RULESET
from pbem.rulesets.model import GM, PUBLIC
from tests.flux.games import new_contest, play
from tests.sample_report import sample_facts
from tests.scale import scaled

EVERY = 50
"""Of the contests of test_contract.py, so many for one whose reports are compared."""
SEEDS = range(scaled(2000) // EVERY)


def digest(seed: int) -> str:
    """SHA-256 over every file of every turn of a random contest."""
    rng = Random(seed)
    whole = sha256()
    for played in play(rng, new_contest(rng)):
        seats = tuple(played.turn.after.wizards)
        facts = sample_facts(
            seats=seats,
            turn=played.turn.number,
            ended=played.turn.after.over,
            press={},
            missing=(),
            keys=dict.fromkeys(seats, "AAAA-BBBB-CCCC"),
        )
        reports = {reader: RULESET.view(played.turn, reader) for reader in (PUBLIC, GM, *seats)}
        for path, data in sorted(render_turn(facts, reports, RULESET.files).items()):
            whole.update(path.encode() + data)
    return whole.hexdigest()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_reports_are_the_same_under_another_hash_seed(hash_seed: str) -> None:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-m", __name__], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == [digest(seed) for seed in SEEDS]


if __name__ == "__main__":
    print(*(digest(seed) for seed in SEEDS), sep="\n")  # noqa: T201 - read by the test above
