"""`graphwright keys remove`: deletes the private half of a key."""

from __future__ import annotations

import argparse
import sys

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, named_key
from graphwright.cli.keys.signer import signing
from graphwright.trust.keys import PrivateKey, find_key, remove_key

_EXAMPLES = "  graphwright keys remove 1f2e3d4c --yes"

_NONE_SIGNS = (
    "none of your keys is the signing key now: choose one with `graphwright keys use KEY`, or let a build create one"
)


def parser() -> Parser:
    """The options of the action."""
    description = "Delete the private half of one of your keys, which cannot be restored. Its signatures stay valid."
    parser = KeyParser("remove", "KEY [options]", description, _EXAMPLES)
    parser.add_argument("key", nargs="?", metavar="KEY", help="the id of one of your keys, its beginning, or its name")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Delete the private half."""
    key, before = find_key(named_key(options, "remove")), signing()
    if not options.yes and not _agreed(key):
        raise UsageError(f"the key {key} was not removed; pass `--yes` to remove it without confirmation")
    remove_key(key)
    console.message(
        f"removed the private half of {key}: it can no longer be used to sign on this machine\n"
        f"  its signatures are still valid; to invalidate them: graphwright keys revoke {key.key_id}\n"
    )
    if before is not None and before.key_id == key.key_id:
        after = signing()
        console.message(f"  {after} signs now\n" if after else f"  {_NONE_SIGNS}\n")


def _agreed(key: PrivateKey) -> bool:
    """Ask for confirmation; false if this is not run in a terminal."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"remove the private half of {key} permanently? Type its id: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == key.key_id
