"""Order sheets: bytes to text, text to header and numbered lines, and the grammar all games share."""

# ruff: noqa: RUF001 - signs that look like others are what is tested here

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadInput
from pbem.sheet import (
    MAX_BYTES,
    MAX_ORDER_LINES,
    CannotRead,
    Problem,
    SeatOrders,
    Sheet,
    check_size,
    decode,
    nearest,
    plain,
    read_orders,
    read_sheet,
    split_lines,
)

# Bytes to text.


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("hold # naïve £5 🧙".encode(), "utf-8"),
        ("hold # naïve £5 🧙".encode("utf-8-sig"), "utf-8"),
        ("hold # naïve £5 🧙".encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + "hold # naïve £5 🧙".encode("utf-16-be"), "utf-16"),
    ],
)
def test_unicode_is_read(data: bytes, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.repairs) == ("hold # naïve £5 🧙", encoding, ())


def test_what_is_no_utf_8_is_windows_1252_and_said_so() -> None:
    decoded = decode(b"hold # na\xefve \x80")
    assert (decoded.text, decoded.encoding) == ("hold # naïve €", "windows-1252")
    assert decoded.repairs == ("read as windows-1252, since it is not UTF-8",)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"hold\0", "line 1 holds a NUL"),
        ("hold\nhold".encode("utf-16-le"), "line 1 holds a NUL"),
        (b"hold\r\nhold\rhold\nh\x07", r"line 4 holds a control character U\+0007"),
        (b"\xff\xfehold\n", "begins like UTF-16"),
        (b"hold # na\xefve \x81", r"line 1 holds a control character U\+0081"),
        ("hold # \x9b31m".encode(), r"line 1 holds a control character U\+009B"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        decode(data)


def test_tabs_and_form_feeds_are_text() -> None:
    assert decode(b"move\ttroll\x0c\r\n").text == "move\ttroll\x0c\r\n"


def test_lines_end_at_crlf_cr_and_lf_alone() -> None:
    assert split_lines("a\r\nb\rc\nd\x85e\u2028f\x0bg") == ["a", "b", "c", "d\x85e\u2028f\x0bg"]


def test_typographic_characters_become_plain_and_are_told() -> None:
    text, repairs = plain("“move” K9–K10,\u00a0\u200bhe’s ｋ９ −1")
    assert text == '"move" K9-K10, he\'s k9 -1'
    assert repairs == (
        "typographic dashes read as -",
        "typographic quotation marks read as plain ones",
        "unusual blanks read as blanks",
        "invisible characters left out",
        "full-width characters read as plain ones",
    )


@pytest.mark.parametrize("text", ["move troll to K٣", "mоve troll", "hold…"])
def test_look_alikes_stay_as_they_are(text: str) -> None:
    assert plain(text) == (text, ())


def test_the_size_limit_counts_bytes() -> None:
    check_size(MAX_BYTES)
    with pytest.raises(BadInput, match=r"65,537 bytes"):
        check_size(MAX_BYTES + 1)
    with pytest.raises(BadInput, match=r"65,538 bytes"):
        read_sheet("é" * (MAX_BYTES // 2 + 1))


# Text to header and lines.


def test_a_whole_sheet() -> None:
    sheet = read_sheet(
        "game: grob\n\nTURN : 3\nplayer: Crimson  # me\nkey: 7Q3K-92MQ-X1WP\n\n"
        "move wizard to K9        # comment\n"
        "# nothing here\n"
        "standing: hold\n"
        "press to azure: truce # until 5?\n"
        "Press: hello all\n"
        "END\n"
        "move troll to K8\n"
    )
    assert sheet.header == {"game": "grob", "turn": "3", "player": "Crimson", "key": "7Q3K-92MQ-X1WP"}
    assert [(line.number, line.text, line.order, line.standing) for line in sheet.lines] == [
        (7, "move wizard to K9", "move wizard to K9", False),
        (9, "standing: hold", "hold", True),
    ]
    assert [(press.number, press.to, press.text) for press in sheet.press] == [
        (10, "azure", "truce # until 5?"),
        (11, None, "hello all"),
    ]
    assert [line.number for line in sheet.standing_only().lines] == [9]
    assert not sheet.standing_only().press


@pytest.mark.parametrize("mark", ["end", "  End ", "--", "-- ", "end # of it"])
def test_reading_stops_at_the_end(mark: str) -> None:
    assert [line.text for line in read_sheet(f"hold\n{mark}\nhold 2\n").lines] == ["hold"]


def test_a_header_word_after_the_first_order_is_an_order_line() -> None:
    sheet = read_sheet("hold\nturn: 3\n")
    assert not sheet.header
    assert [line.text for line in sheet.lines] == ["hold", "turn: 3"]


def test_a_header_word_twice_must_say_the_same() -> None:
    assert read_sheet("player: Azure\nplayer: azure\n").header == {"player": "Azure"}
    with pytest.raises(BadInput, match="line 2 says turn: 4, but an earlier line says turn: 3"):
        read_sheet("turn: 3\nturn: 4\n")


def test_only_order_lines_count_against_their_limit() -> None:
    read_sheet("turn: 3\n" + "# comment\n\npress: hi\n" * 600 + "hold\n" * MAX_ORDER_LINES)
    with pytest.raises(BadInput, match="501 order lines"):
        read_sheet("hold\n" * (MAX_ORDER_LINES + 1))


@given(st.text(), st.sampled_from(["\n", "\r", "\r\n"]))
def test_any_text_is_read_or_refused(text: str, end: str) -> None:
    lines = split_lines(text)
    try:
        sheet = read_sheet(end.join(lines))
    except BadInput:
        return
    assert all(1 <= line.number <= len(lines) for line in sheet.lines)


# The grammar that all games share.


def order(text: str) -> str:
    if text.split(maxsplit=1)[0] not in {"hold", "move"}:
        raise CannotRead("`hold` or `move` is expected")
    return text


def condition(text: str) -> str:
    if text != "free K9":
        raise CannotRead("`free K9` is expected")
    return text


def orders(text: str) -> SeatOrders[str, str]:
    return read_orders(read_sheet(text), order, condition)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hold", "hold"),
        ("standing: hold", "standing: hold"),
        ("move a else move b ELSE hold", "move a else move b else hold"),
        ("if free K9: move a", "if free K9: move a"),
        ("IF NOT free K9 : hold else if free K9: hold", "if not free K9: hold else if free K9: hold"),
        ("if free K9: if not free K9: hold", "if free K9: if not free K9: hold"),
        ("move elsewhere", "move elsewhere"),
    ],
)
def test_readable_lines(text: str, canonical: str) -> None:
    read = orders(text)
    assert not read.problems
    assert [str(line) for line in read.lines] == [canonical]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jump", "`hold` or `move` is expected"),
        ("hold else", "on either side of `else` an order is expected"),
        ("else hold", "on either side of `else` an order is expected"),
        ("hold else else hold", "on either side of `else` an order is expected"),
        ("if free K9 hold", "after the condition `free K9 hold` a colon is expected"),
        ("if : hold", "after `if` a condition is expected"),
        ("if not: hold", "after `if` a condition is expected"),
        ("if free K9:", "after the colon an order is expected"),
        ("if free J8: hold", "`free K9` is expected"),
        ("standing:", "after `standing:` an order is expected"),
    ],
)
def test_unreadable_lines_say_what_was_expected(text: str, message: str) -> None:
    read = orders(f"hold\n{text}\nhold\n")
    assert read.problems == (Problem(2, text, message),)
    assert [line.number for line in read.lines] == [1, 3]


def test_a_ruleset_may_refuse_a_combination_of_sides() -> None:
    def same(sides: tuple[str, ...]) -> None:
        if len({side.split()[0] for side in sides}) > 1:
            raise CannotRead("all sides are of one phase")

    read = read_orders(read_sheet("hold else move a\nmove a else move b"), order, condition, same)
    assert [problem.message for problem in read.problems] == ["all sides are of one phase"]
    assert len(read.lines) == 1


def test_the_nearest_known_word() -> None:
    assert nearest("forst", ("forest", "hills")) == "; nearest known word: forest"
    assert nearest("zzz", ("forest", "hills")) == ""


def test_an_empty_sheet_has_nothing() -> None:
    assert read_sheet("") == Sheet(header={})
