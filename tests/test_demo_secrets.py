"""Every byte that a side or the public gets of the demonstration battle, searched for what is hidden.

The archive is kept as it stands after each turn. What is hidden is told by the ruleset alone, which
knows no reports; the GM's files, in which all of it must be found, show that the search can see.
"""

import html
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.demo import play as play_demo
from pbem.dice import order_key, throw, turn_seed
from pbem.rulesets.magic.names import AMBUSH, HIDING, SIDES, SKILLS, STEALTH
from pbem.rulings import parse_rulings
from tests.commands import pbem
from tests.test_demo_magic import FILES, LENGTH, SECRET, TABLE, Played, play

GAME = "hayrick"
READERS = ("public", *SIDES)
LAST = LENGTH - 1
"""The last turn after which anything is hidden: then the battle has ended."""
HEIGHT = 800
ROOT = Path(__file__).parent.parent
PARAGRAPHS = tuple(
    ruling.text
    for ruling in parse_rulings((ROOT / "docs/rules/magic.md").read_text(encoding="utf-8")).values()
)


# What there is to find


@dataclass(frozen=True)
class Hidden:
    """Something that a reader may not find in what he has after turns `since` to `until`.

    It is there where one of the `words` is, and the `pattern` fits.
    """

    what: str
    words: tuple[str, ...]
    pattern: str
    since: int
    until: int
    of: str
    """The side whose secret it is."""


def text_hidden(what: str, text: str, since: int, until: int, of: str) -> Hidden:
    return Hidden(what, (squeezed(text),), loose(text), since, until, of)


def squeezed(text: str) -> str:
    """A text with one blank wherever it has any."""
    return " ".join(text.split())


def loose(text: str) -> str:
    """A text apart from what surrounds it."""
    return rf"(?<!\w){re.escape(squeezed(text))}(?!\w)"


@cache
def played() -> tuple[Played, ...]:
    return tuple(play())


@cache
def sides() -> dict[str, str]:
    return {name: figure.side for name, figure in played()[0].after.figures.items()}


def numbers(*parts: str) -> str:
    """These numbers in a row, whatever stands between them."""
    return r"(?<![\d.])" + r"[^\d\n]{1,30}?".join(map(re.escape, parts)) + r"(?!\.?\d)"


def cm(length: int) -> str:
    whole, tenth = divmod(length, 10)
    return f"{whole}.{tenth}" if tenth else str(whole)


def place_pattern(at: tuple[int, int]) -> str:
    """A place in millimetres, on a map whose y grows downwards too, or in centimetres."""
    x, y = at
    ways = ((str(x), str(y)), (str(x), str(HEIGHT - y)), (cm(x), cm(y)))
    return "|".join(numbers(one, other) for one, other in ways)


def hidden_places() -> Iterator[Hidden]:
    """Where figures stood unseen, until somebody sees them there."""
    unseen: dict[tuple[str, tuple[int, int]], int] = {}
    shown: dict[tuple[str, tuple[int, int]], int] = {}
    for turn in played():
        state = turn.before
        from pbem.rulesets.magic import RULESET

        for event in turn.events:
            state = RULESET.evolve(state, event)
            for name, figure in state.figures.items():
                hides = {AMBUSH, STEALTH, HIDING} & figure.states.keys()
                (unseen if hides else shown).setdefault((name, figure.at), turn.turn)
    for (name, at), since in unseen.items():
        until = shown.get((name, at), LENGTH) - 1
        if until >= since:
            until = min(until, LAST)
            yield Hidden(
                f"{name} at {at}", (str(at[0]), cm(at[0])), place_pattern(at), since, until, sides()[name]
            )


def unused_skills() -> dict[tuple[str, str], int]:
    """Figures and their skills, with the last turn after which the enemy cannot know of it."""
    used: dict[tuple[str, str], int] = {}
    for turn in played():
        for event in turn.events:
            if event.kind == "skill_used":
                used.setdefault((event.figure, event.skill), turn.turn)
            elif event.kind == "flatulence_thrown" and event.attack:
                used.setdefault((event.figure, "flatulence"), turn.turn)
    return {
        (name, skill): used.get((name, skill), LENGTH) - 1
        for name, figure in played()[0].after.figures.items()
        for skill in figure.skills
    }


def hidden_throws() -> Iterator[Hidden]:
    for turn in played():
        for event in turn.events:
            owner = sides().get(getattr(event, "figure", None) or "", "")
            if event.kind == "skills_thrown":
                owner = sides()[played()[0].after.field.units[event.unit].members[0]]
            elif event.kind != "flatulence_thrown" or event.attack:
                continue
            for die in event.dice:
                yield text_hidden(die.key, die.key, turn.turn, LAST, owner)


def order_lines() -> Iterator[Hidden]:
    """Every order line, and what its writer thought beside it."""
    from tests.test_demo_magic import read

    for path in FILES:
        turn = int(path.parent.name[5:])
        for line in read(path).lines:
            yield text_hidden(f"{path}:{line.number}", line.text, turn, LAST, path.stem)
        for comment in comments(path):
            yield text_hidden(f"{path}: # {comment}", comment, turn, LENGTH, path.stem)


def comments(path: Path) -> Iterator[str]:
    for line in path.read_bytes().decode("cp1252").splitlines():
        if "#" in line and not line.startswith("press"):
            yield line.split("#", 1)[1].strip()


def keys() -> Iterator[Hidden]:
    for side in SIDES:
        for turn in range(LENGTH + 2):
            for issue in (1, 2):
                key = order_key(SECRET, GAME, turn, side, issue)
                for form in (key, key.replace("-", ""), key.lower(), key.replace("-", "").lower()):
                    yield text_hidden(f"key of {side} for turn {turn}", form, 0, LENGTH, side)


def players() -> Iterator[Hidden]:
    for player in TABLE["players"]:
        for word in (player["email"], player["name"]):
            yield text_hidden(word, word, 0, LENGTH, player["seat"])


def seeds() -> Iterator[Hidden]:
    """What nobody may know: the secret and the seed of turn 0 to the end, each other seed till its turn."""
    yield text_hidden("the secret", SECRET.hex(), 0, LAST, "")
    yield text_hidden("seed of turn 0", turn_seed(SECRET, 0).hex(), 0, LAST, "")
    for turn in range(1, LENGTH + 2):
        yield text_hidden(f"seed of turn {turn}", turn_seed(SECRET, turn).hex(), 0, min(turn, LENGTH) - 1, "")


KINDS = {
    "places": hidden_places, "throws": hidden_throws, "orders": order_lines, "keys": keys,
    "players": players, "seeds": seeds,
}  # fmt: skip


# Where to look


@dataclass(frozen=True)
class Shelf:
    """The archive as it stood after each turn."""

    folder: Path

    def files(self, turn: int, reader: str) -> list[Path]:
        """All that a reader has: the public's files, and his own."""
        kept = self.folder / str(turn)
        if reader == "gm":
            return sorted(path for path in (kept / "gm").rglob("*") if path.is_file())
        found = [kept / "reports", *([kept / "players" / reader] if reader in SIDES else [])]
        return sorted(path for folder in found for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("magic")
    game, kept = folder / GAME, folder / "kept"

    def keep(sentence: str) -> None:
        if found := re.match(r"turn-(\d+): ", sentence):
            for part in ("reports", "players", "gm"):
                shutil.copytree(game / part, kept / found[1] / part)

    warnings: list[str] = []
    play_demo(game, "magic", tell=keep, warn=warnings.append)
    assert not warnings
    assert sorted(path.name for path in kept.iterdir()) == [str(turn) for turn in range(LENGTH + 1)]
    return Shelf(kept)


@cache
def forms(path: Path) -> tuple[str, ...]:
    """A file as it is, and as a reader sees it, without its tags."""
    return forms_of(path.read_text(encoding="utf-8"), tagged=path.suffix in {".html", ".svg", ".xml"})


@cache
def forms_of(raw: str, *, tagged: bool) -> tuple[str, ...]:
    found = [raw, html.unescape(raw)]
    if tagged:
        found += [html.unescape(re.sub(r"<[^>]*>", gap, raw)) for gap in ("", " ")]
    return tuple(dict.fromkeys(map(squeezed, found)))


@cache
def found_in(texts: tuple[str, ...], kind: str) -> frozenset[Hidden]:
    """What of a kind a file holds, whoever may or may not know of it then."""
    return frozenset(
        each
        for each in hidden_of(kind)
        if any(any(word in text for word in each.words) and re.search(each.pattern, text) for text in texts)
    )


@cache
def hidden_of(kind: str) -> tuple[Hidden, ...]:
    return tuple(KINDS[kind]())


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_hidden_is_found(shelf: Shelf, kind: str, reader: str) -> None:
    assert any(each.of != reader for each in hidden_of(kind))
    leaks = [
        f"{each.what} in {path.relative_to(shelf.folder)}"
        for turn in range(LENGTH + 1)
        for path in shelf.files(turn, reader)
        for each in found_in(forms(path), kind)
        if each.of != reader and each.since <= turn <= each.until
    ]
    assert not leaks, "\n".join(sorted(leaks)[:40])


@pytest.mark.parametrize("kind", ["places", "throws", "orders"])
def test_the_search_can_see(shelf: Shelf, kind: str) -> None:
    """In the GM's files all of it is found, comments apart."""
    found = {each for path in shelf.files(LENGTH, "gm") for each in found_in(forms(path), kind)}
    assert [each.what for each in hidden_of(kind) if each not in found and ": # " not in each.what] == []


# When it is over


@pytest.mark.parametrize("kind", ["places", "throws", "orders"])
def test_when_the_battle_has_ended_everything_is_public(shelf: Shelf, kind: str) -> None:
    """Of every turn, not of the last alone; comments stay their writers'."""
    found = {each for path in shelf.files(LENGTH, "public") for each in found_in(forms(path), kind)}
    assert [each.what for each in hidden_of(kind) if each not in found and ": # " not in each.what] == []


def test_the_end_reveals_the_seed_of_turn_0(shelf: Shelf) -> None:
    seed = turn_seed(SECRET, 0).hex()
    told = [path.name for path in shelf.files(LENGTH, "boche") if seed in path.read_text(encoding="utf-8")]
    last = f"turn-{LENGTH}"
    assert sorted(told) == sorted(
        ["index.html", f"{last}.json", f"{last}.json", f"{last}.html", f"{last}.txt"]
    )


def test_audit_checks_the_revealed_seed_of_turn_0(shelf: Shelf, tmp_path: Path) -> None:
    shutil.copytree(shelf.folder / str(LENGTH) / "reports", tmp_path / "reports")
    assert pbem("audit", tmp_path / "reports").status == 0
    for turn in ("turn-0", f"turn-{LENGTH}"):
        (tmp_path / "reports" / turn / f"{turn}.json").unlink()
    pages = [tmp_path / "reports" / turn / "index.html" for turn in ("turn-0", f"turn-{LENGTH}")]
    assert pbem("audit", *pages).status == 0
    seed = turn_seed(SECRET, 0).hex()
    pages[1].write_text(pages[1].read_text("utf-8").replace(seed, seed[::-1]), "utf-8")
    audited = pbem("audit", *pages)
    assert audited.status == 1
    assert "the seed of turn 0, revealed at the end, is not the one committed to" in audited.err


def test_an_end_that_was_reopened_hides_again(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / GAME
    play_demo(folder, "magic", tell=lambda _: None, warn=lambda _: None)
    assert pbem("-C", folder, "reopen", f"turn-{LENGTH}", "--reason", "A slip.").status == 0
    for turn in range(LENGTH):
        name = f"reports/turn-{turn}/index.html"
        data = json.loads((folder / f"reports/turn-{turn}/turn-{turn}.json").read_text("utf-8"))
        kept = shelf.folder / str(LAST) / f"reports/turn-{turn}/turn-{turn}.json"
        assert data["events"] == json.loads(kept.read_text("utf-8"))["events"], name
    checked = pbem("-C", folder, "verify", "--json").json()
    assert (checked["ok"], checked["differs"]) == (True, [])


# Names and skills: words that may stand in other places, so that places are looked at one by one


@cache
def own_words(reader: str) -> tuple[str, ...]:
    """The reader's own orders, anybody's press, and the paragraphs of the rules, the longest first."""
    from tests.test_demo_magic import read

    said = list(PARAGRAPHS)
    for path in FILES:
        sheet = read(path)
        said += [press.text for press in sheet.press]
        for line in sheet.lines if path.stem == reader else ():
            said += [line.text, line.order, *line.order.split(" else ")]
    return tuple(sorted({squeezed(each) for each in said}, key=len, reverse=True))


def without_own_words(text: str, reader: str) -> str:
    text = squeezed(text)
    for words in own_words(reader):
        text = text.replace(words, " ")
    return text


def turn_files(shelf: Shelf, turn: int, reader: str) -> list[Path]:
    """What a reader gets of one turn, as he gets it."""
    return [
        path
        for path in shelf.files(turn, reader)
        if re.search(rf"turn-{turn}\b|map-{turn}\b", str(path.relative_to(shelf.folder / str(turn))))
    ]


def unseen_all_turn() -> Iterator[tuple[int, str]]:
    """Turns and the figures that nobody of the other side sees in any moment of them."""
    for turn in played():
        for name, figure in turn.before.figures.items():
            hides = {AMBUSH, STEALTH, HIDING}
            at_start = hides & figure.states.keys() or (turn.turn == 0)
            told = any(
                event.kind in {"figure_seen", "ambush_sprung"} and name in str(event) for event in turn.events
            )
            if at_start and hides & turn.after.figures[name].states.keys() and not told:
                yield turn.turn, name


def test_figures_that_are_not_seen_are_not_named(shelf: Shelf) -> None:
    unseen = list(unseen_all_turn())
    assert {name for _, name in unseen} == {"del", "tib", "wat", "hob", "nell", "skraggus"}
    leaks = [
        f"{name} in {path.relative_to(shelf.folder)}"
        for turn, name in unseen
        for reader in READERS
        if reader != sides()[name]
        for path in turn_files(shelf, turn, reader)
        if re.search(rf"\b{name}\b", without_own_words(visible(path), reader))
    ]
    assert not leaks, "\n".join(leaks)


def test_these_searches_can_see_too(shelf: Shelf) -> None:
    """In the GM's files the unseen are named, and skills told from turn 0 on."""
    for turn, name in unseen_all_turn():
        files = turn_files(shelf, turn, "gm")
        assert any(re.search(rf"\b{name}\b", without_own_words(visible(path), "gm")) for path in files)
    told = {
        (name, skill) for path in turn_files(shelf, 0, "gm") for name, skill, _ in naming_both(path, "gm")
    }
    assert told >= unused_skills().keys()


def visible(path: Path) -> str:
    """What a reader can make out of a file: a page's text and its attributes, not the names of its tags."""
    raw = forms(path)[0]
    if path.suffix not in {".html", ".svg", ".xml"}:
        return raw
    raw = re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", raw)
    return html.unescape(re.sub(r"</?[a-zA-Z]+\b", " ", raw))


@cache
def pieces(path: Path) -> tuple[str, ...]:
    """The parts of a file that tell one thing each: events, entries, sentences, rows."""
    return tuple(map(squeezed, raw_pieces(path)))


def raw_pieces(path: Path) -> Iterator[str]:
    if path.suffix == ".json":
        yield from json_pieces(json.loads(path.read_text(encoding="utf-8")))
    elif path.suffix == ".txt":
        text = path.read_text(encoding="utf-8")
        yield from re.split(r"\n\s*\n|\n(?=\s*[-\d>#*])", text)
    else:
        text = re.sub(
            r"</(?:p|li|tr|td|div|h\d|dd|dt|text|title|desc|g)>", "\n", path.read_text(encoding="utf-8")
        )
        yield from visible_lines(text)


def visible_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield html.unescape(re.sub(r"<[^>]*>", " ", line))


def json_pieces(value: Any) -> Iterator[str]:
    """Whole events and single fields, each with the name under which it stands."""
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, dict | list):
                yield from json_pieces(part)
            yield f"{name}: {json.dumps(part)}" if not isinstance(part, list) else name
        if "kind" in value:
            yield json.dumps(value)
    elif isinstance(value, list):
        for part in value:
            yield from json_pieces(part)


def naming_both(path: Path, reader: str) -> Iterator[tuple[str, str, str]]:
    """Figures and skills of which a piece of a file tells together, naming nobody else who has the skill."""
    figures = played()[0].after.figures
    for piece in pieces(path):
        if not any(skill in piece for skill in SKILLS):
            continue
        left = without_own_words(piece, reader)
        skills = [skill for skill in SKILLS if re.search(loose(skill), left)]
        named = [name for name in figures if skills and re.search(rf"\b{name}\b", left)]
        for skill in skills if len(named) <= 4 else ():
            able = [name for name in named if skill in figures[name].skills]
            if len(able) == 1:
                yield able[0], skill, piece


@pytest.mark.parametrize("reader", READERS)
def test_skills_are_not_told_before_their_first_use(shelf: Shelf, reader: str) -> None:
    unused = unused_skills()
    leaks = [
        f"{name}: {skill} in {path.relative_to(shelf.folder)}: {piece[:200]}"
        for turn in range(LAST + 1)
        for path in turn_files(shelf, turn, reader)
        for name, skill, piece in naming_both(path, reader)
        if sides()[name] != reader and turn <= unused[name, skill]
    ]
    assert not leaks, "\n".join(leaks[:20])


def test_no_skills_of_the_enemy_are_data(shelf: Shelf) -> None:
    """Whatever a turn's JSON calls `skills` of an enemy has been used."""
    unused = unused_skills()

    def walk(value: Any, name: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            for key, part in value.items():
                yield from walk(part, key if key in sides() else name)
        elif isinstance(value, list):
            for part in value:
                yield from walk(part, name)
        elif value in SKILLS:
            yield name, str(value)

    for reader in READERS:
        for turn in range(LAST + 1):
            for path in turn_files(shelf, turn, reader):
                if path.suffix == ".json":
                    position = json.loads(path.read_text(encoding="utf-8")).get("position", {})
                    for name, skill in walk(position, ""):
                        assert sides().get(name, reader) == reader or unused.get((name, skill), -1) < turn


# With all seeds in hand


def texts(shelf: Shelf, turn: int, reader: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in shelf.files(turn, reader))


def known_throws(shelf: Shelf, turn: int, reader: str) -> dict[str, tuple[int, int]]:
    """The throws of turn 0 that a reader has been shown: by key, their sides and values."""
    found: dict[str, tuple[int, int]] = {}

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if value.keys() >= {"key", "sides", "value"} and str(value["key"]).split()[1:2] == ["0"]:
                found[value["key"]] = (value["sides"], value["value"])
            for part in value.values():
                walk(part)
        elif isinstance(value, list):
            for part in value:
                walk(part)

    for path in shelf.files(turn, reader):
        if path.suffix == ".json":
            walk(json.loads(path.read_text(encoding="utf-8")))
    return found


def every_seed(text: str) -> set[bytes]:
    """Everything in the files that could be a seed: each run of 64 hex digits, and what it hashes to."""
    import hashlib

    printed = {bytes.fromhex(digits) for digits in re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", text)}
    return printed | {hashlib.sha256(seed).digest() for seed in printed} | {
        turn_seed(seed, 0) for seed in printed
    }  # fmt: skip


def enemy_skills(shelf: Shelf, turn: int, reader: str, *given: bytes) -> dict[str, set[str]]:
    """The spy's script: a seed under which his own throws of turn 0 come out tells the enemy's too."""
    own = known_throws(shelf, turn, reader)
    fitting = [
        seed
        for seed in (*given, *every_seed(texts(shelf, turn, reader)))
        if own and all(throw(seed, key, sides) == value for key, (sides, value) in own.items())
    ]
    return {
        name: {SKILLS[throw(seed, f"skill 0 {name} {number}", 10) - 1] for number in (1, 2)}
        for seed in fitting
        for name, side in sides().items()
        if side != reader
    }


@pytest.mark.parametrize("reader", SIDES)
def test_no_seed_tells_the_skills_of_the_enemy(shelf: Shelf, reader: str) -> None:
    assert len(known_throws(shelf, LAST, reader)) >= 5
    for turn in range(LAST + 1):
        assert enemy_skills(shelf, turn, reader) == {}


@pytest.mark.parametrize("reader", SIDES)
def test_with_the_seed_of_turn_0_the_same_script_learns_everything(shelf: Shelf, reader: str) -> None:
    found = enemy_skills(shelf, LAST, reader, turn_seed(SECRET, 0))
    truth = {
        name: set(figure.skills)
        for name, figure in played()[0].after.figures.items()
        if figure.side != reader and figure.skills
    }
    assert truth
    assert all(found[name] == skills for name, skills in truth.items())


def test_the_seeds_of_played_turns_are_public(shelf: Shelf) -> None:
    """So that the test above has tried the real ones."""
    for turn in range(1, LENGTH):
        assert turn_seed(SECRET, turn) in every_seed(texts(shelf, turn, "public"))


@pytest.mark.parametrize("reader", READERS)
def test_no_shown_throw_is_of_something_hidden(shelf: Shelf, reader: str) -> None:
    """Each throw shown is one that was made, and names no one whom the reader has not seen in that turn."""
    made = {die.key for turn in played() for event in turn.events for die in getattr(event, "dice", ())}
    unseen = {(turn, name) for turn, name in unseen_all_turn() if sides()[name] != reader}
    for turn in range(LAST + 1):
        for path in turn_files(shelf, turn, reader):
            if path.suffix != ".json":
                continue
            for die in json.loads(path.read_text(encoding="utf-8"))["dice"]["throws"]:
                assert die["key"] in made
                assert not any((turn, word) in unseen for word in die["key"].split())
