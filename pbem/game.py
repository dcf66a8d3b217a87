"""Game: where log, ruleset, dice, clock and files meet. Every command of the GM's is one method.

A method reads the log once, decides, appends in one transaction, and then writes what can be
written again: reports follow from the log, never the other way round.
"""

# ruff: noqa: PLC0415 - start-up is imports: what is slow to import is imported where it is used

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import clock, roll
from pbem import contest as contests
from pbem.contest import Contest
from pbem.dice import commitment, salts
from pbem.errors import BadInput, Damaged, NotNow, PbemError, shown
from pbem.events import (
    QUIET_KINDS,
    DeadlineSet,
    Event,
    KeyIssued,
    NoteAdded,
    SeatAbsent,
    SeatHandedOver,
    dump_json,
    event_data,
)
from pbem.files import CONFIG, PRIVATE_FOLDER, make_folders, read_start, write_tree
from pbem.home import Home, home_of, is_game
from pbem.store import Draft, EventLog, Row, Salt, chained

if TYPE_CHECKING:  # slow to import, and `status` needs none of it
    from pbem.archive import Archive
    from pbem.closing import Closed, Plan
    from pbem.config import Config
    from pbem.history import Fold, History, PlayedTurn
    from pbem.orders_in import CheckedLine, Desk, Intake
    from pbem.rulesets import AnyRuleset
    from pbem.rulesets.model import OrderReport

EARLY_CLOCK = 600
"""Seconds by which the clock may be behind the log's last event, as clocks are that get corrected."""

MAX_REASON = 1000
REACHED = "gm/log.txt"
"""Version and hash of the last row on which any report rests: written last of all."""
MAX_REACHED = 200
"""Bytes that are read: neither file ever has more."""

Warn = Callable[[str], None]


class Game:
    """A game in its folder. Opening it reads nothing yet."""

    def __init__(
        self, folder: Path, *, now: Callable[[], datetime] = clock.now, warn: Warn = lambda _: None
    ) -> None:
        """`warn` is told, in a sentence each, what is wrong without being in the way."""
        self.folder = folder
        self._now = now
        self._warn = warn
        self._was_finished = True
        """Whether all reports had been written when this command first appended."""

    @classmethod
    def find(cls, start: Path, *, warn: Warn = lambda _: None) -> "Game":
        """The game in this folder or the nearest one above it, as git finds its repository."""
        start = start.resolve()
        if not start.is_dir():
            raise BadInput(f"{start} is no folder; name the game's folder.")
        for folder in (start, *start.parents):
            if (folder / CONFIG).is_file():
                return cls(folder, warn=warn)
        raise BadInput(f"There is no game in {start} or above it ({CONFIG} is missing); use pbem -C DIR.")

    # What there is to read.

    @cached_property
    def home(self) -> Home:
        """Where the game is kept: in its folder, or where [store] of game.toml leads to."""
        return home_of(self.folder)

    @property
    def log(self) -> EventLog:
        """The event log, wherever it is."""
        return self.home.log

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The log as it was when first asked for."""
        rows = self.log.rows()
        witnessed = reached(self.folder)
        if witnessed and not witnessed.is_in(rows):
            self._warn(
                f"The reports are of a log that had reached version {witnessed.version}; this one has not:"
                " was its end cut off? See `pbem verify`."
            )
        return rows

    @cached_property
    def contest(self) -> Contest:
        """The host's state, without the ruleset's unless that has been asked for already."""
        return self.history.contest if "_fold" in vars(self) else contests.fold_contest(self.rows)

    @cached_property
    def config(self) -> "Config":
        """game.toml."""
        from pbem.config import config_of

        return config_of(self.settings, self.home.settings_path)

    @cached_property
    def settings(self) -> str:
        """The text of game.toml, wherever it is kept."""
        return self.home.settings()

    @cached_property
    def ruleset(self) -> "AnyRuleset":
        """The ruleset that the log names."""
        from pbem.rulesets import find_ruleset

        return find_ruleset(contests.first_event(self.rows).ruleset)

    @cached_property
    def _fold(self) -> "Fold":
        from pbem.history import Fold
        from pbem.snapshot import read_snapshot

        return Fold(self.ruleset, self.rows, read_snapshot(self.folder, self.ruleset))

    @property
    def history(self) -> "History":
        """The whole log folded."""
        return self._fold.history()

    @cached_property
    def secret(self) -> bytes:
        """The dice secret; `Damaged` if its file is missing or another game's."""
        secret = self.home.secret()
        if commitment(secret) != self.contest.created.secret_hash:
            raise Damaged(
                f"{self.home.secret_name} is not the secret of {self.contest.game}; put back a copy of the"
                " right one."
            )
        if (told := self.home.told_of_secret()) and self.contest.secret is None:
            self._warn(told)
        return secret

    @property
    def archive(self) -> "Archive":
        """The reports."""
        from pbem.archive import Archive

        return Archive(self.folder, self.ruleset, self.history, self.secret, self.config)

    @property
    def desk(self) -> "Desk":
        """Where order files are read and held against this game."""
        from pbem.orders_in import Desk

        return Desk(self.contest, self.secret, self.history.state, self.ruleset.parse)

    def turn_folder(self, turn: int) -> Path:
        """Where order files of a turn lie."""
        return self.folder / "orders" / f"turn-{turn}"

    # The GM's commands.

    def start(self, *, allow_missing: bool = False) -> "Closed":
        """End sign-up and resolve turn 0."""
        if self.contest.phase != "signup":
            raise NotNow(f"{self.contest.game} has started already{self.finished()}; see `pbem status`.")
        return self._close(0, beacon=None, allow_missing=allow_missing, dry_run=False)

    def adjudicate(
        self, turn: int, *, beacon: str | None = None, allow_missing: bool = False, dry_run: bool = False
    ) -> "Closed":
        """Resolve the open turn and write its reports; refused for any other turn."""
        self._fold  # noqa: B018 - folded once, for the contest and the ruleset's state alike
        self._must_be_open(turn)
        rule = self.contest.beacon_rule or self.config.beacon
        if rule and dry_run:
            raise NotNow("With a beacon nothing is thrown beforehand; adjudicate without --dry-run.")
        if rule and not beacon:
            raise NotNow(f"turn-{turn} needs its beacon: --beacon TEXT, which is {rule}.")
        if beacon and not rule:
            raise NotNow(
                'No beacon was agreed on; announce it as [dice] beacon = "what, of which date" in game.toml.'
            )
        if beacon and not self.contest.beacon_rule:
            self._warn(
                f"The last report announced no beacon for turn-{turn}: the players had only your word."
            )
        return self._close(turn, beacon=beacon or None, allow_missing=allow_missing, dry_run=dry_run)

    def submit(
        self, paths: Sequence[Path], *, stdin: Callable[[], bytes] = lambda: b"", reason: str | None = None
    ) -> "Intake":
        """Take in order files and folders of them, all or none; the path `-` stands for `stdin`.

        `reason` is needed while the GM corrects a turn, and is told to everybody.
        """
        from pbem.orders_in import merge_intakes, order_files, take_in, take_in_bytes

        self.must_take_orders(by_hand=reason is not None)
        reason = None if reason is None else self.said(reason)
        desk = self.desk
        files = [path for path in paths if str(path) != "-" and not path.is_dir()]
        folders = [path for path in paths if str(path) != "-" and path.is_dir()]
        intakes = [take_in(desk, files, again=True)]
        intakes += [take_in(desk, order_files(folder), again=False) for folder in folders]
        if len(files) + len(folders) < len(paths):
            intakes.append(take_in_bytes(desk, stdin(), "standard input"))
        intake = merge_intakes(intakes)
        if intake.refused:
            reasons = [sentence.rstrip(".") for sentence in dict.fromkeys(intake.refused.values())]
            raise BadInput(f"Nothing was taken: {'; '.join(reasons)}.")
        self.append([(self.contest.turn, each.event(reason)) for each in intake.new])
        return intake

    def check(self, path: Path, *, stdin: Callable[[], bytes] = lambda: b"") -> "tuple[CheckedLine, ...]":
        """What would be done with a file's lines now; appends nothing."""
        self.must_take_orders(by_hand=True)
        desk = self.desk
        incoming = desk.take(stdin(), "standard input") if str(path) == "-" else desk.read(path)
        forecasts = self.ruleset.forecast(self.history.state, incoming.seat, incoming.orders)
        return incoming.checked({forecast.line: forecast.text for forecast in forecasts})

    def note(self, turn: int, text: str) -> Path | None:
        """Add a note to a turn's report; gives the report, or None where it is yet to be written."""
        if turn > self.contest.turn:
            raise NotNow(f"turn-{turn} is not open yet; turn-{self.contest.turn} is.")
        if not text.strip():
            raise BadInput("The note is empty; write what should stand in the report.")
        self.append([(self.contest.turn, NoteAdded(turn=turn, text=self.without_keys(text.strip())))])
        if self.contest.last_turn is None or turn > self.contest.last_turn:
            return None
        self.publish(turn)
        return self._report_path(turn)

    def take_in_folder(self) -> "Intake":
        """Take in the good new files of the open turn's folder; the bad ones stay where they are.

        Programs write when the turn is closed: until then the position may change, or the seat its hand.
        """
        from pbem.orders_in import order_files, take_in

        self.must_take_orders()
        intake = take_in(self.desk, order_files(self.turn_folder(self.contest.turn)), again=False)
        self.append([(self.contest.turn, each.event()) for each in intake.new])
        return intake

    def _with_programs(self, intake: "Intake") -> "Intake":
        """An intake with what programs write for their seats."""
        if not self.contest.programs:
            return intake
        from pbem.programs import with_programs

        return with_programs(self.desk, self.ruleset, intake)

    def _keep_copies(self, intake: "Intake") -> None:
        if self.contest.programs:
            from pbem.programs import keep_copies

            turn = next((each.turn for each in intake.new), self.contest.turn)
            make_folders(self.folder, self.turn_folder(turn), PRIVATE_FOLDER)
            keep_copies(self.turn_folder(turn), self.contest, intake.new)

    def set_deadline(self, turn: int, text: str) -> str | None:
        """Set when orders for the open turn are due, in the game's zone, or `none`; gives the stamp."""
        from pbem.clock import local_time

        self._must_be_open(turn)
        at = None if text.casefold() == "none" else clock.stamp(local_time(text, self.config.zone))
        self.append([(turn, DeadlineSet(turn=turn, at=at))])
        if self.contest.last_turn is not None:
            self.publish(self.contest.last_turn)
        return at

    def absent(self, seat: str, until: int | None) -> None:
        """Note that a seat is away up to and including a turn; None: it is back."""
        self._must_be_seat(seat)
        if self.contest.phase == "ended":
            raise NotNow(f"{self.contest.game} is over; nobody needs to be away.")
        if until is not None and until < self.contest.turn:
            raise BadInput(f"turn-{until} is past; name turn-{self.contest.turn} or a later one.")
        self.record([SeatAbsent(seat=seat, until=until)])

    def hand_over(self, seat: str, name: str | None, email: str | None) -> str:
        """Give a seat to another player, or a player another address: gives the seat's new key."""
        from pbem.keys import key_of

        self._must_be_seat(seat)
        if self.contest.phase == "ended":
            raise NotNow(f"{self.contest.game} is over; correct names and addresses in {CONFIG} itself.")
        if name is None and seat in self.contest.programs:
            raise BadInput(f"{seat} is played by a program; say with --name who plays it from here on.")
        self._hand(SeatHandedOver(seat=seat), name, email)
        return key_of(self.secret, self.contest, seat)

    def hand_to_program(self, seat: str, program: str) -> None:
        """Have a program play a seat: its keys so far are worth nothing, and its address goes."""
        from pbem.programs import check_program

        self._must_be_seat(seat)
        if self.contest.phase == "ended":
            raise NotNow(f"{self.contest.game} is over; no more orders are taken.")
        check_program(self.ruleset, program)
        self._hand(SeatHandedOver(seat=seat, player=program), f"the program {program}", "")

    def _hand(self, event: SeatHandedOver, name: str | None, email: str | None) -> None:
        """Log who has the seat now, with another key, and write name and address into the settings."""
        from pbem.config import with_player

        def changed() -> str:
            return with_player(self.home.settings(), self.home.settings_path, event.seat, name, email)

        changed()  # what cannot be done is refused before anything is
        self.record([event, self._next_key(event.seat)])
        self.home.write_settings(changed())
        self._publish_keys()

    def write_settings(self, text: str) -> None:
        """Put another game.toml in its place, if it can be read."""
        from pbem.config import config_of
        from pbem.mail_settings import mail_settings

        mail_settings(config_of(text, self.home.settings_path).mail)
        self.home.write_settings(text)

    def without_keys(self, text: str) -> str:
        """A text of the GM's as the log and the reports may have it."""
        from pbem.keys import blank_keys, keys_out

        return blank_keys(text, keys_out(self.secret, self.contest))

    def said(self, reason: str) -> str:
        """A reason as everybody will be told it; `BadInput` if it says nothing, or too much."""
        reason = " ".join(reason.split())
        if not reason:
            raise BadInput("The reason is empty; write in a few words what everybody will be told.")
        if len(reason) > MAX_REASON:
            raise BadInput(f"The reason has {len(reason):,} characters; {MAX_REASON:,} are enough.")
        return self.without_keys(reason)

    def key(self, seat: str, *, new: bool = False) -> str:
        """A seat's order key for the open turn; `new` issues another and writes it into the seat's report."""
        from pbem.keys import key_of

        self._must_be_seat(seat)
        if self.contest.phase == "ended":
            raise NotNow(f"{self.contest.game} is over; no more orders are taken.")
        if new:
            self.record([self._next_key(seat)])
            self._publish_keys()
        return key_of(self.secret, self.contest, seat)

    def _next_key(self, seat: str) -> KeyIssued:
        return KeyIssued(seat=seat, issue=self.contest.issue(seat) + 1)

    def _publish_keys(self) -> None:
        """Write what has the keys of the open turn."""
        if self.contest.last_turn is not None:
            self.publish(self.contest.last_turn)
        elif self.ruleset.sign_up_orders:
            self.write_invitations()

    def report(self, turn: int | None = None) -> Path:
        """Write the reports of a turn, or of all turns, again from the log; gives where to begin reading."""
        if turn is not None or not self.history.turns:
            self.history.played(turn or 0)
        self.write_reports(turn)
        return self.folder / "reports" / "index.html" if turn is None else self._report_path(turn)

    def publish(
        self,
        turn: int | None,
        done: str = "It is in the log, but the reports",
        *,
        first: Callable[[], None] = lambda: None,
    ) -> None:
        """Write the reports of what has just been appended; where they cannot be, it is done all the same."""
        try:
            first()
            self.write_reports(turn)
        except (OSError, PbemError) as error:
            told = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            then = "`pbem report`" if turn is None else f"`pbem report turn-{turn}`"
            raise PbemError(
                f"{done} could not be written ({told.rstrip('.')}); mend that, then {then}."
            ) from error

    def write_reports(self, turn: int | None) -> None:
        """What rests on the log: all of it, or a turn's reports and whatever is no turn's own."""
        from pbem.notices import notices

        history, archive = self.history, self.archive
        every = turn is None or not self._was_finished or archive.discloses
        played = {each.number for each in history.turns}
        make_folders(self.folder, self.turn_folder(self.contest.turn), PRIVATE_FOLDER)
        archive.write([each for each in history.voided if every or each.number not in played - {turn}])
        archive.write([each for each in history.turns if every or each.number == turn])
        write_tree(self.folder, notices(archive), ("players",))
        archive.remove_stale()
        if played:
            archive.write_index(afresh=every)
        witnessed = f"{history.published.version} {history.published.hash}\n"
        write_tree(self.folder, {REACHED: witnessed.encode()}, ("gm",))

    def write_invitations(self) -> None:
        """Each seat's key and template for turn 0, where that takes orders."""
        from pbem.keys import key_of

        state, invitations = self.history.state, {}
        for seat in self.contest.seats:
            header = (f"game: {self.contest.game}", "turn: 0", f"player: {seat}")
            key = f"key: {key_of(self.secret, self.contest, seat, 0)}"
            lines = (*header, key, "", *self.ruleset.invitation(state, seat), "", "end", "")
            invitations[f"players/{seat}/invitation.txt"] = "\n".join(lines).encode()
        write_tree(self.folder, invitations, ("players",))
        make_folders(self.folder, self.turn_folder(0), PRIVATE_FOLDER)

    def drawing(self, turn: int | None, seat: str | None) -> str:
        """The map after a turn as SVG, as a seat knows it, or everybody."""
        from pbem.reports.svg import drawing_to_svg
        from pbem.rulesets.model import PUBLIC

        if seat is not None:
            self._must_be_seat(seat)
        report = self.archive.view(self._played(turn), seat or PUBLIC)
        return drawing_to_svg(report.board.drawing)

    def explain(self, turn: int, seat: str, line: int) -> "OrderReport":
        """Why a line of a seat's orders did what it did: the GM's view of it."""
        from pbem.rulesets.model import GM

        self._must_be_seat(seat)
        report = self.archive.view(self._played(turn), GM)
        lines = [each for orders in report.orders if orders.seat == seat for each in orders.lines]
        for found in lines:
            if found.line == line:
                return found
        numbers = ", ".join(str(each.line) for each in lines) or "none"
        raise BadInput(
            f"{seat} had no order in line {line} of turn-{turn}; the lines that counted are: {numbers}."
        )

    def rows_of(self, turn: int | None) -> tuple[Row, ...]:
        """The log's rows of one turn, or all."""
        if turn is not None and turn > self.contest.turn:
            raise NotNow(f"turn-{turn} is not open yet; turn-{self.contest.turn} is.")
        return tuple(row for row in self.rows if turn in {None, row.turn})

    def state_json(self, turn: int | None) -> dict[str, Any]:
        """The position after a turn, or as it is now: before the start, where `turn` is None, all at home."""
        contest = self.contest
        if turn is None:
            number, phase, state = contest.last_turn, contest.phase, self.history.state
        else:
            played = self.history.played(turn)
            ended = played.closed.next_commitment is None
            number, phase, state = turn, "ended" if ended else "open", played.after
        return {
            "game": contest.game,
            "ruleset": contest.created.ruleset,
            "turn": number,
            "phase": phase,
            **self.ruleset.state_json(state),
        }

    def orders(self, turn: int) -> tuple[roll.Standing, ...]:
        """The orders of every seat that count, or counted, for a turn."""
        if turn == self.contest.turn and self.contest.phase != "ended":
            return roll.roll(self.contest)
        return roll.roll(self.history.played(turn).contest)

    def status_json(self) -> dict[str, Any]:
        """What `pbem status --json` prints."""
        contest = self.contest
        return {
            "game": contest.game,
            "ruleset": contest.created.ruleset,
            "phase": contest.phase,
            "turn": None if contest.phase == "ended" else contest.turn,
            "deadline": None if contest.phase == "ended" else contest.deadline,
            "seats": [
                {
                    "seat": each.seat,
                    "state": each.state,
                    "problems": [problem.model_dump() for problem in each.received.problems]
                    if each.received
                    else [],
                    "received": each.received.at if each.received else None,
                    **({"program": contest.programs[each.seat]} if each.seat in contest.programs else {}),
                }
                for each in roll.roll(contest)
            ],
        }

    # How a turn is closed.

    def _close(self, turn: int, *, beacon: str | None, allow_missing: bool, dry_run: bool) -> "Closed":
        from pbem.closing import Closing, missing_seats

        now, contest = self.moment(), self.contest
        intake = self._take_in_new(turn)
        taken = [(turn, each.event()) for each in intake.new] if intake else []
        for _, event in taken:
            contest = contests.evolve(contest, event, clock.stamp(now))
        missing: tuple[str, ...] = ()
        if intake:
            go_on = allow_missing or contest.correcting
            missing = missing_seats(contest, intake, now, allow_missing=go_on, warn=self._warn)
        closing = Closing(self.ruleset, contest, self.history.state, self.secret, self.config)
        plan = closing.plan(missing, beacon, now)
        events = (*taken, *plan.events)
        if dry_run:
            return self._closed(turn, intake, plan, text=self._dry_run(events, now, turn))
        self.append(events, now)
        done = f"turn-{turn} is adjudicated and in the log, but its reports"
        self.publish(turn, done, first=lambda: self._keep_copies(intake) if intake else None)
        return self._closed(turn, intake, plan)

    def _take_in_new(self, turn: int) -> "Intake | None":
        """The new files in the turn's folder of orders; None where the turn takes none."""
        from pbem.orders_in import order_files, take_in

        if turn == 0 and not self.ruleset.sign_up_orders:
            return None
        if self.contest.correcting:
            return self._left_aside(turn)
        return self._with_programs(take_in(self.desk, order_files(self.turn_folder(turn)), again=False))

    def _left_aside(self, turn: int) -> "Intake":
        """Nothing is taken from players while the GM corrects a turn; what lies there new is named."""
        from pbem.orders_in import Intake, order_files, take_in

        left = take_in(self.desk, order_files(self.turn_folder(turn)), again=False)
        for name in sorted((*(each.source for each in left.new), *map(shown, left.refused))):
            self._warn(f"turn-{turn} is being corrected: {name} is left aside; take it with submit --reason.")
        return Intake((), left.known, {})

    def _dry_run(self, events: Iterable[tuple[int, Event]], now: datetime, turn: int) -> str:
        """The GM's report as text, as if the events had been appended."""
        from pbem.reports.facts import known_to
        from pbem.reports.text import render_text
        from pbem.rulesets.model import GM

        rows = chained(
            self.contest.game, _drafts(events), self.rows[-1], at=clock.stamp(now), salt=self._salt
        )
        self._follow(rows)
        played = self.history.played(turn)
        report = self.archive.view(played, GM)
        return render_text(known_to(self.archive.facts(played), report), report)

    def _closed(
        self, turn: int, intake: "Intake | None", plan: "Plan", *, text: str | None = None
    ) -> "Closed":
        from pbem.closing import Closed

        return Closed(
            turn=turn,
            taken=intake.new if intake else (),
            events=plan.outcomes,
            ended=plan.ended,
            deadline=plan.deadline,
            report=self._report_path(turn),
            text=text,
        )

    def _report_path(self, turn: int) -> Path:
        return self.folder / "reports" / f"turn-{turn}" / "index.html"

    # Guards.

    def _must_be_open(self, turn: int) -> None:
        contest = self.contest
        if contest.phase == "signup":
            raise NotNow(f"{contest.game} has not started; `pbem start` resolves turn 0.")
        last = contest.last_turn or 0
        if contest.phase == "ended":
            finished = self.finished()
            raise NotNow(f"{contest.game} is over: turn-{last} was its last{finished}; nothing was changed.")
        if turn <= last:
            finished = self.finished()
            raise NotNow(f"turn-{turn} has been adjudicated already{finished}; turn-{contest.turn} is open.")
        if turn > contest.turn:
            raise NotNow(
                f"turn-{turn} cannot be adjudicated yet; turn-{contest.turn} is open and comes first."
            )

    def _must_be_seat(self, seat: str) -> None:
        seats = self.contest.seats
        if seat not in seats:
            raise BadInput(f"There is no seat {seat!r}; this game's seats are {', '.join(seats)}.")

    def finished(self) -> str:
        """Finishes the reports if a command was killed before they were written, and says so."""
        if self._is_finished():
            return ""
        self.write_reports(None)
        return ", and its reports, which had not been finished, are written now"

    def _is_finished(self) -> bool:
        """Whether all was written that the log brought last: a command may have been killed in between."""
        published, written = self.history.published, reached(self.folder)
        return written == (published.version, published.hash) or (not written and not self.history.turns)

    def must_take_orders(self, *, by_hand: bool = False) -> None:
        """`NotNow` unless orders can be taken; `by_hand`: those of the GM, who gives a reason for them."""
        contest = self.contest
        if contest.correcting and not by_hand:
            raise NotNow(
                f"turn-{contest.turn} is being corrected: until it is adjudicated again the GM alone can"
                " submit orders, with --reason."
            )
        if contest.phase == "ended":
            raise NotNow(f"{contest.game} is over; no more orders are taken.")
        if contest.phase == "signup" and not self.ruleset.sign_up_orders:
            raise NotNow(
                f"{contest.game} has not started, and turn 0 takes no orders; `pbem start` opens turn-1."
            )

    def _played(self, turn: int | None) -> "PlayedTurn":
        return self.history.played(self.contest.last_turn or 0 if turn is None else turn)

    # Appending.

    def moment(self) -> datetime:
        """Now, but never before the log's last event: a clock set back is refused, a jitter smoothed."""
        now, last = self._now(), clock.read_stamp(self.rows[-1].at)
        if (last - now).total_seconds() > EARLY_CLOCK:
            raise NotNow(
                f"The clock says {clock.stamp(now)}, but the log's last event is of {self.rows[-1].at};"
                " set the clock right and try again."
            )
        return max(now, last)

    def append(self, events: Sequence[tuple[int, Event]], now: datetime | None = None) -> None:
        """Append events, each with the turn of its row, in one transaction, and follow them here."""
        if not events:
            return
        if any(event.kind not in QUIET_KINDS for _, event in events):
            self._was_finished = self._is_finished()
        rows = self.log.append(
            self.contest.game,
            _drafts(events),
            expected=self.rows[-1].version,
            at=clock.stamp(now or self.moment()),
            salt=self._salt,
        )
        self._follow(rows)

    def record(self, events: Sequence[Event]) -> None:
        """Append what happened outside this class, mail above all, to the open turn."""
        self.append([(self.contest.turn, event) for event in events])

    @cached_property
    def _salt(self) -> Salt:
        return salts(self.secret)

    def _follow(self, rows: Sequence[Row]) -> None:
        self._fold.add(rows)
        self.rows = (*self.rows, *rows)
        self.contest = self.history.contest


class Reached(NamedTuple):
    """What the log had reached when the reports were last written."""

    version: int
    hash: str

    def is_in(self, rows: Sequence[Row]) -> bool:
        """Whether this log has been there."""
        return 1 <= self.version <= len(rows) and rows[self.version - 1].hash == self.hash


def reached(folder: Path) -> Reached | None:
    """What the reports in a game's folder say of their log; None if they do not say."""
    try:
        version, at = read_start(folder / REACHED, MAX_REACHED).decode("ascii").split()
        return Reached(int(version), at)
    except (OSError, ValueError):
        return None


def _drafts(events: Iterable[tuple[int, Event]]) -> list[Draft]:
    return [
        Draft(turn, event.kind, event.schema_version, dump_json(event_data(event))) for turn, event in events
    ]


def games_below(folder: Path, unread: Warn) -> tuple[Path, ...]:
    """The folders of all games in and below a folder, by path; `unread` is told of each that is closed."""

    def closed(error: OSError) -> None:
        unread(f"{error.filename} cannot be looked into: {error.strerror}; a game in it is left out.")

    places = [Path(place) for place, _, names in os.walk(folder, onerror=closed) if CONFIG in names]
    return tuple(sorted(place for place in places if is_game(place)))


def games_in(url: str) -> "dict[str, Game]":
    """All games of a database, by name; as they have no folder here, no report of theirs is at hand."""
    from pbem.home import DatabaseHome, database_at

    found: dict[str, Game] = {}
    for name in (database := database_at(url)).games():
        found[name] = game = Game(Path(os.devnull) / name)
        game.home = DatabaseHome(game.folder, database, name)
    return found
