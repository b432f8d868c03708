"""`graphwright runs show`: the nodes of a run, its last steps and its state."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, named_run
from graphwright.cli.runs.printing import json_text, table
from graphwright.cli.runs.status import summary
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.survey import RunStanding

_EXAMPLES = """\
  graphwright runs show weekly-1717-ab12
  graphwright runs show weekly-1717-ab12 --format json"""

#: `orphaned`: the process of the run is gone, and the run is not over.
_RESUMABLE: Final = ("cancelled", "error", "killed", "orphaned")


def parser() -> Parser:
    """The options of the action."""
    description = "Show the nodes of a run, its last steps and its state, from its log."
    parser = Parser("runs show", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print what the log says."""
    from graphwright_runtime.durable.survey import standing

    found = standing(*named_run(options))
    if options.format == "json":
        console.result(json_text(_everything(found)))
        return 0
    console.result(_text(found))
    if found.status in _RESUMABLE:
        console.remark(f"to resume the run: graphwright run {found.graph_id} --resume {found.run_id}\n")
    return 0


def _everything(found: RunStanding) -> dict[str, object]:
    checkpoint = found.checkpoint
    tallies = {
        name: {"visits": tally.visits, "status": tally.status, "elapsed_ms": round(tally.elapsed_ms, 3)}
        for name, tally in checkpoint.history.nodes.items()
    }
    more = {"path": checkpoint.path, "nodes": tallies, "inputs": checkpoint.inputs, "state": checkpoint.state}
    return {**summary(found), **more}


def _text(found: RunStanding) -> str:
    from graphwright_runtime.durable.views import moment

    checkpoint = found.checkpoint
    nodes = [
        (name, tally.status, str(tally.visits), f"{tally.elapsed_ms / 1000:.1f} s")
        for name, tally in checkpoint.history.nodes.items()
    ]
    steps = [
        (str(step), node, status, f"{elapsed_ms:.1f} ms", moment(at))
        for at, step, node, status, elapsed_ms in checkpoint.history.recent
    ]
    return (
        f"{printable(f'{found.run_id} of {found.graph_id}')}: {found.progress}\n\n"
        + table([("NODE", "STATUS", "VISITS", "TIME"), *nodes])
        + "\n"
        + table([("STEP", "NODE", "STATUS", "TIME", "DONE"), *steps])
        + "\n"
        + json_text(checkpoint.state)
    )
