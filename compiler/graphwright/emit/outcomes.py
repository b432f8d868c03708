"""Emits the result type of a run that can end in several ways: a union that `ended_at` discriminates.

Each end with a different type of output has an alias or TypedDict, named `Output` and the name of its node. Type
checkers narrow the union by a node's name if no other member has it, so `Failed` lists only the nodes where a run can
fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from graphwright import ir
from graphwright.analysis.ends import End
from graphwright.analysis.jsontype import OBJECT, general
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import quoted
from graphwright.emit.model import Alias
from graphwright.emit.types import Annotations, is_structured
from graphwright.emit.uses import Uses
from graphwright.names import class_name

#: Graphs with more ends have one type for all of them.
MAX_ENDS: Final = 16

#: The nodes where a run can fail.
FAILURES: Final = "FailureNode"


class Outcomes:
    """Emits `Outcome` and its parts for one module."""

    def __init__(self, knowledge: Knowledge, types: Annotations, uses: Uses) -> None:
        self._knowledge = knowledge
        self._types = types
        self._uses = uses
        self._nodes = knowledge.graph.nodes.values()
        self._failing = [node.name for node in self._nodes if knowledge.ends.can_fail(node)]
        #: Whether there is an alias for `failing`.
        self._is_named = 0 < len(self._failing) < len(self._nodes)

    def aliases(self) -> list[Alias] | None:
        """`Output`, `NodeName`, `Outcome` and their parts; None if all ends have the same type."""
        ends = list(self._knowledge.ends)
        if self._knowledge.declared_output is not None or not 1 < len(ends) <= MAX_ENDS:
            return None
        found = [Alias(FAILURES, self._literal(self._failing))] if self._is_named else []
        found.append(Alias("NodeName", self._names(node.name for node in self._nodes)))
        outputs: list[str] = []
        members: list[str] = []
        for end in ends:
            outputs.append(self._output(end, found))
            kind = self._uses.runtime("Failed" if end.fails else "RunResult")
            members.append(f"{kind}[State, {outputs[-1]}, {self._names(self._nodes_of(end))}, NodeName]")
        if self._failing:
            names = FAILURES if self._is_named else "NodeName"
            members.append(f"{self._uses.runtime('Failed')}[State, None, {names}, NodeName]")
        found.append(Alias("Output", " | ".join(dict.fromkeys(outputs))))
        found.append(Alias("Outcome", " | ".join(members)))
        return found

    def _output(self, end: End, found: list[Alias]) -> str:
        """The name of the type of an end's output."""
        if end.output is None:
            return "State"
        name = self._uses.names.claim(f"Output{class_name(end.nodes[0])}")
        kind = general(end.output)
        if kind.kinds == OBJECT.kinds and is_structured(kind):
            self._types.define(name, kind)
        else:
            found.append(Alias(name, self._types.named(kind, f"{name}Value")))
        return name

    def _nodes_of(self, end: End) -> Iterator[str]:
        """The nodes at which a run can end in this way, in the order of the YAML."""
        for node in self._nodes:
            if node.name in end.nodes or (end.anywhere and not isinstance(node, ir.ReturnNode)):
                yield node.name

    def _names(self, nodes: Iterable[str]) -> str:
        """These nodes as a type, using the alias if it covers several of them."""
        names = list(nodes)
        if not self._is_named or not set(self._failing) <= set(names):
            return self._literal(names)
        others = [name for name in names if name not in set(self._failing)]
        return self._literal(others, FAILURES) if others else FAILURES

    def _literal(self, names: Iterable[str], *aliases: str) -> str:
        return f"{self._uses.typing('Literal')}[{', '.join([*aliases, *map(quoted, names)])}]"
