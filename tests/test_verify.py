"""`verify`: its three answers, and that every lie of a log is found where it first does not follow."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem import dice
from pbem.rulesets import find_ruleset
from pbem.store import Row, chained
from tests import golden
from tests.commands import Ran, Regatta, pbem

CUP = golden.GAMES / "glade-cup.jsonl"
ABOUT, ROWS = golden.read(CUP)
SECRET = bytes.fromhex(ABOUT["secret"])


def verified(folder: Path) -> dict[str, Any]:
    ran = pbem("-C", folder, "verify", "--json")
    told: dict[str, Any] = json.loads(ran.out)
    assert ran.status == (0 if told["ok"] else 1)
    assert (told["first"] is None) == told["ok"]
    return told


def rehashed(rows: list[Row]) -> list[Row]:
    """The log as somebody would write it who knows how, salts and all."""
    out: list[Row] = []
    for row in rows:
        after = out[-1] if out else None
        draft = (row.turn, row.kind, row.schema, row.data)
        out += chained(
            row.game,
            [golden.Draft(*draft)],
            after,
            at=row.at,
            salt=lambda version: dice.salt(SECRET, version),
        )
    return out


def forged(tmp_path: Path, change: Callable[[list[Row]], list[Row]]) -> Path:
    folder = golden.unpack(CUP, tmp_path / "glade-cup")
    (folder / "pbem.db").unlink()
    golden.write_log(folder / "pbem.db", rehashed(change(list(ROWS))))
    return folder


def first_of(kind: str, nth: int = 0) -> int:
    return [place for place, row in enumerate(ROWS) if row.kind == kind][nth]


def edited(kind: str, nth: int = 0, **fields: Any) -> Callable[[list[Row]], list[Row]]:
    """The nth event of a kind with other fields."""

    def change(rows: list[Row]) -> list[Row]:
        place = first_of(kind, nth)
        data = {**json.loads(rows[place].data), **fields}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        rows[place] = rows[place]._replace(data=text)
        return rows

    return change


def placed(of: str, nth: int = 0, **columns: Any) -> Callable[[list[Row]], list[Row]]:
    """The nth row of a kind with other columns."""

    def change(rows: list[Row]) -> list[Row]:
        place = first_of(of, nth)
        rows[place] = rows[place]._replace(**columns)
        return rows

    return change


def without(kind: str, nth: int = 0) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [row for place, row in enumerate(rows) if place != first_of(kind, nth)]


def thrown(value: int) -> Callable[[list[Row]], list[Row]]:
    def change(rows: list[Row]) -> list[Row]:
        data = json.loads(rows[first_of("spell_cast")].data)
        return edited("spell_cast", dice=[{**data["dice"][0], "value": value}])(rows)

    return change


def test_all_agrees(tmp_path: Path) -> None:
    folder = golden.unpack(CUP, tmp_path / "glade-cup")
    told = verified(folder)
    assert (told["ok"], told["first"], told["differs"]) == (True, None, [])
    assert list(told) == ["ok", "checked", "first", "differs"]
    assert pbem("-C", folder, "verify").out.endswith("The log holds, and all agrees.\n")


FORGERIES: dict[str, tuple[Callable[[list[Row]], list[Row]], str, str]] = {
    "another throw": (thrown(3), "spell_cast", "but the dice gave"),
    "another seed": (edited("turn_closed", 2, seed="0" * 64), "turn_closed", "committed to"),
    "another commitment": (edited("turn_closed", 1, next_commitment="0" * 64), "turn_closed", "commitment"),
    "another attempt": (edited("turn_closed", 3, attempt=9), "turn_closed", "attempt"),
    "another beacon": (edited("turn_closed", 1, beacon="1"), "", "but the dice gave"),
    "no beacon": (edited("turn_closed", 1, beacon=None), "turn_closed", "though one had been announced"),
    "another text": (edited("orders_received", text="hold"), "orders_received", "sha256"),
    "another key": (edited("key_issued", issue=7), "key_issued", "key 7"),
    "another reason for": (edited("turn_reopened", turn=0), "turn_reopened", "which was not the last one"),
    "other dice kept": (edited("turn_reopened", keep_dice=True), "turn_reopened", "attempt"),
    "another ruling": (
        edited("ruling_made", changes=[{"path": "wizards.crimson.reserve", "was": 1, "now": 33}]),
        "ruling_made",
        "was 1, but it was",
    ),
    "another secret": (edited("game_ended", secret="0" * 64), "game_ended", "hash was published"),
    "another turn": (placed("note_added", turn=9), "note_added", "its row says turn 9"),
    "an older time": (placed("note_added", at="2001-01-01T00:00:00.000000Z"), "note_added", "older"),
    "a newer schema": (placed("note_added", schema=2), "note_added", "install a newer pbem"),
    "another kind": (placed("note_added", kind="told"), "note_added", "does not know"),
    "another field": (edited("note_added", more=1), "note_added", "cannot be read"),
    "another spelling": (placed("note_added", data='{ "turn": 1, "text": "" }'), "note_added", "written"),
    "a float": (placed("note_added", data='{"turn":1.0,"text":""}'), "note_added", "not whole"),
    "no beginning": (without("game_created"), "", "game_created"),
    "no closing": (without("turn_closed", 1), "", ""),
    "an unknown hue": (edited("flux_claimed", hue="pink"), "flux_claimed", "does not fit"),
    "an unknown hex": (edited("piece_moved", path=["G1", "Z99"]), "piece_moved", "does not fit"),
    "an unknown seat": (edited("seat_absent", seat="pink"), "seat_absent", "does not play"),
    "no such map": (edited("game_created", setup={}), "game_created", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_log_rewritten_with_good_hashes_is_found_out(name: str, tmp_path: Path) -> None:
    change, kind, told = FORGERIES[name]
    found = verified(forged(tmp_path, change))
    assert not found["ok"]
    assert told in found["first"]["what"]
    if kind:
        assert ROWS[found["first"]["version"] - 1].kind == kind


def test_no_forged_log_brings_a_traceback_anywhere(tmp_path: Path) -> None:
    for number, (change, _, _) in enumerate(FORGERIES.values()):
        folder = forged(tmp_path / str(number), change)
        for words in (("status",), ("state",), ("report",), ("log",), ("explain", 1, "crimson", 1), ("end",)):
            ran = pbem("-C", folder, *words)
            assert ran.status in {0, 1}
        shutil.rmtree(folder)


# The second answer.


def test_an_outcome_that_this_program_would_not_decide_is_told_and_no_fault(tmp_path: Path) -> None:
    folder = forged(tmp_path, edited("order_refused", reason="because"))
    told = verified(folder)
    assert (told["ok"], len(told["differs"])) == (True, 1)
    assert ROWS[told["differs"][0]["version"] - 1].kind == "order_refused"
    assert 'reason was recorded as "because"' in told["differs"][0]["what"]
    assert "flux 1 decided turn-" in told["differs"][0]["what"]
    assert "The log holds, but see above." in pbem("-C", folder, "verify").out


def test_each_turn_tells_its_first_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = golden.unpack(CUP, tmp_path / "glade-cup")
    flux = find_ruleset("flux")

    def later(*given: Any) -> Any:
        return tuple(event.model_copy(update={"rules": ("F0.0",)}) for event in flux.decide(*given))

    changed = flux._replace(decide=later, version="2") if hasattr(flux, "_replace") else None
    if changed is None:
        from dataclasses import replace

        changed = replace(flux, decide=later, version="2")  # type: ignore[type-var]
    monkeypatch.setattr("pbem.verify.find_ruleset", lambda _: changed)
    told = verified(folder)
    assert told["ok"]
    assert len(told["differs"]) == sum(row.kind == "turn_closed" for row in ROWS)
    assert "flux 1 decided turn-0, this is flux 2" in told["differs"][0]["what"]


def test_other_seats_named_as_missing_are_told(tmp_path: Path) -> None:
    told = verified(forged(tmp_path, edited("turn_closed", 1, missing=["azure"])))
    assert "as missing it names azure" in told["differs"][0]["what"]


def test_lines_called_unreadable_that_are_not_are_told(tmp_path: Path) -> None:
    """A way to keep a player's press out of the reports."""
    problem = {"line": 1, "text": "press: they cheat", "message": "no"}
    told = verified(forged(tmp_path, edited("orders_received", problems=[problem])))
    assert (told["ok"], len(told["differs"])) == (True, 1)
    assert (
        "it calls line 1 of amber's orders unreadable, and this program lines 7, 8"
        in told["differs"][0]["what"]
    )
    assert ROWS[told["differs"][0]["version"] - 1].kind == "orders_received"


# The reports at hand.


@pytest.fixture
def reported(tmp_path: Path) -> Path:
    folder = golden.unpack(CUP, tmp_path / "glade-cup")
    assert pbem("-C", folder, "report").status == 0
    return folder


def cut(folder: Path, keep: int) -> Ran:
    (folder / "pbem.db").unlink()
    golden.write_log(folder / "pbem.db", ROWS[:keep])
    return pbem("-C", folder, "verify", "--json")


def test_a_log_whose_last_turn_is_cut_off_differs_from_the_reports(reported: Path) -> None:
    told = cut(reported, first_of("turn_closed", -1)).json()
    assert told["ok"]
    assert any("rows were cut off" in each["what"] for each in told["differs"])


@pytest.mark.parametrize("left", ["players/azure/turn-5.txt", "gm/turn-5.html", "reports/turn-5/turn-5.json"])
def test_one_report_at_hand_is_enough(reported: Path, left: str) -> None:
    for path in reported.rglob("*"):
        if path.is_file() and path.suffix in {".html", ".txt", ".json"} and path != reported / left:
            path.unlink()
    told = cut(reported, first_of("turn_closed", -1)).json()
    assert [left in each["what"] for each in told["differs"]] == [True]


def test_a_page_changed_by_hand_is_told_if_this_version_wrote_it(reported: Path) -> None:
    page = reported / "reports/turn-1/index.html"
    page.write_text(page.read_text("utf-8").replace("Refused", "Allowed", 1), "utf-8")
    told = verified(reported)
    assert [each["what"] for each in told["differs"]] == [
        "reports/turn-1/index.html is not what this program writes from the log"
    ]
    data = reported / "reports/turn-1/turn-1.json"
    for path in reported.rglob("turn-1.json"):
        path.write_text(path.read_text("utf-8").replace('"pbem_version":"', '"pbem_version":"0.'), "utf-8")
    assert data.exists()
    assert verified(reported)["differs"] == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"log":3}', '{"log":{"hash":3,"version":[]}}', "\ud800"])
def test_a_report_that_is_none_is_told(reported: Path, text: str) -> None:
    path = reported / "gm/turn-1.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    told = verified(reported)
    assert told["ok"]
    assert any(each["what"].startswith("gm/turn-1.json") for each in told["differs"])


# Without its companions.


def test_without_the_secret_what_needs_it_is_left_out_and_said(reported: Path) -> None:
    (reported / "secret.key").unlink()
    cut(reported, len(ROWS) - 1)
    ran = pbem("-C", reported, "verify", "--json")
    assert ran.json()["ok"]
    assert ran.json()["checked"]["salts"] == 0
    assert "secret.key is missing" in ran.err


def test_the_secret_that_the_end_has_published_does_as_well(reported: Path) -> None:
    (reported / "secret.key").unlink()
    ran = pbem("-C", reported, "verify", "--json")
    assert ran.json()["checked"]["salts"] == len(ROWS)
    assert (ran.json()["differs"], ran.err) == ([], "")


def test_a_notice_that_another_version_wrote_is_no_difference(reported: Path) -> None:
    """Notices do not say who wrote them: they go with the newest report."""
    notice = next(reported.glob("players/*/notice-*.txt"))
    notice.write_text("as it was told once\n")
    name = notice.relative_to(reported).as_posix()
    assert [each["what"] for each in verified(reported)["differs"]] == [
        f"{name} is not what this program writes from the log"
    ]
    for path in reported.rglob("turn-5*.json"):
        path.write_text(path.read_text("utf-8").replace('"pbem_version":"', '"pbem_version":"0.'), "utf-8")
    assert verified(reported)["differs"] == []


def test_another_game_s_secret(reported: Path) -> None:
    (reported / "secret.key").write_text("11" * 32)
    told = verified(reported)
    assert told["first"]["version"] == 1
    assert "secret.key is not the secret" in told["first"]["what"]


def test_an_index_damaged_though_no_event_is(tmp_path: Path) -> None:
    game = Regatta(golden.unpack(CUP, tmp_path / "glade-cup"))
    import sqlite3

    with sqlite3.connect(game.folder / "pbem.db") as connection:
        connection.execute("DROP TRIGGER events_DELETE_refused")
    connection.close()
    ran = game("verify")
    assert ran.status == 0
    assert "the triggers that refuse changes are gone" in ran.err
