"""`graphwright diff`: compares two graphs or modules by meaning."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console

_FORMATS = ("text", "markdown", "json")

_EXAMPLES = """\
  graphwright diff HEAD:graphs/report.yaml graphs/report.yaml   what changed since the last commit
  graphwright diff main:./report.yaml report.yaml --breaking    exit with 1 if callers may break
  graphwright diff reports/weekly reports/daily                 two graphs, by their ids
  graphwright diff graphs/report.yaml generated/report.py       a graph and a module
  graphwright diff old/report.py new/report.py --format json    two modules"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Compare two graphs by meaning: permissions first, then tools and their contracts, environment variables, "
        "inputs, output, state, settings, hooks and nodes. Comments, layout and order are ignored. Exits with 0 even "
        "if there are differences, unless you pass --breaking; with 2 if a side cannot be read."
    )
    parser = Parser("diff", "OLD NEW [options]", description, _EXAMPLES)
    for name in ("old", "new"):
        parser.add_argument(
            name,
            metavar=name.upper(),
            help="a YAML file, the id of a graph, a generated module, or REVISION:PATH of git",
        )
    parser.add_argument("--breaking", action="store_true", help="exit with 1 if there are breaking changes")
    parser.add_argument("--format", choices=_FORMATS, default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the differences."""
    from graphwright.cli.comparing import outlines, side
    from graphwright.cli.differences import LAYOUTS
    from graphwright.compare.comparing import compare
    from graphwright.render.layout import printable

    old, new = side(options.old), side(options.new)
    before, after, remarks = outlines(old, new)
    comparison = compare(before, after)
    for remark in remarks:
        console.message(f"graphwright: {printable(remark)}\n")
    console.result(LAYOUTS[options.format](old.text, new.text, comparison))
    return 1 if options.breaking and comparison.breaking else 0
