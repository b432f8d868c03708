"""How a thread stands, for other processes: its row in the registry, and its signed context."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.agent.runner import Thread
    from graphwright_runtime.run import Run


def register(run: Run, thread: Thread, status: str, outcome: Mapping[str, Json] | None = None) -> None:
    """Note the status of a thread of a kept run, and its outcome; what goes wrong with that is a warning."""
    if run.recorder is None:
        return
    from graphwright_runtime.durable.canonical import canonical
    from graphwright_runtime.durable.registry import set_status

    outcome = {} if outcome is None else outcome
    kept = {key: outcome[key] for key in ("outputs", "result", "cost", "error") if key in outcome}
    following = outcome.get("continuation_thread_id")
    try:
        set_status(
            run.project,
            thread.thread_id,
            thread.directive,
            status,
            pid=os.getpid() if status == "running" else None,
            now=time.time(),
            parent_id=run.run_id,
            result=canonical(kept).decode() if kept else None,
            cost=outcome.get("cost"),
            continuation_of=thread.continuation_of,
            continuation_thread_id=following if isinstance(following, str) else None,
        )
    except (OSError, ValueError, sqlite3.Error) as error:
        run.warn_once("registry", f"the registry of runs cannot be written: {error}")


def write_thread_context(run: Run, thread: Thread) -> None:
    """Write what a thread of a kept run may do, signed, for what it starts."""
    if run.recorder is None:
        return
    fields = {
        "directive": thread.directive,
        "parent_thread_id": run.run_id,
        "capabilities": thread.capabilities,
        "limits": dict(thread.limits),
        "depth": thread.limits.get("depth"),
    }
    try:
        run.recorder.write_context(run.project, thread.thread_id, fields)
    except OSError as error:
        run.warn_once("context", f"the context of the thread {thread.thread_id} cannot be written: {error.strerror}")
