"""A whole log folded once: the contest, its ruleset's state, and every turn that was played."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import ValidationError

from pbem.contest import Contest, evolve, first_event
from pbem.errors import Damaged, NotNow, PbemError, RulesetFault
from pbem.events import (
    HOST_EVENTS,
    QUIET_KINDS,
    GameCreated,
    RulesetEvent,
    RulingMade,
    TurnClosed,
    TurnReopened,
)
from pbem.rulesets import AnyRuleset, unguarded
from pbem.store import Row


class Kept(NamedTuple):
    """A ruleset's state that was put aside, and the hash of the row after which it was the state."""

    hash: str
    load: Callable[[Any], Any]
    """The state, given the one before turn 0; whatever it raises: it cannot be used."""


class Position:
    """The ruleset's state at one moment: folded when it is first asked for, since most never are."""

    __slots__ = ("_before", "_events", "_folded", "_ruleset", "_state", "rows")

    def __init__(self, ruleset: AnyRuleset, before: "Position | None", state: Any = None) -> None:
        """`before` is where it starts from, `rows` what has happened since; without it `state` is known."""
        self._ruleset = ruleset
        self._before = before
        self._state = state
        self._events: tuple[RulesetEvent, ...] = ()
        self._folded = 0
        """So many rows have been folded into `_state`; it is none yet while this is 0."""
        self.rows: list[Row] = []

    @property
    def state(self) -> Any:
        """The state; `Damaged` where a row does not fit what came before it."""
        waiting = [self]
        while (before := waiting[-1]._before) is not None and not waiting[-1]._folded:  # noqa: SLF001 - its own
            waiting.append(before)
        for each in reversed(waiting):
            each._fold()  # noqa: SLF001 - its own
        return self._state

    @property
    def ruled(self) -> "Position | None":
        """Where the turn before ended, if the GM has made rulings since."""
        place = self
        while place._before is not None and place.rows and place.rows[0].kind == "ruling_made":
            place = place._before
        return None if place is self else place

    @property
    def events(self) -> tuple[RulesetEvent, ...]:
        """What the ruleset's rows say, in order: read when asked for, since an old turn's seldom are."""
        outcomes = self.rows[1:]
        if len(self._events) < len(outcomes):
            self._events = tuple(map(self._read, outcomes))
        return self._events

    def know(self, state: Any) -> None:
        """Take a state that was kept for the one that its rows lead to."""
        self._state, self._folded = state, len(self.rows)

    def _fold(self) -> None:
        """Go on to the last row, from where this got to or from the position before."""
        if self._folded == len(self.rows):
            return
        state = self._state if self._folded or self._before is None else self._before._state  # noqa: SLF001 - a position's too
        # What every command does for every row that it needs: nothing is looked up or called in vain.
        readers, evolve_state = self._ruleset.events.readers, unguarded(self._ruleset.evolve)
        row = self.rows[0]
        try:
            if not self._folded:  # what opened the turn, or changed the position by hand, is the host's
                state = evolve_state(state, HOST_EVENTS.read(row.kind, row.schema, row.data))
            for row in self.rows[max(self._folded, 1) :]:
                state = evolve_state(state, readers[row.kind, row.schema](row.data))
        except Exception as error:
            _raise_if_told(error)
            if isinstance(error, ValidationError):
                self._read(row)  # which tells what is wrong with it
            raise _unfit(row, error) from error
        self._state, self._folded = state, len(self.rows)

    def _read(self, row: Row) -> RulesetEvent:
        event: RulesetEvent = self._ruleset.events.read(row.kind, row.schema, row.data)
        return event


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One adjudication. States and `events` are the ruleset's; `rows` are those since the last report."""

    closed: TurnClosed
    contest: Contest
    """As it stood when the turn closed: whose orders counted, which keys were out."""
    start: Position
    end: Position
    rows: tuple[Row, ...]

    @property
    def before(self) -> Any:
        """The state in which the turn was open."""
        return self.start.state

    @property
    def reported(self) -> Any:
        """The state that the report before told, if the GM's rulings changed it since; else None."""
        ruled = self.start.ruled
        return None if ruled is None else ruled.state

    @property
    def events(self) -> tuple[RulesetEvent, ...]:
        """Its outcomes."""
        return self.end.events

    @property
    def after(self) -> Any:
        """The state to which they led."""
        return self.end.state

    @property
    def number(self) -> int:
        """The turn."""
        return self.closed.turn

    @property
    def hash(self) -> str:
        """Of the log when the turn had closed, on which its reports rest."""
        return self.rows[-1].hash


@dataclass(frozen=True, slots=True)
class Act:
    """Something that the GM did by hand, with how things stood before and after it."""

    row: Row
    event: TurnReopened | RulingMade
    earlier: Contest
    contest: Contest
    """After it."""
    start: Position
    end: Position
    last: PlayedTurn | None
    """The last adjudication that counted, after it."""
    undone: PlayedTurn | None = None
    """The adjudication that a reopening made void."""

    @property
    def before(self) -> Any:
        """The ruleset's state before it."""
        return self.start.state

    @property
    def after(self) -> Any:
        """The ruleset's state after it."""
        return self.end.state


@dataclass(frozen=True, slots=True)
class History:
    """A whole log folded once: the contest, the ruleset's state now, and every turn that counts."""

    contest: Contest
    last: Row
    now: Position
    turns: tuple[PlayedTurn, ...]
    acts: tuple[Act, ...]
    published: Row
    """The last row on which anything rests that is published or sent to players."""

    @property
    def state(self) -> Any:
        """The ruleset's state now."""
        return self.now.state

    @property
    def voided(self) -> tuple[PlayedTurn, ...]:
        """The adjudications that no longer count, in the order in which they were made void."""
        return tuple(act.undone for act in self.acts if act.undone is not None)

    def voids_of(self, number: int) -> tuple[Act, ...]:
        """The reopenings of a turn, in order: the first one made its first adjudication void."""
        return tuple(act for act in self.acts if act.undone is not None and act.undone.number == number)

    def voided_by(self, turn: PlayedTurn) -> TurnReopened | None:
        """What made an adjudication void; None for one that counts."""
        found = (act.event for act in self.voids_of(turn.number) if act.undone is turn)
        return next((event for event in found if isinstance(event, TurnReopened)), None)

    def adjudication(self, turn: PlayedTurn) -> int:
        """Which adjudication of its turn this is, from 1; not always its ATTEMPT, which dice kept share."""
        voids = [act.undone for act in self.voids_of(turn.number)]
        return next((place for place, void in enumerate(voids, start=1) if void is turn), len(voids) + 1)

    def played(self, number: int) -> PlayedTurn:
        """A turn that has been adjudicated; `NotNow` if it has not."""
        for turn in self.turns:
            if turn.number == number:
                return turn
        if self.contest.phase == "signup":
            raise NotNow(f"{self.contest.game} has not started; `pbem start` resolves turn 0.")
        raise NotNow(
            f"turn-{number} has not been adjudicated; the last one that has is turn-{self.contest.last_turn}."
        )


_HOST_KINDS = frozenset(str(model.model_fields["kind"].default) for model in HOST_EVENTS)
_TURNING = frozenset({"turn_closed", "ruling_made", "turn_reopened"})
"""The kinds of the host's events that change the ruleset's state."""


def _beginning(ruleset: AnyRuleset, created: GameCreated) -> Any:
    """The state before turn 0; `Damaged` if the log's own setup makes none."""
    try:
        return ruleset.initial(created.setup)
    except Exception as error:
        _raise_if_told(error)
        raise Damaged(
            f"No game can be made from the log's first event ({_fault(error)}); put back a backup of it."
        ) from error


def _raise_if_told(error: Exception) -> None:
    """Raise what is a sentence already; a ruleset's fault is told better by who folds the log."""
    if isinstance(error, PbemError) and not isinstance(error, RulesetFault):
        raise error


def _fault(error: Exception) -> str:
    """The name of what a ruleset raised."""
    return type(error.__cause__ if isinstance(error, RulesetFault) else error).__name__


def _unfit(row: Row, error: Exception) -> Damaged:
    """What an undamaged log of ours cannot hold: somebody wrote a log of his own."""
    return Damaged(
        f"Event {row.version} of the log, {row.kind}, does not fit what came before it"
        f" ({_fault(error)}); put back a backup of it."
    )


def _no_turn(row: Row) -> Damaged:
    return Damaged(f"Event {row.version} of the log belongs to no turn; put back a backup of it.")


class _Outcomes(NamedTuple):
    """A turn whose outcomes are being read."""

    closed: TurnClosed
    contest: Contest
    start: Position


class Fold:
    """One pass over a log with its ruleset: `add` takes rows in order, `history` is what came of them.

    The host's rows are read at once; the ruleset's when a state that rests on them is asked for, and
    not at all where a state that was kept stands for them.
    """

    def __init__(self, ruleset: AnyRuleset, rows: Sequence[Row], kept: Kept | None = None) -> None:
        """`ruleset` is the one that the first row names."""
        self._ruleset = ruleset
        self._kept = kept
        self._contest = Contest(rows[0].game, first_event(rows))
        self._beginning = _beginning(ruleset, self._contest.created)
        self._now = Position(ruleset, None, self._beginning)
        self._turns: list[PlayedTurn] = []
        self._acts: list[Act] = []
        self._since: list[Row] = []
        self._outcomes: _Outcomes | None = None
        self._last = rows[-1]
        self._published = rows[0]
        self.add(rows)

    def add(self, rows: Sequence[Row]) -> None:
        """Go on with rows that follow those so far."""
        hosts = [place for place, row in enumerate(rows) if row.kind in _HOST_KINDS]
        done = 0
        for place in (*hosts, len(rows)):
            if place > done:
                self._ruleset_rows(rows[done:place])
            if place < len(rows):
                row = rows[place]
                try:
                    self._host(row)
                except Exception as error:
                    _raise_if_told(error)
                    raise _unfit(row, error) from error
            done = place + 1
        self._last = rows[-1] if rows else self._last
        self._published = next(
            (row for row in reversed(rows) if row.kind not in QUIET_KINDS), self._published
        )

    def _ruleset_rows(self, rows: Sequence[Row]) -> None:
        """A turn's outcomes, or more of them: to be read when they are asked for."""
        if self._outcomes is None:
            raise _no_turn(rows[0])
        self._now.rows += rows
        self._since += rows

    def settle(self) -> None:
        """Fold the ruleset's rows so far as well: `Damaged` for one that does not fit."""
        self._now.state  # noqa: B018 - folds

    def history(self) -> History:
        """What has happened so far."""
        self._finish_turn()
        return History(
            self._contest, self._last, self._now, tuple(self._turns), tuple(self._acts), self._published
        )

    def _host(self, row: Row) -> None:
        """A row of the host's; few kinds of them concern the ruleset."""
        self._finish_turn()
        event = HOST_EVENTS.read(row.kind, row.schema, row.data)
        self._since.append(row)
        before, earlier, undone = self._now, self._contest, None
        self._contest = evolve(earlier, event, row.at)
        if row.kind not in _TURNING:
            return
        match event:
            case TurnClosed():
                self._outcomes = _Outcomes(event, earlier, before)
                self._go_on(row)
                return
            case RulingMade():
                self._go_on(row)
            case TurnReopened():
                undone = self._undone(row, event)
                self._now = undone.start
            case _:
                return
        last = self._turns[-1] if self._turns else None
        self._acts.append(Act(row, event, earlier, self._contest, before, self._now, last, undone))

    def _go_on(self, row: Row) -> None:
        """From here on there is another position, which begins with this row."""
        self._now = Position(self._ruleset, self._now)
        self._now.rows.append(row)

    def _undone(self, row: Row, event: TurnReopened) -> PlayedTurn:
        """The last adjudication, which is the only one that can be reopened."""
        if not self._turns or self._turns[-1].number != event.turn:
            raise Damaged(
                f"Event {row.version} of the log reopens turn-{event.turn}, which was not the last one"
                " adjudicated; put back a backup of it."
            )
        return self._turns.pop()

    def _finish_turn(self) -> None:
        """The outcomes of a turn end where the host speaks again, or the log does."""
        if self._outcomes is None:
            return
        closed, contest, start = self._outcomes
        turn = PlayedTurn(closed, contest, start, self._now, tuple(self._since))
        if self._kept is not None and self._kept.hash == turn.hash:
            with suppress(Exception):  # it only saves time
                self._now.know(self._kept.load(self._beginning))
        self._turns.append(turn)
        self._since, self._outcomes = [], None
