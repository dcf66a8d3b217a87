"""Messages as bytes, with what must become of each (docs/mail.md); `corpus.py` wrote them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import pbem
from tests.mail.corpus import LARGE, build
from tests.mail.corpus_game import NOW, make_game

LARGE_ONES = {name: case for name, case in build().items() if len(case[0]) >= LARGE}
MESSAGES = sorted(path for path in (Path(__file__).parent / "messages").iterdir() if path.suffix != ".json")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import os
    from unittest.mock import patch

    with patch.dict(os.environ, {"PBEM_NOW": NOW}):
        return make_game(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def game(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_NOW", NOW)
    return Path(shutil.copytree(prepared, tmp_path / prepared.name))


def received(game: Path, *sources: object) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = pbem("-C", game, "receive", "--json", *sources).json()
    return told


def test_there_are_enough() -> None:
    assert len(MESSAGES) >= 500


@pytest.mark.parametrize("path", MESSAGES, ids=lambda path: path.name)
def test_a_message_has_its_outcome_once(path: Path, game: Path) -> None:
    first = check(game, path, json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8")))
    before = tree(game)
    second = received(game, path)
    assert tree(game) == before
    assert [(each["outcome"], each["receipt_to"], each["orders"]) for each in second] == [
        ({"accepted": "duplicate"}.get(each["outcome"], each["outcome"]), None, []) for each in first
    ]


@pytest.mark.parametrize("name", LARGE_ONES)
def test_a_large_message_has_its_outcome(name: str, game: Path, tmp_path: Path) -> None:
    data, expected = LARGE_ONES[name]
    (tmp_path / name).write_bytes(data)
    check(game, tmp_path / name, expected)


def test_the_files_are_what_the_generator_writes() -> None:
    small = {name: case for name, case in build().items() if len(case[0]) < LARGE}
    assert {path.name for path in MESSAGES} == set(small)
    for path in MESSAGES:
        data, expected = small[path.name]
        assert path.read_bytes() == data
        assert json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8")) == expected


def check(game: Path, path: Path, expected: dict[str, Any]) -> list[dict[str, Any]]:
    """What became of the messages of a file, if it is as expected."""
    told = received(game, path)
    for each, awaited in zip(told, expected.get("messages", [expected]), strict=True):
        check_one(each, awaited)
    receipts = list((game / "outbox" / "new").glob("*")) if (game / "outbox").exists() else []
    assert len(receipts) == sum(each["receipt_to"] is not None for each in told)
    return told


def check_one(told: dict[str, Any], expected: dict[str, Any]) -> None:
    assert told["outcome"] == expected["outcome"], told["reason"]
    for name in ("seat", "turn", "receipt_to"):
        assert told[name] == expected[name], (name, told["reason"])
    assert [[order["line"], order["text"]] for order in told["orders"]] == expected["orders"]
    if expected["problems"] is not None:
        assert [problem["line"] for problem in told["problems"]] == [line for line, _ in expected["problems"]]
        for problem, (_, text) in zip(told["problems"], expected["problems"], strict=True):
            assert problem["message"]
            assert text in {None, problem["text"]}
    assert len(told["repairs"]) == len(expected["repairs"]), told["repairs"]
    for repair, word in zip(told["repairs"], expected["repairs"], strict=True):
        assert word in repair
    if expected["reason"] is None:
        assert (told["reason"] is None) is (told["outcome"] == "accepted")
    else:
        assert expected["reason"] in told["reason"]


def tree(game: Path) -> dict[str, bytes]:
    return {str(path.relative_to(game)): path.read_bytes() for path in game.rglob("*") if path.is_file()}
