"""The map as a drawing: the position, and on it what a turn brought; the same for every reader.

Layers from below: plains, territories' wash, disputed stripes, lakes, grid, earths, rivers (over
the earths, for they decide casts), bands; moves, globes, labels, pieces, marks; the legend.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from pbem.drawing import (
    Circle,
    Clip,
    Definition,
    Drawing,
    Group,
    Label,
    Layer,
    Length,
    Lettering,
    Paint,
    Path,
    Polygon,
    Polyline,
    Shape,
    Symbol,
    Use,
)
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux import glyphs as g
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.legend import legend, view_box
from pbem.rulesets.flux.outlines import (
    Outline,
    centre,
    clipped,
    drawn,
    exactly,
    frame,
    globe_shares,
    on_paper,
    outline,
    overlaps,
    path_of,
    rivers,
    tenths,
)
from pbem.rulesets.flux.playback import LIFT, earth_id, failures, piece_id, pip_id, spots
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard, claimants
from pbem.rulesets.flux.territory import Hull
from pbem.rulesets.flux.told import FluxTurn, loser, place_name, title

BESIDE = 190
"""Tenths from the middle of a hex's label to that of a mark beside it."""
_LETTERING = Lettering("9.6", halo=g.PLAINS, halo_width="2.4", halo_opacity="0.7")
_OVER_LETTERING = Lettering("9.6", halo=g.PLAINS, halo_width=3)
_LABEL_PAINT = Paint(fill="#5B5241", classes="labels f-lbl s-plains")
_WHOLE = Fraction(1)


def board_drawing(turn: FluxTurn, incomes: Mapping[str, int]) -> Drawing:
    """The map after a turn, with that turn's moves, casts, fights and losses."""
    scene = _Scene(turn)
    state = turn.after
    name = state.board.title or "The plains"
    when = f"as turn {turn.number} of {state.length} left them" if turn.number else "as the contest begins"
    return Drawing(
        view_box(state),
        f"Map of {name[:1].lower()}{name[1:]} {when}",
        _description(state, scene.claims),
        tuple(scene.definitions()),
        (
            Group(tuple(scene.ground()), "board"),
            Group(tuple(scene.marks()), "marks"),
            Group(tuple(scene.globes()), "globes"),
            Group(tuple(scene.labels()), "labels", paint=_LABEL_PAINT, lettering=_LETTERING),
            Group(tuple(scene.pieces()), "pieces"),
            Group(tuple(scene.labels_over()), "labels2", paint=_LABEL_PAINT, lettering=_OVER_LETTERING),
            Group(tuple(scene.over()), "over"),
            Group((legend(state, name, when, incomes, moved=turn.number > 0),)),
        ),
    )


LAYERS = (
    Layer("Territories", ("washes", "bands")),
    Layer("Earths", ("earths", "pips")),
    Layer("Globes", ("globes", "globes2")),
    Layer("Pieces", ("pieces",)),
    Layer("This turn\N{RIGHT SINGLE QUOTATION MARK}s marks", ("marks", "marks2")),
    Layer("Labels", ("labels", "labels2")),
    Layer("Legend", ("legend",)),
)


def near_view(state: State, hue: str) -> tuple[int, int, int, int]:
    """A closer view of what a hue has and of its surroundings."""
    wizard = state.wizards[hue]
    places = [wizard.corner, *(place for _, place in wizard.standing())]
    places.extend(place for earth in wizard.earths for place in earth.hexes)
    xs, ys = zip(*map(centre, places), strict=True)
    left, top, width, height = view_box(state)
    right, bottom = left + width, top + height
    margin, least = 70, 330
    middle = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    half = max(least, max(xs) - min(xs) + 2 * margin, max(ys) - min(ys) + 2 * margin) // 2
    near_left, near_top = max(left, middle[0] - half), max(top, middle[1] - half)
    near_right, near_bottom = min(right, middle[0] + half), min(bottom, middle[1] + half)
    return near_left, near_top, near_right - near_left, near_bottom - near_top


def _description(state: State, claims: Mapping[Hex, tuple[str, ...]]) -> str:
    """The map for ears; the tables that follow it say the same at length."""
    label = state.board.label
    n = state.board.radius
    last = label(Hex(n, 0)).rstrip("0123456789")
    said = [
        f"Board of {3 * n * (n + 1) + 1} hexes, columns A to {last} from left to right, rows from the north."
    ]
    for hue, wizard in state.wizards.items():
        standing = [f"{name} {label(place)}" for name, place in wizard.standing()]
        earths = len(wizard.earths)
        said.append(
            f"{title(hue)} has {', '.join(standing) or 'no piece'} and"
            f" {f'{earths} earths' if earths != 1 else '1 earth'}."
        )
    disputed = [label(place) for place, hues in claims.items() if len(hues) > 1]
    said.append(f"Disputed globes: {', '.join(disputed) or 'none'}.")
    said.append("The same in words stands below the map.")
    return " ".join(said)


def _at(tenths_x: int, tenths_y: int) -> str:
    return f"translate({tenths(tenths_x)} {tenths(tenths_y)})"


def _middle(hexes: Sequence[Hex]) -> tuple[int, int]:
    """The middle of one hex or two, in tenths."""
    xs, ys = zip(*map(centre, hexes), strict=True)
    return 10 * sum(xs) // len(xs), 10 * sum(ys) // len(ys)


_UNIT = {
    (0, -1): (0, -10000), (1, -1): (8638, -5039), (1, 0): (8638, 5039),
    (0, 1): (0, 10000), (-1, 1): (-8638, 5039), (-1, 0): (-8638, -5039),
}  # fmt: skip
"""Unit vectors towards the six neighbours, in ten-thousandths of a user unit."""
_SHIFTS = ((0, 0), (35, 20), (-35, -20), (70, 40), (-70, -40), (105, 60))
"""How far arrows that share a step stand apart, in tenths."""
_LOSSES = ((135, -205), (-135, 205), (-135, -205), (135, 205))
"""Corners of a hex where the killed are struck out, in tenths from its centre."""


class _Scene:
    """One turn's map: shapes layer by layer, and the symbols that they use."""

    def __init__(self, turn: FluxTurn) -> None:
        self.turn = turn
        self.state = turn.after
        self.map = turn.after.board
        self.claims = claimants(turn.after)
        self._label = turn.after.board.label
        self._playing = [wizard for wizard in turn.after.wizards.values() if not wizard.eliminated]
        self._occupied = {place for wizard in self._playing for _, place in wizard.standing()}
        self._new_pieces = {
            (event.hue, event.spell)
            for event in turn.events
            if isinstance(event, e.SpellCast) and event.success and len(event.hexes) == 1
        }
        self._new_earths = {
            (event.hue, event.hexes)
            for event in turn.events
            if isinstance(event, e.SpellCast) and event.success and len(event.hexes) == 2
        }

    def _hex(self, label: str) -> Hex:
        place = self.map.find(label)
        assert place is not None, label
        return place

    def _hexes(self, labels: Sequence[str]) -> tuple[Hex, ...]:
        return tuple(map(self._hex, labels))

    # Definitions

    def definitions(self) -> Iterator[Definition]:
        """Gradients, patterns, clips and symbols: the tokens of all counters, for the pages' icons."""
        rules = self.state.rules
        yield from g.GRADIENTS
        yield Clip("c-board", tuple(on_paper(corner) for corner in frame(self.map)))
        for wizard in self._playing:
            yield g.hatching(wizard.hue)
            yield Clip(f"c-{wizard.hue}", drawn(self._territories[wizard.hue]))
        for wizard in self._playing:
            yield g.stripe(wizard.hue)
        yield from (g.stripes(hues) for hues in self._overlaps)
        # One part serves every dispute in which its hue has that place.
        disputes = sorted({hues for hues in self.claims.values() if len(hues) > 1})
        parts = (g.ring_part(hue, n, len(hues)) for hues in disputes for n, hue in enumerate(hues))
        yield from {part.id: part for part in parts}.values()
        for earth in rules.earths:
            yield Symbol(f"t-{earth}", g.TEXTURES[earth])
        for name in (WIZARD, *rules.pieces()):
            yield g.figure_symbol(name)
        yield from g.MARKS
        yield Symbol("river", (Path(rivers(self.map.rivers)),))
        for value in sorted({*self.map.values.values(), rules.contest.corner}):
            yield g.globe_symbol(value)
        for step in g.PAIRS:
            yield g.pair_outline(step)
            yield from (g.pair_symbol(step, earth) for earth in rules.earths)
        for wizard in self.state.wizards.values():
            yield from self._tokens(wizard)

    def _tokens(self, wizard: Wizard) -> Iterator[Definition]:
        rules, hue = self.state.rules, wizard.hue
        yield g.counter_symbol(hue)
        yield g.piece_symbol(hue, WIZARD)
        yield g.corner_symbol(rules.contest.corner, hue)
        yield Symbol(f"pip-{hue}", (g.pip(hue, g.paper("2.8")), g.pip(hue, g.fill(hue))))
        yield from (g.piece_symbol(hue, name) for name in rules.pieces())
        yield from (g.earth_symbol(hue, earth) for earth in rules.earths)
        values = {self.map.values[place] for place, hues in self.claims.items() if hues == (hue,)}
        for value in sorted({*values, rules.contest.corner}):
            yield g.owned_globe_symbol(value, hue)

    # The ground

    @cached_property
    def _hulls(self) -> dict[str, Hull]:
        return {wizard.hue: wizard.hull() for wizard in self._playing}

    @cached_property
    def _territories(self) -> dict[str, Outline]:
        """What of each territory lies within the competition area."""
        area = frame(self.map)
        return {hue: clipped(outline(hull), area) for hue, hull in self._hulls.items()}

    @cached_property
    def _overlaps(self) -> dict[tuple[str, ...], Outline]:
        return overlaps(self._territories, self._hulls)

    def ground(self) -> Iterator[Shape]:
        """Everything flat: plains, territories, water, grid, earths, bands and frame."""
        area = tuple(on_paper(corner) for corner in frame(self.map))
        yield Polygon(area, Paint(fill="url(#g-plains)"))
        washes = Group(tuple(self._washes()), "washes")
        yield Group((washes, *self._lakes_and_grid()), clip="c-board")
        yield Group(tuple(self._earth_groups()), "earths")
        river = Paint(fill="none", stroke="#4B8CAB", width=6, cap="round", join="round", classes="s-river")
        core = Paint(fill="none", stroke="#CFE4EC", width=2, cap="round", join="round", classes="s-rivercore")
        yield Group((Use("river", paint=river), Use("river", paint=core)), clip="c-board")
        yield Group(tuple(self._bands()), "bands")
        yield Polygon(area, Paint(fill="none", stroke=g.FRAME, width="2.4", join="round", classes="s-frame"))

    def _bands(self) -> Iterator[Shape]:
        for hue, shape in self._territories.items():
            band = Polygon(drawn(shape), Paint(fill="none", stroke=f"url(#p-{hue})", width=15))
            yield Group((band,), clip=f"c-{hue}")
            yield Group((Polygon(drawn(shape), g.line(hue, 2)),), title=self._territory_title(hue))

    def _earth_groups(self) -> Iterator[Shape]:
        """Also of who has none left: what he had may be seen while the turn is played back."""
        for wizard in self.state.wizards.values():
            yield Group(tuple(self._earths(wizard)), f"er-{wizard.hue}", paint=g.earth_paint(wizard.hue))

    def _territory_title(self, hue: str) -> str:
        alone = [place for place, hues in self.claims.items() if hues == (hue,)]
        shared = [place for place, hues in self.claims.items() if hue in hues and len(hues) > 1]
        earths = len(self.state.wizards[hue].earths)
        return f"Territory of {hue}: earths {earths}, globes {len(alone)}, disputed {len(shared)}"

    def _washes(self) -> Iterator[Shape]:
        for hue, shape in self._territories.items():
            wash = Paint(fill=g.WASH[hue], fill_opacity="0.13", classes=f"w-{hue}")
            yield Polygon(drawn(shape), wash)
        for hues in self._overlaps:
            stripes = Paint(fill=f"url(#{g.stripes_id(hues)})", rule="evenodd")
            names = f"{', '.join(hues[:-1])} and {hues[-1]}"
            yield Group((Path(exactly(hues, self._overlaps), stripes),), title=f"Disputed between {names}")

    def _lakes_and_grid(self) -> Iterator[Shape]:
        lakes = sorted(self.map.lakes)
        if lakes:
            surface = "".join(
                "M{} {}l12 21h24l12 -21l-12 -21h-24Z".format(*self._left(lake)) for lake in lakes
            )
            yield Path(surface, Paint(fill="#D3E6EC", classes="f-lake"))
            yield Path(
                "".join(map(_waves, lakes)),
                Paint(fill="none", stroke="#86B2C4", width="1.3", cap="round", classes="s-wave"),
            )
        grid = "".join("M{} {}l12 -21h24l12 21".format(*self._left(place)) for place in self.map.hexes())
        yield Path(grid, Paint(fill="none", stroke="#E0D6BF", width=1, classes="s-grid"))
        if lakes:
            shore = "".join(self._shore(lake) for lake in lakes)
            yield Path(shore, Paint(fill="none", stroke="#5A93AC", width=2, cap="round", classes="s-shore"))

    @staticmethod
    def _left(place: Hex) -> tuple[int, int]:
        """The left corner of a hex."""
        x, y = centre(place)
        return x - 24, y

    def _shore(self, lake: Hex) -> str:
        corners = [on_paper(corner) for corner in lake.corners()]
        # Corners begin in the east and run clockwise; the side before corner k faces neighbour (k + 1) mod 6.
        out = ""
        for index, near in enumerate(lake.neighbours()):
            if near not in self.map.lakes:
                (x1, y1), (x2, y2) = corners[index - 2], corners[index - 1]
                out += f"M{x1} {y1}L{x2} {y2}"
        return out

    def _earths(self, wizard: Wizard) -> Iterator[Shape]:
        for earth in wizard.earths:
            x, y = centre(earth.hexes[0])
            step = _step(earth)
            shown = Use(g.pair_id(step, earth.earth), x, y)
            labels = tuple(map(self._label, earth.hexes))
            name = earth_id(wizard.hue, labels) if (wizard.hue, labels) in self._new_earths else ""
            yield Group((shown,), name, title=self._earth_title(wizard.hue, earth))

    def _earth_title(self, hue: str, earth: PlacedEarth) -> str:
        rules = self.state.rules
        barred = [
            name
            for name in (WIZARD, *rules.pieces())
            if earth.earth in rules.forbidden(name) and not rules.flies(name)
        ]
        labels = tuple(map(self._label, earth.hexes))
        new = ", cast this turn" if (hue, labels) in self._new_earths else ""
        who = f"may not be entered by {', '.join(barred)}" if barred else "open to all"
        return f"{title(earth.earth)} of {hue}, {place_name(labels)}{new}; {who}"

    # This turn's marks below the pieces

    def marks(self) -> Iterator[Shape]:
        """Arrows of moves, outlines of failed casts and of earths destroyed."""
        shared: dict[tuple[str, str], int] = {}
        moves = 0
        for event in self.turn.events:
            if isinstance(event, e.PieceMoved):
                steps = [_either_way(*step) for step in zip(event.path, event.path[1:], strict=False)]
                shift = max(shared.get(step, 0) for step in steps)
                shared |= dict.fromkeys(steps, shift + 1)
                yield self._arrow(event, _SHIFTS[shift % len(_SHIFTS)])._replace(id=f"mv-{moves}")
                moves += 1
        for number, (hue, labels) in enumerate(self._failures):
            outline = _outline_use(self._hexes(labels), g.line(hue, "1.8", "5 3.4", "butt"))
            yield Group((outline,), f"fo-{number}")
        for number, lost in enumerate(self._destroyed):
            mark = _outline_use(self._hexes(lost.hexes), g.line(lost.owner, "2.2", "2 4.4"))
            by = f"{lost.hue}'s {lost.piece}"
            text = f"{title(lost.earth)} of {lost.owner} at {place_name(lost.hexes)}, destroyed by {by}"
            yield Group((mark,), f"de-{number}", title=text)

    def _arrow(self, event: e.PieceMoved, shift: tuple[int, int]) -> Group:
        """The way of a piece: solid where it walks, dotted where it flies."""
        way = self._hexes(event.path)
        rules = self.state.rules
        flies = rules.flies(event.piece)
        points = [(10 * x + shift[0], 10 * y - LIFT + shift[1]) for x, y in (centre(place) for place in way)]
        ux, uy = _UNIT[way[-1].q - way[-2].q, way[-1].r - way[-2].r]
        gap = 210 if event.piece == WIZARD else 170
        end_x, end_y = points[-1]

        def before_end(back: int, aside: int = 0) -> tuple[int, int]:
            return end_x - (ux * back + uy * aside) // 10000, end_y - (uy * back - ux * aside) // 10000

        points[-1] = before_end(gap + 100)
        line = tuple((tenths(x), tenths(y)) for x, y in points)
        head = tuple(
            (tenths(x), tenths(y))
            for x, y in (before_end(gap), before_end(gap + 100, 66), before_end(gap + 100, -66))
        )
        hue, steps = event.hue, len(event.path) - 1
        verb = "flew" if flies else "moved"
        said = (
            f"{title(event.piece)} of {hue} {verb} {event.path[0]} to {event.path[-1]}:"
            f" {steps} of {rules.move(event.piece)}"
        )
        ground = (
            "M" + "L".join(f"{x} {y}" for x, y in line) + "M" + "L".join(f"{x} {y}" for x, y in head) + "Z"
        )
        start = Paint(fill=g.PAPER, width="2.4", classes="f-paper")
        return Group(
            (
                Path(ground, Paint(stroke=g.PAPER, width=7, classes="s-paper")),
                Polyline(line, Paint(width="3.4", dash="0.1 6.4" if flies else None)),
                Circle(*line[0], "4.4", start),
                Polygon(head, Paint(fill=g.MAIN[hue], stroke="none", classes=f"f-{hue}")),
            ),
            title=said,
            paint=g.line(hue, 1),
        )

    @cached_property
    def _failures(self) -> dict[tuple[str, tuple[str, ...]], list[e.SpellCast]]:
        return failures(self.turn.events)

    @cached_property
    def _destroyed(self) -> list[e.DestructionAttempted]:
        return [
            event for event in self.turn.events if isinstance(event, e.DestructionAttempted) and event.success
        ]

    # Globes

    def globes(self) -> Iterator[Shape]:
        """The globes with rings of their owners; the small ones, beside a piece, come later."""
        for place, value in self.map.globes:
            if place not in self._occupied:
                x, y = centre(place)
                yield self._globe(place, value, _at(10 * x, 10 * y - 30))
        corners = {wizard.corner: wizard for wizard in self.state.wizards.values()}
        for place in self.map.start_corners:
            wizard = corners.get(place)
            x, y = centre(place)
            if wizard is None or wizard.eliminated:
                yield self._asleep(place, wizard)
            elif place not in self._occupied:
                yield self._corner(wizard, _at(10 * x, 10 * y))

    def _globe(self, place: Hex, value: int, transform: str) -> Shape:
        hues = self.claims[place]
        items: tuple[Shape, ...]
        if len(hues) == 1:
            items = (Use(g.globe_id(value, hues[0])),)
        else:
            rings = (g.ring_part(hue, index, len(hues)) for index, hue in enumerate(hues))
            items = (Use(g.globe_id(value)), *(Use(ring.id) for ring in rings))
        return Group(items, title=self._globe_title(place, value), transform=transform)

    @cached_property
    def _shares(self) -> dict[Hex, dict[str, Fraction]]:
        return globe_shares(self.state)

    def _globe_title(self, place: Hex, value: int) -> str:
        """Its value, whose it is, and how much of its hex each territory covers, exactly (F8.2)."""
        hues = self.claims[place]
        if not hues:
            owner = "nobody's"
        elif len(hues) == 1:
            owner = f"{hues[0]}'s"
        else:
            owner = f"disputed by {', '.join(hues[:-1])} and {hues[-1]}"
        shares = [
            f"{hue} covers {'all' if share == _WHOLE else share} of its hex"
            for hue, share in self._shares[place].items()
        ]
        return f"Globe worth {value} at {self._label(place)}: {owner}" + "".join(
            f"; {said}" for said in shares
        )

    def _corner(self, wizard: Wizard, transform: str) -> Shape:
        worth = self.state.rules.contest.corner
        text = f"Corner globe of {wizard.hue}, {self._label(wizard.corner)}: {worth} flux each round"
        return Group((Use(f"tok-corner-{wizard.hue}"),), title=text, transform=transform)

    def _asleep(self, place: Hex, wizard: Wizard | None) -> Shape:
        why = "nobody plays from here" if wizard is None else f"{wizard.hue} is out of the contest"
        x, y = centre(place)
        sleep = Paint(fill="#CFC6B2", stroke=g.FRAME, classes="f-sleep s-frame")
        dash = Label(0, 4, "\N{EN DASH}", 11, Paint(fill="#514939", classes="f-sleeptext"))
        return Group(
            (Circle(0, 0, 12, sleep), dash),
            title=f"Corner {self._label(place)}: {why}, its globe sleeps",
            transform=_at(10 * x, 10 * y),
        )

    def _small_globes(self) -> Iterator[Shape]:
        """Globes whose hex a piece stands on: small, to its upper right."""
        corners = {wizard.corner: wizard for wizard in self._playing}
        for place in sorted(self._occupied):
            x, y = centre(place)
            transform = f"{_at(10 * x + 185, 10 * y - 175)} scale(0.62)"
            if place in self.map.values:
                yield self._globe(place, self.map.values[place], transform)
            elif place in corners:
                yield self._corner(corners[place], transform)

    # Labels

    def labels(self) -> Iterator[Shape]:
        """The labels of all hexes without a piece, those of the corners outside."""
        inks = self._inks
        corners = set(self.map.start_corners)
        for place in self.map.hexes():
            if place not in self._occupied and place not in corners:
                yield self._hex_label(place, inks.get(place), stands=False)
        for place in self.map.start_corners:
            x, y = centre(place)
            high = -25 if place in self._occupied else -21
            yield Label(x, y + (high if y < 0 or (y == 0 and x < 0) else 29), self._label(place), None)

    def labels_over(self) -> Iterator[Shape]:
        """The labels of hexes with a piece, over it."""
        inks = self._inks
        for place in sorted(self._occupied - set(self.map.start_corners)):
            yield self._hex_label(place, inks.get(place), stands=True)

    @cached_property
    def _inks(self) -> dict[Hex, Paint]:
        paints = {hue: Paint(fill=g.DEEP[hue], classes=f"i-{hue}") for hue in g.DEEP}
        return {
            place: paints[wizard.hue]
            for wizard in self._playing
            for earth in wizard.earths
            for place in earth.hexes
        }

    def _hex_label(self, place: Hex, ink: Paint | None, *, stands: bool) -> Label:
        x, y = centre(place)
        dx, dy = (0, 184) if self.map.is_full(place) else _edge_shift(place, self.map.radius, stands=stands)
        return Label(tenths(10 * x + dx), tenths(10 * y + dy), self._label(place), None, ink or Paint())

    # Pieces

    def pieces(self) -> Iterator[Shape]:
        """The counters on the board."""
        at = spots(self.state)
        for wizard in self._playing:
            for name, place in wizard.standing():
                spark = (Use("spark", -13, -13),) if (wizard.hue, name) in self._new_pieces else ()
                yield Group(
                    (Use(g.token_id(wizard.hue, name)), *spark),
                    piece_id(wizard.hue, name),
                    title=self._piece_title(wizard.hue, name, place),
                    transform=_at(*at[wizard.hue, name]),
                )

    def _piece_title(self, hue: str, name: str, place: Hex) -> str:
        rules = self.state.rules
        verb = "flies" if rules.flies(name) else "moves"
        ratings = f"combat {rules.combat(name)}, {verb} {rules.move(name)}"
        said = f"{title(name)} of {hue} at {self._label(place)}: {ratings}"
        if name == WIZARD:
            return said
        destroys = ", ".join(f"{earth} {chance}" for earth, chance in rules.animate(name).destroys.items())
        return said + (f", destroys {destroys}" if destroys else "")

    # Marks over the pieces

    def over(self) -> Iterator[Shape]:
        """Pips of owners, stars of new earths, crosses, rubble, and marks of fights."""
        yield Group(tuple(self._small_globes()), "globes2")
        yield Group(tuple(self._pips()), "pips")
        yield Group(tuple(self._happened()), "marks2")

    def _pips(self) -> Iterator[Shape]:
        for wizard in self._playing:
            for earth in wizard.earths:
                yield from self._pip(wizard.hue, earth)

    def _happened(self) -> Iterator[Shape]:
        for number, ((hue, labels), tries) in enumerate(self._failures.items()):
            yield self._cross(hue, self._hexes(labels), tries)._replace(id=f"fc-{number}")
        for number, lost in enumerate(self._destroyed):
            x, y = _beside_label(self._hexes(lost.hexes), -BESIDE)
            yield Group((Use("rubble", tenths(x), tenths(y), paint=g.fill(lost.owner)),), f"du-{number}")
        fights: dict[Hex, list[e.CombatFought]] = {}
        for event in self.turn.events:
            if isinstance(event, e.CombatFought):
                fights.setdefault(self._hex(event.hex), []).append(event)
        for place, fought in fights.items():
            yield self._fight(place, fought)

    def _pip(self, hue: str, earth: PlacedEarth) -> Iterator[Shape]:
        x, y = _middle(earth.hexes)
        upright = _step(earth) == (0, 1)
        pip = (x + 100, y) if upright else (x, y - 10)
        star = (x - 100, y) if upright else (x, y - 120)
        shown = Use(f"pip-{hue}", tenths(pip[0]), tenths(pip[1]))
        labels = tuple(map(self._label, earth.hexes))
        if (hue, labels) in self._new_earths:
            new = Use("spark", tenths(star[0]), tenths(star[1]))
            yield Group((shown, new), pip_id(hue, labels))
        else:
            yield shown

    def _cross(self, hue: str, hexes: tuple[Hex, ...], tries: Sequence[e.SpellCast]) -> Group:
        """A cross on ground where a cast failed; beside a piece that stands there."""
        x, y = _beside_label(hexes, BESIDE)
        if any(place in self._occupied for place in hexes) and len(hexes) == 1:
            x, y = x - 190, y + 105
        count: tuple[Shape, ...] = ()
        if len(tries) > 1:
            count = (_tally(len(tries), 8, -5),)
        spells = " and ".join(dict.fromkeys(event.spell for event in tries))
        text = f"{title(hue)}'s {spells} at {place_name(tries[0].hexes)} failed"
        text += f" {len(tries)} times" if len(tries) > 1 else ""
        look = Paint(color=g.MAIN[hue], classes=f"c-{hue}")
        return Group(
            (Use("cross", scale="0.86" if len(hexes) == 1 else None), *count),
            title=text,
            transform=_at(x, y),
            paint=look,
        )

    def _fight(self, place: Hex, fought: Sequence[e.CombatFought]) -> Shape:
        """One badge of crossed swords a hex, and the killed struck out on its corners."""
        x, y = centre(place)
        items: list[Shape] = []
        for event, (dx, dy) in zip(fought, _LOSSES, strict=False):
            lost = loser(event)
            dead = (Use(g.token_id(lost.hue, lost.piece)), Use("struck"))
            items.append(Group(dead, transform=f"{_at(dx, dy)} scale(0.52)"))
        last = fought[-1]
        badge: list[Shape] = [
            Circle(0, 0, "9.6", Paint(fill=g.PAPER, stroke=g.FRAME, width="1.2", classes="f-paper s-frame")),
            Use("sword", scale="0.72", rotate=45, paint=g.fill(last.attacker.hue)),
            Use("sword", scale="0.72", rotate=-45, paint=g.fill(last.defender.hue)),
        ]
        if len(fought) > 1:
            badge.append(_tally(len(fought), 7, -5))
        items.append(Group(tuple(badge), transform="translate(24 0)"))
        told = "; ".join(
            f"{_fighter(event.attacker)} fought {_fighter(event.defender)}"
            f", {_fighter(loser(event))} was killed"
            for event in fought
        )
        label = self._label(place)
        return Group(tuple(items), f"ft-{label}", title=f"At {label} {told}", transform=_at(10 * x, 10 * y))


def _fighter(fighter: e.Fighter) -> str:
    return f"{fighter.hue}'s {fighter.piece}"


def _either_way(one: str, other: str) -> tuple[str, str]:
    """A step, whichever way it is gone."""
    return (one, other) if one < other else (other, one)


def _tally(number: int, x: int, y: int) -> Label:
    """How many times, beside a mark."""
    look = Paint(fill=g.INK, classes="f-ink s-paper")
    return Label(x, y, f"{number}\N{MULTIPLICATION SIGN}", "10.5", look, "start", "700", g.PAPER, 3)


def _step(earth: PlacedEarth) -> tuple[int, int]:
    one, other = earth.hexes
    return other.q - one.q, other.r - one.r


def _beside_label(hexes: Sequence[Hex], across: int) -> tuple[int, int]:
    """The middle of the ground; beside it, where two hexes make it the place of the upper one's label."""
    x, y = _middle(hexes)
    upright = len(hexes) > 1 and hexes[0].q == hexes[1].q
    return (x + across, y) if upright else (x, y)


def _outline_use(hexes: Sequence[Hex], paint: Paint) -> Use:
    """The outline of one hex or of two."""
    x, y = centre(hexes[0])
    if len(hexes) == 1:
        return Use("hx-in", x, y, paint=paint)
    return Use(g.pair_id((hexes[1].q - hexes[0].q, hexes[1].r - hexes[0].r)), x, y, paint=paint)


def _waves(lake: Hex) -> str:
    x, y = centre(lake)
    return (
        f"M{x - 13} {y - 6}q3-3.4 6 0t6 0M{x} {y + 1}q3-3.4 6 0t6 0"
        f"M{x - 12} {y + 7}q3-3.4 6 0t6 0M{x + 2} {y - 12}q2.4-2.8 4.8 0t4.8 0"
    )


def _edge_shift(place: Hex, radius: int, *, stands: bool) -> tuple[int, int]:
    """Where in a part hex its label stands, in tenths from its centre: inside the area, or past a piece."""
    q, r = place
    if abs(q) == radius:
        return (-132 if q > 0 else 132), (225 if stands else 34)
    across = -66 if q > 0 else 66
    if r == -radius or q + r == -radius:
        return across, (225 if stands else 148)
    return (0, 225) if stands else (across, -80)


def thumbnail(state: State, number: int) -> Drawing:
    """The map in little: territories, earths, globes and pieces as dots of their hues."""
    board = state.board
    n = board.radius
    area = tuple(on_paper(corner) for corner in frame(board))
    label = f"after turn {number}" if number else "as the contest begins"
    playing = [wizard for wizard in state.wizards.values() if not wizard.eliminated]
    claims = claimants(state)
    items: list[Shape] = [
        Polygon(
            area, Paint(fill=g.PLAINS, stroke=g.FRAME, width=6, join="round", classes="f-plains s-frame")
        ),
        Path(
            "".join(_hex_path(lake) for lake in sorted(board.lakes)), Paint(fill="#D3E6EC", classes="f-lake")
        ),
    ]
    frame_corners = frame(board)
    for wizard in playing:
        look = Paint(
            fill=g.WASH[wizard.hue],
            fill_opacity="0.22",
            stroke=g.MAIN[wizard.hue],
            width=7,
            join="round",
            classes=f"w-{wizard.hue} s-{wizard.hue}",
        )
        items.append(Path(path_of(clipped(outline(wizard.hull()), frame_corners)), look))
    items.extend(
        Path(
            "".join(_hex_path(place) for earth in wizard.earths for place in earth.hexes), g.fill(wizard.hue)
        )
        for wizard in playing
        if wizard.earths
    )
    for owner in (None, *(wizard.hue for wizard in playing)):
        owned = [place for place, hues in claims.items() if (hues[0] if len(hues) == 1 else None) == owner]
        dots = "".join(_dot(place, 6 if owner is None else 11) for place in owned)
        stroke = Paint(fill="#EFC44E", classes="f-orb2")
        if owner is not None:
            stroke = Paint(fill="#EFC44E", stroke=g.MAIN[owner], width=5, classes=f"f-orb2 s-{owner}")
        if dots:
            items.append(Path(dots, stroke))
    for wizard in playing:
        items.extend(_little_pieces(wizard))
    return Drawing(
        (-36 * n - 24, -42 * n - 22, 72 * n + 48, 84 * n + 44), f"Small map {label}", "", items=tuple(items)
    )


def _little_pieces(wizard: Wizard) -> Iterator[Shape]:
    hue = wizard.hue
    x, y = centre(wizard.corner)
    corner = Paint(fill="#EFC44E", stroke=g.MAIN[hue], width=8, classes=f"f-orb2 s-{hue}")
    yield Circle(x, y, 19, corner)
    look = Paint(fill=g.MAIN[hue], stroke=g.PAPER, width=3, classes=f"f-{hue} s-paper")
    for name, place in reversed(list(wizard.standing())):
        x, y = centre(place)
        scale = "1.9" if name == WIZARD else "1.45"
        yield Group((g.counter(hue, look),), transform=f"translate({x} {y}) scale({scale})")


def _hex_path(place: Hex) -> str:
    x, y = centre(place)
    return f"M{x - 24} {y}l12 21h24l12 -21l-12 -21h-24Z"


def _dot(place: Hex, r: Length) -> str:
    x, y = centre(place)
    return f"M{x - int(r)} {y}a{r} {r} 0 1 0 {2 * int(r)} 0a{r} {r} 0 1 0 {-2 * int(r)} 0Z"
