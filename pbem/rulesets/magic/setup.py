"""New battles and test cases (M1.2, magic_case_format.md)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets import NewGame, Ready, Source
from pbem.rulesets.magic.data import Core, plain, read_core, read_toml
from pbem.rulesets.magic.names import (
    CHORD,
    CHUFFA,
    COMPELLED,
    COMPELLING,
    EFFECTS,
    FLEE,
    GLAMOURS,
    ILLUSIONS,
    MEDITATION,
    PASSED,
    PILE,
    PREPARATION,
    ROADBLOCK,
    ROUT,
    SIDES,
    SPINNING,
    STATES,
    TAKE_STEPS,
)
from pbem.rulesets.magic.scenario import MAX_TURNS, Reader, read_position, with_engagements
from pbem.rulesets.magic.state import Condition, Effect, State

DEFAULT_LENGTH = 10
MAX_TITLE = 100
SCENARIO_KEYS = ("title", "length", "table", "unit", "figure")
CASE_KEYS = ("turn", "length", "fires", "table", "figure", "running", "unit", "data")


def default_seats(players: int) -> tuple[str, ...]:
    """Both sides (M1.2)."""
    if players != len(SIDES):
        raise BadInput(f"Magic is played by two sides, boche and noman, not by {players}.")
    return SIDES


def prepare(new: NewGame) -> Ready:
    """Checks rules and scenario, and gives what the log keeps of them."""
    if sorted(new.seats) != sorted(SIDES):
        raise BadInput(f"Magic is played by boche and noman, not by {' and '.join(new.seats) or 'nobody'}.")
    raw_rules, raw_board = read_toml(new.rules), read_toml(new.board)
    core = read_core(raw_rules, new.rules.name)
    state = _scenario(raw_board, core, new.board.name, new.length)
    setup = {"rules": plain(raw_rules), "scenario": plain(raw_board), "scenario_name": new.board.name}
    return Ready({**setup, "length": state.length}, state.length)


def initial(setup: dict[str, Json]) -> State:
    """The position before sign-up."""
    core = read_core(setup["rules"], "the log's rules")
    name = setup.get("scenario_name", "the log's scenario")
    return _scenario(setup["scenario"], core, name, setup["length"])


def _scenario(raw: dict[str, Any], core: Core, name: str, length: int | None) -> State:
    reader = Reader(name)
    reader.keys(raw, SCENARIO_KEYS)
    title = raw.get("title", "")
    if not isinstance(title, str) or not title.isprintable() or len(title) > MAX_TITLE:
        reader.fail("title", f"must be a line of text of {MAX_TITLE} characters at most")
    turns = reader.whole(
        raw.get("length", DEFAULT_LENGTH) if length is None else length, "length", 1, MAX_TURNS
    )
    state = read_position(raw, core, reader, title=title, length=turns, turn=-1, case=False)
    for side in SIDES:
        if all(figure.side != side for figure in state.figures.values()):
            reader.fail("figure", f"{side} has no figures")
    return state


def case_setup(case: dict[str, Json], _: Callable[[str], Source], rules_source: Source) -> State:
    """The position of a test case; `BadInput` names the figure and the field that cannot be."""
    table = plain(case)
    reader = Reader("")
    reader.keys(table, CASE_KEYS)
    core = read_core(_merged(read_toml(rules_source), table.get("data", {})), "the rules")
    length = reader.whole(table.get("length", DEFAULT_LENGTH), "length", 1, MAX_TURNS)
    turn = reader.whole(table.get("turn"), "turn", 0, length)
    state = read_position(table, core, reader, title="", length=length, turn=turn - 1, case=True)
    fires = table.get("fires", [])
    if not isinstance(fires, list):
        reader.fail("fires", "must be a list of places")
    places = tuple(reader.place(fire, "fires", state.field.size) for fire in fires)
    state = replace(state, fires=places)
    for row in reader.rows(table.get("running", []), "running"):
        state = _running_effect(state, row, reader) if "effect" in row else _running_state(state, row, reader)
    engaged: dict[str, list[str]] = {}
    for row in table["figure"]:
        others = row.get("engaged", [])
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            reader.inside(f"figure {row['name']}").fail("engaged", "must be a list of names")
        engaged[row["name"]] = others
    return with_engagements(state, engaged, reader)


def _until(row: dict[str, Any], reader: Reader) -> int | None:
    return None if "until" not in row else reader.whole(row["until"], "until", 0, 10 * MAX_TURNS)


def _running_state(state: State, row: dict[str, Any], reader: Reader) -> State:
    name = row.get("figure")
    at = reader.inside(f"running, figure {name}")
    at.keys(row, ("figure", "state", "until", "cause", "word"))
    if not isinstance(name, str) or name not in state.figures:
        at.fail("figure", f"there is no figure {name!r}")
    figure = state.figures[name]
    kind = at.choice(row.get("state"), "state", STATES)
    if not figure.alive:
        at.fail("state", "the dead have no states")
    if kind in figure.states:
        at.fail("state", f"it has two states {kind}")
    if kind == SPINNING and figure.side != "noman":
        at.fail("state", "only Nomans spin around")
    cause = row.get("cause")
    if cause is not None and cause not in state.figures and cause not in state.field.units:
        at.fail("cause", f"there is nobody called {cause!r}")
    word = None
    if kind == COMPELLED:
        word = at.choice(row.get("word"), "word", COMPELLING)
    elif "word" in row:
        at.fail("word", "only a compelled figure has one")
    held = {**figure.states, kind: Condition(_until(row, at), cause, word)}
    return replace(state, figures={**state.figures, name: replace(figure, states=held)})


def _running_effect(state: State, row: dict[str, Any], reader: Reader) -> State:
    at = reader.inside("running")
    kind = at.choice(row["effect"], "effect", EFFECTS)
    at = reader.inside(f"running, effect {kind}")
    if kind in state.effects:
        at.fail("effect", "there are two of a kind")
    role = "achtung" if kind in {MEDITATION, CHORD} else "wasserpferd"
    priest = next((figure.name for figure in state.figures.values() if figure.priest == role), None)
    cause = row.get("cause", priest)
    if not isinstance(cause, str) or cause not in state.figures:
        at.fail("cause", f"there is no figure {cause!r}")
    turn = at.whole(row.get("turn"), "turn", 0, MAX_TURNS)
    effect = Effect(cause, turn)
    if kind == MEDITATION:
        at.keys(row, ("effect", "cause", "glamour", "turn", "at", "target"))
        glamour = at.choice(row.get("glamour"), "glamour", GLAMOURS)
        effect = replace(effect, glamour=glamour)
        if glamour == ROADBLOCK:
            effect = replace(effect, at=at.place(row.get("at"), "at", state.field.size))
        if glamour == TAKE_STEPS:
            effect = replace(effect, target=at.choice(row.get("target"), "target", tuple(state.figures)))
    elif kind == PREPARATION:
        at.keys(row, ("effect", "cause", "illusion", "turn"))
        effect = replace(effect, illusion=at.choice(row.get("illusion"), "illusion", ILLUSIONS))
    elif kind == CHORD:
        at.keys(row, ("effect", "cause", "turn", "until", "at", "radius"))
        core = state.field.core.chord
        place = at.place(row["at"], "at", state.field.size) if "at" in row else state.figures[cause].at
        radius = at.length(row["radius"], "radius") if "radius" in row else core.rings[-1]
        until = _until(row, at) if "until" in row else turn + core.recovery
        effect = replace(effect, until=until, at=place, radius=radius)
    elif kind == PILE:
        at.keys(row, ("effect", "cause", "turn", "until", "spared"))
        spared = at.choices(row.get("spared", []), "spared", tuple(state.figures))
        effect = replace(effect, until=_until(row, at), spared=spared)
    elif kind == CHUFFA:
        at.keys(row, ("effect", "cause", "turn", "until", "results"))
        results = at.table(row.get("results", {}), "results")
        for name, result in results.items():
            at.choice(name, "results", tuple(state.figures))
            at.choice(result, "results", (PASSED, FLEE, ROUT))
        until = _until(row, at) if "until" in row else turn
        effect = replace(effect, until=until, results=results)
    return replace(state, effects={**state.effects, kind: effect})


def _merged(table: dict[str, Any], over: Any) -> dict[str, Any]:
    """A table with another laid over it, number by number."""
    if not isinstance(over, dict):
        raise BadInput("data must be tables such as [data.rates.boche].")
    out = dict(table)
    for key, value in over.items():
        is_number = isinstance(value, dict) and value.keys() == {"value", "source"}
        nested = isinstance(value, dict) and isinstance(out.get(key), dict) and not is_number
        out[key] = _merged(out[key], value) if nested else value
    return out
