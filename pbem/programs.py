"""Seats that programs play: what they write for the open turn is taken in like anybody's order file."""

from collections.abc import Sequence
from pathlib import Path

from pbem.contest import Contest
from pbem.dice import player_seed, seeded
from pbem.errors import BadInput
from pbem.files import PRIVATE_FILE, write_whole
from pbem.orders_in import PROGRAM, Desk, Incoming, Intake
from pbem.players import find_player, written_orders
from pbem.rulesets import AnyRuleset


def check_program(ruleset: AnyRuleset, name: str) -> None:
    """`BadInput` unless a program of this name can play the game."""
    find_player(ruleset.name, name)
    if ruleset.seen is None:
        raise BadInput(f"{ruleset.title} tells programs nothing to play by; give the seat to a person.")


def with_programs(desk: Desk, ruleset: AnyRuleset, intake: Intake) -> Intake:
    """An intake with the orders of the seats that programs play and for which nothing has come in."""
    sent = {each.seat for each in intake.new}
    written = tuple(
        _written(desk, ruleset, seat, name)
        for seat, name in desk.contest.programs.items()
        if seat not in sent and desk.contest.sent(seat) is None
    )
    return Intake((*intake.new, *written), intake.known, intake.refused, intake.refused_seats)


def _written(desk: Desk, ruleset: AnyRuleset, seat: str, name: str) -> Incoming:
    contest = desk.contest
    check_program(ruleset, name)
    assert ruleset.seen is not None
    player = find_player(ruleset.name, name)
    seed = player_seed(desk.secret, contest.turn, seat, contest.attempt_of(contest.turn))
    text = written_orders(player, ruleset.seen(desk.state, seat), seat, seeded(seed))
    return desk.take(text.encode(), f"{PROGRAM}{name}", seat=seat, turn=contest.turn)


def keep_copies(folder: Path, contest: Contest, taken: Sequence[Incoming]) -> None:
    """Put what programs wrote among the order files, where the GM finds everybody's."""
    for incoming in taken:
        if incoming.seat in contest.programs and incoming.source.startswith(PROGRAM):
            own = folder / f"{incoming.seat}.txt"
            path = own if not own.exists() else folder / f"{incoming.seat}-program.txt"
            write_whole(path, incoming.text.encode(), PRIVATE_FILE)
