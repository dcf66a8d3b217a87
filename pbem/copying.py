"""`pbem copy`: a game goes from its folder to a database, from there into a folder, or to another database.

It arrives whole or not at all, and is read back and checked before anything else changes. Only then is it
closed where it was, and only when that is on the disk can it go on where it has arrived: its log never
goes on in two places, whatever dies when. Done again after a crash, it finishes.
"""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from functools import partial
from pathlib import Path

from pbem.config import is_url, read_store, write_store
from pbem.errors import BadInput, Damaged, NotNow, shown
from pbem.files import (
    CONFIG,
    LOG,
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    PUBLIC_FILE,
    SECRET,
    files_below,
    make_folders,
    write_whole,
)
from pbem.game import Game
from pbem.home import MOVED, DatabaseHome, FolderHome, Home, database_at
from pbem.mail.kept_in_database import line_of
from pbem.mail.outbox import file_name
from pbem.store import Row
from pbem.store_postgres import Letters
from pbem.verify import verify

_WAITING, _NOTED = "waiting", "noted"
_HALF, _ORDERS = ".half", "orders"
_LOCK_WAIT = 5.0


@dataclass(frozen=True, slots=True)
class Mail:
    """A game's kept mail, its journal, and what waits to be sent or was."""

    messages: tuple[tuple[str, bool, bytes], ...]
    """Name, whether only the header is kept, and the message, in order of arrival."""
    large: tuple[tuple[str, bytes], ...]
    """What was too large to be read, whole."""
    journal: tuple[str, ...]
    """Its lines, as JSON."""
    outbox: tuple[tuple[str, bytes | None], ...]
    """Message-ID, and the message if it waits."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """All that a game is, apart from what is written again from it."""

    rows: tuple[Row, ...]
    secret: bytes
    settings: str
    mail: Mail


@dataclass(frozen=True, slots=True)
class Copied:
    """What copying came to."""

    game: str
    version: int
    where: str
    messages: int
    finished: bool
    """Whether it had arrived before, and only the old place was left to be closed."""


def copy(game: Game, target: str) -> Copied:
    """Bring a game to another store; from then on it goes on there and nowhere else."""
    source = _source(game.folder, target)
    name = source.log.rows()[0].game
    destination = _destination(target, source, name)
    with ExitStack() as held:
        if isinstance(source, FolderHome) or source.database.has(source.game):
            held.enter_context(source.room().locked(_LOCK_WAIT))
        with _held(source, _place(destination)) as close:
            rows = source.log.rows()
            mail = _mail_in(source)
            there = _is_there(destination, rows, source)
            if not there:
                _must_hold(source, name)
                _bring(Parcel(rows, source.secret(), source.settings(), mail), destination, source.folder)
            close()
        _open(destination, source)
    return Copied(name, rows[-1].version, _where(destination), len(mail.messages), there)


def _must_hold(source: FolderHome | DatabaseHome, name: str) -> None:
    if (first := verify(game_at(source)).first) is not None:
        raise Damaged(
            f"{name} does not hold: event {first.version} does not follow, {first.what.rstrip('.')};"
            " see `pbem verify`. Nothing was copied."
        )


def game_at(home: FolderHome | DatabaseHome) -> Game:
    """The game of a home, whatever its folder's game.toml leads to."""
    game = Game(home.folder)
    game.home = home
    return game


def as_folder(home: Home, folder: Path) -> None:
    """A game as the folder that it would be."""
    assert isinstance(home, FolderHome | DatabaseHome)
    _write_folder(Parcel(home.log.rows(), home.secret(), home.settings(), _mail_in(home)), folder)


def _where(home: FolderHome | DatabaseHome) -> str:
    """How sentences call a place."""
    return shown(home.folder) if isinstance(home, FolderHome) else home.database.name


def _place(home: FolderHome | DatabaseHome) -> str:
    """What tells a place from others, as a closed log names it."""
    return str(home.folder) if isinstance(home, FolderHome) else home.database.public_url


# From where.


def _source(folder: Path, target: str) -> FolderHome | DatabaseHome:
    """Where the game is. A log beside a game.toml that leads away is one whose copying was broken off."""
    store = read_store(folder / CONFIG)
    if store is None:
        return FolderHome(folder)
    database = database_at(store.url)
    if not (folder / LOG).exists():
        return DatabaseHome(folder, database, store.game)
    if not is_url(target) or database_at(target).public_url != database.public_url:
        raise NotNow(
            f"{shown(folder / CONFIG)} leads to {database.name}, but {LOG} lies beside it; copy it there,"
            " which finishes what was broken off."
        )
    return _HalfMoved(folder, database, store.game)


class _HalfMoved(FolderHome):
    """A folder whose game has arrived in a database, and whose log is yet to be put aside."""

    def __init__(self, folder: Path, *there: object) -> None:
        super().__init__(folder)
        self.there = DatabaseHome(folder, *there)  # type: ignore[arg-type]

    def settings(self) -> str:
        """As they arrived: game.toml leads there already."""
        return self.there.settings()


def _held(home: FolderHome | DatabaseHome, place: str) -> AbstractContextManager[Callable[[], None]]:
    """Nobody appends meanwhile; what is given marks the game as moved to there, once it has arrived."""
    return home.log.leaving() if isinstance(home, FolderHome) else home.database.leaving(home.game, place)


def _mail_in(home: FolderHome | DatabaseHome) -> Mail:
    if isinstance(home, FolderHome):
        return _mail_in_folder(home.folder)
    letters = Letters(home.database, home.game)
    return Mail(
        tuple((name, header, letters.message(name)) for name, header in letters.names_of_game()),
        letters.large(),
        letters.entries_of_game(),
        tuple(
            sorted(home.kept.posted(), key=lambda each: (each[1] is not None, each[1] is None and each[0]))
        ),
    )


def _mail_in_folder(folder: Path) -> Mail:
    kept, outbox = folder / "mail" / "kept", folder / "outbox" / "new"
    files = sorted(kept.glob("*"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    messages = [
        (path.stem, path.suffix == ".header", path.read_bytes())
        for path in files
        if path.suffix in {".eml", ".header"} and not path.name.startswith(".")
    ]
    large = [(path.name.partition(".")[0], path.read_bytes()) for path in files if path.suffix == ".whole"]
    room = FolderHome(folder).room()
    journal = [line_of(entry)[1] for entry in room.entries.values()]
    posted = dict.fromkeys(FolderHome(folder).outbox().known)
    names = {file_name(identity): identity for identity in posted}
    waiting: dict[str, bytes | None] = {}
    for path in sorted(outbox.glob("*"), key=lambda path: (path.stat().st_mtime_ns, path.name)):
        if not path.name.startswith("."):
            data = path.read_bytes()
            waiting[names.get(path.name) or str(message_from_bytes(data, policy=default)["Message-ID"])] = (
                data
            )
    notes = {identity: None for identity in sorted(posted) if identity not in waiting}
    outgoing = (*notes.items(), *waiting.items())
    return Mail(tuple(messages), tuple(large), tuple(journal), outgoing)


# To where.


def _destination(target: str, source: FolderHome | DatabaseHome, name: str) -> FolderHome | DatabaseHome:
    if is_url(target):
        database = database_at(target)
        database.make_tables()
        return DatabaseHome(source.folder, database, name)
    to = Path(target).absolute()
    if to == source.folder.absolute():
        raise BadInput(f"{shown(to)} is where the game is; name another folder.")
    if isinstance(source, FolderHome):
        raise BadInput(f"{name} lies in a folder, which you can move as any other; name a database's URL.")
    if not to.parent.is_dir():
        raise BadInput(f"{shown(to.parent)} is no folder; make it, or name a folder in one that is there.")
    return FolderHome(to)


def _is_there(
    home: FolderHome | DatabaseHome, rows: tuple[Row, ...], source: FolderHome | DatabaseHome
) -> bool:
    """Whether the game has arrived already; `PbemError` if something else is in its place."""
    if isinstance(home, DatabaseHome):
        if isinstance(source, DatabaseHome) and (
            home.database is source.database or home.database.is_held(home.game)
        ):
            raise NotNow(f"{home.database.name} is where the game is already; nothing was copied.")
        arrived = home.log.unchecked_rows()
        if home.database.moved_to(home.game) is not None and arrived == rows[: len(arrived)]:
            return False  # it goes on from there
    else:
        arrived = home.log.rows() if (home.folder / LOG).exists() else ()
        if not arrived and home.folder.exists() and (not home.folder.is_dir() or any(home.folder.iterdir())):
            raise BadInput(f"{shown(home.folder)} is there already and not empty; name another folder.")
    # Where it is closed, it may have gone on where it has arrived.
    closed = isinstance(source, _HalfMoved) or (
        isinstance(source, DatabaseHome) and source.database.moved_to(source.game) is not None
    )
    if arrived and (arrived[: len(rows)] != rows or (len(arrived) > len(rows) and not closed)):
        raise NotNow(
            f"{_where(home)} has another game {rows[0].game} already, or has gone on with this one;"
            " nothing was copied."
        )
    return bool(arrived)


def _part(folder: Path) -> Path:
    """Where a folder is made ready."""
    return folder.with_name(f".{folder.name}{_HALF}")


def _bring(parcel: Parcel, home: FolderHome | DatabaseHome, folder: Path) -> None:
    """All of it, verified where it has arrived, or nothing; it is not yet open there."""
    if isinstance(home, DatabaseHome):
        with home.database.arriving(parcel.rows, parcel.secret.hex(), parcel.settings, closed=True):
            _bring_mail(parcel.mail, home)
            _must_have_arrived(parcel, home, home)
        return
    part = _part(home.folder)
    shutil.rmtree(part, ignore_errors=True)
    try:
        _write_folder(parcel, part)
        for path in files_below(folder / _ORDERS) if (folder / _ORDERS).exists() else ():
            copy = part / path.relative_to(folder)
            make_folders(part, copy.parent, PRIVATE_FOLDER)
            write_whole(copy, path.read_bytes(), PRIVATE_FILE)
        _must_have_arrived(parcel, FolderHome(part), home)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _must_have_arrived(
    parcel: Parcel, home: FolderHome | DatabaseHome, called: FolderHome | DatabaseHome
) -> None:
    found = verify(game_at(home))
    same = (
        home.log.rows() == parcel.rows
        and home.secret() == parcel.secret
        and home.settings() == parcel.settings
        and _mail_in(home) == parcel.mail
    )
    if not same or not found.ok:
        raise Damaged(
            f"{_where(called)} did not keep the game as it was; nothing was changed, try another store."
        )


def _bring_mail(mail: Mail, home: DatabaseHome) -> None:
    letters = Letters(home.database, home.game)
    for name, header, message in mail.messages:
        letters.keep(name, message, header_only=header)
    known = dict(letters.large())
    for name, piece in mail.large:
        if name not in known:
            letters.keep_piece(name, piece)
    room = home.room()
    room.record(room.entry_of(line) for line in mail.journal)
    for identity, waiting in mail.outbox:
        if not home.kept.post(identity, waiting, _NOTED if waiting is None else _WAITING) and waiting is None:
            home.kept.done_with(identity, _NOTED)


def _write_folder(parcel: Parcel, folder: Path) -> None:
    folder.mkdir(mode=0o755)
    for private in ("orders", "players", "gm", "mail", "mail/kept", "outbox"):
        make_folders(folder, folder / private, PRIVATE_FOLDER)
    write_whole(folder / SECRET, f"{parcel.secret.hex()}\n".encode(), PRIVATE_FILE)
    home = FolderHome(folder)
    home.log.create()
    home.log.write(parcel.rows)
    write_whole(folder / CONFIG, parcel.settings.encode(), PUBLIC_FILE)
    room, outbox = home.room(), home.outbox()
    for name, header, message in parcel.mail.messages:
        room.put_back(f"{name}.{'header' if header else 'eml'}", message)
    for name, piece in parcel.mail.large:
        room.put_back(f"{name}.eml.whole", piece)
    if parcel.mail.journal:
        text = "".join(f"{line}\n" for line in parcel.mail.journal)
        write_whole(folder / "mail" / "journal.jsonl", text.encode(), PRIVATE_FILE)
    for identity, waiting in parcel.mail.outbox:
        if waiting is None:
            outbox.note(identity)
        else:
            outbox.put(identity, partial(bytes, waiting))


# Afterwards.


def _open(home: FolderHome | DatabaseHome, source: FolderHome | DatabaseHome) -> None:
    """Let it go on where it has arrived, now that it is closed where it was.

    What is closed says where to alone in a database; a folder's game.toml says so before anything goes on.
    """
    if isinstance(home, FolderHome):
        if not (home.folder / LOG).exists():
            _part(home.folder).replace(home.folder)
    elif isinstance(source, FolderHome):
        _lead(source.folder, home)
        home.database.open(home.game)
        _put_aside(source.folder)
    else:
        home.database.open(home.game)
        _lead(source.folder, home)


def _lead(folder: Path, to: DatabaseHome) -> None:
    """Let the folder lead to the database."""
    write_whole(folder / CONFIG, write_store(to.database.public_url, to.game).encode(), PUBLIC_FILE)


def _put_aside(folder: Path) -> None:
    """What has arrived elsewhere stays here out of use: the log closed, the secret, the mail."""
    for name in (SECRET, "mail", "outbox", LOG):  # the log last: until then all of this is done again
        if (folder / name).exists():
            (folder / name).replace(_free(folder / f"{name}{MOVED}"))


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free
