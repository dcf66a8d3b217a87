"""Every state that the script can bring a seat's page into: open to all readers, fits the window, quiet.

With PBEM_SCALE=100 each state is seen in all sizes and both themes, and axe goes over it with the slow rule
on contrast. Below that each is seen in one look, by turns; axe goes over one state in five, with contrast.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.chromium import LOOKS, Tab
from tests.scale import SCALE

TEXT, WHERE, ADD = "#compose-text", "#compose-where", "#compose .add"
AXE_EVERY = 5
"""Has no factor in common with the six looks, so that the states it picks meet each of them."""


def write(text: str) -> Callable[[Tab], None]:
    """Types a text over what is in the box, and leaves the box, so that it is read."""

    def done(tab: Tab) -> None:
        tab.page.fill(TEXT, text)
        tab.page.locator(TEXT).dispatch_event("change")

    return done


def choose(*values: str) -> Callable[[Tab], None]:
    """Presses these, first of whom and then of what; then the first place that is offered, if `*` is last."""

    def done(tab: Tab) -> None:
        for name, value in zip(("who", "what"), [each for each in values if each != "*"], strict=False):
            tab.page.locator(f"#compose .chip:has([name=compose-{name}][value='{value}'])").click()
        if values[-1] == "*":
            tab.page.select_option(WHERE, index=1)

    return done


def press(name: str) -> Callable[[Tab], None]:
    return lambda tab: tab.page.get_by_role("button", name=name, exact=True).click()


def both(*steps: Callable[[Tab], None]) -> Callable[[Tab], None]:
    def done(tab: Tab) -> None:
        for step in steps:
            step(tab)

    return done


def beyond_the_limits(tab: Tab) -> None:
    choose("spell forest", "*")(tab)
    tab.page.select_option("#compose-second", index=1)
    tab.page.fill("#compose-times", "0")
    tab.page.click(ADD)


def at_a_place(place: str) -> Callable[[Tab], None]:
    return both(choose("achtung", "walk"), lambda tab: tab.page.fill("#compose-place", place))


def saved(tab: Tab) -> None:
    write("hold\n")(tab)
    with tab.page.expect_download():
        press("Save as order file")(tab)


def thrown(tab: Tab) -> None:
    for part in ("#orders", "#round", "#throws"):
        if tab.page.locator(f"{part} .throw").count():
            tab.page.locator(f"{part} .throw").first.click()
    tab.page.locator(".proof").filter(has_text="Right. Its key").first.wait_for()


def all_thrown(tab: Tab) -> None:
    tab.page.click(".checks .tool")
    tab.page.locator(".checks .result").filter(has_text="from the seed, by").wait_for()


def one_is_wrong(tab: Tab) -> None:
    tab.run(
        "() => { const number = document.querySelector('#orders .throw, #round .throw');"
        " number.textContent = String(Number(number.textContent) % 10 + 1) }"
    )
    tab.page.locator("#orders .throw, #round .throw").first.click()
    tab.page.locator(".proof").filter(has_text="Wrong: it should be").first.wait_for()
    tab.page.click(".checks .tool")
    tab.page.locator(".checks .result").filter(has_text="not follow").wait_for()


def pasted(text: str, told: str) -> Callable[[Tab], None]:
    def done(tab: Tab) -> None:
        tab.page.fill("#kept", text)
        tab.page.locator(".checks .result").filter(has_text=told).wait_for()

    return done


def wrong_file(tab: Tab) -> None:
    tab.run(
        """() => {
            const given = new DataTransfer()
            given.items.add(new File(["\\0\\1\\2"], "cat.jpg"))
            document.querySelector(".checks").dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}))
        }"""
    )
    tab.page.locator(".checks .result").filter(has_text="There is no commitment").wait_for()


def without_layer(number: int) -> Callable[[Tab], None]:
    return lambda tab: tab.page.locator(".layers input").nth(number).uncheck()


def at_step(tab: Tab) -> None:
    press("Play the turn")(tab)
    press("Pause")(tab)
    press("One step on")(tab)


Reached = dict[str, Callable[[Tab], None]]
COMMON: Reached = {
    "as it opens": lambda _: None,
    "a text refused as a whole": write("player: nobody\nhold\n"),
    "a text of many lines": write("hold\n" * 120),
    "a word without end": write("W" * 900),
    "copied": both(write("hold\n"), press("Copy")),
    "saved": saved,
    "an address": lambda tab: tab.page.fill("#compose-to", "a.very.long.name" * 5 + "@example.org"),
    "throws made again": thrown,
    "all throws made again": all_thrown,
    "a throw that is wrong": one_is_wrong,
    "a commitment that is wrong": pasted("0" * 64, "Wrong."),
    "no commitment": pasted("hello", "There is no commitment"),
    "a wrong file": wrong_file,
    "digits tried": lambda tab: tab.page.get_by_label("Throw", exact=True).fill("11"),
    "played back": press("Play the turn"),
    "a step of the turn": at_step,
    "nearer": both(*[press("Nearer")] * 3),
    **{f"without layer {number}": without_layer(number) for number in range(5)},
}
FLUX: Reached = {
    **COMMON,
    "a piece": choose("piece wizard"),
    "where it may go": choose("piece wizard", "*"),
    "a spell": choose("spell forest"),
    "its first hex": choose("spell forest", "*"),
    "tries beyond the limits": beyond_the_limits,
    "nowhere to go": choose("spell gnome"),
    "lines of every sort": write(
        "moove it\nhold\nmove wizard to A11\npress: hello\npress to nobody: hello\n"
    ),
    "a text too long for a link": write("hold # " + "a" * 2000),
    "without layer 5": without_layer(5),
    "without layer 6": without_layer(6),
}
MAGIC: Reached = {
    **COMMON,
    "a priest": choose("schtuck"),
    "a move": choose("achtung", "walk"),
    "a place": at_a_place("34.5,20"),
    "a place that is none": at_a_place("3456.78,x"),
    "a Word": choose("schtuck", "speak stay"),
    "a Word to somebody": choose("schtuck", "speak stay", "*"),
    "a unit": choose("yobs", "charge"),
    "lines of every sort": write("moove it\nschtuck hold\nyobs charge nobody\nschtuck move to 999,999\n"),
}
STATES = [
    *(("demo", "players/crimson/turn-6.html", name, act) for name, act in FLUX.items()),
    *(("battle", "players/boche/turn-2.html", name, act) for name, act in MAGIC.items()),
]
TWICE = """() => {
    const ids = [...document.querySelectorAll("[id]")].map(part => part.id)
    return ids.filter((id, place) => ids.indexOf(id) !== place)
}"""


@pytest.mark.parametrize("number", range(len(STATES)), ids=[f"{game} {name}" for game, _, name, _ in STATES])
def test_a_state_is_open_to_all_readers(tab: Tab, number: int, request: pytest.FixtureRequest) -> None:
    game, name, _, reach = STATES[number]
    path: Path = request.getfixturevalue(game) / name
    tab.page.context.clear_permissions()
    for look in LOOKS if SCALE >= 100 else [LOOKS[number % len(LOOKS)]]:
        tab.look(*look)
        tab.open(path)
        reach(tab)
        assert tab.too_wide() == [], look
        if SCALE >= 100 or number % AXE_EVERY == 0:
            assert tab.violations(contrast=True) == [], look
        assert tab.run(TWICE) == [], look
        tab.assert_quiet(path)
