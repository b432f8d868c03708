"""`rye/file-system/*`: reading, writing and listing files of the project, and of nothing else.

A path is relative to the project folder, or absolute and inside it. Symbolic links and `..` are followed first; what
lies outside then is refused. Writing also keeps off what decides what runs (`protection.py`).
"""

from __future__ import annotations

import os
from pathlib import Path

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.tooling import Tool
from graphwright_runtime.tools.arguments import flag, text
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.values import Json


def read_file(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Read a UTF-8 text. Params: `path`. Result: `content`, `path` (relative), `size` in bytes."""
    path = _confined(text(params, "path"), context)
    try:
        if not path.is_file():
            raise NodeError(f"no file: {_shown(path, context)}", category="permanent")
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            content = file.read()
        decoded = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NodeError(f"{_shown(path, context)} is no UTF-8 text", category="permanent") from error
    except OSError as error:
        raise _refused(path, context, error) from error
    return {"content": decoded, "path": _shown(path, context), "size": len(content)}


def writing(protection: Protection) -> Tool:
    """The tool that writes files, except where it would have a say in what runs."""

    def write_file(params: dict[str, Json], context: Context) -> dict[str, Json]:
        """Write a text as UTF-8; folders on the way are made.

        Params: `path`, `content`, `append` (false: an existing file is replaced). Result: `path` (relative), `size` of
        what was written in bytes, `created`.
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
            if not created and path.stat().st_nlink > 1 and path.is_file():
                raise NodeError(f"{_shown(path, context)} has another name, which may lie elsewhere", category="denied")
            path.parent.mkdir(parents=True, exist_ok=True)
            mode = os.O_APPEND if append else os.O_TRUNC
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | mode, 0o666), "wb") as file:
                file.write(content)
        except UnicodeEncodeError as error:
            raise NodeError("`content` holds half a character (a lone surrogate)", category="permanent") from error
        except OSError as error:
            raise _refused(path, context, error) from error
        return {"path": _shown(path, context), "size": len(content), "created": created}

    return write_file


def list_folder(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """List a folder. Params: `path` (the project folder by default), `pattern` (`*` by default, `**/*.md` below too).

    Result: `path`, and sorted lists of relative paths, `files` and `folders`; links that lead out of the project are
    left out.
    """
    folder = _confined(text(params, "path", default="."), context)
    pattern = text(params, "pattern", default="*")
    if ".." in Path(pattern).parts or Path(pattern).is_absolute() or not pattern:
        raise NodeError(f"`pattern` stays below the folder: {pattern!r} does not", category="permanent")
    if not folder.is_dir():
        raise NodeError(f"no folder: {_shown(folder, context)}", category="permanent")
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
    """The place that a path leads to, which lies in the project (NodeError of category `denied`)."""
    root = _root(context)
    try:
        path = (root / written).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # ValueError: a null byte
        raise NodeError(f"{written!r} is no path: {error}", category="permanent") from error
    if not path.is_relative_to(root):
        raise NodeError(f"{written!r} leads out of the project", category="denied")
    return path


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # links that lead to each other
        return False


def _shown(path: Path, context: Context) -> str:
    return path.relative_to(_root(context)).as_posix()


def _refused(path: Path, context: Context, error: Exception) -> NodeError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return NodeError(f"{_shown(path, context)}: {reason}", category="permanent")
