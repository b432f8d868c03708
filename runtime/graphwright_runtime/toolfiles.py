"""Tools that are files of a tool folder: Python with `execute(params, project_path)`, or any executable."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from glob import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from graphwright_runtime.content import content_of
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.process import Finished, run_process
from graphwright_runtime.threads import in_thread
from graphwright_runtime.toolerror import failed, printable, with_type
from graphwright_runtime.tooling import Bound, is_coroutine_function
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.trust.items import ItemTrust


def python_tool(item_id: str, folder: Path, trust: ItemTrust | None = None) -> Bound | None:
    """The tool whose id a Python file in a folder has, None where there is no such file.

    With `trust` only a file that it accepts runs, and what runs are the very bytes that were verified. A file of
    someone else does not run in any case (NodeError).
    """
    source = tool_file(item_id, folder, python=True)
    if source is None:
        return None
    _refuse_stranger(source, folder)
    data = content_of(source) if trust is None else _verified(source, item_id, trust)
    execute = getattr(_module(source, data), "execute", None)
    if callable(execute):
        return _calling(execute)
    if not os.access(source, os.X_OK):
        raise NodeError(f"{source.name} has no function execute(params, project_path)", category="permanent")
    return _program(source, item_id, trust)


def program_tool(item_id: str, folder: Path, trust: ItemTrust | None = None) -> Bound | None:
    """The tool whose id an executable file in a folder has, with any suffix or none; as `python_tool`."""
    program = tool_file(item_id, folder, python=False)
    if program is None:
        return None
    _refuse_stranger(program, folder)
    return _program(program, item_id, trust)


def tool_file(item_id: str, folder: Path, *, python: bool) -> Path | None:
    """The Python file, or the executable one, whose id this is; None where there is none."""
    exact = folder / item_id
    if python:
        source = folder / f"{item_id}.py"
        return source if _is_file(source) else None
    candidates = (exact, *sorted(exact.parent.glob(f"{escape(exact.name)}.*")))
    return next((each for each in candidates if _is_file(each) and os.access(each, os.X_OK)), None)


def _refuse_stranger(path: Path, folder: Path) -> None:
    """Raise NodeError for a tool that someone else could have written."""
    from graphwright_runtime.trust.owner import distrusted

    problem = distrusted(path, folder.parent.parent)  # up to the folder that `.ai` lies in
    if problem is not None:
        raise NodeError(problem, category="denied")


def _is_file(path: Path) -> bool:
    """Whether there is a file; in a folder that may not be entered, such as another user's home, there is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _calling(execute: Callable[[dict[str, Json], str], object]) -> Bound:
    is_async = is_coroutine_function(execute)

    async def bound(params: dict[str, Json], context: Context) -> object:
        project = str(context.project)
        result = execute(params, project) if is_async else await in_thread(execute, params, project)
        return await result if inspect.isawaitable(result) else result

    return bound


def _program(path: Path, item_id: str, trust: ItemTrust | None) -> Bound:
    async def bound(params: dict[str, Json], context: Context) -> object:
        finished = await _run_program(path, item_id, trust, json.dumps(params), context)
        if finished.exit_code != 0:
            said = finished.stderr.strip() or finished.stdout.strip()[-200:]
            raise NodeError(printable(f"{path.name}: {said or finished.how}"))
        if not finished.output.strip():
            return None
        try:
            return cast("object", json.loads(finished.output.decode("utf-8")))
        except (ValueError, RecursionError) as error:
            raise NodeError(f"{path.name} did not write valid JSON: {error}", category="permanent") from error

    return bound


async def _run_program(path: Path, item_id: str, trust: ItemTrust | None, stdin: str, context: Context) -> Finished:
    if trust is None:
        return await run_process([str(path)], context, stdin=stdin)
    from graphwright_runtime.trust.items import runnable

    with runnable(path, _verified(path, item_id, trust)) as copy:
        return await run_process([str(copy)], context, stdin=stdin)


def _verified(path: Path, item_id: str, trust: ItemTrust) -> bytes:
    """The bytes of a tool's file. Raises NodeError where they are not to be trusted."""
    from graphwright_runtime.trust.items import ItemRefused

    try:
        return trust.examine(path, "tool", item_id).data
    except ItemRefused as refused:
        raise NodeError(f"the tool `{item_id}` is not trusted: {refused.refusal}", category="denied") from refused


def _module(source: Path, data: bytes) -> ModuleType:
    """The module of a file with this content, executed once."""
    try:
        return _executed(source.resolve(), data)
    except (Exception, SystemExit) as error:  # SystemExit: a script that is not a tool
        text = f"{source.name} cannot be loaded: {with_type(failed(error))}"
        raise NodeError(text, category="permanent") from error


@cache
def _executed(source: Path, data: bytes) -> ModuleType:
    """The path is the module's name too: dataclasses and pickling look it up, and no import can clash with it."""
    module = ModuleType(f"graphwright_tools:{source}")
    module.__file__ = str(source)
    code = compile(data, str(source), "exec")
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module
