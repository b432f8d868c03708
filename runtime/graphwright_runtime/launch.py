"""Starting a run: what is checked before its first node."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Never

from graphwright_runtime.calling import perform_for_tool
from graphwright_runtime.capability import PARENT_VARIABLE, granted
from graphwright_runtime.environment import missing_variables, without_keys
from graphwright_runtime.events import Listener
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.host import Host
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.inputs import prepared
from graphwright_runtime.lifecycle import refused, run_to_end
from graphwright_runtime.log import log
from graphwright_runtime.nested import nest
from graphwright_runtime.result import RunResult
from graphwright_runtime.run import Run
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tooling import Dispatch, Tool, check_tools, is_coroutine_function
from graphwright_runtime.version import RUNTIME_VERSION


async def launch(
    graph: AnyGraph,
    inputs: object,
    *,
    tools: Mapping[str, Tool],
    dispatch: Dispatch | None,
    capabilities: Sequence[str] | None,
    env: Mapping[str, str] | None,
    host: Host | None,
    project: str | os.PathLike[str] | None,
    run_id: str | None,
    resume: str | None,
    durability: str | None,
    listener: Listener | None,
) -> RunResult[Never, Never]:
    """`execute`, which says what the arguments are."""
    _refuse_durability(graph, resume, durability)
    check_tools(tools)
    if listener is not None and (not callable(listener) or is_coroutine_function(listener)):
        raise TypeError("on_event is called, not awaited: it has to be a plain function")
    host = InProcessHost() if host is None else host
    variables = without_keys(os.environ if env is None else env)
    problems: list[str] = []
    identity = run_id or _new_id(graph, host, problems)
    folder = _folder(project, problems)
    copy, faults = prepared(graph, inputs)
    problems += faults
    problems += missing_variables(graph.required_env, variables)
    if graph.require_capabilities and capabilities is None and PARENT_VARIABLE not in variables:
        problems.append("the graph runs with the caller's capabilities only, and none were passed")
    if problems:
        return refused(identity, problems, host, listener)
    run = Run(
        graph,
        copy,
        run_id=identity,
        host=host,
        grants=granted(graph.permissions, capabilities, variables),
        tools=tools,
        dispatch=dispatch,
        env=variables,
        project=folder,
        limits=graph.limits,
        listener=listener,
        perform=perform_for_tool,
        nest=nest,
    )
    return await run_to_end(run)


def _new_id(graph: AnyGraph, host: Host, problems: list[str]) -> str:
    """An id by the host; one that it cannot make is a problem."""
    try:
        return host.new_run_id(graph.id)
    except Exception as error:
        problems.append(f"the host cannot make a run id: {failed(error)}")
        return InProcessHost().new_run_id(graph.id)


def _folder(project: str | os.PathLike[str] | None, problems: list[str]) -> Path:
    """The project folder; a working directory that was deleted meanwhile is a problem."""
    try:
        return Path(project or "").absolute()
    except OSError as error:
        problems.append(f"the working directory cannot be used as the project: {error.strerror}")
        return Path(project or "")


def _refuse_durability(graph: AnyGraph, resume: str | None, durability: str | None) -> None:
    """Raise ValueError where somebody counts on a log that nobody keeps."""
    if resume is not None:
        raise ValueError(f"resume: graphwright-runtime {RUNTIME_VERSION} keeps no log of runs to resume from")
    if durability not in (None, "off"):
        raise ValueError(
            f"durability {durability!r}: graphwright-runtime {RUNTIME_VERSION} has `off` alone; leave it out"
        )
    if durability is None and graph.durability not in (None, "off"):
        log.warning("%s asks for durability `%s`; this runtime keeps nothing", graph.id, graph.durability)
