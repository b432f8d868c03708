"""Checks the schemas that a graph declares: validity (GW105), defaults (GW112), required names (GW117)."""

from __future__ import annotations

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from graphwright.diagnostic import Span
from graphwright.fault import FaultLog
from graphwright.faults.schemas import BadDefault, EndlessDefault, InvalidSchema, UnknownRequired
from graphwright.faults.yaml import AmbiguousScalar, NotJson
from graphwright.model import GraphSpec, Schema
from graphwright.record import replace
from graphwright.recover.recovery import Recovery
from graphwright.schema.references import reference_problems
from graphwright.schema.required import unknown_names
from graphwright.schema.structure import problems
from graphwright.schema.walk import schema_nodes
from graphwright.source.reader import Source


def check_schemas(spec: GraphSpec) -> None:
    """Record the faults of all schemas of a graph."""
    log = spec.recovery.log
    for schema in (spec.inputs_schema, spec.output_schema, spec.state_schema):
        if schema is None:
            continue
        _letters(spec.source, schema, log)
        _ambiguous_values(spec.source, schema, log)
        broken = _invalid(spec.recovery, schema)
        _required(spec.recovery, schema, is_strict=schema is spec.inputs_schema)
        if schema is spec.inputs_schema:
            _defaults(spec.source, schema.at, broken, log)


def _letters(source: Source, schema: Schema, log: FaultLog) -> None:
    """A property named `n` or `y` reads as a string in `required`, as it does as a key."""
    for part in schema_nodes(source, schema.at, schema.key.value):
        required = source.get(part.at, "required")
        for name in required.value if isinstance(required, SequenceNode) else ():
            if isinstance(name, ScalarNode) and len(name.value) == 1:
                log.retract(source.span(name), AmbiguousScalar)


def _ambiguous_values(source: Source, schema: Schema, log: FaultLog) -> None:
    """Use the declared type of a value to determine the meaning of an ambiguous scalar."""
    for part in schema_nodes(source, schema.at, schema.key.value):
        kind = source.value(found) if (found := source.get(part.at, "type")) is not None else None
        wanted = {"string": "text", "boolean": "value", "integer": "value", "number": "value"}.get(str(kind))
        options = source.get(part.at, "enum")
        values = [source.get(part.at, "default"), source.get(part.at, "const")]
        values += options.value if isinstance(options, SequenceNode) else []
        for value in values:
            ambiguous = log.at(source.span(value), AmbiguousScalar) if value is not None and wanted else None
            if ambiguous is not None and wanted is not None:
                log.amend(replace(ambiguous, wanted=wanted))


def _invalid(recovery: Recovery, schema: Schema) -> list[Span]:
    """Record what is wrong with a schema, and return the locations; the affected properties become guesses.

    Values that are not JSON are already reported and skipped.
    """
    source, log = recovery.source, recovery.log
    properties = source.get(schema.at, "properties")
    entries = source.entries(properties) if isinstance(properties, MappingNode) else ()
    found = [fault.span for fault in source.faults if isinstance(fault, NotJson)]
    unreadable = tuple(found)
    for problem in (*problems(source, schema.at), *reference_problems(source, schema.at)):
        span = source.span(problem.at)
        if any(_is_inside(each, span) for each in unreadable):
            continue
        about = [key for key, value in entries if _is_inside(span, source.span(value))]
        recovery.guessed += (schema.key, *(about or (key for key, _ in entries)))
        text = problem.at.value if isinstance(problem.at, ScalarNode) else None
        log.add(InvalidSchema(span, schema.key.value, problem.text, problem.sort, problem.suggestion, text))
        log.retract(span, AmbiguousScalar)
        found.append(span)
    return found


def _required(recovery: Recovery, schema: Schema, *, is_strict: bool) -> None:
    """Record the names in `required` that are not properties. For misspelled names, the intended property is required.

    Other missing properties of a state or an output are reported where they should be assigned or returned.
    """
    source = recovery.source
    misplaced = {fault.text for fault in recovery.log.of(InvalidSchema) if fault.sort == "property"}
    for found in unknown_names(source, schema.at):
        if found.meant is None and ((found.at_root and not is_strict) or found.at.value in misplaced):
            continue
        suggestion = None if found.meant is None else found.meant.value
        recovery.log.add(UnknownRequired(source.span(found.at), schema.key.value, found.at.value, suggestion))
        if found.meant is not None:
            recovery.guessed += [found.meant] if is_strict else [schema.key]


def _defaults(source: Source, root: MappingNode, broken: list[Span], log: FaultLog) -> None:
    """Check each default against its schema, unless that is invalid itself."""
    document = source.value(root)
    reported = set[int]()
    for schema in schema_nodes(source, root, "config_schema"):
        default = source.get(schema.at, "default")
        if default is None or any(_is_inside(part, source.span(schema.at)) for part in broken):
            continue
        if broken and any(source.get(part.at, "$ref") for part in schema_nodes(source, schema.at, "")):
            continue  # the reference may lead to the invalid part
        own = source.value(schema.at)
        if not isinstance(own, dict):
            continue
        from graphwright.schema.defaults import FillingError, filled_default
        from graphwright.schema.evaluation import violation

        try:
            reason = violation(filled_default(own, document), own, document)
        except FillingError as problem:
            if problem.cycle and id(own) not in problem.cycle:
                continue  # an endless default inside this one is reported separately
            if reported.isdisjoint(problem.cycle or (id(document),)):
                reported.update(problem.cycle or (id(document),))
                endless = "itself" if problem.cycle else "too many others"
                log.add(EndlessDefault(source.span(default), schema.name, endless))
            continue
        if reason is not None:
            text = default.value if isinstance(default, ScalarNode) else None
            options = own.get("enum")
            known = (own.get("type"), tuple(options) if isinstance(options, list) else ())
            log.add(BadDefault(source.span(default), schema.name, reason, source.value(default), text, *known))


def _is_inside(part: Span, whole: Span) -> bool:
    return part[1:3] >= whole[1:3] and part[3:] <= whole[3:]
