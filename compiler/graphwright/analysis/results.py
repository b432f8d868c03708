"""What actions return: the tools that are always there, contracts, and what a failure leaves instead."""

from __future__ import annotations

from typing import Final, Protocol

from graphwright import ir
from graphwright.analysis.jsontype import ANY, BOOLEAN, INTEGER, OBJECT, STRING, Field, Type, join, object_of, one_of

#: What a failed action leaves as `result` under `on_error: continue`, and a failed item in `collect`.
FAILURE: Final = object_of({"status": Field(one_of(["error"]), True), "error": Field(STRING, True)})

_BASH: Final = object_of(
    {
        "stdout": Field(STRING, True),
        "stderr": Field(STRING, True),
        "exit_code": Field(INTEGER, True),
        "success": Field(BOOLEAN, True),
    },
    others=ANY,
)
_TOOLS: Final = {"rye/bash": _BASH, "rye/bash/bash": _BASH}


class Contracts(Protocol):
    """What is known of the tools and nested graphs that actions call."""

    def result_type(self, item_id: str) -> Type | None:
        """What executing the tool `item_id` returns; None where nothing is known of it."""


class Results:
    """The types of `result`, by tool; equal tools share one."""

    def __init__(self, contracts: Contracts | None) -> None:
        self._contracts = contracts
        self._by_tool: dict[str, Type] = {}

    def of(self, action: ir.Action) -> Type:
        """What the action returns on success, unwrapped (language.md §6): always an object."""
        if action.primary != "execute" or action.kind != "tool" or action.async_exec:
            return OBJECT
        item_id = action.item_id.value if isinstance(action.item_id, ir.Const) else None
        if not isinstance(item_id, str):
            return OBJECT
        found = self._by_tool.get(item_id)
        if found is None:
            found = self._by_tool[item_id] = self._tool(item_id)
        return found

    def _tool(self, item_id: str) -> Type:
        returned = self._contracts.result_type(item_id) if self._contracts else None
        return _TOOLS.get(item_id, OBJECT) if returned is None else _unwrapped(returned)


def _unwrapped(returned: Type) -> Type:
    """A result as `result` shows it: no mapping becomes one, null an empty one."""
    found = returned.only(OBJECT.kinds)
    other = returned.present.only(returned.kinds - OBJECT.kinds)
    if other.kinds:
        found = join(found, object_of({"result": Field(other, True)}))
    return join(found, object_of({})) if returned.nullable else found
