"""Finds the contracts of the items that a graph calls: those that the project declares, and built-in ones.

A tool of the project replaces a built-in one with the same id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import Lookup, called_id
from graphwright.analysis.jsontype import Type
from graphwright.analysis.tools import Contract
from graphwright.contract.items import item_contract

if TYPE_CHECKING:
    from graphwright.contract.directives import Directive
    from graphwright.contract.manifest import Declaration
    from graphwright.neighbours import Neighbours


class ToolContracts:
    """The contracts of the tools that a graph calls.

    `declare` returns the declaration of a tool of the project, `nested` finds graphs by id, `has_file` tells whether a
    file implements a tool, `directive` returns the declaration of a directive. `runs` and `output` keep what runs of
    the called graphs and of the graph itself return (`contract.outputs`).
    """

    def __init__(
        self,
        declare: Callable[[str], Declaration | None],
        nested: Lookup,
        has_file: Callable[[str], bool],
        directive: Callable[[str], Directive | None],
    ) -> None:
        self._declare = declare
        self._nested = nested
        self._has_file = has_file
        self._directive = directive
        self._declared: dict[str, Contract | None] = {}
        self.runs: dict[str, Contract | None] = {}
        self.output: Type | None = None
        self._near: dict[str, str | None] = {}

    def contract(self, action: ir.Action) -> Contract | None:
        """The contract of what is called; None if unknown. Equal calls share one object."""
        item_id = called_id(action)
        if item_id is None:
            return item_contract(action)
        if self._nested(item_id) is not None:
            return None
        if item_id not in self._declared:
            declaration = self._declare(item_id)
            self._declared[item_id] = None if declaration is None else declaration.contract
        declared = self._declared[item_id]
        if declared is not None or self._has_file(item_id):
            return declared
        from graphwright.contract.builtin import builtin_contract

        return builtin_contract(item_id, action, self._directive)

    def declaration(self, item_id: str | None) -> Declaration | None:
        """The declaration of a tool of the project; None for a graph, and if it is unknown."""
        return None if item_id is None or self._nested(item_id) is not None else self._declare(item_id)

    def near_builtin(self, action: ir.Action) -> str | None:
        """The built-in tool that an action probably means, if the one that it names does not exist."""
        item_id = called_id(action)
        if item_id is None:
            return None
        if item_id not in self._near:
            exists = self._has_file(item_id) or self._nested(item_id) is not None or self._declare(item_id) is not None
            self._near[item_id] = None if exists else near_builtin(item_id)
        return self._near[item_id]

    def variables(self, item_id: str) -> tuple[str, ...]:
        """The environment variables that a tool of the project requires."""
        declaration = self.declaration(item_id)
        return () if declaration is None else declaration.env_requires

    def calls_others(self, item_id: str) -> bool:
        """Whether a tool of the project can call tools and graphs that the graph does not name."""
        declaration = self.declaration(item_id)
        return declaration is not None and declaration.calls_others


def near_builtin(item_id: str) -> str | None:
    """The built-in tool whose id differs from an unknown one in a character, or in two if it is long."""
    from graphwright.contract.builtin import BUILTIN
    from graphwright.contract.threads import THREAD
    from graphwright.language.words import ORCHESTRATOR
    from graphwright.suggest import nearest

    ids = (*BUILTIN, THREAD, ORCHESTRATOR)
    return None if item_id in ids else nearest(item_id, ids, 1 if len(item_id) < _LONG else 2)


#: From this length on, two characters may be wrong.
_LONG = 16


def near_tool(project: Neighbours, item_id: str) -> str | None:
    """The tool or graph with the most similar id to one that does not exist: in its folder, or built in."""
    from graphwright.contract.builtin import BUILTIN
    from graphwright.contract.graphs import near_name
    from graphwright.contract.threads import THREAD
    from graphwright.language.words import ORCHESTRATOR
    from graphwright.suggest import nearest

    folder, _, name = item_id.rpartition("/")
    near = near_name(name, tuple(sorted({*project.tool_names(folder), *project.graph_names(folder)})))
    if near is not None:
        return f"{folder}/{near}" if folder else near
    return nearest(item_id, (*BUILTIN, THREAD, ORCHESTRATOR))
