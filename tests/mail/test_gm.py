"""The GM's commands about mail and time, sources of every kind, and who may send."""

import json
import mailbox
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from pbem import dice
from pbem.config import read_config
from pbem.mail import authentication
from tests.commands import SECRET, Regatta, new_regatta, pbem

# ruff: noqa: E501 - sentences as they are printed

GUIDE = Path(__file__).parent.parent.parent / "docs" / "gm-guide.md"


def key(turn: int, seat: str, issue: int = 1, game: str = "spring") -> str:
    return dice.order_key(bytes.fromhex(SECRET), game, turn, seat, issue)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Regatta:
    monkeypatch.setenv("PBEM_NOW", "2026-10-20T06:00:00Z")
    game = new_regatta(tmp_path / "spring", "--length", 3)
    add(
        game,
        '[turns]\nevery = "7d"\nat = "20:00"\nzone = "Europe/London"\n\n[mail]\naddress = "gm@example.net"\n',
    )
    assert game("start").status == 0
    return game


def add(game: Regatta, text: str) -> None:
    path = game.folder / "game.toml"
    path.write_text(f"{path.read_text()}\n{text}")


def mail(
    turn: int = 1, seat: str = "red", text: str = "row\n", sender: str = "ann@example.org", **more: Any
) -> bytes:
    identity = abs(hash((turn, seat, text)))
    return f"From: {sender}\nMessage-ID: <{identity}@example.org>\n\nkey: {key(turn, seat, **more)}\n{text}".encode()


def outbox(game: Regatta) -> list[Any]:
    files = sorted((game.folder / "outbox/new").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    return [message_from_bytes(path.read_bytes(), policy=default) for path in files]


# Deadlines.


def test_a_deadline_keeps_its_clock_time_when_the_clocks_change(game: Regatta) -> None:
    told = game("status", "--json").json()
    assert told["deadline"] == "2026-10-27T20:00:00.000000Z"  # GMT again since the 25th; 19:00Z before


def test_a_deadline_is_set_in_the_games_zone(game: Regatta) -> None:
    assert (
        game("deadline", "turn-1", "2026-10-24T20:00").out
        == "Orders for turn-1 are due 2026-10-24T19:00:00.000000Z.\n"
    )
    assert "Saturday 24 October 2026, 20:00" in game.read("players/red/turn-0.txt")
    assert game("deadline", "1", "none").out == "turn-1 has no deadline.\n"
    assert game("status", "--json").json()["deadline"] is None


@pytest.mark.parametrize(
    ("turn", "time", "told"),
    [
        ("turn-1", "tomorrow", "is no time; write it as 2026-12-06T20:00"),
        ("turn-1", "2027-03-28T01:30", "does not exist in Europe/London: the clocks go forward then"),
        ("turn-2", "2026-12-06T20:00", "turn-2 cannot be adjudicated yet"),
        ("turn-0", "2026-12-06T20:00", "turn-0 has been adjudicated already"),
    ],
)
def test_a_deadline_that_cannot_be(game: Regatta, turn: str, time: str, told: str) -> None:
    before = game.log_bytes()
    assert told in game("deadline", turn, time).sentence
    assert game.log_bytes() == before


# Seats that change hands.


def test_a_replacement_player(game: Regatta) -> None:
    add(game, "# a comment of the GM's\n")
    told = game("seat", "red", "--name", "Cleo", "--email", "cleo@example.org")
    assert told.out == "red has a new key; told: cleo@example.org, ann@example.org.\n"
    config = read_config(game.folder / "game.toml")
    assert [(player.name, player.email) for player in config.players] == [
        ("Cleo", "cleo@example.org"),
        ("Bert Boyd", "bert@example.org"),
    ]
    assert "# a comment of the GM's" in game.read("game.toml")
    kinds = [row["kind"] for row in game("log", "--json").json()]
    assert kinds[-2:] == ["seat_handed_over", "key_issued"]
    new, old = outbox(game)
    assert (new["To"], old["To"]) == ("Cleo <cleo@example.org>", "ann@example.org")
    assert f"key: {key(1, 'red', 2)}" in new.get_content()
    assert key(1, "red", 2) not in old.as_string()
    assert b"example.org" not in game.log_bytes()
    path = game.folder / "x.eml"
    path.write_bytes(mail())
    (refused,) = game("receive", "--json", path).json()
    assert (refused["outcome"], refused["receipt_to"]) == ("refused", "cleo@example.org")
    path.write_bytes(mail(issue=2, sender="cleo@example.org"))
    (accepted,) = game("receive", "--json", path).json()
    assert (accepted["outcome"], accepted["receipt_to"]) == ("accepted", "cleo@example.org")


def test_a_seat_command_that_cannot_be(game: Regatta) -> None:
    before = game.log_bytes()
    assert game("seat", "red").status == 2
    assert "There is no seat 'pink'" in game("seat", "pink", "--name", "X").sentence
    assert game("seat", "red", "--email", "no address").status == 1
    assert game("seat", "red", "--name", "a <b").status == 1
    assert game.log_bytes() == before


# Sources.


def test_every_kind_of_source(game: Regatta, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box.mbox")
    box.add(mail(text="row\n# From the mbox\n"))
    box.add(b"From: x@example.com\n\nFrom here on I buy now\n")
    box.close()
    maildir = mailbox.Maildir(str(tmp_path / "dir"))
    maildir.add(mail(text="sail\n"))
    maildir.close()
    (tmp_path / "dir/tmp/half").write_bytes(mail(text="row\nhalf\n"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.eml").write_bytes(mail(seat="blue", sender="bert@example.org"))
    (folder / "2.txt").write_text(f"key: {key(1, 'blue')}\nsail\n")
    (folder / "3.pdf").write_bytes(mail(text="nothing\n"))
    told = game("receive", "--json", tmp_path / "box.mbox", tmp_path / "dir", folder).json()
    assert [each["outcome"] for each in told] == [
        "accepted",
        "quarantined",
        "accepted",
        "accepted",
        "accepted",
    ]
    assert told[0]["source"].endswith("box.mbox#1")
    assert game("orders", 1).out.count("sail") == 2
    assert len(list((tmp_path / "dir/new").iterdir())) == 1  # sources are only read


def test_a_source_that_cannot_be_read(game: Regatta, tmp_path: Path) -> None:
    assert "cannot be read: No such file" in game("receive", tmp_path / "nowhere").sentence
    assert "game.toml has no mailbox" in game("receive").sentence
    assert "Standard input is empty" in game("receive", "-").sentence


@pytest.mark.parametrize("envelope", [b"", b"From ann@example.org Mon Nov 30 05:50:00 2026\n"])
def test_standard_input(game: Regatta, envelope: bytes) -> None:
    (told,) = game("receive", "-", "--json", stdin=envelope + mail()).json()
    assert (told["source"], told["outcome"]) == ("-", "accepted")


def test_standard_input_too_large_is_kept_whole(game: Regatta) -> None:
    data = mail() + b"x" * 1_500_000
    (told,) = game("receive", "-", "--json", stdin=data).json()
    assert told["outcome"] == "refused"
    (kept,) = (game.folder / "mail/kept").glob("*.whole")
    assert kept.read_bytes() == data


def test_a_mail_server_tries_again_while_the_game_is_locked(
    game: Regatta, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.store.TIMEOUT", 0.1)
    with closing(sqlite3.connect(game.folder / "pbem.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert game("receive", "-", stdin=mail()).status == 75
        assert game("receive", "-", "--json", stdin=mail()).out == ""
    (told,) = game("receive", "-", "--json", stdin=mail()).json()
    assert told["seat"] == "red"
    assert game("status", "--json").json()["seats"][0]["state"] == "in"


@pytest.mark.usefixtures("game")
def test_several_games_one_mailbox(tmp_path: Path) -> None:
    other = new_regatta(tmp_path / "summer", "--length", 3)
    assert other("start").status == 0
    (tmp_path / "1.eml").write_bytes(mail())
    (tmp_path / "2.eml").write_bytes(mail(game="summer"))
    told = pbem("receive", "--games", tmp_path, "--json", tmp_path / "1.eml", tmp_path / "2.eml").json()
    assert [(each["outcome"], each["game"]) for each in told] == [
        ("accepted", "spring"),
        ("accepted", "summer"),
    ]
    assert (tmp_path / "mail/journal.jsonl").exists()
    assert "red: in" not in pbem("tick", "--games", tmp_path).err


def test_a_game_that_cannot_be_read_holds_up_its_own_mail_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_NOW", "2026-10-20T06:00:00Z")
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    games = [new_regatta(tmp_path / name, "--length", 3) for name in ("spring", "summer")]
    for game in games:
        add(game, f'[turns]\nevery = "7d"\n\n[mail]\naddress = "gm@example.net"\nin = "{inbox}"\n')
        assert game("start").status == 0
    log = games[1].folder / "pbem.db"
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    for number, message in enumerate((mail(), mail(game="summer"), b"From: who@example.org\n\nHello?\n")):
        (inbox / f"{number}.eml").write_bytes(message)
    ran = pbem("tick", "--games", tmp_path)
    assert ran.status == 1
    assert "0.eml: accepted spring turn-1 red" in ran.out
    assert "1.eml" not in ran.out
    assert "2.eml" not in ran.out
    assert ran.err.count("summer/pbem.db") == len(ran.err.splitlines()) == 1, ran.err
    # A mail server is told to come again only for what waits.
    blue = mail(seat="blue", sender="bert@example.org")
    assert pbem("receive", "--games", tmp_path, "-", stdin=blue).status == 0
    late = mail(seat="blue", sender="bert@example.org", game="summer")
    assert pbem("receive", "--games", tmp_path, "-", stdin=late).status == 75
    monkeypatch.setenv("PBEM_NOW", "2026-10-28T06:00:00Z")
    assert "spring: turn-1 is adjudicated" in pbem("tick", "--games", tmp_path).out
    log.write_bytes(whole)
    ran = pbem("tick", "--games", tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("accepted summer turn-1") == 2
    assert "quarantined" in ran.out
    assert "summer: turn-1 is adjudicated" in ran.out


def test_a_mail_among_the_order_files(game: Regatta) -> None:
    game.orders(1, "blue-by-mail.eml", mail(seat="blue", sender="bert@example.org"))
    path = game.folder / "x.eml"
    path.write_bytes(mail())
    assert game("receive", path).status == 0
    ran = game("adjudicate", 1)
    assert ran.status == 0, ran.err
    sources = [
        row["data"]["source"] for row in game("log", "--json").json() if row["kind"] == "orders_received"
    ]
    assert [source.split()[0] for source in sources] == ["mail", "file"]


def test_commands_by_mail(game: Regatta) -> None:
    for word in ("status", "help", "resend turn-0", "resend turn-9"):
        (told,) = game("receive", "-", "--json", stdin=mail(text=f"\n{word}\n")).json()
        assert (told["outcome"], told["reason"], told["orders"]) == ("accepted", word, [])
    status, help_, resent, none = outbox(game)
    assert "red: missing" in status.get_content()
    assert f"key: {key(1, 'red')}" in help_.get_content()
    assert resent["Subject"] == "[spring] turn-0 report: red"
    assert "has not been adjudicated" in none.get_content()
    assert all(message["Auto-Submitted"] == "auto-replied" for message in (status, help_, resent, none))
    assert game("status", "--json").json()["seats"][0]["state"] == "missing"


def test_a_receipt(game: Regatta) -> None:
    (told,) = game(
        "receive",
        "-",
        "--json",
        stdin=mail(text="sail\nfly\npress: hello \N{EN DASH} all\n", sender="x@example.com"),
    ).json()
    (receipt,) = outbox(game)
    text = receipt.get_content()
    assert max(map(len, text.splitlines())) <= 72
    row = next(row["data"] for row in game("log", "--json").json() if row["kind"] == "orders_received")
    for part in (
        "is tried",
        "fly",
        "`row` or `sail` is expected",
        "dashes read as -",
        "x@example.com",
        "27 October",
    ):
        assert part in text, part
    assert row["sha256"] in re.sub(r"\s", "", text)
    assert dice.sha256(row["text"].encode()).hexdigest() == row["sha256"]
    assert key(1, "red").encode() not in game.log_bytes()
    assert told["receipt_to"] == receipt["To"].addresses[0].addr_spec == "ann@example.org"


# Authentication.


def signed(data: bytes, domain: bytes = b"example.org", **more: Any) -> tuple[bytes, bytes]:
    """A message with a DKIM signature, and the record that DNS would have."""
    dkim = pytest.importorskip("dkim")
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    private = subprocess.run(
        [openssl, "genrsa", "-traditional", "2048"], capture_output=True, check=True
    ).stdout
    public = subprocess.run(
        [openssl, "rsa", "-pubout"], input=private, capture_output=True, check=True
    ).stdout
    record = b"v=DKIM1; k=rsa; p=" + b"".join(public.splitlines()[1:-1])
    data = data.replace(b"\n", b"\r\n")
    return dkim.sign(data, b"s", domain, private, **more) + data, record


@pytest.mark.parametrize(
    ("how", "outcome"),
    [("good", "accepted"), ("none", "refused"), ("changed", "refused"), ("other domain", "refused"),
     ("length", "refused"), ("two From", "refused"), ("two Subject", "refused")],
)  # fmt: skip
def test_dkim(how: str, outcome: str, game: Regatta, monkeypatch: pytest.MonkeyPatch) -> None:
    add(game, 'require = ["dkim"]\n')
    plain = b"Subject: x\n" + mail()
    data, record = signed(
        plain,
        b"example.com" if how == "other domain" else b"example.org",
        length=how == "length",
    )
    data = {
        "none": plain,
        "changed": data.replace(b"row", b"sail"),
        "two From": b"From: ann@example.org\r\n" + data,
        "two Subject": b"Subject: y\r\n" + data,
    }.get(how, data)
    monkeypatch.setattr(authentication, "DNS", lambda _name, **_more: record)
    (told,) = game("receive", "-", "--json", stdin=data).json()
    assert told["outcome"] == outcome, told
    assert told["receipt_to"] == "ann@example.org"
    assert outcome == "accepted" or "domain is not proven" in told["reason"]


@pytest.mark.parametrize(
    ("results", "outcome"),
    [
        (["mx.example.net; dkim=pass header.d=example.org"], "accepted"),
        (["mx.example.net; dkim=fail header.d=example.org"], "refused"),
        (["mx.example.net; dkim=pass header.d=example.com"], "refused"),
        (["other.example.net; dkim=pass header.d=example.org"], "refused"),
        (["mx.example.net; dkim=none", "mx.example.net; dkim=pass header.d=example.org"], "refused"),
        (["mx.example.net; dkim=pass " + "(" * 4000], "refused"),
        ([], "refused"),
    ],
)
def test_authentication_results(results: list[str], outcome: str, game: Regatta) -> None:
    pytest.importorskip("authres")
    add(game, 'require = ["authres:mx.example.net"]\n')
    head = "".join(f"Authentication-Results: {result}\n" for result in results).encode()
    (told,) = game("receive", "-", "--json", stdin=head + mail()).json()
    assert told["outcome"] == outcome, told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("inn = 1\n", "[mail] has no inn"),
        ("plus = 1\n", "plus of [mail] is 1"),
        ('require = "dkim"\n', "require of [mail] is 'dkim'"),
        ("password_env = 3\n", "password_env of [mail] is 3"),
        ('in = "pop://x"\n', "in of [mail] is 'pop://x'"),
        ('in = "imaps://u:secret@h"\n', "write it as imaps://USER@HOST"),
    ],
)
def test_settings_that_cannot_be(game: Regatta, text: str, told: str) -> None:
    add(game, text)
    sentence = game("receive").sentence
    assert told in sentence
    assert "secret" not in sentence


# The guide's snippets.


def fences(word: str) -> list[str]:
    return re.findall(rf"^```{word}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_settings_in_the_guide_are_read(game: Regatta) -> None:
    from pbem.mail.servers import IMAP, SMTP, server_of
    from pbem.mail_settings import mail_settings

    (snippet,) = (text for text in fences("toml") if "[mail]" in text)
    path = game.folder / "game.toml"
    path.write_text(path.read_text().partition("[mail]")[0] + snippet)
    found = mail_settings(read_config(path).mail)
    assert server_of(found.incoming, "in", IMAP).user == "gm@example.org"
    assert server_of(found.out, "out", SMTP).host == "mail.example.org"


def test_saved_mails_are_taken_in_as_the_guide_says(game: Regatta) -> None:
    (game.folder / "saved-mails").mkdir()
    (game.folder / "saved-mails/a.eml").write_bytes(mail())
    (command,) = (each for each in fences("sh") if "receive" in each)
    run_as_told(command, game)
    assert accepted(game) == ["red"]


def run_as_told(command: str, game: Regatta, **more: Any) -> None:
    """Run a command of the guide's in a shell, with this program and this game where the guide has its own."""
    home = game.folder.parent
    program = home / "pbem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
    program.chmod(0o700)
    (home / ".pbem-password").write_text("secret\n")
    ran = subprocess.run(
        ["/bin/sh", "-c", here(command, game)], cwd=game.folder, capture_output=True, check=False,
        env={**os.environ, "HOME": str(home), "PATH": f"{home}:{os.environ['PATH']}"}, **more,
    )  # fmt: skip
    assert (ran.returncode, b"Traceback" in ran.stderr) == (0, False), ran.stderr


def here(text: str, game: Regatta) -> str:
    """The guide's places as this test's."""
    home = game.folder.parent
    for theirs, ours in {
        "/usr/local/bin/pbem": home / "pbem",
        "/home/gm/grob": game.folder,
        "%h/grob": game.folder,
        "$HOME/grob": game.folder,
    }.items():
        text = text.replace(theirs, str(ours))
    return text


def accepted(game: Regatta) -> list[str]:
    journal = (game.folder / "mail/journal.jsonl").read_text().splitlines()
    return [entry["seat"] for entry in map(json.loads, journal) if entry["outcome"] == "accepted"]


def lines_with(word: str) -> list[str]:
    return [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if word in line]


def test_the_postfix_pipe_of_the_guide_is_run(game: Regatta) -> None:
    (line,) = lines_with("argv=")
    run_as_told(line.partition("argv=")[2], game, input=mail())
    assert accepted(game) == ["red"]


@pytest.mark.parametrize("way", ["cron", "systemd"])
def test_the_tick_of_the_guide_is_run(way: str, game: Regatta) -> None:
    path = game.folder / "game.toml"
    path.write_text(path.read_text().replace("[mail]\n", '[mail]\nin = "inbox"\n'))
    (game.folder / "inbox").mkdir()
    (game.folder / "inbox/1.eml").write_bytes(mail())
    (line,) = lines_with("* * * * *" if way == "cron" else "ExecStart=")
    run_as_told(line.split(None, 5)[5] if way == "cron" else line.partition("ExecStart=")[2], game)
    assert accepted(game) == ["red"]


def test_the_procmail_recipe_of_the_guide_is_run(game: Regatta, tmp_path: Path) -> None:
    (recipe,) = fences("procmail")
    procmail = shutil.which("procmail")
    data = b"From ann@example.org Mon Nov 30 05:50:00 2026\nTo: gm+x@example.org\n" + mail()
    if procmail is None:
        (line,) = lines_with("| /usr/local/bin/pbem")
        run_as_told(line.lstrip("| "), game, input=data)
        assert accepted(game) == ["red"]
        return
    run_as_told("pbem --help", game)
    rules, rest = tmp_path / "rules", tmp_path / "rest"
    rules.write_text(f"DEFAULT={rest}\nSHELL=/bin/sh\n{here(recipe, game)}")
    # It begins with an environment of its own.
    told = (f"{name}={os.environ[name]}" for name in ("PBEM_NOW", "PYTHONPATH"))
    command = [procmail, "-m", *told, str(rules)]
    assert subprocess.run(command, input=data, check=False).returncode == 0
    assert accepted(game) == ["red"]
    other = data.replace(b"To: gm+x@", b"To: gm.x@")
    assert subprocess.run(command, input=other, check=False).returncode == 0
    assert len(accepted(game)) == 1
    with closing(sqlite3.connect(game.folder / "pbem.db")) as holder:
        holder.execute("BEGIN IMMEDIATE")
        locked = subprocess.run(command, input=data.replace(b"\nrow", b"\nsail"), check=False)
    assert locked.returncode == 75
    assert rest.read_bytes() == other + b"\n"  # not ours: it goes where it always went


def in_shell(line: str) -> "subprocess.CompletedProcess[str]":
    """A shell line in which `pbem` is the program."""
    line = line.replace("pbem", f"{shlex.quote(sys.executable)} -m pbem")
    return subprocess.run(("sh", "-c", line), check=False, capture_output=True, text=True)


def test_more_games_than_files_may_be_open(tmp_path: Path) -> None:
    players = ("--player", "crimson=Ann", "--player", "azure=Bert")
    for number in range(12):
        made = pbem("new", tmp_path / f"game-{number}", "--ruleset", "flux", "--map", "glade", *players)
        assert made.status == 0, made.err
    below = shlex.quote(str(tmp_path))
    listed = in_shell(f"ulimit -n 22; pbem games {below}")
    assert (listed.returncode, len(listed.stdout.splitlines())) == (0, 12), listed.stderr
    ticked = in_shell(f"ulimit -Sn 22; pbem tick --games {below}")
    assert (ticked.returncode, ticked.stderr) == (0, "")
    refused = in_shell(f"ulimit -n 40; pbem tick --games {below}")
    assert refused.returncode == 1
    assert "To serve 13 games at once 77 files must be open, and here it may be 40" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
