"""A drawing as a value: what a ruleset's view gives for its map, before anybody writes SVG.

Lengths are user units: ints, or decimal numbers as text (`"1.5"`), so that the same drawing gives
the same bytes everywhere. `classes` let a page recolour what the paint's own colours say in the
light theme; a drawing that stands alone needs the paint only.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Length: TypeAlias = int | str
Point: TypeAlias = tuple[Length, Length]


class Paint(NamedTuple):
    """How a shape looks: SVG presentation attributes, left out where None."""

    fill: str | None = None
    stroke: str | None = None
    width: Length | None = None
    dash: str | None = None
    opacity: str | None = None
    fill_opacity: str | None = None
    stroke_opacity: str | None = None
    cap: str | None = None
    join: str | None = None
    rule: str | None = None
    color: str | None = None
    """What `currentColor` is inside."""
    classes: str = ""


PLAIN = Paint()


class Path(NamedTuple):
    """An SVG path; `d` is its path data."""

    d: str
    paint: Paint = PLAIN
    id: str = ""


class Polygon(NamedTuple):
    """A closed polygon."""

    points: tuple[Point, ...]
    paint: Paint = PLAIN
    id: str = ""


class Polyline(NamedTuple):
    """An open line through points."""

    points: tuple[Point, ...]
    paint: Paint = PLAIN
    id: str = ""


class Circle(NamedTuple):
    """A circle about (x, y)."""

    x: Length
    y: Length
    r: Length
    paint: Paint = PLAIN


class Rect(NamedTuple):
    """A rectangle from its upper left corner; `rx` rounds its corners."""

    x: Length
    y: Length
    width: Length
    height: Length
    paint: Paint = PLAIN
    rx: Length | None = None


class Label(NamedTuple):
    """Text at (x, y), its baseline; `anchor` is start, middle or end; `halo` is painted under it."""

    x: Length
    y: Length
    text: str
    size: Length | None
    """None inside a group with lettering, which then says all but place, text and paint."""
    paint: Paint = PLAIN
    anchor: str = "middle"
    weight: str | None = None
    halo: str | None = None
    """A colour painted around the letters, `halo_width` wide, under their fill."""
    halo_width: Length = 3
    id: str = ""


class Use(NamedTuple):
    """Another showing of a symbol or of a shape or group with an id."""

    of: str
    x: Length = 0
    y: Length = 0
    scale: str | None = None
    rotate: Length | None = None
    paint: Paint = PLAIN


class Lettering(NamedTuple):
    """How the labels of one group are set that leave their size out: many labels, said once."""

    size: Length
    anchor: str = "middle"
    weight: str | None = None
    halo: str | None = None
    halo_width: Length = 3
    halo_opacity: str | None = None


class Group(NamedTuple):
    """Shapes together: `title` is its tooltip, `clip` the id of a Clip, `transform` SVG's own."""

    items: "tuple[Shape, ...]"
    id: str = ""
    title: str = ""
    transform: str = ""
    clip: str = ""
    paint: Paint = PLAIN
    lettering: Lettering | None = None


Shape: TypeAlias = Path | Polygon | Polyline | Circle | Rect | Label | Use | Group


class Stop(NamedTuple):
    """One colour of a gradient; `offset` 0 to 1 as text."""

    offset: str
    color: str
    opacity: str | None = None
    classes: str = ""


class RadialGradient(NamedTuple):
    """A paint named `url(#id)`."""

    id: str
    stops: tuple[Stop, ...]
    cx: str | None = None
    cy: str | None = None
    r: str | None = None


class Pattern(NamedTuple):
    """A tile named `url(#id)`, in user units."""

    id: str
    width: Length
    height: Length
    items: tuple[Shape, ...]
    transform: str = ""


class Clip(NamedTuple):
    """A clipping outline named by a Group's `clip`."""

    id: str
    points: tuple[Point, ...]


class Symbol(NamedTuple):
    """Shapes to be shown by `Use`, about the origin; `view` is what an icon of it shows."""

    id: str
    items: tuple[Shape, ...]
    view: tuple[int, int, int, int] = (-17, -17, 34, 34)


Definition: TypeAlias = RadialGradient | Pattern | Clip | Symbol


class Drawing(NamedTuple):
    """A whole picture. `view` is left, top, width, height; `title` and `description` are for ears."""

    view: tuple[int, int, int, int]
    title: str
    description: str
    definitions: tuple[Definition, ...] = ()
    items: tuple[Shape, ...] = ()
    font: str = "DejaVu Sans, sans-serif"


class Layer(NamedTuple):
    """Groups of a drawing that a reader may hide and show together, by their ids."""

    title: str
    ids: tuple[str, ...]


class Change(NamedTuple):
    """What becomes of a shape with an id while a turn is played back.

    `way`: None where it goes; empty where it shows as it is drawn; else the places through which it
    moves, as distances from where it is drawn.
    """

    id: str
    way: tuple[tuple[int, int], ...] | None = ()


class Ghost(NamedTuple):
    """A symbol that the drawing itself does not show, since it left the board while the turn was played."""

    id: str
    of: str
    x: Length
    y: Length
    layer: str
    """The id of the group in which it is shown."""


class Playback(NamedTuple):
    """How the board stood before the turn, as far as it stood otherwise than it is drawn."""

    start: tuple[Change, ...] = ()
    ghosts: tuple[Ghost, ...] = ()


def points(pairs: Iterable[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{x},{y}" for x, y in pairs)
