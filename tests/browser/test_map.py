"""The map's tools: layers, nearer and farther, and the turn played back, by pointer and by keys."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import LOOKS, Tab
from tests.scale import SCALE, scaled

DRAWN = """() => [...document.querySelectorAll("svg.map *")].filter(part => !part.matches(".off")).map(part =>
    [part.id, part.getAttribute("transform"), part.getAttribute("class")])"""
BOX = "() => document.querySelector('svg.map').getAttribute('viewBox').split(' ').map(Number)"
TOKENS = """prefix => Object.fromEntries(
    [...document.querySelectorAll("svg.map [id^=" + prefix + "]")].filter(
        part => part.getClientRects().length
    ).map(part => {
        const {e, f} = part.closest("svg").getCTM().inverse().multiply(part.getCTM())
        return [part.id, [e, f]]
    }))"""
"""Where pieces are drawn, in units of the map."""


def seen(number: int) -> tuple[tuple[int, str], ...]:
    """All looks at PBEM_SCALE=100, else one."""
    return LOOKS if SCALE >= 100 else (LOOKS[-1 - number],)


@pytest.fixture
def page(demo: Path) -> Path:
    return demo / "players/crimson/turn-6.html"


def box(tab: Tab) -> list[float]:
    return list(tab.run(BOX))


def slide(tab: Tab, step: int) -> None:
    tab.run(
        """step => {
            const slider = document.querySelector(".maptools [type=range]")
            slider.value = step
            slider.dispatchEvent(new Event("input"))
        }""",
        step,
    )


def test_layers_are_hidden_and_shown(tab: Tab, page: Path) -> None:
    """By keyboard alone; what is hidden is hidden from the nearer picture too."""
    tab.open(page)
    tab.look(360, "light")
    names = ["Territories", "Earths", "Globes", "Pieces", "This turn\u2019s marks", "Labels", "Legend"]
    boxes = tab.page.get_by_role("group", name="Layers of the map").get_by_role("checkbox")
    assert [tab.page.get_by_label(name, exact=True).count() for name in names] == [1] * len(names)
    assert boxes.count() == len(names)
    drawn = tab.run(DRAWN)
    seen = "() => document.querySelector('#m-pieces').getClientRects().length > 0"
    pieces = tab.page.get_by_label("Pieces", exact=True)
    pieces.focus()
    tab.page.keyboard.press("Space")
    assert not pieces.is_checked()
    assert tab.run(seen) is False
    tab.page.keyboard.press("Space")
    assert tab.run(seen) is True
    for number in range(boxes.count()):
        boxes.nth(number).uncheck()
        assert tab.run("() => document.querySelectorAll('.map .hid').length") > number
        assert tab.too_wide() == []
    for number in range(boxes.count()):
        boxes.nth(number).check()
    assert [[a, b, c or None] for a, b, c in tab.run(DRAWN)] == drawn


def test_nearer_and_farther_by_buttons_and_keys(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.look(1280, "light")
    whole = box(tab)
    for name in ("Farther", "Whole map"):
        assert tab.page.get_by_role("button", name=name).is_disabled()
    tab.page.get_by_role("button", name="Nearer", exact=True).click()
    assert box(tab)[2] == pytest.approx(whole[2] / 1.5, abs=0.02)
    assert tab.page.get_by_role("status").inner_text() == "The map, 1.5 times nearer"
    tab.page.get_by_role("button", name="Whole map").click()
    assert box(tab) == whole
    assert tab.page.get_by_role("status").inner_text() == "The whole map"
    frame = tab.page.get_by_role("group", name=re.compile("^The map: "))
    tab.page.keyboard.press("Tab")
    frame.focus()
    assert tab.run("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for key in "+++":
        tab.page.keyboard.press(key)
    near = box(tab)
    assert near[2] == pytest.approx(whole[2] / 1.5**3, abs=0.02)
    tab.page.keyboard.press("ArrowRight")
    assert box(tab)[0] > near[0]
    tab.page.keyboard.press("ArrowLeft")
    assert box(tab) == near
    for _ in range(40):
        tab.page.keyboard.press("ArrowUp")
    assert box(tab)[1] == whole[1]
    for key in ("-", "-", "-", "-"):
        tab.page.keyboard.press(key)
    assert box(tab) == whole
    for _ in range(9):
        tab.page.keyboard.press("+")
    assert box(tab)[2] == pytest.approx(whole[2] / 8, abs=0.02)
    assert tab.page.get_by_role("button", name="Nearer", exact=True).is_disabled()
    tab.page.keyboard.press("0")
    assert box(tab) == whole


def test_the_whole_map_lets_the_arrows_scroll_the_page(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.run("() => { scrollTo(0, 0); document.querySelector('.stick').focus({preventScroll: true}) }")
    stopped = tab.run(
        """() => ["ArrowDown", "Tab", " ", "PageDown"].filter(key => !document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})))"""
    )
    assert stopped == []


def test_the_wheel_scrolls_the_page_and_with_ctrl_brings_the_map_nearer(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.look(1280, "light")
    whole = box(tab)
    at = tab.run(
        """() => {
            scrollTo(0, 0)
            const {left, top, width} = document.querySelector("svg.map").getBoundingClientRect()
            return [left + width / 4, top + 200]
        }"""
    )
    tab.page.mouse.move(*at)
    tab.page.mouse.wheel(0, 120)
    tab.page.wait_for_function("() => scrollY > 0")
    assert box(tab) == whole
    tab.run("() => scrollTo(0, 0)")
    under = "([x, y]) => document.elementFromPoint(x, y).getBoundingClientRect().left"
    was = tab.run(under, at)
    tab.page.keyboard.down("Control")
    tab.page.mouse.wheel(0, -300)
    tab.page.keyboard.up("Control")
    tab.page.wait_for_function("() => document.querySelector('.zoomed')")
    assert tab.run("() => scrollY") == 0
    left, _, width, height = box(tab)
    assert width < whole[2]
    assert (left - whole[0]) / (whole[2] - width) == pytest.approx(0.25, abs=0.02)
    assert height / width == pytest.approx(whole[3] / whole[2], abs=0.01)
    assert was is not None
    tab.page.get_by_role("button", name="Whole map").click()


def test_a_near_map_is_dragged_and_a_drag_is_no_click(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.look(1280, "light")
    tab.run(
        "() => { window.clicks = 0; document.querySelector('.stick').onclick = () => window.clicks += 1 }"
    )
    middle = tab.run(
        """() => {
            document.querySelector("svg.map").scrollIntoView({block: "start"})
            const {left, top, width} = document.querySelector("svg.map").getBoundingClientRect()
            return [left + width / 2, top + width / 2]
        }"""
    )

    def drag(right: int, down: int) -> None:
        tab.page.mouse.move(*middle)
        tab.page.mouse.down()
        tab.page.mouse.move(middle[0] + right, middle[1] + down, steps=4)
        tab.page.mouse.up()

    whole = box(tab)
    drag(60, 30)
    assert box(tab) == whole
    tab.run("() => window.clicks = 0")
    tab.page.get_by_role("button", name="Nearer", exact=True).click()
    tab.page.get_by_role("button", name="Nearer", exact=True).click()
    tab.run("() => document.querySelector('svg.map').scrollIntoView({block: 'start'})")
    near = box(tab)
    drag(60, 30)
    moved = box(tab)
    assert moved[0] < near[0]
    assert moved[1] < near[1]
    assert tab.run("() => window.clicks") == 0
    tab.page.mouse.click(*middle)
    assert tab.run("() => window.clicks") == 1
    assert box(tab) == moved
    tab.page.get_by_role("button", name="Whole map").click()


def test_two_fingers_bring_the_map_nearer(tab: Tab, page: Path) -> None:
    tab.open(page)
    whole = box(tab)
    tab.run(
        """() => {
            const svg = document.querySelector("svg.map")
            svg.setPointerCapture = () => {}
            const {left, top, width} = svg.getBoundingClientRect()
            const at = (type, pointerId, x) => svg.dispatchEvent(new PointerEvent(type, {
                pointerId, button: 0, clientX: left + width / 2 + x, clientY: top + 300, bubbles: true}))
            at("pointerdown", 1, -20)
            at("pointerdown", 2, 20)
            at("pointermove", 1, -60)
            at("pointermove", 2, 60)
            at("pointerup", 1, -60)
            at("pointerup", 2, 60)
        }"""
    )
    assert box(tab)[2] == pytest.approx(whole[2] / 3, abs=1)


def pages_of(folder: Path) -> Iterator[Path]:
    """A seat's reports of turns with a turn before them."""
    seat = min((folder / "players").iterdir())
    turns = sorted(seat.glob("turn-*.html"), key=lambda path: int(path.stem.partition("-")[2]))
    yield from turns[1:][:: max(1, 100 // scaled(100) // 3)]


TOLD = """() => {
    const plain = text => text.trim().replace(/\\s+/g, " ")
    const rows = [...document.querySelectorAll("#round .wz li")]
    const wanted = rows.map(row => {
        const text = row.children[1].cloneNode(true)
        text.querySelectorAll(".thrown, .att").forEach(part => part.remove())
        return plain(row.closest("article").querySelector("h3").textContent + ": " + text.textContent)
    })
    const [back, on] = ["One step back", "One step on"].map(
        name => document.querySelector(`.maptools [aria-label="${name}"]`))
    const disabled = [back.disabled, on.disabled]
    const said = [], now = []
    for (const _ of rows) {
        on.click()
        said.push(plain(document.querySelector(".told").textContent))
        now.push(rows.findIndex(row => row.matches(".now")))
    }
    return {rows: wanted, said, now, disabled: [...disabled, back.disabled, on.disabled]}
}"""
"""Every step of the turn, one after the other, with what is said and which row of the report is marked."""


def steps(tab: Tab) -> int:
    return int(tab.run("() => document.querySelector('.maptools [type=range]').max"))


@pytest.mark.parametrize(("game", "prefix"), [("demo", "m-pc-"), ("battle", "m-tk-")])
def test_the_turn_is_told_in_the_order_in_which_it_happened(
    tab: Tab, game: str, prefix: str, request: pytest.FixtureRequest
) -> None:
    """Step by step forth and back, every row of the report once; at the end the map is as it was drawn."""
    folder = request.getfixturevalue(game)
    tab.look(1280, "light")
    for page in pages_of(folder):
        tab.open(page)
        drawn = tab.run(DRAWN)
        assert tab.run("() => document.querySelector('.told').textContent") == ""
        slide(tab, 0)
        assert tab.run("() => document.querySelector('.told').textContent") == "Before the turn"
        begun = tab.run(TOKENS, prefix)
        tab.page.get_by_role("button", name="One step on").press("Enter")
        assert tab.run("() => document.querySelector('.maptools [type=range]').value") == "1"
        slide(tab, 0)
        told: dict[str, Any] = tab.run(TOLD)
        assert told["said"] == told["rows"]
        assert told["now"] == [*range(len(told["rows"]) - 1), -1]
        assert told["disabled"] == [True, False, False, True]
        tab.page.wait_for_timeout(800)
        assert [[a, b, c or None] for a, b, c in tab.run(DRAWN)] == drawn
        slide(tab, 0)
        assert tab.run(TOKENS, prefix) == begun
        slide(tab, steps(tab))
        assert [[a, b, c or None] for a, b, c in tab.run(DRAWN)] == drawn
        tab.assert_quiet(page)


def test_it_begins_as_the_turn_before_ended(tab: Tab, demo: Path) -> None:
    """Every piece on the hex where the report before has it; those that share one stand a little apart."""
    for page in pages_of(demo):
        number = int(page.stem.partition("-")[2])
        tab.open(page.with_name(f"turn-{number - 1}.html"))
        before = tab.run(TOKENS, "m-pc-")
        tab.open(page)
        slide(tab, 0)
        shown: dict[str, Any] = tab.run(TOKENS, "m-pc-")
        assert shown.keys() <= before.keys()
        for name, (x, y) in shown.items():
            assert abs(x - before[name][0]) <= 10, name
            assert abs(y - before[name][1]) <= 6, name


def test_it_plays_by_itself_and_pauses(tab: Tab, page: Path) -> None:
    browser = tab.page.context.browser
    assert browser is not None
    fresh = browser.new_page()
    fresh.clock.install()
    fresh.goto(page.as_uri())
    at = "() => Number(document.querySelector('.maptools [type=range]').value)"
    last = fresh.evaluate(at)
    fresh.get_by_role("button", name="Play the turn").press("Enter")
    assert fresh.evaluate(at) == 0
    fresh.clock.run_for(1000)
    assert fresh.evaluate(at) == 1
    pause = fresh.get_by_role("button", name="Pause")
    pause.press("Enter")
    fresh.clock.run_for(60_000)
    assert fresh.evaluate(at) == 1
    fresh.get_by_role("button", name="Play the turn").press("Enter")
    fresh.clock.run_for(7000 * (last + 1))
    assert fresh.evaluate(at) == last
    assert pause.count() == 0
    fresh.close()


def test_who_wants_no_motion_sees_none(tab: Tab, page: Path) -> None:
    """Otherwise a piece is on its way for a moment."""
    tab.look(1280, "light")
    for motion, moving in (("reduce", False), ("no-preference", True)):
        tab.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        tab.open(page)
        slide(tab, 0)
        asked = tab.run(
            """() => {
                let asked = 0
                const real = window.requestAnimationFrame
                window.requestAnimationFrame = act => { asked += 1; return real(act) }
                document.querySelector("[aria-label='One step on']").click()
                window.requestAnimationFrame = real
                return asked
            }"""
        )
        assert (asked > 0) == moving
    tab.page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize(
    ("game", "look"),
    [(game, look) for number, game in enumerate(("demo", "battle")) for look in seen(number)],
)
def test_every_state_is_open_to_all_readers(
    tab: Tab, game: str, look: tuple[int, str], request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(game)
    tab.look(*look)
    tab.open(min((folder / "players").iterdir()) / "turn-3.html")
    for name in ("Nearer", "Nearer"):
        tab.page.get_by_role("button", name=name, exact=True).click()
    tab.page.locator(".layers input").first.uncheck()
    slide(tab, steps(tab) // 2)
    assert tab.too_wide() == []
    assert tab.violations(contrast=True) == []
    slide(tab, 0)
    tab.page.get_by_role("button", name="Play the turn").click()
    assert tab.violations(contrast=False) == []
    tab.page.get_by_role("button", name="Pause").click()
    small = tab.run(
        """() => [...document.querySelectorAll(".maptools button, .maptools label")].filter(part => {
            const {width, height} = part.getBoundingClientRect()
            return width < 24 || height < 24
        }).length"""
    )
    assert small == 0


def test_paper_has_the_whole_map_as_the_turn_left_it(tab: Tab, page: Path) -> None:
    tab.open(page)
    drawn, whole = tab.run(DRAWN), box(tab)
    tab.page.get_by_role("button", name="Nearer", exact=True).click()
    slide(tab, 3)
    tab.run("() => window.dispatchEvent(new Event('beforeprint'))")
    assert [[a, b, c or None] for a, b, c in tab.run(DRAWN)] == drawn
    assert box(tab) == whole
    tab.page.emulate_media(media="print")
    assert tab.run("() => document.querySelector('.maptools').offsetHeight") == 0
    tab.page.emulate_media(media="screen")


def test_without_script_the_page_says_all_and_offers_nothing_that_does_not_work(tab: Tab, page: Path) -> None:
    """The words and the map are the same; every button and field is the script's."""
    browser = tab.page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    bare = context.new_page()
    bare.goto(page.as_uri())
    assert bare.locator("button, input, select, textarea").count() == 0
    bare_text = bare.locator("#orders").inner_text()
    context.close()
    tab.open(page)
    tab.look(1280, "light")
    text = tab.page.locator("#orders").inner_text()
    assert re.sub(r"\s+", "", text) == re.sub(r"\s+", "", bare_text)
