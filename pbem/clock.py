"""The time now, and times as the log and people write them."""

import os
from datetime import UTC, datetime, tzinfo

from pbem.errors import BadInput

_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"
_YEARS = range(1970, 9000)
"""Outside of these a time cannot be written in four digits of a year, or reckoned on from."""


def now() -> datetime:
    """The time in UTC; `PBEM_NOW` (ISO, UTC) fixes it, for tests."""
    fixed = os.environ.get("PBEM_NOW")
    if not fixed:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError:
        raise BadInput(
            f"PBEM_NOW is {fixed!r}, which is no ISO time; write it as 2026-11-30T05:55:00Z, or unset it."
        ) from None
    if moment.year not in _YEARS:
        raise BadInput(f"PBEM_NOW is {fixed!r}, in a year that no game is played in; mend it, or unset it.")
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def stamp(moment: datetime) -> str:
    """A time as the log writes it: UTC, microseconds, Z."""
    return moment.astimezone(UTC).strftime(_FORM)


def read_stamp(text: str) -> datetime:
    """The time that `stamp` wrote."""
    return datetime.fromisoformat(text)


def in_words(at: str, zone: tzinfo) -> str:
    """A stamp in a game's own zone: `Monday 7 December 2026, 20:00`."""
    there = read_stamp(at).astimezone(zone)
    return f"{there:%A} {there.day} {there:%B %Y, %H:%M}"
