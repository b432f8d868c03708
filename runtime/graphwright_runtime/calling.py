"""One call of a tool, from the action to its unwrapped result (language.md §6, points 2 to 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import TypeVar, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.caching import slot_of
from graphwright_runtime.cancellation import Cancellation, Unjudged, ended
from graphwright_runtime.context import Context, check_params
from graphwright_runtime.envelope import received
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described, is_number
from graphwright_runtime.graph import Action
from graphwright_runtime.nulls import warn_params
from graphwright_runtime.run import Run
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tooling import Bound
from graphwright_runtime.tracing import NO_SPAN
from graphwright_runtime.values import Json, NotJsonError, Params, Result, json_copy, sent

T = TypeVar("T")


async def call(
    branch: Branch, action: Action, params: Params, timeout_s: float | None, cache: bool, feedback: bool
) -> Result:
    """Perform the action of an action node: `Cursor.call` with all options."""
    run, node = branch.run, branch.node
    branch.result = None
    branch.look()
    if feedback:
        visit = branch.visits(node)
        if visit > 1:
            params = {**params, "feedback": {"visit": visit, "previous": run.previous.get(node)}}
    if None in params.values():
        warn_params(branch, params)
    context = run.context(node, branch.step, str(branch.step), attempt=branch.attempt)
    branch.sent = (action, params)
    result = await perform(run, action, params, context, timeout_s=timeout_s, cache=cache)
    if feedback:
        run.previous[node] = result
    branch.result = branch.returned = result
    branch.cache_hit = context.cache_hit
    return result


async def perform(
    run: Run,
    action: Action,
    params: Params,
    context: Context,
    *,
    timeout_s: float | None = None,
    cache: bool = False,
    cancellation: Cancellation | None = None,
) -> Result:
    """Check the capability, then use the cached result or call the tool. All errors are NodeErrors.

    `timeout_s` limits the call; later results are discarded. A requested cancellation, by default that of the run, is
    raised even if the tool suppressed it.
    """
    with NO_SPAN if run.tracer is None else run.tracer.call(action, context):
        bound = run.bound(action)
        wire = sent(params)
        place = slot_of(run, action, wire, context) if cache else None
        if place is not None:
            hit = place.get()
            if hit is not None:
                context.cache_hit = True
                return cast("Result", json_copy(hit))
        result = received(await _answer(bound, wire, context, timeout_s, cancellation or run.cancellation))
        if place is not None:
            place.put(cast("Result", json_copy(result)))
        return result


async def perform_for_tool(
    run: Run, action: Action, params: Mapping[str, object], context: Context, timeout_s: float | None
) -> Result:
    """Perform an action for a tool that calls it through its context; params that the runtime owns are overwritten.

    If anyone observes the run, the call is noted for the receipt of its step.
    """
    check_params(params)
    if timeout_s is not None and not is_number(timeout_s):
        raise NodeError(f"`timeout_s` must be a number of seconds, not {described(timeout_s)}", category="permanent")
    began = run.host.now()
    try:
        given = cast("Params", json_copy(dict(params)))
    except NotJsonError as error:
        raise NodeError(f"params are not JSON: {error}") from error
    for name, value in _own_params(run, context).items():
        if name in given:
            given[name] = value
    outcome: Result | BaseException | None = None
    try:
        context.grants.check(action)
        cancellation = Unjudged(run.cancellation)
        outcome = await perform(run, action, given, context, timeout_s=timeout_s, cancellation=cancellation)
        return outcome
    except BaseException as error:
        outcome = error
        raise
    finally:
        if run.notes_calls:
            from graphwright_runtime.receipts import receipt_of_call  # few tools call others

            run.calls.append((context.index, receipt_of_call(action, given, context, began, run.host.now(), outcome)))


def _own_params(run: Run, context: Context) -> Params:
    return {
        "parent_thread_id": context.parent_thread_id,
        "parent_depth": run.depth if context.bounds is None else context.limits.get("depth"),
        "parent_limits": dict(context.limits),
        "parent_capabilities": context.grants.patterns(),
    }


async def _answer(
    bound: Bound, params: dict[str, Json], context: Context, timeout_s: float | None, cancellation: Cancellation
) -> object:
    """Call the tool with a time limit. Raises NodeError, and exceptions that `Cancellation` propagates."""
    deadline = asyncio.timeout(timeout_s)
    try:
        async with deadline:
            answer = await without_rest(bound(params, context), context)
    except BaseException as error:
        cancellation.check_error(error)
        fault = _late(timeout_s) if deadline.expired() else failed(error)
        if fault is error:
            raise
        raise fault from error
    cancellation.check()
    if deadline.expired():  # the tool ignored the cancellation
        raise _late(timeout_s)
    return answer


async def without_rest(work: Awaitable[T], context: Context) -> T:
    """Await a tool, or a thread. The calls that it made through its context and did not wait for end with it."""
    try:
        answer = await work
    except GeneratorExit:  # this coroutine is being closed, and cannot wait
        for task in context.end():
            task.cancel()
        raise
    except BaseException:
        await ended(context.end())
        raise
    if left := context.end():
        await ended(left)
    return answer


def _late(timeout_s: float | None) -> NodeError:
    return NodeError(f"timed out after {timeout_s:g} s", category="timeout", error_type="TimeoutError")
