"""What a turn's JSON files hold: the position and events for a reader, and the proof for everybody."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pbem.events import Json
from pbem.reports.facts import Attempt, ChainRow, TurnFacts, TurnSummary
from pbem.reports.template import order_template
from pbem.rulesets.model import PUBLIC, Reading, Report, Span

CHECKSUM = '"sha256":'
"""Before the last value of a turn's file: the SHA-256 of its bytes up to here, as hex digits."""


def turn_json(facts: TurnFacts, report: Report, beside: Mapping[str, bytes]) -> bytes:
    """The turn for programs; a seat's own file has its order template and next key.

    It names the SHA-256 of each file `beside` it, and ends with that of all that stands before.
    """
    data: dict[str, Json] = {
        "game": facts.game,
        "ruleset": facts.ruleset,
        "ruleset_version": facts.ruleset_version,
        "pbem_version": facts.pbem_version,
        "reader": report.reader,
        "turn": facts.turn,
        "length": facts.length,
        "ended": facts.ended,
        "seats": facts.seats,
        "closed_at": facts.closed_at,
        "missing": facts.missing,
        "deadline": None if facts.deadline is None else {"turn": facts.turn + 1, "at": facts.deadline.at},
        "void": facts.void,
        "voided": [attempt._asdict() for attempt in facts.voided],
        "dice": _dice(facts),
        "log": {"version": facts.log_version, "hash": facts.log_hash},
        "press": [press._asdict() for press in facts.press.get(report.reader, ())],
        "notes": facts.notes,
        "hand": facts.hand.get(report.reader, ()),
        "orders": {
            seat: [{"line": line, "text": text} for line, text in lines]
            for seat, lines in facts.orders_text.items()
        },
    }
    if facts.programs:
        data["programs"] = dict(facts.programs)
    data |= {key: _plain(value) for key, value in report.data.items()}
    if report.reader == PUBLIC:
        data["rows"] = [_row(row) for row in facts.chain]
    template = order_template(facts, report)
    if template is not None:
        data |= {"next_key": facts.keys[report.reader], "template": template}
    data["files"] = {name: sha256(text).hexdigest() for name, text in beside.items()}
    return _dump(data)


def summary_json(summary: TurnSummary) -> str:
    """A summary as one JSON text, for a host that keeps it."""
    data = summary._asdict()
    data |= {
        "headline": [span._asdict() for span in summary.headline],
        "readings": [reading._asdict() for reading in summary.readings],
        "voided": [attempt._asdict() for attempt in summary.voided],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def summary_from_json(text: str) -> TurnSummary:
    """The summary that `summary_json` wrote."""
    data = json.loads(text)
    return TurnSummary(
        turn=data["turn"],
        closed_at=data["closed_at"],
        headline=tuple(Span(**span) for span in data["headline"]),
        thumbnail=data["thumbnail"],
        readings=tuple(Reading(**reading) for reading in data["readings"]),
        voided=tuple(Attempt(**attempt) for attempt in data["voided"]),
    )


def _dice(facts: TurnFacts) -> dict[str, Json]:
    dice = facts.dice
    return {
        "attempt": dice.attempt,
        "commitment": dice.commitment,
        "seed": dice.seed,
        "beacon": dice.beacon,
        "beacon_rule": dice.beacon_rule,
        "next_commitment": dice.next_commitment,
        "secret_hash": dice.secret_hash,
        "secret": dice.secret,
        "first_seed": dice.first_seed,
        "throws": [throw.model_dump() for throw in dice.throws],
    }


def _row(row: ChainRow) -> dict[str, Json]:
    listed = row._asdict()
    if row.data is None:
        del listed["salt"], listed["data"]
    return listed


def _plain(value: Any) -> Json:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _dump(data: dict[str, Json]) -> bytes:
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))},\n"
        for key, value in data.items()
    ]
    text = ("{\n" + "".join(lines)).encode("utf-8", "backslashreplace")
    return text + f'{CHECKSUM}"{sha256(text).hexdigest()}"\n}}\n'.encode()
