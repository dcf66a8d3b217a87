"""Promises and whether they were kept: each event of a log held against what was published before it.

For those who have the log (`verify`, with the secret) and for those who have its public rows alone
(`audit`, without it) alike: what only the secret could show is then left out.
"""

from collections import Counter
from typing import assert_never

from pbem import contest as contests
from pbem.contest import Contest
from pbem.dice import commitment, throw, turn_seed, with_beacon
from pbem.events import (
    DeadlineSet,
    GameCreated,
    GameEnded,
    HostEvent,
    KeyIssued,
    NoteAdded,
    OrdersReceived,
    RulesetEvent,
    RulingMade,
    SeatAbsent,
    SeatHandedOver,
    SeatOut,
    Throw,
    TurnClosed,
    TurnReopened,
)
from pbem.orders_in import text_digest

MAX_SIDES = 65536
KINDS = ("events", "commitments", "seeds", "throws")
"""What is counted."""


class Broken(Exception):
    """An event that does not follow from what came before it; says in what."""


def must(fits: bool, what: str) -> None:
    """`Broken`, saying what is wrong, unless it fits."""
    if not fits:
        raise Broken(what)


class Promises:
    """What has been promised so far. `host` and `outcome` take the events in the order of the log."""

    def __init__(self, game: str, created: GameCreated, secret: bytes | None, *, hides_turn_0: bool) -> None:
        """`hides_turn_0`: the seed of turn 0 stays hidden until the end, since secrets rest on it."""
        self.checked = Counter(dict.fromkeys(KINDS, 0))
        self.contest = Contest(game, created)
        self._secret = secret
        self._hides_turn_0 = hides_turn_0
        self._seed: bytes | None = None
        """That of the turn whose outcomes are being read, beacon mixed in; None while it is hidden."""
        self._hidden: list[Throw] = []

    def host(self, event: HostEvent, turn: int, at: str) -> None:
        """The host's next event, in a row of the turn `turn`; `Broken` if it breaks a promise."""
        contest = self.contest
        if not isinstance(event, GameCreated):
            must(turn == contest.turn, f"its row says turn {turn}, but turn {contest.turn} was open")
        match event:
            case GameCreated():
                self._created(event)
            case TurnClosed():
                self._closed(event)
            case TurnReopened():
                self._reopened(event)
            case KeyIssued():
                must(event.seat in contest.seats, f"it gives a key to {event.seat}, who does not play")
                must(event.issue == contest.issue(event.seat) + 1, f"it skips to key {event.issue}")
            case OrdersReceived():
                must(event.seat in contest.seats, f"it has orders of {event.seat}, who does not play")
                must(event.turn == contest.turn, f"it has orders for turn {event.turn}, which was not open")
                must(event.sha256 == text_digest(event.text), "its sha256 is not that of its text")
                must(
                    not contest.correcting or bool(event.reason), "only the GM could submit then, saying why"
                )
            case RulingMade():
                must(contest.phase == "open", "a ruling was made where no turn was open")
            case GameEnded():
                self._ended(event)
            case SeatAbsent() | SeatOut() | SeatHandedOver():
                must(event.seat in contest.seats, f"it is about {event.seat}, who does not play")
            case DeadlineSet() | NoteAdded():
                pass
            case _:
                assert_never(event)
        self.contest = contests.evolve(contest, event, at)
        self.checked["events"] += 1

    def outcome(self, event: RulesetEvent, turn: int, closed: int) -> None:
        """An event of the turn `closed`; `Broken` if one of its throws is not what the dice gave."""
        must(turn == closed, f"its row says turn {turn}, but it is an outcome of turn {closed}")
        for thrown in getattr(event, "dice", None) or ():
            self._thrown(thrown)
        self.checked["events"] += 1

    def _created(self, event: GameCreated) -> None:
        if self._secret is None:
            return
        must(commitment(self._secret) == event.secret_hash, "its secret_hash is not that of the secret")
        self._committed(0, event.commitment)

    def _committed(self, turn: int, promised: str) -> None:
        """A commitment, as far as it can be checked before its seed is revealed."""
        if self._secret is not None:
            seed = turn_seed(self._secret, turn, self.contest.attempt_of(turn))
            must(commitment(seed) == promised, f"its commitment is not that of the seed of turn {turn}")
            self.checked["commitments"] += 1

    def _closed(self, event: TurnClosed) -> None:
        contest = self.contest
        must(contest.phase != "ended", "it closes a turn of a game that was over")
        must(event.turn == contest.turn, f"it closes turn {event.turn}, but turn {contest.turn} was open")
        attempt = contest.attempt_of(event.turn)
        must(event.attempt == attempt, f"it is attempt {event.attempt}, but attempt {attempt} was due")
        must(
            event.beacon is not None or contest.beacon_rule is None,
            f"no beacon was mixed in, though one had been announced: {contest.beacon_rule}",
        )
        self._seed = self._revealed(event)
        if event.seed_0 is not None:
            self._kept(0, _bytes(event.seed_0), "seed_0")
            hidden, self._hidden = self._hidden, []
            self._check(hidden, _bytes(event.seed_0))
        if event.next_commitment is not None:
            self._committed(event.turn + 1, event.next_commitment)
        elif self._hides_turn_0:
            must(event.seed_0 is not None, "it ends the game, but does not reveal the seed of turn 0")

    def _revealed(self, event: TurnClosed) -> bytes | None:
        """The seed in use, beacon mixed in, held against its commitment."""
        if event.seed is None:
            must(self._hides_turn_0 and event.turn == 0, "it does not reveal its seed")
            if self._secret is None:
                return None
            seed = turn_seed(self._secret, 0, event.attempt)
        else:
            seed = _bytes(event.seed)
        self._kept(event.turn, seed, "seed")
        return with_beacon(seed, event.beacon) if event.beacon is not None else seed

    def _kept(self, turn: int, seed: bytes, name: str) -> None:
        promised = self.contest.commitments.get(turn)
        must(commitment(seed) == promised, f"its {name} is not the one that was committed to for turn {turn}")
        if self._secret is not None:
            true = turn_seed(self._secret, turn, self.contest.attempt_of(turn))
            must(seed == true, f"its {name} does not come from the secret")
        self.checked["seeds"] += 1

    def _thrown(self, thrown: Throw) -> None:
        if self._seed is None:
            self._hidden.append(thrown)
        else:
            self._check([thrown], self._seed)

    def _check(self, throws: list[Throw], seed: bytes) -> None:
        for thrown in throws:
            must(1 <= thrown.sides <= MAX_SIDES, f"it throws a die of {thrown.sides} sides")
            value = throw(seed, thrown.key, thrown.sides)
            told = f"its throw {thrown.key!r} is {thrown.value}, but the dice gave {value}"
            must(value == thrown.value, told)
            self.checked["throws"] += 1

    def _reopened(self, event: TurnReopened) -> None:
        contest = self.contest
        must(event.turn == contest.last_turn, f"it reopens turn {event.turn}, which was not the last one")
        must(contest.secret is None, "it reopens a game whose secret was published")
        before = contest.attempt_of(event.turn)
        due = before if event.keep_dice else before + 1
        must(event.attempt == due, f"it is attempt {event.attempt}, but attempt {due} was due")
        if event.keep_dice:
            kept = event.commitment == contest.commitments.get(event.turn)
            must(kept, "it says that the dice are kept, but commits to others")
        if self._secret is not None:
            seed = turn_seed(self._secret, event.turn, event.attempt)
            must(commitment(seed) == event.commitment, "its commitment is not that of the secret's seed")
        self.checked["commitments"] += 1

    def _ended(self, event: GameEnded) -> None:
        must(self.contest.phase == "ended", "it publishes the secret of a game that was not over")
        fits = commitment(_bytes(event.secret)) == self.contest.created.secret_hash
        must(fits, "its secret is not the one of which the hash was published")


def _bytes(text: str) -> bytes:
    """Hex digits as bytes, as they are published: 64 small ones."""
    try:
        read = bytes.fromhex(text)
    except ValueError:
        read = b""
    must(read.hex() == text and len(read) == 32, f"{text!r} is no 64 hex digits")
    return read
