"""What the built-in tools take and return, and what remains of a failed action.

An item of the project with the same id replaces a built-in tool: ask `Facts.contract`, which looks for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    join,
    list_of,
    object_of,
    one_of,
)
from graphwright.record import Record


class Contract(Record):
    """What a tool takes and returns.

    `params`: an object; every call without one of its required fields fails. `result`: the value of `result` after a
    successful call, before language.md §6 turns it into a mapping.
    """

    params: Type
    result: Type


#: The contract of the tool with an id; None if it is unknown.
Contracts: TypeAlias = Callable[[str], Contract | None]


def _required(**types: Type) -> dict[str, Field]:
    return {name: Field(kind, True) for name, kind in types.items()}


def _optional(**types: Type) -> dict[str, Field]:
    return {name: Field(kind, False) for name, kind in types.items()}


_BASH: Final = Contract(
    object_of({**_required(command=STRING), **_optional(working_dir=STRING, timeout=NUMBER)}, others=ANY),
    object_of(_required(stdout=STRING, stderr=STRING, exit_code=INTEGER, success=BOOLEAN), others=ANY),
)
_READ: Final = Contract(
    object_of(_required(path=STRING), others=ANY),
    object_of(_required(content=STRING, path=STRING, size=INTEGER), others=ANY),
)
_WRITE: Final = Contract(
    object_of({**_required(path=STRING, content=STRING), **_optional(append=BOOLEAN)}, others=ANY),
    object_of(_required(path=STRING, size=INTEGER, created=BOOLEAN), others=ANY),
)
_LIST: Final = Contract(
    object_of(_optional(path=STRING, pattern=STRING), others=ANY),
    object_of(_required(path=STRING, files=list_of(STRING), folders=list_of(STRING)), others=ANY),
)

_CONTROL_PARAMS: Final = {
    **_required(action=one_of(["retry", "fail", "abort", "continue"])),
    **_optional(max_retries=INTEGER, additional_steps=INTEGER),
}
_CONTROL: Final = Contract(object_of(_CONTROL_PARAMS, others=ANY), object_of(_CONTROL_PARAMS, others=ANY))
_EMITTER: Final = Contract(
    object_of(_required(event=STRING), others=ANY), object_of(_required(event=STRING), others=ANY)
)

_NULLABLE_STRING: Final = join(STRING, NULL)
_NULLABLE_INTEGER: Final = join(INTEGER, NULL)
_STATUS: Final = one_of(
    [
        "created",
        "running",
        "completed",
        "completed_with_errors",
        "error",
        "cancelled",
        "interrupted",
        "killed",
        "orphaned",
    ]
)
_RUN: Final = _required(run_id=STRING, graph_id=STRING, alive=BOOLEAN, pid=_NULLABLE_INTEGER, status=_STATUS)
_STANDING: Final = {**_RUN, **_required(current_node=_NULLABLE_STRING, step=INTEGER)}
_LISTED: Final = {**_RUN, **_required(parent_id=_NULLABLE_STRING, created_at=NUMBER, updated_at=NUMBER)}
_RUN_STATUS: Final = Contract(object_of(_required(run_id=STRING), others=ANY), object_of(_STANDING, others=ANY))
_RUN_CANCEL: Final = Contract(
    object_of(_required(run_id=STRING), others=ANY),
    object_of({**_STANDING, **_required(requested=BOOLEAN)}, others=ANY),
)
_RUN_LIST: Final = Contract(
    object_of(_optional(status=_STATUS, graph_id=STRING, parent_id=STRING, limit=INTEGER), others=ANY),
    object_of(_required(runs=list_of(object_of(_LISTED, others=ANY)), total=INTEGER), others=ANY),
)

#: What executing a directive gives, which only parses it and fills its inputs in.
DIRECTIVE_FIELDS: Final = frozenset(
    {"item_id", "kind", "name", "version", "description", "inputs", "outputs", "content", "signature"}
)

#: By item id; the second spellings are those of older graphs.
BUILTIN: Final = {
    "rye/bash": _BASH,
    "rye/bash/bash": _BASH,
    "rye/file-system/read": _READ,
    "rye/file-system/write": _WRITE,
    "rye/file-system/list": _LIST,
    "rye/file-system/fs_read": _READ,
    "rye/file-system/fs_write": _WRITE,
    "rye/file-system/fs_list": _LIST,
    "rye/core/processes/status": _RUN_STATUS,
    "rye/core/processes/cancel": _RUN_CANCEL,
    "rye/core/processes/list": _RUN_LIST,
    "rye/agent/threads/internal/control": _CONTROL,
    "rye/agent/threads/internal/emitter": _EMITTER,
}


#: What a failed item leaves in `collect`.
FAILURE: Final = object_of({"status": Field(one_of(["error"]), True), "error": Field(STRING, True)})

#: The `result` of a failed action under `on_error: continue`: whatever the tool returned, and the error.
SUPPRESSED: Final = object_of(FAILURE.field_map, others=ANY)


class Results:
    """The types of `result`, by tool."""

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
    """A result as `result` shows it: other values than mappings are wrapped in one, null becomes an empty one."""
    found = returned.only(OBJECT.kinds)
    other = returned.present.only(returned.kinds - OBJECT.kinds)
    if other.kinds:
        found = join(found, object_of({"result": Field(other, True)}))
    return join(found, object_of({})) if returned.nullable else found
