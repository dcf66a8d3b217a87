"""What happens in a contest, as facts: results and not causes (docs/formats.md).

Hexes are labels. `line` in events that an order brought is the line it stood in.
"""

from typing import Literal, get_args

from pbem.events import EventKinds, Fact, RulesetEvent, Throw


class RoundOpened(RulesetEvent):
    """A round begins; its claims and its throw for the order of play follow (F3.1-3)."""

    kind: Literal["round_opened"] = "round_opened"
    round: int


class FluxClaimed(RulesetEvent):
    """What a wizard's corner and undisputed globes paid; `reserve` is what he has now (F3.1)."""

    kind: Literal["flux_claimed"] = "flux_claimed"
    hue: str
    corner: int
    globes: dict[str, int]
    disputed: tuple[str, ...]
    reserve: int


class InitiativeThrown(RulesetEvent):
    """The throws for the order of play, those that tied at the top thrown again (F3.2)."""

    kind: Literal["initiative_thrown"] = "initiative_thrown"
    throws: tuple[dict[str, int], ...]
    order: tuple[str, ...]
    dice: tuple[Throw, ...]


class WizardTurnBegan(RulesetEvent):
    """A wizard's turn within the round (F3.4)."""

    kind: Literal["wizard_turn_began"] = "wizard_turn_began"
    hue: str


class WizardReturned(RulesetEvent):
    """A killed wizard stands on his corner again; `withdrawn` made room for him (F6.3)."""

    kind: Literal["wizard_returned"] = "wizard_returned"
    hue: str
    hex: str
    withdrawn: str | None


class PieceMoved(RulesetEvent):
    """A piece moved along `path`, the hex where it stood included (F4)."""

    kind: Literal["piece_moved"] = "piece_moved"
    hue: str
    piece: str
    path: tuple[str, ...]
    line: int


class SpellCast(RulesetEvent):
    """One attempt at a spell; `reserve` is what is left after paying for it (F5)."""

    kind: Literal["spell_cast"] = "spell_cast"
    hue: str
    spell: str
    hexes: tuple[str, ...]
    distance: int
    cost: int
    chance: int
    throw: int
    success: bool
    reserve: int
    line: int
    dice: tuple[Throw, ...]


class Fighter(Fact):
    """One side of a fight."""

    hue: str
    piece: str
    rating: int


class CombatFought(RulesetEvent):
    """A fight to the death; `throws` are pairs (attacker, defender), the last one decides (F6.1)."""

    kind: Literal["combat_fought"] = "combat_fought"
    hex: str
    attacker: Fighter
    defender: Fighter
    throws: tuple[tuple[int, int], ...]
    winner: str
    dice: tuple[Throw, ...]


class PieceKilled(RulesetEvent):
    """A piece, or the wizard, left the board for its owner's stock (F5.7, F6.3)."""

    kind: Literal["piece_killed"] = "piece_killed"
    hue: str
    piece: str
    hex: str
    by: str


class WizardEliminated(RulesetEvent):
    """A wizard is out of the contest with all that he had on the board (F6.3)."""

    kind: Literal["wizard_eliminated"] = "wizard_eliminated"
    hue: str
    by: str


class DestructionAttempted(RulesetEvent):
    """A piece tried to destroy the earth it stands on (F7)."""

    kind: Literal["destruction_attempted"] = "destruction_attempted"
    hue: str
    piece: str
    earth: str
    owner: str
    hexes: tuple[str, ...]
    chance: int
    throw: int
    success: bool
    line: int
    dice: tuple[Throw, ...]


class OrderRefused(RulesetEvent):
    """One side of a line was not allowed; `rules` are all the rulings that forbid it (F3.6)."""

    kind: Literal["order_refused"] = "order_refused"
    hue: str
    line: int
    text: str
    reason: str


class OrderSkipped(RulesetEvent):
    """A side whose guard was false, or the sides that an earlier success made needless (F9.3, F9.4)."""

    kind: Literal["order_skipped"] = "order_skipped"
    hue: str
    line: int
    text: str
    reason: str


class ContestEnded(RulesetEvent):
    """The scores, whole or as `n/d`, and who shares the title, in seat order (F8.4)."""

    kind: Literal["contest_ended"] = "contest_ended"
    scores: dict[str, str]
    loremasters: tuple[str, ...]


FluxEvent = (
    RoundOpened | FluxClaimed | InitiativeThrown | WizardTurnBegan | WizardReturned | PieceMoved | SpellCast
    | CombatFought | PieceKilled | WizardEliminated | DestructionAttempted | OrderRefused | OrderSkipped
    | ContestEnded
)  # fmt: skip
EVENTS: EventKinds[FluxEvent] = EventKinds(get_args(FluxEvent))
