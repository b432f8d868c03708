"""Parts of a foreach: the items of `over`, the check of collected results, the error of the node, and its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from graphwright_runtime.branch import Branch
from graphwright_runtime.checks import misfit
from graphwright_runtime.errors import NodeError
from graphwright_runtime.events import ForeachCompleted, ForeachItem
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import Check
from graphwright_runtime.nulls import warn
from graphwright_runtime.pipes import from_json
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.payloads import CallReceipt, ForeachCompletedPayload, ForeachItemPayload

#: Maximum number of failed items whose messages are part of the error.
_QUOTED: Final = 3


def looped_over(branch: Branch, over: object, path: str) -> list[Json]:
    """The items of `over`: a list, or a JSON list in a string; none for null. Raises NodeError for other values."""
    if isinstance(over, list):
        return over
    if over is None:
        warn(branch, path or "`over`", so=": there are no items")
        return []
    if isinstance(over, str):
        try:
            inside = from_json(over)
        except NodeError:
            inside = None
        if isinstance(inside, list):
            return inside
    raise NodeError(f"`over` must be a list, not {described(over)}")


def refusal(collected: list[Json], key: str | None, check: Check | None) -> NodeError | None:
    """The error if collected results do not match the schema of the state key; None if they do."""
    try:
        if check is not None:
            check(collected, f"state.{key}", misfit)
    except NodeError as error:
        return error
    return None


def failure(failures: Mapping[int, NodeError], total: int, more: str) -> NodeError:
    """The error of the node: the failed items, messages of the first ones, and `more`. It is not retried again."""
    failed_at = sorted(failures)
    texts = [str(failures[index]) for index in failed_at[:_QUOTED]]
    said = (
        texts[0]
        if len(failed_at) == 1
        else "; ".join(f"[{at}] {text}" for at, text in zip(failed_at, texts, strict=False))
    )
    more = "; …" * (len(failed_at) > _QUOTED) + more
    indices = ", ".join(map(str, failed_at))
    error = NodeError(f"item{'s' * (len(failed_at) > 1)} {indices} of {total} failed: {said}{more}")
    first = failures[failed_at[0]]
    error.category, error.code, error.error_type = first.category, first.code, first.error_type
    error.settled = True
    error.__cause__ = first
    return error


def tell_item(branch: Branch, index: int, total: int, finished: int, outcome: object, calls: list[CallReceipt]) -> None:
    """Report a finished item to the listener, if any: the number of `finished` items, and what its tool called."""
    if branch.run.listener is None:
        return
    told: ForeachItemPayload = {
        "step": branch.step,
        "node": branch.node,
        "index": index,
        "total": total,
        "finished": finished,
        "status": "ok",
    }
    if isinstance(outcome, NodeError):
        told["status"], told["error"] = "error", str(outcome)
    if calls:
        told["calls"] = calls
    branch.run.emit(ForeachItem, told)


def tell_completed(branch: Branch, total: int, failures: Mapping[int, NodeError]) -> None:
    """Report the end of the loop to the listener and the log."""
    told: ForeachCompletedPayload = {
        "node": branch.node,
        "step": branch.step,
        "total": total,
        "failed": sorted(failures),
    }
    branch.run.tell_log(ForeachCompleted, told)
