"""The seven HTML reports of a turn, by pbem itself: FOLDER of a game, the turn. Answers once.

Timed from the folded log on: what each reader is told, his map and his page; the imports are done.
"""

import gc
import json
import sys
from pathlib import Path
from time import process_time

from pbem.game import Game
from pbem.reports.archive import render_turn
from pbem.rulesets.flux import view
from pbem.rulesets.model import PUBLIC

assert view, "imported before the time is taken"


def main() -> None:
    gc.disable()
    game = Game(Path(sys.argv[1]))
    turn = game.history.played(int(sys.argv[2]))
    archive = game.archive
    assert archive.secret
    for _ in sys.stdin:
        start = process_time()
        reports = {reader: archive.view(turn, reader) for reader in (PUBLIC, *turn.contest.seats)}
        files = render_turn(archive.facts(turn), reports, game.ruleset.files)
        seconds = process_time() - start
        pages = sum(name.endswith(".html") for name in files)
        print(json.dumps({"seconds": seconds, "pages": pages}), flush=True)


main()
