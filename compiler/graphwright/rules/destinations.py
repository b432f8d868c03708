"""GW412: values that do not fit their destinations.

Values of unknown types are not reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.destination import Misfit, misfits, surely_misfits
from graphwright.analysis.jsontype import ARRAY, STRING, Type
from graphwright.analysis.type_text import a_value_of, describe
from graphwright.analysis.typing import ProgramPoint
from graphwright.diagnostic import Severity, Span
from graphwright.facts import Facts
from graphwright.language.words import NULL_WORDS
from graphwright.model import UNKNOWN_NAME, GraphSpec, Schema
from graphwright.rules.calls import calls_directives
from graphwright.rules.constraints import violating_params
from graphwright.rules.nullable import nullable_operands, nullable_params
from graphwright.rules.params import wrong_types
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import listed, meant, scalar
from graphwright.schema.evaluation import violation
from graphwright.schema.state import key_schema
from graphwright.schema.types import from_schema
from graphwright.suggest import nearest


@graph_rule("GW412", Severity.ERROR, "value of the wrong type for its destination")
def wrong_destination(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A value that its destination does not accept: an `over` that is not a list, an `output` that does not conform to
    `output_schema`, a state key whose value does not conform to `state_schema`, a required state key that is never
    assigned, a param that a tool does not accept (it has the wrong type, or is a constant that violates a keyword such
    as `minimum` of the tool's schema), or an input of the wrong type for a directive.

    Also a value that may be null, as a tool declares it, where null is an error: for a param that another tool requires
    (a null is not passed on), in arithmetic, and as the limit of a comparison. As the list of a foreach, and where the
    failure is handled, it is only a warning. Nothing is reported after `exists`, with a fallback, or if a condition
    tests a flag, a status or a count of the same result.

    Fails:
        tool_type: graph
        permissions: []
        output_schema: {type: object, properties: {total: {type: integer}}, required: [total]}
        config:
          start: done
          nodes:
            done: {type: return, output: "all of them"}

    Passes:
           start: done
        +  state: {total: 0}

        -    done: {type: return, output: "all of them"}
        +    done: {type: return, output: {total: "${state.total}"}}
    """
    for node in facts.nodes.values():
        if isinstance(node, ir.ForeachNode):
            yield from _over(facts, node)
    yield from wrong_types(facts)
    yield from violating_params(facts)
    yield from nullable_params(facts)
    yield from nullable_operands(facts)
    if calls_directives(facts):
        from graphwright.rules.directives import wrong_input_types

        yield from wrong_input_types(facts)
    if facts.model is not None and _is_sound(graph, facts.model.output_schema):
        yield from _outputs(facts, graph)
    if facts.model is not None and _is_sound(graph, facts.model.state_schema):
        yield from _state(facts, graph, facts.model)


def _is_sound(graph: ir.Graph, schema: Schema | None) -> bool:
    """Whether a schema exists and is valid (GW105)."""
    return schema is not None and graph.doubt.trusts(schema.key)


def _over(facts: Facts, node: ir.ForeachNode) -> Iterator[Finding]:
    over = node.over
    if not facts.flow.graph.doubt.trusts(over):
        return
    found = facts.types.of(over, node)
    if isinstance(over, ir.Const) and isinstance(over.value, str) and not _is_json_list(over.value):
        problem = "a string that does not contain a JSON list"
        advice = _list_meant(facts, over.value)
    elif not isinstance(over, ir.Const) and (text := _never_a_list(found)) is not None:
        problem = f"a string that does not contain a JSON list, such as {json.dumps(text, ensure_ascii=False)}"
        advice = "write a list, such as `[a, b]` or `${state.rows}`"
        if text.casefold() in NULL_WORDS:
            advice = f"`{text}` is a string: for a list without items, write `[]` where it is assigned"
    elif found.known and found.present.kinds and not found.kinds & (ARRAY.kinds | STRING.kinds):
        problem = a_value_of(found)
        advice = "write a list, such as `[a, b]` or `${state.rows}`"
        if "object" in found.kinds and isinstance(node.over_at, yaml.ScalarNode):
            advice = f"write `{_keys_of(node.over_at.value)}` to iterate over its keys"
    else:
        return
    yield Finding(
        facts.source.span(node.over_at),
        f"`over` of node `{node.name}` is {problem}, but a foreach needs a list",
        note="not a list",
        help=advice,
    )


def _never_a_list(found: Type) -> str | None:
    """A string that a value can be, if its possible strings are known and none of them contains a list."""
    texts = [value for value in found.values or () if isinstance(value, str)]
    if found.present.kinds != STRING.kinds or not texts or any(map(_is_json_list, texts)):
        return None
    return texts[0]


def _keys_of(template: str) -> str:
    """The template of a mapping, converted to one of the list of its keys."""
    inside = template.strip().removeprefix("${").removesuffix("}").strip()
    return f"${{{inside} | keys}}"


def _list_meant(facts: Facts, text: str) -> str:
    """The advice for a string that is not a list: a path without braces, or names separated by commas."""
    if text.strip() in facts.assignment.all_keys:
        text = f"state.{text.strip()}"
    root, _, key = text.strip().partition(".")
    if root == "inputs" or (root == "state" and key.partition(".")[0] in facts.assignment.all_keys):
        return f'write `over: "${{{text.strip()}}}"`'
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return f"write a list: `over: [{', '.join(map(scalar, parts))}]`"


def _is_json_list(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return False


def _outputs(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    if graph.output_schema is None:
        return
    wanted = from_schema(graph.output_schema, fills=False)
    for node in facts.nodes.values():
        if not isinstance(node, ir.ReturnNode) or node.output is None or node.output_at is None or node.fails:
            continue
        found = list(misfits(node.output, wanted, ProgramPoint(node), facts.types, node.output_at))
        literal = node.output if isinstance(node.output, ir.Const) and graph.doubt.trusts(node.output) else None
        if literal is not None and not any(misfit.path or misfit.missing for misfit in found):
            reason = violation(literal.value, graph.output_schema, graph.output_schema)
            if reason is not None:
                yield _literal(
                    facts.source.span(node.output_at), f"`output` of node `{node.name}`", "output_schema", reason
                )
            continue
        for misfit in found:
            span = facts.source.span(misfit.at or node.output_at)
            yield _misfit(span, f"node `{node.name}`", "output", "output_schema", misfit)


def _state(facts: Facts, graph: ir.Graph, spec: GraphSpec) -> Iterator[Finding]:
    """Checks values of `config.state`, assigns and collected lists against `state_schema`."""
    yield from _never_there(facts, graph, spec)
    for key, value in spec.state:
        if graph.doubt.trusts(key):
            literal = ir.Const(facts.source.value(value))
            yield from _state_value(facts, graph, key.value, literal, ProgramPoint(None), value, "`config.state`")
    for node in facts.nodes.values():
        for entry, point in facts.types.assigning(node):
            if entry.key == UNKNOWN_NAME:
                continue
            yield from _state_value(facts, graph, entry.key, entry.value, point, entry.value_at, f"node `{node.name}`")
        if isinstance(node, ir.ForeachNode) and node.collect is not None and node.collect_at is not None:
            yield from _collected(facts, node, node.collect, node.collect_at)


def _never_there(facts: Facts, graph: ir.Graph, spec: GraphSpec) -> Iterator[Finding]:
    """Keys that `state_schema` requires and nothing assigns, so that no run can complete."""
    found = spec.state_schema and facts.source.get(spec.state_schema.at, "required")
    assigned = facts.assignment.all_keys
    if facts.assignment.unknown_key or not isinstance(found, yaml.SequenceNode):
        return
    for item in found.value:
        name = facts.source.value(item)
        if not isinstance(name, str) or name in assigned or graph.doubt.mentions(name):
            continue
        near = nearest(name, assigned)
        if near is not None and not facts.types.declared_key(near).kinds:
            continue  # the key itself is reported
        yield Finding(
            facts.source.span(item),
            f"`state_schema` requires `{name}`, which is never assigned: no run can complete",
            suggestion=near,
            help="assign it, give it a value in `config.state`, or remove it from `required`",
        )


def _collected(facts: Facts, node: ir.Node, key: str, at: yaml.Node) -> Iterator[Finding]:
    wanted, owner = facts.types.declared_key(key), f"node `{node.name}`"
    if not wanted.kinds:
        yield _no_such_key(facts, key, at, owner)
        return
    found = surely_misfits(facts.types.collected(node), wanted)
    if found is not None:
        yield _misfit(facts.source.span(at), owner, f"state.{key}", "state_schema", found)


def _no_such_key(facts: Facts, key: str, at: yaml.Node, owner: str) -> Finding:
    names = [name for name, _ in facts.types.declared_state.fields]
    message, legal = f"{owner}: `state_schema` does not allow the key `{key}`", f"allowed here: {listed(names, 'or')}"
    return Finding(facts.source.span(at), message, help=legal, suggestion=nearest(key, names))


def _state_value(
    facts: Facts, graph: ir.Graph, key: str, value: ir.Value, point: ProgramPoint, at: yaml.Node, owner: str
) -> Iterator[Finding]:
    wanted = facts.types.declared_key(key)
    if not wanted.kinds:
        yield _no_such_key(facts, key, at, owner)
        return
    found = list(misfits(value, wanted, point, facts.types, at))
    if isinstance(value, ir.Const) and graph.doubt.trusts(value) and not any(misfit.path for misfit in found):
        reason = violation(value.value, key_schema(graph.state_schema, key), graph.state_schema)
        if reason is not None:
            yield _literal(facts.source.span(at), f"{owner}: `state.{key}`", "state_schema", reason)
        return
    for misfit in found:
        yield _misfit(facts.source.span(misfit.at or at), owner, f"state.{key}", "state_schema", misfit)


def _literal(span: Span, what: str, schema: str, reason: str) -> Finding:
    return Finding(span, f"{what} does not conform to `{schema}`: {reason}", help=f"change the value, or `{schema}`")


def _misfit(span: Span, owner: str, what: str, schema: str, misfit: Misfit) -> Finding:
    where = ".".join((what, *misfit.path))
    if misfit.missing is not None:
        message = f"{owner}: `{where}` has no `{misfit.missing}`, which `{schema}` requires"
        return Finding(span, message, help=f"add `{misfit.missing}: …`")
    if not misfit.wanted.kinds:
        return Finding(
            span, f"{owner}: `{schema}` does not allow `{where}`", help="remove it, or declare it in the schema"
        )
    wanted = a_value_of(misfit.wanted)
    if misfit.wanted.values is not None and misfit.found.kinds & misfit.wanted.kinds:
        wanted = f"one of {', '.join(json.dumps(value, ensure_ascii=False) for value in misfit.wanted.values)}"
    values = misfit.found.values
    given = json.dumps(values[0], ensure_ascii=False) if values and len(values) == 1 else a_value_of(misfit.found)
    return Finding(
        span,
        f"{owner}: `{where}` is {given}, but `{schema}` requires {wanted}",
        note=describe(misfit.found),
        help=_wanted(misfit, values) or f"write {wanted}, or change `{schema}`",
        about=misfit,
    )


def _wanted(misfit: Misfit, values: tuple[object, ...] | None) -> str | None:
    """The probable meaning of a literal: the nearest valid value, or a number without quotes."""
    given = values[0] if values and len(values) == 1 else None
    if not isinstance(given, str):
        return None
    near = nearest(given, [each for each in misfit.wanted.values or () if isinstance(each, str)])
    if near is None and misfit.wanted.kinds & {"integer", "number"} and given.lstrip("-").isdecimal():
        return f"write it without quotes: `{given}`"
    return meant(near)
