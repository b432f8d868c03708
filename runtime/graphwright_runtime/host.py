"""Everything that the graph does not determine: the clock, waiting, chance, tools, what is kept, cancellation.

A run reaches the world through one `Host` alone, so that the same module runs in a process, on a durable engine and
under test. `inprocess.InProcessHost` is the one that `run` uses by itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from graphwright_runtime.context import Context
from graphwright_runtime.graph import Action, AnyGraph
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:  # its import takes longer than all of the runtime's
    from pathlib import Path

#: What is kept of a run: every step before the next one begins, which survives the end of the process (`process`) or
#: that of the power, too (`power`); the final state alone (`exit`); nothing (`off`).
Durability: TypeAlias = Literal["process", "power", "exit", "off"]

DURABILITIES: Final[tuple[Durability, ...]] = ("process", "power", "exit", "off")


class Step(NamedTuple):
    """One executed node, as the host is told of it.

    `delta` holds the keys that the node set in the state; `next_node` is None where the run ends; `status` is `ok` or
    `error` (the node failed, and an error edge or the policy led on).
    """

    run_id: str
    step: int
    node: str
    next_node: str | None
    status: str
    delta: dict[str, object]


class Host(Protocol):
    """What a run needs from its surroundings.

    A host with an attribute `persists` that is false keeps nothing: its `commit` is not called. One that keeps results
    of nodes with `cache_result` is a `Cache` as well; on any other such nodes are executed each time.
    """

    def now(self) -> float:
        """The time, in seconds since the epoch."""
        ...

    def new_run_id(self, graph_id: str) -> str:
        """An id that no other run has."""
        ...

    def random(self) -> float:
        """A number from 0 up to 1, for the jitter of waits."""
        ...

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        """Perform an action that neither the run's `tools` nor its `dispatch` take; raises what goes wrong."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        ...

    async def commit(self, step: Step) -> None:
        """Keep a step; the next one starts when this returns."""
        ...

    def cancel_requested(self) -> bool:
        """Whether the run is to stop before its next step."""
        ...


@runtime_checkable
class Cache(Protocol):
    """A host that keeps results."""

    def cached(self, key: Hashable) -> Result | None:
        """The result that was kept under this key."""
        ...

    def keep(self, key: Hashable, result: Result) -> None:
        """Keep a result of a node with `cache_result`."""
        ...


@runtime_checkable
class Digests(Protocol):
    """A host that knows what its tools are."""

    def tool_digest(self, action: Action, project: Path, home: str | None, caller: AnyGraph) -> str | None:
        """A digest that changes when the tool does; None where there is none, so that no result is kept for long."""
        ...


def persists(host: Host) -> bool:
    """Whether a host is told of every step."""
    return bool(getattr(host, "persists", True))
