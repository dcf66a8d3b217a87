"""Random test cases of Magic: legal positions, dense enough to quarrel in, orders aimed at what is near."""

import hashlib
import json
import random
from decimal import Decimal
from typing import Any

from . import magic_data as data
from .magic_geometry import Point, covers, square, within
from .magic_second import CaseFails, Throw, adjudicate, millimetres, point

NAMES = {
    "boche": ("rodney", "trigger", "del", "boycie", "marlene", "albert", "denzil", "mickey-pearce", "raquel"),
    "noman": ("brutalus", "shakslag", "gutrot", "snaga", "maximus", "crassus", "nero", "asbo2", "signifer"),
}
UNITS = {"boche": ("yobs", "louts", "peckham"), "noman": ("cohort", "vexilla", "legio-ix")}
PRIESTS = ("schtuck", "achtung", "wasserpferd")
STRANGERS = ("nobody", "zebedee", "cohort-x")
CM = 10
NONSENSE = """
{own} mvoe to {place}
{own} move to
{own} move to 34
{own} move to 34.55,20
{own} move to {place} gallop
{own} charge
{own} charge {foe} {foe}
{own} shoot {foe} with trebuchet
{own} shoot
{own} use magic
{own} use flatulence
{own} use
{own} speak boo to {foe}
{own} speak stay to {foe} timed morale
{own} chord timed
{own} meditate roadblock
{own} meditate polka 30,40
{own} prepare dung
{own} dance
{own}
advance
move {own} to {place}
if alive {foe} {own} hold
if near {foe}: {own} hold
if near {foe} 5.25: {own} hold
if dead {foe}: {own} hold
{own} move to {place} else {own} shoot {foe}
{own} charge {foe} else {own} hold
{own} hold else
else {own} hold
{own} charge {foe} else {mate} charge {foe}
declare illusion pile
declare glamours roadblock
skills {own}: {own}
{own} ambush
{own} fight
{own} hold still
""".strip().split("\n")


def hashed_dice(seed: int) -> Throw:
    """Throws that depend on the seed and the key alone."""

    def throw(key: str, sides: int) -> int:
        digest = hashlib.sha256(f"{seed} {key}".encode()).digest()
        return int.from_bytes(digest) % sides + 1

    return throw


def random_case(seed: int) -> dict[str, Any]:
    """A case with the dice that this reading throws."""
    rng = random.Random(seed)
    case = Maker(rng).case(seed)
    played = adjudicate(case, throw=hashed_dice(seed))
    thrown = {d["key"]: d["value"] for event in played["events"] for d in event.get("dice", [])}
    default = {"default": rng.randint(1, 6)}
    case["dice"] = default | {key: n for key, n in thrown.items() if rng.random() < 0.5}
    if rng.random() < 0.1:
        try:
            adjudicate(case)
        except CaseFails:
            pass  # equal throws for ever: all of them are named after all
        else:
            return case
    case["dice"] = default | thrown
    return case


def centimetres(mm: int) -> int | Decimal:
    return mm // CM if mm % CM == 0 else Decimal(mm) / CM


def spelt(at: Point) -> str:
    return f"{centimetres(at[0])},{centimetres(at[1])}"


class Maker:
    """Makes one case; what has been placed so far stands in `rows`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.size = rng.choice(((1200, 800), (1200, 800), (600, 400), (400, 400), (800, 500)))
        self.hot = self.anywhere()
        self.length: int = rng.choice((1, 6, 10, 10, 12))
        self.turn: int = rng.randint(1, self.length)
        if self.chance(10):
            self.turn = 0
        elif self.chance(12):
            self.turn = self.length
        self.rows: dict[str, dict[str, Any]] = {}
        self.at: dict[str, Point] = {}
        self.terrain: list[dict[str, Any]] = []
        self.things: list[dict[str, Any]] = []
        self.running: list[dict[str, Any]] = []
        self.states: dict[str, set[str]] = {}
        self.effects: dict[str, dict[str, Any]] = {}

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def anywhere(self) -> Point:
        return self.rng.randint(0, self.size[0]), self.rng.randint(0, self.size[1])

    def near(self, at: Point, reach: int) -> Point:
        """A place on the table not much farther than that."""
        x = min(max(at[0] + self.rng.randint(-reach, reach), 0), self.size[0])
        y = min(max(at[1] + self.rng.randint(-reach, reach), 0), self.size[1])
        return x, y

    def blocked(self, at: Point) -> bool:
        return any(
            row.get("blocks_movement", False) and covers([point(p) for p in row["points"]], at)
            for row in self.terrain
        )

    def free(self, at: Point, reach: int) -> Point | None:
        for _ in range(30):
            place = self.near(at, reach)
            if not self.blocked(place):
                return place
        return None

    # Positions

    def case(self, seed: int) -> dict[str, Any]:
        rng = self.rng
        self.make_terrain()
        for side in data.SIDES:
            self.make_side(side)
        if self.turn == 0 and self.chance(20):
            for number in range(1, self.rng.choice((8, 14, 25, 33, 41, 64))):
                name = f"orc-{number}"
                self.at[name] = self.free(self.hot, 150) or (0, 0)
                at = list(map(centimetres, self.at[name]))
                self.rows[name] = {"name": name, "side": "noman", "unit": "horde", "at": at}
        if self.turn:
            self.make_states()
            self.make_effects()
            self.make_engagements()
        case: dict[str, Any] = {
            "title": f"Random position {seed}", "rules": [], "ruleset": "magic", "turn": self.turn,
            "length": self.length,
        }  # fmt: skip
        if self.chance(30):
            case["fires"] = [list(map(centimetres, self.near(self.hot, 150))) for _ in range(2)]
        table: dict[str, Any] = {"size": list(map(centimetres, self.size))}
        if self.chance(30):
            table["weather"] = rng.choice(("wet", "dry"))
        if self.chance(60):
            bearers = [row["name"] for row in self.rows.values() if row["side"] == "noman"]
            place = list(map(centimetres, self.near(self.hot, 150)))
            table["standard"] = rng.choice(bearers) if self.chance(50) else place
        if self.terrain:
            table["terrain"] = self.terrain
        if self.things:
            table["things"] = self.things
        case["table"] = table
        case["figure"] = list(self.rows.values())
        if self.running:
            case["running"] = self.running
        makers = self.sign_up if self.turn == 0 else self.orders
        case["orders"] = {side: makers(side) for side in data.SIDES if self.chance(94)}
        return case

    def make_terrain(self) -> None:
        for name in ("hut", "wood", "wall")[: self.rng.choice((0, 1, 2, 3))]:
            x, y = self.near(self.hot, 200)
            wide, high = self.rng.randint(10, 120), self.rng.randint(10, 120)
            corners = [(x, y), (x + wide, y + self.rng.randint(-30, 30)), (x + wide, y + high), (x, y + high)]
            if self.chance(30):
                corners.pop()
            corners = [(min(max(a, 0), self.size[0]), min(max(b, 0), self.size[1])) for a, b in corners]
            if len(set(corners)) < len(corners) or self.flat(corners):
                continue
            row: dict[str, Any] = {"name": name, "points": [list(map(centimetres, c)) for c in corners]}
            if self.chance(70):
                row["blocks_sight"] = self.chance(80)
            if self.chance(70):
                row["blocks_movement"] = self.chance(80)
            self.terrain.append(row)
        for name, kind in (("hayrick", "fuel"), ("gate", "door"), ("chest", "lock")):
            if not self.chance(40):
                continue
            thing: dict[str, Any] = {
                "name": name, "kind": kind, "at": list(map(centimetres, self.near(self.hot, 120)))
            }  # fmt: skip
            if kind != "fuel" and self.terrain and self.chance(70):
                thing["opens"] = self.rng.choice(self.terrain)["name"]
            if kind != "fuel" and self.chance(30):
                thing["open"] = self.chance(60)
            self.things.append(thing)

    def flat(self, corners: list[Point]) -> bool:
        xs, ys = {x for x, _ in corners}, {y for _, y in corners}
        return len(xs) < 2 or len(ys) < 2

    def make_side(self, side: str) -> None:
        rng = self.rng
        names = list(NAMES[side][: rng.choice((1, 3, 5, 7, 9))])
        if side == "boche":
            names += [priest for priest in PRIESTS if self.chance(72)]
        huddle = self.near(self.hot, 60)
        rng.shuffle(names)
        for name in names:
            wise = name in PRIESTS
            at = self.free(huddle if wise else self.hot, rng.choice((30, 60)) if wise else 150)
            if at is None:
                continue
            if self.at and self.chance(45) and not wise:
                at = self.free(rng.choice(list(self.at.values())), rng.choice((0, 14, 40))) or at
            row: dict[str, Any] = {"name": name, "side": side, "at": list(map(centimetres, at))}
            self.at[name] = at
            if wise:
                row["priest"] = name
                if self.turn:
                    self.learn(row)
            if self.chance(70):
                row["unit"] = rng.choice(UNITS[side])
            self.equip(row, priest=wise)
            self.rows[name] = row

    def learn(self, row: dict[str, Any]) -> None:
        if row["name"] == "achtung" and self.chance(90):
            row["declared"] = self.rng.sample(data.GLAMOURS, self.rng.choice((1, 2, 2)))
        if row["name"] == "wasserpferd" and self.chance(90):
            row["declared"] = [self.rng.choice(data.ILLUSIONS)]

    def equip(self, row: dict[str, Any], *, priest: bool) -> None:
        rng = self.rng
        if self.chance(60):
            row["grade"] = rng.choice(("green", "green", "regular", "veteran", "leader"))
        if self.chance(30):
            row["wound_points"] = rng.choice((1, 2, 3, 4, 5))
        if self.turn and self.chance(25) and row.get("wound_points", 3) > 1:
            row["wounds"] = rng.randint(1, row.get("wound_points", 3) - 1)
        if self.chance(85):
            row["weapons"] = rng.sample(list(data.BLOWS), rng.choice((1, 1, 2, 3)))
        for gear in ("armour", "shield"):
            if self.chance(35):
                row[gear] = self.chance(85)
        if self.chance(20):
            row["points"] = rng.choice((0, 2, 3, 5))
        if self.turn and not priest and self.chance(70):
            row["skills"] = rng.sample(list(data.SKILLS), rng.choice((1, 2, 2)))
            used: dict[str, list[int]] = {}
            for skill in row["skills"]:
                if skill not in {"berserk", "flatulence"} and self.turn > 1 and self.chance(35):
                    turns = rng.sample(range(max(1, self.turn - 11), self.turn), 1)
                    if skill in {"stealth", "elf ears"}:
                        turns = list(range(max(1, self.turn - rng.randint(1, 3)), self.turn))
                    used[skill] = sorted(turns)
            if used:
                row["used"] = used
        if self.turn and self.chance(3) and len(self.rows) > 2:
            row["alive"] = False

    def living(self, side: str | None = None) -> list[str]:
        rows = self.rows.values()
        return [r["name"] for r in rows if r.get("alive", True) and side in {None, r["side"]}]

    def put(self, name: str, state: str, until: int | None, cause: str, **more: Any) -> None:
        if state in self.states.setdefault(name, set()):
            return
        self.states[name].add(state)
        row: dict[str, Any] = {"figure": name, "state": state}
        if until is not None:
            row["until"] = until
        self.running.append(row | {"cause": cause} | more)

    def make_states(self) -> None:
        rng = self.rng
        living = self.living()
        for name in living:
            row = self.rows[name]
            foes = [n for n in living if self.rows[n]["side"] != row["side"]] or living
            until = self.turn + rng.choice((-1, -1, 0, 0, 1, 3))
            if self.chance(3):
                self.put(name, "out of action", until, rng.choice(foes))
            if self.chance(3):
                self.put(name, "freeze", until, rng.choice(foes))
            if self.chance(4):
                self.put(name, "flee", until, rng.choice(foes))
            if self.chance(4):
                self.put(name, "rout", None, rng.choice(foes))
            if "schtuck" in living and name != "schtuck" and self.chance(5):
                word = rng.choice(("heel", "seize", "away", "come by", "fetch"))
                self.put(name, "compelled", None, "schtuck", word=word)
            if "schtuck" in living and self.chance(3):
                self.put(name, "good boy", self.turn + rng.choice((-1, 0, 1)), "schtuck")
            if "berserk" in row.get("skills", []) and self.chance(40) and self.turn > 1:
                since = self.turn - rng.randint(1, min(4, self.turn - 1))
                row.setdefault("used", {})["berserk"] = [since]
                self.put(name, "berserk", since + 3, name)
            if "stealth" in row.get("skills", []) and self.chance(45) and self.turn > 1:
                self.conceal(name)
        self.make_ambushes()

    def conceal(self, name: str) -> None:
        """Used stealth last turn, and perhaps hides since."""
        used = self.rows[name].setdefault("used", {})
        used["stealth"] = sorted({*used.get("stealth", []), self.turn - 1})[-3:]
        if self.turn > 2 and self.chance(25):
            self.rows[name]["used"]["stealth"] = [self.turn - 2]
            self.put(name, "hiding", self.turn - 1, name)
            return
        self.put(name, "stealth", self.turn - 1, name)
        if self.chance(40):
            self.put(name, "hiding", self.turn + self.rng.choice((0, 0, 1)), name)

    def make_ambushes(self) -> None:
        units: dict[str, list[str]] = {}
        for name in self.living():
            units.setdefault(self.rows[name].get("unit", name), []).append(name)
        for unit, members in units.items():
            everybody = [r for r in self.rows.values() if r.get("unit", r["name"]) == unit]
            if any("flatulence" in r.get("skills", []) for r in everybody):
                continue
            if any(self.states.get(name) for name in members):
                continue
            if len(units) > 2 and self.chance(10):
                for name in members:
                    self.put(name, "ambush", None, unit)

    def make_effects(self) -> None:
        turn, rng = self.turn, self.rng
        living = self.living()
        barred = {"out of action", "freeze", "flee", "rout"}
        if "achtung" in living and turn > 1:
            row = self.rows["achtung"]
            declared = row.get("declared", [])
            if declared and self.chance(75) and not barred & self.states.get("achtung", set()):
                self.meditate(rng.choice(declared))
            elif self.chance(30):
                since = turn - rng.randint(1, min(3, turn - 1))
                at = list(map(centimetres, self.near(self.at["achtung"], 100)))
                self.effects["chord"] = {
                    "cause": "achtung", "turn": since, "until": since + 2, "at": at, "radius": 30
                }  # fmt: skip
            if len(declared) == 2 and turn > 2 and self.chance(30):
                meant = self.effects.get("meditation", {}).get("glamour")
                spent = next(g for g in declared if g != meant)
                row["used"] = {spent: [rng.randint(2, turn - 1)]}
                self.overlong(spent, row["used"][spent][0])
        if "wasserpferd" in living and turn > 2 and self.rows["wasserpferd"].get("declared"):
            self.illusion(self.rows["wasserpferd"]["declared"][0])
        for effect, fields in self.effects.items():
            self.running.append({"effect": effect, **fields})

    def overlong(self, glamour: str, turn: int) -> None:
        """What a glamour used before has left behind."""
        nomans = self.living("noman")
        if glamour == "spinning around" and nomans and turn >= self.turn - 5:
            name = self.rng.choice(nomans)
            if "ambush" not in self.states.get(name, set()):
                self.put(name, "spinning around", self.turn + self.rng.randint(-1, 2), "achtung")
        if glamour == "better the khylie you know" and turn == self.turn - 1:
            for name in self.living("boche"):
                if self.chance(60):
                    self.put(name, glamour, turn, "achtung")

    def meditate(self, glamour: str) -> None:
        row: dict[str, Any] = {"cause": "achtung", "glamour": glamour, "turn": self.turn - 1}
        at, nomans = self.at["achtung"], self.living("noman")
        if glamour == "roadblock":
            foe = self.nearest("achtung", nomans)
            place = self.near(self.at[foe] if foe and self.chance(70) else at, 40)
            row["at"] = list(map(centimetres, place))
        if glamour == "take steps":
            if not nomans:
                return
            row["target"] = self.rng.choice(nomans)
        self.effects["meditation"] = row

    def illusion(self, illusion: str) -> None:
        turn, rng = self.turn, self.rng
        row = self.rows["wasserpferd"]
        barred = {"out of action", "freeze", "flee", "rout"} & self.states.get("wasserpferd", set())
        if self.chance(50) and not barred:
            since = turn - rng.choice((1, 2, 2, 2))
            self.effects["preparation"] = {"cause": "wasserpferd", "illusion": illusion, "turn": since}
            return
        if not self.chance(60):
            return
        since = turn - 1 if illusion == "chuffa-puffa" else rng.randint(max(3, turn - 6), max(3, turn - 1))
        if since >= turn or since < 3:
            return
        row["used"] = {illusion: [since]}
        nomans = self.living("noman")
        if illusion == "pile":
            pile: dict[str, Any] = {"cause": "wasserpferd", "turn": since}
            if self.chance(80):
                pile["until"] = max(turn - 1, since + 1) + rng.choice((0, 0, 1, 3))
            pile["spared"] = [name for name in sorted(self.living()) if self.chance(15)]
            self.effects["pile"] = pile
        elif illusion == "chuffa-puffa":
            results = {
                name: rng.choice(("passed", "flee", "rout")) for name in sorted(nomans) if self.chance(70)
            }
            if not results:
                return
            self.effects["chuffa-puffa"] = {
                "cause": "wasserpferd", "turn": since, "until": since, "results": results
            }  # fmt: skip
            for name in results:
                self.put(name, "freeze", since, "wasserpferd")
        else:
            until = max(turn - 1, since) + rng.choice((0, 1, 2))
            for name in nomans:
                if self.chance(60) and until <= since + 5:
                    self.rows[name].pop("armour", None)
                    self.rows[name].pop("shield", None)
                    self.put(name, "bloated belly", until, "wasserpferd")

    def of(self, name: str) -> str:
        spun = "spinning around" in self.states.get(name, set())
        side: str = "boche" if spun else self.rows[name]["side"]
        return side

    def make_engagements(self) -> None:
        hidden = {"ambush", "hiding", "stealth"}
        at_work = [self.effects.get(kind, {}).get("cause") for kind in ("meditation", "preparation")]
        for a in self.living():
            for b in self.living():
                if a >= b or self.of(a) == self.of(b) or not within(self.at[a], self.at[b], 20):
                    continue
                if a in at_work or b in at_work:
                    continue
                states = self.states.get(a, set()) | self.states.get(b, set())
                words = [r.get("word") for r in self.running if r.get("figure") in {a, b}]
                if not states & hidden and "seize" not in words and self.chance(70):
                    self.rows[a].setdefault("engaged", []).append(b)
                    if self.chance(30):
                        self.rows[b].setdefault("engaged", []).append(a)

    # Orders

    def nearest(self, name: str, others: list[str]) -> str | None:
        here = self.at[name]
        left = [n for n in others if n != name]
        return min(left, key=lambda n: (square(self.at[n], here), n), default=None)

    def foes(self, side: str) -> list[str]:
        return [name for name in self.living() if self.of(name) != side]

    def some(self, name: str, side: str) -> str:
        """A figure to aim at."""
        rng = self.rng
        if self.chance(4):
            return rng.choice((*STRANGERS, *self.rows))
        if self.chance(4):
            return rng.choice(self.living(side) or list(self.rows))
        foes = self.foes(side)
        ranked = sorted(foes, key=lambda n: square(self.at[n], self.at[name]))
        if not ranked:
            return rng.choice(list(self.rows))
        return rng.choice(ranked[: rng.choice((1, 1, 2, 4, 20))])

    def orders(self, side: str) -> str:
        rng = self.rng
        lines: list[str] = []
        for name in self.rows:
            own = self.of(name) == side
            if not (own and self.chance(88)) and not self.chance(4):
                continue
            for _ in range(rng.choice((1, 1, 2, 3))):
                lines += self.lines_for(name, side)
        units = sorted({row["unit"] for row in self.rows.values() if "unit" in row})
        for unit in units:
            members = [n for n in self.living() if self.rows[n].get("unit") == unit]
            ours = bool(members) and self.rows[members[0]]["side"] == side
            ambushing = any("ambush" in self.states.get(n, set()) for n in members)
            if ours and ambushing and self.chance(60):
                lines.append(f"{unit} spring")
            elif (ours and self.chance(35)) or self.chance(2):
                leader = members[0] if members else next(iter(self.rows))
                lines += [self.chained(self.plain(leader, side), leader, side, unit)]
        if self.chance(35):
            rng.shuffle(lines)
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            lines.insert(rng.randint(0, len(lines)), self.nonsense(side))
        return self.written(lines)

    def written(self, lines: list[str]) -> str:
        text = "\n".join(self.untidy(line) for line in lines) + "\n"
        return text + ("end\nnothing below counts\n" if self.chance(3) else "")

    def nonsense(self, side: str) -> str:
        line = self.rng.choice(NONSENSE)
        own = self.rng.choice(self.living(side) or list(self.rows))
        words = {"own": own, "foe": self.some(own, side), "mate": "nobody", "place": spelt(self.anywhere())}
        return line.format(**words)

    def lines_for(self, name: str, side: str) -> list[str]:
        row = self.rows[name]
        if row.get("priest") and self.chance(80):
            return [self.chained(self.magic(name, side), name, side, name)]
        if row.get("skills") and self.chance(55):
            return [self.use(name), self.chained(self.plain(name, side), name, side, name)]
        return [self.chained(self.plain(name, side), name, side, name)]

    def chained(self, kind: str, name: str, side: str, subject: str) -> str:
        """A line, its guards and its other sides."""
        line = self.guard(name, side) + self.order(kind, name, side, subject)
        while self.chance(18):
            more = kind
            if kind in {"move", "charge"}:
                more = self.rng.choice(("move", "charge"))
            if kind in {"fight", "defend", "hold"}:
                more = self.rng.choice(("fight", "defend", "hold"))
            line += f" else {self.guard(name, side)}{self.order(more, name, side, subject)}"
        return line

    def guard(self, name: str, side: str) -> str:
        text = ""
        while self.chance(12):
            other = self.some(name, side)
            no = "not " if self.chance(35) else ""
            if self.chance(50):
                text += f"if {no}alive {other}: "
            else:
                text += f"if {no}near {other} {self.rng.choice((2, 5, 10, '12.5', 20, 40))}: "
        return text

    def plain(self, name: str, side: str) -> str:
        rng = self.rng
        foe = self.nearest(name, self.foes(side))
        gap = square(self.at[name], self.at[foe]) if foe else 10**9
        if self.rows[name].get("engaged") and self.chance(60):
            return rng.choice(("fight", "defend", "hold", "fight"))
        shoots = set(self.rows[name].get("weapons", [])) & set(data.SHOTS)
        if shoots and self.chance(50):
            return "shoot"
        if gap < 250 * 250 and self.chance(60):
            return "charge"
        return rng.choice(("move", "move", "move", "charge", "shoot", "fight", "defend", "hold"))

    def order(self, kind: str, name: str, side: str, subject: str) -> str:
        rng = self.rng
        at = self.at[name]
        match kind:
            case "move":
                rate = rng.choice(("", " walk", " run", " run"))
                to = self.some(name, side) if self.chance(30) else spelt(self.goal(at))
                return f"{subject} move to {to}{rate}"
            case "charge":
                return f"{subject} charge {self.some(name, side)}"
            case "shoot":
                known = [w for w in self.rows[name].get("weapons", []) if w in data.SHOTS]
                weapon = rng.choice(known) if known and self.chance(92) else rng.choice(list(data.SHOTS))
                with_ = f" with {weapon}" if self.chance(40) else ""
                return f"{subject} shoot {self.some(name, side)}{with_}"
            case "fight":
                names = [self.some(name, side) for _ in range(rng.choice((1, 1, 2)))]
                return f"{subject} fight {' '.join(dict.fromkeys(names))}"
            case "speak":
                return self.speak(name, side, subject)
            case "chord":
                return f"{subject} chord{self.timed()}"
            case "meditate":
                return f"{subject} meditate {self.meditation(name, side)}"
            case "spin":
                return f"{subject} spin {self.some(name, side)}"
            case "prepare":
                known = self.rows[name].get("declared", [])
                meant = known if known and self.chance(90) else data.ILLUSIONS
                return f"{subject} prepare {rng.choice(meant)}"
            case _:
                return f"{subject} {kind}"

    def goal(self, at: Point) -> Point:
        if self.chance(3):
            return self.size[0] + 5, 10
        if self.chance(50):
            return self.near(self.hot, 100)
        return self.near(at, self.rng.choice((40, 120, 250)))

    def timed(self) -> str:
        if self.chance(45):
            return ""
        return f" timed {self.rng.choice(data.PHASES)}"

    def speak(self, name: str, side: str, subject: str) -> str:
        word: str = self.rng.choice((*data.WORDS, "sieze", "rollover", "Roll Over!", "goodboy", "come by!"))
        target = self.some(name, side)
        if self.chance(80):
            near = [n for n in self.living() if within(self.at[n], self.at[name], 200) and n != name]
            close = [n for n in near if within(self.at[n], self.at[name], 100)]
            target = self.rng.choice(close if close and self.chance(60) else near or [target])
            bound = {n for row in self.rows.values() for n in row.get("engaged", [])}
            bound |= {n for n, row in self.rows.items() if row.get("engaged")}
            tied = sorted(bound & set(near))
            runs = [n for n in near if {"flee", "rout"} & self.states.get(n, set())]
            if tied and self.chance(25):
                word, target = "leave it", self.rng.choice(tied)
            elif runs and self.chance(40):
                word, target = "good boy!", self.rng.choice(runs)
        return f"{subject} speak {word} to {target}{self.timed()}"

    def meditation(self, name: str, side: str) -> str:
        known = [g for g in self.rows[name].get("declared", []) if g not in self.rows[name].get("used", {})]
        glamour: str = self.rng.choice(known if known and self.chance(90) else data.GLAMOURS)
        if glamour == "roadblock":
            return f"roadblock {spelt(self.near(self.at[name], 150))}"
        if glamour == "take steps":
            return f"take steps {self.some(name, side)}"
        return self.rng.choice((glamour, glamour.replace(" ", "-"), glamour.replace(" the ", " ")))

    def magic(self, name: str, side: str) -> str:
        del side
        if name == "schtuck":
            return "speak"
        if name == "wasserpferd":
            return "prepare"
        if self.effects.get("meditation", {}).get("glamour") == "spinning around" and self.chance(85):
            return "spin"
        return self.rng.choice(("chord", "chord", "meditate", "meditate", "spin"))

    def use(self, name: str) -> str:
        rng = self.rng
        known = [skill for skill in self.rows[name]["skills"] if skill != "flatulence"]
        skill = rng.choice(known) if known and self.chance(95) else rng.choice(list(data.SKILLS)[:4])
        if skill == "stealth" and self.chance(25):
            return f"{name} use stealth or show"
        if skill in {"light fire", "light witch-fire", "unlock door"}:
            things = [thing["name"] for thing in self.things]
            close = [t["name"] for t in self.things if within(point(t["at"]), self.at[name], 20)]
            if close and self.chance(60):
                return f"{name} use {skill} on {rng.choice(close)}"
            if skill == "unlock door":
                return f"{name} use {skill} on {rng.choice(things or ['gate'])}"
            if things and self.chance(20):
                return f"{name} use {skill} on {rng.choice(things)}"
        return f"{name} use {skill}"

    def sign_up(self, side: str) -> str:
        rng = self.rng
        lines: list[str] = []
        if "achtung" in self.rows and (side == "boche" or self.chance(4)):
            chosen = rng.sample(data.GLAMOURS, rng.choice((1, 2, 2)))
            lines.append(f"declare glamours {', '.join(chosen)}")
        if "wasserpferd" in self.rows and (side == "boche" or self.chance(4)):
            lines.append(f"declare illusion {rng.choice(data.ILLUSIONS)}")
        units: dict[str, list[str]] = {}
        for name, row in self.rows.items():
            units.setdefault(row.get("unit", name), []).append(name)
        for unit, members in units.items():
            if (self.rows[members[0]]["side"] == side) != self.chance(96):
                continue
            if self.chance(40):
                named = [n for n in members if not self.rows[n].get("priest") or self.chance(5)] or members
                rng.shuffle(named)
                lines.append(f"skills {unit}: {' '.join(named[: rng.randint(1, 3)])}")
            if self.chance(40):
                where = f" at {spelt(self.near(self.hot, 200))}" if self.chance(50) else ""
                lines.append(f"{unit} ambush{where}")
        if self.chance(20):
            lines.append(f"{rng.choice(list(self.rows))} hold")
        if self.chance(20):
            lines.append(self.nonsense(side))
        if self.chance(30):
            rng.shuffle(lines)
        return self.written(lines)

    def untidy(self, line: str) -> str:
        """The same line as players write it."""
        rng = self.rng
        if self.chance(8):
            line = line.replace(" on ", " onto the ")
        if self.chance(10):
            line = rng.choice((line.upper(), line.title(), line.lower()))
        if self.chance(6) and line:
            line = rng.choice(("standing: ", "Standing:")) + line
        line = line.replace(" ", rng.choice((" ", " ", " ", "  ")))
        return rng.choice(("", "", "", "", "  ")) + line + rng.choice(("", "", "", "", " ", "  # else what?"))


# Case files


def to_toml(case: dict[str, Any]) -> str:
    """The case as a file of magic_case_format.md."""
    tables = {"figure", "running"}
    plain = [key for key, item in case.items() if not isinstance(item, dict) and key not in tables]
    lines = [f"{key} = {value(case[key])}" for key in plain]
    for key in ("figure", "running"):
        for row in case.get(key, []):
            lines += ["", f"[[{key}]]", *(f"{name} = {value(item)}" for name, item in row.items())]
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
    return str(item) if isinstance(item, Decimal) else json.dumps(item)


__all__ = ["Maker", "hashed_dice", "millimetres", "random_case", "to_toml"]
