"""GW602 and GW603: permissions that permit more than the graph needs, or that are not needed."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from graphwright import ir
from graphwright.analysis.capability import Capability
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.calls import misspelled_graph
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import everything_of


@graph_rule("GW602", Severity.NOTE, "permission broader than needed")
def broader_than_needed(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A pattern with a wildcard permits more than the actions of this graph need. The message lists the capabilities
    that are needed.

    Nothing is reported if an action with a dynamic id, a thread, a directive or a tool that calls others may need the
    rest.

    Fails:
        tool_type: graph
        permissions: [rye.*]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}

    Passes:
        -permissions: [rye.*]
        +permissions: [rye.execute.tool.tickets.list]
    """
    for permission in _patterns(graph):
        pattern = permission.pattern
        needed = facts.capability.used[pattern]
        if needed and any(wild in pattern for wild in "*?[") and not facts.capability.may_use(pattern):
            yield Finding(
                facts.source.span(permission.at),
                f"`{permission.written}` permits more than this graph needs",
                note="broader than needed",
                about=permission,
                help=f"write {everything_of([f'`- {each}`' for each in needed])} instead",
            )


def _misspelled_needs(facts: Facts) -> frozenset[str]:
    """The capabilities that the graphs need whose ids are misspelled (GW704)."""
    ids = {misspelled_graph(facts, caller) for caller in facts.callers}
    graphs = (facts.project.graph(meant_id) for meant_id in ids if facts.project is not None and meant_id is not None)
    return frozenset(need.capability for graph in graphs if graph is not None for need in graph.capability.needs)


@graph_rule("GW603", Severity.WARNING, "unused permission")
def unused_permission(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """No action of this graph, or of a graph that it calls, needs what this pattern permits.

    Nothing is reported if an action with a dynamic id, a thread, a directive or a tool that calls others may need it.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*, rye.execute.tool.mail.send]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}

    Passes:
        -permissions: [rye.execute.tool.tickets.*, rye.execute.tool.mail.send]
        +permissions: [rye.execute.tool.tickets.*]
    """
    misspelled = {near.pattern for near in facts.capability.near_misses.values()}
    for permission in _patterns(graph):
        pattern = permission.pattern
        if facts.capability.used[pattern] or pattern in misspelled:  # reported by GW601
            continue
        if not facts.capability.may_use(pattern) and not any(
            fnmatchcase(each, pattern) for each in _misspelled_needs(facts)
        ):
            yield Finding(
                facts.source.span(permission.at),
                f"no action uses the permission `{permission.written}`",
                note="not used",
                about=permission,
                help=_without_pattern(facts.capability),
            )


def _without_pattern(capability: Capability) -> str:
    """The advice for a permission that is not used."""
    if len(capability.patterns) > 1:
        return "remove it"
    if capability.needs or capability.partly_known:
        return "replace it with what the actions need"
    return "write `permissions: []` for a graph that calls nothing"


def _patterns(graph: ir.Graph) -> Iterator[ir.Permission]:
    """The well-formed patterns."""
    return (each for each in graph.permissions or () if graph.doubt.trusts(each.at))
