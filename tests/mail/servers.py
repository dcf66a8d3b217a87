"""Real mail servers on loopback for the tests: Dovecot for IMAP, aiosmtpd for SMTP."""

import contextlib
import getpass
import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

PASSWORD = "correct-horse"  # noqa: S105 - of a server that lives as long as a test


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


@dataclass
class Imap:
    """A Dovecot with one mailbox, delivered to by writing files into its Maildir."""

    port: int
    maildir: Path
    user: str = "gm"
    count: int = 0

    @property
    def url(self) -> str:
        return f"imap://{self.user}@127.0.0.1:{self.port}/INBOX"

    def deliver(self, data: bytes) -> None:
        self.count += 1
        name = f"{int(time.time())}.M{self.count:06}P1.test"
        (self.maildir / "tmp" / name).write_bytes(data)
        (self.maildir / "tmp" / name).chmod(0o666)
        (self.maildir / "tmp" / name).rename(self.maildir / "new" / name)


CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
ssl = no
disable_plaintext_auth = no
default_internal_user = {user}
default_login_user = {user}
default_internal_group = {group}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:{base}/Maildir
maildir_very_dirty_syncs = no
mail_fsync = never
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@contextlib.contextmanager
def dovecot(folder: Path) -> Iterator[Imap]:
    """A running Dovecot; the test is skipped where there is none."""
    program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("Dovecot is not installed (Debian: dovecot-imapd)")
    # Dovecot's own processes are another user's: the folder has to let them in.
    base = Path(subprocess.run(["mktemp", "-d"], check=True, capture_output=True, text=True).stdout.strip())
    base.chmod(0o755)
    owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwnam(getpass.getuser())
    for name in ("cur", "new", "tmp"):
        (base / "Maildir" / name).mkdir(parents=True)
    for path in (base, *base.rglob("*")):
        os.chown(path, owner.pw_uid, owner.pw_gid)
    port = free_port()
    group = subprocess.run(
        ["id", "-gn", owner.pw_name], check=True, capture_output=True, text=True
    ).stdout.strip()
    config = folder / "dovecot.conf"
    config.write_text(
        CONFIG.format(base=base, user=owner.pw_name, group=group, uid=owner.pw_uid, gid=owner.pw_gid,
                      port=port, password=PASSWORD)
    )  # fmt: skip
    server = subprocess.Popen([program, "-F", "-c", str(config)], stderr=subprocess.PIPE)
    try:
        _wait_for(port, server, base / "dovecot.log")
        yield Imap(port, base / "Maildir")
    finally:
        server.terminate()
        server.wait(timeout=20)
        assert server.stderr is not None
        server.stderr.close()
        shutil.rmtree(base, ignore_errors=True)


def _wait_for(port: int, server: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(200):
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=1) as connection,
        ):
            connection.settimeout(5)
            if connection.recv(100):
                return
        if server.poll() is not None:
            assert server.stderr is not None
            told = server.stderr.read().decode() + (log.read_text() if log.exists() else "")
            pytest.fail(f"Dovecot did not start: {told}")
        time.sleep(0.05)
    pytest.fail("Dovecot does not answer")


@dataclass
class Smtp:
    """An SMTP server: what it took, and which addresses it will not take."""

    port: int
    taken: list[tuple[list[str], bytes]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    deliver: Any = None

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def messages(self, to: str = "") -> list[EmailMessage]:
        found = [data for addresses, data in self.taken if not to or to in addresses]
        return [
            message
            for data in found
            if isinstance(message := message_from_bytes(data, policy=default), EmailMessage)
        ]

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self.refused:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append((list(envelope.rcpt_tos), envelope.content))
        if self.deliver is not None:
            self.deliver(envelope.rcpt_tos, envelope.content)
        return "250 OK"


@contextlib.contextmanager
def smtp_server() -> Iterator[Smtp]:
    controllers = pytest.importorskip("aiosmtpd.controller", reason="aiosmtpd is not installed")
    server = Smtp(free_port())
    controller = controllers.Controller(server, hostname="127.0.0.1", port=server.port, data_size_limit=None)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
