"""What an invitation to sign up says: a side's own units, and what it may order before the battle (M8)."""

from collections.abc import Iterator
from textwrap import wrap

from pbem.rulesets.magic.names import BOCHE, GLAMOURS, ILLUSIONS
from pbem.rulesets.magic.orders import place_text
from pbem.rulesets.magic.state import State, Unit

WIDTH = 74
TAKEN_AWAY = "Take the # away from a line below that you want, and put your own names in."


def invitation(state: State, side: str) -> tuple[str, ...]:
    """Comments for a side's order file of turn 0; the lines that it may give are indented."""
    units = [unit for unit in state.field.units.values() if unit.side == side]
    lines = [
        *_comment(f"{state.field.title or 'The battle'}, {state.length} turns. You are the {side}."),
        *_comment("Sign-up settles what has to be settled before turn 1; nothing of it has to be ordered."),
        "#",
    ]
    for unit in units:
        lines += _unit(state, unit)
    lines += ["#", *_comment(TAKEN_AWAY)]
    for what, examples in _choices(state, side, units):
        lines += ["#", *_comment(what), *(f"#   {example}" for example in examples)]
    return tuple(lines)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, WIDTH)]


def _unit(state: State, unit: Unit) -> list[str]:
    members = ", ".join(f"{name} at {place_text(state.figures[name].at)}" for name in unit.members)
    zone = f"; may lie in ambush within {' '.join(map(place_text, unit.zone))}" if unit.zone else ""
    if unit.members == (unit.name,):
        priest = state.figures[unit.name].priest
        return _comment(f"{members}{', priest' if priest else ''}{zone}")
    return _comment(f"{unit.name}: {members}{zone}")


def _choices(state: State, side: str, units: list[Unit]) -> Iterator[tuple[str, list[str]]]:
    priests = {state.figures[name].priest for unit in units for name in unit.members}
    if side == BOCHE and "achtung" in priests:
        most = state.field.core.glamours.most
        named = ", ".join(GLAMOURS)
        example = f"declare glamours {', '.join(GLAMOURS[:most])}"
        yield f"Achtung's glamours, at most {most}, told to everybody: {named}.", [example]
    if side == BOCHE and "wasserpferd" in priests:
        named = ", ".join(ILLUSIONS)
        yield f"Wasserpferd's illusion, told to everybody: {named}.", [f"declare illusion {ILLUSIONS[0]}"]
    soldiers = [unit for unit in units if not any(state.figures[name].priest for name in unit.members)]
    large = max(soldiers, key=lambda unit: len(unit.members), default=None)
    if large is not None:
        first = " ".join(large.members[:2])
        yield (
            "Who comes first if a unit turns out to have skilled figures:",
            [f"skills {large.name}: {first}"],
        )
        # The scenario means those with a zone to hide.
        hidden = next((unit for unit in soldiers if unit.zone), soldiers[-1])
        place = place_text(state.figures[hidden.members[0]].at)
        yield (
            "A unit that lies in ambush, where it stands or with its first member at a place:",
            [f"{hidden.name} ambush", f"{hidden.name} ambush at {place}"],
        )
