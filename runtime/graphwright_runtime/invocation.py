"""Runs a graph by its id (`graphwright_runtime.invoke`), in this process or in one of its own.

`python -m graphwright_runtime.invocation` is that process: it reads what to run as JSON on standard input, and says on
standard output, as one line of JSON, that the run has started or why it has not.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.arguments import are_texts, expect
from graphwright_runtime.environment import forget_keys, with_keys
from graphwright_runtime.events import Event
from graphwright_runtime.execute import RunnableGraph
from graphwright_runtime.ids import is_id, module_name
from graphwright_runtime.values import Json, NotJsonError, json_copy

AnyRunnable = RunnableGraph[object, object, object]

#: What Python was told to leave out of the search path and the environment applies to the other process, too.
_FLAGS: Final = {"isolated": "-I", "ignore_environment": "-E", "no_user_site": "-s", "safe_path": "-P"}


def find(graph_id: str, package: str) -> AnyRunnable:
    """The graph with an id in a package of generated modules. Raises LookupError if there is none.

    What importing its module raises is raised, such as the refusal of one that does not verify.
    """
    if not is_id(graph_id):
        raise LookupError(f"{graph_id!r} is not a valid id of a graph: an id is a path such as `team/report`")
    name = f"{package}.{module_name(graph_id)}"
    try:
        graph = getattr(importlib.import_module(name), "GRAPH", None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):  # another module is missing
            raise
        graph = None
    if not isinstance(graph, RunnableGraph) or graph.id != graph_id:
        raise LookupError(f"there is no graph `{graph_id}` in the package `{package}`: run `graphwright build`")
    return cast("AnyRunnable", graph)


def check(task: Task, background: object) -> None:
    """Raise TypeError for an argument of `graphwright_runtime.invoke` of the wrong type."""
    capabilities, project, resumed = task.capabilities, task.project, task.resume_run_id
    expect("graph_id", task.graph_id, isinstance(task.graph_id, str), "a string")
    expect("parameters", task.parameters, isinstance(task.parameters, Mapping), "a mapping")
    expect("async_", background, isinstance(background, bool), "True or False")
    expect("resume_run_id", resumed, resumed is None or isinstance(resumed, str), "a string")
    expect("capabilities", capabilities, capabilities is None or are_texts(capabilities), "a sequence of patterns")
    expect("package", task.package, isinstance(task.package, str), "a string")
    expect("project", project, project is None or isinstance(project, (str, os.PathLike)), "a string or a path")


def within(graph: AnyRunnable, depth: int | None) -> AnyRunnable:
    """The graph with at most so many levels of graphs and threads below it."""
    if depth is None:
        return graph
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise ValueError(f"depth must be an integer of at least 0, not {depth!r}")
    own = graph.limits.get("depth")
    narrowed = copy.copy(graph)
    narrowed.limits = {**graph.limits, "depth": min(depth, own) if isinstance(own, int) else depth}
    return narrowed


class Task(NamedTuple):
    """What to run: the arguments of `graphwright_runtime.invoke`."""

    graph_id: str
    parameters: Mapping[str, object]
    resume_run_id: str | None
    capabilities: Sequence[str] | None
    depth: int | None
    package: str
    project: str | os.PathLike[str] | None

    @property
    def folder(self) -> Path:
        """The absolute path of the project."""
        return Path(self.project or "").absolute()

    def graph(self) -> AnyRunnable:
        """The graph, within its depth. Raises what `find` and `within` raise."""
        return within(find(self.graph_id, self.package), self.depth)


def run_here(task: Task) -> dict[str, Json]:
    """Run a graph to its end."""
    result = task.graph().run_sync(
        dict(task.parameters), capabilities=task.capabilities, project=task.folder, resume=task.resume_run_id
    )
    told: dict[str, Json] = {
        "graph_run_id": result.graph_run_id,
        "status": result.status,
        "state": cast("Json", result.state),
        "steps": result.steps,
    }
    return told if result.error is None else {**told, "error": result.error}


def run_elsewhere(task: Task) -> dict[str, Json]:
    """Start a graph in a process and a session of its own; returns when the run has started.

    Raises ValueError if the parameters are not JSON.
    """
    task.graph()  # what is wrong with it is raised here
    try:
        parameters = cast("dict[str, object]", json_copy(dict(task.parameters)))
    except NotJsonError as error:
        raise ValueError(f"inputs are not JSON: {error}") from error
    capabilities = None if task.capabilities is None else list(task.capabilities)
    plain = task._replace(parameters=parameters, capabilities=capabilities, project=str(task.folder))
    told = {"task": plain, "path": sys.path}
    flags = [flag for name, flag in _FLAGS.items() if getattr(sys.flags, name)]
    process = subprocess.Popen(
        [sys.executable, *flags, "-m", "graphwright_runtime.invocation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=with_keys(os.environ),
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin as stdin:
        stdin.write(json.dumps(told).encode())
    with process.stdout as stdout:
        said = stdout.readline()
    if not said:
        raise RuntimeError(f"the process of the run ended with exit code {process.wait()} before the run had started")
    return cast("dict[str, Json]", json.loads(said))


class _Detaching:
    """Hears that the run has started: says so to the process that waits for it, and lets go of it."""

    def __init__(self, project: Path) -> None:
        self.said = False
        self._project = project

    def __call__(self, event: Event) -> None:
        if self.said or event.event_type != "graph_started":
            return
        from graphwright_runtime.content import regular_handle
        from graphwright_runtime.durable.layout import Layout

        output = Layout(self._project, "", event.graph_run_id).output
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        log = regular_handle(output, flags)
        self.tell({"graph_run_id": event.graph_run_id, "status": "running", "pid": os.getpid()})
        for stream in (1, 2):
            os.dup2(log, stream)
        os.close(log)

    def tell(self, said: Mapping[str, Json]) -> None:
        """Say something to the process that waits, once."""
        self.said = True
        sys.stdout.write(f"{json.dumps({'success': said['status'] == 'running', **said})}\n")
        sys.stdout.flush()


def main() -> int:
    """Run what standard input says; 0 if it completed."""
    forget_keys(os.environ)
    told = json.loads(sys.stdin.buffer.read())
    sys.path[:] = told["path"]
    task = Task(*told["task"])
    detaching = _Detaching(task.folder)
    result = asyncio.run(
        task.graph().run(
            dict(task.parameters),
            capabilities=task.capabilities,
            project=task.folder,
            resume=task.resume_run_id,
            durability=None if task.resume_run_id is not None else "process",
            on_event=detaching,
        )
    )
    if not detaching.said:
        detaching.tell({"graph_run_id": result.graph_run_id, "status": result.status, "error": result.error or ""})
    return 0 if result.success else 1


if __name__ == "__main__":
    sys.exit(main())
