"""What a receipt says: what was read, what it would do, what stands, and a hash for proof."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.mail.writing import filled, paragraphs
from pbem.reports.plain import visible


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line as read, in canonical form, and what it would do now."""

    number: int
    text: str
    forecast: str = ""


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that could not be read, and what was expected."""

    number: int
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that a receipt tells."""

    game: str
    seat: str
    turn: int | None
    accepted: bool
    reason: str = ""
    read: Sequence[ReadLine] = ()
    press: Sequence[ReadLine] = ()
    unread: Sequence[UnreadLine] = ()
    repairs: Sequence[str] = ()
    standing: Sequence[ReadLine] = ()
    standing_source: str = ""
    deadline: str = ""
    digest: str = ""
    written_from: str = ""
    """The sender's address, where it is not the one on file."""


def receipt_text(receipt: Receipt) -> str:
    """The receipt at 72 columns."""
    whose = f" of {receipt.seat}" if receipt.seat else ""
    turn = f" for turn {receipt.turn}" if receipt.turn is not None else ""
    if receipt.accepted:
        first = f"Your orders{turn} of {receipt.game} are in ({receipt.seat})."
        if not receipt.read:
            first += " There are no order lines among them: you stand still."
    else:
        first = f"Nothing was taken from your mail{whose} to {receipt.game}: {_clause(receipt.reason)}."
    parts = [first]
    if receipt.written_from:
        parts.append(
            f"It came from {visible(receipt.written_from)}, which is not the address on file. If you did not"
            " send it, ask the GM for another key."
        )
    if receipt.accepted:
        parts += _listed("As read, and what each line would do now:", receipt.read)
    parts += _unread(receipt.unread)
    parts += _listed("Press, as it will be printed:", receipt.press)
    if receipt.repairs:
        parts += ["Put right in reading:", _bullets(receipt.repairs)]
    if not receipt.accepted and receipt.turn is not None:
        if receipt.standing_source:
            parts += _listed(f"What stands{turn}, from {receipt.standing_source}:", receipt.standing)
            if not receipt.standing:
                parts[-1:] = [f"What stands{turn}, from {receipt.standing_source}: no order lines."]
        elif receipt.seat:
            parts.append(f"No orders of yours stand{turn}.")
    elif receipt.accepted:
        parts.append(f"This is what stands{turn}; a later mail replaces it as a whole.")
    if receipt.deadline:
        parts.append(receipt.deadline)
    if receipt.digest:
        parts.append("SHA-256 of the text as the log has it (from its line 1, LF, UTF-8, keys blanked):")
        parts.append(f"  {receipt.digest[:32]}\n  {receipt.digest[32:]}")
    return paragraphs(*parts)


def _clause(reason: str) -> str:
    return visible(reason).rstrip(".")


def _listed(title: str, lines: Sequence[ReadLine]) -> list[str]:
    if not lines:
        return []
    out: list[str] = []
    for line in lines:
        out.append(filled(visible(line.text), f"{line.number:>5}  ", "       "))
        if line.forecast:
            out.append(filled(visible(line.forecast), "         ", "         "))
    return [title, "\n".join(out) + "\n"]


def _unread(lines: Sequence[UnreadLine]) -> list[str]:
    if not lines:
        return []
    out: list[str] = []
    for line in lines:
        out.append(filled(visible(line.text), f"{line.number:>5}  ", "       "))
        out.append(filled(visible(line.message), "         ", "         "))
    return ["Lines that could not be read:", "\n".join(out) + "\n"]


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(filled(visible(item), "  - ", "    ") for item in items) + "\n"
