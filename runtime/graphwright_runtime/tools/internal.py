"""The tools `rye/agent/threads/internal/*`, with which hooks control a run and report to listeners.

They are part of the runtime and need no capability.
"""

from __future__ import annotations

from typing import Final

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.log import logger
from graphwright_runtime.tools.arguments import text
from graphwright_runtime.values import Json

log: Final = logger(__name__)

#: The decisions, each with the param for its amount.
_AMOUNTS: Final[dict[str, str | None]] = {
    "retry": "max_retries",
    "fail": None,
    "abort": None,
    "continue": "additional_steps",
}


async def control(params: dict[str, Json]) -> dict[str, Json]:
    """Decide how the run continues, in a hook.

    Params: `action` (`retry`, `fail`, `abort` or `continue`), `max_retries` with `retry`, `additional_steps` with
    `continue` (positive integers). Result: the same.
    """
    action = text(params, "action")
    if action not in _AMOUNTS:
        known = ", ".join(f"`{each}`" for each in _AMOUNTS)
        raise NodeError(f"`action` must be one of {known}, not {action!r}", category="permanent")
    decision: dict[str, Json] = {"action": action}
    name = _AMOUNTS[action]
    value = params.get(name) if name is not None else None
    if name is not None and value is not None:
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise NodeError(f"`{name}` must be an integer above zero, not {described(value)}", category="permanent")
        decision[name] = value
    return decision


async def emitter(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Send an event `emitted` to the listeners of the run, and log it.

    Params: `event`, the name; all others are the payload. Result: `event`.
    """
    name = text(params, "event")
    payload = {key: value for key, value in params.items() if key != "event"}
    log.info("%s: %s %s", context.run_id, name, payload)
    context.tell(name, payload)
    return {"event": name}
