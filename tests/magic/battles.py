"""Random battles: positions with everything under way, and order texts, readable and not."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any

from pbem.cases import case_turn_closed
from pbem.dice import Dice, seeded, turn_seed
from pbem.errors import BadInput
from pbem.rulesets import NewGame, Source, Turn
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.events import MagicEvent
from pbem.rulesets.magic.names import (
    GLAMOURS,
    GRADES,
    ILLUSIONS,
    SIDES,
    SKILLS,
    TIMES,
    WEAPONS,
    WORDS,
)
from pbem.rulesets.magic.orders import Condition, MagicOrders, Order
from pbem.rulesets.magic.state import State
from pbem.sheet import read_sheet

NONSENSE = (
    "rodney", "move", "rodney mov 3,4", "f1 move to 3.25,4", "f1 shoot f2 with sword", "else", "hold on",
    "f1 speak sit f2", "if near f2: f1 hold", "f1 move to 3,4 else f1 shoot f2", "declare illusion pile",
    "f1 ambush", "f1 fight", "\u2026", "press on!", "if alive: f1 hold", "1 move 2,3", "f1 chord timed noon",
    "f1 use magic", "f1 meditate roadblock", "f1 move to f2 trot", "spring",
)  # fmt: skip
RUNNING = (
    "out of action", "freeze", "rout", "flee", "compelled", "berserk", "preparing berserk", "stealth",
    "hiding", "ambush", "good boy", "better the khylie you know", "bloated belly", "spinning around",
)  # fmt: skip


@dataclass(frozen=True)
class Played:
    """One turn of a random battle with all that decided it."""

    turn: Turn[State, MagicEvent, Order, Condition]
    dice: Dice
    texts: dict[str, str]


def source(name: str) -> Source:
    root = resources.files("pbem").joinpath("rulesets", "magic")
    return Source(name.rpartition("/")[2], root.joinpath(*name.split("/")).read_text("utf-8"))


RULES = source("core.toml")


def scenario(name: str, length: int | None = None) -> State:
    ready = RULESET.prepare(NewGame(SIDES, RULES, source(f"scenarios/{name}.toml"), length))
    return RULESET.initial(ready.setup)


def random_position(rng: Random) -> State:
    """A case's position: drawn until one is allowed."""
    while True:
        try:
            return RULESET.case_setup(_position(rng), lambda _: RULES, RULES)
        except BadInput:
            continue


def _position(rng: Random) -> dict[str, Any]:
    turn = rng.choice((1, 3, 5, 5, 5, 8))
    width, height = rng.choice(((30, 30), (60, 40), (120, 80)))
    terrain: list[dict[str, Any]] = []
    for number in range(rng.randint(0, 3)):
        x, y = rng.randint(0, width), rng.randint(0, height)
        terrain.append(
            {
                "name": f"t{number}",
                "points": [
                    [x, y],
                    [x + rng.randint(1, 9), y + rng.randint(-4, 4)],
                    [x + rng.randint(-4, 4), y + 7],
                ],
                "blocks_sight": rng.random() < 0.7,
                "blocks_movement": rng.random() < 0.5,
            }
        )
    things: list[dict[str, Any]] = [{"name": "rick", "kind": "fuel", "at": [rng.randint(0, width), 10]}]
    if terrain:
        things.append(
            {"name": "gate", "kind": "door", "at": [terrain[0]["points"][0][0] % width, 5], "opens": "t0"}
        )
    figures: list[dict[str, Any]] = []
    count = rng.randint(3, 10)
    centres = [(rng.randint(20, 10 * width - 20), rng.randint(20, 10 * height - 20)) for _ in range(3)]
    for number in range(count):
        x, y = rng.choice(centres)
        x = min(10 * width, max(0, x + rng.randint(-130, 130)))
        y = min(10 * height, max(0, y + rng.randint(-130, 130)))
        side = "boche" if number % 2 else "noman"
        row: dict[str, Any] = {
            "name": f"f{number}",
            "side": side,
            "unit": f"u-{side}-{rng.randint(1, 2)}",
            "at": [f"{x // 10}.{x % 10}", f"{y // 10}.{y % 10}"],
            "grade": rng.choice(GRADES),
            "wound_points": rng.randint(1, 4),
            "weapons": rng.sample(WEAPONS, rng.randint(0, 3)),
            "armour": rng.random() < 0.4,
            "shield": rng.random() < 0.4,
            "skills": rng.sample(SKILLS, rng.randint(0, 3)),
            "alive": rng.random() < 0.95,
        }
        if rng.random() < 0.2:
            row["used"] = {"stealth": [turn - 1], "elf ears": [turn - 1]}
        figures.append(row)
    used_glamours = rng.sample(GLAMOURS, 2)
    used_illusion = rng.choice(ILLUSIONS)
    for row, role in zip(
        [row for row in figures if row["side"] == "boche"],
        ("schtuck", "achtung", "wasserpferd"),
        strict=False,
    ):
        if rng.random() < 0.85:
            row["priest"] = role
            row["declared"] = {"achtung": used_glamours, "wasserpferd": [used_illusion]}.get(role, [])
    running: list[dict[str, Any]] = []
    names = [row["name"] for row in figures]
    for name in names:
        if rng.random() < 0.45:
            state = rng.choice(RUNNING)
            held = {"figure": name, "state": state, "cause": rng.choice(names)}
            if state == "compelled":
                held["word"] = rng.choice(("heel", "seize", "away", "come by", "fetch"))
            elif state != "ambush" and rng.random() < 0.9:
                held["until"] = turn + rng.randint(-1, 2)
            running.append(held)
    priest_of = {row.get("priest"): row["name"] for row in figures}
    if "achtung" in priest_of and rng.random() < 0.6:
        glamour = rng.choice(used_glamours)
        effect: dict[str, Any] = {"effect": "meditation", "glamour": glamour, "turn": turn - 1}
        if glamour == "roadblock":
            effect["at"] = figures[0]["at"]
        if glamour == "take steps":
            effect["target"] = rng.choice(names)
        running.append(effect)
    if "achtung" in priest_of and rng.random() < 0.2:
        running.append(
            {"effect": "chord", "turn": max(0, turn - rng.randint(1, 3)), "at": [10, 10], "radius": 30}
        )
    if "wasserpferd" in priest_of:
        if rng.random() < 0.5:
            running.append(
                {"effect": "preparation", "illusion": used_illusion, "turn": max(0, turn - rng.randint(1, 2))}
            )
        if rng.random() < 0.3:
            running.append({"effect": "pile", "turn": max(0, turn - 1), "until": turn + rng.randint(0, 3)})
        if rng.random() < 0.2:
            results = {name: rng.choice(("passed", "flee", "rout")) for name in rng.sample(names, 2)}
            running.append({"effect": "chuffa-puffa", "turn": turn - 1, "results": results})
    case: dict[str, Any] = {
        "turn": turn,
        "length": rng.choice((turn, 10)),
        "table": {
            "size": [width, height],
            "terrain": terrain,
            "things": things,
            "weather": rng.choice(("dry", "wet")),
        },
        "figure": figures,
        "running": running,
    }
    if rng.random() < 0.5:
        case["table"]["standard"] = rng.choice((*names, [rng.randint(0, width), rng.randint(0, height)]))
    _engage(rng, figures)
    return case


def _engage(rng: Random, figures: list[dict[str, Any]]) -> None:
    """Sets some enemies side by side and engages them."""
    for row in figures:
        if rng.random() < 0.25:
            foes = [foe for foe in figures if foe["side"] != row["side"] and foe["alive"] and row["alive"]]
            if foes:
                foe = rng.choice(foes)
                row["at"] = foe["at"]
                row.setdefault("engaged", []).append(foe["name"])


def random_order(rng: Random, state: State, side: str) -> str:
    """One order, mostly sensible."""
    mine = [figure for figure in state.figures.values() if figure.commander == side] or list(
        state.figures.values()
    )
    figure = rng.choice(mine)
    everybody = list(state.figures)
    who = figure.name if rng.random() < 0.85 else rng.choice((figure.unit, rng.choice(everybody), "ghost"))
    foes = [other.name for other in state.figures.values() if other.commander != side] or everybody
    foe = rng.choice(foes) if rng.random() < 0.8 else rng.choice((*everybody, "nobody"))
    width, height = state.field.size
    x, y = rng.randint(-20, width + 20), rng.randint(-20, height + 20)
    if rng.random() < 0.7:
        x, y = figure.at[0] + rng.randint(-200, 200), figure.at[1] + rng.randint(-200, 200)
    place = ",".join(f"{'-' if part < 0 else ''}{abs(part) // 10}.{abs(part) % 10}" for part in (x, y))
    skill = rng.choice(figure.skills or SKILLS)
    thing = rng.choice((*state.field.things, "nothing")) if state.field.things else "nothing"
    priest = {"schtuck": 0.7, "achtung": 0.7, "wasserpferd": 0.6}.get(figure.priest or "", 0.03)
    if rng.random() < priest:
        magic = {
            "schtuck": f"speak {rng.choice(WORDS)} to {rng.choice(everybody)} timed {rng.choice(TIMES)}",
            "achtung": rng.choice(
                (
                    f"chord timed {rng.choice(TIMES)}",
                    f"meditate roadblock {place}",
                    f"meditate take steps {foe}",
                    f"meditate {rng.choice(('spinning around', 'too many broken hearts'))}",
                    f"spin {foe}",
                )
            ),
            "wasserpferd": f"prepare {rng.choice(figure.declared or ILLUSIONS)}",
        }
        return f"{who} {magic.get(figure.priest or rng.choice(tuple(magic)), 'hold')}"
    return rng.choice(
        (
            f"{who} move to {place} {rng.choice(('walk', 'run', ''))}",
            f"{who} move to {rng.choice(everybody)} run",
            f"{who} charge {foe}",
            f"{who} charge {foe}",
            f"{who} shoot {foe}" + rng.choice(("", " with sling", " with bow", " with pilum", " with stone")),
            f"{who} shoot {foe}",
            f"{who} use {skill}"
            + (f" on {thing}" if skill in (*SKILLS[:2], "unlock door") and rng.random() < 0.5 else ""),
            f"{who} use {skill}",
            f"{who} use stealth or show",
            f"{who} fight {foe}",
            f"{who} defend",
            f"{who} hold",
            f"{who} spring",
            f"{figure.unit} spring",
            f"{figure.unit} move to {place}",
        )
    )


def random_sign_up(rng: Random, state: State, side: str) -> str:
    mine = [figure for figure in state.figures.values() if figure.side == side]
    unit = rng.choice(mine).unit
    return rng.choice(
        (
            "declare glamours " + ", ".join(rng.sample(GLAMOURS, rng.randint(1, 2))),
            f"declare illusion {rng.choice(ILLUSIONS)}",
            f"skills {unit}: {rng.choice(mine).name} {rng.choice(mine).name}",
            f"{unit} ambush",
            f"{unit} ambush at {rng.randint(0, 120)},{rng.randint(0, 80)}",
            rng.choice(NONSENSE),
        )
    )


def random_line(rng: Random, state: State, side: str) -> str:
    if rng.random() < 0.04:
        return rng.choice(NONSENSE)
    line = random_order(rng, state, side)
    if rng.random() < 0.2:
        line = f"{line} else {random_order(rng, state, side)}"
        first, second = line.split(" else ")
        if rng.random() < 0.8:
            second = " ".join((first.split()[0], *second.split()[1:]))
        line = f"{first} else {second}"
    if rng.random() < 0.15:
        name = rng.choice(list(state.figures))
        condition = rng.choice((f"alive {name}", f"near {name} {rng.randint(0, 30)}"))
        line = f"if {rng.choice(('', 'not '))}{condition}: {line}"
    return line


def random_text(rng: Random, state: State, side: str) -> str:
    if state.turn < 0:
        return "\n".join(random_sign_up(rng, state, side) for _ in range(rng.randint(0, 6)))
    own = sum(figure.commander == side and figure.alive for figure in state.figures.values())
    return "\n".join(random_line(rng, state, side) for _ in range(rng.randint(0, 2 * own + 2)))


def read(state: State, texts: dict[str, str]) -> dict[str, MagicOrders]:
    return {side: RULESET.parse(read_sheet(text), state, side) for side, text in texts.items()}


def play_turn(rng: Random, state: State) -> Played:
    texts: dict[str, str] = {side: random_text(rng, state, side) for side in SIDES}
    orders = read(state, texts)
    number = state.turn + 1
    dice = seeded(turn_seed(rng.randbytes(32), number))
    events = RULESET.decide(state, orders, dice)
    after = RULESET.evolve(state, case_turn_closed(number))
    for event in events:
        after = RULESET.evolve(after, event)
    return Played(Turn(number, state, events, after, orders), dice, texts)


def play(rng: Random, state: State, most: int = 1000) -> Iterator[Played]:
    while not state.over and most > 0:
        played = play_turn(rng, state)
        yield played
        state = played.turn.after
        most -= 1
