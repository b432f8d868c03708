"""What a tool may know of its call, and how it calls other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path


class Services(Protocol):
    """What stands behind a context: the run, as far as tools may use it."""

    @property
    def run_id(self) -> str: ...
    @property
    def graph_id(self) -> str: ...
    @property
    def project(self) -> Path: ...
    @property
    def env(self) -> Mapping[str, str]: ...
    @property
    def limits(self) -> Mapping[str, Json]: ...

    async def perform(self, action: Action, params: Mapping[str, object], context: Context) -> Result:
        """Perform an action as a node would."""
        ...

    async def nest(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run another graph with what this run may do; its result as a mapping, without its state."""
        ...


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
        "_services",
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

    def __init__(self, services: Services, node: str, step: int, call_id: str, index: int | None = None) -> None:
        self._services = services
        self.run_id = services.run_id
        self.graph_id = services.graph_id
        self.project = services.project
        self.env = services.env
        self.limits = services.limits
        self.node = node
        self.step = step
        self.index = index
        self.idempotency_key = f"{services.run_id}/{call_id}"

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
        return await self._services.perform(dynamic(primary, kind, item_id), params or {}, self)

    async def run_graph(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run a graph with `params` as its inputs, with the capabilities of this run narrowed by its own."""
        return await self._services.nest(graph, params)
