"""`graphwright runs cancel`: asks a run to end."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, named_run
from graphwright.cli.runs.printing import resumption

_EXAMPLES = "  graphwright runs cancel weekly-1717-ab12"


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Ask a run to end: its action is cut within half a second. The run can be resumed, unless its durability is "
        "`exit`."
    )
    parser = Parser("runs cancel", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Ask, without waiting."""
    from graphwright_runtime.durable.survey import ask_to_cancel

    project, run_id = named_run(options)
    found = ask_to_cancel(project, run_id)
    console.message(f"asked the run {run_id} (process {found.pid}) to end; {resumption(found)}\n")
    return 0
