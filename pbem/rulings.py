"""The numbered rulings, from the Markdown pages of docs/rules: what `explain` and the reports cite."""

import re
from functools import cache

from pbem.reports.facts import Ruling
from pbem.rulesets import Files

_HEADING = re.compile(r"### (?P<number>[A-Z][0-9]+(?:\.[0-9]+)?) (?P<title>.+)")


@cache
def read_rulings(files: Files) -> dict[str, Ruling]:
    """A ruleset's rulings by number, in the page's order; none if it ships no page."""
    if not files.rulings:
        return {}
    return parse_rulings(files.path(files.rulings).read_text(encoding="utf-8"))


def parse_rulings(page: str) -> dict[str, Ruling]:
    """A heading `### F5.1 Title` each; its first paragraph is the ruling, its lines joined."""
    rulings: dict[str, Ruling] = {}
    for part in re.split(r"(?m)^(?=#)", page):
        heading, _, body = part.partition("\n")
        if found := _HEADING.fullmatch(heading.strip()):
            first = body.strip().split("\n\n", 1)[0]
            number = found["number"]
            rulings[number] = Ruling(number, found["title"].strip(), " ".join(first.split()))
    return rulings
