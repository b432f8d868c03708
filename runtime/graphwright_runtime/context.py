"""What a tool may know of its call, and how it calls other tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

#: Performs an action for a tool.
Perform: TypeAlias = Callable[[Action, Mapping[str, object], "Context"], Awaitable[Result]]

#: Runs a graph for a tool: its inputs -> its result as a mapping, without its state.
Nest: TypeAlias = Callable[[AnyGraph, Mapping[str, Json]], Awaitable[dict[str, Json]]]


class Context:
    """The call that a tool answers: the second argument of tools that take one.

    Attributes:
        run_id, graph_id: the run.
        node, step: where the run is (`step` 0 before the first node); `index` is that of a foreach's item, else None.
        idempotency_key: the same for every attempt of this call.
        project: the project folder.
        env: the environment variables of the run.
        limits: `turns`, `tokens`, `depth` … that the graph hands to what it starts.
    """

    __slots__ = (
        "_nest",
        "_perform",
        "env",
        "graph_id",
        "idempotency_key",
        "index",
        "limits",
        "node",
        "project",
        "run_id",
        "step",
    )

    def __init__(
        self,
        *,
        run_id: str,
        graph_id: str,
        node: str,
        step: int,
        index: int | None,
        idempotency_key: str,
        project: Path,
        env: Mapping[str, str],
        limits: Mapping[str, Json],
        perform: Perform,
        nest: Nest,
    ) -> None:
        self.run_id = run_id
        self.graph_id = graph_id
        self.node = node
        self.step = step
        self.index = index
        self.idempotency_key = idempotency_key
        self.project = project
        self.env = env
        self.limits = limits
        self._perform = perform
        self._nest = nest

    async def call(
        self,
        item_id: str,
        params: Mapping[str, object] | None = None,
        *,
        primary: str = "execute",
        kind: str | None = None,
    ) -> Result:
        """Call another tool, or a graph, as a node would: capabilities are checked, the result is unwrapped.

        `kind` None reads a prefix of the id (`directive:x`), a tool without. Raises NodeError.
        """
        return await self._perform(dynamic(primary, kind, item_id), params or {}, self)

    async def run_graph(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run a graph with `params` as its inputs, with the capabilities of this run narrowed by its own.

        The result as a mapping without its state. Raises NodeError where the limit of depth is used up.
        """
        return await self._nest(graph, params)
