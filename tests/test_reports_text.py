"""The text twin: 72 columns, everything in it, and a template that can be answered."""

from pbem.reports.facts import Press
from pbem.reports.text import render_text
from pbem.rulesets.model import GM, PUBLIC, Column, OrderReport, Outcome, Row, SeatReport, Table, words
from pbem.sheet import read_sheet
from tests.sample_report import sample_facts, sample_report


def text(reader: str = "crimson") -> str:
    return render_text(sample_facts(), sample_report(reader))


def test_no_line_is_wider_than_72_columns() -> None:
    for reader in ("crimson", PUBLIC, GM):
        wide = [line for line in text(reader).split("\n") if len(line) > 72]
        assert wide == []


def test_long_words_and_controls_are_tamed() -> None:
    facts = sample_facts(press={"crimson": (Press("azure", None, "y" * 300 + "\x1b[2J\u202e\nsecond"),)})
    order = OrderReport(1, "x" * 300, (Outcome("unread", "Not read"),))
    shown = render_text(facts, sample_report(orders=(SeatReport("crimson", (order,)),)))
    assert max(map(len, shown.split("\n"))) <= 72
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "  | second\n" in shown


def test_all_sections_are_there_in_order() -> None:
    shown = text()
    titles = [
        "Your next turn",
        "What changed since your last report",
        "Your orders",
        "Round 3 as it happened",
        "Press",
        "The GM's note",
        "Standings",
        "The map in words",
        "Dice",
        "Rulings named above",
        "Order template for turn 4",
    ]
    places = [shown.index(f"\n{title}") for title in titles]
    assert places == sorted(places)
    assert "threw 7 of 10, needs 6 or less: failure (-5 flux, 11 left)" in shown


def test_the_end_of_it_is_a_valid_order_file() -> None:
    sheet = read_sheet(text().partition("key is yours\nalone.\n\n")[2])
    assert sheet.header == {"game": "grob", "turn": "4", "player": "crimson", "key": "NPB1-36CD-X757"}
    assert sheet.lines == ()


def test_a_wide_table_becomes_a_list() -> None:
    table = Table("Wide", (Column("A"), Column("B")), (Row((words("one"), words("two " * 30))),))
    shown = render_text(sample_facts(), sample_report(GM)._replace(in_words=(table,)))
    assert "\none\n    B: two two" in shown
