"""`graphwright contracts`: shows what the tools of a project take and return, and where that is declared."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from graphwright.cli.console import Console

#: The words that can follow `contracts` instead of the id of a tool; each is a module of this package.
ACTIONS = ("lock", "mcp", "scaffold")


class Contracts:
    """Parses the options of the action that the first argument names, or of the list."""

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The parsed options; `options.action` is the function to run. Raises `UsageError`."""
        name, rest = "listing", list(arguments)
        if rest and rest[0] in ACTIONS:
            name = rest.pop(0)
        module = importlib.import_module(f"{__name__}.{name}")
        options: argparse.Namespace = module.parser().read(rest)
        options.action = module.run
        return options


def parser() -> Contracts:
    """The options of the command."""
    return Contracts()


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the chosen action; return its exit code."""
    return int(options.action(options, console))
