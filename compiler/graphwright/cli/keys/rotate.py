"""`graphwright keys rotate`: replaces a key, which stays trusted for some time."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime, timedelta

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import KeyParser, days, project
from graphwright.project.projects import shown
from graphwright.trust.keys import default_key, find_key, new_key
from graphwright.trust.trustfile import add_key, end_key, entry_of
from graphwright_runtime.trust.truststore import project_file, user_file

_EXAMPLES = """\
  graphwright keys rotate --days 14
  graphwright keys rotate 1f2e3d4c"""


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Create a new key, which signs from now on, and trust it wherever the old one is trusted. The old key stays "
        "trusted for some days."
    )
    parser = KeyParser("rotate", "[KEY] [options]", description, _EXAMPLES)
    parser.add_argument("key", nargs="?", metavar="KEY", help="one of your keys (default: the one that signs)")
    parser.add_argument("--days", type=days, default=30, help="how long the old key stays trusted (default: 30)")
    return parser


def run(options: argparse.Namespace, console: Console) -> None:
    """Replace the key."""
    old = find_key(options.key) if options.key else default_key()
    if old is None:
        raise UsageError("there is no key to rotate; `graphwright keys new` creates one")
    last = _last_day(options.days)
    new = new_key(old.name, replaces=old.key_id)
    for file in filter(None, (project_file(project()), user_file())):
        entry = entry_of(file, old.key_id)
        if entry is not None and not entry.revoked:
            add_key(file, new.signer.key, entry.name, graphs=entry.graphs)
            end_key(file, old.key_id, min(last, entry.until or last))
            console.remark(
                f"{shown(file)}: {new.key_id} is trusted, {old.key_id} until {min(last, entry.until or last)}\n"
            )
    console.result(f"{new.key_id}\n")
    console.remark(
        f"created the key {new} in {new.file}; it signs from now on\n"
        "  to sign existing packages with it: graphwright sign FOLDER\n"
        f"  delete the old private key when you no longer need it: {old.file}\n"
    )


def _last_day(count: int) -> date:
    """The date in `count` days. Raises UsageError if it is after the year 9999."""
    try:
        return datetime.now(UTC).date() + timedelta(days=count)
    except OverflowError:
        raise UsageError("`--days` goes beyond the year 9999") from None
