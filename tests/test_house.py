"""How the house is built, where no linter looks: no float in a rule, events frozen, folds closed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem

ROOT = Path(pbem.__file__).parent
FRACTIONS = {"territory.py"}
"""Where `/` divides Fractions."""
RULES = sorted(
    [*ROOT.joinpath("rulesets").rglob("*.py"), *ROOT.joinpath("players").rglob("*.py"), ROOT / "dice.py"]
)


def floats(tree: ast.AST) -> Iterator[str]:
    """Whatever could bring a float: literals, true division, calls of float() and round()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"line {node.lineno}: the literal {node.value}"
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"line {node.lineno}: a division by /"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"float", "round"}
        ):
            yield f"line {node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Attribute) and node.attr in {"sqrt", "fsum", "random"}:
            yield f"line {node.lineno}: {node.attr}"


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_float_takes_part_in_rules(path: Path) -> None:
    """Neither in an outcome nor in a drawing: the same log gives the same bytes on every machine."""
    found = list(floats(ast.parse(path.read_text("utf-8"))))
    if path.name in FRACTIONS:
        found = [what for what in found if "division" not in what]
    assert not found


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_set_is_iterated_in_rules(path: Path) -> None:
    """Set order differs between runs: a loop over a set literal or set() would reach the outcome."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        loops = [node.iter] if isinstance(node, ast.For | ast.comprehension) else []
        for loop in loops:
            assert not isinstance(loop, ast.Set | ast.SetComp), f"line {loop.lineno}"
            is_call = isinstance(loop, ast.Call) and isinstance(loop.func, ast.Name)
            assert not (is_call and loop.func.id in {"set", "frozenset"}), f"line {loop.lineno}"  # type: ignore[attr-defined]
