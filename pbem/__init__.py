"""pbem: a play-by-email adjudicator.

For programs: `from pbem import Game` opens a game read-only (docs/api.md).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.api import Game, Turn

__version__ = "1.0.0"
__all__ = ["Game", "Turn", "__version__"]


def __getattr__(name: str) -> Any:
    """Game and Turn are imported when they are first asked for, so that `import pbem` costs nothing."""
    if name in {"Game", "Turn"}:
        return getattr(import_module("pbem.api"), name)
    raise AttributeError(f"module 'pbem' has no attribute {name!r}")
