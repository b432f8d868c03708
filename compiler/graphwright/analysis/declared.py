"""What the schemas of a graph, and the language, say of the types of paths."""

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
        """The inputs as nodes see them: checked, defaults filled in."""
        if self._graph.inputs_schema is None:
            return OBJECT
        found = meet(from_schema(self._graph.inputs_schema), OBJECT)
        return found if found.kinds else OBJECT

    @cached_property
    def listed_inputs(self) -> Type:
        """The inputs as their author means them: where properties are listed, there are no others."""
        if self._graph.inputs_schema is None:
            return OBJECT
        return from_schema(self._graph.inputs_schema, listed_only=True)

    @cached_property
    def declared_state(self) -> Type:
        """What `state_schema` says."""
        if self._graph.state_schema is None:
            return OBJECT
        return meet(from_schema(self._graph.state_schema, fills=False), OBJECT)

    def declared_key(self, key: str) -> Type:
        """What `state_schema` says of a key; what enters the state is checked to be so."""
        field = self.declared_state.field(key)
        return self.declared_state.others if field is None else field.type

    def is_declared(self, read: ir.Read) -> bool:
        """Whether the type of a path is declared, in `config_schema` or `state_schema`, or by the language."""
        root, path = resolve(read)
        if root is not ir.Root.STATE:
            return root in (ir.Root.INPUTS, ir.Root.EVENT)
        return bool(path) and str(path[0]) in self.declared_state.field_map

    @cached_property
    def reassigned(self) -> frozenset[str]:
        """The keys of the state that nodes set; the others keep the value that `config.state` gives them."""
        return frozenset(key for node in visit.nodes(self._graph.body) for key, _ in visit.keys_set(node))

    def bounds(self, read: ir.Read) -> Bounds:
        """What `config_schema` limits the numbers at a path to."""
        if read.root is not ir.Root.INPUTS:
            return UNBOUNDED
        found = self._bounds.get(read.path)
        if found is None:
            found = self._bounds[read.path] = bounds_at(self._graph.inputs_schema, read.path)
        return found

    def allows(self, path: Sequence[Segment], value: object) -> bool:
        """Whether `config_schema` allows a scalar at a path of the inputs; null stands for what is absent."""
        document = self._graph.inputs_schema
        if value is None or not isinstance(value, bool | int | float | str):
            return True
        from graphwright.schema.evaluation import violation  # few conditions compare inputs with constants

        return all(violation(value, schema, document) is None for schema in schemas_at(document, path))
