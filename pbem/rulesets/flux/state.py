"""The position: who stands where, owns what and has how much (docs/formats.md)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pbem.events import Json, altered
from pbem.rulesets.flux.data import HUES, WIZARD, Rules
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.territory import Hull, covered, territory


@dataclass(frozen=True, slots=True)
class PlacedEarth:
    """An earth counter on the board; its hexes in ascending order."""

    earth: str
    hexes: tuple[Hex, Hex]


@dataclass(frozen=True, slots=True)
class Piece:
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

    def piece_at(self, place: Hex) -> str | None:
        """His piece on a hex: there is one at most (F4.3)."""
        if self.at == place:
            return WIZARD
        if place not in self.pieces.values():
            return None
        return next(name for name, where in self.pieces.items() if where == place)

    def now(
        self, at: Hex | None, reserve: int, earths: tuple[PlacedEarth, ...], pieces: Mapping[str, Hex]
    ) -> "Wizard":
        """His side of the board after something happened."""
        return altered(self, at=at, reserve=reserve, earths=earths, pieces=pieces)

    def ground(self) -> frozenset[Hex]:
        """The hexes round which his band is drawn (F8.1)."""
        return frozenset({self.corner, *(place for earth in self.earths for place in earth.hexes)})

    def places(self) -> set[Hex]:
        """Where his pieces stand."""
        places = set(self.pieces.values())
        if self.at is not None:
            places.add(self.at)
        return places

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
        return altered(self, wizards={**self.wizards, wizard.hue: wizard})

    def enemies_at(self, hue: str, place: Hex) -> Iterator[Piece]:
        """The pieces of others on a hex, in seat order."""
        for other in self.wizards.values():
            if other.hue != hue and (name := other.piece_at(place)):
                yield Piece(other.hue, name)

    def earth_at(self, place: Hex) -> tuple[str, PlacedEarth] | None:
        """The earth that covers a hex and whose it is."""
        for wizard in self.wizards.values():
            for earth in wizard.earths:
                if place in earth.hexes:
                    return wizard.hue, earth
        return None

    def is_free(self, place: Hex) -> bool:
        """Neither piece, earth nor globe on the hex (F9.4)."""
        return not (
            self.board.holds_globe(place)
            or self.earth_at(place)
            or any(wizard.piece_at(place) for wizard in self.wizards.values())
        )

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
    disputed: tuple[Hex, ...]


def claimants(state: State) -> dict[Hex, tuple[str, ...]]:
    """Who covers each globe, in seat order, the globes in ascending order (F8.2)."""
    globes = state.board.globe_hexes
    held = [
        (hue, covered(wizard.ground(), globes))
        for hue, wizard in state.wizards.items()
        if not wizard.eliminated
    ]
    return {place: tuple(hue for hue, places in held if place in places) for place in globes}


def holdings(state: State) -> dict[str, Holdings]:
    """Each wizard's globes; the eliminated have none (F8.3)."""
    claims = claimants(state)
    return {
        hue: Holdings(
            {place: state.board.values[place] for place, hues in claims.items() if hues == (hue,)},
            tuple(place for place, hues in claims.items() if hue in hues and len(hues) > 1),
        )
        for hue in state.wizards
    }


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
