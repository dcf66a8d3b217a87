"""One game's side of the post office: its keys and addresses, its orders as they stand, its outbox."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import clock, keys
from pbem.contest import Contest, Received, evolve
from pbem.dice import plain_key
from pbem.errors import BadInput, MustWait, PbemError, trouble_of
from pbem.events import OrdersReceived
from pbem.game import Game
from pbem.mail.receipts import ReadLine
from pbem.mail.writing import Outgoing, Sender, written
from pbem.mail_settings import MailSettings, mail_settings
from pbem.orders_in import MAIL, Desk, Incoming
from pbem.roll import standing
from pbem.sheet import Sheet

if TYPE_CHECKING:
    from pbem.mail.kept_in_database import DatabaseOutbox
    from pbem.mail.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Opened:
    """What a key opens: a seat's orders for a turn; `good` if that turn is open and the key not replaced."""

    game: str
    seat: str
    turn: int
    good: bool


class Counter:
    """A game as its mail meets it. `contest` goes on with every message, before the log has it."""

    def __init__(
        self, game: Game, *, judged: Callable[[Collection[str]], Container[str]] = frozenset
    ) -> None:
        """`judged` gives, of the names of messages, those that stand in the journal of mail."""
        self.game = game
        self.events: list[OrdersReceived] = []
        received = game.contest.received
        by_mail = {each.source: each for each in received if each.source.startswith(MAIL)}
        known = judged([source[len(MAIL) :] for source in by_mail]) if by_mail else ()
        self._late = {source: each for source, each in by_mail.items() if source[len(MAIL) :] not in known}
        self.contest: Contest = replace(
            game.contest, received=tuple(each for each in received if each.source not in self._late)
        )

    @property
    def name(self) -> str:
        """The game's."""
        return self.game.contest.game

    @cached_property
    def settings(self) -> MailSettings:
        """[mail] of game.toml."""
        return mail_settings(self.game.config.mail)

    @cached_property
    def sender(self) -> Sender:
        """As whom the game writes."""
        return Sender(self.name, self.settings.address, self.settings.plus)

    @cached_property
    def outbox(self) -> "Outbox | DatabaseOutbox":
        """Where its messages wait."""
        return self.game.home.outbox()

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """By seat, the address on file."""
        seats = self.contest.seats
        return {
            each.seat: each.email for each in self.game.config.players if each.seat in seats and each.email
        }

    @cached_property
    def names(self) -> Mapping[str, str]:
        """By seat, the player's name."""
        return {each.seat: each.name for each in self.game.config.players}

    @cached_property
    def closed(self) -> str:
        """Why the game takes no orders now; empty if it does."""
        if self.contest.phase == "ended":
            return f"{self.name} is over; no more orders are taken"
        if self.contest.phase == "signup" and not self.game.ruleset.sign_up_orders:
            return f"{self.name} has not started; turn 0 takes no orders"
        return ""

    @cached_property
    def keys(self) -> Mapping[str, Opened]:
        """Every key of the game, in plain form."""
        out = keys.keys_out(self.game.secret, self.contest)
        good = (
            set()
            if self.closed
            else {plain_key(keys.key_of(self.game.secret, self.contest, seat)) for seat in self.contest.seats}
        )
        return {key: Opened(self.name, seat, turn, key in good) for key, (turn, seat) in out.items()}

    @property
    def marks(self) -> tuple[str, ...]:
        """By what mail can be known to be this game's: keys in plain form, and addresses in lower case."""
        # The keys of later turns come last, so that those before stay in their places.
        return (*(address.casefold() for address in self.addresses.values()), *self.keys)

    def read(self) -> None:
        """Read all by which it is known whose mail is whose, so that what is wrong there is told first."""
        _ = self.game.moment(), self.settings, self.addresses, self.closed, self.keys

    @cached_property
    def desk(self) -> Desk:
        """Where order texts are read; it knows the position, not what has come in."""
        return self.game.desk

    def key(self, seat: str) -> str:
        """A seat's key for the open turn; empty where no orders are taken."""
        return "" if self.closed else keys.key_of(self.game.secret, self.contest, seat)

    def bare_template(self, seat: str) -> str:
        """A seat's order file with its header alone."""
        header = f"game: {self.name}\nturn: {self.contest.turn}\nplayer: {seat}\nkey: {self.key(seat)}\n"
        return f"{header}\nend\n"

    # Orders.

    @property
    def is_behind(self) -> bool:
        """Whether its log has orders from messages that no journal has."""
        return bool(self._late)

    def arrived_before(self, source: str) -> Received | None:
        """Orders that the log has had from a message since a crash, which its journal has not."""
        return self._late.get(source)

    def stands_already(self, incoming: Incoming) -> bool:
        """Whether this text is the one that stands now."""
        sent = self.contest.sent(incoming.seat)
        return sent is not None and sent.text == incoming.text

    def take(self, event: OrdersReceived, moment: datetime) -> None:
        """Orders that are accepted: from here on they stand."""
        if event.source not in self._late:
            self.events.append(event)
        self.contest = evolve(self.contest, event, clock.stamp(moment))

    def append(self) -> None:
        """Tell the log what was accepted, in one transaction."""
        events, self.events = self.events, []
        self.game.record(events)

    def refresh(self) -> None:
        """Go on from what the log has now, once all mail is taken in."""
        self.contest = self.game.contest

    # Words.

    def read_lines(self, orders: Any, seat: str) -> list[ReadLine]:
        """Lines as read, with what each would do now."""
        forecasts = self.game.ruleset.forecast(self.game.history.state, seat, orders)
        told: dict[int, list[str]] = {}
        for forecast in forecasts:
            told.setdefault(forecast.line, []).append(forecast.text)
        return [
            ReadLine(line.number, str(line), "; ".join(told.get(line.number, []))) for line in orders.lines
        ]

    def stands(self, seat: str) -> tuple[str, Sheet]:
        """What stands now for the open turn: from where it came, and its lines."""
        found = standing(self.contest, seat)
        if found.received is not None:
            return _source_in_words(found.received.source), found.sheet
        return ("your standing orders" if found.sheet.lines else ""), found.sheet

    def deadline(self) -> str:
        """When orders are due, as a sentence."""
        if self.contest.phase == "ended":
            return "The game is over."
        if not self.contest.deadline:
            return f"No deadline is set for turn {self.contest.turn}."
        zone = self.game.config.zone
        words = clock.in_words(self.contest.deadline, zone)
        return f"Orders for turn {self.contest.turn} are due {words} ({zone.key})."

    def seat_of(self, address: str) -> str | None:
        """The seat whose address on file this is."""
        return next(
            (seat for seat, known in self.addresses.items() if known.casefold() == address.casefold()), None
        )

    # Sending.

    def post(self, out: Outgoing) -> bool:
        """Put a message into the outbox, unless it ever was there; `BadInput` for an address that is none."""
        return self.outbox.put(self.identity(out), lambda: written(self.sender, out)[1])

    def identity(self, out: Outgoing) -> str:
        """The Message-ID that a message has or will have."""
        from pbem.mail.writing import message_id  # noqa: PLC0415 - slow to import

        return message_id(self.sender, out.turn, out.seat, out.kind, out.mark)

    def writable(self, seat: str) -> bool:
        """Whether a seat has an address that mail can be sent to."""
        from pbem.mail.writing import address  # noqa: PLC0415 - slow to import

        try:
            address(self.addresses.get(seat, ""))
        except BadInput:
            return False
        return True


def _source_in_words(source: str) -> str:
    return "a mail of yours" if source.startswith(MAIL) else source


class Counters(dict[str, Counter]):
    """The counters of a post office, by the names of their games, in the order in which games are asked."""

    def __init__(self, shut: dict[str, str] | None = None) -> None:
        """`shut`: why games cannot be read, by name, where others are served all the same; else None."""
        super().__init__()
        self.shut = shut

    def add(self, counter: Counter) -> None:
        """Serve one more; `BadInput` if another game has its name."""
        if counter.name in self:
            both = f"{self[counter.name].game.folder} and {counter.game.folder}"
            raise BadInput(f"{both} are both called {counter.name}; serve them from different mailboxes.")
        self[counter.name] = counter

    @cached_property
    def _keys(self) -> dict[str, Opened]:
        return {key: opened for counter in self.values() for key, opened in counter.keys.items()}

    @cached_property
    def _behind(self) -> list[Counter]:
        return [counter for counter in self.values() if counter.is_behind]

    @cached_property
    def _addresses(self) -> tuple[str, ...]:
        known = (address for counter in self.values() for address in counter.addresses.values())
        return tuple(address.casefold() for address in known)

    def opened(self, like: Iterable[str]) -> tuple[Opened, ...]:
        """What is opened by those of these texts that are keys; they are in plain form (`like_keys`)."""
        return tuple(self._keys[key] for key in like if key in self._keys)

    def late(self, source: str) -> tuple[Counter, Received] | None:
        """The orders that a log has had from a message since a crash, which no journal has."""
        for counter in self._behind:
            if (found := counter.arrived_before(source)) is not None:
                return counter, found
        return None

    def may_know(self, sender: str) -> bool:
        """Whether an address on file may stand in a From field, as written or with comments in it."""
        folded = sender.casefold()
        return "(" in folded or "=" in folded or any(address in folded for address in self._addresses)

    def with_address(self, address: str) -> tuple[Counter, str] | None:
        """The first game, and its seat, whose address on file this is."""
        for counter in self.values():
            if seat := counter.seat_of(address):
                return counter, seat
        return None

    def renew(self) -> None:
        """Take note of what others did to the games since they were read, where nobody else is kept out."""

    def hindered(self, game: str, error: PbemError | OSError) -> PbemError | OSError:
        """What to raise where a game's own trouble shows: where others are served its mail waits."""
        if self.shut is None:
            return error
        self.shut[game] = trouble_of(game, error)
        return MustWait(self.shut[game], game)

    def must_be_whole(self) -> None:
        """`MustWait` if some game is left out that mail may be for."""
        for name, told in (self.shut or {}).items():
            raise MustWait(told, name)

    def mailboxes(self) -> tuple[Counter, ...]:
        """Of each mailbox that game.toml names, the first game that does."""
        found: dict[tuple[str, str], Counter] = {}
        for counter in self.values():
            if counter.settings.incoming:
                found.setdefault((counter.settings.incoming, counter.settings.password_env), counter)
        return tuple(found.values())


def seats_in_words(seats: Sequence[str]) -> str:
    """`crimson, azure`, or `nobody`."""
    return ", ".join(seats) or "nobody"


def folders_of(path: Path, unread: Callable[[str], None]) -> tuple[Path, ...]:
    """The games below a folder; `BadInput` if there is none. `unread` is told of what is closed."""
    from pbem.game import games_below  # noqa: PLC0415 - slow to import

    found = games_below(path, unread) if path.is_dir() else ()
    if not found:
        raise BadInput(f"There is no game below {path}; name the folder that holds them.")
    return found
