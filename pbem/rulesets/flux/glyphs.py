"""The look of Flux: its palette, and the symbols of counters, earths, globes and marks as shapes.

Paint carries the light theme; the class beside it lets a page recolour it (`f-` fill, `s-` stroke,
`c-` colour, `g-` an earth's tint and outline, `e-` and `i-` its ink, `w-` a wash). Silhouettes stand
in a box of 24 about the origin, in one colour.
"""

from functools import cache

from pbem.drawing import (
    Circle,
    Definition,
    Group,
    Label,
    Length,
    Paint,
    Path,
    Pattern,
    Polygon,
    RadialGradient,
    Rect,
    Shape,
    Stop,
    Symbol,
    Use,
)
from pbem.rulesets.flux.data import WIZARD

PAPER = "#FBF8F1"
INK = "#221E18"
MUTED = "#655D4F"
PLAINS = "#F8F4E9"
FRAME = "#6B5F48"
GOLD = "#9A6B00"

MAIN = {
    "crimson": "#C71438",
    "amber": "#C97914",
    "jade": "#158C5A",
    "azure": "#0052B4",
    "violet": "#5A2170",
    "slate": "#3F484F",
}
DEEP = {
    "crimson": "#8A0C26",
    "amber": "#6E4000",
    "jade": "#0A5434",
    "azure": "#003A80",
    "violet": "#431556",
    "slate": "#2A3137",
}
"""A hue's ink on its own earths."""
TINT = {
    "crimson": "#EBB8B9",
    "amber": "#EBD3AF",
    "jade": "#BBD8C2",
    "azure": "#BCCDDC",
    "violet": "#D2C1CC",
    "slate": "#CCCBC4",
}
WASH = {
    "crimson": "#FF4D6D",
    "amber": "#FFB21A",
    "jade": "#1DBF83",
    "azure": "#3F8CFF",
    "violet": "#A855E0",
    "slate": "#7C93A8",
}


@cache
def fill(hue: str, opacity: str | None = None) -> Paint:
    """Filled in a hue."""
    return Paint(fill=MAIN[hue], fill_opacity=opacity, classes=f"f-{hue}")


@cache
def line(hue: str, width: Length, dash: str | None = None, cap: str = "round") -> Paint:
    """A line in a hue."""
    return Paint(
        fill="none", stroke=MAIN[hue], width=width, dash=dash, cap=cap, join="round", classes=f"s-{hue}"
    )


@cache
def paper_line(width: Length) -> Paint:
    """The paper under a line, so that it stands off from what it crosses."""
    return Paint(fill="none", stroke=PAPER, width=width, cap="round", join="round", classes="s-paper")


@cache
def paper(width: Length) -> Paint:
    """The paper under a shape, so that it stands off from its ground."""
    return Paint(fill=PAPER, stroke=PAPER, width=width, join="round", classes="f-paper s-paper")


ON = Paint(fill="#FFFFFF", color="#FFFFFF", classes="k-on")
INKED = Paint(fill=INK, classes="f-ink")
MUTED_FILL = Paint(fill=MUTED, classes="f-muted")
_INK = Paint(fill="currentColor", stroke="none")
_HOLED = Paint(rule="evenodd")


def _line(width: str) -> Paint:
    return Paint(fill="none", stroke="currentColor", width=width, cap="round", join="round")


TEXTURES: dict[str, tuple[Shape, ...]] = {
    "forest": (
        Path(
            "M-12.5 -8.02L-9.404 -2H-15.596ZM-12.5 -5.096L-8.716 1.096H-16.284ZM-13.188 0.924h1.376v1.892"
            "h-1.376ZM-4.6 -15.02L-1.504 -9H-7.696ZM-4.6 -12.096L-0.816 -5.904H-8.384ZM-5.288 -6.076h1.376"
            "v1.892h-1.376ZM4.6 -15.62L7.696 -9.6H1.504ZM4.6 -12.696L8.384 -6.504H0.816ZM3.912 -6.676h1.376"
            "v1.892h-1.376ZM12.6 -8.42L15.696 -2.4H9.504ZM12.6 -5.496L16.384 0.696H8.816ZM11.912 0.524h1.376"
            "v1.892h-1.376ZM-4 -2.78L-0.616 3.8H-7.384ZM-4 0.416L0.136 7.184H-8.136ZM-4.752 6.996h1.504v2.068"
            "h-1.504ZM5.4 -3.18L8.784 3.4H2.016ZM5.4 0.016L9.536 6.784H1.264ZM4.648 6.596h1.504v2.068h-1.504"
            "Z",
            _INK,
        ),
    ),
    "hills": (
        Path(
            "M-17 2Q-10.5-9-4 2M-5.4-5.6Q1-15.6 7.4-5.6M2.6 2.6Q9.6-9 16.6 2.6M-8.6 10.6Q-2 0 4.6 10.6"
            "M-12.4-.8l2-2.6M-.8-8.8l2.2-2.8M7.4-.4l2.4-2.8M-4 7.4l2.2-2.8",
            _line("1.7"),
        ),
    ),
    "swamp": (
        Path(
            "M-18.4.6q2.6-2.6 5.2 0t5.2 0M5.4-1.4q2.6-2.6 5.2 0t5.2 0M-5.6-8.6q2.6-2.6 5.2 0t5.2 0M-8.8 8.6"
            "q2.6-2.6 5.2 0t5.2 0t5.2 0",
            _line("1.6"),
        ),
        Path(
            "M-12-3V-12M-14.8-3L-16-8.6M-9.4-3L-8.4-7.6M10.4-5V-14.4M7.8-5L6.6-10.2M13-5L14.4-9.8M0 4.6V-4.4"
            "M-2.8 4.6L-4 -.6M2.8 4.6L4 .2",
            _line("1.5"),
        ),
        Path("M-13.2-14.4h2.4v5h-2.4ZM9.2-17h2.4v5H9.2ZM-1.2-7h2.4v5h-2.4Z", _INK),
    ),
    "mountain": (
        Path("M-17.6 6.6L-8.6-10.4L-4.4-2.6L2.6-15.4L17.8 9.6H-17.6Z", _line("1.6")),
        Path(
            "M-8.6-10.4L-4.4-2.6L-6.4 0L-8.4-2.4L-7.2 6Q-9 1-8.6-10.4ZM2.6-15.4L17.8 9.6H9.6L6.6 2L4.2 4"
            "L3-3.4Z",
            _INK,
        ),
    ),
}
SILHOUETTES: dict[str, tuple[Shape, ...]] = {
    "wizard": (
        Path(
            "M-11.5 7.2Q-8.6 4.6-6.2 3.8L-2.6-7.4Q-1.2-12 4.6-11.6Q6.8-11 7.4-8.2Q4.4-9.4 3.2-7.2L6.2 3.8"
            "Q8.6 4.6 11.5 7.2Q0 12.6-11.5 7.2ZM0.2 -4.4L1.0 -2.0L3.5 -2.0L1.5 -0.5L2.3 1.9L0.2 0.5L-1.9 1.9"
            "L-1.1 -0.5L-3.1 -2.0L-0.6 -2.0Z",
            _HOLED,
        ),
    ),
    "gnome": (
        Path("M-7-1.6Q-4.6-8-.4-12.4Q4.8-7.6 7-1.6Q0-4.4-7-1.6Z"),
        Circle(0, "0.6", "2.1"),
        Path("M-7.4.2Q-4.4-1.2-3.5.8Q-2.6 3.9 0 3.9Q2.6 3.9 3.5.8Q4.4-1.2 7.4.2Q9.4 8 0 12.4Q-9.4 8-7.4.2Z"),
    ),
    "knight": (
        Path(
            "M-7.6-4.6Q-7.2-8.6 0-9.2Q7.2-8.6 7.6-4.6L7.6 6.2Q4.6 9.8 0 11.6Q-4.6 9.8-7.6 6.2ZM-6.1-3.4"
            "L-1-2.8L-1-.6L-6.1-1.2ZM6.1-3.4L1-2.8L1-.6L6.1-1.2ZM-4.45 3.4a0.85 0.85 0 1 0 1.7 0"
            "a0.85 0.85 0 1 0 -1.7 0ZM-4.45 6.2a0.85 0.85 0 1 0 1.7 0a0.85 0.85 0 1 0 -1.7 0ZM2.75 3.4"
            "a0.85 0.85 0 1 0 1.7 0a0.85 0.85 0 1 0 -1.7 0ZM2.75 6.2a0.85 0.85 0 1 0 1.7 0"
            "a0.85 0.85 0 1 0 -1.7 0Z",
            _HOLED,
        ),
        Path("M-1.2-9.6Q-.4-13.6 4-13.2Q9.6-12.6 10.2-5.4Q8.6-8.2 6.6-8.2Q3.6-10.6-1.2-9.6Z"),
    ),
    "troll": (
        Path(
            "M-9-3.4L-13-7.6L-8.2-7.4Q-6-10.6 0-10.6Q6-10.6 8.2-7.4L13-7.6L9-3.4Q11.4 3.8 8.4 8.2"
            "Q5 11.6 0 11.6Q-5 11.6-8.4 8.2Q-11.4 3.8-9-3.4ZM-6.4-4.2L-1.6-2.2Q-2.2.2-4.4-.2Q-6.2-.8-6.4-4.2Z"
            "M6.4-4.2L1.6-2.2Q2.2.2 4.4-.2Q6.2-.8 6.4-4.2ZM-6.8 5.4L-5.9 5L-4.4.9L-3 4.2Q0 3.4 3 4.2L4.4.9"
            "L5.9 5L6.8 5.4Q6 8.6 0 8.6Q-6 8.6-6.8 5.4Z",
            _HOLED,
        ),
        Path("M-5.9 6.6L-4.4 1.8L-2.9 6.6ZM5.9 6.6L4.4 1.8L2.9 6.6Z"),
    ),
    "manticore": (
        Path(
            "M-6.0 -9.2L-4.4 -7.0L-1.8 -7.7L-1.9 -4.9L0.5 -3.7L-1.4 -1.8L-0.3 0.7L-3.0 1.0L-3.7 3.6L-6.0 2.1"
            "L-8.3 3.6L-9.0 1.0L-11.7 0.7L-10.6 -1.8L-12.5 -3.7L-10.1 -5.0L-10.2 -7.7L-7.6 -7.0Z",
        ),
        Path(
            "M-5-5.4Q2-4.4 7-3.4Q11-1.8 10.4 3L11.6 11.6L8 11.6L6.6 5.6Q2.6 6.8-1.8 6L-2.4 11.6L-5.8 11.6"
            "L-6.6 3Z",
        ),
        Path("M9-1.4Q14-5.4 10.2-9.2Q7-12 3.4-9.4", _line("2.3")),
        Path("M5.4-12L-1-9.2L4.6-5.6Z"),
    ),
    "wyvern": (
        Path(
            "M1.2-3.4L3.2-10.4Q9.4-10.6 13.2-5.4Q9.8-4.8 10-.6Q7.2-1.8 6.2 2.4Q4.2.6 1.2 3.4ZM-1.2 -3.4"
            "L-3.2 -10.4Q-9.4 -10.6 -13.2 -5.4Q-9.8 -4.8 -10 -0.6Q-7.2 -1.8 -6.2 2.4Q-4.2 0.6 -1.2 3.4Z",
        ),
        Path("M-1.4-7.4Q2.2-4 .2 1.4Q-2.2 8.6 3 9.6Q6 10 7.2 7.4", _line("3")),
        Path("M4.4 7.6L8.6 2.8L10.4 9.2Z"),
        Path("M1.4-12.2Q3-9.6 1.2-6.2L-2.4-5.8L-7-7.2L-3-9.4Z"),
    ),
    "phoenix": (
        Path(
            "M1 1.4Q4.6-1.6 5-7.6Q5.6-11.6 9.6-12.8Q9-10.6 11.8-9.8Q10.4-8.2 12.2-6Q10-5.4 11-2.8"
            "Q8.6-2.6 8.6.2Q5.4 3.2 1 4.4ZM-1 1.4Q-4.6 -1.6 -5 -7.6Q-5.6 -11.6 -9.6 -12.8Q-9 -10.6 -11.8 -9.8"
            "Q-10.4 -8.2 -12.2 -6Q-10 -5.4 -11 -2.8Q-8.6 -2.6 -8.6 0.2Q-5.4 3.2 -1 4.4ZM.8 4Q6.8 5.6 6.6 12"
            "Q1.8 9.6 .8 4ZM-0.8 4Q-6.8 5.6 -6.6 12Q-1.8 9.6 -0.8 4ZM0 3.4Q3.2 8 0 13.2Q-3.2 8 0 3.4Z",
        ),
        Path("M0-8.6Q3-7.6 2.4-4Q4 0 2.4 4.2Q0 6-2.4 4.2Q-3.6 0-2.6-3.6L-5.6-5L-2.6-6.6Q-2-8.6 0-8.6Z"),
        Path("M-.6-8.2Q-1.6-11 .2-13.2Q.4-11.4 1.2-11Q1.6-12 2.6-12.4Q2.2-10.6 2.6-8.8Q1.6-7.6-.6-8.2Z"),
    ),
    "great dragon": (
        Path(
            "M-12.6-1.4Q-12-4.6-8.8-5Q-5-4.6-3.6-6.4Q-2.6-9 2.2-13Q2.4-10 1.6-8L9.4-11.6Q8.4-7.6 5.4-5.4"
            "L12.6-4.4Q10-1.8 7.4-1.2L12.4 3.2Q9.4 4 7.2 3.2Q10 7.6 10.2 12L-3.4 12Q-.4 8.4-2 5.2"
            "Q-5.2 7.8-8.6 7.2Q-10.4 6.4-10.4 4L-8.4 5.2L-7.2 3.4L-5.4 4.2Q-3.6 3-3 1.6Q-5 2.4-7 1.6L-8 3.2"
            "L-9.4 1.4L-10.8 2.8Q-12.4 1.4-12.6-1.4ZM-3.4-3.6Q-.6-4.4 .8-2.8Q-1.2-1.2-3.4-3.6Z",
            _HOLED,
        ),
    ),
}


SWORD: tuple[Shape, ...] = (
    Path("M-1.1 5.2L-1.5-7.6L0-10.4L1.5-7.6L1.1 5.2ZM-4.4 4.6H4.4V6.4H-4.4ZM-.9 6.2H.9V10H-.9Z"),
    Circle(0, "10.4", "1.5"),
)
RUBBLE = "M-10 6L-8-1L-2.8-2.6L.4 6ZM1.8 6L3.2-3.2L7.6-4.8L11 6ZM-4-4.4L-.8-9.6L4-6.2L2.2-3.4Z"
SPARK = "M0-6Q.9-.9 6 0Q.9 .9 0 6Q-.9 .9-6 0Q-.9-.9 0-6Z"
CROSS = "M-7-7L7 7M7-7L-7 7"
HEX = "M24 0L12 21H-12L-24 0L-12-21H12Z"
SMALL_HEX = "M21.2 0L10.6 18.6H-10.6L-21.2 0L-10.6-18.6H10.6Z"
"""One hex of an earth, a little inside its sides."""

_SHIELD = "M-11.6-12H11.6V1.2Q11.2 8.6 0 14.2Q-11.2 8.6-11.6 1.2Z"
_ARCH = "M-11.6 12V-1.4Q-11.2-8.8 0-14Q11.2-8.8 11.6-1.4V12Z"


@cache
def counter(hue: str, paint: Paint) -> Shape:
    """The shape of a hue's counters: each hue has its own, so that colour never speaks alone."""
    match hue:
        case "crimson":
            return Circle(0, 0, "12.6", paint)
        case "amber":
            return Rect("-11.4", "-11.4", "22.8", "22.8", paint, rx="3.4")
        case "jade":
            return Path("M0-13.6L11.8-6.8V6.8L0 13.6L-11.8 6.8V-6.8Z", paint)
        case "azure":
            return Path(_SHIELD, paint)
        case "violet":
            return Path("M0-15.6L15.6 0L0 15.6L-15.6 0Z", paint)
        case _:
            return Path(_ARCH, paint)


FIGURE_SCALE = {
    "crimson": "0.7",
    "amber": "0.74",
    "jade": "0.68",
    "azure": "0.68",
    "violet": "0.6",
    "slate": "0.7",
}
"""How large a silhouette stands on each shape of counter."""


def pip(hue: str, paint: Paint) -> Shape:
    """The owner's mark on an earth: his counter in little."""
    match hue:
        case "crimson":
            return Circle(0, 0, "3.6", paint)
        case "amber":
            return Rect("-3.2", "-3.2", "6.4", "6.4", paint)
        case "jade":
            return Path("M0-4.2L3.6-2.1V2.1L0 4.2L-3.6 2.1V-2.1Z", paint)
        case "azure":
            return Path("M-3.4-3.6H3.4V.4Q3.2 2.6 0 4.2Q-3.2 2.6-3.4 .4Z", paint)
        case "violet":
            return Path("M0-4.6L4.6 0L0 4.6L-4.6 0Z", paint)
        case _:
            return Path("M-3.4 3.6V-.4Q-3.2-2.6 0-4.2Q3.2-2.6 3.4-.4V3.6Z", paint)


def token_id(hue: str, name: str) -> str:
    """The symbol of a hue's counter: `tok-crimson-great-dragon`."""
    return f"tok-{hue}-{name.replace(' ', '-')}"


def figure(name: str) -> tuple[Shape, ...]:
    """A piece's silhouette; its initial where a GM's rules name a creature that nobody has drawn."""
    drawn = SILHOUETTES.get(name.rstrip("0123456789 "))
    letter = Label(0, 7, name[:1].upper(), 20, weight="700")
    number = name.rpartition(" ")[2]
    shown: tuple[Shape, ...] = drawn or (letter,)
    return (*shown, Label(11, 13, number, 11, weight="700")) if number.isdigit() else shown


def figure_id(name: str) -> str:
    """The symbol of a silhouette: `y-great-dragon`."""
    return f"y-{name.replace(' ', '-')}"


def figure_symbol(name: str) -> Symbol:
    """A silhouette, without colour."""
    return Symbol(figure_id(name), figure(name))


def counter_symbol(hue: str) -> Symbol:
    """The bare counter of a hue, with the paper around it."""
    return Symbol(f"ct-{hue}", (counter(hue, paper("3.6")), counter(hue, fill(hue))))


def piece_symbol(hue: str, name: str) -> Symbol:
    """A piece's counter; the wizard alone wears a ring, for distances count from him (F5.1)."""
    shown = Use(figure_id(name), scale=FIGURE_SCALE[hue], paint=ON)
    bare = Use(f"ct-{hue}")
    if name != WIZARD:
        return Symbol(token_id(hue, name), (bare, shown))
    ring = Group((counter(hue, line(hue, "1.5")),), transform="scale(1.22)")
    return Symbol(token_id(hue, name), (counter(hue, paper(8)), ring, bare, shown), (-20, -20, 40, 40))


@cache
def earth_paint(hue: str) -> Paint:
    """Tint, outline and ink of a hue's earths, for what is drawn in `currentColor`."""
    return Paint(fill=TINT[hue], stroke=MAIN[hue], color=DEEP[hue], classes=f"g-{hue} e-{hue}")


_OUTLINE = Paint(width="2.2", join="round")


def earth_symbol(hue: str, earth: str) -> Symbol:
    """One hex of an earth as an icon."""
    shown = Group((Path(SMALL_HEX, _OUTLINE), Use(f"t-{earth}")), paint=earth_paint(hue))
    return Symbol(token_id(hue, earth), (shown,), (-23, -23, 46, 46))


PAIRS: dict[tuple[int, int], tuple[tuple[str, str], ...]] = {
    (0, 1): (
        ("-9.2", "21"), ("-21.2", "0"), ("-10.6", "-18.6"), ("10.6", "-18.6"), ("21.2", "0"),
        ("9.2", "21"), ("21.2", "42"), ("10.6", "60.6"), ("-10.6", "60.6"), ("-21.2", "42"),
    ),
    (1, -1): (
        ("22.6", "-2.4"), ("10.6", "18.6"), ("-10.6", "18.6"), ("-21.2", "0"), ("-10.6", "-18.6"),
        ("13.4", "-18.6"), ("25.4", "-39.6"), ("46.6", "-39.6"), ("57.2", "-21"), ("46.6", "-2.4"),
    ),
    (1, 0): (
        ("13.4", "18.6"), ("-10.6", "18.6"), ("-21.2", "0"), ("-10.6", "-18.6"), ("10.6", "-18.6"),
        ("22.6", "2.4"), ("46.6", "2.4"), ("57.2", "21"), ("46.6", "39.6"), ("25.4", "39.6"),
    ),
}  # fmt: skip
"""The outline of two hexes, a little inside their sides, by the step from the first to the second."""
_PAIR_NAMES = {(0, 1): "s", (1, -1): "ne", (1, 0): "se"}


def pair_id(step: tuple[int, int], earth: str = "") -> str:
    """The symbol of an earth on two hexes, or of their bare outline."""
    return f"{earth or 'pair'}-{_PAIR_NAMES[step]}"


def pair_symbol(step: tuple[int, int], earth: str) -> Symbol:
    """An earth on two hexes about the first one's centre, in the colours of whoever shows it."""
    q, r = step
    second = Use(f"t-{earth}", 36 * q, 42 * r + 21 * q)
    return Symbol(pair_id(step, earth), (Polygon(PAIRS[step], _OUTLINE), Use(f"t-{earth}"), second))


def pair_outline(step: tuple[int, int]) -> Symbol:
    """The bare outline of two hexes, for casts that failed and earths destroyed."""
    return Symbol(pair_id(step), (Polygon(PAIRS[step]),))


ORB_LINE = Paint(fill="url(#g-orb)", stroke="#8A6612", width="1.1", classes="s-orbline")
ORB_TEXT = Paint(fill="#3A2A06", classes="k-orbtext")
RING = "12.4"
_RING_LENGTH = 7791
"""Of the ring about a globe, in hundredths."""


def globe_id(value: int, hue: str = "") -> str:
    """The symbol of a globe, with its owner's ring if it has one."""
    return f"tok-globe-{value}-{hue}" if hue else f"tok-globe-{value}"


def globe_symbol(value: int) -> Symbol:
    """A globe with its value."""
    digits = len(str(value))
    items: tuple[Shape, ...] = (
        Circle(0, 0, 21, Paint(fill="url(#g-halo)")),
        Circle(0, 0, "9.6", ORB_LINE),
        Label(
            0, "4.4", str(value), ("12.5", "12.5", "10.5", "8", "6.4")[min(digits, 4)], ORB_TEXT, weight="700"
        ),
    )
    return Symbol(globe_id(value), items, (-18, -18, 36, 36))


def owned_globe_symbol(value: int, hue: str) -> Symbol:
    """A globe in the ring of its owner."""
    return Symbol(
        globe_id(value, hue), (Use(globe_id(value)), *ring_part(hue, 0, 1).items), (-18, -18, 36, 36)
    )


def ring_part(hue: str, index: int, count: int) -> Symbol:
    """One owner's part of a globe's ring: the whole, or every so-manieth arc where it is disputed."""
    name = f"ring-{hue}-{index}-{count}"
    if count == 1:
        return Symbol(name, (Circle(0, 0, RING, line(hue, "3.2", cap="butt")),))
    arc = _RING_LENGTH // (2 * count)
    parts = (0, index * arc, arc, (count - 1 - index) * arc)
    dash = " ".join(f"{part // 100}.{part % 100:02}" for part in parts)
    return Symbol(name, (Circle(0, 0, RING, line(hue, "3.2", dash, "butt")),))


def corner_symbol(value: int, hue: str) -> Symbol:
    """A corner's globe, larger than the others."""
    items: tuple[Shape, ...] = (
        Circle(0, 0, 27, Paint(fill="url(#g-halo)")),
        Circle(0, 0, "14.6", ORB_LINE),
        Circle(0, 0, "14.6", line(hue, 4)),
        Label(0, "4.8", str(value), "13.5" if value < 100 else "11", ORB_TEXT, weight="700"),
    )
    return Symbol(f"tok-corner-{hue}", items, (-20, -20, 40, 40))


_HATCHES: dict[str, tuple[int, Shape]] = {
    "crimson": (5, Path("M2.5 0V5")),
    "amber": (5, Circle("2.5", "2.5", 1)),
    "jade": (6, Path("M-1-1L7 7M-1 5L1 7M5-1L7 1")),
    "azure": (5, Path("M0 2.5H5")),
    "violet": (6, Path("M7-1L-1 7M1-1L-1 1M7 5L5 7")),
    "slate": (5, Path("M0 2.5H5M2.5 0V5")),
}


@cache
def hatching(hue: str) -> Pattern:
    """The heralds' hatching of a hue's band: gules upright, azure level, or dotted, and so on."""
    size, drawn = _HATCHES[hue]
    look = fill(hue) if isinstance(drawn, Circle) else line(hue, "1.3", cap="butt")
    ground = Rect(0, 0, size, size, fill(hue, "0.2"))
    return Pattern(f"p-{hue}", size, size, (ground, Group((drawn,), paint=look)))


def stripe(hue: str) -> Symbol:
    """A stripe of a hue, as high as the tile of a dispute."""
    return Symbol(f"st-{hue}", (Rect(0, 0, "3.4", 14, fill(hue, "0.34")),))


def stripes(hues: tuple[str, ...]) -> Pattern:
    """The ground of a dispute: a stripe of each hue in turn."""
    bars = tuple(Use(f"st-{hue}", index * 7) for index, hue in enumerate(hues))
    return Pattern(stripes_id(hues), 7 * len(hues), 14, bars, "rotate(45)")


def stripes_id(hues: tuple[str, ...]) -> str:
    """The pattern of a dispute between these hues."""
    return f"d-{'-'.join(hues)}"


GRADIENTS: tuple[Definition, ...] = (
    RadialGradient(
        "g-orb",
        (
            Stop("0", "#FFFFFF", classes="k-orb0"),
            Stop("0.38", "#FFEFB8", classes="k-orb1"),
            Stop("1", "#EFC44E", classes="k-orb2"),
        ),
        "0.38",
        "0.32",
        "0.75",
    ),
    RadialGradient(
        "g-halo",
        (
            Stop("0.35", "#F2C94C", "0.75", "k-halo"),
            Stop("0.62", "#F2C94C", "0.28", "k-halo"),
            Stop("1", "#F2C94C", "0", "k-halo"),
        ),
    ),
    RadialGradient(
        "g-plains",
        (Stop("0.35", PLAINS, classes="k-plains"), Stop("1", "#F1EADA", classes="k-plains2")),
    ),
)

MARKS: tuple[Definition, ...] = (
    Symbol("hx", (Path(HEX),)),
    Symbol("hx-in", (Path(SMALL_HEX),)),
    Symbol("sword", SWORD),
    Symbol(
        "spark",
        (Path(SPARK, paper_line("2.6")), Path(SPARK, Paint(fill=GOLD, classes="f-gold"))),
    ),
    Symbol("cross", (Path(CROSS, paper_line("7.5")), Path(CROSS, _line("3.6")))),
    Symbol("rubble", (Path(RUBBLE, paper_line("3")), Path(RUBBLE))),
    Symbol(
        "struck",
        (
            Path("M-13 13L13-13", Paint(fill="none", stroke=PAPER, width=7, classes="s-paper")),
            Path("M-14 14L14-14", Paint(fill="none", stroke=INK, width="3.4", cap="round", classes="s-ink")),
        ),
    ),
)
