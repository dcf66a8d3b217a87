"""The contract of a ruleset (house.md), and what must hold in every battle, over random battles."""

from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.cases import case_turn_closed
from pbem.events import Throw, dump_json, event_data
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic import events as e
from pbem.rulesets.magic.battle import Battle
from pbem.rulesets.magic.geometry import in_polygon, within
from pbem.rulesets.magic.lines import ordered
from pbem.rulesets.magic.orders import Hold, Line
from pbem.rulesets.magic.state import State
from tests.magic.battles import Played, play, random_position, read, scenario
from tests.scale import scaled

THOROUGH = settings(
    max_examples=scaled(600), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
BATTLES = settings(
    max_examples=scaled(120), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
seeds = st.integers(0, 2**40)


BEFORE_PARTING = (
    e.FigureMoved | e.FigureKilled | e.FigureLost | e.StateBegan | e.StateEnded | e.EngagementEnded
)
"""Events after which engagements may still have to be told as ended."""


def check_position(state: State) -> None:
    """Where figures stand, and whom they are engaged with (M1.1, M1.3)."""
    walls = [piece.points for piece in state.terrain() if piece.blocks_movement]
    width, height = state.field.size
    for name, figure in state.figures.items():
        assert name == figure.name
        assert 0 <= figure.at[0] <= width
        assert 0 <= figure.at[1] <= height
        if not figure.alive:
            assert not figure.states
            continue
        assert not any(in_polygon(figure.at, wall) for wall in walls)


def check_engagements(state: State) -> None:
    for name, figure in state.figures.items():
        for foe in figure.engaged:
            other = state.figures[foe]
            assert name in other.engaged
            assert figure.alive
            assert other.alive
            assert figure.commander != other.commander
            assert within(figure.at, other.at, state.field.core.table.contact)


def check_turn(played: Played) -> None:
    state = RULESET.evolve(played.turn.before, case_turn_closed(played.turn.number))
    place = {name: figure.at for name, figure in state.figures.items()}
    for event in played.turn.events:
        if isinstance(event, e.FigureMoved):
            assert event.from_ == place[event.figure]
            place[event.figure] = event.to
        if isinstance(event, e.StateBegan) and event.at is not None:
            place[event.figure] = event.at
        state = RULESET.evolve(state, event)
        check_position(state)
        if not isinstance(event, BEFORE_PARTING):
            check_engagements(state)
    assert state == played.turn.after
    check_engagements(state)
    assert all(figure.wounds < figure.wound_points for figure in state.figures.values() if figure.alive)
    assert {name: figure.at for name, figure in state.figures.items()} == place


def check_states(played: Played) -> None:
    """No state outlives its end: what is left has its end ahead, or this very turn (M2.8)."""
    for figure in played.turn.after.figures.values():
        for state, held in figure.states.items():
            assert held.until is None or held.until >= played.turn.number, (figure.name, state)
    for name, effect in played.turn.after.effects.items():
        assert effect.until is None or effect.until >= played.turn.number, name


def check_pure(played: Played) -> None:
    """The same again gives the same, in whatever order the players' files came."""
    turn = played.turn
    backwards = dict(reversed(list(turn.orders.items())))
    assert RULESET.decide(turn.before, backwards, played.dice) == turn.events


def check_log(played: Played) -> None:
    """Every event can be read back from its row, and no float is in it."""
    for event in played.turn.events:
        data = dump_json(event_data(event))
        assert RULESET.events.read(event.kind, 1, data) == event
        assert dump_json(event_data(RULESET.events.read(event.kind, 1, data))) == data


def check_throws(played: Played) -> None:
    """No key is thrown twice in a turn, and every throw stands in one event."""
    asked: Counter[str] = Counter()

    def dice(key: str, sides: int) -> int:
        asked[key] += 1
        return played.dice(key, sides)

    events = RULESET.decide(played.turn.before, played.turn.orders, dice)
    assert events == played.turn.events
    assert max(asked.values(), default=0) <= 1
    told: list[Throw] = [throw for event in events for throw in getattr(event, "dice", ())]
    assert Counter(throw.key for throw in told) == asked
    assert all(played.dice(throw.key, throw.sides) == throw.value for throw in told)


def check_lines(played: Played) -> None:
    """Each side that was reached was refused, done, failed or held, and the rest has one skip (M8.3)."""
    if played.turn.number == 0 or played.turn.before.over:
        return
    for side, orders in played.turn.orders.items():
        told = [
            event
            for event in played.turn.events
            if isinstance(event, e.OrderRefused | e.OrderSkipped) and event.side == side
        ]
        for problem in orders.problems:
            assert sum(event.line == problem.line for event in told) == 1
        for line in orders.lines:
            mine = [event for event in told if event.line == line.number]
            by_figure: dict[str | None, list[e.OrderRefused | e.OrderSkipped]] = {}
            for event in mine:
                by_figure.setdefault(event.figure, []).append(event)
            for events in by_figure.values():
                assert len(events) <= len(line.sides) + 1
                done = [event for event in events if "M8.3" in event.rules]
                assert len(done) <= 1
                if done:
                    assert len(line.sides) > 1
                    assert events[-1] == done[0]
            _check_hold(played, side, line, mine)


def _check_hold(played: Played, side: str, line: Line, told: list[e.OrderRefused | e.OrderSkipped]) -> None:
    if any(isinstance(attempt.order, Hold) for attempt in line.sides):
        texts = [attempt.text for attempt in line.sides if isinstance(attempt.order, Hold)]
        assert not any(isinstance(event, e.OrderRefused) and event.text in texts for event in told)
        return
    battle = Battle(played.turn.after, {}, played.dice)
    members, _ = ordered(battle, "boche" if side == "boche" else "noman", line.sides[0].order.who)
    if not members and line.sides[0].order.who == "ghost":
        assert len(told) == len(line.sides)
        assert all(event.rules == ("M1.5",) and event.figure is None for event in told)


def check_dead_are_still(played: Played) -> None:
    dead = {name for name, figure in played.turn.before.figures.items() if not figure.alive}
    for event in played.turn.events:
        if isinstance(event, e.FigureKilled | e.FigureLost):
            assert event.figure not in dead
            dead.add(event.figure)
        elif isinstance(event, e.StateBegan | e.StateEnded | e.FigureMoved | e.MoraleTested | e.ShotFired):
            assert event.figure not in dead


def check_battle_over(played: Played) -> None:
    ended = [event for event in played.turn.events if isinstance(event, e.BattleEnded)]
    assert bool(ended) == played.turn.after.over
    if ended:
        assert played.turn.events[-1] == ended[0]
        assert ended[0].points == played.turn.after.points()


CHECKS = (
    check_turn, check_states, check_pure, check_log, check_throws, check_lines, check_dead_are_still,
    check_battle_over,
)  # fmt: skip


@given(seeds)
@THOROUGH
def test_random_positions_keep_the_contract(seed: int) -> None:
    rng = Random(seed)
    for played in play(rng, random_position(rng), 2):
        for check in CHECKS:
            check(played)


@given(seeds, st.sampled_from(("ford", "hayrick")))
@BATTLES
def test_whole_battles_keep_the_contract(seed: int, name: str) -> None:
    rng = Random(seed)
    last = None
    for played in play(rng, scenario(name)):
        for check in CHECKS:
            check(played)
        last = played
    assert last is not None
    assert last.turn.after.over
    assert RULESET.decide(last.turn.after, last.turn.orders, last.dice) == ()


@given(seeds)
@THOROUGH
def test_orders_read_back_as_written(seed: int) -> None:
    """The canonical form of a line reads as the same line."""
    rng = Random(seed)
    state = random_position(rng)
    for played in play(rng, state, 1):
        for side, orders in played.turn.orders.items():
            text = "\n".join(map(str, orders.lines))
            again = read(state, {side: text})[side]
            assert not again.problems
            assert [line.sides for line in again.lines] == [
                line.sides for line in read(state, {side: text})[side].lines
            ]
            assert [str(line) for line in again.lines] == [str(line) for line in orders.lines]


@given(seeds)
@settings(max_examples=scaled(100), deadline=None, derandomize=True)
def test_views_of_random_turns_are_built_for_every_reader(seed: int) -> None:
    rng = Random(seed)
    for played in play(rng, random_position(rng), 1):
        for reader in ("boche", "noman", "public", "gm"):
            assert RULESET.view(played.turn, reader).reader == reader
