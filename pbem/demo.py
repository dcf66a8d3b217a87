"""The demonstration game: a ruleset's own order files, played from `new` to the last report."""

from collections.abc import Callable
from importlib.resources import as_file
from pathlib import Path
from typing import Any

from pbem.clock import now
from pbem.config import read_config, read_toml
from pbem.errors import BadInput
from pbem.files import CONFIG
from pbem.founding import Wanted, found
from pbem.game import Game, Warn
from pbem.orders_in import order_files
from pbem.rulesets import find_ruleset


def play(folder: Path | None, ruleset_name: str, *, tell: Callable[[str], object], warn: Warn) -> Path:
    """Play it into `folder`, by default one named as the ruleset says; gives the game's folder."""
    files = find_ruleset(ruleset_name).files
    if not files.demo:
        raise BadInput(f"{ruleset_name} brings no demonstration game.")
    folder = folder or Path(files.demo_game)
    if folder.exists():
        raise BadInput(f"{folder} is there already; name another folder, or remove it.")
    with as_file(files.path(files.demo)) as orders:
        return _play(folder, ruleset_name, orders, tell, warn)


def _play(folder: Path, ruleset_name: str, orders: Path, tell: Callable[[str], object], warn: Warn) -> Path:
    settings: dict[str, Any] = read_toml(orders / CONFIG).get("demo", {})
    founded = found(
        Wanted(
            folder,
            ruleset_name,
            read_config(orders / CONFIG).players,
            map=settings.get("map"),
            scenario=settings.get("scenario"),
            length=settings.get("length"),
            secret=settings.get("secret"),
        ),
        now(),
    )
    tell(f"{founded.game}: {', '.join(founded.seats)}.")
    game = Game(founded.folder, warn=warn)
    if game.ruleset.sign_up_orders:
        game.write_invitations()
        game.submit([orders / "turn-0"])
    game.start(allow_missing=True)
    tell("turn-0: started.")
    while game.contest.phase == "open":
        turn = game.contest.turn
        files = order_files(orders / f"turn-{turn}")
        if not files:
            break
        taken = game.submit(files).new
        missing = [seat for seat in game.contest.seats if seat not in {each.seat for each in taken}]
        closed = game.adjudicate(turn, allow_missing=True)
        without = f", nothing from {', '.join(missing)}" if missing else ""
        tell(f"turn-{turn}: {closed.events} events{without}.")
    return folder
