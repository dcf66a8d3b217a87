"""The GM's hand, in the open: reopening a turn, rulings and their undoing, the end of a game.

Nothing is rewritten. Each is an event with its reason, and tells each player what changed for him.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import clock
from pbem.archive import plain
from pbem.config import read_toml
from pbem.dice import commitment, turn_seed
from pbem.errors import BadInput, NotNow, shown
from pbem.events import (
    HOST_EVENTS,
    Change,
    DeadlineSet,
    Event,
    GameEnded,
    Json,
    KeyIssued,
    RulingMade,
    TurnReopened,
)
from pbem.game import Game

NOTHING = "none"
"""How a ruling's file writes that a part shall be nothing, as `pbem state` prints it: TOML has no null."""
MAX_NUMBER = 2**53
"""JSON readers elsewhere keep no larger whole number exactly."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """What reopening came to."""

    turn: int
    attempt: int
    commitment: str
    dropped: tuple[str, ...]
    """The seats whose orders for a later turn no longer count."""


def reopen(game: Game, turn: int, reason: str, *, keep_dice: bool = False) -> Reopened:
    """Open the last adjudicated turn again: its position is the one before it, its orders stand."""
    reason, contest = game.said(reason), game.contest
    if contest.secret is not None:
        raise NotNow(f"{contest.game} has been ended and its secret published; nothing can be reopened.")
    if contest.reopened and turn == contest.turn and contest.phase != "ended":
        finished = game.finished()
        then = "adjudicate it when all is in" if turn else "`pbem start` resolves it"
        raise NotNow(f"turn-{turn} has been reopened already{finished}; {then}.")
    if contest.last_turn is None:
        raise NotNow(f"{contest.game} has not started; there is nothing to reopen.")
    if turn != contest.last_turn:
        last = contest.last_turn
        after = f"; to go further back, reopen turn-{last} first" if turn < last else ""
        raise NotNow(f"Only the last adjudicated turn can be reopened, which is turn-{last}{after}.")
    attempt = contest.attempt_of(turn) + (not keep_dice)
    promised = commitment(turn_seed(game.secret, turn, attempt))
    reopened = TurnReopened(
        turn=turn, attempt=attempt, reason=reason, keep_dice=keep_dice, commitment=promised
    )
    events: list[Event] = [reopened]
    rhythm = game.config.rhythm
    if rhythm:
        # The old deadline has passed: nobody would be waited for.
        due = None if keep_dice else clock.stamp(rhythm.next_after(game.moment()))
        events.append(DeadlineSet(turn=turn, at=due))
    if turn or game.ruleset.sign_up_orders:
        events += [KeyIssued(seat=seat, issue=contest.issue(seat) + 1) for seat in contest.seats]
    dropped = tuple(seat for seat in contest.seats if (sent := contest.latest(seat)) and sent.turn > turn)
    game.append([(contest.turn, reopened), *((turn, event) for event in events[1:])])
    game.publish(game.contest.last_turn)
    return Reopened(turn, attempt, promised, dropped)


def rule(game: Game, path: Path, reason: str) -> RulingMade:
    """Set parts of the position by hand: the leaves of a TOML file in the form of `state --json`."""
    reason = game.said(reason)
    position = _position(game)
    wanted = dict(leaves(read_toml(path), shown(path)))
    if not wanted:
        raise BadInput(f"{shown(path)} sets nothing; write parts of `pbem state --json` as TOML.")
    changes = _changes(position, wanted)
    if not changes:
        raise BadInput(f"{shown(path)} changes nothing: the position has all of it already.")
    return _ruled(game, reason, changes)


def undo(game: Game, version: int, reason: str) -> RulingMade:
    """Take a ruling back, if what it set is still as it set it."""
    reason = game.said(reason)
    position = _position(game)
    row = next((row for row in game.rows if row.version == version), None)
    event = HOST_EVENTS.read(row.kind, row.schema, row.data) if row and row.kind in HOST_EVENTS else None
    if not isinstance(event, RulingMade):
        rulings = (act.row for act in game.history.acts if isinstance(act.event, RulingMade))
        made = ", ".join(str(row.version) for row in rulings)
        raise BadInput(f"Version {version} of the log is no ruling; the rulings are: {made or 'none'}.")
    for change in event.changes:
        now = part_of(position, change.path)
        if now != change.now:
            raise NotNow(
                f"The ruling of version {version} cannot be undone: {change.path} is {plain(now)} by now,"
                f" no longer {plain(change.now)}; make another ruling."
            )
    back = tuple(Change(path=each.path, was=each.now, now=each.was) for each in reversed(event.changes))
    return _ruled(game, reason, back)


def end(game: Game) -> str:
    """Publish the secret of a finished game; gives it as hex digits."""
    contest = game.contest
    if contest.secret is not None:
        raise NotNow(
            f"{contest.game} has been ended already{game.finished()}; its secret is in every report."
        )
    if contest.phase != "ended":
        raise NotNow(f"{contest.game} is not over: turn-{contest.turn} is open; its secret must stay one.")
    secret = game.secret.hex()
    game.append([(contest.turn, GameEnded(secret=secret))])
    game.publish(None)
    return secret


def _position(game: Game) -> Mapping[str, Json]:
    """The position that a ruling changes, as `state --json` shows it."""
    contest = game.contest
    if contest.phase == "signup":
        raise NotNow(f"{contest.game} has not started; there is no position to rule on.")
    if contest.phase == "ended":
        raise NotNow(f"{contest.game} is over; reopen turn-{contest.last_turn} to rule on its position.")
    if game.ruleset.ruling is None:
        raise NotNow(f"{contest.created.ruleset} knows no rulings on the position; reopen the turn instead.")
    return game.ruleset.state_json(game.history.state)


def _ruled(game: Game, reason: str, changes: tuple[Change, ...]) -> RulingMade:
    assert game.ruleset.ruling is not None
    game.ruleset.ruling(game.history.state, tuple((each.path, each.now) for each in changes))
    ruling = RulingMade(reason=reason, changes=changes)
    game.append([(game.contest.turn, ruling)])
    game.publish(game.contest.last_turn)
    return ruling


def _changes(position: Mapping[str, Json], wanted: Mapping[str, Json]) -> tuple[Change, ...]:
    changes = [Change(path=path, was=part_of(position, path), now=now) for path, now in wanted.items()]
    return tuple(change for change in changes if change.was != change.now)


def leaves(table: Mapping[str, Any], name: str, path: str = "") -> Iterator[tuple[str, Json]]:
    """The parts of the position that a ruling's file sets, by dotted path; an empty table is one."""
    for key, value in table.items():
        where = f"{path}.{key}" if path else key
        if "." in key or not key:
            raise BadInput(
                f"{name}: {where!r} is no part of the position; write tables as [wizards.crimson]."
            )
        if isinstance(value, Mapping) and value:
            yield from leaves(value, name, where)
        else:
            yield where, _plain(value, f"{name}: {where}")


def _plain(value: Any, where: str) -> Json:
    """A value as the log can hold it."""
    match value:
        case "none":
            return None
        case str() | bool():
            return value
        case int() if abs(value) <= MAX_NUMBER:
            return value
        case int():
            raise BadInput(f"{where} is too large a number; {MAX_NUMBER:,} is the largest that a log keeps.")
        case list():
            return [_plain(part, where) for part in value]
        case Mapping():
            return {key: _plain(part, where) for key, part in value.items()}
        case _:
            raise BadInput(
                f"{where} is {value!r:.60}; a ruling sets whole numbers, texts, yes or no, and lists."
            )


def part_of(position: Json, path: str) -> Json:
    """What stands at a dotted path of a position; None where there is nothing."""
    for key in path.split("."):
        if not isinstance(position, Mapping) or key not in position:
            return None
        position = position[key]
    return position
