"""A map of 331 hexes such as Flux draws, made by hand: shapes, symbols, layers and classes."""

from pbem.drawing import (
    Circle,
    Clip,
    Drawing,
    Group,
    Label,
    Paint,
    Path,
    Pattern,
    Point,
    Polygon,
    RadialGradient,
    Rect,
    Shape,
    Stop,
    Symbol,
    Use,
)

HUES = {
    "crimson": ("#C71438", "#EBB8B9", "#FF4D6D"),
    "amber": ("#C97914", "#EBD3AF", "#FFB21A"),
    "azure": ("#0052B4", "#BCCDDC", "#3F8CFF"),
    "violet": ("#5A2170", "#D2C1CC", "#A855E0"),
}
RADIUS = 10
LETTERS = "ABCDEFGHIJKLMNOPQRSTU"
LAKES = [(-8, 2), (-8, 3), (-3, -5), (2, -5), (2, 6), (3, 2), (5, -8), (8, -3), (-5, 3), (-2, 5)]
COUNTERS: dict[str, Shape] = {
    "crimson": Circle(0, 0, "12.6", Paint("#C71438", "#FBF8F1", 2, classes="f-crimson s-paper")),
    "amber": Rect(-11, -11, 22, 22, Paint("#C97914", "#FBF8F1", 2, classes="f-amber s-paper"), 3),
    "azure": Path(
        "M-11.6-12H11.6V1.2Q11.2 8.6 0 14.2Q-11.2 8.6-11.6 1.2Z",
        Paint("#0052B4", "#FBF8F1", 2, classes="f-azure s-paper"),
    ),
    "violet": Path(
        "M0-15.6L15.6 0L0 15.6L-15.6 0Z", Paint("#5A2170", "#FBF8F1", 2, classes="f-violet s-paper")
    ),
}
WIZARD = "M-8 5Q-6 3-4 3L-2-5Q-1-8 3-8Q5-8 5-6Q3-7 2-5L4 3Q6 3 8 5Q0 9-8 5Z"
KNIGHT = "M-6-6Q0-10 6-6V2Q6 7 0 9Q-6 7-6 2ZM-4-2H4V0H-4Z"
EARTHS = [
    ("crimson", (-3, -1), (-4, 0)),
    ("crimson", (1, -2), (0, -1)),
    ("amber", (5, -4), (6, -4)),
    ("azure", (2, 4), (2, 5)),
    ("violet", (-7, 4), (-7, 5)),
]
PIECES = [
    ("crimson", "wizard", (-1, -3)),
    ("crimson", "knight", (4, -3)),
    ("amber", "wizard", (6, -5)),
    ("azure", "wizard", (0, 6)),
    ("azure", "knight", (-1, 7)),
    ("violet", "wizard", (-7, 8)),
]
GLOBES = [(0, -6, 2), (-2, -4, 2), (-3, 2, 4), (0, 0, 4), (3, 5, 2), (-6, 6, 2), (7, -5, 2), (4, -6, 2)]


def centre(q: int, r: int) -> tuple[int, int]:
    return 36 * q, 42 * r + 21 * q


def name(q: int, r: int) -> str:
    return f"{LETTERS[q + RADIUS]}{r + RADIUS + 1 + min(q, 0)}"


def hexagon(q: int, r: int) -> tuple[Point, ...]:
    x, y = centre(q, r)
    return ((x + 24, y), (x + 12, y + 21), (x - 12, y + 21), (x - 24, y), (x - 12, y - 21), (x + 12, y - 21))


def hexes() -> list[tuple[int, int]]:
    span = range(-RADIUS, RADIUS + 1)
    return [(q, r) for q in span for r in span if abs(q + r) <= RADIUS]


def definitions() -> tuple[RadialGradient | Pattern | Clip | Symbol, ...]:
    orb = RadialGradient(
        "g-orb",
        (
            Stop("0", "#FFFFFF", classes="k-orb0"),
            Stop(".38", "#FFEFB8", classes="k-orb1"),
            Stop("1", "#EFC44E", classes="k-orb2"),
        ),
        ".38",
        ".32",
        ".75",
    )
    bands = [
        Pattern(
            f"p-{hue}",
            5,
            5,
            (
                Rect(0, 0, 5, 5, Paint(colour, fill_opacity=".2", classes=f"f-{hue}")),
                Path("M2.5 0V5", Paint(stroke=colour, width="1.3", classes=f"s-{hue}")),
            ),
        )
        for hue, (colour, _, _) in HUES.items()
    ]
    tokens = [
        Symbol(
            f"tok-{hue}-{kind}",
            (COUNTERS[hue], Path(glyph, Paint("#FFFFFF", rule="evenodd", classes="k-on"))),
        )
        for hue in HUES
        for kind, glyph in (("wizard", WIZARD), ("knight", KNIGHT))
    ]
    earths = [
        Symbol(
            f"tok-{hue}-forest",
            (
                Path(
                    "M21.5 0L10.7 18.8H-10.7L-21.5 0L-10.7-18.8H10.7Z",
                    Paint(tint, colour, "2.2", join="round", classes=f"g-{hue}"),
                ),
                Path("M-6 8L0-10L6 8Z", Paint(colour, classes=f"i-{hue}")),
            ),
            (-25, -23, 50, 46),
        )
        for hue, (colour, tint, _) in HUES.items()
    ]
    board = Clip("c-board", ((0, -441), (378, -221), (378, 221), (0, 441), (-378, 221), (-378, -221)))
    return (orb, *bands, *tokens, *earths, board)


def board_layers() -> tuple[Shape, ...]:
    plains = Polygon(
        ((0, -420), (360, -210), (360, 210), (0, 420), (-360, 210), (-360, -210)),
        Paint("#F8F4E9", "#6B5F48", 3, classes="f-plains s-frame"),
    )
    grid = Paint("none", "#E0D6BF", 1, classes="s-grid")
    washes = [
        (hue, ((36 * x, 42 * y) for x, y in outline))
        for hue, outline in {
            "crimson": ((-4, -2), (0, -10), (5, -2), (0, -1)),
            "amber": ((2, -7), (10, -5), (8, 1), (3, 1)),
            "azure": ((-1, 3), (1, 0), (5, 4), (0, 10)),
            "violet": ((-10, 3), (-6, -2), (-1, 3), (-4, 7)),
        }.items()
    ]
    ground = [
        plains,
        *(
            Polygon(
                tuple(outline), Paint(HUES[hue][2], HUES[hue][0], 3, fill_opacity=".13", classes=f"w-{hue}")
            )
            for hue, outline in washes
        ),
        *(Polygon(hexagon(q, r), Paint("#D3E6EC", "#5A93AC", 1, classes="f-lake s-shore")) for q, r in LAKES),
        *(Polygon(hexagon(q, r), grid) for q, r in hexes()),
        *(
            Polygon(hexagon(q, r), Paint(HUES[hue][1], HUES[hue][0], 2, classes=f"g-{hue}"))
            for hue, *both in EARTHS
            for q, r in both
        ),
        Path("M-48 -399L-60 -336L-84 -315L-96 -252", Paint("none", "#4B8CAB", 5, classes="s-river")),
    ]
    globes = [
        Group(
            (
                Circle(x, y, 11, Paint("url(#g-orb)", "#8A6612", 1, classes="s-orbline")),
                Label(x, y + 4, str(value), 11, Paint("#3A2A06", classes="k-orbtext"), weight="700"),
            ),
            title=f"Globe at {name(q, r)}, worth {value}",
        )
        for q, r, value in GLOBES
        for x, y in [centre(q, r)]
    ]
    words = [
        Label(
            x,
            y + 17,
            name(q, r),
            "9.6",
            Paint("#5B5241", classes="f-lbl s-plains"),
            halo="#F8F4E9",
            halo_width="2.4",
        )
        for q, r in hexes()
        for x, y in [centre(q, r)]
    ]
    pieces = [
        Group((Use(f"tok-{hue}-{kind}", x, y - 3),), title=f"{hue}'s {kind} at {name(q, r)}")
        for hue, kind, (q, r) in PIECES
        for x, y in [centre(q, r)]
    ]
    return (
        Group(tuple(ground), id="board", clip="c-board"),
        Group(tuple(globes), id="globes"),
        Group(tuple(words), id="labels", paint=Paint(classes="labels")),
        Group(tuple(pieces), id="pieces"),
    )


def sample_map() -> Drawing:
    legend = Group(
        (
            Label(
                -390,
                -400,
                "The Great Plains of Grob",
                20,
                Paint("#221E18", classes="f-ink serif"),
                "start",
                "600",
            ),
            Label(-390, -378, "as turn 3 of 10 left them", 12, Paint("#655D4F", classes="f-muted"), "start"),
        ),
        paint=Paint(classes="legend"),
    )
    return Drawing(
        (-400, -458, 800, 916),
        "Map of grob after turn 3",
        "Board of 331 hexes. Crimson has a wizard and a knight, & so on <in words below>.",
        definitions(),
        (*board_layers(), legend),
    )


def sample_thumbnail() -> Drawing:
    plains = Polygon(
        ((0, -420), (360, -210), (360, 210), (0, 420), (-360, 210), (-360, -210)),
        Paint("#F8F4E9", "#6B5F48", 6, classes="f-plains s-frame"),
    )
    pieces = [Circle(*centre(q, r), 18, Paint(HUES[hue][0], classes=f"f-{hue}")) for hue, _, (q, r) in PIECES]
    return Drawing((-400, -458, 800, 916), "Turn 3", "", (), (plains, *pieces))
