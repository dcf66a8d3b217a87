"""Publishing: what the host knows of a turn as facts, and the game's report files written from them.

All of it follows from the log, the secret and game.toml's zone, so it can be written again any time.
"""

# ruff: noqa: PLC0415 - start-up is imports: what is slow to import is imported where it is used

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.clock import in_words
from pbem.config import Config
from pbem.contest import Contest
from pbem.dice import order_key
from pbem.events import (
    HOST_EVENTS,
    QUIET_KINDS,
    Event,
    Json,
    OrdersReceived,
    RulingMade,
    SeatHandedOver,
    Throw,
    TurnReopened,
    dump_json,
)
from pbem.files import read_start, write_tree
from pbem.history import History, PlayedTurn
from pbem.orders_in import printed_press
from pbem.reports.facts import (
    ArchiveFacts,
    Attempt,
    ChainRow,
    Deadline,
    DiceFacts,
    Press,
    TurnFacts,
    TurnSummary,
)
from pbem.roll import orders_that_count, roll
from pbem.rulesets import AnyRuleset, Turn
from pbem.rulesets.model import GM, PUBLIC, Report
from pbem.rulings import read_rulings
from pbem.snapshot import SNAPSHOT, snapshot_of, versions_of
from pbem.store import Row

PRIVATE_FOLDERS = ("players", "gm")
SUMMARIES = "gm/summaries.json"
MAX_SUMMARIES = 256 * 1024 * 1024

PICTURED = 30
"""So many turns, the last ones, have their map in little on the archive's first page, which else would grow
by a map with every turn."""
INDEX = ("reports/index.html", "reports/feed.xml")

_PRIVATE_KINDS = QUIET_KINDS
"""Comments and private press stand in the one, a player's own affairs in the other."""
HAND_KINDS = frozenset({"turn_reopened", "ruling_made", "orders_received", "seat_handed_over"})


@dataclass(frozen=True, slots=True)
class Archive:
    """The reports of one game."""

    folder: Path
    ruleset: AnyRuleset
    history: History
    secret: bytes
    config: Config
    _turns: "dict[str, Turn[Any, Any, Any, Any]]" = field(default_factory=dict, init=False)
    _views: dict[tuple[str, str], Report] = field(default_factory=dict, init=False)

    @property
    def disclosed(self) -> bool:
        """Whether a game that hid something is over: then everybody may see what its GM saw."""
        turns = self.history.turns
        return bool(turns) and not self.ruleset.open_information and turns[-1].closed.next_commitment is None

    @property
    def discloses(self) -> bool:
        """Whether pages of earlier turns have changed: the game has ended, or did before it was reopened."""
        played = (*self.history.turns, *self.history.voided)
        return not self.ruleset.open_information and any(
            turn.closed.next_commitment is None for turn in played
        )

    def view(self, turn: PlayedTurn, reader: str) -> Report:
        """What a reader is told of a turn: a seat, PUBLIC or GM. Built once, for pages and index alike."""
        if (turn.hash, reader) not in self._views:
            if reader == PUBLIC and self.disclosed and self.history.voided_by(turn) is None:
                report = self.view(turn, GM)._replace(reader=PUBLIC)
            else:
                report = self.ruleset.view(self.whole(turn), reader)
            self._views[turn.hash, reader] = report
        return self._views[turn.hash, reader]

    def whole(self, turn: PlayedTurn) -> "Turn[Any, Any, Any, Any]":
        """A turn as a ruleset's view is given it, with the orders that counted."""
        if turn.hash not in self._turns:
            orders = orders_that_count(turn.contest, turn.before, self.ruleset.parse)
            self._turns[turn.hash] = Turn(
                turn.number, turn.before, turn.events, turn.after, orders, turn.reported
            )
        return self._turns[turn.hash]

    def facts(self, turn: PlayedTurn) -> TurnFacts:
        """The host's part of all reports of a turn."""
        created = turn.contest.created
        after = self._contest_after(turn)
        row = turn.rows[-1]
        voided = self.history.voided_by(turn)
        ended = turn.closed.next_commitment is None
        silent = ended or voided is not None
        return TurnFacts(
            game=turn.contest.game,
            ruleset=created.ruleset,
            ruleset_title=self.ruleset.title,
            ruleset_version=created.ruleset_version,
            pbem_version=__version__,
            seats=created.seats,
            length=created.length,
            turn=turn.number,
            ended=ended,
            closed_at=row.at,
            missing=turn.closed.missing,
            deadline=None if silent else self._deadline(after, turn.number + 1),
            dice=self._dice(turn),
            log_hash=row.hash,
            log_version=row.version if self.ruleset.open_information else None,
            chain=self._chain(turn),
            press=press_by_reader(turn.contest),
            notes=self.history.contest.notes.get(turn.number, ()),
            keys={} if silent else self._keys(after, turn.number + 1),
            rulings=read_rulings(self.ruleset.files),
            orders_text=orders_text(turn.contest) if self.ruleset.open_information else {},
            void=None if voided is None else voided.reason,
            voided=self._voided(turn),
            adjudication=self.history.adjudication(turn),
            hand=hand_by_reader(turn, whole=self.ruleset.open_information),
            programs=turn.contest.programs,
        )

    def write(self, turns: Sequence[PlayedTurn]) -> None:
        """Write all reports of these turns; the index is `write_index`."""
        from pbem.reports.archive import render_turn

        for turn in turns:
            readers = (PUBLIC, GM, *turn.contest.seats)
            reports = {reader: self.view(turn, reader) for reader in readers}
            pages = render_turn(self.facts(turn), reports, self.ruleset.files)
            write_tree(self.folder, pages, PRIVATE_FOLDERS)

    def remove_stale(self) -> None:
        """Take away the pages of turns that are open again: they stand aside, marked void."""
        from pbem.reports.places import place_of

        played = {turn.number for turn in self.history.turns}
        for turn in self.history.voided:
            if turn.number not in played:
                facts = self.facts(turn)._replace(void=None)
                for reader in (PUBLIC, GM, *turn.contest.seats):
                    place = place_of(facts, reader)
                    for name in (place.page, place.map, place.data, place.text):
                        (self.folder / name).unlink(missing_ok=True)
        if not played:
            for name in (*INDEX, SUMMARIES, SNAPSHOT):
                (self.folder / name).unlink(missing_ok=True)

    def page(self, turn: PlayedTurn, reader: str) -> bytes:
        """A reader's page of a turn, as `write` writes it."""
        from pbem.reports.archive import render_turn
        from pbem.reports.places import place_of

        facts = self.facts(turn)
        pages = render_turn(facts, {reader: self.view(turn, reader)}, self.ruleset.files)
        return pages[place_of(facts, reader).page]

    def write_index(self, *, afresh: bool = False) -> None:
        """Write the archive's first page; `afresh`: from the log alone, whatever summaries are kept."""
        from pbem.reports.archive import render_index, summarise, summary_json

        kept = {} if afresh else self._kept_summaries()
        summaries: list[TurnSummary] = []
        texts: dict[str, str] = {}
        last = self.history.turns[-1]
        for turn in self.history.turns:
            text = None if turn is last else kept.get(turn.hash)
            summary = None if text is None else _summary_of(text)
            if summary is None:
                text, summary = None, summarise(self.facts(turn), self.view(turn, PUBLIC))
            if summary.thumbnail and turn.number <= last.number - PICTURED:
                text, summary = None, summary._replace(thumbnail="")
            texts[turn.hash] = summary_json(summary) if text is None else text
            summaries.append(summary)
        index = ArchiveFacts(self.facts(last), self.view(last, PUBLIC), tuple(summaries))
        files = dict(render_index(index, self.ruleset.files))
        # Drawing every old turn again for the index would take seconds.
        files[SUMMARIES] = dump_json({"versions": versions_of(self.ruleset), "by_hash": texts}).encode()
        files |= snapshot_of(last, self.ruleset)
        write_tree(self.folder, files, PRIVATE_FOLDERS)

    def _kept_summaries(self) -> dict[str, str]:
        """The summaries of turns as they were last written, by the hash of the log that they rest on."""
        try:
            kept = json.loads(read_start(self.folder / SUMMARIES, MAX_SUMMARIES))
            if kept["versions"] != versions_of(self.ruleset):
                return {}
            return dict(kept["by_hash"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}  # It only saves time: whatever is wrong with it, the log has everything.

    def _contest_after(self, turn: PlayedTurn) -> Contest:
        """The contest as the next turn closed, or as it stands: its key and deadline are that turn's."""
        return next(
            (later.contest for later in self.history.turns if later.number == turn.number + 1),
            self.history.contest,
        )

    def _deadline(self, contest: Contest, turn: int) -> Deadline | None:
        at = contest.deadlines.get(turn)
        zone = self.config.zone
        return Deadline(at, in_words(at, zone), zone.key) if at else None

    def _keys(self, contest: Contest, turn: int) -> dict[str, str]:
        return {
            seat: order_key(self.secret, contest.game, turn, seat, contest.issue(seat))
            for seat in contest.seats
        }

    def _dice(self, turn: PlayedTurn) -> DiceFacts:
        closed = turn.closed
        public = (event for event in turn.events if self.ruleset.is_public(event))
        return DiceFacts(
            attempt=closed.attempt,
            commitment=turn.contest.commitments[closed.turn],
            seed=closed.seed,
            beacon=closed.beacon,
            beacon_rule=closed.beacon_rule,
            next_commitment=closed.next_commitment,
            secret_hash=turn.contest.created.secret_hash,
            secret=self.history.contest.secret,
            first_seed=closed.seed_0,
            throws=tuple(throw for event in public for throw in throws_of(event)),
        )

    def _chain(self, turn: PlayedTurn) -> tuple[ChainRow, ...]:
        """Nothing where the ruleset hides something: kinds and numbers of rows would tell."""
        if not self.ruleset.open_information:
            return ()
        return tuple(chain_row(row, public=self._is_public(row)) for row in turn.rows)

    def _is_public(self, row: Row) -> bool:
        if row.kind in HOST_EVENTS:
            return row.kind not in _PRIVATE_KINDS
        return self.ruleset.is_public(self.ruleset.events.read(row.kind, row.schema, row.data))

    def _voided(self, turn: PlayedTurn) -> tuple[Attempt, ...]:
        """The adjudications of the turn before this one, which are void."""
        earlier = self.history.voids_of(turn.number)[: self.history.adjudication(turn) - 1]
        return tuple(
            Attempt(turn.number, place, act.event.reason) for place, act in enumerate(earlier, start=1)
        )


def _summary_of(text: str) -> TurnSummary | None:
    """A summary as it was kept; None for what is none."""
    from pbem.reports.archive import summary_from_json

    try:
        return summary_from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def hand_by_reader(turn: PlayedTurn, *, whole: bool) -> dict[str, tuple[str, ...]]:
    """What the GM did by hand since the report before; not `whole` where the ruleset hides something.

    The reasons are told to everybody: the GM's guide says so.
    """
    told: dict[str, list[str]] = {reader: [] for reader in (PUBLIC, GM, *turn.contest.seats)}
    for row in turn.rows:
        if row.kind not in HAND_KINDS:
            continue
        event = HOST_EVENTS.read(row.kind, row.schema, row.data)
        for reader, sentences in told.items():
            sentence = hand_in_words(event, knows=whole or reader in {GM, getattr(event, "seat", GM)})
            if sentence:
                sentences.append(sentence)
    return {reader: tuple(sentences) for reader, sentences in told.items() if sentences}


def hand_in_words(event: Event, *, knows: bool) -> str:
    """One thing that the GM did, as reports tell it to those who may know all of it, or not."""
    match event:
        case TurnReopened():
            dice = "Its dice were kept." if event.keep_dice else "Its dice were thrown anew."
            return f"Turn {event.turn} was reopened: {event.reason} {dice}"
        case RulingMade() if knows:
            parts = (f"{each.path}: {plain(each.now)} instead of {plain(each.was)}" for each in event.changes)
            return f"A ruling was made: {event.reason} ({'; '.join(parts)})"
        case RulingMade():
            return f"A ruling was made: {event.reason}"
        case SeatHandedOver():
            whom = f" to the program {event.player}" if event.player else ""
            return f"The seat {event.seat} was handed over{whom}."
        case OrdersReceived(reason=str()) if knows:
            return f"The GM submitted orders for {event.seat}: {event.reason}"
        case _:
            return ""


def plain(value: Json) -> str:
    """A part of the position in a sentence, as `pbem state` shows it."""
    match value:
        case None | () | []:
            return "none"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case list() | tuple() if all(isinstance(part, str | int) for part in value):
            return ", ".join(map(plain, value))
        case _:
            return dump_json(value)


def throws_of(event: Any) -> tuple[Throw, ...]:
    """The throws that an event rests on."""
    return tuple(getattr(event, "dice", None) or ())


def chain_row(row: Row, *, public: bool) -> ChainRow:
    """A row as strangers may see it."""
    return ChainRow(
        version=row.version,
        turn=row.turn,
        kind=row.kind,
        schema=row.schema,
        at=row.at,
        prev=row.prev,
        digest=row.digest,
        hash=row.hash,
        salt=row.salt if public else None,
        data=row.data if public else None,
    )


def press_by_reader(contest: Contest) -> dict[str, tuple[Press, ...]]:
    """The turn's press by who may read it: a private message is its sender's, its reader's and the GM's."""
    sent = [
        Press(each.seat, press.to, press.text)
        for each in roll(contest)
        if each.received is not None
        for press in printed_press(each.sheet, each.received.problems)
    ]
    by_reader = {
        seat: tuple(press for press in sent if press.to is None or seat in {press.to, press.seat})
        for seat in contest.seats
    }
    return {PUBLIC: tuple(press for press in sent if press.to is None), GM: tuple(sent), **by_reader}


def orders_text(contest: Contest) -> Mapping[str, tuple[tuple[int, str], ...]]:
    """The lines that counted, by seat, their comments cut."""
    return {each.seat: tuple((line.number, line.text) for line in each.sheet.lines) for each in roll(contest)}
