"""The names of the rulebook, spelled as everywhere: in orders, events, states and throw keys (M8.1)."""

from typing import Final, Literal, TypeAlias

SideName: TypeAlias = Literal["boche", "noman"]
SIDES: Final[tuple[SideName, SideName]] = ("boche", "noman")
BOCHE: Final = "boche"
NOMAN: Final = "noman"

PRIESTS: Final = ("schtuck", "achtung", "wasserpferd")
GRADES: Final = ("green", "regular", "veteran", "leader")
WEAPONS: Final = ("sword", "spear", "stone", "pilum", "sling", "bow")
THING_KINDS: Final = ("fuel", "door", "lock")

LIGHT_FIRE: Final = "light fire"
WITCH_FIRE: Final = "light witch-fire"
STEALTH: Final = "stealth"
BERSERK: Final = "berserk"
FLATULENCE: Final = "flatulence"
UNLOCK: Final = "unlock door"
KEEN_EYE: Final = "keen eye"
STRONG_ARM: Final = "strong arm"
ELF_EARS: Final = "elf ears"
CHAPPIE: Final = "cheeky chappie"
SKILLS: Final = (
    LIGHT_FIRE, WITCH_FIRE, STEALTH, BERSERK, FLATULENCE, UNLOCK, KEEN_EYE, STRONG_ARM, ELF_EARS, CHAPPIE,
)  # fmt: skip
"""As the D10 of the allocation gives them, 1 to 10 (M4.1)."""

STAY: Final = "stay"
HEEL: Final = "heel"
ROLL_OVER: Final = "roll over"
SEIZE: Final = "seize"
AWAY: Final = "away"
COME_BY: Final = "come by"
GERCHA: Final = "gercha"
LEAVE_IT: Final = "leave it"
FETCH: Final = "fetch"
GOOD_BOY: Final = "good boy"
WORDS: Final = (STAY, HEEL, ROLL_OVER, SEIZE, AWAY, COME_BY, GERCHA, LEAVE_IT, FETCH, GOOD_BOY)
"""In the order of M5.1 to M5.10."""
COMPELLING: Final = (HEEL, SEIZE, AWAY, COME_BY, FETCH)
"""Words that make a figure move until that is done (M2.9)."""

ROADBLOCK: Final = "roadblock"
HEARTS: Final = "too many broken hearts"
KHYLIE: Final = "better the khylie you know"
SPINNING: Final = "spinning around"
TAKE_STEPS: Final = "take steps"
GLAMOURS: Final = (ROADBLOCK, HEARTS, KHYLIE, SPINNING, TAKE_STEPS)

PILE: Final = "pile"
CHUFFA: Final = "chuffa-puffa"
BELLY: Final = "bloated belly"
ILLUSIONS: Final = (PILE, CHUFFA, BELLY)
"""In the order of M7.1 to M7.3."""

OUT: Final = "out of action"
FREEZE: Final = "freeze"
ROUT: Final = "rout"
FLEE: Final = "flee"
COMPELLED: Final = "compelled"
PREPARING: Final = "preparing berserk"
HIDING: Final = "hiding"
AMBUSH: Final = "ambush"
STATES: Final = (
    OUT, FREEZE, ROUT, FLEE, COMPELLED, BERSERK, PREPARING, STEALTH, HIDING, AMBUSH, GOOD_BOY, KHYLIE, BELLY,
    SPINNING,
)  # fmt: skip
BARRING: Final = (OUT, FREEZE, ROUT, FLEE)
"""States in which a figure carries out no order, strongest first (M2.9, M2.10)."""

MEDITATION: Final = "meditation"
PREPARATION: Final = "preparation"
CHORD: Final = "chord"
EFFECTS: Final = (MEDITATION, PREPARATION, CHORD, PILE, CHUFFA)

TIMES: Final = ("start", "move", "shoot", "fight", "end")
"""The phases at whose beginning a Word or the Chord may come (M2.7)."""
WALK: Final = "walk"
RUN: Final = "run"
CHARGE: Final = "charge"

CHARGED: Final = "charged"
WOUNDED: Final = "wounded"
MATE: Final = "mate"
RALLY: Final = "rally"
PASSED: Final = "passed"
RALLIED: Final = "rallied"

_GRAMMAR: Final = (
    "move to charge shoot with use on or show speak timed chord meditate spin prepare spring defend fight"
    " hold declare glamours glamour illusion skills ambush at onto the if not else alive near standing end"
    " press walk run start times sieze"
)
RESERVED: Final = frozenset(
    (*_GRAMMAR.split(), *SKILLS, *WORDS, *GLAMOURS, *ILLUSIONS, *WEAPONS, FLEE, ROUT, FREEZE)
)
"""Words of the grammar: no figure, unit or thing is called like one (M8.1)."""


def key_name(name: str) -> str:
    """A name as throw keys write it: blanks become hyphens."""
    return name.replace(" ", "-")


def side_name(text: str) -> SideName:
    """One of the two sides, known to be one."""
    return "boche" if text == BOCHE else "noman"


def other_side(side: SideName) -> SideName:
    """The enemy."""
    return "noman" if side == "boche" else "boche"
