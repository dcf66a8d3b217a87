"""The one script of a page: the modules in their order, exact, and nothing that would end it early."""

import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from pbem.errors import BadInput
from pbem.reports import script
from pbem.reports.script import data_text, report_script
from pbem.rulesets import Files
from tests.sample_report import FLUX_FILES, PLAIN_FILES

MAGIC_FILES = Files("pbem", "", "", "", templates="templates/magic")
OWN = pytest.mark.parametrize("files", [FLUX_FILES, MAGIC_FILES, PLAIN_FILES], ids=["flux", "magic", "plain"])
UNSAFE = (
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "srcdoc", "Fragment(",
    "eval(", "Function(", "import(", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon",
)  # fmt: skip
ROOT = Path(str(resources.files("pbem").joinpath("templates"))).resolve()


def joined(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> str:
    """The script of modules in a folder of their own, beginning with `report`."""
    for name, text in modules.items():
        path = folder / "templates" / "script" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(script.resources, "files", lambda _: folder)
    return report_script(PLAIN_FILES._replace(templates=""))


def test_a_module_stands_after_those_that_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = joined(
        tmp_path,
        monkeypatch,
        report='import { one } from "./one.js";\nimport {\n  two,\n} from "./two.js";\n\none(two);\n',
        one='import { two } from "./two.js";\n/**\n * Doc.\n */\nexport function one() {\n  return two;\n}\n',
        two="// Said.\nexport const two = 2;\n\nexport let three = /** @type {number} */ (3);\n",
    )
    assert found == "\nconst two = 2;\nlet three = (3);\nfunction one() {\nreturn two;\n}\none(two);\n"


def test_a_package_of_its_own_may_import_pbems_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = tmp_path / "templates" / "script" / "report.js"
    entry.parent.mkdir(parents=True)
    entry.write_text(
        'import { startComposer } from "pbem/script/compose.js";\n\nstartComposer(() => 1);\n', "utf-8"
    )
    real = resources.files
    monkeypatch.setattr(script.resources, "files", lambda name: tmp_path if name == "regatta" else real(name))
    found = report_script(Files("regatta", "", "", "", templates="templates"))
    assert found.count("\nfunction startComposer(") == found.count("\nfunction make(") == 1
    assert found.endswith("\nstartComposer(() => 1);\n")
    assert found.index("\nfunction startComposer(") < found.index("\nstartComposer(() => 1);")


UNFIT = {
    "import one from './one.js';": "must import names as they are",
    'import { one as two } from "./one.js"': "ends within a comment or an import",
    'import "./one.js";': "must import names as they are",
    "export default 1;": "must export what it declares",
    "export { one };": "must export what it declares",
    "/* a */ one();": "has something behind a comment's end",
    "/* a": "ends within a comment or an import",
    "const text = `a": "goes over its end",
    'const text = "</SCRIPT >";': "holds </SCRIPT, which would end the page's script",
    'const text = "<!--";': "holds <!--, which would end the page's script",
    'import { one } from "./one.js";': "cannot be read",
    'import { one } from "./report.js";': "imports itself by way of templates/script/report.js",
}


@pytest.mark.parametrize("text", UNFIT)
def test_what_could_not_be_joined_exactly_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(UNFIT[text])):
        joined(tmp_path, monkeypatch, report=text)


@OWN
def test_the_shipped_script_is_one_module_that_names_nothing_twice(files: Files, tmp_path: Path) -> None:
    """Modules that each stand alone might share a name: as one they would be refused by every browser."""
    text = report_script(files)
    assert not re.search(r"^\s*(import|export)\b", text, re.MULTILINE)
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    module = tmp_path / "page.mjs"
    module.write_text(text, "utf-8")
    ran = subprocess.run([node, "--check", module], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@OWN
def test_the_script_reads_no_text_as_html_or_code(files: Files) -> None:
    text = report_script(files)
    assert [unsafe for unsafe in UNSAFE if unsafe in text] == []


def test_every_module_is_in_some_pages_script() -> None:
    joint = "".join(map(report_script, (FLUX_FILES, MAGIC_FILES)))
    for path in ROOT.rglob("*.js"):
        lines = path.read_text("utf-8").split("\n")
        declared = re.compile(r"export (?:async )?(?:function|const|let|class) (\w+)")
        for name in filter(None, (found and found[1] for found in map(declared.match, lines))):
            assert re.search(rf"^(?:async )?(?:function|const|let|class) {name}\b", joint, re.MULTILINE), name


def test_types() -> None:
    """As CI asks it: of every module, strictly."""
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("there is no tsc here")
    root = ROOT.parent
    if not (root / "tsconfig.json").is_file():
        pytest.skip("this is no copy of the repository")
    ran = subprocess.run([tsc, "--project", root], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_data_holds_no_sign_that_could_end_its_block() -> None:
    assert data_text({"a": "</script>&\u2028"}) == '{"a":"\\u003c/script\\u003e\\u0026\\u2028"}'
