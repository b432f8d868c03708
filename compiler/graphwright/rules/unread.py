"""GW303 and GW304: assignments that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.liveness import Unread
from graphwright.analysis.reads import Use
from graphwright.analysis.unassigned import unsure_reads
from graphwright.diagnostic import Severity, Span
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.record import replace
from graphwright.rules.reading import also_read, assigned_here, named_by_loops
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.state import misspelled_on_the_way
from graphwright.rules.wording import listed


@graph_rule("GW303", Severity.WARNING, "state key that is never read")
def never_read(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A key is assigned but never read afterwards.

    If an end of the graph returns the whole state (a return without `output`, or an end without a return node), the
    key may be meant for the caller, and this is only a note. Graphs without any return node are not reported.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}", oldest: "${result.oldest}"}
              next: done
            done: {type: return, output: {total: "${state.total}"}}

    Passes:
        -    done: {type: return, output: {total: "${state.total}"}}
        +    done: {type: return, output: {total: "${state.total}", oldest: "${state.oldest}"}}
    """
    if not any(isinstance(node, ir.ReturnNode) for node in facts.nodes.values()):
        return
    read_elsewhere = graph.doubt.plainly_read(ir.Root.STATE) | _read_as_inputs(facts, graph)
    read_elsewhere |= named_by_loops(facts, "state")
    for found in _unread(facts):
        if found.overwritten_by or found.key in read_elsewhere:
            continue
        exposed = facts.liveness.exposed
        near = facts.liveness.meant(found.key)
        lacking = [] if near is None else _lacking(facts, found)
        how = "collected" if found.entry is None else "assigned"
        yield Finding(
            _unread_span(facts, found),
            f"`{found.key}` is {how} in `{found.node.name}` and never read afterwards"
            + (f", but `state.{near}` is read where it may be unassigned" if lacking else "")
            + (", except as part of the state that the graph returns" if exposed and not lacking else ""),
            note="never read",
            about=found,
            related=tuple(also_read(facts, lacking)),
            suggestion=near,
            help=f"return it (`${{{written_path('state', found.key)}}}`), or remove "
            + ("`collect`" if found.entry is None else "it"),
            severity=Severity.NOTE if exposed and not lacking else None,
        )


def _read_as_inputs(facts: Facts, graph: ir.Graph) -> frozenset[str]:
    """The keys that are read below `inputs`, where nothing declares them (GW307)."""
    declared = declared_inputs(graph)
    return frozenset(facts.assignment.symbols.inputs) - declared.names if declared.closed else frozenset()


def _lacking(facts: Facts, unread: Unread) -> list[Use]:
    """The reads that lack their key because this assignment misspells it."""
    unsure = (found for found in unsure_reads(facts.assignment) if misspelled_on_the_way(facts, found) == unread)
    return [use for found in unsure for use in (found.use, *found.others)]


@graph_rule("GW304", Severity.WARNING, "assignment overwritten before it is read")
def overwritten(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """On every path from this assignment, the key is assigned again before it is read. Either the first value is
    wasted, or one of the two assignments should use another key.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              assign: {total: "${result.count}"}
              next: count
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}"}
              next: done
            done: {type: return, output: {total: "${state.total}"}}

    Passes:
        -      assign: {total: "${result.count}"}
        +      assign: {estimate: "${result.count}"}

        -    done: {type: return, output: {total: "${state.total}"}}
        +    done: {type: return, output: {total: "${state.total}", estimate: "${state.estimate}"}}
    """
    for found in _unread(facts):
        if not found.overwritten_by:
            continue
        writers = [facts.nodes[name] for name in found.overwritten_by]
        yield Finding(
            _unread_span(facts, found),
            f"`{found.key}` is assigned in `{found.node.name}`, "
            f"and {listed(found.overwritten_by, 'or')} overwrites it before it is read",
            note="never read",
            help=f"remove it, or use another name than `{found.key}`",
            about=found,
            related=tuple(
                replace(assigned_here(facts, writer, found.key), message="overwritten here") for writer in writers[:3]
            ),
        )


def _unread(facts: Facts) -> Iterator[Unread]:
    """Unread assignments, except those that GW306 (reserved keys) and GW310 (parallel loops) report."""
    for found in facts.liveness.unread:
        reserved = found.key == "inputs" or found.key.startswith("_")
        in_parallel = found.entry is not None and isinstance(found.node, ir.ForeachNode) and found.node.parallel
        if not reserved and not in_parallel:
            yield found


def _unread_span(facts: Facts, found: Unread) -> Span:
    if found.entry is not None:
        return facts.source.span(found.entry.key_at)
    collected_at = found.node.collect_at if isinstance(found.node, ir.ForeachNode) else None
    return facts.source.span(collected_at or found.node.name_at)
