"""Curves over the turns as drawings: income and score of every seat, for the archive's index."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.drawing import Circle, Drawing, Group, Label, Length, Paint, Path, Shape, Use
from pbem.reports.facts import ArchiveFacts
from pbem.reports.words import css_name
from pbem.rulesets.model import Icon

LEFT, RIGHT, TOP, BOTTOM = 44, 600, 26, 290
WIDTH, HEIGHT = 760, 326
NAME_GAP = 20
SPREAD = 5
MARKS = 12
"""So many of its turns has a curve marked at most."""
STEPS = (1, 2, 5)
DASHES = (None, "2 7", "16 5", "11 5 2 5", "7 4", "20 4 2 4 2 4")
"""A line's dashes by seat, so that curves are told apart without colour."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One seat's readings by turn, as they are written; a program's where seats do not matter."""

    seat: str
    values: Mapping[int, str]

    def cells(self, turns: Sequence[int]) -> list[str]:
        """Its readings as people write them, empty where it has none; the page parts them at `|`."""
        return [mixed(self.values[turn]) if turn in self.values else "" for turn in turns]


@dataclass(frozen=True, slots=True)
class Chart:
    """One measure: its drawing, and the same numbers for a table."""

    measure: str
    turns: tuple[int, ...]
    curves: tuple[Curve, ...]
    drawing: Drawing


def charts(archive: ArchiveFacts) -> list[Chart]:
    """A chart for each measure that has readings in two turns at least, in the order first met."""
    found: dict[str, dict[str, dict[int, str]]] = {}
    for turn in archive.turns:
        for reading in turn.readings:
            found.setdefault(reading.measure, {}).setdefault(reading.seat, {})[turn.turn] = reading.value
    out = []
    for measure, seats in found.items():
        turns = sorted({turn for values in seats.values() for turn in values})
        if len(turns) > 1:
            curves = tuple(Curve(seat, seats[seat]) for seat in archive.latest.seats if seat in seats)
            last = max(turns[-1], archive.latest.length)
            drawing = draw_curves(measure, curves, (turns[0], last), archive.report.icons)
            out.append(Chart(measure, tuple(turns), curves, drawing))
    return out


@dataclass(frozen=True, slots=True)
class _Scale:
    """Turns to the right, values upwards, in tenths of the drawing's units."""

    first: int
    last: int
    low: int
    high: int
    step: int

    def across(self, turn: int) -> int:
        return 10 * LEFT + _rounded(10 * (RIGHT - LEFT) * (turn - self.first), max(self.last - self.first, 1))

    def down(self, value: Fraction | int) -> int:
        up, whole = value.numerator - self.low * value.denominator, self.high - self.low
        return 10 * BOTTOM - _rounded(10 * (BOTTOM - TOP) * up, whole * value.denominator)


def _rounded(number: int, parts: int) -> int:
    return (2 * number + parts) // (2 * parts)


def _exact(value: str) -> Fraction | int:
    return int(value) if value.isdecimal() else Fraction(value)


def _scale(values: Sequence[Fraction | int], first: int, last: int) -> _Scale:
    """A grid of round numbers around the values: at most seven steps."""
    low, high = min(values), max(values)
    steps = (step * 10**power for power in range(30) for step in STEPS)
    step = next(step for step in steps if high - low <= 6 * step)
    bottom = int(low // step) * step
    return _Scale(first, last, bottom, max(int(-(-high // step)) * step, bottom + step), step)


def draw_curves(
    measure: str, curves: Sequence[Curve], span: tuple[int, int], icons: Mapping[str, Icon]
) -> Drawing:
    """Curves over the turns from the first to the last of `span`, each with its name at its end."""
    values = [_exact(value) for curve in curves for value in curve.values.values()]
    scale = _scale(values, *span)
    places = _places(curves, scale)
    items: list[Shape] = list(_grid(scale))
    for index, curve in enumerate(curves):
        line = "M" + "L".join(f"{_units(x)} {_units(y)}" for x, y in places[curve.seat].values())
        under = Paint("none", "#FBF8F1", 7, join="round", classes="s-paper")
        over = Paint(
            "none", "#3F484F", 3, DASHES[index % len(DASHES)], cap="round", join="round", classes="s-seat"
        )
        items.append(Group((Path(line, under), Path(line, over)), paint=_seat(curve.seat)))
    for curve in curves:
        items += _marks(curve, places[curve.seat], icons.get(curve.seat))
    items += _names(curves, places)
    marked = {curve.seat: _marked(tuple(curve.values)) for curve in curves}
    described = " ".join(
        f"{curve.seat}: {', '.join(mixed(curve.values[turn]) for turn in marked[curve.seat])}."
        for curve in curves
    )
    return Drawing(
        (0, 0, WIDTH, HEIGHT), f"{measure.capitalize()}, turn by turn", described, (), tuple(items)
    )


def _marked(turns: Sequence[int]) -> Sequence[int]:
    """The turns at which a curve has a mark: all, or in a long game every so many and the last."""
    every = -(-len(turns) // MARKS)
    return turns[(len(turns) - 1) % every :: every]


Places = Mapping[str, Mapping[int, tuple[int, int]]]
"""By seat and turn, where a point lies, in tenths of the drawing's units."""


def _places(curves: Sequence[Curve], scale: _Scale) -> Places:
    """Where each curve's points lie; points of one place are spread a little, so that all can be seen."""
    out: dict[str, dict[int, tuple[int, int]]] = {curve.seat: {} for curve in curves}
    for turn in sorted({turn for curve in curves for turn in curve.values}):
        by_value: dict[str, list[str]] = {}
        for curve in curves:
            if turn in curve.values:
                by_value.setdefault(curve.values[turn], []).append(curve.seat)
        for value, seats in by_value.items():
            x, y = scale.across(turn), scale.down(_exact(value))
            for index, seat in enumerate(seats):
                out[seat][turn] = (x, y + 5 * SPREAD * (2 * index - len(seats) + 1))
    return out


def _grid(scale: _Scale) -> Iterator[Shape]:
    line, ink = Paint(stroke="#C9BDA3", width=1, classes="s-line2"), Paint("#655D4F", classes="f-muted")
    for value in range(scale.low, scale.high + 1, scale.step):
        y = scale.down(value)
        yield Path(f"M{LEFT} {_units(y)}H{RIGHT}", line)
        yield Label(LEFT - 10, _units(y + 50), str(value), 15, ink, "end")
    for turn in range(scale.first, scale.last + 1, max(1, -(-(scale.last - scale.first) // 14))):
        yield Label(_units(scale.across(turn)), 316, str(turn), 15, ink)
    yield Label(RIGHT + 18, 316, "turn", 15, ink, "start")


def _marks(curve: Curve, places: Mapping[int, tuple[int, int]], icon: Icon | None) -> Iterator[Shape]:
    for turn in _marked(tuple(curve.values)):
        x, y = places[turn]
        mark: Shape
        if icon is None:
            mark = Circle(_units(x), _units(y), 6, Paint("#3F484F", "#FBF8F1", 2, classes="f-seat s-paper"))
        else:
            mark = Use(icon.symbol, _units(x), _units(y), scale="0.5")
        title = f"{curve.seat}, turn {turn}: {mixed(curve.values[turn])}"
        yield Group((mark,), title=title, paint=_seat(curve.seat))


def _names(curves: Sequence[Curve], places: Places) -> Iterator[Shape]:
    """Each curve's name and last value beside its end, moved apart where they would touch."""
    ends = sorted((places[curve.seat][max(curve.values)][1], index) for index, curve in enumerate(curves))
    floor = 0
    for y, index in ends:
        curve = curves[index]
        last = max(curve.values)
        x = places[curve.seat][last][0]
        at = floor = max(y, floor + 10 * NAME_GAP)
        leader = Path(
            f"M{_units(x + 110)} {_units(y)}L{_units(x + 240)} {_units(at)}",
            Paint("none", "#3F484F", "1.5", classes="s-seat"),
        )
        paint = Paint("#3F484F", classes="f-seat-text s-paper")
        told = f"{curve.seat} {mixed(curve.values[last])}"
        name = Label(
            _units(x + 290), _units(at + 50), told, 15, paint, "start", "700",
            halo="#FBF8F1", halo_width=4,
        )  # fmt: skip
        yield Group((leader, name), paint=_seat(curve.seat))


def _seat(seat: str) -> Paint:
    return Paint(classes=f"p-{css_name(seat)}")


def mixed(value: str) -> str:
    """A reading as people write it: `20 1/2` for `41/2`; decimals stay as they are."""
    if value.isdecimal() or "." in value:
        return value
    exact = Fraction(value)
    whole = exact.numerator // exact.denominator
    rest = exact - whole
    return f"{whole} {rest}" if whole and rest else value


def _units(tenths: int) -> Length:
    """A length of so many tenths, as text where it has a decimal: the same bytes everywhere."""
    sign, (whole, part) = "-" if tenths < 0 else "", divmod(abs(tenths), 10)
    return f"{sign}{whole}.{part}" if part else int(f"{sign}{whole}")
