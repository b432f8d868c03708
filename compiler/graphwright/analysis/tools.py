"""What is known of the tools that a graph calls, and what remains of a failed action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.jsontype import ANY, OBJECT, STRING, Field, Type, join, object_of, one_of
from graphwright.record import Record

#: Params that start what is called in the background.
BACKGROUND: Final = frozenset({"async", "async_exec"})


class Contract(Record):
    """What a tool takes and returns.

    `params`: an object; every call without one of its required fields fails, and so does one with a field that it does
    not have if it is closed. `result`: the value of `result` after a successful call, before language.md §6 turns it
    into a mapping; `more` if it may have fields that are not listed there.
    """

    params: Type
    result: Type
    more: bool = False

    @property
    def starts(self) -> bool:
        """Whether the tool can be told to start its work in the background."""
        return not BACKGROUND.isdisjoint(self.params.field_map)


#: The contract of what an action calls, which may depend on its params; None if it is unknown.
Contracts: TypeAlias = Callable[[ir.Action], Contract | None]


def no_contract(_action: ir.Action) -> None:
    """The contract of each action where nothing is known of any tool."""


#: What a failed item leaves in `collect`.
FAILURE: Final = object_of({"status": Field(one_of(["error"]), True), "error": Field(STRING, True)})

#: The `result` of a failed action under `on_error: continue`: whatever the tool returned, and the error.
SUPPRESSED: Final = object_of(FAILURE.field_map, others=ANY)


class Results:
    """The types of `result`, by tool."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts
        self._unwrapped: dict[int, tuple[Contract, Type]] = {}  # by identity: contracts are shared between calls

    def of(self, action: ir.Action) -> Type:
        """What the action returns on success, unwrapped (language.md §6): always an object."""
        if action.primary != "execute" or action.kind != "tool":
            return OBJECT
        contract = self._contracts(action)
        if contract is None or (action.async_exec and not contract.starts):
            return OBJECT
        known = self._unwrapped.get(id(contract))
        if known is None:
            known = self._unwrapped[id(contract)] = (contract, unwrapped(contract.result))
        return known[1]


def unwrapped(returned: Type) -> Type:
    """A result as `result` shows it: other values than mappings are wrapped in one, null becomes an empty one."""
    found = returned.only(OBJECT.kinds)
    other = returned.present.only(returned.kinds - OBJECT.kinds)
    if other.kinds:
        found = join(found, object_of({"result": Field(other, True)}))
    return join(found, object_of({})) if returned.nullable else found
