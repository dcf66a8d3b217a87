"""The map for the page's script: layers to be switched, and the turn step by step."""

from pbem.drawing import Change
from pbem.events import Json
from pbem.rulesets.model import Report


def map_data(report: Report) -> dict[str, Json]:
    """JSON by which the script finds its way on the drawing; a step for each row that the page tells.

    A change is `[id]`, `[id, 0]` or `[id, x, y, …]`: shown as drawn, gone, or moved through these places.
    """
    board = report.board
    data: dict[str, Json] = {}
    if board.layers:
        data["layers"] = [[layer.title, *layer.ids] for layer in board.layers]
    steps = [
        [_change(change) for change in told.changes] for chapter in report.round for told in chapter.told
    ]
    if any(steps):
        data["start"] = [_change(change) for change in board.playback.start]
        data["ghosts"] = [list(ghost) for ghost in board.playback.ghosts]
        data["steps"] = steps
    return data


def _change(change: Change) -> list[Json]:
    if change.way is None:
        return [change.id, 0]
    return [change.id, *(length for place in change.way for length in place)]
