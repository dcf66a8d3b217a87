"""What a reader is told of a turn: built from what he knows of it, and from nothing else (Reports)."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from pbem.events import Json
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.board import LAYERS, Scene, board_drawing, legend_items, near_view, thumbnail
from pbem.rulesets.magic.composer import composer_data
from pbem.rulesets.magic.examples import barred, examples
from pbem.rulesets.magic.glyphs import token_id
from pbem.rulesets.magic.known import Known, KnownFigure, MagicTurn, known, known_json
from pbem.rulesets.magic.names import (
    AMBUSH,
    BERSERK,
    CHORD,
    FLATULENCE,
    LIGHT_FIRE,
    MEDITATION,
    PILE,
    PREPARATION,
    ROUT,
    SIDES,
    STEALTH,
)
from pbem.rulesets.magic.orders import place_text
from pbem.rulesets.magic.outcomes import seat_report
from pbem.rulesets.magic.playback import Course
from pbem.rulesets.magic.state import Condition
from pbem.rulesets.magic.told import (
    GLAMOUR_TITLES,
    HOLDS,
    ILLUSION_TITLES,
    Teller,
    cm,
    count,
    signed,
    title,
)
from pbem.rulesets.model import (
    Board,
    Chapter,
    Column,
    Figure,
    Icon,
    Item,
    ItemList,
    Reading,
    Report,
    Row,
    Span,
    Table,
    Words,
    code,
    joined,
    plain_text,
    seat_name,
    strong,
    words,
)

DASH = "\N{EN DASH}"


def view(turn: MagicTurn, reader: str) -> Report:
    """The report of a turn for a side, for everybody or for the GM."""
    return _Maker(turn, known(turn, reader)).report()


class _Maker:
    """One reader's report."""

    def __init__(self, turn: MagicTurn, what: Known) -> None:
        self._turn = turn
        self._known = what
        self._teller = Teller(what)
        self._reader = what.reader
        self._plays = what.reader in SIDES
        self._next = what.number + 1

    def report(self) -> Report:
        """All of it."""
        what = self._known
        return Report(
            reader=self._reader,
            heading=f"turn {what.number} of {what.length}" if what.number else "sign-up",
            headline=self._headline(),
            board=self._board(),
            next_turn=tuple(self._next_turn()),
            figures=tuple(self._figures()),
            changed=tuple(self._changed()) if self._plays and what.number else (),
            orders=tuple(seat_report(what, self._teller, side) for side in self._seats()),
            round=self._chapters,
            round_title=f"Turn {what.number} as it happened" if what.number else "Before the battle",
            standings=self._standings(),
            in_words=tuple(self._in_words()),
            template=tuple(self._template()),
            thumbnail=None if self._plays else thumbnail(what),
            readings=tuple(Reading("points", side, str(what.points[side])) for side in SIDES),
            icons={side: Icon(token_id(side)) for side in SIDES},
            script_data=self._script_data(),
            data=known_json(self._turn, what),
            throws=tuple(die for event in what.events for die in getattr(event, "dice", ())),
        )

    def _script_data(self) -> dict[str, Json]:
        """For the script of a side's own page: what its order composer needs."""
        data = composer_data(self._turn.after, self._reader) if self._plays else {}
        return {"compose": data} if data else {}

    def _seats(self) -> list[str]:
        mine = [self._reader] if self._plays else []
        return [
            side
            for side in (*mine, *(side for side in SIDES if side not in mine))
            if side in self._known.orders
        ]

    @cached_property
    def _chapters(self) -> tuple[Chapter, ...]:
        return self._teller.chapters(self._course)

    @cached_property
    def _scene(self) -> Scene:
        return Scene(self._known)

    @cached_property
    def _course(self) -> Course:
        return Course(self._known, self._scene.spots)

    # The news

    def _headline(self) -> Words:
        what, teller = self._known, self._teller
        ended = next((event for event in what.events if isinstance(event, e.BattleEnded)), None)
        if ended is not None:
            return teller.ended(ended)
        if not what.number:
            return words("Sign-up is closed, and the battle begins.")
        parts: list[Words] = []
        for news, names in self._losses():
            if names:
                parts.append(words(f"{news}: ", teller.all(names), "."))
        parts.extend(words(text) for text in self._magic_news())
        if not parts:
            return words("A quiet turn: nobody was killed or wounded.")
        return joined(parts, " ") if len(parts) < 2 else _spaced(parts)

    def _losses(self) -> Iterator[tuple[str, list[str]]]:
        events = self._known.events
        killed = [event.figure for event in events if isinstance(event, e.FigureKilled)]
        lost = [event.figure for event in events if isinstance(event, e.FigureLost)]
        hurt = [event.figure for event in events if isinstance(event, e.FigureWounded)]
        yield "Killed", killed
        yield "Lost", lost
        yield "Wounded", [name for name in dict.fromkeys(hurt) if name not in killed]

    def _magic_news(self) -> Iterator[str]:
        for event in self._known.events:
            match event:
                case e.ChordPlayed():
                    yield "The Power Chord was played."
                case e.GlamourCast(effect=True):
                    yield f"{GLAMOUR_TITLES[event.glamour]} came into force."
                case e.IllusionCast(effect=True):
                    yield f"{title(ILLUSION_TITLES[event.illusion])} came into force."
                case e.AmbushSprung():
                    yield f"The {event.unit} sprang their ambush."
                case _:
                    pass

    def _changed(self) -> Iterator[Item]:
        """What is otherwise than in this reader's last report."""
        what, teller = self._known, self._teller
        for news, names in self._losses():
            yield from (Item(words(f"{news}: ", teller.who(name), self._where(name))) for name in names)
        seen = [name for name, one in what.figures.items() if name not in what.reported and one.alive]
        yield from (Item(words("In sight: ", teller.who(name), self._where(name))) for name in seen)
        gone = sum(1 for name in what.reported if name not in what.figures)
        if gone:
            yield Item(words(f"Out of sight: {gone} of the enemy"))
        yield from (
            Item(words("Burning: ", _fire(event))) for event in what.events if isinstance(event, e.FireLit)
        )
        yield from (
            Item(words(f"Open: {event.thing}")) for event in what.events if isinstance(event, e.ThingOpened)
        )
        for side in SIDES:
            got = what.points[side] - what.points_reported[side]
            if got:
                yield Item(
                    words("Points for the ", seat_name(side), f": {signed(got)}, now {what.points[side]}")
                )
        yield from self._states_changed()

    def _states_changed(self) -> Iterator[Item]:
        for one in self._known.mine():
            before = self._known.reported.get(one.name)
            if before is None:
                continue
            new = [state for state in one.states if state not in before.states]
            if new:
                yield Item(words(self._teller.who(one.name), f": {', '.join(HOLDS.get(s, s) for s in new)}"))

    def _where(self, name: str) -> str:
        figure = self._known.figures.get(name)
        return f" at {place_text(figure.at)}" if figure is not None and figure.at is not None else ""

    # The next turn

    def _figures(self) -> Iterator[Figure]:
        what = self._known
        if not self._plays:
            return
        enemy = next(side for side in SIDES if side != self._reader)
        yield Figure(
            str(what.points[self._reader]),
            f"{_points(what.points[self._reader])}, {enemy} {what.points[enemy]}",
        )
        mine = what.mine()
        if what.over:
            yield Figure(str(len(mine)), "figures left")
            return
        able = [one for one in mine if not self._bars(one)]
        yield Figure(str(len(able)), f"of {len(mine)} can act")
        left = what.length - what.number
        yield Figure(str(left), "turn to go" if left == 1 else "turns to go")

    def _next_turn(self) -> Iterator[ItemList]:
        if not self._plays or self._known.over:
            return
        mine = self._known.mine()
        priests = [one for one in mine if one.priest]
        if priests:
            yield ItemList("Magic", tuple(map(self._priest_item, priests)))
        if any(one.priest == "schtuck" for one in priests):
            yield self._words_of_power()
        able = [one for one in mine if not one.priest and not self._bars(one)]
        if able:
            yield ItemList("Ready to act", tuple(map(self._item, able)))
        barred = [one for one in mine if not one.priest and self._bars(one) and AMBUSH not in one.states]
        if barred:
            yield ItemList("Cannot act", tuple(map(self._item, barred)))
        unseen = [one for one in mine if one.unseen]
        if unseen:
            yield ItemList(
                "Yours alone to see",
                tuple(map(self._item, unseen)),
                note=words("The other side sees none of them."),
            )

    def _item(self, one: KnownFigure) -> Item:
        """A figure of one's own: where, what holds, wounds, skills."""
        notes = [*self._state_notes(one), *self._notes(one)]
        return Item(
            words(strong(one.name), f" at {place_text(one.at or (0, 0))}"),
            words("; ".join(notes)) if notes else (),
            Icon(token_id(one.side, one.grade, one.priest, unseen=one.unseen)),
        )

    def _state_notes(self, one: KnownFigure) -> Iterator[str]:
        for state, held in one.states.items():
            if self._lasts(held):
                word = f" ({held.word})" if held.word else ""
                yield f"{HOLDS.get(state, state)}{word}{self._until(state, held)}"

    def _notes(self, one: KnownFigure) -> Iterator[str]:
        if one.side != self._reader:
            yield "yours to order for now"
        if one.engaged:
            yield f"engaged with {plain_text(joined(one.engaged))}"
        if one.wounds:
            yield count(one.wounds, "wound") + (f" of {one.wound_points}" if one.wound_points else "")
        if one.alive and one.skills:
            several = "skills" if len(one.skills) > 1 else "skill"
            yield f"{several}: {', '.join(self._skill(one, skill) for skill in one.skills)}"

    def _lasts(self, held: Condition) -> bool:
        return held.until is None or held.until >= self._next

    def _until(self, state: str, held: Condition) -> str:
        if held.until is None:
            return "" if state != ROUT else " until rallied"
        return f" through turn {held.until}"

    def _bars(self, one: KnownFigure) -> bool:
        """Whether a state that still holds in the next turn lets it carry out no order."""
        return barred(one, self._next)

    def _skill(self, one: KnownFigure, skill: str) -> str:
        """A skill with what is left of it (M4)."""
        rules = self._known.core.skills
        if not one.own:
            return skill
        if skill == STEALTH:
            recent = [turn for turn in one.used.get(STEALTH, ()) if turn > self._next - rules.stealth.turns]
            return f"stealth ({max(0, rules.stealth.uses - len(recent))} of {rules.stealth.uses} uses left)"
        if skill == BERSERK:
            return "berserk (used up)" if BERSERK in one.used else "berserk (once a game)"
        if skill == FLATULENCE:
            return "flatulence (thrown for at every START)"
        if skill == LIGHT_FIRE and self._known.weather == "wet":
            return "light fire (not in the wet)"
        return skill

    def _priest_item(self, one: KnownFigure) -> Item:
        item = self._item(one)
        said = [*self._magic_left(one)]
        own: Words = (Span("; "), *item.note) if item.note else ()
        return item._replace(note=words("; ".join(said), own))

    def _magic_left(self, one: KnownFigure) -> Iterator[str]:
        effects, core = self._known.effects, self._known.core
        if one.priest == "schtuck":
            yield f"one Word a turn, to {cm(core.words.bands[-1])} cm"
            return
        titles: Mapping[str, str] = {**GLAMOUR_TITLES, **ILLUSION_TITLES}
        if one.priest == "achtung":
            chord = effects.get(CHORD)
            if chord is not None and chord.until is not None and chord.until >= self._next:
                yield f"recovers from the chord: chord and meditation again in turn {chord.until + 1}"
            else:
                yield f"chord, to {cm(core.chord.rings[-1])} cm"
            meditation = effects.get(MEDITATION)
            if meditation is not None:
                on = place_text(meditation.at) if meditation.at is not None else meditation.target
                yield f"{titles[meditation.glamour or '']} comes into force at START" + (
                    f" on {on}" if on else ""
                )
        preparation = effects.get(PREPARATION)
        if one.priest == "wasserpferd" and preparation is not None:
            due = preparation.turn + 2
            yield f"{titles[preparation.illusion or '']} comes into force at START of turn {due}, undisturbed"
        begun = {
            name
            for held in (effects.get(MEDITATION), preparation)
            if held is not None and held.cause == one.name
            for name in (held.glamour, held.illusion)
        }
        left = [titles.get(name, name) for name in one.declared if name not in one.used and name not in begun]
        used = [titles.get(name, name) for name in one.declared if name in one.used]
        if left:
            yield f"left: {', '.join(left)}"
        if used:
            yield f"used: {', '.join(used)}"
        if not one.declared:
            yield "nothing declared"

    def _words_of_power(self) -> ItemList:
        rules = self._known.core.words
        items = tuple(
            Item(words(strong(word), f" {' / '.join(map(str, chances))}"))
            for word, chances in rules.chances.items()
        )
        bands = " and to ".join(f"{cm(band)} cm" for band in rules.bands)
        standard = self._known.core.standard
        guard = f"{signed(standard.words)} within {cm(standard.reach)} cm of the standard"
        note = f"Chance of a hundred to {bands}; {guard}."
        return ItemList("Words of Power", items, "row", words(note))

    def _template(self) -> Iterator[str]:
        if not self._plays or self._known.over:
            return
        yield "# Figures without orders hold, and strike back."
        held = [one.name for one in self._known.mine() if self._bars(one)]
        if held:
            yield f"# Barred: {', '.join(held)}."
        lines = list(examples(self._turn.after, self._known))
        if lines:
            yield "# Orders look like this; without the # they would be allowed as things stand:"
            yield from (f"#   {line}" for line in lines)

    # The table

    def _board(self) -> Board:
        what = self._known
        caption = words(
            "Figures stand where the turn left them, those engaged a little apart. Lengths are centimetres."
            if what.number
            else "The table before the first turn. Lengths are centimetres."
        )
        near = near_view(what)
        return Board(
            board_drawing(what, self._scene),
            caption,
            legend_items(),
            near,
            "Nearer: where the figures stand" if near else "",
            LAYERS,
            self._course.playback(),
        )

    def _standings(self) -> Table:
        what = self._known
        best = max(1, *what.points.values())
        rows = []
        for side in sorted(SIDES, key=lambda side: -what.points[side]):
            ours = [one for one in what.figures.values() if one.side == side]
            alive = [one for one in ours if one.alive]
            whole = what.everything or side == self._reader
            rows.append(
                Row(
                    (
                        words(seat_name(side)),
                        words(strong(what.points[side])),
                        words(str(len(alive)), Span("" if whole else " seen", "muted")),
                        words(str(sum(not one.alive and one.at is not None for one in ours))),
                        words(str(sum(one.at is None for one in ours))),
                        words(str(sum(1 for one in alive if one.wounds))),
                    ),
                    Icon(token_id(side)),
                    side,
                    what.points[side] * 1000 // best,
                )
            )
        columns = (
            Column("Side"),
            Column("Points", numeric=True),
            Column("Figures left", numeric=True),
            Column("Killed", numeric=True),
            Column("Lost", numeric=True),
            Column("Wounded", numeric=True),
        )
        note = words("A side gets points for the other\N{RIGHT SINGLE QUOTATION MARK}s dead and lost.")
        return Table(
            "Final standings" if what.over else "Standings", columns, tuple(rows), note, bar_column=1
        )

    def _in_words(self) -> Iterator[Table]:
        for side in SIDES:
            figures = [one for one in self._known.figures.values() if one.side == side]
            if figures:
                yield self._roster(side, figures)
        yield self._ground()

    def _roster(self, side: str, figures: list[KnownFigure]) -> Table:
        whole = self._known.everything or side == self._reader
        rows = tuple(self._roster_row(one) for one in figures)
        columns = ("Figure", "Unit, grade", "Place", "Arms", "Wounds", "State", "Skills and magic")
        name = f"The {side}" if whole else f"The {side}, as far as they are seen"
        note = words("Places are centimetres from the lower left corner, as in ", code("34.5,56"), ".")
        return Table(name, tuple(Column(text) for text in columns), rows, note)

    def _roster_row(self, one: KnownFigure) -> Row:
        arms = [*one.weapons, *(["armour"] if one.armour else []), *(["shield"] if one.shield else [])]
        of = f" of {one.wound_points}" if one.wound_points else ""
        worth = f", {count(one.points, 'point')}" if one.points is not None and one.points != 1 else ""
        place = "lost" if one.at is None else place_text(one.at)
        skills = [self._skill(one, skill) for skill in one.skills]
        magic = [f"{name}, used" if name in one.used else f"{name}, declared" for name in one.declared]
        return Row(
            (
                words(seat_name(one.side, one.name)),
                words(f"{one.unit}, {one.grade}{worth}"),
                words(place),
                words(", ".join(arms) or "none"),
                words(f"{one.wounds}{of}"),
                self._state_words(one),
                words(", ".join([*skills, *magic]) or DASH),
            ),
            Icon(token_id(one.side, one.grade, one.priest, unseen=one.unseen, dead=not one.alive)),
            one.side,
        )

    def _state_words(self, one: KnownFigure) -> Words:
        if not one.alive:
            return words("lost" if one.at is None else "dead")
        said = [self._state_text(state, held) for state, held in one.states.items()]
        if one.engaged:
            said.append(f"engaged with {plain_text(joined(one.engaged))}")
        if one.commander != one.side:
            said.append(f"under {one.commander} orders")
        return words("; ".join(said) or "free to act")

    def _state_text(self, state: str, held: Condition) -> str:
        word = f" ({held.word})" if held.word else ""
        last = ""
        if held.until is not None:
            last = (
                " to the end of this turn"
                if held.until <= self._known.number
                else f" through turn {held.until}"
            )
        return f"{HOLDS.get(state, state)}{word}{last}"

    def _ground(self) -> Table:
        rows = [Row((words(what), where)) for what, where in self._ground_rows()]
        return Table("The ground", (Column("What"), Column("Where")), tuple(rows))

    def _ground_rows(self) -> Iterator[tuple[str, Words]]:
        what = self._known
        width, height = what.size
        yield "Table", words(f"{cm(width)} by {cm(height)} cm, {what.weather} weather")
        for piece in what.terrain:
            stops = (("sight", piece.blocks_sight), ("movement", piece.blocks_movement))
            blocks = " and ".join(name for name, bad in stops if bad) or "nothing"
            yield piece.name, words(f"blocks {blocks}; corners {' '.join(map(place_text, piece.points))}")
        for thing in what.things:
            shut = "" if thing.kind == "fuel" else ", shut"
            state = ", burning" if thing.burns else ", open" if thing.open else shut
            yield thing.name, words(f"{thing.kind} at {place_text(thing.at)}{state}")
        if what.fires:
            yield "Fires", words(", ".join(map(place_text, what.fires)))
        if what.standard is not None:
            by = words(", carried by ", self._teller.who(what.bearer)) if what.bearer else words()
            yield "Standard", words(f"at {place_text(what.standard)}", by)
        for unit, zone in what.zones.items():
            yield f"Zone of {unit}", words(f"they may lie in ambush within {' '.join(map(place_text, zone))}")
        yield from self._running()

    def _running(self) -> Iterator[tuple[str, Words]]:
        effects, teller = self._known.effects, self._teller
        if (pile := effects.get(PILE)) is not None:
            last = "for the rest of the game" if pile.until is None else f"through turn {pile.until}"
            spared = words(", but not over ", teller.all(pile.spared)) if pile.spared else words()
            yield "The Pile", words(f"over the whole table {last}", spared)
        if (chord := effects.get(CHORD)) is not None and chord.at is not None and chord.until is not None:
            again = f"again from turn {chord.until + 1}"
            yield "The chord", words(f"played at {place_text(chord.at)} in turn {chord.turn}, {again}")
        if (meditation := effects.get(MEDITATION)) is not None:
            what = GLAMOUR_TITLES[meditation.glamour or ""]
            yield "Meditation", words(teller.who(meditation.cause), f", {what}")
        if (preparation := effects.get(PREPARATION)) is not None:
            due = preparation.turn + 2
            yield (
                "Preparation",
                words(
                    teller.who(preparation.cause),
                    f", {ILLUSION_TITLES[preparation.illusion or '']}, in force at START of turn {due}",
                ),
            )


def _spaced(parts: list[Words]) -> Words:
    spans: list[Span] = []
    for part in parts:
        if spans:
            spans.append(Span(" "))
        spans.extend(part)
    return tuple(spans)


def _points(number: int) -> str:
    return "point" if number == 1 else "points"


def _fire(event: e.FireLit) -> str:
    return f"{event.thing} at {place_text(event.at)}" if event.thing else place_text(event.at)
