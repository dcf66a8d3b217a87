"""Players of Flux: what they write reads, follows from what they see, and is the same from every corner."""

import re
from random import Random

import pytest

from pbem.dice import Dice, seeded, turn_seed
from pbem.players import find_player, player_names
from pbem.players.flux_ground import ground_of, translated, turned
from pbem.players.flux_sight import SURE, win
from pbem.rulesets import NewGame
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Hex
from pbem.rulesets.flux.state import PlacedEarth, State, Wizard
from pbem.rulesets.flux.territory import covered
from pbem.sheet import read_sheet
from pbem.simulate import planned, simulate
from tests.flux.games import new_contest, play, source
from tests.scale import scaled

MAPS = ("glade", "grob", "mere")
NAMES = player_names("flux")


def contest(name: str, hues: tuple[str, ...] = HUES) -> State:
    ready = RULESET.prepare(NewGame(hues, source("rules.toml"), source(f"maps/{name}.toml"), 10))
    return RULESET.initial(ready.setup)


def dice(number: int) -> Dice:
    return seeded(turn_seed(b"a player's own", number))


def positions(seed: int, count: int) -> list[State]:
    """Positions of random contests, wizards killed and eliminated among them."""
    rng = Random(seed)
    found: list[State] = []
    while len(found) < count:
        found += [played.turn.after for played in play(rng, new_contest(rng)) if not played.turn.after.over]
    return found[:count]


# What they write.


@pytest.mark.parametrize("name", NAMES)
def test_every_line_reads(name: str) -> None:
    player = find_player("flux", name)
    written = 0
    for number, state in enumerate(positions(1, scaled(400))):
        for hue in state.wizards:
            text = player.orders(state, hue, dice(number))
            orders = RULESET.parse(read_sheet(text), state, hue)
            assert orders.problems == (), text
            written += len(orders.lines)
            if state.wizards[hue].eliminated:
                assert text == ""
    assert written


@pytest.mark.parametrize("name", NAMES)
def test_the_same_sight_and_dice_give_the_same_text(name: str) -> None:
    player = find_player("flux", name)
    for number, state in enumerate(positions(2, scaled(100))):
        for hue in state.wizards:
            assert player.orders(state, hue, dice(number)) == player.orders(state, hue, dice(number))


@pytest.mark.parametrize("name", NAMES)
def test_who_has_no_counter_left_casts_nothing(name: str) -> None:
    rules = source("rules.toml")
    bare = rules._replace(text=re.sub(r"counters = \{ value = \d+", "counters = { value = 0", rules.text))
    ready = RULESET.prepare(NewGame(HUES, bare, source("maps/grob.toml"), 10))
    state = RULESET.initial(ready.setup)
    text = find_player("flux", name).orders(state, HUES[0], dice(1))
    assert "cast" not in text


def test_only_the_random_player_throws() -> None:
    def none(key: str, _: int) -> int:
        raise AssertionError(key)

    for state in positions(3, scaled(100)):
        for hue in state.wizards:
            for name in ("greedy", "planner"):
                find_player("flux", name).orders(state, hue, none)


def test_what_the_planner_orders_is_allowed_while_nobody_has_stirred() -> None:
    """Moves and first casts of whoever plays first: no ruling forbids any of them."""
    planner = find_player("flux", "planner")
    lines = 0
    for number, state in enumerate(positions(4, scaled(300))):
        if not state.round:
            continue
        first = next(hue for hue in state.order_of_play if not state.wizards[hue].eliminated)
        text = planner.orders(state, first, dice(number))
        kept = "\n".join(line for line in text.splitlines() if not line.startswith("destroy"))
        orders = RULESET.parse(read_sheet(kept), state, first)
        events = RULESET.decide(state, {first: orders}, dice(number))
        refused = [event.reason for event in events if event.kind == "order_refused"]
        # A cast that failed may leave too little for the next, or a site that it would have joined.
        assert [reason for reason in refused if "your reserve is" not in reason] == []
        lines += len(orders.lines)
    assert lines


# What they see.


@pytest.mark.parametrize("name", MAPS)
def test_coverage_in_bits_is_that_of_the_rules(name: str) -> None:
    board = contest(name).board
    rng = Random(5)
    full = [place for place in board.hexes() if board.is_full(place)]
    for _ in range(scaled(4000)):
        seat = rng.randint(1, 6)
        ground = ground_of(board, seat)
        corner = board.start_corners[seat - 1]
        places = frozenset([corner, *rng.sample(full, rng.choice((0, 1, 2, 3, 4, 6, 12)))])
        mask = ground.plain.mask(frozenset(ground.own[place] for place in places))
        held = covered(places, board.globe_hexes)
        seen = {globe for bit, globe in enumerate(ground.plain.globes) if mask >> bit & 1}
        assert seen == {ground.own[place] for place in held}
        other = rng.randint(1, 6)
        theirs = translated(board, mask, seat, other)
        plain = ground_of(board, other).plain
        assert {globe for bit, globe in enumerate(plain.globes) if theirs >> bit & 1} == {
            ground_of(board, other).own[place] for place in held
        }


def test_the_chance_of_a_fight_is_counted_out() -> None:
    for mine in range(9):
        for theirs in range(9):
            pairs = [(a, b) for a in range(1, 11) for b in range(1, 11) if a + mine != b + theirs]
            won = sum(a + mine > b + theirs for a, b in pairs)
            assert win(mine, theirs, 10) == SURE * won // len(pairs)
    assert win(20, 3, 10) == SURE
    assert win(3, 20, 10) == 0


# From every corner alike.


def one_corner_on(state: State) -> State:
    """The same position with everybody one seat further clockwise."""

    def hex_of(place: Hex) -> Hex:
        return turned(place, 1)

    def hue_of(hue: str) -> str:
        return HUES[(HUES.index(hue) + 1) % 6]

    wizards: dict[str, Wizard] = {}
    for hue in HUES[-1:] + HUES[:-1]:
        old = state.wizards[hue]
        earths = tuple(
            PlacedEarth(each.earth, tuple(sorted(map(hex_of, each.hexes))))  # type: ignore[arg-type]
            for each in old.earths
        )
        seat = old.seat % 6 + 1
        wizards[hue_of(hue)] = Wizard(
            hue_of(hue), seat, hex_of(old.corner), None if old.at is None else hex_of(old.at), old.reserve,
            earths, {name: hex_of(place) for name, place in old.pieces.items()}, old.eliminated,
        )  # fmt: skip
    order = tuple(hue_of(hue) for hue in state.order_of_play)
    return State(state.rules, state.board, state.length, wizards, state.round, order)


def turned_text(state: State, text: str) -> str:
    """Orders with every hex turned, the hexes of an earth in whatever order."""
    label, find = state.board.label, state.board.find

    def turn(found: re.Match[str]) -> str:
        place = find(found[0])
        assert place is not None
        return label(turned(place, 1))

    return re.sub(r"\b[A-Z]{1,2}[0-9]+\b", turn, text)


def hexes_sorted(text: str) -> str:
    return re.sub(r"([A-Z]+\d+)-([A-Z]+\d+)", lambda found: "-".join(sorted(found.groups())), text)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("player", ["greedy", "planner"])
def test_all_corners_are_alike_to_it(name: str, player: str) -> None:
    """Whatever a simulation finds unfair lies in map or rules, and not in how the player breaks ties."""
    orders = find_player("flux", player).orders
    for contest_number in range(scaled(20)):
        rng = Random(contest_number)
        for played in play(rng, contest(name)):
            state = played.turn.after
            if state.over:
                break
            further = one_corner_on(state)
            for hue in state.wizards:
                following = HUES[(HUES.index(hue) + 1) % 6]
                mine = turned_text(state, orders(state, hue, dice(1)))
                assert hexes_sorted(orders(further, following, dice(1))) == hexes_sorted(mine)


# How good they are.


@pytest.mark.parametrize(
    ("better", "worse"), [("planner", "greedy"), ("greedy", "random"), ("planner", "random")]
)
def test_the_better_player_wins(better: str, worse: str) -> None:
    """Four contests in five at least, 500 at full scale, each seat half the time."""
    contests = scaled(500)
    summary = simulate(planned("flux", (better, worse), contests), 1)
    assert summary.players[better].wins * 5 > 4 * contests
