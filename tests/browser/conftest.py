"""One tab and one demonstration game for all the tests of a worker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import Tab, opened
from tests.commands import pbem


@pytest.fixture(scope="session")
def tab() -> Iterator[Tab]:
    with opened() as found:
        yield found


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration game, played from its first order file to its last report."""
    folder = tmp_path_factory.mktemp("demo") / "grob"
    played = pbem("demo", folder, "--ruleset", "flux")
    assert played.status == 0, played.err
    return folder


@pytest.fixture(scope="session")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration battle, played from sign-up to its end."""
    folder = tmp_path_factory.mktemp("demo") / "hayrick"
    played = pbem("demo", folder, "--ruleset", "magic")
    assert played.status == 0, played.err
    return folder
