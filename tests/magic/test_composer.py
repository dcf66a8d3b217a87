"""The composer promises nothing that the adjudicator would not keep: Magic, its answers against Python's."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pbem.errors import BadInput
from pbem.events import dump_json
from pbem.rulesets import Turn
from pbem.rulesets.magic import RULESET, orders
from pbem.rulesets.magic.composer import composer_data
from pbem.rulesets.magic.data import Core, read_core, read_toml
from pbem.rulesets.magic.names import SIDES, SKILLS, WORDS
from pbem.rulesets.magic.orders import SHOOTING_WEAPONS
from pbem.rulesets.magic.state import State
from pbem.sheet import read_sheet
from tests.composing import HANG, SLOW, checked, composed, mutated, said
from tests.magic.battles import RULES, random_position, random_text
from tests.magic.fog import CHANGES, MagicTurn, foggy_position, unseen
from tests.scale import scaled

POSITIONS = 200
HOUSE_POSITIONS = 100
HOUSE = pytest.mark.parametrize("house", [False, True], ids=["shipped", "house"])
"""Under the rules as they come, and under a GM's own."""
TEXTS = 1000
FOGGY = 1000
PLACES = 6


def position(seed: int, *, house: bool = False) -> State:
    rng = Random(seed)
    state = foggy_position(rng) if seed % 2 else random_position(rng)
    if not house:
        return state
    return replace(state, field=replace(state.field, core=house_core(rng)))


def house_core(rng: Random) -> Core:
    """A GM's own numbers: any that may be changed by itself is, as likely as not."""
    lines = RULES.text.split("\n")
    core = read_core(read_toml(RULES), RULES.name)
    for number, line in enumerate(lines):
        if rng.random() < 0.5 or "value = " not in line:
            continue
        head, value, tail = re.split(r"(?<=value = )(.*?)(?=, source)", line, maxsplit=1)
        factor = rng.choice((0, 1, 2, 3))
        other = re.sub(r"\d+", lambda found, factor=factor: str(int(found[0]) * factor // 2 + factor), value)
        tried = [*lines[:number], f"{head}{other}{tail}", *lines[number + 1 :]]
        try:
            core = read_core(read_toml(RULES._replace(text="\n".join(tried))), RULES.name)
        except BadInput:
            continue
        lines = tried
    return core


def candidates(state: State, side: str) -> list[str]:
    """An order of every kind from everybody to everybody, whoever can give it."""
    names = (*state.figures, "ghost")
    lines: list[str] = []
    mine = [figure.name for figure in state.figures.values() if figure.commander == side and figure.alive]
    units = [unit.name for unit in state.field.units.values() if unit.side == side]
    for who in (*mine, *units):
        for name in names:
            lines += [f"{who} move to {name} {rate}" for rate in ("walk", "run")]
            lines += [f"{who} charge {name}"]
            lines += [f"{who} shoot {name} with {weapon}" for weapon in SHOOTING_WEAPONS]
        lines += [f"{who} use {skill}" for skill in SKILLS]
    for who in mine:
        if state.figures[who].priest is not None:
            lines += [f"{who} speak {word} to {name}" for word in WORDS for name in names]
            lines += [f"{who} meditate take steps {name}" for name in names]
            lines += [f"{who} {what}" for what in ("chord", *_prepared())]
    return lines


def _prepared() -> tuple[str, ...]:
    glamours = ("too many broken hearts", "better the khylie you know", "spinning around")
    illusions = ("pile", "chuffa-puffa", "bloated belly")
    return *(f"meditate {name}" for name in glamours), *(f"prepare {name}" for name in illusions)


@HOUSE
def test_what_is_offered_is_what_is_allowed_in_the_words_of_check(*, house: bool) -> None:
    """Moves with where they end, shots and Words with their chances, and all that is declared."""
    jobs, wanted = [], []
    for seed in range(scaled(HOUSE_POSITIONS if house else POSITIONS)):
        state = position(seed, house=house)
        for side in SIDES:
            if not state.over:
                jobs.append((composer_data(state, side), [{"text": "", "offers": True}]))
                wanted.append((state, side))
    offers = 0
    for (state, side), [answer] in zip(wanted, composed("magic", jobs), strict=True):
        found = {offer["line"]: offer["label"] for offer in answer["offers"] if offer["line"]}
        offers += len(found)
        lines = candidates(state, side)
        asked = list(dict.fromkeys((*lines, *found)))
        told = {asked[line["number"] - 1]: line for line in _checked_by_parts(state, side, asked)}
        for line, label in found.items():
            assert told[line]["reads"], line
            assert label in {told[line]["message"], f"{line.split()[-1]}: {told[line]['message']}"} or (
                label.endswith(f": {told[line]['message']}")
            ), (line, label)
            assert "would be" not in told[line]["message"], line
        for line in lines:
            unsure = "is not yours to know" in told[line]["message"]
            possible = told[line]["reads"] and not unsure and "would be" not in told[line]["message"]
            if possible and not _left_out(state, side, line):
                assert line in found, (side, line, told[line])
    assert offers > 10 * len(wanted)


def _checked_by_parts(state: State, side: str, lines: list[str]) -> list[dict[str, Any]]:
    """A file has 500 lines at most."""
    found: list[dict[str, Any]] = []
    for start in range(0, len(lines), 500):
        part = checked(RULESET, SIDES, state, side, "\n".join(lines[start : start + 500]))
        found.extend({**line, "number": line["number"] + start} for line in part)
    return found


def _left_out(state: State, side: str, line: str) -> bool:
    """What the composer does not offer though it is allowed: to move to oneself, what a unit of one does as a
    unit, and anything of whom Spinning Around will have left by then."""
    who, _, rest = line.partition(" ")
    if rest.startswith(f"move to {who} "):
        return True
    figure = state.figures.get(who)
    if figure is None:
        unit = state.field.units[who]
        members = (state.figures[name] for name in unit.members)
        return sum(one.alive and one.commander == side for one in members) < 2
    spinning = figure.states.get("spinning around")
    return spinning is not None and spinning.until is not None and spinning.until <= state.turn


@HOUSE
def test_texts_are_checked_in_the_words_of_check(*, house: bool) -> None:
    """Whole texts of orders, readable and not, as they are and with their signs changed at random."""
    jobs, wanted = [], []
    for seed in range(scaled(HOUSE_POSITIONS if house else TEXTS)):
        rng = Random(seed)
        state = position(seed, house=house)
        for side in SIDES:
            if state.over:
                continue
            text = random_text(rng, state, side)
            texts = [text, mutated(rng, text, "magic"), mutated(rng, text, "magic")]
            jobs.append((composer_data(state, side), [{"text": each} for each in texts]))
            wanted.append((state, side, texts))
    for (state, side, texts), answers in zip(wanted, composed("magic", jobs), strict=True):
        for text, answer in zip(texts, answers, strict=True):
            assert said(answer) == checked(RULESET, SIDES, state, side, text), (side, text)


def test_places_on_the_table_are_where_moves_end() -> None:
    jobs, wanted = [], []
    for seed in range(scaled(POSITIONS)):
        state, rng = position(seed), Random(seed)
        for side in SIDES:
            mine = [one.name for one in state.figures.values() if one.commander == side and one.alive]
            if state.over or not mine:
                continue
            width, height = state.field.size
            places = [
                (rng.choice(mine), rng.choice(("walk", "run")),
                 f"{rng.randint(-2, width // 10 + 2)}.{rng.randint(0, 9)},{rng.randint(0, height // 10 + 2)}")
                for _ in range(PLACES)
            ]  # fmt: skip
            jobs.append((composer_data(state, side), [{"text": "", "places": places}]))
            wanted.append((state, side, places))
    for (state, side, places), [answer] in zip(wanted, composed("magic", jobs), strict=True):
        for (who, rate, place), target in zip(places, answer["places"], strict=True):
            line = f"{who} move to {place} {rate}"
            [told] = checked(RULESET, SIDES, state, side, line)
            assert target["label"] == told["message"]
            assert target["line"] == ("" if "would be" in told["message"] or not told["reads"] else line)


@pytest.mark.parametrize("side", SIDES)
def test_what_is_hidden_changes_nothing(side: str) -> None:
    for seed in range(scaled(FOGGY)):
        rng = Random(seed)
        state = foggy_position(rng)
        if state.over:
            continue
        told = dump_json(composer_data(state, side))
        hidden = [name for name, figure in state.figures.items() if unseen(figure, (side,))]
        assert not any(f'"{name}"' in told for name in hidden)
        turn: MagicTurn = Turn(state.turn, state, [], state, {})
        for change in CHANGES:
            other = change(rng, turn, side, hidden).after
            assert dump_json(composer_data(other, side)) == told, (change.__name__, hidden)


def test_no_text_is_slow_to_read() -> None:
    state = position(0)
    asked = [(composer_data(state, "boche"), [{"text": text} for text in SLOW])]
    [answers] = composed("magic", asked, seconds=HANG)
    for text, answer in zip(SLOW, answers, strict=True):
        assert said(answer) == checked(RULESET, SIDES, state, "boche", text), text[:30]


def test_no_more_of_a_line_is_read_than_a_name_can_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand words after `speak` were put together a thousand times to find one."""
    read: list[int] = []

    def squeezed(text: str) -> str:
        read.append(len(text))
        return real(text)

    real = orders._squeezed
    monkeypatch.setattr(orders, "_squeezed", squeezed)
    line = "schtuck speak " + "a " * 1000
    found = RULESET.parse(read_sheet(line), position(0), "boche")
    assert found.problems
    assert sum(read) < 4 * len(line)
