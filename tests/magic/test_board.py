"""The table map: polygons as the rules read them, tokens apart, rings and ways, the same bytes always."""

from collections.abc import Iterator
from random import Random

from pbem.drawing import Circle, Group, Label, Path, Polygon, Shape, Use
from pbem.reports.svg import drawing_to_svg
from pbem.rulesets.magic import RULESET
from pbem.rulesets.magic import events as e
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
    said = labels(what, "notes")
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
    assert shots == ["del shot at nobbius with bow: hit, threw 5, needs 50 or less"]
    drawn = shapes(what, "figures")
    assert any(isinstance(shape, Use) and shape.of == "swords" for shape in drawn)
    assert any(isinstance(shape, Path) for shape in shapes(what, "moves"))
    assert [name.text for name in named(what)] == ["rodney", "del", "brutalus", "nobbius"]


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


def test_who_was_killed_this_turn_is_named_and_who_was_before_is_not() -> None:
    turn = turn_of(
        boche=[("rodney", (100, 100), None)],
        noman=[("brutalus", (200, 100), None), ("nobbius", (300, 100), None)],
        orders={"boche": "", "noman": ""},
    )
    killed = e.FigureKilled(rules=("M3",), figure="brutalus", by="rodney", cause="shot")
    after = RULESET.evolve(turn.after, killed)
    dead = turn._replace(events=(*turn.events, killed), after=after)
    assert [name.text for name in named(known(dead, GM))] == ["rodney", "nobbius", "brutalus"]
    later = dead._replace(number=4, before=after, events=())
    assert [name.text for name in named(known(later, GM))] == ["rodney", "nobbius"]


def test_how_far_they_went_is_written_on_no_name() -> None:
    """Where there is room for it, and with the name of who is on the table no more."""
    drawn = 0
    for seed in range(4):
        for played in play(Random(seed), scenario("hayrick"), 4):
            what = known(played.turn, GM)
            for way, spots in written_along_ways(what):
                drawn += 1
                for name in named(what):
                    left, right = extent(name)
                    low = float(name.y)
                    assert not any(left < x < right and low - 11 < y < low for x, y in spots), name.text
                if ":" in way.text:
                    assert what.figures[way.text.partition(":")[0]].at is None
    assert drawn > 20


def lettering(what: Known) -> tuple[Shape, ...]:
    return next(
        item.items for item in board_drawing(what).items if isinstance(item, Group) and item.id == "labels"
    )


def named(what: Known) -> list[Label]:
    """The names: all that stands upright in the layer of labels."""
    return [item for item in lettering(what) if isinstance(item, Label)]


def written_along_ways(what: Known) -> Iterator[tuple[Label, list[tuple[float, float]]]]:
    for item in lettering(what):
        if isinstance(item, Group) and item.transform:
            a, b, c, d, x, y = (float(part) for part in item.transform[7:-1].split(" "))
            (label,) = (shape for shape in item.items if isinstance(shape, Label))
            half, low = round(len(label.text) * 3.6), float(label.y) - 4
            yield label, [(x + a * step + c * low, y + b * step + d * low) for step in range(-half, half + 1)]


def extent(name: Label) -> tuple[float, float]:
    wide = 8 * len(name.text)
    left = float(name.x) - {"start": 0, "middle": wide / 2, "end": wide}[name.anchor]
    return left, left + wide
