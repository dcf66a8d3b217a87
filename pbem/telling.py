"""What commands print: results, warnings and failures, for people or as JSON; like cli.py it knows click."""

# ruff: noqa: PLC0415 - start-up is imports: what only some commands print is imported where it is printed

import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pbem.closing import Closed
    from pbem.orders_in import Incoming
    from pbem.rulesets.model import Outcome
    from pbem.verify import Findings

LINES_AT_ONCE = 200


def print_json(value: Any) -> None:
    """One JSON document."""
    echo_json(json.dumps(value, ensure_ascii=False, indent=2))


def echo_json(text: str) -> None:
    """JSON as it is, or escaped where standard output cannot have it so (ASCII, windows-1252)."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        # Only inside strings does JSON have other characters than ASCII.
        text = "".join(char if char.isascii() else json.dumps(char)[1:-1] for char in text)
    click.echo(text)


class Told:
    """What became of messages, told while more are taken in: no list of them grows with a mailbox.

    Where a progress bar would stand in the same terminal, it is told at the end.
    """

    def __init__(self, words: Callable[[dict[str, Any]], str], *, as_json: bool) -> None:
        self._words = words
        self._as_json = as_json
        self._lines: list[str] = []
        self._begun = False
        self._waits = sys.stderr.isatty() and sys.stdout.isatty()

    def add(self, result: dict[str, Any]) -> None:
        """One message's result."""
        if not self._as_json:
            self._lines.append(self._words(result))
        else:
            if self._lines:
                self._lines[-1] += ","
            self._lines.append(
                f"{' ' if self._begun or self._lines else '['}{json.dumps(result, ensure_ascii=False)}"
            )
        if len(self._lines) >= LINES_AT_ONCE and not self._waits:
            # The last one waits: there may be a comma behind it.
            self._tell(self._lines[:-1])
            del self._lines[:-1]

    def end(self, *, cut_off: bool = False) -> None:
        """All has been told; where it was `cut_off` before anything was, nothing is."""
        if self._as_json and not (cut_off and not self._lines):
            self._lines = [*self._lines[:-1], f"{self._lines[-1]}]"] if self._lines else ["[]"]
        self._tell(self._lines)

    def _tell(self, lines: list[str]) -> None:
        if lines:
            self._begun = True
            (echo_json if self._as_json else click.echo)("\n".join(lines))


@contextmanager
def games_bar(count: int) -> Iterator[Callable[[int], None]]:
    """On a terminal, how many games have been played, and how long the rest will take."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=count, label="Games", show_pos=True, file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def progress() -> Iterator[Callable[[int], None]]:
    """On a terminal, how many messages have been taken in; nobody knows how many there will be."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    messages = itertools.count()
    with click.progressbar(messages, label="Messages", show_pos=True, show_eta=False, file=sys.stderr) as bar:
        yield bar.update


def tell_warning(sentence: str) -> None:
    """What is wrong without stopping the rest."""
    click.echo(f"pbem: {sentence}", err=True)


def tell_failure(sentence: str, status: int = 1) -> int:
    """One line on standard error."""
    from pbem.reports.plain import visible

    click.echo(f"pbem: {visible(' '.join(sentence.split()))}", err=True)
    return status


def tell_flushed(count: int, out: str) -> None:
    """Where messages have gone."""
    click.echo(f"{count} sent by the mail server." if out else "They lie in outbox/ for your mail program.")


def tell_taken(incoming: "Incoming") -> None:
    """What was read of a file, and what could not be."""
    count = len(incoming.orders.lines)
    click.echo(f"{incoming.seat}: {incoming.source}, {count} order line{'' if count == 1 else 's'}.")
    if incoming.encoding == "windows-1252":
        click.echo("    It is no UTF-8 and was read as windows-1252.")
    for problem in incoming.problems:
        click.echo(f"    line {problem.line}: {problem.text}\n        {problem.message}")


def tell_closed(closed: "Closed") -> None:
    """What closing a turn came to."""
    from pbem.errors import shown

    for incoming in closed.taken:
        tell_taken(incoming)
    if closed.text is not None:
        click.echo(closed.text.rstrip("\n"))
        click.echo(f"\nturn-{closed.turn} would bring {closed.events} events; nothing was appended.")
        return
    click.echo(f"turn-{closed.turn} is adjudicated: {closed.events} events. Read {shown(closed.report)}")
    if closed.ended:
        click.echo("The game is over.")
    else:
        due = f", orders are due {closed.deadline}" if closed.deadline else ""
        click.echo(f"turn-{closed.turn + 1} is open{due}.")


def tell_findings(found: "Findings") -> None:
    """What `verify` came to, as one of three answers."""
    from pbem.errors import Damaged

    if found.first is not None:
        what = found.first.what.rstrip(".")
        raise Damaged(
            f"The log does not hold: event {found.first.version} does not follow, {what};"
            " put back a backup, or ask who changed it."
        )
    click.echo(f"Checked: {counts_in_words(found.checked)}.")
    for fault in found.differs:
        click.echo(f"Event {fault.version}: {fault.what.rstrip('.')}.")
    click.echo("The log holds, but see above." if found.differs else "The log holds, and all agrees.")


def counts_in_words(counts: Mapping[str, int]) -> str:
    """`1 turn, 2 seeds`, from plural nouns."""
    return ", ".join(
        f"{number:,} {what.removesuffix('s') if number == 1 else what}" for what, number in counts.items()
    )


def phase_in_words(told: dict[str, Any]) -> str:
    """Where a game stands, in a few words."""
    if told["phase"] == "ended":
        return "over"
    if told["phase"] == "signup":
        return "sign-up"
    return f"turn-{told['turn']} is open" + (f", due {told['deadline']}" if told["deadline"] else "")


def tell_status(told: dict[str, Any]) -> None:
    """A game's status for people."""
    click.echo(f"{told['game']}, {told['ruleset']}: {phase_in_words(told)}")
    if told["phase"] == "ended":
        return
    width = max(len(each["seat"]) for each in told["seats"])
    for each in told["seats"]:
        received = f"  {each['received']}" if each["received"] else ""
        problems = f"  {len(each['problems'])} unreadable" if each["problems"] else ""
        program = f"  played by a program: {each['program']}" if "program" in each else ""
        click.echo(f"  {each['seat']:{width}}  {each['state']:8}{received}{problems}{program}")


def tell_tree(value: Any, indent: str = "") -> None:
    """JSON as an outline for people."""
    items: Sequence[tuple[Any, Any]]
    items = list(value.items()) if isinstance(value, dict) else [("-", item) for item in value]
    for name, item in items:
        label = name if name == "-" else f"{name}:"
        if isinstance(item, dict | list) and item and not _is_short(item):
            click.echo(f"{indent}{label}")
            tell_tree(item, f"{indent}  ")
        else:
            click.echo(f"{indent}{label} {_short(item)}")


def _is_short(item: Any) -> bool:
    parts = item.values() if isinstance(item, dict) else item
    return not any(isinstance(part, dict | list) for part in parts) and len(_short(item)) <= 80


def _short(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{name} {_short(part)}" for name, part in item.items()) or "none"
    if isinstance(item, list):
        return ", ".join(map(_short, item)) or "none"
    return (
        {True: "yes", False: "no"}[item] if isinstance(item, bool) else "none" if item is None else str(item)
    )


def tell_outcome(outcome: "Outcome") -> None:
    """One side of an order line: what became of it, and against what chance."""
    from pbem.reports.words import VERDICTS, odds_in_words
    from pbem.rulesets.model import plain_text

    text = plain_text(outcome.text)
    click.echo(f"  {outcome.label or VERDICTS[outcome.verdict]}{f': {text}' if text else ''}")
    for odds in outcome.odds:
        click.echo(f"    {odds_in_words(odds)}")
