"""What a run does for a tool that asks through its `Context`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from graphwright_runtime.calling import perform
from graphwright_runtime.cancellation import Unjudged
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json, NotJsonError, Params, Result, json_copy

#: How deep graphs may call graphs where nobody says otherwise.
DEPTH: Final = 5


async def perform_for_tool(run: Run, action: Action, params: Mapping[str, object], context: Context) -> Result:
    """Perform an action as a node would; what the runtime owns of its params is the runtime's."""
    try:
        given = cast("Params", json_copy(dict(params)))
    except NotJsonError as error:
        raise NodeError(f"params are not JSON: {error}") from error
    for name, value in _own_params(run).items():
        if name in given:
            given[name] = value
    return await perform(run, action, given, context, cancellation=Unjudged(run.cancellation))


def limits_below(run: Run, graph_limits: Mapping[str, Json], depth: int | None) -> dict[str, Json]:
    """The limits of a graph that a run starts: one level less, and the lower one where both set one.

    `depth` is what the call allows at most. Raises NodeError where no level is left.
    """
    left = _depth(run.limits)
    if left <= 0:
        raise NodeError("no graph is started below this one: the limit of depth is used up", category="denied")
    mine: dict[str, Json] = {**run.limits, "depth": left - 1 if depth is None else min(left - 1, depth)}
    merged = {**mine, **graph_limits}
    for name in mine.keys() & graph_limits.keys():
        one, other = mine[name], graph_limits[name]
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            merged[name] = min(one, other)
    return merged


def _own_params(run: Run) -> Params:
    return {
        "parent_thread_id": run.run_id,
        "parent_depth": _depth(run.limits),
        "parent_limits": dict(run.limits),
        "parent_capabilities": run.grants.patterns(),
    }


def _depth(limits: Mapping[str, Json]) -> int:
    """How many levels may follow below a run."""
    value = limits.get("depth", DEPTH)
    return value if isinstance(value, int) and not isinstance(value, bool) else DEPTH
