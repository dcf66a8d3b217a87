"""Text from anybody, made fit to print."""

from pbem.reports.plain import MARKS, visible


def test_what_reorders_or_cannot_be_printed_is_shown_as_such() -> None:
    assert visible("a\u202eb\x00c\r\nd\te") == "a\ufffdb\ufffdc\nd\te"


def test_letters_keep_their_accents_and_no_tower_of_them() -> None:
    for text in ("Noe\u0301mie", "\u0e01\u0e33\u0e49", "\u05d1\u05bc\u05b0\u0591", "\u094d"):
        assert visible(text) == text
    assert visible("a" + "\u0300" * 9 + "b") == "a" + "\u0300" * MARKS + "\ufffd" * (9 - MARKS) + "b"
