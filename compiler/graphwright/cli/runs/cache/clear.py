"""`graphwright runs cache clear`: deletes the cached results."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_project, project_of

_EXAMPLES = "  graphwright runs cache clear"


def parser() -> Parser:
    """The options of the action."""
    description = "Delete the results that are kept for nodes with `cache_result`: these nodes are executed again."
    parser = Parser("runs cache clear", "[options]", description, _EXAMPLES)
    add_project(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Delete them and print how many there were."""
    from graphwright_runtime.durable.cache import clear

    count = clear(project_of(options))
    console.message(f"deleted {count} result{'' if count == 1 else 's'}\n")
    return 0
