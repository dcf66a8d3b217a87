"""All the rules of a turn: orders and dice in, events out (F3-F9).

One `Round` adjudicates a turn. Whatever it decides it says as an event, and every event is folded
into the position at once, so that the rules read the same position that the log will give.
"""

from collections import defaultdict
from collections.abc import Mapping

from pbem.dice import Dice
from pbem.errors import StillEqual
from pbem.events import Throw
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.evolve import evolve
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import (
    Alive,
    Cast,
    Condition,
    Destroy,
    Flux,
    FluxOrders,
    Hold,
    Move,
    Order,
    Phase,
    line_phase,
)
from pbem.rulesets.flux.orders import Place as PlaceCondition
from pbem.rulesets.flux.refusals import (
    Refusals,
    attempt_refusals,
    cast_refusals,
    destroy_refusals,
    move_refusals,
    planned_way,
)
from pbem.rulesets.flux.state import Piece, State, Wizard, holdings, income, scores
from pbem.sheet import Guard, OrderLine, SeatOrders, Side

MAX_REPEATS = 100
"""Equal throws are thrown again so often, and then something is wrong with the dice."""

Orders = Mapping[str, FluxOrders]
Line = OrderLine[Order, Condition]


def decide(state: State, orders: Orders, dice: Dice) -> tuple[e.FluxEvent, ...]:
    """The events of the turn now open: the opening where the contest has not begun, else one round."""
    if state.over:
        return ()
    turn = Round(state, orders, dice)
    if state.round:
        turn.play()
    else:
        turn.open_round(1)
    return tuple(turn.events)


def key_name(name: str) -> str:
    """A name as throw keys write it."""
    return name.replace(" ", "-")


class Round:
    """One adjudication under way: the position so far and the events that led to it."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        self.state = state
        self.orders = orders
        self.events: list[e.FluxEvent] = []
        self._dice = dice
        self._label = state.board.label

    def tell(self, event: e.FluxEvent) -> None:
        """An event happens."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def throw(self, key: str) -> Throw:
        """A throw of the decapod."""
        sides = self.state.rules.contest.die
        return Throw(key=key, sides=sides, value=self._dice(key, sides))

    def play(self) -> None:
        """The round that is open, and the opening of the next or the end of the contest (F3.3, F3.5)."""
        for hue in self.state.order_of_play:
            if not self.state.wizards[hue].eliminated:
                WizardTurn(self, hue).play()
            if self.state.over:
                return
        if self.state.round >= self.state.length:
            self.end_contest()
        else:
            self.open_round(self.state.round + 1)

    def open_round(self, number: int) -> None:
        """Claims and the throw for the order of play, also of those off the board (F3.1, F3.2)."""
        self.tell(e.RoundOpened(rules=("F3.3",), round=number))
        held = holdings(self.state)
        playing = [hue for hue, wizard in self.state.wizards.items() if not wizard.eliminated]
        for hue in playing:
            self.tell(
                e.FluxClaimed(
                    rules=("F3.1", "F8.2", "F8.3"),
                    hue=hue,
                    corner=self.state.rules.contest.corner,
                    globes={self._label(place): value for place, value in held[hue].undisputed.items()},
                    disputed=tuple(self._label(place) for place in held[hue].disputed),
                    reserve=self.state.wizards[hue].reserve + income(self.state, hue, held[hue]),
                )
            )
        self._throw_initiative(number, playing)

    def _throw_initiative(self, number: int, playing: list[str]) -> None:
        throws: list[dict[str, int]] = []
        dice: list[Throw] = []
        leaders = playing
        while len(leaders) > 1 or not throws:
            if len(throws) > MAX_REPEATS:
                raise StillEqual(
                    f"The throws for the order of play of round {number} are still equal after 100 repeats."
                )
            made = {hue: self.throw(f"initiative {number} {hue} {len(throws) + 1}") for hue in leaders}
            dice.extend(made.values())
            throws.append({hue: throw.value for hue, throw in made.items()})
            highest = max(throw.value for throw in made.values())
            leaders = [hue for hue, throw in made.items() if throw.value == highest]
        first = playing.index(leaders[0])
        order = (*playing[first:], *playing[:first])
        self.tell(e.InitiativeThrown(rules=("F3.2",), throws=tuple(throws), order=order, dice=tuple(dice)))

    def end_contest(self) -> None:
        """Scores, and the highest is the Loremaster (F8.4)."""
        totals = scores(self.state)
        best = max(totals[hue] for hue, wizard in self.state.wizards.items() if not wizard.eliminated)
        self.tell(
            e.ContestEnded(
                rules=("F3.5", "F8.4"),
                scores={hue: str(total) for hue, total in totals.items()},
                loremasters=tuple(
                    hue
                    for hue, total in totals.items()
                    if total == best and not self.state.wizards[hue].eliminated
                ),
            )
        )


class WizardTurn:
    """One wizard's turn within the round, with what has to be remembered until its end (F3.4)."""

    def __init__(self, game: Round, hue: str) -> None:
        self.game = game
        self.hue = hue
        self.steps: dict[str, int] = defaultdict(int)
        """How many hexes each piece has moved."""
        self.stopped: set[str] = set()
        """The pieces that have entered an enemy's hex (F4.4)."""
        self.arrivals: dict[str, None] = {}
        """His pieces that moved or were cast, in the order in which they came to where they stand (F6.2)."""
        self.new: set[str] = set()
        """The pieces cast this turn (F7.2)."""
        self.tried: set[str] = set()
        """The pieces that have tried to destroy (F7.1)."""
        self._attempts: dict[str, int] = defaultdict(int)
        self._label = game.state.board.label
        self._orders = game.orders.get(hue, SeatOrders())
        self._lines: dict[Phase, list[Line]] = defaultdict(list)
        for line in self._orders.lines:
            self._lines[line_phase(line)].append(line)

    @property
    def state(self) -> State:
        """The position now."""
        return self.game.state

    @property
    def me(self) -> Wizard:
        """The acting wizard's side of it."""
        return self.game.state.wizards[self.hue]

    def play(self) -> None:
        """Return if killed, then move, cast, fight, destroy; an eliminated wizard's turn ends at once."""
        self.game.tell(e.WizardTurnBegan(rules=("F3.4",), hue=self.hue))
        if self.me.at is None:
            self.come_back()
        for problem in self._orders.problems:
            self._refuse(problem.line, problem.text, [("F9.2", problem.message)])
        self.phase(Phase.MOVE)
        self.phase(Phase.CAST)
        self._fight()
        if not (self.me.eliminated or self.state.over):
            self.phase(Phase.DESTROY)

    def come_back(self) -> None:
        """A killed wizard is set on his corner; a piece of his own there makes room (F6.3)."""
        corner = self.me.corner
        withdrawn = self.me.stands.get(corner)
        self.game.tell(
            e.WizardReturned(rules=("F6.3",), hue=self.hue, hex=self._label(corner), withdrawn=withdrawn)
        )

    def phase(self, phase: Phase) -> None:
        """The lines of one phase, in file order."""
        for line in self._lines[phase]:
            self._line(line)

    def _line(self, line: Line) -> None:
        """The sides of a line in turn, until one succeeds (F9.3)."""
        for index, side in enumerate(line.sides):
            if side.guards and (fault := self._guard_fault(side.guards)):
                self._skip(line, f"its condition does not hold: {fault}", "F9.4")
            elif self._carry_out(line, side):
                if index + 1 < len(line.sides):
                    self._skip(line, "what stands after `else` was not needed", "F9.3")
                return

    def _guard_fault(self, guards: tuple[Guard[Condition], ...]) -> str:
        """The first condition that does not hold, or nothing."""
        return next(
            (str(guard)[3:-1] for guard in guards if self._holds(guard.condition) == guard.negated), ""
        )

    def _holds(self, condition: Condition) -> bool:
        match condition:
            case Flux(amount):
                return self.me.reserve >= amount
            case Alive(hue):
                return self.state.wizards[hue].at is not None
            case PlaceCondition("enemy", place):
                return bool(self.state.enemies_at(self.hue, place))
            case PlaceCondition("own", place):
                return place in self.me.stands
            case PlaceCondition("earth", place):
                return place in self.state.earths
            case PlaceCondition(_, place):
                return self.state.is_free(place)

    def _carry_out(self, line: Line, side: Side[Order, Condition]) -> bool:
        """Whether the side succeeded, so that what follows its `else` is not needed."""
        match side.order:
            case Move() as order:
                return self._move(line, side.text, order)
            case Cast() as order:
                return self._cast(line, side.text, order)
            case Destroy() as order:
                return self._destroy(line, side.text, order)
            case Hold():
                return True

    def _refuse(self, line: int, text: str, refusals: Refusals) -> bool:
        rulings, reasons = zip(*refusals, strict=True)
        self.game.tell(
            e.OrderRefused(
                rules=tuple(sorted(set(rulings))),
                hue=self.hue,
                line=line,
                text=text,
                reason="; ".join(dict.fromkeys(reasons)),
            )
        )
        return False

    def _skip(self, line: Line, reason: str, ruling: str) -> None:
        self.game.tell(
            e.OrderSkipped(rules=(ruling,), hue=self.hue, line=line.number, text=line.text, reason=reason)
        )

    def _move(self, line: Line, text: str, order: Move) -> bool:
        state, piece = self.state, order.piece
        left = state.rules.move(piece) - self.steps[piece]
        way = planned_way(state, self.hue, order)
        if refusals := move_refusals(state, self.hue, order, left, way, stopped=piece in self.stopped):
            return self._refuse(line.number, text, refusals)
        assert way is not None
        start = self.me.at if piece == WIZARD else self.me.pieces[piece]
        assert start is not None
        self.steps[piece] += len(way)
        self.arrivals.pop(piece, None)
        self.arrivals[piece] = None
        met = bool(state.enemies_at(self.hue, order.to))
        if met:
            self.stopped.add(piece)
        self.game.tell(
            e.PieceMoved(
                rules=("F4.1", "F4.4", "F4.5") if met else ("F4.1", "F4.5"),
                hue=self.hue,
                piece=piece,
                path=tuple(map(self._label, (start, *way))),
                line=line.number,
            )
        )
        return True

    def _cast(self, line: Line, text: str, order: Cast) -> bool:
        hexes = tuple(sorted(order.hexes))
        if refusals := cast_refusals(self.state, self.hue, order.spell, hexes, order.keep):
            return self._refuse(line.number, text, refusals)
        for attempt in range(order.times or 1):
            if attempt and attempt_refusals(self.state, self.hue, order.spell, order.keep):
                return False
            if self._attempt(line, order.spell, hexes, order.times is not None):
                return True
        return False

    def _attempt(self, line: Line, spell: str, hexes: tuple[Hex, ...], repeats: bool) -> bool:
        """One attempt, paid for whether it succeeds or not (F5.3)."""
        rules, me = self.state.rules, self.me
        assert me.at is not None
        is_earth, cost = len(hexes) == 2, rules.cost(spell)
        distance = max(me.at - place for place in hexes)
        chance = rules.chance(distance)
        assert chance is not None
        labels = tuple(map(self._label, hexes))
        stem = f"cast {self.state.round} {self.hue} {key_name(spell)} {'-'.join(labels)}"
        self._attempts[stem] += 1
        throw = self.game.throw(f"{stem} {self._attempts[stem]}")
        success = throw.value <= chance
        if success and not is_earth:
            self.new.add(spell)
            self.arrivals.pop(spell, None)
            self.arrivals[spell] = None
        self.game.tell(
            e.SpellCast(
                rules=("F5.1", "F5.3", "F5.4" if is_earth else "F5.5", *(("F5.6",) if repeats else ())),
                hue=self.hue,
                spell=spell,
                hexes=labels,
                distance=distance,
                cost=cost,
                chance=chance,
                throw=throw.value,
                success=success,
                reserve=me.reserve - cost,
                line=line.number,
                dice=(throw,),
            )
        )
        return success

    def _fight(self) -> None:
        """Every fight of the turn in the order in which the attackers came (F6.2)."""
        if sum(len(wizard.stands) for wizard in self.state.wizards.values()) == len(self.state.occupied):
            return  # No hex is shared.
        places = dict(self.me.standing())
        # A wizard who returned came before all that moved; so did a piece that a ruling left among enemies.
        stood = [name for name in places if name not in self.arrivals]
        for name in (*stood, *(name for name in self.arrivals if name in places)):
            place = places[name]
            throws = 0
            for enemy in self.state.enemies_at(self.hue, place):
                throws = self._fight_one(name, enemy, place, throws)
                if self.state.over or self.me.eliminated:
                    return
                if place not in self.me.stands:
                    break

    def _fight_one(self, name: str, enemy: Piece, place: Hex, thrown: int) -> int:
        """One fight to the death; gives how many throws this hex has seen by then (F6.1)."""
        rules, label = self.state.rules, self._label(place)
        ratings = rules.combat(name), rules.combat(enemy.name)
        stem = f"combat {self.state.round} {self.hue} {label}"
        pairs: list[tuple[Throw, Throw]] = []
        while not pairs or pairs[-1][0].value + ratings[0] == pairs[-1][1].value + ratings[1]:
            if len(pairs) > MAX_REPEATS:
                raise StillEqual(f"The throws of the fight at {label} are still equal after 100 repeats.")
            thrown += 1
            mine = self.game.throw(f"{stem} {self.hue}/{key_name(name)} {thrown}")
            theirs = self.game.throw(f"{stem} {enemy.hue}/{key_name(enemy.name)} {thrown}")
            pairs.append((mine, theirs))
        won = pairs[-1][0].value + ratings[0] > pairs[-1][1].value + ratings[1]
        winner, loser, lost = (self.hue, enemy.hue, enemy.name) if won else (enemy.hue, self.hue, name)
        self.game.tell(
            e.CombatFought(
                rules=("F6.1",),
                hex=label,
                attacker=e.Fighter(hue=self.hue, piece=name, rating=ratings[0]),
                defender=e.Fighter(hue=enemy.hue, piece=enemy.name, rating=ratings[1]),
                throws=tuple((mine.value, theirs.value) for mine, theirs in pairs),
                winner=winner,
                dice=tuple(throw for pair in pairs for throw in pair),
            )
        )
        self._kill(loser, lost, label, winner)
        return thrown

    def _kill(self, hue: str, piece: str, label: str, by: str) -> None:
        rules = ("F6.1", "F6.3") if piece == WIZARD else ("F6.1", "F5.7")
        self.game.tell(e.PieceKilled(rules=rules, hue=hue, piece=piece, hex=label, by=by))
        if piece != WIZARD or self.state.rules.contest.wizard_killed == "returns":
            return
        self.game.tell(e.WizardEliminated(rules=("F6.3",), hue=hue, by=by))
        if sum(not wizard.eliminated for wizard in self.state.wizards.values()) == 1:
            self.game.end_contest()

    def _destroy(self, line: Line, text: str, order: Destroy) -> bool:
        piece = order.piece
        if refusals := destroy_refusals(
            self.state, self.hue, piece, new=piece in self.new, tried=piece in self.tried
        ):
            return self._refuse(line.number, text, refusals)
        self.tried.add(piece)
        place = self.me.pieces[piece]
        owner, earth = self.state.earths[place]
        chance = self.state.rules.animate(piece).destroys[earth.earth]  # type: ignore[index]
        throw = self.game.throw(
            f"destroy {self.state.round} {self.hue}/{key_name(piece)} {self._label(place)}"
        )
        self.game.tell(
            e.DestructionAttempted(
                rules=("F7.1", "F7.2"),
                hue=self.hue,
                piece=piece,
                earth=earth.earth,
                owner=owner,
                hexes=tuple(self._label(place) for place in earth.hexes),
                chance=chance,
                throw=throw.value,
                success=throw.value <= chance,
                line=line.number,
                dice=(throw,),
            )
        )
        return throw.value <= chance
