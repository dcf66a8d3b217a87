"""The state after the last turn, put aside, so that an old game's turn costs what a young one's does.

A cache and no more: whatever is wrong with it, the log has everything. It counts only where its hash is
that of a turn in the log and the same versions of pbem and ruleset made it; another's is never converted.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.errors import RulesetFault, raised
from pbem.events import dump_json
from pbem.files import read_start
from pbem.history import Kept, PlayedTurn
from pbem.rulesets import AnyRuleset

SNAPSHOT = "gm/state.json"
MAX_SNAPSHOT = 16 * 1024 * 1024


def snapshot_of(turn: PlayedTurn, ruleset: AnyRuleset) -> dict[str, bytes]:
    """The file of a turn's state, by its name; none for a ruleset that puts nothing aside."""
    if ruleset.keeping is None:
        return {}
    values = ruleset.keeping.dump(turn.after)
    try:
        body = dump_json([versions_of(ruleset), turn.hash, values])
        return {SNAPSHOT: f"{_checksum(body)} {body}\n".encode()}
    except (TypeError, ValueError, RecursionError) as error:
        raise RulesetFault(
            f"The ruleset {ruleset.name!r} puts aside what is no JSON: {raised(error)};"
            " a fault of its package: tell who made it."
        ) from error


def read_snapshot(folder: Path, ruleset: AnyRuleset) -> Kept | None:
    """What was put aside in a game's folder, if it can be used here."""
    keeping = ruleset.keeping
    if keeping is None:
        return None
    try:
        checksum, body = read_start(folder / SNAPSHOT, MAX_SNAPSHOT).decode().rstrip("\n").split(" ", 1)
        if checksum != _checksum(body):
            return None
        found = json.loads(body)
    except (OSError, ValueError, RecursionError):
        return None
    match found:
        case [versions, str(at), state] if versions == versions_of(ruleset):
            pass
        case _:
            return None

    def load(initial: Any) -> Any:
        return keeping.load(initial, state)

    return Kept(at, load)


def _checksum(body: str) -> str:
    return sha256(body.encode()).hexdigest()


def versions_of(ruleset: AnyRuleset) -> list[str]:
    """Who wrote a cache: pbem's version, the ruleset's name and its version. Another's is never used."""
    return [__version__, ruleset.name, ruleset.version]
