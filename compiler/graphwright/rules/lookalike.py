"""GW119: names that look alike."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.lookalike import lookalikes, odd_letter
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, rule


@rule("GW119", Severity.WARNING, "names that look alike")
def look_alike(facts: Facts) -> Iterator[Finding]:
    """Two nodes, two state keys or two inputs have different names that look the same: a letter comes from another
    script, or a character is invisible. Readers will confuse them. Similarity is determined by Unicode (UTS #39);
    ASCII names are never reported.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: pay
          state: {total: 1, t\u043etal: 2}
          nodes:
            pay: {type: return, output: "${state.total} ${state.t\u043etal}"}

    Passes:
        -  state: {total: 1, t\u043etal: 2}
        +  state: {total: 1, sum: 2}

        -    pay: {type: return, output: "${state.total} ${state.t\u043etal}"}
        +    pay: {type: return, output: "${state.total} ${state.sum}"}
    """
    if facts.graph is None or facts.source.text.isascii():
        return
    for what, names in (("node", _nodes(facts.graph)), ("key", _keys(facts)), ("input", facts.graph.inputs_at)):
        for name, other in lookalikes(names):
            yield Finding(
                facts.source.span(names[name]),
                f"the {what} `{name}` looks like the {what} `{other}` but is different: {odd_letter(name, other)}",
                note="looks like another name",
                help="rename one of them, or spell both the same if they are supposed to be the same",
                related=(Label(facts.source.span(names[other]), f"the other {what}"),),
            )


def _nodes(graph: ir.Graph) -> dict[str, yaml.ScalarNode]:
    return {name: node.name_at for name, node in graph.nodes.items()}


def _keys(facts: Facts) -> dict[str, yaml.Node]:
    """The keys of the state, each with the first place that gives it a value."""
    found: dict[str, yaml.Node] = {}
    initial = facts.source.get(facts.source.root, "config", "state")
    for key, _ in facts.source.entries(initial) if isinstance(initial, yaml.MappingNode) else ():
        found.setdefault(key.value, key)
    for node in facts.graph.nodes.values() if facts.graph is not None else ():
        for name, at in visit.keys_set(node):
            found.setdefault(name, at)
    return found
