"""Runs a graph with a script, without waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Never, TypeAlias, TypeVar, cast

from graphwright_runtime.events import Listener
from graphwright_runtime.execute import RunnableGraph
from graphwright_runtime.host import Durability
from graphwright_runtime.testing.clock import run_virtually
from graphwright_runtime.testing.host import FrozenHost
from graphwright_runtime.testing.scripted import ScriptedTools
from graphwright_runtime.typeforms import ResultT

InputsT = TypeVar("InputsT")

#: The inputs of a graph that is another argument. With a callable in the type, mypy infers this argument after the
#: others, and so reads a literal as the inputs of that graph.
InputsOf: TypeAlias = InputsT | Callable[[InputsT], Never]


def run_scripted(
    graph: RunnableGraph[InputsT, object, object, str, ResultT],
    inputs: InputsOf[InputsT],
    tools: ScriptedTools | Mapping[str, object],
    *,
    host: FrozenHost | None = None,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    project: str | PathLike[str] | None = None,
    run_id: str | None = None,
    resume: str | None = None,
    durability: Durability | None = None,
    allow_changed: bool = False,
    on_event: Listener | None = None,
) -> ResultT:
    """Run a graph (the `GRAPH` of its module) on a clock that does not wait for retries, delays and timeouts.

    `tools` is the script (`ScriptedTools`) that answers every action. `env` is empty by default, and nothing is stored
    unless `durability` is set. All other arguments as in `Graph.run`.

    Raises SimulatedCrash if the script or the host requests it, and RuntimeError inside a running event loop: await
    `graph.run(..., dispatch=tools, host=FrozenHost())` there.
    """
    check_no_loop("run_scripted")
    host = FrozenHost() if host is None else host
    work = graph.run(
        cast("InputsT", inputs),
        dispatch=tools if isinstance(tools, ScriptedTools) else ScriptedTools(tools),
        capabilities=capabilities,
        env={} if env is None else env,
        host=host,
        project=project,
        run_id=run_id,
        resume=resume,
        durability=durability,
        allow_changed=allow_changed,
        on_event=on_event,
    )
    return run_virtually(work, host.clock)


def check_no_loop(name: str) -> None:
    """Raise RuntimeError if an event loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(
        f"{name}() cannot be used inside a running event loop: "
        "await `graph.run(..., dispatch=tools, host=FrozenHost())` there"
    )
