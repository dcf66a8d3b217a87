"""The frozen base of all events, and the host's own: what happens to any game, whatever it plays.

An event is a fact in the past tense. Its data holds ints, strings, bools, None, tuples and plain
mappings only: no float, so that dumping what was parsed gives the same text again.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from pbem.errors import Damaged

Json = Any
"""What `json.loads` gives: typed where it is used."""


Lift = Callable[[dict[str, Json]], dict[str, Json]]
"""The data of an event, as JSON values, in the form of the next schema of its kind."""


class Fact(BaseModel):
    """A frozen, strict record; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


class Throw(Fact):
    """One throw of a die, as it stands in `dice` of the event that rests on it."""

    key: str
    sides: int
    value: int


class Event(Fact):
    """The base of every event. Subclasses give `kind` as a Literal with a default."""

    schema_version: ClassVar[int] = 1
    lifts: ClassVar[tuple[Lift, ...]] = ()
    """How the data of older schemas become this one's: `lifts[0]` from schema 1 to 2, and so on."""
    kind: str


class RulesetEvent(Event):
    """The base of every ruleset's events: with the numbers of the rulings it rests on."""

    rules: tuple[str, ...] = ()


R = TypeVar("R")


def altered(record: R, **fields: object) -> R:
    """A copy of a frozen dataclass without slots, with some other values.

    `dataclasses.replace` does the same in five times the time: the fold of a log does it for every row.
    """
    copy = object.__new__(record.__class__)
    copy.__dict__.update(record.__dict__, **fields)
    return copy


def dump_json(value: Json) -> str:
    """JSON as the log stores it: one form, so that parsing and dumping again gives the same text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event_data(event: Event) -> dict[str, Json]:
    """The event's fields without `kind`, as JSON values: what the column `data` holds."""
    return event.model_dump(mode="json", exclude={"kind"})


def event_json(event: Event) -> dict[str, Json]:
    """The event as cases and `--json` show it: `kind` first, then its fields."""
    return {"kind": event.kind, **event_data(event)}


E = TypeVar("E", bound=Event)


class _Readers(dict[tuple[str, int], Callable[[str], E]]):
    """By kind and schema: what makes an event of a row's data, built when it is first asked for."""

    def __init__(self, build: Callable[[str, int], Callable[[str], E]]) -> None:
        self._build = build

    def __missing__(self, key: tuple[str, int]) -> Callable[[str], E]:
        self[key] = self._build(*key)
        return self[key]


class EventKinds(Generic[E]):
    """The kinds of one family of events: reads rows of the log back into events, strictly.

    The column `kind` tells the model, so a row is validated against that one alone; a model's
    validator is built when its first row is met (`defer_build`), which keeps start-up short.
    """

    def __init__(self, kinds: Iterable[type[E]]) -> None:
        """`kinds` are the event classes; each gives its `kind` as the default of that field."""
        self._models = {str(model.model_fields["kind"].default): model for model in kinds}
        self.readers = _Readers(self._reader)
        """By kind and schema, for who reads many rows: `read` without its detour and its sentences."""

    def __contains__(self, kind: str) -> bool:
        return kind in self._models

    def __iter__(self) -> Iterator[type[E]]:
        return iter(self._models.values())

    def read(self, kind: str, schema: int, data: str) -> E:
        """The event of one row, lifted step by step from an old schema.

        `Damaged` for a kind, schema or field that this program lacks.
        """
        try:
            return self.readers[kind, schema](data)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "its data"
            message = f"An event {kind!r} of the log cannot be read: {where}: {first['msg']}."
            raise Damaged(message) from error

    def _reader(self, kind: str, schema: int) -> Callable[[str], E]:
        model = self._models.get(kind)
        if model is None or not 1 <= schema <= model.schema_version:
            raise Damaged(
                f"The log has an event {kind!r} (schema {schema}) that this version of pbem does not"
                " know; install a newer pbem."
            )
        if schema < model.schema_version:
            return lambda data: model.model_validate_json(_lifted(model, schema, data), strict=True)
        # Strict by its configuration; the model's own method does the same in twice the time.
        model.model_rebuild()
        reader: Callable[[str], E] = model.__pydantic_validator__.validate_json
        return reader


def _lifted(model: type[Event], schema: int, data: str) -> str:
    """The data in the newest schema, one step after another; `Damaged` where a step cannot be made."""
    try:
        lifted = json.loads(data)
        for lift in model.lifts[schema - 1 :]:
            lifted = lift(lifted)
        return dump_json(lifted)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(f"An event {model.__name__} of schema {schema} cannot be read: {error!r}.") from error


class GameCreated(Event):
    """The first event: everything that data shipped later must never change."""

    kind: Literal["game_created"] = "game_created"
    ruleset: str
    ruleset_version: str
    pbem_version: str
    seats: tuple[str, ...]
    length: int
    setup: dict[str, Json]
    secret_hash: str
    commitment: str


class KeyIssued(Event):
    """A seat got a key after its first one; `issue` counts from 2."""

    kind: Literal["key_issued"] = "key_issued"
    seat: str
    issue: int


class LineProblem(Fact):
    """A line that could not be read, as the log and `--json` show it."""

    line: int
    text: str
    message: str


class OrdersReceived(Event):
    """A seat's file was taken; `text` as sent, decoded, keys blanked; `sha256` is of that text."""

    kind: Literal["orders_received"] = "orders_received"
    seat: str
    turn: int
    text: str
    sha256: str
    source: str
    problems: tuple[LineProblem, ...]
    reason: str | None = None


class DeadlineSet(Event):
    """Orders for `turn` are due `at`, an ISO time in UTC ending in Z, or None for no deadline."""

    kind: Literal["deadline_set"] = "deadline_set"
    turn: int
    at: str | None


class SeatAbsent(Event):
    """A seat is away up to and including turn `until`; None calls the absence off."""

    kind: Literal["seat_absent"] = "seat_absent"
    seat: str
    until: int | None


class SeatOut(Event):
    """A seat has nothing left to order, as its ruleset says: nobody waits for it any more."""

    kind: Literal["seat_out"] = "seat_out"
    seat: str


class SeatHandedOver(Event):
    """Somebody else, or a program (`player`), plays this seat from here on."""

    kind: Literal["seat_handed_over"] = "seat_handed_over"
    seat: str
    player: str | None = None


class TurnClosed(Event):
    """Opens an adjudication: the turn's outcomes follow it. Turn 0 is closed by `start`.

    `seed` is the revealed seed before any beacon, as hex; None where it must stay hidden until the
    end, which then brings it as `seed_0`. `missing` are the seats that had sent nothing.
    """

    kind: Literal["turn_closed"] = "turn_closed"
    turn: int
    attempt: int
    seed: str | None
    beacon: str | None
    missing: tuple[str, ...]
    deadline: str | None
    beacon_rule: str | None
    next_commitment: str | None
    seed_0: str | None = None


class TurnReopened(Event):
    """The last adjudicated turn is open again; `commitment` is that of its next attempt."""

    kind: Literal["turn_reopened"] = "turn_reopened"
    turn: int
    attempt: int
    reason: str
    keep_dice: bool
    commitment: str


class Change(Fact):
    """One part of the state that the GM changed; `path` is dotted, as in `state --json`."""

    path: str
    was: Json
    now: Json


class RulingMade(Event):
    """The GM changed the position by hand, in the open."""

    kind: Literal["ruling_made"] = "ruling_made"
    reason: str
    changes: tuple[Change, ...]


class NoteAdded(Event):
    """The GM's note to a turn's report."""

    kind: Literal["note_added"] = "note_added"
    turn: int
    text: str


class GameEnded(Event):
    """The secret of a finished contest is published: nothing can be reopened any more."""

    kind: Literal["game_ended"] = "game_ended"
    secret: str


HostEvent = (
    GameCreated | KeyIssued | OrdersReceived | DeadlineSet | SeatAbsent | SeatOut | SeatHandedOver
    | TurnClosed | TurnReopened | RulingMade | NoteAdded | GameEnded
)  # fmt: skip
HOST_EVENTS: EventKinds[HostEvent] = EventKinds(get_args(HostEvent))
QUIET_KINDS = frozenset({"orders_received", "seat_absent", "seat_out"})
"""The kinds of the host's events that are not public and change no report by themselves."""
