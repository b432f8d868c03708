"""`graphwright keys trust`: trusts a key in this project or for this user."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, day, named_key, project, trust_file
from graphwright.cli.keys.public_key import public_key
from graphwright.pattern import pattern
from graphwright.project.projects import shown
from graphwright.trust.trustfile import add_key

_EXAMPLES = """\
  graphwright keys trust 1f2e3d4c
  graphwright keys trust release.pem --name release
  graphwright keys trust release.pem --graphs 'billing/*' --until 2027-06-30"""

#: Characters that are neither valid in a module name nor part of the syntax of patterns.
_NO_IDENTIFIER = pattern(r"[^\w/*?!\[\]]")


def parser() -> Parser:
    """The options of the action."""
    description = "Trust a key: what it signs is accepted in this project. `graphwright keys export` prints a key."
    parser = KeyParser("trust", "KEY [options]", description, _EXAMPLES)
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help="an id, its beginning, a name, the text of a public key, or its file"
    )
    parser.add_user()
    parser.add_argument("--graphs", action="append", metavar="PATTERN", help="only for graphs whose id matches")
    parser.add_argument("--name", help="a name for the key")
    parser.add_argument(
        "--until", metavar="DAY", type=day, help="the last day on which the key is trusted (2027-06-30)"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Add the key to a trust file."""
    key, known_name = public_key(named_key(options, "trust"), project())
    file = trust_file(user=options.user)
    name = options.name or known_name
    add_key(file, key, name, graphs=tuple(options.graphs or ("*",)), until=options.until)
    scope = f" for {', '.join(options.graphs)}" if options.graphs else ""
    if options.until is not None:
        scope += f" until {options.until}"
    console.remark(f"{shown(file)}: {key.id}{f' ({name})' if name else ''} is trusted{scope}\n")
    if options.until is not None and options.until < datetime.now(UTC).date():
        console.message(f"  {options.until} is over: nothing that this key signs is trusted\n")
    for missing in _patterns_of_names(options.graphs or ()):
        console.message(
            f"  modules are imported by names such as `{missing}`: to sign these too, the key needs that pattern as "
            f"well: --graphs '{missing}'\n"
        )


def _patterns_of_names(patterns: Sequence[str]) -> list[str]:
    """The additional patterns for module names, which contain `_` where ids contain `-`."""
    names = dict.fromkeys(_NO_IDENTIFIER.sub("_", each) for each in patterns)
    return [each for each in names if each not in patterns]
