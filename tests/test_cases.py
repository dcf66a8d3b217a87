"""The runner of test cases: what it prints where a case fails, and what it makes of a bad file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Ran, pbem

OPENING = Path(__file__).parent / "cases/flux/f3_3_the_opening.toml"
GOOD = """
title = "A wizard steps south"
rules = ["F4.1"]
ruleset = "flux"
turn = 3

[map]
radius = 4

[[wizard]]
hue = "crimson"

[[wizard]]
hue = "azure"

[orders]
crimson = '''
move wizard to E2
dance
'''

[dice]
"initiative 4 crimson 1" = 8
"initiative 4 azure 1" = 3

[expect]
events = [{ kind = "piece_moved", hue = "crimson", path = ["E1", "E2"] }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def run(folder: Path, text: str, *words: str) -> Ran:
    file = folder / "case.toml"
    file.write_text(text, "utf-8")
    return pbem("cases", file, *words)


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def reason(folder: Path, text: str) -> str:
    """Why a case fails, which it must."""
    ran = run(folder, text, "--json")
    assert ran.status == 1, ran.out
    [case] = json.loads(ran.out)["cases"]
    assert case["verdict"] == "failed"
    return str(case["reason"])


def test_a_case_that_passes_is_counted_and_no_more(folder: Path) -> None:
    ran = run(folder, GOOD)
    assert (ran.status, ran.out, ran.err) == (0, "1 passed, 0 failed\n", "")


def test_a_failing_case_shows_title_expectation_and_nearest_events(folder: Path) -> None:
    first = '{ kind = "wizard_turn_began", hue = "crimson" }'
    second = '{ kind = "piece_moved", hue = "crimson", path = ["E1", "F1"] }'
    third = '{ kind = "piece_moved", hue = "azure" }'
    events = f"events = [{first}, {second}, {third}]"
    ran = run(folder, re.sub("events = .*", events, GOOD))
    assert ran.status == 1
    head, wanted, *near, count = ran.out.splitlines()
    assert head == f"FAILED {folder / 'case.toml'}: A wizard steps south"
    assert "Event 2" in wanted
    assert '"path":["E1","F1"]' in wanted
    assert '"path":["E1","E2"]' in near[0]
    assert len(near) <= 3
    assert count == "0 passed, 1 failed"
    assert "azure" not in wanted  # the first expectation that was not met, and no other


def test_events_are_expected_in_their_order(folder: Path) -> None:
    moved, refused = '{ kind = "piece_moved" }', '{ kind = "order_refused", line = 2 }'
    events = "events = [{}, {}]"
    assert run(folder, re.sub("events = .*", events.format(refused, moved), GOOD)).status == 0
    assert "not in its order" in reason(folder, re.sub("events = .*", events.format(moved, refused), GOOD))


def test_rules_are_held_if_they_are_contained(folder: Path) -> None:
    assert run(folder, changed('path = ["E1", "E2"]', 'rules = ["F4.5"]')).status == 0
    assert "F4.4" in reason(folder, changed('path = ["E1", "E2"]', 'rules = ["F4.5", "F4.4"]'))


def test_what_must_not_come_and_comes_is_shown(folder: Path) -> None:
    text = f'{GOOD}absent = [{{ kind = "spell_cast" }}, {{ kind = "order_refused", line = 2 }}]\n'
    said = reason(folder, text)
    assert "expected not to come" in said
    assert "order_refused" in said


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("[expect.state]\nround = 5", "round is 4, and 5 was expected"),
        ('[expect.state.wizards.crimson]\nat = "E3"', 'wizards.crimson.at is "E2", and "E3" was expected'),
        ("[expect.state.wizards.crimson]\nstock = {}", "wizards.crimson.stock"),
        ("[expect.state.wizards.crimson]\ngold = 3", "has no wizards.crimson.gold"),
        ("[expect.state.wizards.jade]\nreserve = 3", "has no wizards.jade"),
        ("[expect.state.wizards.crimson]\nalive = 1", "wizards.crimson.alive"),
    ],
)
def test_the_state_is_compared_key_by_key(folder: Path, state: str, said: str) -> None:
    assert said in reason(folder, f"{GOOD}\n{state}\n")


def test_an_empty_table_of_the_state_asks_for_an_empty_one(folder: Path) -> None:
    assert run(folder, f"{GOOD}\n[expect.state.wizards.crimson]\nglobes = {{}}\npieces = {{}}\n").status == 0


def test_json_has_events_and_state_also_where_a_case_fails(folder: Path) -> None:
    (folder / "a.toml").write_text(GOOD, "utf-8")
    (folder / "b.toml").write_text(changed('"E2"] }', '"E3"] }'), "utf-8")
    (folder / "c.toml").write_text(re.sub("events = .*", "", GOOD), "utf-8")
    (folder / "d.toml").write_text("title = 'What is no case'", "utf-8")
    ran = pbem("cases", folder, "--json")
    assert ran.status == 1
    told: dict[str, Any] = json.loads(ran.out)
    assert list(told) == ["cases", "passed", "failed"]
    assert (told["passed"], told["failed"]) == (2, 2)
    assert [Path(case["file"]).name for case in told["cases"]] == ["a.toml", "b.toml", "c.toml", "d.toml"]
    assert [case["verdict"] for case in told["cases"]] == ["passed", "failed", "passed", "failed"]
    for case in told["cases"]:
        assert list(case) == ["file", "title", "verdict", "reason", "events", "state"]
    for case in told["cases"][:3]:
        assert case["title"] == "A wizard steps south"
        assert [event["kind"] for event in case["events"]][:2] == ["wizard_turn_began", "order_refused"]
        assert case["state"]["turn"] == 3
        assert case["state"]["wizards"]["crimson"]["at"] == "E2"
    assert [bool(case["reason"]) for case in told["cases"]] == [False, True, False, True]
    assert told["cases"][3]["events"] == []
    assert told["cases"][3]["state"] is None


def test_a_key_without_a_throw_fails_the_case_by_its_name(folder: Path) -> None:
    assert "initiative 4 azure 1" in reason(folder, changed('"initiative 4 azure 1" = 3', ""))
    assert run(folder, changed('"initiative 4 azure 1" = 3', "default = 3")).status == 0


@pytest.mark.parametrize("throw", ["0", "11", "-1", "true", "2.5", '"3"'])
def test_a_throw_that_no_die_shows_fails_the_case(folder: Path, throw: str) -> None:
    assert "initiative 4 azure 1" in reason(folder, changed('azure 1" = 3', f'azure 1" = {throw}'))


def test_throws_that_stay_equal_fail_the_case_and_it_says_so(folder: Path) -> None:
    said = reason(folder, re.sub('"initiative.*', "", changed("[dice]", "[dice]\ndefault = 5")))
    assert "order of play" in said
    assert "still equal after 100 repeats" in said


@pytest.mark.parametrize(("equal", "passes"), [(100, True), (101, False)])
def test_a_hundred_repeats_are_allowed_and_no_more(folder: Path, equal: int, passes: bool) -> None:
    """One throw and a hundred repeats: the last of them may still decide."""
    last = f'"initiative 4 crimson {equal + 1}" = 8\n"initiative 4 azure {equal + 1}" = 3'
    text = re.sub('"initiative.*', "", GOOD).replace("[dice]", f"[dice]\ndefault = 5\n{last}")
    assert (run(folder, text).status == 0) == passes


def test_a_fight_that_stays_equal_fails_the_case_and_says_where(folder: Path) -> None:
    text = changed("[dice]", "[dice]\ndefault = 5").replace(
        'hue = "azure"', 'hue = "azure"\npieces = { knight = "E2" }'
    )
    said = reason(folder, text)
    assert "E2" in said
    assert "still equal after 100 repeats" in said


def test_an_expected_error_has_to_come_with_its_words(folder: Path) -> None:
    broken = re.sub("events = .*", 'error = "E5"', changed("radius = 4", "radius = 4\nglobes = { E5 = 0 }"))
    assert run(folder, broken).status == 0
    assert "E6" in reason(folder, broken.replace('error = "E5"', 'error = "E6"'))
    assert "was expected to fail" in reason(folder, re.sub("events = .*", 'error = "E5"', GOOD))
    assert "E5" in reason(folder, changed("radius = 4", "radius = 4\nglobes = { E5 = 0 }"))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("turn = 3", "turn = 3\nlenght = 4", "lenght"),
        ("radius = 4", "radius = 4\nlake = []", "lake"),
        ('hue = "azure"', 'hue = "azure"\npeices = {}', "peices"),
        ("[expect]", "[expect]\nstates = {}", "state"),
        ('hue = "azure"', 'hue = "mauve"', "mauve"),
        ('hue = "azure"', 'hue = "crimson"', "crimson"),
        ("turn = 3", "turn = -1", "turn"),
        ("turn = 3", "turn = 11", "turn"),
        ("turn = 3", 'turn = 3\norder_of_play = ["crimson"]', "order_of_play"),
        ('ruleset = "flux"', 'ruleset = "chess"', "chess"),
        ('ruleset = "flux"', "", "ruleset"),
        ("crimson = '''", "jade = '''", "jade"),
        ("[dice]", "[dice", "TOML"),
        ("[dice]", "[dice]\nnumber = " + "1" * 5000, "TOML"),
        ('title = "A wizard steps south"', "title = 5", "title"),
        ('rules = ["F4.1"]', 'rules = "F4.1"', "rules"),
        ("[expect]", "[expect]\nerror = 5", "error"),
        ('kind = "piece_moved"', 'kind = "piece_moved", rules = 5', "rules"),
        ('kind = "piece_moved"', 'kind = "piece_moved", rules = [["F4.1"]]', "rules"),
        ('hue = "azure"', 'hue = "azure"\nearths = [[["forest"], "E5", "E6"]]', "earth"),
        ('hue = "azure"', 'hue = "azure"\npieces = { dragon = "E5", "great dragon" = "E6" }', "great dragon"),
        ("turn = 3", 'turn = 3\nwizard_killed = "returns"\ndata = { contest = 5 }', "contest"),
    ],
)
def test_what_a_case_does_not_have_fails_it_by_name(folder: Path, old: str, new: str, named: str) -> None:
    assert named in reason(folder, changed(old, new))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a = " + b"[" * 5000, b"x" * (1024 * 1024 + 1)])
def test_a_file_that_is_no_case_fails_without_a_traceback(folder: Path, content: bytes) -> None:
    (folder / "case.toml").write_bytes(content)
    ran = pbem("cases", folder)
    assert ran.status == 1
    assert ran.out.endswith("0 passed, 1 failed\n")


@pytest.mark.parametrize("field", ["line = true", "line = 1.0", "success = 1", "path = [1]"])
def test_a_value_of_another_type_is_another_value(folder: Path, field: str) -> None:
    assert (
        run(folder, changed("dance", "cast forest at E3-E4").replace("[dice]", "[dice]\ndefault = 5")).status
        == 0
    )
    text = changed("dance", "cast forest at E3-E4").replace("[dice]", "[dice]\ndefault = 5")
    assert "did not come" in reason(folder, re.sub("events = .*", f"events = [{{ {field} }}]", text))
    assert "reserve is 10, and" in reason(folder, f"{GOOD}\n[expect.state.wizards.crimson]\nreserve = 10.0\n")


def test_throws_that_stay_equal_are_no_error_of_setting_up(folder: Path) -> None:
    text = re.sub('"initiative.*', "", changed("[dice]", "[dice]\ndefault = 5"))
    assert "still equal" in reason(folder, re.sub("events = .*", 'error = "still equal"', text))


def test_a_file_without_end_is_no_case() -> None:
    assert pbem("cases", "/dev/zero").out.endswith("0 passed, 1 failed\n")


def test_a_path_without_cases_is_named(folder: Path) -> None:
    assert "nowhere" in pbem("cases", folder / "nowhere").sentence
    assert str(folder) in pbem("cases", folder).sentence


def test_a_turn_that_takes_no_orders_may_have_none(tmp_path: Path) -> None:
    case = OPENING.read_text("utf-8")
    path = tmp_path / "case.toml"
    path.write_text(case.replace("[dice]", '[orders]\ncrimson = "hold"\n\n[dice]'), "utf-8")
    assert "Turn 0 takes no orders; take [orders] away" in pbem("cases", path).out


def test_a_reserve_before_the_opening_is_set(tmp_path: Path) -> None:
    case = OPENING.read_text("utf-8")
    path = tmp_path / "case.toml"
    given = case.replace("seat = 1", "seat = 1\nreserve = 20", 1)
    path.write_text(f"{given}\n[expect.state.wizards.crimson]\nreserve = 30\n", "utf-8")
    assert "1 passed, 0 failed" in pbem("cases", path).out
