"""The position: who stands where, owns what and has how much (docs/formats.md)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from pbem.events import Json, altered
from pbem.rulesets.flux.data import HUES, WIZARD, Rules
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.territory import Hull, covered, territory


@dataclass(frozen=True, slots=True)
class PlacedEarth:
    """An earth counter on the board; its hexes in ascending order."""

    earth: str
    hexes: tuple[Hex, Hex]


class Piece(NamedTuple):
    """A piece on the board, the wizard included."""

    hue: str
    name: str


@dataclass(frozen=True)
class Wizard:
    """One player's side of the board. `at` is None off the board; `pieces` are without him."""

    hue: str
    seat: int
    corner: Hex
    at: Hex | None
    reserve: int = 0
    earths: tuple[PlacedEarth, ...] = ()
    """In the order in which they came."""
    pieces: Mapping[str, Hex] = field(default_factory=dict)
    eliminated: bool = False

    def standing(self) -> Iterator[tuple[str, Hex]]:
        """His pieces and their hexes, himself first."""
        if self.at is not None:
            yield WIZARD, self.at
        yield from self.pieces.items()

    @cached_property
    def stands(self) -> Mapping[Hex, str]:
        """His pieces by the hexes where they stand: one on each at most (F4.3)."""
        return {place: name for name, place in self.standing()}

    def now(
        self, at: Hex | None, reserve: int, earths: tuple[PlacedEarth, ...], pieces: Mapping[str, Hex]
    ) -> "Wizard":
        """His side of the board after something happened."""
        now = altered(self, at=at, reserve=reserve, earths=earths, pieces=pieces)
        # What was looked up before is copied along, and holds as long as nothing moved.
        if pieces is not self.pieces or at != self.at:
            now.__dict__.pop("stands", None)
        return now

    def ground(self) -> frozenset[Hex]:
        """The hexes round which his band is drawn (F8.1)."""
        return frozenset({self.corner, *(place for earth in self.earths for place in earth.hexes)})

    def hull(self) -> Hull:
        """His territory (F8.1)."""
        return territory(self.ground())


@dataclass(frozen=True)
class State:
    """A contest's position. `wizards` are in seat order; `round` is 0 before the contest starts."""

    rules: Rules
    board: Board
    length: int
    wizards: Mapping[str, Wizard]
    round: int = 0
    order_of_play: tuple[str, ...] = ()
    scores: Mapping[str, str] = field(default_factory=dict)
    loremasters: tuple[str, ...] = ()
    over: bool = False

    def having(self, wizard: Wizard) -> "State":
        """The position with one side of the board as it is now."""
        now = altered(self, wizards={**self.wizards, wizard.hue: wizard})
        # As in `now`: each holds as long as nothing moved, and no earth came or went.
        was = self.wizards[wizard.hue]
        if wizard.pieces is not was.pieces or wizard.at != was.at:
            now.__dict__.pop("occupied", None)
        if wizard.earths is not was.earths:
            now.__dict__.pop("earths", None)
        return now

    @cached_property
    def occupied(self) -> frozenset[Hex]:
        """Where pieces stand, whoever's."""
        return frozenset().union(*[wizard.stands for wizard in self.wizards.values()])

    @cached_property
    def earths(self) -> Mapping[Hex, tuple[str, PlacedEarth]]:
        """The earth that covers a hex and whose it is, by hex."""
        return {
            place: (wizard.hue, earth)
            for wizard in self.wizards.values()
            for earth in wizard.earths
            for place in earth.hexes
        }

    def pieces_at(self, place: Hex) -> list[Piece]:
        """Everybody's pieces on a hex, in seat order."""
        if place not in self.occupied:
            return []
        return [
            Piece(hue, wizard.stands[place]) for hue, wizard in self.wizards.items() if place in wizard.stands
        ]

    def enemies_at(self, hue: str, place: Hex) -> list[Piece]:
        """The pieces of others on a hex, in seat order."""
        return [piece for piece in self.pieces_at(place) if piece.hue != hue]

    def is_free(self, place: Hex) -> bool:
        """Neither piece, earth nor globe on the hex (F9.4)."""
        return not (self.board.holds_globe(place) or place in self.earths or place in self.occupied)

    def is_in_stock(self, hue: str, counter: str) -> bool:
        """Whether one of these counters, or this piece, is off the board (F5.7)."""
        wizard = self.wizards[hue]
        if (row := self.rules.earths.get(counter)) is None:  # type: ignore[call-overload]
            return counter not in wizard.pieces
        return bool([earth.earth for earth in wizard.earths].count(counter) < row.counters)

    def stock(self, hue: str) -> dict[str, int]:
        """How many counters of each kind, and of each named piece, are off the board (F5.7)."""
        wizard = self.wizards[hue]
        used = [earth.earth for earth in wizard.earths]
        earths = {name: row.counters - used.count(name) for name, row in self.rules.earths.items()}
        return earths | {name: int(name not in wizard.pieces) for name in self.rules.pieces()}


@dataclass(frozen=True, slots=True)
class Holdings:
    """The globes of one wizard, corners apart: undisputed, and those he shares with others (F8.3)."""

    undisputed: dict[Hex, int]
    disputed: list[Hex]


def claimants(state: State) -> dict[Hex, tuple[str, ...]]:
    """Who covers each globe, in seat order, the globes in ascending order (F8.2)."""
    globes = state.board.globe_hexes
    claims: dict[Hex, tuple[str, ...]] = dict.fromkeys(globes, ())
    for hue, wizard in state.wizards.items():
        if not wizard.eliminated:
            for place in covered(wizard.ground(), globes):
                claims[place] += (hue,)
    return claims


def holdings(state: State) -> dict[str, Holdings]:
    """Each wizard's globes; the eliminated have none (F8.3)."""
    held = {hue: Holdings({}, []) for hue in state.wizards}
    for place, hues in claimants(state).items():
        for hue in hues:
            if len(hues) == 1:
                held[hue].undisputed[place] = state.board.values[place]
            else:
                held[hue].disputed.append(place)
    return held


def income(state: State, hue: str, held: Holdings) -> int:
    """What the position would pay him (F3.1)."""
    if state.wizards[hue].eliminated:
        return 0
    return state.rules.contest.corner + sum(held.undisputed.values())


def scores(state: State) -> dict[str, Fraction]:
    """The own corner, undisputed globes, and an equal share of disputed ones (F8.4)."""
    claims = claimants(state)
    totals = {
        hue: Fraction(0 if wizard.eliminated else state.rules.contest.corner)
        for hue, wizard in state.wizards.items()
    }
    for place, hues in claims.items():
        for hue in hues:
            totals[hue] += Fraction(state.board.values[place], len(hues))
    return totals


def seat_number(hue: str) -> int:
    """A hue's seat, 1 to 6 (F1.3)."""
    return HUES.index(hue) + 1


def in_seat_order(wizards: Iterable[Wizard]) -> dict[str, Wizard]:
    """Wizards by hue, in the order of their seats."""
    return {wizard.hue: wizard for wizard in sorted(wizards, key=lambda wizard: wizard.seat)}


def state_json(state: State) -> dict[str, Json]:
    """The position as `state --json` shows it, without what the host adds (docs/formats.md)."""
    label = state.board.label
    held = holdings(state)
    return {
        "round": state.round,
        "order_of_play": list(state.order_of_play),
        "wizards": {
            hue: {
                "seat": wizard.seat,
                "alive": wizard.at is not None,
                "reserve": wizard.reserve,
                "at": None if wizard.at is None else label(wizard.at),
                "earths": [
                    {"earth": earth.earth, "hexes": [label(place) for place in earth.hexes]}
                    for earth in wizard.earths
                ],
                "pieces": {name: label(place) for name, place in wizard.pieces.items()},
                "stock": state.stock(hue),
                "globes": {label(place): value for place, value in held[hue].undisputed.items()},
                "disputed": [label(place) for place in held[hue].disputed],
                "income": income(state, hue, held[hue]),
            }
            for hue, wizard in state.wizards.items()
        },
        "scores": dict(state.scores),
        "loremasters": list(state.loremasters),
    }
