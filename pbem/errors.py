"""What goes wrong, as one plain sentence: what, where, and what to do next.

Everything that a user, a file, a mail or a second process can cause is a `PbemError`; the command
line prints its sentence and leaves with status 1. Anything else is a bug.
"""

from pathlib import Path

MAX_QUOTED = 60
"""Characters of somebody's text that a sentence quotes."""
MAX_RAISED = 300
"""And of what a package raised, which may name modules and paths."""


class PbemError(Exception):
    """The base of all expected failures; `str()` of it is the sentence to print."""


class BadInput(PbemError):
    """Something written by a person cannot be taken: a file, a line, a flag."""


class MustWait(PbemError):
    """Mail that is kept and cannot be judged, since its game cannot be read now."""

    def __init__(self, sentence: str, game: str) -> None:
        super().__init__(sentence)
        self.game = game


class NotNow(PbemError):
    """The request is well formed, but the game's position does not allow it."""


class Conflict(PbemError):
    """A second process got there first; nothing was changed."""


class Unreachable(PbemError):
    """Where the game is kept cannot be reached now; later it will be."""


class Damaged(PbemError):
    """The log or a file beside it is missing, unreadable or not what it should be."""


class RulesetFault(PbemError):
    """A ruleset raised what it should not have; the error itself is the `__cause__`."""


class StillEqual(PbemError):
    """Throws that had to differ were equal a hundred times: only fixed dice can do that."""


class WrongUsage(PbemError):
    """Flags that do not go together, or a word where another was due: exit status 2."""


def reader_says(error: Exception) -> str:
    """What is wrong with a text of TOML or JSON, without what its reader says to programmers."""
    match error:
        case RecursionError():
            return "it is nested too deeply to be meant"
        case ArithmeticError():
            return "a number in it is too large to be meant"
        case OSError():
            return error.strerror or str(error)
        case ValueError() if "integer string conversion" in str(error):
            return "a number in it has too many digits to be meant"
        case _:
            return str(error)


def raised(error: BaseException) -> str:
    """What somebody's package raised, cut to what a sentence can hold."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - it cannot even say what it is
        said = ""
    said = said if len(said) <= MAX_RAISED else f"{said[:MAX_RAISED]}…"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def system_says(error: OSError) -> str:
    """What the system would not do, as one sentence."""
    names = " and ".join(str(name) for name in (error.filename, error.filename2) if name is not None)
    where = f"{names}: " if names else ""
    return f"{where}{error.strerror or error}; mend that and try again."


def brief(text: str) -> str:
    """What somebody wrote, cut to what a sentence can hold."""
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


def shown(path: Path) -> str:
    """A path as a message names it: from here, where it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def trouble_of(game: str, error: PbemError | OSError) -> str:
    """What is in the way of one game among several, as one sentence."""
    return f"{game}: {system_says(error) if isinstance(error, OSError) else error}"
