"""`graphwright resume`: continues a run, whose graph is found by the id of the run."""

from __future__ import annotations

import argparse

from graphwright.cli import run as running
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import named_run

_EXAMPLES = """\
  graphwright resume weekly-1717-ab12                    continue where that run was interrupted
  graphwright resume weekly-1717-ab12 --allow-changed    although its graph has changed"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Continue a run that was killed, cancelled or failed; finished steps are not repeated. This is "
        "`graphwright run GRAPH --resume RUN` with the graph of the run."
    )
    parser = Parser("resume", "RUN [options]", description, _EXAMPLES)
    parser.add_argument("run", metavar="RUN", help="the id of a run, or the beginning of its id")
    running.add_running(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Continue the run; the exit codes are those of `graphwright run`."""
    from graphwright_runtime.durable.survey import run_status

    project, run_id = named_run(options)
    graph_id = run_status(project, run_id).graph_id
    if not graph_id:
        raise UsageError(f"the log of the run {run_id} does not say of which graph: it ended before its first step")
    words = [word for word in options.words if word != options.run]
    return running.run(running.parser().read([graph_id, "--resume", run_id, *words]), console)
