"""The events of a run for listeners (`on_event`, `Graph.events`).

Type checkers infer the payload of an event from its type in both of these forms:

    match event.event_type:
        case "step_completed": print(event.payload["elapsed_ms"])

    match event:
        case StepCompleted(payload={"node": node, "elapsed_ms": elapsed}): print(node, elapsed)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:  # typed dictionaries are slow to create, and every emitted module imports this module
    from graphwright_runtime.origin import Origin
    from graphwright_runtime.payloads import (
        EmittedPayload,
        ForeachCompletedPayload,
        ForeachItemPayload,
        GraphEndPayload,
        GraphStartedPayload,
        HookFailedPayload,
        NodeRetryPayload,
        StepCompletedPayload,
        StepStartedPayload,
    )

EventType: TypeAlias = Literal[
    "graph_started",
    "step_started",
    "step_completed",
    "foreach_item",
    "foreach_completed",
    "node_retry",
    "hook_failed",
    "emitted",
    "graph_completed",
    "graph_error",
    "graph_cancelled",
]


class RunEvent:
    """The base class of all events.

    Attributes:
        event_type: the type of the event.
        timestamp: seconds since the epoch.
        graph_run_id: the id of the run.
        parent_run_id, root_run_id, namespace: see `Origin`; a run that was not called by another one is its own root.
        payload: plain JSON; see `payloads.py` for the keys of each event.
    """

    __slots__ = ("_origin", "graph_run_id", "payload", "timestamp")

    event_type: ClassVar[EventType]
    payload: Mapping[str, object]

    def __init__(self, timestamp: float, origin: Origin, graph_run_id: str, payload: Mapping[str, object]) -> None:
        self.timestamp = timestamp
        self.graph_run_id = graph_run_id
        self.payload = payload
        self._origin = origin

    @property
    def parent_run_id(self) -> str | None:
        """The run that called this one; None for a top-level run."""
        return self._origin.parent_run_id

    @property
    def root_run_id(self) -> str:
        """The top-level run."""
        return self._origin.root_run_id

    @property
    def namespace(self) -> tuple[str, ...]:
        """The calling nodes, outermost first; empty for a top-level run."""
        return self._origin.namespace

    def to_dict(self) -> dict[str, object]:
        """The event as JSON; `parent_run_id`, `root_run_id` and `namespace` are only included for nested runs."""
        found: dict[str, object] = {
            "timestamp": self.timestamp,
            "event_type": self.event_type,
            "graph_run_id": self.graph_run_id,
        }
        if self.namespace:
            found |= {
                "parent_run_id": self.parent_run_id,
                "root_run_id": self.root_run_id,
                "namespace": [*self.namespace],
            }
        return {**found, "payload": self.payload}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.payload!r})"


class GraphStarted(RunEvent):
    """A run starts or is resumed."""

    __slots__ = ()
    event_type: ClassVar[Literal["graph_started"]] = "graph_started"
    payload: GraphStartedPayload


class StepStarted(RunEvent):
    """A node starts."""

    __slots__ = ()
    event_type: ClassVar[Literal["step_started"]] = "step_started"
    payload: StepStartedPayload


class StepCompleted(RunEvent):
    """A node is finished, including its retries."""

    __slots__ = ()
    event_type: ClassVar[Literal["step_completed"]] = "step_completed"
    payload: StepCompletedPayload


class ForeachItem(RunEvent):
    """An item of a foreach node is finished, including its retries."""

    __slots__ = ()
    event_type: ClassVar[Literal["foreach_item"]] = "foreach_item"
    payload: ForeachItemPayload


class ForeachCompleted(RunEvent):
    """The loop of a foreach node is finished; `step_completed` follows."""

    __slots__ = ()
    event_type: ClassVar[Literal["foreach_completed"]] = "foreach_completed"
    payload: ForeachCompletedPayload


class NodeRetry(RunEvent):
    """A node, or an item of it, failed and will be executed again."""

    __slots__ = ()
    event_type: ClassVar[Literal["node_retry"]] = "node_retry"
    payload: NodeRetryPayload


class HookFailed(RunEvent):
    """A hook failed, and the run continues."""

    __slots__ = ()
    event_type: ClassVar[Literal["hook_failed"]] = "hook_failed"
    payload: HookFailedPayload


class Emitted(RunEvent):
    """A tool emitted an event (`Context.tell`)."""

    __slots__ = ()
    event_type: ClassVar[Literal["emitted"]] = "emitted"
    payload: EmittedPayload


class GraphCompleted(RunEvent):
    """A run completed."""

    __slots__ = ()
    event_type: ClassVar[Literal["graph_completed"]] = "graph_completed"
    payload: GraphEndPayload


class GraphError(RunEvent):
    """A run ended with an error, or was refused."""

    __slots__ = ()
    event_type: ClassVar[Literal["graph_error"]] = "graph_error"
    payload: GraphEndPayload


class GraphCancelled(RunEvent):
    """A run was cancelled."""

    __slots__ = ()
    event_type: ClassVar[Literal["graph_cancelled"]] = "graph_cancelled"
    payload: GraphEndPayload


#: An event of a run.
Event: TypeAlias = (
    GraphStarted
    | StepStarted
    | StepCompleted
    | ForeachItem
    | ForeachCompleted
    | NodeRetry
    | HookFailed
    | Emitted
    | GraphCompleted
    | GraphError
    | GraphCancelled
)

#: Called with each event, in the task of the run; exceptions are logged as warnings.
Listener: TypeAlias = Callable[[Event], None]
