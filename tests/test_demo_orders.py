"""The demonstration game played through the ruleset alone: all that Flux has to show comes up."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pytest

from pbem.config import read_toml
from pbem.demo import play as play_demo
from pbem.dice import order_key, seeded, turn_seed
from pbem.orders_in import order_files
from pbem.rulesets import NewGame
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.orders import FluxOrders
from pbem.rulesets.flux.state import State
from pbem.sheet import Sheet, decode, read_sheet
from pbem.shipped import board_source, shipped_text

ORDERS = Path(__file__).parent.parent / "orders" / "flux"
TABLE = read_toml(ORDERS / "game.toml")
SEATS = tuple(player["seat"] for player in TABLE["players"])
LENGTH = TABLE["demo"]["length"]
SECRET = bytes.fromhex(TABLE["demo"]["secret"])
FILES = sorted(path for turn in range(1, LENGTH + 1) for path in order_files(ORDERS / f"turn-{turn}"))


@dataclass(frozen=True)
class Played:
    turn: int
    events: tuple[e.FluxEvent, ...]
    states: tuple[State, ...]
    orders: dict[str, FluxOrders]


def read(path: Path) -> Sheet:
    return read_sheet(decode(path.read_bytes()).text)


def orders_of(turn: int, state: State, latest: dict[str, Sheet]) -> dict[str, FluxOrders]:
    """What every seat sent, or the standing lines of what it sent last (F9.5)."""
    counting = {seat: sheet.standing_only() for seat, sheet in latest.items()}
    for path in order_files(ORDERS / f"turn-{turn}"):
        counting[path.stem] = latest[path.stem] = read(path)
    return {seat: RULESET.parse(sheet, state, seat) for seat, sheet in counting.items()}


def play() -> Iterator[Played]:
    rules, board = shipped_text("flux", RULESET.files.rules), board_source(RULESET, TABLE["demo"]["map"])
    state = RULESET.initial(RULESET.prepare(NewGame(SEATS, rules, board, LENGTH)).setup)
    latest: dict[str, Sheet] = {}
    for turn in range(LENGTH + 1):
        orders = orders_of(turn, state, latest) if turn else {}
        events = RULESET.decide(state, orders, seeded(turn_seed(SECRET, turn)))
        states = []
        for event in events:
            state = RULESET.evolve(state, event)
            states.append(state)
        yield Played(turn, events, tuple(states), orders)


@pytest.fixture(scope="module")
def turns() -> tuple[Played, ...]:
    return tuple(play())


@pytest.fixture(scope="module")
def events(turns: tuple[Played, ...]) -> tuple[Any, ...]:
    return tuple(event for turn in turns for event in turn.events)


@pytest.fixture(scope="module")
def states(turns: tuple[Played, ...]) -> tuple[State, ...]:
    return tuple(state for turn in turns for state in turn.states)


def test_the_players_are_invented() -> None:
    assert SEATS == ("crimson", "amber", "azure", "violet")
    assert all(player["email"].endswith("@example.org") for player in TABLE["players"])


def test_every_turn_has_orders() -> None:
    assert all(order_files(ORDERS / f"turn-{turn}") for turn in range(1, LENGTH + 1))
    assert not order_files(ORDERS / f"turn-{LENGTH + 1}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_file_is_read(path: Path) -> None:
    assert path.name in {f"{seat}.txt" for seat in SEATS}
    sheet = read(path)
    assert sheet.lines
    assert sheet.header.get("turn", path.parent.name[5:]) == path.parent.name[5:]
    assert sheet.header.get("player", path.stem) == path.stem
    # `pbem demo DIR` names the game after its folder, so no file can know game or key.
    assert not {"game", "key"} & set(sheet.header)


def test_files_are_as_players_send_them() -> None:
    raw = [path.read_bytes() for path in FILES]
    texts = [decode(data) for data in raw]
    assert any(b"\r\n" in data for data in raw)
    assert any(b"\r" not in data for data in raw)
    old = [text.text for text in texts if text.encoding == "windows-1252"]
    assert any("\N{LATIN SMALL LETTER E WITH ACUTE}" in text for text in old)
    repairs = {repair for path in FILES for repair in read(path).repairs}
    assert any("dashes" in repair for repair in repairs)
    assert any("quotation" in repair for repair in repairs)
    sheets = [read(path) for path in FILES]
    assert any(sheet.header for sheet in sheets)
    assert any(not sheet.header for sheet in sheets)
    assert any(press.to is None for sheet in sheets for press in sheet.press)
    assert any(press.to in SEATS for sheet in sheets for press in sheet.press)
    orders = [line.order for sheet in sheets for line in sheet.lines]
    assert ["hold"] in [[line.order for line in sheet.lines] for sheet in sheets]
    for word in (" else ", "if ", " times ", " keep ", " via "):
        assert any(word in f" {order}" for order in orders), word
    assert any("#" in text.text for text in texts)


def test_one_seat_plays_by_its_standing_orders(turns: tuple[Played, ...]) -> None:
    silent = [
        turn.orders[seat].lines
        for turn in turns[1:]
        for seat in SEATS
        if seat not in {path.stem for path in order_files(ORDERS / f"turn-{turn.turn}")}
    ]
    assert any(lines and all(line.standing for line in lines) for lines in silent)


def test_every_kind_of_event_but_elimination_comes_up(events: tuple[Any, ...]) -> None:
    kinds = {kind.model_fields["kind"].default for kind in get_args(e.FluxEvent)}
    assert {event.kind for event in events} == kinds - {"wizard_eliminated"}


def test_there_is_enough_of_everything(events: tuple[Any, ...]) -> None:
    count = Counter(event.kind for event in events)
    assert count["combat_fought"] >= 3
    assert count["wizard_returned"] >= 1
    assert any(event.kind == "piece_killed" and event.piece == WIZARD for event in events)
    destroyed = [event for event in events if event.kind == "destruction_attempted" and event.success]
    assert len(destroyed) >= 2
    assert any(event.hue == event.owner for event in destroyed)
    assert any(event.kind == "destruction_attempted" and not event.success for event in events)
    assert {event.spell for event in events if event.kind == "spell_cast" and event.success} >= {
        "forest", "hills", "swamp", "mountain", "great dragon", "phoenix", "troll"
    }  # fmt: skip


def test_orders_are_refused_and_skipped(events: tuple[Any, ...]) -> None:
    refused = {ruling for event in events if event.kind == "order_refused" for ruling in event.rules}
    assert len(refused - {"F9.2"}) >= 6
    assert "F9.2" in refused
    skipped = {ruling for event in events if event.kind == "order_skipped" for ruling in event.rules}
    assert skipped == {"F9.3", "F9.4"}


def test_the_board_fills_and_no_reserve_runs_dry(states: tuple[State, ...]) -> None:
    assert max(sum(len(wizard.earths) for wizard in state.wizards.values()) for state in states) >= 40
    assert min(wizard.reserve for state in states for wizard in state.wizards.values()) >= 0


def test_the_last_throw_decides(turns: tuple[Played, ...]) -> None:
    last, ended = turns[-1].events[-2:]
    assert isinstance(last, e.DestructionAttempted)
    assert isinstance(ended, e.ContestEnded)
    scores = {hue: Fraction(score) for hue, score in ended.scores.items()}
    assert any(score.denominator > 1 for score in scores.values())
    assert max(scores.values()) - min(scores.values()) <= 3
    assert ended.loremasters == ("azure",)


def hidden_words(folder: Path) -> list[str]:
    """Names and addresses of a demonstration game's players, each word of them."""
    players = read_toml(folder / "game.toml")["players"]
    return [word for player in players for word in (*player["name"].split(), player["email"])]


@pytest.mark.parametrize("folder", sorted(ORDERS.parent.iterdir()), ids=lambda folder: folder.name)
def test_players_sign_with_no_name_that_pages_must_not_show(folder: Path) -> None:
    for path in folder.glob("turn-*/*"):
        text = decode(path.read_bytes()).text
        assert not [
            word for word in hidden_words(folder) if re.search(rf"\b{word}\b", text, re.IGNORECASE)
        ], path


def test_nothing_published_holds_a_key_the_secret_a_name_or_an_address(tmp_path: Path) -> None:
    """The whole demonstration game, and of its log that a copy gives no key, secret or address away."""
    folder = play_demo(tmp_path / "grob", "flux", tell=lambda _: None, warn=lambda _: None)
    keys = [order_key(SECRET, "grob", turn, seat) for turn in range(LENGTH + 2) for seat in SEATS]
    hidden = [SECRET.hex(), *hidden_words(ORDERS), *keys, *(key.replace("-", "") for key in keys)]
    seen = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in hidden), re.IGNORECASE)
    published = [path for path in (folder / "reports").rglob("*") if path.is_file()]
    assert len(published) > 3 * LENGTH
    for path in (*published, folder / "pbem.db"):
        assert not seen.search(path.read_bytes().decode(errors="replace")), path
    assert seen.search((folder / "players/crimson/turn-1.txt").read_text(encoding="utf-8"))
