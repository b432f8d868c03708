"""What the `payload` of each event holds: plain JSON, as documented in docs/observability.md.

For type checkers and editors: `events.py` names the payload of each event, so that code which asks for the type of an
event knows the keys. `step` counts from 1; `kind` is `action`, `gate`, `foreach` or `return`.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from graphwright_runtime.errors import Category
from graphwright_runtime.result import Status
from graphwright_runtime.values import Json

Outcome: TypeAlias = Literal["ok", "error"]


class GraphStartedPayload(TypedDict):
    """`nodes` is the number of nodes; `resumed_at`, in a run that is resumed, the number of finished steps."""

    graph_id: str
    nodes: int
    resumed_at: NotRequired[int]


class StepStartedPayload(TypedDict):
    """`visit` counts how often the run has entered the node, this time included."""

    step: int
    node: str
    kind: str
    visit: int


class StepCompletedPayload(TypedDict):
    """`next_node` is None where the run ends; `delta` holds the keys that the step set; `error` where it failed."""

    step: int
    node: str
    kind: str
    next_node: str | None
    status: Outcome
    delta: dict[str, Json]
    elapsed_ms: float
    error: NotRequired[str | None]


class ForeachItemPayload(TypedDict):
    """`finished` counts the finished items of `total`, those that finished before the run was resumed included."""

    step: int
    node: str
    index: int
    total: int
    finished: int
    status: Outcome
    error: NotRequired[str]


class ForeachCompletedPayload(TypedDict):
    """`failed` lists the indices of items that failed."""

    step: int
    node: str
    total: int
    failed: list[int]


class NodeRetryPayload(TypedDict):
    """A node, or the item `index` of one, is executed again in `wait_s` seconds, as `by` decided."""

    step: int
    node: str
    index: NotRequired[int]
    error: str
    category: Category
    by: Literal["policy", "hook", "builtin"]
    wait_s: float


class HookFailedPayload(TypedDict):
    """`event` is what the hook is for."""

    event: str
    hook: str
    error: str


class EmittedPayload(TypedDict):
    """What a tool told: `event` is a name of its own choice."""

    event: str
    payload: dict[str, Json]


class GraphEndPayload(TypedDict):
    """How the run ended, after how many `steps`; `node` is where, `signal` what cancelled it."""

    status: Status
    steps: int
    error: str | None
    node: str | None
    max_steps_reached: NotRequired[bool]
    signal: NotRequired[str]
