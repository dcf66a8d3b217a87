"""A whole log folded once: the contest, its ruleset's state, and every turn that was played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

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
from pbem.rulesets import AnyRuleset
from pbem.store import Row


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One adjudication. States and `events` are the ruleset's; `rows` are those since the last report."""

    closed: TurnClosed
    contest: Contest
    """As it stood when the turn closed: whose orders counted, which keys were out."""
    before: Any
    events: tuple[RulesetEvent, ...]
    after: Any
    rows: tuple[Row, ...]

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
    before: Any
    after: Any
    last: PlayedTurn | None
    """The last adjudication that counted, after it."""
    undone: PlayedTurn | None = None
    """The adjudication that a reopening made void."""


@dataclass(frozen=True, slots=True)
class History:
    """A whole log folded once: the contest, the ruleset's state now, and every turn that counts."""

    contest: Contest
    last: Row
    state: Any
    turns: tuple[PlayedTurn, ...]
    acts: tuple[Act, ...]
    published: Row
    """The last row on which anything rests that is published or sent to players."""

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


@dataclass(slots=True)
class _Outcomes:
    """A turn whose outcomes are being read."""

    closed: TurnClosed
    contest: Contest
    before: Any
    events: list[RulesetEvent]


def _no_turn(row: Row) -> NoReturn:
    raise Damaged(f"Event {row.version} of the log belongs to no turn; put back a backup of it.")


class Fold:
    """One pass over a log with its ruleset: `add` takes rows in order, `history` is what came of them."""

    def __init__(self, ruleset: AnyRuleset, rows: Sequence[Row]) -> None:
        """`ruleset` is the one that the first row names."""
        self._ruleset = ruleset
        self._contest = Contest(rows[0].game, first_event(rows))
        self._state = _beginning(ruleset, self._contest.created)
        self._turns: list[PlayedTurn] = []
        self._acts: list[Act] = []
        self._since: list[Row] = []
        self._outcomes: _Outcomes | None = None
        self._last = rows[-1]
        self._published = rows[0]
        self.add(rows)

    def add(self, rows: Sequence[Row]) -> None:
        """Go on with rows that follow those so far."""
        read, evolve_state = self._ruleset.events.read, self._ruleset.evolve
        for row in rows:
            try:
                if row.kind in _HOST_KINDS:
                    self._host(row)
                    continue
                event = read(row.kind, row.schema, row.data)
                found = self._outcomes or _no_turn(row)
                self._since.append(row)
                found.events.append(event)
                self._state = evolve_state(self._state, event)
            except Exception as error:
                _raise_if_told(error)
                # What an undamaged log of ours cannot hold: somebody wrote a log of his own.
                raise Damaged(
                    f"Event {row.version} of the log, {row.kind}, does not fit what came before it"
                    f" ({_fault(error)}); put back a backup of it."
                ) from error
        self._last = rows[-1] if rows else self._last
        self._published = next(
            (row for row in reversed(rows) if row.kind not in QUIET_KINDS), self._published
        )

    def history(self) -> History:
        """What has happened so far."""
        self._finish_turn()
        return History(
            self._contest, self._last, self._state, tuple(self._turns), tuple(self._acts), self._published
        )

    def _host(self, row: Row) -> None:
        """A row of the host's; few kinds of them concern the ruleset."""
        self._finish_turn()
        event = HOST_EVENTS.read(row.kind, row.schema, row.data)
        self._since.append(row)
        before, earlier, undone = self._state, self._contest, None
        self._contest = evolve(earlier, event, row.at)
        if row.kind not in _TURNING:
            return
        match event:
            case TurnClosed():
                self._outcomes = _Outcomes(event, earlier, before, [])
                self._state = self._ruleset.evolve(before, event)
                return
            case RulingMade():
                self._state = self._ruleset.evolve(before, event)
            case TurnReopened():
                undone = self._undone(row, event)
                self._state = undone.before
            case _:
                return
        last = self._turns[-1] if self._turns else None
        self._acts.append(Act(row, event, earlier, self._contest, before, self._state, last, undone))

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
        found = self._outcomes
        self._turns.append(
            PlayedTurn(
                found.closed,
                found.contest,
                found.before,
                tuple(found.events),
                self._state,
                tuple(self._since),
            )
        )
        self._since, self._outcomes = [], None
