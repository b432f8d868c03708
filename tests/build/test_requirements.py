"""Installation requirements: what the code imports, no formatter, and a type checker only for the gate of a build."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GRAPH = """\
tool_type: graph
description: "A graph whose module has lines that are too long, so that they have to be broken"
permissions: []
config:
  start: z
  nodes:
    z: {type: return, output: {first: "a text of some length", second: "and another one that is about as long"}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project, next to stand-ins for ruff, black and mypy that cannot be imported."""
    (tmp_path / "project" / "graphs").mkdir(parents=True)
    (tmp_path / "project" / "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")
    (tmp_path / "project" / "graphs" / "x.yaml").write_text(GRAPH, "utf-8")
    for name in ("ruff", "black", "mypy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(f"raise ImportError('{name} is not installed')\n", "utf-8")
    return tmp_path / "project"


def command(project: Path, *arguments: str, without: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run a command where some programs can neither be imported nor be found on the search path."""
    path = [*(str(project.parent / name) for name in without), *sys.path]
    environment = {**os.environ, "PATH": "", "PYTHONPATH": os.pathsep.join(path)}
    for name in without:
        tried = [sys.executable, "-m", name, "--version"]
        assert subprocess.run(tried, env=environment, cwd=project, capture_output=True, check=False).returncode
    return subprocess.run(
        [sys.executable, "-m", "graphwright", *arguments],
        env=environment, cwd=project, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [("check", "--no-cache"), ("build", "--no-typecheck"), ("build", "--no-typecheck", "--check"), ("run", "x", "-q")],
    ids=" ".join,
)
def test_no_tool_is_needed(project: Path, arguments: tuple[str, ...]) -> None:
    if "--check" in arguments:
        assert command(project, "build", "--no-typecheck", without=()).returncode == 0
    done = command(project, *arguments, without=("ruff", "black", "mypy"))
    assert done.returncode == 0, done.stderr
    if arguments[0] == "run":
        assert json.loads(done.stdout)["status"] == "completed"


def test_a_build_needs_mypy_for_its_type_check_and_no_formatter(project: Path) -> None:
    done = command(project, "build", without=("ruff", "black"))
    assert done.returncode == 0, done.stderr
    assert max(map(len, (project / "generated" / "x.py").read_text("utf-8").splitlines()[1:])) <= 88


def test_what_the_distribution_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert not [each for each in project["dependencies"] if each.startswith(("ruff", "black"))]
    assert "mypy>=1.11" in project["dependencies"], "any mypy that a project has"
    assert [each for each in project["optional-dependencies"]["dev"] if each.startswith("ruff")]


def declared(project: Path) -> set[str]:
    """The distributions that a project asks for, with its extras but for `dev`, in lower case."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    extras = about.get("optional-dependencies", {})
    asked = [*about["dependencies"], *(each for name, listed in extras.items() if name != "dev" for each in listed)]
    return {re.split(r"[^\w-]", each)[0].lower() for each in asked}


def imported(package: Path, asked: set[str]) -> set[str]:
    """The distributions that the modules of a package import when they run, in lower case.

    Of those that share a folder of modules it is the one that is asked for.
    """
    names: set[str] = set()
    for path in package.rglob("*.py"):
        for node in executed(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Import():
                    names.update(alias.name for alias in node.names)
                case ast.ImportFrom(module=str(module)):
                    names.add(module)
                case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str(module))]):
                    names.add(module)
    owners = packages_distributions()
    roots = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {package.name}
    sharing = [[each.lower() for each in owners.get(root, [root.replace("_", "-")])] for root in roots]
    return {next((each for each in sharers if each in asked), sharers[0]) for sharers in sharing}


def executed(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module but for what only type checkers see."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        hidden = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        waiting += node.orelse if isinstance(node, ast.If) and hidden else ast.iter_child_nodes(node)


def test_what_is_imported_is_declared_and_nothing_else() -> None:
    runtime, compiler = declared(ROOT / "runtime"), declared(ROOT) - {"mypy"}  # mypy is a program that is run
    assert imported(ROOT / "runtime" / "graphwright_runtime", runtime) == runtime
    assert imported(ROOT / "compiler" / "graphwright", compiler) == compiler


def test_a_check_and_a_run_can_ask_jsonschema() -> None:
    """Schemas with `unevaluatedProperties` and the like need it, so the compiler brings it along."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "graphwright-runtime[schema]==0.1.0" in project["dependencies"]
