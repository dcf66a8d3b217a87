"""What happens in a battle, as facts: results and not causes (magic_case_format.md, Events).

Places and lengths are whole millimetres. Fields that one event of a kind has and another has not are
left out where they are not given.
"""

from typing import Any, ClassVar, Literal, get_args

from pydantic import AliasChoices, Field, SerializerFunctionWrapHandler, model_serializer

from pbem.events import EventKinds, RulesetEvent, Throw

Point = tuple[int, int]
Modifier = tuple[str, int]
"""Why, and how much."""


class _Told(RulesetEvent):
    """The base of Magic's events: leaves out what an event has not, `dice` where nothing was thrown."""

    optional: ClassVar[tuple[str, ...]] = ()
    """Fields left out where they are None."""

    @model_serializer(mode="wrap")
    def _given(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {
            "from" if name == "from_" else name: value
            for name, value in handler(self).items()
            if not (value is None and name in self.optional) and not (name == "dice" and not value)
        }


class MagicDeclared(_Told):
    """Glamours or the illusion, declared publicly at sign-up (M6.3, M7)."""

    kind: Literal["magic_declared"] = "magic_declared"
    caster: str
    declared: tuple[str, ...]


class SkillsThrown(_Told):
    """How many of a unit have skills, who, and which (M4.1)."""

    kind: Literal["skills_thrown"] = "skills_thrown"
    unit: str
    members: int
    throws: tuple[int, ...]
    skilled: int
    figures: dict[str, tuple[str, ...]]
    dice: tuple[Throw, ...] = ()


class InitiativeThrown(_Told):
    """Who moves first, ties thrown again (M2.2)."""

    kind: Literal["initiative_thrown"] = "initiative_thrown"
    throws: tuple[dict[str, int], ...]
    order: tuple[str, str]
    dice: tuple[Throw, ...] = ()


class FlatulenceThrown(_Told):
    """Whether a figure's belly attacks this turn (M4)."""

    kind: Literal["flatulence_thrown"] = "flatulence_thrown"
    figure: str
    throw: int
    attack: bool
    dice: tuple[Throw, ...] = ()


class SkillUsed(_Told):
    """A figure uses a skill; `movement` is what it takes of this turn's rate, in per cent (M4)."""

    kind: Literal["skill_used"] = "skill_used"
    figure: str
    skill: str
    movement: int


class SkillFailed(_Told):
    """A skill that is judged later came to nothing (M4)."""

    kind: Literal["skill_failed"] = "skill_failed"
    figure: str
    skill: str
    reason: str


class FireLit(_Told):
    """Something burns (M4)."""

    kind: Literal["fire_lit"] = "fire_lit"
    figure: str
    skill: str
    thing: str | None
    at: Point


class ThingOpened(_Told):
    """A door or lock is open (M4)."""

    kind: Literal["thing_opened"] = "thing_opened"
    figure: str
    thing: str


class ChappieJudged(_Told):
    """Whether the unit can stand the little twerp any longer (M4)."""

    kind: Literal["chappie_judged"] = "chappie_judged"
    figure: str
    throw: int
    killed: bool
    dice: tuple[Throw, ...] = ()


class WordSpoken(_Told):
    """A Word of Power; `chance` is the final one (M5)."""

    kind: Literal["word_spoken"] = "word_spoken"
    caster: str
    word: str
    target: str
    distance: int
    chance: int
    modifiers: tuple[Modifier, ...]
    throw: int
    success: bool
    dice: tuple[Throw, ...] = ()


class ChordPlayed(_Told):
    """The Power Chord, and the result of each figure's ring (M6.1)."""

    kind: Literal["chord_played"] = "chord_played"
    caster: str
    throw: int
    results: dict[str, int]
    spared: tuple[str, ...]
    at: Point
    radius: int
    dice: tuple[Throw, ...] = ()


class GlamourBegun(_Told):
    """Achtung meditates (M6.3)."""

    kind: Literal["glamour_begun"] = "glamour_begun"
    optional: ClassVar[tuple[str, ...]] = ("at", "target")
    caster: str
    glamour: str
    at: Point | None = None
    target: str | None = None


class GlamourBroken(_Told):
    """A meditation was disturbed; the glamour is not used up (M6.3)."""

    kind: Literal["glamour_broken"] = "glamour_broken"
    caster: str
    glamour: str
    reason: str


class GlamourCast(_Told):
    """A glamour comes into force, or is used to no effect (M6.3)."""

    kind: Literal["glamour_cast"] = "glamour_cast"
    optional: ClassVar[tuple[str, ...]] = ("at", "target", "targets", "results")
    caster: str
    glamour: str
    effect: bool
    at: Point | None = None
    target: str | None = None
    targets: tuple[str, ...] | None = None
    results: dict[str, int] | None = None
    spared: tuple[str, ...] = ()
    dice: tuple[Throw, ...] = ()


class IllusionBegun(_Told):
    """Wasserpferd prepares (M7)."""

    kind: Literal["illusion_begun"] = "illusion_begun"
    caster: str
    illusion: str


class IllusionBroken(_Told):
    """A preparation was disturbed; it may begin again (M7)."""

    kind: Literal["illusion_broken"] = "illusion_broken"
    caster: str
    illusion: str
    reason: str


class IllusionCast(_Told):
    """An illusion comes into force; `turns` is None where it has no end (M7)."""

    kind: Literal["illusion_cast"] = "illusion_cast"
    caster: str
    illusion: str
    throw: int | None
    turns: int | None
    effect: bool
    targets: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    dice: tuple[Throw, ...] = ()


class StateBegan(_Told):
    """A state of a figure began, or began again; `at` where a unit was set down in ambush (M2.8, M8.6)."""

    kind: Literal["state_began"] = "state_began"
    optional: ClassVar[tuple[str, ...]] = ("at",)
    figure: str
    state: str
    turns: int | None
    until: int | None
    cause: str | None
    word: str | None = None
    at: Point | None = None
    dice: tuple[Throw, ...] = ()


class StateEnded(_Told):
    """A state of a figure ended; `cause` is whom it came from (M2.8)."""

    kind: Literal["state_ended"] = "state_ended"
    figure: str
    state: str
    cause: str | None


class EffectEnded(_Told):
    """An effect ended; `cause` is whom it came from (M2.1)."""

    kind: Literal["effect_ended"] = "effect_ended"
    effect: str
    cause: str


class FigureMoved(_Told):
    """A figure moved; `from_` is written `from` (M1.1, M2.2, M2.10)."""

    kind: Literal["figure_moved"] = "figure_moved"
    figure: str
    from_: Point = Field(validation_alias=AliasChoices("from", "from_"))
    to: Point
    rate: str | None
    cause: str
    dice: tuple[Throw, ...] = ()


class EngagementBegan(_Told):
    """Two figures are engaged, by their names (M1.3)."""

    kind: Literal["engagement_began"] = "engagement_began"
    figures: tuple[str, str]


class EngagementEnded(_Told):
    """Two figures are engaged no more (M1.3)."""

    kind: Literal["engagement_ended"] = "engagement_ended"
    figures: tuple[str, str]


class FigureSeen(_Told):
    """A stealthy figure is seen; `by` is who saw it, where it was somebody (M4)."""

    kind: Literal["figure_seen"] = "figure_seen"
    figure: str
    by: str | None
    cause: str


class AmbushSprung(_Told):
    """An ambush is sprung, by order or by a figure that came near; `surprised` are frozen (M3)."""

    kind: Literal["ambush_sprung"] = "ambush_sprung"
    unit: str
    cause: str
    surprised: tuple[str, ...]


class ShotFired(_Told):
    """A shot; `column` is the limit of the one that counted, `chance` the final one (M3)."""

    kind: Literal["shot_fired"] = "shot_fired"
    figure: str
    target: str
    weapon: str
    distance: int
    column: int
    chance: int
    modifiers: tuple[Modifier, ...]
    throw: int
    hit: bool
    dice: tuple[Throw, ...] = ()


class BlowsStruck(_Told):
    """An engaged pair fought; throws, modifiers and totals are empty where one is out of action (M3)."""

    kind: Literal["blows_struck"] = "blows_struck"
    figures: tuple[str, str]
    strikers: tuple[str, ...]
    throws: dict[str, int]
    modifiers: dict[str, tuple[Modifier, ...]]
    totals: dict[str, int]
    wounded: tuple[str, ...]
    dice: tuple[Throw, ...] = ()


class WoundSaved(_Told):
    """Armour or shield stopped a wound (M3)."""

    kind: Literal["wound_saved"] = "wound_saved"
    figure: str
    by: str
    throw: int
    needed: int
    dice: tuple[Throw, ...] = ()


class FigureWounded(_Told):
    """A figure is wounded; `wounds` are all it has so far (M3)."""

    kind: Literal["figure_wounded"] = "figure_wounded"
    figure: str
    by: str
    wounds: int
    dice: tuple[Throw, ...] = ()


class FigureKilled(_Told):
    """A figure is dead (M3, M4)."""

    kind: Literal["figure_killed"] = "figure_killed"
    figure: str
    by: str | None
    cause: str


class FigureLost(_Told):
    """A figure ran off the table (M2.10)."""

    kind: Literal["figure_lost"] = "figure_lost"
    figure: str


class ItemsDropped(_Told):
    """Things carried are out of the game; a standard lies `at` (M5.9, M7.3)."""

    kind: Literal["items_dropped"] = "items_dropped"
    figure: str
    items: tuple[str, ...]
    at: Point


class MoraleTested(_Told):
    """A test of morale, or a rally (M3)."""

    kind: Literal["morale_tested"] = "morale_tested"
    figure: str
    cause: str
    throw: int
    modifiers: tuple[Modifier, ...]
    total: int
    passed: bool
    result: str
    dice: tuple[Throw, ...] = ()


class OrderRefused(_Told):
    """An order that could not be read or carried out; `rules` are those that forbid it (M8.2)."""

    kind: Literal["order_refused"] = "order_refused"
    side: str
    figure: str | None
    line: int
    text: str
    reason: str


class OrderSkipped(_Told):
    """A false guard, or sides made needless by an earlier one's success (M8.3, M8.4)."""

    kind: Literal["order_skipped"] = "order_skipped"
    side: str
    figure: str | None
    line: int
    text: str
    reason: str


class BattleEnded(_Told):
    """The higher sum of points wins; None where they are equal (M1.2)."""

    kind: Literal["battle_ended"] = "battle_ended"
    points: dict[str, int]
    winner: str | None


MagicEvent = (
    MagicDeclared | SkillsThrown | InitiativeThrown | FlatulenceThrown | SkillUsed | SkillFailed | FireLit
    | ThingOpened | ChappieJudged | WordSpoken | ChordPlayed | GlamourBegun | GlamourBroken | GlamourCast
    | IllusionBegun | IllusionBroken | IllusionCast | StateBegan | StateEnded | EffectEnded | FigureMoved
    | EngagementBegan | EngagementEnded | FigureSeen | AmbushSprung | ShotFired | BlowsStruck | WoundSaved
    | FigureWounded | FigureKilled | FigureLost | ItemsDropped | MoraleTested | OrderRefused | OrderSkipped
    | BattleEnded
)  # fmt: skip
EVENTS: EventKinds[MagicEvent] = EventKinds(get_args(MagicEvent))
