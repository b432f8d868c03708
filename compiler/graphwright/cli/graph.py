"""`graphwright graph`: draws a graph."""

from __future__ import annotations

import argparse
import subprocess

from graphwright.checking.checker import check
from graphwright.checking.report import exit_code
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.reporting import show
from graphwright.cli.target import graph_file

#: The formats of `graphwright.export`, repeated here to import it only when needed, and what Graphviz makes of `dot`.
_FORMATS = ("mermaid", "dot", "json", "svg")

_EXAMPLES = """\
  graphwright graph graphs/report.yaml                          as mermaid, which GitHub renders
  graphwright graph reports/weekly --format svg > report.svg     drawn by Graphviz"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser("graph", "GRAPH [options]", "Draw a graph with its nodes and edges.", _EXAMPLES)
    parser.add_argument("graph", metavar="GRAPH", help="a YAML file or the id of a graph")
    parser.add_argument("--format", choices=_FORMATS, default="mermaid", help="the output format (default: mermaid)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the drawing; a graph with errors is drawn as far as possible."""
    report = check([graph_file(options.graph)], keep=True)
    graph = report.graphs[0].facts().graph if report.graphs else None
    if graph is None:
        show(report, console)
        return max(exit_code(report.diagnostics), 1)
    from graphwright.export import export

    console.result(_drawn(export(graph, "dot")) if options.format == "svg" else export(graph, options.format))
    return 0


def _drawn(text: str) -> str:
    """The SVG that Graphviz draws. Raises UsageError."""
    try:
        done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise UsageError(
            f"SVG is drawn by Graphviz, whose program `dot` cannot be started: {error.strerror}; the other formats do "
            "not need it"
        ) from error
    if done.returncode:
        raise UsageError(f"`dot` failed: {done.stderr.strip()}")
    return done.stdout
