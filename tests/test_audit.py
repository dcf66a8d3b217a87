"""`audit`: archived reports alone, as JSON and as HTML; the same checks by a second program under node."""

import json
import random
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests import golden
from tests.commands import pbem
from tests.scale import scaled

SECOND = Path(__file__).parent / "audit.mjs"
DIGITS = b"0123456789"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The public folders of golden games, and their players'."""
    top = tmp_path_factory.mktemp("archives")
    names = ("duel", "glade-cup", "haycock")
    for name in names:
        golden.unpack(golden.GAMES / f"{name}.jsonl", top / name)
        assert pbem("-C", top / name, "report").status == 0
    return {name: top / name for name in names}


@pytest.fixture
def cup(archives: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(archives["glade-cup"], tmp_path / "glade-cup"))


@pytest.fixture
def haycock(archives: dict[str, Path], tmp_path: Path) -> Path:
    """A game of Magic that has ended: nothing of it can be followed, but all its dice are out."""
    return Path(shutil.copytree(archives["haycock"], tmp_path / "haycock"))


def audited(*paths: Path) -> str:
    ran = pbem("audit", *paths)
    return ran.out if ran.status == 0 else ran.sentence


def turn_file(folder: Path, turn: int) -> Path:
    return folder / f"reports/turn-{turn}/turn-{turn}.json"


def changed(path: Path, *keys: Any, to: Any, sealed: bool = True) -> None:
    """The file with one value changed, and its last line made good again if `sealed`."""
    table = json.loads(path.read_bytes())
    place = table
    for key in keys[:-1]:
        place = place[key]
    assert place[keys[-1]] != to
    place[keys[-1]] = to
    digest = table.pop("sha256")
    lines = [f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False, separators=(',', ':'))},\n"
             for key, value in table.items()]  # fmt: skip
    text = ("{\n" + "".join(lines)).encode()
    digest = sha256(text).hexdigest() if sealed else digest
    path.write_bytes(text + f'"sha256":"{digest}"\n}}\n'.encode())


def second(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["node", str(SECOND), str(folder)], capture_output=True, text=True, check=False)


needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="the second implementation runs under node"
)


# All that agrees.


@pytest.mark.parametrize("name", ["duel", "glade-cup"])
def test_all_agrees_from_the_public_files_alone(archives: dict[str, Path], name: str) -> None:
    _, rows = golden.read(golden.GAMES / f"{name}.jsonl")
    turns = sum(row.kind == "turn_closed" for row in rows)
    told = audited(archives[name] / "reports")
    assert f"{turns} seeds" in told
    assert f"{turns} turns.\n" in told
    assert told.endswith("All that was checked agrees.\n")


@needs_node
@pytest.mark.parametrize("name", ["duel", "glade-cup"])
def test_a_second_implementation_agrees(archives: dict[str, Path], name: str) -> None:
    _, rows = golden.read(golden.GAMES / f"{name}.jsonl")
    ran = second(archives[name] / "reports")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = json.loads(ran.stdout.removeprefix("All agree: "))
    closings = [place for place, row in enumerate(rows) if row.kind == "turn_closed"]
    assert counts["files"] == counts["seeds"] == counts["commitments"] == len(closings)
    assert counts["throws"] == sum(len(json.loads(row.data).get("dice") or ()) for row in rows)


def test_html_pages_alone_give_seeds_throws_and_the_chain(archives: dict[str, Path]) -> None:
    pages = sorted((archives["glade-cup"] / "reports").rglob("turn-*/**/index.html"))
    told = audited(*pages)
    assert "198 rows, 7 seeds, 26 throws" in told
    assert "outcomes could not be followed" in told


def test_a_players_own_reports(archives: dict[str, Path]) -> None:
    own = sorted((archives["glade-cup"] / "players/azure").glob("turn-*.*"))
    told = audited(*(path for path in own if path.suffix in {".json", ".html"}))
    assert "14 files, 0 rows, 14 seeds" in told


def test_one_file_and_a_gap(archives: dict[str, Path]) -> None:
    folder = archives["duel"]
    assert audited(turn_file(folder, 0)).endswith("1 turn.\nAll that was checked agrees.\n")
    assert "the files do not go without a gap from turn 0" in audited(turn_file(folder, 3))
    assert "are in none of these files" in audited(turn_file(folder, 0), turn_file(folder, 4))


# What does not.

LIES: dict[str, tuple[int, tuple[Any, ...], Any, str]] = {
    "a seed": (1, ("dice", "seed"), "00" * 32, "is not the one that was committed to"),
    "a commitment": (3, ("dice", "commitment"), "00" * 32, "committed to"),
    "a promise": (3, ("dice", "next_commitment"), "00" * 32, "next_commitment is not what its own rows say"),
    "a throw": (4, ("dice", "throws", 0, "value"), 11, "is told as 11"),
    "a die": (4, ("dice", "throws", 0, "sides"), 0, "which is not what the dice gave"),
    "a beacon": (4, ("dice", "beacon"), "1", "is not what the dice gave"),
    "an outcome": (4, ("events", 0, "rules"), [], "events is not what its own rows say"),
    "an order": (3, ("orders", "crimson"), [], "the outcomes do not follow from the orders"),
    "who was missing": (3, ("missing",), ["amber"], "missing is not what its own rows say"),
    "the position": (3, ("position", "wizards", "crimson", "reserve"), 999, "position is not what its"),
    "a row's time": (3, ("rows", 2, "at"), "2026-12-24T00:00:00.000000Z", "the hash of row"),
    "a row's data": (3, ("rows", -1, "data"), "{}", "are not those of which the digest is shown"),
    "a row's place": (3, ("rows", 3, "version"), 9, "the hash of row 9"),
    "the log's hash": (3, ("log", "hash"), "00" * 32, "is not that of its last row"),
    "the game": (3, ("game",), "other", "the hash of row"),
    "the secret": (3, ("dice", "secret"), "00" * 32, "its secret is not the one"),
    "the secret's hash": (3, ("dice", "secret_hash"), "00" * 32, "its secret is not the one"),
    "the time": (3, ("closed_at",), "2026-12-24T00:00:00.000000Z", "closed_at is not what its own rows say"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_a_lie_in_one_file(cup: Path, name: str) -> None:
    turn, keys, value, told = LIES[name]
    changed(turn_file(cup, turn), *keys, to=value)
    sentence = audited(cup / "reports")
    assert told in sentence
    assert "turn-" in sentence


def test_a_file_exchanged_for_one_of_another_history(cup: Path, archives: dict[str, Path]) -> None:
    shutil.copy(turn_file(archives["duel"], 3), turn_file(cup, 3))
    assert audited(cup / "reports") != audited(turn_file(archives["duel"], 3))
    assert "is of another game than" in audited(turn_file(cup, 2), turn_file(archives["duel"], 3))


def test_two_players_told_differently(cup: Path) -> None:
    changed(cup / "players/azure/turn-3.json", "dice", "next_commitment", to="ab" * 32)
    assert "disagree about turn 3" in audited(
        *(cup / f"players/{seat}/turn-3.json" for seat in ("crimson", "azure"))
    )


def test_a_turn_reopened_quietly(cup: Path) -> None:
    """A player kept the first report of turn 2; the archive says nothing of it."""
    kept = cup / "kept.json"
    shutil.copy(cup / "reports/turn-2/attempt-1/turn-2.json", kept)
    changed(kept, "void", to=None)
    assert "All that was checked agrees." in audited(kept, cup / "reports")
    shutil.rmtree(cup / "reports/turn-2/attempt-1")
    told = audited(kept, cup / "reports")
    assert "two different adjudications of turn 2" in told


def test_a_page_that_lies_beside_its_file(cup: Path) -> None:
    page = cup / "reports/turn-3/index.html"
    page.write_text(page.read_text("utf-8").replace("Refused", "Allowed", 1), "utf-8")
    assert "index.html, which lies beside it, is not the file" in audited(turn_file(cup, 3))


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ('<td class="num">10</td><td class="num">', '<td class="num">10</td><td class="num">1', "is told as"),
        (
            'revealed now</dt><dd class="hash" data-d="seed">',
            'revealed now</dt><dd class="hash" data-d="seed">0',
            "committed to",
        ),
        ('data-digest="', 'data-digest="0', "the hash of row"),
        ('data-at="2', 'data-at="3', "the hash of row"),
        ('data-prev="', 'data-prev="0', "the hash of row"),
    ],
)
def test_a_page_changed(cup: Path, was: str, now: str, told: str) -> None:
    page = cup / "reports/turn-3/index.html"
    text = page.read_text("utf-8")
    assert was in text
    page.write_text(text.replace(was, now, 1), "utf-8")
    assert told in audited(page)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", "<html>", "{" * 9000, '{"a":' * 9000, '{"game":1}', "\udcff", "9" * 9000,
     '<section id="dice"><dt>Event log</dt><dd>x</dd></section>', '<tr data-><table id="rows">'],
)  # fmt: skip
def test_what_is_no_report(tmp_path: Path, text: str) -> None:
    path = tmp_path / "turn-1.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "is no report" in pbem("audit", path).sentence


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert "No such file" in pbem("audit", tmp_path / "turn-1.json").sentence
    assert "holds no turn's JSON" in pbem("audit", tmp_path).sentence
    assert pbem("audit").status == 2


# What only the report of the turn before, the end, or the rows can tell.


def test_a_commitment_that_no_file_but_its_own_vouches_for_is_said(archives: dict[str, Path]) -> None:
    own = archives["duel"] / "players/crimson"
    told = audited(own / "turn-4.json")
    assert "commitment of turn 4 is the one promised before: no report of turn 3 is among these files" in told
    assert "the chain of the log from report to report" in told
    told = audited(own / "turn-4.json", own / "turn-3.html")
    assert "commitment of turn 4" not in told
    assert "commitment of turn 3" in told


def test_a_game_that_hides_something_is_audited_whole_once_its_secret_is_out(haycock: Path) -> None:
    told = audited(haycock / "reports", *sorted(haycock.glob("players/*/turn-*.html")))
    # With turn 0's, which no report reveals before the last.
    assert "21 files, 0 rows, 21 seeds" in told
    assert "is the SHA-256 that the GM gave out when the game was made" in told
    assert "Not checked: whether 'round 4471 a3', mixed in for turn 1, is the first drand round" in told


def without_secret(folder: Path) -> list[Path]:
    """Its public files as they were before `end`."""
    paths = sorted((folder / "reports").rglob("turn-*.json"))
    for path in paths:
        changed(path, "dice", "secret", to=None)
    return paths


def test_the_last_report_reveals_the_seed_of_turn_0(haycock: Path) -> None:
    paths = without_secret(haycock)
    told = audited(*paths)
    assert "7 files, 0 rows, 6 seeds" in told  # all but that of the void turn 0
    for turn in (0, 2):
        assert f"whether the commitment of turn {turn} is the one in the notice of its reopening" in told
    for path in paths:
        if "turn-3" in path.name:
            changed(path, "dice", "first_seed", to="ab" * 32)
    assert "revealed at the end, is not the one committed to" in audited(*paths)
    page = (haycock / "reports/turn-3/index.html").read_text("utf-8")
    assert "Seed of turn 0, hidden until now" in page
    assert "Seed of turn 0, hidden until now" in (haycock / "players/noman/turn-3.txt").read_text("utf-8")


def test_a_seed_that_does_not_come_from_the_secret(haycock: Path) -> None:
    """Promised and kept, but chosen when the position was known: only the secret tells."""
    chosen = "ab" * 32
    promise = sha256(bytes.fromhex(chosen)).hexdigest()
    pair = [turn_file(haycock, turn) for turn in (0, 1)]
    changed(pair[0], "dice", "next_commitment", to=promise)
    changed(pair[1], "dice", "commitment", to=promise)
    changed(pair[1], "dice", "seed", to=chosen)
    changed(pair[1], "dice", "throws", to=[])
    assert "promises for turn 1 does not come from the secret published at the end" in audited(*pair)
    assert "the seed of turn 1 does not come from the secret" in audited(pair[1])
    for path in pair:
        changed(path, "dice", "secret", to=None)
    assert "All that was checked agrees." in audited(*pair)


def test_a_turn_without_the_beacon_that_was_announced(haycock: Path) -> None:
    paths = without_secret(haycock)
    changed(turn_file(haycock, 2), "dice", "beacon", to=None)
    changed(turn_file(haycock, 2), "dice", "throws", to=[])
    assert "has no beacon, though one was announced: the first drand round of the day" in audited(*paths)


@pytest.mark.parametrize("kind", ["turn_reopened", "ruling_made", "seat_handed_over"])
def test_what_the_gm_did_by_hand_and_no_report_tells(cup: Path, kind: str) -> None:
    for path in (cup / "reports").rglob("turn-*.json"):
        if any(row["kind"] == kind for row in json.loads(path.read_bytes())["rows"]):
            changed(path, "hand", to=[])
    assert "it keeps quiet about something that the GM did by hand" in audited(cup / "reports")


def test_a_row_hidden_that_everybody_may_see(cup: Path) -> None:
    for path in (cup / "reports").rglob("turn-*.json"):
        rows = json.loads(path.read_bytes())["rows"]
        if any(row["kind"] == "ruling_made" for row in rows):
            hidden = [
                {key: value for key, value in row.items() if key not in {"salt", "data"}}
                if row["kind"] == "ruling_made"
                else row
                for row in rows
            ]
            changed(path, "rows", to=hidden)
    assert "ruling_made, is of a kind that is published, and is hidden" in audited(cup / "reports")


def test_what_a_file_says_does_not_move_about_on_the_screen(cup: Path) -> None:
    hostile = "\x1b[2Jthe \u202ebeacon"
    changed(turn_file(cup, 1), "dice", "beacon_rule", to=hostile)
    changed(turn_file(cup, 1), "rows", to=[])
    path = turn_file(cup, 3)
    changed(path, "ruleset_version", to=hostile)
    for ran in (pbem("audit", turn_file(cup, 1), turn_file(cup, 2)), pbem("audit", cup / "reports")):
        assert ran.out + ran.err
        assert "\x1b" not in ran.out + ran.err
        assert "\u202e" not in ran.out + ran.err


def test_a_version_pretended_to_excuse_outcomes(cup: Path) -> None:
    changed(turn_file(cup, 3), "ruleset_version", to="0")
    assert "says that it is of flux 0, but the log was begun with flux 1" in audited(cup / "reports")


# One changed digit anywhere.


def one_digit(path: Path, dice: random.Random) -> bytes:
    """The file with one of its digits changed; gives what it was."""
    data = path.read_bytes()
    place = dice.choice([at for at, byte in enumerate(data) if byte in DIGITS])
    other = dice.choice([digit for digit in DIGITS if digit != data[place]])
    path.write_bytes(data[:place] + bytes([other]) + data[place + 1 :])
    return data


@needs_node
def test_one_changed_digit_anywhere_is_found_by_both(cup: Path) -> None:
    """In any file of any turn: data, page and map."""
    dice = random.Random(4)
    files = [path for path in sorted((cup / "reports").rglob("*")) if path.is_file() and "turn-" in str(path)]
    assert len(files) == 21
    for number in range(scaled(400)):
        path = files[number % len(files)]
        was = one_digit(path, dice)
        ran = second(cup / "reports")
        assert ran.returncode == 1, (number, path)
        assert not ran.stderr, ran.stderr
        assert pbem("audit", cup / "reports").status == 1, (number, path)
        path.write_bytes(was)
    assert second(cup / "reports").returncode == 0


@needs_node
def test_one_changed_digit_of_the_proof_is_found_though_the_file_is_sealed_again(cup: Path) -> None:
    """Seeds, commitments, throws and rows, by somebody who makes the file's last line good again."""
    dice = random.Random(5)
    for number in range(scaled(200)):
        path = turn_file(cup, number % 6)
        was = path.read_bytes()
        table = json.loads(was)
        while True:
            part = dice.choice(["dice", "log", "rows"])
            text = json.dumps(table[part], ensure_ascii=False, separators=(",", ":"))
            place = dice.choice([at for at, sign in enumerate(text) if sign in "0123456789"])
            other = dice.choice([sign for sign in "123456789" if sign != text[place]])
            try:
                value = json.loads(text[:place] + other + text[place + 1 :])
            except ValueError:
                continue
            break
        changed(path, part, to=value)
        assert second(cup / "reports").returncode == 1, (number, part, place)
        assert pbem("audit", cup / "reports").status == 1, (number, part, place)
        path.write_bytes(was)
