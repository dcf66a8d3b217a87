"""What the rules look up on the board is what lies and stands there, however often it was asked before."""

from dataclasses import replace

from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.state import State
from tests.flux.turns import contest


def looked_up(state: State) -> tuple[object, ...]:
    """Everything that is kept once it was asked for."""
    return (
        dict(state.earths),
        state.occupied,
        {hue: dict(wizard.stands) for hue, wizard in state.wizards.items()},
    )


def afresh(state: State) -> State:
    """The same position, of which nothing has been asked yet."""
    return replace(state, wizards={hue: replace(wizard) for hue, wizard in state.wizards.items()})


def test_no_lookup_outlives_what_it_was_made_of() -> None:
    changes = set[str]()
    for seed in (2, 3):
        for turn in contest(HUES, seed):
            state = turn.before
            before = looked_up(state)
            for event in turn.events:
                state = RULESET.evolve(state, event)
                found = looked_up(state)
                assert found == looked_up(afresh(state)), event
                if found != before:
                    changes.add(event.kind)
                before = found
    assert {
        "piece_moved",
        "spell_cast",
        "piece_killed",
        "wizard_returned",
        "destruction_attempted",
    } <= changes
