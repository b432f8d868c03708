"""GW1xx about JSON Schemas: whether they are valid, and defaults conform to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.faults.schemas import BadDefault, EndlessDefault, InvalidSchema, UnknownRequired
from graphwright.pattern import pattern
from graphwright.rules.inputs import is_odd, is_read
from graphwright.rules.registry import Finding, fault_rule, rule
from graphwright.rules.wording import UNAMBIGUOUS, meant, scalar
from graphwright.schema.structure import SLOW
from graphwright.suggest import nearest

#: The advice for certain kinds of problems (`schema.structure.Problem`).
_ADVICE: Final = {
    "remote": "copy the schema into `$defs` of this file and refer to it with `#/$defs/…`",
    "no schema": "write a schema such as `{type: string}`; is the line in the right column?",
    "slipped": "is the line in the right column, with a space after its colon? A schema looks like `{type: string}`",
    "type": "write one of them, such as `type: string`",
    "circle": "refer to it from `properties` or `items`, or write the intended schema here",
    "far": "write more of the schema in one place, with fewer references on the way",
    "$ref": "add the schema under `$defs`, or write the path to an existing one: `#/$defs/NAME`",
    "properties": "write each name before its schema, as in `team: {type: string}`, without `- `",
    "pattern": "correct it, or write a backslash before a literal special character",
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), "write a number without quotes"),
}


@fault_rule(InvalidSchema, Severity.ERROR, "invalid JSON Schema")
def invalid_schema(_: Facts, fault: InvalidSchema) -> Iterator[Finding]:
    """`config_schema`, `output_schema` or `state_schema` is not a valid JSON Schema (draft 2020-12), or refers to a
    schema outside the file. References are never fetched: a graph means the same without a network.

    JSON Schema ignores unknown keywords, so a keyword that is one or two letters off (`propeties`) is reported as
    well.

    Fails:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            team: {type: text}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.team || 'none'}"}

    Passes:
        -    team: {type: text}
        +    team: {type: string}
    """
    wrong = "" if fault.sort in ("keyword", "property") else " is not a valid JSON Schema"
    message = f"`{fault.schema}`{wrong}: {fault.problem}"
    yield Finding(fault.span, message, help=meant(fault.suggestion) or _advice(fault))


def _advice(fault: InvalidSchema) -> str:
    """The advice for an invalid part of a schema."""
    sort, text = fault.sort, fault.text
    if sort == "property":
        return f"describe each value under `properties`: `properties: {{{scalar(str(text))}: …}}`"
    if sort == "required" and text in ("true", "false"):
        return "remove it here, and list the name next to `properties`: `required: [NAME]`"
    if sort in ("required", "enum", "examples") and text:
        return f"write a list: `{sort}: [{scalar(str(text))}]`"
    if sort == "pattern" and SLOW in fault.problem:
        return UNAMBIGUOUS
    return _ADVICE.get(sort, "write what the message says, or remove the line")


@rule("GW112", Severity.ERROR, "default that violates its own schema")
def bad_default(facts: Facts) -> Iterator[Finding]:
    """A default in `config_schema` does not conform to its own schema, so a run that relies on it would be rejected.

    Fails:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties:
            limit: {type: integer, minimum: 1, default: 0}
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.limit}"}

    Passes:
        -    limit: {type: integer, minimum: 1, default: 0}
        +    limit: {type: integer, minimum: 1, default: 10}
    """
    for endless in facts.faults(EndlessDefault):
        yield _endless(endless)
    for fault in facts.faults(BadDefault):
        message = f"the default of `{fault.name}` violates its own schema: {fault.reason}"
        yield Finding(fault.span, message, note="not allowed by the schema", help=_default(fault))


def _endless(fault: EndlessDefault) -> Finding:
    """The finding for a default that contains itself through the defaults of schemas inside it."""
    message = f"the default of `{fault.name}` contains {fault.endless} when defaults are filled in"
    if fault.endless == "itself":
        message += ", so filling in would never end"
    way = "remove one of the defaults: a property that is not in `required` may be absent"
    return Finding(fault.span, message, note="filled in endlessly", help=way)


def _default(fault: BadDefault) -> str:
    """A default that conforms to its schema, as similar as possible to the current one."""
    value, text, options = fault.value, fault.text, fault.options
    if value is None:
        return "remove `default`: an input that is not in `required` may be absent"
    if fault.type == "string" and not isinstance(value, str | list | dict) and text:
        return f"put it in quotes: `default: {json.dumps(text, ensure_ascii=False)}`"
    if fault.type in ("integer", "number", "boolean") and isinstance(value, str) and _UNQUOTED.match(value):
        return f"write it without quotes: `default: {value}`"
    if fault.type in ("integer", "number") and isinstance(value, str) and _EXPONENT.match(value):
        return f"write it as a plain number: `default: {float(value):g}`"
    if options:
        near = nearest(str(value), [each for each in options if isinstance(each, str)])
        shown = " or ".join(f"`default: {json.dumps(each, ensure_ascii=False)}`" for each in options[:6])
        return meant(near) or f"write {shown}"
    return "change the default or its schema"


@fault_rule(UnknownRequired, Severity.WARNING, "required property that is not declared")
def unknown_required(facts: Facts, fault: UnknownRequired) -> Iterator[Finding]:
    """`required` lists a name that is not among the `properties`. In `config_schema`, every run that does not pass an
    undeclared input of that name is refused.

    If the name is almost that of a declared property, it is an error: the property is not required as intended, and
    no caller knows the other name. Nothing is reported if the schema lists no properties, or describes others
    (`additionalProperties`, `patternProperties`).

    Fails:
        tool_type: graph
        permissions: []
        config_schema:
          type: object
          properties: {file_path: {type: string}}
          required: [filepath]
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.file_path}"}

    Passes:
        -  required: [filepath]
        +  required: [file_path]
    """
    if fault.suggestion is None and is_read(facts, fault):
        return  # that is GW307
    odd = is_odd(facts, fault)
    yield Finding(
        fault.span,
        f"`{fault.schema}` requires `{fault.name}`, which is not among its properties"
        + (", and the graph reads it" if odd else ""),
        note="not declared",
        help=(f"rename the property `{fault.suggestion}` to `{fault.name}`" if odd else meant(fault.suggestion))
        or f"declare it under `properties`, `{scalar(fault.name)}: {{type: string}}`, or remove it from `required`",
        severity=Severity.ERROR if fault.suggestion else None,
    )


#: Strings that would be numbers or booleans without their quotes.
_EXPONENT = pattern(r"-?[0-9]+(?:\.[0-9]+)?[eE][0-9]{1,2}\Z")
_UNQUOTED = pattern(r"(?:true|false|-?[0-9]+(?:\.[0-9]+)?)\Z")
