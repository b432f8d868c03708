"""JSON constants as expressions whose types checkers can tell."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright import ir
from graphwright.emit.code import Code, call
from graphwright.emit.displays import typed
from graphwright.emit.literals import encoded, literal
from graphwright.emit.uses import Uses


def constant_code(value: ir.Json, uses: Uses) -> Code:
    """A constant: written out, or read from JSON text where it is too deep or too large for that."""
    written = literal(value)
    return written if written is not None else call(uses.runtime("from_json"), (Code(encoded(value)),))


def typed_constant(value: ir.Json, uses: Uses) -> Code:
    """A constant where nothing around it says of what type it is."""
    return typed(ir.Const(value), constant_code(value, uses), uses)


def options_code(values: Sequence[ir.Json], uses: Uses) -> Code:
    """A list of constants to go through."""
    listed = Code(f"[{', '.join(constant_code(value, uses).text for value in values)}]")
    if any(isinstance(value, (list, dict)) for value in values):
        return call(uses.runtime("sequence"), (listed,))
    return listed
