"""`graphwright runs`: the runs of a project, how one stands, what it did; wait for one, end one."""

from __future__ import annotations

import argparse

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright.cli.group import Group

#: Every action, in the order of the help page, and what it is for; each is a module of this package.
ACTIONS = {
    "list": "list the runs of the project",
    "show": "show the nodes of a run, its last steps and its state",
    "status": "print as JSON how a run stands",
    "trace": "retrace a run step by step, with everything that it left verified",
    "same-input": "find the runs that called a tool in the same way, and compare the results",
    "follow": "show the progress of a run until it ends",
    "wait": "wait until a run ends",
    "cancel": "ask a run to end",
    "kill": "end a run that does not end when it is asked to",
    "cache": "count or delete the results that are kept for nodes with `cache_result`",
}

_DESCRIPTION = """\
The runs that a project has kept. A run is named by its id, or by the beginning of
its id if no other run has an id that begins like that."""

_EXAMPLES = """\
  graphwright runs list
  graphwright runs show weekly-1717-ab12
  graphwright runs cancel weekly"""


def parser() -> Group:
    """The actions of the command."""
    return Group("runs", _DESCRIPTION, __name__, ACTIONS, _EXAMPLES)


def run(options: argparse.Namespace, console: Console) -> int:
    """The exit code of the action that was chosen."""
    from graphwright_runtime.errors import RefusedError

    try:
        return int(options.action(options, console))
    except RefusedError as error:
        raise UsageError(str(error)) from error
