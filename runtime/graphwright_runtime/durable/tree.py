"""The runs below a run: those that it called or started, those that these called, and so on."""

from __future__ import annotations

import os
from typing import NamedTuple

from graphwright_runtime.durable.listing import RunRow, runs


class Below(NamedTuple):
    """A run in a tree; `depth` is 1 for a run that the top called itself."""

    depth: int
    row: RunRow


def runs_below(project: str | os.PathLike[str], run_id: str) -> list[Below]:
    """Every run below a run of a project, each followed by those below it, the oldest first. Raises RefusedError."""
    children: dict[str, list[RunRow]] = {}
    for row in runs(project).runs:
        if row.parent_id is not None and row.run_id != row.parent_id:
            children.setdefault(row.parent_id, []).append(row)
    found, seen = list[Below](), {run_id}
    waiting = [Below(1, row) for row in reversed(children.get(run_id, ()))]
    while waiting:
        each = waiting.pop()
        if each.row.run_id not in seen:  # who called whom is not signed everywhere: it may lead back
            seen.add(each.row.run_id)
            found.append(each)
            waiting += [Below(each.depth + 1, row) for row in reversed(children.get(each.row.run_id, ()))]
    return found
