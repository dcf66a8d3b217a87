"""The look of Magic: tokens of figures, badges of states, and what lies on the table, as shapes.

Paint carries the light theme; the class beside it lets a page recolour it. The boche are circles and
the noman squares, so that colour never speaks alone: hollow is green, a ring veteran, a star leader.
A dashed token is its own side's alone to see.
"""

from collections.abc import Iterator
from functools import cache

from pbem.drawing import (
    Circle,
    Definition,
    Group,
    Length,
    Paint,
    Path,
    Pattern,
    RadialGradient,
    Rect,
    Shape,
    Stop,
    Symbol,
)
from pbem.rulesets.magic.names import GRADES, PRIESTS, SIDES

PAPER = "#FBF8F1"
INK = "#221E18"
MUTED = "#655D4F"
PLAINS = "#F8F4E9"
FRAME = "#6B5F48"
GOLD = "#9A6B00"
CHORD_COLOUR = "#5A2170"
MAIN = {"boche": "#0052B4", "noman": "#C71438"}
TEXT = {"boche": "#0052B4", "noman": "#A80F2E"}

INKED = Paint(fill=INK, classes="f-ink")
MUTED_FILL = Paint(fill=MUTED, classes="f-muted")
LABEL = Paint(fill="#5B5241", classes="f-lbl")
HALOED = Paint(fill="#5B5241", classes="f-lbl s-plains")
CHORD_TEXT = Paint(fill=CHORD_COLOUR, classes="f-chord s-plains")
ON = Paint(fill="#FFFFFF", color="#FFFFFF", classes="k-on")
_CURRENT = Paint(fill="currentColor")


@cache
def fill(side: str, opacity: str | None = None) -> Paint:
    """Filled in a side's colour."""
    return Paint(fill=MAIN[side], fill_opacity=opacity, classes=f"f-{side}")


@cache
def line(side: str, width: Length, dash: str | None = None, cap: str = "round") -> Paint:
    """A line in a side's colour."""
    return Paint(
        fill="none", stroke=MAIN[side], width=width, dash=dash, cap=cap, join="round", classes=f"s-{side}"
    )


@cache
def text(side: str) -> Paint:
    """Letters in a side's colour, with a halo of the plains."""
    return Paint(fill=TEXT[side], classes=f"f-{side}x s-plains")


@cache
def paper_line(width: Length) -> Paint:
    """The paper under a line, so that it stands off from what it crosses."""
    return Paint(
        fill="none", stroke=PAPER, width=width, cap="round", join="round", stroke_opacity="0.85",
        classes="s-paper",
    )  # fmt: skip


@cache
def paper(width: Length) -> Paint:
    """The paper under a shape."""
    return Paint(fill=PAPER, stroke=PAPER, width=width, join="round", classes="f-paper s-paper")


def chord_line(width: Length, opacity: str | None = None) -> Paint:
    """A ring of the chord."""
    return Paint(fill="none", stroke=CHORD_COLOUR, width=width, stroke_opacity=opacity, classes="s-chord")


def _stroke(width: Length) -> Paint:
    return Paint(fill="none", stroke="currentColor", width=width, cap="round", join="round")


STAR = Path("M0-9.6L2.4-3.2H9.2L3.8.9L5.8 7.6L0 3.6L-5.8 7.6L-3.8.9L-9.2-3.2H-2.4Z", _CURRENT)
BURST = "M0-11L2.6-3.6L9.6-6.2L5.4 0L9.6 6.2L2.6 3.6L0 11L-2.6 3.6L-9.6 6.2L-5.4 0L-9.6-6.2L-2.6-3.6Z"
PRIEST_SIGNS: dict[str, tuple[Shape, ...]] = {
    "schtuck": (Path("M-10-9H10Q12-9 12-7V4Q12 6 10 6H1L-5 12V6H-10Q-12 6-12 4V-7Q-12-9-10-9Z", _CURRENT),),
    "achtung": (
        Path(
            "M-8.6-11.4Q-3.6-9.4-4.6-4.4Q-6.8 1-4.6 4.4Q-2.6 6.8 0 6.8Q2.6 6.8 4.6 4.4Q6.8 1 4.6-4.4"
            "Q3.6-9.4 8.6-11.4M-5-6.6H5M-1.8-6.6V6M1.8-6.6V6M0 6.8V11.6M-4.4 11.6H4.4",
            _stroke("2.2"),
        ),
    ),
    "wasserpferd": (
        Path(
            "M.4 1Q-2.6 2.2-3-.8Q-2.8-4.4 1.4-4.2Q6.2-3.4 5.6 1.6Q4.4 6.8-1 6.4Q-7.6 5.2-7.6-1.4"
            "Q-6.8-8.8.8-9.6Q9.4-9.2 10.8-1",
            _stroke("2.6"),
        ),
    ),
}
STANDARD_SIGN = (
    Path("M-1.2-12H1.2V12H-1.2Z", _CURRENT),
    Path(
        "M-9.6-9.8Q-5.6-8.4-1.6-9.8V-6.2Q-5-3.4-9.6-5.4ZM9.6-9.8Q5.6-8.4 1.6-9.8V-6.2Q5-3.4 9.6-5.4Z",
        _CURRENT,
    ),
    Path("M-7-2.6H7V6.4L3.6 4.4L0 6.4L-3.6 4.4L-7 6.4Z", _CURRENT),
)
BADGES: dict[str, tuple[Shape, ...]] = {
    "freeze": (
        Path("M0-8V8M-7-4L7 4M-7 4L7-4M-2.4-6.6L0-4.4L2.4-6.6M-2.4 6.6L0 4.4L2.4 6.6", _stroke("2.1")),
    ),
    "out": (Path("M-7-4L-2 1M-2-4L-7 1M2-4L7 1M7-4L2 1M-4 6.4H4", _stroke("2.1")),),
    "flee": (Path("M-7-4.6L-2 0L-7 4.6M-.6-4.6L4.4 0L-.6 4.6", _stroke("2.1")),),
    "rout": (Path("M-8-5L-3.6 0L-8 5M-2.6-5L1.8 0L-2.6 5M2.8-5L7.2 0L2.8 5", _stroke("2.1")),),
    "compelled": (Path("M-7.6-6.6H7.6V3H1.6L-3 7.4V3H-7.6ZM0-4.4V-1.4M0 .6V.7", _stroke("2.1")),),
    "berserk": (
        Path("M-8-5.4L-2.4-2.6M8-5.4L2.4-2.6M-5.4 5.6L-3.2 3L-1 5.6L1 3L3.2 5.6L5.4 3", _stroke("2.1")),
        Path("M-4.2-.4V0M4.2-.4V0", _stroke("3.2")),
    ),
    "stealth": (
        Path("M-8 0Q0-7.6 8 0Q0 7.6-8 0ZM-7 7L7-7", _stroke("2.1")),
        Circle(0, 0, 2, _CURRENT),
    ),
    "ambush": (Path("M-8 5.6Q-8.4.8-4.4.4Q-4.6-5.2 0-5.2Q4.6-5.2 4.4.4Q8.4.8 8 5.6Z", _stroke("2.1")),),
    "prepares": (
        Path("M-3-6.4V3.6M-3-6.4L5-8V2M-3 3.6A2.4 2 0 1 1-5.4 2.6M5 2A2.4 2 0 1 1 2.6 1", _stroke("2.1")),
    ),
    "wounded": (Path("M0-8Q5.4-1 5.2 2.6Q4.6 7.2 0 7.2Q-4.6 7.2-5.2 2.6Q-5.4-1 0-8Z", _CURRENT),),
    "engaged": (Path("M-6-6L6 6M6-6L-6 6M-6.6 2.6L-2.6 6.6M6.6 2.6L2.6 6.6", _stroke("2.1")),),
    "belly": (Circle(0, 1, "6.4", _stroke("2.1")), Path("M0 .6V1.2M-3-8H3", _stroke("2.4"))),
    "good": (Path("M-6 0L-1.6 4.8L6.6-5", _stroke("2.6")),),
    "spins": (Path("M6.6-1.6A6.8 6.8 0 1 0 5 4.4M7.4-6.6L6.8-1.4L1.8-2.4", _stroke("2.1")),),
}
"""Pictures of states, in a box of 16 about the origin."""
BADGE_NAMES = {
    "freeze": "frozen", "out": "out of action", "flee": "flees", "rout": "routs", "compelled": "compelled",
    "berserk": "berserk", "stealth": "stealthy", "ambush": "in ambush", "prepares": "prepares",
    "wounded": "wounded", "engaged": "engaged", "belly": "bloated", "good": "+2 morale",
    "spins": "spins around",
}  # fmt: skip
BADGE_OF = {
    "out of action": "out", "freeze": "freeze", "rout": "rout", "flee": "flee", "compelled": "compelled",
    "berserk": "berserk", "preparing berserk": "prepares", "stealth": "stealth", "hiding": "stealth",
    "ambush": "ambush", "good boy": "good", "better the khylie you know": "good", "bloated belly": "belly",
    "spinning around": "spins",
}  # fmt: skip
"""The badge of each state."""


def token_id(
    side: str, grade: str = "regular", priest: str | None = None, *, unseen: bool = False, dead: bool = False
) -> str:
    """The symbol of a figure; of a side, its regular."""
    kind = "dead" if dead else "unseen" if unseen else priest or grade
    return f"tok-{side}-{kind}"


def _body(side: str, radius: int, paint: Paint) -> Shape:
    """A circle for the boche, a square of the same surface for the noman."""
    if side == "boche":
        return Circle(0, 0, radius, paint)
    half = radius * 92 // 10
    at, width = f"-{half // 10}.{half % 10}", f"{2 * half // 10}.{2 * half % 10}"
    return Rect(at, at, width, width, paint, rx="2.8")


def _token(side: str, radius: int, *items: Shape) -> tuple[Shape, ...]:
    return (_body(side, radius, paper(5)), *items)


def _hollow(side: str, width: Length, dash: str | None = None) -> Paint:
    return Paint(fill=PAPER, stroke=MAIN[side], width=width, dash=dash, classes=f"f-paper s-{side}")


_RING = Paint(fill="none", stroke="#FFFFFF", width="2.2", classes="f-none k-onl")


def tokens(side: str) -> Iterator[Definition]:
    """All tokens of a side."""
    solid = _body(side, 14, fill(side))
    shapes: dict[str, tuple[Shape, ...]] = {
        "green": (_body(side, 12, _hollow(side, "4.4")),),
        "regular": (solid,),
        "veteran": (solid, _body(side, 9, _RING)),
        "leader": (solid, Group((STAR,), paint=ON)),
        "unseen": (_body(side, 13, _hollow(side, "2.6", "5 4")),),
        "dead": (_body(side, 13, _hollow(side, 2)), Path("M-8-8L8 8M8-8L-8 8", line(side, 3))),
    }
    for name in (*GRADES, "unseen", "dead"):
        yield Symbol(f"tok-{side}-{name}", _token(side, 14, *shapes[name]))
    for name in PRIESTS:
        sign = Group(PRIEST_SIGNS[name], paint=ON)
        yield Symbol(
            f"tok-{side}-{name}", _token(side, 20, _body(side, 20, fill(side)), sign), (-22, -22, 44, 44)
        )
    sign = Group(STANDARD_SIGN, paint=ON)
    yield Symbol(
        f"tok-{side}-standard", _token(side, 17, _body(side, 17, fill(side)), sign), (-20, -20, 40, 40)
    )


def badges() -> Iterator[Definition]:
    """The badges of states."""
    plate = Paint(fill="#FFFFFF", stroke=INK, width="1.5", classes="f-card s-ink")
    ink = Paint(color=INK, classes="c-ink")
    for name, items in BADGES.items():
        yield Symbol(
            f"b-{name}",
            (Circle(0, 0, 11, plate), Group(items, paint=ink, transform="scale(0.88)")),
            (-13, -13, 26, 26),
        )


_ROCK = Paint(fill="#E4D6BC", stroke="#5E4A2C", width=4, join="round", classes="m-barn")
_WOOD = Paint(
    fill="#DCE6CF", stroke="#76905D", width="2.6", dash="2 7", cap="round", join="round", classes="m-wood"
)
_WALL = Paint(fill="#D3E6EC", stroke="#5A93AC", width=4, join="round", classes="f-lake s-shore")
_OPEN = Paint(fill="none", stroke=FRAME, width=2, dash="8 6", classes="f-none s-frame")


def terrain_paint(*, sight: bool, movement: bool) -> Paint:
    """How terrain looks by what it blocks: its edges are exactly those that the rules ask."""
    if sight:
        return _ROCK if movement else _WOOD
    return _WALL if movement else _OPEN


def things() -> Iterator[Definition]:
    """What lies on the table, and marks."""
    yield Symbol(
        "tree",
        (
            Path(
                "M0-14l8 13h-16zM0-6l9.6 14h-19.2zM-1.8 8h3.6v5h-3.6z",
                Paint(fill="#76905D", classes="m-tree"),
            ),
        ),
    )
    straw = Paint(fill="#E8D08E", stroke="#8A6612", width="2.4", classes="m-straw")
    yield Symbol(
        "fuel", (Path("M-20 14Q-24-8 0-20Q24-8 20 14Z", straw), Path("M-8 12Q-8 0-3-8M8 12Q8 0 3-8", straw))
    )
    flame = Paint(fill="#D9480F", stroke=PAPER, width=1, classes="m-fire")
    core = Paint(fill="#FFD37A", classes="m-glow")
    yield Symbol(
        "flame",
        (
            Path("M0-22Q14-9 13 4Q11 17 0 17Q-11 17-13 4Q-12-3-6-9Q-5-3-2-2Q-3-12 0-22Z", flame),
            Path("M0 15Q6 13 6 6Q5 1 0-4Q-5 2-6 6Q-6 13 0 15Z", core),
        ),
    )
    beam = Paint(fill=PAPER, stroke="#5E4A2C", width="2.4", classes="f-paper m-roof")
    bolt = Paint(fill="#5E4A2C", classes="m-beam")
    yield Symbol("door", (Rect(-9, -9, 18, 18, beam, rx=2), Circle(4, 0, 2, bolt)))
    yield Symbol(
        "lock",
        (
            Rect(-9, -6, 18, 14, beam, rx=3),
            Circle(0, 1, 3, bolt),
            Path("M-5-6V-9Q0-15 5-9V-6", _line("#5E4A2C", "2.4", "m-roof")),
        ),
    )
    yield Symbol("open", (Path("M-9-9V9M-9-9L7-4V12L-9 9", _line("#5E4A2C", "2.4", "m-roof")),))
    yield Symbol("burst", (Path(BURST, _CURRENT),))
    yield Symbol(
        "swords",
        (
            Circle(0, 0, 10, Paint(fill=PAPER, stroke=FRAME, width="1.2", classes="f-paper s-frame")),
            Path("M-5-5L5 5M5-5L-5 5M-5.6 2.2L-2.2 5.6M5.6 2.2L2.2 5.6", _line(INK, 2, "s-ink")),
        ),
    )


def _line(colour: str, width: Length, classes: str) -> Paint:
    return Paint(fill="none", stroke=colour, width=width, cap="round", join="round", classes=classes)


GRADIENT = RadialGradient(
    "g-plains", (Stop("0.5", PLAINS, classes="k-plains"), Stop("1", "#F1EADA", classes="k-plains2"))
)
ROAD = Pattern(
    "p-road",
    16,
    16,
    (Rect(0, 0, 6, 16, Paint(fill=GOLD, fill_opacity="0.28", classes="f-gold")),),
    "rotate(45)",
)


def definitions() -> Iterator[Definition]:
    """All that a map of Magic is drawn with."""
    yield GRADIENT
    yield ROAD
    for side in SIDES:
        yield from tokens(side)
    yield from badges()
    yield from things()
