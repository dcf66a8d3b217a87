"""The map: layers, symbols, tooltips with exact shares, whole numbers, and bounds on its size."""

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.drawing import Clip, Drawing, Group, Label, Pattern, Shape, Symbol, Use
from pbem.reports.svg import drawing_to_svg
from pbem.rulesets.flux.board import board_drawing, near_view, thumbnail
from pbem.rulesets.flux.data import HUES
from pbem.rulesets.flux.hexes import Board, Hex
from pbem.rulesets.flux.outlines import (
    clipped,
    exactly,
    frame,
    globe_shares,
    outline,
    overlaps,
    rivers,
    tenths,
    tenths_on_paper,
)
from pbem.rulesets.flux.territory import covered_share, territory
from tests.flux.turns import MAP, FluxTurn, contest, opening, play, position

FOUR = f"""
turn = 3
order_of_play = ["crimson", "amber"]
{MAP}
[[wizard]]
hue = "crimson"
at = "N5"
reserve = 30
earths = [["forest", "K8", "K9"], ["mountain", "N8", "N9"]]
pieces = {{ knight = "N7", wyvern = "K10" }}
[[wizard]]
hue = "amber"
at = "Q5"
earths = [["forest", "N6", "O6"], ["hills", "K5", "K6"]]
pieces = {{ troll = "O7", gnome = "L3" }}
"""
ORDERS = """move wizard to N4
move knight to O7
move wyvern to N6
cast forest at P5-P6 times 2
cast hills at M4-M5
destroy with wyvern"""


def turn_three() -> FluxTurn:
    return play(
        position(FOUR),
        3,
        {"crimson": ORDERS},
        {
            "cast 3 crimson forest P5-P6 1": 9,
            "cast 3 crimson forest P5-P6 2": 10,
            "destroy 3 crimson/wyvern N6": 1,
        },
    )


def incomes(turn: FluxTurn) -> dict[str, int]:
    return dict.fromkeys(turn.after.wizards, 10)


def drawing(turn: FluxTurn) -> Drawing:
    return board_drawing(turn, incomes(turn))


def walk(items: Iterable[Shape]) -> Iterator[Shape]:
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from walk(item.items)


def titles(picture: Drawing) -> list[str]:
    return [item.title for item in walk(picture.items) if isinstance(item, Group) and item.title]


def layer(picture: Drawing, name: str) -> Group:
    return next(item for item in picture.items if isinstance(item, Group) and item.id == name)


def test_layers_stand_in_the_order_of_the_design() -> None:
    picture = drawing(turn_three())
    names = [item.id for item in picture.items if isinstance(item, Group)]
    assert names == ["board", "marks", "globes", "labels", "pieces", "labels2", "over", ""]
    legend = picture.items[-1]
    assert isinstance(legend, Group)
    (inner,) = legend.items
    assert isinstance(inner, Group)
    assert inner.id == "legend"
    assert "legend" in inner.paint.classes.split()


def test_every_hex_has_its_label_once() -> None:
    turn = turn_three()
    picture = drawing(turn)
    labels = [
        item.text
        for name in ("labels", "labels2")
        for item in layer(picture, name).items
        if isinstance(item, Label)
    ]
    assert sorted(labels) == sorted(map(turn.after.board.label, turn.after.board.hexes()))


def test_everything_used_is_defined_once() -> None:
    picture = drawing(turn_three())
    defined = [definition.id for definition in picture.definitions]
    assert len(set(defined)) == len(defined)
    used = {item.of for item in walk(picture.items) if isinstance(item, Use)}
    for definition in picture.definitions:
        if isinstance(definition, Symbol | Pattern):
            used |= {item.of for item in walk(definition.items) if isinstance(item, Use)}
    assert used <= set(defined)
    clips = {item.clip for item in walk(picture.items) if isinstance(item, Group) and item.clip}
    assert clips <= {definition.id for definition in picture.definitions if isinstance(definition, Clip)}
    painted = set(re.findall(r"url\(#([^)]*)\)", drawing_to_svg(picture)))
    assert painted <= set(defined)


def test_tooltips_name_things_with_their_numbers() -> None:
    told = titles(drawing(turn_three()))
    assert "Wizard of crimson at N4: combat 3, moves 4" in told
    assert "Wyvern of crimson at N6: combat 5, flies 8, destroys forest 3, swamp 4" in told
    assert "Mountain of crimson, N8-N9; may not be entered by wizard, knight, manticore" in told
    assert "Forest of crimson, K8-K9; open to all" in told
    assert "Hills of crimson, M4-M5, cast this turn; open to all" in told
    assert "Wizard of crimson moved N5 to N4: 1 of 4" in told
    assert any(text.startswith("Wyvern of crimson flew K10 to N6: ") for text in told)
    assert "Forest of amber at N6-O6, destroyed by crimson's wyvern" in told
    assert "Crimson's forest at P5-P6 failed 2 times" in told
    assert any(text.startswith("At O7 crimson's knight fought amber's troll, ") for text in told)
    assert "Corner globe of crimson, K1: 10 flux each round" in told
    assert "Corner U11: nobody plays from here, its globe sleeps" in told


def test_a_globe_tells_who_covers_how_much_of_its_hex() -> None:
    state = position(FOUR)
    told = titles(drawing(play(state, 3, {})))
    shares = globe_shares(state)
    board = state.board
    for place, value in board.globes:
        text = next(
            text for text in told if text.startswith(f"Globe worth {value} at {board.label(place)}: ")
        )
        for hue in ("crimson", "amber"):
            share = covered_share(state.wizards[hue].hull(), place)
            assert shares[place].get(hue, Fraction(0)) == share
            said = "all" if share == 1 else str(share)
            assert (f"{hue} covers {said} of its hex" in text) == (share > 0)
    assert any("covers all" in text for text in told)
    assert any(re.search(r"covers \d+/\d+ of its hex", text) for text in told)


def test_disputed_ground_is_striped_for_exactly_those_who_dispute_it() -> None:
    hulls = {
        "crimson": territory(frozenset({Hex(0, -3), Hex(0, 3)})),
        "amber": territory(frozenset({Hex(-3, 0), Hex(3, 0)})),
        "jade": territory(frozenset({Hex(3, -3), Hex(-3, 3)})),
    }
    found = overlaps({hue: outline(hull) for hue, hull in hulls.items()}, hulls)
    assert set(found) == {
        ("crimson", "amber"),
        ("crimson", "jade"),
        ("amber", "jade"),
        ("crimson", "amber", "jade"),
    }
    assert exactly(("crimson", "amber"), found).count("M") == 2
    assert exactly(("crimson", "amber", "jade"), found).count("M") == 1


def test_a_start_hex_alone_is_a_third_of_a_hex() -> None:
    state = opening(("crimson", "azure"))
    shape = clipped(outline(state.wizards["crimson"].hull()), frame(state.board))
    places = tenths_on_paper(shape)
    double = sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(places, places[1:] + places[:1], strict=True)
    )
    assert double * 3 == 2 * 100 * 42 * 36  # a hex has 42 times 36 square units


def test_a_river_is_one_curve_from_end_to_end() -> None:
    around = Hex(0, 0)
    ring = [(min(near, around), max(near, around)) for near in around.neighbours()]
    assert rivers(ring).count("M") == 1  # a ring comes round to where it began
    assert rivers(ring[:4]).count("M") == 1
    assert rivers([ring[0], ring[3]]).count("M") == 2
    assert rivers([]) == ""


@pytest.mark.parametrize(
    ("number", "text"), [(0, 0), (20, 2), (-20, -2), (5, "0.5"), (-5, "-0.5"), (-123, "-12.3")]
)
def test_tenths_are_written_exactly(number: int, text: int | str) -> None:
    assert tenths(number) == text


@pytest.mark.parametrize("radius", [1, 2, 3, 10, 26])
def test_any_radius_fits_its_picture(radius: int) -> None:
    wizards = "".join(f'[[wizard]]\nhue = "{hue}"\n' for hue in HUES)
    state = position(f"turn = 1\n[map]\nradius = {radius}\n{wizards}")
    picture = drawing(play(state, 1, {}))
    left, top, width, height = picture.view
    assert (left, width) == (-36 * radius - max(40, 4 * radius), 2 * -left)
    assert top < -42 * radius - 20
    assert top + height > 42 * radius + 20
    for hue in HUES:
        near = near_view(state, hue)
        assert left <= near[0] < near[0] + near[2] <= left + width
        assert top <= near[1] < near[1] + near[3] <= top + height


def test_the_fullest_board_stays_small() -> None:
    picture = drawing(contest(HUES, 3)[8])
    assert sum(1 for _ in walk(picture.items)) < 2000
    assert len(drawing_to_svg(picture)) < 150_000


def test_the_thumbnail_needs_no_symbols_and_is_small() -> None:
    picture = thumbnail(contest(("crimson", "azure"), 2, "glade", 4)[3].after, 3)
    assert not picture.definitions
    assert not any(isinstance(item, Use) for item in walk(picture.items))
    assert len(drawing_to_svg(picture)) < 12_000


def test_gradients_can_be_recoloured_by_a_page() -> None:
    stops = re.findall(r"<stop [^>]*>", drawing_to_svg(drawing(turn_three())))
    assert len(stops) == 8
    assert all('class="k-' in stop for stop in stops)


def test_same_turn_same_drawing() -> None:
    assert drawing_to_svg(drawing(turn_three())) == drawing_to_svg(drawing(turn_three()))


def test_creatures_that_nobody_has_drawn_show_their_initial() -> None:
    case = FOUR + "[data.animates.basilisk]\ncost = 2\ncombat = 1\nmove = 1\ncounters = 2\n"
    picture = drawing(play(position(case), 3, {}))
    symbol = next(part for part in picture.definitions if part.id == "y-basilisk-2")
    assert isinstance(symbol, Symbol)
    assert [item.text for item in symbol.items if isinstance(item, Label)] == ["B", "2"]


@settings(max_examples=60)
@given(st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=6))
def test_clipping_to_the_board_keeps_its_part_of_the_area(places: set[tuple[int, int]]) -> None:
    board = Board("", 4, (), frozenset(), frozenset())
    inside = frozenset(Hex(q, r) for q, r in places if Hex(q, r) in board)
    if not inside:
        return
    hull = territory(inside)
    shape = clipped(outline(hull), frame(board))
    for x, y, w in shape:
        assert w > 0
        assert math.gcd(x, y, w) == 1
        assert max(abs(x), abs(y), abs(x + y)) <= 3 * 4 * w
