"""What mail programs write of their own, from phrases.toml, as patterns."""

import re
import tomllib
from collections.abc import Iterable
from importlib import resources

_PHRASES: dict[str, list[str]] = tomllib.loads(
    resources.files("pbem.mail").joinpath("phrases.toml").read_text("utf-8")
)


def _any(phrases: Iterable[str]) -> str:
    longest_first = sorted(phrases, key=len, reverse=True)
    return "(?:" + "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first) + ")"


WROTE = re.compile(
    rf"\b{_any(_PHRASES['wrote'])}\b|{_any(_PHRASES['wrote_without_blanks'])}",
    re.IGNORECASE,
)
BEGINS = re.compile(
    rf"(?:{_any(_PHRASES['begins'])}|\d{{4}}[-/年.]|\d{{1,2}}[./]\d{{1,2}}[./])(?!\w)", re.IGNORECASE
)
ORIGINAL = re.compile(rf"[-_=* ]{{2,}}\s*{_any(_PHRASES['original'])}\s*[-_=* ]{{2,}}", re.IGNORECASE)
FORWARDED = re.compile(
    rf"[-_=* ]{{2,}}\s*{_any(_PHRASES['forwarded'])}.*|{_any(_PHRASES['begin_forwarded'])}\s*:?",
    re.IGNORECASE,
)
FIELDS = frozenset(_PHRASES["fields"])
