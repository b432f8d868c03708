"""The arguments that name a run: its project, and its id or the beginning of its id."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from graphwright.cli.command import Parser, UsageError, number_from
from graphwright.cli.target import project_folder
from graphwright.presence import is_folder

#: Maximum number of ids in a message.
_LISTED = 3


#: The type of options that take a number of runs or steps.
counted = number_from(1)


def add_project(parser: Parser) -> None:
    """Declare `--project`."""
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the nearest one above)")


def add_run(parser: Parser) -> None:
    """Declare `RUN` and `--project`."""
    parser.add_argument("run", metavar="RUN", help="the id of a run, or the beginning of its id")
    add_project(parser)


def project_of(options: argparse.Namespace) -> Path:
    """The project folder that the options name. Raises UsageError."""
    return project_folder(options.project) or Path.cwd()


def named_run(options: argparse.Namespace) -> tuple[Path, str]:
    """The project and the id of the run that the options name. Raises UsageError."""
    project = project_of(options)
    return project, found_run(project, options.run)


def found_run(project: Path, text: str) -> str:
    """The id of a run in the project: `text`, or the only one that begins with it. Raises UsageError."""
    from graphwright_runtime.durable.layout import check_run_id, threads
    from graphwright_runtime.durable.listing import run_ids
    from graphwright_runtime.errors import RefusedError

    folder = threads(project)
    try:
        check_run_id(text)
        ids = run_ids(project)
    except RefusedError as error:
        raise UsageError(str(error)) from error
    if text not in ids and (above := _run_of_thread(folder / text)) is not None:
        raise UsageError(f"`{text}` is a thread, which the run `{above}` started: name that run")
    if text in ids or is_folder(folder / text):
        return text
    matches = _outermost(project, [run_id for run_id in ids if run_id.startswith(text)])
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = ", ".join(f"`{run_id}`" for run_id in matches[:_LISTED])
        more = f" and {len(matches) - _LISTED} more" if len(matches) > _LISTED else ""
        raise UsageError(f"the ids of {len(matches)} runs begin with `{text}`: {listed}{more}; be more specific")
    from graphwright.suggest import nearest

    near = nearest(text, ids)
    hint = f"did you mean `{near}`?" if near else "see `graphwright runs list`"
    raise UsageError(f"there is no run `{text}` in {folder}; {hint}")


def _run_of_thread(folder: Path) -> str | None:
    """The run that started the thread with a folder; None if it is not that of a thread."""
    from graphwright_runtime.content import content_of

    try:
        told = json.loads(content_of(folder / "thread.json"))
    except (OSError, ValueError):
        return None
    return str(told.get("parent_thread_id")) if isinstance(told, dict) and "directive" in told else None


def unknown_node(run_id: str, head: Mapping[str, object], node: str) -> UsageError:
    """The error for a node without steps in a run; `head` is the description of the graph in the log."""
    if not head:
        return UsageError(f"the log of the run {run_id} has no events: it ended before its first step was kept")
    names = list(cast("Mapping[str, str]", head.get("node_hashes") or {}))
    if node in names:
        return UsageError(f"the run {run_id} has not executed the node `{node}`")
    from graphwright.suggest import nearest

    near = nearest(node, names)
    hint = f"did you mean `{near}`?" if near else f"it has {', '.join(f'`{name}`' for name in names[:10])}"
    return UsageError(f"the graph `{head.get('graph_id')}` has no node `{node}`; {hint}")


def _outermost(project: Path, run_ids: list[str]) -> list[str]:
    """The runs without those that others of them called, whose ids begin with those of their callers."""
    from graphwright_runtime.durable.listing import parent_of

    if len(run_ids) < 2:
        return run_ids
    known = set(run_ids)
    return [run_id for run_id in run_ids if parent_of(project, run_id) not in known]
