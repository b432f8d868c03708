"""The contracts of what one graph calls: declared by the project, or built in.

A tool of the project with the id of a built-in one replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import Lookup, called_id
from graphwright.analysis.tools import Contract

if TYPE_CHECKING:
    from graphwright.contract.directives import Directive
    from graphwright.contract.manifest import Declaration


class ToolContracts:
    """The contracts of the tools that a graph calls.

    `declare` gives what a tool of the project declares, `nested` finds graphs by id, `has_file` says whether a file
    implements a tool, `directive` gives what a directive declares.
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

    def contract(self, action: ir.Action) -> Contract | None:
        """What the tool that an action calls takes and returns; None if unknown. Equal calls get one object."""
        item_id = called_id(action)
        if item_id is None or self._nested(item_id) is not None:
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
        """What a tool of the project declares; None for a graph, and if nothing is known."""
        return None if item_id is None or self._nested(item_id) is not None else self._declare(item_id)

    def variables(self, item_id: str) -> tuple[str, ...]:
        """The environment variables that a tool of the project says it requires."""
        declaration = self.declaration(item_id)
        return () if declaration is None else declaration.env_requires
