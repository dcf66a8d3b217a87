"""The event log: append and read rows of text. The only file that knows sqlite-utils.

Rows are only ever added, one command's rows in one transaction; each row's hash covers the one
before it, so a changed, lost or swapped row is found when the log is next read. Here are the rows, what
every store of them does (`EventLog`), and the one that is a file; store_postgres.py has the other.
"""

# ruff: noqa: PLC0415 - start-up is imports: what is slow to import is imported where it is used

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from itertools import chain
from json.encoder import encode_basestring as quoted
from operator import itemgetter
from pathlib import Path
from stat import S_ISREG
from threading import get_ident, local
from typing import Any, NamedTuple, Protocol, TypeAlias, cast
from weakref import ref

from pbem.errors import Conflict, Damaged, NotNow, PbemError, shown

Salt: TypeAlias = Callable[[int], str]
"""The salt of a row by its version: it hides the row's data from guessing."""

FIRST_PREV = "0" * 64
TIMEOUT = 5.0
"""Seconds to wait for another command to finish with the log."""

_COLUMNS = {
    "seq": int,
    "game": str,
    "version": int,
    "turn": int,
    "kind": str,
    "schema": int,
    "data": str,
    "at": str,
    "salt": str,
    "prev": str,
    "hash": str,
}
_NAMES = ", ".join(list(_COLUMNS)[1:])
_READ = f"SELECT {_NAMES} FROM events ORDER BY seq"  # noqa: S608 - our own names
_APPEND = f"INSERT INTO events ({_NAMES}) VALUES ({', '.join('?' * (len(_COLUMNS) - 1))})"  # noqa: S608
_AT_ONCE = 8
"""Rows of one statement where there are so many: putting in each of a thousand takes a fifth less time."""
_OWN = itemgetter(1, 2, 3, 4, 5, 7, 9)
"""What a row does not share with the row before it, which gives game, time and `prev`."""


def _appending(count: int) -> str:
    """The statement for rows of one append: game, time and the first `prev`, then of each its `_OWN`."""
    own = [range(place, place + 7) for place in range(4, 4 + 7 * count, 7)]
    befores = [3, *(each[-1] for each in own)]
    values = ", ".join(
        "(?1, ?{}, ?{}, ?{}, ?{}, ?{}, ?2, ?{}, ?{}, ?{})".format(*each[:6], before, each[6])
        for each, before in zip(own, befores, strict=False)
    )
    return f"INSERT INTO events ({_NAMES}) VALUES {values}"  # noqa: S608 - our own names


_APPEND_MANY = _appending(_AT_ONCE)
_GUARDS = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
_FROZEN = """
CREATE TRIGGER events_{verb}_refused BEFORE {verb} ON events
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END
"""
_MOVED = "the game was moved"
_CLOSED_BY = f"""
CREATE TRIGGER IF NOT EXISTS events_INSERT_refused BEFORE INSERT ON events
BEGIN SELECT RAISE(ABORT, '{_MOVED}'); END
"""


class Draft(NamedTuple):
    """An event about to be appended; `turn` is the turn that is open, `data` JSON text."""

    turn: int
    kind: str
    schema: int
    data: str


class Row(NamedTuple):
    """One event as the log has it; `prev` and `hash` chain it to the row before."""

    game: str
    version: int
    turn: int
    kind: str
    schema: int
    data: str
    at: str
    salt: str
    prev: str
    hash: str

    @property
    def digest(self) -> str:
        """The hash of salt and data, which can be published without either."""
        return hexdigest(self.salt + self.data)

    def follows(self, prev: str, version: int) -> bool:
        """Whether this is the row `version` of an undamaged chain that had reached the hash `prev`."""
        try:
            return self.version == version and self.prev == prev and self.hash == row_hash(self)
        except (TypeError, ValueError):  # a column holds what pbem never puts there
            return False


_as_row: Callable[[tuple[Any, ...]], Row] = partial(tuple.__new__, Row)
"""A row from its ten columns, without asking whether they are ten."""

_NOTHING = sha256()
"""Copying a hash that has begun takes a third of the time of beginning one, and every row needs two."""


def hexdigest(text: str) -> str:
    """SHA-256 of a text."""
    begun = _NOTHING.copy()
    begun.update(text.encode())
    return begun.hexdigest()


def row_hash(row: Row) -> str:
    """The hash of the eight elements that anyone may see."""
    game, version, turn, kind, schema, data, at, salt, prev, _ = row
    return public_hash(prev, game, version, turn, kind, schema, at, hexdigest(salt + data))


def public_hash(  # noqa: PLR0917 - the eight elements, in the order in which they are hashed
    prev: str, game: str, version: int, turn: int, kind: str, schema: int, at: str, digest: str
) -> str:
    """A row's hash from what is published of every row, hidden or not.

    The text that is hashed is the compact JSON list of the eight, as `json.dumps` would write it, put
    together here since every command checks every row. What is no whole number is no row's either.
    """
    text = (
        f"[{quoted(prev)},{quoted(game)},{version:d},{turn:d},"
        f"{quoted(kind)},{schema:d},{quoted(at)},{quoted(digest)}]"
    )
    return hexdigest(text)


def chained(game: str, drafts: Sequence[Draft], after: Row | None, *, at: str, salt: Salt) -> tuple[Row, ...]:
    """The rows that drafts become behind `after`, the last row so far.

    Each gets the hash that `row_hash` gives it, put together here in half the time, as `_unbroken` does.
    """
    begin = _NOTHING.copy
    version, prev = (after.version, after.hash) if after else (0, FIRST_PREV)
    named, dated = quoted(game), quoted(at)
    rows: list[tuple[Any, ...]] = []
    for number, (turn, kind, schema, data) in enumerate(drafts, start=version + 1):
        grain = salt(number)
        inner, outer = begin(), begin()
        inner.update((grain + data).encode())
        listed = f"{named},{number},{turn},{quoted(kind)},{schema},{dated}"
        outer.update(f'["{prev}",{listed},"{inner.hexdigest()}"]'.encode())
        reached = outer.hexdigest()
        rows.append((game, number, turn, kind, schema, data, at, grain, prev, reached))
        prev = reached
    return tuple(map(_as_row, rows))


class EventLog(Protocol):
    """The log of one game, wherever it is kept."""

    def rows(self) -> tuple[Row, ...]:
        """All rows, their chain checked: `Damaged` names the first version that does not follow."""

    def unchecked_rows(self) -> tuple[Row, ...]:
        """All rows as they stand, however damaged."""

    def rows_until_damage(self) -> tuple[tuple[Row, ...], Damaged | None]:
        """The rows as they stand, up to where the log itself cannot be read, and what is wrong there."""

    def faults_of_file(self) -> tuple[str, ...]:
        """What is wrong with the log apart from its rows: a damaged index, a missing guard."""

    def copy_to(self, path: Path) -> None:
        """The log as of one moment as an SQLite file, whatever other commands do meanwhile."""

    def append(
        self, game: str, drafts: Sequence[Draft], *, expected: int, at: str, salt: Salt
    ) -> tuple[Row, ...]:
        """Append all drafts in one transaction, or none: `Conflict` if the log has passed `expected`."""


def checked(rows: tuple[Row, ...], name: str) -> tuple[Row, ...]:
    """The rows of one game, if their chain holds; else `Damaged`, which names the log `name`."""
    if not rows:
        raise Damaged(f"{name} holds no game; put back a backup of the log.")
    if (whole := _unbroken(rows)) < len(rows):
        raise Damaged(
            f"{name}: event {whole + 1} is not what was written (its hash does not follow);"
            " put back a backup of the log."
        )
    if len(set(map(itemgetter(0), rows))) > 1:
        raise Damaged(f"{name} holds events of several games; put back a backup of the log.")
    return rows


def _unbroken(rows: Sequence[Row]) -> int:
    """How many rows follow from one another, from the first on.

    What `Row.follows` says of each, in half the time: this is most of what reading a log takes.
    """
    begin = _NOTHING.copy
    before, expected = FIRST_PREV, 0
    # Most rows are of the game, and many of the time, of the row before.
    of: str | None = None
    on: str | None = None
    named = dated = ""
    try:
        for expected, (game, version, turn, kind, schema, data, at, salt, prev, reached) in enumerate(rows):
            if game != of:
                of, named = game, quoted(game)
            if at != on:
                on, dated = at, quoted(at)
            inner, outer = begin(), begin()
            inner.update((salt + data).encode())
            listed = f"{named},{version:d},{turn:d},{quoted(kind)},{schema:d},{dated}"
            outer.update(f'["{before}",{listed},"{inner.hexdigest()}"]'.encode())
            if version != expected + 1 or prev != before or reached != outer.hexdigest():
                return expected
            before = reached
    except (TypeError, ValueError):  # a column holds what pbem never puts there
        return expected
    return len(rows)


class _Open(NamedTuple):
    """A connection, the file that it is to, and the process and thread that alone may use it."""

    connection: sqlite3.Connection
    file: tuple[int, int]
    owner: tuple[int, int]


class _Latest(local):
    """The log that this thread used last: it alone keeps its connection, however many logs there are."""

    log: "Callable[[], Log | None]" = staticmethod(lambda: None)


_latest = _Latest()


class Log:
    """The log of one game in its file.

    The connection stays open from call to call, idle and without a lock, as long as the path leads to
    the same file and the thread uses no other log: to open it costs as much as an event. What a call ends
    with an error is closed with it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open: _Open | None = None

    def __del__(self) -> None:
        self._close()

    def create(self) -> None:
        """Make the empty log; the file must not exist yet."""
        import sqlite_utils

        with _told(self.path), self.path.open("xb"):
            pass
        with self._connected() as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            database = sqlite_utils.Database(connection, execute_plugins=False)
            with database.atomic():
                table = database.table("events").create(
                    _COLUMNS, pk="seq", not_null=set(_COLUMNS) - {"seq"}, strict=True
                )
                table.create_index(["game", "version"], unique=True)
                for verb in ("UPDATE", "DELETE"):
                    database.execute(_FROZEN.format(verb=verb))

    def rows(self) -> tuple[Row, ...]:
        """All rows, their chain checked: `Damaged` names the first version that does not follow."""
        return checked(self.unchecked_rows(), shown(self.path))

    def unchecked_rows(self) -> tuple[Row, ...]:
        """All rows as they stand, however damaged."""
        with self._reading() as connection:
            return tuple(map(_as_row, connection.execute(_READ)))

    def rows_until_damage(self) -> tuple[tuple[Row, ...], Damaged | None]:
        """The rows as they stand, up to where the file itself cannot be read, and what is wrong there."""
        rows: list[Row] = []
        try:
            with self._reading() as connection:
                rows.extend(map(_as_row, connection.execute(_READ)))
        except Damaged as damage:
            return tuple(rows), damage
        return tuple(rows), None

    def copy_to(self, path: Path) -> None:
        """A consistent copy of the log's file, whatever other commands do meanwhile."""
        with self._reading() as connection, _told(path), closing(sqlite3.connect(path)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # it stands alone, whatever was made of the log

    def faults_of_file(self) -> tuple[str, ...]:
        """What is wrong with the file apart from its rows: a damaged index, a missing guard."""
        try:
            with self._reading() as connection:
                checked = [str(line) for (line,) in connection.execute("PRAGMA quick_check")]
                guards = {name for (name,) in connection.execute(_GUARDS)}
        except Damaged as damage:
            return (str(damage).rstrip("."),)
        faults = [f"its file is damaged ({line})" for line in checked[:1] if line != "ok"]
        if len(guards) < 2:
            faults.append("the triggers that refuse changes are gone")
        return tuple(faults)

    def append(
        self, game: str, drafts: Sequence[Draft], *, expected: int, at: str, salt: Salt
    ) -> tuple[Row, ...]:
        """Append all drafts in one transaction, or none: `Conflict` if the log has passed `expected`."""
        with self._connected() as connection, _immediate(connection):
            last = _last_row(connection)
            must_be_at(expected, last.version if last else 0)
            rows = chained(game, drafts, last, at=at, salt=salt)
            _put(connection, rows)
        return rows

    def write(self, rows: Sequence[Row]) -> None:
        """Put rows that come from another store into this empty log, as they are."""
        with self._connected() as connection, _immediate(connection):
            must_be_at(0, last.version if (last := _last_row(connection)) else 0)
            connection.executemany(_APPEND, map(tuple, rows))

    @contextmanager
    def leaving(self) -> Iterator[Callable[[], None]]:
        """Nobody appends meanwhile; what is given closes the log for good, since its game was moved."""
        with self._connected() as connection, _immediate(connection):

            def close() -> None:
                connection.execute(_CLOSED_BY)

            yield close

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with _told(self.path):
            try:
                status = self.path.stat()
            except (FileNotFoundError, NotADirectoryError) as error:
                raise Damaged(f"{shown(self.path)} is missing; put back a backup of the log.") from error
            if not S_ISREG(status.st_mode):
                raise Damaged(f"{shown(self.path)} is no file; put back a backup of the log.")
            connection = self._connection((status.st_dev, status.st_ino))
            within = connection.in_transaction  # of another call, which ends it
            try:
                yield connection
            except BaseException:
                if not within:
                    self._close()
                raise
            finally:
                self._is_latest()

    def _is_latest(self) -> None:
        """Close the log that the thread used before this one, unless it is at work around this call."""
        latest = _latest.log()
        if latest is not self:
            if latest is not None:
                latest._let_go()  # noqa: SLF001 - a log's too
            _latest.log = ref(self)

    def _let_go(self) -> None:
        held = self._open
        if held is not None and not held.connection.in_transaction:
            self._close()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """With nothing kept from an earlier call: what is read is what is in the file now."""
        with self._connected() as connection:
            connection.execute("PRAGMA shrink_memory")
            yield connection

    def _connection(self, file: tuple[int, int]) -> sqlite3.Connection:
        owner = _here()
        held = self._open  # which another thread may exchange at any time
        if held is not None and held[1:] == (file, owner):
            return held.connection
        self._close()
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=TIMEOUT)
        self._open = _Open(connection, file, owner)
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _close(self) -> None:
        """Let go of the file; a connection that belongs elsewhere is closed there."""
        held, self._open = self._open, None
        if held is not None and held.owner == _here():
            held.connection.close()


def _here() -> tuple[int, int]:
    return os.getpid(), get_ident()


@contextmanager
def _immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that is the only writer from its first read on; the library's own begins too late."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _put(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Add the rows of one append.

    Without sqlite-utils, which takes longer to import than all of this, and twice as long a row; and as
    plain tuples, which sqlite3 takes in without asking each for its parts.
    """
    whole = len(rows) - len(rows) % _AT_ONCE
    if whole:
        parts = (rows[first : first + _AT_ONCE] for first in range(0, whole, _AT_ONCE))
        connection.executemany(
            _APPEND_MANY,
            (
                (part[0].game, part[0].at, part[0].prev, *chain.from_iterable(map(_OWN, part)))
                for part in parts
            ),
        )
    connection.executemany(_APPEND, map(tuple, rows[whole:]))


def must_be_at(expected: int, version: int) -> None:
    """`Conflict` if the log is not at the version from which a command began."""
    if version != expected:
        raise Conflict(
            f"Another command got there first: this one began at version {expected} of the log, which is now"
            f" at version {version}; nothing was changed, look at `pbem status`."
        )


def _last_row(connection: sqlite3.Connection) -> Row | None:
    found = connection.execute(f"{_READ} DESC LIMIT 1").fetchone()
    return Row(*found) if found else None


_UNCHANGED = "nothing was changed"
_BUSY = (Conflict, "is locked by another program; try again when that has finished")
_CLOSED = (PbemError, f"or its folder cannot be written; {_UNCHANGED}, check who owns them")
_REASONS: Mapping[int, tuple[type[PbemError], str]] = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: (PbemError, f"cannot grow: the disk is full; {_UNCHANGED}, make room and try again"),
    sqlite3.SQLITE_IOERR: (PbemError, f"met a failing or full disk; {_UNCHANGED}, make room and try again"),
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
}
_DAMAGED = (Damaged, "is damaged or no event log of pbem; put back a backup of the log")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's complaints as one sentence that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        if str(error) == _MOVED:
            raise NotNow(
                f"{shown(path)} is closed, since its game was moved to a database; see game.toml, and repeat"
                " `pbem copy` if it was broken off."
            ) from error
        code = cast("int", getattr(error, "sqlite_errorcode", 0)) & 0xFF
        kind, reason = _REASONS.get(code, _DAMAGED)
        raise kind(f"{shown(path)} {reason}.") from error
    except (TypeError, ValueError, UnicodeError, OverflowError) as error:
        # Only a column that holds another type than ours gets this far.
        raise Damaged(f"{shown(path)} {_DAMAGED[1]}.") from error


def row_json(row: Row, data: Any) -> dict[str, Any]:
    """A row as `pbem log --json` shows it, its data parsed."""
    return {
        "version": row.version,
        "turn": row.turn,
        "kind": row.kind,
        "schema": row.schema,
        "data": data,
        "at": row.at,
        "salt": row.salt,
        "prev": row.prev,
        "hash": row.hash,
    }
