"""The page of a simulation, in all sizes and both themes: quiet, alone, as wide as the window."""

from pathlib import Path

import pytest

from tests.browser.chromium import LOOKS, Tab
from tests.commands import pbem


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("simulation") / "page.html"
    options = ("--players", "planner,greedy,random", "--contests", 6, "--jobs", 1, "--map", "glade")
    ran = pbem("simulate", *options, "--html", path)
    assert ran.status == 0, ran.err
    return path


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_it_reads_well_everywhere(tab: Tab, page: Path, look: tuple[int, str]) -> None:
    tab.open(page)
    tab.look(*look)
    assert tab.too_wide() == []
    assert tab.violations(contrast=True) == []
    tab.assert_quiet(page)
