"""`graphwright keys`: manages the user's private keys and the trusted keys of the project."""

from __future__ import annotations

import argparse

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console
from graphwright.cli.group import Group

#: The actions in the order of the help page, with descriptions; each is a module of this package.
ACTIONS = {
    "new": "create a key, which signs from now on",
    "use": "sign with another one of your keys",
    "remove": "delete the private half of a key",
    "list": "list your keys and the trusted keys of this project",
    "trust": "trust a key in this project, or for your user",
    "revoke": "invalidate everything that a key signed",
    "rotate": "replace your key; the old one stays trusted for some days",
    "export": "print the public half of a key, or the private half",
}

_DESCRIPTION = """\
Manage your signing keys and the keys that are trusted here. A key is named by its
id, the beginning of its id, or its name."""

_EXAMPLES = """\
  graphwright keys new "release pipeline"       create a key, which signs from now on
  graphwright keys list                         list your keys and the trusted keys of this project
  graphwright keys export 1f2e3d4c              print the public half, to give to others
  graphwright keys trust release.pem --graphs 'billing/*' --until 2027-06-30"""


def parser() -> Group:
    """The actions of the command."""
    return Group("keys", _DESCRIPTION, __name__, ACTIONS, _EXAMPLES)


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the action and return its exit code."""
    from graphwright.trust.keys import PrivateKeyError
    from graphwright_runtime.trust.truststore import TrustError

    try:
        options.action(options, console)
    except (PrivateKeyError, TrustError) as error:
        raise UsageError(str(error)) from error
    return 0
