"""Reports and the archive's index as HTML: the only file that knows jinja2.

A page is one file that needs no other and no network: style, map and a report's script inside, and a
policy that forbids all else. Every text goes through `visible` and Jinja's escaping; what players wrote is
also isolated by `bdi`.
"""

import base64
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import cycle
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from pbem.drawing import Group, Symbol
from pbem.errors import BadInput
from pbem.events import Json
from pbem.files import write_whole
from pbem.reports.chart import Chart, charts
from pbem.reports.facts import ArchiveFacts, TurnFacts
from pbem.reports.places import Place
from pbem.reports.plain import visible
from pbem.reports.playback import map_data
from pbem.reports.script import data_text, report_script
from pbem.reports.simulation import SimulationFacts
from pbem.reports.svg import drawing_to_svg, symbols_to_svg
from pbem.reports.template import order_template
from pbem.reports.throws import Throws
from pbem.reports.words import (
    VERDICTS,
    css_name,
    day,
    dice_example,
    from_markdown,
    game_title,
    glossary,
    orders_shown,
    report_title,
    seats_listed,
)
from pbem.rulesets import Files
from pbem.rulesets.model import GM, PUBLIC, Icon, OrderReport, Report, SeatReport, Words

MAP_PREFIX = "m-"
"""Before the ids of a drawing in a page, so that they never meet the page's own."""
AHEAD = 20
"""So many turns to come have a place on the archive's first page."""
NEUTRAL_COLOURS = 6
NAMED = {
    name: number
    for number, names in enumerate(
        ("blue", "red", "green", "yellow orange gold", "purple", "black white grey gray"), 1
    )
    for name in names.split()
}
"""Seats named for a colour get it, where the ruleset has no style of its own."""


class Compiled(BytecodeCache):
    """Compiled templates, kept beside them as Python keeps compiled modules, and as easily done without."""

    def __init__(self, templates: Traversable) -> None:
        self._folder = templates / "__pycache__" if isinstance(templates, Path) else None

    def load_bytecode(self, bucket: Bucket) -> None:
        """Jinja itself checks that the bytecode is of this template, this Jinja and this Python."""
        if self._folder is not None:
            with suppress(OSError):
                bucket.bytecode_from_string((self._folder / f"{bucket.key}.jinja").read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Where the folder cannot be written, the next run compiles again."""
        if self._folder is not None:
            with suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                write_whole(self._folder / f"{bucket.key}.jinja", bucket.bytecode_to_string(), durable=False)


class Pages:
    """The pages of one game: templates and style are read once, and serve all of a turn's readers."""

    def __init__(self, files: Files, seats: Sequence[str]) -> None:
        self._templates = resources.files("pbem").joinpath("templates")
        own = _own_style(files)
        self.plain = own is None
        """Whether the ruleset brings no style: its map is then shown on paper white in either theme."""
        self._style = self._read("style.css") + (self._neutral(seats) if own is None else own)
        self._script = report_script(files)
        self._policies = self._policy(), self._policy(self._script)
        self._environment = Environment(
            loader=FunctionLoader(self._read),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_finalize,
            trim_blocks=True,
            lstrip_blocks=True,
            cache_size=-1,
            bytecode_cache=Compiled(self._templates),
            optimized=False,  # folding constants takes longer than it ever saves here
        )
        self._environment.filters |= {
            "words": words,
            "css": css_name,
            "day": day,
            "thrown": thrown,
            "cited": cited,
            "markdown": from_markdown,
        }
        self._environment.globals |= {
            "style": Markup(self._style),  # noqa: S704 - our own files
            "verdicts": VERDICTS,
            "PUBLIC": PUBLIC,
            "GM": GM,
        }

    def _policy(self, script: str = "") -> Markup:
        """What a page may do: show its own style, run its own script if it has one, and nothing else."""
        scripts = f" script-src {_hash(script)};" if script else ""
        return Markup(  # noqa: S704 - our own
            f"default-src 'none';{scripts} style-src {_hash(self._style)}; img-src data:;"
            " base-uri 'none'; form-action 'none'"
        )

    def _rendered(self, name: str, **values: Any) -> str:
        """A page; `BadInput` for a template that somebody spoilt, whatever it raises."""
        try:
            return self._environment.get_template(name).render(values)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise BadInput(f"The template {name} fails ({what}); mend it, or install pbem anew.") from error

    def report(self, facts: TurnFacts, report: Report, picture: str, place: Place) -> str:
        """One reader's page of a turn; `picture` is his map as SVG text with `MAP_PREFIX`."""
        board = report.board
        layers = [item.id for item in board.drawing.items if isinstance(item, Group) and item.id]
        orders = orders_shown(facts, report)
        throws = Throws(facts.dice, orders, report)
        data: dict[str, Json] = {**report.script_data, "dice": throws.data(facts), "map": map_data(report)}
        return self._rendered(
            "report.html",
            facts=facts,
            report=report,
            place=place,
            title=report_title(facts, report),
            game=game_title(facts.game),
            picture=Markup(picture),  # noqa: S704 - svg.py escaped it
            layers=[MAP_PREFIX + layer for layer in layers],
            plain=self.plain,
            mine=[seat for seat in orders if seat.seat == report.reader],
            others=[seat for seat in orders if seat.seat != report.reader],
            press=facts.press.get(report.reader, ()),
            hand=facts.hand.get(report.reader, ()),
            rulings=glossary(facts, report),
            example=dice_example(facts.dice),
            template=order_template(facts, report),
            policy=self._policies[1],
            script=Markup(self._script),  # noqa: S704
            data={name: Markup(data_text(value)) for name, value in data.items()},  # noqa: S704
            at=throws.at,
            icon=_Icons(report),
            missing=seats_listed(facts.missing),
            bands=[report.reader] if report.reader in facts.seats else facts.seats,
        )

    def index(self, archive: ArchiveFacts) -> str:
        """The archive's first page."""
        facts, report = archive.latest, archive.report
        upcoming = range(0) if facts.ended else range(facts.turn + 1, facts.length + 1)
        icon = _Icons(report)
        drawn = charts(archive)
        wanted = [icon.symbol for icon in report.icons.values()]
        if report.standings is not None:
            wanted += [row.icon.symbol for row in report.standings.rows if row.icon]
        return self._rendered(
            "index.html",
            facts=facts,
            report=report,
            turns=archive.turns,
            upcoming=upcoming[:AHEAD],
            beyond=len(upcoming[AHEAD:]),
            pictured=any(turn.thumbnail for turn in archive.turns),
            title=f"{game_title(facts.game)}: {facts.ruleset_title}",
            game=game_title(facts.game),
            symbols=Markup(symbols_to_svg(report.board.drawing.definitions, wanted, MAP_PREFIX)),  # noqa: S704
            charts=[(chart, self._chart(chart, number)) for number, chart in enumerate(drawn)],
            policy=self._policies[0],
            icon=icon,
            plain=self.plain,
            markup=Markup,
            seats=seats_listed(facts.seats),
            bands=facts.seats,
        )

    def simulation(self, facts: SimulationFacts) -> str:
        """What many games between programs came to."""
        return self._rendered(
            "simulation.html",
            facts=facts,
            title=facts.title,
            charts=[(chart, self._chart(chart, number)) for number, chart in enumerate(facts.charts)],
            policy=self._policies[0],
            icon=_no_icon,
            plain=False,
            bands=facts.players,
        )

    @staticmethod
    def _chart(chart: Chart, number: int) -> Markup:
        svg = drawing_to_svg(chart.drawing, standalone=False, id_prefix=MAP_PREFIX, name=f"chart{number}")
        return Markup(svg)  # noqa: S704 - svg.py escaped it

    def _read(self, name: str) -> str:
        return self._templates.joinpath(name).read_text("utf-8")

    def _neutral(self, seats: Sequence[str]) -> str:
        return self._read("neutral.css") + "".join(
            f".p-{css_name(seat)}{{--seat:var(--n{number});--seat-text:var(--n{number}t)}}\n"
            for seat, number in _neutral_colours(seats).items()
        )


@cache
def pages_of(files: Files, seats: tuple[str, ...]) -> Pages:
    """The pages of a game, made once: compiling the templates is most of the work."""
    return Pages(files, seats)


def simulation_page(facts: SimulationFacts) -> str:
    """The page of a simulation: in the neutral style, a colour for each program."""
    return Pages(Files(anchor="pbem", rules="", boards="", default_board=""), facts.players).simulation(facts)


def _no_icon(_: Icon | None) -> Markup:
    return Markup()


class _Icons:
    """Icons as the page shows them: a view box, and the address of a symbol that its map defines."""

    def __init__(self, report: Report) -> None:
        self._views = {
            part.id: part.view for part in report.board.drawing.definitions if isinstance(part, Symbol)
        }
        self._seats = report.icons

    def __call__(self, icon: Icon | None, css: str = "tok") -> Markup:
        """The icon, hidden from ears unless it has a name; nothing if the map does not define it."""
        view = self._views.get(icon.symbol) if icon is not None else None
        if icon is None or view is None:
            return Markup()
        heard = (
            Markup('role="img" aria-label="{}"').format(visible(icon.name))
            if icon.name
            else Markup('aria-hidden="true"')
        )
        return Markup('<svg class="{}" viewBox="{}" {}><use href="#{}"/></svg>').format(
            css, " ".join(map(str, view)), heard, MAP_PREFIX + icon.symbol
        )

    def seat(self, seat: str, css: str = "tok") -> Markup:
        """The token of a seat."""
        found = self._seats.get(seat)
        return self(None if found is None else Icon(found.symbol), css)


def _hash(text: str) -> str:
    """A style or script by its hash, as a policy names it."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _own_style(files: Files) -> str | None:
    if not files.templates:
        return None
    style: Traversable = files.path(files.templates).joinpath("style.css")
    return style.read_text("utf-8") if style.is_file() else None


def _neutral_colours(seats: Sequence[str]) -> dict[str, int]:
    """A colour of neutral.css for each seat: the one that it is named for, else the next that is free."""
    found = {seat: NAMED[seat] for seat in seats if seat in NAMED}
    taken = set(found.values())
    free = [number for number in range(1, NEUTRAL_COLOURS + 1) if number not in taken]
    spare = cycle(free or range(1, NEUTRAL_COLOURS + 1))
    return {seat: found.get(seat) or next(spare) for seat in seats}


def thrown(seat: SeatReport) -> bool:
    """Whether any of the seat's orders came to a throw."""
    return any(outcome.odds for line in seat.lines for outcome in line.outcomes)


def cited(line: OrderReport) -> list[str]:
    """The rulings of a line's outcomes, each once."""
    return list(dict.fromkeys(rule for outcome in line.outcomes for rule in outcome.rules))


def _finalize(value: Any) -> Any:
    return visible(value) if type(value) is str else value


def words(spans: Words) -> Markup:
    """Words as HTML; what somebody typed is isolated, so that it cannot reorder its neighbours."""
    out: list[str] = []
    for span in spans:
        text = escape(visible(span.text))
        match span.tone:
            case "":
                out.append(text)
            case "strong":
                out.append(f"<b>{text}</b>")
            case "muted":
                out.append(f'<span class="muted">{text}</span>')
            case "code":
                out.append(f"<code><bdi>{text}</bdi></code>")
            case "seat":
                out.append(f'<b class="hue p-{css_name(span.seat)}">{text}</b>')
    return Markup("".join(out))  # noqa: S704 - every part is escaped above
