"""`graphwright rules`: lists all codes."""

from __future__ import annotations

import argparse
import json

from graphwright.cli.command import Parser
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright rules
  graphwright rules --markdown > docs/rules.md"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser("rules", "[--markdown | --json]", "List every code, its severity, and what it finds.", _EXAMPLES)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="the whole documentation as Markdown")
    form.add_argument("--json", action="store_true", help="a list of {code, severity, title, documentation}")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the list."""
    from graphwright.render.catalogue import markdown, table
    from graphwright.rules.catalogue import catalogue

    rules = list(catalogue().values())
    if options.markdown:
        console.result(markdown(rules))
    elif options.json:
        entries = [
            {
                "code": each.code,
                "severity": each.severity.value,
                "title": each.title,
                "documentation": each.documentation,
            }
            for each in rules
        ]
        console.result(json.dumps(entries, indent=2, ensure_ascii=False) + "\n")
    else:
        console.result(table(rules))
    return 0
