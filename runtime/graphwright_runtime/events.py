"""What a run tells whoever listens (`on_event`): the lines of its log, as they happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from graphwright_runtime.values import Json

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


class Event:
    """One thing that happened: `timestamp` in seconds since the epoch, `payload` plain JSON."""

    __slots__ = ("event_type", "graph_run_id", "payload", "timestamp")

    def __init__(self, timestamp: float, graph_run_id: str, event_type: EventType, payload: dict[str, Json]) -> None:
        self.timestamp = timestamp
        self.graph_run_id = graph_run_id
        self.event_type = event_type
        self.payload = payload

    def __repr__(self) -> str:
        return f"Event({self.event_type!r}, {self.payload!r})"


#: Called with each event, in the run's own task; what it raises is a warning.
Listener: TypeAlias = Callable[[Event], None]
