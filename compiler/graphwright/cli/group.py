"""A command with actions of its own, such as `graphwright runs`.

Each action is a module with `parser()` and `run(options, console)`, as each command is, in the package of the group; it
is imported when it is called.
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
    """The actions of a command: `actions` maps the name of each to what it is for, `package` has their modules."""

    command: str
    description: str
    package: str
    actions: Mapping[str, str]
    examples: str

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options of the action that the first argument names; `options.action` is its module's `run`.

        Raises `UsageError`, and `SystemExit` when a help page has been printed.
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
        if "action" not in options:  # a group within a group has chosen already
            options.action = module.run
        return options

    def help(self) -> str:
        """The page that lists the actions."""
        listed = "\n".join(f"  {name:<13}{purpose}" for name, purpose in self.actions.items())
        return _HELP.format(command=self.command, description=self.description, actions=listed, examples=self.examples)
