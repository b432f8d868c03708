"""The types of paths according to a graph's schemas and to the language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from graphwright import ir
from graphwright.analysis.bounds import UNBOUNDED, Bounds, bounds_at, schemas_at
from graphwright.analysis.jsontype import OBJECT, Type, meet
from graphwright.analysis.symbols import resolve
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.schema.types import from_schema


class Declared:
    """The declarations of one graph."""

    def __init__(self, graph: ir.Graph) -> None:
        self._graph = graph
        self._bounds: dict[tuple[Segment, ...], Bounds] = {}

    @cached_property
    def inputs(self) -> Type:
        """The type of the inputs at run time, after validation and with defaults."""
        if self._graph.inputs_schema is None:
            return OBJECT
        found = meet(from_schema(self._graph.inputs_schema), OBJECT)
        return found if found.kinds else OBJECT

    @cached_property
    def listed_inputs(self) -> Type:
        """The type of the inputs as intended: if properties are listed, there are no others."""
        if self._graph.inputs_schema is None:
            return OBJECT
        return from_schema(self._graph.inputs_schema, listed_only=True)

    @cached_property
    def declared_state(self) -> Type:
        """The type of the state according to `state_schema`."""
        if self._graph.state_schema is None:
            return OBJECT
        return meet(from_schema(self._graph.state_schema, fills=False), OBJECT)

    def declared_key(self, key: str) -> Type:
        """The type of a key according to `state_schema`, which is checked on assignment."""
        field = self.declared_state.field(key)
        return self.declared_state.others if field is None else field.type

    def is_declared(self, read: ir.Read) -> bool:
        """Whether `config_schema`, `state_schema` or the language declares the type of a path."""
        root, path = resolve(read)
        if root is not ir.Root.STATE:
            return root in (ir.Root.INPUTS, ir.Root.EVENT)
        return bool(path) and str(path[0]) in self.declared_state.field_map

    @cached_property
    def reassigned(self) -> frozenset[str]:
        """The state keys that nodes set; others keep their values from `config.state`."""
        return frozenset(key for node in visit.nodes(self._graph.body) for key, _ in visit.keys_set(node))

    def bounds(self, read: ir.Read) -> Bounds:
        """The bounds of numbers at a path according to `config_schema`."""
        if read.root is not ir.Root.INPUTS:
            return UNBOUNDED
        found = self._bounds.get(read.path)
        if found is None:
            found = self._bounds[read.path] = bounds_at(self._graph.inputs_schema, read.path)
        return found

    def allows(self, path: Sequence[Segment], value: object) -> bool:
        """Whether `config_schema` allows a scalar at a path of the inputs; null stands for a missing value."""
        document = self._graph.inputs_schema
        if value is None or not isinstance(value, bool | int | float | str):
            return True
        from graphwright.schema.evaluation import violation  # few conditions compare inputs with constants

        return all(violation(value, schema, document) is None for schema in schemas_at(document, path))
