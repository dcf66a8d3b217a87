"""Turns for the tests of views and maps: positions from TOML, orders as text, dice as a table."""

import hashlib
import random
import tomllib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import TypeAlias

from pbem.rulesets import NewGame, Source, Turn
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.events import FluxEvent
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import Condition, Order
from pbem.rulesets.flux.state import State
from pbem.sheet import read_sheet

FluxTurn: TypeAlias = Turn[State, FluxEvent, Order, Condition]


MAP = """
[map]
radius = 10
title = "The Plains"
globes = { H10 = 4, I7 = 2, L4 = 2, L7 = 4, O5 = 2, O8 = 4, K11 = 4 }
lakes = ["M6", "J3"]
rivers = [["I9", "I10"], ["I10", "J9"], ["N10", "O9"]]
"""


def source(path: str) -> Source:
    return Source(path, resources.files("pbem").joinpath(*path.split("/")).read_text("utf-8"))


def position(text: str) -> State:
    """A test case's position."""
    return RULESET.case_setup(
        tomllib.loads(text),
        lambda name: source(f"rulesets/flux/maps/{name}.toml"),
        source("rulesets/flux/rules.toml"),
    )


def play(
    state: State,
    number: int,
    orders: Mapping[str, str],
    throws: Mapping[str, int] | None = None,
    dice: Callable[[str, int], int] | None = None,
) -> FluxTurn:
    """One turn. `throws` are by key; the first seat leads in the order of play, all others throw 5."""
    table = {f"initiative {state.round + 1} {hue} 1": 10 - seat for seat, hue in enumerate(HUES)}
    table |= throws or {}
    read = {hue: RULESET.parse(read_sheet(text), state, hue) for hue, text in orders.items()}
    events = RULESET.decide(state, read, dice or (lambda key, _sides: table.get(key, 5)))
    after = state
    for event in events:
        after = RULESET.evolve(after, event)
    return Turn(number, state, events, after, read)


def opening(seats: tuple[str, ...], board: str = "grob", length: int = 10) -> State:
    new = NewGame(
        seats, source("rulesets/flux/rules.toml"), source(f"rulesets/flux/maps/{board}.toml"), length
    )
    return RULESET.initial(RULESET.prepare(new).setup)


def contest(seats: tuple[str, ...], seed: int, board: str = "grob", length: int = 10) -> list[FluxTurn]:
    """A whole contest of random orders, the same for the same seed."""
    chosen = random.Random(seed)

    def dice(key: str, sides: int) -> int:
        return int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:4], "big") % sides + 1

    state, turns = opening(seats, board, length), list[FluxTurn]()
    while not state.over:
        orders = {hue: _random_orders(state, hue, chosen) for hue in seats} if state.round else {}
        turns.append(play(state, len(turns), orders, dice=dice))
        state = turns[-1].after
    return turns


def _random_orders(state: State, hue: str, chosen: random.Random) -> str:
    board, wizard = state.board, state.wizards[hue]
    label = board.label
    at = wizard.at or wizard.corner
    near = [place for place in board.hexes() if board.is_full(place) and place - at <= 6]
    enemies = [place for other in state.wizards.values() if other.hue != hue for _, place in other.standing()]

    def anywhere() -> Hex:
        return chosen.choice(near)

    def pair() -> str:
        one = anywhere()
        return f"{label(one)}-{label(chosen.choice([other for other in one.neighbours() if other in board]))}"

    lines = [
        f"move {name} to {label(chosen.choice(enemies) if chosen.random() < 0.4 else anywhere())}"
        for name, _ in wizard.standing()
    ]
    lines += [
        f"cast {chosen.choice(list(state.rules.earths))} at {pair()} times 2 else cast forest at {pair()}"
        for _ in range(5)
    ]
    lines += [f"cast {chosen.choice(state.rules.pieces())} at {label(anywhere())}" for _ in range(2)]
    lines += [
        f"if enemy at {label(anywhere())}: cast gnome at {label(anywhere())}",
        "hold",
        "cast forrest at K6-K7",
    ]
    lines += [f"destroy with {name}" for name in wizard.pieces]
    return "\n".join(lines)
