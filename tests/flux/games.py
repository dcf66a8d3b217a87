"""Random contests: boards, wizards and order texts, readable and not, aimed at what stands near."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from random import Random

from pbem.dice import Dice, seeded, turn_seed
from pbem.rulesets import NewGame, Source, Turn
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.events import FluxEvent
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import Condition, FluxOrders, Order
from pbem.rulesets.flux.state import State
from pbem.sheet import read_sheet

EARTHS = ("forest", "forest", "forest", "hills", "swamp", "mountain")
ANIMATES = ("gnome", "knight", "troll", "manticore", "wyvern", "phoenix", "great dragon", "dragon")
NONSENSE = (
    "cast forrest at K6-K7", "move", "move wizard to Z99", "cast forest at G4", "destroy gnome", "hold fast",
    "attack azure", "if enemy at: hold", "cast knight at G5 times 0", "move wizard to G4 else cast",
    "if flux ten: hold", "press on!", "cast troll at G4 keep -1", "мове wizard", "\u2026", "else",
)  # fmt: skip


@dataclass(frozen=True)
class Played:
    """One turn of a random contest with all that decided it."""

    turn: Turn[State, FluxEvent, Order, Condition]
    dice: Dice
    texts: dict[str, str]


def source(name: str) -> Source:
    return Source(
        name, resources.files("pbem").joinpath("rulesets", "flux", *name.split("/")).read_text("utf-8")
    )


def new_contest(rng: Random, board: str = "") -> State:
    """A contest of two to six hues on a shipped map; one in four plays with elimination."""
    hues = tuple(rng.sample(HUES, rng.randint(2, 6)))
    rules = source("rules.toml")
    if rng.random() < 0.25:
        rules = Source(rules.name, rules.text.replace('value = "returns"', 'value = "eliminated"'))
    name = board or rng.choice(("glade", "glade", "grob"))
    ready = RULESET.prepare(NewGame(hues, rules, source(f"maps/{name}.toml"), rng.randint(1, 8)))
    return RULESET.initial(ready.setup)


def near(rng: Random, state: State, place: Hex, reach: int) -> Hex:
    spots = [spot for spot in state.board.hexes() if spot - place <= reach]
    return rng.choice(spots)


def random_order(rng: Random, state: State, hue: str) -> str:
    """One order, mostly sensible."""
    label = state.board.label
    wizard = state.wizards[hue]
    at = wizard.at or wizard.corner
    enemies = [place for other in state.wizards.values() if other.hue != hue for _, place in other.standing()]
    lands = [spot for other in state.wizards.values() for earth in other.earths for spot in earth.hexes]
    roll = rng.random()
    if roll < 0.45:
        first = near(rng, state, at, rng.choice((3, 4, 4, 6, 8, 11)))
        if rng.random() < 0.65:
            second = rng.choice([spot for spot in first.neighbours() if spot in state.board] or [first])
            order = f"cast {rng.choice(EARTHS)} at {label(first)}-{label(second)}"
        else:
            target = rng.choice([*enemies, *lands, first]) if rng.random() < 0.6 else first
            order = f"cast {rng.choice(ANIMATES)} at {label(target)}"
        if rng.random() < 0.5:
            order += f" times {rng.randint(1, 5)}"
        if rng.random() < 0.2:
            order += f" keep {rng.randint(0, 12)}"
        return order
    if roll < 0.8:
        piece, start = rng.choice(list(wizard.standing()) or [("wizard", at)])
        if rng.random() < 0.15:
            way = [start]
            for _ in range(rng.randint(1, 5)):
                way.append(rng.choice([spot for spot in way[-1].neighbours() if spot in state.board]))
            return f"move {piece} via {' '.join(label(spot) for spot in way[1:])}"
        close = [place for place in (*enemies, *lands) if place - start <= 7]
        target = rng.choice(close) if close and rng.random() < 0.5 else near(rng, state, start, 4)
        return f"move {piece} to {label(target)}"
    if roll < 0.97:
        on_earth = [name for name, place in wizard.pieces.items() if place in state.earths]
        return f"destroy with {rng.choice(on_earth or [*wizard.pieces, 'wizard', 'gnome'])}"
    return "hold"


def random_condition(rng: Random, state: State) -> str:
    place = state.board.label(rng.choice([*state.board.hexes()]))
    return rng.choice((f"enemy at {place}", f"own at {place}", f"free {place}", f"earth at {place}",
                       f"flux {rng.randint(0, 40)}", f"alive {rng.choice(list(state.wizards))}"))  # fmt: skip


def random_line(rng: Random, state: State, hue: str) -> str:
    if rng.random() < 0.05:
        return rng.choice(NONSENSE)
    sides = []
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3))):
        order = random_order(rng, state, hue)
        while rng.random() < 0.2:
            order = f"if {rng.choice(('', 'not '))}{random_condition(rng, state)}: {order}"
        sides.append(order)
    line = " else ".join(sides)
    if rng.random() < 0.1:
        line = f"standing: {line}"
    return f"{line} # {rng.choice(NONSENSE)}" if rng.random() < 0.05 else line


def play(rng: Random, state: State) -> Iterator[Played]:
    """Every turn of a contest from the opening to its end."""
    secret = rng.randbytes(32)
    number = 0
    while not state.over:
        texts = {
            hue: "\n".join(random_line(rng, state, hue) for _ in range(rng.randint(0, 12)))
            for hue in state.wizards
            if number and rng.random() < 0.9
        }
        orders: dict[str, FluxOrders] = {
            hue: RULESET.parse(read_sheet(text), state, hue) for hue, text in texts.items()
        }
        dice = seeded(turn_seed(secret, number))
        events = RULESET.decide(state, orders, dice)
        after = state
        for event in events:
            after = RULESET.evolve(after, event)
        yield Played(Turn(number, state, events, after, orders), dice, texts)
        state, number = after, number + 1
