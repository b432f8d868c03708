"""`graphwright keys revoke`: invalidates everything that a key signed."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, named_key, project, trust_file
from graphwright.cli.keys.public_key import public_key
from graphwright.project.projects import shown
from graphwright.trust.trustfile import add_key, revoke_key
from graphwright_runtime.trust.truststore import TrustedKey, read_trust

_EXAMPLES = "  graphwright keys revoke 1f2e3d4c"


def parser() -> Parser:
    """The options of the action."""
    description = "Revoke a key: everything that it signed is rejected from now on."
    parser = KeyParser("revoke", "KEY [options]", description, _EXAMPLES)
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help="an id, its beginning, a name, the text of a public key, or its file"
    )
    parser.add_user()
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Mark the key as revoked in a trust file."""
    wanted = named_key(options, "revoke")
    file = trust_file(user=options.user)
    fitting = [each for each in read_trust(file) if wanted == each.name or each.key.id.startswith(wanted)]
    if len(fitting) > 1:
        raise UsageError(f"`{wanted}` is {' or '.join(str(each) for each in fitting)}; be more specific")
    if fitting:
        entry = fitting[0]
    else:  # a key that was never trusted here can be revoked, too
        key, name = public_key(wanted, project())
        add_key(file, key, name)
        entry = TrustedKey(key, name)
    revoke_key(file, entry.key.id)
    console.remark(
        f"{shown(file)}: {entry} is revoked; everything that it signed is rejected from now on\n"
        "  sign it again with a key that is trusted: graphwright build\n"
    )
