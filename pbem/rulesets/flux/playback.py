"""A turn played back on its map: what each event changes there, told from the fold itself.

Marks are what the map shows of the turn itself: arrows, crosses, rubble, swords. Each is numbered, for
the drawing and for its moment alike.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from pbem.drawing import Change, Ghost, Playback
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux import glyphs as g
from pbem.rulesets.flux.evolve import evolve
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.outlines import centre, tenths
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard

LIFT = 35
"""Tenths by which pieces stand above the middle of their hex, so that its label has room."""
Point = tuple[int, int]
Labels = tuple[str, ...]


def spots(state: State) -> dict[tuple[str, str], Point]:
    """Where each piece is drawn, in tenths: those that share a hex stand a little apart."""
    here: dict[Hex, int] = {}
    found: dict[tuple[str, str], Point] = {}
    for wizard in state.wizards.values():
        if not wizard.eliminated:
            for name, place in wizard.standing():
                before = here.get(place, 0)
                here[place] = before + 1
                x, y = centre(place)
                found[wizard.hue, name] = 10 * x + 100 * before, 10 * y - LIFT - 60 * before
    return found


def piece_id(hue: str, name: str) -> str:
    """The id of a piece on the map."""
    return f"pc-{hue}-{name.replace(' ', '-')}"


def earth_id(hue: str, labels: Labels) -> str:
    """The id of an earth that the turn brought."""
    return f"ea-{hue}-{'-'.join(labels)}"


def pip_id(hue: str, labels: Labels) -> str:
    """The id of the sign of such an earth's owner."""
    return f"pp-{hue}-{'-'.join(labels)}"


def failures(events: Iterable[e.FluxEvent]) -> dict[tuple[str, Labels], list[e.SpellCast]]:
    """Casts that failed and were not made good on the same ground this turn."""
    failed: dict[tuple[str, Labels], list[e.SpellCast]] = {}
    for event in events:
        if isinstance(event, e.SpellCast):
            key = event.hue, event.hexes
            if event.success:
                failed.pop(key, None)
            else:
                failed.setdefault(key, []).append(event)
    return failed


class Course:
    """One turn's changes, event by event."""

    def __init__(self, before: State, events: Iterable[e.FluxEvent], after: State) -> None:
        self._before = before
        self._after = after
        self._events = tuple(events)
        self._spots = spots(after)
        self._ghosts: dict[str, Ghost] = {}
        self._homes: dict[str, Point] = {}

    def of(self, events: Iterable[e.FluxEvent]) -> tuple[Change, ...]:
        """What these events of the turn changed."""
        return tuple(change for event in events for change in self._changes[id(event)])

    @cached_property
    def _changes(self) -> Mapping[int, tuple[Change, ...]]:
        found: dict[int, tuple[Change, ...]] = {}
        state = self._before
        marks = self._marks
        for event in self._events:
            after = evolve(state, event)
            # Nearly every event touches one wizard, or none.
            changed = [
                change
                for hue, wizard in after.wizards.items()
                if wizard is not (was := state.wizards[hue])
                for change in (*self._pieces(was, wizard, event), *self._earths(was, wizard))
            ]
            found[id(event)] = (*changed, *(Change(mark) for mark in marks.get(id(event), ())))
            state = after
        return found

    def playback(self) -> Playback:
        """How the map stood before the turn, as far as otherwise than now."""
        self.of(self._events)  # Only then all ghosts are known.
        stood, earths = _standing(self._before), self._earths_of(self._before)
        start = [Change(piece_id(*piece), None) for piece in self._spots if piece not in stood]
        for (hue, name), place in stood.items():
            change = self._put(hue, name, (place,))
            if change.way or change.id in self._ghosts:
                start.append(change)
        for key, shapes in self._shown_earths.items():
            if key not in earths:
                start += (Change(shape, None) for shape in shapes)
        start += (Change(ghost) for key in earths if (ghost := _ghost_earth(*key)) in self._ghosts)
        start += (Change(mark, None) for marks in self._marks.values() for mark in marks)
        return Playback(tuple(dict.fromkeys(start)), tuple(self._ghosts.values()))

    # Pieces

    def _pieces(self, before: Wizard, after: Wizard, event: e.FluxEvent) -> Iterator[Change]:
        hue, was, now = after.hue, dict(before.standing()), dict(after.standing())
        for name, place in was.items():
            if name not in now:
                yield Change(self._shape(hue, name, place), None)
        for name, place in now.items():
            if was.get(name) == place:
                continue
            way: tuple[Hex, ...] = (place,)
            if isinstance(event, e.PieceMoved) and (event.hue, event.piece) == (hue, name):
                way = tuple(self._hex(label) for label in event.path)
            yield self._put(hue, name, way)

    def _put(self, hue: str, name: str, way: tuple[Hex, ...]) -> Change:
        """A piece on its way; as drawn, where that leads nowhere else."""
        shape = self._shape(hue, name, way[0])
        home = self._homes.get(shape) or self._spots[hue, name]
        steps = []
        for place in way:
            x, y = centre(place)
            steps.append(((10 * x - home[0]) // 10, (10 * y - LIFT - home[1]) // 10))
        return Change(shape, () if steps == [(0, 0)] else tuple(steps))

    def _shape(self, hue: str, name: str, place: Hex) -> str:
        """The id of a piece's shape on the map, or of its ghost where it has none."""
        if (hue, name) in self._spots:
            return piece_id(hue, name)
        ghost = self._ghost_id(hue, name)
        if ghost not in self._ghosts:
            x, y = centre(place)
            home = self._homes[ghost] = 10 * x, 10 * y - LIFT
            self._ghosts[ghost] = Ghost(
                ghost, g.token_id(hue, name), tenths(home[0]), tenths(home[1]), "pieces"
            )
        return ghost

    @staticmethod
    def _ghost_id(hue: str, name: str) -> str:
        return f"g{piece_id(hue, name)}"

    def _hex(self, label: str) -> Hex:
        place = self._after.board.find(label)
        assert place is not None, label
        return place

    # Earths

    def _earths_of(self, state: State) -> dict[tuple[str, str, Labels], PlacedEarth]:
        return {
            self._key(wizard.hue, earth): earth
            for wizard in state.wizards.values()
            for earth in wizard.earths
        }

    def _key(self, hue: str, earth: PlacedEarth) -> tuple[str, str, Labels]:
        return hue, earth.earth, tuple(map(self._after.board.label, earth.hexes))

    @cached_property
    def _shown_earths(self) -> dict[tuple[str, str, Labels], tuple[str, ...]]:
        """The shapes of the earths that stand now and did not always stand since the turn began."""
        cast = {
            (event.hue, event.hexes)
            for event in self._events
            if isinstance(event, e.SpellCast) and event.success
        }
        return {
            (hue, earth, labels): (earth_id(hue, labels), pip_id(hue, labels))
            for hue, earth, labels in self._earths_of(self._after)
            if (hue, labels) in cast
        }

    def _earths(self, before: Wizard, after: Wizard) -> Iterator[Change]:
        if before.earths == after.earths:
            return
        for earth in before.earths:
            if earth not in after.earths:
                yield from (Change(shape, None) for shape in self._earth_shapes(after.hue, earth))
        for earth in after.earths:
            if earth not in before.earths:
                yield from map(Change, self._earth_shapes(after.hue, earth))

    def _earth_shapes(self, hue: str, earth: PlacedEarth) -> tuple[str, ...]:
        key = self._key(hue, earth)
        if key in self._shown_earths:
            return self._shown_earths[key]
        ghost = _ghost_earth(*key)
        if ghost not in self._ghosts:
            one, other = earth.hexes
            symbol = g.pair_id((other.q - one.q, other.r - one.r), earth.earth)
            self._ghosts[ghost] = Ghost(ghost, symbol, *centre(one), f"er-{key[0]}")
        return (ghost,)

    # Marks

    @cached_property
    def _marks(self) -> Mapping[int, tuple[str, ...]]:
        """The marks of each event, as `board` numbers them."""
        found: dict[int, tuple[str, ...]] = {}
        failed = {key: number for number, key in enumerate(failures(self._events))}
        moves = destroyed = 0
        for event in self._events:
            match event:
                case e.PieceMoved():
                    found[id(event)] = (f"mv-{moves}",)
                    moves += 1
                case e.SpellCast(success=False) if (event.hue, event.hexes) in failed:
                    number = failed[event.hue, event.hexes]
                    found[id(event)] = (f"fo-{number}", f"fc-{number}")
                case e.DestructionAttempted(success=True):
                    found[id(event)] = (f"de-{destroyed}", f"du-{destroyed}")
                    destroyed += 1
                case e.CombatFought():
                    found[id(event)] = (f"ft-{event.hex}",)
                case _:
                    pass
        return found


def _ghost_earth(hue: str, earth: str, labels: Labels) -> str:
    return f"ge-{hue}-{earth}-{'-'.join(labels)}"


def _standing(state: State) -> dict[tuple[str, str], Hex]:
    return {
        (wizard.hue, name): place
        for wizard in state.wizards.values()
        if not wizard.eliminated
        for name, place in wizard.standing()
    }
