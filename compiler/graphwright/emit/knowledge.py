"""What emission asks of the analyses: which keys a node can rely on, and what values can be.

Emission decides nothing that an analysis could: it reads a key directly where this says that the key is there,
and leaves out the warning for a null where this says that there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.ends import Ends
from graphwright.analysis.jsontype import Field, Type, join
from graphwright.analysis.tools import Contract
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.facts import Facts
from graphwright.ir.visit import callers
from graphwright.schema.types import from_schema


class Knowledge:
    """What the facts about one file come to for the emitter. Raises ValueError where the file holds no graph."""

    def __init__(self, facts: Facts) -> None:
        if facts.graph is None:
            raise ValueError(f"{facts.source.path} holds no graph")
        self.graph = facts.graph
        self._facts = facts
        self._flow = facts.flow
        self._assignment = facts.assignment
        # in a module, a key has one type everywhere
        self._types = Types(facts.graph, definite=facts.assignment.is_definite, contracts=facts.contract)
        self.declarations = facts.declarations
        self.ends = Ends(facts.assignment, self._types, facts.declarations)

    @cached_property
    def state(self) -> Mapping[str, Field]:
        """Every key of the state, the runtime's own last; required where every completed end has it.

        What `state_schema` says of a key is its type.
        """
        surely = self._assignment.definite_at_completion | self.declarations.required
        keys = sorted(self._types.state, key=lambda key: (key.startswith("_"), key))
        return {key: Field(self._declared_or(self._types.state[key], key), key in surely) for key in keys}

    def _declared_or(self, inferred: Type, key: str) -> Type:
        declared = self._types.declared_key(key)
        return declared if declared.known and declared.kinds and not key.startswith("_") else inferred

    @cached_property
    def inputs(self) -> Mapping[str, Field]:
        """The declared inputs as nodes see them, defaults filled in, in the order of the schema; maybe none."""
        fields = self._types.inputs.field_map
        declared = [key for key in self.graph.inputs_at if key in fields]
        return {key: fields[key] for key in dict.fromkeys([*declared, *fields])}

    def key_type(self, key: str) -> Type | None:
        """What a key of the state holds where it is set; None for a key that nothing sets."""
        return self._types.state.get(key)

    def is_definite(self, node: ir.Node, key: str) -> bool:
        """Whether every path to the node has assigned the key."""
        return self._assignment.is_definite(node.name, key)

    def is_nullable(
        self, value: ir.Value, node: ir.Node | None, assigned: Iterable[str], event: str | None = None
    ) -> bool:
        """Whether a value can be null: of a node, which has assigned some keys by now, or of a hook on an event."""
        return self._types.of(value, ProgramPoint(node, frozenset(assigned), event=event)).nullable

    @cached_property
    def declared_output(self) -> Type | None:
        """What `output_schema` says; None where it says nothing of what kind of value the output is."""
        if self.graph.output_schema is None:
            return None
        declared = from_schema(self.graph.output_schema, fills=False)
        return declared if declared.known and declared.kinds else None

    def needs_check(self, key: str, value: ir.Value, node: ir.Node, assigned: Iterable[str]) -> bool:
        """Whether a value may be other than what is declared of the key that a node assigns it to."""
        if self.declarations.key(key) is True:
            return False
        return not self.declarations.is_proved(key, value, ProgramPoint(node, frozenset(assigned)))

    @cached_property
    def output(self) -> Type:
        """What the return nodes of completed runs return, joined; `NEVER` where none returns anything."""
        return join(*(end.output for end in self.ends if end.output is not None and not end.fails))

    @cached_property
    def returns_state(self) -> bool:
        """Whether a run can complete without a return template, so that its output is the state."""
        return any(end.output is None for end in self.ends)

    @cached_property
    def tools(self) -> Mapping[str, Contract | None]:
        """The tools, by item id, that whoever runs the graph can implement, with what is known of each.

        Those of the graphs that it calls are among them. Built-in tools and those of a host (`rye/…`) are not.
        """
        found: dict[str, Contract | None] = {}
        graphs = {self.graph.graph_id}
        waiting = deque(self._facts.callers)
        while waiting:
            action = waiting.popleft().action
            item_id = called_id(action)
            if item_id is None or item_id.startswith("rye/"):
                continue
            nested = self._facts.nested(item_id)
            if nested is None:
                found.setdefault(item_id, self._facts.contract(action))
            elif nested.graph_id not in graphs:
                graphs.add(nested.graph_id)
                waiting.extend(callers(nested))
        return found

    @cached_property
    def required_env(self) -> Mapping[str, tuple[str, ...]]:
        """Every variable that the graph, its nodes and the graphs it calls require, by name, with who needs it."""
        needs = self._facts.environment.required
        return {
            name: tuple(dict.fromkeys(need.owner.removeprefix("the ").replace("`", "") for need in needs[name]))
            for name in sorted(needs)
        }
