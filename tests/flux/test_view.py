# ruff: noqa: RUF001 - the sentences compared have typographic signs
"""What readers are told: the next turn first, each order with its outcome, the round, the map in words."""

from collections.abc import Iterator

import pytest

from pbem.events import event_json
from pbem.rulesets.flux import RULESET
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.state import state_json
from pbem.rulesets.flux.told import fraction, nth
from pbem.rulesets.flux.view import view
from pbem.rulesets.model import GM, PUBLIC, Icon, Item, Outcome, Report, Table, plain_text
from pbem.sheet import read_sheet
from tests.flux.turns import MAP, FluxTurn, contest, opening, play, position

CASE = f"""
turn = 3
length = 10
order_of_play = ["crimson", "amber"]
{MAP}
[[wizard]]
hue = "crimson"
at = "K6"
reserve = 16
earths = [["forest", "K8", "K9"]]
pieces = {{ knight = "N5" }}
[[wizard]]
hue = "amber"
at = "Q5"
reserve = 19
earths = [["forest", "N9", "O9"]]
pieces = {{ gnome = "N9" }}
"""
ORDERS = """move wizard to J7
move knight to O9
cast troll at N9 times 2
cast hills at I9-I10 else cast forest at F11-G10 times 2 keep 1
if enemy at K6: cast gnome at K7
cast forrest at K6-K7
hold else move wizard to K6
destroy with knight"""


def turn_three(orders: str = ORDERS, case: str = CASE) -> FluxTurn:
    throws = {
        "cast 3 crimson troll N9 1": 7,
        "cast 3 crimson troll N9 2": 2,
        "cast 3 crimson forest F11-G10 1": 10,
        "cast 3 crimson forest F11-G10 2": 7,
        "combat 3 crimson N9 crimson/troll 1": 9,
        "combat 3 crimson N9 amber/gnome 1": 5,
        "destroy 3 crimson/knight O9": 10,
    }
    return play(position(case), 3, {"crimson": orders, "amber": ""}, throws)


def outcomes(turn: FluxTurn, hue: str = "crimson", reader: str = "crimson") -> dict[int, tuple[Outcome, ...]]:
    seat = next(seat for seat in view(turn, reader).orders if seat.seat == hue)
    return {line.line: line.outcomes for line in seat.lines}


def said(outcome: Outcome) -> str:
    return plain_text(outcome.text)


def lists(report: Report) -> dict[str, list[str]]:
    return {
        listed.title: [
            plain_text(item.text) + (f" ({plain_text(item.note)})" if item.note else "")
            for item in listed.items
        ]
        for listed in report.next_turn
    }


def changes(turn: FluxTurn, reader: str) -> list[str]:
    return [plain_text(item.text) for item in view(turn, reader).changed]


def told(report: Report, chapter: int) -> list[str]:
    return [f"{row.label}|{row.word}|{plain_text(row.text)}" for row in report.round[chapter].told]


def test_a_move_tells_its_way_and_its_length() -> None:
    done, knight = outcomes(turn_three())[1][0], outcomes(turn_three())[2][0]
    assert (done.verdict, done.label, said(done)) == ("done", "Done", "Wizard K6 → J7: 1 hex of 4.")
    assert said(knight).startswith("Knight N5 → O9 by ")
    assert "F4.5" in knight.rules


def test_a_cast_tells_every_throw_its_price_and_the_fight_it_brought() -> None:
    (troll,) = outcomes(turn_three())[3]
    assert (troll.verdict, troll.label) == ("done", "Cast at the 2nd try")
    assert [(odds.throw, odds.chance, odds.success) for odds in troll.odds] == [(7, 6, False), (2, 6, True)]
    assert [plain_text(odds.note) for odds in troll.odds] == ["−5 flux, 11 left", "−5 flux, 6 left"]
    moved, fought = said(troll).split(". Combat: ")
    assert moved == "Troll at N9, 6 hexes from your wizard"
    assert fought == "troll 9 + 4 = 13 against amber’s gnome 5 + 1 = 6; amber’s gnome is killed."
    assert {"F5.1", "F6.1"} <= set(troll.rules)


def test_each_side_of_an_else_has_its_outcome() -> None:
    refused, cast = outcomes(turn_three())[4]
    assert (refused.verdict, said(refused)) == ("refused", "A river runs between I9 and I10.")
    assert (cast.verdict, cast.label, len(cast.odds)) == ("done", "Cast by the else", 2)


def test_guards_unread_lines_and_hold() -> None:
    found = outcomes(turn_three())
    assert [(one.verdict, one.rules) for one in found[5]] == [("skipped", ("F9.4",))]
    assert [(one.verdict, one.rules) for one in found[6]] == [("unread", ("F9.2",))]
    assert [(one.verdict, one.label) for one in found[7]] == [("held", "Held"), ("skipped", "Not needed")]


def test_destroying_tells_its_throw_and_is_free() -> None:
    (knight,) = outcomes(turn_three())[8]
    assert (knight.verdict, said(knight)) == (
        "failed",
        "Knight against amber’s forest N9-O9. The forest stands, and so does the knight.",
    )
    assert plain_text(knight.odds[0].note) == "free of flux"


def test_attempts_at_one_spell_are_told_apart_by_side() -> None:
    orders = "cast forest at K7-L6 times 3 keep 12 else cast forest at K7-L6"
    throws = {f"cast 3 crimson forest K7-L6 {number}": 10 for number in (1, 2)}
    turn = play(position(CASE), 3, {"crimson": orders}, throws)
    first, second = outcomes(turn)[1]
    assert (first.verdict, len(first.odds)) == ("failed", 2)
    assert (second.verdict, len(second.odds), second.label) == ("done", 1, "Cast by the else")


def test_orders_of_the_eliminated_were_not_reached() -> None:
    case = 'wizard_killed = "eliminated"\n' + CASE.replace('at = "K6"', 'at = "N8"')
    throws = {"combat 3 crimson N9 crimson/wizard 1": 1, "combat 3 crimson N9 amber/gnome 1": 10}
    orders = {"crimson": "move wizard to N9\ndestroy with knight", "amber": "hold"}
    turn = play(position(case), 3, orders, throws)
    assert turn.after.over
    found = outcomes(turn)
    assert said(found[1][0]).endswith("; your wizard is killed.")
    assert (found[2][0].verdict, found[2][0].label) == ("skipped", "Not reached")
    assert outcomes(turn, "amber", "amber")[1][0].label == "Not reached"
    assert view(turn, "amber").orders[0].seat == "amber"


def test_the_report_begins_with_what_the_next_orders_need() -> None:
    report = view(turn_three(), "crimson")
    assert [(figure.value, figure.label) for figure in report.figures] == [
        ("18", "flux in reserve"),
        ("16", "income, already claimed"),
        ("1st", "of 2 in round 4"),
    ]
    found = lists(report)
    assert found["Order of play in round 4"] == ["crimson (you)", "amber"]
    assert found["Your income of 16"] == ["corner K1 10", "H10 4", "I7 2"]
    assert found["What you have, and where"][:2] == [
        "wizard at J7 on the open plain (moves 4, combat 3)",
        "knight at O9 on amber’s forest (moves 5, combat 3, destroys forest 4)",
    ]
    assert "forest 4 of 6, costs 2" in found["Counters left to cast"]
    assert not any(item.startswith("troll") for item in found["Counters left to cast"])


def test_what_changed_for_winner_and_loser() -> None:
    mine, his = changes(turn_three(), "crimson"), changes(turn_three(), "amber")
    assert "Killed: amber’s gnome at N9" in mine
    assert "New: forest at F11-G10" in mine
    assert "New: troll at N9" in mine
    assert "Lost: gnome at N9, killed by crimson’s troll" in his


def test_a_piece_that_was_killed_and_cast_again_is_both_lost_and_new() -> None:
    case = CASE.replace('knight = "N5"', 'troll = "N8"')
    throws = {"combat 3 crimson N9 crimson/troll 1": 10, "combat 3 crimson N9 amber/gnome 1": 1}
    orders = {"crimson": "move troll to N9", "amber": "cast gnome at Q6"}
    told = changes(play(position(case), 3, orders, {**throws, "cast 3 amber gnome Q6 1": 1}), "amber")
    assert "Lost: gnome at N9, killed by crimson’s troll" in told
    assert "New: gnome at Q6" in told


def test_who_is_out_has_lost_his_pieces_too() -> None:
    case = 'wizard_killed = "eliminated"\n' + CASE.replace('at = "Q5"', 'at = "N6"')
    throws = {"combat 3 crimson N6 crimson/knight 1": 10, "combat 3 crimson N6 amber/wizard 1": 1}
    told = changes(play(position(case), 3, {"crimson": "move knight to N6", "amber": ""}, throws), "amber")
    assert "Lost: wizard at N6, killed by crimson’s knight" in told
    assert "Lost: gnome at N9" in told
    assert len(told) == len(set(told))


def test_globes_won_lost_and_disputed() -> None:
    case = CASE.replace(
        'earths = [["forest", "N9", "O9"]]', 'earths = [["forest", "L5", "L6"], ["forest", "K3", "J4"]]'
    )
    case = case.replace('pieces = { gnome = "N9" }', "")
    orders = "cast forest at M3-M4"
    turn = play(position(case.replace('at = "K6"', 'at = "L6"')), 3, {"crimson": orders})
    assert any(text.startswith("Disputed now: globe ") for text in changes(turn, "crimson"))
    assert any(text.startswith("Disputed now: globe ") for text in changes(turn, "amber"))
    report = view(turn, "crimson")
    income = next(listed for listed in report.next_turn if listed.title.startswith("Your income"))
    assert plain_text(income.note).startswith("Disputed, so paying nobody: ")


def test_a_killed_wizard_is_told_that_he_returns() -> None:
    case = CASE.replace('at = "K6"', 'at = "N8"')
    throws = {"combat 3 crimson N9 crimson/wizard 1": 1, "combat 3 crimson N9 amber/gnome 1": 10}
    turn = play(position(case), 3, {"crimson": "move wizard to N9"}, throws)
    report = view(turn, "crimson")
    assert (
        "wizard off the board: he returns on K1 when your turn begins"
        in lists(report)["What you have, and where"]
    )
    assert "Killed: crimson’s wizard at N9." in plain_text(report.headline)
    again = play(turn.after, 4, {})
    assert "Your wizard was set on his corner K1." in changes(again, "crimson")


def test_the_round_as_it_happened() -> None:
    report = view(turn_three(), PUBLIC)
    assert [plain_text(chapter.title) for chapter in report.round] == ["Crimson", "Amber", "Round 4 opens"]
    unread = "an earth or an animate is expected, not `forrest`; nearest known word: forest."
    assert plain_text(report.round[0].lead) == "played first · reserve 16 → 2"
    assert (
        told(report, 0)
        == [
            f"Orders|Not read|`cast forrest at K6-K7`: {unread}",
            " nearest known word: forest.",
            "Moves||Wizard K6 → J7",
            "||Knight N5 → O9 by N6 N7 N8 O8",
            "|Skipped|`hold else move wizard to K6`: what stands after `else` was not needed.",
            "Casts|Cast at the 2nd try|Troll at N9, 6 hexes away.",
            "|Refused|`cast hills at I9-I10`: a river runs between I9 and I10.",
            "|Cast at the 2nd try|Forest at F11-G10, 4 hexes away.",
            "|Skipped|`if enemy at K6: cast gnome at K7`: its condition does not hold: enemy at K6.",
            "Combat||At N9 crimson’s troll fights amber’s gnome; amber’s gnome is killed.",
            "Destroys|Failed|Knight against amber’s forest N9-O9: it stands.",
        ]
        or told(report, 0)[1:3]
    )
    assert told(report, 1) == ["||He stands still."]
    assert report.round[0].told[8].calc == "9 + 4 = 13 against 5 + 1 = 6"


def test_everybody_sees_all_orders_and_a_seat_its_own() -> None:
    turn = turn_three()
    assert [seat.seat for seat in view(turn, PUBLIC).orders] == ["crimson", "amber"]
    assert [seat.seat for seat in view(turn, GM).orders] == ["crimson", "amber"]
    assert [seat.seat for seat in view(turn, "amber").orders] == ["amber"]
    assert not view(turn, PUBLIC).template


def test_data_is_the_position_and_the_events() -> None:
    turn = turn_three()
    for reader in ("crimson", PUBLIC, GM):
        assert view(turn, reader).data == {
            "position": state_json(turn.after),
            "events": [event_json(event) for event in turn.events],
        }


def test_the_opening() -> None:
    turn = play(opening(HUES), 0, {}, {"initiative 1 jade 1": 10, "initiative 1 crimson 1": 3})
    report = view(turn, "amber")
    assert report.heading == "the opening"
    assert plain_text(report.headline) == (
        "The contest begins: jade plays first, then azure, violet, slate, crimson and amber."
    )
    assert not report.orders
    assert not report.changed
    assert report.figures[2].value == "6th"
    assert [plain_text(chapter.title) for chapter in report.round] == ["Round 1 opens"]
    assert report.template


def test_the_end_of_the_contest() -> None:
    turn = contest(("crimson", "azure"), 4, "glade", 3)[-1]
    report = view(turn, "crimson")
    assert turn.after.over
    assert "Loremaster" in plain_text(report.headline)
    assert not report.template
    assert not report.next_turn
    assert report.figures[0].label == "your final score"
    assert report.standings is not None
    assert report.standings.title == "Final standings"
    assert plain_text(report.round[-1].title) == "The contest ends"
    scores = {reading.seat: reading.value for reading in report.readings if reading.measure == "score"}
    assert scores == dict(turn.after.scores)


@pytest.mark.parametrize("seed", [1, 2])
def test_template_lines_are_comments_whose_examples_would_be_allowed(seed: int) -> None:
    for turn in contest(("crimson", "amber", "azure"), seed, "glade", 6)[:-1]:
        state = turn.after
        for hue in state.wizards:
            lines = view(turn, hue).template
            assert all(line.startswith("#") for line in lines)
            examples = [line.removeprefix("#").strip() for line in lines if line.startswith("#   ")]
            assert examples[-1] == "hold"
            for example in examples:
                orders = RULESET.parse(read_sheet(example), state, hue)
                assert not orders.problems
                (forecast,) = RULESET.forecast(state, hue, orders)
                assert "would be refused" not in forecast.text.split("; ")[-1]


def icons(report: Report) -> Iterator[Icon]:
    items: list[Item] = [*report.changed, *report.board.legend]
    for listed in report.next_turn:
        items.extend(listed.items)
    yield from (item.icon for item in items if item.icon)
    yield from report.icons.values()
    yield from (chapter.icon for chapter in report.round if chapter.icon)
    tables: list[Table] = [*report.in_words, *([report.standings] if report.standings else [])]
    yield from (row.icon for table in tables for row in table.rows if row.icon)


@pytest.mark.parametrize("seed", [3, 5])
def test_every_reader_of_a_whole_contest(seed: int) -> None:
    """Nothing crashes, icons are defined, each line has its outcomes, and all share one map."""
    for turn in contest(HUES, seed, "grob", 5):
        reports = [view(turn, reader) for reader in (*HUES, PUBLIC, GM)]
        assert len({id(report.board.drawing) for report in reports}) == 1
        defined = {definition.id for definition in reports[0].board.drawing.definitions}
        for report in reports:
            assert {icon.symbol for icon in icons(report)} <= defined
            for seat in report.orders:
                lines = turn.orders[seat.seat]
                assert len(seat.lines) == len(lines.lines) + len(lines.problems)
                assert all(line.outcomes for line in seat.lines)
        assert {reading.measure for reading in reports[0].readings} == {"income", "score"}


def test_a_report_depends_on_the_turn_alone() -> None:
    turn = turn_three()
    again = turn._replace()
    assert view(turn, "crimson") == view(again, "crimson")


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st")],
)
def test_ordinals(number: int, text: str) -> None:
    assert nth(number) == text


@pytest.mark.parametrize(("score", "text"), [("20", "20"), ("41/2", "20 1/2"), ("1/3", "1/3")])
def test_scores_as_mixed_fractions(score: str, text: str) -> None:
    assert fraction(score) == text
