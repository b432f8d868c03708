"""What holds for the source tree as a whole: sizes, the direction of imports, and what must not be in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPILER = ROOT / "compiler" / "graphwright"
RUNTIME = ROOT / "runtime" / "graphwright_runtime"

LONGEST = 300
LONGEST_OF_ALL = 400
LONGER_WITH_REASON = {
    "compiler/graphwright/analysis/jsontype.py": "one lattice: the type and the operations that must agree on it",
    "compiler/graphwright/analysis/mismatch.py": "every way in which types can disagree, told apart side by side",
    "compiler/graphwright/analysis/typing.py": "one inference: its rules read each other",
}
"""Modules over the limit, each with the reason that makes it one room."""

STAGES = [
    {"diagnostic", "fault", "faults", "language"},
    {"source"},
    {"expr"},
    {"ir", "recover"},
    {"dialects", "model", "parse"},
    {"lower"},
    {"analysis"},
    {"facts", "contract"},
    {"rules"},
    {"emit"},
    {"building", "readback"},
    {"compare"},
    {"refactor"},
    {"cli"},
]
"""The pipeline in order: a module imports from its own stage and from those before it. Modules next to it are free."""

FORBIDDEN = re.compile(r"(?<![\w.])/(?:wor[k]|roo[t]|far[m]|tm[p]/(?:g[w]|bash_))/|\bpypi-mor[e]\b|\bGW_SESSIO[N]\b")


def modules(package: Path) -> list[Path]:
    return sorted(package.rglob("*.py"))


def stem(path: Path) -> str:
    """The name below the package: `rules/flow.py` is `rules`."""
    return path.relative_to(COMPILER).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, whether at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def executed(path: Path) -> set[str]:
    """Every module that a file imports when it runs: what only a type checker sees is left out."""
    hidden = {
        f"{node.module}.{alias.name}"
        for block in ast.parse(path.read_text("utf-8")).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return set(imports(path)) - hidden - {name.rpartition(".")[0] for name in hidden}


def at_the_top(path: Path) -> Iterator[str]:
    """Every module that importing a file imports."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def documentation(text: str) -> int:
    """Lines of the docstrings of functions: those of rules are the pages that `explain` prints."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return sum(len((ast.get_docstring(function, clean=False) or "").splitlines()) for function in functions)


@pytest.mark.parametrize("path", [*modules(COMPILER), *modules(RUNTIME)], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_one_job(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = len(text.splitlines())
    assert lines <= LONGEST_OF_ALL, f"{path.name}: {lines} lines"
    if path.parent.name == "rules":
        lines -= documentation(text)
    assert lines <= LONGEST or path.relative_to(ROOT).as_posix() in LONGER_WITH_REASON, f"{path.name}: {lines} lines"
    assert path.stem not in {"utils", "helpers", "util", "misc"}


@pytest.mark.parametrize("package", [COMPILER, RUNTIME], ids=["compiler", "runtime"])
def test_no_circular_imports(package: Path) -> None:
    names = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules(package)
    }
    arrows = {
        name: {target for target in at_the_top(path) if target in names and target != name}
        for name, path in names.items()
    }
    while leaves := [name for name, targets in arrows.items() if not targets]:
        for leaf in leaves:
            del arrows[leaf]
        for targets in arrows.values():
            targets.difference_update(leaves)
    assert not arrows, f"in a circle, or above one: {sorted(arrows)}"


@pytest.mark.parametrize("path", modules(COMPILER), ids=lambda path: str(path.relative_to(COMPILER)))
def test_arrows_run_one_way(path: Path) -> None:
    order = {member: index for index, members in enumerate(STAGES) for member in members}
    here = order.get(stem(path))
    if here is None:
        return
    targets = {target.split(".")[1] for target in imports(path) if target.startswith("graphwright.")}
    assert not [target for target in targets if order.get(target, 0) > here]


def test_the_runtime_knows_nothing_of_the_compiler() -> None:
    foreign = {"graphwright", "yaml", "jinja2", "click", "libcst", "mypy"}
    for path in modules(RUNTIME):
        assert not [name for name in imports(path) if name.split(".")[0] in foreign], path


def test_no_stage_of_the_pipeline_touches_the_runtime() -> None:
    stages = set().union(*STAGES) - {"cli"}
    users = {
        stem(path) for path in modules(COMPILER) for name in executed(path) if name.startswith("graphwright_runtime")
    }
    assert not users & stages


def test_nothing_of_any_one_machine_is_in_the_tree() -> None:
    skipped = {
        ".git",
        ".venv",
        "build",
        "dist",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
    }
    for path in sorted(ROOT.rglob("*")):
        if not path.is_file() or skipped & set(path.relative_to(ROOT).parts) or path.suffix in {".pyc", ".json"}:
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        assert not FORBIDDEN.search(text), path
