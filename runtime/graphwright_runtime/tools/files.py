"""The tools `rye/file-system/*`: reading, writing and listing files of the project.

A path is relative to the project folder, or absolute and inside it. It is refused if it is outside after resolving
symbolic links and `..`. Files that decide what is executed cannot be written (`protection.py`).
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.tooling import Tool
from graphwright_runtime.tools.arguments import flag, text
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.values import Json

#: How a folder is opened to access its entries. With O_PATH, it need not be readable.
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY)


def read_file(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Read a UTF-8 file. Params: `path`. Result: `content`, `path` (relative), `size` in bytes."""
    path = _confined(text(params, "path"), context)
    try:
        if not path.is_file():
            raise NodeError(f"file not found: {_shown(path, context)}", category="permanent")
        with os.fdopen(_opened(path, context, os.O_RDONLY), "rb") as file:
            content = file.read()
        decoded = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NodeError(f"{_shown(path, context)} is not valid UTF-8", category="permanent") from error
    except OSError as error:
        raise _refused(path, context, error) from error
    return {"content": decoded, "path": _shown(path, context), "size": len(content)}


def writing(protection: Protection) -> Tool:
    """The tool that writes files, except where `protection` refuses it."""

    def write_file(params: dict[str, Json], context: Context) -> dict[str, Json]:
        """Write a UTF-8 file, and create its parent folders.

        Params: `path`, `content`, `append` (default false: replace an existing file). Result: `path` (relative), `size`
        of the written content in bytes, `created`.
        """
        written = text(params, "path")
        path = _confined(written, context)
        append = flag(params, "append", default=False)
        refusal = protection.refusal(_root(context), written, path)
        if refusal is not None:
            raise NodeError(refusal, category="denied")
        try:
            content = text(params, "content").encode("utf-8")
            created = not path.exists()
            mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND * append
            with os.fdopen(_opened(path, context, mode), "wb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise NodeError(f"{_shown(path, context)} is not a regular file", category="permanent")
                if status.st_nlink > 1:
                    shown = _shown(path, context)
                    raise NodeError(f"{shown} has another hard link, which may be elsewhere", category="denied")
                if not append:
                    file.truncate()
                file.write(content)
        except UnicodeEncodeError as error:
            raise NodeError("`content` contains a lone surrogate", category="permanent") from error
        except OSError as error:
            raise _refused(path, context, error) from error
        return {"path": _shown(path, context), "size": len(content), "created": created}

    return write_file


def list_folder(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """List a folder.

    Params: `path` (by default the project folder), `pattern` (by default `*`; `**/*.md` includes subfolders).
    Result: `path`; `files` and `folders`, sorted lists of relative paths without links that lead out of the project.
    """
    folder = _confined(text(params, "path", default="."), context)
    pattern = text(params, "pattern", default="*")
    if ".." in Path(pattern).parts or Path(pattern).is_absolute() or not pattern:
        raise NodeError(f"`pattern` must stay inside the folder: {pattern!r} does not", category="permanent")
    if not folder.is_dir():
        raise NodeError(f"folder not found: {_shown(folder, context)}", category="permanent")
    root = _root(context)
    files: list[Json] = []
    folders: list[Json] = []
    try:
        for path in sorted(folder.glob(pattern)):
            if _inside(path, root):
                (folders if path.is_dir() else files).append(_shown(path, context))
    except (OSError, ValueError) as error:
        raise _refused(folder, context, error) from error
    return {"path": _shown(folder, context), "files": files, "folders": folders}


def _root(context: Context) -> Path:
    return context.project.resolve()


def _confined(written: str, context: Context) -> Path:
    """The resolved path. Raises NodeError, of category `denied` if it is outside the project."""
    root = _root(context)
    try:
        path = (root / written).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # ValueError: a null byte
        raise NodeError(f"{written!r} is not a valid path: {error}", category="permanent") from error
    if not path.is_relative_to(root):
        raise NodeError(f"{written!r} leads out of the project", category="denied")
    return path


def _opened(path: Path, context: Context, flags: int) -> int:
    """Open a resolved path and return the descriptor; O_CREAT also creates parent folders. Raises OSError.

    Each folder is opened relative to its parent without following links, in case a folder was replaced by a link since
    the path was checked. Opening a pipe does not wait for its other end.
    """
    if sys.platform == "win32":  # Windows cannot open files relative to a folder
        if flags & os.O_CREAT:
            path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags | os.O_BINARY | os.O_NOINHERIT, 0o666)
    root = _root(context)
    *folders, name = path.relative_to(root).parts or (".",)
    above = os.open(root, _FOLDER)
    try:
        for each in folders:
            if flags & os.O_CREAT:
                with suppress(FileExistsError):
                    os.mkdir(each, dir_fd=above)
            below = os.open(each, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
            os.close(above)
            above = below
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666, dir_fd=above)
    finally:
        os.close(above)


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # links form a loop
        return False


def _shown(path: Path, context: Context) -> str:
    return path.relative_to(_root(context)).as_posix()


def _refused(path: Path, context: Context, error: Exception) -> NodeError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return NodeError(f"{_shown(path, context)}: {reason}", category="permanent")
