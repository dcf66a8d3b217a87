"""A round played back: it begins with the position before and ends with the one after, step by step."""

from collections.abc import Sequence
from itertools import islice
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.drawing import Change, Group, Shape
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.events import FluxEvent
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.outlines import centre
from pbem.rulesets.flux.playback import LIFT
from pbem.rulesets.flux.state import State
from pbem.rulesets.model import PUBLIC, Report
from tests.flux.games import new_contest, play
from tests.scale import scaled

Places = dict[str, tuple[float, float]]
GAMES = settings(
    max_examples=scaled(100), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def shapes(report: Report) -> dict[str, Group]:
    """The groups of the drawing that have an id."""
    found: dict[str, Group] = {}

    def look(items: tuple[Shape, ...]) -> None:
        for item in items:
            if isinstance(item, Group):
                if item.id:
                    assert item.id not in found, item.id
                    found[item.id] = item
                look(item.items)

    look(report.board.drawing.items)
    return found


def drawn(report: Report) -> dict[str, tuple[float, float]]:
    """Where everything that may change is drawn, ghosts at home."""
    places = {}
    for name, group in shapes(report).items():
        x, y = 0.0, 0.0
        if group.transform.startswith("translate("):
            x, y = map(float, group.transform.partition("(")[2].partition(")")[0].split())
        places[name] = (x, y)
    return places | {ghost.id: (float(ghost.x), float(ghost.y)) for ghost in report.board.playback.ghosts}


class Shown:
    """What the page's script shows, by the same few rules."""

    def __init__(self, report: Report) -> None:
        self.home = drawn(report)
        self.at: Places = dict(self.home)
        for ghost in report.board.playback.ghosts:
            del self.at[ghost.id]
        self.do(report.board.playback.start)

    def do(self, changes: tuple[Change, ...]) -> None:
        for change in changes:
            x, y = self.home[change.id]  # A change of what is nowhere would be a mistake.
            if change.way is None:
                self.at.pop(change.id, None)
            else:
                dx, dy = change.way[-1] if change.way else (0, 0)
                self.at[change.id] = x + dx, y + dy

    def pieces(self) -> list[tuple[str, tuple[float, float]]]:
        """Pieces with their places, to the nearest hex."""
        found = [(name.removeprefix("g"), place) for name, place in self.at.items() if "pc-" in name]
        return sorted(found)

    def ghost_earths(self) -> set[str]:
        return {name for name in self.at if name.startswith("ge-")}


def standing(state: State) -> dict[str, Hex]:
    return {
        f"pc-{wizard.hue}-{name.replace(' ', '-')}": place
        for wizard in state.wizards.values()
        if not wizard.eliminated
        for name, place in wizard.standing()
    }


def holds(shown: Shown, state: State) -> None:
    """The pieces shown are those on the board, each on its hex or beside another that shares it."""
    expected = standing(state)
    pieces = shown.pieces()
    assert [name for name, _ in pieces] == sorted(expected)
    for name, (x, y) in pieces:
        cx, cy = centre(expected[name])
        assert abs(x - cx) <= 10, name
        assert abs(y - cy + LIFT / 10) <= 6, name


@GAMES
@given(st.integers(0, 2**40))
def test_from_the_position_before_to_the_one_after(seed: int) -> None:
    rng = Random(seed)
    for played in islice(play(rng, new_contest(rng)), 3):
        turn = played.turn
        report = RULESET.view(turn, PUBLIC)
        shown = Shown(report)
        holds(shown, turn.before)
        marks = {name for name in shown.home if name[:3] in {"mv-", "fo-", "fc-", "de-", "du-", "ft-"}}
        assert not marks & shown.at.keys()
        new = {name for name in shapes(report) if name.startswith("ea-")} - shown.at.keys()
        assert earths(turn.before) == earths(turn.after) - len(new) + len(shown.ghost_earths())
        for chapter in report.round:
            for told in chapter.told:
                shown.do(told.changes)
        holds(shown, turn.after)
        assert marks <= shown.at.keys(), "a mark that no step shows"
        assert not shown.ghost_earths()
        check_throws(report, turn.events)
        as_drawn = {name: shown.home[name] for name in shapes(report)}
        assert {name: shown.at[name] for name in as_drawn} == as_drawn


def check_throws(report: Report, events: Sequence[FluxEvent]) -> None:
    """Every throw of the turn stands in its row, where the page makes a button of it."""
    rows = [told for chapter in report.round for told in chapter.told]
    odds = [each for told in rows for each in told.odds]
    assert [[each.throw] for each in odds] == [[throw.value for throw in each.dice] for each in odds]
    shown = [
        throw for told in rows for throw in (*told.dice, *(one for each in told.odds for one in each.dice))
    ]
    thrown = [throw for event in events for throw in getattr(event, "dice", ())]
    assert shown == thrown
    in_orders = [
        throw
        for seat in report.orders
        for line in seat.lines
        for outcome in line.outcomes
        for throw in (*outcome.dice, *(one for each in outcome.odds for one in each.dice))
    ]
    assert {throw.key for throw in in_orders} == {
        throw.key for throw in thrown if throw.key[:10] != "initiative"
    }


def earths(state: State) -> int:
    return sum(len(wizard.earths) for wizard in state.wizards.values())
