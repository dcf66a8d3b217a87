"""The host's own state: where a contest stands, whatever game it plays.

`evolve` folds the host's events into a `Contest`, as a ruleset's `evolve` folds its own into a state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias, assert_never

from pbem.errors import Damaged
from pbem.events import (
    HOST_EVENTS,
    DeadlineSet,
    GameCreated,
    GameEnded,
    HostEvent,
    KeyIssued,
    LineProblem,
    NoteAdded,
    OrdersReceived,
    RulingMade,
    SeatAbsent,
    SeatHandedOver,
    SeatOut,
    TurnClosed,
    TurnReopened,
    altered,
)
from pbem.store import Row

Phase: TypeAlias = Literal["signup", "open", "ended"]


class Received(NamedTuple):
    """A seat's file as the log has it: `turn` is the turn that it is for."""

    seat: str
    turn: int
    text: str
    sha256: str
    source: str
    problems: tuple[LineProblem, ...]
    at: str


@dataclass(frozen=True)
class Contest:
    """Where a contest stands. `turn` is the turn that is open; once ended, the last one played."""

    game: str
    created: GameCreated
    phase: Phase = "signup"
    turn: int = 0
    attempts: Mapping[int, int] = field(default_factory=dict)
    """By turn, where it is not 1: one more after each reopening with fresh dice."""
    commitments: Mapping[int, str] = field(default_factory=dict)
    """By turn, the last published."""
    beacon_rules: Mapping[int, str | None] = field(default_factory=dict)
    """By turn, as announced with its commitment."""
    deadlines: Mapping[int, str | None] = field(default_factory=dict)
    received: tuple[Received, ...] = ()
    dropped: tuple[Received, ...] = ()
    """What came for a later turn than the one reopened: it does not count, though its file may lie there."""
    issues: Mapping[str, int] = field(default_factory=dict)
    """By seat, the issue of its order key, where it is not 1."""
    absences: Mapping[str, int] = field(default_factory=dict)
    """By seat, the last turn for which it is away."""
    out: Mapping[str, int] = field(default_factory=dict)
    """By seat that has nothing left to order, the first turn without it."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """By seat, the program that plays it."""
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    reopened: tuple[TurnReopened, ...] = ()
    correcting: bool = False
    """Whether the open turn was reopened with its dice kept, so that only the GM's own hand may change it."""
    secret: str | None = None
    """Published when the game was ended."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Every seat that plays, in seat order."""
        return self.created.seats

    @property
    def deadline(self) -> str | None:
        """When orders for the open turn are due."""
        return self.deadlines.get(self.turn)

    @property
    def beacon_rule(self) -> str | None:
        """The public number that was announced for the open turn."""
        return self.beacon_rules.get(self.turn)

    @property
    def last_turn(self) -> int | None:
        """The last turn adjudicated; None before the start."""
        if self.phase == "signup":
            return None
        return self.turn if self.phase == "ended" else self.turn - 1

    def issue(self, seat: str) -> int:
        """The number of the order key that this seat has now."""
        return self.issues.get(seat, 1)

    def attempt_of(self, turn: int) -> int:
        """Which attempt at a turn its dice are for."""
        return self.attempts.get(turn, 1)

    def latest(self, seat: str) -> Received | None:
        """The last file that was taken from a seat, for whatever turn."""
        return next((each for each in reversed(self.received) if each.seat == seat), None)

    def sent(self, seat: str) -> Received | None:
        """The last file that was taken from a seat for the open turn."""
        found = self.latest(seat)
        return found if found and found.turn == self.turn else None


def evolve(contest: Contest, event: HostEvent, at: str) -> Contest:
    """The contest after one of the host's events, which was appended `at`; the most frequent come first."""
    match event:
        case OrdersReceived():
            taken = Received(
                event.seat, event.turn, event.text, event.sha256, event.source, event.problems, at
            )
            return altered(contest, received=contest.received + (taken,))  # noqa: RUF005 - half the time
        case TurnClosed():
            return _closed(contest, event)
        case DeadlineSet():
            return altered(contest, deadlines={**contest.deadlines, event.turn: event.at})
        case GameCreated():
            return Contest(contest.game, event, commitments={0: event.commitment})
        case KeyIssued():
            return replace(contest, issues={**contest.issues, event.seat: event.issue})
        case SeatAbsent():
            absences = {seat: until for seat, until in contest.absences.items() if seat != event.seat}
            if event.until is not None:
                absences[event.seat] = event.until
            return replace(contest, absences=absences)
        case SeatOut():
            return replace(contest, out={**contest.out, event.seat: contest.turn})
        case SeatHandedOver():
            programs = {seat: name for seat, name in contest.programs.items() if seat != event.seat}
            if event.player is not None:
                programs[event.seat] = event.player
            return replace(contest, programs=programs)
        case TurnReopened():
            return _reopened(contest, event)
        case RulingMade():
            return contest
        case NoteAdded():
            notes = (*contest.notes.get(event.turn, ()), event.text)
            return replace(contest, notes={**contest.notes, event.turn: notes})
        case GameEnded():
            return replace(contest, secret=event.secret)
        case _:
            assert_never(event)


def _closed(contest: Contest, event: TurnClosed) -> Contest:
    if event.next_commitment is None:
        return replace(contest, phase="ended", turn=event.turn, correcting=False)
    return altered(
        contest,
        phase="open",
        turn=event.turn + 1,
        commitments={**contest.commitments, event.turn + 1: event.next_commitment},
        beacon_rules={**contest.beacon_rules, event.turn + 1: event.beacon_rule},
        correcting=False,
    )


def _reopened(contest: Contest, event: TurnReopened) -> Contest:
    return replace(
        contest,
        phase="open" if event.turn else "signup",
        turn=event.turn,
        attempts={**contest.attempts, event.turn: event.attempt},
        commitments={**contest.commitments, event.turn: event.commitment},
        # What was sent for a later turn answered a position that no longer is.
        received=tuple(each for each in contest.received if each.turn <= event.turn),
        dropped=(*contest.dropped, *(each for each in contest.received if each.turn > event.turn)),
        out={seat: first for seat, first in contest.out.items() if first <= event.turn},
        reopened=(*contest.reopened, event),
        correcting=event.keep_dice,
    )


def first_event(rows: Sequence[Row]) -> GameCreated:
    """The event that made the game, without which a log is none."""
    event = HOST_EVENTS.read(rows[0].kind, rows[0].schema, rows[0].data) if rows else None
    if not isinstance(event, GameCreated):
        raise Damaged("The log does not begin with game_created; put back a backup of it.")
    return event


def fold_contest(rows: Sequence[Row]) -> Contest:
    """The host's part of a log alone: it needs no ruleset, and skips what only a ruleset can read."""
    contest = Contest(rows[0].game if rows else "", first_event(rows))
    for row in rows:
        if row.kind in HOST_EVENTS:
            contest = evolve(contest, HOST_EVENTS.read(row.kind, row.schema, row.data), row.at)
    return contest
