"""`graphwright step`: executes a single node of a graph and prints the resulting state as JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path

from graphwright.checking.report import Report, exit_code
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.diversion import diverted
from graphwright.cli.inputs import read_inputs
from graphwright.cli.reporting import show
from graphwright.cli.runnable import runnable
from graphwright.cli.runs.naming import found_run
from graphwright.cli.target import checked_folder, project_folder

_EXAMPLES = """\
  graphwright step reports/weekly fetch -i team=blue
  graphwright step reports/weekly count --state '{"rows": [1, 2]}'
  graphwright step reports/weekly count --resume-from weekly-1717-ab12   with the state of that run"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Execute one node of a graph. The result is JSON on standard output: success, state, executed_node, "
        "next_node, step_count. Nothing is kept, and no other run is changed."
    )
    parser = Parser("step", "GRAPH NODE [options]", description, _EXAMPLES)
    parser.add_argument("graph", metavar="GRAPH", help="a YAML file, the id of a graph, or a generated module")
    parser.add_argument("node", metavar="NODE", help="the node to execute")
    parser.add_argument("-i", "--input", action="append", default=[], metavar="NAME=VALUE", help="one input")
    parser.add_argument("--inputs", metavar="FILE", help="a JSON file with inputs, - for standard input")
    parser.add_argument("--state", metavar="JSON", help="keys of the state, as a JSON object")
    parser.add_argument("--resume-from", metavar="RUN", help="start from the state and the inputs of this run")
    parser.add_argument(
        "--capability", action="append", metavar="PATTERN", help="a capability that the run is granted (repeatable)"
    )
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the nearest one above)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Execute the node; returns 0 if it succeeded, 1 if it failed."""
    with diverted() as out:
        loaded = runnable(options.graph, checked_folder(options.project))
        if isinstance(loaded, Report):
            show(loaded, console)
            return max(exit_code(loaded.diagnostics), 1)
        from graphwright.cli.protection import file_protection, trusted_tools
        from graphwright_runtime.errors import RefusedError
        from graphwright_runtime.inprocess import InProcessHost
        from graphwright_runtime.single import step

        inputs = read_inputs(options.input, options.inputs, loaded.types, loaded.graph.declared)
        project = project_folder(options.project) or Path.cwd()
        host = InProcessHost(graphs=loaded.graphs, trust=trusted_tools(project), protection=file_protection(project))
        try:
            resume_from = None if options.resume_from is None else found_run(project, options.resume_from)
            result = asyncio.run(
                step(
                    loaded.graph,
                    options.node,
                    inputs,
                    state=_state(options.state),
                    resume_from=resume_from,
                    capabilities=options.capability,
                    host=host,
                    project=project,
                )
            )
        except RefusedError as error:
            raise UsageError(str(error)) from error
        console.result(json.dumps(result, indent=2, ensure_ascii=False) + "\n", out)
        return 0 if result["success"] else 1


def _state(text: str | None) -> dict[str, object]:
    """Parse the value of `--state`. Raises UsageError."""
    from graphwright_runtime.values import NotJsonError, parsed_json

    if text is None:
        return {}
    try:
        state = parsed_json(text)
    except NotJsonError as error:
        raise UsageError(f"`--state` is not JSON: {error}") from error
    if not isinstance(state, dict):
        raise UsageError("`--state` takes a JSON object")
    return dict(state)
