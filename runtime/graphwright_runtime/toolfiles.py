"""Tools that are files of a tool folder: Python with `execute(params, project_path, context)`, or any executable."""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from glob import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

from graphwright_runtime.content import content_of
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.process import Finished, run_process
from graphwright_runtime.toolerror import failed, printable, with_type
from graphwright_runtime.toolimports import Scope, scope
from graphwright_runtime.tooling import Bound, file_tool
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.trust.items import ItemTrust


def python_tool(
    item_id: str, folder: Path, trust: ItemTrust | None = None, project: Path | None = None
) -> Bound | None:
    """The tool with an id in a Python file of a folder; None if the file does not exist.

    With `trust`, only files that it accepts are executed, and the executed bytes are those that were verified. Files
    that another user could have written are never executed (NodeError). The file may import the code of `project`,
    unless the policy requires signatures.
    """
    source = tool_file(item_id, folder, python=True)
    if source is None:
        return None
    own = _scope(source, folder, trust, project)
    execute = getattr(_module(source, own.read(source), own), "execute", None)
    if callable(execute):
        return file_tool(execute)
    if not os.access(source, os.X_OK):
        raise NodeError(f"{source} has no function execute(params, project_path)", category="permanent")
    return _program(source, item_id, trust)


def program_tool(item_id: str, folder: Path, trust: ItemTrust | None = None) -> Bound | None:
    """The tool with an id in an executable file of a folder, with any suffix or none; see `python_tool`."""
    program = tool_file(item_id, folder, python=False)
    if program is None:
        return None
    _check_owner(program, folder)
    return _program(program, item_id, trust)


def tool_file(item_id: str, folder: Path, *, python: bool) -> Path | None:
    """The Python or executable file of a tool; None if it does not exist."""
    if python:
        source = folder / f"{item_id}.py"
        return source if _is_file(source) else None
    return next((each for each in _files(item_id, folder) if os.access(each, os.X_OK)), None)


def plain_file(item_id: str, folder: Path) -> Path | None:
    """The file that would be the tool with this id if it were executable; None if it does not exist."""
    return next((each for each in _files(item_id, folder) if not os.access(each, os.X_OK)), None)


def _files(item_id: str, folder: Path) -> list[Path]:
    """The files with this id, with any suffix or none."""
    exact = folder / item_id
    return [each for each in (exact, *sorted(exact.parent.glob(f"{escape(exact.name)}.*"))) if _is_file(each)]


def _check_owner(path: Path, folder: Path) -> None:
    """Raise NodeError for a tool that another user could have written."""
    from graphwright_runtime.trust.owner import ownership_problem

    problem = ownership_problem(path, folder.parent.parent)  # up to the folder that contains `.ai`
    if problem is not None:
        raise NodeError(problem, category="denied")


def _is_file(path: Path) -> bool:
    """Whether a file exists; false in a folder that is not accessible, such as another user's home."""
    try:
        return path.is_file()
    except OSError:
        return False


def _scope(source: Path, folder: Path, trust: ItemTrust | None, project: Path | None) -> Scope:
    """The imports of a tool's file: files of its tool folder that may be executed, and the code of its project."""

    def read(file: Path) -> bytes:
        if not file.is_relative_to(folder):
            _check_owner(file, folder)
            return content_of(file)
        return _read(file, file.relative_to(folder).with_suffix("").as_posix(), folder, trust)

    policy = "off" if trust is None else trust.policy
    folders = [source.parent] if source.parent == folder else [source.parent, folder]
    if project is not None and policy != "require":
        folders += [project / "src", project]
    return scope(folders, policy, read)


def _read(file: Path, item_id: str, folder: Path, trust: ItemTrust | None) -> bytes:
    """The bytes of a file that may be executed. Raises NodeError if it may not."""
    _check_owner(file, folder)
    return content_of(file) if trust is None else _verified(file, item_id, trust)


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
    """The verified bytes of a tool's file. Raises NodeError if they are not trusted."""
    from graphwright_runtime.trust.items import ItemRefused

    try:
        return trust.examine(path, "tool", item_id).data
    except ItemRefused as refused:
        raise NodeError(f"the tool `{item_id}` is not trusted: {refused.refusal}", category="denied") from refused


def _module(source: Path, data: bytes, own: Scope) -> ModuleType:
    """The module of a file with this content, executed once."""
    try:
        return _executed(source.resolve(), data, own)
    except (Exception, SystemExit) as error:  # SystemExit: a script that is not a tool
        text = f"{source} cannot be loaded: {with_type(failed(error))}{_where(error, source)}"
        raise NodeError(text, category="permanent") from error


def _where(error: BaseException, source: Path) -> str:
    """The line where loading a file failed, for messages; empty if the error contains it, as syntax errors do."""
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(source.resolve()):
            line = trace.tb_lineno
        trace = trace.tb_next
    return "" if line is None else f" (line {line})"


@cache
def _executed(source: Path, data: bytes, own: Scope) -> ModuleType:
    """Execute a module. Its name contains its path, so that dataclasses and pickle find it and imports cannot clash."""
    module = ModuleType(f"graphwright_tools:{source}")
    module.__file__ = str(source)
    module.__package__ = own.package
    vars(module)["__builtins__"] = own.builtins
    code = compile(data, str(source), "exec", dont_inherit=True)
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module
