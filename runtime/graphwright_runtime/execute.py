"""Running a graph: what `run` and `run_sync` of an emitted module do."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Never, TypeVar, cast

from graphwright_runtime.capability import PARENT_VARIABLE, granted
from graphwright_runtime.conduct import End, conduct
from graphwright_runtime.environment import missing_variables
from graphwright_runtime.events import Event, Listener
from graphwright_runtime.graph import AnyGraph, Graph
from graphwright_runtime.host import Durability, Host
from graphwright_runtime.inputs import prepared
from graphwright_runtime.result import RunResult
from graphwright_runtime.run import ABSENT, Run
from graphwright_runtime.services import RunServices, depth, lowest
from graphwright_runtime.tooling import Dispatch, Tool
from graphwright_runtime.values import Json
from graphwright_runtime.version import RUNTIME_VERSION

InputsT = TypeVar("InputsT")
StateT = TypeVar("StateT")
OutputT = TypeVar("OutputT")

log = logging.getLogger("graphwright_runtime")


async def execute(
    graph: Graph[InputsT, StateT, OutputT],
    inputs: InputsT,
    *,
    tools: Mapping[str, Tool] | None = None,
    dispatch: Dispatch | None = None,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    host: Host | None = None,
    project: str | PathLike[str] | None = None,
    run_id: str | None = None,
    resume: str | None = None,
    durability: Durability | None = None,
    on_event: Listener | None = None,
) -> RunResult[StateT, OutputT]:
    """Run a graph to its end.

    Args:
        inputs: the graph's inputs; they are copied, and defaults filled in.
        tools: callables by item id: `(params) -> result` or `(params, context) -> result`, sync or async.
        dispatch: answers every action that `tools` does not; without it the host looks for tools.
        capabilities: what the caller allows. None: what the graph declares itself.
        env: the environment variables of the run; those of the process by default.
        host: clock, waiting, chance, tools; an `InProcessHost` of its own by default.
        project: the project folder; the current one by default.
        run_id: the id of the run; made by the host by default.
        resume, durability: for hosts that keep a log; this runtime has none, and refuses both.
        on_event: called with each event of the run.

    A run that fails gives a result with status `error`; so does one that is refused before its first node because
    inputs, variables or capabilities are missing. Cancellation, and errors that are none of a node's, are raised.
    """
    from pathlib import Path

    _refuse_durability(graph, resume, durability)
    host = _own_host() if host is None else host
    variables = dict(os.environ if env is None else env)
    identity = run_id or host.new_run_id(graph.id)
    copy, problems = prepared(graph, inputs)
    problems += missing_variables(graph.required_env, variables)
    if graph.require_capabilities and capabilities is None and PARENT_VARIABLE not in variables:
        problems.append("the graph runs with the caller's capabilities only, and none were passed")
    if problems:
        return _refused(identity, problems, host, on_event)
    run = Run(
        graph,
        copy,
        run_id=identity,
        host=host,
        grants=granted(graph.permissions, capabilities, variables),
        tools=tools or {},
        dispatch=dispatch,
        env=variables,
        project=Path(project or "").absolute(),
        limits=graph.limits,
        listener=on_event,
        services=lambda run: RunServices(run, _nest),
    )
    return _result(run, await conduct(run))


def execute_sync(
    graph: Graph[InputsT, StateT, OutputT],
    inputs: InputsT,
    *,
    tools: Mapping[str, Tool] | None = None,
    dispatch: Dispatch | None = None,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    host: Host | None = None,
    project: str | PathLike[str] | None = None,
    run_id: str | None = None,
    resume: str | None = None,
    durability: Durability | None = None,
    on_event: Listener | None = None,
) -> RunResult[StateT, OutputT]:
    """`execute` for code that is not async, with the same arguments.

    Raises RuntimeError where an event loop is running already.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(
            execute(
                graph,
                inputs,
                tools=tools,
                dispatch=dispatch,
                capabilities=capabilities,
                env=env,
                host=host,
                project=project,
                run_id=run_id,
                resume=resume,
                durability=durability,
                on_event=on_event,
            )
        )
    raise RuntimeError("run_sync() cannot be used inside a running event loop: await run() there")


async def _nest(parent: Run, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
    """Run a graph below another run: same tools and surroundings, the capabilities narrowed by its own."""
    host = parent.host
    identity = host.new_run_id(graph.id)
    copy, problems = prepared(graph, params)
    problems += missing_variables(graph.required_env, parent.env)
    result: RunResult[object, object]
    if problems:
        result = _refused(identity, problems, host, None)
    else:
        limits = {**parent.limits, "depth": depth(parent.limits) - 1}
        run = Run(
            graph,
            copy,
            run_id=identity,
            host=host,
            grants=parent.grants.narrowed(graph.permissions),
            tools=parent.tools,
            dispatch=parent.dispatch,
            env=parent.env,
            project=parent.project,
            limits=lowest(limits, graph.limits),
            listener=None,
            services=lambda run: RunServices(run, _nest),
        )
        result = _result(run, await conduct(run))
    return {name: value for name, value in result.to_dict().items() if name != "state"}


def _own_host() -> Host:
    from graphwright_runtime.inprocess import InProcessHost  # with the toolbox: not while a module is imported

    return InProcessHost()


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
        listener(
            Event(host.now(), run_id, "graph_error", {"status": "error", "steps": 0, "error": error, "node": None})
        )
    return RunResult("error", cast("Never", {}), cast("Never", None), graph_run_id=run_id, error=error)


def _result(run: Run, end: End) -> RunResult[Never, Never]:
    output = dict(run.state) if run.output is ABSENT else run.output
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
