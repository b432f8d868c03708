"""Starts a run, after the checks before its first node."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Never

from graphwright_runtime.arguments import check_arguments
from graphwright_runtime.bounds import USED_UP, lower_of
from graphwright_runtime.calling import perform_for_tool
from graphwright_runtime.capability import PARENT_VARIABLE, granted
from graphwright_runtime.environment import missing_variables, without_keys
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.events import Listener
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.host import DURABILITIES, Host, persists
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.inputs import prepared
from graphwright_runtime.lifecycle import run_to_end
from graphwright_runtime.log import about, logger
from graphwright_runtime.methods import tools_by_id
from graphwright_runtime.nested import nest
from graphwright_runtime.refusal import refused
from graphwright_runtime.result import RunResult
from graphwright_runtime.run import Run
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tooling import Dispatch
from graphwright_runtime.variables import warn_of_unknown

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import Checkpoint
    from graphwright_runtime.durable.opening import Opened
    from graphwright_runtime.durable.parentage import Inherited
    from graphwright_runtime.durable.recorder import Recorder

log: Final = logger(__name__)


async def launch(
    graph: AnyGraph,
    inputs: object,
    *,
    tools: object,
    dispatch: Dispatch | None,
    strict_tools: bool,
    capabilities: Sequence[str] | None,
    env: Mapping[str, str] | None,
    host: Host | None,
    project: str | os.PathLike[str] | None,
    run_id: str | None,
    resume: str | None,
    durability: str | None,
    allow_changed: bool,
    listener: Listener | None,
    room: Callable[[], Awaitable[None]] | None = None,
) -> RunResult[Never, Never, Never]:
    """Implements `Graph.run`, which documents the arguments. `room` waits until the listener can take more events."""
    by_id = tools_by_id(graph, tools)
    check_arguments(
        graph,
        tools=by_id,
        dispatch=dispatch,
        capabilities=capabilities,
        env=env,
        host=host,
        project=project,
        run_id=run_id,
        resume=resume,
        listener=listener,
        allow_changed=allow_changed,
        strict_tools=strict_tools,
    )
    if resume is not None and run_id not in (None, resume):
        raise ValueError("a run that is resumed keeps its id: leave `run_id` out")
    warn_of_unknown(os.environ)
    host = InProcessHost() if host is None else host
    level = _level(graph, durability, resumed=resume is not None, project=project, host=host)
    variables = without_keys(os.environ if env is None else env)
    problems: list[str] = []
    identity = resume or run_id or _new_id(graph, host, problems)
    if run_id is not None:
        _check_id(run_id, problems)
    folder = _folder(project, problems)
    copy, faults = prepared(graph, inputs) if resume is None else ({}, [])
    problems += faults
    problems += missing_variables(graph.required_env, variables)
    if graph.require_capabilities and capabilities is resume is None and PARENT_VARIABLE not in variables:
        problems.append("the graph requires capabilities from the caller, and none were passed")
    above, reason = _inherited(folder, variables)
    if above is not None and above.depth <= 0:
        problems.append(USED_UP)
    checkpoint: Checkpoint | None = None
    recorder: Recorder | None = None
    try:
        if resume is not None and not problems:
            checkpoint, recorder = _opened(graph, folder, resume, level, inputs, allow_changed=allow_changed)
            copy = checkpoint.inputs
        elif level not in (None, "off") and not problems:
            asked = durability is not None or graph.durability is not None
            recorder = _recorder(graph, folder, identity, level, variables.get(PARENT_VARIABLE), asked=asked)
    except RefusedError as error:
        problems.append(str(error))
    if problems:
        return refused(graph.id, identity, problems, host, listener)
    limits = graph.limits if above is None else lower_of({**above.limits, "depth": above.depth - 1}, graph.limits)
    inherited = None if above is None else above.capabilities
    grants = granted(graph.permissions, capabilities, variables, inherited, reason)
    run = Run(
        graph,
        copy,
        run_id=identity,
        host=host,
        grants=grants if checkpoint is None else grants.narrowed(checkpoint.capabilities),
        tools=by_id,
        dispatch=dispatch,
        strict_tools=strict_tools,
        env=variables,
        project=folder,
        limits=limits,
        listener=listener,
        perform=perform_for_tool,
        nest=nest,
        capabilities=capabilities,
        recorder=recorder,
        checkpoint=checkpoint,
        room=room,
    )
    try:
        return await run_to_end(run)
    finally:
        if recorder is not None:
            recorder.close()


def _inherited(project: Path, env: Mapping[str, str]) -> tuple[Inherited | None, str]:
    """What the run that started this process hands on to it; None if there is none, or with the reason that it grants
    nothing."""
    parent = env.get(PARENT_VARIABLE)
    if parent is None:
        return None, ""
    from graphwright_runtime.durable.parentage import inherited

    try:
        return inherited(project, parent), ""
    except RefusedError as error:
        return None, str(error)


def _new_id(graph: AnyGraph, host: Host, problems: list[str]) -> str:
    """A new id from the host. If that fails, adds a problem."""
    try:
        return host.new_run_id(graph.id)
    except Exception as error:
        problems.append(f"the host failed to create a run id: {failed(error)}")
        return InProcessHost().new_run_id(graph.id)


def _check_id(run_id: str, problems: list[str]) -> None:
    """Add a problem if an id is not valid, whether or not the run is persisted."""
    from graphwright_runtime.durable.layout import check_run_id

    try:
        check_run_id(run_id)
    except RefusedError as error:
        problems.append(str(error))


def _folder(project: str | os.PathLike[str] | None, problems: list[str]) -> Path:
    """The absolute project folder. If it does not exist, such as a deleted working directory, adds a problem."""
    try:
        folder = Path(project or "").absolute()
        if project and not folder.is_dir():
            problems.append(f"the project {folder} is not a folder")
        return folder
    except OSError as error:
        problems.append(f"the working directory cannot be used as the project: {error.strerror}")
        return Path(project or "")


def _level(graph: AnyGraph, durability: str | None, *, resumed: bool, project: object, host: Host) -> str | None:
    """The durability of the run; None for a resumed run that keeps its own.

    By default, a run is persisted only if a project was passed and the host does not persist steps itself.
    """
    if durability is not None and durability not in DURABILITIES:
        raise ValueError(f"durability is one of {', '.join(DURABILITIES)}, not {durability!r}")
    if resumed and durability in ("off", "exit"):
        raise ValueError(f"a run that is resumed cannot have durability `{durability}`")
    if project is None and (resumed or durability not in (None, "off")):
        raise ValueError(f"{'resume' if resumed else 'durability'} needs the folder of a project: pass `project`")
    if resumed or durability is not None:
        return durability
    if project is None:
        if graph.durability not in (None, "off"):
            log.warning(
                "%s requests durability `%s`, but without a project nothing is kept", graph.id, graph.durability
            )
        return "off"
    return graph.durability or ("off" if persists(host) else "process")


def _opened(
    graph: AnyGraph, project: Path, run_id: str, level: str | None, inputs: object, *, allow_changed: bool
) -> Opened:
    """Open a run to resume. It keeps its inputs; passed ones must be equal. Raises RefusedError."""
    from graphwright_runtime.durable.opening import reopen

    opened = reopen(project, graph, run_id, level, allow_changed=allow_changed)
    kept = opened.checkpoint.inputs
    if isinstance(inputs, Mapping):
        for name, value in inputs.items():
            if name not in kept or kept[name] != value:
                opened.recorder.close()
                raise RefusedError(f"the input `{name}` is not the one that the run was started with: leave it out")
    return opened


def _recorder(
    graph: AnyGraph, project: Path, run_id: str, level: str, started_by: str | None, *, asked: bool
) -> Recorder | None:
    """The recorder of a new run. Raises RefusedError; if durability was not requested, logs a warning and returns None
    instead."""
    from graphwright_runtime.durable.errors import UnkeepableError
    from graphwright_runtime.durable.opening import begin

    try:
        return begin(project, graph, run_id, level, started_by=started_by)
    except UnkeepableError as error:
        if asked:
            raise
        log.warning("%s: this run is not kept and cannot be resumed: %s", run_id, error, extra=about(run_id, graph.id))
        return None
