"""A command with several actions, such as `graphwright runs`.

Like a command, each action is a module with `parser()` and `run(options, console)`, in the package of the group, and is
imported only when it is called.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graphwright.cli.command import UsageError, unknown
from graphwright.cli.console import Console

_HELP = """usage: graphwright {command} ACTION [arguments]

{description}

actions:
{actions}

options:
  -h, --help     show this help and exit

examples:
{examples}

Run `graphwright {command} ACTION --help` for the options of an action.
"""


class Group(NamedTuple):
    """A command with actions: `actions` maps their names to descriptions, `package` contains their modules."""

    command: str
    description: str
    package: str
    actions: Mapping[str, str]
    examples: str

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse the options of the action that the first argument names; `options.action` is its module's `run`.

        Raises `UsageError`, and `SystemExit` after printing a help page.
        """
        if not arguments:
            Console().message(self.help())
            raise SystemExit(2)
        name, *rest = arguments
        if name in ("-h", "--help", "help"):
            Console().result(self.help())
            raise SystemExit(0)
        if name not in self.actions:
            if name.startswith("-"):
                raise UsageError(
                    f"the action is missing before `{name}`: graphwright {self.command} ACTION [arguments]\n"
                    f"see `graphwright {self.command} --help`"
                )
            raise unknown(name, self.actions, f"graphwright {self.command}")
        module = importlib.import_module(f"{self.package}.{name.replace('-', '_')}")
        options: argparse.Namespace = module.parser().read(rest)
        if "action" not in options:  # a nested group has already set it
            options.action = module.run
        return options

    def help(self) -> str:
        """The help page that lists the actions."""
        listed = "\n".join(f"  {name:<13}{purpose}" for name, purpose in self.actions.items())
        return _HELP.format(command=self.command, description=self.description, actions=listed, examples=self.examples)
