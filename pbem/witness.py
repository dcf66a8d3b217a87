"""Reports as witnesses: what an archived turn JSON or HTML page tells of its turn's dice and log.

Reading only. Whether it is true is `audit`'s business.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pbem.errors import BadInput, reader_says, shown
from pbem.events import Json, Throw
from pbem.files import read_input
from pbem.reports.data import CHECKSUM
from pbem.rulesets.model import GM, PUBLIC
from pbem.store import public_hash

MAX_NAMES = 100
"""No game has more seats, no turn more files."""


class _Part(BaseModel):
    """A part of a turn's file, read strictly; what else a later version may add is let be.

    Of a list the first bad item says enough: a million of them would take gigabytes to tell.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", defer_build=True)


class PublicRow(_Part):
    """A row of the log as it is published; salt and data only if everybody may see them."""

    version: int
    turn: int
    kind: str
    schema_: int = Field(alias="schema")
    at: str
    prev: str
    digest: str
    hash: str
    salt: str | None = None
    data: str | None = None

    def hashed(self, game: str) -> str:
        """Its hash, from the eight elements that are published of every row."""
        return public_hash(
            self.prev, game, self.version, self.turn, self.kind, self.schema_, self.at, self.digest
        )

    def digested(self) -> str | None:
        """The digest of its salt and data; None if they are not published."""
        if self.salt is None or self.data is None:
            return None
        return sha256((self.salt + self.data).encode("utf-8", "surrogatepass")).hexdigest()


class Dice(_Part):
    """What a report tells of its turn's dice."""

    commitment: str
    secret_hash: str
    seed: str | None = None
    beacon: str | None = None
    next_commitment: str | None = None
    secret: str | None = None
    throws: tuple[Throw, ...] = Field((), fail_fast=True)
    attempt: int | None = None
    beacon_rule: str | None = None
    first_seed: str | None = None


class Reached(_Part):
    """What the log had reached when the turn closed."""

    version: int | None
    hash: str


class OrderText(_Part):
    """A line that counted."""

    line: int
    text: str


class Document(_Part):
    """A report, as far as it can be checked. Of an HTML page the fields from `closed_at` on are unknown."""

    game: str
    reader: str
    turn: int
    dice: Dice
    log: Reached
    void: str | None = None
    rows: tuple[PublicRow, ...] = Field((), fail_fast=True)
    closed_at: str | None = None
    ruleset: str | None = None
    ruleset_version: str | None = None
    missing: tuple[str, ...] = Field((), fail_fast=True)
    seats: tuple[str, ...] = Field((), fail_fast=True)
    orders: Mapping[str, Annotated[tuple[OrderText, ...], Field(fail_fast=True)]] = {}
    files: Mapping[str, str] = {}
    sha256: str | None = None
    everything: Mapping[str, Json] = {}
    """The whole file."""


@dataclass(frozen=True, slots=True)
class Witness:
    """One file and what it tells."""

    path: Path
    data: bytes
    document: Document

    @property
    def name(self) -> str:
        """The file, for messages."""
        return shown(self.path)

    @property
    def is_json(self) -> bool:
        """Whether it is the file for programs, which tells all that can be checked."""
        return bool(self.document.everything)


def read_witness(path: Path) -> Witness:
    """A turn's JSON file or HTML page; `BadInput` for what is neither."""
    data = read_input(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(
            f"{shown(path)} is no report: it is no UTF-8 text; name a turn's JSON or HTML."
        ) from None
    try:
        document = _from_json(text) if text.lstrip().startswith("{") else _from_html(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        told = f"{'.'.join(str(part) for part in first['loc']) or 'the whole'}: {first['msg']}"
    except (BadInput, ValueError, RecursionError) as error:
        told = reader_says(error)
    else:
        return Witness(path, data, document)
    raise BadInput(f"{shown(path)} is no report of a turn ({told}); name a turn's JSON or HTML.")


def _from_json(text: str) -> Document:
    everything = json.loads(text)
    # Here, since pydantic would keep the whole file once for each that it misses.
    for name, field in Document.model_fields.items():
        if field.is_required() and name not in everything:
            raise BadInput(f"it has no {name}")
    for name in ("orders", "files"):
        if isinstance(named := everything.get(name), dict) and len(named) > MAX_NAMES:
            raise BadInput(f"it has {len(named):,} {name}")
    return Document.model_validate_json(text).model_copy(update={"everything": everything})


def checksum_fault(witness: Witness) -> str:
    """What is wrong with a JSON file as a whole, by its last line; nothing if there is none."""
    written = witness.document.sha256
    if written is None:
        return ""
    place = witness.data.rfind(CHECKSUM.encode())
    if place < 0 or sha256(witness.data[:place]).hexdigest() != written:
        return "it was changed after it was written: its last line is not the SHA-256 of what stands before"
    return ""


# HTML: the section on the dice, by its words, as the reader sees it.

_TAG = re.compile(r"<[^<>]*>")
_LOG = re.compile(r"Event log(?:, version ([0-9]{1,9}))?")
_FOOT = re.compile(
    r"(?P<game>[a-z0-9][a-z0-9-]{0,39}), turn (?P<turn>[0-9]{1,6})"
    r"(?:, log version [0-9]{1,9})?</span></footer>"
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST = 5000
"""No label, hash or beacon on a page is longer."""


def _from_html(page: str) -> Document:
    section = page.partition('<section id="dice"')[2].partition("</section>")[0]
    pairs = dict(_definitions(section))
    reached = next((found for label in pairs if (found := _LOG.fullmatch(label))), None)
    foot = _FOOT.search(page[-2000:])
    if not section or reached is None or foot is None:
        raise BadInput("it has no section on the dice with the event log's hash")
    turn = int(foot["turn"])
    labelled = {
        key: next((text for label, text in pairs.items() if label.startswith(words)), None)
        for key, words in {
            "commitment": f"Commitment to the seed of turn {turn},",
            "seed": f"Seed of turn {turn}, revealed",
            "beacon": "Beacon of this turn",
            "next_commitment": f"Commitment to the seed of turn {turn + 1}",
            "secret_hash": "SHA-256 of the game",
            "secret": "The secret, published",
            "first_seed": "Seed of turn 0, hidden until now",
            "beacon_rule": "Beacon, agreed",
        }.items()
    }
    return Document.model_validate(
        {
            "game": foot["game"],
            "reader": _reader(page),
            "turn": turn,
            "void": "void" if '<p class="void"' in page else None,
            "dice": {**labelled, "attempt": _attempt(pairs, turn), "throws": tuple(_throws(section))},
            "log": {"version": int(reached[1]) if reached[1] else None, "hash": pairs[reached[0]]},
            "rows": tuple(_rows(section)),
        }
    )


def _attempt(pairs: Mapping[str, str], turn: int) -> int | None:
    """1 where the page says that the report of the turn before published the commitment; else unknown."""
    return 1 if f"Commitment to the seed of turn {turn}, published in the report" in " ".join(pairs) else None


def _definitions(section: str) -> Iterator[tuple[str, str]]:
    for piece in section.split("<dt>")[1:]:
        label, _, rest = piece.partition("</dt>")
        yield _text(label), _text(rest.partition("</dd>")[0])


def _text(markup: str) -> str:
    return html.unescape(_TAG.sub("", markup[:_LONGEST])).strip()


def _reader(page: str) -> str:
    who = page.partition('<p class="who">')[2].partition("</p>")[0]
    if "What everyone may see" in who:
        return PUBLIC
    return GM if "GM" in who else _text(who).removeprefix("Report for ")


def _throws(section: str) -> Iterator[dict[str, str | int]]:
    for piece in section.split("<tr><td><code>")[1:]:
        key, sides, value = _cells(piece)
        yield {"key": key, "sides": _number(sides), "value": _number(value)}


def _rows(section: str) -> Iterator[dict[str, str | int]]:
    table = section.partition('<table id="rows"')[2]
    prev = _attribute(table.partition(">")[0], "prev")
    for piece in table.split("<tr data-")[1:]:
        head, _, rest = piece.partition(">")
        version, kind, reached = _cells(rest)
        turn, schema, at, digest = (
            _attribute(f"data-{head}", name) for name in ("turn", "schema", "at", "digest")
        )
        yield {
            "version": _number(version),
            "turn": _number(turn),
            "kind": kind.removesuffix(" hidden"),
            "schema": _number(schema),
            "at": at,
            "prev": prev,
            "digest": digest,
            "hash": reached,
        }
        prev = reached


def _cells(row: str) -> tuple[str, str, str]:
    """The first three cells of a table's row as text; what is missing is empty."""
    cells = [_text(cell) for cell in row.partition("</tr>")[0].split("</td>", 3)[:3]]
    one, two, three = (*cells, "", "", "")[:3]
    return one, two, three


def _number(text: str) -> int:
    return int(text) if _NUMBER.fullmatch(text) else -1


def _attribute(head: str, name: str) -> str:
    return html.unescape(head.partition(f'data-{name}="')[2].partition('"')[0])
