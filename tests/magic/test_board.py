"""The table map: polygons as the rules read them, tokens apart, rings and ways, the same bytes always."""

from random import Random

from pbem.drawing import Circle, Group, Label, Path, Polygon, Shape, Use
from pbem.reports.svg import drawing_to_svg
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic.board import APART, _spread, board_drawing
from pbem.rulesets.magic.geometry import square
from pbem.rulesets.magic.known import Known, known
from pbem.rulesets.model import GM
from tests.magic.battles import play, random_position, scenario
from tests.magic.turns import turn_of


def flat(items: tuple[Shape, ...]) -> list[Shape]:
    found: list[Shape] = []
    for item in items:
        found.append(item)
        if isinstance(item, Group):
            found.extend(flat(item.items))
    return found


def shapes(what: Known, layer: str) -> list[Shape]:
    groups = [item for item in board_drawing(what).items if isinstance(item, Group) and item.id == layer]
    return flat(groups[0].items)


def labels(what: Known, layer: str) -> list[str]:
    return [shape.text for shape in shapes(what, layer) if isinstance(shape, Label)]


CHORD = """
achtung chord
"""


def test_terrain_stands_on_paper_corner_by_corner_as_sight_reads_it() -> None:
    state = scenario("hayrick")
    what = known(next(play(Random(1), state, 1)).turn, GM)
    drawn = {shape.points for shape in shapes(what, "board") if isinstance(shape, Polygon)}
    height = state.field.size[1]
    for piece in state.field.terrain:
        assert tuple((x, height - y) for x, y in piece.points) in drawn


def test_the_chords_rings_say_what_each_did() -> None:
    turn = turn_of(
        boche=[("achtung", (400, 400), "achtung"), ("rodney", (430, 400), None)],
        noman=[("brutalus", (520, 400), None)],
        orders={"boche": CHORD, "noman": ""},
        throws={"chord": 4},
    )
    what = known(turn, GM)
    said = labels(what, "effects")
    assert "10 cm: out of action" in said
    assert "15 cm: freeze" in said
    assert "The Power Chord, threw 4" in said
    radii = [shape.r for shape in shapes(what, "effects") if isinstance(shape, Circle)]
    assert {50, 100, 150, 200, 250, 300} <= set(radii)


def test_ways_shots_and_engagements_are_drawn() -> None:
    turn = turn_of(
        boche=[("rodney", (100, 100), None), ("del", (100, 300), None)],
        noman=[("brutalus", (200, 100), None), ("nobbius", (200, 300), None)],
        orders={"boche": "rodney charge brutalus\ndel shoot nobbius", "noman": "nobbius move to 28,38 run"},
        throws={"shot": 5, "morale": 9},
        weapons={"del": ("bow",)},
    )
    what = known(turn, "noman")
    titles = [shape.title for shape in shapes(what, "moves") if isinstance(shape, Group) and shape.title]
    assert any(title.startswith("rodney: charge 8 cm to ") for title in titles)
    assert any(title.startswith("nobbius: run ") for title in titles)
    shots = [shape.title for shape in shapes(what, "shots") if isinstance(shape, Group) and shape.title]
    assert shots == ["del shot at nobbius with bow: hit, threw 5 of 50"]
    drawn = shapes(what, "figures")
    assert any(isinstance(shape, Use) and shape.of == "swords" for shape in drawn)
    assert any(isinstance(shape, Path) for shape in shapes(what, "moves"))
    assert labels(what, "labels") == ["rodney", "del", "brutalus", "nobbius"]


def test_those_engaged_stand_three_centimetres_apart_though_on_one_point() -> None:
    spots = {"a": (500, 400), "b": (500, 400), "c": (900, 100)}
    _spread(spots, {"a": 14, "b": 14, "c": 14}, {("a", "b")}, (1200, 800))
    assert square(spots["a"], spots["b"]) >= (APART - 2) ** 2
    assert spots["c"] == (900, 100)


def test_the_same_turn_gives_the_same_bytes_for_every_reader() -> None:
    for seed in range(4):
        turn = next(play(Random(seed), random_position(Random(seed)), 1)).turn
        for reader in ("boche", "noman", "public", "gm"):
            first = drawing_to_svg(RULESET.view(turn, reader).board.drawing)
            assert first == drawing_to_svg(RULESET.view(turn._replace(), reader).board.drawing)
            assert "None" not in first
