"""GW2xx, as far as the edges of one node go: beaten ones, gaps, the way of a failure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from numbers import Rational

from graphwright import ir
from graphwright.analysis.conditions import DeadEdge
from graphwright.analysis.narrowing import absent_after_failure, taken_after_failure
from graphwright.analysis.reachability import unreachable_parts
from graphwright.analysis.truth import Case, Other, Subject, subject_of
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.rules.registry import Finding, rule
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
                related=(Label(facts.source.first_token(dead.by.at), "this edge always matches first"),),
            )


def _to(edge: ir.Edge) -> str:
    return "" if edge.target is None else f" to `{edge.target}`"


def _unbeaten(dead: DeadEdge) -> str:
    """What to do about an edge that an earlier one always beats."""
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
    forgotten: list[str] | None = None
    for node in _nodes(facts):
        if node.edges[-1].when is None or facts.has_duplicates(node):
            continue
        conditions = facts.intent.conditions(node)
        left_over = facts.conditions.left_over(node, conditions)
        if left_over is None:
            continue
        example = _example(left_over, conditions) if facts.conditions.possible(left_over) else ""
        if forgotten is None:
            forgotten = [part.root for part in unreachable_parts(facts.flow)]
        default = scalar(forgotten[0]) if len(forgotten) == 1 else "…"
        yield Finding(
            facts.source.span(node.next_at or node.name_at),
            f"node `{node.name}` has no default edge, so the run ends here if no condition holds{example}",
            note="no default edge",
            help=f"end the list with an edge without `when`: `- to: {default}`"
            + (f" (no edge leads to `{forgotten[0]}`)" if len(forgotten) == 1 else ""),
        )


def _example(case: Case, conditions: Iterable[ir.Condition]) -> str:
    """What the left sides are in a case that no edge matches; nothing where that is no help."""
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
    if isinstance(value, Rational) and not isinstance(value, int):  # a point between two numbers of the graph
        return str(float(value))
    if isinstance(value, str):
        printable = "".join(letter for letter in value if letter.isprintable())
        return json.dumps(printable, ensure_ascii=False) if printable == value else "another string"
    return json.dumps(value)


@rule("GW214", Severity.WARNING, "default edge also taken after a suppressed failure")
def failure_takes_default(facts: Facts) -> Iterator[Finding]:
    """Under `on_error: continue`, the edges of a node are also evaluated after its action has failed.

    `result.status` is then `error` and `result.error` is a string. Other fields of `result` exist only if the tool
    returned them along with its error. A condition on such a field therefore rarely holds, and the default edge is
    taken as if the action had succeeded. Add an edge for the failure, or add `on_error` to the node.

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
        if not isinstance(node, ir.ActionNode) or not facts.types.can_be_suppressed(node):
            continue
        default = taken_after_failure(node)
        compare = next(absent_after_failure(node), None)
        if default is None or compare is None:
            continue
        yield Finding(
            facts.source.span(compare.left_at),
            f"when node `{node.name}` fails, `{compare.left.written}` may be missing, and under `on_error: continue` "
            f"the default edge{_to(default)} is taken if no other condition holds",
            note="may be missing after a failure",
            help="add an edge for the failure first, `- {to: …, when: {path: result.status, value: error}}`, "
            "or add `on_error` to the node",
            related=(Label(facts.source.first_token(default.at), "also taken after a failure"),),
        )


def _nodes(facts: Facts) -> Iterator[ir.RoutedNode]:
    """The nodes with more than a plain `next`."""
    for node in facts.nodes.values():
        if isinstance(node, ir.RoutedNode) and node.edges and node.edges[0].when is not None:
            yield node
