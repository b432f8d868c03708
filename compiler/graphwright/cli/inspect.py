"""`graphwright inspect`: shows what a generated module contains."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright.readback.origin import SourceState
    from graphwright.trust.standing import Standing

_EXAMPLES = """\
  graphwright inspect generated/reports/weekly.py     a file
  graphwright inspect generated.reports.weekly        a module, by its dotted name
  graphwright inspect reports/weekly                  a graph, by its id: the module in the output folder
  graphwright inspect reports/weekly --format json"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Show what a generated module contains: its graph, types, permissions, environment variables and tools, where "
        "it comes from, and whether its signature is valid. The module is read, never imported or run."
    )
    parser = Parser("inspect", "MODULE [options]", description, _EXAMPLES)
    parser.add_argument(
        "module", metavar="MODULE", help="a generated file, the dotted name of a module, or the id of a graph"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the outline of a module. The exit code does not depend on the signature; use `verify` for that."""
    from graphwright.cli.inspecting import as_json, as_text
    from graphwright.cli.modules import module_file
    from graphwright.project.projects import Projects, shown
    from graphwright.readback.module import NotAGraphError, read_module
    from graphwright.readback.origin import source_state

    file = module_file(options.module)
    project = Projects().of_output(file.parent)
    standing = _standing(file, project.folder)
    try:
        outline = read_module(standing.data)
    except NotAGraphError as error:
        raise UsageError(f"{shown(file)} {error}") from error
    state: SourceState = source_state(outline, project.folder)
    layout = as_json if options.format == "json" else as_text
    console.result(layout(shown(file), outline, state, standing))
    return 0


def _standing(file: Path, project: Path) -> Standing:
    from graphwright.trust.standing import standing_of
    from graphwright_runtime.trust.truststore import TrustError, find_trust

    try:
        return standing_of(file, find_trust(project))
    except TrustError as error:
        raise UsageError(str(error)) from error
