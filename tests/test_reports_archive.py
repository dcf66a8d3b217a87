"""The files of a turn and of the archive: where they lie, what the JSON says, and what it must not."""

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

from pbem.dice import commitment
from pbem.reports.archive import (
    render_index,
    render_turn,
    summarise,
    summary_from_json,
    summary_json,
)
from pbem.reports.chart import MARKS, charts
from pbem.reports.facts import ArchiveFacts
from pbem.reports.feed import MOST
from pbem.reports.pages import AHEAD
from pbem.rulesets.model import PUBLIC, Reading
from tests.sample_report import FLUX_FILES, SEATS, sample_archive, sample_facts, sample_report, sample_reports

ATOM = "{http://www.w3.org/2005/Atom}"


def turn() -> dict[str, bytes]:
    return render_turn(sample_facts(), sample_reports(), FLUX_FILES)


def test_files_lie_where_the_product_page_says() -> None:
    own = {
        f"players/{seat}/{name}" for seat in SEATS for name in ("turn-3.html", "turn-3.txt", "turn-3.json")
    }
    maps = {f"players/{seat}/map-3.svg" for seat in SEATS}
    public = {f"reports/turn-3/{name}" for name in ("index.html", "map.svg", "turn-3.json")}
    gm = {"gm/turn-3.html", "gm/turn-3.txt", "gm/turn-3.json", "gm/map-3.svg"}
    assert set(turn()) == own | maps | public | gm


def test_nothing_secret_below_reports() -> None:
    files = turn() | render_index(sample_archive(), FLUX_FILES)
    for path, content in files.items():
        if path.startswith("reports/"):
            for key in sample_facts().keys.values():
                assert key.encode() not in content, path
            assert b"Truce until turn 5?" not in content, path


def test_a_seats_key_stands_in_its_own_files_alone() -> None:
    holders = {path for path, content in turn().items() if b"NPB1-36CD-X757" in content}
    assert holders == {f"players/crimson/turn-3.{kind}" for kind in ("html", "txt", "json")}


def test_public_json_lets_anyone_check() -> None:
    data = json.loads(turn()["reports/turn-3/turn-3.json"])
    assert data["position"] == {"round": 4}
    assert data["events"] == [{"kind": "spell_cast", "rules": ["F5.1"]}]
    assert data["orders"]["amber"] == [{"line": 5, "text": "move wizard to A7"}]
    assert commitment(bytes.fromhex(data["dice"]["seed"])) == data["dice"]["commitment"]
    assert data["dice"]["throws"][0] == {"key": "cast 3 crimson troll N9 1", "sides": 10, "value": 7}
    assert data["log"] == {"version": 74, "hash": sample_facts().log_hash}
    hidden, shown, *_ = data["rows"]
    elements = ["version", "turn", "kind", "schema", "at", "prev", "digest", "hash"]
    assert list(hidden) == elements
    assert list(shown) == [*elements, "salt", "data"]
    assert [press["text"] for press in data["press"]] == ["The plains are wide.\nShall we share them?"]
    assert "next_key" not in data


def test_a_seats_json_has_its_next_key() -> None:
    data = json.loads(turn()["players/crimson/turn-3.json"])
    assert data["reader"] == "crimson"
    assert data["next_key"] == "NPB1-36CD-X757"
    assert data["template"].endswith("end")


def test_one_map_drawn_once_serves_all_readers() -> None:
    files = turn()
    assert files["players/crimson/map-3.svg"] == files["reports/turn-3/map.svg"]
    ET.fromstring(files["reports/turn-3/map.svg"])  # noqa: S314 - our own


def test_same_values_give_same_files() -> None:
    assert turn() == turn()


def test_a_summary_survives_being_kept() -> None:
    summary = summarise(sample_facts(), sample_report(PUBLIC))
    assert summary_from_json(summary_json(summary)) == summary
    assert 'aria-hidden="true"' in summary.thumbnail


def test_the_feed_tells_every_turn() -> None:
    feed = ET.fromstring(render_index(sample_archive(), FLUX_FILES)["reports/feed.xml"])  # noqa: S314 - our own
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [f"Turn {n}" for n in (3, 2, 1, 0)]
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == 4
    assert feed.findtext(f"{ATOM}updated") == "2026-02-15T20:00:00Z"
    assert entries[0].find(f"{ATOM}link").attrib["href"] == "turn-3/index.html"  # type: ignore[union-attr]


def long_archive(turns: int) -> ArchiveFacts:
    """As many turns, of which the last two alone have their map in little."""
    archive = sample_archive()
    like = archive.turns[-1]
    many = [like._replace(turn=number, thumbnail="") for number in range(turns - 2)]
    many += [like._replace(turn=number) for number in (turns - 2, turns - 1)]
    latest = archive.latest._replace(turn=turns - 1, length=turns + 99)
    return archive._replace(turns=tuple(many), latest=latest)


def test_one_more_turn_is_one() -> None:
    archive = long_archive(10)
    latest = archive.latest._replace(length=archive.latest.turn + AHEAD + 1)
    page = render_index(archive._replace(latest=latest), FLUX_FILES)["reports/index.html"].decode()
    assert f"And 1 more turn, up to turn {latest.length}." in page


def test_a_long_game_does_not_swell_its_first_page() -> None:
    files = render_index(long_archive(200), FLUX_FILES)
    page = files["reports/index.html"].decode()
    assert page.count('href="turn-') > 3 * 200
    assert page.count('<span class="thumb blank" aria-hidden="true">') == 198 + AHEAD
    assert f"And {100 - AHEAD} more turns, up to turn 299." in page
    feed = ET.fromstring(files["reports/feed.xml"])  # noqa: S314 - our own
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")]
    assert titles == [f"Turn {number}" for number in range(199, 199 - MOST, -1)]
    for chart in charts(long_archive(200)):
        assert len(chart.turns) == 200
        for curve in chart.curves:
            marks = [
                item for item in chart.drawing.items if f"{curve.seat}, turn " in getattr(item, "title", "")
            ]
            assert MARKS // 2 <= len(marks) <= MARKS
            assert f"{curve.seat}, turn 199: " in marks[-1].title  # type: ignore[union-attr]


def test_charts_have_a_curve_a_seat_and_take_fractions() -> None:
    archive = sample_archive()
    readings = tuple(Reading("income", "crimson", value) for value in ("7/2",))
    turns = (archive.turns[0], archive.turns[1]._replace(readings=readings), *archive.turns[2:])
    income, score = charts(archive._replace(turns=turns))
    assert (income.measure, score.measure) == ("income", "score")
    assert [curve.seat for curve in income.curves] == list(SEATS)
    assert Fraction(income.curves[0].values[1]) == Fraction(7, 2)
    assert "3 1/2" in income.drawing.description


def test_charts_of_equal_and_single_readings() -> None:
    archive = sample_archive()
    assert charts(archive._replace(turns=archive.turns[:1])) == []
    flat = tuple(turn._replace(readings=(Reading("score", "azure", "0"),)) for turn in archive.turns)
    (chart,) = charts(archive._replace(turns=flat))
    assert chart.turns == (0, 1, 2, 3)
