"""The details of a finding as JSON for programs: the fields of the fault, or of the analysis' result."""

from __future__ import annotations

from enum import Enum
from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import Type
from graphwright.analysis.reads import Use
from graphwright.analysis.type_text import describe
from graphwright.diagnostic import Data, Json
from graphwright.fault import Owner
from graphwright.ir.visit import Caller
from graphwright.record import Record

#: Types that JSON can represent; a span is a tuple of a different type.
_PLAIN: Final = frozenset({bool, int, float, str, tuple, list, dict, type(None)})
#: Maximum number of items of a list, and maximum length of a string.
_ITEMS: Final = 50
_CHARACTERS: Final = 500


def data_of(about: Record) -> Data:
    """The fields of a record as JSON, shortened, without locations and edits, which the diagnostic contains."""
    known = _reference(about)
    if known is not None:
        return dict((known,))
    found: dict[str, Json] = {}
    for name in type(about)._fields:
        value = getattr(about, name)
        key, shown = _reference(value) or (name, value)
        if isinstance(shown, Type):
            found[key] = describe(shown)
        elif type(shown) in _PLAIN and not (
            isinstance(shown, tuple) and any(isinstance(each, Record) for each in shown)
        ):
            found[key] = _shortened(shown)
    return found


def _reference(value: object) -> tuple[str, str | None] | None:
    """The representation of a part of a graph: the name of a node, the path of a read; otherwise None."""
    match value:
        case Owner(node=node):
            return "node", node
        case Caller(node=caller):
            return "node", None if caller is None else caller.name
        case ir.ActionNode() | ir.GateNode() | ir.ForeachNode() | ir.ReturnNode():
            return "node", value.name
        case ir.Edge(target=target):
            return "target", target
        case ir.Read(written=written) | Use(read=ir.Read(written=written)) | ir.Compare(left=ir.Read(written=written)):
            return "path", written
        case _:
            return None


def _shortened(value: object) -> Json:
    """A value as JSON, with long parts shortened."""
    if isinstance(value, str):
        return value if len(value) <= _CHARACTERS else f"{value[: _CHARACTERS - 1]}…"
    if isinstance(value, list | tuple):
        return [_shortened(item) for item in value[:_ITEMS]]
    if isinstance(value, dict):
        return {str(key): _shortened(item) for key, item in list(value.items())[:_ITEMS]}
    if isinstance(value, Enum):
        return str(value.name).lower()
    return value if value is None or isinstance(value, int | float) else str(value)
