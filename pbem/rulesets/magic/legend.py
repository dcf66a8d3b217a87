"""The map's legend below the table, laid out for a table of 1200 mm and scaled with it."""

from collections.abc import Iterator

from pbem.drawing import Circle, Group, Label, Paint, Path, Polygon, Shape, Use
from pbem.rulesets.magic import glyphs as g

LEGEND_HEIGHT = 244
_SIZE = 20
_FIGURES = (
    (14, "tok-boche-regular", "boche"), (130, "tok-noman-regular", "noman"),
    (260, "tok-boche-leader", "leader"),
    (388, "tok-boche-veteran", "veteran"), (532, "tok-boche-green", "green"),
    (660, "tok-boche-unseen", "its side\N{RIGHT SINGLE QUOTATION MARK}s alone to see"),
    (950, "tok-noman-dead", "killed"), (1064, "tok-noman-standard", "standard"),
)  # fmt: skip
_PRIESTS = (
    (20, "tok-boche-schtuck", "schtuck, words"), (260, "tok-boche-achtung", "achtung, glamours, chord"),
    (610, "tok-boche-wasserpferd", "wasserpferd, illusions"),
)  # fmt: skip
_WAYS = (
    ("walk", "3.4", None), ("run", "5", None), ("charge", "7.4", None), ("flees", "4.6", "11 8"),
    ("routs", "4.6", "13 7 3 7"), ("compelled", "4.6", "1 9"),
)  # fmt: skip
_TERRAIN = (
    ("blocks sight", True, False), ("blocks movement", False, True), ("blocks both", True, True),
)  # fmt: skip


def legend(left: int, top: int, scale: int) -> Group:
    """The whole legend, its size in thousandths."""
    items = (*_row(_FIGURES, 14), *_row(_PRIESTS, 58, 30), *_badges(), *_ways(), *_ground())
    look = Paint(fill=g.INK, classes="legend f-ink")
    return Group(
        items,
        "legend",
        transform=f"translate({left} {top}) scale({scale // 1000}.{scale % 1000:03})",
        paint=look,
    )


def _row(items: tuple[tuple[int, str, str], ...], y: int, gap: int = 22) -> Iterator[Shape]:
    for x, symbol, text in items:
        yield Use(symbol, x, y)
        yield Label(x + gap, y + 7, text, _SIZE, anchor="start")


def _badges() -> Iterator[Shape]:
    for index, (name, text) in enumerate(g.BADGE_NAMES.items()):
        x, y = 14 + 170 * (index % 7), 104 + 38 * (index // 7)
        yield Use(f"b-{name}", x, y)
        yield Label(x + 20, y + 7, text, _SIZE, anchor="start")


def _ways() -> Iterator[Shape]:
    y = 184
    for index, (name, width, dash) in enumerate(_WAYS):
        x = 8 + 170 * index
        ring = Paint(fill=g.PAPER, stroke=g.MAIN["boche"], width="2.4", classes="f-paper s-boche")
        yield Path(
            f"M{x} {y}H{x + 42}",
            g.line("boche", width, dash, "round" if dash == "1 9" or not dash else "butt"),
        )
        yield Polygon(((x + 58, y), (x + 40, y + 10), (x + 40, y - 10)), g.fill("boche"))
        if name == "run":
            yield Polygon(((x + 47, y), (x + 29, y + 10), (x + 29, y - 10)), g.fill("boche"))
        yield Circle(x, y, 6, ring)
        yield Label(x + 68, y + 7, name, _SIZE, anchor="start")
    shot = Paint(color=g.MAIN["boche"], classes="c-boche")
    yield Path(f"M1046 {y}H1074", g.line("boche", "1.8"))
    yield Group((Use("burst", 1082, y),), paint=shot)
    yield Label(1100, y + 7, "shot hits", _SIZE, anchor="start")


def _ground() -> Iterator[Shape]:
    y = 222
    for index, (text, sight, movement) in enumerate(_TERRAIN):
        x = 4 + 240 * index
        corners = ((x, y + 9), (x + 4, y - 10), (x + 30, y - 12), (x + 34, y + 8))
        yield Polygon(corners, g.terrain_paint(sight=sight, movement=movement))
        yield Label(x + 44, y + 7, text, _SIZE, anchor="start")
    yield Use("swords", 742, y)
    yield Label(762, y + 7, "fight", _SIZE, anchor="start")
    yield Use("flame", 862, y + 2, scale="0.7")
    yield Label(882, y + 7, "fire", _SIZE, anchor="start")
