"""`graphwright keys export`: prints the public or the private half of a key."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, named_key, project
from graphwright.cli.keys.public_key import public_key
from graphwright.trust.keys import find_key
from graphwright_runtime.trust.rye_header import public_pem
from graphwright_runtime.trust.signing import to_text

_EXAMPLES = """\
  graphwright keys export 1f2e3d4c              the public half, to give to others
  graphwright keys export 1f2e3d4c --pem        the same as PEM
  graphwright keys export 1f2e3d4c --private    the private half, for GRAPHWRIGHT_SIGNING_KEY in CI"""


def parser() -> Parser:
    """The options of the action."""
    parser = KeyParser("export", "KEY [options]", "Print the public half of a key, to give to others.", _EXAMPLES)
    parser.add_argument("key", nargs="?", metavar="KEY", help="the id of a key, its beginning, or its name")
    parser.add_argument("--private", action="store_true", help="the private half, which only you have")
    parser.add_argument("--pem", action="store_true", help="the public half as PEM")
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Print the key."""
    wanted = named_key(options, "export")
    if options.private:
        key = find_key(wanted)
        console.remark(f"the private half of {key}: anyone who has it can sign with this key\n")
        console.result(f"{to_text(key.signer.seed)}\n")
        return
    public, _ = public_key(wanted, project())
    console.result(public_pem(public) if options.pem else f"{to_text(public.public)}\n")
