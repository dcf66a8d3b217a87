"""What a late order would change: the open turn, or the last one played, decided with it and without it.

Nothing is appended. Told blindly it says whom the order would touch and nothing of how, so that a GM
can decide about it without knowing whom he favours.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import clock
from pbem import contest as contests
from pbem.closing import Closing
from pbem.contest import Contest
from pbem.errors import NotNow
from pbem.events import RulesetEvent
from pbem.game import Game
from pbem.notices import changes, outcomes, own_parts
from pbem.orders_in import Desk, Incoming, order_files, take_in
from pbem.programs import with_programs
from pbem.roll import orders_that_count
from pbem.rulesets import Turn
from pbem.rulesets.model import GM, Report


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What a late file would come to."""

    incoming: Incoming
    changes: dict[str, tuple[str, ...]]
    """By seat that it would touch, what would come out otherwise: nothing for a GM who wants to be blind."""


def what_if(game: Game, turn: int, path: Path) -> WhatIf:
    """The open turn, or the last one played with its own dice, with this file and without it."""
    contest, state, beacon = _situation(game, turn, path)
    incoming = Desk(contest, game.secret, state, game.ruleset.parse).read(path)
    at = clock.stamp(game.moment())
    late = contests.evolve(contest, incoming.event(), at)
    before, after = (_came_of(game, each, state, beacon) for each in (contest, late))
    told = {seat: _told(before, after, seat) for seat in contest.seats}
    return WhatIf(incoming, {seat: lines for seat, lines in told.items() if lines})


def _situation(game: Game, turn: int, path: Path) -> tuple[Contest, Any, str | None]:
    """Contest and position as the turn is, or was, to be decided, and its beacon."""
    contest = game.contest
    if contest.last_turn is not None and turn == contest.last_turn:
        played = game.history.played(turn)
        return played.contest, played.before, played.closed.beacon
    if contest.phase == "ended" or turn != contest.turn:
        last = f" or turn-{contest.last_turn}, the last one played," if contest.last_turn is not None else ""
        raise NotNow(f"A late order can be tried for turn-{contest.turn}{last} and for no other turn.")
    if contest.beacon_rule or game.config.beacon:
        raise NotNow("With a beacon nothing is thrown beforehand; adjudicate first, then try the late order.")
    if not contest.correcting:
        files = [each for each in order_files(game.turn_folder(turn)) if each.absolute() != path.absolute()]
        intake = with_programs(game.desk, game.ruleset, take_in(game.desk, files, again=False))
        for incoming in intake.new:
            contest = contests.evolve(contest, incoming.event(), clock.stamp(game.moment()))
    return contest, game.history.state, None


@dataclass(frozen=True, slots=True)
class _CameOf:
    """What a turn would come to, as the GM sees it."""

    report: Report
    position: Any


def _came_of(game: Game, contest: Contest, state: Any, beacon: str | None) -> _CameOf:
    ruleset = game.ruleset
    plan = Closing(ruleset, contest, state, game.secret, game.config).plan((), beacon, game.moment())
    after = plan.fold(ruleset, state)
    events = tuple(event for _, event in plan.events if isinstance(event, RulesetEvent))
    orders = orders_that_count(contest, state, ruleset.parse)
    report = ruleset.view(Turn(contest.turn, state, events, after, orders), GM)
    return _CameOf(report, ruleset.state_json(after))


def _told(before: _CameOf, after: _CameOf, seat: str) -> tuple[str, ...]:
    """What would come out otherwise for a seat: its order lines, and what of the position is its own."""
    return (
        *changes(outcomes(before.report, seat), outcomes(after.report, seat)),
        *changes(own_parts(before.position, seat), own_parts(after.position, seat)),
    )


def in_words(found: WhatIf, *, blind: bool) -> list[str]:
    """Lines for the GM."""
    seat = found.incoming.seat
    others = [each for each in found.changes if each != seat]
    lines = [f"It would touch {', '.join(others) or 'nobody else'}; nothing was appended."]
    if seat not in found.changes:
        lines.insert(0, f"Nothing would come out otherwise for {seat}.")
    if not blind:
        for each, told in found.changes.items():
            lines += [f"{each}:", *told]
    return lines
