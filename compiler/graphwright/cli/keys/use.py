"""`graphwright keys use`: changes the default key."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, named_key
from graphwright.cli.keys.signer import signing, signs_now
from graphwright.trust.keys import find_key, make_default

_EXAMPLES = "  graphwright keys use 1f2e3d4c"


def parser() -> Parser:
    """The options of the action."""
    parser = KeyParser("use", "KEY [options]", "Sign with another one of your keys from now on.", _EXAMPLES)
    parser.add_argument("key", nargs="?", metavar="KEY", help="the id of one of your keys, its beginning, or its name")
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Make a key the default."""
    key, before = find_key(named_key(options, "use")), signing()
    make_default(key.key_id)
    console.message(signs_now(key, before))
