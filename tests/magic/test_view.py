"""What sides are told: the next turn, orders with every modifier, the turn by phases, fog and its end."""

from dataclasses import replace
from random import Random

import pytest

from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.forecast import opened, sentence
from pbem.rulesets.magic.known import known, known_state
from pbem.rulesets.model import GM, PUBLIC, Outcome, Report, plain_text
from pbem.sheet import read_sheet
from tests.magic.battles import play, random_position, random_text, scenario
from tests.magic.fog import MagicTurn
from tests.magic.turns import follow, turn_of


def outcomes(turn: MagicTurn, side: str) -> dict[int, tuple[Outcome, ...]]:
    (seat,) = [seat for seat in RULESET.view(turn, side).orders if seat.seat == side]
    return {line.line: line.outcomes for line in seat.lines}


def lists(report: Report) -> dict[str, list[str]]:
    return {
        one.title: [plain_text((*item.text, *item.note)) for item in one.items] for one in report.next_turn
    }


def chapters(report: Report) -> dict[str, list[str]]:
    return {
        plain_text(chapter.title): [plain_text(told.text) for told in chapter.told]
        for chapter in report.round
    }


def skirmish(orders: str, orders_of_noman: str = "nobbius hold", **more: object) -> MagicTurn:
    given: dict[str, object] = {"throws": {"shot": 40, "word": 30, "morale": 9}, "weapons": {"del": ("bow",)}}
    return turn_of(
        boche=[("schtuck", (100, 300), "schtuck"), ("del", (100, 100), None)],
        noman=[("brutalus", (220, 100), None), ("nobbius", (160, 300), None)],
        orders={"boche": orders, "noman": orders_of_noman},
        **{**given, **more},  # type: ignore[arg-type]
    )


def test_a_shot_tells_its_column_its_modifiers_and_its_throw() -> None:
    turn = skirmish("del use keen eye\ndel shoot brutalus", skills={"del": ("keen eye",)})
    (used,), (shot,) = outcomes(turn, "boche").values()
    assert (used.label, shot.label) == ("Used", "Hit")
    assert "12 cm: column to 20, 50, +25 keen eye" in plain_text(shot.text)
    assert (shot.odds[0].chance, shot.odds[0].throw) == (75, 40)


def test_a_word_and_what_it_did() -> None:
    (word,) = outcomes(skirmish("schtuck speak stay to nobbius"), "boche")[1]
    assert word.label == "Heeded"
    text = "schtuck to nobbius, 6 cm away: Stay! nobbius is frozen for the rest of this turn."
    assert plain_text(word.text) == text
    assert "M5.1" in word.rules


def test_refused_skipped_and_unread_lines() -> None:
    found = outcomes(skirmish("del shoot ghost\nif near brutalus 3: del hold\nschtuck sing"), "boche")
    assert [(one.verdict, one.rules) for one in found[1]] == [("refused", ("M1.5",))]
    assert [one.label for one in found[2]] == ["Skipped"]
    assert found[3][0].verdict == "unread"


def test_the_next_turn_says_who_can_act_and_what_is_left() -> None:
    turn = skirmish("del use stealth", skills={"del": ("stealth",)})
    report = RULESET.view(turn, "boche")
    assert [figure.label for figure in report.figures] == ["points, noman 0", "of 2 can act", "turns to go"]
    found = lists(report)
    assert found["Magic"][0].startswith("schtuck at 10,30")
    assert any("stealth (2 of 3 uses left)" in item for item in found["Ready to act"])
    assert found["Yours alone to see"][0].startswith("del at 10,10")


def test_who_vanishes_is_left_out_of_the_other_sides_report() -> None:
    turn = skirmish("del use stealth", skills={"del": ("stealth",)})
    for reader in ("noman", PUBLIC):
        assert "del" not in known(turn, reader).figures
        assert not any(
            "del" in text for texts in chapters(RULESET.view(turn, reader)).values() for text in texts
        )
    assert any("Out of sight: 1" in plain_text(item.text) for item in RULESET.view(turn, "noman").changed)


def test_whom_elf_ears_heard_was_in_the_last_report() -> None:
    """Heard again he is not news, and no longer heard he is out of sight."""
    turn = skirmish(
        "del use stealth\nschtuck hold",
        skills={"del": ("stealth",), "brutalus": ("elf ears",)},
        orders_of_noman="brutalus use elf ears",
    )
    assert "del" in known(turn, "noman").figures
    for orders, news in (("brutalus use elf ears", []), ("brutalus hold", ["Out of sight: 1 of the enemy"])):
        later = follow(turn, {"boche": "del use stealth", "noman": orders})
        told = [plain_text(item.text) for item in RULESET.view(later, "noman").changed]
        assert [text for text in told if "sight" in text] == news


def test_a_ruling_is_news_to_who_sees_what_it_changed() -> None:
    turn = skirmish("del use stealth", skills={"del": ("stealth",)})
    hidden = turn.after.figures["del"]
    shown = replace(turn.after, figures={**turn.after.figures, "del": replace(hidden, states={})})
    later = follow(turn._replace(after=shown), {"boche": "", "noman": ""})._replace(reported=turn.after)
    told = [plain_text(item.text) for item in RULESET.view(later, "noman").changed]
    assert "In sight: del at 10,10" in told


def test_of_others_a_skill_is_known_from_first_use() -> None:
    turn = skirmish("del use keen eye", skills={"del": ("keen eye", "berserk")})
    assert known(turn, "noman").figures["del"].skills == ("keen eye",)
    assert known(turn, "boche").figures["del"].skills == ("keen eye", "berserk")
    assert known(turn, GM).figures["del"].skills == ("keen eye", "berserk")


def test_the_turn_is_told_by_phases() -> None:
    turn = skirmish("schtuck speak stay to nobbius timed fight\ndel shoot brutalus")
    found = chapters(RULESET.view(turn, "boche"))
    assert list(found) == ["Move", "Shoot", "Fight", "Morale"]
    assert found["Fight"][0].startswith("schtuck to nobbius")


@pytest.mark.parametrize("seed", [1, 2])
def test_template_lines_read_and_would_be_allowed(seed: int) -> None:
    for played in play(Random(seed), scenario("hayrick"), 4):
        state = played.turn.after
        for side in ("boche", "noman"):
            lines = RULESET.view(played.turn, side).template
            examples = [line.removeprefix("#   ") for line in lines if line.startswith("#   ")]
            assert examples
            for example in examples:
                orders = RULESET.parse(read_sheet(example), state, side)
                assert not orders.problems, example
                assert "would be" not in RULESET.forecast(state, side, orders)[0].text, example


def test_at_the_end_everything_is_public() -> None:
    last = [played.turn for played in play(Random(3), scenario("ford"))][-1]
    assert last.after.over
    report = RULESET.view(last, PUBLIC)
    assert [seat.seat for seat in report.orders] == ["boche", "noman"]
    assert report.data["position"] == RULESET.view(last, GM).data["position"]
    assert not RULESET.view(last, "boche").template


def test_every_reader_gets_icons_that_the_map_defines() -> None:
    for played in play(Random(5), scenario("ford"), 3):
        for reader in ("boche", "noman", PUBLIC, GM):
            report = RULESET.view(played.turn, reader)
            defined = {definition.id for definition in report.board.drawing.definitions}
            icons = [item.icon for one in report.next_turn for item in one.items]
            icons += [item.icon for item in report.board.legend]
            icons += [row.icon for table in report.in_words for row in table.rows]
            assert {icon.symbol for icon in icons if icon} <= defined


def test_a_forecast_is_the_same_when_what_is_over_has_ended_already() -> None:
    told = 0
    for seed in range(8):
        rng = Random(seed)
        state = random_position(rng)
        for side in ("boche", "noman"):
            seen = known_state(state, side)
            for line in RULESET.parse(read_sheet(random_text(rng, state, side)), state, side).lines:
                told += 1
                assert sentence(opened(seen), side, line) == sentence(seen, side, line), line
    assert told > 30


@pytest.mark.parametrize(("until", "whose"), [(3, "noman"), (4, "boche")])
def test_who_spins_around_is_told_to_the_one_who_orders_him_next(until: int, whose: str) -> None:
    spinning = {"figure": "brutalus", "state": "spinning around", "until": until, "cause": "schtuck"}
    turn = skirmish("del hold", running=[spinning])
    for side in ("boche", "noman"):
        report = RULESET.view(turn, side)
        ready = [item for item in lists(report)["Ready to act"] if item.startswith("brutalus ")]
        assert len(ready) == (side == whose)
        assert any("yours to order for now" in item for item in ready) is (side == whose == "boche")
        line = RULESET.parse(read_sheet("brutalus move to 25,12"), turn.after, side)
        (told,) = RULESET.forecast(turn.after, side, line)
        assert ("would be refused" in told.text) is (side != whose), told
