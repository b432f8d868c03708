"""The payloads of events: plain JSON, as documented in docs/observability.md.

They are for type checkers and editors: `events.py` declares the payload of each event, so that its keys are known once
the type of an event is. `step` counts from 1; `kind` is `action`, `gate`, `foreach` or `return`.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from graphwright_runtime.errors import Category
from graphwright_runtime.result import Status
from graphwright_runtime.values import Json

Outcome: TypeAlias = Literal["ok", "error"]


class GraphStartedPayload(TypedDict):
    """`nodes` is the number of nodes, `resumed_at` the number of finished steps of a resumed run."""

    graph_id: str
    nodes: int
    resumed_at: NotRequired[int]


class StepStartedPayload(TypedDict):
    """`visit` is the number of times that the run has entered the node, including this one."""

    step: int
    node: str
    kind: str
    visit: int


class CallReceipt(TypedDict):
    """A call that a tool made through its context.

    `input_hash` is the sha256 of the action with its params, `result_hash` that of the result, None without one.
    """

    primary: str
    kind: str
    item_id: str | None
    idempotency_key: str
    attempt: int
    status: Literal["ok", "error", "cancelled"]
    error: NotRequired[str]
    category: NotRequired[Category]
    input_hash: str | None
    result_hash: str | None
    timestamp: float
    elapsed_ms: float


class StepCompletedPayload(TypedDict):
    """`next_node` is None if the run ends; `delta` are the keys that the step set; `error` is set if it failed.

    `calls` are those that tools made, if any; those of the items of a loop are in `foreach_item`.
    """

    step: int
    node: str
    kind: str
    next_node: str | None
    status: Outcome
    delta: dict[str, Json]
    elapsed_ms: float
    error: NotRequired[str | None]
    calls: NotRequired[list[CallReceipt]]


class ForeachItemPayload(TypedDict):
    """`finished` is the number of finished items of `total`, including those before the run was resumed."""

    step: int
    node: str
    index: int
    total: int
    finished: int
    status: Outcome
    error: NotRequired[str]
    calls: NotRequired[list[CallReceipt]]


class ForeachCompletedPayload(TypedDict):
    """`failed` are the indices of failed items."""

    step: int
    node: str
    total: int
    failed: list[int]


class NodeRetryPayload(TypedDict):
    """A node, or its item `index`, is executed again in `wait_s` seconds; `by` is what decided it."""

    step: int
    node: str
    index: NotRequired[int]
    error: str
    category: Category
    by: Literal["policy", "hook", "builtin"]
    wait_s: float


class HookFailedPayload(TypedDict):
    """`event` is the event of the hook."""

    event: str
    hook: str
    error: str


class EmittedPayload(TypedDict):
    """`event` is the name of the event that the tool chose."""

    event: str
    payload: dict[str, Json]


class GraphEndPayload(TypedDict):
    """How the run ended, and after how many `steps`; `node` is the last node, `signal` what cancelled the run.

    `cost` is what threads cost, `calls` are those that tools made after the last finished step.
    """

    status: Status
    steps: int
    error: str | None
    node: str | None
    max_steps_reached: NotRequired[bool]
    signal: NotRequired[str]
    cost: NotRequired[dict[str, Json]]
    calls: NotRequired[list[CallReceipt]]
