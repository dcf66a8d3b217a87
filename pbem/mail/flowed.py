"""format=flowed undone (RFC 3676): lines that a mail program broke are one again (mail.md, 3)."""

import re

from pbem.sheet import split_lines

_MARKS = re.compile(r">*")


def unflowed(text: str, *, delete_space: bool) -> str:
    """The text with LF line ends; `delete_space` as the parameter DelSp says."""
    lines: list[str] = []
    open_depth: int | None = None  # of the paragraph that the last line leaves open
    for line in split_lines(text):
        found = _MARKS.match(line)
        depth = found.end() if found else 0
        content = line[depth:].removeprefix(" ")
        signature = content == "-- "
        flows = content.endswith(" ") and not signature
        kept = content[:-1] if flows and delete_space else content
        if open_depth == depth and not signature:
            lines[-1] += kept
        else:
            lines.append(">" * depth + (" " if depth else "") + kept)
        open_depth = depth if flows else None
    return "\n".join(lines)
