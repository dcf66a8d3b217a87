"""A plain report: what one reader knows of a turn, built from that knowledge (magic.md, Reports)."""

from collections.abc import Iterable

from pbem.drawing import Circle, Drawing, Label, Paint, Polygon, Rect, Shape
from pbem.events import event_json
from pbem.rulesets import Turn
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.names import AMBUSH, HIDING, SIDES, STEALTH
from pbem.rulesets.magic.orders import Condition, MagicOrders, Order, place_text
from pbem.rulesets.magic.state import Figure, State
from pbem.rulesets.model import (
    GM,
    PUBLIC,
    Board,
    Chapter,
    Column,
    Item,
    ItemList,
    OrderReport,
    Outcome,
    Report,
    Row,
    SeatReport,
    Table,
    Told,
    code,
    seat_name,
    words,
)

MagicTurn = Turn[State, e.MagicEvent, Order, Condition]
HIDDEN = (AMBUSH, STEALTH, HIDING)
_FILL = {"boche": "#7a1f3d", "noman": "#1f4e7a"}
_OWNERS_ALONE = (
    e.OrderRefused | e.OrderSkipped | e.SkillsThrown | e.SkillFailed | e.MoraleTested | e.FlatulenceThrown
    | e.GlamourCast | e.GlamourBegun | e.IllusionCast | e.AmbushSprung | e.ChordPlayed
)  # fmt: skip
"""Events of which the other side gets a part, or nothing: for now they stay with their owner."""


def view(turn: MagicTurn, reader: str) -> Report:
    """What `reader` may know of a turn."""
    known = Knowledge(turn, reader)
    state = turn.after
    title = f"turn {turn.number} of {state.length}"
    ended = next((event for event in turn.events if isinstance(event, e.BattleEnded)), None)
    headline = words("Sign-up is closed." if turn.number == 0 else f"Turn {turn.number} has been played.")
    if ended is not None:
        won = "Nobody has won" if ended.winner is None else f"The {ended.winner} have won"
        headline = words(f"{won}: {ended.points['boche']} to {ended.points['noman']} points.")
    told = tuple(Told(words(_sentence(event)), rules=event.rules) for event in known.events)
    shown = [figure for figure in state.figures.values() if known.sees(figure)]
    return Report(
        reader=reader,
        heading=title,
        headline=headline,
        board=Board(_drawing(state, shown), words("Figures stand where the turn left them.")),
        next_turn=_next(state, reader, shown),
        orders=_orders(turn, reader),
        round=(Chapter(words("As it happened"), told),) if told else (),
        round_title=f"Turn {turn.number} as it happened",
        in_words=(_table(shown),),
        template=("# Figures without orders hold and defend.",),
        data={
            "position": {figure.name: _figure_data(figure) for figure in shown},
            "events": [event_json(event) for event in known.events],
        },
    )


class Knowledge:
    """Which figures and events a reader knows of."""

    def __init__(self, turn: MagicTurn, reader: str) -> None:
        self.all = reader == GM or (reader == PUBLIC and turn.after.over)
        self.reader = reader
        figures = turn.after.figures
        self._veiled = set()
        if not self.all:
            begun = {
                event.figure
                for event in turn.events
                if isinstance(event, e.StateBegan) and event.state in HIDDEN
            }
            self._veiled = {
                name
                for name, figure in figures.items()
                if figure.side != reader
                and (
                    name in begun
                    or any(state in HIDDEN for state in figure.states)
                    or any(state in HIDDEN for state in turn.before.figures[name].states)
                )
            }
        self._side = {name: figure.side for name, figure in figures.items()}
        self._units = {figure.unit for name, figure in figures.items() if name in self._veiled}
        self.events = [event for event in turn.events if self.knows(event)]

    def sees(self, figure: Figure) -> bool:
        """Whether the reader sees a figure at the end of the turn."""
        if self.all or figure.side == self.reader or not figure.alive:
            return True
        return not any(state in HIDDEN for state in figure.states)

    def knows(self, event: e.MagicEvent) -> bool:
        """Whether the reader is told of an event: nothing that names who is hidden from him."""
        if self.all:
            return True
        data = event_json(event)
        if isinstance(event, _OWNERS_ALONE) and self._owner(data) != self.reader:
            return False
        return not any(name in self._veiled or name in self._units for name in _names(data))

    def _owner(self, data: dict[str, object]) -> str:
        if isinstance(data.get("side"), str):
            return str(data["side"])
        named = data.get("figure") or data.get("caster")
        if isinstance(named, str):
            return self._side.get(named, "")
        return next((self._side[name] for name in _names(data) if name in self._side), "")


def _names(value: object) -> Iterable[str]:
    """Every text in an event's data, keys included."""
    if isinstance(value, str):
        yield value
        yield from value.split(" ")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _names(key)
            yield from _names(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _names(part)


def _sentence(event: e.MagicEvent) -> str:
    """The event's kind and fields in a row: plain, until Magic's reports are written."""
    data = event_json(event)
    parts = [
        f"{key} {_shown(value)}"
        for key, value in data.items()
        if key not in {"kind", "rules", "dice"} and value not in (None, [], {}, "")
    ]
    return f"{event.kind.replace('_', ' ')}: {', '.join(parts)}"


def _shown(value: object) -> str:
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, int) for part in value):
            return place_text((value[0], value[1]))
        return " ".join(_shown(part) for part in value)
    if isinstance(value, dict):
        return " ".join(f"{key} {_shown(part)}" for key, part in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _next(state: State, reader: str, shown: list[Figure]) -> tuple[ItemList, ...]:
    own = [figure for figure in shown if figure.commander == reader and figure.alive]
    if reader not in SIDES or state.over:
        return ()
    items = tuple(
        Item(
            words(figure.name, " at ", place_text(figure.at)),
            words(", ".join(sorted(figure.states))) if figure.states else (),
        )
        for figure in own
    )
    return (ItemList("Your figures", items, "two"),)


def _orders(turn: MagicTurn, reader: str) -> tuple[SeatReport, ...]:
    """The reader's own orders, with what was refused or skipped of them."""
    seats = SIDES if reader == GM else (reader,) if reader in SIDES else ()
    reports = []
    for seat in seats:
        orders: MagicOrders | None = turn.orders.get(seat)
        if orders is None:
            continue
        said: dict[int, list[Outcome]] = {}
        for event in turn.events:
            if isinstance(event, e.OrderRefused) and event.side == seat:
                outcome = Outcome("refused", "Refused", words(event.reason), rules=event.rules)
                said.setdefault(event.line, []).append(outcome)
            elif isinstance(event, e.OrderSkipped) and event.side == seat:
                outcome = Outcome("skipped", "Skipped", words(event.reason), rules=event.rules)
                said.setdefault(event.line, []).append(outcome)
        lines = [(line.number, line.text) for line in orders.lines]
        lines += [(problem.line, problem.text) for problem in orders.problems]
        reports.append(
            SeatReport(
                seat,
                tuple(
                    OrderReport(number, text, tuple(said.get(number, [Outcome("done", "Carried out")])))
                    for number, text in sorted(lines)
                ),
            )
        )
    return tuple(reports)


def _table(shown: list[Figure]) -> Table:
    rows = tuple(
        Row(
            (
                words(seat_name(figure.side, figure.name)),
                words(f"{figure.unit}, {figure.grade}"),
                words("lost" if figure.lost else place_text(figure.at)),
                words(str(figure.wounds)),
                words(", ".join(sorted(figure.states)) if figure.alive else "dead"),
            ),
            seat=figure.side,
        )
        for figure in shown
    )
    columns = (
        Column("Figure"),
        Column("Unit, grade"),
        Column("Place"),
        Column("Wounds", numeric=True),
        Column("State"),
    )
    return Table(
        "Figures",
        columns,
        rows,
        words("Places are centimetres from the lower left corner, as ", code("34.5,56"), "."),
    )


def _figure_data(figure: Figure) -> dict[str, object]:
    return {
        "side": figure.side,
        "unit": figure.unit,
        "grade": figure.grade,
        "at": None if figure.lost else list(figure.at),
        "weapons": list(figure.weapons),
        "armour": figure.armour,
        "shield": figure.shield,
        "wounds": figure.wounds,
        "alive": figure.alive,
        "states": {name: {"until": held.until} for name, held in sorted(figure.states.items())},
    }


def _drawing(state: State, shown: list[Figure]) -> Drawing:
    """The table, its terrain and the figures that are seen; y grows upwards on the table."""
    width, height = state.field.size
    shapes: list[Shape] = [Rect(0, 0, width, height, Paint(fill="#efe7cf", stroke="#5b5340", width=4))]
    for piece in state.terrain():
        fill = "#8a8577" if piece.blocks_movement else "#9fb27a"
        corners = tuple((x, height - y) for x, y in piece.points)
        shapes.append(Polygon(corners, Paint(fill=fill, stroke="#5b5340", width=2)))
    shapes.extend(Circle(x, height - y, 8, Paint(fill="#d9822b")) for x, y in state.fires)
    for figure in shown:
        if figure.alive:
            x, y = figure.at[0], height - figure.at[1]
            shapes.append(Circle(x, y, 10, Paint(fill=_FILL[figure.side])))
            shapes.append(Label(x, y - 14, figure.name, 16, Paint(fill="#2b2620")))
    count = sum(figure.alive for figure in shown)
    return Drawing(
        (0, 0, width, height),
        state.field.title or "The table",
        f"A table with {count} figures.",
        items=tuple(shapes),
    )
