"""`graphwright runs status`: prints the status of a run as JSON."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, named_run
from graphwright.cli.runs.printing import json_text

if TYPE_CHECKING:
    from graphwright_runtime.durable.survey import RunStatus

_EXAMPLES = """\
  graphwright runs status weekly-1717-ab12
  graphwright runs status weekly         if only one run has an id that begins with it"""


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Print the status of a run from its log as JSON: run_id, graph_id, alive, pid, status, current_node (the next "
        "one), step (finished steps), cut_step (the step that was not finished when the run ended, which its result "
        "counts)."
    )
    parser = Parser("runs status", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the status."""
    from graphwright_runtime.durable.survey import run_status

    console.result(json_text(summary(run_status(*named_run(options)))))
    return 0


def summary(found: RunStatus) -> dict[str, object]:
    """The status as JSON."""
    cut = None if found.cut is None else {"step": found.cut[0], "node": found.cut[1]}
    return {**found.summary(), "cut_step": cut}
