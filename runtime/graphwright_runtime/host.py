"""The interface to everything outside the graph: clock, waiting, randomness, tools, persistence, cancellation.

A run accesses its environment only through a `Host`, so that the same module runs in a process, on a durable engine and
in tests. By default, `run` uses `inprocess.InProcessHost`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from graphwright_runtime.context import Context
from graphwright_runtime.graph import Action, AnyGraph
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

#: What is persisted: every step before the next one starts, so that it survives the end of the process (`process`) or a
#: power failure (`power`); only the final state (`exit`); nothing (`off`).
Durability: TypeAlias = Literal["process", "power", "exit", "off"]

DURABILITIES: Final[tuple[Durability, ...]] = ("process", "power", "exit", "off")


class Step(NamedTuple):
    """One executed node, for the host.

    `delta` are the keys that the node set in the state. `next_node` is None if the run ends. `status` is `ok`, or
    `error` if the node failed and the run continued.
    """

    run_id: str
    step: int
    node: str
    next_node: str | None
    status: str
    delta: dict[str, object]


class Host(Protocol):
    """What a run needs from its environment.

    If a host has a false attribute `persists`, its `commit` is not called. A host that caches results of nodes with
    `cache_result` also implements `Cache`; with other hosts, such nodes are executed each time.
    """

    def now(self) -> float:
        """The current time, in seconds since the epoch."""
        ...

    def new_run_id(self, graph_id: str) -> str:
        """An id that no other run has."""
        ...

    def random(self) -> float:
        """A random number from 0 to 1 (exclusive), for jitter."""
        ...

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        """Perform an action that neither `tools` nor `dispatch` of the run handle. May raise any exception."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        ...

    async def commit(self, step: Step) -> None:
        """Persist a step; the next one starts when this returns."""
        ...

    def cancel_requested(self) -> bool:
        """Whether the run should stop before its next step."""
        ...


@runtime_checkable
class Cache(Protocol):
    """A host that caches results."""

    def cached(self, key: Hashable) -> Result | None:
        """The cached result for this key; None if there is none."""
        ...

    def keep(self, key: Hashable, result: Result) -> None:
        """Cache the result of a node with `cache_result`."""
        ...


@runtime_checkable
class Digests(Protocol):
    """A host that can identify its tools."""

    def tool_digest(self, action: Action, project: Path, home: str | None, caller: AnyGraph) -> str | None:
        """A digest that changes when the tool does; None if unknown, so that results are not cached persistently."""
        ...


@runtime_checkable
class Graphs(Protocol):
    """A host that finds graphs by their ids, as it needs to resume those that a run had started in the background."""

    def graph(self, graph_id: str, caller: AnyGraph) -> AnyGraph | None:
        """The graph with this id, as seen by a graph of the same project; None if there is none."""
        ...


@runtime_checkable
class Directives(Protocol):
    """A host that finds directives, for threads that follow them."""

    def directive(self, item_id: str, project: Path, home: str | None) -> str | None:
        """The text of the directive with this id; None if there is none. Raises NodeError for one that is refused."""
        ...


def persists(host: Host) -> bool:
    """Whether the `commit` of a host is called for every step."""
    return bool(getattr(host, "persists", True))
