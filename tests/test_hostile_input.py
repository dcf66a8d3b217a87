"""Whatever comes in: no uncaught exception, nothing slow, nothing large. 200,000 inputs at full scale.

Inputs are good ones spoilt: pieces taken out, doubled, exchanged, and words that mean something thrown in.
"""

import gc
import json
import resource
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.cases import run_case
from pbem.config import read_config, read_toml
from pbem.errors import PbemError
from pbem.game import Game
from pbem.hand import leaves
from pbem.rulesets import NewGame, Source, find_ruleset
from pbem.witness import read_witness
from tests import golden
from tests.commands import new_regatta, pbem
from tests.flux_game import new_flux
from tests.scale import SCALE, scaled

SECOND = 1.0
MEMORY = 200 * 1024
"""KiB, which is what `ru_maxrss` counts."""
WORDS = """
turn: 1|player: crimson|key: ****|game: glen|cast|forest|at|G2-G3|times 3|keep 9|if enemy at G4:|if not|else
|standing:|press to azure:|press:|end|-- |destroy with|move wizard via|#|'|"|[|[[|]|{|}|=|,|.|-|1e999|nan
|inf|-0
|0x1F|99999999999999999999|1.5|2026-11-30|true|null|none|[wizards.crimson]|reserve = 3|radius = 6|globes|lakes
|[contest]|value|source|../../etc/passwd
""".replace("\n", "").split("|")
SIGNS = [
    "\0",
    "\r",
    "\n",
    "\n\n",
    "\ufeff",
    "\u2028",
    "\u0663",
    "\U0001f9d9",
    "\x1b[0m",
    "\udcff",
    '"""',
    "|",
]
LONG = ["9" * 400, "[" * 300, "a." * 200]


Edit = tuple[int, int, str, int]
WHOLE = 1_000_000
EDITS: st.SearchStrategy[list[Edit]] = st.lists(
    st.tuples(
        st.integers(0, WHOLE),
        st.integers(0, 40),
        st.sampled_from([*WORDS, *SIGNS, *LONG]) | st.text(max_size=8),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=6,
)
"""Where in a text, in millionths of it; how many signs; what is put there; and which of four things is done.

Not the texts themselves: Hypothesis keeps what it draws, and of a report's that would be gigabytes.
"""


def edited(text: str, edits: list[Edit]) -> str:
    for where, signs, put, how in edits:
        at = where * len(text) // WHOLE
        upto = min(len(text), at + signs)
        match how:
            case 0:
                text = text[:at] + put + text[at:]
            case 1:
                text = text[:at] + text[upto:]
            case 2:
                text = text[:at] + put + text[upto:]
            case _:
                text = text[:upto] + text[at:]
    return text


def spoilt(*good: str) -> st.SearchStrategy[str]:
    """Good texts with some edits."""
    return st.builds(lambda which, edits: edited(good[which], edits), st.integers(0, len(good) - 1), EDITS)


@contextmanager
def quick() -> Iterator[None]:
    """Not 200 MB, and in the full run not a second of this thread's time; refusals are sentences.

    Without the search for cycles, as the command runs: what Hypothesis keeps is large.
    """
    gc.disable()
    before, began = peak(), time.thread_time()
    try:
        with suppress(PbemError):
            yield
        assert SCALE < 100 or time.thread_time() - began < SECOND
        assert peak() - before < MEMORY
    finally:
        gc.enable()


def tried(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    return settings(
        max_examples=scaled(count),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=checks,
    )


def peak() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def shipped(name: str) -> str:
    return resources.files("pbem").joinpath("rulesets", "flux", *name.split("/")).read_text("utf-8")


SHEET = """game: glen
turn: 1
player: crimson
key: ****-****-****

move wizard to G3            # towards the middle
cast forest at G2-G3 times 3 keep 4 else cast gnome at G2
if not enemy at G4: if flux 12: destroy with gnome
standing: hold
press to azure: truce until round 5?
end
"""


@pytest.fixture(scope="module")
def glen(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(new_flux(tmp_path_factory.mktemp("hostile") / "glen").folder)


@tried(30_000)
@given(text=spoilt(SHEET))
def test_order_sheets(glen: Game, text: str) -> None:
    with quick():
        glen.desk.take(text.encode("utf-8", "surrogateescape"), "test", seat="crimson", turn=1)


@tried(20_000)
@given(data=st.binary(max_size=400), encoding=st.sampled_from(["", "utf-16", "utf-8-sig", "windows-1252"]))
def test_order_bytes(glen: Game, data: bytes, encoding: str) -> None:
    if encoding:
        data = data.decode("latin-1").encode(encoding, "replace")
    with quick():
        glen.desk.take(data, "test", seat="crimson", turn=1)


CONFIG = """[[players]]
seat = "crimson"
name = "Ada"
email = "ada@example.org"

[turns]
every = "7d"
at = "20:00"
zone = "Europe/London"
early = true

[mail]
in = "imaps://gm@example.org/INBOX"

[dice]
beacon = "the lottery"
"""


@tried(40_000)
@given(text=spoilt(CONFIG))
def test_game_toml(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "game.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with quick():
        read_config(path)


@tried(20_000)
@given(text=spoilt(shipped("maps/glade.toml")))
def test_maps(text: str) -> None:
    flux = find_ruleset("flux")
    rules = Source("rules.toml", shipped("rules.toml"))
    with quick():
        flux.initial(flux.prepare(NewGame(("crimson", "azure"), rules, Source("map.toml", text))).setup)


@tried(20_000)
@given(text=spoilt(shipped("rules.toml")))
def test_rules(text: str) -> None:
    flux = find_ruleset("flux")
    board = Source("glade.toml", shipped("maps/glade.toml"))
    with quick():
        flux.initial(flux.prepare(NewGame(("crimson", "azure"), Source("rules.toml", text), board)).setup)


CASES = [path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("cases/flux/*.toml"))[::40]]


@tried(20_000)
@given(text=spoilt(*CASES))
def test_case_files(text: str) -> None:
    with quick():
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError):
            return
        run_case(table)


@tried(20_000)
@given(
    text=spoilt(
        '[wizards.crimson]\nreserve = 3\nat = "G3"\nearths = []\n[wizards.azure.pieces]\ntroll = "G5"\n'
    )
)
def test_rulings(glen: Game, tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "ruling.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    ruling = glen.ruleset.ruling
    assert ruling is not None
    with quick():
        ruling(glen.history.state, tuple(leaves(read_toml(path), "ruling.toml")))


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = golden.unpack(golden.GAMES / "duel.jsonl", tmp_path_factory.mktemp("reports") / "duel")
    assert pbem("-C", folder, "report").status == 0
    texts = [folder / "reports/turn-0/turn-0.json", folder / "reports/turn-1/index.html"]
    return tuple(path.read_text("utf-8") for path in texts)


@tried(30_000)
@given(which=st.integers(0, 1), edits=EDITS)
def test_turn_files(
    reports: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, which: int, edits: list[Edit]
) -> None:
    from pbem.audit import audit

    path = tmp_path_factory.getbasetemp() / "turn-0.json"
    path.write_bytes(edited(reports[which], edits).encode("utf-8", "surrogateescape"))
    with quick():
        read_witness(path)
        audit([path])


# Tricks with names, links and bombs.

TRICKS = [
    "..",
    ".",
    "-x",
    "Grob",
    "a/b",
    "a b",
    "é",
    "x" * 41,
    "con\n",
    "",
    "~",
    "$HOME",
    "%2e%2e",
    "a\\b",
    "\uff41",
]


@pytest.mark.parametrize("name", TRICKS)
def test_names_of_games(name: str, tmp_path: Path) -> None:
    ran = pbem("new", f"{tmp_path}/{name}", "--ruleset", "regatta", "--player", "Ann")
    if ran.status != 2:
        assert ran.sentence
    assert not list(tmp_path.rglob("pbem.db"))


@pytest.mark.parametrize(
    "seat", ["..", "../red", "red/../blue", "RED ", "rot", "red\n", "\u202ered", "red=blue"]
)
def test_names_of_seats(seat: str, tmp_path: Path) -> None:
    made = pbem("new", tmp_path / "cup", "--ruleset", "regatta", "--player", f"{seat}=Ann")
    assert made.status == 0 if seat in {"RED ", "red=blue"} else made.sentence
    game = new_regatta(tmp_path / "spring")
    game("start")
    for words in (("key", seat), ("map", "--seat", seat, "-o", tmp_path / "m.svg"), ("explain", 0, seat, 1)):
        assert game(*words).status in {0, 1, 2}
    header = f"turn: 1\nplayer: {seat}\nrow\n".encode()
    assert game("submit", "-", stdin=header).status == (0 if seat in {"RED ", "red\n"} else 1)
    assert not (tmp_path / "red").exists()


def test_symbolic_links_in_orders(tmp_path: Path) -> None:
    game = new_regatta(tmp_path / "spring")
    game("start")
    (game.folder / "orders/turn-1/red.txt").symlink_to(game.folder / "secret.key")
    assert "is a symbolic link" in game("adjudicate", 1).sentence
    (game.folder / "orders/turn-1/red.txt").unlink()
    (game.folder / "orders/turn-1").rmdir()
    (game.folder / "orders/turn-1").symlink_to(tmp_path)
    assert "is a symbolic link" in game("adjudicate", 1).sentence
    assert "is a symbolic link" in game("submit", game.folder / "orders/turn-1").sentence


BOMBS = {
    "nested lists": "a = " + "[" * 100_000 + "]" * 100_000,
    "nested tables": "a" + ".a" * 100_000 + " = 1",
    "inline tables": "a = " + "{b=" * 50_000 + "1" + "}" * 50_000,
    "many digits": f"a = {'9' * 100_000}",
    "many keys": "".join(f"k{number} = 1\n" for number in range(100_000)),
    "one long text": f'a = "{"x" * 3_000_000}"',
    "too large": "#" * 5_000_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_toml_bombs(name: str, tmp_path: Path) -> None:
    game = new_flux(tmp_path / "glen")
    bomb = tmp_path / "bomb.toml"
    bomb.write_text(BOMBS[name])
    began = time.process_time()
    new = ("new", tmp_path / "cup", "--ruleset", "flux", "--player", "crimson=A", "--player", "azure=B")
    assert game("ruling", bomb, "--reason", "x").sentence
    assert pbem(*new, "--map", bomb).sentence
    assert pbem(*new, "--rules", bomb).sentence
    assert pbem("cases", bomb).status == 1
    (game.folder / "game.toml").write_text(BOMBS[name])
    assert game("adjudicate", 1).status == 1
    assert time.process_time() - began < 10 * SECOND


JSON_BOMBS = {
    "lists": "[" * 100_000,
    "tables": '{"a":' * 100_000,
    "digits": '{"a":' + "9" * 100_000 + "}",
    "many": json.dumps({"rows": [[]] * 500_000}),
    "large": "{" * 5_000_000,
}


@pytest.mark.parametrize("text", JSON_BOMBS.values(), ids=JSON_BOMBS)
def test_json_bombs(text: str, tmp_path: Path) -> None:
    path = tmp_path / "turn-1.json"
    path.write_text(text)
    with quick():
        assert pbem("audit", path).sentence


# Code that others bring.


def test_a_ruleset_that_raises_when_it_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from importlib.metadata import EntryPoint

    from pbem import rulesets

    (tmp_path / "spoilt_ruleset.py").write_text("raise ZeroDivisionError('by\\nzero')\n")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("spoilt", "spoilt_ruleset:RULESET", rulesets.GROUP)
    monkeypatch.setattr(rulesets, "_entry_points", lambda: {"spoilt": point})
    ran = pbem("new", tmp_path / "cup", "--ruleset", "spoilt", "--player", "Ann")
    assert "cannot be loaded: ZeroDivisionError: by zero" in ran.sentence


@pytest.mark.parametrize("name", ["initial", "parse", "decide", "evolve", "is_over", "view"])
def test_a_ruleset_that_raises_while_it_plays(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import regatta

    from pbem import rulesets

    assert pbem("new", tmp_path / "cup", "--ruleset", "regatta", "--player", "A", "--player", "B").status == 0
    assert pbem("-C", tmp_path / "cup", "start").status == 0
    (tmp_path / "cup/orders/turn-1/red.txt").write_text("row\n")

    def broken(*_: object) -> object:
        return {}["nobody"]

    class Point:
        value = "regatta:RULESET"

        @staticmethod
        def load() -> object:
            return regatta.RULESET._replace(**{name: broken})

    monkeypatch.setattr(rulesets, "_entry_points", lambda: {"regatta": Point})
    before = (tmp_path / "cup/pbem.db").read_bytes()
    ran = pbem("-C", tmp_path / "cup", "adjudicate", "1", "--allow-missing")
    folding = {
        "initial": "No game can be made from the log's first event (KeyError)",
        "evolve": "does not fit what came before it (KeyError)",
    }
    if name in folding:
        assert folding[name] in ran.sentence
    else:
        assert f"The ruleset 'regatta' fails at {name!r}: KeyError" in ran.sentence
    # Reports come after the log: what is in the log stays, and is said to be there.
    assert name == "view" or (tmp_path / "cup/pbem.db").read_bytes() == before


@pytest.mark.parametrize("template", ["{{ nobody }}", "{% if", "{{ 1 // 0 }}", "{% include 'x.html' %}"])
def test_a_template_that_raises(template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.reports import pages

    game = new_regatta(tmp_path / "spring")
    game("start")
    game.orders(1, "red.txt", "row")
    game.orders(1, "blue.txt", "row")
    read = pages.Pages._read
    monkeypatch.setattr(
        pages.Pages, "_read", lambda self, name: template if name == "report.html" else read(self, name)
    )
    pages.pages_of.cache_clear()
    told = game("adjudicate", 1).sentence
    pages.pages_of.cache_clear()
    assert "turn-1 is adjudicated and in the log, but its reports could not be written" in told
    assert "The template report.html fails" in told or "x.html" in told
