"""GW119: names that look alike."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.lookalike import lookalikes, odd_letter
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, graph_rule


@graph_rule("GW119", Severity.WARNING, "names that look alike")
def look_alike(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
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
    if facts.source.text.isascii():
        return
    nodes = {name: node.name_at for name, node in facts.nodes.items()}
    for what, names in (("node", nodes), ("key", _keys(facts)), ("input", graph.inputs_at)):
        for name, other in lookalikes(names):
            yield Finding(
                facts.source.span(names[name]),
                f"the {what} `{name}` looks like the {what} `{other}` but is different: {odd_letter(name, other)}",
                note="looks like another name",
                help="rename one of them, or spell both the same if they are supposed to be the same",
                related=(Label(facts.source.span(names[other]), f"the other {what}"),),
            )


def _keys(facts: Facts) -> dict[str, yaml.Node]:
    """The state keys, each with the first location that sets it."""
    found: dict[str, yaml.Node] = {}
    initial = facts.source.get(facts.source.root, "config", "state")
    for key, _ in facts.source.entries(initial) if isinstance(initial, yaml.MappingNode) else ():
        found.setdefault(key.value, key)
    for node in facts.nodes.values():
        for name, at in visit.keys_set(node):
            found.setdefault(name, at)
    return found
