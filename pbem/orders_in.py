"""Taking in order files: from a path to the text of a seat's orders, or a sentence why not.

Nothing here appends anything. What is refused here is refused whole and leaves what stands; a line
that cannot be read is a problem of an accepted file.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from pbem.contest import Contest, Received
from pbem.dice import plain_key
from pbem.errors import BadInput, brief, shown
from pbem.events import LineProblem, OrdersReceived
from pbem.files import name_of, read_input
from pbem.keys import BLANKED, blank_keys, is_key, key_of, keys_in, keys_out, without_keys
from pbem.roll import Parse
from pbem.sheet import (
    MAX_PRESS,
    Decoded,
    Press,
    Problem,
    SeatOrders,
    Sheet,
    check_characters,
    decode,
    read_sheet,
    split_lines,
)

MAIL = "mail "
"""How the source of orders that came by mail begins in the log; the message's name follows."""
PROGRAM = "player "
"""And of what a program wrote; its name follows."""
NAME_LENGTH = 20
"""Hex digits of the SHA-256 of a message's bytes, which is its name."""
MAX_LINE = 2000
"""Characters of a line that is looked at as an order before its text is known to be one."""
MAX_FILE = 1024 * 1024
"""No file is read further: an order text of 64 KiB is never larger, whatever its encoding."""

_TURN = re.compile(r"(?:turn-)?(0|[1-9][0-9]{0,5})", re.ASCII)
_IGNORED = re.compile(r"\..*|.*~|#.*#")
"""What editors and file managers leave lying about."""


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """What would be done with one line now; `forecast` is None where the ruleset says nothing."""

    line: int
    text: str
    reads: bool
    message: str | None
    forecast: str | None


def text_digest(text: str) -> str:
    """What the log and the receipts give of an order text, so that both sides can prove what was sent."""
    return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Incoming:
    """A good file: `text` is as the log will have it, LF line ends and keys blanked."""

    source: str
    seat: str
    turn: int
    text: str
    encoding: str
    sheet: Sheet
    orders: "SeatOrders[Any, Any]"
    press_problems: tuple[Problem, ...] = ()

    @property
    def sha256(self) -> str:
        """Of the text as the log has it, so that both sides can prove later what was sent."""
        return text_digest(self.text)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every line of it that will not count, in line order."""
        return tuple(sorted((*self.orders.problems, *self.press_problems), key=lambda each: each.line))

    def checked(self, forecasts: Mapping[int, str]) -> tuple[CheckedLine, ...]:
        """Every line with what it would do now, by line, as far as that is known."""
        good = [
            CheckedLine(line.number, line.text, reads=True, message=None, forecast=forecasts.get(line.number))
            for line in self.orders.lines
        ]
        bad = [
            CheckedLine(each.line, each.text, reads=False, message=each.message, forecast=None)
            for each in self.problems
        ]
        return tuple(sorted((*good, *bad), key=lambda line: line.line))

    def event(self, reason: str | None = None) -> OrdersReceived:
        """What the log is told of it; `reason` where the GM had to give one."""
        return OrdersReceived(
            seat=self.seat,
            turn=self.turn,
            text=self.text,
            sha256=self.sha256,
            source=self.source,
            problems=tuple(
                LineProblem(line=at.line, text=at.text, message=at.message) for at in self.problems
            ),
            reason=reason,
        )


@dataclass(frozen=True, slots=True)
class Desk:
    """What order files are held against: the contest, its secret, and its ruleset's reading of lines."""

    contest: Contest
    secret: bytes
    state: Any
    parse: Parse

    def read(self, path: Path) -> Incoming:
        """One file, its path and header agreeing; `BadInput` or `OSError` if it cannot be taken."""
        if path.is_symlink():
            raise BadInput(f"{shown(path)} is a symbolic link; put the file itself there.")
        if path.is_dir():
            raise BadInput(f"{shown(path)} is a folder; name the files in it, or move them here.")
        if path.exists() and not path.is_file():
            raise BadInput(f"{shown(path)} is no ordinary file; put the text of the orders there.")
        seat, turn = self._told_by(path)
        data = read_input(path, MAX_FILE)
        if path.suffix.lower() == ".eml":
            return self._take_eml(data, path, seat, turn)
        return self.take(data, f"file {name_of(path)}", name=shown(path), seat=seat, turn=turn)

    def take(
        self, data: bytes, source: str, *, name: str = "", seat: str | None = None, turn: int | None = None
    ) -> Incoming:
        """Bytes of orders from `source`, as the log will name it; `seat` and `turn` are what a path tells.

        What `BadInput` says begins with `name`, or with the source.
        """
        try:
            decoded = decode(data)
            return self._taken(decoded, source, seat, turn)
        except BadInput as refused:
            raise BadInput(f"{name or source}: {str(refused).rstrip('.')}.") from None

    def _taken(self, decoded: Decoded, source: str, seat: str | None, turn: int | None) -> Incoming:
        text = "\n".join(split_lines(decoded.text))
        sheet = read_sheet(text)
        self._check_game(sheet)
        turn = self._turn(sheet, turn)
        seat = self._seat(sheet, seat)
        self._check_key(sheet, seat)
        return self._incoming(text, source, seat, turn, decoded.encoding)

    def _incoming(self, text: str, source: str, seat: str, turn: int, encoding: str) -> Incoming:
        keys = keys_out(self.secret, self.contest)
        text = blank_keys(text, keys)
        sheet = read_sheet(text)
        return Incoming(
            source=blank_keys(source, keys),
            seat=seat,
            turn=turn,
            text=text,
            encoding=encoding,
            sheet=sheet,
            orders=self.parse(sheet, self.state, seat),
            press_problems=press_problems(sheet.press, self.contest.seats, split_lines(text)),
        )

    def take_mail(self, text: str, source: str, seat: str, turn: int) -> Incoming:
        """The order text of a mail whose key has settled seat and turn; its header may not disagree."""
        check_characters(text)
        sheet = read_sheet(text)
        game, word, player = (sheet.header.get(name, "") for name in ("game", "turn", "player"))
        if game and game.casefold() != self.contest.game:
            raise BadInput(f"its header says game: {brief(game)}, but its key is one of {self.contest.game}")
        if word and turn_number(word.casefold()) != turn:
            raise BadInput(f"its header says turn: {brief(word)}, but its key is the one for turn-{turn}")
        if player and player.casefold() != seat:
            raise BadInput(f"its header says player: {brief(player)}, but its key is the one of {seat}")
        key = sheet.header.get("key", "")
        out = keys_out(self.secret, self.contest)
        own = plain_key(key_of(self.secret, self.contest, seat))
        if key and key != BLANKED and own not in keys_in(key, out):
            raise BadInput("its header has another key than the one found elsewhere in the mail")
        return self._incoming(text, source, seat, turn, "utf-8")

    def reads(self, line: str, seat: str) -> bool:
        """Whether one line reads as an order."""
        if len(line) > MAX_LINE:
            return False
        try:
            orders = self.parse(read_sheet(line), self.state, seat)
        except BadInput:
            return False
        return bool(orders.lines) and not orders.problems

    def _take_eml(self, data: bytes, path: Path, seat: str | None, turn: int | None) -> Incoming:
        """A mail that the GM put among the order files: its orders, as `pbem receive` finds them."""
        from pbem.mail.letter import read_letter  # noqa: PLC0415 - mail is seldom among them
        from pbem.mail.orders import find_orders  # noqa: PLC0415

        keys = keys_out(self.secret, self.contest)
        reader = seat or self.contest.seats[0]
        try:
            written = find_orders(
                read_letter(data),
                self.contest.seats,
                lambda line: self.reads(line, reader),
                lambda text: without_keys(text, keys),
            )
        except BadInput as refused:
            raise BadInput(f"{shown(path)}: {str(refused).rstrip('.')}.") from None
        if written.command:
            raise BadInput(f"{shown(path)}: it asks for `{written.command}`; hand it to `pbem receive`.")
        data = written.text.encode("utf-8", "replace")
        return self.take(data, f"file {name_of(path)}", name=shown(path), seat=seat, turn=turn)

    def _told_by(self, path: Path) -> tuple[str | None, int | None]:
        """Seat and turn as `turn-3/crimson-late.txt` tells them, as far as it does."""
        turn = _TURN.fullmatch(path.absolute().parent.name)
        is_turn = turn is not None and turn[0].startswith("turn-")
        return seat_of(path.stem, self.contest.seats), int(turn[1]) if turn and is_turn else None

    def _check_game(self, sheet: Sheet) -> None:
        game = sheet.header.get("game")
        if game and game.casefold() != self.contest.game:
            raise BadInput(
                f"its header says game: {brief(game)}, but this is {self.contest.game}; send it to the"
                " right game"
            )

    def _turn(self, sheet: Sheet, told: int | None) -> int:
        word = sheet.header.get("turn")
        turn = told
        if word:
            if not (found := _TURN.fullmatch(word.casefold())):
                raise BadInput(
                    f"its header says turn: {brief(word)}, which is no turn; write turn: {self.contest.turn}"
                )
            turn = int(found[1])
            if told is not None and told != turn:
                raise BadInput(
                    f"its header says turn: {turn}, but it lies in turn-{told}; move it or mend the header"
                )
        if turn is None:
            raise BadInput(
                f"it does not say for which turn it is; begin it with the line turn: {self.contest.turn}"
            )
        if turn != self.contest.turn:
            raise BadInput(
                f"it is for turn-{turn}, but turn-{self.contest.turn} is open; mend the header or the path"
            )
        return turn

    def _seat(self, sheet: Sheet, told: str | None) -> str:
        word = sheet.header.get("player")
        known = f"this game's seats are {', '.join(self.contest.seats)}"
        if not word:
            if told is None:
                raise BadInput(f"neither its name nor a line player: SEAT says whose it is; {known}")
            return told
        seat = word.casefold()
        if seat not in self.contest.seats:
            raise BadInput(f"its header says player: {brief(word)}, but no such seat plays; {known}")
        if told is not None and told != seat:
            raise BadInput(
                f"its header says player: {brief(word)}, but its name says {told}; rename it or mend the"
                " header"
            )
        return seat

    def _check_key(self, sheet: Sheet, seat: str) -> None:
        key = sheet.header.get("key")
        if key and key != BLANKED and not is_key(key, self.secret, self.contest, seat):
            raise BadInput(
                f"its key is not the one of {seat} for turn-{self.contest.turn}; copy it from the"
                " template at the end of that seat's last report, or leave the line out"
            )


def press_problems(press: Sequence[Press], seats: Sequence[str], lines: Sequence[str]) -> tuple[Problem, ...]:
    """Press that will not be printed: past the limit of a turn, or to a seat that does not play."""
    problems: list[Problem] = []
    used = 0
    for each in press:
        text = lines[each.number - 1].strip()
        if each.to is not None and each.to.casefold() not in seats:
            message = (
                f"press to {brief(each.to or 'nobody')}: no such seat plays; the seats are {', '.join(seats)}"
            )
        elif used + len(each.text) > MAX_PRESS:
            left = MAX_PRESS - used
            message = f"press of {len(each.text):,} characters; of {MAX_PRESS:,} a turn {left:,} are left"
        else:
            used += len(each.text)
            continue
        problems.append(Problem(each.number, text, message))
    return tuple(problems)


def printed_press(sheet: Sheet, problems: Iterable[LineProblem]) -> tuple[Press, ...]:
    """The press of a file that counts, without what was a problem when it was taken; `to` is a seat."""
    refused = {problem.line for problem in problems}
    return tuple(
        each._replace(to=each.to.casefold() if each.to is not None else None)
        for each in sheet.press
        if each.number not in refused
    )


def seat_of(stem: str, seats: Sequence[str]) -> str | None:
    """The seat that a file's name tells: SEAT or SEAT-anything."""
    stem = stem.casefold()
    named = [seat for seat in seats if stem == seat or stem.startswith(f"{seat}-")]
    return max(named, key=len, default=None)


def turn_number(text: str) -> int | None:
    """`turn-3` or `3` as a number; None if it is neither."""
    found = _TURN.fullmatch(text)
    return int(found[1]) if found else None


def order_files(folder: Path) -> tuple[Path, ...]:
    """What lies in a folder of order files, by name; none if there is no such folder.

    `BadInput` for a symbolic link: what lies elsewhere is named by hand.
    """
    if folder.is_symlink():
        raise BadInput(f"{shown(folder)} is a symbolic link; put the folder itself there.")
    try:
        return tuple(sorted(path for path in folder.iterdir() if not _IGNORED.fullmatch(path.name)))
    except FileNotFoundError:
        return ()


@dataclass(frozen=True, slots=True)
class Intake:
    """What a set of files comes to: the good ones that are new, those known already, and the bad."""

    new: tuple[Incoming, ...]
    known: tuple[Incoming, ...]
    refused: Mapping[Path, str]
    """By path, the sentence."""
    refused_seats: frozenset[str] = frozenset()
    """Seats whose file was bad, as far as its path tells."""


def take_in(desk: Desk, paths: Sequence[Path], *, again: bool) -> Intake:
    """Read files and hold them against the log and each other; no order of `paths` changes the outcome.

    A text that the log has is known. `again`: only the one that stands now is known, for files that
    a person names one by one and may want back.
    """
    good: list[tuple[Path, Incoming]] = []
    refused: dict[Path, str] = {}
    for path in sorted(paths):
        if path.suffix.lower() == ".eml" and _is_received(desk.contest, path):
            continue
        try:
            good.append((path, desk.read(path)))
        except BadInput as error:
            refused[path] = str(error)
        except OSError as error:
            refused[path] = f"{shown(path)} cannot be read: {error.strerror}; mend that or take it away."
    new: dict[str, list[tuple[Path, Incoming]]] = {}
    known: list[Incoming] = []
    for path, incoming in good:
        if _in_log(desk.contest, incoming, again=again):
            known.append(incoming)
        else:
            new.setdefault(incoming.seat, []).append((path, incoming))
    for seat, several in new.items():
        if len({incoming.text for _, incoming in several}) > 1:
            names = " and ".join(shown(path) for path, _ in several)
            for path, _ in several:
                refused[path] = f"{names} are both new and both {seat}'s; leave the one that is meant."
        elif (sent := desk.contest.sent(seat)) and sent.source.startswith(MAIL):
            path = several[0][0]
            refused[path] = (
                f"{shown(path)} is new, but {sent.source} was accepted from {seat}; take one of them away."
            )
    taken = [several[0][1] for several in new.values() if several[0][0] not in refused]
    return Intake(tuple(taken), tuple(known), refused, _seats_of(refused, desk, new))


def _is_received(contest: Contest, path: Path) -> bool:
    """Whether a mail is one whose orders the log has: `receive` leaves copies of those in the folder."""
    came = (*contest.received, *contest.dropped)
    mails = {each.source for each in came if each.source.startswith(MAIL)}
    try:
        return bool(mails) and MAIL + sha256(read_input(path, MAX_FILE)).hexdigest()[:NAME_LENGTH] in mails
    except (OSError, BadInput):
        return False


def _in_log(contest: Contest, incoming: Incoming, *, again: bool) -> bool:
    if again:
        sent = contest.sent(incoming.seat)
        return sent is not None and sent.text == incoming.text
    return any(
        each.turn == incoming.turn and each.seat == incoming.seat and each.text == incoming.text
        for each in chain(contest.received, filter(_is_a_copy, contest.dropped))
    )


def _is_a_copy(received: Received) -> bool:
    """Whether its file was put into the folder by pbem, and not by the GM, who may want it back."""
    return received.source.startswith((MAIL, PROGRAM))


def _seats_of(
    refused: Iterable[Path], desk: Desk, new: Mapping[str, Sequence[tuple[Path, Incoming]]]
) -> frozenset[str]:
    by_header = {path: seat for seat, several in new.items() for path, _ in several}
    seats = (by_header.get(path) or seat_of(path.stem, desk.contest.seats) for path in refused)
    return frozenset(seat for seat in seats if seat)


def take_in_bytes(desk: Desk, data: bytes, name: str) -> Intake:
    """What came without a file, on standard input."""
    incoming = desk.take(data, name)
    known = _in_log(desk.contest, incoming, again=True)
    return Intake(() if known else (incoming,), (incoming,) if known else (), {})


def merge_intakes(intakes: Sequence[Intake]) -> Intake:
    """Several intakes as one; a seat that is new in two of them is refused in both."""
    new: dict[str, Incoming] = {}
    refused = {path: sentence for intake in intakes for path, sentence in intake.refused.items()}
    for incoming in (incoming for intake in intakes for incoming in intake.new):
        other = new.setdefault(incoming.seat, incoming)
        if other.text != incoming.text:
            both = f"{other.source} and {incoming.source}"
            refused[Path(incoming.source)] = f"{both} are both new and both {incoming.seat}'s; leave one."
    known = tuple(incoming for intake in intakes for incoming in intake.known)
    return Intake(tuple(new.values()), known, refused)
