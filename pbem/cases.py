"""Test cases: a position, one turn's orders, fixed throws, and what must come of them (docs/formats.md)."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from pbem.dice import Dice
from pbem.errors import BadInput, PbemError, reader_says
from pbem.events import Json, TurnClosed, dump_json, event_json
from pbem.files import files_below, read_toml_text
from pbem.rulesets import AnyRuleset, find_ruleset
from pbem.sheet import SeatOrders, read_sheet
from pbem.shipped import board_source, shipped_text

HOST_KEYS = frozenset({"title", "rules", "ruleset", "orders", "dice", "expect"})
"""A case's keys that are no ruleset's business."""
EXPECT_KEYS = frozenset({"events", "absent", "state", "error"})
MAX_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Verdict:
    """What became of one case; events and state as far as it got, also where it failed."""

    file: str
    title: str
    passed: bool
    reason: str = ""
    near: Sequence[Json] = ()
    """The events nearest to the expectation that was not met."""
    events: Sequence[Json] = ()
    state: Json = None


@dataclass(frozen=True)
class _Turn:
    """A case set up: all that its turn rests on."""

    ruleset: AnyRuleset
    number: int
    before: Any
    orders: "Mapping[str, SeatOrders[Any, Any]]"
    dice: Dice


@dataclass
class _Run:
    """What running a case gave, before it is held against what it expects."""

    title: str
    events: list[Json] = field(default_factory=list)
    state: Json = None


class _Unmet(Exception):
    """An expectation that was not met, with the events to show beside it."""

    def __init__(self, reason: str, near: Sequence[Json] = ()) -> None:
        super().__init__(reason)
        self.near = near


def run_cases(paths: Sequence[Path], *, as_json: bool) -> tuple[str, bool]:
    """All cases at the paths, files or folders: what to print, and whether all passed."""
    verdicts = [run_file(file) for file in case_files(paths)]
    failed = sum(not verdict.passed for verdict in verdicts)
    passed = len(verdicts) - failed
    if as_json:
        cases = [
            {
                "file": verdict.file,
                "title": verdict.title,
                "verdict": "passed" if verdict.passed else "failed",
                "reason": verdict.reason,
                "events": verdict.events,
                "state": verdict.state,
            }
            for verdict in verdicts
        ]
        return dump_json({"cases": cases, "passed": passed, "failed": failed}), not failed
    lines = [line for verdict in verdicts if not verdict.passed for line in _failure(verdict)]
    return "\n".join([*lines, f"{passed} passed, {failed} failed"]), not failed


def _failure(verdict: Verdict) -> Iterator[str]:
    yield f"FAILED {verdict.file}: {verdict.title}"
    yield f"  {verdict.reason}"
    for event in verdict.near:
        yield f"    {dump_json(event)}"


def case_files(paths: Sequence[Path]) -> list[Path]:
    """The TOML files at and below the paths, folders in order of names; `BadInput` if there are none."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            found = [file for file in files_below(path) if file.suffix == ".toml"]
        elif path.exists():
            found = [path]
        else:
            raise BadInput(f"{path} does not exist; name a case file or a folder of them.")
        if not found:
            raise BadInput(f"{path} holds no case: no file there ends in .toml.")
        files.extend(found)
    return files


def run_file(path: Path) -> Verdict:
    """Runs the case in one file. What is wrong with the file itself fails the case."""
    try:
        table = tomllib.loads(read_toml_text(path, MAX_BYTES), parse_float=Decimal)
    except PbemError as error:
        return Verdict(str(path), "", passed=False, reason=str(error))
    except (OSError, ValueError, ArithmeticError, RecursionError) as error:
        told = f"The file cannot be read as TOML: {reader_says(error)}"
        return Verdict(str(path), "", passed=False, reason=told)
    return run_case(table, str(path))


def run_case(table: Mapping[str, Json], file: str = "") -> Verdict:
    """Runs a case given as the table of its TOML (decimals as Decimal)."""
    run = _Run(str(table.get("title", "")))
    try:
        expect = _expectations(table)
        try:
            turn = _set_up(table)
        except PbemError as error:
            wanted = expect.get("error")
            if wanted is None:
                raise _Unmet(str(error)) from error
            if wanted not in str(error):
                raise _Unmet(f"Setting up failed as expected, but without {wanted!r}: {error}") from error
        else:
            _play(turn, run)
            if "error" in expect:
                raise _Unmet(f"Setting up was expected to fail with {expect['error']!r}, and did not.")
            _compare(expect, run)
    except _Unmet as unmet:
        return Verdict(file, run.title, False, str(unmet), unmet.near, run.events, run.state)
    return Verdict(file, run.title, True, events=run.events, state=run.state)


def _expectations(table: Mapping[str, Json]) -> Mapping[str, Json]:
    if not isinstance(table.get("title", ""), str):
        raise _Unmet(f"title must be text, not {_show(table['title'])}.")
    if not _is_texts(table.get("rules", [])):
        raise _Unmet(f"rules must be a list of rulings, not {_show(table['rules'])}.")
    expect = table.get("expect", {})
    if not isinstance(expect, dict) or not expect.keys() <= EXPECT_KEYS:
        raise _Unmet(f"[expect] has {', '.join(sorted(EXPECT_KEYS))} and nothing else.")
    for key in ("events", "absent"):
        rows = expect.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise _Unmet(f"{key} of [expect] must be a list of tables.")
        for row in rows:
            if not _is_texts(row.get("rules", [])):
                raise _Unmet(f"rules in {key} of [expect] must be a list, not {_show(row['rules'])}.")
    if not isinstance(expect.get("error", ""), str):
        raise _Unmet(f"error of [expect] must be text, not {_show(expect['error'])}.")
    return expect


def _is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _set_up(table: Mapping[str, Json]) -> _Turn:
    """Reads position, orders and throws; `PbemError` for what cannot be."""
    name, turn = table.get("ruleset"), table.get("turn")
    if not isinstance(name, str):
        raise BadInput('ruleset must name the ruleset, such as ruleset = "flux".')
    if not isinstance(turn, int) or isinstance(turn, bool) or turn < 0:
        raise BadInput(f"turn must be the number of the turn adjudicated, not {turn!r}.")
    ruleset = find_ruleset(name)
    position = {key: value for key, value in table.items() if key not in HOST_KEYS}
    before = ruleset.case_setup(
        position, lambda board: board_source(ruleset, board), shipped_text(name, ruleset.files.rules)
    )
    texts = table.get("orders", {})
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise BadInput("[orders] must hold a text for each seat.")
    if turn == 0 and texts and not ruleset.sign_up_orders:
        raise BadInput("Turn 0 takes no orders; take [orders] away, or adjudicate turn = 1.")
    orders = {seat: ruleset.parse(read_sheet(text), before, seat) for seat, text in texts.items()}
    return _Turn(ruleset, turn, before, orders, _fixed_dice(table.get("dice", {})))


def _play(turn: _Turn, run: _Run) -> None:
    """Adjudicates the turn and notes events and state in `run`."""
    ruleset = turn.ruleset
    try:
        events = ruleset.decide(turn.before, turn.orders, turn.dice)
    except PbemError as error:
        raise _Unmet(str(error)) from error
    run.events = [event_json(event) for event in events]
    after = ruleset.evolve(turn.before, case_turn_closed(turn.number))
    for event in events:
        after = ruleset.evolve(after, event)
    phase = "ended" if ruleset.is_over(after) else "open"
    run.state = {"ruleset": ruleset.name, "turn": turn.number, "phase": phase, **ruleset.state_json(after)}


def case_turn_closed(turn: int) -> TurnClosed:
    """The event that opens an adjudication, for a turn that no log holds."""
    return TurnClosed(
        turn=turn, attempt=1, seed=None, beacon=None, missing=(), deadline=None, beacon_rule=None,
        next_commitment=None,
    )  # fmt: skip


def _fixed_dice(throws: Json) -> Dice:
    """Throws by key; `default` for those not named."""
    if not isinstance(throws, dict):
        raise BadInput("[dice] must be a table of throws by their keys.")

    def dice(key: str, sides: int) -> int:
        value = throws.get(key, throws.get("default"))
        if value is None:
            raise BadInput(f"The case gives no throw for {key!r} (a d{sides}), and no default.")
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= sides:
            raise BadInput(f"The throw {key!r} is {value!r}, but the die has faces 1 to {sides}.")
        return value

    return dice


def _compare(expect: Mapping[str, Json], run: _Run) -> None:
    place = 0
    for number, wanted in enumerate(expect.get("events", []), start=1):
        found = next(
            (at for at in range(place, len(run.events)) if _event_fits(wanted, run.events[at])), None
        )
        if found is None:
            raise _Unmet(
                f"Event {number} of those expected did not come, or not in its order: {_show(wanted)}",
                _nearest(wanted, run.events),
            )
        place = found + 1
    for unwanted in expect.get("absent", []):
        if came := [event for event in run.events if _event_fits(unwanted, event)]:
            raise _Unmet(f"This was expected not to come, and came: {_show(unwanted)}", came[:1])
    if "state" in expect and (fault := _state_fault(expect["state"], run.state, "")):
        raise _Unmet(fault, run.events[-3:])


def _event_fits(wanted: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Each field given equal as a whole, `rules` contained."""
    return all(
        set(value) <= set(event.get("rules", ()))
        if field == "rules"
        else field in event and _same(value, event[field])
        for field, value in wanted.items()
    )


def _state_fault(wanted: Json, found: Json, path: str) -> str:
    """The first difference, tables key by key, all else as a whole; an empty table wants an empty one."""
    if isinstance(wanted, dict) and wanted and isinstance(found, dict):
        for key, value in wanted.items():
            where = f"{path}.{key}" if path else key
            if key not in found:
                return f"The state after the turn has no {where}."
            if fault := _state_fault(value, found[key], where):
                return fault
        return ""
    if _same(wanted, found):
        return ""
    where = path or "the whole"
    return f"In the state after the turn {where} is {_show(found)}, and {_show(wanted)} was expected."


def _same(wanted: Json, found: Json) -> bool:
    """Equal as a whole, and of the same type throughout: neither `true` nor `1.0` is 1."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(_same(wanted[key], found[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(_same, wanted, found))
    return type(wanted) is type(found) and bool(wanted == found)


def _nearest(wanted: Mapping[str, Any], events: Sequence[Json]) -> list[Json]:
    """Up to three events that share most with the one wanted, those of its kind first."""

    def shared(event: Json) -> tuple[bool, int]:
        return event["kind"] == wanted.get("kind"), sum(
            _same(value, event.get(key)) for key, value in wanted.items()
        )

    return sorted(events, key=shared, reverse=True)[:3]


def _show(value: Json) -> str:
    """A value of the case or of an event, as JSON; decimals and dates, which no event has, as written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
