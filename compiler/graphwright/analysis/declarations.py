"""Which values are proved to satisfy `state_schema` and `output_schema`; the others are checked at run time.

A proof relies on what holds in every run: literals, inputs (which are checked before the first node), and the state
(which is checked on assignment). It does not rely on the contracts of tools, because a caller can replace any tool.
"""

from __future__ import annotations

from functools import cached_property

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.jsontype import Field, object_of
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.schema.conformance import conforms
from graphwright.schema.state import key_schema, required_keys, whole_schema


class Declarations:
    """The declarations of a graph's state and output, and which values are proved to satisfy them."""

    def __init__(self, graph: ir.Graph, assignment: Assignment) -> None:
        self._graph = graph
        self._assignment = assignment
        self._keys: dict[str, ir.Json] = {}

    @cached_property
    def _types(self) -> Types:
        return Types(self._graph, definite=self._assignment.is_definite)

    def key(self, key: str) -> ir.Json:
        """The schema of a key of the state; True if none is declared."""
        if self._graph.state_schema is None:
            return True
        if key not in self._keys:
            self._keys[key] = key_schema(self._graph.state_schema, key)
        return self._keys[key]

    def is_proved(self, key: str, value: ir.Value, point: ProgramPoint) -> bool:
        """Whether an assigned value certainly satisfies the schema of its key."""
        schema = self.key(key)
        return schema is True or conforms(self._types.of(value, point), schema, self._graph.state_schema)

    def is_output_proved(self, node: ir.Node) -> bool:
        """Whether the output of a return node certainly satisfies `output_schema`."""
        schema = self._graph.output_schema
        if schema is None or not isinstance(node, ir.ReturnNode) or node.output is None or node.fails:
            return True
        return conforms(self._types.of(node.output, node), schema, schema)

    @cached_property
    def whole_state(self) -> ir.Json:
        """The part of `state_schema` to check when a run completes; True if nothing remains."""
        if self._graph.state_schema is None:
            return True
        return whole_schema(self._graph.state_schema, assigned=self._assignment.definite_at_completion)

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys that `state_schema` requires when a run completes."""
        return frozenset() if self._graph.state_schema is None else frozenset(required_keys(self._graph.state_schema))

    @cached_property
    def is_state_as_output_proved(self) -> bool:
        """Whether the state, used as the output, certainly satisfies `output_schema`."""
        schema = self._graph.output_schema
        if schema is None:
            return True
        surely = self._assignment.definite_at_completion | self.required
        kinds = self._types.state
        state = object_of({key: Field(kind, key in surely) for key, kind in kinds.items()})
        return conforms(state, schema, schema)
