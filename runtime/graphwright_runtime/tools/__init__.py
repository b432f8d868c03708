"""The tools that come with the runtime."""

from __future__ import annotations

from typing import Final

from graphwright_runtime.tooling import Tool
from graphwright_runtime.tools.bash import bash
from graphwright_runtime.tools.files import list_folder, read_file, write_file

#: By item id; the second spellings are those of older graphs.
BUILTIN: Final[dict[str, Tool]] = {
    "rye/bash": bash,
    "rye/bash/bash": bash,
    "rye/file-system/list": list_folder,
    "rye/file-system/read": read_file,
    "rye/file-system/write": write_file,
    "rye/file-system/fs_list": list_folder,
    "rye/file-system/fs_read": read_file,
    "rye/file-system/fs_write": write_file,
}
