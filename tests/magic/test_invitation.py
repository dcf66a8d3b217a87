"""The invitation to sign up: a side's own units, and lines that it may really order (M8)."""

from pathlib import Path

import pytest

from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.names import SIDES
from pbem.rulesets.magic.orders import MagicOrders
from pbem.rulesets.magic.state import State
from pbem.sheet import read_sheet
from tests.commands import pbem
from tests.magic.battles import scenario

SCENARIOS = ("hayrick", "ford")


def examples(state: State, side: str) -> list[str]:
    lines = RULESET.invitation(state, side)
    assert all(line.startswith("#") and len(line) <= 78 for line in lines)
    return [line.removeprefix("#   ") for line in lines if line.startswith("#   ")]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_example_is_carried_out_as_it_stands(name: str, side: str) -> None:
    state = scenario(name)
    shown = examples(state, side)
    assert any(line.startswith("skills ") for line in shown)
    declares = {figure.priest for figure in state.figures.values()} & {"achtung", "wasserpferd"}
    wanted = len(declares) if side == "boche" else 0
    assert sum(line.startswith("declare ") for line in shown) == wanted
    for line in shown:
        orders: dict[str, MagicOrders] = {
            each: RULESET.parse(read_sheet(line if each == side else ""), state, each) for each in SIDES
        }
        assert not orders[side].problems, line
        # Nobody is flatulent by these throws.
        events = RULESET.decide(state, orders, lambda key, _sides: 1 if key.endswith("1") else 2)
        assert not [event for event in events if isinstance(event, e.OrderRefused)], line


@pytest.mark.parametrize("side", SIDES)
def test_it_names_all_of_ones_own_and_nobody_else(side: str) -> None:
    state = scenario("hayrick")
    text = " ".join(RULESET.invitation(state, side)).replace(" # ", " ")
    for name, figure in state.figures.items():
        assert (f"{name} at " in text) is (figure.side == side)


def test_sent_back_as_it_is_it_is_a_good_order_file(tmp_path: Path) -> None:
    game = tmp_path / "hayrick"
    players = ("--player", "boche=Ada <ada@example.org>", "--player", "noman=Ben <ben@example.org>")
    assert pbem("new", game, "--ruleset", "magic", *players).status == 0
    sent = game / "players/boche/invitation.txt"
    assert "#   declare illusion pile\n" in sent.read_text("utf-8")
    assert pbem("-C", game, "submit", sent).status == 0
