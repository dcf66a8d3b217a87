"""From files to a position: new contests and test cases."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets import NewGame, Ready, Source
from pbem.rulesets.flux.data import HUES, read_board, read_rules, read_toml
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.position import faults
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard, in_seat_order, seat_number

DEFAULT_SEATS = {2: (1, 4), 3: (1, 3, 5), 4: (1, 2, 4, 5), 5: (1, 2, 3, 4, 5), 6: (1, 2, 3, 4, 5, 6)}
MAX_LENGTH = 1000
CASE_KEYS = ("turn", "length", "map", "wizard", "order_of_play", "wizard_killed", "data")


def default_seats(players: int) -> tuple[str, ...]:
    """The hues of so many players who named none (F1.3)."""
    if players not in DEFAULT_SEATS:
        raise BadInput(f"Flux is played by 2 to 6 wizards, not by {players}.")
    return tuple(HUES[seat - 1] for seat in DEFAULT_SEATS[players])


def prepare(new: NewGame) -> Ready:
    """Checks rules and map, and gives what the log keeps of them."""
    if not 2 <= len(new.seats) <= len(HUES):
        raise BadInput(f"Flux is played by 2 to 6 wizards, not by {len(new.seats)}.")
    raw_rules, raw_board = read_toml(new.rules), read_toml(new.board)
    rules = read_rules(raw_rules, new.rules.name)
    read_board(raw_board, new.board.name)
    length = rules.contest.length if new.length is None else new.length
    if not 1 <= length <= MAX_LENGTH:
        raise BadInput(f"A contest lasts 1 to {MAX_LENGTH} rounds, not {length} (F3.5).")
    setup = {"rules": raw_rules, "map": raw_board, "map_name": new.board.name, "length": length}
    return Ready({**setup, "hues": sorted(new.seats, key=HUES.index)}, length)


def initial(setup: dict[str, Json]) -> State:
    """The position before the start: every wizard on his corner with nothing (F1.3, F3.1)."""
    rules = read_rules(setup["rules"], "the log's rules")
    board = read_board(setup["map"], setup.get("map_name", "the log's map"))
    return State(
        rules, board, setup["length"], in_seat_order(_at_corner(board, hue) for hue in setup["hues"])
    )


def _at_corner(board: Board, hue: str, seat: int | None = None) -> Wizard:
    number = seat_number(hue) if seat is None else seat
    corner = board.start_corners[number - 1]
    return Wizard(hue, number, corner, corner)


def case_setup(case: dict[str, Json], board_named: Callable[[str], Source], rules_source: Source) -> State:
    """The position of a test case; `BadInput` names the hex or field that cannot be."""
    for key in case:
        if key not in CASE_KEYS:
            raise BadInput(f"{key!r} is nothing that a case of Flux has; it has {', '.join(CASE_KEYS)}.")
    raw_rules = _merged(read_toml(rules_source), case.get("data", {}))
    if "wizard_killed" in case:
        raw_rules = _merged(raw_rules, {"contest": {"wizard_killed": case["wizard_killed"]}})
    rules = read_rules(raw_rules, "the rules")
    raw_board = case.get("map", "grob")
    if isinstance(raw_board, str):
        source = board_named(raw_board)
        board = read_board(read_toml(source), source.name)
    else:
        board = read_board(raw_board, "the map")
    length = _whole(case.get("length", rules.contest.length), "length", 1, MAX_LENGTH)
    turn = _whole(case.get("turn"), "turn", 0, length)
    rows = case.get("wizard", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise BadInput("A Flux case needs a [[wizard]] for each hue that plays.")
    state = State(rules, board, length, {}, round=turn)
    wizards = [_case_wizard(state, row) for row in rows]
    for number, wizard in enumerate(wizards):
        if any(wizard.hue == other.hue or wizard.seat == other.seat for other in wizards[:number]):
            raise BadInput(f"{wizard.hue} has the hue or the seat of another wizard.")
    seated = in_seat_order(wizards)
    playing = [hue for hue, wizard in seated.items() if not wizard.eliminated]
    order = case.get("order_of_play", playing)
    if (
        not isinstance(order, list)
        or not set(playing) <= {*map(str, order)} <= set(seated)
        or len(set(order)) < len(order)
    ):
        raise BadInput(f"order_of_play must list each hue that plays once: {', '.join(playing)}.")
    state = replace(state, wizards=seated, order_of_play=tuple(order) if turn else ())
    if fault := next(faults(state), None):
        raise BadInput(f"The position cannot be: {fault}.")
    return state


def _case_wizard(state: State, row: dict[str, Json]) -> Wizard:
    hue = row.get("hue")
    if hue not in HUES:
        raise BadInput(f"A wizard's hue must be one of {', '.join(HUES)}, not {hue!r}.")
    for key in row:
        if key not in {"hue", "seat", "at", "reserve", "earths", "pieces", "alive"}:
            raise BadInput(f"{hue}: {key!r} is nothing that a wizard of a case has.")
    seat = _whole(row.get("seat", seat_number(hue)), f"{hue}'s seat", 1, len(HUES))
    bare = _at_corner(state.board, hue, seat)
    alive = row.get("alive", True)
    if not isinstance(alive, bool):
        raise BadInput(f"{hue}: alive must be true or false, not {alive!r}.")

    def hex_of(label: Any, what: str) -> Hex:
        place = state.board.find(label) if isinstance(label, str) else None
        if place is None:
            raise BadInput(f"{hue}'s {what} at {label!r} is not on the map.")
        return place

    earths = row.get("earths", [])
    if not isinstance(earths, list):
        raise BadInput(f'{hue}: earths is a list such as [["forest", "H3", "H4"]].')
    placed = []
    for earth in earths:
        if not (isinstance(earth, list) and len(earth) == 3 and earth[0] in tuple(state.rules.earths)):
            raise BadInput(f'{hue}: an earth is written ["forest", "H3", "H4"], not {earth!r}.')
        one, other = sorted(hex_of(label, earth[0]) for label in earth[1:])
        placed.append(PlacedEarth(earth[0], (one, other)))
    pieces = row.get("pieces", {})
    if not isinstance(pieces, dict):
        raise BadInput(f'{hue}: pieces is a table such as {{ troll = "F5" }}.')
    standing: dict[str, Hex] = {}
    for name, label in pieces.items():
        full = name.replace("-", " ")
        full = "great dragon" if full == "dragon" and full not in state.rules.pieces() else full
        if full not in state.rules.pieces():
            raise BadInput(f"{hue}: there is no piece {name!r}, placed at {label!r}.")
        if full in standing:
            raise BadInput(f"{hue}: {full} stands twice, the second time at {label!r}.")
        standing[full] = hex_of(label, full)
    at = hex_of(row["at"], "wizard") if "at" in row else bare.corner
    return replace(
        bare,
        at=at if alive else None,
        reserve=_whole(row.get("reserve", 0), f"{hue}'s reserve", 0, 10**9),
        earths=tuple(placed),
        pieces=standing,
        eliminated=not alive and state.rules.contest.wizard_killed == "eliminated",
    )


def _whole(value: Any, what: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadInput(f"{what} must be a whole number from {least} to {most}, not {value!r}.")
    return value


def _merged(table: dict[str, Any], over: Any) -> dict[str, Any]:
    """A table with another laid over it, number by number."""
    if not isinstance(over, dict):
        raise BadInput("data must be tables such as [data.animates.troll].")
    out = dict(table)
    for key, value in over.items():
        is_number = isinstance(value, dict) and value.keys() == {"value", "source"}
        nested = isinstance(value, dict) and isinstance(out.get(key), dict) and not is_number
        out[key] = _merged(out[key], value) if nested else value
    return out
