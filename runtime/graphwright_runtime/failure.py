"""Handles the failure of a node: retries, error hooks, `_last_error` (language.md §7)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypeAlias

from graphwright_runtime.backoff import backoff, extended
from graphwright_runtime.branch import Branch
from graphwright_runtime.classify import RETRYABLE, classify
from graphwright_runtime.errors import Category, Ended, NodeError, Reenter
from graphwright_runtime.events import NodeRetry
from graphwright_runtime.graph import Control, Retry
from graphwright_runtime.hooks import fire
from graphwright_runtime.linemap import note_place
from graphwright_runtime.log import logger
from graphwright_runtime.result import SuppressedError
from graphwright_runtime.values import Json, Params, Result

if TYPE_CHECKING:
    from graphwright_runtime.payloads import NodeRetryPayload

log: Final = logger(__name__)

#: The default maximum number of retries by hooks and by the built-in retry.
_RETRIES: Final = 3

#: The waits of the built-in retry.
_BUILTIN_WAITS: Final = Retry(_RETRIES, backoff_ms=1000, max_backoff_ms=30_000)


#: A node as the loop calls it, with a cursor.
Node: TypeAlias = Callable[[Branch], Coroutine[object, object, str | None]]


async def settle(branch: Branch, error: NodeError, *, retry: bool = True) -> None:
    """Try retries and hooks, then set `_last_error`; when this returns, the error edge is taken.

    If `retry` is False, hooks run but cannot retry. Raises Reenter if the node must be executed again, Ended if a hook
    ends the run.
    """
    error.node = branch.node
    note_place(branch, error)
    if not error.settled:
        whole_loop = branch.run.graph.kinds.get(branch.node) == "foreach"  # its items have already been retried
        if await again(branch, error, Tries(branch.count_attempt()), retry=retry and not whole_loop):
            raise Reenter
    error.settled = True
    branch.status = "error"
    branch.commit({"_last_error": {"node": branch.node, "error": str(error)}})


async def pass_on(branch: Branch, error: NodeError) -> None:
    """Handle an error after which the graph continues."""
    await settle(branch, error)
    log.info("%s: node %s failed, and the run continues: %s", branch.run.run_id, branch.node, error, exc_info=error)


async def suppress(branch: Branch, error: NodeError, returned: Result | None) -> Result:
    """Handle an error under `on_error: continue`, add it to the list, and return the `result` that edges see.

    It is the mapping with which the tool reported the failure, or `returned` if something else failed, with the error
    added.
    """
    await pass_on(branch, error)
    text = str(error)
    branch.run.errors.append(SuppressedError(branch.step, branch.node, text))
    kept = branch.result if branch.run.watched else returned
    branch.result = {**(error.result or kept or {}), "status": "error", "error": text}
    return branch.result


async def recovered(branch: Branch, node: Node, signal: NodeError | Reenter | Ended) -> str | None:
    """Execute a node that failed again until retries and hooks stop, and return its successor.

    Raises Ended if the error ends the run.
    """
    while not isinstance(signal, Ended):
        try:
            if isinstance(signal, NodeError):
                await settle(branch, signal)
                raise Ended(signal)
            return await node(branch)
        except (NodeError, Reenter, Ended) as next_signal:
            signal = next_signal
    raise signal


def end_with(branch: Branch, error: object, output: object) -> NoReturn:
    """End the run at a return node with `status: error`, without retries and hooks."""
    from graphwright_runtime.expressions import text

    said = text(error) or f"the graph ended with an error at node {branch.node}"
    fault = NodeError(said, category="permanent")
    fault.node = branch.node
    branch.output = output
    raise Ended(fault, returned=True)


class Tries:
    """The attempts at one node or item, and its retries that `_retries` counts.

    `retried` is None for a node, because its retries are counted over all of its executions in the run.
    """

    __slots__ = ("attempts", "index", "retried")

    def __init__(self, attempts: int, index: int | None = None) -> None:
        self.attempts = attempts
        self.index = index
        self.retried: int | None = None if index is None else 0


async def again(branch: Branch, error: NodeError, tries: Tries, *, retry: bool = True) -> bool:
    """Run the error hooks and decide whether to try again; waits before returning True.

    If `retry` is False, hooks run but cannot retry.
    """
    run = branch.run
    category = classify(error, run.rules)
    policy = run.graph.retries.get(branch.node) if retry else None
    if policy is not None and tries.attempts < policy.attempts and category in policy.categories:
        await _wait(branch, error, category, "policy", backoff(branch, policy, tries.attempts), tries.index)
        return True
    control = await fire(branch, "error", _context(branch, error, category))
    by: Literal["hook", "builtin"] = "hook"
    if control is None and run.graph.builtin_hooks and branch.node not in run.graph.retries and category in RETRYABLE:
        control, by = Control("retry"), "builtin"
    if control is not None and control.kind == "fail":
        raise Ended(error)
    if not retry or control is None or control.kind != "retry":
        return False
    counted = _retried(branch)
    done = counted if tries.retried is None else tries.retried
    if done >= (_RETRIES if control.amount is None else control.amount):
        return False
    if tries.retried is not None:
        tries.retried += 1
    retries = run.state.get("_retries")
    delta: Params = {"_retries": {**(retries if isinstance(retries, dict) else {}), branch.node: counted + 1}}
    branch.commit(delta)
    wait = backoff(branch, _BUILTIN_WAITS, done + 1) if by == "builtin" else 0.0
    await _wait(branch, error, category, by, wait, tries.index, delta)
    return True


def _retried(branch: Branch) -> int:
    """How often the run has retried the node, including all its items."""
    retries = branch.run.state.get("_retries")
    count = retries.get(branch.node) if isinstance(retries, dict) else None
    return count if isinstance(count, int) else 0


def _context(branch: Branch, error: NodeError, category: Category) -> dict[str, Json]:
    return {
        "error": {"message": str(error), "type": error.error_type, "code": error.code},
        "classification": {"category": category, "retryable": category in RETRYABLE},
        "node": branch.node,
        "step_count": branch.step,
    }


async def _wait(
    branch: Branch,
    error: NodeError,
    category: Category,
    by: Literal["policy", "hook", "builtin"],
    wait: float,
    index: int | None,
    delta: Params | None = None,
) -> None:
    wait = extended(branch, wait, error.retry_after)
    payload: NodeRetryPayload = {
        "node": branch.node,
        "step": branch.step,
        "error": str(error),
        "category": category,
        "by": by,
        "wait_s": wait,
    }
    if index is not None:
        payload["index"] = index
    item = "" if index is None else f"[{index}]"
    log.info("%s: node %s%s is executed again in %.1f s: %s", branch.run.run_id, branch.node, item, wait, error)
    branch.run.emit(NodeRetry, payload)
    if branch.run.tracer is not None:
        branch.run.tracer.retry(payload)
    if branch.run.recorder is not None:
        branch.run.recorder.retry(branch.run, payload, delta or {})
    if wait > 0:
        await branch.run.host.sleep(wait)
