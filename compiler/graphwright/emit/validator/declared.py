"""Emits the functions that check the inputs, values of the state, the output, and the state when a run completes."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright.analysis.declarations import Declarations
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.uses import Uses
from graphwright.emit.validator.compiler import Compiler
from graphwright.emit.validator.defaults import Defaults
from graphwright.ir import Graph, Json
from graphwright.schema.walk import is_static

#: The constants for schemas that only the library jsonschema can check.
SCHEMA = "_INPUTS_SCHEMA"
STATE_SCHEMA = "_STATE_SCHEMA"
OUTPUT_SCHEMA = "_OUTPUT_SCHEMA"


def declared_checks(graph: Graph, declarations: Declarations, uses: Uses) -> Iterator[Function]:
    """The functions for all checks that `uses` has assigned names to, callees first."""
    checks = uses.checks
    if checks.state is not None or checks.keys:
        yield from _of_state(graph.state_schema, declarations, uses)
    if checks.output is None:
        return
    if is_static(graph.output_schema):
        yield from _compiled({checks.output: graph.output_schema}, graph.output_schema, uses)
    else:
        yield _with_library(checks.output, f"{OUTPUT_SCHEMA}, value, problem, path", uses)


def _of_state(document: Json, declarations: Declarations, uses: Uses) -> Iterator[Function]:
    checks = uses.checks
    if is_static(document):
        schemas = {name: declarations.key(key) for key, name in checks.keys.items()}
        if checks.state is not None:
            schemas[checks.state] = declarations.whole_state
        yield from _compiled(schemas, document, uses)
        return
    for key, name in checks.keys.items():
        value = f"{{{quoted(key)}: value}}"
        yield _with_library(name, f'{STATE_SCHEMA}, {value}, problem, "state", below=True', uses)
    if checks.state is not None:
        yield _with_library(checks.state, f"{STATE_SCHEMA}, value, problem, path", uses)


def _compiled(schemas: dict[str, Json], document: Json, uses: Uses) -> list[Function]:
    compiler = Compiler(document, uses)
    for name, schema in schemas.items():
        compiler.define(name, schema)
    return compiler.functions


def _with_library(name: str, arguments: str, uses: Uses) -> Function:
    body = f"{uses.runtime('check_with_jsonschema')}({arguments})"
    return Function(name, f"value: object, path: str, problem: {uses.runtime('Problems')}", "None", (body,))


def validator(schema: Json, uses: Uses) -> tuple[Function, ...]:
    """The functions that check the inputs, `_validate` last; none if any inputs are valid."""
    if schema is None:
        return ()
    defaults = Defaults(schema, uses)
    body = defaults.root()
    functions = defaults.functions
    if is_static(schema):
        compiler = Compiler(schema, uses)
        body += compiler.root()
        functions += compiler.functions
    else:
        body.append(f"{uses.runtime('check_with_jsonschema')}({SCHEMA}, inputs, problem)")
    if not body:
        return ()
    arguments = f"inputs: dict[str, object], problem: {uses.runtime('Problems')}"
    return (*functions, Function("_validate", arguments, "None", tuple(body)))
