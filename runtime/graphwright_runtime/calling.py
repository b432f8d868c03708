"""One call of a tool, from the action to its unwrapped result (language.md §6, points 2 to 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from typing import Final, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.context import Context
from graphwright_runtime.envelope import received
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.host import Cache
from graphwright_runtime.nulls import warn_params
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json, Params, Result, json_copy, sent

_CODE_ATTRIBUTES: Final = ("status_code", "status", "code")


async def call(
    branch: Branch, action: Action, params: Params, timeout_s: float | None, cache: bool, feedback: bool
) -> Result:
    """Perform the action of an action node: `Cursor.call`, with everything that its short way leaves out."""
    run, node = branch.run, branch.node
    branch.result = None
    if feedback:
        visit = run.visits(node)
        if visit > 1:
            params = {**params, "feedback": {"visit": visit, "previous": run.previous.get(node)}}
    if None in params.values():
        warn_params(branch, params)
    context = run.context(node, branch.step, str(branch.step))
    result = await perform(run, action, params, context, timeout_s=timeout_s, cache=cache)
    if feedback:
        run.previous[node] = result
    branch.result = result
    return result


async def perform(
    run: Run,
    action: Action,
    params: Params,
    context: Context,
    *,
    timeout_s: float | None = None,
    cache: bool = False,
) -> Result:
    """Check the capability, take the cached result or call the tool. Whatever goes wrong is a NodeError.

    `timeout_s` bounds the call; cancellation passes through.
    """
    bound = run.bound(action)
    wire = sent(params)
    kept = run.host if cache and isinstance(run.host, Cache) else None
    key: Hashable = None
    if kept is not None:
        key = _cache_key(run, action, wire, context.node)
        hit = kept.cached(key)
        if hit is not None:
            return cast("Result", json_copy(hit))
    deadline = asyncio.timeout(timeout_s)
    try:
        async with deadline:
            raw = await bound(wire, context)
    except NodeError as error:
        error.result = None  # of a tool that this one called
        raise
    except Exception as error:
        if deadline.expired():
            raise NodeError(
                f"timed out after {timeout_s:g} s", category="timeout", error_type="TimeoutError"
            ) from error
        raise failed(error) from error
    result = received(raw)
    if kept is not None:
        kept.keep(key, cast("Result", json_copy(result)))
    return result


def failed(error: Exception) -> NodeError:
    """What a tool's exception is to the graph. To be raised from it."""
    if isinstance(error, NodeError):
        error.result = None  # of a tool that this one called
        return error
    kind = type(error).__name__
    text = str(error)
    return NodeError(
        f"{kind}: {text}" if isinstance(error, KeyError) else text or kind,
        code=next((code for each in _places(error) if (code := _code(each)) is not None), None),
        retry_after=_seconds(getattr(error, "retry_after", None)),
        error_type=kind,
    )


def _places(error: Exception) -> tuple[object, object]:
    return error, getattr(error, "response", None)  # HTTP libraries keep the status on the response


def _code(place: object) -> int | str | None:
    for name in _CODE_ATTRIBUTES:
        code = getattr(place, name, None)
        if isinstance(code, (int, str)) and not isinstance(code, bool):
            return code
    return None


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _cache_key(run: Run, action: Action, params: Mapping[str, Json], node: str) -> Hashable:
    """Equal for the same call of the same node by the same tool of the same graph."""
    import json

    try:
        written = json.dumps(params, sort_keys=True)
    except ValueError as error:  # an integer of thousands of digits
        raise NodeError(f"params cannot be written as JSON: {error}") from error
    tool = run.tools.get(action.item_id or "")
    return (
        run.graph.hash,
        node,
        action.primary,
        action.kind,
        action.item_id,
        written,
        tool if isinstance(tool, Hashable) else id(tool),
    )
