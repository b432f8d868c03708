"""`graphwright runs cache stats`: prints the number of cached results and their size."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_project, project_of
from graphwright.cli.runs.printing import json_text

_EXAMPLES = "  graphwright runs cache stats"


def parser() -> Parser:
    """The options of the action."""
    description = "Print as JSON how many results of nodes with `cache_result` are kept, and their size in bytes."
    parser = Parser("runs cache stats", "[options]", description, _EXAMPLES)
    add_project(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the counts."""
    from graphwright_runtime.durable.cache import entries

    files = list(entries(project_of(options)))
    console.result(json_text({"entries": len(files), "bytes": sum(file.stat().st_size for file in files)}))
    return 0
