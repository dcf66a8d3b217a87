"""Whole games between programs, in memory: no log, no file, on as many processes as are wanted.

Every game follows from the seed and its number alone, and results are added up in the order of these
numbers, so that the same numbers come out whoever played which game when.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pbem.dice import player_seed, seeded, turn_seed
from pbem.errors import BadInput, NotNow
from pbem.events import Json, TurnClosed
from pbem.founding import Wanted, chosen_board, rules_source
from pbem.likelihood import ChiSquare, equal_shares
from pbem.players import Player, find_player, written_orders
from pbem.rulesets import AnyRuleset, NewGame, Turn, find_ruleset
from pbem.sheet import SeatOrders, read_sheet
from pbem.workers import spread

MOST_TURNS = 1000
"""No ruleset allows a longer game."""
BATCH = 4
"""So many games a process is handed at once."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played, as plain values that another process can be handed."""

    ruleset: str
    players: tuple[str, ...]
    seats: tuple[str, ...]
    board: str
    rules: str
    length: int
    setup: Mapping[str, Json]
    seed: str
    contests: int


class Played(NamedTuple):
    """What one game came to. `players` are by seat; curves by measure and seat, turn for turn."""

    players: tuple[str, ...]
    turns: int
    scores: tuple[Fraction, ...]
    winners: tuple[str, ...]
    curves: Mapping[str, Mapping[str, tuple[int, ...]]]
    counts: Mapping[tuple[str, str, str], int]
    """By seat, thing and what was counted of it."""
    order: tuple[str, ...]
    """All that is counted, as tables show it."""


def planned(
    ruleset_name: str,
    players: Sequence[str],
    contests: int,
    *,
    map_name: str | None = None,
    scenario: str | None = None,
    rules: Path | None = None,
    length: int | None = None,
    seed: str = "1",
) -> Plan:
    """A plan whose parts are all there; `BadInput` for what is not."""
    ruleset = find_ruleset(ruleset_name)
    if ruleset.seen is None or ruleset.tally is None or ruleset.result is None:
        raise BadInput(
            f"{ruleset.title} tells programs nothing to play by or to count; it cannot be simulated."
        )
    for name in dict.fromkeys(players):
        find_player(ruleset_name, name)
    seats = ruleset.default_seats(len(players))
    wanted = Wanted(Path(), ruleset_name, (), map_name, scenario, rules, length)
    source, board = rules_source(ruleset, wanted), chosen_board(ruleset, wanted)
    ready = ruleset.prepare(NewGame(seats, source, board, length))
    return Plan(
        ruleset_name,
        tuple(players),
        seats,
        board.name,
        source.name,
        ready.length,
        ready.setup,
        seed,
        contests,
    )


class Table:
    """A ruleset, its players and the first state: what every game of a plan begins with."""

    def __init__(self, plan: Plan) -> None:
        """Loads ruleset and players, once in each process."""
        self.plan = plan
        self.ruleset: AnyRuleset = find_ruleset(plan.ruleset)
        self.players = {name: find_player(plan.ruleset, name) for name in dict.fromkeys(plan.players)}
        self.initial = self.ruleset.initial(dict(plan.setup))

    def play(self, number: int) -> Played:
        """One game, from sign-up to its end; in the next one everybody sits one seat further on."""
        plan, ruleset = self.plan, self.ruleset
        assert ruleset.tally is not None
        assert ruleset.result is not None
        count = len(plan.players)
        names = tuple(plan.players[(place - number) % count] for place in range(count))
        seated = {seat: self.players[name] for seat, name in zip(plan.seats, names, strict=True)}
        secret = sha256(f"pbem simulate {plan.seed} {number}".encode()).digest()
        state = self.initial
        curves: dict[str, dict[str, list[int]]] = {}
        counts: Counter[tuple[str, str, str]] = Counter()
        for turn in range(MOST_TURNS + 1):
            turns = turn
            played = self._turn(state, turn, seated, secret)
            state = played.after
            told = ruleset.tally(played)
            for measure, by_seat in told.curves.items():
                for seat, value in by_seat.items():
                    curves.setdefault(measure, {}).setdefault(seat, []).append(value)
            for each in told.counts:
                counts[each.seat, each.thing, each.what] += each.amount
            if ruleset.is_over(state):
                break
        else:
            raise NotNow(f"Game {number} does not end within {MOST_TURNS} turns; give it a length.")
        result = ruleset.result(state)
        return Played(
            names,
            turns,
            tuple(result.scores[seat] for seat in plan.seats),
            result.winners,
            {
                measure: {seat: tuple(values) for seat, values in by_seat.items()}
                for measure, by_seat in curves.items()
            },
            dict(counts),
            told.order,
        )

    def _turn(
        self, state: Any, turn: int, seated: Mapping[str, Player], secret: bytes
    ) -> "Turn[Any, Any, Any, Any]":
        ruleset = self.ruleset
        assert ruleset.seen is not None
        orders: dict[str, SeatOrders[Any, Any]] = {}
        if turn or ruleset.sign_up_orders:
            for seat, player in seated.items():
                own = seeded(player_seed(secret, turn, seat))
                text = written_orders(player, ruleset.seen(state, seat), seat, own)
                orders[seat] = ruleset.parse(read_sheet(text), state, seat)
        events = ruleset.decide(state, orders, seeded(turn_seed(secret, turn)))
        after = ruleset.evolve(state, _closed(turn))
        for event in events:
            after = ruleset.evolve(after, event)
        return Turn(turn, state, events, after, orders)


def _closed(turn: int) -> TurnClosed:
    return TurnClosed(
        turn=turn, attempt=1, seed=None, beacon=None, missing=(), deadline=None, beacon_rule=None,
        next_commitment=None,
    )  # fmt: skip


def _seated(plan: Plan) -> Callable[[range], list[Played]]:
    """What a process does with numbers of games."""
    table = Table(plan)
    return lambda numbers: [table.play(number) for number in numbers]


@contextmanager
def games(plan: Plan, jobs: int) -> Iterator[Iterator[Played]]:
    """All games of a plan in the order of their numbers, played on so many processes."""
    if jobs == 1:
        table = Table(plan)
        yield (table.play(number) for number in range(plan.contests))
        return
    batches = (range(first, min(first + BATCH, plan.contests)) for first in range(0, plan.contests, BATCH))
    with spread(jobs, partial(_seated, plan), batches) as played:
        yield chain.from_iterable(played)


@dataclass(slots=True)
class Score:
    """How a seat or a player fared."""

    games: int = 0
    """In how many it played; a player in several seats of one game plays it once."""
    wins: int = 0
    """Titles that were its alone."""
    shared: int = 0
    """Titles that others had too."""
    points: Fraction = Fraction(0)
    seats: int = 0
    """How often it sat somewhere: points are spread over these."""


@dataclass(slots=True)
class Curve:
    """Sums over games by turn, and over how many each sum is."""

    sums: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)

    def add(self, values: Sequence[int]) -> None:
        """One game's values, turn for turn."""
        for turn, value in enumerate(values):
            if turn == len(self.sums):
                self.sums.append(0)
                self.games.append(0)
            self.sums[turn] += value
            self.games[turn] += 1

    def means(self) -> tuple[Fraction, ...]:
        """By turn, the mean over the games that got so far."""
        return tuple(Fraction(total, count) for total, count in zip(self.sums, self.games, strict=True))


@dataclass(slots=True)
class Summary:
    """What all games of a plan came to."""

    plan: Plan
    contests: int = 0
    tied: int = 0
    """Games whose title was shared."""
    won_by_none: int = 0
    turns: Counter[int] = field(default_factory=Counter)
    seats: dict[str, Score] = field(default_factory=dict)
    players: dict[str, Score] = field(default_factory=dict)
    curves: dict[str, dict[str, Curve]] = field(default_factory=dict)
    """By measure and player."""
    counts: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    """By player and thing, what was counted of it."""
    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.seats = {seat: Score() for seat in self.plan.seats}
        self.players = {name: Score() for name in dict.fromkeys(self.plan.players)}
        self.counts = {name: {} for name in self.players}

    def add(self, game: Played) -> None:
        """One game more."""
        by_seat = dict(zip(self.plan.seats, game.players, strict=True))
        self.contests += 1
        self.order = game.order
        self.turns[game.turns] += 1
        self.tied += len(game.winners) > 1
        self.won_by_none += not game.winners
        winning = {by_seat[seat] for seat in game.winners}
        for name in dict.fromkeys(game.players):
            _count(self.players[name], name in winning, alone=len(winning) == 1)
        for seat, points in zip(self.plan.seats, game.scores, strict=True):
            _count(self.seats[seat], seat in game.winners, alone=len(game.winners) == 1)
            for score in (self.seats[seat], self.players[by_seat[seat]]):
                score.points += points
                score.seats += 1
        for measure, curves in game.curves.items():
            for seat, values in curves.items():
                mine = self.curves.setdefault(measure, {})
                mine.setdefault(by_seat[seat], Curve()).add(values)
        for (seat, thing, what), amount in game.counts.items():
            self.counts[by_seat[seat]].setdefault(thing, Counter())[what] += amount

    def fairness(self) -> ChiSquare | None:
        """Whether titles fell to all seats alike: of the undivided ones, since those are independent."""
        return equal_shares([score.wins for score in self.seats.values()])


def _count(score: Score, won: bool, *, alone: bool) -> None:
    score.games += 1
    score.wins += won and alone
    score.shared += won and not alone


def simulate(plan: Plan, jobs: int, advance: Callable[[int], None] = lambda _: None) -> Summary:
    """Play all games of a plan; `advance` is told after each."""
    summary = Summary(plan)
    with games(plan, jobs) as played:
        for game in played:
            summary.add(game)
            advance(1)
    return summary
