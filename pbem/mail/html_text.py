"""HTML as the text that its reader sees; what it quotes is marked with `>`, as in plain mail (mail.md, 2)."""

import re
from html import unescape
from html.parser import HTMLParser

_INVISIBLE = frozenset({"head", "script", "style", "title", "template", "noscript"})
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr", "col", "area", "base"})
_QUOTE_CLASS = re.compile(
    r"(?<![\w-])(?:x_)*(?:gmail_quote|gmail_extra|yahoo_quoted|protonmail_quote|moz-cite-prefix)(?![\w-])"
)
_REST_IS_QUOTED = frozenset({"divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container"})
_REWRITTEN = re.compile(r"\A(?:x_)+")
"""What Outlook puts before the ids and classes of a mail that it quotes."""
_RULED = re.compile(
    r"border-top:\s*(?:solid\s+[^;]{1,40}?\s[\d.]+pt|[\d.]+pt\s+solid\b|[\d.]+pt\s+[^;]{1,40}?\ssolid\b)",
    re.IGNORECASE,
)
"""Outlook's block: a rule above From, Sent, To and Subject; what follows it is the mail answered."""
_HIDDEN = re.compile(r"(?:^|[;\s])display\s*:\s*none\b", re.IGNORECASE)
_INLINE = re.compile(rf"<(?!/?(?:{'|'.join(sorted((*_BLOCKS, 'br', 'td', 'th')))})\b)[^<>]*>", re.IGNORECASE)
_NO_TAG = re.compile(r"<(?![^<>]*>)")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_BLANKS = re.compile(r"[ \t\r\n\f]+")


def text_of_html(html: str) -> str:
    """The text, its lines ended by LF, without empty lines at either end."""
    reader = _Reader()
    # The parser takes quadratic time over tags that are never closed, and over declarations.
    reader.feed(_DECLARATION.sub("", _NO_TAG.sub("&lt;", _without_comments(html))))
    reader.close()
    reader.end_line()
    return "\n".join(reader.lines).strip("\n")


def glance(html: str) -> str:
    """What is quickly made of HTML, to see whether a key stands in it: inline tags gone, entities read."""
    return unescape(_INLINE.sub("", html))


def _without_comments(html: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 4)
        at = len(html) if end < 0 else end + 3
    return "".join((*kept, html[at:]))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, bool, bool, bool]] = []  # tag, whether invisible, quoted, preformatted
        self._counts: dict[str, int] = {}
        self._hidden = self._quoted = self._exact = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _BLOCKS:
            self._end_if_begun()
        if tag == "br":
            self.end_line()
        elif tag in {"td", "th"}:
            self._line.append(" ")
        name, style = _REWRITTEN.sub("", given.get("id", "")), given.get("style", "")
        if name in _REST_IS_QUOTED or _RULED.search(style):
            self._quoted += 1  # and never less again
        if tag in _VOID:
            return
        hidden = tag in _INVISIBLE or _HIDDEN.search(style) is not None
        quoted = tag == "blockquote" or _QUOTE_CLASS.search(given.get("class", "")) is not None
        exact = tag in {"pre", "textarea"} or "white-space:pre" in style.replace(" ", "").lower()
        self._open.append((tag, hidden, quoted, exact))
        self._counts[tag] = self._counts.get(tag, 0) + 1
        self._enter(hidden, quoted, exact, 1)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_if_begun()
        if not self._counts.get(tag):
            return
        while True:  # what was opened inside and never closed ends with it
            name, hidden, quoted, exact = self._open.pop()
            self._counts[name] -= 1
            self._enter(hidden, quoted, exact, -1)
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if not self._exact:
            self._line.append(_BLANKS.sub(" ", data))
            return
        first, *others = re.split(r"\r\n|\r|\n", data)
        self._line.append(first)
        for text in others:
            self.end_line(exact=True)
            self._line.append(text)

    def _enter(self, hidden: bool, quoted: bool, exact: bool, by: int) -> None:
        self._hidden += by * hidden
        self._quoted += by * quoted
        self._exact += by * exact

    def _end_if_begun(self) -> None:
        if "".join(self._line).strip(" \n"):
            self.end_line()
        else:
            self._line = []

    def end_line(self, *, exact: bool = False) -> None:
        """What was gathered is a line."""
        text = "".join(self._line)
        if not (exact or self._exact):
            text = re.sub(" +", " ", text).strip(" ")
        self._line = []
        self.lines.append(("> " * min(self._quoted, 1) + text) if self._quoted else text)
