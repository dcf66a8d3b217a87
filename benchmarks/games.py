"""The games that are measured: the same in every run, played without their reports."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from pbem.config import Player
from pbem.founding import Wanted, found
from pbem.game import Game
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import State
from tests.flux.games import random_order

SECRET = "20" * 32
LINES = 9
"""Order lines of a seat in a turn."""

Orders = Callable[[State, str, int], str]
"""A seat's file for a turn."""


class Clock:
    """A second later whenever it is asked."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


class Unreported(Game):
    """A game whose turns leave no reports until they are asked for."""

    def write_reports(self, turn: int | None) -> None:
        """Nothing."""

    def write_all_reports(self, turn: int | None) -> None:
        """What `write_reports` would have written."""
        super().write_reports(turn)


def new_game(folder: Path, length: int, hues: Sequence[str] = HUES, board: str = "grob") -> Unreported:
    """A contest that has started: six wizards on the map `grob`, if nothing else is said."""
    players = [Player(hue, f"P{seat}", f"p{seat}@example.org") for seat, hue in enumerate(hues, 1)]
    clock = Clock()
    found(Wanted(folder, "flux", players, map=board, length=length, secret=SECRET), clock())
    game = Unreported(folder, now=clock)
    game.start()
    return game


def write_orders(game: Game, orders: Orders) -> None:
    """Everybody's file for the open turn."""
    state, turn = game.history.state, game.contest.turn
    folder = game.turn_folder(turn)
    folder.mkdir(parents=True, exist_ok=True)
    for hue in state.wizards:
        folder.joinpath(f"{hue}.txt").write_text(orders(state, hue, turn), "utf-8")


def random_orders(seed: int, lines: int = LINES) -> Orders:
    """Orders aimed at what stands near, readable and mostly sensible."""
    rng = Random(seed)
    return lambda state, hue, _: "".join(f"{random_order(rng, state, hue)}\n" for _ in range(lines))


def random_contest(folder: Path, turns: int) -> Unreported:
    """A contest played to its end with random orders."""
    game, orders = new_game(folder, turns), random_orders(5)
    for turn in range(1, turns + 1):
        write_orders(game, orders)
        game.adjudicate(turn)
    return game


SETTLING = 4
"""Turns in which `steady` orders cast; in all later ones the number of pieces stays as it is."""


def steady_orders(state: State, hue: str, turn: int) -> str:
    """Casts in the first turns; then every piece walks a step, and two lines are refused or skipped."""
    board, wizard, label = state.board, state.wizards[hue], state.board.label
    covered = _covered(state)
    lines: list[str] = []
    if turn <= SETTLING:
        free = [
            place
            for place in board.hexes()
            if board.is_full(place)
            and 1 <= place - wizard.corner <= 4
            and not board.holds_globe(place)
            and place not in board.lakes | covered
        ]
        for place in free:
            other = next((near for near in place.neighbours() if near in free and near > place), None)
            if other is not None and len(lines) < 4:
                lines.append(f"cast forest at {label(place)}-{label(other)} times 2")
        lines += [f"cast {name} at {label(free[-1])} times 2" for name in ("gnome", "wyvern")]
    lines += [f"move {name} to {label(step)}" for (whose, name), step in _steps(state, turn) if whose == hue]
    lines += ["destroy with gnome", f"if enemy at {label(wizard.corner)}: hold", f"press: {hue} in {turn}"]
    return "\n".join(lines) + "\n"


def _covered(state: State) -> set[Hex]:
    return {place for wizard in state.wizards.values() for earth in wizard.earths for place in earth.hexes}


def _steps(state: State, turn: int) -> Iterator[tuple[tuple[str, str], Hex]]:
    """A step for every piece of everybody, none to where another stands or goes: nobody may be killed."""
    covered = _covered(state)
    taken = {place for wizard in state.wizards.values() for _, place in wizard.standing()}
    for hue, wizard in state.wizards.items():
        for name, place in wizard.standing():
            steps = [
                near for near in state.board.around[place] if near not in taken | covered | state.board.lakes
            ]
            if steps:
                step = steps[turn % len(steps)]
                taken.add(step)
                yield (hue, name), step
