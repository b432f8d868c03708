"""GW4xx, as far as types decide: operations, comparisons, texts, paths and destinations that do not fit a value.

Nothing is said of values of which nothing is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.destination import Misfit, misfits
from graphwright.analysis.jsontype import ARRAY, STRING
from graphwright.analysis.mismatch import NoField, Place, Unaddable, Unordered
from graphwright.analysis.schema_types import from_schema
from graphwright.analysis.spoken import a_value_of, describe
from graphwright.analysis.typing import Scope
from graphwright.diagnostic import Severity, Span
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant
from graphwright.schema.violations import violation
from graphwright.suggest import nearest


@rule("GW407", Severity.ERROR, "types known and incomparable / not addable")
def incompatible(facts: Facts) -> Iterator[Finding]:
    """An operation or an ordering that fails in every run, because of what its two sides are known to be.

    `+` adds two numbers or joins two texts or two lists; `- * / %` take numbers; an ordering compares two numbers or
    two texts. Text from a command is text, also where it looks like a number: turn it into one with `| int`.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team + 1}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team + '-1'}"}
    """
    if facts.graph is None:
        return
    for found in facts.mismatches.sums:
        yield Finding(_span(facts, found.place), _sum_message(found), note="fails", help=_sum_mend(found))
    for clash in facts.mismatches.orders:
        yield _order_finding(facts, clash)


def _sum_message(found: Unaddable) -> str:
    written = found.place.at.value[found.place.start : found.place.end]
    if found.right is None:
        return f"{found.owner}: `{written}` negates {a_value_of(found.left)}"
    verb = {"+": "adds", "-": "subtracts", "*": "multiplies", "/": "divides", "%": "divides"}[found.operator]
    return f"{found.owner}: `{written}` {verb} {a_value_of(found.left)} and {a_value_of(found.right)}"


def _sum_mend(found: Unaddable) -> str:
    if found.operator == "+":
        if "string" in found.left.kinds or (found.right and "string" in found.right.kinds):
            return (
                "`+` joins two texts or adds two numbers: turn one side into what the other is with `| str` or `| int`"
            )
        return "`+` adds two numbers or joins two texts or two lists"
    return f"`{found.operator}` takes numbers: turn a text into one with `| int` or `| float`"


def _order_finding(facts: Facts, clash: Unordered) -> Finding:
    compare, left, right = clash.compare, a_value_of(clash.left), a_value_of(clash.right)
    written = compare.left.written
    if compare.op == "in":
        return Finding(
            facts.source.span(compare.right_at or compare.at),
            f"{clash.owner}: `in` looks for `{written}` in {right}, which is no list",
            help="give `in` a list, or use `contains` with the sides exchanged",
        )
    mend = "compare two numbers or two texts"
    if "string" in clash.left.kinds:
        mend = f'`{written}` is text: assign a number first, such as `"${{{written} | int}}"`, and compare that'
    elif "string" in clash.right.kinds and isinstance(compare.right, ir.Const):
        mend = f"write the number without quotes: `value: {compare.right.value}`"
    return Finding(
        facts.source.span(compare.left_at),
        f"{clash.owner}: `{written}` is {left} and cannot be ordered (`{compare.op}`) against {right}",
        note=describe(clash.left),
        help=mend,
    )


@rule("GW408", Severity.WARNING, "text compared in dictionary order with something numeric")
def text_order(facts: Facts) -> Iterator[Finding]:
    """`gt`, `gte`, `lt` and `lte` compare two texts letter by letter: `"10"` comes before `"9"`.

    Where one of them looks like a number, numbers were meant: turn the text into one with `| int` or `| float` when
    it is assigned, and write the other without quotes.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {count: {type: string}}, required: [count]}
        config:
          start: check
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: inputs.count, op: gt, value: "10"}}
                - {to: done}
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {count: {type: string}}, required: [count]}
        config:
          start: check
          nodes:
            check:
              type: gate
              assign: {count: "${inputs.count | int}"}
              next:
                - {to: done, when: {path: state.count, op: gt, value: 10}}
                - {to: done}
            done: {type: return}
    """
    if facts.graph is None:
        return
    for found in facts.mismatches.text_orders:
        compare = found.compare
        written = compare.left.written
        at: yaml.Node = compare.right_at if found.on_right and compare.right_at is not None else compare.left_at
        yield Finding(
            facts.source.span(at),
            f'{found.owner}: `{compare.op}` compares `{written}` with text in dictionary order, and "{found.number}" '
            "looks like a number",
            note='"10" comes before "9"',
            help=f'assign a number first, `"${{{written} | int}}"`, and compare it with a number without quotes',
        )


@rule("GW409", Severity.WARNING, "list, mapping or boolean interpolated into text")
def odd_text(facts: Facts) -> Iterator[Finding]:
    """A list, mapping or boolean inside a text is written as Python writes it: `['a']`, `{'k': 1}`, `True`.

    What reads the text usually wants JSON: pipe it through `json`. A template that stands alone, with nothing around
    it, keeps its value and type.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {labels: {type: array}}, required: [labels]}
        config:
          start: done
          nodes:
            done: {type: return, output: "labels: ${inputs.labels}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {labels: {type: array}}, required: [labels]}
        config:
          start: done
          nodes:
            done: {type: return, output: "labels: ${inputs.labels | json}"}
    """
    if facts.graph is None:
        return
    for found in facts.mismatches.texts:
        yield Finding(
            _span(facts, found.place),
            f"{found.owner}: `{found.written}` is {a_value_of(found.type)}, which the text shows as Python writes it",
            note=describe(found.type),
            help=f"write `${{{found.written} | json}}`",
        )


@rule("GW410", Severity.WARNING, "path into a value whose type has no such field")
def no_field(facts: Facts) -> Iterator[Finding]:
    """A path steps to a field that its value never has, so it is always null.

    The types come from `config_schema`, `state_schema`, literals and known tools: a text or a number has no fields,
    a list has indices, and an object has the properties that its schema lists.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team.name}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties: {team: {type: object, properties: {name: {type: string}}, required: [name]}}
          required: [team]
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team.name}"}
    """
    if facts.graph is None:
        return
    for found in facts.mismatches.fields:
        yield Finding(
            _span(facts, found.place),
            f"{found.owner}: `{found.read.written}` is always null, because {a_value_of(found.before)} has no "
            f"`{found.segment}`",
            note="no such field",
            help=_field_mend(found),
        )


def _field_mend(found: NoField) -> str:
    fields = [name for name, _ in found.before.fields]
    if fields and isinstance(found.segment, str):
        return meant(nearest(found.segment, fields)) or f"legal here: {listed(fields, 'or')}"
    if found.before.kinds == STRING.kinds:
        return "a text that holds JSON is opened by `| from_json`, in an assign of its own"
    if found.before.kinds == ARRAY.kinds:
        return "a list is read by index, as in `rows.0`"
    return "read the value as a whole, without a step behind it"


@rule("GW412", Severity.ERROR, "wrong type for where it goes")
def wrong_destination(facts: Facts) -> Iterator[Finding]:
    """A value that its destination does not take: `over` that is no list, an `output` that is not what
    `output_schema` says, a value for a state key that is not what `state_schema` says.

    Fails:
        tool_type: graph
        permissions: []
        output_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: done
          nodes:
            done: {type: return, output: "all of them"}

    Passes:
        tool_type: graph
        permissions: []
        output_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: done
          state: {total: 0}
          nodes:
            done: {type: return, output: {total: "${state.total}"}}
    """
    graph = facts.graph
    if graph is None:
        return
    for node in graph.nodes.values():
        if node.foreach is not None:
            yield from _over(facts, node, node.foreach)
    if not facts.faults("GW105"):
        yield from _outputs(facts, graph)
        yield from _state(facts, graph)


def _over(facts: Facts, node: ir.Node, foreach: ir.Foreach) -> Iterator[Finding]:
    over = foreach.over
    found = facts.types.of(over, node)
    if isinstance(over, ir.Const) and isinstance(over.value, str) and not _is_json_list(over.value):
        problem = "a text that holds no JSON list"
    elif found.known and found.present.kinds and not found.kinds & (ARRAY.kinds | STRING.kinds):
        problem = a_value_of(found)
    else:
        return
    yield Finding(
        facts.source.span(foreach.over_at),
        f"`over` of node `{node.name}` is {problem}, and a foreach goes over a list",
        note="no list",
        help="give it a list, or a text that holds a JSON list"
        if "object" not in found.kinds
        else "`| keys` gives a list",
    )


def _is_json_list(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False


def _outputs(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    if graph.output_schema is None:
        return
    wanted = from_schema(graph.output_schema, fills=False)
    for node in graph.nodes.values():
        if node.output is None or node.output_at is None:
            continue
        found = list(misfits(node.output, wanted, Scope(node), facts.types, node.output_at))
        if isinstance(node.output, ir.Const) and not any(misfit.path for misfit in found):
            reason = violation(node.output.value, graph.output_schema, graph.output_schema)
            if reason is not None:
                yield _literal(
                    facts.source.span(node.output_at), f"`output` of node `{node.name}`", "output_schema", reason
                )
            continue
        for misfit in found:
            span = facts.source.span(misfit.at or node.output_at)
            yield _misfit(span, f"node `{node.name}`", "output", "output_schema", misfit)


def _state(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """Literals of `config.state` and assigns against `state_schema`."""
    if graph.state_schema is None or facts.model is None:
        return
    for key, value in facts.model.state:
        literal = ir.Const(facts.source.value(value))
        yield from _state_value(facts, graph, key.value, literal, Scope(None), value, "`config.state`")
    for node in graph.nodes.values():
        for entry, scope in facts.types.assigning(node):
            yield from _state_value(facts, graph, entry.key, entry.value, scope, entry.value_at, f"node `{node.name}`")


def _state_value(
    facts: Facts, graph: ir.Graph, key: str, value: ir.Value, scope: Scope, at: yaml.Node, owner: str
) -> Iterator[Finding]:
    declared = facts.types.declared_state
    field = declared.field_map.get(key)
    if field is None:
        if not declared.others.kinds:
            legal = f"legal here: {listed([name for name, _ in declared.fields], 'or')}"
            yield Finding(facts.source.span(at), f"{owner}: `state_schema` allows no key `{key}`", help=legal)
        return
    properties = graph.state_schema.get("properties") if isinstance(graph.state_schema, dict) else None
    schema = properties.get(key) if isinstance(properties, dict) else None
    found = list(misfits(value, field.type, scope, facts.types, at))
    if isinstance(value, ir.Const) and schema is not None and not any(misfit.path for misfit in found):
        reason = violation(value.value, schema, graph.state_schema)
        if reason is not None:
            yield _literal(facts.source.span(at), f"{owner}: `state.{key}`", "state_schema", reason)
        return
    for misfit in found:
        yield _misfit(facts.source.span(misfit.at or at), owner, f"state.{key}", "state_schema", misfit)


def _literal(span: Span, what: str, schema: str, reason: str) -> Finding:
    return Finding(span, f"{what} does not fit `{schema}`: {reason}", help=f"change the value, or `{schema}`")


def _misfit(span: Span, owner: str, what: str, schema: str, misfit: Misfit) -> Finding:
    where = ".".join((what, *misfit.path))
    if misfit.missing is not None:
        message = f"{owner}: `{where}` has no `{misfit.missing}`, which `{schema}` requires"
        return Finding(span, message, help=f"add `{misfit.missing}: …`")
    if not misfit.wanted.kinds:
        return Finding(span, f"{owner}: `{schema}` allows no `{where}`", help="remove it, or declare it in the schema")
    wanted = a_value_of(misfit.wanted)
    if misfit.wanted.values is not None and misfit.found.kinds & misfit.wanted.kinds:
        wanted = f"one of {', '.join(json.dumps(value, ensure_ascii=False) for value in misfit.wanted.values)}"
    return Finding(
        span,
        f"{owner}: `{where}` is {a_value_of(misfit.found)}, but `{schema}` wants {wanted}",
        note=describe(misfit.found),
        help=f"give it {wanted}, or change `{schema}`",
    )


def _span(facts: Facts, place: Place) -> Span:
    return facts.source.span_in(place.at, place.start, place.end)
