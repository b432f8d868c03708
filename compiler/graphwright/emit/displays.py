"""Emits constants, lists and dicts as expressions whose types checkers can infer.

Strict checkers reject an empty list inside another one because its type is unknown, and mypy infers wrong types for
`{"a": json, "b": {"c": 1, "d": "x"}}`. The runtime's `mapping` and `sequence` return their argument, and declare that
entries can be anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphwright import ir
from graphwright.emit.code import Code, call
from graphwright.emit.literals import encoded, literal
from graphwright.emit.uses import Uses


def typed(value: ir.Value, code: Code, uses: Uses) -> Code:
    """The code of a list or a dict, with its type declared if necessary; other code is unchanged."""
    if code.text[0] not in "[{" or not (is_mixed(value) or is_vague(value)):
        return code
    return call(uses.runtime("mapping" if code.text[0] == "{" else "sequence"), (code,))


def declaration(code: Code) -> str:
    """The annotation of a variable with this value: a type for a list or a dict, otherwise empty."""
    return {"{": ": dict[str, object]", "[": ": list[object]"}.get(code.text[0], "")


def is_mixed(value: ir.Value) -> bool:
    """Whether a list or a dict contains both another one and a value that is only known at run time."""
    inside = _inside(value)
    return any(map(_is_display, inside)) and not all(map(_is_written, inside))


def is_vague(value: ir.Value) -> bool:
    """Whether a list or a dict contains an empty list or dict at any level."""
    pending = list(_inside(value))
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Const) and each.value in ([], {}):
            return True
        pending.extend(_inside(each))
    return False


def never_null(value: ir.Value) -> bool:
    """Whether a value is certainly not null."""
    match value:
        case ir.Const(constant):
            return constant is not None
        case ir.Text() | ir.ListOf() | ir.MapOf():
            return True
        case _:
            return False


def _inside(value: ir.Value) -> tuple[ir.Value, ...]:
    """The entries of a list or a dict, as in the Python code."""
    match _settled(value):
        case ir.ListOf(items):
            return tuple(map(_settled, items))
        case ir.MapOf(entries):
            return tuple(_settled(entry) for _, entry in entries)
        case ir.Const(list(items)):
            return tuple(map(ir.Const, items))
        case ir.Const(dict(entries)):
            return tuple(map(ir.Const, entries.values()))
        case _:
            return ()


def _settled(value: ir.Value) -> ir.Value:
    """The value inside a template, or the first operand of a fallback if it is never null."""
    match value:
        case ir.Template(value=inner):
            return _settled(inner)
        case ir.FirstOf((first, *_)) | ir.Pipe("default", first, _) if never_null(first):
            return _settled(first)
        case _:
            return value


def _is_display(value: ir.Value) -> bool:
    if isinstance(value, ir.Const):
        return isinstance(value.value, (list, dict))
    return isinstance(value, (ir.ListOf, ir.MapOf)) or _is_copy(value)


def _is_copy(value: ir.Value) -> bool:
    """Whether a value is the whole state or all inputs, which is emitted as `{**state}` or `{**inputs}`."""
    return isinstance(value, ir.Read) and not value.path and value.root in (ir.Root.STATE, ir.Root.INPUTS)


def _is_written(value: ir.Value) -> bool:
    """Whether a value is a constant, or a literal list or dict."""
    return isinstance(value, (ir.Const, ir.ListOf, ir.MapOf))


def constant_code(value: ir.Json, uses: Uses) -> Code:
    """A constant as a literal, or parsed from JSON if it is too deep or too large for that."""
    written = literal(value)
    return written if written is not None else call(uses.runtime("from_json"), (Code(encoded(value)),))


def typed_constant(value: ir.Json, uses: Uses) -> Code:
    """A constant in a position where its type must be declared."""
    return typed(ir.Const(value), constant_code(value, uses), uses)


def options_code(values: Sequence[ir.Json], uses: Uses) -> Code:
    """A list of constants to iterate over."""
    listed = Code(f"[{', '.join(constant_code(value, uses).text for value in values)}]")
    if any(isinstance(value, (list, dict)) for value in values):
        return call(uses.runtime("sequence"), (listed,))
    return listed
