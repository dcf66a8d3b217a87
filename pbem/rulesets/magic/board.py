"""The table as a drawing, from what one reader knows: a millimetre is a unit, and north is up.

Layers from below: ground and grid, terrain as sight and movement read it, zones and circles of magic,
things and fires, moves, shots, what circles are, tokens with their badges, names and lengths of ways;
the legend below the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import isqrt
from typing import NamedTuple, TypeAlias

from pbem.drawing import (
    Circle,
    Clip,
    Drawing,
    Group,
    Label,
    Layer,
    Paint,
    Path,
    Polygon,
    Rect,
    Shape,
    Use,
)
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import glyphs as g
from pbem.rulesets.magic.data import chord_row
from pbem.rulesets.magic.geometry import Point, distance, in_polygon
from pbem.rulesets.magic.geometry import Polygon as Corners
from pbem.rulesets.magic.known import Known, KnownFigure, Shot
from pbem.rulesets.magic.legend import LEGEND_HEIGHT, legend
from pbem.rulesets.magic.names import FLEE, MEDITATION, PILE, PREPARATION, ROADBLOCK, ROUT, SIDES
from pbem.rulesets.magic.orders import place_text
from pbem.rulesets.magic.playback import dead_name, label_name, token_name
from pbem.rulesets.magic.told import CHORD_RESULTS, HOLDS, cm
from pbem.rulesets.model import Icon, Item, seat_name, words

Box: TypeAlias = tuple[int, int, int, int]
MARGIN = 48
APART = 30
"""Engaged tokens stand so far apart, in millimetres."""
ROUNDS = 90
"""So often tokens that cover one another are moved apart a little."""
NEAR = 120
"""Tokens that are farther apart never come to cover one another."""
NAME_SIZE = 16
DEAD_SIZE = 13
WAY_SIZE = 14
LABELLED = 75
"""Ways from this length on, in millimetres, say it."""
BADGE = 16


def board_drawing(known: Known, scene: "Scene | None" = None) -> Drawing:
    """The table as the turn left it, with the turn's moves, shots, fights and magic."""
    scene = scene or Scene(known)
    width, height = known.size
    low = _legend_top(height)
    scale = _legend_scale(known)
    return Drawing(
        (-MARGIN, -14, width + MARGIN + 22, low + LEGEND_HEIGHT * scale // 1000 + 14),
        _title(known),
        _description(known),
        (*g.definitions(), Clip("c-table", ((0, 0), (width, 0), (width, height), (0, height)))),
        (
            Group(tuple(scene.ground()), "board"),
            Group((Group(tuple(scene.effects()), clip="c-table"),), "effects"),
            Group(tuple(scene.things()), "things"),
            Group(tuple(scene.moves()), "moves"),
            Group(tuple(scene.shots()), "shots"),
            Group(tuple(scene.notes()), "notes", paint=Paint(classes="labels")),
            Group(tuple(scene.tokens()), "figures"),
            Group(tuple(scene.names()), "labels", paint=Paint(classes="labels")),
            Group((legend(0, low, scale),)),
        ),
    )


LAYERS = (
    Layer("Magic", ("effects",)),
    Layer("Things", ("things",)),
    Layer("Moves", ("moves",)),
    Layer("Shots", ("shots",)),
    Layer("Figures", ("figures",)),
    Layer("Names", ("labels",)),
    Layer("Legend", ("legend",)),
)


def table_view(size: Point) -> Box:
    """The drawing without its legend."""
    return -MARGIN, -14, size[0] + MARGIN + 22, size[1] + MARGIN + 14


def _legend_top(height: int) -> int:
    return height + 52


def _legend_scale(known: Known) -> int:
    """Thousandths: the legend is laid out for a table of 1200 mm."""
    return known.size[0] * 1000 // 1200


def _title(known: Known) -> str:
    name = known.title or "The table"
    when = f"after turn {known.number}" if known.number else "before the battle"
    by = f", as the {known.reader} know it" if known.reader in SIDES and not known.everything else ""
    return f"{name} {when}{by}"


def _description(known: Known) -> str:
    """The table for ears; the tables of words below say the same at length."""
    width, height = known.size
    said = [f"Table of {cm(width)} by {cm(height)} centimetres."]
    for side in SIDES:
        living = [one for one in known.figures.values() if one.side == side and one.alive]
        places = ", ".join(f"{one.name} {place_text(one.at or (0, 0))}" for one in living)
        said.append(f"The {side}: {places or 'nobody seen'}.")
    said.append("The same in words stands below.")
    return " ".join(said)


def legend_items() -> tuple[Item, ...]:
    """The legend in words, for small screens."""
    icons = (
        ("boche", g.token_id("boche")),
        ("noman", g.token_id("noman")),
        ("leader", g.token_id("boche", "leader")),
        ("veteran", g.token_id("boche", "veteran")),
        ("green", g.token_id("boche", "green")),
        ("its side\N{RIGHT SINGLE QUOTATION MARK}s alone to see", g.token_id("boche", unseen=True)),
        ("killed", g.token_id("noman", dead=True)),
        ("standard", "tok-noman-standard"),
        ("schtuck, words", "tok-boche-schtuck"),
        ("achtung, glamours, chord", "tok-boche-achtung"),
        ("wasserpferd, illusions", "tok-boche-wasserpferd"),
    )
    marks = tuple(Item(words(text), icon=Icon(f"b-{name}")) for name, text in g.BADGE_NAMES.items())
    first = tuple(
        Item(words(seat_name(text) if text in SIDES else text), icon=Icon(icon)) for text, icon in icons
    )
    return (
        *first,
        *marks,
        Item(words("thin arrow: walk; with two heads: run; thick: charge")),
        Item(words("dashes: flees or routs; dots: compelled by a Word")),
        Item(words("thin line: shot, star where it hit, dashed where it missed")),
    )


def near_view(known: Known) -> tuple[int, int, int, int] | None:
    """A closer view of the living, where that is closer."""
    places = [one.at for one in known.figures.values() if one.alive and one.at is not None]
    if not places:
        return None
    width, height = known.size
    xs, ys = [x for x, _ in places], [height - y for _, y in places]
    left, right = max(-MARGIN, min(xs) - 70), min(width + 22, max(xs) + 70)
    top, bottom = max(-14, min(ys) - 60), min(height + 40, max(ys) + 70)
    return left, top, right - left, bottom - top


def thumbnail(known: Known) -> Drawing:
    """The table in little: terrain and who stands where."""
    width, height = known.size
    shapes: list[Shape] = [
        Rect(0, 0, width, height, Paint(fill=g.PLAINS, stroke=g.FRAME, width=8, classes="f-plains s-frame"))
    ]
    for piece in known.terrain:
        paint = g.terrain_paint(sight=piece.blocks_sight, movement=piece.blocks_movement)
        shapes.append(Polygon(_flipped(piece.points, height), paint))
    for one in known.figures.values():
        if one.alive and one.at is not None:
            x, y = one.at[0], height - one.at[1]
            if one.side == "boche":
                shapes.append(Circle(x, y, 17, g.fill(one.side)))
            else:
                shapes.append(Rect(x - 16, y - 16, 32, 32, g.fill(one.side)))
    return Drawing(
        (-6, -6, width + 12, height + 12), f"The table after turn {known.number}", "", items=tuple(shapes)
    )


def _flipped(corners: Corners, height: int) -> tuple[Point, ...]:
    return tuple((x, height - y) for x, y in corners)


class Scene:
    """One reader's table: shapes layer by layer."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.width, self.height = known.size

    def at(self, place: Point) -> Point:
        """A place of the table on paper."""
        return place[0], self.height - place[1]

    # The ground

    def ground(self) -> Iterator[Shape]:
        """Table, grid, scale and terrain."""
        yield Rect(0, 0, self.width, self.height, Paint(fill="url(#g-plains)"))
        across = "".join(f"M{x} 0V{self.height}" for x in range(100, self.width, 100))
        along = "".join(f"M0 {self.height - y}H{self.width}" for y in range(100, self.height, 100))
        if across or along:
            yield Path(across + along, Paint(fill="none", stroke="#E0D6BF", width=1, classes="s-grid"))
        for piece in self.known.terrain:
            yield Group(
                tuple(self._terrain(piece.name, piece.points, piece.blocks_sight, piece.blocks_movement)),
                title=_ground_title(piece.name, piece.blocks_sight, piece.blocks_movement),
            )
        yield Rect(
            0,
            0,
            self.width,
            self.height,
            Paint(fill="none", stroke=g.FRAME, width=4, classes="f-none s-frame"),
        )
        yield from self._scale()

    def _terrain(self, name: str, points: Corners, sight: bool, movement: bool) -> Iterator[Shape]:
        yield Polygon(_flipped(points, self.height), g.terrain_paint(sight=sight, movement=movement))
        if sight and not movement:
            yield from self._trees(points)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if max(xs) - min(xs) >= 9 * len(name) and max(ys) - min(ys) >= 40:
            x, y = sum(xs) // len(xs), self.height - sum(ys) // len(ys)
            yield Label(x, y + 5, name, 13, g.HALOED, halo=g.PLAINS)

    def _trees(self, points: Corners) -> Iterator[Shape]:
        """Trees where there is room for them: the edge says what sight touches."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        for row, y in enumerate(range(min(ys) + 20, max(ys) - 12, 34)):
            for x in range(min(xs) + 16 + 17 * (row % 2), max(xs) - 8, 34):
                if all(
                    in_polygon(spot, points) for spot in ((x - 11, y - 14), (x + 11, y - 14), (x, y + 15))
                ):
                    yield Use("tree", x, self.height - y)

    def _scale(self) -> Iterator[Shape]:
        for x in range(0, self.width + 1, 100):
            yield Label(x, self.height + 24, str(x // 10), 16, g.LABEL)
        for y in range(0, self.height + 1, 100):
            yield Label(-8, self.height - y + 6, str(y // 10), 16, g.LABEL, "end")

    # Magic on the ground

    def effects(self) -> Iterator[Shape]:
        """Zones, the standard's field, the chord's rings, glamours with a place."""
        for unit, zone in self.known.zones.items():
            yield self._zone(unit, zone)
        if self.known.standard is not None:
            yield from self._field(self.known.standard)
        for number, event in enumerate(self.known.events):
            if isinstance(event, e.ChordPlayed):
                yield Group(tuple(self._chord(event)), f"ch-{number}")
            elif isinstance(event, e.GlamourCast) and event.glamour == ROADBLOCK and event.at is not None:
                yield self._road(event.at, "Roadblock", dash=None)._replace(id=f"rb-{number}")
        meditation = self.known.effects.get(MEDITATION)
        if meditation is not None and meditation.at is not None:
            yield self._road(meditation.at, "Roadblock to come", dash="6 6")
        if PILE in self.known.effects:
            yield Label(
                self.width - 12,
                26,
                "The Pile lies over the table",
                17,
                g.CHORD_TEXT,
                "end",
                "600",
                g.PLAINS,
            )

    def _zone(self, unit: str, zone: Corners) -> Shape:
        corners = _flipped(zone, self.height)
        dotted = Paint(
            fill=g.MUTED,
            fill_opacity="0.06",
            stroke=g.MUTED,
            width=2,
            dash="2 8",
            cap="round",
            classes="f-muted s-muted",
        )
        x, y = min(x for x, _ in corners), max(y for _, y in corners)
        note = Label(x + 8, y - 10, f"{unit} may lie in here", 15, g.HALOED, "start", halo=g.PLAINS)
        return Group((Polygon(corners, dotted), note), title=f"Zone where {unit} may lie in ambush")

    def _field(self, place: Point) -> Iterator[Shape]:
        reach = self.known.core.standard.reach
        x, y = self.at(place)
        dotted = Paint(
            fill=g.MAIN["noman"],
            fill_opacity="0.04",
            stroke=g.MAIN["noman"],
            width=2,
            dash="2 7",
            cap="round",
            classes="f-noman s-noman",
        )
        yield Circle(x, y, reach, dotted)
        if self.known.bearer is None:
            yield Use("tok-noman-standard", x, y)

    def _chord(self, event: e.ChordPlayed) -> Iterator[Shape]:
        """The rings, from the innermost; `notes` says what each does (M6.1)."""
        core = self.known.core
        x, y = self.at(event.at)
        yield Circle(x, y, event.radius, Paint(fill=g.CHORD_COLOUR, fill_opacity="0.07", classes="f-chord"))
        last = core.chord.rings[-1]
        for ring in core.chord.rings:
            radius = ring * event.radius // last
            outer = ring == last
            yield Circle(x, y, radius, g.chord_line(4 if outer else "1.4", None if outer else "0.6"))

    @cached_property
    def _noted(self) -> tuple[list[Shape], list[Box]]:
        """What circles are, written where no token covers it, and what is then covered in all."""
        taken = list(self._covered())
        shapes: list[Shape] = []
        if self.known.standard is not None:
            reach = self.known.core.standard.reach
            text = f"field of the standard, {cm(reach)} cm"
            shapes.append(self._note(self.at(self.known.standard), reach - 8, text, g.text("noman"), taken))
        for event in self.known.events:
            if isinstance(event, e.ChordPlayed):
                shapes.extend(self._chord_notes(event, taken))
        return shapes, taken

    def notes(self) -> list[Shape]:
        """What circles are."""
        return self._noted[0]

    def _chord_notes(self, event: e.ChordPlayed, taken: list[Box]) -> Iterator[Shape]:
        core, violet = self.known.core, g.CHORD_TEXT
        place = self.at(event.at)
        last = core.chord.rings[-1]
        for index, ring in enumerate(core.chord.rings):
            radius = ring * event.radius // last
            result = CHORD_RESULTS[chord_row(core, index)[event.throw - 1]]
            yield self._note(place, radius - 8, f"{cm(radius)} cm: {result}", violet, taken)
        text = f"The Power Chord, threw {event.throw}"
        yield self._note(place, event.radius + 14, text, violet, taken)

    def _note(self, centre: Point, radius: int, text: str, paint: Paint, taken: list[Box]) -> Shape:
        """A text on a circle, at the one of twelve places where it covers least."""
        half = len(text) * 14 * 62 // 200
        found: tuple[int, Box] | None = None
        for order, (dx, dy) in enumerate(_ROUND):
            x, y = centre[0] + radius * dx // 1000, centre[1] + radius * dy // 1000 + 5
            box = x - half, y - 13, x + half, y + 4
            out = (
                max(0, -box[0]) + max(0, box[2] - self.width) + max(0, box[3] - self.height) + max(0, -box[1])
            )
            cost = sum(_overlap(box, other) for other in taken) + 60 * out + order
            if found is None or cost < found[0]:
                found = cost, box
        assert found is not None
        taken.append(found[1])
        left, _, right, low = found[1]
        return Label((left + right) // 2, low - 4, text, 14, paint, weight="600", halo=g.PLAINS)

    def _road(self, place: Point, name: str, dash: str | None) -> Group:
        x, y = self.at(place)
        radius = self.known.core.glamours.roadblock.radius
        edge = Paint(fill="url(#p-road)", stroke=g.GOLD, width=3, dash=dash, classes="s-gold")
        return Group(
            (Circle(x, y, radius, edge),), title=f"{name}, {cm(radius)} cm round {place_text(place)}"
        )

    # Things

    def things(self) -> Iterator[Shape]:
        """Fuel, doors, locks and fires."""
        for thing in self.known.things:
            x, y = self.at(thing.at)
            symbol = "open" if thing.open else thing.kind
            state = ", burning" if thing.burns else ", open" if thing.open else ""
            shown: list[Shape] = [Use(symbol, x, y)]
            shown.append(Label(x, y + 30, thing.name, 14, g.HALOED, halo=g.PLAINS))
            yield Group(tuple(shown), title=f"{thing.name}, {thing.kind}{state}")
        for fire in self.known.fires:
            x, y = self.at(fire)
            yield Group((Use("flame", x, y - 10),), title=f"Fire at {place_text(fire)}")

    # What happened

    def moves(self) -> Iterator[Shape]:
        """Ways, their weight the rate, dashes for what was not ordered."""
        for number, event in enumerate(self.known.events):
            if isinstance(event, e.FigureMoved) and event.from_ != event.to:
                figure = self.known.figures.get(event.figure) or self.known.before.get(event.figure)
                if figure is not None:
                    yield self._way(event, figure.side)._replace(id=f"mv-{number}")

    def _way(self, event: e.FigureMoved, side: str) -> Group:
        start, end = self.at(event.from_), self.at(event.to)
        length = distance(start, end)
        dx, dy = end[0] - start[0], end[1] - start[1]
        rate = event.rate or "walk"
        width = {"walk": 34, "run": 50, "charge": 74, "berserk": 74}.get(rate, 46)
        head = min(length, 9 + width * 3 // 10)
        dash = {FLEE: "11 8", ROUT: "13 7 3 7"}.get(rate) if event.cause in {FLEE, ROUT} else None
        if event.cause not in {"order", FLEE, ROUT}:
            dash = "1 9"
        half = 4 + width * 11 // 100
        tip = max(0, length - 13)
        shaft = max(1, tip - head + 2)
        line = g.line(
            side, f"{width // 10}.{width % 10}", dash, "butt" if dash and dash != "1 9" else "round"
        )
        arrow = ((tip, 0), (tip - head, half), (tip - head, -half))
        items: list[Shape] = [
            Path(f"M0 0H{shaft}", g.paper_line(width // 10 + 4)),
            Path(f"M0 0H{shaft}", line),
            Polygon(arrow, g.fill(side)),
        ]
        if rate == "run" and length > 60:
            items.append(Polygon(tuple((x - 11, y) for x, y in arrow), g.fill(side)))
        items.append(
            Circle(
                0,
                0,
                "5.5",
                Paint(fill=g.PAPER, stroke=g.MAIN[side], width="2.4", classes=f"f-paper s-{side}"),
            )
        )
        how = event.rate or "steps away"
        title = f"{event.figure}: {how} {cm(length)} cm to {place_text(event.to)}"
        arrowed = Group(tuple(items), transform=_turned(start, dx, dy, length))
        return Group((arrowed,), title=title)

    def _way_labels(self, taken: list[Box]) -> Iterator[Shape]:
        """Rate and length along the ways, the longest first; left out where there is no room for them."""
        ways = [
            event
            for event in self.known.events
            if isinstance(event, e.FigureMoved) and distance(event.from_, event.to) >= LABELLED
        ]
        for event in sorted(ways, key=lambda event: -distance(event.from_, event.to)):
            figure = self.known.figures.get(event.figure) or self.known.before.get(event.figure)
            if figure is not None:
                yield from self._way_label(event, figure, taken)

    def _way_label(self, event: e.FigureMoved, figure: KnownFigure, taken: list[Box]) -> Iterator[Shape]:
        """At the first place along the way where it covers nothing, never upside down."""
        start, end = self.at(event.from_), self.at(event.to)
        length = distance(start, end)
        word = "" if event.cause in {"order", FLEE, ROUT} else f", {event.cause}"
        # Who has left the table stands nowhere else.
        gone = f"{figure.name}: " if figure.name not in self.spots else ""
        text = f"{gone}{event.rate or 'steps'} {cm(length)}{word}"
        half = len(text) * WAY_SIZE * 30 // 100
        along = end[0] - start[0], end[1] - start[1]
        right = along if along[0] >= 0 else (-along[0], -along[1])
        across = -right[1], right[0]
        reach = min(start[0], end[0]) - half, min(start[1], end[1]) - half
        near = (*reach, max(start[0], end[0]) + half, max(start[1], end[1]) + half)
        close = [other for other in taken if _overlap(near, other)]
        for share, base in ((45, -7), (45, 16), (30, -7), (30, 16), (62, -7), (62, 16)):
            x, y = start[0] + along[0] * share // 100, start[1] + along[1] * share // 100
            rise = base - 4
            middle = x + across[0] * rise // length, y + across[1] * rise // length
            boxes = [
                _square(middle[0] + right[0] * step // length, middle[1] + right[1] * step // length)
                for step in range(-half, half + 1, 8)
            ]
            if all(map(self._holds, boxes)) and not any(
                _overlap(box, other) for box in boxes for other in close
            ):
                taken.extend(boxes)
                note = Label(0, base, text, WAY_SIZE, g.text(figure.side), weight="600", halo=g.PLAINS)
                yield Group((note,), transform=_turned((x, y), *right, length))
                return

    def shots(self) -> Iterator[Shape]:
        """A thin line each, with a star where it hit, dashed where it missed."""
        for number, shot in enumerate(self.known.shots):
            yield self._shot(shot)._replace(id=f"sh-{number}")

    def _shot(self, shot: Shot) -> Group:
        event = shot.event
        shooter = self.known.figures.get(event.figure) or self.known.before.get(event.figure)
        side = "boche" if shooter is None else shooter.commander
        start, end = self.at(shot.start), self.at(shot.end)
        length = max(1, distance(start, end))
        stop = max(0, length - 20)
        items: list[Shape] = [
            Path(f"M14 0H{max(15, stop)}", g.line(side, "1.8", None if event.hit else "6 6", "butt"))
        ]
        if event.hit:
            colour = Paint(color=g.MAIN[side], classes=f"c-{side}")
            items.append(Group((Use("burst", stop, 0),), paint=colour))
        end_word = "hit" if event.hit else "missed"
        odds = f"threw {event.throw}, needs {event.chance} or less"
        title = f"{event.figure} shot at {event.target} with {event.weapon}: {end_word}, {odds}"
        return Group(
            (Group(tuple(items), transform=_turned(start, end[0] - start[0], end[1] - start[1], length)),),
            title=title,
        )

    # Figures

    @cached_property
    def spots(self) -> dict[str, Point]:
        """Where the tokens are drawn, on paper: those engaged three centimetres apart."""
        spots = {
            one.name: self.at(one.at)
            for one in self.known.figures.values()
            if one.alive and one.at is not None
        }
        engaged = {
            (one.name, other)
            for one in self.known.figures.values()
            for other in one.engaged
            if one.name < other
        }
        radii = {name: _radius(self.known.figures[name]) for name in spots}
        _spread(spots, radii, engaged, (self.width, self.height))
        return spots

    def tokens(self) -> Iterator[Shape]:
        """The dead below, then the living with their badges, then swords between those engaged."""
        fallen = {event.figure for event in self.known.events if isinstance(event, e.FigureKilled)}
        for one in self.known.figures.values():
            if not one.alive and one.at is not None:
                x, y = self.at(one.at)
                yield Group(
                    (Use(g.token_id(one.side, dead=True), x, y, scale="0.7"),),
                    dead_name(one.name) if one.name in fallen else "",
                    title=_figure_title(one),
                )
        for one in self.known.figures.values():
            if one.name in self.spots and one.at is not None:
                yield from self._token(one, self.at(one.at))
        for one in self.known.figures.values():
            for other in one.engaged:
                if one.name < other and other in self.spots:
                    (x1, y1), (x2, y2) = self.spots[one.name], self.spots[other]
                    yield Group(
                        (Use("swords", (x1 + x2) // 2, (y1 + y2) // 2),),
                        title=f"{one.name} and {other} are engaged",
                    )

    def _token(self, one: KnownFigure, place: Point) -> Iterator[Shape]:
        x, y = self.spots[one.name]
        aside: tuple[Shape, ...] = ()
        if distance((x, y), place) > 4:
            aside = (
                Path(f"M{place[0]} {place[1]}L{x} {y}", g.line(one.side, "1.4")),
                Circle(place[0], place[1], 3, g.fill(one.side)),
            )
        symbol = g.token_id(one.side, one.grade, one.priest, unseen=one.unseen)
        if one.name == self.known.bearer:
            symbol = f"tok-{one.side}-standard"
        shown: list[Shape] = [Use(symbol, x, y)]
        radius = _radius(one)
        shown.extend(
            Use(f"b-{badge}", x + radius - 2 + BADGE * index, y - radius, scale="0.78")
            for index, badge in enumerate(self._badges(one))
        )
        yield Group((*aside, *shown), token_name(one.name), title=_figure_title(one))

    def _badges(self, one: KnownFigure) -> list[str]:
        found = ["wounded"] if one.wounds else []
        found += [g.BADGE_OF[state] for state in one.states]
        found += [
            "prepares"
            for what in (MEDITATION, PREPARATION)
            if (held := self.known.effects.get(what)) and held.cause == one.name
        ]
        return list(dict.fromkeys(found))

    def _holds(self, box: Box) -> bool:
        """Whether the table holds all of a box."""
        return box[0] >= 0 and box[1] >= 0 and box[2] <= self.width and box[3] <= self.height

    def names(self) -> Iterator[Shape]:
        """Every figure's name where it covers least, this turn's dead smaller; then how far they went."""
        taken = list(self._noted[1])
        shown: list[Shape] = []
        for one in self.known.figures.values():
            if one.name in self.spots:
                place = self._name_place(one.name, self.spots[one.name], _radius(one), NAME_SIZE, taken)
                taken.append(place.box)
                if place.apart:
                    yield self._leader(one, place)
                shown.append(self._name(one, place, NAME_SIZE))
        killed = {event.figure for event in self.known.events if isinstance(event, e.FigureKilled)}
        for one in self.known.figures.values():
            if one.name in killed and one.at is not None and not one.alive:
                place = self._name_place(one.name, self.at(one.at), 10, DEAD_SIZE, taken)
                taken.append(place.box)
                shown.append(self._name(one, place, DEAD_SIZE))
        yield from self._way_labels(taken)
        yield from shown

    @staticmethod
    def _name(one: KnownFigure, place: "_Place", size: int) -> Shape:
        return Label(
            place.x,
            place.y,
            one.name,
            size,
            g.text(one.side),
            place.anchor,
            "600",
            g.PLAINS,
            4,
            label_name(one.name),
        )

    def _leader(self, one: KnownFigure, place: "_Place") -> Shape:
        """A thin line from a token to a name that stands away from it."""
        x, y = self.spots[one.name]
        left, top, right, low = place.box
        end = max(left, min(right, x)), max(top, min(low, y))
        length = max(1, distance((x, y), end))
        edge = min(length, _radius(one) + 1)
        x, y = x + (end[0] - x) * edge // length, y + (end[1] - y) * edge // length
        return Path(f"M{x} {y}L{end[0]} {end[1]}", g.line(one.side, "1.4"))

    def _covered(self) -> Iterator[Box]:
        """What names should keep off: tokens, badges, swords."""
        for name, (x, y) in self.spots.items():
            one = self.known.figures[name]
            radius = _radius(one)
            yield x - radius, y - radius, x + radius, y + radius
            count = len(self._badges(one))
            if count:
                left = x + radius - 11
                yield left, y - radius - 9, left + BADGE * count, y - radius + 9
            for other in one.engaged:
                if name < other and other in self.spots:
                    far_x, far_y = self.spots[other]
                    middle_x, middle_y = (x + far_x) // 2, (y + far_y) // 2
                    yield middle_x - 10, middle_y - 10, middle_x + 10, middle_y + 10

    def _name_place(self, name: str, spot: Point, radius: int, size: int, taken: Sequence[Box]) -> "_Place":
        x, y = spot
        width = len(name) * size * 64 // 100
        reach = width + 60
        near = [
            box
            for box in taken
            if box[0] < x + reach and box[2] > x - reach and box[1] < y + 80 and box[3] > y - 80
        ]
        best: tuple[int, _Place] | None = None
        for order, (left, base, anchor, gap) in enumerate(self._choices(x, y, radius)):
            start = left - (width // 2 if anchor == "middle" else width if anchor == "end" else 0)
            box = (start, base - 12, start + width, base + 3)
            out = (
                max(0, -box[0]) + max(0, box[2] - self.width) + max(0, box[3] - self.height) + max(0, -box[1])
            )
            covered = sum(_overlap(box, other) for other in near) + 40 * out
            cost = 10 * covered + 4 * order
            if best is None or cost < best[0]:
                best = (cost, _Place(left, base, anchor, box, gap > 0))
            if not covered:
                break
        assert best is not None
        return best[1]

    @staticmethod
    def _choices(x: int, y: int, radius: int) -> Iterator[tuple[int, int, str, int]]:
        """Below, beside and above, nearer ones first."""
        for gap in (0, 12, 26, 42):
            yield x, y + radius + 15 + gap, "middle", gap
            yield x - radius - 4 - gap, y + 6, "end", gap
            yield x + radius + 4 + gap, y + 6, "start", gap
            yield x - radius - 2, y + radius + 8 + gap, "end", gap
            yield x + radius + 2, y + radius + 8 + gap, "start", gap
            yield x, y - radius - 6 - gap, "middle", gap
            yield x - radius - 2, y - radius + 2 - gap, "end", gap
            yield x + radius + 2, y - radius + 2 - gap, "start", gap


class _Place(NamedTuple):
    """Where a name is written, and whether so far from its token that a line must lead to it."""

    x: int
    y: int
    anchor: str
    box: Box
    apart: bool


_ROUND = (
    (0, 1000), (0, -1000), (500, 866), (-500, 866), (500, -866), (-500, -866), (866, 500), (-866, 500),
    (866, -500), (-866, -500), (1000, 0), (-1000, 0),
)  # fmt: skip
"""Twelve directions, in thousandths."""


def _square(x: int, y: int) -> Box:
    """A letter's box, whichever way it is turned."""
    return x - 6, y - 6, x + 6, y + 6


def _overlap(one: Box, other: Box) -> int:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def _radius(one: KnownFigure) -> int:
    return 20 if one.priest else 14


def _spread(
    spots: dict[str, Point], radii: Mapping[str, int], engaged: set[tuple[str, str]], size: Point
) -> None:
    """Moves tokens apart until those engaged are 3 cm apart and no two cover one another."""
    names = list(spots)
    pairs: list[tuple[str, str, int]] = []
    for index, one in enumerate(names):
        x, y = spots[one]
        for other in names[index + 1 :]:
            far_x, far_y = spots[other]
            if abs(far_x - x) < NEAR and abs(far_y - y) < NEAR:
                least = radii[one] + radii[other] - 1
                if (min(one, other), max(one, other)) in engaged:
                    least = max(least, APART)
                pairs.append((one, other, least))
    for _ in range(ROUNDS):
        moved = False
        for one, other, least in pairs:
            moved |= _part(spots, one, other, least, size)
        if not moved:
            return


def _part(spots: dict[str, Point], one: str, other: str, least: int, size: Point) -> bool:
    (x1, y1), (x2, y2) = spots[one], spots[other]
    dx, dy = x2 - x1, y2 - y1
    if abs(dx) >= least or abs(dy) >= least or dx * dx + dy * dy >= least * least:
        return False
    gap = isqrt(dx * dx + dy * dy)
    if gap == 0:
        dx, dy, gap = 1, 0, 1
    need = (least - gap + 2) // 2
    px, py = dx * need // gap, dy * need // gap
    spots[one] = _inside((x1 - px, y1 - py), size)
    spots[other] = _inside((x2 + px, y2 + py), size)
    return True


def _inside(place: Point, size: Point) -> Point:
    return max(0, min(size[0], place[0])), max(0, min(size[1], place[1]))


def _turned(place: Point, dx: int, dy: int, length: int) -> str:
    """SVG's matrix that lays the x axis along (dx, dy) from a place, in thousandths."""
    exact = max(1, isqrt(dx * dx + dy * dy)) if length else 1
    a, b = _thousandths(dx * 1000 // exact), _thousandths(dy * 1000 // exact)
    minus_b = _thousandths(-(dy * 1000 // exact))
    return f"matrix({a} {b} {minus_b} {a} {place[0]} {place[1]})"


def _thousandths(number: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    return f"{sign}{number // 1000}.{number % 1000:03}"


def _ground_title(name: str, sight: bool, movement: bool) -> str:
    blocks = [what for what, bad in (("sight", sight), ("movement", movement)) if bad]
    return f"{name}, blocks {' and '.join(blocks) or 'nothing'}"


def _figure_title(one: KnownFigure) -> str:
    """What a tooltip says: who, where, how."""
    where = "lost" if one.at is None else place_text(one.at)
    if not one.alive:
        return f"{one.name} of the {one.side}, {one.grade}, dead at {where}"
    arms = [*one.weapons, *(["armour"] if one.armour else []), *(["shield"] if one.shield else [])]
    said = [f"{one.name} of the {one.side}", one.grade, f"at {where}", *arms]
    if one.wounds:
        said.append(f"{one.wounds} wound{'' if one.wounds == 1 else 's'}")
    return ", ".join([*said, *(HOLDS.get(state, state) for state in one.states)])
