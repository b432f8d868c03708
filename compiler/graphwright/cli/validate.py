"""`graphwright validate`: checks one graph and prints the result as JSON."""

from __future__ import annotations

import argparse
import json

from graphwright.checking.checker import check
from graphwright.checking.report import exit_code
from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.selection import opened_cache
from graphwright.cli.standard_input import add_path_option, piped
from graphwright.cli.target import graph_file
from graphwright.diagnostic import Diagnostic, Severity

_EXAMPLES = """\
  graphwright validate graphs/report.yaml
  graphwright validate - --path graphs/report.yaml < draft.yaml"""


def parser() -> Parser:
    """The options of the command."""
    description = "Check one graph and print {success, errors, warnings, node_count} as JSON; nothing is written."
    parser = Parser("validate", "GRAPH [options]", description, _EXAMPLES)
    parser.add_argument("graph", metavar="GRAPH", help="a YAML file or the id of a graph; `-` reads standard input")
    add_path_option(parser)
    parser.add_argument("--no-cache", action="store_true", help="do not use the cache")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the result."""
    (target,), texts = piped([options.graph], options)
    cache = opened_cache(enabled=not options.no_cache)
    report = check([target], texts=texts) if texts else check([graph_file(target)], cache=cache)
    verdict = {
        "success": not report.failed,
        "errors": [_line(each) for each in report.diagnostics if each.severity is Severity.ERROR],
        "warnings": [_line(each) for each in report.diagnostics if each.severity is Severity.WARNING],
        "node_count": sum(graph.nodes for graph in report.graphs),
    }
    console.result(json.dumps(verdict, indent=2, ensure_ascii=False) + "\n")
    return exit_code(report.diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    """A diagnostic on one line, with its location first."""
    advice = f"; {diagnostic.help}" if diagnostic.help else ""
    return f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.code} {diagnostic.message}{advice}"
