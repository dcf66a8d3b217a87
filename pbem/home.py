"""Where a game is at home: in its folder, or in a database that its folder leads to.

The home has what any machine needs to serve the game: log, secret, settings, mail. Reports and order
files lie in the folder either way: the former are written again from the log, the latter are taken into it.
"""

# ruff: noqa: PLC0415 - start-up is imports: what is slow to import is imported where it is used

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pbem.errors import BadInput, Damaged, shown
from pbem.files import CONFIG, LOG, PUBLIC_FILE, SECRET, read_start, read_text, write_whole
from pbem.store import EventLog, Log

if TYPE_CHECKING:
    from pbem.mail.kept import Mailroom
    from pbem.mail.kept_in_database import DatabaseMailroom, DatabaseOutbox
    from pbem.mail.outbox import Outbox
    from pbem.store_postgres import Database

MAX_SECRET = 1000
SECRET_BYTES = 32
MOVED = ".moved"
"""What the name of a file ends in that stays behind when its game goes to a database."""


class Home(Protocol):
    """What a game's home gives, whichever it is."""

    @property
    def log(self) -> EventLog:
        """The event log."""

    @property
    def secret_name(self) -> str:
        """How sentences call the secret, with its place."""

    @property
    def settings_path(self) -> Path:
        """How sentences call game.toml."""

    def secret(self) -> bytes:
        """The dice secret; `Damaged` if it is missing or none."""

    def has_secret(self) -> bool:
        """Whether there is anything in its place."""

    def told_of_secret(self) -> str:
        """What is wrong with how it is kept; empty if nothing is."""

    def settings(self) -> str:
        """The text of game.toml."""

    def write_settings(self, text: str) -> None:
        """Put another game.toml in its place."""

    def room(self) -> "Mailroom | DatabaseMailroom":
        """The game's own mail."""

    def outbox(self) -> "Outbox | DatabaseOutbox":
        """Where its messages wait."""


class FolderHome:
    """A game whose log, secret, settings and mail are files in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = Log(folder / LOG)

    @property
    def secret_name(self) -> str:
        """The path of secret.key."""
        return shown(self.folder / SECRET)

    @property
    def settings_path(self) -> Path:
        """The path of game.toml."""
        return self.folder / CONFIG

    def secret(self) -> bytes:
        """What secret.key holds."""
        return read_secret(self.folder / SECRET)

    def has_secret(self) -> bool:
        """Whether there is a secret.key."""
        return (self.folder / SECRET).exists()

    def told_of_secret(self) -> str:
        """Where others can read it."""
        if os.name == "posix" and (self.folder / SECRET).stat().st_mode & 0o077:
            return f"{self.secret_name} can be read by others, who then know all dice and keys; chmod 600 it."
        return ""

    def settings(self) -> str:
        """The text of game.toml."""
        return read_text(self.settings_path)

    def write_settings(self, text: str) -> None:
        """Write game.toml; who may read it stays as it is."""
        path = self.settings_path
        write_whole(path, text.encode(), path.stat().st_mode & 0o777)

    def room(self) -> "Mailroom":
        """The folder mail/."""
        from pbem.mail.kept import Mailroom

        return Mailroom(self.folder / "mail")

    def outbox(self) -> "Outbox":
        """The folder outbox/."""
        from pbem.mail.outbox import Outbox

        return Outbox(self.folder / "outbox", self.folder / "mail" / "posted.jsonl")


class DatabaseHome:
    """A game that is kept in PostgreSQL; `folder` has its reports and what comes and goes as files."""

    def __init__(self, folder: Path, database: "Database", game: str) -> None:
        from pbem.store_postgres import Kept, PostgresLog

        self.folder = folder
        self.database = database
        self.game = game
        self.log = PostgresLog(database, game)
        self.kept = Kept(database, game)
        self.secret_name = f"the secret of {game} in {database.name}"
        self.settings_path = Path(CONFIG)

    def secret(self) -> bytes:
        """What the table of secrets holds."""
        found = self.kept.secret()
        if found is None:
            raise Damaged(
                f"T{self.secret_name[1:]} is missing; put it back, without it nothing can be thrown."
            )
        try:
            secret = bytes.fromhex(found)
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES:
            raise Damaged(f"T{self.secret_name[1:]} is no 64 hex digits; put the right one back.")
        return secret

    def has_secret(self) -> bool:
        """Whether the table of secrets has one, and lets its reader read it."""
        return self.kept.may_read_secrets() and self.kept.secret() is not None

    def told_of_secret(self) -> str:
        """Who may read it is the database's own business."""
        return ""

    def settings(self) -> str:
        """The text of game.toml."""
        found = self.kept.settings()
        if found is None:
            raise Damaged(f"{self.database.name} has no game.toml of {self.game}; put it back there.")
        return found

    def write_settings(self, text: str) -> None:
        """Put another game.toml in its place."""
        self.kept.write_settings(text)

    def room(self) -> "DatabaseMailroom":
        """The tables of mail, as far as they are this game's."""
        from pbem.mail.kept_in_database import DatabaseMailroom

        return DatabaseMailroom(self.database, self.game)

    def outbox(self) -> "DatabaseOutbox":
        """The table of messages to send."""
        from pbem.mail.kept_in_database import DatabaseOutbox

        return DatabaseOutbox(self.kept, self.folder / "outbox")


def _may_lead_away(folder: Path) -> bool:
    """Whether game.toml may have [store]; reading it as TOML would cost what most games never need."""
    try:
        return b"store" in (folder / CONFIG).read_bytes()
    except OSError:
        return False  # whoever needs game.toml will tell


def is_game(folder: Path) -> bool:
    """Whether a folder with a game.toml is a game's: its log lies there, or [store] leads to it."""
    if (folder / LOG).exists():
        return True
    if not _may_lead_away(folder):
        return False
    from pbem.config import read_store

    try:
        return read_store(folder / CONFIG) is not None
    except BadInput:
        return True  # whoever opens it is told what is wrong


def home_of(folder: Path) -> FolderHome | DatabaseHome:
    """The home of the game in a folder: what [store] of its game.toml leads to, else the folder itself."""
    path = folder / CONFIG
    if not _may_lead_away(folder):
        return FolderHome(folder)
    from pbem.config import read_store

    store = read_store(path)
    if store is None:
        return FolderHome(folder)
    database = database_at(store.url)
    if (folder / LOG).exists():
        raise BadInput(
            f"{shown(path)} leads to {database.name}, but {LOG} lies beside it; take [store] out if the game"
            f" is kept here, or finish with `pbem copy` what moves it there."
        )
    return DatabaseHome(folder, database, store.game)


def room_of(folder: Path) -> "Mailroom | DatabaseMailroom":
    """The mail of the game in a folder, or of all games below one that is no game's."""
    return home_of(folder).room()


def leads_to(below: Path, url: str, game: str) -> Path:
    """The folder for a game of a database: made, or known to be that; `BadInput` if it is another's."""
    from pbem.config import read_store, write_store

    folder = below / game
    # Whoever can write into the database makes no folders elsewhere.
    if folder.parent != below or game == "..":
        raise BadInput("its name is none for a folder; serve it by a game.toml with [store] of its own.")
    path, wanted = folder / CONFIG, database_at(url)
    if path.exists():
        store = read_store(path)
        if store is None or (database_at(store.url).public_url, store.game) != (wanted.public_url, game):
            raise BadInput(f"{shown(folder)} is another game's than {game} of {wanted.name}; move it.")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, write_store(wanted.public_url, game).encode(), PUBLIC_FILE, durable=False)
    return folder


_databases: "dict[str, Database]" = {}


def database_at(url: str) -> "Database":
    """The database at a URL: one connection a process."""
    import atexit

    from pbem.store_postgres import Database

    wanted = Database(url)
    if not _databases:
        atexit.register(close_databases)
    # A folder's game.toml has no password in its URL; the command line's URL may have.
    known = _databases.setdefault(wanted.public_url, wanted)
    known.take_password_of(wanted)
    return known


def close_databases() -> None:
    """Let go of all connections, as the end of the process would."""
    for database in _databases.values():
        database.close()
    _databases.clear()


def read_secret(path: Path) -> bytes:
    """The secret in a file; `Damaged` if it is missing or holds none."""
    try:
        secret = bytes.fromhex(read_start(path, MAX_SECRET).decode("ascii").strip())
    except FileNotFoundError:
        raise Damaged(
            f"{shown(path)} is missing; put back a copy of it, without it nothing can be thrown."
        ) from None
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise Damaged(f"{shown(path)} does not hold 64 hex digits; put back a copy of it.")
    return secret
