"""The command line: reads words, calls Game, and has telling.py print what came of it.

Everything but click is imported inside the commands, so that `pbem --help` answers at once.
"""

# ruff: noqa: PLC0415 - start-up is imports: every command imports what it needs

import gc
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.telling import (
    Told,
    counts_in_words,
    echo_json,
    games_bar,
    phase_in_words,
    print_json,
    progress,
    tell_closed,
    tell_failure,
    tell_findings,
    tell_flushed,
    tell_outcome,
    tell_status,
    tell_taken,
    tell_tree,
    tell_warning,
)

if TYPE_CHECKING:
    from pbem.game import Game
    from pbem.post import PostOffice


class TurnNumber(click.ParamType[int]):
    """`turn-3`, or `3` for short."""

    name = "turn"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a usage error for any other word."""
        number = str(value).removeprefix("turn-")
        if not (number.isascii() and number.isdecimal() and len(number) <= 6):
            self.fail(f"{value!r} is no turn; write turn-3, or 3.", param, ctx)
        return int(number)


EX_TEMPFAIL = 75
"""What a mail server understands as: try again later."""
TURN = TurnNumber()
FILE = click.Path(path_type=Path, readable=False)
"""A path; what is wrong with it is told by whoever reads it, in one sentence and with status 1."""
as_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)

games_option = click.option(
    "--games", "below", metavar="DIR|URL", help="Serve all games below DIR, or all of a database."
)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]}, epilog="Turns are written turn-3, or 3."
)
@click.option("-C", "folder", metavar="DIR", type=FILE, help="The game's folder, or one inside it.")
@click.version_option(package_name="pbem")
@click.pass_context
def cli(ctx: click.Context, folder: Path | None) -> None:
    """A play-by-email adjudicator: order files in, an append-only log, reports out."""
    ctx.obj = folder


def game_of(ctx: click.Context) -> "Game":
    """The game that the command is about: -C, else PBEM_GAME, else here or above."""
    from pbem.game import Game

    named = ctx.obj or os.environ.get("PBEM_GAME")
    return Game.find(Path(named) if named else Path(), warn=lambda sentence: click.echo(sentence, err=True))


# Making and running a game.


@cli.command()
@click.argument("folder", metavar="DIR", type=FILE)
@click.option("--ruleset", required=True, help="What is played: flux, magic, or another that is installed.")
@click.option("--map", "map_name", metavar="FILE|NAME", help="A map of the ruleset's, or a file.")
@click.option("--scenario", metavar="FILE|NAME", help="A scenario of the ruleset's, or a file.")
@click.option("--rules", type=FILE, help="A rules file in place of the shipped one.")
@click.option("--length", type=click.IntRange(min=1, max=1000), help="How many turns.")
@click.option(
    "--player", "players", multiple=True, metavar="[SEAT=]NAME <ADDRESS>", help="Once for each player."
)
@click.option("--secret", metavar="HEX", help="The dice secret, for tests and demonstrations.")
@click.option("--store", metavar="URL", help="Keep the game in this database: postgresql://HOST/DATABASE.")
def new(
    *,
    folder: Path,
    ruleset: str,
    map_name: str | None,
    scenario: str | None,
    rules: Path | None,
    length: int | None,
    players: tuple[str, ...],
    secret: str | None,
    store: str | None,
) -> None:
    """Make a game's folder and its log, and print what commits its dice."""
    from pbem.clock import now
    from pbem.config import player_of
    from pbem.founding import Wanted, found
    from pbem.game import Game

    seated = [player_of(text) for text in players]
    wanted = Wanted(folder, ruleset, seated, map_name, scenario, rules, length, secret, store)
    founded = found(wanted, now())
    game = Game(founded.folder)
    click.echo(f"{founded.game} is made in {folder}, with {', '.join(founded.seats)}.")
    click.echo(f"SHA-256 of its secret: {founded.secret_hash}")
    click.echo(f"Commitment of turn-0:  {founded.commitment}")
    if game.ruleset.sign_up_orders:
        game.write_invitations()
        click.echo(f"Send each player his {folder}/players/SEAT/invitation.txt: turn 0 takes orders.")
    click.echo(f"Next: pbem -C {shlex.quote(str(folder))} start")


@cli.command()
@click.option("--allow-missing", is_flag=True, help="Go on without the sign-up orders that are missing.")
@click.pass_context
def start(ctx: click.Context, allow_missing: bool) -> None:
    """End sign-up, resolve turn 0 and publish the opening."""
    tell_closed(game_of(ctx).start(allow_missing=allow_missing))


@cli.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=FILE)
@click.option("--reason", help="Why you submit them; must be given while you correct a turn.")
@click.pass_context
def submit(ctx: click.Context, files: tuple[Path, ...], reason: str | None) -> None:
    """Append order files, or a folder of them, or `-` for standard input: all or none."""
    intake = game_of(ctx).submit(files, stdin=read_stdin, reason=reason)
    for incoming in intake.new:
        tell_taken(incoming)
    for incoming in intake.known:
        click.echo(f"{incoming.seat}: {incoming.source} stands already.")
    if not intake.new and not intake.known:
        click.echo("There was no order file.")


@cli.command()
@click.argument("file", type=FILE)
@as_json_option
@click.pass_context
def check(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Say line by line what would be done with an order file; appends nothing."""
    lines = game_of(ctx).check(file, stdin=read_stdin)
    if as_json:
        fields = ("line", "text", "reads", "message", "forecast")
        print_json({"lines": [{name: getattr(line, name) for name in fields} for line in lines]})
    else:
        for line in lines:
            told = line.message if not line.reads else line.forecast
            click.echo(f"line {line.line}: {line.text}")
            click.echo(f"    {'reads' if line.reads else 'cannot be read'}{f': {told}' if told else ''}")
        click.echo(f"{len(lines)} lines, {sum(not line.reads for line in lines)} of them unreadable.")
    if not all(line.reads for line in lines):
        ctx.exit(1)


@cli.command()
@as_json_option
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show who has sent what, and what is due."""
    told = game_of(ctx).status_json()
    if as_json:
        print_json(told)
    else:
        tell_status(told)


@cli.command()
@click.argument("below", metavar="DIR|URL")
@click.pass_context
def games(ctx: click.Context, below: str) -> None:
    """List all games below a folder, or in a database."""
    from pbem.config import is_url
    from pbem.errors import BadInput, PbemError
    from pbem.game import Game, games_below, games_in

    if not is_url(below) and not Path(below).is_dir():
        raise BadInput(f"{below} is no folder; name one that holds games.")
    unread: list[str] = []
    if is_url(below):
        found = games_in(below)
    else:
        found = {str(at): Game(at) for at in games_below(Path(below), unread.append)}
    for where, game in found.items():
        try:
            told = game.status_json()
        except PbemError as error:
            click.echo(f"{where}: {error}")
            continue
        waiting = [each["seat"] for each in told["seats"] if each["state"] == "missing"]
        missing = f", missing {', '.join(waiting)}" if told["phase"] == "open" and waiting else ""
        click.echo(f"{where}: {told['game']}, {told['ruleset']}, {phase_in_words(told)}{missing}")
    if not found:
        click.echo(f"There is no game {'in it' if is_url(below) else f'below {below}'}.")
    for sentence in unread:
        tell_warning(sentence)
    ctx.exit(1 if unread else 0)


@cli.command()
@click.argument("turn", type=TURN)
@click.pass_context
def orders(ctx: click.Context, turn: int) -> None:
    """Print the orders of a turn that count now, or counted."""
    for each in game_of(ctx).orders(turn):
        source = f", {each.received.source}" if each.received else ""
        click.echo(f"{each.seat} ({each.state}{source})")
        for line in each.sheet.lines:
            click.echo(f"{line.number:5}  {line.text}")


@cli.command()
@click.argument("turn", type=TURN)
@click.option("--dry-run", is_flag=True, help="Print what would happen, and append nothing.")
@click.option("--beacon", metavar="TEXT", help="The public number agreed on beforehand, once it is drawn.")
@click.option("--allow-missing", is_flag=True, help="Go on without the orders that are missing.")
@click.option(
    "--with", "late", metavar="FILE", type=FILE, help="In a dry run: what this late file would change."
)
@click.option("--blind", is_flag=True, help="With --with: say whom it would touch, and nothing of how.")
@click.pass_context
def adjudicate(
    ctx: click.Context,
    *,
    turn: int,
    dry_run: bool,
    beacon: str | None,
    allow_missing: bool,
    late: Path | None,
    blind: bool,
) -> None:
    """Take in new order files, resolve the turn and write its reports."""
    if (late and not dry_run) or (blind and not late):
        raise click.UsageError("--with goes with --dry-run, and --blind with --with.", ctx)
    game = game_of(ctx)
    if late:
        from pbem.whatif import in_words, what_if

        found = what_if(game, turn, late)
        tell_taken(found.incoming)
        for line in in_words(found, blind=blind):
            click.echo(line)
        return
    closed = game.adjudicate(turn, beacon=beacon, allow_missing=allow_missing, dry_run=dry_run)
    tell_closed(closed)


# The GM's hand, and the players' trust.


@cli.command()
@click.argument("turn", type=TURN)
@click.option("--reason", required=True, help="Why; everybody is told.")
@click.option("--keep-dice", is_flag=True, help="For a correction: the dice stay, players send nothing.")
@click.pass_context
def reopen(ctx: click.Context, turn: int, reason: str, keep_dice: bool) -> None:
    """Open the last adjudicated turn again; its orders stand, its dice are thrown anew."""
    from pbem.hand import reopen as reopen_turn

    done = reopen_turn(game_of(ctx), turn, reason, keep_dice=keep_dice)
    click.echo(f"turn-{turn} is open again; its old report is void, and so are its keys.")
    click.echo(f"Commitment of its dice, attempt {done.attempt}: {done.commitment}")
    if done.dropped:
        click.echo(f"Orders for turn-{turn + 1} no longer count: {', '.join(done.dropped)}.")
    click.echo("Send each player the newest notice in players/SEAT/.")


@cli.command()
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.option("--undo", metavar="VERSION", type=click.IntRange(min=1), help="Take that ruling back.")
@click.option("--reason", required=True, help="Why; everybody is told.")
@click.pass_context
def ruling(ctx: click.Context, file: Path | None, undo: int | None, reason: str) -> None:
    """Set parts of the position by hand, from a TOML file in the form of `state --json`."""
    from pbem.archive import plain
    from pbem.hand import rule
    from pbem.hand import undo as undo_ruling

    if (file is None) == (undo is None):
        raise click.UsageError("Name a FILE, or the VERSION of a ruling to --undo.", ctx)
    game = game_of(ctx)
    made = rule(game, file, reason) if file is not None else undo_ruling(game, undo or 0, reason)
    for change in made.changes:
        click.echo(f"{change.path}: {plain(change.now)}; it was {plain(change.was)}")
    click.echo(f"This is the ruling of version {game.rows[-1].version}; its notices are in players/SEAT/.")


@cli.command()
@click.pass_context
def end(ctx: click.Context) -> None:
    """Publish the secret of a finished game; after that nothing can be reopened."""
    from pbem.hand import end as end_game

    click.echo(f"The secret, now in every report: {end_game(game_of(ctx))}")


@cli.command()
@as_json_option
@click.pass_context
def verify(ctx: click.Context, as_json: bool) -> None:
    """Check the log: hashes, promises, throws, decisions, and the reports at hand."""
    from pbem.verify import verify as verify_log

    found = verify_log(game_of(ctx))
    for warning in found.warnings:
        click.echo(warning, err=True)
    if as_json:
        print_json(found.as_json())
        if not found.ok:
            ctx.exit(1)
    else:
        tell_findings(found)


@cli.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=FILE)
def audit(files: tuple[Path, ...]) -> None:
    """Check archived reports without the log: seeds, throws, the chain, and outcomes against orders."""
    from pbem.audit import audit as audit_files
    from pbem.errors import Damaged
    from pbem.reports.plain import visible

    found = audit_files(files)
    if found.faults:
        more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
        raise Damaged(f"{found.faults[0].rstrip('.')}{more}; ask the GM how that came about.")
    click.echo(f"Checked: {counts_in_words(found.counts)}.")
    # The files are anybody's: what they say must not move about on the screen.
    for told in map(visible, found.unchecked):
        click.echo(f"Not checked: {told.rstrip('.')}.")
    for told in map(visible, found.differs):
        click.echo(f"Another version decided: {told.rstrip('.')}.")
    click.echo("All else agrees." if found.differs else "All that was checked agrees.")


@cli.command()
@click.argument("file", type=FILE)
@click.pass_context
def bundle(ctx: click.Context, file: Path) -> None:
    """Pack a finished game for strangers: its log, its published secret, its reports."""
    from pbem.packing import bundle as pack

    count = pack(game_of(ctx), file)
    click.echo(f"Written: {file}, with {count} files.")
    click.echo("Its log holds order files as they were sent, with comments and private press.")


@cli.command()
@click.argument("file", type=FILE)
@click.pass_context
def backup(ctx: click.Context, file: Path) -> None:
    """Write log, secret, game.toml, orders and mail into one file, also while other commands run."""
    from pbem.packing import backup as pack

    count = pack(game_of(ctx), file)
    click.echo(f"Written: {file}, with {count} files. It holds the secret: keep it to yourself.")


@cli.command()
@click.argument("file", type=FILE)
@click.pass_context
def restore(ctx: click.Context, file: Path) -> None:
    """Put a backup back into the game's folder: -C DIR, else PBEM_GAME, else here."""
    from pbem.files import CONFIG, SECRET
    from pbem.packing import restore as put_back

    done = put_back(file, Path(ctx.obj or os.environ.get("PBEM_GAME") or "."))
    click.echo(f"{done.game} is back in {done.folder}, at version {done.version} of its log.")
    if done.aside is not None:
        click.echo(f"The damaged log is kept as {done.aside.name}.")
    for name in done.kept:
        click.echo(f"{name} was there and was left as it is.")
    if all((done.folder / name).is_file() for name in (CONFIG, SECRET)):
        click.echo("Next: `pbem verify`, then `pbem report` writes the reports again.")
    else:
        click.echo(f"Put {CONFIG} and {SECRET} beside it; they are not in this file.")


@cli.command()
@click.argument("target", metavar="URL|DIR")
@click.pass_context
def copy(ctx: click.Context, target: str) -> None:
    """Bring the game to a database, or from there into a new folder, and verify it where it has arrived."""
    from pbem.copying import copy as bring

    done = bring(game_of(ctx), target)
    mail = f", with {done.messages} kept messages" if done.messages else ""
    begun = " It had arrived before." if done.finished else ""
    click.echo(
        f"{done.game} is in {done.where}, at version {done.version} of its log{mail}; verified.{begun}"
    )
    click.echo("It goes on there; where it was its log takes nothing more.")


@cli.command()
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.pass_context
def settings(ctx: click.Context, file: Path | None) -> None:
    """Print game.toml, wherever it is kept, or put FILE in its place; `-` is standard input."""
    from pbem.files import read_text
    from pbem.sheet import decode

    game = game_of(ctx)
    if file is None:
        click.echo(game.settings, nl=False)
        return
    game.write_settings(decode(read_stdin()).text if str(file) == "-" else read_text(file))
    click.echo("game.toml is as you gave it.")


# Looking at a game.


@cli.command()
@click.argument("turn", type=TURN, required=False)
@click.pass_context
def report(ctx: click.Context, turn: int | None) -> None:
    """Write the reports of a turn, or of all turns, again from the log."""
    from pbem.errors import shown

    click.echo(f"Written: {shown(game_of(ctx).report(turn))}")


@cli.command(name="map")
@click.argument("turn", type=TURN, required=False)
@click.option("--seat", help="As this seat knows it; without, as everybody does.")
@click.option("-o", "--output", required=True, metavar="FILE.svg|.png", type=FILE, help="Where to write it.")
@click.option(
    "--width", default=1200, show_default=True, type=click.IntRange(16, 8192), help="Of a PNG, in pixels."
)
@click.pass_context
def draw_map(ctx: click.Context, turn: int | None, seat: str | None, output: Path, width: int) -> None:
    """Draw the map after a turn."""
    from pbem.files import place_for, write_whole

    form = output.suffix.lower()
    if form not in {".svg", ".png"}:
        raise click.BadParameter(f"{output} is neither .svg nor .png.", ctx, param_hint="-o")
    place = place_for(output)
    svg = game_of(ctx).drawing(turn, seat and seat.casefold())
    if form == ".png":
        from pbem.reports.png import svg_to_png

        write_whole(place, svg_to_png(svg, width))
    else:
        write_whole(place, svg.encode())
    click.echo(f"Written: {output}")


@cli.command()
@click.argument("turn", type=TURN, required=False)
@as_json_option
@click.pass_context
def log(ctx: click.Context, turn: int | None, as_json: bool) -> None:
    """Print the events, of a turn or of all: the GM's view."""
    from pbem.store import row_json

    rows = game_of(ctx).rows_of(turn)
    if as_json:
        print_json([row_json(row, json.loads(row.data)) for row in rows])
        return
    for row in rows:
        data = row.data if len(row.data) <= 200 else f"{row.data[:200]}…"
        click.echo(f"{row.version:5}  turn-{row.turn}  {row.at}  {row.kind}  {data}")


@cli.command()
@click.argument("turn", type=TURN, required=False)
@as_json_option
@click.pass_context
def state(ctx: click.Context, turn: int | None, as_json: bool) -> None:
    """Print the position after a turn, or now: the GM's view."""
    told = game_of(ctx).state_json(turn)
    if as_json:
        print_json(told)
    else:
        tell_tree(told)


@cli.command()
@click.argument("turn", type=TURN)
@click.argument("seat")
@click.argument("line", type=click.IntRange(min=1))
@click.pass_context
def explain(ctx: click.Context, turn: int, seat: str, line: int) -> None:
    """Say why an order line did what it did: ruling, numbers, throw."""
    from pbem.reports.words import from_markdown
    from pbem.rulesets.model import plain_text
    from pbem.rulings import read_rulings

    game = game_of(ctx)
    found = game.explain(turn, seat.casefold(), line)
    rulings = read_rulings(game.ruleset.files)
    click.echo(f"{seat}, turn-{turn}, line {found.line}: {found.text}")
    for outcome in found.outcomes:
        tell_outcome(outcome)
    for number in dict.fromkeys(rule for outcome in found.outcomes for rule in outcome.rules):
        ruling = rulings.get(number)
        click.echo(f"{number} {ruling.title}: {plain_text(from_markdown(ruling.text))}" if ruling else number)


@cli.command()
@click.argument("seat")
@click.option("--new", is_flag=True, help="Issue another; the old one is worth nothing from then on.")
@click.pass_context
def key(ctx: click.Context, seat: str, new: bool) -> None:
    """Show a seat's order key for the open turn, or issue another."""
    click.echo(game_of(ctx).key(seat.casefold(), new=new))


@cli.command()
@click.argument("turn", type=TURN)
@click.argument("file", type=FILE)
@click.pass_context
def note(ctx: click.Context, turn: int, file: Path) -> None:
    """Add a note of the GM's to a turn's report; `-` is standard input."""
    from pbem.errors import shown
    from pbem.files import read_text
    from pbem.sheet import decode

    text = decode(read_stdin()).text if str(file) == "-" else read_text(file)
    written = game_of(ctx).note(turn, text)
    click.echo(f"Written: {shown(written)}" if written else f"It will stand in the report of turn-{turn}.")


# Mail and time.


@cli.command()
@click.argument("sources", metavar="[SOURCE…]", nargs=-1)
@games_option
@as_json_option
@click.pass_context
def receive(ctx: click.Context, sources: tuple[str, ...], below: str | None, as_json: bool) -> None:
    """Take in mail: files, mboxes, Maildirs, folders, `-`, or the mailbox of game.toml."""
    from pbem.errors import Conflict, PbemError, Unreachable
    from pbem.ticking import in_words

    try:
        office = office_for(ctx, below)
    except Unreachable as error:
        if "-" not in sources:
            raise
        tell_warning(str(error))
        ctx.exit(EX_TEMPFAIL)
    told = Told(in_words, as_json=as_json)
    later = False
    try:
        with office.open(), progress() as advance:
            for result in office.receive(sources, sys.stdin.buffer):
                advance(1)
                told.add(result.json())
            try:
                office.flush()
            except PbemError as error:
                tell_warning(str(error))
    except Conflict:
        if "-" in sources:
            ctx.exit(EX_TEMPFAIL)
        told.end(cut_off=True)
        raise
    except PbemError as error:
        # What was taken in before is told all the same.
        office.failed = True
        later = "-" in sources and isinstance(error, Unreachable)
        tell_warning(str(error))
    except BaseException:
        told.end(cut_off=True)
        raise
    told.end()
    # Who brought what is kept and waits must not send it back; what else waits is no concern of his.
    later |= office.stream_waits
    ctx.exit(EX_TEMPFAIL if later else int(office.failed or ("-" not in sources and office.some_wait)))


@cli.command()
@click.argument("turn", type=TURN)
@click.pass_context
def send(ctx: click.Context, turn: int) -> None:
    """Send each player the report of a turn, once."""
    from pbem.counter import seats_in_words
    from pbem.ticking import sent_mark

    office = office_for(ctx, None)
    with office.open():
        (counter,) = office.counters.values()
        sent = office.send(counter, turn)
        counter.outbox.make()
        counter.outbox.note(sent_mark(counter, turn))
        click.echo(f"turn-{turn}: {seats_in_words(sent)}." if sent else f"turn-{turn} was sent before.")
        tell_flushed(office.flush(), counter.settings.out)


@cli.command()
@click.pass_context
def remind(ctx: click.Context) -> None:
    """Remind those who have sent nothing for the open turn, once a turn."""
    from pbem.counter import seats_in_words

    office = office_for(ctx, None)
    with office.open():
        (counter,) = office.counters.values()
        click.echo(f"Reminded: {seats_in_words(office.remind(counter))}.")
        tell_flushed(office.flush(), counter.settings.out)


@cli.command()
@click.option("--force", is_flag=True, help="Adjudicate what is due even if mail seems to be missing.")
@games_option
@click.pass_context
def tick(ctx: click.Context, force: bool, below: str | None) -> None:
    """Receive, remind, adjudicate if due, send: for cron or a timer, every minute if you like."""
    from pbem.config import is_url
    from pbem.errors import Conflict
    from pbem.ticking import tick as tick_once

    if below is not None and is_url(below):
        from pbem.sharing import tick_all

        smooth = tick_all(below, ctx.obj or Path(), force=force, tell=click.echo, warn=tell_warning)
        ctx.exit(0 if smooth else 1)
    office = office_for(ctx, below)
    try:
        with office.open(wait=0):
            smooth = tick_once(office, force=force, tell=click.echo, warn=tell_warning)
    except Conflict as error:
        click.echo(f"{error}")
        return
    ctx.exit(0 if smooth else 1)


@cli.command()
@click.argument("turn", type=TURN)
@click.argument("time", metavar="TIME")
@click.pass_context
def deadline(ctx: click.Context, turn: int, time: str) -> None:
    """Set when orders are due: a time in the game's zone, as 2026-12-06T20:00, or `none`."""
    at = game_of(ctx).set_deadline(turn, time)
    click.echo(f"Orders for turn-{turn} are due {at}." if at else f"turn-{turn} has no deadline.")


@cli.command()
@click.argument("seat")
@click.option("--name", help="Who plays the seat from here on.")
@click.option("--email", metavar="ADDRESS", help="The address on file from here on.")
@click.option("--player", "program", metavar="NAME", help="A program that plays the seat, openly.")
@click.pass_context
def seat(ctx: click.Context, seat: str, name: str | None, email: str | None, program: str | None) -> None:
    """Give a seat to another player or to a program, or a player another address: a new key, told by mail."""
    from pbem.seating import hand_over, hand_to_program

    if (name is None and email is None) is (program is None):
        raise click.UsageError("Say who plays it: --name, --email, or both; or --player for a program.", ctx)
    office = office_for(ctx, None)
    with office.open():
        if program is not None:
            told = hand_to_program(office, seat.casefold(), program)
            click.echo(
                f"{seat.casefold()} is played by the program {program}; told: {', '.join(told) or 'nobody'}."
            )
            office.flush()
            return
        told = hand_over(office, seat.casefold(), name, email)
        click.echo(f"{seat.casefold()} has a new key; told: {', '.join(told) or 'nobody'}.")
        office.flush()


@cli.command()
@click.argument("seat")
@click.option("--until", type=TURN, help="The last turn for which the seat is away.")
@click.option("--back", is_flag=True, help="The player is back.")
@click.pass_context
def absent(ctx: click.Context, seat: str, until: int | None, back: bool) -> None:
    """Note that a player is away: his standing orders count, or none, and nobody waits for him."""
    if (until is None) is not back:
        raise click.UsageError("Say --until turn-5, or --back.", ctx)
    game_of(ctx).absent(seat.casefold(), until)
    click.echo(f"{seat.casefold()} is back." if back else f"{seat.casefold()} is away until turn-{until}.")


def office_for(ctx: click.Context, below: str | None) -> "PostOffice":
    """The post office of one game, or of all below a folder or in a database."""
    from pbem.config import is_url
    from pbem.counter import folders_of
    from pbem.post import PostOffice

    if below is not None and is_url(below):
        from pbem.sharing import office_of_all

        return office_of_all(below, ctx.obj or Path(), tell_warning)
    if below is not None:
        unread: list[str] = []
        office = PostOffice(folders_of(Path(below), unread.append), Path(below), warn=tell_warning)
        for sentence in unread:
            tell_warning(sentence)
            office.failed = True
        return office
    folder = game_of(ctx).folder
    return PostOffice([folder], folder, warn=tell_warning)


@cli.command()
@click.option("--ruleset", default="flux", show_default=True, help="What is played.")
@click.option(
    "--players",
    "names",
    required=True,
    metavar="NAME,NAME…",
    help="The programs that play, one for each seat.",
)
@click.option(
    "--contests", default=100, show_default=True, type=click.IntRange(1, 10_000_000), help="How many games."
)
@click.option("--map", "map_name", metavar="FILE|NAME", help="A map of the ruleset's, or a file.")
@click.option("--scenario", metavar="FILE|NAME", help="A scenario of the ruleset's, or a file.")
@click.option("--rules", type=FILE, help="A rules file in place of the shipped one.")
@click.option("--length", type=click.IntRange(min=1, max=1000), help="How many turns at most.")
@click.option("--seed", default="1", show_default=True, help="Any text: the same one gives the same games.")
@click.option("--jobs", type=click.IntRange(1, 256), help="How many processes; as many as there are cores.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page with tables and curves too.")
@as_json_option
def simulate(
    *,
    ruleset: str,
    names: str,
    contests: int,
    map_name: str | None,
    scenario: str | None,
    rules: Path | None,
    length: int | None,
    seed: str,
    jobs: int | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Play whole games between programs, in memory, and say how they went."""
    from pbem.files import place_for, write_whole
    from pbem.simulate import planned
    from pbem.simulate import simulate as play_all
    from pbem.simulated import facts_of, summary_json

    players = [name.strip() for name in names.split(",")]
    plan = planned(
        ruleset, players, contests,
        map_name=map_name, scenario=scenario, rules=rules, length=length, seed=seed,
    )  # fmt: skip
    page = None if html is None else place_for(html)
    with games_bar(contests) as advance:
        summary = play_all(plan, min(jobs or os.cpu_count() or 1, contests), advance)
    if as_json:
        print_json(summary_json(summary))
    else:
        from pbem.reports.simulation import simulation_text

        click.echo(simulation_text(facts_of(summary)).rstrip("\n"))
    if page is not None:  # last of all: what came of it is told even where the disk is full
        from pbem.reports.pages import simulation_page

        write_whole(page, simulation_page(facts_of(summary)).encode())
        if not as_json:
            click.echo(f"\nWritten: {html}")


# Trying things out.


@cli.command()
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=FILE)
@as_json_option
@click.pass_context
def cases(ctx: click.Context, paths: tuple[Path, ...], as_json: bool) -> None:
    """Run test cases, files or folders of them."""
    from pbem.cases import run_cases

    output, all_passed = run_cases(paths, as_json=as_json)
    (echo_json if as_json else click.echo)(output.rstrip("\n"))
    if not all_passed:
        ctx.exit(1)


@cli.command()
@click.argument("folder", metavar="[DIR]", required=False, type=FILE)
@click.option("--ruleset", default="flux", show_default=True, help="Whose demonstration game.")
def demo(folder: Path | None, ruleset: str) -> None:
    """Play the demonstration game from its order files to its last report."""
    from pbem.demo import play

    played = play(folder, ruleset, tell=click.echo, warn=lambda sentence: click.echo(sentence, err=True))
    click.echo(f"Read it: {played / 'reports' / 'index.html'}")
    click.echo(f"It is an ordinary game: try `pbem -C {shlex.quote(str(played))} status`, `log`, `state`.")


# Standard input.


def read_stdin() -> bytes:
    """Standard input, as bytes."""
    from pbem.errors import BadInput

    if sys.stdin is None:
        raise BadInput("Standard input is closed; name a file, or send the text there.")
    return sys.stdin.buffer.read()


# Leaving.


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command; whatever a person, a file or the system can cause ends in one sentence."""
    # A command is over before searching for cycles would have paid.
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    status = run(args)
    gc.freeze()  # nor would the search before the end, which goes through all that was ever read
    sys.exit(status)


def run(args: Sequence[str] | None) -> int:
    """The exit status of a command, its sentence printed."""
    # No event of ours is the business of whatever plugins of pydantic there are, and to seek them is slow.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        status = cli.main(args, prog_name="pbem", standalone_mode=False)
        if sys.stdout is not None:  # as it is where it was closed
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return tell_failure("Interrupted; what was not yet in the log was not done, see `pbem status`.")
    except BrokenPipeError:
        # Whoever read the output has gone: there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - what is no expected failure is raised again there
        return tell_failure(*sentence_of(error))
    return status if isinstance(status, int) else 0


def sentence_of(error: Exception) -> tuple[str, int]:
    """What to tell of a failure, and the exit status; what nobody foresaw is raised again."""
    from pbem.errors import PbemError, WrongUsage, system_says

    if isinstance(error, WrongUsage):
        return str(error), 2
    if isinstance(error, PbemError):
        return str(error), 1
    if isinstance(error, OSError):
        return system_says(error), 1
    if isinstance(error, UnicodeError):
        return f"Some text is no plain UTF-8 ({error}); write it in plain characters.", 1
    if isinstance(error, MemoryError):
        return "There is not enough memory for this; close something and try again.", 1
    raise error
