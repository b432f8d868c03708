"""GW113: keys, and params of built-in tools, that this backend does not support."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.analysis.capability import called_id
from graphwright.analysis.tools import BACKGROUND
from graphwright.contract.builtin import BUILTIN
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.keys import UnsupportedKey
from graphwright.ir.visit import given
from graphwright.rules.calls import places
from graphwright.rules.registry import Finding, rule


@rule("GW113", Severity.ERROR, "key not supported by this backend")
def not_here(facts: Facts) -> Iterator[Finding]:
    """A key that this backend does not support and therefore rejects. `remote` runs a node on another machine: if it
    were ignored, the node would do its work on the wrong one. `async` as a key of an action starts nothing; in `params`
    it starts graphs and threads in the background, and no other tool.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, remote: gpu-box, next: done}
            done: {type: return}

    Passes:
        -    fetch: {action: {item_id: tool:tickets/list}, remote: gpu-box, next: done}
        +    fetch: {action: {item_id: tool:tickets/list}, next: done}
    """
    for fault in facts.faults(UnsupportedKey):
        key = fault.key
        owner = fault.owner.prefix
        message = f"{owner}`{key}` is not supported by this backend, which runs every node where the graph runs"
        advice = "remove it, or call a tool that does the work elsewhere"
        if key == "reducers":
            message = "`reducers` is not supported by this backend yet"
            advice = 'remove it, and combine values in `assign`, as in `total: "${state.total + 1}"`'
        if key in ("async", "async_exec"):
            message = f"{owner}`{key}` is not supported by this backend, which does not run anything in the background"
            advice = "remove it; graphs and tools that start threads take `async` in `params`"
        yield Finding(fault.span, message, note="not supported", help=advice)
    yield from _steering(facts)


def _steering(facts: Facts) -> Iterator[Finding]:
    """Calls of built-in tools that certainly ask to be started in the background."""
    for caller in facts.callers:
        item_id = called_id(caller.action)
        passed = given(caller.action)
        if item_id not in BUILTIN or facts.contract(caller.action) is not BUILTIN[item_id]:  # the project has its own
            continue
        if caller.is_task and caller.action.item_id_at is not None:
            yield Finding(
                facts.source.span(caller.action.item_id_at),
                f"{caller.owner}: tool `{item_id}` cannot be spawned: only graphs and threads run in the background",
                note="not here",
                help="spawn a graph that makes this call",
            )
            continue
        if not passed or BACKGROUND.isdisjoint(passed):
            continue
        written = places(facts, caller.action)
        for name in (name for name in passed if name in BACKGROUND and name in written):
            if facts.types.of(passed[name], caller.node).values == (True,):
                yield Finding(
                    facts.source.span(written[name][0]),
                    f"{caller.owner}: tool `{item_id}` cannot be called with `{name}`: only graphs and threads run in "
                    "the background",
                    note="not here",
                    help="remove it, or call a graph that makes this call",
                )
