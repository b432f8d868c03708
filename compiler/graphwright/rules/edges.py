"""GW2xx about the edges of one node: edges that are never taken, uncovered cases, edges after a failure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from numbers import Rational

from graphwright import ir
from graphwright.analysis.constant_conditions import DeadEdge
from graphwright.analysis.suppressed import Boxed, Misled, lacks, misled
from graphwright.analysis.truth import Case, Other, Subject, subject_of
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, graph_rule, rule
from graphwright.rules.wording import scalar


@rule("GW206", Severity.WARNING, "edge that is never taken because of an earlier one")
def beaten_edge(facts: Facts) -> Iterator[Finding]:
    """Whenever the condition of this edge holds, the condition of an earlier edge holds, too. The first match is
    taken, so this edge never is. Put the narrower condition first.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: check
          nodes:
            check:
              type: gate
              next:
                - {to: big, when: {path: inputs.total, op: gt, value: 10}}
                - {to: huge, when: {path: inputs.total, op: gt, value: 100}}
                - {to: big}
            big: {type: return}
            huge: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: check
          nodes:
            check:
              type: gate
              next:
                - {to: huge, when: {path: inputs.total, op: gt, value: 100}}
                - {to: big, when: {path: inputs.total, op: gt, value: 10}}
                - {to: big}
            big: {type: return}
            huge: {type: return}
    """
    for node in _nodes(facts):
        for dead in facts.conditions.dead_edges(node):
            why = "has the same condition" if dead.same else "matches whenever this one does"
            yield Finding(
                facts.source.first_token(dead.edge.at),
                f"node `{node.name}`: the edge{_to(dead.edge)} is never taken, because the edge{_to(dead.by)} "
                f"above it {why}",
                note="never taken",
                help=_unbeaten(dead),
                about=dead,
                related=(Label(facts.source.first_token(dead.by.at), "this edge always matches first"),),
            )


def _to(edge: ir.Edge) -> str:
    return "" if edge.target is None else f" to `{edge.target}`"


def _unbeaten(dead: DeadEdge) -> str:
    """The advice for an edge that an earlier one always precedes."""
    if dead.edge.target == dead.by.target and dead.by.target is not None:
        return f"remove this edge: both lead to `{dead.by.target}`"
    if dead.same:
        return "change one of the two conditions, or remove this edge"
    return f"move this edge above the edge{_to(dead.by)}: the first match is taken"


@rule("GW207", Severity.WARNING, "conditions without a default edge")
def no_default(facts: Facts) -> Iterator[Finding]:
    """It is possible that none of the node's edges matches. The run then ends here with status `completed`, which is
    rarely intended. End the list with an edge without `when`.

    No default edge is needed if the compiler can prove that the conditions cover every case: all values of an enum
    or a boolean, a condition and its negation, or complementary comparisons of a number that cannot be null.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: check
          nodes:
            check:
              type: gate
              next:
                - {to: big, when: {path: inputs.total, op: gt, value: 10}}
                - {to: small, when: {path: inputs.total, op: lt, value: 10}}
            big: {type: return}
            small: {type: return}

    Passes:
        -        - {to: small, when: {path: inputs.total, op: lt, value: 10}}
        +        - {to: small, when: {path: inputs.total, op: lte, value: 10}}
    """
    if facts.graph is None:
        return
    for found in facts.open_ends:
        node = found.node
        example = _example(found.case, found.conditions) if facts.coverage.possible(found.case) else ""
        forgotten = facts.forgotten
        default = "…" if forgotten is None else scalar(forgotten)
        yield Finding(
            facts.source.span(node.next_at or node.name_at),
            f"node `{node.name}` has no default edge, so the run ends here if no condition holds{example}",
            note="no default edge",
            about=node,
            help=f"end the list with an edge without `when`: `- to: {default}`"
            + ("" if forgotten is None else f" (no edge leads to `{forgotten}`)"),
        )


def _example(case: Case, conditions: Iterable[ir.Condition]) -> str:
    """The values of the left sides in a case that no edge matches; empty if they do not help."""
    written = {
        subject_of(compare.left): compare.left.written
        for condition in conditions
        for compare in visit.comparisons(condition)
    }
    shown = [
        f"`{written[subject]}` is {_shown(value)}"
        for subject, value in case.items()
        if isinstance(subject, Subject) and not isinstance(value, Other)
    ]
    return f", for example when {' and '.join(shown)}" if 0 < len(shown) <= 3 and len(shown) == len(case) else ""


def _shown(value: object) -> str:
    if isinstance(value, Rational) and not isinstance(value, int):  # between two numbers in the graph
        return str(float(value))
    if isinstance(value, str):
        printable = "".join(letter for letter in value if letter.isprintable())
        return json.dumps(printable, ensure_ascii=False) if printable == value else "another string"
    return json.dumps(value)


@rule("GW214", Severity.WARNING, "edge also taken after a suppressed failure")
def failure_takes_default(facts: Facts) -> Iterator[Finding]:
    """Under `on_error: continue`, the edges of a node are also evaluated after its action has failed.

    `result.status` is then `error` and `result.error` is a string. Other fields of `result` exist only if the tool
    returned them along with its error. A condition on such a field therefore rarely holds, and the default edge is
    taken as if the action had succeeded; under `ne` or `not`, it holds, and its own edge is taken. Add an edge for the
    failure, or add `on_error` to the node.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          on_error: continue
          nodes:
            fetch:
              action: {item_id: tool:tickets/list}
              next:
                - {to: none, when: {path: result.count, value: 0}}
                - {to: some}
            none: {type: return}
            some: {type: return}

    Passes:
               next:
        +        - {to: none, when: {path: result.status, value: error}}
    """
    for node in _nodes(facts):
        found = _misled_by_result(facts, node)
        if found is None:
            continue
        read, at = found.placed
        yield Finding(
            facts.source.span_in(at, read.start, read.end),
            f"when node `{node.name}` fails, `{read.written}` may be missing, and under `on_error: continue` "
            + ("this condition then holds, so " if found.holds else "")
            + _taken(found),
            note="may be missing after a failure",
            help=_edge_for_failure(node),
            related=(Label(facts.source.first_token(found.edge.at), "also taken after a failure"),),
        )


def _taken(found: Misled) -> str:
    """The edge that is taken after the failure, and whether that depends on more."""
    unless = ""
    if found.after:
        unless = " if no earlier edge matches" if found.holds else " if no other condition holds"
    return f"the {'' if found.holds else 'default '}edge{_to(found.edge)} is taken{unless}"


def _misled_by_result(facts: Facts, node: ir.Node) -> Misled | None:
    if not isinstance(node, ir.ActionNode) or not facts.types.can_be_suppressed(node):
        return None
    return misled(node, lacks)


def _edge_for_failure(node: ir.Node) -> str:
    """The advice for adding an edge for the failure."""
    condition = "{path: result.status, value: error}" if isinstance(node, ir.ActionNode) else _LAST_ERROR
    return f"add an edge for the failure first, `- {{to: …, when: {condition}}}`, or add `on_error` to the node"


_LAST_ERROR = "{path: state._last_error, op: exists}"


@graph_rule("GW216", Severity.WARNING, "edge decided by an old value after a suppressed failure")
def routed_by_old_value(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """Under `on_error: continue`, a node that fails skips its `assign`, and its edges are still evaluated. A key
    that has a value in `config.state`, and that only this node assigns, then still has its old value. The edge is
    chosen as if the node had succeeded with that value.

    Add an edge for the failure before the others, or add `on_error` to the node.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.release.*]
        config:
          start: check
          on_error: continue
          state: {passed: true}
          nodes:
            check:
              action: {item_id: tool:release/check}
              assign: {passed: "${result.passed}"}
              next:
                - {to: deploy, when: {path: state.passed, value: true}}
                - {to: done}
            deploy: {action: {item_id: tool:release/deploy}, next: done}
            done: {type: return}

    Passes:
               next:
        +        - {to: done, when: {path: result.status, value: error}}
    """
    if graph.settings.on_error != "continue" or not graph.state:
        return
    explained = {id(compare) for found in facts.fixed_exits for compare in visit.comparisons(found.condition)}
    for node in _nodes(facts):
        seeds = _own_seeds(facts, graph, node)
        if not seeds or _misled_by_result(facts, node) is not None:
            continue
        found = misled(node, partial(_old_value, seeds))
        if found is None or any(id(compare) in explained for compare in visit.node_comparisons(node)):
            continue
        read, at = found.placed
        key = str(read.path[0])
        yield Finding(
            facts.source.span_in(at, read.start, read.end),
            f"when node `{node.name}` fails, `on_error: continue` skips its `assign`: `{read.written}` has its old "
            f"value, and {_taken(found)}",
            note="the old value after a failure",
            help=_edge_for_failure(node),
            related=tuple(
                Label(facts.source.span(at), f"`{key}` begins as {json.dumps(seeds[key], ensure_ascii=False)}")
                for at in [graph.state_at.get(key)]
                if at is not None
            ),
        )


def _own_seeds(facts: Facts, graph: ir.Graph, node: ir.Node) -> dict[str, ir.Json]:
    """The keys with a value in `config.state` that only this node assigns, and skips when it fails.

    A node with `max_visits` is meant to run again as long as nothing has changed.
    """
    if (
        not node.assigns
        or node.max_visits is not None
        or not facts.types.can_be_suppressed(node)
        or facts.coverage.never_fails(node)
    ):
        return {}
    collected = node.collect if isinstance(node, ir.ForeachNode) else None
    return {
        entry.key: graph.state[entry.key]
        for entry in node.assigns
        if entry.key in graph.state
        and entry.key != collected
        and graph.doubt.trusts(graph.state_at.get(entry.key))
        and len(facts.assignment.writers[entry.key]) == 1
    }


def _old_value(seeds: dict[str, ir.Json], read: ir.Read) -> Boxed | None:
    if read.root is not ir.Root.STATE or not read.path or str(read.path[0]) not in seeds:
        return None
    value: ir.Json = seeds[str(read.path[0])]
    for segment in read.path[1:]:
        value = value.get(str(segment)) if isinstance(value, dict) else None
    return Boxed(value)


def _nodes(facts: Facts) -> Iterator[ir.RoutedNode]:
    """The nodes with more than a simple `next`."""
    for node in facts.nodes.values():
        if isinstance(node, ir.RoutedNode) and node.edges and node.edges[0].when is not None:
            yield node
