"""GW113: keys, and params of nested graphs, that this backend does not support."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.tools import BACKGROUND
from graphwright.contract.graphs import FLAGS, REFUSED, called_signature
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.keys import UnsupportedKey
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import places
from graphwright.rules.registry import Finding, rule


@rule("GW113", Severity.ERROR, "key not supported by this backend")
def not_here(facts: Facts) -> Iterator[Finding]:
    """A key that this backend does not support and therefore rejects. `remote` runs a node on another machine: if it
    were ignored, the node would do its work on the wrong one. `async` starts an action in the background. Params
    such as `resume_run_id` or `node` control the run of a nested graph in ways that are not supported, unless that
    graph declares an input of that name.

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
            advice = "remove it; tools that start threads take `async` in `params`"
        yield Finding(fault.span, message, note="not supported", help=advice)
    yield from _steering(facts)


def _steering(facts: Facts) -> Iterator[Finding]:
    """Unsupported options of calls, if that is certain; otherwise, the node fails at run time."""
    for caller in facts.callers:
        item_id = called_id(caller.action)
        passed = given(caller.action)
        if item_id is None or not passed or REFUSED.keys().isdisjoint(passed):
            continue
        called = called_signature(facts, item_id)
        if called is not None:
            refused = [name for name in passed if name in REFUSED and called.steers(name)]
            what = f"graph `{item_id}`"
        elif (contract := facts.contract(caller.action)) is not None and not contract.starts:
            refused = [name for name in passed if name in BACKGROUND]
            what = f"tool `{item_id}`"
        else:  # a tool that may have a param with that name
            continue
        written = places(facts, caller.action)
        for name in refused:
            if name in written and _asks(facts, caller, name, passed[name]):
                yield Finding(
                    facts.source.span(written[name][0]),
                    f"{caller.owner}: {what} cannot be called with `{name}` yet: {REFUSED[name]}",
                    note="not here",
                    help="remove it, and make the node wait for the result" if name in BACKGROUND else "remove it",
                )


def _asks(facts: Facts, caller: Caller, name: str, value: ir.Value) -> bool:
    """Whether an option has an effect in every run: null has none, and neither has a flag that is false."""
    found = facts.types.of(value, caller.node)
    if not found.kinds or "null" in found.kinds:
        return False
    may_be_false = "boolean" in found.kinds and (found.values is None or False in found.values)
    return not (name in FLAGS and may_be_false)
