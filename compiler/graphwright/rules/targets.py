"""GW201 to GW203, GW205: where edges lead, as reading the file found it."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.diagnostic import Label, Severity, Span
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant, number


@rule("GW201", Severity.ERROR, "`start` names no node")
def start_unknown(facts: Facts) -> Iterator[Finding]:
    """`config.start` names a node that does not exist, so that no run could begin.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: fecth
          nodes:
            fetch: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: fetch
          nodes:
            fetch: {type: return}
    """
    for fault in facts.faults("GW201"):
        yield Finding(
            fault.span,
            f"`start` is `{fault.facts['target']}`, which is no node of this graph",
            note="no such node",
            help=meant(fault.facts["suggestion"]) or _nodes_are(fault.facts["nodes"]),
        )


@rule("GW202", Severity.ERROR, "`next` or `to` names no node")
def target_unknown(facts: Facts) -> Iterator[Finding]:
    """An edge leads to a node that does not exist. The run would fail there, perhaps after an hour of work.

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
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next: done
            done: {type: return}
    """
    for fault in facts.faults("GW202"):
        yield Finding(
            fault.span,
            f"{fault.facts['owner']} leads to `{fault.facts['target']}`, which does not exist",
            note="no such node",
            help=meant(fault.facts["suggestion"]) or _nodes_are(fault.facts["nodes"]),
        )


@rule("GW203", Severity.ERROR, "`on_error` names no node")
def error_target_unknown(facts: Facts) -> Iterator[Finding]:
    """An error edge leads to a node that does not exist. It would be found out on the day something fails.

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
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              on_error: done
              next: done
            done: {type: return}
    """
    for fault in facts.faults("GW203"):
        yield Finding(
            fault.span,
            f"{fault.facts['owner']} leads to `{fault.facts['target']}` on an error, which does not exist",
            note="no such node",
            help=meant(fault.facts["suggestion"]) or _nodes_are(fault.facts["nodes"]),
        )


@rule("GW205", Severity.ERROR, "edge after an unconditional one")
def edge_after_default(facts: Facts) -> Iterator[Finding]:
    """An edge without `when` always matches, and the first match wins: what comes after it is never looked at.

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
    for fault in facts.faults("GW205"):
        known = fault.facts
        default, rest = known["default"], known["rest"]
        more = f", nor {number(rest - 1, 'edge')} behind it" if isinstance(rest, int) and rest > 1 else ""
        yield Finding(
            fault.span,
            f"the edge of {known['owner']} to `{known['target']}` is never taken{more}: "
            f"the edge to `{known['default_target']}` before it has no condition",
            note="never taken",
            help=f"move the unconditional edge to `{known['default_target']}` to the end of the list",
            related=(Label(default, "always taken"),) if isinstance(default, Span) else (),
        )


def _nodes_are(nodes: object) -> str:
    return f"the nodes are {listed(nodes)}" if isinstance(nodes, tuple) else "see the keys of `config.nodes`"
