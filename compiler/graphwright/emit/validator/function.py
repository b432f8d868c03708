"""The validating function of a module."""

from __future__ import annotations

from graphwright.emit.blocks import indented
from graphwright.emit.expressions import constant_code
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.uses import Uses
from graphwright.emit.validator.compiler import Compiler
from graphwright.emit.validator.schema import is_compilable, items, mapping
from graphwright.ir import Json

#: The constant that holds a schema which only the library jsonschema can check.
SCHEMA = "_INPUTS_SCHEMA"


def validator(schema: Json, uses: Uses) -> tuple[Function, ...]:
    """The functions that check the inputs, `_validate` last; none where any inputs will do."""
    if schema is None:
        return ()
    if is_compilable(schema):
        compiler = Compiler(schema, uses)
        body = compiler.root()
        others = tuple(compiler.functions)
    else:
        call = uses.runtime("check_with_jsonschema")
        body = [*_defaults(schema, "inputs", uses), f"{call}({SCHEMA}, inputs, problem)"]
        others = ()
    if not body:
        return ()
    arguments = f"inputs: dict[str, object], problem: {uses.runtime('Problems')}"
    return (*others, Function("_validate", arguments, "None", tuple(body)))


def _defaults(schema: Json, variable: str, uses: Uses) -> list[str]:
    """Statements that fill in the defaults of `properties`, level by level, and nothing else."""
    lines: list[str] = []
    for key, part in mapping(mapping(schema).get("properties")).items():
        inner = mapping(part)
        if "default" in inner:
            lines.append(f"{variable}.setdefault({quoted(key)}, {constant_code(inner['default'], uses).text})")
        found = f"{variable}_{len(variable)}"
        below = _defaults(part, found, uses)
        if below:
            lines.append(f"{found} = {variable}.get({quoted(key)})")
            lines += [f"if {uses.runtime('is_mapping')}({found}):", *indented(below)]
    for part in items(mapping(schema).get("allOf")):
        lines += _defaults(part, variable, uses)
    return lines
