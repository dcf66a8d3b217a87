"""The contract of a ruleset (house.md), and what must hold in every contest, over random contests."""

import json
from collections.abc import Sequence
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.events import dump_json, event_data
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux import events as e
from pbem.rulesets.flux.keeping import dump, load
from pbem.rulesets.flux.orders import Cast, Condition, Hold, Order
from pbem.rulesets.flux.state import State
from pbem.sheet import OrderLine
from tests.flux.games import Played, new_contest, play
from tests.scale import scaled

Line = OrderLine[Order, Condition]


def check_position(state: State) -> None:
    """One piece a hue and hex, no debts, and every counter on the board or in stock (F4.3, F5.3, F5.7)."""
    for hue, wizard in state.wizards.items():
        places = [place for _, place in wizard.standing()]
        assert len(places) == len(set(places))
        assert all(place in state.board for place in places)
        assert wizard.reserve >= 0
        used = [earth.earth for earth in wizard.earths] + list(wizard.pieces)
        for counter, left in state.stock(hue).items():
            rows = state.rules.earths
            total = rows[counter].counters if counter in rows else 1
            assert left >= 0
            assert left + used.count(counter) == total
    covered = [spot for wizard in state.wizards.values() for earth in wizard.earths for spot in earth.hexes]
    assert len(covered) == len(set(covered))


def check_one_piece_a_hex(state: State) -> None:
    places = [place for wizard in state.wizards.values() for _, place in wizard.standing()]
    assert len(places) == len(set(places))


def check_fold(played: Played) -> None:
    """At every moment of the turn, and between the wizards' turns."""
    state = played.turn.before
    for event in played.turn.events:
        if isinstance(event, e.WizardTurnBegan | e.RoundOpened):
            check_one_piece_a_hex(state)
        state = RULESET.evolve(state, event)
        check_position(state)
    assert state == played.turn.after


def check_pure(played: Played) -> None:
    """The same again gives the same, in whatever order the players' files came."""
    turn = played.turn
    backwards = dict(reversed(list(turn.orders.items())))
    assert RULESET.decide(turn.before, backwards, played.dice) == turn.events


def check_log_form(played: Played) -> None:
    """Events survive the log: dumped, read back and dumped again."""
    for event in played.turn.events:
        text = dump_json(event_data(event))
        again = RULESET.events.read(event.kind, 1, text)
        assert again == event
        assert dump_json(event_data(again)) == text


def check_kept(initial: State, played: Played) -> None:
    """A position put aside as text and taken up again is the same, down to the order of its pieces."""
    kept = dump_json(dump(played.turn.after))
    again = load(initial, json.loads(kept))
    assert again == played.turn.after
    assert dump_json(dump(again)) == kept


def check_accounts(played: Played) -> None:
    """Every side that was reached has one outcome, the rest of its line one skip (F9.3)."""
    for hue, orders in played.turn.orders.items():
        mine = [event for event in played.turn.events if getattr(event, "hue", None) == hue]
        unread = [
            event.line for event in mine if isinstance(event, e.OrderRefused) and event.rules == ("F9.2",)
        ]
        out = played.turn.after.over or played.turn.after.wizards[hue].eliminated
        if not out:
            assert unread == [problem.line for problem in orders.problems]
        for line in orders.lines:
            told = [event for event in mine if getattr(event, "line", None) == line.number]
            if told or not out:
                check_line(line, told)


def is_attempt(event: e.FluxEvent, order: Cast) -> bool:
    return (
        isinstance(event, e.SpellCast)
        and event.spell == order.spell
        and set(event.hexes) == set(order.labels)
    )


def check_line(line: Line, told: Sequence[e.FluxEvent]) -> None:
    rest = list(told)
    for index, side in enumerate(line.sides):
        if side.guards and rest and isinstance(rest[0], e.OrderSkipped) and rest[0].rules == ("F9.4",):
            rest.pop(0)
            continue
        if rest and isinstance(rest[0], e.OrderRefused):
            rest.pop(0)
            continue
        if isinstance(side.order, Hold):
            success = True
        elif isinstance(side.order, Cast):
            tries = 0
            success = False
            while (
                rest and is_attempt(rest[0], side.order) and not success and tries < (side.order.times or 1)
            ):
                success = rest.pop(0).success  # type: ignore[union-attr]
                tries += 1
            assert tries, (line, told)
        else:
            event = rest.pop(0)
            success = isinstance(event, e.PieceMoved) or (
                isinstance(event, e.DestructionAttempted) and event.success
            )
        if success:
            if index + 1 < len(line.sides):
                skip = rest.pop(0)
                assert isinstance(skip, e.OrderSkipped)
                assert skip.rules == ("F9.3",)
            break
    assert not rest, (line, told)


@settings(
    max_examples=scaled(2000),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.integers(min_value=0, max_value=2**64))
def test_random_contests_keep_the_contract(seed: int) -> None:
    """Scale 100 plays 2,000 contests of up to six wizards."""
    rng = Random(seed)
    initial = new_contest(rng)
    for played in play(rng, initial):
        check_kept(initial, played)
        check_fold(played)
        check_pure(played)
        check_log_form(played)
        check_accounts(played)


def test_the_fold_of_random_contests_reaches_every_kind_of_event() -> None:
    """So that the test above does not pass for want of things happening."""
    seen: set[str] = set()
    for seed in range(40):
        rng = Random(seed)
        for played in play(rng, new_contest(rng)):
            seen |= {event.kind for event in played.turn.events}
    assert seen == {model.model_fields["kind"].default for model in RULESET.events}
