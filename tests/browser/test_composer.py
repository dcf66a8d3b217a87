"""The order composer in a browser: whole turns composed by mouse and by keyboard alone, read by `pbem check`.

In a run of PBEM_SCALE below 100 some of the demonstration games' positions are composed for, evenly spread.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.clock import now
from pbem.config import read_config
from pbem.founding import Wanted, found
from pbem.game import Game
from tests.browser.chromium import LOOKS, Tab
from tests.browser.test_hostile import HOSTILE
from tests.commands import pbem
from tests.scale import SCALE, scaled

ORDERS = Path(__file__).parents[2] / "orders"
LINES = 6
TRIES = 30
"""So many times an order is tried to be composed for a turn; some choices lead nowhere as things stand."""
LEAST = 2
"""Before round 1 there is flux for no more."""
WHO, WHAT, WHERE, SECOND = "[name=compose-who]", "[name=compose-what]", "#compose-where", "#compose-second"
TEXT, PLACE, ADD = "#compose-text", "#compose-place", "#compose .add"
NARROW = 360
ACTIVE = "document.activeElement"


def positions(ruleset: str, folder: Path) -> Iterator[tuple[Path, int, str]]:
    """The demonstration game played on, and stopped for every seat before every turn: whose page is given."""
    orders = ORDERS / ruleset
    demo = tomllib.loads((orders / "game.toml").read_text("utf-8"))["demo"]
    players = read_config(orders / "game.toml").players
    wanted = Wanted(
        folder, ruleset, players, map=demo.get("map"), scenario=demo.get("scenario"),
        length=demo.get("length"), secret=demo["secret"],
    )  # fmt: skip
    game = Game(found(wanted, now()).folder, warn=lambda _: None)
    if game.ruleset.sign_up_orders:
        game.submit([orders / "turn-0"])
    game.start(allow_missing=True)
    while (orders / f"turn-{game.contest.turn}").is_dir():
        turn = game.contest.turn
        for seat in game.contest.seats:
            yield folder, turn, seat
        game.submit([orders / f"turn-{turn}"])
        game.adjudicate(turn, allow_missing=True)
        if game.contest.phase != "open":
            return


def page_of(folder: Path, turn: int, seat: str) -> Path:
    return folder / "players" / seat / f"turn-{turn - 1}.html"


class ByMouse:
    """A player with a mouse: the map, buttons, and lists where the map does not show what they hold."""

    def __init__(self, tab: Tab, rng: Random) -> None:
        self.tab, self.rng = tab, rng

    def press(self, selector: str, number: int) -> None:
        """Presses what is in the middle of the so-manieth of these, whatever it is."""
        part = self.tab.page.locator(selector).nth(number)
        part.scroll_into_view_if_needed()
        box = part.bounding_box()
        assert box is not None
        self.tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def one_of(self, selector: str) -> bool:
        """Presses any of these, if there are some."""
        count = self.tab.page.locator(selector).count()
        if count:
            self.press(selector, self.rng.randrange(count))
        return count > 0

    def choose(self) -> None:
        pieces = self.rng.random() < 0.5
        if not (pieces and self.one_of("#compose .over .mine:not(.on)")):
            self.one_of(f"#compose .chip:has({WHO})")

    def line(self) -> None:
        page = self.tab.page
        before = page.input_value(TEXT)
        self.choose()
        self.one_of(f"#compose .chip:has({WHAT}:not(:checked))")
        if page.locator(PLACE).is_visible():
            self.anywhere()
        elif self.one_of("#compose .over .to"):
            self.one_of("#compose .over .to:not(.on)")
        elif page.locator(WHERE).is_visible() and page.locator(f"{WHERE} option").count() > 1:
            page.select_option(WHERE, index=1)
        if page.input_value(TEXT) == before and page.locator(ADD).is_visible():
            self.press(ADD, 0)

    def anywhere(self) -> None:
        """A point of the table that is nobody's own figure."""
        box = self.tab.page.locator("#compose .over").bounding_box()
        assert box is not None
        x = box["x"] + box["width"] * self.rng.uniform(0.1, 0.9)
        y = box["y"] + box["height"] * self.rng.uniform(0.1, 0.9)
        self.tab.page.mouse.click(x, y)


class ByKeys:
    """A player with a keyboard and nothing else."""

    def __init__(self, tab: Tab, rng: Random) -> None:
        self.tab, self.rng = tab, rng
        self.key("Tab")
        self.to("a.skip[href='#compose']")
        self.key("Enter")
        self.to(WHO)

    def key(self, name: str, times: int = 1) -> None:
        for _ in range(times):
            self.tab.page.keyboard.press(name)

    def at(self, selector: str) -> bool:
        return bool(self.tab.run(f"selector => {ACTIVE}.matches(selector)", selector))

    def to(self, selector: str, by: str = "Tab") -> None:
        """Goes on until the focus is there, and sees it shown."""
        for _ in range(200):
            if self.at(selector):
                self.sees_focus()
                return
            self.key(by)
        raise AssertionError(f"{selector} is not to be reached with {by}")

    def sees_focus(self) -> None:
        outline = f"getComputedStyle({ACTIVE}.nextElementSibling?.closest('.chip span') ?? {ACTIVE})"
        shown = self.tab.run(f"() => [{outline}.outlineStyle, {outline}.outlineWidth]")
        assert shown == ["solid", "3px"], self.tab.run(f"() => {ACTIVE}.outerHTML.slice(0, 200)")

    def arrow(self, selector: str) -> None:
        """Goes so far down a list or a row of buttons, and chooses what is there."""
        self.to(selector)
        if self.at("input"):
            self.key(" ")
        self.key("ArrowDown", self.rng.randint(1, 12))

    def line(self) -> None:
        page = self.tab.page
        self.to(WHO, "Shift+Tab")
        self.arrow(WHO)
        self.arrow(WHAT)
        if page.locator(PLACE).is_visible():
            self.to(PLACE)
            page.keyboard.type(
                f"{self.rng.randint(0, 90)}.{self.rng.randint(0, 9)},{self.rng.randint(0, 60)}"
            )
        elif page.locator(WHERE).is_visible():
            self.arrow(WHERE)
            if page.locator(SECOND).is_visible():
                self.arrow(SECOND)
        self.to(ADD)
        self.key("Enter")


def file_of(tab: Tab, header: list[str]) -> str:
    """The order file, from the link that begins a mail; the box alone where it is too long for one."""
    link = tab.page.locator("#compose .send")
    if not link.is_visible():
        return "\n".join((*header, tab.page.input_value(TEXT)))
    parts = urlsplit(str(link.get_attribute("href")))
    said = parse_qs(parts.query)
    assert header[3].removeprefix("key: ") in said["subject"][0]
    return said["body"][0]


def header_of(tab: Tab) -> list[str]:
    template: str = tab.run("() => document.querySelector('#template pre').textContent")
    return template.split("\n")[:4]


@pytest.mark.parametrize("ruleset", ["flux", "magic"])
@pytest.mark.parametrize("hand", [ByMouse, ByKeys])
def test_a_whole_turn_is_composed_and_read(
    tab: Tab, tmp_path: Path, ruleset: str, hand: type[ByMouse | ByKeys]
) -> None:
    all_of_them = len([*(ORDERS / ruleset).glob("turn-[1-9]*")]) * (4 if ruleset == "flux" else 2)
    step = max(1, all_of_them // scaled(all_of_them))
    composed = 0
    for number, (folder, turn, seat) in enumerate(positions(ruleset, tmp_path / "game")):
        if number % step:
            continue
        path = page_of(folder, turn, seat)
        tab.look(1280, "light")
        tab.open(path)
        player = hand(tab, Random(number))
        lines: list[str] = []
        # Where one spell takes nearly all the flux, most of what a blind hand tries then is offered nowhere.
        for tried in range(TRIES):
            if tried >= LINES and len(lines) >= LEAST:
                break
            player.line()
            lines = [line for line in tab.page.input_value(TEXT).split("\n") if line]
        text = file_of(tab, header_of(tab))
        assert len(lines) >= LEAST, (path, lines)
        checked = pbem("-C", folder, "check", "-", "--json", stdin=text.encode())
        assert checked.status == 0, checked.err
        told = checked.json()["lines"]
        assert [line["text"] for line in told] == lines
        assert all(line["reads"] for line in told)
        assert shown(tab) == [line["forecast"] for line in told]
        tab.assert_quiet(path)
        composed += 1
    assert composed >= scaled(all_of_them)


def shown(tab: Tab) -> list[str]:
    """What the page says that each line would do."""
    return [str(text) for text in tab.page.locator("#compose .reads .says").all_text_contents()]


def opened_at(tab: Tab, demo: Path, look: tuple[int, str] = (1280, "light")) -> Path:
    path = demo / "players" / "crimson" / "turn-6.html"
    tab.look(*look)
    tab.open(path)
    return path


def write(tab: Tab, text: str) -> None:
    """Types a text over what is in the box, and waits until it is read."""
    tab.page.fill(TEXT, text)
    tab.page.wait_for_function(
        """lines => JSON.stringify(lines) === JSON.stringify(
            [...document.querySelectorAll("#compose .reads code")].map(part => part.textContent))""",
        arg=[line for raw in text.split("\n") if (line := raw.split("#")[0].strip())],
    )


def choose(tab: Tab, name: str, value: str) -> None:
    tab.page.locator(f"#compose .chip:has([name={name}][value='{value}'])").click()


def test_the_text_is_read_back(tab: Tab, demo: Path) -> None:
    """What is typed moves the pieces on which the next choices rest, and costs what it costs."""
    opened_at(tab, demo)
    figures = "#compose .counts dd"
    before = [int(each) for each in tab.page.locator(figures).all_text_contents()]
    here = str(tab.page.locator(f"#compose .chip:has({WHO}[value='piece wizard'])").text_content())
    choose(tab, "compose-who", "piece wizard")
    tab.page.locator("#compose .over .to").first.click()
    moved = str(tab.page.locator(f"#compose .chip:has({WHO}[value='piece wizard'])").text_content())
    assert moved != here
    assert tab.page.input_value(TEXT).startswith("move wizard to ")
    write(tab, "")
    assert tab.page.locator(f"#compose .chip:has({WHO}[value='piece wizard'])").text_content() == here
    choose(tab, "compose-who", "spell forest")
    tab.page.locator("#compose .over .to").first.click()
    tab.page.locator("#compose .over .to").last.click()
    line = tab.page.input_value(TEXT).strip()
    assert re.fullmatch(r"cast forest at [A-Z]+\d+-[A-Z]+\d+", line)
    after = [int(each) for each in tab.page.locator(figures).all_text_contents()]
    assert after == [before[0], before[1] - 2, before[2] - 2]
    write(tab, f"{line} times 3\n")
    again = [int(each) for each in tab.page.locator(figures).all_text_contents()]
    assert again == [before[0], before[1] - 2, before[2] - 6]
    tab.page.get_by_role("button", name=f"Remove {line} times 3").click()
    assert tab.page.input_value(TEXT).strip() == ""


def test_what_cannot_be_read_is_said_as_it_is_typed(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo)
    write(tab, "moove wizard to K9\n# nothing\nhold\npress: hello\n")
    words = tab.page.locator("#compose .reads b").all_text_contents()
    assert words == ["Cannot be read", "Reads", "Reads"]
    assert "nearest known word: move" in shown(tab)[0]
    live = tab.page.locator("#compose .reads").get_attribute("aria-live")
    assert live == "polite"


def test_hostile_text_is_only_read(tab: Tab, demo: Path) -> None:
    path = opened_at(tab, demo)
    risky = "() => document.querySelectorAll('img, iframe, object, form, base, link').length"
    before = tab.run(risky)
    lines = [text.replace("\n", " ") for text in HOSTILE]
    tab.page.fill(TEXT, "\n".join((*lines, *(f"cast {text} at K6" for text in lines))))
    tab.page.wait_for_function("() => document.querySelectorAll('#compose .reads li').length > 20")
    tab.page.fill("#compose-to", '"><script>alert(1)</script>')
    assert tab.run(risky) == before
    assert tab.run("() => 'hostile' in window") is False
    assert tab.run("() => document.querySelectorAll('#compose .reads code *:not(bdi)').length") == 0
    tab.assert_quiet(path)


def test_orders_leave_by_mail_copy_and_file(tab: Tab, demo: Path) -> None:
    opened_at(tab, demo)
    header = header_of(tab)
    write(tab, "hold\n")
    tab.page.fill("#compose-to", "gm@example.org")
    link = urlsplit(str(tab.page.locator("#compose .send").get_attribute("href")))
    assert (link.scheme, unquote(link.path)) == ("mailto", "gm@example.org")
    said = parse_qs(link.query)
    key = header[3].removeprefix("key: ")
    assert said["subject"] == [f"grob turn 7 crimson {key}"]
    file = "\n".join((*header, "", "hold", "end", ""))
    assert said["body"] == [file.replace("\n", "\r\n")]
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("button", name="Save as order file").click()
    assert saved.value.suggested_filename == "crimson.txt"
    assert Path(saved.value.path()).read_text("utf-8") == file
    write(tab, "press: " + "a" * 1990 + "\n")
    assert not tab.page.locator("#compose .send").is_visible()
    assert "too long" in str(tab.page.locator("#compose .sending .capt").text_content())
    write(tab, "hold\n")
    assert tab.page.locator("#compose .send").is_visible()
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.get_by_role("button", name="Copy").click()
    tab.page.wait_for_function("() => navigator.clipboard.readText().then(text => text.length > 0)")
    assert tab.run("() => navigator.clipboard.readText()") == file
    tab.page.context.clear_permissions()


def looks_at(number: int) -> tuple[tuple[int, str], ...]:
    """All widths and themes; in a run scaled down one for each state, the phone first."""
    narrow = [look for look in LOOKS if look[0] == NARROW]
    return LOOKS if SCALE >= 100 else ((*narrow, *LOOKS)[number % (len(narrow) + len(LOOKS))],)


def fits_and_is_accessible(tab: Tab, look: tuple[int, str]) -> None:
    assert tab.too_wide() == [], look
    assert tab.violations(contrast=True) == [], look
    if look[0] != NARROW:
        tab.look(NARROW, look[1])
        assert tab.too_wide() == [], look


STATES: dict[str, tuple[str, str]] = {
    "nothing chosen": ("", ""),
    "a piece": ("piece wizard", ""),
    "a spell": ("spell forest", ""),
    "its first hex": ("spell forest", "first"),
    "nowhere to go": ("spell gnome", ""),
    "lines of every sort": ("", "moove it\nhold\nmove wizard to A11\npress: hello\n"),
    "a text too long": ("", "hold # " + "a" * 2000),
}
"""Who is chosen, and what is written, or that a first hex is chosen too."""


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_accessible_and_fits(tab: Tab, demo: Path, state: str) -> None:
    for look in looks_at(list(STATES).index(state)):
        path = opened_at(tab, demo, look)
        who, text = STATES[state]
        if who:
            choose(tab, "compose-who", who)
        if text == "first":
            tab.page.select_option(WHERE, index=1)
        elif text:
            write(tab, text)
        fits_and_is_accessible(tab, look)
        tab.assert_quiet(path)


MAGIC_STATES: dict[str, tuple[str, ...]] = {
    "nothing chosen": (),
    "a priest": ("schtuck",),
    "a move": ("achtung", "walk"),
    "a Word": ("schtuck", "speak stay"),
    "a unit": ("yobs", "charge"),
}


@pytest.mark.parametrize("state", MAGIC_STATES)
def test_every_state_of_magic_is_accessible_and_fits(tab: Tab, battle: Path, state: str) -> None:
    for look in looks_at(list(MAGIC_STATES).index(state)):
        tab.look(*look)
        tab.open(battle / "players" / "boche" / "turn-2.html")
        for name, value in zip(("compose-who", "compose-what"), MAGIC_STATES[state], strict=False):
            choose(tab, name, value)
        fits_and_is_accessible(tab, look)


def test_it_is_in_a_seats_own_open_page_alone(tab: Tab, demo: Path, battle: Path) -> None:
    own = [demo / "players" / "azure" / "turn-3.html", battle / "players" / "noman" / "turn-3.html"]
    others = [
        demo / "players" / "azure" / "turn-10.html",
        *(
            folder / name
            for folder in (demo, battle)
            for name in ("reports/turn-3/index.html", "gm/turn-3.html")
        ),
        *(folder / "reports" / "index.html" for folder in (demo, battle)),
    ]
    for path in (*own, *others):
        tab.open(path)
        assert (tab.page.locator("#compose").count() == 1) is (path in own), path
        assert ('id="data-compose"' in path.read_text("utf-8")) is (path in own), path


def test_without_script_nothing_of_it_is_there(tab: Tab, demo: Path) -> None:
    browser = tab.page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((demo / "players" / "azure" / "turn-3.html").as_uri())
    assert page.locator("#compose").count() == 0
    assert page.locator("#template pre").is_visible()
    context.close()
