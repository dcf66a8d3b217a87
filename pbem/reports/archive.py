"""The game's files as bytes by path: pure functions of what the host and the ruleset's views say.

Paths are relative to the game folder. Only what everybody may see goes below `reports/`; a seat's
own files, which hold its next key, go below `players/`, and the GM's below `gm/`.
"""

from collections.abc import Mapping

from pbem.drawing import Drawing
from pbem.reports.data import summary_from_json, summary_json, turn_json
from pbem.reports.facts import ArchiveFacts, TurnFacts, TurnSummary, known_to
from pbem.reports.feed import render_feed
from pbem.reports.pages import MAP_PREFIX, pages_of
from pbem.reports.places import place_of
from pbem.reports.svg import DECLARATION, drawing_to_svg
from pbem.reports.text import render_text
from pbem.rulesets import Files
from pbem.rulesets.model import PUBLIC, Report

__all__ = ["render_index", "render_turn", "summarise", "summary_from_json", "summary_json"]


def render_turn(facts: TurnFacts, reports: Mapping[str, Report], files: Files) -> dict[str, bytes]:
    """Pages, text twins, maps and JSON of one turn for the readers given: seats, PUBLIC, GM."""
    pages = pages_of(files, facts.seats)
    maps = _Maps()
    out: dict[str, bytes] = {}
    for reader, report in reports.items():
        known = known_to(facts, report)
        place = place_of(known, reader)
        picture = maps.svg(report.board.drawing)
        beside = {
            place.page: pages.report(known, report, picture, place).encode("utf-8", "backslashreplace"),
            place.map: (DECLARATION + picture + "\n").encode(),
        }
        if reader != PUBLIC:
            beside[place.text] = render_text(known, report).encode("utf-8", "backslashreplace")
        names = {path.rpartition("/")[2]: data for path, data in beside.items()}
        out |= beside
        out[place.data] = turn_json(known, report, names)
    return out


def summarise(facts: TurnFacts, report: Report) -> TurnSummary:
    """What the index says of a turn, from its public report."""
    thumbnail = report.thumbnail
    return TurnSummary(
        turn=facts.turn,
        closed_at=facts.closed_at,
        headline=report.headline,
        thumbnail=""
        if thumbnail is None
        else drawing_to_svg(
            thumbnail, standalone=False, id_prefix=f"t{facts.turn}-", name="thumb", decorative=True
        ),
        readings=report.readings,
        voided=facts.voided,
    )


def render_index(archive: ArchiveFacts, files: Files) -> dict[str, bytes]:
    """The archive's first page and its feed."""
    pages = pages_of(files, archive.latest.seats)
    return {
        "reports/index.html": pages.index(archive).encode("utf-8", "backslashreplace"),
        "reports/feed.xml": render_feed(archive),
    }


class _Maps:
    """Drawings as SVG, each rendered once: most readers of an open game share theirs."""

    def __init__(self) -> None:
        self._done: list[tuple[Drawing, str]] = []

    def svg(self, drawing: Drawing) -> str:
        for other, text in self._done:
            if other is drawing or other == drawing:
                return text
        text = drawing_to_svg(drawing, standalone=False, id_prefix=MAP_PREFIX)
        self._done.append((drawing, text))
        return text
