"""`graphwright contracts`: what the tools of a project take and return, and where that is declared."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from graphwright.cli.console import Console

#: What can follow `contracts` in place of the id of a tool; each is a module of this package.
ACTIONS = ("lock", "scaffold")


class Contracts:
    """The options of the action that the first argument names, or of the list."""

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; `options.action` is what to run. Raises `UsageError`."""
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
    """The exit code of the action that was chosen."""
    return int(options.action(options, console))
