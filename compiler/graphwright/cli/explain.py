"""`graphwright explain`: what a code means."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright explain GW302"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser("explain", "CODE [CODE ...]", "What a code means, why it matters, how to mend it.", _EXAMPLES)
    parser.add_argument("codes", nargs="+", metavar="CODE", help="a code such as GW302")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print a page for each code."""
    from graphwright.checking.inspection import catalogue
    from graphwright.checking.levels import unknown_code
    from graphwright.render.catalogue import page

    codes = [code.upper() for code in options.codes]
    for code in codes:
        if code not in catalogue():
            problem = unknown_code(code, catalogue()) or f"`{code}` is a family; name one code"
            raise UsageError(problem)
    console.result("\n".join(page(catalogue()[code]) for code in codes))
    return 0
