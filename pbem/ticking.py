"""A game that runs by itself: what `pbem tick` does each time (docs/mail.md, 9)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from pbem.clock import read_stamp
from pbem.counter import Counter, seats_in_words
from pbem.errors import PbemError, trouble_of
from pbem.files import PRIVATE_FOLDER, make_folders
from pbem.orders_in import Incoming
from pbem.post import PostOffice
from pbem.roll import roll

REMIND_BEFORE = timedelta(hours=24)

Tell = Callable[[str], None]


def tick(office: PostOffice, *, force: bool, tell: Tell, warn: Tell) -> bool:
    """Receive, remind, adjudicate what is due, send; gives whether nothing stood in the way."""
    # Of a game that cannot be read nobody knows which mailbox it names, perhaps for others too.
    known = not office.shut or bool(office.counters.mailboxes())
    fetched = receive(office, tell, warn) and known
    smooth = attend(office, fetched=fetched, force=force, tell=tell, warn=warn)
    return smooth and fetched and not office.waiting_for


def attend(office: PostOffice, *, fetched: bool, force: bool, tell: Tell, warn: Tell) -> bool:
    """All but receiving; `fetched` says whether all mail that there is has been taken in."""
    smooth = True
    for name in list(office.counters):
        smooth &= _one_game(office, name, fetched=fetched, force=force, tell=tell, warn=warn)
    try:
        count = office.flush()
    except PbemError as error:
        warn(str(error))
        return False
    if count:
        tell(f"{count} message{'' if count == 1 else 's'} sent.")
    return smooth and not office.failed


def receive(office: PostOffice, tell: Tell, warn: Tell) -> bool:
    """Whether all mail that there is has been taken in."""
    try:
        for result in office.fetch_all() if office.counters.mailboxes() else office.left_over():
            tell(in_words(result.json()))
    except PbemError as error:
        warn(str(error))
        return False
    return not office.failed


def in_words(result: dict[str, object]) -> str:
    """One line for one message."""
    whose = f" {result['game']} turn-{result['turn']} {result['seat']}" if result["seat"] else ""
    reason = f": {result['reason']}" if result["reason"] else ""
    return f"{result['source']}: {result['outcome']}{whose}{reason}"


def _one_game(office: PostOffice, name: str, *, fetched: bool, force: bool, tell: Tell, warn: Tell) -> bool:
    smooth = True
    try:
        counter = office.counters[name]
        if not counter.closed:
            _take_files(counter, tell, warn)
            _remind(office, counter, tell)
            smooth = _adjudicate(office, counter, fetched=fetched, force=force, tell=tell, warn=warn)
        _send(office, name, tell)
    except (PbemError, OSError) as error:
        return hindered(name, error, warn)
    return smooth


def hindered(name: str, error: PbemError | OSError, warn: Tell) -> bool:
    """Tell what is in one game's way while others go on; false, since not all went smoothly."""
    warn(trouble_of(name, error))
    return False


def _take_files(counter: Counter, tell: Tell, warn: Tell) -> None:
    intake = counter.game.take_in_folder()
    counter.refresh()
    _tell_taken(intake.new, tell)
    for sentence in dict.fromkeys(intake.refused.values()):
        warn(sentence)


def _tell_taken(taken: Sequence[Incoming], tell: Tell) -> None:
    for incoming in taken:
        tell(f"{incoming.seat}: {incoming.source}, {len(incoming.orders.lines)} order lines.")


def _remind(office: PostOffice, counter: Counter, tell: Tell) -> None:
    deadline = _deadline(counter)
    if deadline is None or not deadline - REMIND_BEFORE <= counter.game.moment() < deadline:
        return
    if reminded := office.remind(counter):
        tell(f"{counter.name}: reminded {seats_in_words(reminded)}.")


def next_look(counter: Counter, now: datetime) -> datetime | None:
    """When there will be something to do, if nothing happens before; None: never."""
    deadline = None if counter.closed or counter.contest.phase == "signup" else _deadline(counter)
    if deadline is None:
        return None
    reminder = deadline - REMIND_BEFORE
    return reminder if now < reminder else deadline


def _deadline(counter: Counter) -> datetime | None:
    at = counter.game.contest.deadline
    return read_stamp(at) if at else None


def _adjudicate(
    office: PostOffice, counter: Counter, *, fetched: bool, force: bool, tell: Tell, warn: Tell
) -> bool:
    game = counter.game
    contest = game.contest
    if contest.phase == "signup":
        return True  # `pbem start` is the GM's own
    deadline = _deadline(counter)
    past = deadline is not None and game.moment() >= deadline
    states = {each.seat: "in" if each.seat in contest.programs else each.state for each in roll(contest)}
    everybody = set(states.values()) <= {"in", "absent"} and "in" in states.values()
    if not past and not (game.config.early and everybody):
        return True
    if not fetched and not force:
        warn(
            f"{counter.name}: turn-{contest.turn} is due, but is not adjudicated while mail cannot be"
            " fetched."
        )
        return False
    if past and not force and (silent := _silent(counter, states)):
        warn(
            f"{counter.name}: turn-{contest.turn} is due, but nothing has come from {seats_in_words(silent)},"
            " who ordered last turn: more than half of those who did. Look whether mail gets lost, then"
            " `pbem tick --force`."
        )
        return False
    closed = game.adjudicate(contest.turn)
    _tell_taken(closed.taken, tell)
    tell(f"{counter.name}: turn-{closed.turn} is adjudicated, {closed.events} events.")
    office.load()
    return True


def _silent(counter: Counter, states: Mapping[str, str]) -> tuple[str, ...]:
    """Those who ordered last turn and sent nothing now, if more than half; the absent do not count."""
    contest = counter.game.contest
    if contest.turn <= 1:
        return ()
    last = counter.game.history.played(contest.turn - 1).contest
    ordered = [each.seat for each in roll(last) if each.state == "in" and states[each.seat] != "absent"]
    silent = tuple(seat for seat in ordered if states[seat] != "in")
    return silent if 2 * len(silent) > len(ordered) else ()


def _send(office: PostOffice, name: str, tell: Tell) -> None:
    """The reports of the last turn, written again first if a crash may have come between."""
    counter = office.counters[name]
    turn = counter.contest.last_turn
    if turn is None:
        return
    mark = sent_mark(counter, turn)
    if counter.outbox.has(mark):
        return
    make_folders(counter.game.folder, counter.game.turn_folder(counter.contest.turn), PRIVATE_FOLDER)
    counter.game.finished()
    if sent := office.send(counter, turn):
        tell(f"{name}: turn-{turn} reports for {seats_in_words(sent)}.")
    counter.outbox.make()
    counter.outbox.note(mark)


def sent_mark(counter: Counter, turn: int) -> str:
    """What the outbox's journal notes when all reports of a turn are in it."""
    attempt = counter.game.history.played(turn).closed.attempt
    return f"{counter.name} turn-{turn} attempt-{attempt}"
