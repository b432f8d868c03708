"""Tools that are files of a tool folder: Python with `execute(params, project_path)`, or any executable."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import cast

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.process import run_process
from graphwright_runtime.threads import in_thread
from graphwright_runtime.tooling import Bound, is_coroutine_function
from graphwright_runtime.values import Json


def file_tool(item_id: str, folder: Path) -> Bound | None:
    """The tool of an id in a folder, None where no file has it."""
    source = folder / f"{item_id}.py"
    if source.is_file():
        execute = getattr(_module(source), "execute", None)
        if callable(execute):
            return _python_tool(execute)
        if not os.access(source, os.X_OK):
            raise NodeError(f"{source.name} has no function execute(params, project_path)", category="permanent")
        return _program(source)
    exact = folder / item_id
    candidates = [exact, *sorted(exact.parent.glob(f"{exact.name}.*"))] if exact.parent.is_dir() else []
    program = next((each for each in candidates if each.is_file() and os.access(each, os.X_OK)), None)
    return None if program is None else _program(program)


def _python_tool(execute: Callable[[dict[str, Json], str], object]) -> Bound:
    is_async = is_coroutine_function(execute)

    async def bound(params: dict[str, Json], context: Context) -> object:
        project = str(context.project)
        result = execute(params, project) if is_async else await in_thread(execute, params, project)
        return await result if inspect.isawaitable(result) else result

    return bound


def _program(path: Path) -> Bound:
    async def bound(params: dict[str, Json], context: Context) -> object:
        finished = await run_process([str(path)], context, stdin=json.dumps(params))
        if finished.exit_code != 0:
            said = finished.stderr.strip() or finished.stdout.strip()[-200:]
            raise NodeError(f"{path.name}: {said or f'exit code {finished.exit_code}'}")
        if not finished.stdout.strip():
            return None
        try:
            return cast("object", json.loads(finished.stdout))
        except (ValueError, RecursionError) as error:
            raise NodeError(f"{path.name} wrote no JSON: {error}", category="permanent") from error

    return bound


def _module(source: Path) -> ModuleType:
    """The module of a file, executed once as long as the file stays as it is."""
    status = source.stat()
    try:
        return _executed(source.resolve(), status.st_mtime_ns, status.st_size)
    except Exception as error:
        text = f"{source.name} cannot be loaded: {type(error).__name__}: {error}"
        raise NodeError(text, category="permanent") from error


@cache
def _executed(source: Path, _changed_ns: int, _size: int) -> ModuleType:
    """The path is the module's name too: dataclasses and pickling look it up, and no import can clash with it."""
    module = ModuleType(f"graphwright_tools:{source}")
    module.__file__ = str(source)
    code = compile(source.read_bytes(), str(source), "exec")
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module
