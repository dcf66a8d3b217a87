"""Text that may come from anybody, made fit to print: nothing in it moves or hides what stands beside it."""

import re

_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed
    "\u2028\u2029\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # separators, overrides, embeddings, isolates
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with every character that XML forbids, or that reorders others, shown as U+FFFD."""
    return text if text.isprintable() else _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))
