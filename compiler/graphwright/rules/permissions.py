"""GW110: a graph that does not say what it may call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, graph_rule

#: Capabilities that a message spells out one by one.
_SPELT_OUT: Final = 8


@graph_rule("GW110", Severity.WARNING, "`permissions` not declared")
def no_permissions(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """The graph calls something but does not declare what it may call. Every run then depends on the capabilities of
    its caller, and readers cannot see what the graph needs.

    Fails:
        tool_type: graph
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, next: done}
            done: {type: return}

    Passes:
         tool_type: graph
        +permissions: [rye.execute.tool.tickets.list]
    """
    if graph.permissions is not None or not facts.callers:
        return
    written = facts.source.get(facts.source.root, "permissions")
    message = "`permissions` is not declared: every run depends on the capabilities of its caller"
    if written is not None:
        message = "`permissions` has no value: every run depends on the capabilities of its caller"
    verb = "add" if written is None else "write"
    yield Finding(
        facts.source.top,
        message,
        help=f"{verb} `permissions: [{', '.join(_needed(facts))}]`",
        related=() if written is None else (Label(facts.source.span(written), "empty"),),
    )


def _needed(facts: Facts) -> list[str]:
    """Every capability that the graph needs, those of nested graphs too; of many, those of one folder as a pattern."""
    needed = {need.capability for need in facts.capability.needs}
    for choices, _ in facts.capability.partly_known:
        needed |= {re.sub(r"\*+", "*", "".join("*" if each is None else each for each in known)) for known in choices}
    if len(needed) > _SPELT_OUT:
        folders = [each.rpartition(".")[0] for each in needed]
        needed = {
            f"{folder}.*" if folders.count(folder) > 1 else each for folder, each in zip(folders, needed, strict=True)
        }
    return sorted(needed)
