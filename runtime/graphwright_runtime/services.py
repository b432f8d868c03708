"""What a run does for a tool that asks through its `Context`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from graphwright_runtime.calling import perform
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action, AnyGraph
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json, NotJsonError, Params, Result, json_copy

if TYPE_CHECKING:
    from pathlib import Path

#: Runs a graph below a run: its inputs -> its result as a mapping, without its state.
Nest: TypeAlias = Callable[[Run, AnyGraph, Mapping[str, Json]], Awaitable[dict[str, Json]]]

#: How deep graphs may call graphs where nobody says otherwise.
DEPTH: Final = 5


class RunServices:
    """Implements `context.Services` for one run."""

    def __init__(self, run: Run, nest: Nest) -> None:
        self._run = run
        self._nest = nest
        self.run_id = run.run_id
        self.graph_id = run.graph.id

    @property
    def project(self) -> Path:
        """The project folder."""
        return self._run.project

    @property
    def env(self) -> Mapping[str, str]:
        """The run's environment."""
        return self._run.env

    @property
    def limits(self) -> Mapping[str, Json]:
        """The run's limits."""
        return self._run.limits

    async def perform(self, action: Action, params: Mapping[str, object], context: Context) -> Result:
        """Perform an action as a node would; what the runtime owns of its params is the runtime's."""
        try:
            given = cast("Params", json_copy(dict(params)))
        except NotJsonError as error:
            raise NodeError(f"params are not JSON: {error}") from error
        for name, value in self._own_params().items():
            if name in given:
                given[name] = value
        return await perform(self._run, action, given, context)

    async def nest(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run a graph one level down."""
        if depth(self._run.limits) <= 0:
            raise NodeError(f"`{graph.id}` is not started: the limit of depth is used up", category="denied")
        return await self._nest(self._run, graph, params)

    def _own_params(self) -> Params:
        run = self._run
        return {
            "parent_thread_id": run.run_id,
            "parent_depth": depth(run.limits),
            "parent_limits": dict(run.limits),
            "parent_capabilities": run.grants.patterns(),
        }


def depth(limits: Mapping[str, Json]) -> int:
    """How many levels may follow below a run."""
    value = limits.get("depth", DEPTH)
    return value if isinstance(value, int) and not isinstance(value, bool) else DEPTH


def lowest(first: Mapping[str, Json], second: Mapping[str, Json]) -> dict[str, Json]:
    """The limits of both, the lower one where both set one."""
    merged = {**first, **second}
    for name in first.keys() & second.keys():
        one, other = first[name], second[name]
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            merged[name] = min(one, other)
    return merged
