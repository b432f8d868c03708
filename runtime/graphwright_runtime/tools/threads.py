"""`rye/agent/threads/*`: threads, which the host application runs, and waiting for them and for graphs."""

from __future__ import annotations

from graphwright_runtime.context import Context
from graphwright_runtime.values import Json


async def thread_directive(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Start a thread that follows a directive, and wait for it.

    Params: `directive_name`; `inputs`; `limit_overrides`; `async`, which does not wait. Result: `thread_id`, `status`,
    `outputs`, `result` (text), `cost`; in the background `thread_id` and `status`.
    """
    return await context.run_thread(params)


async def orchestrator(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Perform an `operation` on graphs and threads of the project (`agent/orchestrator.py`)."""
    from graphwright_runtime.agent.orchestrator import orchestrate  # few graphs need it

    return await orchestrate(params, context)
