"""The schemas that a graph declares: valid (GW105), and their defaults among what they allow (GW112)."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.fault import FaultLog
from graphwright.model import GraphSpec, Schema
from graphwright.schema.structure import problems, subschemas
from graphwright.schema.violations import filled, violation
from graphwright.source.reader import Source


def check_schemas(spec: GraphSpec, log: FaultLog) -> None:
    """Record the faults of all schemas of a graph."""
    for schema in (spec.inputs_schema, spec.output_schema, spec.state_schema):
        if schema is None:
            continue
        _letters(spec.source, schema, log)
        broken = _invalid(spec.source, schema, log)
        if schema is spec.inputs_schema:
            _defaults(spec.source, schema.at, broken, log)


def _letters(source: Source, schema: Schema, log: FaultLog) -> None:
    """A property named `n` or `y` reads as text in `required`, as it does where it is a key."""
    for part in subschemas(source, schema.at, schema.key.value):
        required = source.get(part.at, "required")
        for name in required.value if isinstance(required, SequenceNode) else ():
            if isinstance(name, ScalarNode) and len(name.value) == 1:
                log.settle(source.span(name), "GW004")


def _invalid(source: Source, schema: Schema, log: FaultLog) -> list[Node]:
    """Record what is wrong with a schema, and return where; `property` is the one that is described there, if any."""
    properties = source.get(schema.at, "properties")
    entries = source.entries(properties) if isinstance(properties, MappingNode) else ()
    found = []
    for problem in problems(source, schema.at):
        span = source.span(problem.at)
        about = next((key.value for key, value in entries if _is_inside(source, problem.at, value)), None)
        facts = {"problem": problem.text, "suggestion": problem.suggestion, "sort": problem.sort, "property": about}
        log.add("GW105", span, schema=schema.key.value, **facts)
        log.settle(span, "GW004")
        found.append(problem.at)
    return found


def _defaults(source: Source, root: MappingNode, broken: list[Node], log: FaultLog) -> None:
    """Hold each default against the schema that it stands in, unless something is wrong with that itself."""
    document = source.value(root)
    for schema in subschemas(source, root, "config_schema"):
        default = source.get(schema.at, "default")
        if default is None or any(_is_inside(source, part, schema.at) for part in broken):
            continue
        if broken and any(source.get(part.at, "$ref") for part in subschemas(source, schema.at, "")):
            continue  # to what is wrong, perhaps
        own = source.value(schema.at)
        reason = violation(filled(source.value(default), own, document), own, document)
        if reason is not None:
            log.add("GW112", source.span(default), name=schema.name, reason=reason)


def _is_inside(source: Source, part: Node, whole: Node) -> bool:
    inner, outer = source.span(part), source.span(whole)
    return inner[1:3] >= outer[1:3] and inner[3:] <= outer[3:]
