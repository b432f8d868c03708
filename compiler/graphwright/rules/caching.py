"""GW2xx about caching: results with a key that never occurs again."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed


@rule("GW215", Severity.WARNING, "`cache_result` that never has an effect")
def never_a_hit(facts: Facts) -> Iterator[Finding]:
    """A node caches its result, but its action reads the time, or the id or step number of the run.

    Cached results are looked up by the node and the values of its templates. `_now`, `_timestamp`, `_run.id` and
    `_run.step` have different values each time, so the action always runs and the stored results are never used.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list, params: {until: "${_now}"}}, cache_result: true}

    Passes:
        -    fetch: {action: {item_id: tool:tickets/list, params: {until: "${_now}"}}, cache_result: true}
        +    fetch: {action: {item_id: tool:tickets/list, params: {until: "2026-01-31"}}, cache_result: true}
    """
    for node in visit.calling_nodes(facts.graph) if facts.graph is not None else ():
        key = _cache_key(facts, node) if node.cache else None
        if node.action is None or key is None:
            continue
        operands = visit.action_operands(node.action)
        found = [each for _, value, _ in operands for each in visit.placed_reads(value) if _is_new(each[0])]
        if found:
            names = dict.fromkeys(read.written for read, _ in found)
            paths = listed(names)
            yield Finding(
                facts.source.span(key),
                f"node `{node.name}` caches its result, but its action reads {paths}, "
                f"which {'is' if len(names) == 1 else 'are'} different each time",
                note="never reused",
                about=node,
                help=f"remove `{key.value}`, or remove {paths} from the action",
                related=tuple(
                    Label(facts.source.span_in(at, read.start, read.end), "different each time")
                    for read, at in found[:3]
                ),
            )


def _cache_key(facts: Facts, node: ir.Node) -> yaml.ScalarNode | None:
    """The key that turns caching on; None if it is misspelled, which is reported separately."""
    if not isinstance(node.at, yaml.MappingNode):
        return None
    return next((key for key, _ in facts.source.entries(node.at) if key.value in ("cache_result", "cache")), None)


def _is_new(read: ir.Read) -> bool:
    """Whether the value of a path is different in each run; the id of the graph is not."""
    if read.root is ir.Root.RUN:
        return read.path[:1] != ("graph_id",)
    return read.root in (ir.Root.NOW, ir.Root.TIMESTAMP)
