"""A page's one script, put together from the modules in templates/script/ and a ruleset's own.

The same files are modules for node, for the tests and for tsc, and one text for the page, which can
import nothing (it has to work as a single file from a disk). Nothing is bundled or rewritten: a
module stands after those that it imports; its `import` lines, the word `export`, its comments (casts
of types among them) and the blanks before its lines are left out. What keeps that exact is asked of
every module, and `BadInput` where it does not hold: names are imported as they are called,
`import {…} from "./x.js";`, and exported where they are declared; a comment has lines of its own; no
text goes over a line's end. No two modules may name anything alike: a test asks node.
"""

import json
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.events import Json
from pbem.rulesets import Files

ENTRY = "script/report.js"
"""Of a report, below pbem's templates; and below a ruleset's, where it brings a script of its own."""

_IMPORT = re.compile(r'import \{[\w\s,$]*\} from "((?:\.\.?|pbem)/[\w./-]+\.js)";')
_EXPORT = re.compile(r"export (?=(?:async function|function|const|let|class)\b)")
_CAST = re.compile(r"/\*\* @type \{[^*]*\} \*/ ?")
_CLOSES = re.compile(r"</script|<!--", re.IGNORECASE)
_UNFIT = tuple((sign, f"\\u{ord(sign):04x}") for sign in "<>&\u2028\u2029")


class Module(NamedTuple):
    """One file: the package and the path in it, and the modules that it imports."""

    anchor: str
    path: str
    imports: tuple[tuple[str, str], ...]
    """Each with its package: `pbem/script/dom.js` is one of pbem's, whoever imports it."""
    text: str
    """As the page has it."""


def report_script(files: Files) -> str:
    """The script of a ruleset's reports: what all reports do, then what the ruleset adds to its own."""
    entries = [("pbem", f"templates/{ENTRY}")]
    if files.templates:
        own = f"{files.templates}/{ENTRY}"
        if resources.files(files.anchor).joinpath(own).is_file():
            entries.append((files.anchor, own))
    modules: dict[tuple[str, str], Module] = {}
    for anchor, path in entries:
        _gather(anchor, path, modules, ())
    return "\n" + "".join(module.text for module in modules.values())


def _gather(anchor: str, path: str, modules: dict[tuple[str, str], Module], through: tuple[str, ...]) -> None:
    """Add a module, after those that it imports."""
    if (anchor, path) in modules:
        return
    if path in through:
        raise BadInput(f"The script {path} imports itself by way of {through[-1]}; take one import out.")
    module = _read(anchor, path)
    for imported in module.imports:
        _gather(*imported, modules, (*through, path))
    modules[anchor, path] = module


def _read(anchor: str, path: str) -> Module:
    file: Traversable = resources.files(anchor).joinpath(path)
    try:
        source = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"The script {path} cannot be read ({error}); mend it, or install pbem anew."
        ) from error
    imports: list[tuple[str, str]] = []
    lines: list[str] = []
    for number, line in _statements(source, path):
        if line.startswith(("import ", "import{")):
            named = _IMPORT.fullmatch(line)
            if named is None:
                raise BadInput(
                    f'{_where(path, number)}, must import names as they are: import {{…}} from "./x.js";'
                )
            imports.append(_imported(anchor, path, named[1]))
            continue
        if line.startswith("export"):
            line, exported = _EXPORT.subn("", line, count=1)  # noqa: PLW2901
            if not exported:
                raise BadInput(
                    f"{_where(path, number)}, must export what it declares, a function, const, let or class."
                )
        if "`" in line and line.count("`") % 2:
            raise BadInput(f"{_where(path, number)}, holds a text that goes over its end.")
        lines.append(line)
    text = _CAST.sub("", "\n".join((*lines, "")))
    if found := _CLOSES.search(text):
        raise BadInput(f"The script {path} holds {found[0]}, which would end the page's script.")
    return Module(anchor, path, tuple(imports), text)


def _where(path: str, number: int) -> str:
    return f"The script {path}, line {number}"


def _imported(anchor: str, path: str, named: str) -> tuple[str, str]:
    """The package and the path of what a module imports."""
    if named.startswith("pbem/"):
        return "pbem", normpath(join("templates", named.removeprefix("pbem/")))
    return anchor, normpath(join(dirname(path), named))


def _statements(source: str, path: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, without comments and leading blanks; an `import` is one line."""
    comment, statement, begun = False, "", 0
    for number, raw in enumerate(source.split("\n"), start=1):
        line = raw.strip()
        if comment or line.startswith("/*"):
            _, closed, after = line.partition("*/")
            comment = not closed
            if after:
                raise BadInput(f"The script {path}, line {number}, has something behind a comment's end.")
            continue
        if not line or line.startswith("//"):
            continue
        if statement or raw.startswith(("import ", "import{")):
            statement, begun = f"{statement} {line}".strip(), begun or number
            if not line.endswith(";"):
                continue
            yield begun, statement
            statement, begun = "", 0
            continue
        yield number, line
    if comment or statement:
        raise BadInput(f"The script {path} ends within a comment or an import; mend it.")


def data_text(value: Json) -> str:
    """JSON for a data block of a page: no sign in it could end the block or a line of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign, instead in _UNFIT:
        text = text.replace(sign, instead)
    return text
