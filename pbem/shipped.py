"""What rulesets bring along: their rules, and their maps or scenarios by name."""

from functools import cache

from pbem.errors import BadInput
from pbem.rulesets import AnyRuleset, Source, find_ruleset


@cache
def shipped_text(ruleset: str, name: str) -> Source:
    """A text that comes with a ruleset, read once; empty if the ruleset names none."""
    if not name:
        return Source("", "")
    files = find_ruleset(ruleset).files
    return Source(name.rpartition("/")[2], files.path(name).read_text("utf-8"))


def board_source(ruleset: AnyRuleset, name: str) -> Source:
    """A shipped map or scenario by its name; `BadInput` naming those there are."""
    files = ruleset.files
    if not files.boards:
        return Source("", "")
    folder = files.path(files.boards)
    names = sorted(
        entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")
    )
    if name not in names:
        raise BadInput(f"There is no {files.board_option} {name!r}; shipped are: {', '.join(names)}.")
    return shipped_text(ruleset.name, f"{files.boards}/{name}.toml")
