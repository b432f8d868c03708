"""Runs that are kept, for tests that look at what they leave and go on from there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

from durability.processes import GRAPH
from graphwright.building.compile import compile_source
from graphwright_runtime.result import RunResult
from running import QuickHost, loaded

Tool = Callable[..., Any]

#: The counting graph, with a default for its input.
COUNT = GRAPH.replace("{limit: {type: integer}}, required: [limit]}", "{limit: {type: integer, default: 3}}}")


def compiled(text: str = COUNT, graph_id: str = "demo/count") -> AbstractContextManager[ModuleType]:
    """The module of a graph, importable as long as the block lasts."""
    found = compile_source(text, graph_id=graph_id, path=f"{graph_id}.yaml")
    assert found.text is not None, found.diagnostics
    return loaded(found.text)


class Crash:
    """A tool `t/add` that adds one, and fails from its call number `at` on."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at
        self.keys: list[str] = []

    def __call__(self, params: dict[str, Any], context: Any) -> dict[str, Any]:
        """Add one."""
        self.keys.append(context.idempotency_key)
        if self.at is not None and len(self.keys) >= self.at:
            raise ValueError("crash")
        return {"n": params["n"] + 1}


def run(module: ModuleType, project: Path, tool: Tool | None = None, **options: Any) -> RunResult[Any, Any]:
    """Run the module's graph in a project; `t/add` is the tool."""
    inputs = options.pop("inputs", {})
    tools = {"t/add": Crash() if tool is None else tool, **options.pop("more", {})}
    result: RunResult[Any, Any] = asyncio.run(
        module.run(inputs, tools=tools, project=project, host=options.pop("host", None) or QuickHost(), **options)
    )
    return result


def log_of(project: Path, run_id: str) -> Path:
    """The log of a run."""
    return project / ".ai" / "state" / "threads" / run_id / "transcript.jsonl"


def events(project: Path, run_id: str, *kinds: str) -> list[dict[str, Any]]:
    """The payloads of the lines of a log, of some kinds or all."""
    lines = [json.loads(line) for line in log_of(project, run_id).read_bytes().splitlines()]
    return [line["payload"] for line in lines if not kinds or line["event_type"] in kinds]
