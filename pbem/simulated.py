"""What a simulation came to, told: as JSON, and as tables and curves for text and page."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from pbem import __version__
from pbem.events import Json
from pbem.likelihood import wilson
from pbem.reports.chart import Chart, Curve, draw_curves
from pbem.reports.simulation import SimulationFacts
from pbem.rulesets import find_ruleset
from pbem.rulesets.model import Column, Row, Table, seat_name, words
from pbem.simulate import Score, Summary


def decimal(value: Fraction, places: int) -> str:
    """A fraction as a decimal number, rounded half up: the same text on every machine."""
    scale = 10**places
    whole = int((abs(value) * scale * 2 + 1) // 2)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // scale}.{whole % scale:0{places}}" if places else f"{sign}{whole}"


def summary_json(summary: Summary) -> dict[str, Json]:
    """All of it; shares and means are decimals as text."""
    plan = summary.plan
    fair = summary.fairness()
    return {
        "ruleset": plan.ruleset,
        "ruleset_version": find_ruleset(plan.ruleset).version,
        "pbem_version": __version__,
        "board": plan.board,
        "rules": plan.rules,
        "length": plan.length,
        "seed": plan.seed,
        "contests": summary.contests,
        "shared_titles": summary.tied,
        "no_winner": summary.won_by_none,
        "turns": {str(turns): summary.turns[turns] for turns in sorted(summary.turns)},
        "seats": {seat: _score_json(score) for seat, score in summary.seats.items()},
        "chi_square": None
        if fair is None
        else {
            "statistic": decimal(fair.statistic, 4),
            "freedom": fair.freedom,
            "p": f"{fair.p:.6f}",
        },
        "players": {name: _score_json(score) for name, score in summary.players.items()},
        "curves": {
            measure: {name: [decimal(mean, 4) for mean in curve.means()] for name, curve in curves.items()}
            for measure, curves in summary.curves.items()
        },
        "counts": {
            name: {
                thing: {what: counts[what] for what in summary.order if what in counts}
                for thing, counts in _by_share(things, summary.order)
            }
            for name, things in summary.counts.items()
        },
    }


def _score_json(score: Score) -> dict[str, Json]:
    low, high = wilson(score.wins, score.games)
    return {
        "games": score.games,
        "wins": score.wins,
        "shared": score.shared,
        "rate": decimal(Fraction(score.wins, score.games), 4),
        "interval": [f"{low:.4f}", f"{high:.4f}"],
        "points": decimal(score.points / score.seats, 4),
    }


def _by_share(things: Mapping[str, Counter[str]], order: tuple[str, ...]) -> list[tuple[str, Counter[str]]]:
    """What is used most comes first."""
    first = order[0] if order else ""
    return sorted(things.items(), key=lambda each: (-each[1][first], each[0]))


def facts_of(summary: Summary) -> SimulationFacts:
    """The same for people."""
    plan = summary.plan
    ruleset = find_ruleset(plan.ruleset)
    seats = ", ".join(plan.players)
    count = f"{summary.contests:,} game{'' if summary.contests == 1 else 's'}"
    notes = [f"Titles that were shared: {summary.tied:,}. Games that nobody won: {summary.won_by_none:,}."]
    fair = summary.fairness()
    if fair is not None:
        notes.append(
            f"Undivided titles over the seats, if all were alike: chi-square {decimal(fair.statistic, 2)}"
            f" with {fair.freedom} degrees of freedom, p = {fair.p:.4f}."
            + ("" if len(summary.players) == 1 else " The players differ: equal ones judge seats better.")
        )
    return SimulationFacts(
        title=f"{ruleset.title}: {count} between programs",
        lead=f"{seats} on {plan.board}, rules {plan.rules}, {plan.length} turns at most, seed {plan.seed};"
        " in each game everybody sits one seat further on.",
        ruleset=plan.ruleset,
        ruleset_version=ruleset.version,
        pbem_version=__version__,
        players=tuple(summary.players),
        tables=(
            _scores("Players", "Player", summary.players, coloured=True),
            _scores("Seats", "Seat", summary.seats, coloured=False),
            _lengths(summary),
            *(
                _counts(f"What {name} used", things, summary.order)
                for name, things in summary.counts.items()
                if any(what in counts for counts in things.values() for what in summary.order)
            ),
        ),
        charts=tuple(_chart(measure, curves) for measure, curves in _curves(summary)),
        notes=tuple(notes),
    )


def _scores(title: str, head: str, scores: Mapping[str, Score], *, coloured: bool) -> Table:
    heads = ("Games", "Won", "Shared", "Win rate, %", "95 % interval", "Points")
    columns = (Column(head), *(Column(each, numeric=True) for each in heads))
    rows = []
    for name, score in scores.items():
        low, high = wilson(score.wins, score.games)
        share = Fraction(score.wins, score.games)
        cells = (
            f"{score.games:,}", f"{score.wins:,}", f"{score.shared:,}", decimal(100 * share, 1),
            f"{100 * low:.1f} to {100 * high:.1f}", decimal(score.points / score.seats, 2),
        )  # fmt: skip
        told = words(seat_name(name)) if coloured else words(name)
        bar = int(1000 * share)
        rows.append(Row((told, *map(words, cells)), seat=name if coloured else "", bar=bar))
    return Table(title, columns, tuple(rows), bar_column=4)


def _lengths(summary: Summary) -> Table:
    rows = tuple(
        Row((words(str(turns)), words(f"{summary.turns[turns]:,}"))) for turns in sorted(summary.turns)
    )
    return Table("Length", (Column("Turns"), Column("Games", numeric=True)), rows)


def _counts(title: str, things: Mapping[str, Counter[str]], order: tuple[str, ...]) -> Table:
    shown = [what for what in order if any(what in counts for counts in things.values())]
    first = shown[0]
    total = sum(counts[first] for counts in things.values())
    columns = (
        Column("What"),
        Column("Share, %", numeric=True),
        *(Column(what.capitalize(), numeric=True) for what in shown),
    )
    rows = []
    for thing, counts in _by_share(things, order):
        share = Fraction(counts[first], total) if total else Fraction(0)
        cells = (f"{counts[what]:,}" if what in counts else "" for what in shown)
        told = decimal(100 * share, 2) if counts[first] else ""
        rows.append(
            Row((words(thing), words(told) if told else (), *(words(cell) if cell else () for cell in cells)))
        )
    return Table(title, columns, tuple(rows), note=words(f"The share is one of all {first}."))


def _curves(summary: Summary) -> Iterable[tuple[str, tuple[Curve, ...]]]:
    for measure, by_player in summary.curves.items():
        yield (
            measure,
            tuple(
                Curve(name, {turn: decimal(mean, 1) for turn, mean in enumerate(curve.means())})
                for name, curve in by_player.items()
            ),
        )


def _chart(measure: str, curves: tuple[Curve, ...]) -> Chart:
    last = max(len(curve.values) for curve in curves) - 1
    return Chart(
        measure, tuple(range(last + 1)), curves, draw_curves(f"mean {measure}", curves, (0, last), {})
    )
