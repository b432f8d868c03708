"""Runs hooks on events, and determines their decisions (language.md §8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.calling import perform
from graphwright_runtime.errors import NodeError
from graphwright_runtime.events import HookFailed
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import Control, Hook, HookEvent
from graphwright_runtime.hookcontext import EventContext
from graphwright_runtime.log import logger
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:
    from graphwright_runtime.payloads import HookFailedPayload

log: Final = logger(__name__)

#: The valid decisions of each event; on other events, hooks cannot decide.
_HEEDED: Final[Mapping[HookEvent, tuple[str, ...]]] = {"error": ("retry", "fail"), "limit": ("continue", "fail")}

#: Hooks of this and higher layers are infrastructure, and cannot decide.
_INFRASTRUCTURE = 3


async def fire(branch: Branch, event: HookEvent, context: dict[str, Json]) -> Control | None:
    """Run every hook of an event whose condition is true, and return the first valid decision.

    Adds `state` (with the inputs and the step count), `_run`, `_now` and `_timestamp` to `context`. A hook that fails
    causes a warning.
    """
    hooks = branch.run.hooks.get(event)
    if not hooks:
        return None
    context["state"] = _visible_state(branch)
    context |= _of_run(branch)
    decided: Control | None = None
    for number, hook in enumerate(hooks):
        try:
            control = await _run(branch, hook, number, EventContext(context, branch, hook.name))
        except NodeError as error:
            _report(branch, hook, error)
            continue
        if control is None or hook.layer >= _INFRASTRUCTURE:
            continue
        if control.kind in _HEEDED.get(event, ()):
            decided = decided or control
        else:
            said = f"`{control.kind}` has no effect on {event}"
            branch.run.warn_once(f"hook {hook.name} {said}", f"hook {hook.name}: {said}")
    return decided


async def _run(branch: Branch, hook: Hook, number: int, context: EventContext) -> Control | None:
    if hook.when is not None and not hook.when(context):
        return None
    if hook.action is None:
        return hook.control
    action = hook.action(context) if callable(hook.action) else hook.action
    params = hook.params(context) if hook.params is not None else {}
    call_id = f"{branch.step}/hook-{number}"
    node = branch.node if branch.step else ""
    result = await perform(branch.run, action, params, branch.run.context(node, branch.step, call_id))
    return _control(branch, result)


def _control(branch: Branch, result: Result) -> Control | None:
    """The decision in a tool's result, such as `{action: retry, max_retries: 2}`; None if it contains none."""
    match result.get("action"):
        case "retry":
            return Control("retry", _amount(branch, result, "max_retries"))
        case "fail" | "abort":
            return Control("fail")
        case "continue":
            return Control("continue", _amount(branch, result, "additional_steps"))
        case _:
            return None


def _amount(branch: Branch, result: Result, name: str) -> int | None:
    """The amount that a tool grants: 0 if the value is not positive, None (the default) if it is not an integer."""
    value = result.get(name)
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if value is not None and (number is None or number <= 0):
        effect = "the default applies" if number is None else "nothing is granted"
        said = f"`{name}` of a hook must be a positive integer, not {described(value)}: {effect}"
        branch.run.warn_once(said, said)
    return None if number is None else max(number, 0)


def _visible_state(branch: Branch) -> Json:
    """The state as hooks see it, with `state.inputs` and `state.step_count`."""
    run = branch.run
    return cast("Json", {"step_count": branch.step, **run.state, "inputs": run.inputs})


def _of_run(branch: Branch) -> dict[str, Json]:
    """What templates can read everywhere: the run and the time."""
    from datetime import UTC, datetime

    run, now = branch.run, branch.run.host.now()
    return {
        "_run": {"id": run.run_id, "graph_id": run.graph.id, "step": branch.step},
        "_now": datetime.fromtimestamp(now, UTC).isoformat(),
        "_timestamp": int(now * 1000),
    }


def _report(branch: Branch, hook: Hook, error: NodeError) -> None:
    log.warning("%s: hook %s on %s failed: %s", branch.run.run_id, hook.name, hook.event, error)
    told: HookFailedPayload = {"event": hook.event, "hook": hook.name, "error": str(error)}
    branch.run.tell_log(HookFailed, told)
