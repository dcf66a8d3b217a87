"""The documents say what is so: rulings, commands, order lines and links."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
RULES = ROOT / "docs/rules/flux.md"
GM_GUIDE = ROOT / "docs/gm-guide.md"
PLAYER_GUIDE = ROOT / "docs/player-guide.md"
MAGIC_GUIDE = ROOT / "docs/player-guide-magic.md"

RULINGS = {1: 6, 3: 6, 4: 6, 5: 7, 6: 3, 7: 3, 8: 4, 9: 5}
"""By chapter of the rules, how many rulings it has; F2 is tables."""

FENCE = re.compile(r"(?ms)^(?P<mark>```+)(?P<word>[^\n`]*)\n(?P<body>.*?)^(?P=mark)[ \t]*$")
LINK = re.compile(r"(?<!\\)\]\((?P<to>[^)\s]+)\)")
NONE = "\N{EN DASH}"
"""How a table says that there is nothing."""


def numbers() -> list[str]:
    return [f"F{chapter}.{ruling + 1}" for chapter, count in RULINGS.items() for ruling in range(count)]


def without_fences(text: str) -> str:
    return FENCE.sub("", text)


def anchors(page: Path) -> set[str]:
    """The places in a page that a link may lead to, as GitHub names its headings."""
    text = without_fences(page.read_text(encoding="utf-8"))
    found: set[str] = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


@pytest.mark.parametrize("number", numbers())
def test_every_ruling_has_its_heading_and_paragraph(number: str) -> None:
    found = re.search(
        rf"^### {re.escape(number)} (?P<title>\S.*)\n\n(?P<text>[A-Z`].+)$",
        RULES.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert found, f"docs/rules/flux.md has no heading and first paragraph for {number}"
    assert found["text"].endswith("."), f"the first paragraph of {number} ends in the middle of a sentence"


def test_no_ruling_is_there_that_is_not_numbered_in_the_rules() -> None:
    headings = re.findall(r"^### (F\d+\.\d+) ", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == numbers()


def test_every_ruling_tells_its_source() -> None:
    parts = re.split(r"^### ", RULES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for part in parts:
        lines = part.split("\n## ", 1)[0].strip().splitlines()
        assert re.fullmatch(r"\*(Rulebook|House|Rulebook and house)\b.*\*", lines[-1]), lines[0]


def test_the_rulings_are_read_by_the_program() -> None:
    from pbem.rulings import parse_rulings

    assert list(parse_rulings(RULES.read_text(encoding="utf-8"))) == numbers()


def test_the_tables_of_counters_say_what_the_data_say() -> None:
    from pbem.rulesets import Source
    from pbem.rulesets.flux.data import read_rules, read_toml

    data = ROOT / "pbem/rulesets/flux/rules.toml"
    rules = read_rules(read_toml(Source(data.name, data.read_text(encoding="utf-8"))), data.name)
    chapter = RULES.read_text(encoding="utf-8").split("\n## F2 ")[1].split("\n## ")[0]
    lines = [line.strip("|").split("|") for line in chapter.splitlines() if line.startswith("|")]
    by_name = {name.strip(): [cell.strip() for cell in cells] for name, *cells in lines}
    for kind, earth in rules.earths.items():
        cost, counters, told = by_name[kind]
        assert (cost, counters) == (str(earth.cost), str(earth.counters))
        assert ("on a lake" in told) is not earth.may_cover_lake
        assert ("across a river" in told) is not earth.may_cross_river
        assert ("touch water" in told) is earth.must_touch_water
    for name, row in rules.animates.items():
        destroys = ", ".join(f"{earth} {chance}" for earth, chance in row.destroys.items())
        forbidden = ", ".join(row.may_not_enter) or NONE
        flies = "yes" if row.flies else "no"
        assert by_name[name] == [str(row.cost), str(row.combat), str(row.move), flies, forbidden, destroys]
    wizard = rules.wizard
    forbidden = ", ".join(wizard.may_not_enter)
    assert by_name["wizard"] == [NONE, str(wizard.combat), str(wizard.move), "no", forbidden, NONE]


def commands() -> Iterator[tuple[str, click.Command]]:
    from pbem.cli import cli

    yield from sorted(cli.commands.items())


def test_every_command_is_documented_with_its_options() -> None:
    sections = {
        part.splitlines()[0].split("`")[1].split()[1]: part
        for part in re.split(r"^### (?=`pbem )", GM_GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, command in commands():
        assert name in sections, f"docs/gm-guide.md has no section for pbem {name}"
        assert f"| [`{name}`](docs/gm-guide.md#pbem-{name}" in readme, f"README.md's table lacks pbem {name}"
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                for option in (*parameter.opts, *parameter.secondary_opts):
                    assert re.search(rf"`{re.escape(option)}[ `]", sections[name]), f"pbem {name} {option}"
    assert sections.keys() <= dict(commands()).keys(), "docs/gm-guide.md has a command that there is not"


def order_blocks() -> list[str]:
    blocks = [found["body"] for found in FENCE.finditer(PLAYER_GUIDE.read_text(encoding="utf-8"))]
    assert len(blocks) >= 8
    return blocks


@pytest.mark.parametrize("block", order_blocks())
def test_the_order_lines_of_the_players_guide_are_read(block: str) -> None:
    from pbem.rulesets import NewGame, Source, find_ruleset
    from pbem.sheet import read_sheet

    ruleset = find_ruleset("flux")
    files = ruleset.files
    rules = Source("rules", files.path(files.rules).read_text(encoding="utf-8"))
    board = Source("grob", files.path(f"{files.boards}/grob.toml").read_text(encoding="utf-8"))
    ready = ruleset.prepare(NewGame(ruleset.default_seats(4), rules, board))
    sheet = read_sheet(block)
    orders = ruleset.parse(sheet, ruleset.initial(ready.setup), "crimson")
    assert orders.problems == ()
    assert orders.lines or sheet.press


def magic_blocks() -> list[tuple[str, str]]:
    """The blocks of order lines of Magic's guide: `sign-up` for turn 0, `orders` for the turns after it."""
    found = [(block["word"], block["body"]) for block in FENCE.finditer(MAGIC_GUIDE.read_text("utf-8"))]
    assert len(found) >= 12
    return found


@pytest.mark.parametrize(("word", "block"), magic_blocks())
def test_the_order_lines_of_the_guide_to_magic_are_read(word: str, block: str) -> None:
    from pbem.cases import case_turn_closed
    from pbem.rulesets import NewGame, find_ruleset
    from pbem.sheet import read_sheet
    from pbem.shipped import board_source, shipped_text

    ruleset = find_ruleset("magic")
    rules = shipped_text("magic", ruleset.files.rules)
    ready = ruleset.prepare(NewGame(("boche", "noman"), rules, board_source(ruleset, "hayrick")))
    state = ruleset.initial(ready.setup)
    if word != "sign-up":
        assert word == "orders"
        state = ruleset.evolve(state, case_turn_closed(0))
    sheet = read_sheet(block)
    orders = ruleset.parse(sheet, state, "boche")
    assert orders.problems == ()
    assert orders.lines
    # And they speak of figures, units and things that there are.
    there = {*state.figures, *state.field.units, "declare", "skills"}
    assert {side.order.who or "declare" for line in orders.lines for side in line.sides} <= there


def test_the_tables_of_the_guide_to_magic_say_what_the_data_say() -> None:
    core = tomllib.loads((ROOT / "pbem/rulesets/magic/core.toml").read_text(encoding="utf-8"))
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in MAGIC_GUIDE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    by_name = {name: cells for name, *cells in rows}
    for side, rates in core["rates"].items():
        assert by_name[side] == [str(rate["value"]) for rate in rates.values()]
    for weapon, chances in core["shooting"]["chances"].items():
        shown = [cell for cell in by_name[weapon] if cell != NONE]
        assert shown == [str(chance) for chance in chances["value"]]
    for word, chances in core["words"]["chances"].items():
        assert by_name[word.title()][:2] == [str(chance) for chance in chances["value"]]
    for skill, movement in core["skills"]["movement"].items():
        if skill not in {"berserk", "flatulence"}:
            told = by_name[skill][0].replace("\N{MINUS SIGN}", "-").removesuffix(" %")
            assert told == str(movement["value"])


def test_the_case_in_the_formats_passes() -> None:
    from pbem.cases import run_case

    section = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("\n## Test cases\n")[1]
    block = FENCE.search(section)
    assert block is not None
    verdict = run_case(tomllib.loads(block["body"]))
    assert verdict.passed, verdict.reason


def test_the_map_in_the_gms_guide_is_one() -> None:
    from pbem.rulesets.flux.data import read_board

    section = GM_GUIDE.read_text(encoding="utf-8").split("\n## A map of your own\n")[1]
    block = FENCE.search(section)
    assert block is not None
    assert read_board(tomllib.loads(block["body"]), "the guide's map").radius == 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for found in LINK.finditer(without_fences(page.read_text(encoding="utf-8"))):
        address, _, anchor = found["to"].partition("#")
        if address.startswith(("https:", "http:", "mailto:")):
            continue
        target = (page.parent / address).resolve() if address else page
        assert target.exists(), f"{page.name}: there is no file {found['to']}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: there is no heading {found['to']}"
