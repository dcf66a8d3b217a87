"""Events into words: the round as it happened, and what became of every order line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeAlias

from pbem.events import Throw
from pbem.rulesets import Turn
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.orders import Cast, Condition, Hold, Order, Phase, line_phase
from pbem.rulesets.flux.playback import Course
from pbem.rulesets.flux.state import State
from pbem.rulesets.model import (
    Chapter,
    Icon,
    Odds,
    OrderReport,
    Outcome,
    SeatReport,
    Span,
    Told,
    Verdict,
    Words,
    code,
    joined,
    seat_name,
    strong,
    words,
)
from pbem.sheet import OrderLine, SeatOrders

FluxTurn: TypeAlias = Turn[State, e.FluxEvent, Order, Condition]
Line: TypeAlias = OrderLine[Order, Condition]
LineEvent: TypeAlias = e.PieceMoved | e.SpellCast | e.DestructionAttempted | e.OrderRefused | e.OrderSkipped

PHASES = {Phase.MOVE: "Moves", Phase.CAST: "Casts", Phase.DESTROY: "Destroys"}
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth")
_QUOTED = re.compile(r"`([^`]*)`")


def nth(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th`."""
    last = number % 10 if number % 100 // 10 != 1 else 0
    return f"{number}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def nth_word(number: int) -> str:
    """`first` to `sixth`, for places in the order of play."""
    return _NTH[number - 1] if number <= len(_NTH) else nth(number)


def count(number: int, one: str, many: str = "") -> str:
    """`1 hex`, `2 hexes`: `many` where an s is not enough."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def title(text: str) -> str:
    """With a capital at its beginning and the rest as it is."""
    return text[:1].upper() + text[1:]


def place_name(labels: Sequence[str]) -> str:
    """`K9-L8`: the hexes of a spell or an earth."""
    return "-".join(labels)


def whose(hue: str) -> Span:
    """`amber's`, in its colour."""
    return seat_name(hue, f"{hue}\N{RIGHT SINGLE QUOTATION MARK}s")


def quoted(text: str) -> Words:
    """A sentence in which back quotes mark what a player typed or may type."""
    parts = _QUOTED.split(text)
    parts[::2] = [part.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") for part in parts[::2]]
    return tuple(code(part) if index % 2 else Span(part) for index, part in enumerate(parts) if part)


def sentence(reason: str) -> Words:
    """A reason as a sentence of its own."""
    return quoted(title(_full_stop(reason)))


def _full_stop(reason: str) -> str:
    return reason if reason.endswith((".", "?", "!")) else reason + "."


def about_him(event: e.OrderRefused | e.OrderSkipped) -> str:
    """A reason as others read it: the rules speak to the player."""
    if "F9.2" in event.rules:
        return event.reason
    return event.reason.replace("you keep", "he keeps").replace("your ", "his ")


def token(hue: str, name: str) -> Icon:
    """The little picture of a counter."""
    return Icon(f"tok-{hue}-{name.replace(' ', '-')}")


def minus(number: int) -> str:
    """A price as the reports write it."""
    return f"\N{MINUS SIGN}{number}"


def fight_sum(event: e.CombatFought) -> str:
    """The arithmetic of a fight, attacker first, ties included."""
    mine, other = event.attacker.rating, event.defender.rating
    return ", again ".join(
        f"{a} + {mine} = {a + mine} against {d} + {other} = {d + other}" for a, d in event.throws
    )


def loser(event: e.CombatFought) -> e.Fighter:
    """Who was killed."""
    return event.defender if event.winner == event.attacker.hue else event.attacker


# The round as it happened -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WizardPart:
    """One wizard's turn within the round."""

    hue: str
    events: tuple[e.FluxEvent, ...]


def wizard_parts(events: Iterable[e.FluxEvent]) -> tuple[tuple[WizardPart, ...], tuple[e.FluxEvent, ...]]:
    """The wizards' turns in the order played, and what came after the last of them."""
    parts: list[WizardPart] = []
    current: list[e.FluxEvent] = []
    after: list[e.FluxEvent] = []
    hue = ""

    def close() -> None:
        if hue:
            parts.append(WizardPart(hue, tuple(current)))
            current.clear()

    for event in events:
        if isinstance(event, e.WizardTurnBegan):
            close()
            hue = event.hue
        elif after or isinstance(event, e.RoundOpened | e.ContestEnded):
            after.append(event)
        else:
            current.append(event)
    close()
    return tuple(parts), tuple(after)


def chapters(turn: FluxTurn, course: Course) -> tuple[Chapter, ...]:
    """The turn as it happened: a chapter for each wizard, then the new round or the end."""
    parts, after = wizard_parts(turn.events)
    told = [_wizard_chapter(turn, part, place, course) for place, part in enumerate(parts, start=1)]
    if any(isinstance(event, e.ContestEnded) for event in after):
        return (*told, _end_chapter(turn, after))
    return (*told, _opening_chapter(turn, after)) if after else tuple(told)


def _wizard_chapter(turn: FluxTurn, part: WizardPart, place: int, course: Course) -> Chapter:
    before = turn.before.wizards[part.hue].reserve
    casts = [event for event in part.events if isinstance(event, e.SpellCast)]
    left = casts[-1].reserve if casts else before
    reserve = f"reserve {before} \N{RIGHTWARDS ARROW} {left}" if casts else f"reserve {before}"
    phases = _line_phases(turn.orders.get(part.hue))
    told = list(_labelled(_tell_wizard(turn, part, phases, course)))
    if not told:
        told = [Told(words("He stands still."))]
    return Chapter(
        words(seat_name(part.hue, title(part.hue))),
        tuple(told),
        part.hue,
        token(part.hue, WIZARD),
        words(f"played {nth_word(place)} \N{MIDDLE DOT} {reserve}"),
    )


def _line_phases(orders: SeatOrders[Order, Condition] | None) -> dict[int, str]:
    if orders is None:
        return {}
    return {line.number: PHASES[line_phase(line)] for line in orders.lines}


def _labelled(rows: Iterable[Told]) -> Iterator[Told]:
    """The rows with each label where it changes only."""
    shown = ""
    for row in rows:
        if row.label == shown:
            yield row._replace(label="")
        else:
            shown = row.label
            yield row


def _tell_wizard(turn: FluxTurn, part: WizardPart, phases: dict[int, str], course: Course) -> Iterator[Told]:
    """A row for each thing that happened, with what it did to the map."""
    events = list(part.events)
    untold: list[e.FluxEvent] = []
    while events:
        rest = list(events)
        row = _next_row(turn, events, phases)
        untold += rest[: len(rest) - len(events)]
        if row is not None:
            yield row._replace(changes=course.of(untold))
            untold.clear()


def _next_row(turn: FluxTurn, events: list[e.FluxEvent], phases: dict[int, str]) -> Told | None:
    """The next row, its events taken off; None where one is not told by itself."""
    event = events.pop(0)
    match event:
        case e.SpellCast():
            tries = [event, *_same_spell(event, events)]
            del events[: len(tries) - 1]
            return _told_cast(turn, tries)
        case e.CombatFought():
            if events and isinstance(events[0], e.PieceKilled):
                events.pop(0)
            return _told_fight(event)
        case e.PieceMoved():
            return Told(_moved(turn.after, event), "Moves", rules=event.rules)
        case e.DestructionAttempted():
            return _told_destroy(turn, event)
        case e.OrderRefused() | e.OrderSkipped():
            return _told_idle(event, phases.get(event.line, "Orders"))
        case e.WizardReturned():
            return Told(_returned(event), "Start", rules=event.rules)
        case e.PieceKilled():
            said = (
                whose(event.hue),
                f" {event.piece} at {event.hex} is killed by ",
                seat_name(event.by),
                ".",
            )
            return Told(words(*said), "Combat", rules=event.rules)
        case e.WizardEliminated():
            return Told(_eliminated(event), "Combat", rules=event.rules)
        case _:
            return None


def _same_spell(first: e.SpellCast, events: Sequence[e.FluxEvent]) -> list[e.SpellCast]:
    """The attempts that go on with the one before: same line, same place, not yet cast."""
    more: list[e.SpellCast] = []
    last = first
    for event in events:
        if last.success or not isinstance(event, e.SpellCast):
            break
        if (event.line, event.spell, event.hexes) != (first.line, first.spell, first.hexes):
            break
        more.append(event)
        last = event
    return more


def _told_cast(turn: FluxTurn, tries: Sequence[e.SpellCast]) -> Told:
    last = tries[-1]
    word = f"Cast at the {nth(len(tries))} try" if len(tries) > 1 else "Cast"
    failed = "Failed" if len(tries) == 1 else f"Failed {len(tries)} times"
    return Told(
        words(
            strong(title(last.spell)),
            f" at {place_name(last.hexes)}, {count(last.distance, 'hex', 'hexes')} away.",
        ),
        "Casts",
        "done" if last.success else "failed",
        word if last.success else failed,
        rules=last.rules,
        odds=_odds(turn, tries),
    )


def _told_idle(event: e.OrderRefused | e.OrderSkipped, phase: str) -> Told:
    """An order that was not carried out, as written, and why."""
    verdict: Verdict = "skipped"
    if isinstance(event, e.OrderRefused):
        verdict = "unread" if "F9.2" in event.rules else "refused"
    word = {"skipped": "Skipped", "unread": "Not read", "refused": "Refused"}[verdict]
    said = words(code(event.text), ": ", quoted(_full_stop(about_him(event))))
    return Told(said, phase, verdict, word, rules=event.rules)


def _told_fight(event: e.CombatFought) -> Told:
    killed = loser(event)
    return Told(
        words(
            f"At {event.hex} ",
            whose(event.attacker.hue),
            f" {event.attacker.piece} fights ",
            whose(event.defender.hue),
            f" {event.defender.piece}; ",
            whose(killed.hue),
            f" {killed.piece} is killed.",
        ),
        "Combat",
        calc=fight_sum(event),
        rules=event.rules,
        dice=event.dice,
    )


def _odds(turn: FluxTurn, tries: Iterable[e.SpellCast]) -> tuple[Odds, ...]:
    """Every attempt's throw, what it cost and what it left."""
    return tuple(
        Odds(
            turn.before.rules.contest.die,
            event.chance,
            event.throw,
            event.success,
            words(f"{minus(event.cost)} flux, {event.reserve} left"),
            event.dice,
        )
        for event in tries
    )


def _destroy_odds(turn: FluxTurn, event: e.DestructionAttempted) -> Odds:
    die = turn.before.rules.contest.die
    return Odds(die, event.chance, event.throw, event.success, words("free of flux"), event.dice)


def _told_destroy(turn: FluxTurn, event: e.DestructionAttempted) -> Told:
    owner = "his own" if event.owner == event.hue else whose(event.owner)
    ends = "it is destroyed." if event.success else "it stands."
    return Told(
        words(f"{title(event.piece)} against ", owner, f" {event.earth} {place_name(event.hexes)}: {ends}"),
        "Destroys",
        "done" if event.success else "failed",
        "Destroyed" if event.success else "Failed",
        rules=event.rules,
        odds=(_destroy_odds(turn, event),),
    )


def _moved(state: State, event: e.PieceMoved) -> Words:
    verb = " flies " if state.rules.flies(event.piece) else " "
    by = f" by {' '.join(event.path[1:-1])}" if len(event.path) > 2 else ""
    return words(
        f"{title(event.piece)}{verb}{event.path[0]} \N{RIGHTWARDS ARROW} ",
        strong(event.path[-1]),
        Span(by, "muted"),
    )


def _returned(event: e.WizardReturned) -> Words:
    made_room = f" His {event.withdrawn} there goes back to stock." if event.withdrawn else ""
    return words(f"The wizard, killed before, is set on his corner {event.hex}.{made_room}")


def _eliminated(event: e.WizardEliminated) -> Words:
    return words(
        seat_name(event.hue, title(event.hue)),
        " is out of the contest, and all that was his leaves the board.",
    )


def _opening_chapter(turn: FluxTurn, events: Sequence[e.FluxEvent]) -> Chapter:
    rows: list[Told] = []
    number = turn.after.round
    for event in events:
        match event:
            case e.RoundOpened():
                number = event.round
            case e.FluxClaimed():
                rows.append(Told(_claimed(event), "Claims", rules=event.rules))
            case e.InitiativeThrown():
                rows.append(Told(_initiative(event), "Throws", rules=event.rules, dice=event.dice))
            case _:
                pass
    return Chapter(
        words(f"Round {number} opens"),
        tuple(_labelled(rows)),
        lead=words("flux is claimed, then all throw the decapod"),
    )


def _claimed(event: e.FluxClaimed) -> Words:
    globes = [f"{label} {value}" for label, value in event.globes.items()]
    total = event.corner + sum(event.globes.values())
    nothing = (
        Span(f"; nothing from {', '.join(event.disputed)}, disputed", "muted") if event.disputed else Span("")
    )
    return words(
        seat_name(event.hue),
        " claims ",
        strong(total),
        f": {', '.join([f'corner {event.corner}', *globes])}",
        nothing,
        f". Reserve {event.reserve}.",
    )


def _initiative(event: e.InitiativeThrown) -> Words:
    parts: list[Span | str] = []
    for index, throws in enumerate(event.throws):
        parts.append("; again " if index else "")
        parts.extend(joined([words(seat_name(hue), f" {value}") for hue, value in throws.items()], ", "))
    if len(event.order) == 1:
        return words(*parts, ". ", seat_name(event.order[0]), " plays alone.")
    rest = joined([seat_name(hue) for hue in event.order[1:]])
    return words(*parts, ". ", seat_name(event.order[0]), " plays first, then ", rest, ".")


def _end_chapter(turn: FluxTurn, events: Sequence[e.FluxEvent]) -> Chapter:
    rows = [
        Told(winners(turn.after), "The end", rules=event.rules)
        for event in events
        if isinstance(event, e.ContestEnded)
    ]
    scores = joined(
        [words(seat_name(hue), f" {fraction(score)}") for hue, score in turn.after.scores.items()]
    )
    rows.append(Told(words("Final scores: ", scores, "."), "Scores"))
    return Chapter(words("The contest ends"), tuple(rows))


def fraction(score: str) -> str:
    """`20 1/2` for `41/2`, a whole number as it is."""
    top, _, bottom = score.partition("/")
    if not bottom:
        return score
    whole, rest = divmod(int(top), int(bottom))
    return f"{whole} {rest}/{bottom}" if whole else score


def winners(state: State) -> Words:
    """Who is the Loremaster, and with what score (F8.4)."""
    names = joined([seat_name(hue) for hue in state.loremasters])
    score = fraction(state.scores[state.loremasters[0]]) if state.loremasters else "0"
    if len(state.loremasters) == 1:
        return words(names, f" is the Loremaster with a score of {score}.")
    return words(names, f" share the title of Loremaster, each with a score of {score}.")


# What became of the orders ----------------------------------------------------------------------


def seat_report(turn: FluxTurn, hue: str, reader: str) -> SeatReport:
    """Every line of a seat in file order, with the outcome of each side reached (F9.3)."""
    orders = turn.orders.get(hue, SeatOrders())
    parts, _ = wizard_parts(turn.events)
    part = next((part for part in parts if part.hue == hue), None)
    teller = _Outcomes(turn, hue, part, "your" if reader == hue else "his")
    rows = [OrderReport(line.number, line.text, tuple(teller.line(line))) for line in orders.lines]
    rows.extend(
        OrderReport(
            problem.line,
            problem.text,
            (Outcome("unread", "Not read", sentence(problem.message), rules=("F9.2",)),),
        )
        for problem in orders.problems
    )
    return SeatReport(hue, tuple(sorted(rows, key=lambda row: row.line)))


class _Outcomes:
    """Finds in one wizard's turn what became of each side of his lines."""

    def __init__(self, turn: FluxTurn, hue: str, part: WizardPart | None, his: str) -> None:
        self._turn = turn
        self._rules = turn.before.rules
        self._his = his
        events = part.events if part is not None else ()
        self._fights = [event for event in events if isinstance(event, e.CombatFought)]
        self._by_line: dict[int, list[LineEvent]] = {}
        for event in events:
            if isinstance(event, LineEvent):
                self._by_line.setdefault(event.line, []).append(event)
        self._out = turn.after.wizards[hue].eliminated
        self._played = part is not None

    def line(self, line: Line) -> Iterator[Outcome]:
        """The outcomes of its sides in order, as far as they were reached."""
        events = list(self._by_line.get(line.number, ()))
        for index, side in enumerate(line.sides):
            if not (events or (self._played and isinstance(side.order, Hold))):
                yield self._not_reached()
                return
            if isinstance(side.order, Hold) and not self._skipped_here(events):
                yield Outcome("held", "Held", words("Nothing done, as ordered."), rules=("F9.5",))
                succeeded = True
            else:
                taken = self._take(side.order, events)
                del events[: len(taken)]
                outcome = self._outcome(taken, index)
                succeeded = outcome.verdict == "done"
                yield outcome
            if succeeded:
                break
        yield from (self._outcome([event], 1) for event in events)

    @staticmethod
    def _skipped_here(events: Sequence[LineEvent]) -> bool:
        return bool(events) and isinstance(events[0], e.OrderSkipped) and "F9.4" in events[0].rules

    def _take(self, order: Order, events: Sequence[LineEvent]) -> list[LineEvent]:
        """The events of the side that comes next: one, or all its attempts at a spell (F5.6)."""
        first = events[0]
        if not (isinstance(first, e.SpellCast) and isinstance(order, Cast)):
            return [first]
        tries = list(takewhile(lambda event: isinstance(event, e.SpellCast), events))[: order.times or 1]
        taken: list[LineEvent] = []
        for event in tries:
            taken.append(event)
            assert isinstance(event, e.SpellCast)
            if event.success or event.reserve - event.cost < (order.keep or 0):
                break
        return taken

    def _not_reached(self) -> Outcome:
        end = "He was eliminated" if self._out else "The contest ended"
        return Outcome("skipped", "Not reached", words(f"{end} before its moment came."))

    def _outcome(self, events: Sequence[LineEvent], index: int) -> Outcome:
        first = events[0]
        match first:
            case e.PieceMoved():
                return self._move(first, index)
            case e.SpellCast():
                return self._cast([event for event in events if isinstance(event, e.SpellCast)], index)
            case e.DestructionAttempted():
                return self._destroy(first, index)
            case e.OrderRefused():
                reason = first.reason if self._his == "your" else about_him(first)
                return Outcome("refused", "Refused", sentence(reason), rules=first.rules)
            case e.OrderSkipped() if "F9.3" in first.rules:
                return Outcome("skipped", "Not needed", sentence(first.reason), rules=first.rules)
            case e.OrderSkipped():
                reason = first.reason if self._his == "your" else about_him(first)
                return Outcome("skipped", "Skipped", sentence(reason), rules=first.rules)

    def _move(self, event: e.PieceMoved, index: int) -> Outcome:
        steps = len(event.path) - 1
        text = words(
            _moved(self._turn.before, event),
            f": {count(steps, 'hex', 'hexes')} of {self._rules.move(event.piece)}.",
            self._fight(event.hue, event.piece, event.path[-1]),
        )
        rules = tuple(
            dict.fromkeys((*event.rules, *self._fight_rules(event.hue, event.piece, event.path[-1])))
        )
        dice = self._fight_dice(event.hue, event.piece, event.path[-1])
        return Outcome("done", "Done by the else" if index else "Done", text, rules=rules, dice=dice)

    def _cast(self, tries: Sequence[e.SpellCast], index: int) -> Outcome:
        last = tries[-1]
        by_else = " by the else" if index else ""
        done = f"Cast at the {nth(len(tries))} try" if len(tries) > 1 and not index else f"Cast{by_else}"
        odds = _odds(self._turn, tries)
        fights = len(last.hexes) == 1 and last.success
        text = words(
            f"{title(last.spell)} at {place_name(last.hexes)}, ",
            f"{count(last.distance, 'hex', 'hexes')} from {self._his} wizard.",
            self._fight(last.hue, last.spell, last.hexes[0]) if fights else (),
        )
        more = self._fight_rules(last.hue, last.spell, last.hexes[0]) if fights else ()
        rules = tuple(dict.fromkeys((*last.rules, *more)))
        thrown = self._fight_dice(last.hue, last.spell, last.hexes[0]) if fights else ()
        return Outcome(
            "done" if last.success else "failed",
            done if last.success else "Failed",
            text,
            odds,
            rules,
            thrown,
        )

    def _destroy(self, event: e.DestructionAttempted, index: int) -> Outcome:
        owner = f"{self._his} own" if event.owner == event.hue else whose(event.owner)
        end = (
            f"The {event.earth} is gone, the {event.piece} stays."
            if event.success
            else f"The {event.earth} stands, and so does the {event.piece}."
        )
        text = words(
            f"{title(event.piece)} against ", owner, f" {event.earth} {place_name(event.hexes)}. {end}"
        )
        odds = _destroy_odds(self._turn, event)
        label = "Destroyed" + (" by the else" if index else "")
        return Outcome(
            "done" if event.success else "failed",
            label if event.success else "Failed",
            text,
            (odds,),
            event.rules,
        )

    def _fights_of(self, hue: str, piece: str, place: str) -> list[e.CombatFought]:
        return [
            fight
            for fight in self._fights
            if fight.hex == place and (fight.attacker.hue, fight.attacker.piece) == (hue, piece)
        ]

    def _fight_rules(self, hue: str, piece: str, place: str) -> tuple[str, ...]:
        return tuple(rule for fight in self._fights_of(hue, piece, place) for rule in fight.rules)

    def _fight_dice(self, hue: str, piece: str, place: str) -> tuple[Throw, ...]:
        return tuple(throw for fight in self._fights_of(hue, piece, place) for throw in fight.dice)

    def _fight(self, hue: str, piece: str, place: str) -> Words:
        """What the fights there came to, after the sentence that brought the piece there (F6.1)."""
        said: list[Span | str | Words] = []
        for fight in self._fights_of(hue, piece, place):
            killed = loser(fight)
            a, d = fight.throws[-1]
            mine, other = fight.attacker.rating, fight.defender.rating
            lost = Span(self._his) if killed.hue == hue else whose(killed.hue)
            said.append(
                words(
                    f" Combat: {fight.attacker.piece} {a} + {mine} = {a + mine} against ",
                    whose(fight.defender.hue),
                    f" {fight.defender.piece} {d} + {other} = {d + other}; ",
                    lost,
                    f" {killed.piece} is killed.",
                )
            )
        return words(*said)
