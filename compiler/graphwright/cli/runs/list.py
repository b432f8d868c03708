"""`graphwright runs list`: the runs of a project."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_project, project_of
from graphwright.cli.runs.printing import json_text, table

_EXAMPLES = """\
  graphwright runs list                  the newest run is the last one
  graphwright runs list --format json"""


def parser() -> Parser:
    """The options of the action."""
    parser = Parser("runs list", "[options]", "List the runs of a project. The newest run is the last one.", _EXAMPLES)
    add_project(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the list")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the list."""
    from graphwright_runtime.durable.survey import runs
    from graphwright_runtime.durable.views import moment

    project = project_of(options)
    found = runs(project)
    if options.format == "json":
        console.result(json_text([row._asdict() for row in found]))
        return 0
    if not found:
        console.remark(f"no runs are kept in {project}\n")
        return 0
    rows = [(row.run_id, row.graph_id, row.status, moment(row.updated_at)) for row in found]
    console.result(table([("RUN", "GRAPH", "STATUS", "UPDATED"), *rows]))
    return 0
