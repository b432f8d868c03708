"""Emits values of the graph as Python expressions.

Every operation is a call of the runtime or an operator with known precedence. Expressions that are nested too deeply
for Python's parser are moved to small functions (`part_1`) that preserve evaluation order and laziness.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright import ir
from graphwright.analysis.fallible import value_can_fail
from graphwright.emit.code import Code, call, choice
from graphwright.emit.displays import constant_code, is_mixed, is_vague, never_null, typed
from graphwright.emit.literals import quoted
from graphwright.emit.reading import NULLABLE, roots_read, written
from graphwright.emit.scope import FunctionScope
from graphwright.ir import visit
from graphwright.language.pipes import PIPES

#: Maximum nesting of brackets in one expression.
MAX_NESTING: Final = 12
#: Maximum number of operands of a fallback that must be evaluated one after the other; longer ones are split.
MAX_CHAIN: Final = 8
#: A string with templates and more literal characters than this is split at line breaks, one part per argument.
_LONG_TEXT: Final = 60

_ARITHMETIC: Final = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}


def value_code(value: ir.Value, scope: FunctionScope, *, quiet: bool = False) -> Code:
    """A value as an expression. A template that can be null, according to its type, logs a warning then.

    `quiet`: the type of a list or a dict is known from its context.
    """
    match value:
        case ir.Template(value=inner):
            return noted(inner, value_code(inner, scope, quiet=quiet), scope)
        case ir.Read():
            return scope.read(value)
        case ir.Const(constant):
            code = constant_code(constant, scope.uses)
            return code if quiet else typed(value, code, scope.uses)
        case ir.Text(parts):
            return _text(parts, scope)
        case ir.FirstOf(operands):
            return _first_of(operands, scope)
        case ir.Arithmetic(first, operations):
            code = value_code(first, scope)
            for operation in operations:
                code = _call(_ARITHMETIC[operation.operator], (code, value_code(operation.operand, scope)), scope)
            return code
        case ir.Negative(operand):
            return _call("negate", (value_code(operand, scope),), scope)
        case ir.Pipe("default", operand, arguments):
            return _first_of((operand, *arguments), scope)
        case ir.Pipe(name, operand, arguments):
            return _call(PIPES[name].function, [value_code(each, scope) for each in (operand, *arguments)], scope)
        case ir.ListOf() | ir.MapOf():
            if is_mixed(value) or (not quiet and is_vague(value)):
                return typed(value, display_code(value, scope), scope.uses)
            return display_code(value, scope, quiet=quiet)


def params_code(params: ir.Value, scope: FunctionScope) -> Code:
    """The params of an action, without literal nulls.

    A param of a node that is a single template is emitted without a warning: the runtime removes nulls and warns about
    them (`reads`).
    """
    value = without_nulls(params)
    if isinstance(value, ir.Const) and isinstance(value.value, dict):
        value = ir.MapOf(tuple((key, ir.Const(entry)) for key, entry in value.value.items()))
    if not isinstance(value, ir.MapOf):
        return value_code(value, scope)
    if scope.node is None:
        return display_code(value, scope)
    return display_code(ir.MapOf(tuple((key, unwrapped(entry)) for key, entry in value.entries)), scope)


def unwrapped(value: ir.Value) -> ir.Value:
    """The expression in a template that can be null; otherwise the value itself."""
    return value.value if isinstance(value, ir.Template) and isinstance(value.value, NULLABLE) else value


def declared_code(value: ir.Value, scope: FunctionScope) -> Code:
    """A value for a variable with a declared type, if it is a list or a dict."""
    inner = value.value if isinstance(value, ir.Template) else value
    if isinstance(inner, (ir.ListOf, ir.MapOf)):
        return display_code(inner, scope)
    return value_code(value, scope, quiet=True)


def display_code(value: ir.ListOf | ir.MapOf, scope: FunctionScope, *, quiet: bool = True) -> Code:
    """A list or a dict. `quiet`: its type is known from its context."""
    if isinstance(value, ir.ListOf):
        items = [shallow(value_code(item, scope, quiet=quiet), scope) for item in value.items]
        depth = 1 + max([code.depth for code in items], default=0)
        return Code(f"[{', '.join([code.text for code in items])}]", depth=depth)
    entries = [(key, shallow(value_code(entry, scope, quiet=quiet), scope)) for key, entry in value.entries]
    depth = 1 + max([code.depth for _, code in entries], default=0)
    return Code(f"{{{', '.join([f'{quoted(key)}: {code.text}' for key, code in entries])}}}", depth=depth)


def without_nulls(value: ir.Value) -> ir.Value:
    """The value without literal nulls in its mappings, at every level."""
    match value:
        case ir.Const(constant):
            return ir.Const(_stripped(constant))
        case ir.MapOf(entries):
            kept = tuple((key, without_nulls(entry)) for key, entry in entries if not _is_null(entry))
            return ir.MapOf(kept)
        case ir.ListOf(items):
            return ir.ListOf(tuple(without_nulls(item) for item in items))
        case _:
            return value


def _is_null(value: ir.Value) -> bool:
    return isinstance(value, ir.Const) and value.value is None


def _stripped(value: ir.Json) -> ir.Json:
    if isinstance(value, dict):
        return {key: _stripped(entry) for key, entry in value.items() if entry is not None}
    return [_stripped(item) for item in value] if isinstance(value, list) else value


def _call(function: str, arguments: Iterable[Code], scope: FunctionScope) -> Code:
    """A call of the runtime."""
    return call(scope.uses.runtime(function), [shallow(argument, scope) for argument in arguments])


def shallow(code: Code, scope: FunctionScope, returns: str = "object") -> Code:
    """The code as an operand; moved to a function if it is nested too deeply."""
    if code.depth < MAX_NESTING:
        return code
    displayed = {"{": "dict[str, object]", "[": "list[object]"}.get(code.text[0])
    return scope.outlined(code, displayed or returns)


def noted(value: ir.Value, code: Code, scope: FunctionScope) -> Code:
    """The code of a whole template, or of a template in a string, with a warning if it is null."""
    if not is_worth_a_note(value, scope):
        return code
    noter = "event" if scope.node is None else scope.cursor
    return call(f"{noter}.note", (Code(quoted(written(value))), shallow(code, scope), *note_base(value, scope)))


def is_worth_a_note(value: ir.Value, scope: FunctionScope) -> bool:
    """Whether a whole template, or a template in a string, can be null, so that a warning is useful."""
    if not isinstance(value, NULLABLE):
        return False
    if scope.node is None and not any(map(_leads_into_data, visit.reads(value))):
        return False
    return scope.knowledge.is_nullable(value, scope.node, scope.locals, scope.event)


def _leads_into_data(read: ir.Read) -> bool:
    """Whether a path in a hook reads data. The fields of an event may be null, such as the `error` of a success."""
    return len(read.path) > 1


def note_base(value: ir.Value, scope: FunctionScope) -> tuple[Code, ...]:
    """The value that a warning needs to suggest a name: the result or the item that is read."""
    roots = roots_read(value) & {ir.Root.RESULT, ir.Root.ITEM}
    if len(roots) != 1:
        return ()
    name = "result" if ir.Root.RESULT in roots else scope.item
    return () if name is None else (Code(name),)


def _text(parts: tuple[str | ir.Value, ...], scope: FunctionScope) -> Code:
    given: list[Code] = []
    long = sum(len(part) for part in parts if isinstance(part, str)) > _LONG_TEXT
    for part in parts:
        if isinstance(part, str):
            given += [Code(quoted(piece)) for piece in (part.splitlines(keepends=True) if long else [part])]
        else:
            given.append(noted(part, value_code(part, scope), scope))
    return _call("text", given, scope)


def _first_of(operands: tuple[ir.Value, ...], scope: FunctionScope) -> Code:
    """The first operand that is not null; operands after one that cannot be null are omitted."""
    tried: list[ir.Value] = []
    for operand in operands:
        tried.append(operand)
        if never_null(operand):
            break
    if len(tried) == 1:
        return value_code(tried[0], scope)
    if not any(value_can_fail(operand) for operand in tried[1:]):
        return _call("coalesce", [value_code(operand, scope) for operand in tried], scope)
    return _one_by_one(tried, scope)


def _one_by_one(operands: list[ir.Value], scope: FunctionScope) -> Code:
    """A fallback whose later operands can fail, so that each is only evaluated if it is needed."""
    tried = [(operand, shallow(value_code(operand, scope), scope)) for operand in operands]
    named = [
        (code if isinstance(operand, ir.Read) else Code(scope.names.claim("value")), code)
        for operand, code in tried[:-1]
    ]
    result = tried[-1][1]
    for position, (name, code) in enumerate(reversed(named)):
        if position % MAX_CHAIN == MAX_CHAIN - 1 or result.depth >= MAX_NESTING - 2:
            result = scope.outlined(result, "object")
        tested = code if name is code else Code(f"{name.text} := {code.text}", depth=code.depth)
        result = choice(call(scope.uses.runtime("exists"), (tested,)), name, result)
    return result
