"""The map's legend in the board's empty corners: title, compass, who plays, what the marks mean.

It is laid out for a board of radius 10 and scaled with the picture, so that it looks the same on
every board.
"""

from collections.abc import Iterator, Mapping

from pbem.drawing import Circle, Group, Label, Paint, Path, Polygon, Rect, Shape, Use
from pbem.rulesets.flux import glyphs as g
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.state import State

_WIDTH = 800
_MUTED_LINE = Paint(stroke=g.MUTED, width="1.4", cap="round", classes="s-muted")


def _margin(radius: int) -> int:
    """Room around the board for the corners' globes and labels."""
    return max(40, 4 * radius)


def _scaled(length: int, radius: int) -> int:
    """A length of the legend in user units of the map."""
    return length * (72 * radius + 2 * _margin(radius)) // _WIDTH


def view_box(state: State) -> tuple[int, int, int, int]:
    """What the picture shows: the board, its margin, and a row of pieces below."""
    n = state.board.radius
    side = 36 * n + _margin(n)
    top = 42 * n + max(38, 38 * n // 10)
    return -side, -top, 2 * side, 2 * top + _scaled(68, n)


def legend(state: State, name: str, when: str, incomes: Mapping[str, int], *, moved: bool) -> Group:
    """The whole legend, about the middle of the picture's upper edge."""
    left, top, width, height = view_box(state)
    thousandths = width * 1000 // _WIDTH
    scale = f"{thousandths // 1000}.{thousandths % 1000:03}"
    bottom = height * 1000 // thousandths
    items = (
        *_heading(name, when),
        _compass(),
        *_players(state, incomes),
        *_earths(state, bottom),
        *(_marks(bottom) if moved else ()),
        *_pieces(state, bottom),
    )
    look = Paint(fill=g.INK, classes="legend f-ink")
    return Group(
        items, "legend", transform=f"translate({left + width // 2} {top}) scale({scale})", paint=look
    )


def _text(x: int, y: int, text: str, anchor: str = "start") -> Label:
    return Label(x, y, text, 13, anchor=anchor)


def _heading(name: str, when: str) -> Iterator[Shape]:
    size = min(25, 25 * 26 // max(26, len(name)))
    yield Label(-392, 32, name, size, Paint(classes="serif"), "start", "600")
    yield Label(-392, 55, when, 14, g.MUTED_FILL, "start")


def _compass() -> Shape:
    names = (("N", 0, -27), ("NE", 24, -8), ("SE", 24, 16), ("S", 0, 30), ("SW", -25, 16), ("NW", -25, -8))
    return Group(
        (
            Path("M0-6V-16M0 6V17M5.4-3L13-7.4M-5.4 3L-13 7.4M5.4 3L13 7.4M-5.4-3L-13-7.4", _MUTED_LINE),
            Path("M0-22L3.6-14H-3.6Z", g.MUTED_FILL),
            *(Label(x, y, text, 11, g.MUTED_FILL) for text, x, y in names),
        ),
        transform="translate(-358 112)",
    )


def _players(state: State, incomes: Mapping[str, int]) -> Iterator[Shape]:
    step = 29 if len(state.wizards) < 5 else 26
    for index, (hue, wizard) in enumerate(state.wizards.items()):
        y = 28 + step * index
        yield Use(g.token_id(hue, WIZARD), 232, y, scale="0.72")
        yield Label(252, y + 5, hue, 13, anchor="start", weight="600")
        paid = "eliminated" if wizard.eliminated else f"income {incomes[hue]}"
        yield Label(392, y + 5, paid, 13, g.MUTED_FILL, "end")


def _earths(state: State, bottom: int) -> Iterator[Shape]:
    frame = Paint(fill="none", stroke=g.MUTED, width="1.8", join="round", classes="f-none s-muted")
    ink = Paint(color=g.INK, classes="c-ink")
    for index, earth in enumerate(state.rules.earths):
        x, y = -376 + 112 * (index % 2), bottom - 174 + 46 * (index // 2)
        hexagon: tuple[Shape, ...] = (Path(g.SMALL_HEX, frame), Group((Use(f"t-{earth}"),), paint=ink))
        yield Group(hexagon, transform=f"translate({x} {y}) scale(0.82)")
        yield _text(x + 23, y + 5, earth)
    first = next(iter(state.wizards))
    value = state.board.globes[0][1] if state.board.globes else state.rules.contest.corner
    y = bottom - 86
    yield Group(
        (Use(g.globe_id(value)), *g.ring_part(first, 0, 1).items), transform=f"translate(-376 {y}) scale(0.7)"
    )
    yield _text(-353, y + 5, "globe, its value, ring of its owner")


def _marks(bottom: int) -> Iterator[Shape]:
    red, gold, blue = "crimson", "amber", "azure"
    ring = Paint(fill=g.PAPER, stroke=g.MAIN[red], width="2.2", classes=f"s-{red} f-paper")
    badge = Paint(fill=g.PAPER, stroke=g.FRAME, width="1.2", classes="f-paper s-frame")
    head = ((13, 0), (3, -6), (3, 6))
    drawn: tuple[tuple[str, tuple[Shape, ...]], ...] = (
        ("move", (Path("M-12 0H3", g.line(red, "3.4")), Circle(-13, 0, 4, ring), Polygon(head, g.fill(red)))),
        ("flight", (Path("M-12 0H3", g.line(gold, "3.4", "0.1 6.2")), Polygon(head, g.fill(gold)))),
        ("new by cast", (Use("spark", scale="1.25"),)),
        (
            "cast failed",
            (Group((Use("cross", scale="0.82"),), paint=Paint(color=g.MAIN[red], classes=f"c-{red}")),),
        ),
        (
            "fight",
            (
                Circle(0, 0, 10, badge),
                Use("sword", scale="0.74", rotate=45, paint=g.fill(red)),
                Use("sword", scale="0.74", rotate=-45, paint=g.fill(gold)),
            ),
        ),
        (
            "killed",
            (
                Group(
                    (
                        g.counter(gold, g.fill(gold)),
                        Use(g.figure_id(WIZARD), scale="0.74", paint=g.ON),
                        Use("struck"),
                    ),
                    transform="scale(0.7)",
                ),
            ),
        ),
        ("earth lost", (Path(g.RUBBLE, g.fill(blue)),)),
        (
            "disputed",
            (
                Group(
                    tuple(
                        Rect(x, -7, 4, 14, g.fill(hue, "0.55"))
                        for x, hue in ((-12, red), (-5, gold), (2, red), (9, gold))
                    ),
                    transform="skewX(-35)",
                ),
            ),
        ),
    )
    for index, (what, shapes) in enumerate(drawn):
        x, y = 178 + 118 * (index % 2), bottom - 180 + 30 * (index // 2)
        yield Group(shapes, transform=f"translate({x} {y})")
        yield _text(x + 20, y + 5, what)


def _pieces(state: State, bottom: int) -> Iterator[Shape]:
    names = [*state.rules.animates, WIZARD]
    step = _WIDTH // len(names)
    paper = Paint(fill=g.PAPER, color=g.PAPER, classes="f-paper c-paper")
    for index, name in enumerate(names):
        x = -_WIDTH // 2 + step // 2 + step * index
        figure = Use(g.figure_id(name), scale="0.78", paint=paper)
        yield Group((Circle(0, 0, 14, g.INKED), figure), transform=f"translate({x} {bottom - 40})")
        yield Label(x, bottom - 9, name, 13 if step >= 90 else 10)
