"""What became of every order line, for who sent it: each side, and each figure of a unit (M8.3, M8.6)."""

from collections.abc import Iterator
from itertools import pairwise

from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.known import Known
from pbem.rulesets.magic.names import CHARGED, SPINNING
from pbem.rulesets.magic.orders import (
    Charge,
    Declare,
    Defend,
    Fight,
    Hold,
    LayAmbush,
    Line,
    Meditate,
    Move,
    NameSkilled,
    Order,
    Play,
    Prepare,
    Shoot,
    Speak,
    Spin,
    Spring,
    Use,
)
from pbem.rulesets.magic.told import Happening, Teller, title
from pbem.rulesets.model import OrderReport, Outcome, SeatReport, Span, Told, Verdict, Words, words

OrderEvent = e.OrderRefused | e.OrderSkipped
_LABELS: tuple[tuple[type[Order], str], ...] = (
    (Charge, "Charged"), (Move, "Moved"), (Speak, "Heeded"), (Play, "Played"), (Shoot, "Hit"), (Use, "Used"),
    (Meditate, "Begun"), (Prepare, "Begun"), (Spin, "Cast"), (Spring, "Sprung"), (Fight, "Fought"),
    (Declare, "Declared"), (NameSkilled, "Named"), (LayAmbush, "Hidden"),
)  # fmt: skip


def seat_report(known: Known, teller: Teller, side: str) -> SeatReport:
    """Every line of a side in file order, with the outcomes of the sides that were reached."""
    orders = known.orders[side]
    finder = _Finder(known, teller, side)
    rows = [OrderReport(line.number, line.text, tuple(finder.line(line))) for line in orders.lines]
    for problem in orders.problems:
        unread = Outcome("unread", "Not read", _sentence(problem.message), rules=("M8.2",))
        rows.append(OrderReport(problem.line, problem.text, (unread,)))
    return SeatReport(side, tuple(sorted(rows, key=lambda row: row.line)))


def _sentence(reason: str) -> Words:
    text = title(reason)
    return words(text if text.endswith((".", "?", "!")) else f"{text}.")


class _Finder:
    """Finds in the known events what became of each side of a side's lines."""

    def __init__(self, known: Known, teller: Teller, side: str) -> None:
        self._known = known
        self._teller = teller
        self._side = side
        self._taken: set[int] = set()
        self._after = {
            id(one.head): other for one, other in pairwise(teller.happenings) if one.head is not None
        }
        self._by_line: dict[int, list[OrderEvent]] = {}
        for event in known.events:
            if isinstance(event, OrderEvent) and event.side == side and "M8.2" not in event.rules:
                self._by_line.setdefault(event.line, []).append(event)

    def line(self, line: Line) -> Iterator[Outcome]:
        """The outcomes of a line, one figure after the other."""
        events = self._by_line.get(line.number, [])
        who = line.sides[0].order.who
        if self._known.number == 0:
            yield from self._member(line, None, list(events))
            return
        members = self._members(who)
        for name in members:
            mine = [event for event in events if event.figure == name]
            shared = [event for event in events if event.figure is None]
            yield from self._of_figure(line, name, mine, shared, alone=who in self._known.figures)
        if not members or not isinstance(line.sides[0].order, Spring):
            yield from (self._idle(event, line) for event in events if event.figure is None)

    def _members(self, who: str) -> list[str]:
        """The figures that the line orders: those of a unit who live as the turn begins."""
        before = self._known.before
        if who in before:
            commander = self._known.figures[who].commander if who in self._known.figures else ""
            return [who] if self._side in {before[who].commander, commander} else []
        return [
            one.name
            for one in before.values()
            if one.unit == who and one.side == self._side and one.alive and one.commander == self._side
        ]

    def _of_figure(
        self, line: Line, name: str, mine: list[OrderEvent], shared: list[OrderEvent], *, alone: bool
    ) -> Iterator[Outcome]:
        """Of one figure; a refusal for the sake of a name is told once for its whole unit (M1.5)."""
        if isinstance(line.sides[0].order, Spring):
            if name == self._members(line.sides[0].order.who)[0]:
                yield from self._member(line, name, [*mine, *shared])
            return
        unnamed = {event.text for event in shared if isinstance(event, e.OrderRefused)}
        found = list(self._member(line, name, list(mine), unnamed))
        if not alone:
            found = [one for one in found if one.label != "Not reached"]
            found = [one._replace(text=(self._teller.who(name), Span(": "), *one.text)) for one in found]
        yield from found

    def _member(
        self, line: Line, name: str | None, events: list[OrderEvent], unnamed: set[str] | None = None
    ) -> Iterator[Outcome]:
        """The sides in turn, until one is done."""
        for index, side in enumerate(line.sides):
            if events and self._speaks_of(events[0], side.text, last="M8.3"):
                yield self._idle(events.pop(0), line)
                continue
            if unnamed and side.text in unnamed:
                continue
            outcome = self._performed(side.order, name)
            if outcome is None:
                if not events:
                    yield Outcome("skipped", "Not reached", words("Its moment did not come."))
                break
            yield outcome._replace(label=f"{outcome.label} by the else") if index else outcome
            if outcome.verdict in {"done", "held"}:
                break
        yield from (self._idle(event, line) for event in events)

    @staticmethod
    def _speaks_of(event: OrderEvent, text: str, last: str) -> bool:
        if isinstance(event, e.OrderRefused):
            return event.text == text
        return last not in event.rules

    def _idle(self, event: OrderEvent, line: Line) -> Outcome:
        if isinstance(event, e.OrderRefused):
            said = _sentence(event.reason)
            if len(line.sides) > 1:
                said = words(Span(event.text, "code"), ": ", event.reason, ".")
            return Outcome("refused", "Refused", said, rules=event.rules)
        needless = "M8.3" in event.rules
        return Outcome(
            "skipped", "Not needed" if needless else "Skipped", _sentence(event.reason), rules=event.rules
        )

    # What was carried out

    def _performed(self, order: Order, name: str | None) -> Outcome | None:
        match order:
            case Hold():
                return Outcome("held", "Held", words("Nothing done, as ordered."), rules=("M8.5",))
            case Defend():
                return Outcome("done", "Defends", words("He strikes nobody."), rules=("M3",))
            case Fight():
                return self._fought(name or "")
            case NameSkilled():
                return Outcome(
                    "done", "Named", words("They come first when skills are thrown for."), rules=("M4.1",)
                )
            case _:
                return self._found(order, name or order.who)

    def _found(self, order: Order, name: str) -> Outcome | None:
        for happening in self._teller.happenings:
            head = happening.head or next(iter(happening.consequences))
            if isinstance(order, Spring):
                order = Spring(self._known.figures[name].unit)
            if id(head) in self._taken or not _is_of(order, name, head):
                continue
            if isinstance(order, LayAmbush):
                return self._hidden(order)
            self._taken.add(id(head))
            return self._outcome(order, happening)
        return None

    def _hidden(self, order: LayAmbush) -> Outcome:
        began = [
            event
            for event in self._known.events
            if isinstance(event, e.StateBegan) and event.state == "ambush" and event.cause == order.who
        ]
        text = self._teller.consequences(began)
        return Outcome("done", "Hidden", text, rules=("M3", "M8.6"))

    def _outcome(self, order: Order, happening: Happening) -> Outcome:
        told = self._teller.told(happening)
        label = next(label for kind, label in _LABELS if isinstance(order, kind))
        verdict: Verdict = "failed" if told.verdict == "failed" else "done"
        if told.word and isinstance(order, Speak | Shoot):
            label = told.word
        text, rules, dice = _text(told), told.rules, told.dice
        if isinstance(order, Charge):
            more = self._charge(order, happening)
            text = words(text, *(part for one in more for part in (" ", _text(one))))
            rules = tuple(dict.fromkeys((*rules, *(rule for one in more for rule in one.rules))))
            dice = (*dice, *(throw for one in more for throw in one.dice))
            if not more:
                label, text = (
                    "Fell short",
                    words(text, " He does not reach ", self._teller.who(order.target), "."),
                )
        if (
            isinstance(order, Spin)
            and isinstance(happening.head, e.GlamourCast)
            and not happening.head.effect
        ):
            verdict, label = "failed", "Failed"
        return Outcome(verdict, label, text, told.odds, rules, dice)

    def _tested(self, happening: Happening) -> Told:
        """A test in a sentence: what it came to stands before what followed of it."""
        told = self._teller.told(happening)
        assert happening.head is not None
        head = self._teller.head(happening.head)
        after = told.text[len(head.text) :]
        return told._replace(text=words(head.text, f" {told.word}.", after), word="")

    def _charge(self, order: Charge, happening: Happening) -> list[Told]:
        """The test of who was charged, and the blows that followed; nothing where it fell short."""
        name = happening.head.figure if isinstance(happening.head, e.FigureMoved) else ""
        found: list[Told] = []
        then = self._after.get(id(happening.head))
        test = None if then is None else then.head
        if then and isinstance(test, e.MoraleTested) and (test.cause, test.figure) == (CHARGED, order.target):
            found.append(self._tested(then))
        met = found or any(isinstance(event, e.EngagementBegan) for event in happening.consequences)
        if not met:
            return []
        pair = tuple(sorted((name, order.target)))
        blows = [one for one in self._teller.happenings if isinstance(one.head, e.BlowsStruck)]
        found += [self._teller.told(one) for one in blows if getattr(one.head, "figures", ()) == pair]
        return found or [Told(words("In contact."))]

    def _fought(self, name: str) -> Outcome:
        blows = [
            self._teller.told(one)
            for one in self._teller.happenings
            if isinstance(one.head, e.BlowsStruck) and name in one.head.strikers
        ]
        if not blows:
            return Outcome("done", "Fought", words("No blow fell."), rules=("M3",))
        text = words(*(part for one in blows for part in (_text(one), " ")))
        dice = tuple(throw for one in blows for throw in one.dice)
        return Outcome("done", "Fought", text, rules=("M3",), dice=dice)


def _text(told: Told) -> Words:
    """A row as part of a sentence: its words, and what a test came to."""
    return words(told.text, f" {told.word}.") if told.word and not told.odds else told.text


def _is_of(order: Order, name: str, event: e.MagicEvent) -> bool:
    """Whether an event is what an order of a figure came to."""
    match order:
        case Move() | Charge():
            return isinstance(event, e.FigureMoved) and event.figure == name and event.cause == "order"
        case Shoot():
            return isinstance(event, e.ShotFired) and (event.figure, event.target) == (name, order.target)
        case Use():
            return isinstance(event, e.SkillUsed) and (event.figure, event.skill) == (name, order.skill)
        case Speak():
            return isinstance(event, e.WordSpoken) and (event.caster, event.word, event.target) == (
                name, order.word, order.target,
            )  # fmt: skip
        case Play():
            return isinstance(event, e.ChordPlayed) and event.caster == name
        case Meditate():
            return isinstance(event, e.GlamourBegun) and (event.caster, event.glamour) == (
                name,
                order.glamour,
            )
        case Spin():
            return isinstance(event, e.GlamourCast) and (event.caster, event.glamour) == (name, SPINNING)
        case Prepare():
            return isinstance(event, e.IllusionBegun) and (event.caster, event.illusion) == (
                name,
                order.illusion,
            )
        case Spring():
            return isinstance(event, e.AmbushSprung) and event.cause == "order" and event.unit == order.who
        case Declare():
            return isinstance(event, e.MagicDeclared) and event.declared == order.names
        case LayAmbush():
            return isinstance(event, e.StateBegan) and event.state == "ambush" and event.cause == order.who
        case _:
            return False
