"""HTML reports and the index: valid, alone, deaf to what players write, the same every time."""

import base64
import json
import re
from hashlib import sha256

import pytest

from pbem.drawing import Drawing, Label
from pbem.reports.archive import render_index, render_turn
from pbem.reports.facts import Attempt, Press
from pbem.rulesets.model import GM, PUBLIC, Board, OrderReport, Outcome, SeatReport, Told, code, words
from tests.page_reader import read_page
from tests.sample_report import (
    FLUX_FILES,
    PLAIN_FILES,
    SEATS,
    sample_archive,
    sample_facts,
    sample_report,
    sample_reports,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "</style></pre></svg><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "{{ 7 * 7 }}{% raw %}",
    "<svg><style>*{display:none}</style></svg>",
    "\u202egnp.exe \u2066 \u2069 \x00\x07\x1b[31m\x85",
    "&lt;b&gt; &#60;script&#62; <!-- --> ]]>",
    "x" * 300,
    "\u05e9\u05dc\u05d5\u05dd \u05dc\u05db\u05d5\u05dc\u05dd",
)


def pages(**changes: object) -> dict[str, bytes]:
    out = render_turn(sample_facts(**changes), sample_reports(), FLUX_FILES)
    return {path: page for path, page in out.items() if path.endswith(".html")}


def index() -> bytes:
    return render_index(sample_archive(), FLUX_FILES)["reports/index.html"]


@pytest.fixture(scope="module")
def all_pages() -> dict[str, bytes]:
    return {**pages(), "reports/index.html": index()}


def test_pages_nest_and_name_each_id_once(all_pages: dict[str, bytes]) -> None:
    for path, html in all_pages.items():
        page = read_page(html)
        assert page.wrong == [], path
        assert len(page.ids) == len(set(page.ids)), path


def test_links_within_a_page_lead_somewhere(all_pages: dict[str, bytes]) -> None:
    for path, html in all_pages.items():
        page = read_page(html)
        inner = {link[1:] for link in page.links if link.startswith("#")}
        assert inner <= set(page.ids), (path, inner - set(page.ids))
        named = {i for _, name, value in page.attributes if name == "aria-labelledby" for i in value.split()}
        assert named <= set(page.ids), path
        used = set(re.findall(r"url\(#([^)]*)\)", html.decode()))
        assert used <= set(page.ids), path


def test_pages_need_nothing_else(all_pages: dict[str, bytes]) -> None:
    for path, html in all_pages.items():
        page = read_page(html)
        assert not page.tags & {"iframe", "object", "embed", "img", "base", "form", "foreignobject"}
        for link in page.links:
            assert not re.match(r"[a-z]+:|//|/", link) or link.startswith("data:"), (path, link)
        assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "style"]
        text = html.decode()
        kinds = re.findall("<script(.*?)>", text)
        assert [
            kind for kind in kinds if not re.fullmatch(' type="application/json" id="[a-z-]+"', kind)
        ] == ([] if path == "reports/index.html" else [' type="module"'])
        assert "@import" not in text
        assert not re.search(r"url\((?!#)", text)


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def test_policy_allows_the_page_its_own_style_and_script_alone(all_pages: dict[str, bytes]) -> None:
    scripts = set()
    for path, html in all_pages.items():
        text = html.decode()
        (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
        script = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
        scripts.update(script)
        allowed = "".join(f" script-src {digest(each)};" for each in script)
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
        assert policy is not None
        assert policy[1] == (
            f"default-src 'none';{allowed} style-src {digest(style)}; img-src data:;"
            " base-uri 'none'; form-action 'none'"
        ), path
    assert len(scripts) == 1


def test_data_for_the_script_is_read_as_data() -> None:
    unfit = {"</script><!-- &amp;": ["\u2028", "<b>", "\u202e"]}
    report = sample_report(script_data={"tried": unfit})
    html = render_turn(sample_facts(), {"crimson": report}, FLUX_FILES)["players/crimson/turn-3.html"]
    (block,) = re.findall(r'<script type="application/json" id="data-tried">(.*?)</script>', html.decode())
    assert not set("<>&\u2028") & set(block)
    assert json.loads(block) == unfit


def hostile_turn(hostile: str) -> bytes:
    """Crimson's page of a turn in which every text that anybody may write is this one."""
    outcome = Outcome("unread", hostile, words(code(hostile)))
    report = sample_report(
        orders=(SeatReport("crimson", (OrderReport(1, hostile, (outcome,)),)),),
        round=(sample_report().round[0]._replace(told=(Told(words(hostile, code(hostile)), hostile),)),),
        board=Board(Drawing((0, 0, 9, 9), hostile, hostile, (), (Label(0, 0, hostile, 9),))),
    )
    facts = sample_facts(press={"crimson": (Press("azure", None, hostile),)}, notes=(hostile,), void=hostile)
    return render_turn(facts, {"crimson": report}, FLUX_FILES)["players/crimson/turn-3-attempt-1.html"]


def test_what_players_write_stays_text() -> None:
    plain = read_page(hostile_turn("tame"))
    for hostile in HOSTILE:
        html = hostile_turn(hostile)
        page = read_page(html)
        assert page.wrong == []
        names = [(tag, name) for tag, name, _ in page.attributes]
        assert names == [(tag, name) for tag, name, _ in plain.attributes]
        assert page.tags == plain.tags
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", html.decode())


def test_press_is_isolated_and_complete() -> None:
    text = "One <line> & another\n\u05e9\u05dc\u05d5\u05dd"
    page = pages(press={"crimson": (Press("azure", "crimson", text),)})["players/crimson/turn-3.html"]
    assert "<bdi>One &lt;line&gt; &amp; another\n\u05e9\u05dc\u05d5\u05dd</bdi>" in page.decode()
    assert text in read_page(page).text


def test_press_reaches_its_reader_alone(all_pages: dict[str, bytes]) -> None:
    told = {path for path, html in all_pages.items() if b"Truce until turn 5?" in html}
    assert told == {"players/crimson/turn-3.html", "gm/turn-3.html"}


def test_a_report_begins_with_the_next_turn_and_ends_with_the_template(all_pages: dict[str, bytes]) -> None:
    html = all_pages["players/crimson/turn-3.html"].decode()
    ids = [
        "next",
        "changed",
        "mapfig",
        "orders",
        "round",
        "press",
        "note",
        "standings",
        "dice",
        "rulings",
        "template",
    ]
    places = [html.index(f'id="{name}"') for name in ids]
    assert places == sorted(places)
    (template,) = re.findall(r"<pre>(game:.*?)</pre>", html, re.DOTALL)
    assert template.startswith("game: grob\nturn: 4\nplayer: crimson\nkey: NPB1-36CD-X757\n\n")
    assert template.endswith("\nend")


def test_public_page_shows_every_seats_orders_and_no_key(all_pages: dict[str, bytes]) -> None:
    html = all_pages["reports/turn-3/index.html"].decode()
    assert "The orders that counted" in html
    assert (
        html.count('<table role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader"') >= 4
    )
    for key in sample_facts().keys.values():
        assert key not in html


def test_links_between_the_files() -> None:
    html = pages()
    assert '"../../reports/index.html"' in html["players/crimson/turn-3.html"].decode()
    assert '"../../reports/turn-3/index.html"' in html["players/crimson/turn-3.html"].decode()
    assert '"../reports/index.html"' in html["gm/turn-3.html"].decode()
    assert '"../turn-2/index.html"' in html["reports/turn-3/index.html"].decode()
    assert '"turn-3/index.html"' in index().decode()


def test_a_void_adjudication_stands_aside_and_says_so() -> None:
    html = pages(void="A line of amber's was misread.")
    page = html["reports/turn-3/attempt-1/index.html"].decode()
    assert "<b>Void.</b>" in page
    assert '"../../index.html"' in page
    archive = sample_archive()
    turns = (*archive.turns[:3], archive.turns[3]._replace(voided=(Attempt(3, 1, "misread"),)))
    shown = render_index(archive._replace(turns=turns), FLUX_FILES)["reports/index.html"].decode()
    assert 'href="turn-3/attempt-1/index.html"' in shown


def test_rulings_lead_to_the_glossary_and_only_those_cited_stand_there(all_pages: dict[str, bytes]) -> None:
    html = all_pages["players/crimson/turn-3.html"].decode()
    assert 'href="#r-F5-4"' in html
    assert "see <code><bdi>cast</bdi></code> and F5." in html
    assert "Not cited." not in html


def test_the_last_report_asks_for_no_orders() -> None:
    html = pages(ended=True, deadline=None, keys={})["players/crimson/turn-3.html"].decode()
    assert "The game is over" in html
    assert "user-select" in html
    assert '<section id="template"' not in html


def test_a_ruleset_without_style_gets_neutral_colours() -> None:
    html = render_turn(sample_facts(), {PUBLIC: sample_report(PUBLIC)}, PLAIN_FILES)
    page = html["reports/turn-3/index.html"].decode()
    for number, seat in enumerate(SEATS, 1):
        assert f".p-{seat}{{--seat:var(--n{number})" in page
    assert 'class="plain"' in page


def test_seats_named_for_a_colour_get_it() -> None:
    facts = sample_facts(seats=("red", "blue", "left", "right"), press={}, orders_text={}, missing=())
    html = render_turn(facts, {PUBLIC: sample_report(PUBLIC)}, PLAIN_FILES)["reports/turn-3/index.html"]
    for seat, number in (("red", 2), ("blue", 1), ("left", 3), ("right", 4)):
        assert f".p-{seat}{{--seat:var(--n{number})" in html.decode()


def test_orders_that_no_view_tells_stand_as_they_were_written() -> None:
    html = render_turn(sample_facts(), {PUBLIC: sample_report(PUBLIC, orders=())}, FLUX_FILES)
    assert "<bdi>move wizard to A7</bdi>" in html["reports/turn-3/index.html"].decode()


def test_a_report_with_nothing_in_it_is_still_a_page() -> None:
    bare = sample_report(GM)
    bare = bare._replace(board=Board(Drawing((0, 0, 1, 1), "", "")), round=(), orders=(), standings=None)
    facts = sample_facts(press={}, notes=(), deadline=None, missing=(), log_version=None, turn=0)
    facts = facts._replace(
        dice=facts.dice._replace(
            seed=None, throws=(), next_commitment=None, beacon="7", beacon_rule="lottery"
        ),
    )
    page = read_page(render_turn(facts, {GM: bare._replace(in_words=())}, PLAIN_FILES)["gm/turn-0.html"])
    assert page.wrong == []
    assert "stays hidden until the game ends" in page.text


def test_same_values_give_same_bytes() -> None:
    assert pages() == pages()
    assert index() == index()


def test_a_players_page_is_small(all_pages: dict[str, bytes]) -> None:
    assert max(map(len, all_pages.values())) < 350_000


def test_what_needs_no_throw_has_the_room_of_the_throws() -> None:
    """A cell across two columns, and each ruling of a line cited once."""
    html = pages()["players/crimson/turn-3.html"].decode()
    section = html[html.index('id="orders"') :]
    section = section[: section.index("</section>")]
    rows = re.findall(r"<tr.*?</tr>", section, re.DOTALL)[1:]
    wide = [row for row in rows if 'class="wh" colspan="2"' in row]
    assert 0 < len(wide) < len(rows)
    for row in rows:
        assert (row in wide) is ('class="th"' not in row)
        assert row.count("<td") == (4 if row in wide else 5)
        cited = re.findall(r">([A-Z][0-9.]+)</(?:a|span)>", row.partition('class="ru"')[2])
        assert len(cited) == len(set(cited))
