"""Reads the events of a run in another process from its growing log.

The events are not verified, because only a whole log can be: `survey.run_status` does so when the run is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from graphwright_runtime.content import regular_file
from graphwright_runtime.durable.canonical import parsed
from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.events import (
    Event,
    ForeachItem,
    GraphCancelled,
    GraphCompleted,
    GraphError,
    GraphStarted,
    NodeRetry,
    StepCompleted,
    StepStarted,
)
from graphwright_runtime.origin import Origin
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from io import BufferedReader

#: The beginning of the line that ends an append.
_SIGNATURE: Final = b'{"event_type":"signature"'

#: Number of bytes to read at once.
_PIECE: Final = 1 << 20

_AS_THEY_ARE: Final[Mapping[str, type[NodeRetry | GraphCompleted | GraphError | GraphCancelled]]] = {
    "node_retry": NodeRetry,
    "graph_completed": GraphCompleted,
    "graph_error": GraphError,
    "graph_cancelled": GraphCancelled,
}


class FollowedGraph:
    """The information about a graph in the log of its run, as needed to show progress."""

    def __init__(self, head: Mapping[str, Json]) -> None:
        self.id = str(head.get("graph_id", ""))
        self.nodes = list(cast("Mapping[str, str]", head.get("node_hashes") or {}))
        self._state = list(cast("Mapping[str, Json]", head.get("state") or {}))

    def initial(self) -> list[str]:
        """The keys of the initial state."""
        return self._state


class Follower:
    """Reads the log of a run, one append at a time. Raises RefusedError if it does not exist."""

    def __init__(self, project: Path, run_id: str) -> None:
        log = Layout(project, "", run_id).log
        try:
            self._file: BufferedReader = regular_file(log)
        except OSError as error:
            raise RefusedError(f"{log} cannot be read: {error.strerror}") from error
        self._log = log
        self._run_id = run_id
        self._origin = Origin(None, run_id, ())
        self._line = b""
        self._append: list[bytes] = []
        self._checkpoint = Checkpoint()

    @property
    def graph(self) -> FollowedGraph | None:
        """The graph of the run; None until the log contains an event."""
        return FollowedGraph(self._checkpoint.head) if self._checkpoint.started else None

    @property
    def is_at_end(self) -> bool:
        """Whether the run has no further steps, according to the log read so far."""
        return self._checkpoint.status is not None or self._checkpoint.node is None

    def close(self) -> None:
        """Close the log."""
        self._file.close()

    def events(self) -> Iterator[Event]:
        """The events since the last call. Raises RefusedError if a line is not an event."""
        for line in self._lines():
            try:
                event = cast("dict[str, Any]", parsed(line))
                yield from self._told(event["event_type"], event["payload"], event["timestamp"])
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise RefusedError(f"{self._log} has a line that is not an event of a run: {error}") from error

    def _lines(self) -> Iterator[bytes]:
        """The lines of complete appends. The writer may still remove an incomplete one."""
        while piece := self._file.readline(_PIECE):
            if b"\0" in piece:
                raise RefusedError(f"{self._log} has a line that is not an event of a run")
            self._line += piece
            if not piece.endswith(b"\n"):
                continue
            line, self._line = self._line, b""
            if line.startswith(_SIGNATURE):
                appended, self._append = self._append, []
                yield from appended
            else:
                self._append.append(line)

    def _told(self, kind: str, payload: dict[str, Any], at: float) -> Iterator[Event]:
        """The events for listeners that correspond to a line of the log.

        The log records the start of a node only together with its end, so a node is reported as started when the
        previous one is finished.
        """
        checkpoint = self._checkpoint
        checkpoint.take(kind, payload, at)
        event: Event | None = None
        match kind:
            case "graph_started":
                head = {"graph_id": payload["graph_id"], "nodes": len(payload["node_hashes"])}
                event = GraphStarted(at, self._origin, self._run_id, head)
            case "step_completed":
                receipt = payload["receipt"]
                told = {**payload, **{key: receipt[key] for key in ("elapsed_ms", "calls") if key in receipt}}
                event = StepCompleted(at, self._origin, self._run_id, told)
            case "foreach_item":
                told = {**payload, "finished": len(checkpoint.in_flight.items)}
                event = ForeachItem(at, self._origin, self._run_id, told)
            case _ if kind in _AS_THEY_ARE:
                event = _AS_THEY_ARE[kind](at, self._origin, self._run_id, payload)
        if event is None:
            return
        yield event
        if kind in ("graph_started", "step_completed") and checkpoint.node is not None:
            tally = checkpoint.history.nodes.get(checkpoint.node)
            begun = {
                "step": len(checkpoint.path) + 1,
                "node": checkpoint.node,
                "visit": 1 if tally is None else tally.visits + 1,
            }
            yield StepStarted(at, self._origin, self._run_id, begun)
