"""Packing a game folder: a backup for its GM, a bundle of a finished game for strangers. Both are zips."""

import io
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pbem.clock import read_stamp
from pbem.config import toml_of
from pbem.contest import first_event, fold_contest
from pbem.dice import commitment
from pbem.errors import BadInput, Damaged, NotNow, PbemError, shown
from pbem.events import dump_json
from pbem.files import (
    CONFIG,
    LOG,
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    PUBLIC_FILE,
    SECRET,
    files_below,
    make_folders,
    read_input,
    write_whole,
)
from pbem.game import Game
from pbem.home import FolderHome, Home, home_of, read_secret
from pbem.store import EventLog, Log, Row

KEPT = ("orders", "mail", "outbox")
"""The folders that cannot be written again from the log."""
MAX_UNPACKED = 2 * 1024**3
"""No game is larger; what claims to be is no backup."""
SQLITE = b"SQLite format 3\0"


def backup(game: Game, path: Path) -> int:
    """Log, secret, game.toml, orders and mail in one zip that its owner alone may read; gives its files.

    The log is copied as of one moment, whatever other commands do meanwhile.
    """
    rows = game.rows
    _must_be_free(path, game.folder)
    game.secret  # noqa: B018 - a backup without the right one would be worth nothing
    if isinstance(game.home, FolderHome):
        files = {name: read_input(game.folder / name) for name in (SECRET, CONFIG)}
        files[LOG] = _copy(game.log)
    else:
        files = _from_database(game.home)
    for name in KEPT:
        files |= dict(_below(game.folder, game.folder / name))
    write_whole(path, _zipped(files, rows[-1]), PRIVATE_FILE)
    return len(files)


def _from_database(home: Home) -> dict[str, bytes]:
    """The files that the game would have in a folder."""
    from pbem.copying import as_folder  # noqa: PLC0415 - most games need nothing of databases

    with tempfile.TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name) / "game"
        as_folder(home, folder)
        return dict(_below(folder, folder))


def bundle(game: Game, path: Path) -> int:
    """The log, the published secret and the reports of a finished game; no key, name or address."""
    contest = game.contest
    if contest.secret is None:
        raise NotNow(f"{contest.game} has not been ended; `pbem end` publishes its secret once it is over.")
    _must_be_free(path, game.folder)
    game.write_reports(None)
    files = {
        LOG: _copy(game.log),
        SECRET: f"{contest.secret}\n".encode(),
        CONFIG: _without_names(game),
        "README.txt": _read_me(game).encode(),
        **dict(_below(game.folder, game.folder / "reports")),
    }
    write_whole(
        path, _zipped({f"{contest.game}/{name}": data for name, data in files.items()}, game.rows[-1])
    )
    return len(files)


def _must_be_free(path: Path, folder: Path) -> None:
    """`BadInput` if a pack written there would replace what is no pack, or end up in the game itself."""
    place = path.absolute().parent.resolve() / path.name
    inside = place.relative_to(folder.resolve()).parts if place.is_relative_to(folder.resolve()) else ()
    if len(inside) > 1:
        raise BadInput(
            f"{shown(path)} would lie among the game's own files; name one outside of {inside[0]}/."
        )
    if path.exists() and not path.is_file():
        raise BadInput(f"{shown(path)} is a directory or no ordinary file; name another.")
    if path.is_file() and not zipfile.is_zipfile(path) and path.stat().st_size:
        raise BadInput(f"{shown(path)} is there already and is no backup; name another file.")


def _without_names(game: Game) -> bytes:
    """game.toml with the seats and with what the reports' times and beacon rest on."""
    table = toml_of(game.home.settings(), game.home.settings_path)
    lines = [f'[[players]]\nseat = "{seat}"\n' for seat in game.contest.seats]
    for name, keys in (("turns", ("every", "at", "zone")), ("dice", ("beacon",))):
        told = [(key, table[name][key]) for key in keys if key in table.get(name, {})]
        if told:
            lines.append("\n".join([f"[{name}]", *(f"{key} = {dump_json(text)}" for key, text in told), ""]))
    return "\n".join(lines).encode()


def _read_me(game: Game) -> str:
    contest, last = game.contest, game.rows[-1]
    return f"""{contest.game}: a finished game of {contest.created.ruleset} {contest.created.ruleset_version}

Read it:        reports/index.html
Check the log:  pbem -C {contest.game} verify
Check the reports without the log:
                pbem audit {contest.game}/reports

pbem.db      the whole event log, order files as they were sent included
secret.key   the dice secret, published at the end: every throw follows from it
game.toml    the seats; names and addresses are left out

The log ends with version {last.version}, hash
{last.hash}
The hash of the secret, published before the first turn:
{contest.created.secret_hash}
"""


def _copy(log: EventLog) -> bytes:
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        path = Path(folder) / LOG
        log.copy_to(path)
        return path.read_bytes()


def _below(top: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The plain files at and below a folder; links are left out."""
    for path in files_below(folder) if folder.is_dir() else ():
        if not path.is_symlink():
            yield path.relative_to(top).as_posix(), path.read_bytes()


def _zipped(files: Mapping[str, bytes], last: Row) -> bytes:
    """A zip that is the same whenever it is made of the same game."""
    at = read_stamp(last.at)
    moment = (max(at.year, 1980), at.month, at.day, at.hour, at.minute, at.second)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = PRIVATE_FILE if name.rpartition("/")[2] == SECRET else PUBLIC_FILE
            entry.external_attr = mode << 16
            archive.writestr(entry, files[name])
    return packed.getvalue()


@dataclass(frozen=True, slots=True)
class Restored:
    """What restoring came to."""

    folder: Path
    game: str
    version: int
    aside: Path | None
    """Where the log that was there before is now."""
    kept: tuple[str, ...]
    """Files that were there and have been left as they are."""


def restore(path: Path, folder: Path) -> Restored:
    """Put a backup's game back into its folder. A log that is whole and has gone further is not replaced."""
    folder = folder.absolute()
    if path.exists() and not path.is_file():
        raise BadInput(f"{shown(path)} is no ordinary file; name a file that `pbem backup` wrote.")
    with tempfile.TemporaryDirectory(prefix="pbem-") as holder:
        unpacked = Path(holder)
        _unpack(path, unpacked)
        log = Log(unpacked / LOG)
        if not log.path.exists():
            raise BadInput(f"{shown(path)} holds no {LOG}; name a file that `pbem backup` wrote.")
        rows = _rows_of(log, path)
        names = [each.relative_to(unpacked).as_posix() for each in unpacked.rglob("*") if each.is_file()]
        _must_fit(folder, names, rows)
        aside = _make_room(folder, rows)
        # The log last but for game.toml, which is what makes the folder a game.
        names.sort(key=lambda name: (name == CONFIG, name == LOG, name))
        return _put_back(unpacked, names, folder, rows, aside)


def _rows_of(log: Log, path: Path) -> tuple[Row, ...]:
    try:
        rows = log.rows()
        fold_contest(rows)
    except PbemError as error:
        raise BadInput(f"The log in {shown(path)} cannot be used: {error}") from None
    return rows


def _unpack(path: Path, folder: Path) -> None:
    """The backup's files into a folder of our own; a bare log is taken too."""
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            shutil.copyfile(path, folder / LOG)
            return
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
                raise BadInput(f"{shown(path)} unpacks to more than any game has; it is no backup.")
            for entry in entries:
                target = folder / _safe(entry.filename, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as packed, target.open("xb") as out:
                    shutil.copyfileobj(packed, out)
    except (zipfile.BadZipFile, EOFError, RuntimeError, ValueError, FileExistsError, zlib.error) as error:
        raise BadInput(f"{shown(path)} is no backup of pbem, or a damaged one ({error}).") from None


def _safe(name: str, path: Path) -> str:
    """A name that stays below the folder and is one that a backup has."""
    parts = PurePosixPath(name).parts
    known = name in {LOG, SECRET, CONFIG} or (len(parts) > 1 and parts[0] in KEPT)
    if not known or ".." in parts or "\\" in name or name.startswith("/") or not name.isprintable():
        raise BadInput(
            f"{shown(path)} holds {name!r:.80}, which no backup of pbem does; nothing was restored."
        )
    return name


def _must_fit(folder: Path, names: Sequence[str], rows: tuple[Row, ...]) -> None:
    """`BadInput`, before anything is written, if what lies in the folder bars a file or is another game's."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{shown(folder)} is no folder; name the game's folder with pbem -C DIR.")
    for name in (*names, "orders/x", "players/x", "gm/x"):
        target = folder / name
        parents = [each for each in target.parents if each.is_relative_to(folder)]
        wrong = [each for each in parents if (each.exists() or each.is_symlink()) and not each.is_dir()]
        wrong += [target] if (target.exists() or target.is_symlink()) and not target.is_file() else []
        if wrong:
            raise BadInput(f"{shown(wrong[0])} is in the way; move it away, nothing was restored.")
    if (folder / SECRET).exists() and not _is_secret_of(folder / SECRET, rows):
        raise BadInput(
            f"{shown(folder / SECRET)} is not the secret of {rows[0].game}; restore into another folder,"
            " or move it away."
        )


def _is_secret_of(path: Path, rows: tuple[Row, ...]) -> bool:
    try:
        return commitment(read_secret(path)) == first_event(rows).secret_hash
    except Damaged:
        return False


def _make_room(folder: Path, rows: tuple[Row, ...]) -> Path | None:
    """Puts the log that is there aside; `NotNow` if it is whole and goes further than the backup."""
    there = folder / LOG
    if not isinstance(home := home_of(folder), FolderHome):
        raise NotNow(f"{shown(folder)} leads to {home.database.name}; restore the game into another folder.")
    if not there.exists():
        return None
    try:
        present: tuple[Row, ...] | None = Log(there).rows()
    except Damaged:
        present = None
    if present is not None:
        if present[: len(rows)] == rows and len(present) == len(rows):
            return None
        raise NotNow(
            f"{shown(there)} is whole and at version {present[-1].version} of {present[0].game}, the backup"
            f" at version {rows[-1].version} of {rows[0].game}; move {LOG} away yourself if you mean it."
        )
    number = 1
    while (aside := there.with_name(f"{LOG}.damaged-{number}")).exists():
        number += 1
    return aside


def _put_back(
    unpacked: Path, names: Sequence[str], folder: Path, rows: tuple[Row, ...], aside: Path | None
) -> Restored:
    folder.mkdir(exist_ok=True)
    kept: list[str] = []
    for name in names:
        target, data = folder / name, (unpacked / name).read_bytes()
        if name != LOG and target.exists():
            if target.read_bytes() != data:
                kept.append(name)
            continue
        make_folders(folder, target.parent, PRIVATE_FOLDER)
        mode = PUBLIC_FILE if name in {LOG, CONFIG} else PRIVATE_FILE
        if name == LOG and aside is not None:
            os.link(target, aside)
        write_whole(target, data, mode)
    for name in ("orders", "players", "gm"):
        make_folders(folder, folder / name, PRIVATE_FOLDER)
    (folder / f"{LOG}-journal").unlink(missing_ok=True)
    return Restored(folder, rows[0].game, rows[-1].version, aside, tuple(kept))
