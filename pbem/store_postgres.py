"""The event log and what stands beside it in PostgreSQL. The only file that knows psycopg.

Its tables are in store_postgres.sql. A process has one connection to a database, made when it is first
needed: locks are held by it, so that they go when the process does, however it ends.
"""

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, LiteralString, NamedTuple, cast
from urllib.parse import quote, urlencode

from pbem.errors import BadInput, Conflict, Damaged, NotNow, PbemError, Unreachable, brief
from pbem.store import Draft, Log, Row, Salt, chained, checked, must_be_at

try:
    import psycopg
    from psycopg import errors as pg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import Conninfo, TransactionStatus
except ImportError as missing:
    raise PbemError("A game in PostgreSQL needs psycopg; pip install 'pbem[postgresql]'.") from missing

# It warns of what follows from a failure that is told in one sentence: on the screen, if nobody listens.
logging.getLogger("psycopg").addHandler(logging.NullHandler())

TABLES = Path(__file__).with_name("store_postgres.sql")
TABLES_VERSION = 1
TIMEOUT = 5
"""Seconds to wait for another command to finish with a game's log."""
CONNECT_TIMEOUT = 10

_TABLES_LOCK = 0x7062656F
"""The first half of the number of an advisory lock, so that nobody else's is met by chance."""
_GAMES, _MESSAGES = "games", "messages"
"""The tables whose number is that half: in another schema of the same database it is another."""
ON_ITS_WAY = ""
"""As the place to which a game was moved: it comes here, and is not yet closed where it was."""

_SETTINGS = f"""
SELECT set_config('lock_timeout', '{TIMEOUT}s', false),
    set_config('tcp_keepalives_idle', '30', false),
    set_config('tcp_keepalives_interval', '10', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' WHEN 'local' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
"""
"""What is told to have been appended is on the disk; a machine that has gone loses its locks in a minute.

Who has waited for a game's row must then see what the other one appended, whatever the database prefers.
"""

_READ = """
SELECT game, version, turn, kind, schema, data, at, salt, prev, hash FROM events
WHERE game = %s ORDER BY version
"""
_INSERT = """
INSERT INTO events (game, version, turn, kind, schema, data, at, salt, prev, hash)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_BOXES = """
WITH RECURSIVE box AS (
    (SELECT incoming, password_env FROM mailboxes WHERE incoming <> '' ORDER BY 1, 2 LIMIT 1)
    UNION ALL
    SELECT later.incoming, later.password_env FROM box CROSS JOIN LATERAL (
        SELECT incoming, password_env FROM mailboxes
        WHERE incoming <> '' AND (incoming, password_env) > (box.incoming, box.password_env)
        ORDER BY 1, 2 LIMIT 1
    ) AS later
) SELECT incoming, password_env FROM box
"""
"""From one mailbox to the next by the index, past all the games that have the same."""
_PAGE = 20
_WAKE = "UPDATE games SET wake = '-infinity' WHERE game = %s AND wake <> '-infinity'"
_GUARD = """
SELECT count(*) FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE tgrelid = 'events'::regclass AND tgname = 'events_change_refused' AND proname = 'events_refused'
    AND tgenabled IN ('O', 'A') AND tgtype & 58 = 58 AND tgqual IS NULL AND tgattr = '' AND prosrc = %s
"""
"""58: before, on DELETE, UPDATE and TRUNCATE."""
_UNIQUE = """
SELECT count(*) FROM pg_index WHERE indrelid = 'events'::regclass AND indisunique AND indisvalid
    AND pg_get_indexdef(indexrelid) LIKE '%(game, version)'
"""

_IN_PATH = ("user", "host", "port", "dbname")
_PASSWORDS = [option.keyword.decode() for option in Conninfo.get_defaults() if option.dispchar]
"""What libpq does not want to be shown."""

Connection = psycopg.Connection[tuple[Any, ...]]


class Box(NamedTuple):
    """From where a game has its mail (`[mail]` of game.toml); `incoming` is empty if from nowhere."""

    incoming: str
    password_env: str


class Due(NamedTuple):
    """A game that `pbem tick` has to look at; `id` is the number of its lock."""

    id: int
    game: str


class Database:
    """A database of games, by its URL. Nothing is opened before it is needed."""

    def __init__(self, url: str) -> None:
        """`BadInput` if the URL cannot be read; no message ever repeats it, since a password may be in it."""
        self.url = url
        try:
            self.parameters: Mapping[str, Any] = conninfo_to_dict(url)
        except psycopg.Error:
            raise BadInput(_UNREADABLE) from None
        # What a password with such signs in it falls apart into would be taken for these, and shown.
        host, port, database = (str(self.parameters.get(key, "")) for key in ("host", "port", "dbname"))
        if "@" in host + database or "/" in database or not re.fullmatch("[0-9,]*", port):
            raise BadInput(_UNREADABLE)
        self.name = _name(self.parameters)
        self.public_url = _public_url(self.parameters)
        self._connection: Connection | None = None
        self._process = os.getpid()
        self._tables_known = False
        self._locks = 0

    # Connections.

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction: all of it or none; inside another one, a part of that."""
        with self.statement() as connection, connection.transaction():
            yield connection

    @contextmanager
    def statement(self) -> Iterator[Connection]:
        """For one statement, which needs no transaction around it."""
        with self._told():
            connection = self._connected()
            if not self._tables_known:
                _know_tables(connection, self.name)
                self._tables_known = True
            yield connection

    def take_password_of(self, other: "Database") -> None:
        """Use the password that another URL of the same database has, if this one has none."""
        self.parameters = {**other.parameters, **self.parameters}

    def close(self) -> None:
        """Let go of the connection, and of whatever it locks."""
        self._leave_to_parent()
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _leave_to_parent(self) -> None:
        """A forked child has connections of its own: on one that two speak on, each gets the other's rows."""
        if self._process != os.getpid():
            self._connection, self._locks, self._process = None, 0, os.getpid()

    def _connected(self) -> Connection:
        self._leave_to_parent()
        if self._connection is not None and not _has_ended(self._connection):
            return self._connection
        if self._locks:
            raise Unreachable(_LOST.format(self.name))
        found = dict(self.parameters)
        found.setdefault("connect_timeout", CONNECT_TIMEOUT)
        found.setdefault("fallback_application_name", "pbem")
        found["client_encoding"] = "utf8"
        try:
            connection = psycopg.connect(**found, autocommit=True)
        except psycopg.Error as error:
            raise Unreachable(self._unreachable(error)) from None  # its text may hold the password
        try:
            connection.execute(_SETTINGS)  # without which nothing is ever said on it
        except psycopg.Error as error:
            lost = connection.closed
            connection.close()
            raise Unreachable(_LOST.format(self.name)) if lost else _complaint(self.name, error) from error
        self._connection, self._tables_known = connection, False
        return connection

    def _unreachable(self, error: psycopg.Error) -> str:
        said = " ".join(str(error).split())
        if "password authentication failed" in said or "no password supplied" in said:
            user = self.parameters.get("user", "its user")
            return (
                f"{self.name} does not let {user} in: the password is wrong or missing;"
                " set it in PGPASSWORD or ~/.pgpass."
            )
        if "too many c" in said or "connection slots" in said:
            return f"{self.name} {_CROWDED}."
        for mark in ("FATAL:", "failed:", "error:"):
            said = said.rpartition(mark)[2].strip()
        for password in filter(None, map(self.parameters.get, _PASSWORDS)):
            said = said.replace(str(password), "***")
        return (
            f"{self.name} cannot be reached ({said[:200].rstrip('.')}); see that the server runs and that its"
            " address is right, and try again."
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """PostgreSQL's complaints as one sentence that names the database and never holds its password."""
        try:
            yield
        except psycopg.Error as error:
            if self._connection is not None and (self._connection.closed or _ends_all(error)):
                self._connection.close()  # where it was lost in the middle, the driver does not always say so
                raise Unreachable(_LOST.format(self.name)) from error
            raise _complaint(self.name, error) from error
        except UnicodeError as error:
            raise BadInput(f"{self.name} cannot store a text that is no plain UTF-8 ({error}).") from error

    # Tables.

    def make_tables(self) -> None:
        """Make the tables where there are none; several at once make them once."""
        with self._told():
            connection = self._connected()
            with connection.transaction():
                (encoding,) = _one(connection.execute("SHOW server_encoding"))
                if encoding != "UTF8":
                    raise BadInput(f"{self.name} is encoded as {encoding}; make one with ENCODING 'UTF8'.")
                connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", [_TABLES_LOCK])
                (there,) = _one(connection.execute("SELECT to_regclass('pbem_tables')"))
                if there is not None:
                    return
                (schema,) = _one(connection.execute("SELECT current_schema()"))
                if schema is None:
                    raise BadInput(
                        f"{self.name} has no schema for tables that its search_path names and its user may"
                        " use; CREATE SCHEMA makes one, GRANT USAGE ON SCHEMA opens it."
                    )
                try:
                    connection.execute(TABLES.read_text(encoding="utf-8").encode())
                except pg.InsufficientPrivilege:
                    raise PbemError(
                        f"{self.name} has no tables of pbem, and its user may make none in the schema"
                        f" {schema}; let the schema's owner make the first game, or GRANT CREATE ON SCHEMA."
                    ) from None

    # Locks, held by the connection: they end with the process that has it.

    @contextmanager
    def lock_of_game(self, number: int) -> Iterator[bool]:
        """Whether this process has the game `number` to itself meanwhile; nothing is waited for."""
        with self._lock(_GAMES, number) as locked:
            yield locked

    @contextmanager
    def lock_of_room(self, room: str, patiently: Callable[[Callable[[], bool]], bool]) -> Iterator[bool]:
        """Whether this process has the mail of `room` to itself meanwhile."""
        with self.statement() as connection:
            (number,) = _one(connection.execute("SELECT hashtext(%s)", [room]))
        with self._lock(_MESSAGES, number, patiently) as locked:
            yield locked

    @contextmanager
    def _lock(
        self,
        table: str,
        number: int,
        patiently: Callable[[Callable[[], bool]], bool] = lambda attempt: attempt(),
    ) -> Iterator[bool]:
        def attempt() -> bool:
            with self.statement() as connection:
                found = connection.execute(
                    "SELECT pg_try_advisory_lock(%s::regclass::oid::integer, %s)", [table, number]
                )
                return bool(_one(found)[0])

        if not patiently(attempt):
            yield False
            return
        self._locks += 1
        try:
            yield True
        finally:
            self._locks -= 1
            if self._connection is not None and not self._connection.closed:
                with self.statement() as connection:
                    connection.execute(
                        "SELECT pg_advisory_unlock(%s::regclass::oid::integer, %s)", [table, number]
                    )

    # Games.

    def games(self) -> tuple[str, ...]:
        """The names of all games that are kept here, in order."""
        with self.statement() as connection:
            found = connection.execute("SELECT game FROM games WHERE moved_to IS NULL ORDER BY game")
            return tuple(game for (game,) in found)

    def has(self, game: str) -> bool:
        """Whether there is such a game, moved elsewhere or not."""
        with self.statement() as connection:
            return connection.execute("SELECT FROM games WHERE game = %s", [game]).rowcount == 1

    def is_held(self, game: str) -> bool:
        """Whether somebody else, or another connection of ours, has a game to itself now."""
        with self.statement() as connection:
            found = connection.execute("SELECT FROM games WHERE game = %s FOR UPDATE SKIP LOCKED", [game])
            return found.rowcount == 0 and self.has(game)

    def due(self, now: datetime, after: int, count: int) -> tuple[Due, ...]:
        """The next games behind the number `after` that have to be looked at."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT id, game FROM games WHERE moved_to IS NULL AND wake <= %s AND id > %s"
                " ORDER BY id LIMIT %s",
                [now, after, count],
            )
            return tuple(Due(*row) for row in found)

    def is_due(self, game: str, now: datetime) -> bool:
        """Whether a game still has to be looked at: another process may have done so."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT FROM games WHERE game = %s AND moved_to IS NULL AND wake <= %s", [game, now]
            )
            return found.rowcount == 1

    def sleep(
        self, game: str, version: int, toml: str, until: datetime | None, *, marks: Iterable[str], box: Box
    ) -> None:
        """Let a game rest until then, or until something happens; unless something has happened by now.

        That is, unless its log is no longer at `version`, its game.toml no longer `toml`, or a message waits.
        `marks` are all by which its mail can be known meanwhile (`games_known_by`).
        """
        with self.transaction() as connection:
            self.hold(connection, game)
            found = connection.execute(
                "SELECT max(version), (SELECT toml FROM settings WHERE settings.game = events.game),"
                " EXISTS (SELECT FROM outbox WHERE outbox.game = events.game AND state = 'waiting')"
                " FROM events WHERE game = %s GROUP BY game",
                [game],
            )
            if _one(found) != (version, toml, False):
                return
            _leave_marks(connection, game, list(map(_mark, marks)), box)
            until_then = "infinity" if until is None else until
            connection.execute("UPDATE games SET wake = %s WHERE game = %s", [until_then, game])

    def awake(self) -> tuple[str, ...]:
        """The games that do not rest: what is known of them is in themselves alone."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT game FROM games WHERE moved_to IS NULL AND wake = '-infinity' ORDER BY game"
            )
            return tuple(game for (game,) in found)

    def settings_of_awake(self) -> tuple[str, ...]:
        """The game.toml of each."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT toml FROM games JOIN settings USING (game)"
                " WHERE moved_to IS NULL AND wake = '-infinity'"
            )
            return tuple(toml for (toml,) in found)

    def present(self, games: Iterable[str]) -> frozenset[str]:
        """Those of these games that are kept here."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT game FROM games WHERE game = ANY(%s) AND moved_to IS NULL", [list(games)]
            )
            return frozenset(game for (game,) in found)

    def changed(self, known: Mapping[str, tuple[int, str]]) -> tuple[str, ...]:
        """The games that are no longer here at this version of their log and with this game.toml."""
        names = list(known)
        versions, texts = [known[name][0] for name in names], [known[name][1].encode() for name in names]
        with self.statement() as connection:
            found = connection.execute(
                "SELECT game FROM unnest(%s::text[], %s::integer[], %s::bytea[])"
                " AS known (game, version, digest) WHERE NOT EXISTS"
                " (SELECT FROM games WHERE games.game = known.game AND moved_to IS NULL)"
                " OR version <> (SELECT max(events.version) FROM events WHERE events.game = known.game)"
                " OR digest IS DISTINCT FROM"
                " (SELECT sha256(convert_to(toml, 'UTF8')) FROM settings WHERE settings.game = known.game)",
                [names, versions, [sha256(text).digest() for text in texts]],
            )
            return tuple(game for (game,) in found)

    def games_known_by(self, marks: Iterable[str]) -> tuple[str, ...]:
        """The games, among those that rest, whose mail has one of these marks; perhaps some more."""
        with self.statement() as connection:
            found = connection.execute(
                "SELECT DISTINCT game FROM marks JOIN games USING (game)"
                " WHERE mark = ANY(%s) AND moved_to IS NULL ORDER BY game",
                [list(map(_mark, marks))],
            )
            return tuple(game for (game,) in found)

    def mailboxes(self) -> tuple[Box, ...]:
        """The mailboxes that games had when they went to rest, each once, however many they are."""
        with self.statement() as connection:
            return tuple(Box(*row) for row in connection.execute(_BOXES))

    def games_with(self, box: Box) -> Iterator[str]:
        """The games that rest and have this mailbox, by name."""
        page: list[str] | None = None
        while page is None or page:
            with self.statement() as connection:
                found = connection.execute(
                    "SELECT game FROM mailboxes JOIN games USING (game)"
                    " WHERE incoming = %s AND password_env = %s AND game > %s AND incoming <> ''"
                    " AND moved_to IS NULL AND wake <> '-infinity' ORDER BY game LIMIT %s",
                    [*box, page[-1] if page else "", _PAGE],
                )
                page = [game for (game,) in found]
            yield from page

    def moved_to(self, game: str) -> str | None:
        """Where a game was moved, if its log is closed here; `ON_ITS_WAY`: it is yet to be opened."""
        with self.statement() as connection:
            found = connection.execute("SELECT moved_to FROM games WHERE game = %s", [game]).fetchone()
            return cast("str | None", found[0]) if found else None

    @contextmanager
    def arriving(
        self, rows: Sequence[Row], secret: str, toml: str, *, closed: bool = False
    ) -> Iterator["Kept"]:
        """Add a game that comes from elsewhere: all of it, read back and found the same, or nothing.

        `closed`: nothing is appended here until `open` says so; and a game whose log is closed here, since
        it was moved away or has not quite arrived, goes on from where it had ended.
        """
        game = rows[0].game
        with self.transaction() as connection:
            new = connection.execute("INSERT INTO games (game) VALUES (%s) ON CONFLICT DO NOTHING", [game])
            known = () if new.rowcount else tuple(Row(*row) for row in connection.execute(_READ, [game]))
            goes_on = closed and self.moved_to(game) is not None and tuple(rows[: len(known)]) == known
            if not new.rowcount and not goes_on:
                raise NotNow(
                    f"{self.name} has a game {game} already, and its log can never be changed; take another"
                    " database, or another schema of this one."
                )
            if closed:
                connection.execute("UPDATE games SET moved_to = %s WHERE game = %s", [ON_ITS_WAY, game])
            connection.cursor().executemany(_INSERT, rows[len(known) :])
            connection.execute("INSERT INTO secrets VALUES (%s, %s) ON CONFLICT DO NOTHING", [game, secret])
            connection.execute(
                "INSERT INTO settings VALUES (%s, %s) ON CONFLICT (game) DO UPDATE SET toml = EXCLUDED.toml",
                [game, toml],
            )
            connection.execute(_WAKE, [game])
            yield Kept(self, game)
            arrived = tuple(Row(*row) for row in connection.execute(_READ, [game]))
            if checked(arrived, f"{game} in {self.name}") != tuple(rows):
                raise Damaged(f"{self.name} did not keep {game} as it was; nothing was changed there.")

    def open(self, game: str) -> bool:
        """Let a game that has arrived go on here; gives whether it was yet to be opened."""
        with self.statement() as connection:
            done = connection.execute(
                "UPDATE games SET moved_to = NULL WHERE game = %s AND moved_to = %s", [game, ON_ITS_WAY]
            )
            return done.rowcount == 1

    @contextmanager
    def leaving(self, game: str, where: str) -> Iterator[Callable[[], None]]:
        """Nobody appends to a game meanwhile; what is given closes its log, since it was moved there.

        One that was moved there before may leave once more: what was broken off is finished so.
        """
        with self.transaction() as connection:
            self.hold(connection, game, moved_to=where)

            def close() -> None:
                connection.execute("UPDATE games SET moved_to = %s WHERE game = %s", [where, game])

            yield close

    def hold(self, connection: Connection, game: str, *, moved_to: str | None = None) -> None:
        """Wait for the game's row, and refuse one that was moved, unless to there."""
        found = connection.execute("SELECT moved_to FROM games WHERE game = %s FOR UPDATE", [game]).fetchone()
        if found is None:
            raise Damaged(f"{self.name} has no game {game}; see `pbem games`, and [store] in game.toml.")
        if found[0] == ON_ITS_WAY:
            raise NotNow(
                f"{game} has not quite arrived in {self.name}; repeat the `pbem copy` that brings it."
            )
        if found[0] not in {None, moved_to}:
            raise NotNow(f"{game} was moved from {self.name} to {found[0]}; go on there.")


class PostgresLog:
    """The log of one game in a database."""

    def __init__(self, database: Database, game: str) -> None:
        self._database = database
        self.game = game
        self.name = f"{game} in {database.name}"

    def rows(self) -> tuple[Row, ...]:
        """All rows, their chain checked: `Damaged` names the first version that does not follow."""
        rows = self.unchecked_rows()
        if not rows:
            raise Damaged(
                f"{self._database.name} has no game {self.game}; see `pbem games`, and [store] in game.toml."
            )
        return checked(rows, self.name)

    def unchecked_rows(self) -> tuple[Row, ...]:
        """All rows as they stand, however damaged."""
        with self._database.statement() as connection:
            return tuple(Row(*row) for row in connection.execute(_READ, [self.game]))

    def rows_until_damage(self) -> tuple[tuple[Row, ...], Damaged | None]:
        """The rows as they stand, or what keeps them from being read."""
        try:
            return self.unchecked_rows(), None
        except Damaged as damage:
            return (), damage

    def copy_to(self, path: Path) -> None:
        """The log as of one moment as an SQLite file."""
        log = Log(path)
        log.create()
        log.write(self.rows())

    def faults_of_file(self) -> tuple[str, ...]:
        """What is wrong with the table apart from the game's rows: a missing guard."""
        try:
            with self._database.statement() as connection:
                (guards,) = _one(connection.execute(_GUARD, [_refusal()]))
                (uniques,) = _one(connection.execute(_UNIQUE))
        except Damaged as damage:
            return (str(damage).rstrip("."),)
        faults = ["the trigger that refuses changes is gone or disabled"] if guards != 1 else []
        return (*faults, *(["nothing keeps versions from occurring twice"] if uniques < 1 else []))

    def append(
        self, game: str, drafts: Sequence[Draft], *, expected: int, at: str, salt: Salt
    ) -> tuple[Row, ...]:
        """Append all drafts in one transaction, or none: `Conflict` if the log has passed `expected`."""
        with self._database.transaction() as connection:
            self._database.hold(connection, game)
            last = _last_row(connection, game)
            must_be_at(expected, last.version if last else 0)
            rows = chained(game, drafts, last, at=at, salt=salt)
            connection.cursor().executemany(_INSERT, rows)
            connection.execute(_WAKE, [game])
        return rows


class Kept:
    """What stands beside a game's log: its secret, its settings, its mail."""

    def __init__(self, database: Database, game: str) -> None:
        self._database = database
        self.game = game

    def secret(self) -> str | None:
        """The dice secret as hex digits, if it is there."""
        return self._text("SELECT secret FROM secrets WHERE game = %s")

    def may_read_secrets(self) -> bool:
        """Whether the user of the connection may: who may read the log alone can check it without."""
        with self._database.statement() as connection:
            return bool(_one(connection.execute("SELECT has_table_privilege('secrets', 'SELECT')"))[0])

    def settings(self) -> str | None:
        """game.toml, if it is there."""
        return self._text("SELECT toml FROM settings WHERE game = %s")

    def write_settings(self, toml: str) -> None:
        """Put another game.toml in the place of the one that is there."""
        with self._database.transaction() as connection:
            self._database.hold(connection, self.game)
            done = connection.execute("UPDATE settings SET toml = %s WHERE game = %s", [toml, self.game])
            if done.rowcount != 1:
                raise Damaged(f"{self._database.name} has no game.toml of {self.game}; put it back there.")
            connection.execute(_WAKE, [self.game])

    def _text(self, query: LiteralString) -> str | None:
        with self._database.statement() as connection:
            found = connection.execute(query, [self.game]).fetchone()
            return cast("str", found[0]) if found else None

    # Messages to send.

    def has_posted(self, identity: str) -> bool:
        """Whether a message was ever put here, or a note."""
        with self._database.statement() as connection:
            found = connection.execute(
                "SELECT FROM outbox WHERE game = %s AND identity = %s", [self.game, identity]
            )
            return found.rowcount == 1

    def post(self, identity: str, message: bytes | None, state: str) -> bool:
        """Put a message here, which wakes the game, or a note without one; gives whether it is new."""
        with self._database.transaction() as connection:
            done = connection.execute(
                "INSERT INTO outbox (game, identity, state, message) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [self.game, identity, state, message],
            )
            if done.rowcount == 1 and message is not None:
                connection.execute(_WAKE, [self.game])
            return done.rowcount == 1

    def posted(self) -> tuple[tuple[str, bytes | None], ...]:
        """All that was ever put here: identity, and the message as long as it waits."""
        with self._database.statement() as connection:
            found = connection.execute(
                "SELECT identity, message FROM outbox WHERE game = %s ORDER BY place", [self.game]
            )
            return tuple((identity, message) for identity, message in found)

    def waiting(self) -> list[str]:
        """The identities of messages that are yet to be sent, in order."""
        with self._database.statement() as connection:
            found = connection.execute(
                "SELECT identity FROM outbox WHERE game = %s AND state = 'waiting' ORDER BY place",
                [self.game],
            )
            return [identity for (identity,) in found]

    def message(self, identity: str) -> bytes:
        """A message that waits."""
        with self._database.statement() as connection:
            found = connection.execute(
                "SELECT message FROM outbox WHERE game = %s AND identity = %s", [self.game, identity]
            )
            (message,) = _one(found)
        if message is None:
            raise Damaged(
                f"{self._database.name} says of a message of {self.game} that it waits, and has not kept it;"
                f" set the state of {brief(identity)!r} in its outbox to 'noted'."
            )
        return cast("bytes", message)

    def done_with(self, identity: str, state: str) -> None:
        """A message has gone, or never will: only that is kept of it, since the log makes it again."""
        with self._database.statement() as connection:
            connection.execute(
                "UPDATE outbox SET state = %s, message = NULL WHERE game = %s AND identity = %s",
                [state, self.game, identity],
            )


class Letters:
    """Kept mail of one room, and its journal."""

    def __init__(self, database: Database, room: str) -> None:
        self.database = database
        self.room = room

    def keep(self, name: str, message: bytes, *, header_only: bool = False) -> None:
        """Keep a message, unless it is."""
        with self.database.statement() as connection:
            connection.execute(
                "INSERT INTO messages (room, name, header_only, message) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [self.room, name, header_only, message],
            )

    def keep_piece(self, name: str, piece: bytes) -> None:
        """Keep the next piece of what is too large to be read."""
        with self.database.statement() as connection:
            connection.execute(
                "INSERT INTO pieces (room, name, piece) VALUES (%s, %s, %s)", [self.room, name, piece]
            )

    def message(self, name: str) -> bytes:
        """A message as it came."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT message FROM messages WHERE name = %s ORDER BY room = %s DESC LIMIT 1",
                [name, self.room],
            )
            return cast("bytes", _one(found)[0])

    def names_of_game(self) -> tuple[tuple[str, bool], ...]:
        """The messages of a game, whichever mailbox they came to, and whether only the header is kept."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT name, bool_and(header_only) FROM messages WHERE room = %s OR EXISTS (SELECT"
                " FROM journal WHERE journal.room = messages.room AND journal.name = messages.name"
                " AND journal.game = %s) GROUP BY name ORDER BY min(arrived)",
                [self.room, self.room],
            )
            return tuple((name, header_only) for name, header_only in found)

    def large(self) -> tuple[tuple[str, bytes], ...]:
        """What was too large to be read, whole."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT name, string_agg(piece, ''::bytea ORDER BY part) FROM pieces WHERE room = %s"
                " GROUP BY name ORDER BY name",
                [self.room],
            )
            return tuple((name, piece) for name, piece in found)

    def unjudged(self) -> dict[str, str | None]:
        """The messages that the journal does not have, in order of arrival, with the game each waits for."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT name, waits_for FROM messages WHERE room = %s AND NOT judged AND NOT header_only"
                " ORDER BY arrived",
                [self.room],
            )
            return dict(found.fetchall())

    def wait(self, name: str, game: str) -> None:
        """Note for which game a message waits; `record` ends it."""
        with self.database.statement() as connection:
            connection.execute(
                "UPDATE messages SET waits_for = %s WHERE room = %s AND name = %s"
                " AND waits_for IS DISTINCT FROM %s",
                [game, self.room, name, game],
            )

    def entry(self, name: str) -> str | None:
        """What the journal of this room has about a message."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT entry FROM journal WHERE name = %s AND room = %s", [name, self.room]
            ).fetchone()
            return cast("str", found[0]) if found else None

    def judged_anywhere(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these messages that the journal of any room has."""
        with self.database.statement() as connection:
            found = connection.execute("SELECT name FROM journal WHERE name = ANY(%s)", [list(names)])
            return frozenset(name for (name,) in found)

    def entries_of_game(self) -> tuple[str, ...]:
        """The journal of a game, whichever mailbox its messages came to, in order; the first of each."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT entry FROM (SELECT DISTINCT ON (name) entry, place FROM journal WHERE room = %s"
                " OR game = %s ORDER BY name, place) AS first ORDER BY place",
                [self.room, self.room],
            )
            return tuple(entry for (entry,) in found)

    def record(self, entries: Iterable[tuple[str, str, str | None, str | None, str | None]]) -> None:
        """Add to the journal, in one transaction: name, entry, game, what was sent, who was answered when."""
        rows = [(self.room, *entry) for entry in entries]
        with self.database.transaction() as connection:
            connection.cursor().executemany(
                "INSERT INTO journal (room, name, entry, game, sent, answered)"
                " VALUES (%s, %s, %s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                rows,
            )
            connection.execute(
                "UPDATE messages SET judged = true WHERE room = %s AND name = ANY(%s) AND NOT judged",
                [self.room, [name for _, name, *_ in rows]],
            )

    def has_sent(self, sent: str) -> bool:
        """Whether a message brought just this before."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT FROM journal WHERE room = %s AND sent = %s LIMIT 1", [self.room, sent]
            )
            return found.rowcount == 1

    def answers(self, answered: str) -> int:
        """How many answers were made to a seat on a day."""
        with self.database.statement() as connection:
            found = connection.execute(
                "SELECT count(*) FROM journal WHERE room = %s AND answered = %s", [self.room, answered]
            )
            return int(_one(found)[0])


def _mark(text: str) -> bytes:
    """What stands for a key or an address: of one size, and of no use to who reads it."""
    return sha256(text.encode(errors="surrogatepass")).digest()[:16]


def _leave_marks(connection: Connection, game: str, marks: Sequence[bytes], box: Box) -> None:
    """What is there already is not said again: a long game has thousands, and only a few are ever new."""
    before = connection.execute(
        "SELECT incoming, password_env, marked, digest, EXISTS (SELECT FROM marks WHERE mark = %s AND"
        " marks.game = mailboxes.game) FROM mailboxes WHERE game = %s",
        [marks[0] if marks else b"", game],
    ).fetchone()
    known = 0
    if before is not None and before[4] and before[3] == _digest(marks[: before[2]]):
        known = before[2]
    if known < len(marks):
        connection.execute(
            "INSERT INTO marks SELECT unnest(%s::bytea[]), %s ON CONFLICT DO NOTHING",
            [list(marks[known:]), game],
        )
    now = (*box, len(marks), _digest(marks))
    if before is None or before[:4] != now:
        connection.execute(
            "INSERT INTO mailboxes (game, incoming, password_env, marked, digest) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (game) DO UPDATE SET (incoming, password_env, marked, digest)"
            " = (EXCLUDED.incoming, EXCLUDED.password_env, EXCLUDED.marked, EXCLUDED.digest)",
            [game, *now],
        )


def _digest(marks: Sequence[bytes]) -> bytes:
    return sha256(b"".join(marks)).digest()


def _one(found: psycopg.Cursor[tuple[Any, ...]]) -> tuple[Any, ...]:
    row = found.fetchone()
    assert row is not None
    return row


def _last_row(connection: Connection, game: str) -> Row | None:
    found = connection.execute(f"{_READ} DESC LIMIT 1", [game]).fetchone()
    return Row(*found) if found else None


def _refusal() -> str:
    """What the trigger does, as the tables were made with it."""
    return TABLES.read_text(encoding="utf-8").split("$$")[1]


def _know_tables(connection: Connection, name: str) -> None:
    """`PbemError` for the tables of another version."""
    found = connection.execute("SELECT version FROM pbem_tables").fetchall()
    if found != [(TABLES_VERSION,)]:
        versions = ", ".join(str(version) for (version,) in found) or "none"
        raise PbemError(
            f"The tables in {name} are of version {versions}, and this pbem knows {TABLES_VERSION};"
            " use the pbem that made them, or a newer one."
        )


def _name(parameters: Mapping[str, Any]) -> str:
    """How a database is called in sentences: its URL without password and options."""
    user, host, port, database = (parameters.get(key) for key in ("user", "host", "port", "dbname"))
    at = f"{user}@" if user else ""
    return f"postgresql://{at}{host or ''}{f':{port}' if port else ''}/{database or ''}"


def _public_url(parameters: Mapping[str, Any]) -> str:
    """The URL with all that leads to the database, but without a password."""
    user, host, port, database = (
        quote(str(parameters.get(key, "")), safe="") for key in ("user", "host", "port", "dbname")
    )
    asked = {key: value for key, value in parameters.items() if key not in {*_IN_PATH, *_PASSWORDS}}
    if "%2F" in host or "%2C" in host:  # a socket's folder, or several hosts
        asked |= {key: parameters[key] for key in ("host", "port") if key in parameters}
        host = port = ""
    query = urlencode(sorted(asked.items()), quote_via=quote)
    at, to = f"{user}@" if user else "", f":{port}" if port else ""
    return f"postgresql://{at}{host}{to}/{database}{f'?{query}' if query else ''}"


_UNREADABLE = (
    "The URL of the store cannot be read; write it as postgresql://USER@HOST/DATABASE, signs such as @ and /"
    " in it as %40 and %2F, and the password into PGPASSWORD or ~/.pgpass."
)
_UNCHANGED = "nothing was changed"
_LOST = (
    "The connection to {} was lost, and what was not finished there was not done; see `pbem status`, and try"
    " again."
)
_ENDS = {"25P03", "57P01", "57P02", "57P03", "57P04", "57P05"}
"""The server shuts down, crashed or starts, dropped the database, or waited too long for us."""
_CROWDED = "takes no more connections; try again later, or raise its max_connections"
_BUSY = (Conflict, "is locked by another command; try again when that has finished")
_NO_TABLES = (
    Damaged,
    "has no tables of pbem, or lacks one; `pbem new --store` and `pbem copy` make them where there are none",
)
_FULL = (PbemError, f"cannot grow: its disk is full; {_UNCHANGED}, make room and try again")
_REASONS: Mapping[str, tuple[type[PbemError], str]] = {
    "25006": (
        PbemError,
        f"can only be read, as a standby can; {_UNCHANGED}, use the server that is written to",
    ),
    "3F000": _NO_TABLES,
    "40001": _BUSY,
    "40P01": _BUSY,
    "42501": (PbemError, f"does not allow this to its user; {_UNCHANGED}, grant the role pbem_host"),
    "42703": (
        Damaged,
        "has tables of these names that are not pbem's; give pbem a database or schema of its own",
    ),
    "42P01": _NO_TABLES,
    "42P07": (
        Damaged,
        "has tables of these names that are not pbem's; give pbem a database or schema of its own",
    ),
    "53100": _FULL,
    "53200": (PbemError, f"has no memory left; {_UNCHANGED}, try again later"),
    "53300": (Unreachable, _CROWDED),
    "55P03": _BUSY,
    "57014": (PbemError, f"broke this off, by its statement_timeout or by hand; {_UNCHANGED}, try again"),
    "XX001": (Damaged, "is damaged; put back a backup of the database"),
    "XX002": (Damaged, "is damaged; put back a backup of the database"),
}


def _has_ended(connection: Connection) -> bool:
    """Whether the connection is closed, or was ended by the server while nothing was asked of it.

    As when somebody looks at a game in the morning again, and the server was restarted at night.
    """
    if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
        return bool(connection.closed)
    try:
        for _ in ("what it said of that", "the end"):
            connection.pgconn.consume_input()
    except psycopg.Error:
        connection.close()
    return bool(connection.closed)


def _ends_all(error: psycopg.Error) -> bool:
    """Whether it is no answer to what was asked, but the end of the connection."""
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate in _ENDS or error.sqlstate.startswith("08")


def _complaint(name: str, error: psycopg.Error) -> PbemError:
    state = error.sqlstate or ""
    if state == pg.UniqueViolation.sqlstate and "events_game_version" in str(error):
        return Conflict(
            f"Another command got there first: {name} has an event of this version already; nothing was"
            " changed, look at `pbem status`."
        )
    kind, reason = _REASONS.get(state, (PbemError, ""))
    if not reason:
        said = error.diag.message_primary or str(error)
        reason = f"refused this ({' '.join(said.split())[:200]}); {_UNCHANGED}"
    return kind(f"{name} {reason}.")
