"""The Python API: a game read-only, for bots, statistics and web front ends (docs/api.md).

Everything is plain: ints, texts, lists and dicts as in docs/formats.md. Nothing here appends to a log
or writes a file. What a method shows is what its reader may see where it takes one, else the GM's view.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pbem.errors import BadInput, PbemError, system_says
from pbem.events import Json, TurnReopened, event_json
from pbem.game import Game as Host
from pbem.history import History, PlayedTurn
from pbem.roll import orders_that_count, roll
from pbem.rulesets import Turn as Whole
from pbem.rulesets.model import GM, PUBLIC, Report
from pbem.store import row_json

__all__ = ["GM", "PUBLIC", "Game", "PbemError", "Turn"]


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """What the system would not do, as the error that callers expect."""
    try:
        yield
    except OSError as error:
        raise PbemError(system_says(error)) from error


@dataclass(frozen=True)
class Turn:
    """One adjudicated turn. `void` is the reason why it no longer counts, None if it does."""

    _host: Host
    _played: PlayedTurn
    void: str | None = None

    @property
    def number(self) -> int:
        """The turn; 0 is the opening."""
        return self._played.number

    @property
    def closed_at(self) -> str:
        """When it was adjudicated, ISO in UTC."""
        return self._played.rows[-1].at

    @property
    def hash(self) -> str:
        """The hash that the log had reached; it stands in every report of the turn."""
        return self._played.hash

    @property
    def missing(self) -> tuple[str, ...]:
        """The seats that had sent nothing."""
        return self._played.closed.missing

    @property
    def seed(self) -> str | None:
        """The revealed seed, before any beacon; None where it stays hidden."""
        return self._played.closed.seed

    @property
    def beacon(self) -> str | None:
        """The public number that was mixed in."""
        return self._played.closed.beacon

    @cached_property
    def events(self) -> list[dict[str, Json]]:
        """What happened, `kind` first, as the ruleset's events are described."""
        return [event_json(event) for event in self._played.events]

    @cached_property
    def throws(self) -> list[dict[str, Json]]:
        """Every throw, `{"key", "sides", "value"}`, in the order thrown."""
        return [throw for event in self.events for throw in event.get("dice") or ()]

    @cached_property
    def orders(self) -> dict[str, list[tuple[int, str]]]:
        """By seat, the lines that counted, with their numbers."""
        return {
            each.seat: [(line.number, line.text) for line in each.sheet.lines]
            for each in roll(self._played.contest)
        }

    @cached_property
    def state(self) -> dict[str, Json]:
        """The position that it left, as `pbem state --json` shows it, without the host's four fields."""
        return self._host.ruleset.state_json(self._played.after)

    def report(self, reader: str = PUBLIC) -> Report:
        """The report as a value (pbem.rulesets.model), for a seat, for PUBLIC or for the GM."""
        if reader not in {PUBLIC, GM, *self._played.contest.seats}:
            raise BadInput(f"There is no reader {reader!r}; a seat, {PUBLIC!r} and {GM!r} are.")
        played, ruleset = self._played, self._host.ruleset
        orders = orders_that_count(played.contest, played.before, ruleset.parse)
        whole: Whole[Any, Any, Any, Any] = Whole(
            played.number, played.before, played.events, played.after, orders
        )
        return ruleset.view(whole, reader)

    def map_svg(self, reader: str = PUBLIC) -> str:
        """The map after the turn as SVG text."""
        from pbem.reports.svg import drawing_to_svg  # noqa: PLC0415 - slow to import

        return drawing_to_svg(self.report(reader).board.drawing)


class Game:
    """A game in its folder, as its log is when it is first asked for; `reload` looks again."""

    def __init__(self, folder: str | Path) -> None:
        """The game in this folder or the nearest one above it; `PbemError` if there is none."""
        with _in_a_sentence():
            self._host = Host.find(Path(folder))

    def reload(self) -> "Game":
        """The same game as its log is now."""
        return Game(self._host.folder)

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._host.folder

    @property
    def name(self) -> str:
        """Its name, which the log fixes."""
        return self._host.contest.game

    @property
    def ruleset(self) -> str:
        """What is played."""
        return self._host.contest.created.ruleset

    @property
    def seats(self) -> tuple[str, ...]:
        """Who plays, in seat order."""
        return self._host.contest.seats

    @property
    def length(self) -> int:
        """How many turns it may have."""
        return self._host.contest.created.length

    @property
    def phase(self) -> str:
        """`signup`, `open` or `ended`."""
        return self._host.contest.phase

    @property
    def open_turn(self) -> int | None:
        """The turn for which orders are taken; None once the game is over."""
        return None if self.phase == "ended" else self._host.contest.turn

    @property
    def deadline(self) -> str | None:
        """When orders for the open turn are due, ISO in UTC; None if at no set time."""
        return None if self.phase == "ended" else self._host.contest.deadline

    @property
    def version(self) -> int:
        """How many events the log has."""
        return self._host.rows[-1].version

    def status(self) -> dict[str, Json]:
        """As `pbem status --json`."""
        return self._host.status_json()

    @property
    def turns(self) -> Sequence[Turn]:
        """Every turn that counts, from turn 0 on."""
        return tuple(Turn(self._host, played) for played in self._history.turns)

    @property
    def void_turns(self) -> Sequence[Turn]:
        """The adjudications that were reopened, in the order in which they became void."""
        return tuple(
            Turn(self._host, act.undone, act.event.reason)
            for act in self._history.acts
            if act.undone is not None and isinstance(act.event, TurnReopened)
        )

    def turn(self, number: int) -> Turn:
        """One turn; `PbemError` if it has not been adjudicated."""
        return Turn(self._host, self._history.played(number))

    def state(self, number: int | None = None) -> dict[str, Json]:
        """As `pbem state --json`: the position after a turn, or as it is now."""
        return self._host.state_json(number)

    def log(self) -> list[dict[str, Json]]:
        """As `pbem log --json`: every row with its data parsed."""
        return [row_json(row, json.loads(row.data)) for row in self._host.rows]

    def verify(self) -> dict[str, Json]:
        """As `pbem verify --json`."""
        from pbem.verify import verify  # noqa: PLC0415 - slow to import

        with _in_a_sentence():
            return verify(self._host).as_json()

    @property
    def _history(self) -> History:
        return self._host.history
