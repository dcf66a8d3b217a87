"""A hostile player: whatever he writes is seen as text by all, and is nothing else to anybody.

Two games are played alike, but for one player's words. Every page of the one must be built exactly as
its twin in the other.
"""

import base64
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import WIDTHS, Tab
from tests.commands import SECRET, pbem

HOSTILE = (
    "<script>window.hostile=1;alert(1)</script>",
    "</code></bdi></td></tr></table></main></body></html><h1>You won</h1>",
    "</style><style>*{display:none!important}</style>",
    "<svg onload=alert(1)><style>text{fill:red}</style><a href=javascript:alert(1)><text>x</text></a></svg>",
    "</title></text></g></svg><foreignObject><iframe src=https://example.org/></foreignObject>",
    "<img src=https://example.org/x.png onerror=alert(1)><link rel=stylesheet href=https://example.org/x.css>",
    '" onmouseover="alert(1)" style="position:fixed;inset:0" x=\'',
    "' autofocus onfocus='alert(1)",
    "<meta http-equiv=refresh content=0;url=https://example.org/><base href=https://example.org/>",
    "<form action=https://example.org/><input name=key><button>Send your key</button></form>",
    "{{ 7 * 7 }}{% include 'base.html' %}{% raw %}",
    "<!-- --> ]]> <![CDATA[ &lt;b&gt; &amp;amp;",
    "javascript:alert(1)//https://example.org/",
    "\u202egnp.exe\u202c \u2066first\u2069 \u2067second\u2069",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "climbing a" + "\u0300\u0316" * 75,
    "spreading a" + "\u20dd\u20e0" * 75,
    "\ufeff\u200b\u00ad\ufff9\U000e0041 tab\there\x0cand a form feed",
    "W" * 300,
    "<" * 300,
)
BENIGN = "Lovely weather"
NAME = "{{ 7 * 7 }} & 'so' of ruin"
FILE = 'crimson-<svg onload=alert(1)> & "so" \u202ecod.txt'
CHUNK = 5
"""How many of the texts a turn takes: press has its limit."""
TURNS = -(-len(HOSTILE) // CHUNK)
READERS = ("gm", "players/azure", "players/crimson")
PAGES = (
    "reports/index.html",
    *(f"reports/turn-{turn}/index.html" for turn in range(TURNS + 1)),
    *(f"{to}/turn-{turn}.html" for turn in range(TURNS + 1) for to in READERS),
)
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Controls, and what turns or hides the text around it."""
SHAPE = """() => [...document.querySelectorAll("*")].map(part => [
    part.tagName, part.getAttribute("class"), part.getAttribute("id"), part.getAttribute("href"),
    part.parentElement && part.parentElement.tagName, ...part.getAttributeNames(),
])"""
"""Every element of a page with its place and what it is made of, whatever its text."""
RUNS = "() => [...document.scripts].filter(part => part.type === 'module').map(part => part.textContent)"
"""What a page runs: all of it is ours."""


def orders(texts: list[str]) -> str:
    """A text as an order, a part of one, a condition, a comment, and press to all and to one."""
    lines = []
    for text in texts:
        plain = text.replace("#", "")
        lines += [plain, f"cast {plain} at D4-D5", f"if {plain}: hold", f"hold # {text}", f"press: {text}"]
        lines += [f"press to azure: {text}"]
    return "\n".join(lines) + "\nend\n"


def played(folder: Path, name: str, file: str, texts: list[str]) -> Path:
    """A game in which crimson writes these texts, and is called so."""
    players = ("--player", f"crimson={name} <ada@example.org>", "--player", "azure=Ben <ben@example.org>")
    options = ("--ruleset", "flux", "--map", "glade", "--length", TURNS, "--secret", SECRET)
    made = pbem("new", folder, *options, *players)
    assert made.status == 0, made.err
    assert pbem("-C", folder, "start").status == 0
    for number in range(TURNS):
        turn = folder / "orders" / f"turn-{number + 1}"
        turn.mkdir(parents=True, exist_ok=True)
        (turn / file).write_text(orders(texts[number * CHUNK :][:CHUNK]), "utf-8")
        (turn / "azure.txt").write_text("cast gnome at E8\npress: Good morning.\n", "utf-8")
        done = pbem("-C", folder, "adjudicate", f"turn-{number + 1}")
        assert done.status == 0, done.err
    return folder


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same game, once with the hostile player and once with a friendly one."""
    one, other = tmp_path_factory.mktemp("hostile"), tmp_path_factory.mktemp("friendly")
    return (
        played(one / "pond", NAME, FILE, list(HOSTILE)),
        played(other / "pond", "Ada", "crimson.txt", [BENIGN] * len(HOSTILE)),
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_player_is_only_read(tab: Tab, twins: tuple[Path, Path], name: str) -> None:
    hostile, friendly = (twin / name for twin in twins)
    tab.open(friendly)
    wanted, runs = tab.run(SHAPE), tab.run(RUNS)
    assert len(runs) == (name != "reports/index.html")
    tab.open(hostile)
    for width in WIDTHS:
        tab.look(width, "light")
        assert tab.too_wide() == [], width
    assert tab.run(SHAPE) == wanted
    assert tab.run(RUNS) == runs
    assert tab.run("() => document.querySelector('iframe, form, img, base, foreignObject')") is None
    assert tab.run("() => 'hostile' in window") is False
    tab.assert_quiet(hostile)


def test_what_he_wrote_is_seen_and_reorders_nothing(tab: Tab, twins: tuple[Path, Path]) -> None:
    for number in range(TURNS):
        tab.open(twins[0] / f"players/azure/turn-{number + 1}.html")
        seen = tab.run("() => [...document.querySelectorAll('.letter bdi')].map(part => part.textContent)")
        for text in HOSTILE[number * CHUNK :][:CHUNK]:
            if text.isascii() and text.isprintable():
                assert seen.count(text) == 2, text
        whole: str = tab.run("() => document.documentElement.textContent")
        assert not UNFIT.search(whole)


TRIED = """async wanted => {
    const stopped = []
    document.addEventListener("securitypolicyviolation", event => stopped.push(event.effectiveDirective))
    const add = (tag, changes) => document.body.append(Object.assign(document.createElement(tag), changes))
    add("script", {textContent: "window.ran = 1"})
    add("script", {src: "https://example.org/x.js"})
    add("style", {textContent: "body { display: none }"})
    add("link", {rel: "stylesheet", href: "https://example.org/x.css"})
    add("img", {src: "https://example.org/x.png"})
    add("iframe", {src: "https://example.org/"})
    add("object", {data: "https://example.org/x"})
    add("video", {src: "https://example.org/x.webm"})
    add("base", {href: "https://example.org/"})
    document.body.insertAdjacentHTML("beforeend", "<b style='color: red' onclick='window.ran = 1'>x</b>")
    document.body.lastChild.click()
    await new FontFace("x", "url(https://example.org/x.woff)").load().catch(() => 0)
    await fetch("https://example.org/").catch(() => 0)
    for (let waits = 0; waits < 100 && new Set(stopped).size < wanted; waits += 1)
        await new Promise(done => setTimeout(done, 100))
    return [[...new Set(stopped)].sort(), "ran" in window, getComputedStyle(document.body).display]
}"""
FORBIDDEN = [
    "base-uri", "connect-src", "font-src", "frame-src", "img-src", "media-src", "object-src",
    "script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem",
]  # fmt: skip


@pytest.mark.parametrize("name", [PAGES[0], PAGES[1], PAGES[-1]])
def test_the_policy_allows_the_page_its_style_script_and_icon_and_no_more(
    tab: Tab, twins: tuple[Path, Path], name: str
) -> None:
    html = (twins[0] / name).read_text("utf-8")
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    scripts = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html)
    allowed = "".join(f" script-src {digest(script)};" for script in scripts)
    assert policy == (
        f"default-src 'none';{allowed} style-src {digest(style)}; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    tab.open(twins[0] / name)
    tried: Any = tab.run(TRIED, len(FORBIDDEN))
    assert tried == [FORBIDDEN, False, "block"]


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"
