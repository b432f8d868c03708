"""`graphwright runs wait`: waits until a run ends."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, seconds
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, named_run
from graphwright.cli.runs.printing import json_text
from graphwright.cli.runs.status import summary

_EXAMPLES = """\
  graphwright runs wait weekly-1717-ab12
  graphwright runs wait weekly-1717-ab12 --timeout 60"""


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Wait until a run ends, then print its status as JSON. The exit code is 0 if the run completed, and 1 if it "
        "did not, or did not end in time."
    )
    parser = Parser("runs wait", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="how long to wait at most")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Wait, and print the status; returns 0 if the run completed."""
    from graphwright_runtime.durable.survey import run_status, wait

    project, run_id = named_run(options)
    ended = wait(project, run_id, options.timeout)
    found = run_status(project, run_id)
    console.result(json_text(summary(found)))
    return 0 if ended and found.status in ("completed", "completed_with_errors") else 1
