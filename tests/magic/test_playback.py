"""A turn of Magic played back: figures begin where they stood, as far as their reader knew."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.drawing import Change, Group, Label, Shape
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.known import known
from pbem.rulesets.model import GM, PUBLIC, Report
from tests.magic.battles import play_turn, random_position
from tests.scale import scaled

BATTLES = settings(
    max_examples=scaled(100), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
READERS = (PUBLIC, GM, "boche", "noman")


def ids(report: Report) -> set[str]:
    """The ids of the drawing, each there once."""
    found: list[str] = []

    def look(items: tuple[Shape, ...]) -> None:
        for item in items:
            if isinstance(item, Group | Label) and item.id:
                found.append(item.id)
            if isinstance(item, Group):
                look(item.items)

    look(report.board.drawing.items)
    assert len(found) == len(set(found))
    return set(found)


def steps(report: Report) -> list[Change]:
    return [change for chapter in report.round for told in chapter.told for change in told.changes]


@BATTLES
@given(st.integers(0, 2**40))
def test_from_what_a_reader_knew_before_to_what_he_knows_now(seed: int) -> None:
    rng = Random(seed)
    turn = play_turn(rng, random_position(rng)).turn
    for reader in READERS:
        what = known(turn, reader)
        report = RULESET.view(turn, reader)
        ghosts = {ghost.id for ghost in report.board.playback.ghosts}
        there = dict.fromkeys(ids(report), True) | dict.fromkeys(ghosts, False)
        for change in report.board.playback.start:
            there[change.id] = change.way is not None
        stood = {name for name, one in what.before.items() if one.alive and one.at is not None}
        living = {name for name, one in what.figures.items() if one.alive and one.at is not None}
        shown = {name[3:] for name, is_there in there.items() if is_there and name.startswith("tk-")}
        shown |= {name[4:] for name in ghosts if there[name]}
        # Who has gone out of sight without anything told of it has no ghost.
        assert shown <= stood
        assert shown >= stood & living
        rows = [told for chapter in report.round for told in chapter.told]
        odds = [each for told in rows for each in told.odds]
        assert all([throw.value for throw in each.dice] == [each.throw] for each in odds)
        shown = {
            throw.key for told in rows for throw in (*told.dice, *(one for o in told.odds for one in o.dice))
        }
        assert shown == {throw.key for event in what.events for throw in getattr(event, "dice", ())}
        for change in steps(report):
            assert change.id in there
            kind, _, name = change.id.removeprefix("g").partition("-")
            assert kind in {"mv", "sh", "ch", "rb"} or name in {*what.before, *what.figures}
            there[change.id] = change.way is not None
        assert {name[3:] for name, is_there in there.items() if is_there and name.startswith("tk-")} <= living
        marks = {name for name in there if name[:3] in {"mv-", "sh-", "ch-", "rb-"}}
        assert all(there[mark] for mark in marks), "a mark that no step shows"
