"""The post office: where games and their mail meet: receive, receipts, send, remind (docs/mail.md).

The order of things is what keeps mail safe: a message is kept, then judged, then the log has its orders,
then its receipt is in the outbox, then the journal has its outcome, and only then its source is told. A
crash in between is followed by the same steps again, which find what was done before and do the rest.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pbem import clock
from pbem.counter import Counter, Counters
from pbem.errors import BadInput, Conflict, MustWait, PbemError, shown, trouble_of
from pbem.files import PRIVATE_FILE, PRIVATE_FOLDER, allow_open_files, make_folders, write_whole
from pbem.game import Game
from pbem.home import room_of
from pbem.judging import Clerk, Judged, Result
from pbem.mail import servers
from pbem.mail.sources import STREAM, Arrived, arrivals, from_stream
from pbem.mailing import reminders, report_mail

if TYPE_CHECKING:
    from pbem.mail.kept_in_database import DatabaseMailroom

BATCH = 250
BATCH_BYTES = 4 * 1024 * 1024
TRIES = 2
"""How often a batch is judged anew because somebody else wrote to the log meanwhile."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Case:
    arrived: Arrived
    name: str


class PostOffice:
    """Receives and sends for one game, or for all games below a folder."""

    def __init__(
        self,
        folders: Sequence[Path],
        room: "Path | DatabaseMailroom",
        *,
        now: Callable[[], datetime] = clock.now,
        warn: Tell = lambda _: None,
    ) -> None:
        """`room` is the folder that has mail/; `warn` is told what fails without stopping the rest.

        A database's room of all games is locked alone: of many games each has its own lock there.
        """
        self._folders = folders
        self.room = room_of(room) if isinstance(room, Path) else room
        self._locks_games = isinstance(room, Path)
        self._now = now
        self._warn = warn
        self.failed = False
        """Whether a source could not be read."""
        self.waiting_for: dict[str, None] = {}
        """What is in the way of games, and so of mail for them: each is told once."""
        self.some_wait = False
        """Whether mail was kept that cannot be judged yet."""
        self.stream_waits = False
        """Whether the message of the standard input is among it."""
        self.shut: dict[str, str] = {}
        """Why games could not be read, by name, where others are served all the same: their mail waits."""
        self._alone = isinstance(room, Path) and list(folders) == [room]
        self.counters = Counters()
        self._late: dict[str, Result] = {}
        """By name, what a crash had left over, until its source brings it again."""

    @contextmanager
    def open(self, wait: float = 5.0) -> Iterator["PostOffice"]:
        """Nobody else does post for these games meanwhile; `Conflict` after `wait` seconds."""
        with ExitStack() as locks:
            rooms = {self.room.name: self.room}
            for folder in self._folders if self._locks_games else ():
                with self._going_on(folder):
                    room = room_of(folder)
                    rooms.setdefault(room.name, room)
            allow_open_files(len(rooms))
            for name in sorted(rooms):
                locks.enter_context(rooms[name].locked(wait))
            self.load()
            yield self

    @contextmanager
    def _going_on(self, folder: Path) -> Iterator[None]:
        """What is in the way of one game, where there are several, is told and stops no other."""
        try:
            yield
        except Conflict:
            raise  # it is no trouble of the game's, and over soon
        except (PbemError, OSError) as error:
            if self._alone:
                raise
            self.shut[shown(folder)] = trouble_of(shown(folder), error)
            self._tell_once(self.shut[shown(folder)])

    def load(self) -> None:
        """Read logs and game.toml anew; what could not be read stays shut, so that no mail passes its own."""
        self.counters = Counters(None if self._alone else self.shut)
        for folder in self._folders:
            if shown(folder) in self.shut:
                continue
            counter: Counter | None = None
            with self._going_on(folder):
                counter = Counter(Game(folder, now=self._now, warn=self._warn), judged=self.room.were_judged)
                if not self._alone:
                    counter.read()
            if counter is not None and shown(folder) not in self.shut:
                self.counters.add(counter)

    # In.

    def receive(self, paths: Sequence[str], stdin: BinaryIO | None = None) -> Iterator[Result]:
        """Take in messages from sources, or from the mailboxes of game.toml where none is named."""
        self._late = {name: result for result in self.left_over() for name in [Path(result.source).stem]}
        if not paths:
            yield from self._fetch()
        for path in paths:
            if path == STREAM:
                assert stdin is not None
                yield from self._from_stream(stdin)
            else:
                yield from self._batches(arrivals(Path(path), self._fails))
        yield from self._late.values()  # what no source has brought again

    def fetch_all(self) -> Iterator[Result]:
        """What a crash left over, then all that came to the mailboxes of game.toml."""
        return self.receive(())

    def _fetch(self) -> Iterator[Result]:
        """Take in what came to the mailboxes that game.toml names; `PbemError` if one cannot be read."""
        boxes = self.counters.mailboxes()
        if not boxes:
            raise BadInput(
                'No source is named, and game.toml has no mailbox: [mail] in = "imaps://USER@HOST/INBOX";'
                " write one there, or name a file or folder."
            )
        for counter in boxes:
            incoming = counter.settings.incoming
            if "://" in incoming:
                yield from self._fetched(incoming, counter)
            else:
                yield from self._batches(arrivals(counter.game.folder / incoming, self._fails))

    def _fetched(self, incoming: str, counter: Counter) -> Iterator[Result]:
        from pbem.mail.imap import opened  # noqa: PLC0415 - slow to import

        server = servers.server_of(incoming, "in", servers.IMAP)
        with opened(server, counter.settings.password) as mailbox:
            yield from self._batches(mailbox.unread(), mailbox.mark_read)

    def _from_stream(self, stdin: BinaryIO) -> Iterator[Result]:
        with ExitStack() as open_files:
            writers: list[Callable[[bytes], object]] = []

            def spool(piece: bytes) -> None:
                if not writers:
                    writers.append(self.room.spooling(open_files))
                writers[0](piece)

            yield from self._batches(from_stream(stdin, spool))

    def left_over(self) -> Iterator[Result]:
        """What a crash left kept and not judged."""
        names = self._left_names()
        if names:
            yield from self._batches(
                Arrived(self.room.source(name), data, len(data), bare=self.room.is_bare(name))
                for name in names
                for data in [self.room.read(name)]
            )

    def _left_names(self) -> list[str]:
        return self.room.unjudged()

    def _fails(self, sentence: str) -> None:
        self.failed = True
        self._warn(sentence)

    def _wait(self, waiting: Mapping[str, MustWait]) -> None:
        """Messages, by name, that are kept and judged when their games can be read."""
        self.some_wait |= bool(waiting)
        for error in waiting.values():
            self._tell_once(str(error))

    def _tell_once(self, sentence: str) -> None:
        if sentence not in self.waiting_for:
            self.waiting_for[sentence] = None
            self._warn(sentence)

    def _batches(
        self, arriving: Iterable[Arrived], done: Callable[[Sequence[str]], None] = lambda _: None
    ) -> Iterator[Result]:
        batch: list[_Case] = []
        size = 0
        for arrived in arriving:
            batch.append(_Case(arrived, self._keep(arrived)))
            size += len(arrived.data)
            if len(batch) >= BATCH or size >= BATCH_BYTES:
                yield from self._batch(batch, done)
                batch, size = [], 0
        if batch:
            yield from self._batch(batch, done)

    def _keep(self, arrived: Arrived) -> str:
        if arrived.too_large:
            return self.room.keep_header(arrived.data, arrived.size)
        return self.room.keep(arrived.data, bare=arrived.bare)

    def _batch(self, batch: Sequence[_Case], done: Callable[[Sequence[str]], None]) -> Iterator[Result]:
        for tried in range(1, TRIES + 1):
            self.counters.renew()
            results, new, waiting = self._judged(batch)
            try:
                for counter in self.counters.values():
                    counter.append()
                break
            except Conflict:
                if tried == TRIES:
                    raise
                self.load()
        for judged in new:
            self._follow(judged)
        names = [case.name for case in batch if not case.arrived.too_large]
        if new:
            self.room.settle(names)
            self.room.record(judged.entry for judged in new)
        self._wait(waiting)
        self.stream_waits |= any(case.arrived.source == STREAM and case.name in waiting for case in batch)
        # Of what is too large only the header is kept: it can be judged when it is brought once more.
        brought = [case.arrived for case in batch if not (case.arrived.too_large and case.name in waiting)]
        done([arrived.uid for arrived in brought if arrived.uid])
        yield from results

    def _judged(self, batch: Sequence[_Case]) -> tuple[list[Result], list[Judged], dict[str, MustWait]]:
        """The result of every message, what is new of them, and those that have to wait, by name."""
        clerk = self._clerk()
        results: list[Result] = []
        new: dict[str, Judged] = {}
        waiting: dict[str, MustWait] = {}
        answers: Tally[str] = Tally()
        texts: set[tuple[str, str, str]] = set()
        day = clerk.moment.date().isoformat()
        clerk.answered = lambda game, seat: (
            self.room.answers(f"{game} {seat}", day) + answers[f"{game} {seat}"]
        )
        clerk.had_text = lambda identity, seat, text: (
            (identity or "", seat, text) in texts or self.room.has_text(identity, seat, text)
        )
        for case in batch:
            if case.name in self._late:
                results.append(replace(self._late.pop(case.name), source=case.arrived.source))
                continue
            entry = new[case.name].entry if case.name in new else self.room.entry(case.name)
            if entry is not None:
                outcome = "duplicate" if entry.outcome == "accepted" else entry.outcome
                results.append(
                    Result(
                        case.arrived.source, entry.message_id, outcome, entry.game, entry.seat, entry.turn,
                        reason="It came before." if outcome == "duplicate" else entry.reason,
                    )
                )  # fmt: skip
                continue
            try:
                judged = clerk.judge(case.arrived, case.name)
                if judged.result.outcome == "quarantined":
                    self.counters.must_be_whole()
            except MustWait as error:
                waiting[case.name] = error
                continue
            new[case.name] = judged
            results.append(judged.result)
            if judged.entry.answered:
                answers[judged.entry.answered] += 1
            if judged.entry.text and judged.entry.message_id:
                where = f"{judged.entry.game} {judged.entry.turn} {judged.entry.seat}"
                texts.add((judged.entry.message_id, where, judged.entry.text))
        return results, list(new.values()), waiting

    def _clerk(self) -> Clerk:
        moments = [counter.game.moment() for counter in self.counters.values()]
        return Clerk(
            counters=self.counters,
            moment=max(moments, default=self._now()),
            answered=lambda _game, _seat: 0,
            had_text=lambda _identity, _seat, _text: False,
            resent=lambda counter, seat, turn, mark, answers: report_mail(
                counter, turn, seat, kind="answer", mark=mark, answers=answers
            ),
        )

    def _follow(self, judged: Judged) -> None:
        """What follows from a message that the log has: its copy, its receipt."""
        if judged.counter is not None and judged.copy_of is not None:
            folder = judged.counter.game.turn_folder(judged.copy_of)
            make_folders(judged.counter.game.folder, folder, PRIVATE_FOLDER)
            form = "txt" if self.room.is_bare(judged.entry.name) else "eml"
            copy = folder / f"{judged.entry.seat}-{judged.entry.name}.{form}"
            if not copy.exists():
                data = self.room.read(judged.entry.name)
                write_whole(copy, data, PRIVATE_FILE, durable=False)
        if judged.counter is not None and judged.answer is not None:
            try:
                judged.counter.post(judged.answer())
            except BadInput as error:
                self._warn(str(error))

    # Out.

    def send(self, counter: Counter, turn: int) -> tuple[str, ...]:
        """Put a turn's reports into the outbox, each once; gives the seats whose report is new there."""
        counter.game.history.played(turn)
        new: list[str] = []
        for seat in counter.contest.seats:
            if seat in counter.contest.programs:
                continue
            if seat not in counter.addresses:
                self._warn(
                    f"{seat} has no address in game.toml; give him players/{seat}/turn-{turn}.html yourself."
                )
                continue
            try:
                if counter.post(report_mail(counter, turn, seat)):
                    new.append(seat)
            except BadInput as error:
                self._warn(str(error))
        return tuple(new)

    def remind(self, counter: Counter) -> tuple[str, ...]:
        """Remind, once a turn, those who have sent nothing; gives the seats reminded now."""
        new: list[str] = []
        for out in reminders(counter):
            try:
                if counter.post(out):
                    new.append(out.seat)
            except BadInput as error:
                self._warn(str(error))
        return tuple(new)

    def flush(self) -> int:
        """Send what waits in the outboxes whose game.toml names a server; gives how many messages went.

        What waits in a game that another process attends to is left to it.
        """
        if self._locks_games:
            return sum(map(self._flushed, self.counters.values()))
        count = 0
        for counter in self.counters.values():
            if counter.outbox.waiting():
                with suppress(Conflict), counter.game.home.room().locked(wait=0):
                    count += self._flushed(counter)
        return count

    def _flushed(self, counter: Counter) -> int:
        from pbem.mail.smtp import send_waiting  # noqa: PLC0415 - slow to import

        if counter.settings.out:
            server = servers.server_of(counter.settings.out, "out", servers.SMTP)
            return send_waiting(counter.outbox, server, counter.settings.password, self._warn)
        counter.outbox.hand_over()
        return 0
