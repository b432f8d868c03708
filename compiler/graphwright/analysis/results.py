"""What actions return, as far as contracts of tools say, and what a failure leaves instead."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import ANY, OBJECT, STRING, Field, Type, join, object_of, one_of
from graphwright.analysis.tools import Contracts

#: What a failed item leaves in `collect`.
FAILURE: Final = object_of({"status": Field(one_of(["error"]), True), "error": Field(STRING, True)})

#: What a failed action leaves as `result` under `on_error: continue`: whatever the tool said, and the error.
SUPPRESSED: Final = object_of(FAILURE.field_map, others=ANY)


class Results:
    """The types of `result`, by tool; equal tools share one."""

    def __init__(self, contracts: Contracts) -> None:
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
        contract = self._contracts(item_id)
        return OBJECT if contract is None else _unwrapped(contract.result)


def _unwrapped(returned: Type) -> Type:
    """A result as `result` shows it: no mapping becomes one, null an empty one."""
    found = returned.only(OBJECT.kinds)
    other = returned.present.only(returned.kinds - OBJECT.kinds)
    if other.kinds:
        found = join(found, object_of({"result": Field(other, True)}))
    return join(found, object_of({})) if returned.nullable else found
