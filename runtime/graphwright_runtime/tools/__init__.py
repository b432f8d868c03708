"""The tools that come with the runtime."""

from __future__ import annotations

from typing import Final

from graphwright_runtime.tooling import Tool
from graphwright_runtime.tools.bash import bash
from graphwright_runtime.tools.files import list_folder, read_file, writing
from graphwright_runtime.tools.internal import control, emitter
from graphwright_runtime.tools.processes import cancel, list_runs, status
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.tools.threads import orchestrator, thread_directive

_WRITE: Final = writing(Protection())

#: Tools by item id, including the ids that older graphs use.
BUILTIN: Final[dict[str, Tool]] = {
    "rye/bash": bash,
    "rye/bash/bash": bash,
    "rye/file-system/list": list_folder,
    "rye/file-system/read": read_file,
    "rye/file-system/write": _WRITE,
    "rye/file-system/fs_list": list_folder,
    "rye/file-system/fs_read": read_file,
    "rye/file-system/fs_write": _WRITE,
    "rye/core/processes/cancel": cancel,
    "rye/core/processes/list": list_runs,
    "rye/core/processes/status": status,
    "rye/agent/threads/orchestrator": orchestrator,
    "rye/agent/threads/thread_directive": thread_directive,
    "rye/agent/threads/internal/control": control,
    "rye/agent/threads/internal/emitter": emitter,
}


def builtin(item_id: str, protection: Protection) -> Tool | None:
    """The built-in tool with an id; None if there is none. `protection` restricts where files can be written."""
    tool = BUILTIN.get(item_id)
    return writing(protection) if tool is _WRITE else tool
