"""The demonstration battle played through the ruleset alone: all that Magic has to show comes up."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from pbem.cases import case_turn_closed
from pbem.config import read_toml
from pbem.dice import seeded, turn_seed
from pbem.orders_in import order_files
from pbem.rulesets import NewGame
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.orders import MagicOrders
from pbem.rulesets.magic.state import State
from pbem.sheet import Sheet, decode, read_sheet
from pbem.shipped import board_source, shipped_text

ORDERS = Path(__file__).parent.parent / "orders" / "magic"
TABLE = read_toml(ORDERS / "game.toml")
SEATS = tuple(player["seat"] for player in TABLE["players"])
LENGTH = TABLE["demo"]["length"]
SECRET = bytes.fromhex(TABLE["demo"]["secret"])
FILES = sorted(path for turn in range(LENGTH + 1) for path in order_files(ORDERS / f"turn-{turn}"))
NEVER_SEEN = {"effect_ended", "illusion_broken", "skill_failed"}
"""Kinds of events that the battle does without; every other kind comes up."""


@dataclass(frozen=True)
class Played:
    turn: int
    before: State
    after: State
    events: tuple[e.MagicEvent, ...]
    orders: dict[str, MagicOrders]


def read(path: Path) -> Sheet:
    return read_sheet(decode(path.read_bytes()).text)


def play() -> Iterator[Played]:
    rules = shipped_text("magic", RULESET.files.rules)
    board = board_source(RULESET, TABLE["demo"]["scenario"])
    state = RULESET.initial(RULESET.prepare(NewGame(SEATS, rules, board, LENGTH)).setup)
    latest: dict[str, Sheet] = {}
    for turn in range(LENGTH + 1):
        counting = {seat: sheet.standing_only() for seat, sheet in latest.items()}
        for path in order_files(ORDERS / f"turn-{turn}"):
            counting[path.stem] = latest[path.stem] = read(path)
        orders = {seat: RULESET.parse(sheet, state, seat) for seat, sheet in counting.items()}
        before = state
        events = RULESET.decide(before, orders, seeded(turn_seed(SECRET, turn)))
        state = RULESET.evolve(state, case_turn_closed(turn))
        for event in events:
            state = RULESET.evolve(state, event)
        yield Played(turn, before, state, events, orders)


@pytest.fixture(scope="module")
def turns() -> tuple[Played, ...]:
    return tuple(play())


@pytest.fixture(scope="module")
def told(turns: tuple[Played, ...]) -> tuple[tuple[int, Any], ...]:
    """Every event with its turn."""
    return tuple((turn.turn, event) for turn in turns for event in turn.events)


Told = tuple[tuple[int, Any], ...]


def found(told: Told, kind: str, **fields: Any) -> list[tuple[int, Any]]:
    """The events of a kind in which these fields have these values."""
    return [
        (turn, event)
        for turn, event in told
        if event.kind == kind and all(getattr(event, name) == value for name, value in fields.items())
    ]


def when(told: Told, kind: str, **fields: Any) -> int:
    """The turn of the one event that is so."""
    ((turn, _),) = found(told, kind, **fields)
    return turn


# The files


def test_the_players_are_invented() -> None:
    assert SEATS == ("boche", "noman")
    assert all(player["email"].endswith("@example.org") for player in TABLE["players"])


def test_every_turn_has_orders() -> None:
    assert LENGTH >= 6
    assert all(order_files(ORDERS / f"turn-{turn}") for turn in range(LENGTH + 1))
    assert not order_files(ORDERS / f"turn-{LENGTH + 1}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_file_is_read(path: Path) -> None:
    assert path.name in {f"{seat}.txt" for seat in SEATS}
    sheet = read(path)
    assert sheet.lines
    assert sheet.press, "a player who says nothing is no company"
    assert sheet.header.get("turn", path.parent.name[5:]) == path.parent.name[5:]
    assert sheet.header.get("player", path.stem) == path.stem
    # `pbem demo DIR` names the game after its folder, so no file can know game or key.
    assert not {"game", "key"} & set(sheet.header)


def test_files_are_as_players_send_them() -> None:
    raw = [path.read_bytes() for path in FILES]
    texts = [decode(data) for data in raw]
    assert any(b"\r\n" in data for data in raw)
    assert any(b"\r" not in data for data in raw)
    assert {text.encoding for text in texts} == {"utf-8", "windows-1252"}
    sheets = [read(path) for path in FILES]
    repairs = {repair for sheet in sheets for repair in sheet.repairs}
    assert any("dashes" in repair for repair in repairs)
    assert any("quotation" in repair for repair in repairs)
    assert any(sheet.header for sheet in sheets)
    assert any(not sheet.header for sheet in sheets)
    press = [message for sheet in sheets for message in sheet.press]
    assert {message.to for message in press} == {None, "noman"}
    orders = [line.order for sheet in sheets for line in sheet.lines]
    for word in (" else ", "if near ", "if alive ", " timed ", "archers shoot ", "lurkers spring", " hold"):
        assert any(word in f" {order}" for order in orders), word
    assert any(line.standing for sheet in sheets for line in sheet.lines)


# What happens


def test_every_kind_of_event_but_a_few_comes_up(told: Told) -> None:
    kinds = {kind.model_fields["kind"].default for kind in get_args(e.MagicEvent)}
    assert {event.kind for _, event in told} == kinds - NEVER_SEEN


def test_sign_up(told: Told) -> None:
    declared = [event.declared for turn, event in told if event.kind == "magic_declared" and turn == 0]
    assert declared == [("too many broken hearts", "spinning around"), ("pile",)]
    assert len(found(told, "skills_thrown")) == 7
    hidden = {event.figure for turn, event in told if turn == 0 and event.kind == "state_began"}
    assert hidden == {"del", "tib", "wat", "hob", "nell"}


def test_an_ambush_is_sprung(told: Told) -> None:
    ((turn, sprung),) = found(told, "ambush_sprung", unit="lurkers")
    assert (turn, sprung.cause, len(sprung.surprised)) == (3, "bogrotus", 8)


def test_stealth_is_used_and_found(told: Told) -> None:
    used = [turn for turn, _ in found(told, "skill_used", skill="stealth", figure="skraggus")]
    assert used == [2, 3]
    assert when(told, "state_began", figure="skraggus", state="hiding") == 3
    assert when(told, "figure_seen", figure="skraggus", cause="flatulence") == 5


def test_a_berserk_and_its_aftermath(told: Told, turns: tuple[Played, ...]) -> None:
    for figure, sleeps in (("grandad", 2), ("gutrippus", 3)):
        assert when(told, "skill_used", figure=figure, skill="berserk") == 3
        ((_, out),) = [
            (turn, event)
            for turn, event in found(told, "state_began", figure=figure, state="out of action")
            if event.dice
        ]
        assert out.turns == sleeps == out.dice[0].value + turns[6].after.figures[figure].wounds
    assert any(event.rate == "berserk" for _, event in found(told, "figure_moved", figure="grandad"))


def test_words_are_heeded_and_shrugged_off(told: Told) -> None:
    spoken = [event for _, event in told if event.kind == "word_spoken"]
    assert {event.word for event in spoken if event.success} == {"fetch", "heel", "good boy"}
    assert {event.word for event in spoken if not event.success} == {"gercha", "roll over", "stay"}
    assert when(told, "items_dropped", figure="nobbius", items=("sword", "pilum", "shield")) == 4


def test_the_chord_spares_no_friends(told: Told, turns: tuple[Played, ...]) -> None:
    ((turn, chord),) = found(told, "chord_played")
    assert turn == 7
    side = {name: figure.side for name, figure in turns[0].after.figures.items()}
    routed = [side[name] for name, result in chord.results.items() if result == 6]
    assert routed.count("boche") >= 5
    assert routed.count("noman") >= 5
    assert chord.spared


def test_two_glamours_and_an_illusion(told: Told) -> None:
    assert when(told, "glamour_broken", reason="he moved") == 1
    assert when(told, "glamour_cast", glamour="spinning around", target="gutrippus", effect=True) == 4
    assert any(turn == 4 for turn, _ in found(told, "blows_struck", figures=("brutalus", "gutrippus")))
    ((turn, hearts),) = found(told, "glamour_cast", glamour="too many broken hearts")
    assert turn == 5
    assert len(hearts.targets) >= 5
    assert when(told, "illusion_cast", illusion="pile", turns=7, effect=True) == 4


def test_routs_and_rallies(told: Told) -> None:
    results = [event.result for _, event in told if event.kind == "morale_tested"]
    assert {"passed", "flee", "rout", "rallied"} == set(results)
    assert len(found(told, "figure_lost")) >= 3


def test_a_fire_is_lit_and_doors_are_opened(told: Told) -> None:
    assert when(told, "fire_lit", figure="mangus", thing="hayrick") == 3
    assert when(told, "thing_opened", figure="denzil", thing="gate") == 2
    assert when(told, "thing_opened", figure="brutalus", thing="barn-door") == 3


def test_shots_fights_and_deaths(told: Told) -> None:
    shots = [event for _, event in told if event.kind == "shot_fired"]
    assert {event.weapon for event in shots} == {"stone", "pilum", "sling", "bow"}
    assert {event.hit for event in shots} == {True, False}
    assert {why for event in shots for why, _ in event.modifiers} == {
        "keen eye", "flatulence", "flatulence near by", "pile"
    }  # fmt: skip
    assert len(found(told, "blows_struck")) >= 20
    assert {event.cause for _, event in told if event.kind == "figure_killed"} == {
        "shot", "blow", "cheeky chappie"
    }  # fmt: skip


def test_orders_are_refused_unread_and_skipped(told: Told) -> None:
    refused = [event for _, event in told if event.kind == "order_refused"]
    assert {event.side for event in refused} == set(SEATS)
    assert len({rule for event in refused for rule in event.rules}) >= 6
    unread = [event.text for event in refused if "M8.2" in event.rules]
    assert len(unread) >= 3
    assert {event.rules for _, event in told if event.kind == "order_skipped"} == {("M8.3",), ("M8.4",)}


def test_a_silent_side_plays_by_its_standing_lines(turns: tuple[Played, ...]) -> None:
    assert not (ORDERS / "turn-7" / "noman.txt").exists()
    assert turns[7].orders["noman"].lines
    assert all(line.standing for line in turns[7].orders["noman"].lines)
    assert any(event.kind == "shot_fired" and event.figure == "snagglus" for event in turns[7].events)


def test_the_last_fight_decides(told: Told, turns: tuple[Played, ...]) -> None:
    assert turns[LENGTH - 1].after.points() == {"boche": 9, "noman": 5}
    killed = [(event.figure, event.by) for turn, event in told if turn == LENGTH and "kill" in event.kind]
    assert killed == [("gutrippus", "grandad"), ("schtuck", "signifer")]
    last = turns[-1].events[-1]
    assert isinstance(last, e.BattleEnded)
    assert (last.points, last.winner) == ({"boche": 10, "noman": 9}, "boche")
