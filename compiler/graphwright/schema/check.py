"""The schemas that a graph declares: valid (GW105), and their defaults among what they allow (GW112)."""

from __future__ import annotations

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

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
        if not _invalid(spec.source, schema, log) and schema is spec.inputs_schema:
            _defaults(spec.source, schema.at, log)


def _letters(source: Source, schema: Schema, log: FaultLog) -> None:
    """A property named `n` or `y` reads as text in `required`, as it does where it is a key."""
    for part in subschemas(source, schema.at, schema.key.value):
        required = source.get(part.at, "required")
        for name in required.value if isinstance(required, SequenceNode) else ():
            if isinstance(name, ScalarNode) and len(name.value) == 1:
                log.settle(source.span(name), "GW004")


def _invalid(source: Source, schema: Schema, log: FaultLog) -> bool:
    found = False
    for problem in problems(source, schema.at):
        span = source.span(problem.at)
        facts = {"problem": problem.text, "suggestion": problem.suggestion, "sort": problem.sort}
        log.add("GW105", span, schema=schema.key.value, **facts)
        log.settle(span, "GW004")
        found = True
    return found


def _defaults(source: Source, root: MappingNode, log: FaultLog) -> None:
    document = source.value(root)
    for schema in subschemas(source, root, "config_schema"):
        default = source.get(schema.at, "default")
        if default is None:
            continue
        own = source.value(schema.at)
        reason = violation(filled(source.value(default), own, document), own, document)
        if reason is not None:
            log.add("GW112", source.span(default), name=schema.name, reason=reason)
