"""Flux, adjudicated a second time from the rulings alone: a test case in, its events and state out."""

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from .flux_board import Board, Hex, covers, distance
from .flux_data import DATA, HUES, animates, merged
from .flux_orders import Guard, Line, Side, read

Throw = Callable[[str, int], int]


class CaseFails(Exception):
    """The dice of the case do not suffice: a throw without a value, or equal throws for ever."""


def adjudicate(
    case: dict[str, Any], board: dict[str, Any] | None = None, throw: Throw | None = None
) -> dict[str, Any]:
    """Events and state after the case's turn.

    `board` is the map where the case only names one; `throw` takes the place of the case's dice.
    """
    game = Game(case, board or case["map"], throw or from_table(case.get("dice", {})))
    game.play(case.get("orders", {}))
    return {"events": game.events, "state": game.state()}


def from_table(table: dict[str, int]) -> Throw:
    def throw(key: str, sides: int) -> int:
        del sides
        value = table.get(key, table.get("default"))
        if value is None:
            raise CaseFails(f"no throw for {key}")
        return value

    return throw


class Wizard:
    """A seat: what he has, and what this turn has seen him do."""

    def __init__(self, row: dict[str, Any], board: Board) -> None:
        self.hue: str = row["hue"]
        self.seat: int = row.get("seat", HUES.index(self.hue) + 1)
        self.corner = board.corners[self.seat - 1]
        self.reserve: int = row.get("reserve", 0)
        self.at: Hex | None = None
        if row.get("alive", True):
            self.at = board.hex(row["at"]) if "at" in row else self.corner
        self.out = False
        self.earths = [
            (name, tuple(sorted((board.hex(a), board.hex(b))))) for name, a, b in row.get("earths", [])
        ]
        self.animates = {name: board.hex(at) for name, at in row.get("pieces", {}).items()}

    def pieces(self) -> dict[str, Hex]:
        wizard = {"wizard": self.at} if self.at is not None else {}
        return {**wizard, **self.animates}


class Turn:
    """What counts only until the wizard's turn ends."""

    def __init__(self, wizard: Wizard) -> None:
        self.wizard = wizard
        self.moved: dict[str, int] = {}  # hexes gone
        self.entered: set[str] = set()  # pieces stopped by an enemy (F4.4)
        self.cast: set[str] = set()
        self.destroyed: set[str] = set()
        self.came: list[str] = []  # by moves and casts, the latest last (F6.2)
        self.attempts: dict[str, int] = {}  # casts by spell and hexes
        self.throws: dict[str, int] = {}  # of combat, by hex


class Game:
    def __init__(self, case: dict[str, Any], board: dict[str, Any], throw: Throw) -> None:
        self.board = Board(board)
        self.data = merged(DATA, case.get("data", {}))
        self.animates = animates(self.data)
        self.source = throw
        self.round: int = case["turn"]
        self.turn_number: int = case["turn"]
        self.length: int = case.get("length", 10)
        self.eliminates = case.get("wizard_killed", "returns") == "eliminated"
        wizards = sorted((Wizard(row, self.board) for row in case["wizard"]), key=lambda w: w.seat)
        self.wizards = {w.hue: w for w in wizards}
        for wizard in wizards:
            wizard.out = self.eliminates and wizard.at is None
        self.order: list[str] = list(case.get("order_of_play", [w.hue for w in self.playing()]))
        self.events: list[dict[str, Any]] = []
        self.dice: list[dict[str, Any]] = []
        self.scores: dict[str, str] = {}
        self.loremasters: list[str] = []
        self.over = False

    # Helpers

    def playing(self) -> list[Wizard]:
        return [w for w in self.wizards.values() if not w.out]

    def tell(self, kind: str, rules: str | Iterable[str], **fields: Any) -> None:
        event = {"kind": kind, "rules": rules.split() if isinstance(rules, str) else list(rules), **fields}
        if self.dice:
            event["dice"], self.dice = self.dice, []
        self.events.append(event)

    def throw(self, key: str) -> int:
        value = self.source(key, 10)
        self.dice.append({"key": key, "sides": 10, "value": value})
        return value

    def label(self, at: Hex) -> str:
        return self.board.label(at)

    def labels(self, hexes: Iterable[Hex]) -> list[str]:
        return [self.board.label(at) for at in hexes]

    def row(self, piece: str) -> dict[str, Any]:
        row: dict[str, Any] = self.data["wizard"] if piece == "wizard" else self.animates[piece]
        return row

    def earth_at(self, at: Hex) -> tuple[Wizard, str, tuple[Hex, ...]] | None:
        for wizard in self.wizards.values():
            for name, hexes in wizard.earths:
                if at in hexes:
                    return wizard, name, hexes
        return None

    def own_at(self, wizard: Wizard, at: Hex) -> list[str]:
        return [name for name, where in wizard.pieces().items() if where == at]

    def enemies_at(self, wizard: Wizard, at: Hex) -> list[tuple[Wizard, str]]:
        """In seat order."""
        return [(w, p) for w in self.wizards.values() if w is not wizard for p in self.own_at(w, at)]

    def stock(self, wizard: Wizard) -> dict[str, int]:
        used = [name for name, _ in wizard.earths]
        earths = {name: row["count"] - used.count(name) for name, row in self.data["earths"].items()}
        return earths | {name: 0 if name in wizard.animates else 1 for name in self.animates}

    # Territory, by the rulings of F8

    def globes(self) -> dict[Hex, list[str]]:
        """Who covers what, in (q, r) order, corners left out."""
        result: dict[Hex, list[str]] = {at: [] for at in sorted(self.board.globes)}
        for wizard in self.playing():
            ring = frozenset([wizard.corner, *(at for _, hexes in wizard.earths for at in hexes)])
            for at, owners in result.items():
                if covers(ring, at):
                    owners.append(wizard.hue)
        return result

    def holdings(self) -> dict[str, tuple[dict[str, int], list[str]]]:
        """By hue: the globes that are his with their values, and the disputed ones."""
        result: dict[str, tuple[dict[str, int], list[str]]] = {hue: ({}, []) for hue in self.wizards}
        for at, owners in self.globes().items():
            for hue in owners:
                if len(owners) == 1:
                    result[hue][0][self.label(at)] = self.board.globes[at]
                else:
                    result[hue][1].append(self.label(at))
        return result

    def income(self, wizard: Wizard, globes: dict[str, int]) -> int:
        return 0 if wizard.out else int(self.data["corner"]) + sum(globes.values())

    # The round, by the rulings of F3

    def play(self, orders: dict[str, str]) -> None:
        for hue in self.order:
            if not self.over and not self.wizards[hue].out:
                self.take_turn(Turn(self.wizards[hue]), orders.get(hue, ""))
        if not self.over and self.turn_number >= self.length:
            self.end_contest()
        if not self.over:
            self.open_round()

    def open_round(self) -> None:
        self.round += 1
        self.tell("round_opened", "F3.3", round=self.round)
        for hue, (globes, disputed) in self.holdings().items():
            wizard = self.wizards[hue]
            if not wizard.out:
                wizard.reserve += self.income(wizard, globes)
                self.tell(
                    "flux_claimed",
                    "F3.1 F8.3",
                    hue=hue,
                    corner=self.data["corner"],
                    globes=globes,
                    disputed=disputed,
                    reserve=wizard.reserve,
                )
        contenders = [w.hue for w in self.playing()]
        hues, throws = contenders, []
        for number in itertools.count(1):
            throws.append({hue: self.throw(f"initiative {self.round} {hue} {number}") for hue in hues})
            hues = [hue for hue in hues if throws[-1][hue] == max(throws[-1].values())]
            if len(hues) == 1:
                break
            if number > 100:
                raise CaseFails("initiative stays equal")
        first = contenders.index(hues[0])
        self.order = contenders[first:] + contenders[:first]
        self.tell("initiative_thrown", "F3.2", throws=throws, order=list(self.order))

    def end_contest(self) -> None:
        self.over = True
        points = {hue: Fraction(0 if w.out else self.data["corner"]) for hue, w in self.wizards.items()}
        for at, owners in self.globes().items():
            for hue in owners:
                points[hue] += Fraction(self.board.globes[at], len(owners))
        self.scores = {hue: str(score) for hue, score in points.items()}
        self.loremasters = [hue for hue, score in points.items() if score == max(points.values())]
        self.tell("contest_ended", "F8.4", scores=dict(self.scores), loremasters=list(self.loremasters))

    def take_turn(self, turn: Turn, text: str) -> None:
        wizard = turn.wizard
        self.tell("wizard_turn_began", "F3.4", hue=wizard.hue)
        if wizard.at is None:
            withdrawn = next(iter(self.own_at(wizard, wizard.corner)), None)
            if withdrawn:
                del wizard.animates[withdrawn]
            wizard.at = wizard.corner
            self.tell(
                "wizard_returned", "F6.3", hue=wizard.hue, hex=self.label(wizard.at), withdrawn=withdrawn
            )
        lines = read(text, self.board, self.data, list(self.wizards))
        for line in lines:
            if line.problem:
                self.refuse(turn, line, {"F9.2"}, line.problem)
        self.carry_out(turn, lines, "move", self.move)
        self.carry_out(turn, lines, "cast", self.cast)
        self.fight_all(turn)
        if not wizard.out:
            self.carry_out(turn, lines, "destroy", self.destroy)

    def carry_out(
        self, turn: Turn, lines: list[Line], phase: str, act: Callable[[Turn, Line, Side], bool]
    ) -> None:
        """One phase; the next side of a line has its turn until one succeeds (F9.3)."""
        for line in (one for one in lines if one.phase == phase and not self.over):
            for number, side in enumerate(line.sides, 1):
                if not all(self.holds(turn.wizard, guard) for guard in side.guards):
                    self.skip(turn, line, "F9.4", "the condition does not hold")
                elif side.verb == "hold" or act(turn, line, side):
                    if number < len(line.sides):
                        self.skip(turn, line, "F9.3", "what came before succeeded")
                    break

    def holds(self, wizard: Wizard, guard: Guard) -> bool:
        at = guard.at or (0, 0)
        anyone = any(self.own_at(w, at) for w in self.wizards.values())
        earth = self.earth_at(at) is not None
        truth = {
            "enemy": bool(self.enemies_at(wizard, at)),
            "own": bool(self.own_at(wizard, at)),
            "free": not anyone and not earth and not self.board.has_globe(at),
            "earth": earth,
            "flux": wizard.reserve >= guard.number,
            "alive": bool(guard.hue) and self.wizards[guard.hue].at is not None,
        }
        return truth[guard.word] is guard.wanted

    def refuse(self, turn: Turn, line: Line, rules: set[str], reason: str) -> None:
        hue = turn.wizard.hue
        self.tell("order_refused", sorted(rules), hue=hue, line=line.number, text=line.text, reason=reason)

    def skip(self, turn: Turn, line: Line, rule: str, reason: str) -> None:
        self.tell("order_skipped", rule, hue=turn.wizard.hue, line=line.number, text=line.text, reason=reason)

    # Moves, by the rulings of F4

    def bars(self, piece: str, at: Hex) -> bool:
        """Whether the land there is closed to the piece (F4.2)."""
        row = self.row(piece)
        earth = self.earth_at(at)
        if row["flies"]:
            return False
        return at in self.board.lakes or (earth is not None and earth[1] in row["may_not_enter"])

    def move(self, turn: Turn, line: Line, side: Side) -> bool:
        wizard, piece = turn.wizard, side.name
        start = wizard.pieces().get(piece)
        if start is None:
            self.refuse(turn, line, {"F3.6"}, "the piece is not on the board")
            return False
        goal, rules = side.hexes[-1], set()
        path: list[Hex] | None = [start, *side.hexes]
        if not side.via:
            path = self.way(wizard, piece, start, goal)
        steps = path[1:] if path else [goal]
        if piece in turn.entered or any(self.enemies_at(wizard, at) for at in steps[:-1]):
            rules.add("F4.4")
        if any(self.bars(piece, at) for at in steps):
            rules.add("F4.2")
        if any(name != piece for at in steps for name in self.own_at(wizard, at)):
            rules.add("F4.3")
        if goal == start or path is None or any(distance(a, b) != 1 for a, b in itertools.pairwise(path)):
            rules.add("F4.5")
        far = distance(start, goal) if path is None else len(steps)
        if far > self.row(piece)["move"] - turn.moved.get(piece, 0):
            rules.add("F4.1")
        if rules or path is None:
            self.refuse(turn, line, rules, "the piece may not go there")
            return False
        if piece == "wizard":
            wizard.at = goal
        else:
            wizard.animates[piece] = goal
        turn.moved[piece] = turn.moved.get(piece, 0) + far
        if self.enemies_at(wizard, goal):
            turn.entered.add(piece)
        turn.came = [name for name in turn.came if name != piece] + [piece]
        self.tell("piece_moved", "F4.1", hue=wizard.hue, piece=piece, path=self.labels(path))
        return True

    def way(self, wizard: Wizard, piece: str, start: Hex, goal: Hex) -> list[Hex] | None:
        """The shortest path by hexes that he may pass, counted back from the goal (F4.5)."""
        far, ring = {goal: 0}, [goal]
        while ring and start not in far:
            ring = list(dict.fromkeys(n for at in ring for n in self.board.neighbours(at) if n not in far))
            ring = [at for at in ring if at == start or self.passable(wizard, piece, at)]
            far |= dict.fromkeys(ring, max(far.values()) + 1)
        if start not in far:
            return None
        path = [start]
        while path[-1] != goal:
            path.append(next(n for n in self.board.neighbours(path[-1]) if far.get(n) == far[path[-1]] - 1))
        return path

    def passable(self, wizard: Wizard, piece: str, at: Hex) -> bool:
        taken = self.own_at(wizard, at) or self.enemies_at(wizard, at)
        return not taken and not self.bars(piece, at)

    # Casts, by the rulings of F5

    def band(self, far: int) -> int | None:
        """The chance at that distance; None beyond the last band (F5.1)."""
        return next((chance for limit, chance in self.data["bands"] if far <= limit), None)

    def cast(self, turn: Turn, line: Line, side: Side) -> bool:
        wizard, spell = turn.wizard, side.name
        assert wizard.at is not None
        is_earth = spell in self.data["earths"]
        cost: int = (self.data["earths"] if is_earth else self.animates)[spell]["cost"]
        hexes = sorted(side.hexes)
        distances = [distance(wizard.at, at) for at in hexes]
        chances = [self.band(far) for far in distances]
        rules = set()
        if None in chances:
            rules.add("F5.1")
        if len(set(chances)) > 1:
            rules.add("F5.2")
        if wizard.reserve < cost or self.stock(wizard)[spell] == 0:
            rules.add("F5.3")
        if side.keep is not None and wizard.reserve - cost < side.keep:
            rules.add("F5.6")
        if is_earth and not self.earth_fits(spell, hexes):
            rules.add("F5.4")
        if not is_earth and not self.animate_fits(wizard, spell, hexes[0]):
            rules.add("F5.5")
        chance = chances[0]
        if rules or chance is None:
            self.refuse(turn, line, rules, "the spell may not be cast")
            return False
        what = f"{spell.replace(' ', '-')} {'-'.join(self.labels(hexes))}"
        for _ in range(side.times):
            if wizard.reserve - cost < (side.keep or 0):
                return False
            wizard.reserve -= cost
            number = turn.attempts[what] = turn.attempts.get(what, 0) + 1
            throw = self.throw(f"cast {self.round} {wizard.hue} {what} {number}")
            success = throw <= chance
            self.tell(
                "spell_cast",
                "F5.1 F5.3",
                hue=wizard.hue,
                spell=spell,
                hexes=self.labels(hexes),
                distance=max(distances),
                cost=cost,
                chance=chance,
                throw=throw,
                success=success,
                reserve=wizard.reserve,
            )
            if success:
                if is_earth:
                    wizard.earths.append((spell, tuple(hexes)))
                else:
                    wizard.animates[spell] = hexes[0]
                    turn.cast.add(spell)
                    turn.came.append(spell)
                return True
        return False

    def earth_fits(self, spell: str, hexes: list[Hex]) -> bool:
        row = self.data["earths"][spell]
        board = self.board
        return (
            distance(*hexes) == 1
            and all(board.is_full(at) and not board.has_globe(at) and not self.earth_at(at) for at in hexes)
            and not any(self.own_at(w, at) for w in self.wizards.values() for at in hexes)
            and (row["lake"] or not any(at in board.lakes for at in hexes))
            and (row["river"] or frozenset(hexes) not in board.rivers)
            and (not row["water"] or any(board.touches_water(at) for at in hexes))
        )

    def animate_fits(self, wizard: Wizard, spell: str, at: Hex) -> bool:
        drowns = at in self.board.lakes and not self.row(spell)["flies"]
        return not self.board.has_globe(at) and not self.own_at(wizard, at) and not drowns

    # Combats, by the rulings of F6

    def fight_all(self, turn: Turn) -> None:
        wizard = turn.wizard
        # One who returned and stays is first: wizards lead in pieces().
        stood = [name for name in wizard.pieces() if name not in turn.came]
        for piece in stood + turn.came:
            at = wizard.pieces().get(piece)
            for enemy, name in self.enemies_at(wizard, at) if at is not None else []:
                if not self.over and piece in wizard.pieces() and name in enemy.pieces():
                    self.fight(turn, piece, enemy, name)

    def fight(self, turn: Turn, piece: str, enemy: Wizard, enemy_piece: str) -> None:
        wizard = turn.wizard
        at = wizard.pieces()[piece]
        mine, his = self.row(piece)["combat"], self.row(enemy_piece)["combat"]
        key = f"combat {self.round} {wizard.hue} {self.label(at)}"
        throws: list[list[int]] = []
        while not throws or throws[-1][0] + mine == throws[-1][1] + his:
            if len(throws) > 100:
                raise CaseFails("a combat stays equal")
            number = turn.throws[key] = turn.throws.get(key, 0) + 1
            sides = [(wizard, piece), (enemy, enemy_piece)]
            throws.append([self.throw(f"{key} {w.hue}/{p.replace(' ', '-')} {number}") for w, p in sides])
        won = throws[-1][0] + mine > throws[-1][1] + his
        winner, loser, lost = (wizard, enemy, enemy_piece) if won else (enemy, wizard, piece)
        self.tell(
            "combat_fought",
            "F6.1",
            hex=self.label(at),
            attacker={"hue": wizard.hue, "piece": piece, "rating": mine},
            defender={"hue": enemy.hue, "piece": enemy_piece, "rating": his},
            throws=throws,
            winner=winner.hue,
        )
        self.tell("piece_killed", "F6.1", hue=loser.hue, piece=lost, hex=self.label(at), by=winner.hue)
        if lost != "wizard":
            del loser.animates[lost]
            return
        loser.at = None
        if self.eliminates:
            loser.out = True
            loser.earths.clear()
            loser.animates.clear()
            self.tell("wizard_eliminated", "F6.3", hue=loser.hue, by=winner.hue)
            if len(self.playing()) == 1:
                self.end_contest()

    # Destruction, by the rulings of F7

    def destroy(self, turn: Turn, line: Line, side: Side) -> bool:
        wizard, piece = turn.wizard, side.name
        at = wizard.pieces().get(piece)
        if at is None:
            self.refuse(turn, line, {"F3.6"}, "the piece is not on the board")
            return False
        earth = self.earth_at(at)
        chances: dict[str, int] = self.row(piece)["destroys"]
        rules = set()
        if earth is None or piece in turn.cast:
            rules.add("F7.2")
        if piece in turn.destroyed or (earth is not None and earth[1] not in chances):
            rules.add("F7.1")
        if earth is not None and any(self.enemies_at(wizard, hex_) for hex_ in earth[2]):
            rules.add("F7.3")
        if rules or earth is None:
            self.refuse(turn, line, rules, "the earth may not be destroyed")
            return False
        owner, name, hexes = earth
        turn.destroyed.add(piece)
        throw = self.throw(f"destroy {self.round} {wizard.hue}/{piece.replace(' ', '-')} {self.label(at)}")
        success = throw <= chances[name]
        if success:
            owner.earths.remove((name, hexes))
        self.tell(
            "destruction_attempted",
            "F7.1",
            hue=wizard.hue,
            piece=piece,
            earth=name,
            owner=owner.hue,
            hexes=self.labels(hexes),
            chance=chances[name],
            throw=throw,
            success=success,
        )
        return success

    # State

    def state(self) -> dict[str, Any]:
        wizards = {}
        for hue, (globes, disputed) in self.holdings().items():
            wizard = self.wizards[hue]
            wizards[hue] = {
                "seat": wizard.seat,
                "alive": wizard.at is not None,
                "reserve": wizard.reserve,
                "at": None if wizard.at is None else self.label(wizard.at),
                "earths": [{"earth": name, "hexes": self.labels(hexes)} for name, hexes in wizard.earths],
                "pieces": {name: self.label(at) for name, at in wizard.animates.items()},
                "stock": self.stock(wizard),
                "globes": globes,
                "disputed": disputed,
                "income": self.income(wizard, globes),
            }
        return {
            "ruleset": "flux",
            "turn": self.turn_number,
            "phase": "ended" if self.over else "open",
            "round": self.round,
            "order_of_play": list(self.order),
            "wizards": wizards,
            "scores": self.scores,
            "loremasters": self.loremasters,
        }
