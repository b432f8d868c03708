"""The contracts of the tools that a graph calls, and the results of failed actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.jsontype import ANY, OBJECT, STRING, Field, Type, join, object_of, one_of
from graphwright.ir.visit import given
from graphwright.record import Record
from graphwright.suggest import nearest

#: Params that start the called item in the background.
BACKGROUND: Final = frozenset({"async", "async_exec"})


class Contract(Record):
    """The params and the result of a tool.

    `params` is an object; a call fails without one of its required fields and, if it is closed, with an unknown field.
    `result` is the value of `result` after a successful call, before language.md §6 converts it to a mapping; `more` if
    it may have additional fields. `takes_more`: the tool says that it uses params that it does not declare. `accepted`
    is the JSON Schema of the params if the tool converts some values to the types in `params`; None if it does not.
    """

    params: Type
    result: Type
    more: bool = False
    accepted: ir.Json = None
    takes_more: bool = False

    @property
    def starts(self) -> bool:
        """Whether the tool can start its work in the background."""
        return not BACKGROUND.isdisjoint(self.params.field_map)


def may_start(action: ir.Action) -> bool:
    """Whether a call may start something in the background, although it does not surely: a param that says so is
    misspelled, or its value is not known.
    """
    passed = given(action)
    if action.async_exec or passed is None:
        return passed is None
    return any(
        nearest(name, BACKGROUND) is not None or (name in BACKGROUND and value != ir.Const(False))
        for name, value in passed.items()
    )


#: The contract of what an action calls, which may depend on its params; None if it is unknown.
Contracts: TypeAlias = Callable[[ir.Action], Contract | None]


def no_contract(_action: ir.Action) -> None:
    """The contract of an action if no tool is known."""


#: The value that a failed item has in `collect`.
FAILURE: Final = object_of({"status": Field(one_of(["error"]), True), "error": Field(STRING, True)})

#: The `result` of a failed action under `on_error: continue`: the result of the tool, and the error.
SUPPRESSED: Final = object_of(FAILURE.field_map, others=ANY)


#: An envelope has `data`, `status`, and one of these.
_OF_ENVELOPES: Final = frozenset({"type", "item_id"})


class Results:
    """The types of `result`, by tool."""

    def __init__(self, contracts: Contracts) -> None:
        self._contracts = contracts
        self._unwrapped: dict[int, tuple[Contract, Type]] = {}  # by identity: contracts are shared between calls

    def of(self, action: ir.Action) -> Type:
        """The type of the action's result on success, unwrapped (language.md §6): always an object."""
        contract = self._contracts(action)
        if contract is None or (action.async_exec and not contract.starts):
            return OBJECT
        known = self._unwrapped.get(id(contract))
        if known is None:
            known = self._unwrapped[id(contract)] = (contract, unwrapped(contract.result))
        return known[1]


def unwrapped(returned: Type) -> Type:
    """The type of `result`: values other than mappings are wrapped in one, null becomes an empty mapping.

    Of an envelope, only `data` remains; what may be one or not can be anything.
    """
    fields = returned.field_map
    if {"data", "status"} <= fields.keys() and not fields.keys().isdisjoint(_OF_ENVELOPES):
        needed = fields["data"].required and fields["status"].required
        if not needed or not any(fields[name].required for name in _OF_ENVELOPES if name in fields):
            return OBJECT
        data = fields["data"].type
        return data if data.kinds == OBJECT.kinds else OBJECT
    found = returned.only(OBJECT.kinds)
    other = returned.present.only(returned.kinds - OBJECT.kinds)
    if other.kinds:
        found = join(found, object_of({"result": Field(other, True)}))
    return join(found, object_of({})) if returned.nullable else found
