"""What the tools that come with the runtime take and return.

A project that has an item of the same id puts its own in their place: ask `Facts.contract`, which looks for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from graphwright.analysis.jsontype import ANY, BOOLEAN, INTEGER, NUMBER, STRING, Field, Type, list_of, object_of, one_of
from graphwright.record import Record


class Contract(Record):
    """What a tool takes and returns.

    `params`: an object; its required fields are those without which every call fails. `result`: what `result` is
    after a call that succeeds, before language.md §6 makes a mapping of it.
    """

    params: Type
    result: Type


#: The contract of the tool with an id; None where nothing is known of it.
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
    "rye/agent/threads/internal/control": _CONTROL,
    "rye/agent/threads/internal/emitter": _EMITTER,
}
