"""Scenarios: the shipped ones, and one sentence naming file, figure and field for each mistake (M1.2)."""

import pytest

from pbem.errors import BadInput
from pbem.rulesets import NewGame, Source
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.names import PRIESTS, SIDES
from tests.magic.battles import RULES, scenario, source

GOOD = """
title = "Two"
[table]
terrain = [{ name = "hut", points = [[40, 20], [50, 20], [50, 30], [40, 30]], blocks_movement = true }]
[[figure]]
name = "rodney"
side = "boche"
unit = "yobs"
at = [10, 10]
[[figure]]
name = "schtuck"
side = "boche"
priest = "schtuck"
at = [12, 10]
[[figure]]
name = "brutalus"
side = "noman"
at = [100, 70]
"""


GATE = 'things = [{ name = "gate", kind = "door", at = [1, 1], opens = "barn" }]'


def prepare(text: str, rules: Source = RULES) -> None:
    RULESET.prepare(NewGame(SIDES, rules, Source("two.toml", text)))


def test_the_good_one_is_taken() -> None:
    prepare(GOOD)


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("at = [10, 10]", "at = [45, 25]", ("rodney", "at", "hut")),
        ("[[figure]]", '[[unit]]\nname = "lads"\n[[figure]]', ("lads", "figures")),
        ("at = [10, 10]", 'at = [10, 10]\nweapons = ["axe"]', ("rodney", "weapons", "axe")),
        ('name = "brutalus"', 'name = "rodney"', ("rodney", "name")),
        ('name = "rodney"\n', 'name = "rodney"\npriest = "schtuck"\n', ("schtuck", "priest", "rodney")),
        ("at = [10, 10]", "at = [120.1, 10]", ("rodney", "at", "120.1,10")),
        ("at = [10, 10]", "at = [10, 10]\nwound_points = 0", ("rodney", "wound_points")),
        ("at = [10, 10]", "at = [10, 10]\npoints = 5000", ("rodney", "points")),
        ("at = [10, 10]", "at = [10.25, 10]", ("rodney", "at", "10.25")),
        ("at = [10, 10]", "at = [10]", ("rodney", "at")),
        ("at = [10, 10]", 'at = [10, 10]\ngrade = "hero"', ("rodney", "grade")),
        ("at = [10, 10]", "at = [10, 10]\narmour = 1", ("rodney", "armour")),
        ("at = [10, 10]", "at = [10, 10]\nwounds = 1", ("rodney", "wounds")),
        ('name = "rodney"', 'name = "Rodney"', ("Rodney", "name")),
        ('name = "rodney"', f'name = "{"w" * 25}"', ("www", "name", "at most 24")),
        ('name = "hut"', f'name = "{"w" * 25}"', ("www", "name", "at most 24")),
        ('name = "rodney"', 'name = "charge"', ("charge", "name")),
        ('side = "boche"\nunit', 'side = "gaul"\nunit', ("rodney", "side")),
        ('side = "boche"\nunit = "yobs"', 'side = "boche"\nunit = "brutalus"', ("brutalus", "unit")),
        ('title = "Two"', 'title = "Two"\nlength = 0', ("length",)),
        ('title = "Two"', f'title = "{"W" * 101}"', ("title", "a line of text of 100 characters")),
        ('title = "Two"', 'title = "One\\nline hold"', ("title", "a line of text of 100 characters")),
        ('title = "Two"', 'title = "\\u202eowT"', ("title", "a line of text of 100 characters")),
        ('title = "Two"', "title = 2", ("title", "a line of text")),
        ("[table]", "[table]\nsize = [0, 10]", ("table", "size")),
        ("[table]", '[table]\nweather = "fog"', ("table", "weather")),
        ("[table]", '[table]\nstandard = "nobody"', ("table", "standard")),
        ("[table]", f"[table]\n{GATE}", ("gate", "opens")),
        ("points = [[40, 20], [50, 20], [50, 30], [40, 30]]", "points = [[40, 20]]", ("hut", "points")),
        ('name = "brutalus"\nside = "noman"', 'name = "brutalus"\nside = "boche"', ("noman",)),
        ("[table]", "[table", ("no TOML",)),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_sentence(was: str, now: str, told: tuple[str, ...]) -> None:
    assert was in GOOD
    with pytest.raises(BadInput) as caught:
        prepare(GOOD.replace(was, now, 1))
    message = str(caught.value)
    assert "two.toml" in message
    assert all(part in message for part in told), message
    assert "\n" not in message.strip()


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("walk = { value = 8,", 'walk = { value = "far",', "rates.boche.walk"),
        ("pass = { value = 6,", "pass = { value = 6.5,", "morale.pass"),
        ('die = { value = 100, source = "house" }', 'die = { value = 1, source = "house" }', "shooting.die"),
        ('source = "house" }               # in', 'source = "hearsay" } # in', "table.contact"),
        ("rings = { value = [5, 10,", "rings = { value = [10, 5,", "chord.rings"),
        ("stay = { value = [70, 40]", "stay = { value = [70]", "words.chances"),
        ("[initiative] ", "[initiatives] ", "initiative"),
    ],
)  # fmt: skip
def test_rules_that_cannot_be_are_told(was: str, now: str, told: str) -> None:
    assert was in RULES.text
    with pytest.raises(BadInput, match=r"core\.toml") as caught:
        prepare(GOOD, Source("core.toml", RULES.text.replace(was, now)))
    assert told in str(caught.value)


def test_every_number_of_the_core_has_its_source() -> None:
    """`value` and `source` stand together, and nothing else is a number."""
    lines = [line.partition("#")[0].strip() for line in RULES.text.splitlines()]
    for line in lines:
        if "=" in line:
            assert "value = " in line, line
            assert 'source = "rulebook"' in line or 'source = "house"' in line, line


def test_a_bare_number_is_taken_too() -> None:
    prepare(
        GOOD, Source("core.toml", RULES.text.replace('walk = { value = 8, source = "house" }', "walk = 8.5"))
    )


def test_the_shipped_scenarios() -> None:
    ford, hayrick = scenario("ford"), scenario("hayrick")
    assert sorted(sum(f.side == side for f in ford.figures.values()) for side in SIDES) == [3, 8]
    assert len(hayrick.figures) >= 40
    assert {figure.priest for figure in hayrick.figures.values()} >= set(PRIESTS)
    assert hayrick.standard == "signifer"
    assert RULESET.files.default_board == "hayrick"


def test_seats_and_length() -> None:
    assert RULESET.default_seats(2) == ("boche", "noman")
    with pytest.raises(BadInput, match="two sides"):
        RULESET.default_seats(3)
    with pytest.raises(BadInput, match="boche and noman"):
        RULESET.prepare(NewGame(("boche",), RULES, source("scenarios/ford.toml")))
    ready = RULESET.prepare(NewGame(SIDES, RULES, source("scenarios/ford.toml"), 4))
    assert ready.length == 4
    assert RULESET.initial(ready.setup).length == 4
