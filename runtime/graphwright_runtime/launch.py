"""Starting a run: what is checked before its first node, and the graphs that it runs below itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Never, cast

from graphwright_runtime.capability import PARENT_VARIABLE, granted
from graphwright_runtime.conduct import End, conduct
from graphwright_runtime.environment import missing_variables, without_keys
from graphwright_runtime.events import Event, Listener
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.host import Host
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.inputs import prepared
from graphwright_runtime.log import log
from graphwright_runtime.result import ABSENT, RunResult
from graphwright_runtime.run import Run
from graphwright_runtime.services import limits_below, perform_for_tool
from graphwright_runtime.steering import steered
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tooling import Dispatch, Tool, check_tools, is_coroutine_function
from graphwright_runtime.values import Json
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
        return _refused(identity, problems, host, listener)
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
        nest=_nest,
    )
    return _result(run, await conduct(run))


async def _nest(parent: Run, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
    """Run a graph below another run: same tools and surroundings, the capabilities narrowed by its own and the call's.

    A cancellation that the host asked for, and that ended this run, ends the one above it, too.
    """
    call = steered(graph, params)
    limits = limits_below(parent, graph.limits, call.depth)
    host = parent.host
    identity = host.new_run_id(graph.id)
    copy, problems = prepared(graph, call.inputs)
    problems += missing_variables(graph.required_env, parent.env)
    result: RunResult[object, object]
    if problems:
        result = _refused(identity, problems, host, None)
    else:
        run = Run(
            graph,
            copy,
            run_id=identity,
            host=host,
            grants=parent.grants.narrowed(graph.permissions).narrowed(call.capabilities),
            tools=parent.tools,
            dispatch=parent.dispatch,
            env=parent.env,
            project=parent.project,
            limits=limits,
            listener=None,
            perform=perform_for_tool,
            nest=_nest,
        )
        result = _result(run, await conduct(run))
    if result.status == "cancelled":
        parent.cancellation.ask()
        raise asyncio.CancelledError
    return result.to_dict(with_state=False)


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


def _refused(run_id: str, problems: list[str], host: Host, listener: Listener | None) -> RunResult[Never, Never]:
    """The result of a run that did not start."""
    error = "; ".join(problems)
    if listener is not None:
        told: dict[str, Json] = {"status": "error", "steps": 0, "error": error, "node": None}
        try:
            listener(Event(host.now(), run_id, "graph_error", told))
        except Exception as fault:
            log.warning("%s: on_event failed at graph_error: %s", run_id, failed(fault))
    return RunResult("error", cast("Never", {}), cast("Never", None), graph_run_id=run_id, error=error)


def _result(run: Run, end: End) -> RunResult[Never, Never]:
    output = run.state if run.output is ABSENT else run.output
    return RunResult(
        end.status,
        cast("Never", run.state),
        cast("Never", output if end.status in ("completed", "completed_with_errors") else None),
        graph_run_id=run.run_id,
        path=tuple(run.path),
        error=end.error,
        node=end.node,
        errors=tuple(run.errors),
        max_steps_reached=end.limited,
        exception=end.exception,
    )
