"""`graphwright runs`: lists, shows and ends the runs of a project."""

from __future__ import annotations

import argparse

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright.cli.group import Group

#: The actions in the order of the help page, with descriptions; each is a module of this package.
ACTIONS = {
    "list": "list the runs of the project",
    "show": "show the nodes of a run, its last steps and its state",
    "status": "print the status of a run as JSON",
    "trace": "retrace a run step by step, and verify all of its files",
    "same-input": "find the runs that called a tool in the same way, and compare the results",
    "follow": "show the progress of a run until it ends",
    "wait": "wait until a run ends",
    "cancel": "ask a run to end",
    "kill": "end a run that does not end when it is asked to",
    "cache": "count or delete the cached results of nodes with `cache_result`",
}

_DESCRIPTION = """\
Manage the recorded runs of a project. Name a run by its id, or by the beginning of
its id if that is unique."""

_EXAMPLES = """\
  graphwright runs list
  graphwright runs show weekly-1717-ab12
  graphwright runs cancel weekly"""


def parser() -> Group:
    """The actions of the command."""
    return Group("runs", _DESCRIPTION, __name__, ACTIONS, _EXAMPLES)


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the action and return its exit code."""
    from graphwright_runtime.errors import RefusedError

    try:
        return int(options.action(options, console))
    except RefusedError as error:
        raise UsageError(str(error)) from error
