"""Determines which inputs `config_schema` declares, and which of them may be absent."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.record import Record
from graphwright.schema.walk import SAME_VALUE, mapping, reached, texts

#: Keywords through which a schema declares inputs; `not` only excludes some.
_OF_THE_INPUTS: Final = SAME_VALUE - {"not"}


class DeclaredInputs(Record):
    """The inputs of a graph.

    `closed`: any input outside `names` is a mistake. `optional`: may be absent and has no default. `defaulted`: has
    one.
    """

    names: frozenset[str]
    closed: bool
    optional: frozenset[str]
    defaulted: frozenset[str]


def declared_inputs(graph: ir.Graph) -> DeclaredInputs:
    """Read the declared properties, also in alternatives; an input that some alternative requires is not optional."""
    schema = graph.inputs_schema
    if not graph.inputs_at or not isinstance(schema, dict):
        return DeclaredInputs(frozenset(), False, frozenset(), frozenset())
    names: set[str] = set()
    required: set[str] = set()
    is_open = False
    for part in reached(schema, schema, _OF_THE_INPUTS):
        names.update(mapping(part.get("properties")))
        required.update(texts(part.get("required")))
        is_open = is_open or bool(part.get("additionalProperties")) or "patternProperties" in part
    described = mapping(schema.get("properties"))
    defaulted = {name for name, each in described.items() if "default" in mapping(each)}
    optional = set(described) - required - defaulted
    return DeclaredInputs(frozenset(names), not is_open, frozenset(optional), frozenset(defaulted))
