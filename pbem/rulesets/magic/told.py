"""Events into words: the turn as it happened, phase by phase, from what its reader knows of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.events import Throw
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.geometry import distance
from pbem.rulesets.magic.known import UNKNOWN, Known
from pbem.rulesets.magic.names import (
    AMBUSH,
    BELLY,
    BERSERK,
    CHAPPIE,
    CHARGED,
    CHORD,
    CHUFFA,
    COMPELLED,
    FLATULENCE,
    FLEE,
    FREEZE,
    GOOD_BOY,
    HIDING,
    KHYLIE,
    LIGHT_FIRE,
    MATE,
    OUT,
    PASSED,
    PILE,
    PREPARING,
    RALLIED,
    RALLY,
    ROUT,
    SPINNING,
    STEALTH,
    UNLOCK,
    WITCH_FIRE,
    WOUNDED,
)
from pbem.rulesets.magic.orders import Play, Speak, place_text
from pbem.rulesets.magic.playback import Course
from pbem.rulesets.model import (
    Chapter,
    Odds,
    Span,
    Told,
    Words,
    joined,
    seat_name,
    strong,
    words,
)

MINUS = "\N{MINUS SIGN}"
PHASES = ("Start", "Move", "Shoot", "Fight", "Morale", "End")
LEADS = (
    "durations, magic that comes into force, flatulence, ambushes, words and the chord",
    "words and the chord timed for it; initiative, skills, the sides\N{RIGHT SINGLE QUOTATION MARK} moves",
    "all shots are thrown, then the wounds",
    "every engaged pair once, then the wounds",
    "tests for wounds and dead mates",
    "what is judged when all is done; rally last",
)
START, MOVE, SHOOT, FIGHT, MORALE, END = range(6)

STATES: Mapping[str, tuple[str, str]] = {
    OUT: ("is out of action", "are out of action"),
    FREEZE: ("is frozen", "are frozen"),
    ROUT: ("routs", "rout"),
    FLEE: ("flees", "flee"),
    COMPELLED: ("is compelled", "are compelled"),
    BERSERK: ("goes berserk", "go berserk"),
    PREPARING: ("is getting madder and madder", "are getting madder and madder"),
    STEALTH: ("is stealthy", "are stealthy"),
    HIDING: ("hides", "hide"),
    AMBUSH: ("lies in ambush", "lie in ambush"),
    GOOD_BOY: ("is a good boy, +2 morale", "are good boys, +2 morale"),
    KHYLIE: ("knows the Khylie, +2 morale", "know the Khylie, +2 morale"),
    BELLY: ("has a bloated belly", "have bloated bellies"),
    SPINNING: (
        "spins around and is the Boche player\N{RIGHT SINGLE QUOTATION MARK}s",
        "spin around and are the Boche player\N{RIGHT SINGLE QUOTATION MARK}s",
    ),
}
"""What is said of one figure in a state, and of several."""
OVER = {
    OUT: "out of action", FREEZE: "frozen", ROUT: "routing", FLEE: "fleeing", COMPELLED: "compelled",
    BERSERK: "berserk", PREPARING: "getting madder", STEALTH: "stealthy", HIDING: "hiding",
    AMBUSH: "in ambush", GOOD_BOY: "praised", KHYLIE: "sure of the Khylie", BELLY: "bloated",
    SPINNING: "spinning around",
}  # fmt: skip
HOLDS = {
    OUT: "out of action", FREEZE: "frozen", ROUT: "routs", FLEE: "flees", AMBUSH: "in ambush: springs first",
    HIDING: "hides", PREPARING: "getting madder", COMPELLED: "compelled", BERSERK: "berserk",
    STEALTH: "stealthy",
}  # fmt: skip
"""States as adjectives; any other stands for itself."""
GLAMOUR_TITLES = {
    "roadblock": "Roadblock",
    "too many broken hearts": "Too Many Broken Hearts",
    "better the khylie you know": "Better The Khylie You Know",
    "spinning around": "Spinning Around",
    "take steps": "Take Steps",
}
ILLUSION_TITLES = {
    "pile": "the Pile",
    "chuffa-puffa": "the Chuffa-Puffa",
    "bloated belly": "the Bloated Belly",
}
BARE = "no weapon"
"""The modifier `none` of blows, for readers."""
CHORD_RESULTS = ("", "nothing", "flee", "out of action", "freeze", "freeze, two turns", "rout")

Consequence: TypeAlias = (
    e.StateBegan | e.StateEnded | e.EngagementBegan | e.EngagementEnded | e.ItemsDropped | e.FigureKilled
    | e.FigureLost | e.FigureSeen | e.EffectEnded
)  # fmt: skip
_ALONE = (
    e.InitiativeThrown | e.SkillUsed | e.FlatulenceThrown | e.GlamourBegun | e.IllusionBegun | e.BlowsStruck
)
"""Events of which nothing follows at once but for their own figure."""


def cm(length: int) -> str:
    """Millimetres as centimetres."""
    return f"{length // 10}.{length % 10}" if length % 10 else str(length // 10)


def signed(number: int) -> str:
    """`+2`, and a true minus sign."""
    return f"+{number}" if number >= 0 else f"{MINUS}{-number}"


def count(number: int, one: str, many: str = "") -> str:
    """`1 shot`, `2 shots`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def title(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]


def arithmetic(throw: int, modifiers: Iterable[e.Modifier], total: int) -> str:
    """`7 + 1 grade + 2 pile = 10`."""
    named = ((BARE if why == "none" else why, by) for why, by in modifiers)
    added = "".join(f" {'+' if by >= 0 else MINUS} {abs(by)} {why}" for why, by in named)
    return f"{throw}{added} = {signed(total).lstrip('+')}" if added else str(throw)


def until_words(until: int | None, state: str, now: int) -> str:
    """How long a state lasts, in words."""
    if until is None:
        return {ROUT: " until rallied", COMPELLED: " until that is done", AMBUSH: " until it is sprung"}.get(
            state, " for the rest of the game"
        )
    if until <= now:
        return " for the rest of this turn"
    return f" through turn {until}"


class Happening(NamedTuple):
    """What happened, with all that followed of it at once."""

    phase: int
    head: e.MagicEvent | None
    consequences: tuple[Consequence, ...] = ()


class Teller:
    """Says what one reader knows of a turn."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.happenings = tuple(_happenings(known))

    # Names

    def who(self, name: str | None) -> Span:
        """A figure's or unit's name in the colour of its side."""
        if not name or name == UNKNOWN:
            return Span("somebody unseen")
        figure = self.known.figures.get(name) or self.known.before.get(name)
        if figure is not None:
            return seat_name(figure.side, name)
        side = next((one.side for one in self.known.figures.values() if one.unit == name), "")
        return seat_name(side, name) if side else strong(name)

    def all(self, names: Iterable[str]) -> Words:
        """Several names."""
        return joined([self.who(name) for name in names])

    # The turn

    def chapters(self, course: Course) -> tuple[Chapter, ...]:
        """The turn by its phases, those left out in which nothing is known to have happened (M2)."""
        if self.known.number == 0:
            told = tuple(_labelled(self._row(one, course) for one in self.happenings))
            return (Chapter(words("Sign-up"), told),) if told else ()
        found = []
        for phase, name in enumerate(PHASES):
            rows = [self._row(one, course) for one in self.happenings if one.phase == phase]
            if rows:
                found.append(Chapter(words(name), tuple(_labelled(rows)), lead=words(LEADS[phase])))
        return tuple(found)

    def _row(self, happening: Happening, course: Course) -> Told:
        """One row, with what it did to the table."""
        changes = course.of((happening.head, *happening.consequences))
        return self.told(happening)._replace(changes=changes)

    def told(self, happening: Happening) -> Told:
        """One row."""
        head = happening.head
        base = Told((), "States") if head is None else self.head(head)
        after = self.consequences(happening.consequences)
        rules = tuple(
            dict.fromkeys((*base.rules, *(rule for one in happening.consequences for rule in one.rules)))
        )
        text = (*base.text, Span(" "), *after) if base.text and after else (*base.text, *after)
        return base._replace(text=text, rules=rules, dice=_dice(base, happening))

    def head(self, event: e.MagicEvent) -> Told:
        """The row of an event by itself."""
        told = self._magic(event) or self._fight(event) or self._other(event)
        return told._replace(rules=event.rules)

    def _magic(self, event: e.MagicEvent) -> Told | None:
        match event:
            case e.WordSpoken():
                return self._word(event)
            case e.ChordPlayed():
                return self._chord(event)
            case e.GlamourBegun():
                on = place_text(event.at) if event.at is not None else event.target
                goal = f", for {on}" if on else ""
                text = words(self.who(event.caster), f" meditates {GLAMOUR_TITLES[event.glamour]}{goal}.")
                return Told(text, "Glamour")
            case e.GlamourBroken():
                what = GLAMOUR_TITLES.get(event.glamour, event.glamour)
                text = words(
                    self.who(event.caster),
                    f": the meditation of {what} is broken, {event.reason}. It is not used up.",
                )
                return Told(text, "Glamour", "failed", "Broken")
            case e.GlamourCast():
                return self._glamour(event)
            case e.IllusionBegun():
                text = words(self.who(event.caster), f" prepares {ILLUSION_TITLES[event.illusion]}.")
                return Told(text, "Illusion")
            case e.IllusionBroken():
                what = ILLUSION_TITLES.get(event.illusion, event.illusion)
                text = words(
                    self.who(event.caster),
                    f": the preparation of {what} is broken, {event.reason}. He may begin again.",
                )
                return Told(text, "Illusion", "failed", "Broken")
            case e.IllusionCast():
                return self._illusion(event)
            case e.MagicDeclared():
                names = [
                    GLAMOUR_TITLES.get(name) or ILLUSION_TITLES.get(name, name) for name in event.declared
                ]
                return Told(words(self.who(event.caster), " declares ", joined(names), "."), "Declared")
            case _:
                return None

    def _word(self, event: e.WordSpoken) -> Told:
        rules = self.known.core.words
        base = event.chance - sum(by for _, by in event.modifiers)
        added = "".join(f", {signed(by)} {why}" for why, by in event.modifiers)
        note = words(f"{base}{added}" if added else "")
        odds = Odds(
            rules.die, max(0, event.chance), event.throw, event.success, note if added else (), event.dice
        )
        text = words(
            self.who(event.caster), " to ", self.who(event.target),
            f", {cm(event.distance)} cm away: {title(event.word)}!",
        )  # fmt: skip
        if event.success:
            return Told(text, "Word", "done", "Heeded", odds=(odds,))
        return Told(text, "Word", "failed", "Shrugged off", odds=(odds,))

    def _chord(self, event: e.ChordPlayed) -> Told:
        parts: list[Span | str | Words] = [
            self.who(event.caster),
            f" plays the Power Chord, {cm(event.radius)} cm to every side, and throws ",
            strong(event.throw),
            ".",
        ]
        for result in range(1, 7):
            names = [name for name, got in event.results.items() if got == result]
            if names:
                parts += [f" {title(CHORD_RESULTS[result])}: ", self.all(names), "."]
        if event.spared:
            parts += [" The standard guards ", self.all(event.spared), "."]
        if not event.results and not event.spared:
            parts.append(" Nobody known of stands within.")
        return Told(words(*parts), "Chord")

    def _glamour(self, event: e.GlamourCast) -> Told:
        name = GLAMOUR_TITLES.get(event.glamour, event.glamour)
        parts: list[Span | str | Words] = [self.who(event.caster), f": {name}"]
        if event.at is not None:
            parts.append(f" round {place_text(event.at)}")
        if event.target is not None:
            parts += [" on ", self.who(event.target)]
        parts.append(".")
        if event.results:
            each = [words(self.who(who), f" throws {die}") for who, die in event.results.items()]
            parts += [" ", joined(each), f"; {self.known.core.glamours.roadblock.nothing} is nothing."]
        if event.targets:
            parts += [" It reaches ", self.all(event.targets), "."]
        if event.spared:
            parts += [" The standard guards ", self.all(event.spared), "."]
        if not event.effect:
            parts.append(" It is used, to no effect.")
        return Told(words(*parts), "Glamour")

    def _illusion(self, event: e.IllusionCast) -> Told:
        parts: list[Span | str | Words] = [
            self.who(event.caster),
            f": {ILLUSION_TITLES.get(event.illusion, event.illusion)}",
        ]
        if event.throw is not None:
            parts += [", thrown ", strong(event.throw)]
        if event.effect and event.illusion != CHUFFA:
            parts.append(
                " for the rest of the game" if event.turns is None else f" for {count(event.turns, 'turn')}"
            )
        parts.append(".")
        if event.targets:
            parts += [" It reaches ", self.all(event.targets), "."]
        if event.spared:
            parts += [" The standard guards ", self.all(event.spared), "."]
        if not event.effect:
            parts.append(" It comes to nothing, and is spent.")
        return Told(words(*parts), "Illusion")

    def _fight(self, event: e.MagicEvent) -> Told | None:
        match event:
            case e.ShotFired():
                return self._shot(event)
            case e.BlowsStruck():
                return self._blows(event)
            case e.WoundSaved():
                text = words(
                    self.who(event.figure), " is hit by ", self.who(event.by),
                    f" and saved: threw {event.throw}, needs {event.needed} or more.",
                )  # fmt: skip
                return Told(text, "Wounds")
            case e.FigureWounded():
                figure = self.known.figures.get(event.figure)
                of = f" of {figure.wound_points}" if figure is not None and figure.wound_points else ""
                saved = f"; the save threw {event.dice[0].value}" if event.dice else ""
                text = words(
                    self.who(event.figure), " is wounded by ", self.who(event.by),
                    f", wound {event.wounds}{of}{saved}.",
                )  # fmt: skip
                return Told(text, "Wounds")
            case e.MoraleTested():
                return self._morale(event)
            case e.ChappieJudged():
                end = "they have had enough of him." if event.killed else "they put up with him."
                text = words(
                    self.who(event.figure), f", cheeky chappie: his unit throws {event.throw}, and {end}"
                )
                return Told(text, "Chappie")
            case _:
                return None

    def _shot(self, event: e.ShotFired) -> Told:
        base = self.base_chance(event)
        added = "".join(f", {signed(by)} {why}" for why, by in event.modifiers)
        text = words(
            self.who(event.figure), " at ", self.who(event.target),
            f" with {event.weapon}, {cm(event.distance)} cm: column to {cm(event.column)}, {base}{added}.",
        )  # fmt: skip
        odds = Odds(self.known.core.shooting.die, event.chance, event.throw, event.hit, dice=event.dice)
        return Told(
            text, "Shots", "done" if event.hit else "failed", "Hit" if event.hit else "Missed", odds=(odds,)
        )

    def base_chance(self, event: e.ShotFired) -> int:
        """The chance of the column that counted, before modifiers (M3)."""
        rules = self.known.core.shooting
        chances = {str(weapon): row for weapon, row in rules.chances.items()}[event.weapon]
        return chances[rules.columns.index(event.column)]

    def _blows(self, event: e.BlowsStruck) -> Told:
        one, other = event.figures
        if not event.throws:
            struck = joined(
                [words(self.who(_foe(event, by)), " is struck by ", self.who(by)) for by in event.strikers]
            )
            return Told(words(struck, ": out of action, and nothing is thrown."), "Blows")
        sums = [
            arithmetic(event.throws[name], event.modifiers.get(name, ()), event.totals[name])
            for name in (one, other)
        ]
        calc = f", {sums[0]} against {sums[1]}: "
        parts: list[Span | str | Words] = [self.who(one), " against ", self.who(other), calc]
        parts.append(
            words(self.all(event.wounded), " is hit." if len(event.wounded) == 1 else " are hit.")
            if event.wounded
            else "nobody is hit."
        )
        defends = [name for name in event.figures if name not in event.strikers]
        if defends:
            parts += [" ", self.who(defends[0]), " only defends."]
        return Told(words(*parts), "Blows")

    def _morale(self, event: e.MoraleTested) -> Told:
        core = self.known.core.morale
        needs = core.rally if event.cause == RALLY else core.passes
        why = {WOUNDED: "wounded", MATE: "a mate dead", RALLY: "to rally"}.get(event.cause, event.cause)
        short = needs - event.total
        word = {PASSED: "Passed", FLEE: "Fails, flees", ROUT: f"Fails by {short}, routs", RALLIED: "Rallied"}
        said = (
            "Routs on" if event.cause == RALLY and not event.passed else word.get(event.result, event.result)
        )
        calc = f"{arithmetic(event.throw, event.modifiers, event.total)}, needs {needs}"
        text = words(self.who(event.figure), f" tests, {why}: {calc}.")
        label = "Moves" if event.cause == CHARGED else "Morale"
        return Told(text, label, "done" if event.passed else "failed", said)

    def _other(self, event: e.MagicEvent) -> Told:
        match event:
            case e.InitiativeThrown():
                throws = "; again ".join(
                    ", ".join(f"{side} {number}" for side, number in pair.items()) for pair in event.throws
                )
                first = event.order[0]
                return Told(words(f"{throws}: the ", seat_name(first), " move first."), "Initiative")
            case e.SkillUsed():
                lost = f", {signed(event.movement)} % movement" if event.movement else ""
                return Told(words(self.who(event.figure), f" uses {event.skill}{lost}."), "Skills")
            case e.SkillFailed():
                text = words(self.who(event.figure), f": {event.skill} fails, {event.reason}.")
                return Told(text, "Skills", "failed", "Failed")
            case e.FlatulenceThrown():
                end = "an attack." if event.attack else "the air stays clear."
                return Told(words(self.who(event.figure), f" throws {event.throw}: {end}"), "Flatulence")
            case e.FireLit():
                what = event.thing or f"something at {place_text(event.at)}"
                by = " by witch-fire" if event.skill == WITCH_FIRE else ""
                return Told(words(self.who(event.figure), f" lights {what}{by}."), "Fire", "done", "Lit")
            case e.ThingOpened():
                return Told(words(self.who(event.figure), f" opens {event.thing}."), "Skills", "done", "Open")
            case e.FigureMoved():
                return Told(self.moved(event), _move_label(event))
            case e.AmbushSprung():
                return self._sprung(event)
            case e.SkillsThrown():
                return self._skills_thrown(event)
            case e.BattleEnded():
                return Told(self.ended(event), "The end")
            case _:
                return Told((), "States")

    def moved(self, event: e.FigureMoved) -> Words:
        """A move with its rate, its length and where it led."""
        length = cm(distance(event.from_, event.to))
        verb = {
            "walk": "walks", "run": "runs", "charge": "charges", "flee": "flees", "rout": "routs",
            "berserk": "rushes",
        }.get(event.rate or "", "steps away")  # fmt: skip
        if event.from_ == event.to:
            return words(self.who(event.figure), f" {verb} nowhere: stays at {place_text(event.to)}.")
        how = "" if event.cause in {"order", FLEE, ROUT} else f" ({event.cause})"
        return words(
            self.who(event.figure),
            f" {verb} {length} cm{how}, {place_text(event.from_)} \N{RIGHTWARDS ARROW} ",
            strong(place_text(event.to)),
            ".",
        )

    def _sprung(self, event: e.AmbushSprung) -> Told:
        how = (
            words(" by order")
            if event.cause == "order"
            else words(", for ", self.who(event.cause), " came near")
        )
        parts: list[Span | str | Words] = [self.who(event.unit), " spring their ambush", how, "."]
        if event.surprised:
            parts += [" Surprised: ", self.all(event.surprised), "."]
        return Told(words(*parts), "Ambush")

    def _skills_thrown(self, event: e.SkillsThrown) -> Told:
        each = [words(self.who(name), f" {' and '.join(skills)}") for name, skills in event.figures.items()]
        dice = {throw.key: throw.value for throw in event.dice}
        made = [
            f"{name} {dice[f'skill 0 {name} 1']} and {dice[f'skill 0 {name} 2']}"
            for name in event.figures
            if f"skill 0 {name} 2" in dice
        ]
        got = words(": ", joined(each, ", "), ".") if each else words(".")
        thrown = f" Throws: {'; '.join(made)}." if made else ""
        return Told(
            words(
                self.who(event.unit),
                f", {count(event.members, 'member')}, throw {' and '.join(map(str, event.throws))}: "
                f"{event.skilled} skilled",
                got,
                thrown,
            ),
            "Skills",
        )

    def ended(self, event: e.BattleEnded) -> Words:
        """Who has won, and with how many points (M1.2)."""
        points = f"{event.points['boche']} to {event.points['noman']} points"
        if event.winner is None:
            return words(f"The battle is over, and nobody has won: {points}.")
        return words(
            "The battle is over, and the ", seat_name(event.winner), f" have won, {points} (boche to noman)."
        )

    # What follows

    def consequences(self, events: Sequence[Consequence]) -> Words:
        """What followed, the same of several figures in one sentence."""
        grouped: dict[tuple[str, ...], list[str]] = {}
        for event in events:
            key, names = self._sorted(event)
            grouped.setdefault(key, []).extend(names)
        return _run([self._sentence(key, names) for key, names in grouped.items()])

    def _sorted(self, event: Consequence) -> tuple[tuple[str, ...], list[str]]:
        """The sentence that an event makes with others of its kind, and whom it adds to it."""
        match event:
            case e.StateBegan():
                lasts = until_words(event.until, event.state, self.known.number)
                at = f" at {place_text(event.at)}" if event.at is not None else ""
                return ("began", event.state, event.word or "", lasts, at), [event.figure]
            case e.StateEnded():
                return ("ended", event.state), [event.figure]
            case e.EngagementBegan():
                return ("engaged", *event.figures), []
            case e.EngagementEnded():
                return ("apart", *event.figures), []
            case e.ItemsDropped():
                return ("dropped", ", ".join(event.items)), [event.figure]
            case e.FigureKilled():
                return ("killed", event.cause), [event.figure]
            case e.FigureLost():
                return ("lost",), [event.figure]
            case e.FigureSeen():
                return ("seen", event.by or "", event.cause), [event.figure]
            case e.EffectEnded():
                return ("over", event.effect), []

    def _sentence(self, key: tuple[str, ...], names: list[str]) -> Words:
        them, several = self.all(dict.fromkeys(names)), len(dict.fromkeys(names)) > 1
        match key:
            case ("began", state, word, lasts, at):
                how = STATES[state][several]
                return words(them, f" {how}{f': {word}' if word else ''}{at}{lasts}.")
            case ("ended", state):
                be = "are" if several else "is"
                return words(them, f" {be} no longer {OVER[state]}.")
            case ("engaged", one, other):
                return words(self.who(one), " and ", self.who(other), " are engaged.")
            case ("apart", one, other):
                return words(self.who(one), " and ", self.who(other), " are engaged no more.")
            case ("dropped", items):
                return words(them, f" {'lose' if several else 'loses'} {items}.")
            case ("killed", cause):
                by = " by their own unit" if cause == CHAPPIE else ""
                return words(them, f" {'are' if several else 'is'} killed{by}.")
            case ("lost",):
                return words(them, f" {'leave' if several else 'leaves'} the table, lost to the game.")
            case ("seen", by, cause):
                by_whom = words(" by ", self.who(by)) if by else words()
                why = f" ({cause})" if cause else ""
                return words(them, f" {'are' if several else 'is'} seen", by_whom, f"{why}.")
            case _:
                what = {
                    PILE: "The Pile is over.",
                    CHUFFA: "The Chuffa-Puffa is over.",
                    CHORD: "The chord has recovered.",
                }
                return words(what.get(key[-1], f"{key[-1]} is over."))


def _dice(told: Told, happening: Happening) -> tuple[Throw, ...]:
    """What was thrown for a row beside what its chances already show."""
    shown = {throw.key for odds in told.odds for throw in odds.dice}
    events = (happening.head, *happening.consequences)
    thrown = (throw for event in events for throw in getattr(event, "dice", ()))
    return tuple(throw for throw in thrown if throw.key not in shown)


def _run(said: Sequence[Words]) -> Words:
    spans: list[Span] = []
    for part in said:
        if spans:
            spans.append(Span(" "))
        spans.extend(part)
    return tuple(spans)


def _foe(event: e.BlowsStruck, name: str) -> str:
    one, other = event.figures
    return other if name == one else one


def _move_label(event: e.FigureMoved) -> str:
    if event.cause == "order":
        return "Moves"
    return "Compelled" if event.cause != FLATULENCE else "Flatulence"


def _labelled(rows: Iterable[Told]) -> Iterator[Told]:
    """The rows with each label where it changes only."""
    shown = ""
    for row in rows:
        if row.label == shown:
            yield row._replace(label="")
        else:
            shown = row.label
            yield row


# Phases -------------------------------------------------------------------------------------------


def _happenings(known: Known) -> Iterator[Happening]:
    """Every event that is told, what follows of it at once gathered behind it."""
    phases = _Phases(known)
    current: Happening | None = None
    for event in known.events:
        if isinstance(event, e.OrderRefused | e.OrderSkipped):
            continue
        phase = phases.of(event)
        if isinstance(event, Consequence):
            if current is not None and current.phase == phase and _follows(event, current.head):
                current = current._replace(consequences=(*current.consequences, event))
                continue
            if current is not None:
                yield current
            current = Happening(phase, None, (event,))
            continue
        if current is not None:
            yield current
        current = Happening(phase, event)
    if current is not None:
        yield current


def _follows(event: Consequence, head: e.MagicEvent | None) -> bool:
    """Whether what happens is told with what happened before it."""
    if not isinstance(head, _ALONE):
        return True
    return getattr(event, "figure", None) == getattr(head, "figure", "")


class _Phases:
    """Which phase an event belongs to, by what is known: events do not say it themselves (M2).

    Words and the chord come as a phase begins. Which one their own side knows from its orders; the
    others tell it by what has happened before.
    """

    def __init__(self, known: Known) -> None:
        self._phase = START
        self._thrown = known.number == 0
        self._busy = False
        self._timed: dict[tuple[str, str, str], int] = {}
        for orders in known.orders.values():
            for line in orders.lines:
                for side in line.sides:
                    order = side.order
                    if isinstance(order, Speak):
                        self._timed[order.who, order.word, order.target] = _TIMES[order.timed]
                    elif isinstance(order, Play):
                        self._timed[order.who, CHORD, ""] = _TIMES[order.timed]

    def of(self, event: e.MagicEvent) -> int:
        """The phase of an event; it never goes back."""
        if isinstance(event, e.InitiativeThrown):
            self._thrown = True
        self._phase = max(self._phase, self._least(event))
        if isinstance(event, e.ShotFired | e.BlowsStruck | e.MoraleTested):
            self._busy = True
        return self._phase

    def _least(self, event: e.MagicEvent) -> int:
        match event:
            case e.WordSpoken():
                return self._word((event.caster, event.word, event.target))
            case e.ChordPlayed():
                return self._word((event.caster, CHORD, ""))
            case _ if not self._thrown:
                return self._phase
            case e.InitiativeThrown():
                return MOVE
            case e.ShotFired():
                return SHOOT
            case e.BlowsStruck():
                return FIGHT
            case e.MoraleTested(cause="wounded" | "mate"):
                return MORALE
            case e.MoraleTested(cause="rally") | e.ChappieJudged() | e.BattleEnded():
                return END
            case e.GlamourBroken() | e.IllusionBroken():
                return END
            case e.SkillFailed() | e.FireLit():
                return MOVE if event.skill in {LIGHT_FIRE, UNLOCK} else END
            case e.StateBegan(state="berserk"):
                return END
            case _:
                return self._phase

    def _word(self, key: tuple[str, str, str]) -> int:
        if key in self._timed:
            return self._timed[key]
        if not self._thrown:
            return START
        if self._phase in {SHOOT, FIGHT} and not self._busy:
            return self._phase
        self._busy = False
        return {START: SHOOT, MOVE: SHOOT, SHOOT: FIGHT}.get(self._phase, END)


_TIMES = {"start": START, "move": MOVE, "shoot": SHOOT, "fight": FIGHT, "end": END}
