"""What the whole suite shares: the toy ruleset is installed, and no test meets the outside's settings."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.postgres import Server

TOY = Path(__file__).parent / "toy"
sys.path.insert(0, str(TOY))
# For the commands that tests run as processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH"))))


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "PBEM_GAME",
        "PBEM_NOW",
        "PGPASSWORD",
        "PGHOST",
        "PGPORT",
        "PGUSER",
        "PGDATABASE",
        "PGOPTIONS",
    ):
        monkeypatch.delenv(name, raising=False)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On a user's machine a test may skip with a reason; where CI is set, all of them have to run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgres() -> Iterator["Server"]:
    """A PostgreSQL server, one a process of tests."""
    from tests.postgres import running

    with running() as server:
        yield server


@pytest.fixture
def database(postgres: "Server") -> Iterator[str]:
    """The URL of an empty database; connections that pbem made in this process are closed."""
    from pbem.home import close_databases

    yield postgres.database()
    close_databases()
