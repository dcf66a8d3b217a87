"""The composer under odd hands: strange texts, no clipboard, no memory; and checks asked twice at once."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.browser.chromium import Tab
from tests.browser.test_composer import (
    ADD,
    PLACE,
    TEXT,
    WHERE,
    choose,
    file_of,
    header_of,
    opened_at,
    positions,
    shown,
    write,
)
from tests.commands import pbem
from tests.scale import scaled

CHECKS = "() => [...document.querySelectorAll('#compose .reads .says')].map(part => part.textContent)"
ADDED = "() => document.querySelector('#compose-text').value.split('\\n').filter(line => line)"


def put(tab: Tab, text: str) -> None:
    """Puts a text into the box as a paste does, and leaves the box, so that it is read."""
    tab.run(
        """text => {
            const box = document.querySelector("#compose-text")
            box.value = text
            for (const kind of ["input", "change"]) box.dispatchEvent(new Event(kind, {bubbles: true}))
        }""",
        text,
    )


@pytest.fixture(scope="module")
def open_turn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration game, stopped with its first turn open."""
    folder, turn, _ = next(positions("flux", tmp_path_factory.mktemp("odd") / "game"))
    assert turn == 1
    return folder


def test_a_text_is_refused_as_the_file_would_be(tab: Tab, open_turn: Path) -> None:
    """Another seat's whole sheet, another turn's, one's own twice; too large with its header alone."""
    tab.look(1280, "light")
    own, other = (open_turn / "players" / seat / "turn-0.html" for seat in ("crimson", "azure"))
    tab.open(other)
    theirs = "\n".join((*header_of(tab), "hold", "end"))
    tab.open(own)
    mine = header_of(tab)
    texts = [
        theirs,
        "\n".join((*mine, "hold", "end")),
        "\n".join((*mine[:1], "turn: 9", "hold")),
        "PLAYER :Azure\nhold",
        "\n".join((*mine[2:], "", "hold", *mine[:1])),
        "#" + "x" * (64 * 1024 - 10),
        "hold\n" * 501,
        "hold\x07",
        "hold\n" * 3,
        "\u202ehold\u202c\n\u05e9\u05dc\u05d5\u05dd\nhold\u00a0\u200b\n\uff48\uff4f\uff4c\uff44",
        "hold\r\nhold\rhold",
        "--\nhold",
        "end\nhold",
    ]
    for text in texts:
        put(tab, text)
        whole = tab.page.locator("#compose .reads li:has-text('The whole text')").count() == 1
        file = tab.saved("Save as order file").read_bytes()
        checked = pbem("-C", open_turn, "check", "-", "--json", stdin=file)
        assert whole == (not checked.out), (text[:80], checked.err, tab.run(CHECKS))
        if not whole:
            lines = json.loads(checked.out)["lines"]
            assert tab.run(CHECKS) == [line["forecast"] or line["message"] for line in lines], text[:80]
        else:
            assert tab.page.get_by_role("button", name="Remove The whole text").count() == 0
    tab.assert_quiet(own)


@pytest.mark.parametrize("stop", ["end", "END # that is all", "--", "-- ", "\uff25\uff4e\uff44", "e\u200bnd"])
def test_what_is_added_stands_before_the_end(tab: Tab, demo: Path, stop: str) -> None:
    opened_at(tab, demo)
    put(tab, f"hold\n\n{stop}\nhold\n")
    choose(tab, "compose-who", "piece wizard")
    tab.page.locator("#compose .over .to").first.click()
    told = shown(tab)
    assert len(told) == 2
    assert told[1].startswith("moves wizard ")
    assert tab.page.input_value(TEXT).split("\n")[2].startswith("move wizard to ")
    assert file_of(tab, header_of(tab)).count("end\r\n") == (stop == "end")


def test_limits_that_no_order_has_are_not_added(tab: Tab, demo: Path) -> None:
    """`times 0`, `times 2.5` and `1e1` would be a line that cannot be read."""
    opened_at(tab, demo)
    choose(tab, "compose-who", "spell forest")
    tab.page.select_option(WHERE, index=1)
    tab.page.select_option("#compose-second", index=1)
    for wrong in ("0", "-1", "2.5", "1000000"):
        tab.page.fill("#compose-times", wrong)
        tab.page.click(ADD)
        assert tab.page.input_value(TEXT) == ""
        told = tab.page.locator("#compose .tells").inner_text()
        assert told == "Tries at most: a whole number from 1 to 999999, or nothing."
        assert tab.run("() => document.activeElement.id") == "compose-times"
    tab.page.fill("#compose-times", "1e1")
    tab.page.fill("#compose-keep", "007")
    tab.page.click(ADD)
    assert tab.page.input_value(TEXT).strip().endswith("times 10 keep 7")
    assert "Cannot be read" not in tab.page.locator("#compose .reads").inner_text()


def test_only_what_changed_is_read_aloud_again(tab: Tab, demo: Path) -> None:
    """A line removed, added or changed leaves the others where they are."""
    opened_at(tab, demo)
    write(tab, "\n".join(f"hold # {n}\npress: {n}" for n in range(6)))
    tab.run(
        """() => {
            window.changed = 0
            new MutationObserver(all => {
                for (const {addedNodes} of all) window.changed += addedNodes.length
            }).observe(document.querySelector("#compose .reads"), {childList: true, subtree: true})
        }"""
    )
    tab.page.get_by_role("button", name="Remove press: 0").click()
    assert tab.run("() => window.changed") == 0
    put(tab, tab.page.input_value(TEXT).replace("press: 3", "press: three"))
    assert tab.run("() => window.changed") == 1
    tab.page.get_by_role("button", name="Remove press: 5").click()
    tab.page.get_by_role("button", name="Remove press: three").click()
    assert tab.run("() => window.changed") == 1
    left = [line for line in tab.page.input_value(TEXT).split("\n") if line.startswith("press")]
    assert left == ["press: 1", "press: 2", "press: 4"]


def test_who_leaves_the_box_stands_where_he_went(tab: Tab, demo: Path) -> None:
    """What was typed last is read before he goes on, and nothing is taken away under him."""
    opened_at(tab, demo)
    write(tab, "hold\nhold\n")
    tab.page.locator(TEXT).focus()
    for typed in ("moove", "\nhold", "\nhold # once more"):
        tab.page.keyboard.press("Control+Home")
        tab.page.keyboard.type(typed)
        tab.page.keyboard.press("Tab")
        label = f"Remove {tab.page.input_value(TEXT).strip().split(chr(10))[0]}"
        for wait in (0, 400):
            tab.page.wait_for_timeout(wait)
            assert (
                tab.run("() => document.activeElement.getAttribute('aria-label')")
                == label.split(" #", maxsplit=1)[0]
            )
        tab.page.keyboard.press("Shift+Tab")
    tab.page.keyboard.press("Control+Home")
    tab.page.keyboard.type("hold\n")
    lines = tab.page.input_value(TEXT).split("\n")
    tab.page.get_by_role("button", name="Remove hold").first.click()
    assert tab.page.input_value(TEXT).split("\n") == lines[1:]


def test_no_key_loses_the_focus(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo, (360, "dark"))
    rng = Random(5)
    who = tab.page.locator("[name=compose-who]").first
    keys = ["Tab"] * 3 + ["Shift+Tab", "ArrowDown", "ArrowUp", " ", "Enter", "ArrowDown", "1", "Delete"]
    who.focus()
    for _ in range(scaled(2000)):
        here = "() => document.querySelector('#compose').contains(document.activeElement)"
        if not tab.run(here):
            assert tab.run("() => document.activeElement !== document.body")
            who.focus()
        sends = tab.run("() => document.activeElement.closest('.sending') !== null")
        tab.page.keyboard.press("Tab" if sends else rng.choice(keys))
    assert tab.said == []


@pytest.fixture
def poor(tab: Tab, demo: Path) -> Iterator[Tab]:
    """A browser that lends a page neither clipboard nor memory."""
    browser = tab.page.context.browser
    assert browser is not None
    page = browser.new_page()
    page.add_init_script(
        """
        const refuse = () => { throw new DOMException("no", "SecurityError") }
        Object.defineProperty(window, "localStorage", {get: refuse})
        Object.defineProperty(navigator, "clipboard", {value: undefined})
        """
    )
    poor = Tab(page, tab.axe)
    page.on("console", lambda message: poor.said.append(message.text))
    page.on("pageerror", lambda error: poor.said.append(str(error)))
    page.on("request", lambda request: poor.asked.append(request.url))
    opened_at(poor, demo)
    yield poor
    page.close()


@pytest.mark.parametrize("lets", [True, False])
def test_without_clipboard_and_memory_it_still_copies(poor: Tab, demo: Path, *, lets: bool) -> None:
    """And who pressed `Copy` still stands there."""
    poor.run(
        """lets => {
            document.execCommand = () => {
                window.copied = document.activeElement.value
                return lets
            }
        }""",
        lets,
    )
    put(poor, "hold\n")
    poor.page.fill("#compose-to", "gm@example.org")
    copy = poor.page.get_by_role("button", name="Copy")
    copy.press("Enter")
    assert str(poor.run("() => window.copied")).endswith("\nhold\nend\n")
    assert poor.run("() => document.activeElement.textContent") == "Copy"
    said = poor.page.locator("body > [role=status]").inner_text()
    assert said.startswith("Copied" if lets else "This browser does not let a page copy")
    poor.assert_quiet(demo / "players" / "crimson" / "turn-6.html")


ODD = (
    "a & b ? c # d % e = f + g\nhold",
    "press: 100 % of \u20ac5 & \u00fc? #1\n\nhold",
    "hold # half a sign: \ud83d",
    "hold # a sign: \U0001f409",
)


@pytest.mark.parametrize("text", ODD)
def test_signs_that_links_use_arrive_as_they_were_written(tab: Tab, demo: Path, text: str) -> None:
    path = opened_at(tab, demo)
    tab.run(
        """codes => {
            const box = document.querySelector("#compose-text")
            box.value = String.fromCodePoint(...codes)
            box.dispatchEvent(new Event("change"))
        }""",
        [ord(sign) for sign in text],
    )
    body = file_of(tab, header_of(tab)).replace("\r\n", "\n").split("\n\n", 1)[1]
    assert body == text.replace("\ud83d", "\ufffd") + "\nend\n"
    tab.assert_quiet(path)


def test_undo_is_read_like_any_other_change(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo)
    tab.page.locator(TEXT).click()
    tab.page.keyboard.type("hold\nmove wizard to A1")
    for _ in range(3):
        tab.page.keyboard.press("Control+z")
    tab.page.keyboard.press("Control+Shift+z")
    tab.page.locator(TEXT).dispatch_event("change")
    lines = [line for line in tab.page.input_value(TEXT).split("\n") if line]
    assert tab.page.locator("#compose .reads code").all_text_contents() == lines


ASKED_TWICE = """async ([selector, texts]) => {
    const field = document.querySelector(selector)
    for (const text of texts) {
        field.value = text
        field.dispatchEvent(new Event("input", {bubbles: true}))
    }
}"""


def test_what_is_asked_twice_at_once_is_told_once(tab: Tab, demo: Path) -> None:
    """Compared, tried and checked: the last that was asked, and nothing of those before."""
    path = demo / "players" / "crimson" / "turn-6.html"
    tab.open(path)
    before = (demo / "players" / "crimson" / "turn-5.json").read_text("utf-8")
    tab.run(ASKED_TWICE, ["#kept", ["0" * 64, "1" * 64, before]])
    compared = tab.page.locator(".checks > .result").last
    compared.filter(has_text="Right.").wait_for()
    tab.page.wait_for_timeout(100)
    assert compared.locator("p").count() == 1
    told = tab.page.locator(".checks details .proof")
    field = tab.page.get_by_label("Throw", exact=True)
    right = field.input_value()
    field.evaluate(
        """(field, right) => {
            for (const text of ["11", "12", right]) {
                field.value = text
                field.dispatchEvent(new Event("input"))
            }
        }""",
        right,
    )
    told.filter(has_text="Right.").wait_for()
    tab.page.wait_for_timeout(100)
    assert told.locator("b.ok").count() == 1
    assert told.locator("b.bad").count() == 0
    tab.run(
        "() => { const all = document.querySelector('.checks .tool'); all.click(); all.click(); all.click() }"
    )
    result = tab.page.locator(".checks .tool + .result")
    result.filter(has_text="from the seed, by").wait_for()
    tab.page.wait_for_timeout(300)
    assert result.inner_text().count("from the seed, by") == 1
    assert result.inner_text().count("fits the commitment on this page") == 1
    tab.assert_quiet(path)


def test_a_text_can_be_dropped_and_a_folder_is_no_file(tab: Tab, demo: Path) -> None:
    path = demo / "players" / "crimson" / "turn-6.html"
    tab.open(path)
    before = (demo / "players" / "crimson" / "turn-5.json").read_text("utf-8")
    tab.run(
        """text => {
            const given = new DataTransfer()
            given.setData("text/plain", text)
            document.querySelector("#kept").dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}))
        }""",
        before,
    )
    compared = tab.page.locator(".checks > .result").last
    compared.filter(has_text="Right.").wait_for()
    assert tab.page.input_value("#kept").strip() == before.replace("\r", "").strip()
    tab.run(
        """() => {
            File.prototype.text = () => Promise.reject(new DOMException("a folder", "NotReadableError"))
            const given = new DataTransfer()
            given.items.add(new File(["x"], "folder"))
            document.querySelector(".checks").dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}))
        }"""
    )
    compared.filter(has_text="There is no commitment").wait_for()
    tab.assert_quiet(path)


def test_paper_has_the_layers_that_are_hidden_on_the_screen(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo)
    tab.page.locator(".layers input").nth(3).uncheck()
    seen = "() => document.querySelector('#m-pieces').getClientRects().length > 0"
    assert tab.run(seen) is False
    tab.page.emulate_media(media="print")
    try:
        assert tab.run(seen) is True
        assert tab.run("() => document.querySelector('#compose').offsetHeight") == 0
    finally:
        tab.page.emulate_media(media="screen")


def test_in_forced_colours_what_is_chosen_is_seen(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo)
    choose(tab, "compose-who", "piece wizard")
    tab.page.emulate_media(forced_colors="active")
    try:
        look = "span => getComputedStyle(span).backgroundColor"
        on = tab.page.locator("#compose .chip input:checked + span").first.evaluate(look)
        assert on != tab.page.locator("body").evaluate(look)
    finally:
        tab.page.emulate_media(forced_colors="none")


def test_two_tabs_do_not_disturb_each_other(tab: Tab, demo: Path) -> None:
    browser = tab.page.context.browser
    assert browser is not None
    context = browser.new_context()
    one, other = context.new_page(), context.new_page()
    for number, page in enumerate((one, other)):
        page.goto((demo / "players" / "crimson" / "turn-6.html").as_uri())
        page.fill("#compose-to", f"gm-{number}@example.org")
        page.fill(TEXT, f"press: {number}\n")
        page.locator(TEXT).dispatch_event("change")
    assert [page.input_value(TEXT) for page in (one, other)] == ["press: 0\n", "press: 1\n"]
    assert [page.input_value("#compose-to") for page in (one, other)] == [
        "gm-0@example.org",
        "gm-1@example.org",
    ]
    one.reload()
    assert one.input_value("#compose-to") == "gm-1@example.org"
    context.close()


def test_places_typed_anyhow_in_magic_add_what_can_be_read(tab: Tab, battle: Path) -> None:
    """Whatever stands in the field of the place: what is added reads, and what cannot be is not added."""
    tab.look(1280, "light")
    path = battle / "players" / "boche" / "turn-2.html"
    tab.open(path)
    rng = Random(8)
    choose(tab, "compose-who", "schtuck")
    choose(tab, "compose-what", "walk")
    signs = "0123456789.,- xe\u00a0\u0663\uff11"
    places = ["".join(rng.choice(signs) for _ in range(rng.randint(1, 8))) for _ in range(60)]
    for place in [
        "34.5,20",
        "34.55,20",
        "34.5,20 run",
        "else",
        "1,1 else hold",
        " 34 , 20 ",
        "0,0",
        "999999,1",
        "#",
        *places,
    ]:
        tab.page.fill(PLACE, place)
        tab.page.click(ADD)
    lines = tab.run(ADDED)
    assert len(lines) >= 3
    words = set(tab.page.locator("#compose .reads b").all_text_contents())
    assert words == {"Reads"}, tab.page.locator("#compose .reads").inner_text()
    tab.assert_quiet(path)
