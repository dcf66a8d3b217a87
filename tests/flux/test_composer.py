"""The composer promises nothing that the adjudicator would not keep: Flux, its answers against Python's."""

import json
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbem import cases, shipped
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.composer import composer_data
from pbem.rulesets.flux.data import WIZARD
from pbem.rulesets.flux.decide import Round, WizardTurn
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.orders import FluxOrders, Move, Phase
from pbem.rulesets.flux.refusals import cast_refusals, destroy_refusals, move_refusals, shortest_path
from pbem.rulesets.flux.state import State
from pbem.sheet import read_sheet
from tests.composing import HANG, SLOW, checked, composed, mutated, said
from tests.scale import scaled
from tests.second.positions import random_case

POSITIONS = 500
HOUSE_POSITIONS = 200
SENTENCES = 12
"""So many of a position's offers are read by Python as the lines that they would be."""
HOUSE = pytest.mark.parametrize("house", [False, True], ids=["shipped", "house"])
"""Under the rules as they come, and under a GM's own."""
Offers = dict[tuple[str, ...], tuple[int, int]]
"""What may be ordered where: with the steps of a move; else the cost and the chance."""


def position(seed: int, *, house: bool = False) -> tuple[State, dict[str, str]]:
    case = random_case(seed)
    if house and seed % 2:
        case = json.loads(json.dumps(case).replace("knight", "constructor"))
    own = {key: value for key, value in case.items() if key not in cases.HOST_KEYS}
    rules = shipped.shipped_text("flux", RULESET.files.rules)
    if house:
        rules = rules._replace(text=house_rules(Random(seed), rules.text))
    state = RULESET.case_setup(own, lambda name: shipped.board_source(RULESET, name), rules)
    return state, case["orders"]


def house_rules(rng: Random, shipped_rules: str) -> str:
    """A GM's own numbers: other costs, moves, bands and dice, several of a kind, and a kind of his own."""
    rules = tomllib.loads(shipped_rules)
    rules["contest"]["die"] = rng.choice((2, 6, 10, 20, 1000))
    limits = sorted(rng.sample(range(1, 14), rng.randint(1, 5)))
    rules["casting"] = [{"up_to": limit, "chance": rng.choice((0, 1, 5, 10, 25))} for limit in limits]
    rules["animates"]["constructor"] = dict(rules["animates"]["knight"])
    rules["wizard"] |= {"move": rng.randint(0, 9), "may_not_enter": rng.sample(["swamp", "mountain"], 1)}
    for row in rules["earths"].values():
        row["cost"] = rng.choice((1, 2, 9, 40))
        # Nothing is forbidden that the position, made for the rules as they come, may have.
        row |= {"may_cover_lake": rng.choice((False, True)), "may_cross_river": True}
    for row in rules["animates"].values():
        row |= {"cost": rng.choice((1, 3, 12, 50)), "move": rng.randint(0, 12)}
        row["flies"] = row.get("flies", False) or rng.choice((False, False, True))
        row |= {"counters": rng.choice((1, 1, 2, 11)), "may_not_enter": rng.sample(["swamp", "mountain"], 1)}
        row["destroys"] = {earth: rng.choice((0, 1, 30)) for earth in rng.sample([*rules["earths"]], 2)}
    return "\n".join(_toml(rules, ()))


def _toml(table: dict[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    below = {key: value for key, value in table.items() if isinstance(value, dict) and "value" not in value}
    for key, value in table.items():
        if key in below:
            continue
        if isinstance(value, list) and value and isinstance(value[0], dict):
            continue
        plain = value["value"] if isinstance(value, dict) else value
        yield f"{key} = {json.dumps(plain)}"
    for key, value in table.items():
        name = ".".join(json.dumps(part) for part in (*path, key))
        if key in below:
            yield f"[{name}]"
            yield from _toml(value, (*path, key))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for each in value:
                yield f"[[{name}]]"
                yield from _toml(each, (*path, key))


def seat_of(state: State, seed: int) -> str:
    playing = [hue for hue, wizard in state.wizards.items() if not wizard.eliminated]
    return playing[seed % len(playing)]


def played(state: State, hue: str, orders: FluxOrders, last: Phase, throw: int = 1) -> WizardTurn:
    """His turn up to the end of a phase, as `forecast` plays it."""
    turn = WizardTurn(Round(state, {hue: orders}, lambda _key, _sides: throw), hue)
    if turn.me.at is None:
        turn.come_back()
    for phase in Phase:
        if phase <= last:
            turn.phase(phase)
    return turn


def allowed(state: State, hue: str, text: str) -> Offers:
    """Every target that the rules themselves allow, after what the text has done by then."""
    orders = RULESET.parse(read_sheet(text), state, hue)
    return {
        **_moves(played(state, hue, orders, Phase.MOVE)),
        **_casts(played(state, hue, orders, Phase.CAST)),
        **_destructions(played(state, hue, orders, Phase.DESTROY)),
    }


def _moves(turn: WizardTurn) -> Offers:
    state, found = turn.state, Offers()
    for piece, start in turn.me.standing():
        left = state.rules.move(piece) - turn.steps[piece]
        for place in state.board.hexes():
            order = Move(piece, place, state.board.label(place))
            way = shortest_path(state, piece, start, place)
            if place - start <= left and not move_refusals(
                state, turn.hue, order, left, way, stopped=piece in turn.stopped
            ):
                assert way is not None
                found["move", piece, order.to_label] = len(way), 0
    return found


def _casts(turn: WizardTurn) -> Offers:
    state, found = turn.state, Offers()
    at, label = turn.me.at, state.board.label
    assert at is not None
    reached = [place for place in state.board.hexes() if state.rules.chance(at - place) is not None]
    for spell in (*state.rules.earths, *state.rules.pieces()):
        earth = spell in state.rules.earths
        cost = state.rules.earths[spell].cost if earth else state.rules.animate(spell).cost
        grounds: list[tuple[Hex, ...]] = [(place,) for place in reached]
        if earth:
            grounds = [(place, near) for (place,) in grounds for near in place.neighbours()]
        for hexes in grounds:
            if all(place in state.board for place in hexes) and not cast_refusals(
                state, turn.hue, spell, tuple(sorted(hexes)), None
            ):
                chance = state.rules.chance(max(at - place for place in hexes))
                assert chance is not None
                found["cast", spell, *map(label, hexes)] = cost, chance
    return found


def _destructions(turn: WizardTurn) -> Offers:
    state, found = turn.state, Offers()
    for piece, place in turn.me.pieces.items():
        if not destroy_refusals(state, turn.hue, piece, new=piece in turn.new, tried=piece in turn.tried):
            under = state.earths.get(place)
            assert under is not None
            found["destroy", piece] = 0, state.rules.animate(piece).destroys[under[1].earth]
    return found


def offers(answer: dict[str, Any], state: State) -> Offers:
    """What the composer offers, from the lines and the labels that players see."""
    found = Offers()
    for offer in answer["offers"]:
        name = offer["subject"].partition(" ")[2]
        words = offer["label"].split()
        if offer["action"] == "move":
            found["move", name, *offer["at"]] = int(words[1]), 0
        elif offer["action"] == "destroy":
            found["destroy", name] = 0, int(words[words.index("on") + 1])
        else:
            cost, chance = int(words[words.index("costs") + 1]), int(words[words.index("on") + 1])
            found["cast", name, *offer["at"]] = cost, chance
    assert all(name != WIZARD for what, name, *_ in found if what == "destroy"), state
    return found


@HOUSE
def test_what_is_offered_is_what_is_allowed_at_that_cost_and_chance(*, house: bool) -> None:
    """With an empty text, and after a text that has moved, cast and destroyed."""
    jobs, wanted = [], []
    for seed in range(scaled(HOUSE_POSITIONS if house else POSITIONS)):
        state, orders = position(seed, house=house)
        hue = seat_of(state, seed)
        texts = ["", orders.get(hue, "")]
        jobs.append((composer_data(state, hue), [{"text": text, "offers": True} for text in texts]))
        wanted.append((state, hue, texts))
    lines = []
    for (state, hue, texts), answers in zip(wanted, composed("flux", jobs), strict=True):
        for text, answer in zip(texts, answers, strict=True):
            assert offers(answer, state) == allowed(state, hue, text), (hue, text)
        found = sorted(offer["line"] for offer in answers[0]["offers"])
        rng = Random(hue)
        lines.append((state, hue, rng.sample(found, min(SENTENCES, len(found)))))
    _said_as_python_says(lines)


def _said_as_python_says(lines: list[tuple[State, str, list[str]]]) -> None:
    """Each offer is a line that reads, is not refused, and is foretold in the same words."""
    jobs = [(composer_data(state, hue), [{"text": line} for line in found]) for state, hue, found in lines]
    for (state, hue, found), answers in zip(lines, composed("flux", jobs), strict=True):
        for line, answer in zip(found, answers, strict=True):
            assert answer["lines"] == checked(RULESET, tuple(state.wizards), state, hue, line), (hue, line)
            assert answer["lines"][0]["reads"]
            assert "refused" not in answer["lines"][0]["message"], line


@HOUSE
def test_texts_are_checked_in_the_words_of_check(*, house: bool) -> None:
    """Whole texts of orders, readable and not, as they are and with their signs changed at random."""
    jobs, wanted = [], []
    for seed in range(scaled(HOUSE_POSITIONS if house else POSITIONS)):
        state, orders = position(seed, house=house)
        rng = Random(seed)
        for hue, text in orders.items():
            if state.wizards[hue].eliminated:
                continue
            texts = [text, *(mutated(rng, text, "flux") for _ in range(3))]
            jobs.append((composer_data(state, hue), [{"text": each} for each in texts]))
            wanted.append((state, hue, texts))
    for (state, hue, texts), answers in zip(wanted, composed("flux", jobs), strict=True):
        for text, answer in zip(texts, answers, strict=True):
            assert said(answer) == checked(RULESET, tuple(state.wizards), state, hue, text), (hue, text)


def test_refused_press_is_shown_as_it_was_typed() -> None:
    """It stands apart from the orders, whose blanks and dashes are made plain."""
    state, _ = position(0, house=False)
    hue = seat_of(state, 0)
    text = "press to nobody: a\ttab \u2013 and\u00a0a dash  \nhold\t\u2013\n"
    [[answer]] = composed("flux", [(composer_data(state, hue), [{"text": text}])])
    assert said(answer) == checked(RULESET, tuple(state.wizards), state, hue, text)
    assert said(answer)[0]["text"] == "press to nobody: a\ttab \u2013 and\u00a0a dash"


@HOUSE
def test_the_reserve_counts_down_as_the_rules_take_it(*, house: bool) -> None:
    jobs, wanted = [], []
    for seed in range(scaled(HOUSE_POSITIONS if house else POSITIONS)):
        state, orders = position(seed, house=house)
        hue = seat_of(state, seed)
        text = orders.get(hue, "")
        jobs.append((composer_data(state, hue), [{"text": text}]))
        wanted.append((state, hue, text))
    for (state, hue, text), [answer] in zip(wanted, composed("flux", jobs), strict=True):
        orders_read = RULESET.parse(read_sheet(text), state, hue)
        best = played(state, hue, orders_read, Phase.DESTROY).me.reserve
        worst = played(state, hue, orders_read, Phase.DESTROY, throw=state.rules.contest.die).me.reserve
        figures = [int(each["value"]) for each in answer["status"]]
        assert figures == [state.wizards[hue].reserve, best, worst], text


def test_no_text_is_slow_to_read() -> None:
    state, _ = position(0)
    hue = seat_of(state, 0)
    [answers] = composed(
        "flux", [(composer_data(state, hue), [{"text": text} for text in SLOW])], seconds=HANG
    )
    for text, answer in zip(SLOW, answers, strict=True):
        assert said(answer) == checked(RULESET, tuple(state.wizards), state, hue, text), text[:30]
