"""Judging a message: every one has exactly one outcome, from which its answer follows (mail.md, 1-5)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from pbem import keys
from pbem.counter import Counter, Counters, Opened
from pbem.errors import BadInput, Conflict, MustWait, PbemError, Unreachable
from pbem.mail import receipts
from pbem.mail.authentication import why_unproven
from pbem.mail.automatic import why_automatic
from pbem.mail.kept import Entry
from pbem.mail.letter import Letter, letter_of_header, letter_of_text, read_letter
from pbem.mail.orders import Written, find_orders, texts_with_keys
from pbem.mail.sources import MAX_MESSAGE, Arrived
from pbem.mail.writing import Kind, Outgoing
from pbem.orders_in import MAIL, Incoming, text_digest
from pbem.sheet import Problem, plain, split_lines

Outcome: TypeAlias = Literal["accepted", "refused", "duplicate", "ignored", "quarantined"]
RECEIPTS_A_DAY = 20
ADDRESSED = ("delivered-to", "x-original-to", "to", "cc")
"""The fields that tell to which address a mail was written."""


@dataclass(frozen=True, slots=True)
class Result:
    """What `receive` tells of a message."""

    source: str
    message_id: str | None
    outcome: str
    game: str | None = None
    seat: str | None = None
    turn: int | None = None
    orders: tuple[tuple[int, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    repairs: tuple[str, ...] = ()
    reason: str | None = None
    receipt_to: str | None = None

    def json(self) -> dict[str, Any]:
        """As `receive --json` prints it."""
        return {
            "source": self.source,
            "message_id": self.message_id,
            "outcome": self.outcome,
            "game": self.game,
            "seat": self.seat,
            "turn": self.turn,
            "orders": [{"line": line, "text": text} for line, text in self.orders],
            "problems": [
                {"line": each.line, "text": each.text, "message": each.message} for each in self.problems
            ],
            "repairs": list(self.repairs),
            "reason": self.reason,
            "receipt_to": self.receipt_to,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """A message's result, its line in the journal, and what follows from it."""

    result: Result
    entry: Entry
    counter: Counter | None = None
    answer: Callable[[], Outgoing] | None = None
    copy_of: int | None = None
    """The turn into whose folder of orders its copy goes."""


@dataclass
class Clerk:
    """Judges messages one after the other; nothing is written here."""

    counters: Counters
    moment: datetime
    answered: Callable[[str, str], int]
    """How many answers a seat (of a game) had today."""
    had_text: Callable[[str | None, str, str], bool]
    """Whether a message of this id brought this text before, from a seat (with game and turn)."""
    resent: Callable[[Counter, str, int, str, str], Outgoing]
    """The report of a turn, sent once more."""

    def judge(self, arrived: Arrived, name: str) -> Judged:
        """One message, under the name under which it is kept."""
        if arrived.too_large:
            letter = letter_of_header(arrived.data)
        else:
            letter = letter_of_text(arrived.data) if arrived.bare else read_letter(arrived.data)
        case = _Case(self, arrived, name, letter)
        return case.judged()


@dataclass(slots=True)
class _Case:
    clerk: Clerk
    arrived: Arrived
    name: str
    letter: Letter

    def judged(self) -> Judged:
        if reason := why_automatic(self.letter):
            return self._end("ignored", reason=reason)
        opened = self._opened()
        good = [each for each in opened if each.good]
        seats = {(each.game, each.seat) for each in good or opened}
        if len(seats) > 1:
            return self._two_keys(good or opened)
        if not opened:
            return self._nobodys()
        found = max(good or opened, key=lambda each: each.turn)
        counter = self.clerk.counters[found.game]
        try:
            return self._of_game(counter, found)
        except (Conflict, Unreachable, MustWait):
            raise
        except (
            PbemError
        ) as error:  # the game's own, as a log that cannot be folded: nothing is wrong with mail
            raise self.clerk.counters.hindered(counter.name, error) from error

    def _of_game(self, counter: Counter, found: Opened) -> Judged:
        if before := self._in_log():
            return before
        if self.arrived.too_large:
            return self._refused(counter, found, _too_large(self.arrived.size))
        if not found.good:
            return self._refused(counter, found, _stale(counter, found))
        required = counter.settings.require
        if why := why_unproven(self.letter, self.arrived.data, required):
            return self._refused(counter, found, f"the sender's domain is not proven: {why}")
        return self._of_seat(counter, found)

    def _opened(self) -> list[Opened]:
        """What the keys in the message open, each seat and turn once."""
        counters = self.clerk.counters
        texts = (
            [self.letter.subject]
            if self.arrived.too_large
            else texts_with_keys(self.letter, lambda text: bool(counters.opened(keys.like_keys(text))))
        )
        opened = list(counters.opened(dict.fromkeys(like for text in texts for like in keys.like_keys(text))))
        for field in ADDRESSED:
            for value in self.letter.values(field):
                found = counters.opened(keys.like_keys_of_addresses(value))
                opened += [each for each in found if counters[each.game].settings.plus]
        return list(dict.fromkeys(opened))

    def _in_log(self) -> Judged | None:
        """Orders that the log has already, since a crash came before the journal had them."""
        found = self.clerk.counters.late(MAIL + self.name)
        if found is None:
            return None
        counter, late = found
        opened = Opened(counter.name, late.seat, late.turn, good=True)
        if late.turn == counter.contest.turn and not counter.closed:
            return self._of_seat(counter, opened)
        entry = self._entry("accepted", opened, text=late.sha256)
        result = Result(
            self.arrived.source, self.letter.message_id, "accepted", counter.name, late.seat, late.turn
        )
        return Judged(result, entry, counter)

    def _of_seat(self, counter: Counter, found: Opened) -> Judged:
        """A message of the seat `found`, whose turn is open."""
        desk, seat = counter.desk, found.seat
        try:
            written = find_orders(
                self.letter,
                counter.contest.seats,
                lambda line: desk.reads(line, seat),
                lambda text: keys.without_keys(text, counter.keys),
            )
        except BadInput as refused:
            return self._refused(counter, found, str(refused), text=self._content())
        if written.command:
            return self._command(counter, found, written)
        repairs = (*written.repairs, *plain(written.text)[1])
        try:
            incoming = desk.take_mail(written.text, MAIL + self.name, seat, found.turn)
        except BadInput as refused:
            return self._refused(
                counter, found, str(refused), repairs=repairs, text=text_digest(written.text)
            )
        nothing = not incoming.orders.lines and not incoming.sheet.press
        if nothing and (incoming.sheet.lines or not incoming.sheet.header):
            reason = (
                "not one of its lines can be read as an order"
                if incoming.sheet.lines
                else "there are no orders in it, nor the header of an order file"
            )
            return self._refused(
                counter, found, reason, problems=incoming.problems, repairs=repairs, text=incoming.sha256
            )
        is_late = counter.arrived_before(MAIL + self.name) is not None
        if not is_late and (counter.stands_already(incoming) or self._had(found, incoming.sha256)):
            return self._duplicate(found, incoming.sha256, repairs)
        return self._accepted(counter, found, incoming, repairs)

    def _had(self, found: Opened, text: str) -> bool:
        """Whether this message's id brought this text before, by whatever way it came."""
        where = f"{found.game} {found.turn} {found.seat}"
        return self.clerk.had_text(self.letter.message_id, where, text)

    def _content(self) -> str:
        """The SHA-256 of all that the message says."""
        return text_digest("\0".join(texts_with_keys(self.letter, lambda _: True)))

    # The outcomes.

    def _accepted(
        self, counter: Counter, found: Opened, incoming: Incoming, repairs: tuple[str, ...]
    ) -> Judged:
        counter.take(incoming.event(), self.clerk.moment)
        source_lines = split_lines(incoming.text)
        unread = {problem.line for problem in incoming.problems}

        def receipt() -> receipts.Receipt:
            return receipts.Receipt(
                game=counter.name,
                seat=found.seat,
                turn=found.turn,
                accepted=True,
                read=counter.read_lines(incoming.orders, found.seat),
                press=[
                    receipts.ReadLine(each.number, source_lines[each.number - 1].strip())
                    for each in incoming.sheet.press
                    if each.number not in unread
                ],
                unread=_unread(incoming.problems),
                repairs=repairs,
                deadline=counter.deadline(),
                digest=incoming.sha256,
                written_from=self._from_elsewhere(counter, found.seat),
            )

        return self._end(
            "accepted",
            found,
            counter=counter,
            receipt=receipt,
            orders=tuple((line.number, str(line)) for line in incoming.orders.lines),
            problems=incoming.problems,
            repairs=repairs,
            text=incoming.sha256,
            copy_of=found.turn,
        )

    def _duplicate(self, found: Opened, text: str, repairs: tuple[str, ...] = ()) -> Judged:
        reason = "The same text came before."
        return self._end("duplicate", found, reason=reason, repairs=repairs, text=text)

    def _refused(
        self,
        counter: Counter,
        found: Opened,
        reason: str,
        *,
        problems: tuple[Problem, ...] = (),
        repairs: tuple[str, ...] = (),
        text: str | None = None,
    ) -> Judged:
        if text is not None and self._had(found, text):
            return self._duplicate(found, text, repairs)
        told = self._refusal(counter, found.seat, reason, problems, repairs)
        return self._end(
            "refused",
            found,
            counter=counter,
            receipt=lambda: told,
            reason=_sentence(reason),
            problems=problems,
            repairs=repairs,
            text=text,
        )

    def _refusal(
        self,
        counter: Counter,
        seat: str,
        reason: str,
        problems: tuple[Problem, ...] = (),
        repairs: tuple[str, ...] = (),
    ) -> receipts.Receipt:
        source, sheet = counter.stands(seat)
        return receipts.Receipt(
            game=counter.name,
            seat=seat,
            turn=None if counter.closed else counter.contest.turn,
            accepted=False,
            reason=reason,
            unread=_unread(problems),
            repairs=repairs,
            standing=[receipts.ReadLine(line.number, line.text) for line in sheet.lines],
            standing_source=source,
            deadline=counter.deadline(),
            written_from=self._from_elsewhere(counter, seat),
        )

    def _command(self, counter: Counter, found: Opened, written: Written) -> Judged:
        content = self._content()
        if self._had(found, content):
            return self._duplicate(found, content)
        word, _, turn = written.command.partition(" ")
        last = counter.contest.last_turn
        if word == "resend" and last is not None and int(turn.removeprefix("turn-")) <= last:
            number, identity = int(turn.removeprefix("turn-")), self.letter.message_id or ""
            return self._end(
                "accepted",
                found,
                counter=counter,
                reason=written.command,
                text=content,
                answer=lambda: self.clerk.resent(counter, found.seat, number, self.name, identity),
            )
        # Said now and not when it is sent: what came after this mail is no part of the answer.
        text = {
            "status": lambda: _status_text(counter, found.seat),
            "help": lambda: _help_text(counter, found.seat),
            "resend": lambda: f"{turn} of {counter.name} has not been adjudicated, so it has no report.\n",
        }[word]()
        return self._end(
            "accepted",
            found,
            counter=counter,
            reason=written.command,
            text=content,
            answer=lambda: self._outgoing(counter, found.seat, text, written.command, kind="answer"),
        )

    def _two_keys(self, opened: list[Opened]) -> Judged:
        games, turns = {each.game for each in opened}, {each.turn for each in opened}
        reason = (
            "It holds keys of two different seats; send one seat's orders a mail, with that seat's key alone."
        )
        return self._to_sender(
            "refused",
            reason,
            game=games.pop() if len(games) == 1 else None,
            turn=turns.pop() if len(turns) == 1 else None,
        )

    def _nobodys(self) -> Judged:
        if late := self._in_log():
            return late
        if self.arrived.too_large:
            return self._to_sender("refused", _sentence(_too_large(self.arrived.size)))
        reason = "It holds no valid key; the key stands in the order template at the end of the last report."
        return self._to_sender("quarantined", reason)

    def _to_sender(
        self, outcome: Outcome, reason: str, *, game: str | None = None, turn: int | None = None
    ) -> Judged:
        """What is nobody's, or of two: answered to From if that is on file, never to anybody else."""
        counter, seat = self._from_on_file()
        told = self._refusal(counter, seat, reason) if counter and seat else None
        ended = self._end(
            outcome,
            counter=counter,
            receipt=(lambda: told) if told else None,
            reason=reason,
            to_seat=seat or "",
        )
        return replace(ended, result=replace(ended.result, game=game, turn=turn))

    def _from_on_file(self) -> tuple[Counter | None, str | None]:
        counters = self.clerk.counters
        if not any(counters.may_know(value) for value in self.letter.fields.get("from", ())):
            return None, None  # as with most mail; to take addresses apart is slow
        addresses = self.letter.senders
        return (counters.with_address(addresses[0]) if len(addresses) == 1 else None) or (None, None)

    def _from_elsewhere(self, counter: Counter, seat: str) -> str:
        known = counter.addresses.get(seat, "").casefold()
        others = [address for address in self.letter.senders if address.casefold() != known]
        return ", ".join(others)[:200]

    def _entry(self, outcome: str, found: Opened | None, **more: str | None) -> Entry:
        return Entry(
            name=self.name,
            outcome=outcome,
            message_id=self.letter.message_id,
            game=found.game if found else None,
            seat=found.seat if found else None,
            turn=found.turn if found else None,
            day=self.clerk.moment.date().isoformat(),
            **more,
        )

    def _end(
        self,
        outcome: Outcome,
        found: Opened | None = None,
        *,
        counter: Counter | None = None,
        receipt: Callable[[], receipts.Receipt] | None = None,
        answer: Callable[[], Outgoing] | None = None,
        to_seat: str = "",
        orders: tuple[tuple[int, str], ...] = (),
        problems: tuple[Problem, ...] = (),
        repairs: tuple[str, ...] = (),
        reason: str | None = None,
        text: str | None = None,
        copy_of: int | None = None,
    ) -> Judged:
        seat = found.seat if found else to_seat
        if receipt is not None and counter is not None:
            tell, at = receipt, counter
            word = "orders are in" if outcome == "accepted" else "nothing was taken"
            answer = lambda: self._outgoing(at, seat, receipts.receipt_text(tell()), word)  # noqa: E731
        receives = (
            answer is not None
            and counter is not None
            and counter.writable(seat)
            and self.clerk.answered(counter.name, seat) < RECEIPTS_A_DAY
        )
        result = Result(
            source=self.arrived.source,
            message_id=self.letter.message_id,
            outcome=outcome,
            game=found.game if found else None,
            seat=found.seat if found else None,
            turn=found.turn if found else None,
            orders=orders,
            problems=problems,
            repairs=tuple(dict.fromkeys(repairs)),
            reason=reason,
            receipt_to=counter.addresses[seat] if receives and counter else None,
        )
        answered = f"{counter.name} {seat}" if receives and counter else None
        entry = self._entry(outcome, found, reason=reason, text=text, answered=answered)
        return Judged(result, entry, counter, answer if receives else None, copy_of)

    def _outgoing(
        self, counter: Counter, seat: str, text: str, word: str, *, kind: Kind = "receipt"
    ) -> Outgoing:
        turn = counter.contest.turn
        return Outgoing(
            kind=kind,
            seat=seat,
            turn=turn,
            to_name=counter.names.get(seat, ""),
            to=counter.addresses[seat],
            subject=f"[{counter.name}] turn-{turn} {word}: {seat}",
            text=text,
            at=self.clerk.moment,
            mark=self.name,
            key=counter.key(seat),
            answers=self.letter.message_id or "",
            references=self.letter.first("references"),
        )


def _unread(problems: tuple[Problem, ...]) -> list[receipts.UnreadLine]:
    return [receipts.UnreadLine(each.line, each.text, each.message) for each in problems]


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


def _too_large(size: int) -> str:
    return f"it has {size:,} bytes; mails of at most {MAX_MESSAGE:,} are read: send the orders alone"


def _stale(counter: Counter, found: Opened) -> str:
    if counter.closed:
        return counter.closed
    if found.turn == counter.contest.turn:
        return f"its key for turn-{found.turn} has been replaced; the new one stands in your last report"
    return (
        f"its key is the one for turn-{found.turn}, but turn-{counter.contest.turn} is open; use the new one"
    )


def _status_text(counter: Counter, seat: str) -> str:
    from pbem.mail.writing import paragraphs  # noqa: PLC0415
    from pbem.roll import roll  # noqa: PLC0415

    source, sheet = counter.stands(seat)
    lines = "\n".join(f"{line.number:>5}  {line.text}" for line in sheet.lines)
    return paragraphs(
        f"{counter.name}: turn {counter.contest.turn} is open.",
        counter.deadline(),
        "\n".join(f"  {each.seat}: {each.state}" for each in roll(counter.contest)) + "\n",
        f"What stands for {seat}, from {source}:" if source else f"Nothing stands for {seat}.",
        lines + "\n" if lines else "",
    )


def _help_text(counter: Counter, seat: str) -> str:
    from pbem.mail.writing import paragraphs  # noqa: PLC0415

    template = counter.bare_template(seat)
    return paragraphs(
        "Write your orders as plain text, one a line, above anything that is quoted, or attach them"
        " as a .txt file."
        " Begin with these lines, and put your orders above `end`:",
        template,
        "You may send as often as you like: the last good mail before the deadline counts, as a whole. Each"
        " is answered with what was read, line by line.",
        "A mail whose subject or first line is one of these words, with the key somewhere in it, is answered"
        " with:",
        "  status         who has sent orders, what stands for you, the deadline\n"
        "  help           this text\n"
        "  resend turn-3  the report of turn 3 once more\n",
        counter.deadline(),
    )


__all__ = ["Clerk", "Judged", "Outcome", "Result"]
