"""GW1xx about actions and hooks: kinds of items, `async` on a loop, hooks without effect."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.keys import (
    AsyncLoop,
    ConflictingKinds,
    IdleHook,
    LowCeiling,
    NoControlHere,
    TwoControls,
    WrongAmount,
)
from graphwright.language.events import EVENTS
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import everything


@fault_rule(ConflictingKinds, Severity.ERROR, "conflicting item kinds")
def two_kinds(_: Facts, fault: ConflictingKinds) -> Iterator[Finding]:
    """The prefix of an id and `item_type` name different kinds of items, so one of them is wrong.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_type: directive, item_id: tool:tickets/list}, next: done}
            done: {type: return}

    Passes:
        -    fetch: {action: {item_type: directive, item_id: tool:tickets/list}, next: done}
        +    fetch: {action: {item_id: tool:tickets/list}, next: done}
    """
    item_type, prefix = fault.item_type, fault.prefix
    message = f"{fault.owner.phrase}: `item_type` says `{item_type}`, the prefix of the id says `{prefix}`"
    yield Finding(
        fault.span, message, note="conflicts with the id", help=f"remove this line, or `{prefix}:` from the id"
    )


@fault_rule(AsyncLoop, Severity.ERROR, "deprecated `async` on a foreach")
def foreach_async(facts: Facts, fault: AsyncLoop) -> Iterator[Finding]:
    """`async` on a foreach used to run its items in parallel. Write `parallel: true` on the node instead.
    `params.async_exec` still starts threads in the background.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.web.fetch]
        config:
          start: fan
          state: {urls: [a, b]}
          nodes:
            fan:
              type: foreach
              over: "${state.urls}"
              as: url
              action: {item_id: tool:web/fetch, params: {url: "${url}", async: true}}
              next: done
            done: {type: return}

    Passes:
        -      action: {item_id: tool:web/fetch, params: {url: "${url}", async: true}}
        +      parallel: true
        +      action: {item_id: tool:web/fetch, params: {url: "${url}"}}
    """
    message = f"{fault.owner.phrase}: `{fault.key}` no longer makes a foreach parallel"
    yield Finding(fault.span, message, note="deprecated", help=_side_by_side(facts, fault))


def _side_by_side(facts: Facts, fault: AsyncLoop) -> str:
    """The advice for `async`; empty if the loop is already parallel, or assigns."""
    node = facts.nodes.get(fault.owner.node or "")
    if isinstance(node, ir.ForeachNode) and node.parallel:
        return "remove it: the node already has `parallel: true`"
    if node is not None and node.assigns:
        return "remove it; with `parallel: true`, the node could only `collect` and not `assign`"
    return "remove it, and write `parallel: true` on the node"


@fault_rule(IdleHook, Severity.ERROR, "hook without an effect")
def idle_hook(_: Facts, fault: IdleHook) -> Iterator[Finding]:
    """A hook can never do anything: it has no action, or its control literal has no effect on its event. `error` hooks
    can `retry` or `fail`, and `limit` hooks can `continue` or `fail`. Hooks on other events only observe.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          hooks:
            - {event: after_step, action: {retry: true}}
          nodes:
            done: {type: return}

    Passes:
        -    - {event: after_step, action: {retry: true}}
        +    - {event: error, action: {retry: true, max_retries: 2}}
    """
    owner = fault.owner.phrase
    match fault:
        case NoControlHere():
            legal = everything(fault.legal)
            message = f"{owner}: `{fault.control}` has no effect on `{fault.event}`"
            own = "fail" if fault.control == "abort" else fault.control
            listening = [f"`event: {event.name}`" for event in EVENTS.values() if own in event.controls]
            elsewhere = f"listen to {' or '.join(listening)}"
            advice = f"allowed here: {legal}; or {elsewhere}" if legal else f"call a tool, or {elsewhere}"
        case TwoControls():
            message = f"{owner}: `{fault.control}` and `{fault.first}` cannot be combined"
            advice = "keep one of them"
        case WrongAmount():
            message = f"{owner}: `{fault.key}` does not belong to `{fault.control}`"
            amount = {"retry": "`max_retries`", "continue": "`additional_steps`"}.get(fault.control)
            advice = f"write {amount} instead" if amount else "remove it"
        case _:
            message = f"{owner} has no `action`"
            advice = "add an `action`, or a control such as `action: {fail: true}`"
    yield Finding(fault.span, message, note="no effect", help=advice)


@fault_rule(LowCeiling, Severity.WARNING, "`max_backoff_ms` below `backoff_ms`")
def low_ceiling(_: Facts, fault: LowCeiling) -> Iterator[Finding]:
    """The longest wait between two attempts is shorter than the first one, so every wait is as long as the limit, and
    `backoff_ms` and `multiplier` have no effect. By default, the first wait is 1,000 ms and the longest is 30,000 ms.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              retry: {backoff_ms: 2000, max_backoff_ms: 200}
              next: done
            done: {type: return}

    Passes:
        -      retry: {backoff_ms: 2000, max_backoff_ms: 200}
        +      retry: {backoff_ms: 200, max_backoff_ms: 2000}
    """
    first, most = _milliseconds(fault.first), _milliseconds(fault.most)
    default = {"backoff_ms": first, "max_backoff_ms": most}.get(fault.is_default or "")
    by_default = f"; `{fault.is_default}` is {default} by default" if default is not None else ""
    help_ = f"write `max_backoff_ms: {first}` or more"
    if fault.is_default == "backoff_ms":
        help_ = f"add `backoff_ms: {most}` or less, or {help_}"
    elif default is None:
        help_ = f"{help_}, or swap the two values"
    yield Finding(
        fault.span,
        f"{fault.owner.phrase}: the longest wait ({most} ms) is shorter than the first ({first} ms), so every "
        f"wait is {most} ms{by_default}",
        note="shorter than the first wait",
        help=help_,
    )


def _milliseconds(amount: float) -> str:
    return str(int(amount)) if amount == int(amount) else str(amount)
