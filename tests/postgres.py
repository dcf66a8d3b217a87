"""A PostgreSQL server of the tests' own: on loopback, in a temporary folder, gone when they are."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

PASSWORD = "b@d/pass:word?"  # noqa: S105 - to be sure that none like it is ever shown
OWNER = "owner"
_numbers = count(1)


def binaries() -> Path | None:
    """Where initdb and postgres are; None where they are not installed."""
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/local/pgsql").glob("bin")]
    found = shutil.which("initdb")
    if found:
        folders.append(Path(found).resolve().parent)
    return next((each for each in sorted(folders, reverse=True) if (each / "initdb").exists()), None)


def _as_nobody(*words: object) -> list[str]:
    """PostgreSQL does not run as root."""
    plain = [str(word) for word in words]
    if os.geteuid():
        return plain
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", *plain]


class Server:
    """A running server; `database` makes a new empty one in it."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        self.folder = folder
        self._bin = bin_folder
        self.port = _free_port()
        password = folder / "password"
        password.write_text(PASSWORD)
        if not os.geteuid():
            os.chown(folder, 65534, 65534)
            os.chown(password, 65534, 65534)
        subprocess.run(
            _as_nobody(
                bin_folder / "initdb", "-D", folder / "data", "-U", OWNER, "--pwfile", password,
                "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync",
            ),
            check=True,
            capture_output=True,
            cwd=folder,
        )  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "max_connections": 40,
            "shared_buffers": "16MB",
            "log_min_messages": "fatal",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            _as_nobody(self._bin / "postgres", "-D", self.folder / "data", *words),
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for whoever started it, who stops it
        )
        for _ in range(600):
            try:
                self.execute("SELECT 1")
            except psycopg.OperationalError:
                assert self._process.poll() is None, "PostgreSQL did not start"
                subprocess.run(["sleep", "0.05"], check=True)
            else:
                return
        raise AssertionError("PostgreSQL did not answer")

    @property
    def pid(self) -> int:
        """The number of its first process."""
        assert self._process is not None
        return self._process.pid

    def stop(self, *, hard: bool = False) -> None:
        """Stop it; `hard`: as if the power had failed."""
        assert self._process is not None
        mode = "immediate" if hard else "fast"
        subprocess.run(
            _as_nobody(self._bin / "pg_ctl", "stop", "-D", self.folder / "data", "-m", mode, "-w"),
            check=True,
            capture_output=True,
            cwd=self.folder,
        )
        self._process.wait()

    def url(self, database: str, user: str = OWNER, password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())
        connection.close()

    def database(self) -> str:
        """The URL of a new schema, which is to pbem as good as a database and much sooner made."""
        name = f"s{next(_numbers)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}?options=-csearch_path%3D{name}"


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as it is needed; a test without one is skipped, which CI does not allow."""
    found = binaries()
    if found is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    with tempfile.TemporaryDirectory(prefix="pbem-pg-") as name:
        server = Server(Path(name), found)
        try:
            yield server
        finally:
            server.stop(hard=True)
