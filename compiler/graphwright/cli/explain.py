"""`graphwright explain`: documents codes."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright explain GW302         one rule
  graphwright explain GW3           the rules of a family
  graphwright explain unreachable   the rules with a word in their titles"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "explain", "CODE [CODE ...]", "Explain what a code means, why it matters and how to fix it.", _EXAMPLES
    )
    parser.add_argument(
        "codes", nargs="+", metavar="CODE", help="a code such as GW302, a family such as GW3, or a word"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print a page for each code, or a table for a family or a word in titles."""
    from graphwright.checking.levels import as_code, unknown_code
    from graphwright.render.catalogue import page, table
    from graphwright.rules.catalogue import catalogue

    pages = []
    for written in options.codes:
        code = as_code(written)
        problem = unknown_code(code, catalogue())
        titled = [rule for rule in catalogue().values() if written.lower() in rule.title.lower()]
        if code in catalogue():
            pages.append(page(catalogue()[code]))
        elif problem is None:
            pages.append(table(rule for rule in catalogue().values() if rule.code.startswith(code)))
        elif titled and not code.startswith("GW"):
            pages.append(table(titled))
        elif code.startswith("GW"):
            raise UsageError(problem)
        else:
            raise UsageError(f"no code is called `{written}`, and no title contains it; see `graphwright rules`")
    console.result("\n".join(pages))
    return 0
