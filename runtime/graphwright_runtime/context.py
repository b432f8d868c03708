"""What a tool may know of its call, and how it calls other tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from graphwright_runtime.capability import Grants
from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

#: Performs an action for a tool.
Perform: TypeAlias = Callable[[Action, Mapping[str, object], "Context"], Awaitable[Result]]

#: Runs a graph for a tool: its inputs -> its result as a mapping, without its state.
Nest: TypeAlias = Callable[[AnyGraph, Mapping[str, Json], "Context"], Awaitable[dict[str, Json]]]


class Services(Protocol):
    """What a run does for the tools that it calls."""

    @property
    def graph(self) -> AnyGraph:
        """The graph that runs."""

    @property
    def perform(self) -> Perform:
        """Performs an action."""

    @property
    def nest(self) -> Nest:
        """Runs a graph below this run."""

    @property
    def grants(self) -> Grants:
        """What the run may do."""

    @property
    def cancelled(self) -> bool:
        """Whether the run was asked to end."""

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Tell whoever listens to the run of something."""


class Context:
    """The call that a tool answers: the second argument of tools that take one.

    Attributes:
        run_id, graph_id: the run.
        node, step: where the run is (`step` 0 before the first node); `index` is that of a foreach's item, else None.
        idempotency_key: the same for every attempt of this call.
        project: the project folder.
        env: the environment variables of the run.
        attempt: the number of this attempt of the call, from 1; `children` is how many graphs it has run.
        cache_hit: whether the result of the call was kept from an earlier one.
        limits: `turns`, `tokens`, `depth` … that the graph hands to what it starts.
    """

    __slots__ = (
        "_services",
        "attempt",
        "cache_hit",
        "children",
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
        services: Services,
        attempt: int = 1,
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
        self.cache_hit = False
        self.attempt = attempt
        self.children = 0
        self._services = services

    @property
    def graph(self) -> AnyGraph:
        """The graph that calls."""
        return self._services.graph

    @property
    def grants(self) -> Grants:
        """What the run that calls may do."""
        return self._services.grants

    @property
    def cancelled(self) -> bool:
        """Whether the run was asked to end, and not this call alone."""
        return self._services.cancelled

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
        """Run a graph as a node that calls it would: `params` are its inputs, and may control the call (`nested.py`).

        It has the capabilities of this run, narrowed by its own. The result as a mapping without its state. Raises
        NodeError where the limit of depth is used up.
        """
        self.children += 1
        return await self._services.nest(graph, params, self)

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Tell whoever listens to the run (`on_event`) of something, as an event `emitted`."""
        self._services.tell(name, payload)
