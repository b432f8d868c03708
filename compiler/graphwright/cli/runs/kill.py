"""`graphwright runs kill`: ends a run that does not end when asked to."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, named_run
from graphwright.cli.runs.printing import resumption

_EXAMPLES = "  graphwright runs kill weekly-1717-ab12"


def parser() -> Parser:
    """The options of the action."""
    description = (
        "End the process of a run: with SIGTERM, and with SIGKILL if it does not end within 3 seconds. The run can be "
        "resumed, unless its durability is `exit`."
    )
    parser = Parser("runs kill", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """End the process."""
    from graphwright_runtime.durable.survey import kill

    project, run_id = named_run(options)
    found = kill(project, run_id)
    console.message(f"the run {run_id} is {found.status}; {resumption(found)}\n")
    return 0
