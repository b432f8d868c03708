"""The context of a call: information for the tool, and calls of other tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from graphwright_runtime.capability import Grants
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import Action, AnyGraph, called
from graphwright_runtime.threads import in_loop, running_loop
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

    from graphwright_runtime.agent.runner import ThreadRunner
    from graphwright_runtime.bounds import Bounds
    from graphwright_runtime.family import Family

#: Performs an action for a tool, within some seconds.
Perform: TypeAlias = Callable[[Action, Mapping[str, object], "Context", float | None], Awaitable[Result]]

#: Runs a graph for a tool: its inputs -> its result as a mapping, without its state.
Nest: TypeAlias = Callable[[AnyGraph, Mapping[str, Json], "Context"], Awaitable[dict[str, Json]]]

#: How deep tools can call tools. Python cannot cancel much deeper chains of tasks.
MAX_LEVEL: Final = 50
#: Why a tool that has returned can call nothing more.
_OVER: Final = "the tool can call nothing more, because its own call is over"


def check_params(params: object) -> None:
    """Raise NodeError if the params that a tool passes are not a mapping."""
    if not isinstance(params, Mapping):
        raise NodeError(f"`params` must be a mapping, not {described(params)}", category="permanent")


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

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the run."""

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
        bounds: those of the thread that makes the call; None for a call of the run itself.
        calls: the number of calls that the tool has made through this context.
        level: how many tools, one below the other, made this call; 0 for the call of a node.
        children: the number of graphs and threads that this call has started.
        cache_hit: whether the result of the call came from the cache.
        limits: `turns`, `tokens`, `depth` … for threads and graphs that the graph starts.
    """

    __slots__ = (
        "_is_over",
        "_services",
        "_under_way",
        "attempt",
        "bounds",
        "cache_hit",
        "calls",
        "children",
        "env",
        "graph_id",
        "idempotency_key",
        "index",
        "level",
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
        level: int = 0,
        bounds: Bounds | None = None,
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
        self.calls = 0
        self.level = level
        self.children = 0
        self._services = services
        self.bounds = bounds
        self._under_way: set[asyncio.Task[Result]] | None = None
        self._is_over = False

    @property
    def graph(self) -> AnyGraph:
        """The calling graph."""
        return self._services.graph

    @property
    def grants(self) -> Grants:
        """The capabilities of the call: those of the run, or of the thread that it is made for."""
        return self._services.grants if self.bounds is None else self.bounds.grants

    @property
    def parent_thread_id(self) -> str:
        """The run, or the thread, that makes the call."""
        return self.run_id if self.bounds is None else self.bounds.thread_id

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
        item_id: str | None,
        params: Mapping[str, object] | None = None,
        *,
        primary: str = "execute",
        kind: str | None = None,
        timeout_s: float | None = None,
    ) -> Result:
        """Call another tool or a graph, like a node does: capabilities are checked and the result is unwrapped.

        `primary` may also be `load`, `search` (whose id may be None) or `sign`. If `kind` is None, the id may have a
        prefix (`directive:x`); without a prefix it is a tool. The call is cancelled after `timeout_s` seconds, and when
        the call of this tool is over. Its idempotency key is that of this call with `/call-1`, `/call-2` … in the order
        in which the tool makes its calls.

        Raises NodeError; its `category` is `denied` without the capability, `permanent` beyond `MAX_LEVEL`.
        """
        loop = self._services.loop
        if asyncio.get_running_loop() is not loop:  # a loop that the tool runs in its thread
            call = self.call(item_id, params, primary=primary, kind=kind, timeout_s=timeout_s)
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, loop))
        if self._is_over:
            raise NodeError(_OVER, category="permanent")
        if self.level == MAX_LEVEL:
            raise NodeError(f"tools call tools more than {MAX_LEVEL} levels deep", category="permanent")
        self.calls += 1
        action = called(primary, kind, item_id)
        context = self.below(f"{self.idempotency_key}/call-{self.calls}", level=self.level + 1)
        given = {} if params is None else params
        work = asyncio.ensure_future(self._services.perform(action, given, context, timeout_s))
        if self._under_way is None:
            self._under_way = set()
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        return await work

    def call_sync(
        self,
        item_id: str | None,
        params: Mapping[str, object] | None = None,
        *,
        primary: str = "execute",
        kind: str | None = None,
        timeout_s: float | None = None,
    ) -> Result:
        """`call` for a tool that is not async, and so runs in a thread of its own, which waits for the result.

        Raises NodeError, asyncio.CancelledError if the call of this tool is cancelled meanwhile, and RuntimeError in
        the event loop of the run.
        """
        loop = self._services.loop
        if running_loop() is loop:
            raise RuntimeError("call_sync() cannot be used in the event loop of the run: await call() instead")
        if loop.is_closed():
            raise NodeError(_OVER, category="permanent")
        return in_loop(self.call(item_id, params, primary=primary, kind=kind, timeout_s=timeout_s), loop)

    def below(
        self,
        idempotency_key: str,
        *,
        level: int | None = None,
        bounds: Bounds | None = None,
    ) -> Context:
        """The context of a call that is made in this one, within the same bounds or those of a thread."""
        return Context(
            run_id=self.run_id,
            graph_id=self.graph_id,
            node=self.node,
            step=self.step,
            index=self.index,
            idempotency_key=idempotency_key,
            project=self.project,
            env=self.env,
            limits=self.limits if bounds is None else dict(bounds.limits),
            services=self._services,
            attempt=self.attempt,
            level=self.level if level is None else level,
            bounds=self.bounds if bounds is None else bounds,
        )

    def end(self) -> list[asyncio.Task[Result]]:
        """Note that this call is over, so that the tool calls nothing more: the calls that are still under way."""
        self._is_over = True
        return [*self._under_way] if self._under_way else []

    async def run_graph(self, graph: AnyGraph, params: Mapping[str, Json]) -> dict[str, Json]:
        """Run a graph, like a node that calls it. `params` are its inputs, and options of the call (see `nested.py`).

        The graph has the capabilities of this run, restricted by its own. Returns the result as a mapping without the
        state. Raises NodeError if the limit on depth is exceeded.
        """
        check_params(params)
        self.children += 1
        return await self._services.nest(graph, params, self)

    async def run_thread(self, params: Mapping[str, Json], runner: ThreadRunner | None = None) -> dict[str, Json]:
        """Start a thread, like `rye/agent/threads/thread_directive`, whose `params` these are.

        `runner` runs it; by default, that of the host. Returns its result. Raises NodeError.
        """
        check_params(params)
        self.children += 1
        return await self._services.thread(params, self, runner)

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Emit an event `emitted` to the listener of the run (`on_event`)."""
        self._services.tell(name, payload)
