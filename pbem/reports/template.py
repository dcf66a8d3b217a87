"""The order template at the end of a seat's own report: itself a valid order file."""

from pbem.reports.facts import TurnFacts
from pbem.rulesets.model import Report


def order_template(facts: TurnFacts, report: Report) -> str | None:
    """Header with the seat's next key, the ruleset's lines, `end`; None for who has nothing to send."""
    key = facts.keys.get(report.reader)
    if key is None or facts.ended:
        return None
    header = (
        f"game: {facts.game}",
        f"turn: {facts.turn + 1}",
        f"player: {report.reader}",
        f"key: {key}",
    )
    return "\n".join((*header, "", *report.template, "", "end"))
