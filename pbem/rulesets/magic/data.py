"""The numbers of the rules: read from TOML, checked, and kept in the log as plain JSON (M3 to M7)."""

import json
import tomllib
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pbem.errors import BadInput, reader_says
from pbem.events import Json, dump_json
from pbem.rulesets import Source
from pbem.rulesets.magic.names import SKILLS, WORDS

MAX_LENGTH = 10_000
"""The longest way that a number of the rules may give, in millimetres."""
MAX_DIE = 1000


def millimetres(value: Any) -> int:
    """Centimetres as written, with at most one decimal, in whole millimetres; `ValueError` else (M1.1).

    Takes whole numbers, decimals, and decimals as text, which is how the log keeps them.
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        raise ValueError(f"must be centimetres with at most one decimal, not {value!r}")  # noqa: TRY004
    try:
        tenths = Decimal(value) * 10
        whole = int(tenths) if abs(tenths) < 10**9 else None
    except (InvalidOperation, ValueError, OverflowError):
        whole, tenths = None, Decimal(0)
    if whole is None or whole != tenths:
        raise ValueError(f"must be centimetres with at most one decimal, not {value}")
    return whole


def _bare(raw: Any) -> Any:
    """A number of the rules with its source, `{ value = 3, source = "house" }`, or the number alone."""
    if isinstance(raw, dict) and raw.keys() == {"value", "source"}:
        if raw["source"] not in {"rulebook", "house"}:
            raise ValueError(f'source must be "rulebook" or "house", not {raw["source"]!r}')
        return raw["value"]
    return raw


def _length(raw: Any) -> int:
    return millimetres(_bare(raw))


def _lengths(raw: Any) -> Any:
    bare = _bare(raw)
    return tuple(map(millimetres, bare)) if isinstance(bare, list) else bare


def _row(raw: Any) -> Any:
    bare = _bare(raw)
    return tuple(bare) if isinstance(bare, list) else bare


Length = Annotated[int, BeforeValidator(_length), Field(ge=0, le=MAX_LENGTH)]
Lengths = Annotated[tuple[int, ...], BeforeValidator(_lengths), Field(min_length=1, max_length=20)]
Number = Annotated[int, BeforeValidator(_bare), Field(ge=-1000, le=1000)]
Turns = Annotated[int, BeforeValidator(_bare), Field(ge=0, le=1000)]
Die = Annotated[int, BeforeValidator(_bare), Field(ge=2, le=MAX_DIE)]
Row = Annotated[tuple[int, ...], BeforeValidator(_row), Field(min_length=1, max_length=100)]
Flag = Annotated[bool, BeforeValidator(_bare)]
Weapon = Literal["sword", "spear", "stone", "pilum", "sling", "bow"]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


class TableRules(_Table):
    """What holds of the table (M1)."""

    contact: Length


class Rates(_Table):
    """How far a side's figures go in a turn, in millimetres (M3)."""

    walk: Length
    run: Length
    charge: Length
    flee: Length
    rout: Length


class SideRates(_Table):
    """The rates of both sides."""

    boche: Rates
    noman: Rates


class Initiative(_Table):
    """Who moves first (M2.2)."""

    die: Die


class Grades(_Table):
    """What a grade adds to morale (M3)."""

    green: Number
    regular: Number
    veteran: Number
    leader: Number

    def of(self, grade: str) -> int:
        """The modifier of a grade by its name."""
        return {
            "green": self.green, "regular": self.regular, "veteran": self.veteran, "leader": self.leader,
        }[grade]  # fmt: skip


class Morale(_Table):
    """Tests of morale and rallies (M3)."""

    die: Die
    passes: Number = Field(alias="pass")
    rout_by: Number
    flee_turns: Turns
    rally: Number
    charged: Number
    mate: Length
    grades: Grades


class Shooting(_Table):
    """Columns to so many millimetres, and each weapon's chances from the left (M3)."""

    die: Die
    columns: Lengths
    chances: dict[Weapon, Row]
    hurled: dict[Weapon, Flag]


class Blows(_Table):
    """What a weapon adds to a blow (M3)."""

    die: Die
    none: Number
    weapons: dict[Weapon, Number]


class Saves(_Table):
    """What stops a wound (M3)."""

    die: Die
    armour: Number
    shield: Number
    both: Number


class Ambush(_Table):
    """When an ambush is sprung, and whom it surprises (M3)."""

    near: Length
    surprise: Length


class Standard(_Table):
    """The field of the legion's standard (M3)."""

    reach: Length
    words: Number
    die: Die
    spared: Number


class Together(_Table):
    """The three priests together (M3)."""

    reach: Length
    words: Number
    ranges: Turns


class AllocationColumn(_Table):
    """Units of up to so many members, and the skilled figures by row of the throw (M4.1)."""

    members: Turns
    skilled: Row


class Allocation(_Table):
    """How many figures of a unit have skills (M4.1)."""

    die: Die
    throws: Row
    skill_die: Die
    columns: list[AllocationColumn]


class StealthRules(_Table):
    """Stealth and hiding (M4)."""

    near: Length
    closest: Length
    uses: Turns
    turns: Turns
    hiding: Turns


class BerserkRules(_Table):
    """Berserk (M4)."""

    turns: Turns
    rate: Turns
    blows: Number
    out_die: Die


class FlatulenceRules(_Table):
    """Flatulence (M4)."""

    die: Die
    attack: Number
    shooting: Number
    near: Length
    shooting_near: Number
    blows: Number
    step: Length


class KeenEyeRules(_Table):
    """Keen eye (M4)."""

    shooting: Number


class StrongArmRules(_Table):
    """Strong arm (M4)."""

    columns: Turns


class ElfEarsRules(_Table):
    """Elf ears (M4)."""

    reach: Length


class ChappieRules(_Table):
    """The cheeky cheery chappie (M4)."""

    reach: Length
    morale: Number
    die: Die
    murder: Number


class Skills(_Table):
    """The ten skills (M4)."""

    movement: dict[str, Number]
    stealth: StealthRules
    berserk: BerserkRules
    flatulence: FlatulenceRules
    keen_eye: KeenEyeRules
    strong_arm: StrongArmRules
    elf_ears: ElfEarsRules
    cheeky_chappie: ChappieRules


class GoodBoyRules(_Table):
    """Good Boy (M5.10)."""

    reach: Length
    morale: Number
    turns: Turns


class WordRules(_Table):
    """Schtuck's words (M5)."""

    die: Die
    bands: Lengths
    gercha_die: Die
    way_out: Length
    chances: dict[str, Row]
    good_boy: GoodBoyRules


class Chord(_Table):
    """The Power Chord (M6.1, M6.2)."""

    die: Die
    rings: Lengths
    recovery: Turns
    results: dict[str, Row]


class RoadblockRules(_Table):
    """Roadblock (M6.3)."""

    range: Length
    radius: Length
    die: Die
    nothing: Number


class HeartsRules(_Table):
    """Too Many Broken Hearts (M6.3)."""

    range: Length
    morale: Number


class KhylieRules(_Table):
    """Better The Khylie You Know (M6.3)."""

    range: Length
    morale: Number


class SpinningRules(_Table):
    """Spinning Around (M6.3)."""

    range: Length
    die: Die


class TakeStepsRules(_Table):
    """Take Steps (M6.3)."""

    range: Length
    group: Length


class Glamours(_Table):
    """Achtung's glamours (M6.3)."""

    most: Turns
    roadblock: RoadblockRules
    broken_hearts: HeartsRules
    khylie: KhylieRules
    spinning: SpinningRules
    take_steps: TakeStepsRules


class PileRules(_Table):
    """The Pile (M7.1)."""

    die: Die
    nothing: Number
    for_ever: Number
    morale: Number
    blows: Number
    shooting: Number
    noman_morale: Number
    noman_blows: Number
    noman_shooting: Number
    noman_movement: Number


class ChuffaRules(_Table):
    """The Chuffa-Puffa (M7.2)."""

    range: Length
    morale: Number


class BellyRules(_Table):
    """The Bloated Belly (M7.3)."""

    die: Die
    morale: Number
    movement: Number


class Illusions(_Table):
    """Wasserpferd's illusions (M7)."""

    pile: PileRules
    chuffa_puffa: ChuffaRules
    bloated_belly: BellyRules


class Core(_Table):
    """All numbers of the game."""

    table: TableRules
    rates: SideRates
    initiative: Initiative
    morale: Morale
    shooting: Shooting
    blows: Blows
    saves: Saves
    ambush: Ambush
    standard: Standard
    together: Together
    allocation: Allocation
    skills: Skills
    words: WordRules
    chord: Chord
    glamours: Glamours
    illusions: Illusions


def read_toml(source: Source) -> dict[str, Any]:
    """A TOML text as a table, decimals as text; `BadInput` names the file and the place of the mistake."""
    try:
        return tomllib.loads(source.text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{source.name} is no TOML: {reader_says(error)}.") from error


def plain(raw: Json) -> Json:
    """A table as the log can keep it: decimals become text."""
    if isinstance(raw, dict):
        return {str(key): plain(value) for key, value in raw.items()}
    if isinstance(raw, list):
        return [plain(value) for value in raw]
    return str(raw) if isinstance(raw, Decimal) else raw


def read_core(raw: Json, name: str) -> Core:
    """The rules from their table; `BadInput` names the file and the number that cannot be."""
    try:
        text = dump_json(plain(raw))
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name}: it holds what is no number, text or table: {error}.") from error
    return _read_core(text, name)


@lru_cache(maxsize=8)
def _read_core(text: str, name: str) -> Core:

    try:
        core = Core.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "it"
        given = first.get("input")
        shown = f", not {given!r}" if isinstance(given, int | str) else ""
        message = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
        raise BadInput(f"{name}: {where} {message}{shown}; correct it and try again.") from error
    if fault := _core_fault(core):
        raise BadInput(f"{name}: {fault}; correct it and try again.")
    return core


def _core_fault(core: Core) -> str:
    """What is wrong between numbers that are each right by themselves."""
    for what, lengths in (
        ("shooting.columns", core.shooting.columns),
        ("words.bands", core.words.bands),
        ("chord.rings", core.chord.rings),
        ("allocation.throws", core.allocation.throws),
        ("allocation.columns", tuple(column.members for column in core.allocation.columns)),
    ):
        if not lengths or list(lengths) != sorted(set(lengths)) or lengths[0] < 1:
            return f"{what} must grow from left to right"
    for what, known, given in (
        ("skills.movement", SKILLS, core.skills.movement),
        ("words.chances", WORDS, core.words.chances),
    ):
        if missing := [name for name in known if name not in given] + [
            name for name in given if name not in known
        ]:
            return f"{what} must have the names of the rulebook, each once, and {missing[0]!r} is amiss"
    rings = [core.chord.results.get(_centimetres(ring)) for ring in core.chord.rings]
    if len(core.chord.results) != len(rings) or any(
        row is None or len(row) != core.chord.die for row in rings
    ):
        return "chord.results must have one row of results for each ring, one result for each throw"
    if any(not 1 <= result <= 6 for row in rings if row for result in row):
        return "chord.results are numbers from 1 to 6"
    if any(len(row) != len(core.words.bands) for row in core.words.chances.values()):
        return "words.chances must have one chance for each of words.bands"
    if any(len(row) > len(core.shooting.columns) for row in core.shooting.chances.values()):
        return "shooting.chances must not have more chances than there are columns"
    if any(len(column.skilled) != len(core.allocation.throws) for column in core.allocation.columns):
        return "allocation.columns must have one number of skilled figures for each row of throws"
    return ""


def _centimetres(length: int) -> str:
    return str(length // 10) if length % 10 == 0 else f"{length // 10}.{length % 10}"


def chord_row(core: Core, ring: int) -> tuple[int, ...]:
    """The results of the ring number `ring`, from the innermost, by throw (M6.1)."""
    return core.chord.results[_centimetres(core.chord.rings[ring])]
