"""`verify`: whether a log is what was written, whether it kept its promises, and whether this program agrees.

Three answers: something does not hold (the first event that does not follow); all holds, but this
program would decide a turn otherwise, or the reports at hand are of another log; all agrees.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem import __version__
from pbem.archive import SUMMARIES, Archive
from pbem.clock import read_stamp
from pbem.contest import first_event
from pbem.deciding import Difference, first_difference
from pbem.dice import commitment, salt
from pbem.errors import Damaged, PbemError, reader_says, shown
from pbem.events import HOST_EVENTS, Json, OrdersReceived, RulingMade, dump_json
from pbem.game import REACHED, Game, reached
from pbem.hand import part_of
from pbem.history import Fold, History, PlayedTurn
from pbem.notices import notices
from pbem.orders_in import press_problems
from pbem.promises import Broken, Promises, must
from pbem.reports.archive import render_turn
from pbem.roll import orders_that_count, roll
from pbem.rulesets import AnyRuleset, find_ruleset
from pbem.rulesets.model import GM, PUBLIC
from pbem.sheet import read_sheet, split_lines
from pbem.snapshot import SNAPSHOT, read_snapshot, snapshot_of
from pbem.store import FIRST_PREV, Row

KINDS = ("events", "salts", "commitments", "seeds", "throws", "turns", "reports")
"""What is counted as checked."""
MAX_REPORT = 64 * 1024 * 1024
_LOG_LINE = re.compile(
    r"Event log(?:, version (?P<version>[0-9]{1,9}))?(?:</dt>|:)\s*(?:<dd[^>]*>)?(?P<hash>[0-9a-f]{64})"
)
_HEX = re.compile(r"[0-9a-f]{64}")
_CACHES = {Path(SUMMARIES).name, Path(SNAPSHOT).name}
_FOLDERS = ("reports/turn-*/*", "reports/turn-*/attempt-*/*", "players/*/*", "gm/*")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with, or otherwise about, the event `version`."""

    version: int
    what: str


@dataclass
class Findings:
    """What came of it: `first` is the first event that does not follow; `differs` is no fault of the log."""

    checked: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(KINDS, 0)))
    first: Fault | None = None
    differs: list[Fault] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the log holds."""
        return self.first is None

    def as_json(self) -> dict[str, Json]:
        """As `verify --json` prints it."""
        return {
            "ok": self.ok,
            "checked": {kind: self.checked[kind] for kind in KINDS},
            "first": self.first and _json(self.first),
            "differs": [_json(fault) for fault in self.differs],
        }


def _json(fault: Fault) -> dict[str, Json]:
    return {"version": fault.version, "what": fault.what}


class _Wrong(Exception):
    """The first fault of a log, which ends the checking."""

    def __init__(self, version: int, what: str) -> None:
        super().__init__(what)
        self.fault = Fault(version, what)


def verify(game: Game) -> Findings:
    """All three answers about the game's log."""
    found = Findings()
    rows, damage = game.log.rows_until_damage()
    try:
        _chain(rows, damage)
        _meaning(game, rows, found)
    except _Wrong as wrong:
        found.first = wrong.fault
    else:
        found.warnings += [f"No event is damaged, but {fault}." for fault in game.log.faults_of_file()]
    return found


def _chain(rows: Sequence[Row], damage: PbemError | None) -> None:
    """Hashes, versions, times and form: what needs no understanding."""
    prev, at = FIRST_PREV, ""
    for version, row in enumerate(rows, start=1):
        if not row.follows(prev, version):
            raise _Wrong(version, _unlike(row, prev, version))
        if row.game != rows[0].game:
            raise _Wrong(version, f"it belongs to another game, {row.game!r}")
        if fault := _form_fault(row, at):
            raise _Wrong(version, fault)
        prev, at = row.hash, row.at
    if damage is not None or not rows:
        what = str(damage).partition(";")[0] if damage else "the log holds no event"
        raise _Wrong(len(rows) + 1, what)


def _unlike(row: Row, prev: str, version: int) -> str:
    """In what a row does not follow."""
    if row.version != version:
        return f"version {version} is missing; what stands there says version {row.version}"
    if row.prev != prev:
        return "its prev is not the hash of the event before it"
    return "its hash is not that of what it holds"


def _form_fault(row: Row, at: str) -> str:
    try:
        if dump_json(json.loads(row.data, parse_float=_no_float, parse_constant=_no_float)) != row.data:
            return "its data are not written as the log writes them"
        read_stamp(row.at)
    except (ValueError, RecursionError) as error:
        return f"its data cannot be read ({reader_says(error)})"
    except Damaged:
        return "its time is not written as the log writes times"
    return "it is older than the event before it" if row.at < at else ""


def _no_float(text: str) -> None:
    raise ValueError(f"it holds the number {text}, which is not whole")


def _meaning(game: Game, rows: Sequence[Row], found: Findings) -> None:
    """What the events say: held against the promises before them, folded, decided again."""
    try:
        created = first_event(rows)
        ruleset = find_ruleset(created.ruleset)
    except PbemError as error:
        raise _Wrong(1, str(error)) from None
    secret = _secret(game, created.secret_hash, rows, found)
    fold = _follow(rows, ruleset, secret, found)
    history = fold.history()
    turns = sorted((*history.voided, *history.turns), key=lambda turn: turn.rows[-1].version)
    for turn in turns:
        found.checked["turns"] += 1
        if difference := _decided_otherwise(turn, ruleset, secret):
            found.differs.append(_told(turn, difference, created.ruleset_version, ruleset))
    found.differs += _reports(game, history, ruleset, secret, found)
    witnessed = reached(game.folder)
    if witnessed and not witnessed.is_in(rows):
        version = min(max(witnessed.version, 1), len(rows) + 1)
        found.differs.append(_strange(witnessed.hash, witnessed.version, [REACHED], version))


def _published(rows: Sequence[Row], secret_hash: str) -> bytes | None:
    """The secret as the end of the game has published it; what is none is found when its row is read."""
    for row in rows:
        if row.kind == "game_ended":
            secret = json.loads(row.data).get("secret")
            if isinstance(secret, str) and len(secret) == len(secret_hash) and _HEX.fullmatch(secret):
                return bytes.fromhex(secret) if commitment(bytes.fromhex(secret)) == secret_hash else None
    return None


def _secret(game: Game, secret_hash: str, rows: Sequence[Row], found: Findings) -> bytes | None:
    """The secret, if it is at hand; without it nothing is said of salts and of seeds to come."""
    if game.home.has_secret():
        secret = game.home.secret()
        if commitment(secret) != secret_hash:
            raise _Wrong(1, f"{game.home.secret_name} is not the secret of which it published the hash")
        return secret
    if published := _published(rows, secret_hash):
        return published
    found.warnings.append(
        f"{game.home.secret_name} is missing or not yours to read: salts, and promises not yet kept, could"
        " not be checked."
    )
    return None


def _follow(rows: Sequence[Row], ruleset: AnyRuleset, secret: bytes | None, found: Findings) -> Fold:
    """Every event understood, in order: salts, promises, and the fold."""
    promises = Promises(rows[0].game, first_event(rows), secret, hides_turn_0=ruleset.sign_up_orders)
    fold = _opened(rows[:1], ruleset)
    closed = -1
    for row in rows:
        try:
            if secret is not None:
                must(row.salt == salt(secret, row.version), "its salt does not come from the secret")
                found.checked["salts"] += 1
            if row.kind in HOST_EVENTS:
                event = HOST_EVENTS.read(row.kind, row.schema, row.data)
                promises.host(event, row.turn, row.at)
                if isinstance(event, RulingMade):
                    _ruling_fits(event, ruleset, fold.history())
                if isinstance(event, OrdersReceived) and (told := _read_otherwise(event, ruleset, fold)):
                    found.differs.append(Fault(row.version, told))
                closed = getattr(event, "turn", -1) if row.kind == "turn_closed" else closed
            else:
                promises.outcome(ruleset.events.read(row.kind, row.schema, row.data), row.turn, closed)
            if row.version > 1:
                fold.add([row])
                fold.settle()
        except (Broken, PbemError) as fault:
            raise _Wrong(row.version, str(fault)) from None
        finally:
            found.checked |= promises.checked
    return fold


def _opened(rows: Sequence[Row], ruleset: AnyRuleset) -> Fold:
    try:
        return Fold(ruleset, rows)
    except PbemError as error:
        raise _Wrong(1, str(error)) from None


def _ruling_fits(event: RulingMade, ruleset: AnyRuleset, history: History) -> None:
    position = ruleset.state_json(history.state)
    for change in event.changes:
        was = part_of(position, change.path)
        if was != change.was:
            told = f"it says that {change.path} was {dump_json(change.was)}, but it was {dump_json(was)}"
            raise Broken(told)


def _read_otherwise(event: OrdersReceived, ruleset: AnyRuleset, fold: Fold) -> str:
    """In what this program takes other lines of an order file for unreadable; nothing if it does not."""
    history = fold.history()
    try:
        sheet = read_sheet(event.text)
        problems = [
            *ruleset.parse(sheet, history.state, event.seat).problems,
            *press_problems(sheet.press, history.contest.seats, split_lines(event.text)),
        ]
    except PbemError as error:
        return f"this program cannot read the orders of {event.seat}: {error}"
    recorded = sorted({each.line for each in event.problems})
    now = sorted({each.line for each in problems})
    if recorded == now:
        return ""
    called = f"it calls {_lines(recorded)} of {event.seat}'s orders unreadable"
    return f"{called}, and this program {_lines(now)}"


def _lines(numbers: Sequence[int]) -> str:
    if not numbers:
        return "no line"
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _decided_otherwise(turn: PlayedTurn, ruleset: AnyRuleset, secret: bytes | None) -> Difference | None:
    seats = tuple(each.seat for each in roll(turn.contest) if each.state == "missing")
    if turn.closed.missing != seats and (turn.number or ruleset.sign_up_orders):
        told = f"as missing it names {_named(turn.closed.missing)}, and {_named(seats)} sent nothing"
        return Difference(-1, told)
    try:
        orders = orders_that_count(turn.contest, turn.before, ruleset.parse)
    except PbemError as error:
        return Difference(-1, f"this program cannot read its orders: {error}")
    return first_difference(ruleset, turn, orders, secret)


def _named(seats: Sequence[str]) -> str:
    return ", ".join(seats) or "nobody"


def _told(turn: PlayedTurn, found: Difference, version: str, ruleset: AnyRuleset) -> Fault:
    """A difference, with the version of the event where it shows."""
    outcomes = [row for row in turn.rows if row.kind not in HOST_EVENTS]
    closed = next(row.version for row in reversed(turn.rows) if row.kind == "turn_closed")
    at = closed if found.place < 0 else closed + 1 + min(found.place, max(len(outcomes) - 1, 0))
    decided = f"{ruleset.name} {version} decided turn-{turn.number}, this is {ruleset.name} {ruleset.version}"
    return Fault(at, f"{found.what} ({decided})")


# The reports at hand.


def _reports(
    game: Game, history: History, ruleset: AnyRuleset, secret: bytes | None, found: Findings
) -> Iterator[Fault]:
    """Reports that tell of another log, or that this version would write otherwise."""
    by_hash = {turn.hash: turn for turn in (*history.voided, *history.turns)}
    mine: set[str] = set()
    strange: dict[tuple[str, int | None], list[str]] = {}
    last = history.last.version
    for closed in _closed_folders(game.folder):
        yield Fault(last, f"{closed} cannot be looked into: reports in it were not compared")
    for path in _at_hand(game.folder):
        name = path.relative_to(game.folder).as_posix()
        try:
            page = _read(path)
        except (OSError, ValueError, RecursionError) as error:
            yield Fault(last, f"{name} cannot be read ({reader_says(error)})")
            continue
        if page is None:
            continue
        found.checked["reports"] += 1
        if page.hash not in by_hash:
            strange.setdefault((page.hash, page.version), []).append(name)
        elif page.written_by == (__version__, ruleset.version):
            mine.add(page.hash)
    for (strangers, version), names in strange.items():
        yield _strange(strangers, version, names, last)
    if secret is not None:
        archive = Archive(game.folder, ruleset, history, secret, game.config)
        yield from _otherwise(archive, [turn for turn in by_hash.values() if turn.hash in mine])
        # Notices do not say who wrote them: whoever writes the newest report writes all of them.
        newest = history.turns[-1:] or history.voided[-1:]
        if any(turn.hash in mine for turn in newest):
            yield from _unlike_files(game.folder, notices(archive), history.last.version)
    if (kept := read_snapshot(game.folder, ruleset)) and (turn := by_hash.get(kept.hash)):
        yield from _unlike_files(game.folder, snapshot_of(turn, ruleset), turn.rows[-1].version)


def _strange(at: str, version: int | None, names: Sequence[str], last: int) -> Fault:
    """Reports of a log that this one is not."""
    known = f"version {version}" if version is not None else "a version"
    others = f" and {len(names) - 1} more show" if len(names) > 1 else " shows"
    return Fault(
        min(version or last, last + 1),
        f"{names[0]}{others} {known} of the log with the hash {at}, which this log never reached:"
        " rows were cut off or exchanged, or the report is another game's",
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """What a report says of the log it was made from, and which versions of pbem and ruleset made it."""

    hash: str
    version: int | None
    written_by: tuple[str, str] | None = None


def _closed_folders(folder: Path) -> list[str]:
    """The folders of reports that the system keeps to itself; a game in a database may have none here."""
    if not folder.is_dir():
        return []
    errors: list[OSError] = []
    for name in ("reports", "players", "gm"):
        list(os.walk(folder / name, onerror=errors.append))
    return [shown(Path(each.filename)) for each in errors if not isinstance(each, FileNotFoundError)]


def _at_hand(folder: Path) -> Iterator[Path]:
    for pattern in _FOLDERS:
        for path in sorted(folder.glob(pattern)):
            if path.suffix in {".html", ".txt", ".json"} and path.is_file() and path.name not in _CACHES:
                yield path


def _read(path: Path) -> _Page | None:
    """What a report says; None for a file that is no report, such as a notice."""
    if path.stat().st_size > MAX_REPORT:
        raise ValueError("too large for a report")
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".json":
        shown = _LOG_LINE.search(text)
        return _Page(shown["hash"], int(shown["version"]) if shown["version"] else None) if shown else None
    data = json.loads(text)
    try:
        at, version = data["log"]["hash"], data["log"]["version"]
        by = str(data["pbem_version"]), str(data["ruleset_version"])
    except (KeyError, TypeError):
        raise ValueError("it is no report") from None
    if not isinstance(at, str) or not isinstance(version, int | None):
        raise ValueError("it does not tell its log")  # noqa: TRY004 - to the reader it is all the same
    return _Page(at, version, by)


def _otherwise(archive: Archive, turns: Sequence[PlayedTurn]) -> Iterator[Fault]:
    """Files of these turns that are there and not what this program writes."""
    for turn in turns:
        readers = (PUBLIC, GM, *turn.contest.seats)
        pages = render_turn(
            archive.facts(turn),
            {reader: archive.view(turn, reader) for reader in readers},
            archive.ruleset.files,
        )
        yield from _unlike_files(archive.folder, pages, turn.rows[-1].version)


def _unlike_files(folder: Path, files: dict[str, bytes], version: int) -> Iterator[Fault]:
    for name, data in files.items():
        path = folder / name
        try:
            if path.is_file() and path.read_bytes() != data:
                yield Fault(version, f"{name} is not what this program writes from the log")
        except OSError as error:
            yield Fault(version, f"{name} cannot be read ({reader_says(error)})")
