"""Random test cases: legal positions, dense enough to quarrel in, and orders aimed at what is near."""

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

from .flux_board import Board, Hex, distance
from .flux_data import DATA, HUES, animates
from .flux_second import CaseFails, Throw, adjudicate

ANIMATES = animates(DATA)
LineMaker = Callable[[str], list[str]]  # takes a hue, gives a line or some that belong together
RADII = (3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 10)
NONSENSE = """
advance troll to {hex}
move trol to {hex}
move troll to Z99
move troll to K09
move troll to {hex} {hex}
move troll via
move knight to {hex} times 2
cast forest at {hex}
cast knight at {hex}-{hex}
cast wizard at {hex}
cast ogre at {hex}
cast troll 2 at {hex}
cast forest at {hex}-{hex} times 0
cast knight at {hex} times
cast knight at {hex} times two
cast knight at {hex} keep -1
cast knight at {hex} keep 1 keep 2
cast knight at {hex} times 2 times 2
destroy gnome
destroy with forest
hold still
hold else
else hold
truce?
if enemy at {hex} move knight to {hex}
if enemy: hold
if ghost at {hex}: hold
if alive mauve: hold
if flux many: hold
if flux 3 hold
if free {hex}:
if not not own at {hex}: hold
move knight to {hex} else cast knight at {hex}
destroy with gnome else hold else move gnome to {hex}
""".strip().split("\n")


def hashed_dice(seed: int) -> Throw:
    """Throws that depend on the seed and the key alone."""

    def throw(key: str, sides: int) -> int:
        digest = hashlib.sha256(f"{seed} {key}".encode()).digest()
        return int.from_bytes(digest) % sides + 1

    return throw


def random_case(seed: int, *, shared: bool = True) -> dict[str, Any]:
    """A case with the dice that this reading throws.

    `shared`: now and then enemies begin on one hex, as after a GM's ruling.
    """
    rng = random.Random(seed)
    case = Maker(rng, shared=shared).case(seed)
    played = adjudicate(case, throw=hashed_dice(seed))
    thrown = {d["key"]: d["value"] for event in played["events"] for d in event.get("dice", [])}
    default = {"default": rng.randint(1, 10)}
    case["dice"] = default | {key: n for key, n in thrown.items() if rng.random() < 0.5}
    if rng.random() < 0.2:
        try:
            adjudicate(case)
        except CaseFails:
            pass  # equal throws for ever: all of them are named after all
        else:
            return case
    case["dice"] = default | thrown
    return case


class Maker:
    """Makes one case; what has been placed so far stands in `earths` and `pieces`."""

    def __init__(self, rng: random.Random, *, shared: bool) -> None:
        self.rng, self.shared = rng, shared
        self.map = random_map(rng)
        self.board = Board(self.map)
        self.earths: dict[Hex, tuple[str, str, Hex, Hex]] = {}  # hue, earth, its hexes
        self.pieces: dict[str, dict[str, Hex]] = {}
        self.reserves: dict[str, int] = {}
        inner = [at for at in self.board.hexes if distance(at, (0, 0)) <= self.board.radius - 1]
        self.hot = [rng.choice(inner) for _ in range(rng.randint(1, 3))]

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def near(self, at: Hex, low: int, high: int) -> Hex:
        """A hex of the board so far from it, or the hex itself where there is none."""
        return self.rng.choice([h for h in self.board.hexes if low <= distance(h, at) <= high] or [at])

    def label(self, at: Hex) -> str:
        return self.board.label(at)

    # Positions

    def case(self, seed: int) -> dict[str, Any]:
        rng = self.rng
        hues = sorted(rng.sample(HUES, rng.choice((2, 2, 3, 3, 4, 5, 6))), key=HUES.index)
        eliminates = self.chance(40)
        dead = {hue for hue in hues if self.chance(18)}
        if eliminates:
            dead = set(sorted(dead)[: len(hues) - 2])
        gone = dead if eliminates else set()
        self.pieces = {hue: {} for hue in hues}
        self.reserves = {hue: rng.choice((0, 10, 14, 20, 30, 45, 70, 99)) + rng.randint(0, 6) for hue in hues}
        standing = [hue for hue in hues if hue not in gone]
        earths: dict[str, list[list[str]]] = {hue: [] for hue in hues}
        for hue in standing:
            for _ in range(rng.choice((0, 2, 4, 8, 12))):
                self.place_earth(hue, earths[hue])
        for hue in standing:
            if hue not in dead:
                self.place_wizard(hue)
        self.place_pieces(standing, dead)
        length = rng.choice((1, 4, 10, 10, 10, 12))
        turn = length if self.chance(25) else rng.randint(1, length)
        start = rng.randrange(len(standing))
        case: dict[str, Any] = {
            "title": f"Random position {seed}", "rules": [], "ruleset": "flux", "turn": turn, "length": length
        }  # fmt: skip
        if self.chance(80):
            case["order_of_play"] = standing[start:] + standing[:start]
        if eliminates or self.chance(20):
            case["wizard_killed"] = "eliminated" if eliminates else "returns"
        case["map"] = self.map
        case["wizard"] = [self.row(hue, earths[hue], dead) for hue in hues]
        case["orders"] = {hue: self.orders(hue) for hue in standing if self.chance(92)}
        return case

    def row(self, hue: str, earths: list[list[str]], dead: set[str]) -> dict[str, Any]:
        row: dict[str, Any] = {"hue": hue}
        at = self.pieces[hue].get("wizard")
        if hue in dead:
            row["alive"] = False
        elif at is not None and (at != self.corner(hue) or self.chance(50)):
            row["at"] = self.label(at)
        if self.chance(80):
            row["seat"] = HUES.index(hue) + 1
        row["reserve"] = self.reserves[hue]
        if earths:
            row["earths"] = earths
        pieces = {name: self.label(where) for name, where in self.pieces[hue].items() if name != "wizard"}
        if pieces:
            row["pieces"] = pieces
        return row

    def corner(self, hue: str) -> Hex:
        return self.board.corners[HUES.index(hue)]

    def fits(self, earth: str, one: Hex, two: Hex) -> bool:
        """Whether F2 and F5.4 let the earth lie there, pieces aside."""
        board, row = self.board, DATA["earths"][earth]
        return (
            distance(one, two) == 1
            and all(board.is_full(at) and not board.has_globe(at) for at in (one, two))
            and not {one, two} & (board.lakes | set(self.earths))
            and (row["river"] or frozenset((one, two)) not in board.rivers)
            and (not row["water"] or board.touches_water(one) or board.touches_water(two))
        )

    def pair(self, at: Hex, low: int, high: int) -> tuple[Hex, Hex]:
        one = self.near(at, low, high)
        return one, self.rng.choice(self.board.neighbours(one))

    def place_earth(self, hue: str, earths: list[list[str]]) -> None:
        earth = self.rng.choice(list(DATA["earths"]))
        if sum(name == earth for name, *_ in earths) == DATA["earths"][earth]["count"]:
            return
        centre = self.rng.choice([*self.hot, self.corner(hue)])
        one, two = self.pair(centre, 0, 4)
        if self.fits(earth, one, two):
            earths.append([earth, self.label(one), self.label(two)])
            self.earths[one] = self.earths[two] = (hue, earth, one, two)

    def taken(self) -> set[Hex]:
        return {at for pieces in self.pieces.values() for at in pieces.values()}

    def place_wizard(self, hue: str) -> None:
        for _ in range(6):
            at = self.near(self.rng.choice(self.hot), 0, 3)
            closed = at in self.earths and self.earths[at][1] in DATA["wizard"]["may_not_enter"]
            if not closed and at not in self.board.lakes | self.taken() | set(self.board.corners):
                self.pieces[hue]["wizard"] = at
        if self.chance(30) or "wizard" not in self.pieces[hue]:
            self.pieces[hue]["wizard"] = self.corner(hue)

    def place(self, hue: str, at: Hex, *, crowd: bool = False) -> None:
        """One more animate of the hue onto the hex, if that is legal."""
        name = self.rng.choice(list(ANIMATES))
        drowns = at in self.board.lakes and not ANIMATES[name]["flies"]
        own = at in self.pieces[hue].values()
        if name not in self.pieces[hue] and not drowns and not own and (crowd or at not in self.taken()):
            self.pieces[hue][name] = at

    def place_pieces(self, standing: list[str], dead: set[str]) -> None:
        for hue in standing:
            if hue in dead and self.chance(70):
                self.place(self.rng.choice(standing), self.corner(hue))
        for _, _, one, two in dict.fromkeys(self.earths.values()):
            if self.chance(30):
                self.place(self.rng.choice(standing), one)
                self.place(self.rng.choice(standing), two)
        for hue in standing:
            for _ in range(self.rng.choice((0, 2, 4, 8))):
                self.place(hue, self.near(self.rng.choice(self.hot), 0, self.rng.choice((2, 3, 5))))
        if self.shared and self.chance(8) and self.taken():
            at = self.rng.choice(sorted(self.taken()))
            for hue in self.rng.sample(standing, 2):
                self.place(hue, at, crowd=True)

    # Orders

    def orders(self, hue: str) -> str:
        makers: list[LineMaker] = [self.move, self.cast, self.destroy, self.raid, self.rashness]
        weights = [6, 7, 3, 3, 1]
        lines: list[str] = []
        for maker in self.rng.choices(makers, weights, k=self.rng.choice((1, 3, 5, 8, 12))):
            lines += self.chained(maker, hue)
            if self.chance(7):
                lines.append(self.nonsense())
            if self.chance(4):
                idle = ("hold", "hold else hold", f"{self.guard(hue)}hold", "", "# waiting")
                lines.append(self.rng.choice(idle))
        if self.chance(25):
            self.rng.shuffle(lines)
        text = "\n".join(self.untidy(line) for line in lines) + "\n"
        return text + ("end\nnothing below counts\n" if self.chance(3) else "")

    def chained(self, maker: LineMaker, hue: str) -> list[str]:
        lines = maker(hue)
        while self.chance(25) and maker in {self.move, self.cast, self.destroy}:
            more = "hold" if self.chance(15) else maker(hue)[0]
            lines[-1] += f" else {self.guard(hue) if self.chance(30) else ''}{more}"
        for index in range(len(lines)):
            while self.chance(15):
                lines[index] = self.guard(hue) + lines[index]
        return lines

    def nonsense(self) -> str:
        return self.rng.choice(NONSENSE).replace("{hex}", self.label(self.rng.choice(self.board.hexes)))

    def guard(self, hue: str) -> str:
        word = self.rng.choice(("enemy at", "own at", "free", "earth at", "flux", "alive"))
        places = [self.rng.choice(self.board.hexes), self.near(self.rng.choice(self.hot), 0, 2)]
        places += [*self.taken(), *self.earths]
        if word == "flux":
            word += f" {self.rng.randint(0, self.reserves[hue] + 3)}"
        elif word == "alive":
            word += f" {self.rng.choice(list(self.pieces))}"
        else:
            word += f" {self.label(self.rng.choice(places))}"
        return f"if {'not ' if self.chance(40) else ''}{word}: "

    def piece(self, hue: str) -> tuple[str, Hex, dict[str, Any]]:
        """One of his on the board, mostly, with its hex and its row."""
        own = {"wizard": self.corner(hue), **self.pieces[hue]}
        name = self.rng.choice(list(ANIMATES if self.chance(6) else own))
        at = own.get(name, self.corner(hue))
        return name, at, self.row_of(name)

    def row_of(self, name: str) -> dict[str, Any]:
        row: dict[str, Any] = DATA["wizard"] if name == "wizard" else ANIMATES[name]
        return row

    def enemies(self, hue: str) -> list[Hex]:
        return [at for other, pieces in self.pieces.items() if other != hue for at in pieces.values()]

    def target(self, hue: str, at: Hex, reach: int) -> Hex:
        rng = self.rng
        enemies = [h for h in self.enemies(hue) if 0 < distance(h, at) <= reach]
        own = [h for h in self.pieces[hue].values() if distance(h, at) <= reach]
        earths = [h for h in self.earths if distance(h, at) <= reach]
        lakes = [h for h in sorted(self.board.lakes) if distance(h, at) <= reach]
        anywhere = [self.near(at, 1, reach + 1)]
        choices = (enemies, own, earths, lakes, anywhere, self.board.hexes)
        wanted = rng.choices(choices, (40, 4, 20, 3, 31, 2))[0]
        return rng.choice(wanted or anywhere)

    def move(self, hue: str) -> list[str]:
        name, at, row = self.piece(hue)
        goal = self.target(hue, at, row["move"])
        if self.chance(35):
            steps = self.walk(at, goal, self.rng.randint(1, row["move"] + self.rng.randint(0, 1)))
            line, goal = f"move {name} via {'~'.join(map(self.label, steps))}", steps[-1]
        else:
            line = f"move {name} to {self.label(goal)}"
        if self.chance(25):
            return [line, f"move {name} to {self.label(self.near(goal, 0, 2))}"]
        return [line]

    def walk(self, at: Hex, goal: Hex, length: int) -> list[Hex]:
        """Steps towards the goal, some of them astray."""
        steps: list[Hex] = []
        while len(steps) < length and (not steps or at != goal or self.chance(30)):
            ways = self.board.neighbours(at)
            at = self.rng.choice(ways) if self.chance(20) else min(ways, key=lambda n: distance(n, goal))
            if self.chance(2):
                at = self.near(at, 0, 3)
            steps.append(at)
        return steps

    def cast(self, hue: str) -> list[str]:
        wizard = self.pieces[hue].get("wizard", self.corner(hue))
        low, high = self.rng.choice(((1, 4), (1, 4), (1, 4), (5, 6), (7, 8), (9, 10), (0, 12), (11, 12)))
        if self.chance(55):
            spell = self.rng.choice(list(DATA["earths"]))
            for _ in range(12 if self.chance(85) else 1):
                one, two = self.pair(wizard, low, high)
                if self.fits(spell, one, two):
                    break
            two = self.near(one, 0, 2) if self.chance(4) else two
            line = f"cast {spell} at {self.label(one)}~{self.label(two)}"
        else:
            known = [name for name in ANIMATES if name not in self.pieces[hue]]
            spell = self.rng.choice(known if known and self.chance(90) else list(ANIMATES))
            enemies = [at for at in self.enemies(hue) if distance(at, wizard) <= high]
            at = self.rng.choice(enemies) if enemies and self.chance(35) else self.near(wizard, low, high)
            at = self.rng.choice([*self.board.corners, *self.taken()]) if self.chance(6) else at
            line = f"cast {spell} at {self.label(at)}"
        options = []
        if self.chance(40):
            options.append(f" times {self.rng.randint(1, 5)}")
        if self.chance(30):
            options.append(f" keep {self.rng.randint(0, self.reserves[hue] // self.rng.randint(1, 4) + 1)}")
        self.rng.shuffle(options)
        return [line + "".join(options)] * (2 if self.chance(10) else 1)

    def destroy(self, hue: str) -> list[str]:
        ready = [
            name for name, at in self.pieces[hue].items()
            if at in self.earths and (self.earths[at][1] in self.row_of(name)["destroys"] or self.chance(20))
        ]  # fmt: skip
        name = self.rng.choice(ready) if ready and self.chance(92) else self.piece(hue)[0]
        if name == "wizard" and self.chance(80):
            name = self.rng.choice(list(ANIMATES))
        return [f"destroy with {name}"] * (2 if self.chance(20) else 1)

    def raid(self, hue: str) -> list[str]:
        """A march onto an earth that the piece can destroy, and the attempt."""
        raids = [
            [f"move {name} to {self.label(at)}", f"destroy with {name}"]
            for name, where in self.pieces[hue].items() if name != "wizard"
            for at, (_, earth, *_) in self.earths.items()
            if earth in ANIMATES[name]["destroys"] and distance(at, where) <= ANIMATES[name]["move"]
        ]  # fmt: skip
        return list(self.rng.choice(raids)) if raids else self.move(hue)

    def rashness(self, hue: str) -> list[str]:
        """A piece cast onto an earth, which it may not destroy yet."""
        wizard = self.pieces[hue].get("wizard", self.corner(hue))
        near = [at for at in self.earths if distance(at, wizard) <= 4]
        name = self.rng.choice(list(ANIMATES))
        at = self.label(self.rng.choice(near)) if near else self.label(self.near(wizard, 1, 4))
        return [f"cast {name} at {at} times 3", f"destroy with {name}"]

    def untidy(self, line: str) -> str:
        """The same line as players write it."""
        rng = self.rng
        words = []
        for index, plain in enumerate(line.replace("great dragon", "great_dragon").split(" ")):
            word = plain
            if index and self.chance(3):
                words.append(rng.choice(("the", "at", "on", "onto")))
            if plain == "to" and self.chance(25):
                continue
            if plain == "at" and self.chance(30):
                word = rng.choice(("on", "onto", "on the", "", "AT"))
            elif plain == "great_dragon":
                word = rng.choice(("great dragon", "dragon", "great-dragon"))
            for _ in range(plain.count("~")):
                word = word.replace("~", rng.choice(("-", " ", ",", ", ", " - ", "  ")), 1)
            words.append(word)
        line = rng.choice((" ", " ", " ", "  ")).join(words)
        if self.chance(10):
            line = rng.choice((line.upper(), line.title(), line.lower()))
        if self.chance(6) and line and not line.startswith("#"):
            line = rng.choice(("standing: ", "Standing:")) + line
        return rng.choice(("", "", "", "", "  ")) + line + rng.choice(("", "", "", "", " ", "  # else what?"))


def random_map(rng: random.Random) -> dict[str, Any]:
    """A board as F1 allows: globes on full hexes, lakes and rivers anywhere but on globes."""
    radius = rng.choice(RADII)
    board = Board({"radius": radius})
    free = [at for at in board.hexes if at not in board.corners]
    rng.shuffle(free)
    size = len(free)
    globes = [at for at in free if board.is_full(at)][: rng.randint(1, size // 6)]
    lakes = [at for at in free if at not in globes][: rng.choice((0, size // 20, size // 8))]
    sides = sorted({tuple(sorted((at, n))) for at in board.hexes for n in board.neighbours(at)})
    rivers = rng.sample(sides, rng.choice((0, size // 8, size // 3)))
    return {
        "radius": radius,
        "globes": {board.label(at): rng.choice((1, 2, 2, 3, 4, 4, 7)) for at in globes},
        "lakes": [board.label(at) for at in lakes],
        "rivers": [[board.label(one), board.label(two)] for one, two in rivers],
    }


# Case files


def to_toml(case: dict[str, Any]) -> str:
    """The case as a file of product.md's format."""
    plain = [key for key in case if not isinstance(case[key], dict) and key != "wizard"]
    lines = [f"{key} = {value(case[key])}" for key in plain]
    for row in case["wizard"]:
        lines += ["", "[[wizard]]", *(f"{key} = {value(row[key])}" for key in row)]
    for name in (key for key in case if isinstance(case[key], dict)):
        lines += ["", f"[{name}]"]
        for key, item in case[name].items():
            text = f'"""\n{item}"""' if name == "orders" else value(item)
            lines.append(f"{quoted(key)} = {text}")
    return "\n".join(lines) + "\n"


def quoted(key: str) -> str:
    return key if key.isascii() and key.isalnum() else json.dumps(key)


def value(item: Any) -> str:
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{quoted(key)} = {value(one)}" for key, one in item.items()) + " }"
    if isinstance(item, list):
        return "[" + ", ".join(map(value, item)) + "]"
    return json.dumps(item)
