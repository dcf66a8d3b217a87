"""What a ruleset is: a frozen record of pure functions, found through the entry-point group `pbem.rulesets`.

`initial` makes the first state, `decide` turns orders into events (all the rules), `evolve` folds one
event into the state (total, knows no rule, never fails), `view` builds what one reader may know.
The host reads files and clocks, and hands rulesets text, states and dice.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, wraps
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pbem.dice import Dice
from pbem.errors import BadInput, PbemError, RulesetFault, raised
from pbem.events import EventKinds, Json, RulesetEvent, RulingMade, TurnClosed
from pbem.rulesets.model import Report
from pbem.sheet import SeatOrders, Sheet

GROUP = "pbem.rulesets"

S = TypeVar("S")
E = TypeVar("E", bound=RulesetEvent)
O = TypeVar("O")  # noqa: E741 - an order
C = TypeVar("C")


class Source(NamedTuple):
    """A text with the name by which its errors are told: its file's, without the folders it lay in.

    The GM's folders are his own affair, and what a ruleset keeps of the name in its setup is published.
    """

    name: str
    text: str


class NewGame(NamedTuple):
    """What `pbem new` asks for. `length` is None where the GM named none."""

    seats: tuple[str, ...]
    rules: Source
    board: Source
    length: int | None = None


class Ready(NamedTuple):
    """A game set up: `setup` is plain JSON without floats, and all that `initial` will ever be given."""

    setup: dict[str, Json]
    length: int


class Turn(NamedTuple, Generic[S, E, O, C]):
    """One adjudicated turn, as `view` is given it. `orders` are those that counted."""

    number: int
    before: S
    events: Sequence[E]
    after: S
    orders: Mapping[str, SeatOrders[O, C]]
    reported: S | None = None
    """The position as the report before told it, where the GM has changed it by hand since."""

    @property
    def told(self) -> S:
        """The position that readers know from the report before."""
        return self.before if self.reported is None else self.reported


class Forecast(NamedTuple):
    """What an order line would do now, in one sentence (`check`, receipts)."""

    line: int
    text: str


class Counted(NamedTuple):
    """So many of something in a turn: `amount` of `what` by a seat with a thing (`casts`, `forest`)."""

    seat: str
    thing: str
    what: str
    amount: int


class Tally(NamedTuple):
    """What a turn came to in whole numbers, for statistics over many games (`simulate`).

    `curves` are by measure and seat what the turn left; `counts` may name a thing several times.
    `order` are all that it counts of things, as tables show them: the first is what shares are of.
    """

    curves: Mapping[str, Mapping[str, int]]
    counts: tuple[Counted, ...] = ()
    order: tuple[str, ...] = ()


class Result(NamedTuple):
    """How a game that is over ended: nobody, one seat or several won."""

    scores: Mapping[str, Fraction]
    winners: tuple[str, ...]


class Files(NamedTuple):
    """Where a ruleset's data lies: paths relative to the package `anchor`.

    `boards` is a folder of TOML files, chosen by `--map` or `--scenario` (`board_option`); `rulings`
    is the Markdown page whose headings number the rulings; `demo` a folder of demonstration orders;
    `templates` a folder of its own templates and styles. Empty: there is none.
    """

    anchor: str
    rules: str
    boards: str
    default_board: str
    board_option: Literal["map", "scenario"] = "map"
    rulings: str = ""
    demo: str = ""
    demo_game: str = ""
    templates: str = ""

    def path(self, name: str) -> Traversable:
        """The shipped file or folder of this name, which may have slashes."""
        return resources.files(self.anchor).joinpath(*name.split("/"))


class Keeping(NamedTuple, Generic[S]):
    """How a state is put aside between two commands, for games that grow old."""

    dump: Callable[[S], Json]
    """All of it that events change, as JSON values."""
    load: Callable[[S, Json], S]
    """The same state again, from the one before turn 0; anything may be raised if it is none."""


class Ruleset(NamedTuple, Generic[S, E, O, C]):
    """A game as a value. Every function is pure; errors are `PbemError`s with one plain sentence.

    `version` changes whenever `decide` would decide anything otherwise. `open_information`: nothing
    is hidden, and the orders that counted are public after adjudication. `sign_up_orders`: turn 0
    takes orders, and makes secrets, so that its seed stays hidden until the end.
    """

    name: str
    version: str
    title: str
    seats: tuple[str, ...]
    """Every seat that this game can have, in order."""
    files: Files
    events: EventKinds[E]
    default_seats: Callable[[int], tuple[str, ...]]
    """The seats for so many players who named none; `BadInput` for a number it cannot seat."""
    prepare: Callable[[NewGame], Ready]
    """Reads rules and board; `BadInput` naming file and field."""
    initial: Callable[[dict[str, Json]], S]
    """The state before turn 0, from `Ready.setup` as the log keeps it."""
    parse: Callable[[Sheet, S, str], SeatOrders[O, C]]
    """One seat's orders as read in this game: what no position could allow is a problem."""
    decide: Callable[[S, Mapping[str, SeatOrders[O, C]], Dice], tuple[E, ...]]
    """All that the turn now open brings: turn 0 (the opening) where the state is still initial."""
    evolve: Callable[[S, E | TurnClosed | RulingMade], S]
    """The state after an event; the host gives it `turn_closed` before the turn's own events."""
    is_over: Callable[[S], bool]
    view: Callable[[Turn[S, E, O, C], str], Report]
    """What a reader (a seat, or model.PUBLIC, or model.GM) is told of a turn."""
    state_json: Callable[[S], dict[str, Json]]
    """The position for `state --json`, without `game`, `ruleset`, `turn` and `phase`, which the host adds."""
    forecast: Callable[[S, str, SeatOrders[O, C]], tuple[Forecast, ...]]
    case_setup: Callable[[dict[str, Json], Callable[[str], Source], Source], S]
    """The position of a test case (docs/formats.md), given its table, a reader of shipped boards
    by name, and the shipped rules. `BadInput` for a position that no play could reach."""
    ruling: Callable[[S, tuple[tuple[str, Json], ...]], S] | None = None
    """The state with dotted paths of `state_json` set to new values; `BadInput` where they cannot be."""
    is_public: Callable[[E], bool] = lambda _: True
    """Whether a row of this event may be published with salt and data."""
    open_information: bool = True
    sign_up_orders: bool = False
    invitation: Callable[[S, str], tuple[str, ...]] = lambda _state, _seat: ()
    """Lines for a seat's order file of turn 0, comments: what it may sign up with."""
    seen: Callable[[S, str], Any] | None = None
    """What a seat knows of the position now, for programs that play it: a value of its own, *built* from
    what the seat may know. Where nothing is hidden, the state; what a program does to it must not reach
    the game, so whatever in it can be changed is copied."""
    tally: Callable[[Turn[S, E, O, C]], Tally] | None = None
    """What a turn came to, in numbers."""
    result: Callable[[S], Result] | None = None
    """How a game ended, given its last state. Without these three a game cannot be simulated."""
    out: Callable[[S], tuple[str, ...]] | None = None
    """The seats that have nothing left to order for the rest of the game: nobody waits for them."""
    keeping: Keeping[S] | None = None
    """How its state is put aside; without it the whole log is folded by every command."""


AnyRuleset = Ruleset[Any, Any, Any, Any]


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def ruleset_names() -> tuple[str, ...]:
    """The names of all rulesets installed, by name."""
    return tuple(sorted(_entry_points()))


def find_ruleset(name: str) -> AnyRuleset:
    """The ruleset of this name; `BadInput` if none is installed under it, or it does not load."""
    point = _entry_points().get(name)
    if point is None:
        raise BadInput(
            f"There is no ruleset {name!r} here; installed are: {', '.join(ruleset_names()) or 'none'}."
        )
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise BadInput(f"The ruleset {name!r} ({point.value}) cannot be loaded: {raised(error)}.") from error
    if not isinstance(found, Ruleset):
        raise BadInput(f"The ruleset {name!r} ({point.value}) is no pbem Ruleset; reinstall its package.")
    if found.name != name:
        raise BadInput(f"The ruleset {name!r} ({point.value}) calls itself {found.name!r}; mend its package.")
    guarded: dict[str, Any] = {
        each: _guarded(name, each, function) for each in _GUARDED if (function := getattr(found, each))
    }
    if found.keeping is not None:
        dump, load = found.keeping
        guarded["keeping"] = Keeping(_guarded(name, "dump", dump), _guarded(name, "load", load))
    return found._replace(**guarded)


def unguarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A ruleset's function without its guard, for who tells whatever it raises in words of its own."""
    bare: Callable[..., Any] = getattr(function, "__wrapped__", function)
    return bare


_GUARDED = (
    "prepare",
    "initial",
    "parse",
    "decide",
    "evolve",
    "is_over",
    "view",
    "state_json",
    "forecast",
    "case_setup",
    "default_seats",
    "ruling",
    "is_public",
    "invitation",
    "seen",
    "tally",
    "result",
    "out",
)


def _guarded(ruleset: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, of which whatever it raises that is no error of pbem's is told as its package's fault."""

    @wraps(function)
    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (PbemError, OSError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise RulesetFault(
                f"The ruleset {ruleset!r} fails at {name!r}: {raised(error)};"
                " a fault of its package: tell who made it."
            ) from error

    return guarded
