"""The context of a call: information for the tool, and calls of other tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from graphwright_runtime.capability import Grants
from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

    from graphwright_runtime.agent.runner import ThreadRunner
    from graphwright_runtime.family import Family

#: Performs an action for a tool.
Perform: TypeAlias = Callable[[Action, Mapping[str, object], "Context"], Awaitable[Result]]

#: Runs a graph for a tool: its inputs -> its result as a mapping, without its state.
Nest: TypeAlias = Callable[[AnyGraph, Mapping[str, Json], "Context"], Awaitable[dict[str, Json]]]


class Services(Protocol):
    """The services that a run offers to tools."""

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
        """The capabilities of the run."""

    @property
    def family(self) -> Family | None:
        """What the tree of the run has started in the background."""

    @property
    def cancelled(self) -> bool:
        """Whether the run was asked to end."""

    async def thread(
        self, params: Mapping[str, Json], context: Context, runner: ThreadRunner | None
    ) -> dict[str, Json]:
        """Run a thread below this run."""

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Emit an event to the listener of the run."""


class Context:
    """The call of a tool: the second argument of tools that take one.

    Attributes:
        run_id, graph_id: the run and its graph.
        node, step: the position of the run (`step` is 0 before the first node).
        index: the index of the item in a foreach node, otherwise None.
        idempotency_key: the same for all attempts of this call.
        project: the project folder.
        env: the environment variables of the run.
        attempt: the number of this attempt of the call, from 1.
        children: the number of graphs and threads that this call has started.
        cache_hit: whether the result of the call came from the cache.
        limits: `turns`, `tokens`, `depth` … for threads and graphs that the graph starts.
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
        """The calling graph."""
        return self._services.graph

    @property
    def grants(self) -> Grants:
        """The capabilities of the calling run."""
        return self._services.grants

    @property
    def family(self) -> Family | None:
        """What the tree of the calling run has started in the background; None if nothing."""
        return self._services.family

    @property
    def cancelled(self) -> bool:
        """Whether cancellation of the whole run was requested, not only of this call."""
        return self._services.cancelled

    async def call(
        self,
        item_id: str,
        params: Mapping[str, object] | None = None,
        *,
        primary: str = "execute",
        kind: str | None = None,
    ) -> Result:
        """Call another tool or a graph, like a node does: capabilities are checked and the result is unwrapped.

        If `kind` is None, the id may have a prefix (`directive:x`); without a prefix it is a tool. Raises NodeError.
        """
        return await self._services.perform(dynamic(primary, kind, item_id), params or {}, self)

    async def run_graph(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run a graph, like a node that calls it. `params` are its inputs, and options of the call (see `nested.py`).

        The graph has the capabilities of this run, restricted by its own. Returns the result as a mapping without the
        state. Raises NodeError if the limit on depth is exceeded.
        """
        self.children += 1
        return await self._services.nest(graph, params, self)

    async def run_thread(self, params: Mapping[str, Json], runner: ThreadRunner | None = None) -> dict[str, Json]:
        """Start a thread, like `rye/agent/threads/thread_directive`, whose `params` these are.

        `runner` runs it; by default, that of the host. Returns its result. Raises NodeError.
        """
        self.children += 1
        return await self._services.thread(params, self, runner)

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Emit an event `emitted` to the listener of the run (`on_event`)."""
        self._services.tell(name, payload)
