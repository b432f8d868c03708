"""`graphwright runs list`: lists the runs of a project."""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_project, counted, found_run, project_of
from graphwright.cli.runs.printing import json_text, table, when

if TYPE_CHECKING:
    from graphwright_runtime.durable.listing import RunRow

_EXAMPLES = """\
  graphwright runs list -n 10                               the ten newest runs, the newest is the last one
  graphwright runs list --graph 'reports/*' --status error
  graphwright runs list --children weekly-1717-ab12         what a run has started or called
  graphwright runs list --format json"""

#: The statuses of runs.
_STATUSES: Final = (
    "created",
    "running",
    "completed",
    "completed_with_errors",
    "error",
    "cancelled",
    "interrupted",
    "killed",
    "orphaned",
    "damaged",
)


def parser() -> Parser:
    """The options of the action."""
    description = (
        "List the runs of a project, the newest one last. A run is `orphaned` if its process ended without recording "
        "how the run ended, and `damaged` if its log was emptied."
    )
    parser = Parser("runs list", "[options]", description, _EXAMPLES)
    parser.add_argument(
        "--graph", metavar="ID", help="only runs of this graph: its id, the last part of its id, or a pattern with *"
    )
    parser.add_argument(
        "--status",
        choices=_STATUSES,
        action="append",
        metavar="STATUS",
        help=f"only runs with this status (repeatable): {', '.join(_STATUSES)}",
    )
    parser.add_argument("-n", "--limit", type=counted, metavar="N", help="only the N newest of them")
    add_project(parser)
    parser.add_argument("--children", metavar="RUN", help="only the runs that this run has started or called")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the list."""
    from graphwright_runtime.durable.listing import runs

    project = project_of(options)
    found, problem = runs(project)
    if problem is not None:
        console.message(f"the registry of runs cannot be read ({problem}): the list is made from the logs\n")
    parent = None if options.children is None else found_run(project, options.children)
    wanted = [row for row in found if _is_wanted(row, options, parent)][-(options.limit or len(found)) :]
    if options.format == "json":
        console.result(json_text([row._asdict() for row in wanted]))
        return 0
    if not wanted:
        console.remark(f"no runs {'like that ' if found else ''}are kept in {project}\n")
        return 0
    rows = [("RUN", "GRAPH", "STATUS", "STARTED", "UPDATED", "PARENT")]
    rows += [
        (row.run_id, row.graph_id, row.status, when(row.created_at), when(row.updated_at), row.parent_id or "")
        for row in wanted
    ]
    console.result(table(rows if any(row.parent_id for row in wanted) else [row[:-1] for row in rows]))
    return 0


def _is_wanted(row: RunRow, options: argparse.Namespace, parent: str | None) -> bool:
    if (options.status and row.status not in options.status) or (parent is not None and row.parent_id != parent):
        return False
    graph = options.graph
    return graph is None or graph == row.graph_id.rpartition("/")[2] or fnmatchcase(row.graph_id, graph)
