"""What a process may do that a run or thread has started: what the signed context of that one says.

The environment only names the context (RYE_PARENT_THREAD_ID). It counts as long as the process that wrote it is
executing the run, and that of a thread as long as the thread runs: a copy, or one that is left over, grants nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.content import content_of
from graphwright_runtime.durable.canonical import parsed
from graphwright_runtime.durable.claims import signed_body
from graphwright_runtime.durable.layout import Layout, check_run_id, writer_of
from graphwright_runtime.durable.locking import is_held
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.values import Json

#: Bytes of a context, and of its signature, at most.
_LONGEST: Final = 1 << 20


class Inherited(NamedTuple):
    """The capabilities and limits of the run or thread that started a process, and the levels left below it."""

    capabilities: list[str]
    limits: Mapping[str, Json]
    depth: int


def inherited(project: Path, parent_id: str) -> Inherited:
    """Read and verify the context of a run or thread. Raises RefusedError, which says why it grants nothing."""
    check_run_id(parent_id)
    told = _context(project, parent_id)
    above = parent_id if "graph_id" in told else str(told.get("parent_thread_id"))
    check_run_id(above)
    layout = Layout(project, "", above)
    if not is_held(layout.log) or writer_of(layout) != told.get("pid"):
        raise RefusedError("the run that wrote it is over")
    if above != parent_id and not _is_running(project, parent_id):
        raise RefusedError("the thread that it belongs to is over")
    match told:
        case {"capabilities": list() as capabilities, "limits": dict() as limits, "depth": int() as depth}:
            return Inherited([str(each) for each in capabilities], limits, depth)
        case _:
            raise RefusedError("it is not what a run writes")


def _is_running(project: Path, thread_id: str) -> bool:
    """Whether a thread runs. Raises RefusedError."""
    import sqlite3

    from graphwright_runtime.durable.registry import row

    try:
        return row(project, thread_id).get("status") == "running"
    except (OSError, sqlite3.Error) as error:
        raise RefusedError(f"the registry of runs cannot be read: {error}") from error


def _context(project: Path, parent_id: str) -> Mapping[str, Json]:
    """The context of a run or thread, whose signature holds. Raises RefusedError."""
    layout = Layout(project, "", parent_id)
    file = layout.context
    try:
        data, line = content_of(file, _LONGEST), content_of(file.with_name(f"{file.name}.sig"), _LONGEST)
    except FileNotFoundError as error:
        raise RefusedError(f"there is no {error.filename}") from error
    except OSError as error:
        raise RefusedError(f"{error.filename or file} cannot be read: {error.strerror}") from error
    body = signed_body(layout, "thread", file, line + data)
    try:
        told = parsed(body)
    except ValueError:
        told = None
    if body != data or not isinstance(told, dict) or told.get("thread_id") != parent_id:
        raise RefusedError(f"{file} belongs to another run")
    return cast("Mapping[str, Json]", told)
