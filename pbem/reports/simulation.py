"""Many games between programs, as tables and curves: what text, page and JSON show of a simulation."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.reports.chart import Chart
from pbem.reports.plain import visible
from pbem.reports.text import table_lines
from pbem.rulesets.model import Table

WIDTH = 132
"""Of the text: its tables have more columns than a mail could show."""


class SimulationFacts(NamedTuple):
    """All that is told; `lead` says in a sentence what was played, `notes` what the tables do not."""

    title: str
    lead: str
    ruleset: str
    ruleset_version: str
    pbem_version: str
    players: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]


def simulation_text(facts: SimulationFacts) -> str:
    """The tables as plain text; a curve is a table of its turns."""
    parts: list[Iterable[str]] = [
        (visible(facts.title), "=" * len(facts.title), visible(facts.lead)),
        *(table_lines(table, WIDTH) for table in facts.tables),
        *(_curve_lines(chart) for chart in facts.charts),
        facts.notes,
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _curve_lines(chart: Chart) -> Iterator[str]:
    title = f"{chart.measure.capitalize()}, turn by turn"
    yield title
    yield "-" * len(title)
    names = ["turn", *(visible(curve.seat) for curve in chart.curves)]
    rows = [[str(turn), *(curve.values.get(turn, "") for curve in chart.curves)] for turn in chart.turns]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    for cells in (names, *rows):
        yield "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
