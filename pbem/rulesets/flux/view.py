"""What a reader is told of a turn. Flux is an open game: all may see all, but begin with their own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from pbem.drawing import Drawing, Playback
from pbem.events import Json, event_json
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.board import LAYERS, board_drawing, near_view, thumbnail
from pbem.rulesets.flux.composer import composer_data
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.examples import at_turn, examples
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.playback import Course
from pbem.rulesets.flux.state import (
    Holdings,
    State,
    Wizard,
    claimants,
    holdings,
    income,
    scores,
    state_json,
)
from pbem.rulesets.flux.told import (
    FluxTurn,
    chapters,
    count,
    fraction,
    loser,
    nth,
    place_name,
    seat_report,
    title,
    token,
    whose,
    winners,
)
from pbem.rulesets.model import (
    Board,
    Chapter,
    Column,
    Figure,
    Icon,
    Item,
    ItemList,
    Reading,
    Report,
    Row,
    Span,
    Table,
    Words,
    joined,
    plain_text,
    seat_name,
    strong,
    words,
)


def view(turn: FluxTurn, reader: str) -> Report:
    """The report of a turn for a seat, for everybody or for the GM."""
    shared = _shared(_Same(turn))
    mine = turn.after.wizards.get(reader)
    own = _Own(shared, mine) if mine is not None else None
    seats = (reader,) if own else tuple(turn.after.wizards)
    drawing = shared.drawing
    return Report(
        reader=reader,
        heading=f"turn {turn.number} of {turn.after.length}" if turn.number else "the opening",
        headline=shared.headline,
        board=Board(
            drawing,
            words(
                "Point at anything for its name. Stars are what this turn brought, arrows what moved."
                if turn.number
                else "Point at anything for its name and numbers."
            ),
            shared.legend,
            near_view(turn.after, reader) if own else None,
            "Nearer: your ground" if own else "",
            LAYERS,
            shared.playback,
        ),
        next_turn=own.next_turn() if own else shared.order_of_play(""),
        figures=own.figures() if own else (),
        changed=tuple(own.changed()) if own and turn.number else (),
        orders=tuple(seat_report(turn, seat, reader) for seat in seats) if turn.number else (),
        round=shared.chapters,
        round_title=f"Round {turn.before.round} as it happened" if turn.number else "The opening",
        standings=shared.standings,
        in_words=shared.in_words,
        template=tuple(own.template()) if own else (),
        thumbnail=shared.thumbnail,
        readings=shared.readings,
        icons={hue: token(hue, WIZARD) for hue in turn.after.wizards},
        script_data=_script_data(turn.after, reader) if own else {},
        data=shared.data,
    )


def _script_data(state: State, hue: str) -> Mapping[str, Json]:
    """For the script of a seat's own page: what its order composer needs, if it has orders to write."""
    data = composer_data(state, hue)
    return {"compose": data} if data else {}


class _Same:
    """A turn as a key: the same only as itself, so that what all readers share is made once."""

    def __init__(self, turn: FluxTurn) -> None:
        self.turn = turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.turn is other.turn

    def __hash__(self) -> int:
        return id(self.turn)


@lru_cache(maxsize=2)
def _shared(key: _Same) -> "_Shared":
    return _Shared(key.turn)


@dataclass(frozen=True)
class _Shared:
    """What every reader's report of one turn has in common."""

    turn: FluxTurn

    @property
    def state(self) -> State:
        """The position that the turn left."""
        return self.turn.after

    @cached_property
    def held(self) -> dict[str, Holdings]:
        """Everybody's globes now."""
        return holdings(self.state)

    @cached_property
    def held_before(self) -> dict[str, Holdings]:
        """Everybody's globes in the report before."""
        return holdings(self.turn.told)

    @cached_property
    def claims(self) -> dict[Hex, tuple[str, ...]]:
        """Who covers each globe."""
        return claimants(self.state)

    @cached_property
    def score(self) -> dict[str, str]:
        """What each would score now, whole or as `n/d` (F8.4)."""
        if self.state.over:
            return dict(self.state.scores)
        return {hue: str(score) for hue, score in scores(self.state).items()}

    @cached_property
    def incomes(self) -> dict[str, int]:
        """What the position would pay each."""
        return {hue: income(self.state, hue, held) for hue, held in self.held.items()}

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """The turn as it happened."""
        return chapters(self.turn, self.course)

    @cached_property
    def course(self) -> Course:
        """What each event did to the map."""
        return Course(self.turn.before, self.turn.events, self.turn.after)

    @cached_property
    def playback(self) -> Playback:
        """The map before the turn; after the chapters, which tell what leaves it."""
        return self.course.playback() if self.chapters else Playback()

    @cached_property
    def drawing(self) -> Drawing:
        """The map with this turn's moves, casts and fights."""
        return board_drawing(self.turn, self.incomes)

    @cached_property
    def thumbnail(self) -> Drawing:
        """The map in little."""
        return thumbnail(self.state, self.turn.number)

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """The turn for programs."""
        return {
            "position": state_json(self.state),
            "events": [event_json(event) for event in self.turn.events],
        }

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """Points of the archive's curves."""
        return (
            *(Reading("income", hue, str(paid)) for hue, paid in self.incomes.items()),
            *(Reading("score", hue, score) for hue, score in self.score.items()),
        )

    @cached_property
    def legend(self) -> tuple[Item, ...]:
        """The map's legend in words."""
        hues = [
            Item(words(seat_name(hue), f", income {self.incomes[hue]}"), icon=token(hue, WIZARD))
            for hue in self.state.wizards
        ]
        return (
            *hues,
            Item(words("solid arrow: walked; dotted: flew")),
            Item(words("star: new by cast")),
            Item(words("dashes and cross: cast failed")),
            Item(words("swords: a fight; struck out: killed")),
            Item(words("dots and rubble: earth destroyed")),
            Item(words("stripes: disputed ground")),
        )

    @cached_property
    def headline(self) -> Words:
        """The news in a line."""
        if self.state.over:
            return winners(self.state)
        if not self.turn.number:
            return words("The contest begins: ", _play_order(self.state.order_of_play))
        killed = [
            words(whose(event.hue), f" {event.piece} at {event.hex}")
            for event in self.turn.events
            if isinstance(event, e.PieceKilled)
        ]
        destroyed = [
            words(whose(event.owner), f" {event.earth} {place_name(event.hexes)}")
            for event in self.turn.events
            if isinstance(event, e.DestructionAttempted) and event.success
        ]
        out = [
            words(seat_name(event.hue, title(event.hue)), " is out of the contest.")
            for event in self.turn.events
            if isinstance(event, e.WizardEliminated)
        ]
        parts = [*out]
        if killed:
            parts.append(words("Killed: ", joined(killed, ", "), "."))
        if destroyed:
            parts.append(words("Destroyed: ", joined(destroyed, ", "), "."))
        return _spaced(parts or [self._quiet_headline()])

    def _quiet_headline(self) -> Words:
        cast = [event for event in self.turn.events if isinstance(event, e.SpellCast) and event.success]
        earths = sum(len(event.hexes) == 2 for event in cast)
        animates = len(cast) - earths
        made = [count(number, what) for number, what in ((earths, "earth"), (animates, "animate")) if number]
        if not made:
            return words("A quiet round: nothing was cast, killed or destroyed.")
        return words(f"{' and '.join(made)} cast, and nobody killed.")

    def order_of_play(self, reader: str) -> tuple[ItemList, ...]:
        """Who plays when in the round to come; nothing once the contest is over."""
        if self.state.over:
            return ()
        items = tuple(
            Item(
                words(seat_name(hue), " (you)" if hue == reader else ""),
                icon=token(hue, WIZARD),
                mark=hue == reader,
            )
            for hue in self.state.order_of_play
        )
        return (ItemList(f"Order of play in round {self.state.round}", items, "chain"),)

    @cached_property
    def standings(self) -> Table:
        """Who stands how, the highest score first."""
        ranked = sorted(
            self.state.wizards, key=lambda hue: (-Fraction(self.score[hue]), self.state.wizards[hue].seat)
        )
        best = max(Fraction(score) for score in self.score.values()) or 1
        plays = {hue: str(place) for place, hue in enumerate(self.state.order_of_play, start=1)}
        before = {hue: income(self.turn.told, hue, held) for hue, held in self.held_before.items()}
        over = self.state.over
        rows = tuple(
            Row(
                (
                    words(
                        seat_name(hue),
                        _standing_note(self.state.wizards[hue]),
                    ),
                    words(strong(fraction(self.score[hue]))),
                    *(() if over else (words(plays.get(hue, "\N{EN DASH}")),)),
                    words(str(self.state.wizards[hue].reserve)),
                    words(
                        str(self.incomes[hue]),
                        Span(f" {_change(self.incomes[hue] - before[hue])}", "muted"),
                    ),
                    words(str(len(self.held[hue].undisputed))),
                    words(", ".join(map(self.state.board.label, self.held[hue].disputed)) or "\N{EN DASH}"),
                    words(str(len(self.state.wizards[hue].earths))),
                    words(str(len(self.state.wizards[hue].pieces))),
                ),
                token(hue, WIZARD),
                hue,
                int(Fraction(self.score[hue]) * 1000 // best),
            )
            for hue in ranked
        )
        columns = (
            Column("Wizard"),
            Column("Final score" if over else "Score if it ended now", numeric=True),
            *(() if over else (Column("Plays", numeric=True),)),
            Column("Reserve", numeric=True),
            Column("Income, change", numeric=True),
            Column("Globes", numeric=True),
            Column("Disputed"),
            Column("Earths", numeric=True),
            Column("Animates", numeric=True),
        )
        note = words("The score counts the own corner, undisputed globes and equal shares of disputed ones.")
        return Table("Final standings" if over else "Standings", columns, rows, note, bar_column=1)

    @cached_property
    def in_words(self) -> tuple[Table, ...]:
        """The map in words: what each has, and the globes that nobody owns alone."""
        label = self.state.board.label
        rows = tuple(
            Row(
                (
                    words(seat_name(hue)),
                    _listed([(name, label(place)) for name, place in wizard.standing()]),
                    _listed(
                        [
                            (earth.earth, place_name([label(place) for place in earth.hexes]))
                            for earth in wizard.earths
                        ]
                    ),
                    _globes(self.state, self.held[hue].undisputed),
                    words(", ".join(map(label, self.held[hue].disputed)) or "none"),
                ),
                token(hue, WIZARD),
                hue,
            )
            for hue, wizard in self.state.wizards.items()
        )
        columns = ("Wizard", "Pieces", "Earths", "Globes and value", "Disputed")
        return (
            Table("The map in words", tuple(map(Column, columns)), rows),
            *self._ground(),
        )

    def _ground(self) -> Iterator[Table]:
        """What belongs to nobody alone: disputed and free globes, lakes and rivers."""
        board, label = self.state.board, self.state.board.label
        free = {place: board.values[place] for place, hues in self.claims.items() if not hues}
        shared = [
            words(
                strong(label(place)),
                f" {board.values[place]} (",
                joined([seat_name(hue) for hue in hues]),
                ")",
            )
            for place, hues in self.claims.items()
            if len(hues) > 1
        ]
        rows = (
            ("Disputed globes", joined(shared, ", ") or words("none")),
            ("Free globes", _globes(self.state, free)),
            ("Lakes", words(", ".join(map(label, sorted(board.lakes))) or "none")),
            (
                "Rivers between",
                words(
                    ", ".join(f"{label(one)}-{label(other)}" for one, other in sorted(board.rivers)) or "none"
                ),
            ),
        )
        yield Table(
            "The ground",
            (Column("What"), Column("Where")),
            tuple(Row((words(what), where)) for what, where in rows),
        )


def _spaced(parts: Sequence[Words]) -> Words:
    spans: list[Span] = []
    for part in parts:
        if spans:
            spans.append(Span(" "))
        spans.extend(part)
    return tuple(spans)


def _play_order(order: Sequence[str]) -> Words:
    if not order:
        return words("nobody plays.")
    rest = joined([seat_name(hue) for hue in order[1:]])
    return words(seat_name(order[0]), " plays first", *((", then ", rest) if rest else ()), ".")


def _change(by: int) -> str:
    if not by:
        return "\N{PLUS-MINUS SIGN}0"
    return f"+{by}" if by > 0 else f"\N{MINUS SIGN}{-by}"


def _standing_note(wizard: Wizard) -> Span:
    if wizard.eliminated:
        return Span(", eliminated", "muted")
    return Span(", killed: returns on his corner", "muted") if wizard.at is None else Span("")


def _listed(things: Iterable[tuple[str, str]]) -> Words:
    return joined([words(f"{name} ", strong(where)) for name, where in things], ", ") or words("none")


def _globes(state: State, globes: Mapping[Hex, int]) -> Words:
    listed = [words(strong(state.board.label(place)), f" {value}") for place, value in globes.items()]
    return joined(listed, ", ") or words("none")


class _Own:
    """What only this seat's report says: his next turn, what changed for him, his template."""

    def __init__(self, shared: _Shared, wizard: Wizard) -> None:
        self._shared = shared
        self._state = shared.state
        self._wizard = wizard
        self._hue = wizard.hue
        self._label = shared.state.board.label

    def figures(self) -> tuple[Figure, ...]:
        """Reserve, income and place in the order of play."""
        income_now = self._shared.incomes[self._hue]
        if self._state.over:
            return (
                Figure(fraction(self._shared.score[self._hue]), "your final score"),
                Figure(str(self._wizard.reserve), "flux left over, which does not count"),
            )
        if self._wizard.eliminated:
            return (Figure("out", "you were eliminated"),)
        order = self._state.order_of_play
        return (
            Figure(str(self._wizard.reserve), "flux in reserve"),
            Figure(str(income_now), "income, already claimed"),
            Figure(nth(order.index(self._hue) + 1), f"of {len(order)} in round {self._state.round}"),
        )

    def next_turn(self) -> tuple[ItemList, ...]:
        """All that the next orders need."""
        if self._state.over:
            return ()
        if self._wizard.eliminated:
            return self._shared.order_of_play(self._hue)
        return (
            *self._shared.order_of_play(self._hue),
            self._income(),
            ItemList("What you have, and where", tuple(self._have())),
            ItemList("Counters left to cast", tuple(self._stock()), "two"),
        )

    def _income(self) -> ItemList:
        held = self._shared.held[self._hue]
        corner = self._state.rules.contest.corner
        items = (
            Item(
                words(f"corner {self._label(self._wizard.corner)} ", strong(corner)),
                icon=Icon(f"tok-globe-{corner}-{self._hue}"),
            ),
            *(
                Item(
                    words(f"{self._label(place)} ", strong(value)),
                    icon=Icon(f"tok-globe-{value}-{self._hue}"),
                )
                for place, value in held.undisputed.items()
            ),
        )
        disputed = [
            words(
                strong(self._label(place)),
                f" (worth {self._state.board.values[place]}) with ",
                joined([seat_name(hue) for hue in self._shared.claims[place] if hue != self._hue]),
            )
            for place in held.disputed
        ]
        note = words("Disputed, so paying nobody: ", joined(disputed, ", "), ".") if disputed else ()
        return ItemList(f"Your income of {self._shared.incomes[self._hue]}", items, "row", note)

    def _have(self) -> Iterator[Item]:
        rules = self._state.rules
        if self._wizard.at is None:
            corner = self._label(self._wizard.corner)
            yield Item(
                words(strong("wizard"), f" off the board: he returns on {corner} when your turn begins"),
                icon=token(self._hue, WIZARD),
            )
        for name, place in self._wizard.standing():
            destroys = [] if name == WIZARD else [f"{k} {v}" for k, v in rules.animate(name).destroys.items()]
            verb = "flies" if rules.flies(name) else "moves"
            note = f"{verb} {rules.move(name)}, combat {rules.combat(name)}"
            if destroys:
                note += f", destroys {', '.join(destroys)}"
            yield Item(
                words(strong(name), " at ", strong(self._label(place)), " ", self._stands_on(place)),
                words(note),
                token(self._hue, name),
            )
        for earth in self._wizard.earths:
            where = place_name([self._label(place) for place in earth.hexes])
            yield Item(words(strong(earth.earth), " at ", strong(where)), icon=token(self._hue, earth.earth))

    def _stands_on(self, place: Hex) -> Words:
        enemies = [
            words(whose(piece.hue), f" {piece.name}") for piece in self._state.enemies_at(self._hue, place)
        ]
        beside = words(", with ", joined(enemies)) if enemies else ()
        found = self._state.earths.get(place)
        if found:
            owner, earth = found
            return words("on ", "your own" if owner == self._hue else whose(owner), f" {earth.earth}", beside)
        if place == self._wizard.corner:
            return words("on your corner", beside)
        if place in self._state.board.lakes:
            return words("over a lake", beside)
        if self._state.board.holds_globe(place):
            return words("on a globe", beside)
        return words("on the open plain", beside)

    def _stock(self) -> Iterator[Item]:
        rules = self._state.rules
        stock = self._state.stock(self._hue)
        for name, row in rules.earths.items():
            if stock[name]:
                left = f" {stock[name]} of {row.counters}, costs {row.cost}"
                yield Item(words(strong(name), left), icon=token(self._hue, name))
        for piece in rules.pieces():
            if stock[piece]:
                yield Item(
                    words(strong(piece), f" costs {rules.animate(piece).cost}"), icon=token(self._hue, piece)
                )

    # What changed since the last report

    def changed(self) -> Iterator[Item]:
        """Earths, pieces and globes won and lost, and who has come near (F5.7, F8.3)."""
        yield from self._killed()
        yield from self._earths_changed()
        yield from self._pieces_changed()
        yield from self._globes_changed()
        yield from self._near_wizard()

    def _killed(self) -> Iterator[Item]:
        for event in self._shared.turn.events:
            if isinstance(event, e.CombatFought):
                lost = loser(event)
                if lost.hue == self._hue:
                    yield Item(
                        words(f"Lost: {lost.piece} at {event.hex}, killed by ", self._other(event)),
                        icon=token(self._hue, lost.piece),
                    )
                elif event.winner == self._hue:
                    yield Item(
                        words("Killed: ", whose(lost.hue), f" {lost.piece} at {event.hex}"),
                        icon=token(lost.hue, lost.piece),
                    )
            elif isinstance(event, e.WizardReturned) and event.hue == self._hue:
                yield Item(
                    words(f"Your wizard was set on his corner {event.hex}."), icon=token(self._hue, WIZARD)
                )

    @staticmethod
    def _other(event: e.CombatFought) -> Words:
        won = event.attacker if event.winner == event.attacker.hue else event.defender
        return words(whose(won.hue), f" {won.piece}")

    def _earths_changed(self) -> Iterator[Item]:
        before = self._shared.turn.told.wizards[self._hue].earths
        now = self._wizard.earths
        destroyers = {
            event.hexes: event
            for event in self._shared.turn.events
            if isinstance(event, e.DestructionAttempted) and event.success
        }
        for earth in before:
            if earth not in now:
                labels = tuple(self._label(place) for place in earth.hexes)
                event = destroyers.get(labels)
                by = () if event is None else words(", destroyed by ", whose(event.hue), f" {event.piece}")
                if event is not None and event.hue == self._hue:
                    by = words(f", destroyed by your own {event.piece}")
                yield Item(
                    words(f"Lost: {earth.earth} at {place_name(labels)}", by),
                    icon=token(self._hue, earth.earth),
                )
        for earth in now:
            if earth not in before:
                where = place_name([self._label(place) for place in earth.hexes])
                yield Item(words(f"New: {earth.earth} at {where}"), icon=token(self._hue, earth.earth))

    def _pieces_changed(self) -> Iterator[Item]:
        """Those that are new, and those that went without a fight: with their wizard, or by a ruling."""
        before = self._shared.turn.told.wizards[self._hue].pieces
        fights = (event for event in self._shared.turn.events if isinstance(event, e.CombatFought))
        killed = {lost.piece for lost in map(loser, fights) if lost.hue == self._hue}
        for name, place in before.items():
            if name not in self._wizard.pieces and name not in killed:
                yield Item(words(f"Lost: {name} at {self._label(place)}"), icon=token(self._hue, name))
        for name, place in self._wizard.pieces.items():
            if name not in before or name in killed:
                yield Item(words(f"New: {name} at {self._label(place)}"), icon=token(self._hue, name))

    def _globes_changed(self) -> Iterator[Item]:
        before, now = self._shared.held_before[self._hue], self._shared.held[self._hue]
        for place, value in self._state.board.globes:
            had, has = place in before.undisputed, place in now.undisputed
            shared = place in now.disputed
            where = f"globe {self._label(place)}, worth {value}"
            others = joined([seat_name(hue) for hue in self._shared.claims[place] if hue != self._hue])
            icon = Icon(f"tok-globe-{value}")
            if has and not had:
                yield Item(words(f"Won: {where}"), icon=icon)
            elif shared and place not in before.disputed:
                yield Item(words(f"Disputed now: {where}, with ", others), icon=icon)
            elif not has and not shared and (had or place in before.disputed):
                gone = words(", now ", others or "nobody", "\N{RIGHT SINGLE QUOTATION MARK}s")
                yield Item(words(f"Lost: {where}", gone), icon=icon)

    def _near_wizard(self) -> Iterator[Item]:
        here = self._wizard.at
        if here is None:
            return
        before = self._shared.turn.told
        for other in self._state.wizards.values():
            if other.hue == self._hue:
                continue
            stood = dict(before.wizards[other.hue].standing())
            for name, place in other.standing():
                distance = here - place
                if stood.get(name) == place or distance > self._state.rules.move(name):
                    continue
                away = f"{count(distance, 'hex', 'hexes')} away" if distance else "on his own hex"
                yield Item(
                    words(
                        "Near your wizard: ",
                        whose(other.hue),
                        f" {name} at {self._label(place)}, {away}, within one move",
                    ),
                    icon=token(other.hue, name),
                )

    def template(self) -> Iterator[str]:
        """Comments that show the grammar with orders that this position allows now."""
        if self._state.over or self._wizard.eliminated:
            return
        order = self._state.order_of_play
        place = order.index(self._hue) + 1
        earlier = joined([Span(hue) for hue in order[: place - 1]])
        when = f"after {plain_text(earlier)}" if earlier else "before all others"
        yield f"# reserve {self._wizard.reserve}; you play {nth(place)} of {len(order)}, {when}"
        yield "# " + "   ".join(
            f"{name} {self._label(where)}" for name, where in at_turn(self._wizard).standing()
        )
        yield "# one order a line; these would be allowed as things stand:"
        yield from (f"#   {line}" for line in examples(self._state, self._hue))
