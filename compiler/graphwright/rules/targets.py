"""GW201 to GW203, GW205: targets of edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.faults.names import EdgeAfterDefault, UnknownErrorTarget, UnknownNode, UnknownStart, UnknownTarget
from graphwright.language.words import CONTINUE_WORDS, END_WORDS, RETRY_WORD, STOP_WORDS
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import listed, meant, number, scalar


@fault_rule(UnknownStart, Severity.ERROR, "`start` does not name a node")
def start_unknown(facts: Facts, fault: UnknownStart) -> Iterator[Finding]:
    """`config.start` names a node that does not exist, so no run could start.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: fecth
          nodes:
            fetch: {type: return}

    Passes:
        -  start: fecth
        +  start: fetch
    """
    yield _unknown(
        fault,
        f"`start` is `{fault.target}`, which is not a node of this graph",
        meant(fault.suggestion) or _first_node(fault) or _nodes_are(facts),
    )


def _unknown(fault: UnknownNode, message: str, advice: str) -> Finding:
    """The finding for all edges that lead to the same missing node."""
    if fault.odd:
        advice = f"rename node `{fault.suggestion}` to `{fault.target}`, or write `{fault.suggestion}` each time"
    related = tuple(Label(span, "leads there, too") for span in fault.others[:_LABELS])
    return Finding(fault.span, message, note="no such node", help=advice, related=related)


#: Maximum number of other edges in a finding.
_LABELS: Final = 5


def _first_node(fault: UnknownStart) -> str | None:
    """The only node that no edge leads to, with which the graph probably starts; otherwise None."""
    if fault.forgotten is None:
        return None
    return f"write `start: {scalar(fault.forgotten)}`: it is the only node that no edge leads to"


@fault_rule(UnknownTarget, Severity.ERROR, "`next` or `to` does not name a node")
def target_unknown(facts: Facts, fault: UnknownTarget) -> Iterator[Finding]:
    """An edge leads to a node that does not exist. A run would fail there, possibly after hours of work.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next: dnoe
            done: {type: return}

    Passes:
        -      next: dnoe
        +      next: done
    """
    message = f"{fault.owner.phrase} leads to `{fault.target}`, which does not exist"
    yield _unknown(fault, message, meant(fault.suggestion) or _way_to_end(facts, fault) or _nodes_are(facts))


@fault_rule(UnknownErrorTarget, Severity.ERROR, "`on_error` does not name a node")
def error_target_unknown(facts: Facts, fault: UnknownErrorTarget) -> Iterator[Finding]:
    """An error edge leads to a node that does not exist. You would only notice it when something else fails.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              on_error: dnoe
              next: done
            done: {type: return}

    Passes:
        -      on_error: dnoe
        +      on_error: done
    """
    message = f"{fault.owner.phrase} leads to `{fault.target}` on an error, which does not exist"
    yield _unknown(fault, message, _error_target(facts, fault))


@fault_rule(EdgeAfterDefault, Severity.ERROR, "edge after an unconditional one")
def edge_after_default(_: Facts, fault: EdgeAfterDefault) -> Iterator[Finding]:
    """An edge without `when` always matches, and the first match is taken. The edges after it are never evaluated.
    An empty condition (`when: {}`, `when: {all: []}`) always matches, too.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}"}
              next:
                - to: done
                - {to: alarm, when: {path: state.total, op: gt, value: 100}}
            alarm: {type: return, output: {alarm: true}}
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}"}
              next:
                - {to: alarm, when: {path: state.total, op: gt, value: 100}}
                - to: done
            alarm: {type: return, output: {alarm: true}}
            done: {type: return}
    """
    default, rest = fault.default_target, fault.rest
    more = f", nor {number(rest - 1, 'edge')} after it" if rest > 1 else ""
    condition = "a condition that is always true" if fault.conditional else "no condition"
    other = "change the condition of the first" if fault.conditional else "give the first a condition"
    yield Finding(
        fault.span,
        f"the edge of {fault.owner.phrase} to `{fault.target}` is never taken{more}: "
        f"the edge to `{default}` before it has {condition}",
        note="never taken",
        help=f"remove one of the two edges, or {other}: `when: {{path: …, value: …}}`"
        if rest == 1 and fault.bare
        else f"move the edge to `{default}` to the end of the list",
        related=(Label(fault.default, "always taken"),),
    )


def _way_to_end(facts: Facts, fault: UnknownTarget) -> str | None:
    """The advice for a target such as `END`."""
    if fault.target.lower() not in END_WORDS:
        return None
    ends = [name for name, node in facts.nodes.items() if isinstance(node, ir.ReturnNode)]
    return f"a run ends at a return node: write {listed(ends, 'or')}" if ends else None


def _error_target(facts: Facts, fault: UnknownErrorTarget) -> str:
    """The advice for an unknown `on_error`, which may be a policy of the whole graph."""
    target = fault.target.lower()
    node = facts.nodes.get(fault.owner.node or "")
    tolerant = facts.graph is not None and facts.graph.settings.on_error == "continue"
    if target in STOP_WORDS and tolerant:
        return "write the name of a return node with `status: error`: `config.on_error: continue` applies without it"
    if target in STOP_WORDS:
        return "remove it: if a node has no `on_error`, `config.on_error` applies and a failure ends the run"
    if target == RETRY_WORD:
        return "to try again, write `retry: {attempts: 3}` instead"
    if target in CONTINUE_WORDS and tolerant:
        return "remove it: `config.on_error: continue` applies"
    if target in CONTINUE_WORDS and isinstance(node, ir.ForeachNode):
        return "remove it, and write `config.on_error: continue`: the loop then goes on after a failed item"
    if target in CONTINUE_WORDS and node is not None and node.edges:
        following = node.edges[-1].target
        return f"`on_error` must name a node: to continue after a failure, write `on_error: {scalar(following or '…')}`"
    return meant(fault.suggestion) or _nodes_are(facts)


def _nodes_are(facts: Facts) -> str:
    return f"the nodes are {listed(facts.nodes)}"
