"""GW2xx, caching: results kept under a key that never comes again."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
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
    for node in facts.graph.nodes.values() if facts.graph is not None else ():
        key = _cache_key(facts, node) if node.cache and node.action is not None else None
        if node.action is None or key is None:
            continue
        found = [*_changing(node.action.item_id, None), *_changing(node.action.params, None)]
        if found:
            names = dict.fromkeys(read.written for read, _ in found)
            paths = listed(names)
            yield Finding(
                facts.source.span(key),
                f"node `{node.name}` caches its result, but its action reads {paths}, "
                f"which {'is' if len(names) == 1 else 'are'} new each time",
                note="never a hit",
                help=f"remove `{key.value}`, or take {paths} out of the action",
                related=tuple(
                    Label(facts.source.span_in(at, read.start, read.end), "new each time") for read, at in found[:3]
                ),
            )


def _cache_key(facts: Facts, node: ir.Node) -> yaml.ScalarNode | None:
    """The key that turns caching on; None where it is misspelt, which is a complaint of its own."""
    if not isinstance(node.at, yaml.MappingNode):
        return None
    return next((key for key, _ in facts.source.entries(node.at) if key.value in ("cache_result", "cache")), None)


def _changing(value: ir.Value, at: yaml.ScalarNode | None) -> Iterator[tuple[ir.Read, yaml.ScalarNode]]:
    """The paths in a value that are different in every run, each with its scalar."""
    if isinstance(value, ir.Template):
        at = value.at
    if isinstance(value, ir.Read) and at is not None and _is_new(value):
        yield value, at
    for child in ir.children(value):
        yield from _changing(child, at)


def _is_new(read: ir.Read) -> bool:
    """Whether a path leads to something else in each run; the id of the graph stays the same."""
    if read.root is ir.Root.RUN:
        return read.path[:1] != ("graph_id",)
    return read.root in (ir.Root.NOW, ir.Root.TIMESTAMP)
