"""Files that are there whole or not at all, and folders that only their owner may enter."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

from pbem.errors import BadInput, shown

CONFIG = "game.toml"
LOG = "pbem.db"
SECRET = "secret.key"  # noqa: S105 - the name of a file
"""The files that make a folder a game."""

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
PUBLIC_FILE = 0o644
_HALF = ".half"
"""In the name of a file that is being written, after the number of the process that writes it."""
MAX_KEY_PARTS = 24
MAX_READ = 4 * 1024 * 1024
"""No file that a person hands in is larger: maps, rules, notes, orders."""


def write_whole(path: Path, data: bytes, mode: int = PUBLIC_FILE, *, durable: bool = True) -> None:
    """Write a file so that a reader, or a crash, meets the old one or the new one, never a part.

    `durable` waits until the disk has it, which a file that can be written again need not.
    """
    part = path.with_name(f".{path.name[:40]}.{os.getpid()}{_HALF}")
    try:
        with part.open("wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        part.replace(path)
    except BaseException as failure:
        with suppress(OSError):  # on a disk that can only be read there is no part, and that is no answer
            part.unlink()
        if isinstance(failure, OSError):  # which names the part, or where the disk is full nothing at all
            raise OSError(failure.errno, failure.strerror, str(path)) from failure
        raise


_SPARE_FILES = 64
"""Files that are open besides those which are asked for: logs, standard streams, connections, libraries."""


def allow_open_files(count: int) -> None:
    """Let this process hold so many files open at once, if the system's own limit for it lets it.

    `BadInput` if it does not. Most systems begin with 1,024 or 256 and let a process go up by itself.
    """
    import resource  # noqa: PLC0415 - only where there are such limits

    needed = count + _SPARE_FILES
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now == resource.RLIM_INFINITY or needed <= now:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))
    except (ValueError, OSError) as error:
        raise BadInput(
            f"To serve {count} games at once {needed} files must be open, and here it may be {now}; raise"
            f" that (`ulimit -n {needed}`), or serve fewer games at a time."
        ) from error


def place_for(path: Path) -> Path:
    """Where a file will lie that a person names for what a command makes; links are followed.

    `BadInput` for what would be lost by it, a device or a pipe, and `OSError` where no file can be made:
    asked before the work, which would be lost too.
    """
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise BadInput(f"{shown(path)} is a folder; name a file in it.")
    if place.exists() and not place.is_file():
        raise BadInput(f"{shown(path)} is no ordinary file; name another.")
    try:
        with TemporaryFile(dir=place.parent):
            return place
    except OSError as failure:  # which names a file that nobody asked for
        raise OSError(failure.errno, failure.strerror, str(path)) from failure


def write_tree(folder: Path, files: Mapping[str, bytes], private: tuple[str, ...] = ()) -> None:
    """Write files that can be written again, by their paths below `folder`.

    What lies below one of the folders `private` is its owner's alone.
    """
    for parent in dict.fromkeys((folder / name).parent for name in files):
        sweep(parent)
    for name, data in files.items():
        path = folder / name
        secret = name.split("/", 1)[0] in private
        make_folders(folder, path.parent, PRIVATE_FOLDER if secret else 0o755)
        if not _holds(path, data):
            write_whole(path, data, PRIVATE_FILE if secret else PUBLIC_FILE, durable=False)


def make_folders(top: Path, folder: Path, mode: int) -> None:
    """Make `folder` and what is missing above it, down from `top`, with this mode whatever the umask."""
    missing = [each for each in (folder, *folder.parents) if each.is_relative_to(top) and not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode, exist_ok=True)
        each.chmod(mode)  # whatever the umask took away


def sweep(folder: Path) -> None:
    """Take away the half-written files of commands that were killed."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names alone: a game's folders hold thousands of files
    except FileNotFoundError:
        return
    for name in names:
        pid = name.removesuffix(_HALF).rpartition(".")[2]
        if name.startswith(".") and name.endswith(_HALF) and pid.isdecimal() and not _runs(int(pid)):
            folder.joinpath(name).unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    """Whether there is such a process; where the system does not tell, as if there were."""
    if os.name != "posix" or not 0 < pid < 2**31:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file is as it will be; what cannot be read is not, and another takes its place."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def files_below(folder: Path) -> list[Path]:
    """The plain files at and below a folder, by path; `OSError` for a folder that cannot be looked into.

    What is left out unseen would be missed too late. Links to folders are not followed.
    """

    def closed(error: OSError) -> NoReturn:
        raise error

    found = [Path(place, name) for place, _, names in os.walk(folder, onerror=closed) for name in names]
    return sorted(path for path in found if path.is_file())


def name_of(path: Path) -> str:
    """A file's name as the log can keep it: what is no UTF-8 in it becomes a question mark."""
    return path.name.encode(errors="replace").decode()


def read_input(path: Path, limit: int = MAX_READ) -> bytes:
    """A file that a person hands in; `BadInput` if it is larger than any such file could be."""
    data = read_start(path, limit + 1)
    if len(data) > limit:
        raise BadInput(
            f"{shown(path)} has more than {limit:,} bytes, too large to be meant; name another file."
        )
    return data


def read_start(path: Path, count: int) -> bytes:
    """The first bytes of a file, whatever lies there.

    A named pipe that nobody writes to is empty, where others would wait for ever; a device has no end.
    """
    with open(path, "rb", opener=_at_once) as file:
        if os.name == "posix":
            os.set_blocking(file.fileno(), True)
        return file.read(count)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path, limit: int = MAX_READ) -> str:
    """A UTF-8 text file that a person hands in."""
    try:
        return read_input(path, limit).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{shown(path)} is no UTF-8 text (byte {error.start + 1}); save it as UTF-8."
        ) from None


def read_toml_text(path: Path, limit: int = MAX_READ) -> str:
    """A TOML text that a person hands in."""
    return checked_toml(read_text(path, limit), path)


def checked_toml(text: str, path: Path) -> str:
    """The same text; `BadInput` for a key of more parts than any has.

    The standard library's reader takes time and memory by the square of a key's parts.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") >= MAX_KEY_PARTS and _longest_key(line) > MAX_KEY_PARTS:
            raise BadInput(
                f"{shown(path)}, line {number}: a key of so many parts means nothing; write it flat."
            )
    return text


def _longest_key(line: str) -> int:
    """The parts of the longest run of words with dots between them."""
    longest = run = 0
    for part in line.split("."):
        word = part.strip()
        run = run + 1 if word and not any(sign.isspace() for sign in word) else 0
        longest = max(longest, run)
    return longest
