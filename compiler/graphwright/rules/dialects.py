"""GW1xx, as far as others go: older spellings, other backends, other dialects."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.mending import instead
from graphwright.rules.registry import Finding, rule
from graphwright.rules.steering import steering
from graphwright.rules.wording import everything


@rule("GW111", Severity.NOTE, "older spelling")
def older_spelling(facts: Facts) -> Iterator[Finding]:
    """An older spelling that is still accepted (`operator`, `neq`, `cache`, `state_graph`). The fix replaces it with
    the modern one and changes nothing else.

    Fails:
        tool_type: state_graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}

    Passes:
        -tool_type: state_graph
        +tool_type: graph
    """
    for fault in facts.faults("GW111"):
        written, modern = fault.facts["written"], str(fault.facts["modern"])
        message = f"`{written}` is the older spelling of `{modern}`"
        yield Finding(fault.span, message, help=f"write `{modern}`", fix=instead(facts, fault, modern))


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
    for fault in facts.faults("GW113"):
        key = fault.facts["key"]
        owner = "" if fault.facts["owner"] == "the graph" else f"{fault.facts['owner']}: "
        message = f"{owner}`{key}` cannot be honoured by this backend, which runs every node where the graph runs"
        mend = "remove it, or call a tool that does the work elsewhere"
        if key == "reducers":
            message = "`reducers` cannot be honoured by this backend yet"
            mend = 'remove it, and write what becomes of a key in `assign`, as in `total: "${state.total + 1}"`'
        if key in ("async", "async_exec"):
            message = f"{owner}`{key}` cannot be honored by this backend, which starts nothing in the background"
            mend = "remove it; a tool that starts threads takes `async` in `params`"
        yield Finding(fault.span, message, note="not here", help=mend)
    yield from steering(facts)


@rule("GW114", Severity.ERROR, "different dialect of state graphs")
def other_dialect(facts: Facts) -> Iterator[Finding]:
    """The file is written in another dialect of state graphs: the newer one (`node_type`, `next: {type: …}`,
    conditions as strings, `requires.capabilities`) or the old prototype (`initial_node`, `edges`). It is reported
    once, not for each key.

    Fails:
        tool_type: graph
        config:
          start: done
          nodes:
            done: {node_type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return}
    """
    for fault in facts.faults("GW114"):
        message = f"this is {fault.facts['dialect']}: it has {everything(fault.facts['keys'])}"
        yield Finding(fault.span, message, note="another dialect", help=f"this one writes {fault.facts['instead']}")
