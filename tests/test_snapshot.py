"""The state put aside after a turn saves time and changes nothing, whatever its file holds."""

import json
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__
from pbem.game import Game
from pbem.snapshot import SNAPSHOT
from tests.commands import Regatta, new_regatta, pbem
from tests.flux_game import new_flux, play

Body = list[Any]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    """A game after its second turn."""
    monkeypatch.setenv("PBEM_NOW", "2031-05-05T05:05:05.000000Z")
    made = new_flux(tmp_path / "game")
    play(made, 1)
    play(made, 2, crimson="cast gnome at F2\n", azure="move wizard to G12\n")
    return made


def everything(folder: Path) -> dict[str, bytes]:
    """What a turn leaves behind: the log and all that is written from it."""
    files = [
        folder / "pbem.db",
        *(path for top in ("reports", "players", "gm") for path in folder.glob(f"{top}/**/*")),
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files if path.is_file()}


def next_turn(folder: Path) -> dict[str, bytes]:
    play(Regatta(folder), 3, crimson="move wizard to G2\n", azure="cast forest at F10-F9 times 3\n")
    return everything(folder)


class Counting:
    """A game whose ruleset counts the events that it folds."""

    def __init__(self, folder: Path) -> None:
        self.game = Game(folder)
        self.seen: list[Any] = []
        evolve = self.game.ruleset.evolve

        def counted(state: Any, event: Any) -> Any:
            self.seen.append(event)
            return evolve(state, event)

        self.game.ruleset = self.game.ruleset._replace(evolve=counted)


def test_a_turn_is_the_same_with_what_was_put_aside_and_without(game: Regatta, tmp_path: Path) -> None:
    bare = tmp_path / "bare" / "game"
    shutil.copytree(game.folder, bare)
    (bare / SNAPSHOT).unlink()
    assert next_turn(game.folder) == next_turn(bare)
    assert (bare / SNAPSHOT).is_file()


def test_old_turns_are_folded_again_only_if_they_are_asked_for(game: Regatta) -> None:
    again = Counting(game.folder)
    history = again.game.history
    assert history.state.wizards["crimson"].pieces
    assert history.turns[2].events
    assert not again.seen
    assert history.turns[1].after == history.turns[2].before
    opening, first, _ = history.turns
    assert again.seen == [opening.closed, *opening.events, first.closed, *first.events]


def test_without_what_was_put_aside_all_are(game: Regatta) -> None:
    kept = Game(game.folder).history.state
    (game.folder / SNAPSHOT).unlink()
    again = Counting(game.folder)
    assert again.game.history.state == kept
    folded = [event for event in again.seen if event.kind != "turn_closed"]
    assert folded == [event for turn in again.game.history.turns for event in turn.events]


def written(path: Path, body: Body) -> None:
    """The file as pbem would have written it with this in it."""
    text = json.dumps(body, separators=(",", ":"))
    path.write_text(f"{sha256(text.encode()).hexdigest()} {text}\n", "utf-8")


def richer(body: Body) -> Body:
    body[2]["wizards"]["crimson"]["reserve"] = 99
    return body


def of_another_version(body: Body) -> Body:
    assert body[0][0] == __version__
    body[0][0] = "0.0.1"
    return richer(body)


def of_another_log(body: Body) -> Body:
    body[1] = "0" * 64
    return richer(body)


def not_a_state(body: Body) -> Body:
    return [*body[:2], {"round": 2}]


def off_the_board(body: Body) -> Body:
    body[2]["wizards"]["crimson"]["at"] = "Z99"
    return richer(body)


def not_three(body: Body) -> Body:
    return [*body, 4]


@pytest.mark.parametrize(
    "change", [of_another_version, of_another_log, not_a_state, off_the_board, not_three]
)
def test_what_does_not_fit_is_not_used(game: Regatta, tmp_path: Path, change: Callable[[Body], Body]) -> None:
    bare = tmp_path / "bare" / "game"
    shutil.copytree(game.folder, bare)
    path = game.folder / SNAPSHOT
    written(path, change(json.loads(path.read_text("utf-8").split(" ", 1)[1])))
    assert next_turn(game.folder) == next_turn(bare)


def text_for_number(body: Body) -> Body:
    body[2]["wizards"]["crimson"]["reserve"] = "23"
    return body


def unknown_piece(body: Body) -> Body:
    body[2]["wizards"]["crimson"]["pieces"]["unicorn"] = "F3"
    return body


def unknown_wizard(body: Body) -> Body:
    body[2]["order_of_play"] = ["crimson", "mauve"]
    return body


def over_without_scores(body: Body) -> Body:
    body[2]["over"] = True
    return body


def more_than_a_state(body: Body) -> Body:
    body[2]["weather"] = "fair"
    return richer(body)


def at_no_hash(body: Body) -> Body:
    body[1] = [body[1]]
    return richer(body)


@pytest.mark.parametrize(
    "change",
    [text_for_number, unknown_piece, unknown_wizard, over_without_scores, more_than_a_state, at_no_hash],
)
@pytest.mark.parametrize("words", ["adjudicate 3 --allow-missing --dry-run", "verify"])
def test_no_command_stumbles_over_what_only_looks_like_a_state(
    game: Regatta, change: Callable[[Body], Body], words: str
) -> None:
    path = game.folder / SNAPSHOT
    body = json.loads(path.read_text("utf-8").split(" ", 1)[1])
    path.unlink()
    without = game(*words.split())
    written(path, change(body))
    found = game(*words.split())
    told = f"{SNAPSHOT} is not what this program writes"
    assert (found.status, found.err) == (without.status, without.err) or told in found.out


@pytest.mark.parametrize("text", ["5", "null", '"state"', "{}", "[]"])
def test_json_of_another_kind_is_not_used(game: Regatta, text: str) -> None:
    commands = (("state", "--json"), ("verify",))
    before = [game(*words) for words in commands]
    (game.folder / SNAPSHOT).write_text(f"{sha256(text.encode()).hexdigest()} {text}\n", "utf-8")
    assert [game(*words) for words in commands] == before


@pytest.mark.parametrize(
    ("dump", "sentence"),
    [
        (lambda _: {}["nobody"], r"The ruleset 'flux' fails at 'dump': KeyError"),
        (lambda _: {1, 2}, r"The ruleset 'flux' puts aside what is no JSON: TypeError"),
        (lambda _: "\ud800", r"The ruleset 'flux' puts aside what is no JSON: UnicodeEncodeError"),
    ],
)
def test_a_ruleset_that_puts_nothing_usable_aside_is_told(
    game: Regatta, monkeypatch: pytest.MonkeyPatch, dump: Callable[[Any], Any], sentence: str
) -> None:
    from pbem import rulesets
    from pbem.rulesets.flux import RULESET

    class Point:
        value = "flux:RULESET"

        @staticmethod
        def load() -> object:
            return RULESET._replace(keeping=rulesets.Keeping(dump, lambda initial, _: initial))

    monkeypatch.setattr(rulesets, "_entry_points", lambda: {"flux": Point})
    ran = game("adjudicate", 3, "--allow-missing")
    assert "turn-3 is adjudicated and in the log, but its reports could not be written" in ran.sentence
    assert sentence in ran.sentence


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def one_byte(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"reserve":', b'"reserve":1', 1))


def a_bomb(path: Path) -> None:
    text = "[" * 100_000
    path.write_text(f"{sha256(text.encode()).hexdigest()} {text}\n", "utf-8")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("damage", [nothing, noise, one_byte, a_bomb, a_folder, a_pipe, endless])
def test_what_is_damaged_is_not_used(game: Regatta, damage: Callable[[Path], None]) -> None:
    before = game("state", "--json").json()
    damage(game.folder / SNAPSHOT)
    assert game("state", "--json").json() == before


def test_what_cannot_be_read_is_written_anew(game: Regatta, tmp_path: Path) -> None:
    """It can be made again; a turn is not called half done because of it."""
    bare = tmp_path / "bare" / "game"
    shutil.copytree(game.folder, bare)
    path = game.folder / SNAPSHOT
    path.unlink()
    path.symlink_to(path.name)
    assert next_turn(game.folder) == next_turn(bare)
    assert not path.is_symlink()


def test_verify_finds_a_state_that_the_log_does_not_give(game: Regatta) -> None:
    assert game("verify").status == 0
    path = game.folder / SNAPSHOT
    written(path, richer(json.loads(path.read_text("utf-8").split(" ", 1)[1])))
    assert f"{SNAPSHOT} is not what this program writes from the log" in game("verify").out


def test_a_turn_decided_on_a_false_state_is_found_from_the_log_and_by_the_players(game: Regatta) -> None:
    """Whoever can write the file can reckon its checksum; what it leads to does not follow from the log."""
    path = game.folder / SNAPSHOT
    body = json.loads(path.read_text("utf-8").split(" ", 1)[1])
    body[2]["wizards"]["crimson"]["at"] = "G8"
    written(path, body)
    next_turn(game.folder)
    path.unlink()
    assert "this is flux" in game("verify").out
    assert "and this program decides" in pbem("audit", game.folder / "reports").sentence


def test_a_ruleset_need_not_put_anything_aside(tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "game")
    assert game("start").status == 0
    assert not (game.folder / SNAPSHOT).exists()


def test_a_reopened_turn_takes_what_was_put_aside_with_it(game: Regatta) -> None:
    before = game("state", 1, "--json").json()
    assert game("reopen", "turn-2", "--reason", "a slip").status == 0
    assert game("state", "--json").json() == before | {"turn": 1}
    assert json.loads(game.read(SNAPSHOT).split(" ", 1)[1])[1] == Game(game.folder).history.turns[1].hash
