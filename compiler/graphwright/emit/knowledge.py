"""The results of analyses that emission needs: which keys are certainly assigned, and the types of values.

Emission decides nothing that an analysis could: it reads a key directly if that is certainly assigned, and omits the
warning for a value that is never null.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.ends import Ends
from graphwright.analysis.jsontype import Field, Type, general, join
from graphwright.analysis.tools import Contract
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.ir.visit import callers
from graphwright.schema.types import from_schema


class Knowledge:
    """Provides the facts about one file to the emitter. Raises ValueError if the file does not contain a graph."""

    def __init__(self, facts: Facts) -> None:
        if facts.graph is None:
            raise ValueError(f"{facts.source.path} holds no graph")
        self.graph = facts.graph
        self._facts = facts
        self._flow = facts.flow
        self._assignment = facts.assignment
        # in a module, a key has one type everywhere
        self._types = Types(facts.graph, definite=facts.assignment.is_definite, contracts=facts.returns)
        self.declarations = facts.declarations
        self.ends = Ends(facts.assignment, self._types, facts.declarations)

    @cached_property
    def state(self) -> Mapping[str, Field]:
        """All state keys, those of the runtime last; required if they exist at every completed end.

        `state_schema` determines the types of the keys that it declares. A key that is the empty string is left out,
        because pyright rejects it in a TypedDict.
        """
        surely = self._assignment.definite_at_completion | self.declarations.required
        keys = sorted(filter(None, self._types.state), key=lambda key: (key.startswith("_"), key))
        return {key: Field(self._declared_or(self._types.state[key], key), key in surely) for key in keys}

    def _declared_or(self, inferred: Type, key: str) -> Type:
        declared = self._types.declared_key(key)
        return declared if declared.known and declared.kinds and not key.startswith("_") else general(inferred)

    @cached_property
    def inputs(self) -> Mapping[str, Field]:
        """The declared inputs as nodes see them, with defaults, in the order of the schema.

        Empty if none are known, or one has no name, which pyright rejects in a TypedDict.
        """
        fields = self._types.inputs.field_map
        if "" in fields:
            return {}
        declared = [key for key in self.graph.inputs_at if key in fields]
        return {key: fields[key] for key in dict.fromkeys([*declared, *fields])}

    def key_type(self, key: str) -> Type | None:
        """The type of a state key, if it exists; None for a key that nothing sets."""
        return self._types.state.get(key)

    def is_definite(self, node: ir.Node, key: str) -> bool:
        """Whether the key is assigned on every path to the node."""
        return self._assignment.is_definite(node.name, key)

    def is_nullable(
        self, value: ir.Value, node: ir.Node | None, assigned: Iterable[str], event: str | None = None
    ) -> bool:
        """Whether a value can be null: in a node that has assigned these keys, or in a hook on an event.

        A tool of the project may return null although it declares otherwise, because no run checks results.
        """
        point = ProgramPoint(node, frozenset(assigned), event=event)
        if self._types.of(value, point).nullable:
            return True
        is_promised = isinstance(node, ir.CallingNode) and node.action is not None and self._declares(node.action)
        reads_it = is_promised and any(read.root is ir.Root.RESULT for read in visit.reads(value))
        return reads_it and self._unpromised.of(value, point).nullable

    @cached_property
    def _unpromised(self) -> Types:
        """The types if tools of the project may return anything."""

        def contract(action: ir.Action) -> Contract | None:
            return None if self._declares(action) else self._facts.returns(action)

        return Types(self.graph, definite=self._assignment.is_definite, contracts=contract)

    def _declares(self, action: ir.Action) -> bool:
        """Whether the contract of what an action calls is the tool's own declaration."""
        return self._facts.tools.declaration(called_id(action)) is not None

    @cached_property
    def declared_output(self) -> Type | None:
        """The type of the output according to `output_schema`; None if it does not determine the kind."""
        if self.graph.output_schema is None:
            return None
        declared = from_schema(self.graph.output_schema, fills=False)
        return declared if declared.known and declared.kinds else None

    def needs_check(self, key: str, value: ir.Value, node: ir.Node, assigned: Iterable[str]) -> bool:
        """Whether a value may not match the schema of the key to which the node assigns it."""
        if self.declarations.key(key) is True:
            return False
        return not self.declarations.is_proved(key, value, ProgramPoint(node, frozenset(assigned)))

    @cached_property
    def output(self) -> Type:
        """The join of the outputs of return nodes of completed runs; `NEVER` if there are none."""
        return general(join(*(end.output for end in self.ends if end.output is not None and not end.fails)))

    @cached_property
    def returns_state(self) -> bool:
        """Whether a run can complete without a return template, so that its output is the state."""
        return any(end.output is None for end in self.ends)

    @cached_property
    def tools(self) -> Mapping[str, Contract | None]:
        """The tools, by item id, that a caller of the graph can implement, with their contracts if known.

        Includes those of called graphs, but not built-in tools and those of a host (`rye/…`).
        """
        found: dict[str, Contract | None] = {}
        graphs = {self.graph.graph_id}
        waiting = deque(self._facts.all_callers)
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
        """Every variable that the graph, its nodes and called graphs require, by name, with what requires it."""
        needs = self._facts.environment.required
        return {
            name: tuple(dict.fromkeys(need.owner.removeprefix("the ").replace("`", "") for need in needs[name]))
            for name in sorted(needs)
        }
