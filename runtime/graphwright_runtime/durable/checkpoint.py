"""The state of a run reconstructed from its log: its position, and everything that is needed to resume it."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Final, cast

from graphwright_runtime.durable.history import History
from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.result import ABSENT, Status, SuppressedError
from graphwright_runtime.values import Json, Result

#: The events of a log, without signatures.
EVENTS: Final = frozenset(
    {
        "graph_started",
        "step_started",
        "step_completed",
        "foreach_item",
        "foreach_completed",
        "node_retry",
        "hook_failed",
        "thread_started",
        "thread_completed",
        "graph_completed",
        "graph_error",
        "graph_cancelled",
        "graph_interrupted",
    }
)


class FinishedItem:
    """A finished item of a foreach: `result`, or the `error` that is left after its retries."""

    __slots__ = ("cache_hit", "error", "result")

    def __init__(self, result: Result | None, error: NodeError | None, *, cache_hit: bool = False) -> None:
        self.result = result
        self.error = error
        self.cache_hit = cache_hit


class InFlight:
    """The progress of a step that was not finished.

    `attempts` is the number of failed attempts. `waits` are the waits before next attempts, by item (None: of the
    node), as start, in seconds since the epoch, and duration in seconds. `items` are the finished items of a foreach;
    `over` are all of its items (None: evaluate them again); `item_attempts` is the number of failed attempts at each
    item; `item_retries` is how often a hook or the built-in retry repeated each item.
    """

    __slots__ = ("attempts", "item_attempts", "item_retries", "items", "over", "waits")

    def __init__(self) -> None:
        self.attempts = 0
        self.waits: dict[int | None, tuple[float, float]] = {}
        self.items: dict[int, FinishedItem] = {}
        self.over: list[Json] | None = None
        self.item_attempts: dict[int, int] = {}
        self.item_retries: dict[int, int] = {}

    def retry_from_scratch(self) -> None:
        """Reset failures and attempts, and keep what succeeded."""
        self.items = {index: item for index, item in self.items.items() if item.error is None}
        self.attempts = 0
        self.waits = {}
        self.item_attempts = {}
        self.item_retries = {}

    def wait_left(self, now: float, index: int | None = None) -> float:
        """Seconds until the next attempt at the node or item; never longer than the original wait."""
        since, wait = self.waits.get(index, (now, 0.0))
        return min(max(0.0, since + wait - now), wait)


class Checkpoint:
    """The state of a run after the last line of its log.

    `node` is the next node; None at the end of the run, or before it began (`started` False). `status` is None unless
    the log says how the run ended; `end` is the payload of its last line, `last` that of its last step. `previous` are
    the latest results by node. `max_steps` and `max_visits` are limits that hooks extended. `threads` and `outcomes`
    describe the threads that the run started and the results of those that ended, by id.
    """

    def __init__(self) -> None:
        self.started = False
        self.head: dict[str, Json] = {}
        self.state: dict[str, object] = {}
        self.path: list[str] = []
        self.node: str | None = None
        self.errors: list[SuppressedError] = []
        self.previous: dict[str, Result] = {}
        self.max_steps: int | None = None
        self.max_visits: dict[str, int] = {}
        self.output: object = ABSENT
        self.status: Status | None = None
        self.last: dict[str, Json] = {}
        self.in_flight = InFlight()
        self.end: dict[str, Json] = {}
        self.threads: dict[str, dict[str, Json]] = {}
        self.outcomes: dict[str, dict[str, Json]] = {}
        self.history = History()
        self._before: dict[str, object] = {}  # the former values of what the step that ended the run changed
        self.started_at = self.updated_at = 0.0

    @property
    def inputs(self) -> dict[str, object]:
        """The inputs of the run, with their defaults."""
        return cast("dict[str, object]", self.head["inputs"])

    @property
    def capabilities(self) -> list[str] | None:
        """The capabilities that the caller of the run granted."""
        return cast("list[str] | None", self.head["capabilities"])

    def take(self, event_type: str, payload: dict[str, Json], timestamp: float) -> None:
        """Apply one event. Raises KeyError, TypeError or ValueError if it is not an event of a run."""
        self.updated_at = timestamp
        match event_type:
            case "graph_started":
                self._begin(payload, timestamp)
            case "step_completed":
                self._step(payload, timestamp)
            case "foreach_item":
                self._item(payload)
            case "node_retry":
                self._retry(payload, timestamp)
            case "thread_started":
                self.threads[str(payload["thread_id"])] = payload
            case "thread_completed":
                self.outcomes[str(payload["thread_id"])] = _mapping(payload["outcome"])
            case "graph_completed" | "graph_error" | "graph_cancelled":
                self._end(payload)
            case _ if event_type not in EVENTS:
                raise ValueError(f"no event is called {event_type!r}")

    def _begin(self, payload: dict[str, Json], timestamp: float) -> None:
        """Start or resume the run."""
        if not self.started:
            self.started = True
            self.started_at = timestamp
            self.state = dict(_mapping(payload["state"]))
            self.node = str(payload["start"])
        self.forget_failure()
        self.status = None
        self.head |= payload

    def forget_failure(self) -> None:
        """Undo the step and the failed items that ended the run with an error, so that resuming executes them again."""
        failed = self.last.get("fatal") is True
        if failed:
            self.node = self.path.pop()
            self.history.forget_visit(self.node)
            self.last = {}
            self.output = ABSENT
            for key, value in self._before.items():
                if value is ABSENT:
                    del self.state[key]
                else:
                    self.state[key] = value
        if failed or self.status == "error":
            self.in_flight.retry_from_scratch()

    def _step(self, payload: dict[str, Json], timestamp: float) -> None:
        node, next_node = intern(str(payload["node"])), payload["next_node"]  # a path repeats names
        if payload["step"] != len(self.path) + 1:
            raise ValueError(f"step {payload['step']!r} does not follow step {len(self.path)}")
        self.path.append(node)
        delta = _mapping(payload["delta"])
        fatal = payload.get("fatal") is True
        if fatal:
            self._before = {key: self.state.get(key, ABSENT) for key in delta if key != "_retries"}
        self.state.update(delta)
        self.node = None if next_node is None else str(next_node)
        if "result" in payload:
            self.previous[node] = _mapping(payload["result"])
        if payload.get("suppressed") is True:
            self.errors.append(SuppressedError(len(self.path), node, str(payload["error"])))
        if "output" in payload:
            self.output = payload["output"]
        granted = _mapping(payload.get("granted") or {})
        if "max_steps" in granted:
            self.max_steps = cast("int", granted["max_steps"])
        self.max_visits |= cast("Mapping[str, int]", granted.get("max_visits") or {})
        self.last = payload
        elapsed_ms = cast("float", _mapping(payload["receipt"])["elapsed_ms"])
        self.history.step(timestamp, len(self.path), node, str(payload["status"]), elapsed_ms, self.node)
        if not fatal:
            self.in_flight = InFlight()

    def _item(self, payload: dict[str, Json]) -> None:
        index = cast("int", payload["index"])
        if "over" in payload:
            self.in_flight.over = cast("list[Json]", payload["over"])
        self.state.update(_mapping(payload.get("delta") or {}))
        if payload["status"] == "ok":
            self.in_flight.items[index] = FinishedItem(
                _mapping(payload["result"]), None, cache_hit=payload.get("cache_hit") is True
            )
        else:
            error = NodeError(
                str(payload["error"]),
                category=cast("Category | None", payload.get("category")),
                code=cast("int | str | None", payload.get("code")),
                error_type=str(payload.get("error_type", "NodeError")),
            )
            self.in_flight.items[index] = FinishedItem(None, error)

    def _retry(self, payload: dict[str, Json], timestamp: float) -> None:
        self.state.update(_mapping(payload.get("delta") or {}))
        index = cast("int | None", payload.get("index"))
        self.in_flight.waits[index] = (timestamp, float(cast("float", payload["wait_s"])))
        if index is None:
            self.in_flight.attempts += 1
            return
        attempts, retries = self.in_flight.item_attempts, self.in_flight.item_retries
        attempts[index] = attempts.get(index, 0) + 1
        if payload["by"] != "policy":
            retries[index] = retries.get(index, 0) + 1

    def _end(self, payload: dict[str, Json]) -> None:
        self.status = cast("Status", payload["status"])
        self.end = payload
        if "state" in payload:  # durability `exit`: the log contains the state only here
            self.state = dict(_mapping(payload["state"]))


def _mapping(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is not a mapping")
    return value
