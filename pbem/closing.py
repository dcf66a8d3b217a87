"""Closing a turn: whose orders count, what the ruleset makes of them, and what is committed to next."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem import clock
from pbem.config import Config
from pbem.contest import Contest
from pbem.dice import commitment, seeded, turn_seed, with_beacon
from pbem.errors import NotNow
from pbem.events import DeadlineSet, Event, RulesetEvent, SeatOut, TurnClosed
from pbem.orders_in import Incoming, Intake
from pbem.roll import orders_that_count, roll
from pbem.rulesets import AnyRuleset


@dataclass(frozen=True, slots=True)
class Closed:
    """What closing a turn came to; `text` is the GM's report where nothing was appended."""

    turn: int
    taken: tuple[Incoming, ...]
    events: int
    ended: bool
    deadline: str | None
    report: Path
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The events of a turn's closing, each with the turn that its row belongs to."""

    events: tuple[tuple[int, Event], ...]
    ended: bool
    deadline: str | None

    @property
    def outcomes(self) -> int:
        """How many of them are the ruleset's."""
        return sum(isinstance(event, RulesetEvent) for _, event in self.events)

    def fold(self, ruleset: AnyRuleset, state: Any) -> Any:
        """The state that they would leave."""
        for _, event in self.events:
            if isinstance(event, RulesetEvent | TurnClosed):
                state = ruleset.evolve(state, event)
        return state


def missing_seats(
    contest: Contest, intake: Intake, now: datetime, *, allow_missing: bool, warn: Callable[[str], None]
) -> tuple[str, ...]:
    """Who has sent nothing; `NotNow` if that, or a bad file, stands in the way.

    Nothing does where the GM says so or the deadline has passed: then bad files are only warned of.
    """
    missing = tuple(each.seat for each in roll(contest) if each.state == "missing")
    past = contest.deadline is not None and now >= clock.read_stamp(contest.deadline)
    sentences = dict.fromkeys(intake.refused.values())
    if allow_missing or past:
        for sentence in sentences:
            warn(sentence)
        return missing
    waiting = [seat for seat in contest.seats if seat in missing or seat in intake.refused_seats]
    reasons = [sentence.rstrip(".") for sentence in sentences]
    if waiting:
        reasons.append(f"orders are missing from {', '.join(waiting)}")
    if reasons:
        raise NotNow(f"turn-{contest.turn} waits: {'; '.join(reasons)}; --allow-missing goes on without.")
    return missing


@dataclass(frozen=True, slots=True)
class Closing:
    """All that the closing of the open turn rests on; `contest` has every order that was taken in."""

    ruleset: AnyRuleset
    contest: Contest
    state: Any
    secret: bytes
    config: Config

    def plan(self, missing: tuple[str, ...], beacon: str | None, now: datetime) -> Plan:
        """What will be appended."""
        turn = self.contest.turn
        outcomes = self._outcomes(beacon)
        closed = self._closed(missing, beacon)
        after = self._after(closed, outcomes)
        ended = self.ruleset.is_over(after)
        if ended:
            last_words = {"next_commitment": None, "beacon_rule": None, "seed_0": self._first_seed()}
            closed = closed.model_copy(update=last_words)
        rhythm = self.config.rhythm
        deadline = clock.stamp(rhythm.next_after(now)) if rhythm and not ended else None
        events: list[tuple[int, Event]] = [(turn, event) for event in (closed, *outcomes)]
        if not ended and self.ruleset.out is not None:
            gone = (seat for seat in self.ruleset.out(after) if seat not in self.contest.out)
            events += [(turn + 1, SeatOut(seat=seat)) for seat in gone]
        if deadline:
            events.append((turn + 1, DeadlineSet(turn=turn + 1, at=deadline)))
        return Plan(tuple(events), ended, deadline)

    def _outcomes(self, beacon: str | None) -> tuple[RulesetEvent, ...]:
        seed = self._seed(self.contest.turn)
        dice = seeded(with_beacon(seed, beacon) if beacon else seed)
        orders = orders_that_count(self.contest, self.state, self.ruleset.parse)
        return self.ruleset.decide(self.state, orders, dice)

    def _closed(self, missing: tuple[str, ...], beacon: str | None) -> TurnClosed:
        turn = self.contest.turn
        hidden = turn == 0 and self.ruleset.sign_up_orders
        return TurnClosed(
            turn=turn,
            attempt=self.contest.attempt_of(turn),
            seed=None if hidden else self._seed(turn).hex(),
            beacon=beacon,
            missing=missing,
            deadline=self.contest.deadline,
            beacon_rule=self.config.beacon,
            next_commitment=commitment(self._seed(turn + 1)),
        )

    def _after(self, closed: TurnClosed, outcomes: Iterable[RulesetEvent]) -> Any:
        state = self.ruleset.evolve(self.state, closed)
        for event in outcomes:
            state = self.ruleset.evolve(state, event)
        return state

    def _seed(self, turn: int) -> bytes:
        return turn_seed(self.secret, turn, self.contest.attempt_of(turn))

    def _first_seed(self) -> str | None:
        """Of turn 0, where that had to stay hidden until now."""
        return self._seed(0).hex() if self.ruleset.sign_up_orders else None
