"""Text that may come from anybody, made fit to print: nothing in it moves or hides what stands beside it."""

import re
from unicodedata import category

_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed
    "\u2028\u2029\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # separators, overrides, embeddings, isolates
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
MARKS = 4
"""As many accents as a letter of any script in use has; more of them climb over the lines around."""


def visible(text: str) -> str:
    """The text with what XML forbids, what reorders others, and accents past `MARKS` shown as U+FFFD."""
    fit = text if text.isprintable() else _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))
    # A text has few different signs, and hardly ever an accent of its own among them.
    return fit if fit.isascii() or not any(map(_is_mark, set(fit))) else _unpiled(fit)


def _is_mark(character: str) -> bool:
    return category(character)[0] == "M"


def _unpiled(text: str) -> str:
    out: list[str] = []
    piled = 0
    for character in text:
        piled = piled + 1 if _is_mark(character) else 0
        out.append(character if piled <= MARKS else "\ufffd")
    return "".join(out)
