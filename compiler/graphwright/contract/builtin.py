"""The params and results of built-in tools.

An item of the project with the same id replaces a built-in tool, so use `Facts.contract`, which considers that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    STRING,
    Field,
    Type,
    join,
    list_of,
    object_of,
    one_of,
)
from graphwright.analysis.tools import Contract
from graphwright.diagnostic import Json
from graphwright.language.keys import LIMITS
from graphwright.language.words import ORCHESTRATOR

if TYPE_CHECKING:
    from graphwright.contract.directives import Directives


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

#: Contracts by item id, including the ids that older graphs use.
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


_POSITIVE: Final[Json] = {"exclusiveMinimum": 0}
_COUNT: Final[Json] = {"minimum": 1}
#: The numbers that params accept, by item id or `primary`: JSON Schemas.
BOUNDS: Final[Mapping[str, Json]] = {
    "rye/bash": {"properties": {"timeout": _POSITIVE}},
    "rye/bash/bash": {"properties": {"timeout": _POSITIVE}},
    "rye/core/processes/list": {"properties": {"limit": _COUNT}},
    "rye/agent/threads/thread_directive": {
        "properties": {"limit_overrides": {"properties": {name: {"minimum": 0} for name in LIMITS.keys}}}
    },
    ORCHESTRATOR: {"properties": {"seconds": _POSITIVE, "timeout": _POSITIVE, "count": _COUNT, "tail_lines": _COUNT}},
    "search": {"properties": {"limit": _POSITIVE}},
}


def builtin_contract(item_id: str, action: ir.Action, directive: Directives) -> Contract | None:
    """The contract of a built-in tool, or of a thread tool that host applications provide.

    `directive` returns the declaration of a directive.
    """
    if not item_id.startswith("rye/agent/threads/") or item_id in BUILTIN:
        return BUILTIN.get(item_id)
    from graphwright.contract.threads import thread_contract  # few graphs start threads

    return thread_contract(item_id, action, directive)


def is_built_in(item_id: str) -> bool:
    """Whether a tool comes with the runtime, or is one of those for threads."""
    return item_id in BUILTIN or item_id.startswith("rye/agent/threads/")
