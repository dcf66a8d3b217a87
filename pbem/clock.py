"""The time now, and times as the log and people write them."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from time import monotonic, sleep, time_ns  # noqa: TID251 - this is where it is not banned

from pbem.errors import BadInput, Damaged, brief

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


def ticks() -> int:
    """The machine's own time in nanoseconds, whatever `PBEM_NOW` says: for the order of files."""
    return time_ns()


def patiently(attempt: Callable[[], bool], seconds: float) -> bool:
    """Try until it succeeds or so many seconds have passed; gives whether it did."""
    until = monotonic() + seconds
    while not attempt():
        if monotonic() >= until:
            return False
        sleep(0.05)
    return True


def read_stamp(text: str) -> datetime:
    """The time that `stamp` wrote; `Damaged` for what it never writes."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or moment.year not in _YEARS or stamp(moment) != text:
        raise Damaged(f"The log has {brief(text)!r} for a time, which is none; put back a backup of it.")
    return moment


def in_words(at: str, zone: tzinfo) -> str:
    """A stamp in a game's own zone: `Monday 7 December 2026, 20:00`."""
    there = read_stamp(at).astimezone(zone)
    return f"{there:%A} {there.day} {there:%B %Y, %H:%M}"


def local_time(text: str, zone: tzinfo) -> datetime:
    """A time as a person writes it, `2026-12-06T20:00`, in a zone unless it names its own; in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is no time; write it as 2026-12-06T20:00.") from None
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    there = moment.replace(tzinfo=zone)
    # An hour that the clocks leave out comes back from UTC as another.
    if there.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise BadInput(f"{text} does not exist in {zone}: the clocks go forward then; name another time.")
    return there.astimezone(UTC)
