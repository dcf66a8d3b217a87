"""A turn played back on the table: what each event changes there, of what its reader knows."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from pbem.drawing import Change, Ghost, Playback
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic import glyphs as g
from pbem.rulesets.magic.geometry import Point
from pbem.rulesets.magic.known import Known
from pbem.rulesets.magic.names import ROADBLOCK

_NAMING = ("figure", "target", "caster", "by")
"""The fields of events that may name a figure; `figures` names two."""


def token_name(name: str) -> str:
    """The id of a living figure's token."""
    return f"tk-{name}"


def label_name(name: str) -> str:
    """The id of a living figure's name."""
    return f"nm-{name}"


def dead_name(name: str) -> str:
    """The id of a dead figure."""
    return f"dd-{name}"


class Course:
    """One reader's turn, event by event. `spots` is where the living are drawn."""

    def __init__(self, known: Known, spots: Mapping[str, Point]) -> None:
        self._known = known
        self._spots = spots
        self._stood = {
            one.name: self._paper(one.at) for one in known.before.values() if one.alive and one.at is not None
        }
        self._ghosts: dict[str, Ghost] = {}
        self._there = set(self._stood)

    def of(self, events: Iterable[e.MagicEvent | None]) -> tuple[Change, ...]:
        """What these events of the turn changed."""
        return tuple(change for event in events if event for change in self._changes.get(id(event), ()))

    def playback(self) -> Playback:
        """How the table stood before the turn, as far as otherwise than now."""
        changes = self._changes
        start: list[Change] = []
        for name in self._spots:
            if name in self._stood:
                start += self._put(name, (self._stood[name],))
            else:
                start += (Change(token_name(name), None), Change(label_name(name), None))
        start += (Change(ghost.id) for ghost in self._ghosts.values() if ghost.id[1:] in self._stood_ids)
        start += (
            Change(change.id, None)
            for each in changes.values()
            for change in each
            if change.id[:3] in {"dd-", "mv-", "sh-", "ch-", "rb-"}
        )
        return Playback(tuple(dict.fromkeys(start)), tuple(self._ghosts.values()))

    @cached_property
    def _stood_ids(self) -> set[str]:
        return {token_name(name) for name in self._stood}

    def _paper(self, place: Point) -> Point:
        return place[0], self._known.size[1] - place[1]

    @cached_property
    def _changes(self) -> Mapping[int, tuple[Change, ...]]:
        marks = self._marks
        found: dict[int, tuple[Change, ...]] = {}
        for event in self._known.events:
            changed = (*self._figures(event), *map(Change, marks.get(id(event), ())))
            if changed:
                found[id(event)] = changed
        return found

    def _figures(self, event: e.MagicEvent) -> Iterator[Change]:
        match event:
            case e.FigureMoved():
                self._there.add(event.figure)
                yield from self._put(event.figure, tuple(map(self._paper, (event.from_, event.to))))
            case e.FigureKilled():
                if event.figure in self._there:
                    yield Change(self._shape(event.figure), None)
                self._there.discard(event.figure)
                yield Change(dead_name(event.figure))
            case e.FigureLost():
                if event.figure in self._there:
                    yield Change(self._shape(event.figure), None)
                self._there.discard(event.figure)
            case _:
                yield from self._come(event)

    def _come(self, event: e.MagicEvent) -> Iterator[Change]:
        """Whoever is named for the first time has been seen."""
        named = [getattr(event, field, None) for field in _NAMING]
        for name in (*named, *getattr(event, "figures", ())):
            if name in self._spots and name not in self._there:
                self._there.add(name)
                yield from self._put(name, (self._first.get(name) or self._spots[name],))

    @cached_property
    def _first(self) -> dict[str, Point]:
        """Where those who move set out from."""
        found: dict[str, Point] = {}
        for event in self._known.events:
            if isinstance(event, e.FigureMoved):
                found.setdefault(event.figure, self._paper(event.from_))
        return found

    def _put(self, name: str, way: tuple[Point, ...]) -> tuple[Change, ...]:
        """A figure on its way, with its name; as drawn, where that leads nowhere else."""
        shape = self._shape(name)
        ghost = self._ghosts.get(shape)
        home = (int(ghost.x), int(ghost.y)) if ghost else self._spots.get(name)
        if home is None:
            return ()
        steps = tuple((x - home[0], y - home[1]) for x, y in way)
        steps = () if steps == ((0, 0),) else steps
        return (Change(shape, steps),) if ghost else (Change(shape, steps), Change(label_name(name), steps))

    def _shape(self, name: str) -> str:
        """The id of a figure's token, or of the ghost of one that is not among the living now."""
        if name in self._spots:
            return token_name(name)
        ghost = f"g{token_name(name)}"
        figure = self._known.before.get(name) or self._known.figures.get(name)
        home = self._stood.get(name) or self._first.get(name)
        if ghost not in self._ghosts and figure is not None and home is not None:
            symbol = g.token_id(figure.side, figure.grade, figure.priest)
            self._ghosts[ghost] = Ghost(ghost, symbol, *home, "figures")
        return ghost

    @cached_property
    def _marks(self) -> Mapping[int, tuple[str, ...]]:
        """The marks of each event, as `board` numbers them."""
        found: dict[int, tuple[str, ...]] = {
            id(shot.event): (f"sh-{number}",) for number, shot in enumerate(self._known.shots)
        }
        for number, event in enumerate(self._known.events):
            if isinstance(event, e.FigureMoved) and event.from_ != event.to:
                found[id(event)] = (f"mv-{number}",)
            elif isinstance(event, e.ChordPlayed):
                found[id(event)] = (f"ch-{number}",)
            elif isinstance(event, e.GlamourCast) and event.glamour == ROADBLOCK and event.at is not None:
                found[id(event)] = (f"rb-{number}",)
        return found
