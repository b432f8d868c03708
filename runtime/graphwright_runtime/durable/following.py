"""The events of a run that another process is executing, read from its log as it grows.

They are not verified: a log can be verified only as a whole. `survey.run_status` does that when the run is over.
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

#: How the line begins that ends an append.
_SIGNATURE: Final = b'{"event_type":"signature"'

#: Bytes that are read at once.
_PIECE: Final = 1 << 20

_AS_THEY_ARE: Final[Mapping[str, type[NodeRetry | GraphCompleted | GraphError | GraphCancelled]]] = {
    "node_retry": NodeRetry,
    "graph_completed": GraphCompleted,
    "graph_error": GraphError,
    "graph_cancelled": GraphCancelled,
}


class FollowedGraph:
    """What is known of the graph of a run from its log: as much as it takes to show progress."""

    def __init__(self, head: Mapping[str, Json]) -> None:
        self.id = str(head.get("graph_id", ""))
        self.nodes = list(cast("Mapping[str, str]", head.get("node_hashes") or {}))
        self._state = list(cast("Mapping[str, Json]", head.get("state") or {}))

    def initial(self) -> list[str]:
        """The keys that the state has at first."""
        return self._state


class Follower:
    """Reads the log of a run from append to append. Raises RefusedError where there is none."""

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
        """The graph of the run, once there is an event."""
        return FollowedGraph(self._checkpoint.head) if self._checkpoint.started else None

    @property
    def is_at_end(self) -> bool:
        """Whether no step follows, as far as the log has been read."""
        return self._checkpoint.status is not None or self._checkpoint.node is None

    def close(self) -> None:
        """Close the log."""
        self._file.close()

    def events(self) -> Iterator[Event]:
        """What happened since the last call. Raises RefusedError for a line that is not an event."""
        for line in self._lines():
            try:
                event = cast("dict[str, Any]", parsed(line))
                yield from self._told(event["event_type"], event["payload"], event["timestamp"])
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise RefusedError(f"{self._log} has a line that is not an event of a run: {error}") from error

    def _lines(self) -> Iterator[bytes]:
        """The lines of whole appends: what is behind them may still be taken back."""
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
        """The events of a listener that a line of the log stands for.

        A node begins when the one before it is done: the log says so only together with its end.
        """
        checkpoint = self._checkpoint
        checkpoint.take(kind, payload, at)
        event: Event | None = None
        match kind:
            case "graph_started":
                head = {"graph_id": payload["graph_id"], "nodes": len(payload["node_hashes"])}
                event = GraphStarted(at, self._origin, self._run_id, head)
            case "step_completed":
                told = {**payload, "elapsed_ms": payload["receipt"]["elapsed_ms"]}
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
