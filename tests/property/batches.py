"""Many graphs at once through everything that a build is: check, emission, gates, mypy, and pyright."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import yaml
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from commands import graphwright
from graphwright.checking.checker import check
from graphwright.diagnostic import Severity
from graphwright.ir import Json
from running import loaded

T = TypeVar("T")

#: What pyright is asked for: its strict mode, and all else that users turn on.
PYRIGHT = {
    "include": ["generated"],
    "typeCheckingMode": "strict",
    "reportUnnecessaryTypeIgnoreComment": "error",
    "reportUnusedExpression": "error",
}


def drawn(strategy: SearchStrategy[T], count: int, number: int = 0) -> list[T]:
    """That many examples, the same ones each time for a `number`."""
    found: list[T] = []

    @seed(number)
    @settings(
        max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found


def around(schema: Json) -> dict[str, object]:
    """The least graph that has a schema of inputs."""
    done = {"type": "return", "output": "${inputs}"}
    config = {"start": "done", "nodes": {"done": done}}
    return {"tool_type": "graph", "permissions": [], "config_schema": schema, "config": config}


def built(folder: Path, graphs: Mapping[str, object], contracts: Mapping[str, object] | None = None) -> list[str]:
    """Build, in a folder, those of the graphs that a check accepts, and return their names.

    `contracts` are those of tools, by item id.
    """
    files = {f"graphs/{name}": graph for name, graph in graphs.items()}
    files |= {f"contracts/{item_id}": contract for item_id, contract in (contracts or {}).items()}
    (folder / "graphwright.toml").write_text('roots = ["graphs"]\n', "utf-8")  # else contracts belong to no project
    for path, content in files.items():
        file = folder / f"{path}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    with contextlib.chdir(folder):
        found = check(["graphs"]).diagnostics
        refused = {Path(each.span.path).stem for each in found if each.severity is Severity.ERROR}
        for name in refused:
            Path(f"graphs/{name}.yaml").unlink()
        done = graphwright("build", "--no-sign", "--no-cache", "graphs")
    assert done.code == 0, _errors(done.stderr)
    return [name for name in graphs if name not in refused]


def mypy_complaints(folder: Path) -> list[str]:
    """What mypy says of all modules that were built in a folder, with options that the gate of a build leaves out."""
    options = ("--strict", "--disallow-any-explicit", "--warn-unreachable", "--no-error-summary", "--no-pretty")
    command = [sys.executable, "-m", "mypy", *options, "--cache-dir", str(folder / ".mypy"), "generated"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=900
    ).stdout.splitlines()


def _errors(said: str) -> str:
    """The errors of a build, each with the line that says where, without its many warnings."""
    paragraphs = re.split(r"\n\n", said)
    return "\n\n".join(each for each in paragraphs if "error[" in each)[:5000]


def pyright_complaints(folder: Path) -> list[str]:
    """What pyright says of all modules that were built in a folder."""
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=900)
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] > 0
    return [_shown(entry) for entry in answer["generalDiagnostics"]]


def _shown(entry: Mapping[str, object]) -> str:
    file = Path(str(entry["file"]))
    place = entry["range"]
    line = place["start"]["line"] if isinstance(place, dict) else 0
    return f"{file.name}:{line + 1}: {entry['message']}\n    {file.read_text('utf-8').splitlines()[line].strip()}"


def module(folder: Path, name: str) -> contextlib.AbstractContextManager[ModuleType]:
    """The module that was built from a graph."""
    return loaded((folder / "generated" / f"{name}.py").read_text("utf-8"))
