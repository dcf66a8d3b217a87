"""A seat that changes hands, or a player that changes his address: a new key, and both sides told."""

from contextlib import suppress
from hashlib import sha256

from pbem.config import player_of
from pbem.counter import Counter
from pbem.errors import BadInput
from pbem.mail.writing import address
from pbem.mailing import notice, template_of
from pbem.post import PostOffice


def hand_over(office: PostOffice, seat: str, name: str | None, email: str | None) -> tuple[str, ...]:
    """Hand a seat over; gives the addresses that a notice went to. The old one is told no key."""
    (counter,) = office.counters.values()
    if email is not None:
        address(player_of(f"{seat}=x <{email}>").email)
    old = counter.addresses.get(seat, "")
    counter.game.hand_over(seat, name, email)
    office.load()
    (counter,) = office.counters.values()
    new = counter.addresses.get(seat, "")
    mark = sha256(f"{counter.contest.issue(seat)} {old} {new}".encode()).hexdigest()[:12]
    told: list[str] = []
    if new:
        welcome = notice(
            counter,
            seat,
            new,
            "your seat and its new key",
            f"{mark}-new",
            f"You play {seat} in {counter.name} from here on; mail for this seat goes to this address.",
            counter.deadline(),
            "All keys that were issued for this seat before are worth nothing now.",
            *_template(counter, seat),
            key=counter.key(seat),
        )
        told += [new] if counter.post(welcome) else []
    if old and old.casefold() != new.casefold():
        farewell = notice(
            counter,
            seat,
            old,
            "another address",
            f"{mark}-old",
            f"The address of {seat} in {counter.name} was changed by the GM; mail for it goes elsewhere"
            " from here on, and keys sent here are worth nothing now.",
            "If you did not expect this, write to your GM.",
        )
        with suppress(BadInput):  # the old address was none: perhaps that is why it was changed
            told += [old] if counter.post(farewell) else []
    return tuple(told)


def hand_to_program(office: PostOffice, seat: str, program: str) -> tuple[str, ...]:
    """Have a program play a seat; whoever had it is told so. Gives the addresses that a notice went to."""
    (counter,) = office.counters.values()
    old = counter.addresses.get(seat, "")
    counter.game.hand_to_program(seat, program)
    office.load()
    (counter,) = office.counters.values()
    if not old:
        return ()
    mark = sha256(f"{counter.contest.issue(seat)} {old} {program}".encode()).hexdigest()[:12]
    farewell = notice(
        counter,
        seat,
        old,
        "a program plays your seat",
        f"{mark}-program",
        f"{seat} in {counter.name} is played by a program, {program}, from here on: the GM has said so, and"
        " every report does. Keys sent here are worth nothing now.",
        "If you did not expect this, write to your GM; he can give the seat back.",
    )
    with suppress(BadInput):  # an address that was none
        return (old,) if counter.post(farewell) else ()
    return ()


def _template(counter: Counter, seat: str) -> tuple[str, ...]:
    if counter.closed:
        return ()
    told = "Answer with these lines, your orders above `end`. The key is yours alone."
    return told, template_of(counter, seat)
