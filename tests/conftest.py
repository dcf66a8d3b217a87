"""What the whole suite shares: the toy ruleset is installed, and no test meets the outside's settings."""

import os
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy"
sys.path.insert(0, str(TOY))
# For the commands that tests run as processes of their own.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH"))))


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PBEM_GAME", "PBEM_NOW"):
        monkeypatch.delenv(name, raising=False)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On a user's machine a test may skip with a reason; where CI is set, all of them have to run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
