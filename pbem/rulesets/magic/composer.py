"""What the order composer of a side's page needs: the table as that side knows it, the numbers (M1 to M8)."""

from pbem.events import Json
from pbem.rulesets.magic.board import table_view
from pbem.rulesets.magic.data import Core, chord_row
from pbem.rulesets.magic.known import known_state
from pbem.rulesets.magic.names import (
    GLAMOURS,
    ILLUSIONS,
    LIGHT_FIRE,
    RESERVED,
    SIDES,
    SKILLS,
    TIMES,
    UNLOCK,
    WITCH_FIRE,
    WORDS,
)
from pbem.rulesets.magic.orders import SHOOTING_WEAPONS
from pbem.rulesets.magic.state import Effect, Figure, State


def composer_data(state: State, side: str) -> dict[str, Json]:
    """All of it for one side, from the position as its forecasts know it; nothing when the battle is over."""
    if state.over or state.turn < 0:
        return {}
    seen = known_state(state, side)
    field = seen.field
    standard = seen.standard_at()
    return {
        "side": side,
        "sides": list(SIDES),
        "turn": seen.turn + 1,
        "size": list(field.size),
        "view": list(table_view(field.size)),
        "weather": field.weather,
        "terrain": [
            {
                "points": [list(corner) for corner in piece.points],
                "sight": piece.blocks_sight,
                "movement": piece.blocks_movement,
            }
            for piece in seen.terrain()
            if piece.blocks_sight or piece.blocks_movement
        ],
        "things": {name: thing.kind for name, thing in field.things.items()},
        "open": list(seen.opened),
        "standard": None if standard is None else list(standard),
        "units": {
            name: {"side": unit.side, "members": list(unit.members)} for name, unit in field.units.items()
        },
        "figures": {name: _figure(figure) for name, figure in seen.figures.items()},
        "effects": {name: _effect(effect) for name, effect in seen.effects.items()},
        "core": _core(field.core),
        "grammar": {
            "reserved": sorted(RESERVED),
            "skills": list(SKILLS),
            "words": list(WORDS),
            "glamours": list(GLAMOURS),
            "illusions": list(ILLUSIONS),
            "times": list(TIMES),
            "weapons": list(SHOOTING_WEAPONS),
            "on_things": [LIGHT_FIRE, WITCH_FIRE, UNLOCK],
        },
    }


def _figure(figure: Figure) -> dict[str, Json]:
    """What forecasts ask of a figure."""
    return {
        "side": figure.side,
        "at": list(figure.at),
        "alive": figure.alive,
        "priest": figure.priest,
        "weapons": list(figure.weapons),
        "states": {name: held.until for name, held in sorted(figure.states.items())},
        "engaged": list(figure.engaged),
        "skills": list(figure.skills),
        "declared": list(figure.declared),
        "used": {what: list(turns) for what, turns in sorted(figure.used.items())},
    }


def _effect(effect: Effect) -> dict[str, Json]:
    return {
        "turn": effect.turn,
        "until": effect.until,
        "glamour": effect.glamour,
        "spared": list(effect.spared or ()),
    }


def _core(core: Core) -> dict[str, Json]:
    skills, pile = core.skills, core.illusions.pile
    glamours = core.glamours
    return {
        "contact": core.table.contact,
        "rates": {
            side: {"walk": rates.walk, "run": rates.run, "charge": rates.charge}
            for side, rates in (("boche", core.rates.boche), ("noman", core.rates.noman))
        },
        "berserk_rate": skills.berserk.rate,
        "movement": dict(skills.movement),
        "stealth": {
            "near": skills.stealth.near,
            "closest": skills.stealth.closest,
            "uses": skills.stealth.uses,
            "turns": skills.stealth.turns,
        },
        "ears": skills.elf_ears.reach,
        "belly": core.illusions.bloated_belly.movement,
        "pile": {"movement": pile.noman_movement, "boche": pile.shooting, "noman": pile.noman_shooting},
        "shooting": {
            "die": core.shooting.die,
            "columns": list(core.shooting.columns),
            "chances": {str(weapon): list(row) for weapon, row in core.shooting.chances.items()},
        },
        "words": {
            "die": core.words.die,
            "bands": list(core.words.bands),
            "chances": {word: list(row) for word, row in core.words.chances.items()},
            "good_boy": core.words.good_boy.reach,
            "way_out": core.words.way_out,
        },
        "standard": {"reach": core.standard.reach, "words": core.standard.words},
        "together": {
            "reach": core.together.reach,
            "words": core.together.words,
            "ranges": core.together.ranges,
        },
        "chord": {
            "rings": list(core.chord.rings),
            "results": [list(chord_row(core, ring)) for ring in range(len(core.chord.rings))],
        },
        "glamours": {
            "roadblock": glamours.roadblock.range,
            "too many broken hearts": glamours.broken_hearts.range,
            "better the khylie you know": glamours.khylie.range,
            "spinning around": glamours.spinning.range,
            "take steps": glamours.take_steps.range,
        },
        "radius": glamours.roadblock.radius,
    }
