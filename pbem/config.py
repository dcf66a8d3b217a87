"""game.toml: who plays and how the game is run, kept by the GM and read anew by every command."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from pbem.errors import BadInput, reader_says, shown
from pbem.files import checked_toml, read_text

V = TypeVar("V", str, bool)

_PLAYER = re.compile(
    r"(?:(?P<seat>[^=<>@]*)=)?\s*(?P<name>[^<>@]*?)\s*(?:<(?P<email>[^<>@\s]+@[^<>@\s]+)>)?\s*"
)
_DATABASES = ("postgresql://", "postgres://")
_LIKE_A_URL = re.compile(r"://|^\s*postgres(?:ql)?(?:/?/|:)|\b(?:password|host|dbname)\s*=", re.IGNORECASE)
_EVERY = re.compile(r"([1-9][0-9]{0,3})\s*([dh])")


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a seat; names and addresses stand in game.toml alone."""

    seat: str
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often orders are due: days later at a clock time in a zone, or hours later."""

    zone: ZoneInfo
    days: int = 0
    hours: int = 0
    at: time = time(20)

    def next_after(self, opened: datetime) -> datetime:
        """The deadline of a turn that opens now; a day keeps its clock time when the clocks change."""
        if self.hours:
            return opened + timedelta(hours=self.hours)
        day = opened.astimezone(self.zone).date() + timedelta(days=self.days)
        return datetime.combine(day, self.at, self.zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Config:
    """game.toml as read. `rhythm` is None where the game has no deadlines."""

    players: tuple[Player, ...] = ()
    rhythm: Rhythm | None = None
    early: bool = False
    beacon: str | None = None
    mail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are told."""
        return self.rhythm.zone if self.rhythm else ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where a game is kept, if not in its folder: a database, and its name there."""

    url: str
    game: str


def read_config(path: Path) -> Config:
    """game.toml; `BadInput` names the table and the key that cannot be read."""
    return config_of(read_text(path), path)


def config_of(text: str, path: Path) -> Config:
    """The text of a game.toml, wherever it is kept; `path` is how sentences call it."""
    table = toml_of(text, path)
    turns = _table(path, table, "turns")
    return Config(
        players=tuple(_player(path, entry) for entry in _entries(path, table)),
        rhythm=_rhythm(path, turns) if turns else None,
        early=_value(path, turns, "turns", "early", default=False),
        beacon=_value(path, _table(path, table, "dice"), "dice", "beacon", default="") or None,
        mail=_table(path, table, "mail"),
    )


def read_store(path: Path) -> StoreSettings | None:
    """`[store]` of game.toml, which leads to a database; None where the game is kept in its folder.

    Then nothing else stands there: the rest of its game.toml is kept in the database as well.
    """
    table = read_toml(path)
    if "store" not in table:
        return None
    store = _table(path, table, "store")
    url = _value(path, store, "store", "url", default="")
    if unknown := sorted(set(store) - {"url", "game"}):
        raise BadInput(f"{shown(path)}: [store] has no {unknown[0]}; it has url and game.")
    if not url.startswith(_DATABASES):
        raise BadInput(
            f'{shown(path)}: url of [store] names no store; write url = "postgresql://HOST/DATABASE".'
        )
    if more := sorted(set(table) - {"store"}):
        raise BadInput(
            f"{shown(path)} has [store], and {more[0]} beside it: the rest of its settings are kept in the"
            " database, see `pbem settings`; leave [store] alone here."
        )
    game = _value(path, store, "store", "game", default=path.absolute().parent.name)
    return StoreSettings(url, game)


def is_url(text: str) -> bool:
    """Whether a text names a database rather than a folder; `BadInput` for what was meant to, and does not.

    That is never repeated, since a password may be in it.
    """
    if text.startswith(_DATABASES):
        return True
    if _LIKE_A_URL.search(text):
        raise BadInput(
            "What was given as a URL names no store of pbem; write it as postgresql://HOST/DATABASE, in"
            " small letters."
        )
    return False


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file that a person wrote; `BadInput` says at which line it stops being TOML."""
    return toml_of(read_text(path), path)


def toml_of(text: str, path: Path) -> dict[str, Any]:
    """A TOML text that a person wrote."""
    try:
        return tomllib.loads(checked_toml(text, path))
    except ValueError as error:  # not TOMLDecodeError alone: a number may have too many digits
        raise BadInput(f"{shown(path)} is no TOML: {reader_says(error)}.") from None
    except RecursionError:
        raise BadInput(f"{shown(path)} is nested too deeply to be meant; write it flat.") from None


def player_of(text: str) -> Player:
    """`crimson=Ada <ada@example.org>` as typed; the seat may be left out, and then is empty."""
    found = _PLAYER.fullmatch(text)
    if not found or not text.isprintable():
        raise BadInput(
            f"{text!r} names no player; write SEAT=NAME <ADDRESS>, as in crimson=Ada <ada@example.org>."
        )
    return Player((found["seat"] or "").strip().casefold(), found["name"], found["email"] or "")


def write_players(players: Sequence[Player]) -> str:
    """The text of a new game.toml."""
    import tomlkit  # noqa: PLC0415 - slow to import, and only `new` writes

    document = tomlkit.document()
    document.add(tomlkit.comment("Who plays, and how this game is run. Yours to edit; see the GM's guide."))
    entries = tomlkit.aot()
    for player in players:
        entry = tomlkit.table()
        entry.update({"seat": player.seat, "name": player.name, "email": player.email})
        entries.append(entry)
    document.add("players", entries)
    return tomlkit.dumps(document)


def write_store(url: str, game: str) -> str:
    """The text of a game.toml that leads to a database; no password is ever written into it."""
    import tomlkit  # noqa: PLC0415 - slow to import

    document = tomlkit.document()
    document.add(
        tomlkit.comment("This game is kept in a database. Its settings are there too: pbem settings")
    )
    store = tomlkit.table()
    store.update({"url": url, "game": game})
    document.add("store", store)
    return tomlkit.dumps(document)


def with_player(text: str, path: Path, seat: str, name: str | None, email: str | None) -> str:
    """A game.toml with another name and address for a seat, and nothing else changed, comments included."""
    import tomlkit  # noqa: PLC0415 - slow to import
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - slow to import

    config_of(text, path)
    player = player_of(f"{seat}={name or ''} <{email}>" if email else f"{seat}={name or ''}")
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise BadInput(f"{shown(path)} is no TOML: {error}.") from None
    entries = document.get("players")
    entry = next((each for each in entries or () if each.get("seat") == seat), None)
    if entry is None:
        raise BadInput(f"{shown(path)} has no player with the seat {seat}; add a table [[players]] for it.")
    if name is not None:
        entry["name"] = player.name
    if email is not None:
        entry["email"] = player.email
    return tomlkit.dumps(document)


def _entries(path: Path, table: Mapping[str, Any]) -> Sequence[Any]:
    entries = table.get("players", [])
    if not isinstance(entries, list):
        raise BadInput(f"{shown(path)}: players is no list; begin each player's entry with [[players]].")
    return entries


def _player(path: Path, entry: Any) -> Player:
    if not isinstance(entry, dict):
        raise BadInput(f"{shown(path)}: a player is no table; begin each player's entry with [[players]].")
    seat, name, email = (
        _value(path, entry, "[players]", key, default="") for key in ("seat", "name", "email")
    )
    return Player(seat, name, email)


def _table(path: Path, table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = table.get(name, {})
    if not isinstance(found, dict):
        raise BadInput(f"{shown(path)}: {name} is no table; write it as [{name}].")
    return found


def _value(path: Path, table: Mapping[str, Any], name: str, key: str, default: V) -> V:
    found = table.get(key, default)
    if not isinstance(found, type(default)):
        expected = "true or false" if isinstance(default, bool) else "a text in quotes"
        raise BadInput(f"{shown(path)}: {key} of [{name}] is {found!r}; it should be {expected}.")
    return found


def _rhythm(path: Path, turns: Mapping[str, Any]) -> Rhythm:
    every, at, zone = (
        _value(path, turns, "turns", key, default)
        for key, default in (("every", ""), ("at", "20:00"), ("zone", "UTC"))
    )
    if not every:
        raise BadInput(
            f'{shown(path)}: [turns] does not say how often orders are due; write every = "7d", or take the'
            " whole table away for a game without deadlines."
        )
    if not (found := _EVERY.fullmatch(every)):
        raise BadInput(
            f'{shown(path)}: every of [turns] is {every!r}; write days or hours, as in "7d" or "36h".'
        )
    count = int(found[1])
    try:
        clock = time.fromisoformat(at)
    except ValueError:
        raise BadInput(
            f'{shown(path)}: at of [turns] is {at!r}; write a clock time, as in "20:00".'
        ) from None
    try:
        place = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise BadInput(
            f'{shown(path)}: there is no zone {zone!r}; write one as in "Europe/London".'
        ) from None
    return Rhythm(place, days=count, at=clock) if found[2] == "d" else Rhythm(place, hours=count, at=clock)
