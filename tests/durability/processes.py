"""Runs on the command line, in processes of their own, in a project that keeps them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config_schema: {type: object, properties: {limit: {type: integer}}, required: [limit]}
config:
  start: work
  state: {n: 0}
  nodes:
    work: {action: {item_id: tool:t/add, params: {n: "${state.n}"}}, assign: {n: "${result.n}"}, next: check}
    check:
      type: gate
      next:
        - {to: work, when: {path: state.n, op: lt, value: "${inputs.limit}"}}
        - {to: done}
    done: {type: return, output: {n: "${state.n}"}}
"""
TOOL = """\
import pathlib, time
def execute(params, project_path):
    folder = pathlib.Path(project_path)
    with open(folder / "calls", "a") as out:
        out.write(f"{params['n']}\\n")
    while (folder / "wait").exists() and params["n"] == 2:
        time.sleep(0.01)
    if (folder / "pace").exists():
        time.sleep(0.02)
    print("counted", params["n"])
    if (folder / "fail").exists():
        raise ValueError("not today")
    return {"n": params["n"] + 1}
"""


def made(folder: Path) -> Path:
    """A project with the graph `count` and its tool.

    While there is a file `wait`, the third call waits; a file `pace` slows all calls, a file `fail` fails them.
    """
    (folder / ".ai" / "tools" / "t").mkdir(parents=True)
    (folder / ".ai" / "tools" / "count.yaml").write_text(GRAPH, "utf-8")
    (folder / ".ai" / "tools" / "t" / "add.py").write_text(TOOL, "utf-8")
    return folder


def started(project: Path, *arguments: str, graph: str = "count") -> subprocess.Popen[str]:
    """A run of a graph."""
    command = [sys.executable, "-m", "graphwright", "run", graph, *arguments]
    return subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any], str]:
    """Exit code, result, and what is on standard error."""
    out, said = process.communicate(timeout=60)
    return process.returncode, json.loads(out) if out else {}, said


def ran(project: Path, *arguments: str, graph: str = "count") -> tuple[int, dict[str, Any], str]:
    """Run a graph to its end: exit code, result, and what is on standard error."""
    return ended(started(project, *arguments, graph=graph))


def calls(project: Path) -> list[str]:
    """The numbers that the tool was called with."""
    file = project / "calls"
    return file.read_text("utf-8").split() if file.exists() else []


def waiting(project: Path, *arguments: str) -> subprocess.Popen[str]:
    """A run `r` that waits in its third call."""
    (project / "wait").touch()
    process = started(project, "-i", "limit=4", "--run-id", "r", *arguments)

    def has_come() -> bool:
        assert process.poll() is None, process.communicate()
        return len(calls(project)) >= 3

    until(has_come)
    return process


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + 40
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def runs(project: Path, *arguments: str) -> tuple[int, str, str]:
    """`graphwright runs`: exit code, standard output, standard error."""
    command = [sys.executable, "-m", "graphwright", "runs", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr
