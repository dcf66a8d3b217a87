"""Where the files of a turn lie in the game folder, and how its pages link to one another."""

from dataclasses import dataclass

from pbem.reports.facts import TurnFacts
from pbem.rulesets.model import GM, PUBLIC


@dataclass(frozen=True, slots=True)
class Link:
    """A relative address and the words that are clicked."""

    href: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """One reader's files of one turn: paths from the game folder, links from the page."""

    page: str
    map: str
    data: str
    text: str
    index: str
    """The archive's first page, as the page links to it."""
    public: str
    """The turn's public page, as the page links to it; empty on that page itself."""
    previous: str

    def beside(self) -> tuple[Link, ...]:
        """The files that lie beside the page."""
        names = [(self.map, "map"), (self.data, "data")]
        if self.public:
            names.insert(0, (self.text, "as text"))
        return tuple(Link(path.rpartition("/")[2], words) for path, words in names)


def place_of(facts: TurnFacts, reader: str) -> Place:
    """Where a reader's files go: public ones below reports/, all others below folders of their own."""
    turn, aside = facts.turn, "" if facts.void is None else f"attempt-{facts.adjudication}"
    if reader == PUBLIC:
        folder = f"reports/turn-{turn}" + (f"/{aside}" if aside else "")
        up = "../../" if aside else "../"
        return Place(
            page=f"{folder}/index.html",
            map=f"{folder}/map.svg",
            data=f"{folder}/turn-{turn}.json",
            text=f"{folder}/turn-{turn}.txt",
            index=f"{up}index.html",
            public="",
            previous=f"{up}turn-{turn - 1}/index.html" if turn else "",
        )
    folder, up = ("gm", "../") if reader == GM else (f"players/{reader}", "../../")
    tail = f"-{aside}" if aside else ""
    return Place(
        page=f"{folder}/turn-{turn}{tail}.html",
        map=f"{folder}/map-{turn}{tail}.svg",
        data=f"{folder}/turn-{turn}{tail}.json",
        text=f"{folder}/turn-{turn}{tail}.txt",
        index=f"{up}reports/index.html",
        public=f"{up}reports/turn-{turn}/{aside + '/' if aside else ''}index.html",
        previous=f"turn-{turn - 1}.html" if turn else "",
    )
