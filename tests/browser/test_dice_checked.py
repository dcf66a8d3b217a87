"""The reader's own browser makes the throws again, and tells a wrong digit wherever it stands."""

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.events import Throw
from pbem.reports.archive import render_turn
from pbem.rulesets.model import PUBLIC
from tests.browser.chromium import LOOKS, Tab
from tests.commands import pbem
from tests.sample_report import FLUX_FILES, sample_facts, sample_report
from tests.scale import SCALE, scaled
from tests.thrown import throws

SEED = sha256(b"the seed").digest()
COMMITMENT = sha256(SEED).hexdigest()
PUBLIC_PAGE = "reports/turn-3/index.html"
RESULT = ".checks .tool + .result"
WITHOUT_CRYPTO = "Object.defineProperty(globalThis.crypto, 'subtle', {value: undefined})"


def page_of(folder: Path, made: list[Throw], **dice: object) -> Path:
    """A page with these throws, at rest on a disk."""
    facts = sample_facts()
    shown = facts.dice._replace(seed=SEED.hex(), commitment=COMMITMENT, throws=tuple(made), beacon=None)
    files = render_turn(
        facts._replace(dice=shown._replace(**dice)), {PUBLIC: sample_report(PUBLIC)}, FLUX_FILES
    )
    page = folder / "page.html"
    page.write_bytes(files[PUBLIC_PAGE])
    return page


def checked(tab: Tab, page: Path, *, by: str = "WebCrypto") -> str:
    """What the page says once all its throws are checked."""
    tab.open(page)
    return pressed(tab, by)


def pressed(tab: Tab, by: str = "WebCrypto") -> str:
    tab.page.get_by_role("button", name=re.compile("^Check (all|the throw$)")).click()
    result = tab.page.locator(RESULT)
    result.filter(has_text=re.compile(f"{by}|not follow|not revealed|64 hex")).wait_for()
    return result.inner_text()


def test_all_throws_are_made_again(tab: Tab, tmp_path: Path) -> None:
    made = throws(SEED, scaled(10_000))
    said = checked(tab, page_of(tmp_path, made))
    assert f"All {len(made)} throws follow from the seed, by the browser\u2019s WebCrypto." in said
    assert "The seed fits the commitment on this page." in said
    values = tab.run(
        "() => [...document.querySelectorAll('#throws .throw')].map(b => [b.textContent, b.className])"
    )
    assert values == [[str(throw.value), "throw ok"] for throw in made]


def test_without_webcrypto_our_own_hash_does_it(tab: Tab, tmp_path: Path) -> None:
    made = throws(SEED, scaled(10_000))
    page = page_of(tmp_path, made)
    browser = tab.page.context.browser
    assert browser is not None
    fresh = browser.new_page()
    fresh.add_init_script(WITHOUT_CRYPTO)
    fresh.goto(page.as_uri())
    fresh.get_by_role("button", name="Check all").click()
    fresh.locator(RESULT).filter(has_text="own SHA-256").wait_for()
    assert f"All {len(made)} throws follow" in fresh.locator(RESULT).inner_text()
    fresh.close()


def test_with_a_beacon_the_seed_in_use_is_another(tab: Tab, tmp_path: Path) -> None:
    beacon = "7 \u202e12 & 31"
    used = hmac.digest(SEED, f"beacon {beacon}".encode(), "sha256")
    made = throws(used, 20)
    assert "All 20 throws follow" in checked(
        tab, page_of(tmp_path, made, beacon=beacon, beacon_rule="lottery")
    )
    assert "do not follow" in checked(tab, page_of(tmp_path, made, beacon="7 12 & 30", beacon_rule="lottery"))


def another(digit: str) -> str:
    return "1" if digit == "0" else "0"


WRONG: dict[str, Callable[[str, Throw], str]] = {
    "seed": lambda html, _: html.replace(f">{SEED.hex()}", f">{another(SEED.hex()[0])}{SEED.hex()[1:]}", 1),
    "key": lambda html, throw: html.replace(f"{throw.key}</code>", f"{throw.key}0</code>"),
    "sides": lambda html, throw: html.replace(f"{throw.sides}</td>", f"{throw.value - 1}</td>"),
    "throw": lambda html, throw: html.replace(f"{throw.value}</td></tr>", f"{throw.value + 1}</td></tr>"),
}


@pytest.mark.parametrize("what", WRONG)
def test_one_changed_digit_is_wrong(tab: Tab, tmp_path: Path, what: str) -> None:
    (made,) = throws(SEED, 1)
    page = page_of(tmp_path, [made])
    assert "The throw follows from the seed" in checked(tab, page)
    html = page.read_text("utf-8")
    changed = WRONG[what](html, made)
    assert changed != html
    page.write_text(changed, "utf-8")
    said = checked(tab, page)
    assert "1 of 1 throws does not follow from the seed" in said
    assert ("The seed does not fit" in said) == (what == "seed")
    press = tab.page.locator("#throws .throw")
    assert press.get_attribute("class") == "throw bad"
    press.click()
    assert "Wrong: it should be" in tab.page.locator(".proof").first.inner_text()


def test_no_seed_at_all_is_told_too(tab: Tab, tmp_path: Path) -> None:
    page = page_of(tmp_path, throws(SEED, 3))
    page.write_text(page.read_text("utf-8").replace(f">{SEED.hex()}", ">no seed", 1), "utf-8")
    assert "The seed on this page is not 64 hex digits." in checked(tab, page)


def test_other_digits_can_be_tried_by_hand(tab: Tab, tmp_path: Path) -> None:
    """One digit of each in turn, and back again."""
    made = throws(SEED, 9)[8:]
    assert made[0].sides == 65535
    tab.open(page_of(tmp_path, made))
    told = tab.page.locator(".checks details .proof")
    for name in ("Seed", "Key", "Throw"):
        field = tab.page.get_by_label(name, exact=True)
        was = field.input_value()
        field.fill(was[:-1] + another(was[-1]))
        told.filter(has_text="Wrong: it should be").wait_for()
        field.fill(was)
        told.filter(has_text="Right.").wait_for()
    tab.page.get_by_label("Sides", exact=True).fill("65537")
    told.filter(has_text="A die has 1 to 65536 sides.").wait_for()


def test_every_throw_shown_is_a_button_by_keyboard_alone(tab: Tab, demo: Path) -> None:
    """In orders, round and list; pressing says how the throw comes about, aloud too, and again closes it."""
    tab.open(demo / "players/crimson/turn-6.html")
    assert tab.run(
        "() => [...document.querySelectorAll('.thr[data-t], .thrown')].every(e => e.querySelector('button'))"
    )
    listed = tab.run("() => document.querySelectorAll('#throws tbody tr').length")
    assert tab.page.locator("#throws .throw").count() == listed
    for part in ("#orders", "#round", "#throws"):
        press = tab.page.locator(f"{part} .throw").first
        press.focus()
        assert tab.run("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
        tab.page.keyboard.press("Enter")
        proof = tab.page.locator(f"{part} .proof")
        proof.filter(has_text="Right. Its key").wait_for()
        assert press.get_attribute("aria-expanded") == "true"
        assert (press.get_attribute("aria-label") or "").startswith("Right, the throw ")
        assert tab.page.get_by_role("status").inner_text() == proof.inner_text()
        tab.page.keyboard.press("Space")
        proof.wait_for(state="detached")
        assert press.get_attribute("aria-expanded") == "false"


@pytest.mark.parametrize("game", ["demo", "battle"])
def test_every_page_of_a_game_checks_itself(
    tab: Tab, game: str, demo: Path, request: pytest.FixtureRequest
) -> None:
    folder = demo if game == "demo" else request.getfixturevalue("battle")
    pages = sorted(path for path in folder.rglob("turn-*.html") if "attempt" not in path.name)
    found = 0
    for page in pages[:: max(1, 100 // scaled(100))]:
        tab.open(page)
        if not tab.page.get_by_role("button", name=re.compile("^Check (all|the throw$)")).count():
            continue
        said = pressed(tab)
        hidden = game == "battle" and page.name == "turn-0.html"
        assert ("not revealed yet" in said) == hidden, page
        assert "not follow" not in said, (page, said)
        assert ("from the seed, by" in said) == (not hidden), page
        tab.assert_quiet(page)
        found += 1
    assert found


def told(tab: Tab, text: str) -> str:
    compared = tab.page.locator(".checks .result").last
    compared.filter(has_text=text).wait_for()
    return compared.inner_text()


def test_the_commitment_in_the_report_before_is_compared(tab: Tab, demo: Path) -> None:
    """Pasted or chosen: page, text, JSON, the bare digits; and what is none or another turn's."""
    seat = demo / "players" / "crimson"
    tab.open(seat / "turn-6.html")
    chosen, pasted = tab.page.locator("#kept-file"), tab.page.locator("#kept")
    for name in ("turn-5.html", "turn-5.json", "turn-5.txt"):
        chosen.set_input_files(seat / name)
        assert told(tab, "Right. The seed revealed here is the one that was committed to.")
        # Playwright's own `fill` types a whole page as if by hand, which takes half a minute.
        pasted.evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')) }",
            (seat / name).read_text("utf-8"),
        )
        assert told(tab, "Right.")
    commitment = re.findall(r"turn 6:\n +([0-9a-f]{64})", (seat / "turn-5.txt").read_text("utf-8"))[0]
    pasted.fill(commitment)
    assert told(tab, "Right.")
    pasted.fill(commitment[:-1] + another(commitment[-1]))
    assert "The seed revealed here is not the one that was committed to" in told(tab, "Wrong.")
    assert tab.page.get_by_role("status").inner_text().startswith("Wrong.")
    chosen.set_input_files(seat / "turn-4.html")
    assert told(tab, "This commits to the seed of turn 5; that of turn 6 is wanted.")
    chosen.set_input_files(seat / "map-5.svg")
    assert told(tab, "There is no commitment to the seed of turn 6 in it.")
    tab.assert_quiet(seat / "turn-6.html")


def test_a_file_can_be_dropped(tab: Tab, demo: Path) -> None:
    seat = demo / "players" / "crimson"
    tab.open(seat / "turn-6.html")
    tab.run(
        """text => {
            const given = new DataTransfer()
            given.items.add(new File([text], "turn-5.html"))
            const event = new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true})
            document.querySelector(".checks").dispatchEvent(event)
        }""",
        (seat / "turn-5.html").read_text("utf-8"),
    )
    assert told(tab, "Right. The seed revealed here")


def test_a_hidden_seed_can_be_checked_once_it_is_published(tab: Tab, battle: Path) -> None:
    """Turn 0 of Magic: by the secret that `end` publishes, and not by any other digits."""
    tab.open(battle / "gm" / "turn-0.html")
    tab.page.locator("#round .throw").first.click()
    tab.page.locator(".proof").filter(has_text="The seed of this turn is not revealed yet.").first.wait_for()
    revealed = tab.page.locator("#revealed")
    revealed.fill("ab" * 32)
    tab.page.locator(".checks").filter(has_text="It does not fit the commitment on this page.").wait_for()
    revealed.fill((battle / "secret.key").read_text("utf-8").strip())
    tab.page.locator(".checks").filter(has_text="It fits the commitment").wait_for()
    assert "throws follow from the seed" in pressed(tab)


def test_a_published_secret_is_checked_by_itself(tab: Tab, tmp_path: Path) -> None:
    folder = tmp_path / "grob"
    assert pbem("demo", folder, "--ruleset", "flux").status == 0
    assert pbem("-C", folder, "end").status == 0
    said = checked(tab, folder / "reports/turn-10/index.html")
    assert "The secret fits its SHA-256, and gives this seed." in said


@pytest.mark.parametrize("look", LOOKS if SCALE >= 100 else LOOKS[-2:])
def test_the_tools_are_open_to_all_readers(tab: Tab, demo: Path, look: tuple[int, str]) -> None:
    tab.look(*look)
    tab.open(demo / "players/crimson/turn-3.html")
    for part in ("#orders", "#round", "#throws"):
        tab.page.locator(f"{part} .throw").first.click()
    tab.page.locator("#kept").fill("0" * 64)
    assert "Wrong" in told(tab, "Wrong.")
    assert "21 throws follow" in pressed(tab)
    assert tab.too_wide() == []
    assert tab.violations(contrast=True) == []


def test_print_has_no_tools(tab: Tab, demo: Path) -> None:
    tab.open(demo / "players/crimson/turn-3.html")
    tab.page.locator("#orders .throw").first.click()
    tab.page.locator(".proof").first.wait_for()
    tab.page.emulate_media(media="print")
    seen = tab.run(
        "() => [...document.querySelectorAll('.checks, .proof, .thrown')].some(e => e.offsetHeight)"
    )
    bordered = tab.run("() => getComputedStyle(document.querySelector('#orders .throw')).borderStyle")
    tab.page.emulate_media(media="screen")
    assert (seen, bordered) == (False, "none")
