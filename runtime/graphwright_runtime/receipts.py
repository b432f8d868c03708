"""Receipts of the calls that tools make through their context, for the log and the listener of the run."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING

from graphwright_runtime.durable.canonical import canonical
from graphwright_runtime.errors import NodeError

if TYPE_CHECKING:
    from graphwright_runtime.context import Context
    from graphwright_runtime.graph import Action
    from graphwright_runtime.payloads import CallReceipt
    from graphwright_runtime.values import Params, Result


def receipt_of_call(
    action: Action, params: Params, context: Context, began: float, now: float, outcome: Result | BaseException | None
) -> CallReceipt:
    """The receipt of a call that lasted from `began` to `now` and gave a result or raised an exception.

    Its hashes are those of a step with the same call: `node_input_hash` and `node_result_hash`.
    """
    called = {"item_id": action.item_id, "kind": action.kind, "params": params, "primary": action.primary}
    receipt: CallReceipt = {
        "primary": action.primary,
        "kind": action.kind,
        "item_id": action.item_id,
        "idempotency_key": context.idempotency_key,
        "attempt": context.attempt,
        "status": "ok",
        "input_hash": _hash(called),
        "result_hash": None,
        "timestamp": began,
        "elapsed_ms": int((now - began) * 1_000_000) / 1000,
    }
    if isinstance(outcome, asyncio.CancelledError):
        receipt["status"] = "cancelled"
    elif isinstance(outcome, BaseException):
        receipt["status"], receipt["error"] = "error", str(outcome)
        if isinstance(outcome, NodeError) and outcome.category is not None:
            receipt["category"] = outcome.category
    else:
        receipt["result_hash"] = _hash(outcome)
    return receipt


def _hash(value: object) -> str | None:
    """The sha256 of a value; None if it is nested too deeply to be written."""
    try:
        return sha256(canonical(value)).hexdigest()
    except ValueError:
        return None
