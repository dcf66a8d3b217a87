"""A turn as the host and a ruleset's view tell it, in values: what the report tests render."""

from pbem.dice import commitment, throw, turn_seed
from pbem.events import Throw
from pbem.reports.facts import ArchiveFacts, ChainRow, Deadline, DiceFacts, Press, Ruling, TurnFacts
from pbem.rulesets import Files
from pbem.rulesets.model import (
    GM,
    PUBLIC,
    Board,
    Chapter,
    Column,
    Figure,
    Icon,
    Item,
    ItemList,
    Odds,
    OrderReport,
    Outcome,
    Reading,
    Report,
    Row,
    SeatReport,
    Table,
    Told,
    code,
    seat_name,
    strong,
    words,
)
from tests.sample_map import sample_map, sample_thumbnail

SEATS = ("crimson", "amber", "azure", "violet")
SECRET = bytes(range(32))
SEED = turn_seed(SECRET, 3)
KEYS = ("cast 3 crimson troll N9 1", "cast 3 crimson troll N9 2", "cast 3 crimson forest F11-G10 1")
FLUX_FILES = Files("pbem", "", "", "", templates="templates/flux")
PLAIN_FILES = Files("pbem", "", "", "")

RULINGS = {
    number: Ruling(number, title, text)
    for number, title, text in [
        (
            "F3.1",
            "Claims",
            "At its start every wizard adds 10 for his corner and the value of every globe he owns.",
        ),
        (
            "F4.5",
            "Moves",
            "A move takes the *shortest* allowed path; one that cannot be made whole is refused.",
        ),
        ("F5.1", "Bands", "1 to 4 hexes from the wizard succeed on 8 or less, 5 and 6 on 6, 7 and 8 on 4."),
        (
            "F5.4",
            "Where an earth goes",
            "An earth goes onto two adjacent full hexes: see `cast` and [F5](#f5).",
        ),
        ("F6.1", "Combat", "Each throws and adds his combat rating; the **lower** is killed."),
        ("F10.2", "Never", "Not cited."),
    ]
}


def token(hue: str, kind: str = "wizard") -> Icon:
    return Icon(f"tok-{hue}-{kind}")


def sample_facts(**changes: object) -> TurnFacts:
    throws = tuple(Throw(key=key, sides=10, value=throw(SEED, key, 10)) for key in KEYS)
    rows = tuple(
        ChainRow(
            version=70 + n,
            turn=3,
            kind=kind,
            schema=1,
            at="2026-03-05T20:00:00.000000Z",
            prev=f"{n:064x}",
            digest=f"{n + 50:064x}",
            hash=f"{n + 1:064x}",
            salt=None if kind == "orders_received" else f"{n + 99:064x}",
            data=None if kind == "orders_received" else '{"turn":3}',
        )
        for n, kind in enumerate(("orders_received", "turn_closed", "spell_cast", "combat_fought"))
    )
    facts = TurnFacts(
        game="grob",
        ruleset="flux",
        ruleset_title="Flux",
        ruleset_version="1.0",
        pbem_version="1.0.0",
        seats=SEATS,
        length=10,
        turn=3,
        ended=False,
        closed_at="2026-03-05T20:00:01.000000Z",
        missing=("violet",),
        deadline=Deadline("2026-03-12T20:00:00Z", "Thursday 12 March 2026, 20:00", "Europe/London"),
        dice=DiceFacts(
            attempt=1,
            commitment=commitment(SEED),
            seed=SEED.hex(),
            beacon=None,
            beacon_rule=None,
            next_commitment=commitment(turn_seed(SECRET, 4)),
            secret_hash=commitment(SECRET),
            throws=throws,
        ),
        log_hash="c0ee0ca30768261b0b7290930e95992ca30ccf1584c9bce8bbcc75f5fb6238bb",
        log_version=74,
        chain=rows,
        press={
            reader: (
                Press("azure", None, "The plains are wide.\nShall we share them?"),
                *((Press("violet", "crimson", "Truce until turn 5?"),) if reader in {"crimson", GM} else ()),
            )
            for reader in (*SEATS, PUBLIC, GM)
        },
        notes=("I am away on the 14th; nothing is adjudicated before the 15th.",),
        keys={"crimson": "NPB1-36CD-X757", "amber": "AAAA-BBBB-CCCC", "azure": "DDDD-EEEE-FFFF"},
        rulings=RULINGS,
        orders_text={seat: ((5, f"move wizard to {seat[0].upper()}7"),) for seat in SEATS},
    )
    return facts._replace(**changes)  # type: ignore[arg-type]


def next_turn(seat: str) -> tuple[ItemList, ...]:
    return (
        ItemList(
            "Order of play in round 4",
            tuple(
                Item(
                    words(seat_name(hue), " (you)" if hue == seat else ""), icon=token(hue), mark=hue == seat
                )
                for hue in ("azure", "violet", "crimson", "amber")
            ),
            "chain",
        ),
        ItemList(
            "Your income of 18",
            tuple(
                Item(words(strong(place), f" {worth}"))
                for place, worth in (("K1", 10), ("H10", 4), ("L4", 2))
            ),
            "row",
            words("Disputed, so paying nobody: ", strong("L7"), " (worth 4) with ", seat_name("amber"), "."),
        ),
        ItemList(
            "What you have, and where",
            (
                Item(words(strong("wizard"), " at ", strong("J7")), words("moves 4, combat 3"), token(seat)),
                Item(
                    words(
                        strong("knight"),
                        " at ",
                        strong("O9"),
                        " on ",
                        seat_name("amber", "amber's"),
                        " forest",
                    ),
                    words("moves 5, combat 3, destroys forest 4"),
                    token(seat, "knight"),
                ),
                Item(words(strong("forest"), " at ", strong("K9-L8")), icon=token(seat, "forest")),
                Item(words(strong("forest"), " at ", strong("F11-G10")), icon=token(seat, "forest")),
            ),
        ),
        ItemList(
            "Counters left to cast",
            tuple(
                Item(words(strong(kind)), words(note), token(seat, icon))
                for kind, note, icon in (
                    ("forest", "4 of 6, costs 2", "forest"),
                    ("knight", "costs 5", "knight"),
                    ("great dragon", "costs 11", "knight"),
                )
            ),
            "two",
        ),
    )


def orders(seat: str) -> SeatReport:
    tries = tuple(
        Odds(10, chance, thrown, thrown <= chance, words(f"-{cost} flux, {left} left"))
        for chance, thrown, cost, left in ((6, 7, 5, 11), (6, 2, 5, 6))
    )
    return SeatReport(
        seat,
        (
            OrderReport(
                5,
                "move wizard to J7",
                (Outcome("done", "Done", words("Wizard K6 → J7: 1 step of 4."), rules=("F4.5",)),),
            ),
            OrderReport(
                6,
                "cast troll at N9 times 2",
                (
                    Outcome(
                        "done",
                        "Cast at the 2nd try",
                        words(
                            "Troll at N9, 6 hexes from your wizard. ",
                            seat_name("amber", "amber's"),
                            " gnome is killed.",
                        ),
                        tries,
                        ("F5.1", "F6.1"),
                    ),
                ),
            ),
            OrderReport(
                7,
                "cast hills at I9-I10 else cast forest at F11-G10 times 2 keep 1",
                (
                    Outcome("refused", "Refused", words("A river runs between I9 and I10."), rules=("F5.4",)),
                    Outcome(
                        "failed", "Failed", words("Forest at F11-G10."), (Odds(10, 8, 10, False),), ("F5.1",)
                    ),
                ),
            ),
            OrderReport(
                8,
                "if enemy at K6: cast gnome at K7",
                (Outcome("skipped", "Skipped", words("No enemy stood there.")),),
            ),
            OrderReport(
                9,
                "cast forrest at K6-K7",
                (
                    Outcome(
                        "unread",
                        "Not read",
                        words(
                            "After ",
                            code("cast"),
                            " an earth is expected. Nearest known word: ",
                            code("forest"),
                            ".",
                        ),
                    ),
                ),
            ),
            OrderReport(10, "hold", (Outcome("held", "Held"),)),
        ),
    )


def chapters() -> tuple[Chapter, ...]:
    played = tuple(
        Chapter(
            words(seat_name(hue)),
            (
                Told(words("Wizard K6 → ", strong("J7")), "Moves", rules=("F4.5",)),
                Told(words("Knight N5 → ", strong("O9")), rules=("F4.5",)),
                Told(
                    words(strong("Troll"), " at N9 cast"),
                    "Casts",
                    "done",
                    rules=("F5.1",),
                    odds=(Odds(10, 6, 7, False), Odds(10, 6, 2, True, words("-10 flux"))),
                ),
                Told(
                    words(code("cast hills at I9-I10"), ". A river runs there."),
                    "",
                    "refused",
                    "Refused",
                    rules=("F5.4",),
                ),
                Told(
                    words(
                        "At N9 ",
                        seat_name(hue, f"{hue}'s"),
                        " troll fights ",
                        seat_name("amber", "amber's"),
                        " gnome.",
                    ),
                    "Combat",
                    calc="9 + 4 = 13 against 5 + 1 = 6",
                    rules=("F6.1",),
                ),
            ),
            hue,
            lead=words(f"played {place} · reserve 16 → 0"),
        )
        for hue, place in zip(SEATS, ("first", "second", "third", "fourth"), strict=True)
    )
    opens = Chapter(
        words("Round 4 opens"),
        tuple(
            Told(
                words(seat_name(hue), " claims ", strong(18), "."), "Claims" if not n else "", rules=("F3.1",)
            )
            for n, hue in enumerate(SEATS)
        ),
        lead=words("flux is claimed, then all throw the decapod"),
    )
    return (*played, opens)


def standings() -> Table:
    return Table(
        "Standings",
        (
            Column("Wizard"),
            Column("Score if it ended now", numeric=True),
            Column("Plays", numeric=True),
            Column("Reserve", numeric=True),
            Column("Income, change", numeric=True),
            Column("Disputed"),
        ),
        tuple(
            Row(
                (
                    words(seat_name(hue)),
                    words(strong(score)),
                    words("2"),
                    words("24"),
                    words("22 +2"),
                    words(disputed),
                ),
                token(hue),
                hue,
                bar,
            )
            for hue, score, bar, disputed in (
                ("violet", 24, 1000, "J15"),
                ("amber", 23, 958, "L7, O5"),
                ("azure", 22, 917, ""),
                ("crimson", 21, 875, "L7, O5"),
            )
        ),
        bar_column=1,
    )


def in_words() -> Table:
    return Table(
        "The map in words",
        (Column("Wizard"), Column("Pieces"), Column("Earths"), Column("Globes and value")),
        tuple(
            Row(
                (
                    words(seat_name(hue)),
                    words("wizard ", strong("J7"), ", knight ", strong("O9"), ", troll ", strong("N9")),
                    words(
                        "forest ",
                        strong("K9-L8"),
                        ", hills ",
                        strong("O6-P5"),
                        ", forest ",
                        strong("F11-G10"),
                    ),
                    words(strong("H10"), " 4, ", strong("I7"), " 2, ", strong("L4"), " 2"),
                ),
                token(hue),
                hue,
            )
            for hue in SEATS
        ),
    )


def sample_report(reader: str = "crimson", **changes: object) -> Report:
    seat = reader in SEATS
    report = Report(
        reader=reader,
        heading="turn 3 of 10",
        headline=words(
            "Killed: ", seat_name("amber", "amber's"), " gnome at N9. ", seat_name("azure"), " leads."
        ),
        board=Board(
            sample_map(),
            words("Point at anything for its name."),
            tuple(Item(words(f"{hue}, income 18"), icon=token(hue)) for hue in SEATS),
            (-228, -237, 456, 285),
            "Nearer: your ground",
        ),
        next_turn=next_turn(reader) if seat else (),
        figures=(
            Figure("18", "flux in reserve"),
            Figure("18", "income, already claimed"),
            Figure("3rd", "of 4 in round 4"),
        )
        if seat
        else (),
        changed=(
            Item(words("Your reserve: 16 → ", strong("18"))),
            Item(words(seat_name("amber"), " covers ", strong("L7"))),
        )
        if seat
        else (),
        orders=tuple(orders(hue) for hue in ((reader,) if seat else SEATS)),
        round=chapters(),
        round_title="Round 3 as it happened",
        standings=standings(),
        in_words=(in_words(),),
        template=("# reserve 18; you play third", "# wizard J7   knight O9   troll N9") if seat else (),
        thumbnail=sample_thumbnail(),
        readings=tuple(
            Reading(measure, hue, str(10 + n))
            for measure in ("income", "score")
            for n, hue in enumerate(SEATS)
        ),
        icons={hue: token(hue) for hue in SEATS},
        data={"position": {"round": 4}, "events": [{"kind": "spell_cast", "rules": ("F5.1",)}]},
    )
    return report._replace(**changes)  # type: ignore[arg-type]


def sample_reports() -> dict[str, Report]:
    return {reader: sample_report(reader) for reader in (*SEATS, PUBLIC, GM)}


def sample_archive() -> ArchiveFacts:
    from pbem.reports.archive import summarise

    curves = {
        "crimson": (10, 12, 12, 18),
        "amber": (10, 16, 18, 20),
        "azure": (10, 20, 20, 20),
        "violet": (10, 16, 20, 22),
    }
    turns = tuple(
        summarise(
            sample_facts(turn=turn, closed_at=f"2026-02-{12 + turn:02}T20:00:00Z"),
            sample_report(
                PUBLIC,
                readings=tuple(
                    Reading(measure, hue, str(curves[hue][turn] + extra))
                    for measure, extra in (("income", 0), ("score", 3))
                    for hue in SEATS
                ),
            ),
        )
        for turn in range(4)
    )
    return ArchiveFacts(sample_facts(), sample_report(PUBLIC), turns)
