"""Mail that no person wrote, known by its header before anything else is looked at (mail.md, 4)."""

import re

from pbem.mail.letter import Letter

_BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
_DAEMON = re.compile(r"(?:^|[<\s:\"'])mailer-daemon(?:@|>|\s|$)", re.IGNORECASE)


def why_automatic(letter: Letter) -> str:
    """Why a letter is automatic, our own or a bounce, as a sentence; empty if it may be a person's."""
    if letter.fields.get("x-pbem"):
        return "It is mail of pbem's own."
    for value in letter.fields.get("auto-submitted", ()):
        if re.split(r"[;\s(]", value.strip(), maxsplit=1)[0].lower() != "no":
            return f"It is automatic mail (Auto-Submitted: {value[:80]})."
    for value in letter.fields.get("precedence", ()):
        if value.strip().lower() in _BULK:
            return f"It is automatic mail (Precedence: {value[:80]})."
    if any(value.replace(" ", "") in {"", "<>"} for value in letter.fields.get("return-path", ())):
        return "It is automatic mail (its Return-Path is empty)."
    if any(
        _DAEMON.search(value) for name in ("from", "sender", "return-path") for value in letter.values(name)
    ):
        return "It comes from a mail server (mailer-daemon)."
    kinds = letter.fields.get("content-type", ())
    if letter.report or any(kind.lower().startswith("multipart/report") for kind in kinds):
        return "It is the report of a mail server or mail program (multipart/report)."
    return ""
