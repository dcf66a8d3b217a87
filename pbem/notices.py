"""Notices: what a player is told between two reports because the GM did something by hand.

Each says to each seat only what changed for it, as far as that seat may see it, and follows from the
log like the reports: players/SEAT/notice-turn-3-1.txt and so on.
"""

from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Any

from pbem.archive import Archive, plain
from pbem.dice import order_key
from pbem.events import Json, RulingMade, TurnReopened
from pbem.history import Act, PlayedTurn
from pbem.reports.plain import visible
from pbem.reports.words import game_title
from pbem.roll import standing
from pbem.rulesets.model import Report, plain_text

WIDTH = 72
ABSENT = "nothing"
"""What a part of the position was, or is, that is not there."""


def notices(archive: Archive) -> dict[str, bytes]:
    """All notices of a game by their paths."""
    told: dict[tuple[str, int], int] = {}
    files: dict[str, bytes] = {}
    for turn, by_seat in _all(archive):
        for seat, lines in by_seat.items():
            number = told[seat, turn] = told.get((seat, turn), 0) + 1
            title = f"{game_title(archive.history.contest.game)}, turn {turn}: a notice to {seat}"
            body = "\n".join(fill(visible(line), WIDTH, subsequent_indent=_indent(line)) for line in lines)
            text = f"{visible(title)}\n{'=' * min(len(title), WIDTH)}\n\n{body}\n"
            files[f"players/{seat}/notice-turn-{turn}-{number}.txt"] = text.encode(
                "utf-8", "backslashreplace"
            )
    return files


def _indent(line: str) -> str:
    return " " * (len(line) - len(line.lstrip()) + 2) if line.startswith(" ") else ""


def _all(archive: Archive) -> Iterator[tuple[int, Mapping[str, list[str]]]]:
    """By turn, in the order of the log: reopenings and rulings, and the turns that were then closed anew."""
    history = archive.history
    done: list[tuple[int, int, Mapping[str, list[str]]]] = []
    for act in history.acts:
        if isinstance(act.event, TurnReopened):
            done.append((act.row.version, act.event.turn, _reopened(archive, act, act.event)))
        else:
            done.append((act.row.version, act.contest.turn, _ruled(archive, act, act.event)))
    for turn in (*history.voided, *history.turns):
        voids = history.voids_of(turn.number)[: history.adjudication(turn) - 1]
        if voids and (before := voids[-1].undone):
            done.append((turn.rows[-1].version, turn.number, _again(archive, before, turn)))
    for _, number, by_seat in sorted(done, key=lambda each: each[0]):
        yield number, by_seat


def _reopened(archive: Archive, act: Act, event: TurnReopened) -> dict[str, list[str]]:
    by_seat: dict[str, list[str]] = {}
    for seat in act.contest.seats:
        lines = [
            f"Turn {event.turn} is open again; its report no longer counts.",
            f"The GM's reason: {event.reason}",
            "",
            _dice(event),
        ]
        if archive.ruleset.sign_up_orders or event.turn:
            lines += ["", *_orders_stand(act, event, seat)]
            # Keys come with the rows that follow the reopening, so one more than the contest has then.
            key = order_key(archive.secret, act.contest.game, event.turn, seat, act.contest.issue(seat) + 1)
            lines += ["", f"Your key for turn {event.turn} is now {key}; the one before is worth nothing."]
        sent = act.earlier.latest(seat)
        if sent and sent.turn > event.turn:
            lines += ["", f"What you sent for turn {event.turn + 1} no longer counts."]
        by_seat[seat] = lines
    return by_seat


def _dice(event: TurnReopened) -> str:
    if event.keep_dice:
        return "The dice stay as they were."
    return f"The dice will be thrown anew. The commitment to their seed: {event.commitment}"


def _orders_stand(act: Act, event: TurnReopened, seat: str) -> Iterator[str]:
    place = standing(act.contest, seat)
    lines = len(place.sheet.lines)
    if place.received:
        yield f"Your orders for turn {event.turn}, {lines} line{'' if lines == 1 else 's'}, stand."
    elif lines:
        yield f"You sent nothing for turn {event.turn}; your standing orders count."
    else:
        yield f"You have sent nothing for turn {event.turn}."
    if event.keep_dice:
        yield "The GM corrects the turn and takes no orders from players."
    else:
        yield "You may send others."


def _ruled(archive: Archive, act: Act, event: RulingMade) -> dict[str, list[str]]:
    """To those of whose own something changed, what they may see of it."""
    if act.last is None:
        return {}
    by_seat: dict[str, list[str]] = {}
    for seat in act.contest.seats:
        before, after = (
            own_parts(_as_seen(archive, act.last, state, seat).data.get("position"), seat)
            for state in (act.before, act.after)
        )
        changed = list(changes(before, after))
        if changed:
            by_seat[seat] = [
                "The GM made a ruling that concerns you.",
                f"The reason: {event.reason}",
                "",
                *changed,
            ]
    return by_seat


def _as_seen(archive: Archive, last: PlayedTurn, state: Any, seat: str) -> Report:
    """The report of a turn as a seat would have had it, had the turn left this state."""
    return archive.ruleset.view(archive.whole(last)._replace(after=state), seat)


def _again(archive: Archive, void: PlayedTurn, turn: PlayedTurn) -> dict[str, list[str]]:
    """What came out otherwise for each seat when a turn was adjudicated again."""
    by_seat: dict[str, list[str]] = {}
    for seat in turn.contest.seats:
        before, after = archive.view(void, seat), archive.view(turn, seat)
        changed = [
            *changes(outcomes(before, seat), outcomes(after, seat)),
            *changes(*(own_parts(report.data.get("position"), seat) for report in (before, after))),
        ]
        lines = [f"Turn {turn.number} has been adjudicated again; your new report has all of it.", ""]
        by_seat[seat] = lines + (
            ["What came out otherwise for you:", *changed]
            if changed
            else ["Nothing came out otherwise for you."]
        )
    return by_seat


def outcomes(report: Report, seat: str) -> dict[str, str]:
    """What became of each line of a seat's orders, by its text: another file may have it in another place."""
    return {
        f"`{line.text}`": "; ".join(
            each.label + (f": {plain_text(each.text).rstrip('.')}" if each.text else "")
            for each in line.outcomes
        )
        for orders in report.orders
        if orders.seat == seat
        for line in orders.lines
    }


def changes(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[str]:
    """A line for each part that is not what it was."""
    for path in dict.fromkeys((*before, *after)):
        was, now = before.get(path, ABSENT), after.get(path, ABSENT)
        if was != now:
            yield f"  {path}: {plain(now)}; it was {plain(was)}"


def own_parts(position: Json, seat: str, path: str = "", *, mine: bool = False) -> dict[str, Json]:
    """What of a position is a seat's own, by dotted path: what stands under its name or says that it is its.

    A list is one part, and a seat's own if it names the seat; a list of tables is looked into.
    """
    if isinstance(position, Mapping):
        mine = mine or seat in [value for value in position.values() if isinstance(value, str)]
        return {
            name: value
            for key, part in position.items()
            for name, value in own_parts(
                part, seat, f"{path}.{key}" if path else str(key), mine=mine or key == seat
            ).items()
        }
    if isinstance(position, list | tuple):
        if any(isinstance(part, Mapping) for part in position) and not mine:
            return {
                name: value
                for place, part in enumerate(position, start=1)
                for name, value in own_parts(part, seat, f"{path}.{place}").items()
            }
        return {path: list(position)} if mine or seat in position else {}
    return {path: position} if mine or position == seat else {}
