"""The validating function of a module."""

from __future__ import annotations

from graphwright.emit.model import Function
from graphwright.emit.uses import Uses
from graphwright.emit.validator.compiler import Compiler
from graphwright.emit.validator.defaults import Defaults
from graphwright.emit.validator.schema import is_compilable
from graphwright.ir import Json

#: The constant that holds a schema which only the library jsonschema can check.
SCHEMA = "_INPUTS_SCHEMA"


def validator(schema: Json, uses: Uses) -> tuple[Function, ...]:
    """The functions that check the inputs, `_validate` last; none where any inputs will do."""
    if schema is None:
        return ()
    defaults = Defaults(schema, uses)
    body = defaults.root()
    functions = defaults.functions
    if is_compilable(schema):
        compiler = Compiler(schema, uses)
        body += compiler.root()
        functions += compiler.functions
    else:
        body.append(f"{uses.runtime('check_with_jsonschema')}({SCHEMA}, inputs, problem)")
    if not body:
        return ()
    arguments = f"inputs: dict[str, object], problem: {uses.runtime('Problems')}"
    return (*functions, Function("_validate", arguments, "None", tuple(body)))
