"""What the host tells the pages beside a ruleset's report: names, dates, dice, press, the chain."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pbem.events import Throw
from pbem.rulesets.model import Reading, Report, Words


class Deadline(NamedTuple):
    """When orders are due: ISO in UTC, the same in words in the game's zone, and that zone."""

    at: str
    words: str
    zone: str


class Press(NamedTuple):
    """A player's message; `to` is a seat or None for everybody."""

    seat: str
    to: str | None
    text: str


class DiceFacts(NamedTuple):
    """This turn's dice: its commitment as published before, its seed if revealed, what comes next."""

    attempt: int
    commitment: str
    seed: str | None
    beacon: str | None
    beacon_rule: str | None
    next_commitment: str | None
    secret_hash: str
    secret: str | None = None
    """Published when the game has ended."""
    throws: tuple[Throw, ...] = ()
    """In the order thrown, those that rows public to this reader rest on."""
    first_seed: str | None = None
    """Of turn 0, where that had to stay hidden: revealed by the turn that ends the game."""


class ChainRow(NamedTuple):
    """A row of the log as strangers may see it: the eight hashed elements; salt and data if public."""

    version: int
    turn: int
    kind: str
    schema: int
    at: str
    prev: str
    digest: str
    hash: str
    salt: str | None = None
    data: str | None = None


class Ruling(NamedTuple):
    """A numbered ruling (`F5.2`) from docs/rules: its heading and its first paragraph."""

    number: str
    title: str
    text: str


class Attempt(NamedTuple):
    """A voided adjudication of a turn, kept beside the one that counts; `attempt` counts them from 1."""

    turn: int
    attempt: int
    reason: str


class TurnFacts(NamedTuple):
    """The host's part of all reports of one turn, whoever reads them, but for the fields by reader."""

    game: str
    ruleset: str
    ruleset_title: str
    ruleset_version: str
    pbem_version: str
    seats: tuple[str, ...]
    length: int
    turn: int
    ended: bool
    """Whether the game is over with this turn."""
    closed_at: str
    """When the turn was adjudicated, ISO in UTC: from the log, never from the clock."""
    missing: tuple[str, ...]
    """Seats that had sent nothing."""
    deadline: Deadline | None
    """Of the next turn, None if there is none or the game is over."""
    dice: DiceFacts
    log_hash: str
    log_version: int | None
    """None where the ruleset hides something: the number of rows would tell."""
    chain: tuple[ChainRow, ...]
    """The rows since the last report, up to the one that closed this turn's outcomes."""
    press: Mapping[str, tuple[Press, ...]]
    """By reader: what each may read."""
    notes: tuple[str, ...] = ()
    keys: Mapping[str, str] = MappingProxyType({})
    """By seat: the order key of the next turn."""
    rulings: Mapping[str, Ruling] = MappingProxyType({})
    """All of the ruleset's, by number."""
    orders_text: Mapping[str, tuple[tuple[int, str], ...]] = MappingProxyType({})
    """By seat, where public: the lines that counted, with their numbers, comments cut."""
    void: str | None = None
    """Why this adjudication no longer counts, where it does not: its pages then stand aside, marked."""
    voided: tuple[Attempt, ...] = ()
    """The earlier adjudications of this turn."""
    adjudication: int = 1
    """Which adjudication of this turn this is, the void ones counted too."""
    hand: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """By reader: what the GM did by hand since the last report, a sentence or two each."""
    programs: Mapping[str, str] = MappingProxyType({})
    """By seat, the program that played it."""


def known_to(facts: TurnFacts, report: Report) -> TurnFacts:
    """The facts with the throws that this reader knows of."""
    if report.throws is None:
        return facts
    return facts._replace(dice=facts.dice._replace(throws=report.throws))


class TurnSummary(NamedTuple):
    """One turn in the archive's index; `thumbnail` is SVG text whose ids are marked by the turn."""

    turn: int
    closed_at: str
    headline: Words
    thumbnail: str = ""
    readings: tuple[Reading, ...] = ()
    voided: tuple[Attempt, ...] = ()


class ArchiveFacts(NamedTuple):
    """The whole game for its index: the latest turn as everybody sees it, and a summary of every turn."""

    latest: TurnFacts
    report: Report
    turns: tuple[TurnSummary, ...]
