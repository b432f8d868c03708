"""`graphwright keys new`: creates a key and makes it the default."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser
from graphwright.cli.keys.signer import signing, signs_now
from graphwright.trust.keys import new_key

_EXAMPLES = """\
  graphwright keys new
  graphwright keys new "release pipeline\""""


def parser() -> Parser:
    """The options of the action."""
    description = "Create a key, which signs from now on. Its private half stays in your configuration folder."
    parser = KeyParser("new", "[NAME] [options]", description, _EXAMPLES)
    parser.add_argument("key", nargs="?", metavar="NAME", help="a name for the key (default: signing)")
    parser.add_argument("--name", help="the same as NAME")
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Create a key."""
    if options.key and options.name:
        raise UsageError("the name is given twice: once as NAME and once with `--name`")
    before = signing()
    key = new_key(options.key or options.name or "signing")
    console.result(f"{key.key_id}\n")
    console.remark(f"created the key {key} in {key.file}\n")
    console.message(signs_now(key, before))
    console.remark(f"  to let this project trust it: graphwright keys trust {key.key_id}\n")
