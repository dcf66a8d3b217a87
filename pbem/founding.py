"""A new game: from what `pbem new` was told to a folder with its log, whole or not at all."""

import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from pbem import __version__
from pbem.clock import stamp
from pbem.config import Player, is_url, write_players, write_store
from pbem.dice import commitment, salt, turn_seed
from pbem.errors import BadInput, WrongUsage
from pbem.events import GameCreated, dump_json, event_data
from pbem.files import CONFIG, LOG, PRIVATE_FILE, PRIVATE_FOLDER, SECRET, name_of, read_toml_text, write_whole
from pbem.home import database_at
from pbem.rulesets import AnyRuleset, NewGame, Source, find_ruleset
from pbem.shipped import board_source, shipped_text
from pbem.store import Draft, Log, Row, chained

_GAME_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_SECRET = re.compile(r"[0-9A-Fa-f]{64}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `pbem new` was told; a player's seat may be empty, for the default ones in order."""

    folder: Path
    ruleset: str
    players: Sequence[Player]
    map: str | None = None
    scenario: str | None = None
    rules: Path | None = None
    length: int | None = None
    secret: str | None = None
    store: str | None = None
    """The URL of a database; None: the game is kept in its folder."""


@dataclass(frozen=True, slots=True)
class Founded:
    """A new game: what is published before anything is thrown."""

    game: str
    folder: Path
    seats: tuple[str, ...]
    secret_hash: str
    commitment: str


def found(wanted: Wanted, now: datetime) -> Founded:
    """Make folder and log; a refused game leaves nothing behind."""
    folder = wanted.folder.absolute()
    game = game_name(folder)
    ruleset = find_ruleset(wanted.ruleset)
    players = seated(ruleset, wanted.players)
    seats = tuple(player.seat for player in players)
    rules, board = rules_source(ruleset, wanted), chosen_board(ruleset, wanted)
    secret = secret_of(wanted.secret)
    event = created(ruleset, NewGame(seats, rules, board, wanted.length), secret)
    draft = Draft(0, event.kind, event.schema_version, dump_json(event_data(event)))
    rows = chained(game, [draft], None, at=stamp(now), salt=partial(salt, secret))
    _write(folder, rows, settings=write_players(players), secret=secret, store=wanted.store)
    return Founded(game, folder, seats, event.secret_hash, event.commitment)


def created(ruleset: AnyRuleset, new: NewGame, secret: bytes) -> GameCreated:
    """The first event of a game; `BadInput` for rules or a board that it cannot be played with."""
    ready = ruleset.prepare(new)
    ruleset.initial(ready.setup)
    return GameCreated(
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        pbem_version=__version__,
        seats=new.seats,
        length=ready.length,
        setup=ready.setup,
        secret_hash=commitment(secret),
        commitment=commitment(turn_seed(secret, 0)),
    )


def game_name(folder: Path) -> str:
    """The folder's last part, if it can name a game."""
    if not _GAME_NAME.fullmatch(folder.name):
        raise BadInput(f"{folder.name!r} cannot name a game; use up to 40 small letters, digits and dashes.")
    return folder.name


def secret_of(text: str | None) -> bytes:
    """The dice secret as typed, or 32 fresh random bytes."""
    if text is None:
        return secrets.token_bytes(32)
    if not _SECRET.fullmatch(text.strip()):
        raise BadInput(
            "The secret is not 64 hex digits; give all 64, or leave --secret out for a random one."
        )
    return bytes.fromhex(text)


def seated(ruleset: AnyRuleset, players: Sequence[Player]) -> tuple[Player, ...]:
    """Players in seat order; those who named no seat get the default ones, in the order given."""
    if not players:
        raise WrongUsage("A game needs players: --player 'SEAT=NAME <ADDRESS>', once for each.")
    named = [player for player in players if player.seat]
    if not named:
        seats = ruleset.default_seats(len(players))
        return tuple(
            Player(seat, player.name, player.email) for seat, player in zip(seats, players, strict=True)
        )
    if len(named) < len(players):
        raise BadInput(
            "Some players have a seat and some have none; write SEAT= before every player, or none."
        )
    order = {seat: place for place, seat in enumerate(ruleset.seats)}
    for player in players:
        if player.seat not in order:
            raise BadInput(
                f"{ruleset.name} has no seat {player.seat!r}; its seats are {', '.join(ruleset.seats)}."
            )
    if len({player.seat for player in players}) < len(players):
        raise BadInput("Two players have the same seat; give each a seat of his own.")
    return tuple(sorted(players, key=lambda player: order[player.seat]))


def rules_source(ruleset: AnyRuleset, wanted: Wanted) -> Source:
    """The GM's own rules file, or the shipped one."""
    if wanted.rules is not None:
        return Source(name_of(wanted.rules), read_toml_text(wanted.rules))
    return shipped_text(ruleset.name, ruleset.files.rules)


def chosen_board(ruleset: AnyRuleset, wanted: Wanted) -> Source:
    """The map or scenario named, a file or a shipped one, or else the default one."""
    option = ruleset.files.board_option
    named = {"map": wanted.map, "scenario": wanted.scenario}
    name = named.pop(option)
    if any(other is not None for other in named.values()):
        raise WrongUsage(f"{ruleset.name} takes --{option}, not --{next(iter(named))}.")
    if name is None:
        return board_source(ruleset, ruleset.files.default_board)
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return Source(name_of(path), read_toml_text(path))
    return board_source(ruleset, name)


def _write(folder: Path, rows: Sequence[Row], *, settings: str, secret: bytes, store: str | None) -> None:
    there = folder.exists()
    if there and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is there already and not empty; name another folder.")
    folder.mkdir(exist_ok=True)
    try:
        for private in ("orders", "players", "gm"):
            (folder / private).mkdir(mode=PRIVATE_FOLDER)
        if store is not None:
            _write_to_database(folder, rows, settings, secret, store)
            return
        write_whole(folder / SECRET, f"{secret.hex()}\n".encode(), PRIVATE_FILE)
        log = Log(folder / LOG)
        log.create()
        log.write(rows)
        # Last, since it is what makes the folder a game.
        write_whole(folder / CONFIG, settings.encode())
    except BaseException:
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not there:
            folder.rmdir()
        raise


def _write_to_database(folder: Path, rows: Sequence[Row], settings: str, secret: bytes, store: str) -> None:
    if not is_url(store):
        raise BadInput("What --store gives names no store; write --store postgresql://HOST/DATABASE.")
    database = database_at(store)
    write_whole(folder / CONFIG, write_store(database.public_url, rows[0].game).encode())
    database.make_tables()
    with database.arriving(rows, secret.hex(), settings):
        pass
