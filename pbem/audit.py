"""`audit`: archived reports held against one another and against themselves, by people who have no log.

Seeds against commitments, throws against seeds, the chain of the log from report to report; and in a
game that hides nothing, every outcome against the orders that were published with it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.archive import HAND_KINDS
from pbem.contest import first_event
from pbem.deciding import first_difference
from pbem.dice import commitment, salt, throw, turn_seed, with_beacon
from pbem.errors import BadInput, PbemError, shown
from pbem.events import HOST_EVENTS, QUIET_KINDS, SeatHandedOver, dump_json
from pbem.files import files_below
from pbem.history import Fold, PlayedTurn
from pbem.promises import MAX_SIDES, Broken, Promises
from pbem.rulesets import AnyRuleset, Turn, find_ruleset
from pbem.rulesets.model import GM, PUBLIC
from pbem.sheet import SeatOrders, Sheet, order_line
from pbem.store import FIRST_PREV, Row
from pbem.witness import Dice, Document, PublicRow, Witness, checksum_fault, read_witness

_TURN_FILE = re.compile(r"turn-.*\.json")
MAX_ATTEMPTS = 100
"""No turn is reopened more often with fresh dice."""


@dataclass
class Audited:
    """What came of it: `faults` are lies or damage, `differs` what this program would decide otherwise."""

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("files", "rows", "seeds", "throws", "turns"), 0)
    )
    faults: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """What could not be checked with the files at hand, and why."""


def audit(paths: Sequence[Path]) -> Audited:
    """All that can be checked with these files, in whatever order they are named."""
    files = [each for path in paths for each in (_reports_below(path) if path.is_dir() else [path])]
    witnesses = [read_witness(path) for path in dict.fromkeys(files)]
    found = Audited()
    first = witnesses[0]
    for witness in witnesses:
        found.counts["files"] += 1
        found.faults += (f"{witness.name}: {fault}" for fault in _own_faults(witness, found))
        if _game(witness) != _game(first):
            found.faults.append(f"{witness.name} is of another game than {first.name}")
    if not found.faults:
        found.faults += _agree(witnesses)
        found.faults += _promised(witnesses)
        found.faults += _without_beacon(witnesses)
        found.faults += _revealed_late(witnesses, found)
        found.unchecked += _reopened_elsewhere(witnesses)
        found.unchecked += _unpromised(witnesses)
        found.unchecked += _beacons(witnesses)
        _chain(witnesses, found)
    return found


def _reports_below(folder: Path) -> list[Path]:
    found = [path for path in files_below(folder) if _TURN_FILE.fullmatch(path.name)]
    if not found:
        raise BadInput(f"{shown(folder)} holds no turn's JSON; name the files to audit.")
    return found


def _game(witness: Witness) -> tuple[str, str]:
    return witness.document.game, witness.document.dice.secret_hash


# One file by itself.


def _own_faults(witness: Witness, found: Audited) -> Iterator[str]:
    document = witness.document
    if fault := checksum_fault(witness):
        yield fault
    yield from _files_beside(witness)
    yield from _dice_faults(document, found)
    yield from _row_faults(document, found)
    if document.rows and document.everything:
        yield from _told_faults(document)


def _files_beside(witness: Witness) -> Iterator[str]:
    """A page or map that lies beside the file and is not the one that was written with it."""
    for name, digest in witness.document.files.items():
        path = witness.path.parent / name
        if "/" not in name and path.is_file() and sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{name}, which lies beside it, is not the file that was written with it"


def _dice_faults(document: Document, found: Audited) -> Iterator[str]:
    dice = document.dice
    if dice.secret is not None and _commitment(dice.secret) != dice.secret_hash:
        yield "its secret is not the one of which the hash was published"
    if dice.seed is None:
        return
    if _commitment(dice.seed) != dice.commitment:
        yield f"the seed of turn {document.turn} is not the one that was committed to"
        return
    found.counts["seeds"] += 1
    seed = bytes.fromhex(dice.seed)
    yield from _throw_faults(dice, with_beacon(seed, dice.beacon) if dice.beacon is not None else seed, found)


def _throw_faults(dice: Dice, in_use: bytes, found: Audited) -> Iterator[str]:
    for thrown in dice.throws:
        if not 1 <= thrown.sides <= MAX_SIDES or throw(in_use, thrown.key, thrown.sides) != thrown.value:
            yield f"the throw {thrown.key!r} is told as {thrown.value}, which is not what the dice gave"
        found.counts["throws"] += 1


def _commitment(seed: str) -> str:
    """The SHA-256 of 32 bytes written as hex; of anything else, nothing."""
    try:
        read = bytes.fromhex(seed)
    except ValueError:
        return ""
    return commitment(read) if read.hex() == seed and len(read) == 32 else ""


def _row_faults(document: Document, found: Audited) -> Iterator[str]:
    prev = None
    for row in document.rows:
        if row.hashed(document.game) != row.hash:
            yield f"the hash of row {row.version} is not that of what it shows"
        if row.digested() not in {None, row.digest}:
            yield f"the data of row {row.version} are not those of which the digest is shown"
        if prev is not None and (row.prev != prev.hash or row.version != prev.version + 1):
            yield f"row {row.version} does not follow row {prev.version}"
        prev = row
        found.counts["rows"] += 1
    if prev is not None and (document.log.hash, document.log.version) != (prev.hash, prev.version):
        yield "the hash of the log that it gives is not that of its last row"


def _told_faults(document: Document) -> Iterator[str]:
    """What the file tells readers, against the rows that it gives as proof."""
    rows = [row for row in document.rows if row.data is not None]
    for row in document.rows:
        if row.data is None and row.kind in HOST_EVENTS and row.kind not in QUIET_KINDS:
            yield f"row {row.version}, {row.kind}, is of a kind that is published, and is hidden"
    try:
        data = [(row, json.loads(row.data or "")) for row in rows]
        closed = next(data for row, data in reversed(data) if row.kind == "turn_closed")
        outcomes = [{"kind": row.kind, **data} for row, data in data if row.kind not in HOST_EVENTS]
        thrown = [throw for event in outcomes for throw in event.get("dice") or ()]
        told: dict[str, tuple[Any, Any]] = {
            name: (getattr(document.dice, name), closed[name])
            for name in ("attempt", "seed", "beacon", "beacon_rule", "next_commitment")
        }
        told |= {
            "first_seed": (document.dice.first_seed, closed.get("seed_0")),
            "turn": (document.turn, closed["turn"]),
            "missing": (document.missing, tuple(closed["missing"])),
            "closed_at": (document.closed_at, document.rows[-1].at),
            "throws": ([throw.model_dump() for throw in document.dice.throws], thrown),
        }
        if "events" in document.everything:
            told["events"] = (document.everything["events"], outcomes)
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        yield "its rows are no log of pbem's"
        return
    for name, (here, there) in told.items():
        if here != there:
            yield f"what it tells of {name} is not what its own rows say"


# Files against one another.


def _revealed_late(witnesses: Sequence[Witness], found: Audited) -> Iterator[str]:
    """What the end of a game reveals, against all its reports: the secret, and a seed hidden until then."""
    dice = [witness.document.dice for witness in witnesses]
    secret = next((bytes.fromhex(each.secret) for each in dice if each.secret is not None), None)
    first = next((_seed(each.first_seed) for each in dice if each.first_seed is not None), None)
    for witness in witnesses:
        document = witness.document
        faults: list[str] = []
        if secret is not None:
            faults += _secret_faults(document, secret)
        if document.turn == 0 and document.dice.seed is None and not faults:
            # A void report may rest on other dice than those that the last report reveals.
            seed = first if document.void is None else None
            if secret is not None:
                seed = next(seed for seed in _seeds(secret, document) if _kept(seed, document))
            if seed is not None and not _kept(seed, document):
                faults.append("the seed of turn 0, revealed at the end, is not the one committed to")
            elif seed is not None:
                found.counts["seeds"] += 1
                faults += _throw_faults(document.dice, seed, found)
        yield from (f"{witness.name}: {fault}" for fault in faults)


def _kept(seed: bytes, document: Document) -> bool:
    return commitment(seed) == document.dice.commitment


def _seeds(secret: bytes, document: Document) -> Iterator[bytes]:
    """The seeds that a secret gives for a report's turn, of all attempts if it does not say which it was."""
    attempt = document.dice.attempt
    for number in range(1, MAX_ATTEMPTS + 1) if attempt is None else (attempt,):
        yield turn_seed(secret, document.turn, number)


def _seed(text: str) -> bytes:
    """A seed as published; one that is no seed keeps no promise."""
    return bytes.fromhex(text) if _commitment(text) else b""


def _secret_faults(document: Document, secret: bytes) -> Iterator[str]:
    """Seeds, promises and salts of a report that do not come from the secret published at the end."""
    dice, turn = document.dice, document.turn
    if not any(_kept(seed, document) for seed in _seeds(secret, document)):
        yield f"the seed of turn {turn} does not come from the secret that was published at the end"
    later = {commitment(turn_seed(secret, turn + 1, attempt)) for attempt in range(1, MAX_ATTEMPTS + 1)}
    if dice.next_commitment is not None and dice.next_commitment not in later:
        yield f"what it promises for turn {turn + 1} does not come from the secret published at the end"
    for row in document.rows:
        if row.salt is not None and row.salt != salt(secret, row.version):
            yield f"the salt of row {row.version} does not come from the secret published at the end"


def _agree(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Reports of one adjudication must tell the same, and only a reopened turn has two."""
    by_hash: dict[str, Witness] = {}
    for witness in witnesses:
        one = by_hash.setdefault(witness.document.log.hash, witness)
        if _gist(one.document) != _gist(witness.document):
            yield f"{one.name} and {witness.name} disagree about turn {one.document.turn}"
    reopened = {witness.document.log.hash for witness in witnesses if witness.document.void is not None}
    by_turn: dict[int, Witness] = {}
    for reached, witness in by_hash.items():
        if reached not in reopened:
            one = by_turn.setdefault(witness.document.turn, witness)
            if one is not witness:
                yield (
                    f"{one.name} and {witness.name} tell of two different adjudications of turn"
                    f" {witness.document.turn}, and no report marked void accounts for it"
                )


def _gist(document: Document) -> tuple[object, ...]:
    dice = document.dice
    return document.turn, dice.commitment, dice.seed, dice.beacon, dice.next_commitment


def _promised(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Each commitment is the one that the report of the turn before promised."""
    announced: dict[int, dict[str, Witness]] = {}
    for witness in witnesses:
        if (promise := witness.document.dice.next_commitment) is not None:
            announced.setdefault(witness.document.turn + 1, {}).setdefault(promise, witness)
        for turn, promise in _promises_in_rows(witness.document):
            announced.setdefault(turn, {}).setdefault(promise, witness)
    for witness in witnesses:
        document = witness.document
        known = announced.get(document.turn, {})
        if known and document.dice.commitment not in known and document.dice.attempt == 1:
            names = " or ".join(each.name for each in known.values())
            yield f"{witness.name}: the commitment of turn {document.turn} is not the one promised in {names}"


def _unpromised(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Commitments that no file but their own report vouches for."""
    promised = {(each.document.turn + 1, each.document.dice.next_commitment) for each in witnesses}
    promised |= {promise for witness in witnesses for promise in _promises_in_rows(witness.document)}
    dice = [witness.document.dice for witness in witnesses]
    alone = [
        each for each in witnesses if (each.document.turn, each.document.dice.commitment) not in promised
    ]
    if alone and any(each.secret is not None for each in dice):  # from which all of them were seen to come
        yield f"whether {dice[0].secret_hash} is the SHA-256 that the GM gave out when the game was made"
        return
    for turn, attempt in sorted({(each.document.turn, each.document.dice.attempt or 0) for each in alone}):
        if attempt > 1 or (attempt == 0 and turn > 0):
            yield f"whether the commitment of turn {turn} is the one in the notice of its reopening"
        elif turn == 0:
            yield "whether the commitment of turn 0 is the one that the GM gave out when the game was made"
        else:
            before = f"no report of turn {turn - 1} is among these files"
            yield f"whether the commitment of turn {turn} is the one promised before: {before}"


def _reopened_elsewhere(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Turns that were reopened, as their dice say, while no void report of theirs is at hand."""
    void = {each.document.turn for each in witnesses if each.document.void is not None}
    for turn in sorted({each.document.turn for each in witnesses if (each.document.dice.attempt or 1) > 1}):
        if turn not in void:
            yield f"turn {turn} was reopened, and its void report is not among these files"


def _beacons(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Beacons, which a reader has to look up himself, and those that nobody had announced."""
    rules: dict[int, set[str | None]] = {}
    for witness in witnesses:
        rules.setdefault(witness.document.turn + 1, set()).add(witness.document.dice.beacon_rule)
    for turn, beacon in sorted({(each.document.turn, each.document.dice.beacon or "") for each in witnesses}):
        if not beacon:
            continue
        announced = [rule for rule in rules.get(turn, ()) if rule is not None]
        if announced:
            yield f"whether {beacon!r}, mixed in for turn {turn}, is {' or '.join(sorted(announced))}"
        elif turn in rules:
            yield f"turn {turn} has the beacon {beacon!r}, which no report before it had announced"


def _without_beacon(witnesses: Sequence[Witness]) -> Iterator[str]:
    """Turns thrown without the beacon that the report before them had announced."""
    announced: dict[int, set[str | None]] = {}
    for witness in witnesses:
        if witness.document.void is None:
            announced.setdefault(witness.document.turn + 1, set()).add(witness.document.dice.beacon_rule)
    for witness in witnesses:
        turn = witness.document.turn
        rules = announced.get(turn, {None})
        if witness.document.dice.beacon is None and None not in rules:
            told = " or ".join(sorted(filter(None, rules)))
            yield f"{witness.name}: turn {turn} has no beacon, though one was announced: {told}"


def _promises_in_rows(document: Document) -> Iterator[tuple[int, str]]:
    for row in document.rows:
        if row.kind in {"game_created", "turn_reopened"} and row.data is not None:
            try:
                data = json.loads(row.data)
                yield int(data.get("turn", 0)), str(data["commitment"])
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue


# The chain, and what it says.


def _chain(witnesses: Sequence[Witness], found: Audited) -> None:
    """The reports that give rows, in the order of the log: joined, kept to their promises, decided again."""
    chain: dict[str, Witness] = {}
    for witness in (each for each in witnesses if each.document.rows):
        if witness.is_json or witness.document.log.hash not in chain:
            chain[witness.document.log.hash] = witness
    ordered = sorted(chain.values(), key=lambda witness: witness.document.rows[0].version)
    known = len(found.unchecked)
    for one, other in pairwise(ordered):
        if fault := _joint_fault(one, other, found):
            found.faults.append(fault)
    if found.faults:
        return
    if not ordered:
        found.unchecked.append(
            "the chain of the log from report to report: only the public files of a game that hides nothing"
            " give its rows"
        )
    if not ordered or not all(witness.is_json for witness in ordered):
        what = "that needs the public JSON files of a game that hides nothing"
    elif ordered[0].document.rows[0].prev != FIRST_PREV or len(found.unchecked) > known:
        what = "the files do not go without a gap from turn 0 on"
    else:
        _follow(ordered, found)
        return
    found.unchecked.append(f"outcomes could not be followed from the orders: {what}")


def _joint_fault(one: Witness, other: Witness, found: Audited) -> str:
    last, first = one.document.rows[-1], other.document.rows[0]
    if first.version <= last.version:
        return f"{one.name} and {other.name} tell differently of row {first.version}"
    if first.version > last.version + 1:
        gap = f"rows {last.version + 1} to {first.version - 1}"
        found.unchecked.append(f"{gap}, between {one.name} and {other.name}, are in none of these files")
        return ""
    if first.prev != last.hash:
        return f"{other.name} does not follow {one.name}: the log between them was exchanged"
    return ""


def _follow(ordered: Sequence[Witness], found: Audited) -> None:
    """The public rows as a log: promises kept, positions reached, decisions as this program makes them."""
    documents = [witness.document for witness in ordered]
    published = (row for document in documents for row in document.rows)
    rows = [_row(documents[0].game, row) for row in published if row.data is not None]
    try:
        created = first_event(rows)
    except PbemError as error:
        found.faults.append(f"{ordered[0].name}: {error}")
        return
    try:
        ruleset = find_ruleset(created.ruleset)
    except PbemError as error:
        found.unchecked.append(f"outcomes could not be followed from the orders: {error}")
        return
    for each in ordered:
        if each.document.ruleset_version != created.ruleset_version:
            told = f"{created.ruleset} {each.document.ruleset_version}, but the log was begun with"
            began = f"{created.ruleset} {created.ruleset_version}"
            found.faults.append(f"{each.name}: it says that it is of {told} {began}")
            return
    by_version = {row.version: witness for witness in ordered for row in witness.document.rows}
    promises = Promises(rows[0].game, created, None, hides_turn_0=ruleset.sign_up_orders)
    fold: Fold | None = None
    closed = -1
    for row in rows:
        try:
            if row.kind in HOST_EVENTS:
                event = HOST_EVENTS.read(row.kind, row.schema, row.data)
                promises.host(event, row.turn, row.at)
                closed = getattr(event, "turn", -1) if row.kind == "turn_closed" else closed
            else:
                promises.outcome(ruleset.events.read(row.kind, row.schema, row.data), row.turn, closed)
            if fold is None:
                fold = Fold(ruleset, [row])
            else:
                fold.add([row])
            fold.settle()
        except (Broken, PbemError) as fault:
            found.faults.append(f"{by_version[row.version].name}: row {row.version}: {fault}")
            return
    assert fold is not None
    history = fold.history()
    by_hash = {witness.document.log.hash: witness for witness in ordered}
    for turn in (*history.voided, *history.turns):
        witness = by_hash.get(turn.hash)
        if witness is not None:
            found.counts["turns"] += 1
            found.faults += (f"{witness.name}: {fault}" for fault in _hand_faults(turn, witness.document))
            _decided(turn, witness, ruleset, found)


def _hand_faults(turn: PlayedTurn, document: Document) -> Iterator[str]:
    """What the GM did by hand and the log has, while the report keeps it quiet."""
    hand = document.everything.get("hand")
    told = " ".join(map(str, hand)) if isinstance(hand, list) else ""
    for row in turn.rows:
        if row.kind not in HAND_KINDS:
            continue
        event = HOST_EVENTS.read(row.kind, row.schema, row.data)
        reason = event.seat if isinstance(event, SeatHandedOver) else getattr(event, "reason", None)
        if reason is not None and reason not in told:
            yield f"it keeps quiet about something that the GM did by hand: {row.kind} in row {row.version}"


def _row(game: str, row: PublicRow) -> Row:
    return Row(
        game, row.version, row.turn, row.kind, row.schema_, row.data or "", row.at, row.salt or "", row.prev,
        row.hash,
    )  # fmt: skip


def _decided(turn: PlayedTurn, witness: Witness, ruleset: AnyRuleset, found: Audited) -> None:
    """One turn's outcomes against its published orders, and the position told against both."""
    document = witness.document
    same = document.ruleset_version == ruleset.version
    report = found.faults if same else found.differs
    try:
        orders = _orders(document.orders, turn, ruleset)
        if difference := first_difference(ruleset, turn, orders, None):
            report.append(f"{witness.name}: the outcomes do not follow from the orders: {difference.what}")
            return
        whole: Turn[Any, Any, Any, Any] = Turn(turn.number, turn.before, turn.events, turn.after, orders)
        reader = document.reader if document.reader in {PUBLIC, GM, *turn.contest.seats} else PUBLIC
        shown_data = json.loads(dump_json(_plain(ruleset.view(whole, reader).data)))
    except PbemError as error:
        report.append(f"{witness.name}: {error}")
        return
    except Exception as error:  # noqa: BLE001 - a file that somebody wrote can tell of any position
        report.append(f"{witness.name}: turn {turn.number} cannot be followed ({type(error).__name__})")
        return
    for name, value in shown_data.items():
        if document.everything.get(name) != value:
            report.append(f"{witness.name}: what it tells of {name} is not what its events lead to")
            return


def _orders(
    told: Mapping[str, Sequence[Any]], turn: PlayedTurn, ruleset: AnyRuleset
) -> "dict[str, SeatOrders[Any, Any]]":
    sheets = {
        seat: Sheet(header={}, lines=tuple(order_line(line.line, line.text) for line in told.get(seat, ())))
        for seat in turn.contest.seats
    }
    return {seat: ruleset.parse(sheet, turn.before, seat) for seat, sheet in sheets.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
