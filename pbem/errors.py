"""What goes wrong, as one plain sentence: what, where, and what to do next.

Everything that a user, a file, a mail or a second process can cause is a `PbemError`; the command
line prints its sentence and leaves with status 1. Anything else is a bug.
"""

from pathlib import Path


class PbemError(Exception):
    """The base of all expected failures; `str()` of it is the sentence to print."""


class BadInput(PbemError):
    """Something written by a person cannot be taken: a file, a line, a flag."""


class NotNow(PbemError):
    """The request is well formed, but the game's position does not allow it."""


class Conflict(PbemError):
    """A second process got there first; nothing was changed."""


class Damaged(PbemError):
    """The log or a file beside it is missing, unreadable or not what it should be."""


class StillEqual(PbemError):
    """Throws that had to differ were equal a hundred times: only fixed dice can do that."""


class WrongUsage(PbemError):
    """Flags that do not go together, or a word where another was due: exit status 2."""


def shown(path: Path) -> str:
    """A path as a message names it: from here, where it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
