"""`graphwright keys list`: lists the user's keys and the trusted keys of the project."""

from __future__ import annotations

import argparse
from pathlib import Path

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.keys.naming import project
from graphwright.project.projects import shown
from graphwright.render.layout import printable
from graphwright.trust.keys import default_key, environment_key, stored_keys
from graphwright_runtime.trust.truststore import TrustedKey, find_trust

_EXAMPLES = "  graphwright keys list"


def parser() -> Parser:
    """The options of the action."""
    description = "List your keys and the keys that are trusted in this project: where, for which graphs, how long."
    return Parser("keys list", "[options]", description, _EXAMPLES)


def run(_: argparse.Namespace, console: Console) -> None:
    """Print the table."""
    default, own = default_key(), stored_keys()
    in_force = find_trust(project())
    lines = [("KEY", "NAME", "PRIVATE", "TRUST")]
    for key in own:
        private = "yes, signs" if default is not None and key.key_id == default.key_id else "yes"
        lines.append((key.key_id, key.name, private, _standing(in_force.get(key.key_id))))
    ids = {key.key_id for key in own}
    others = (entry for key_id, entry in in_force.keys.items() if key_id not in ids)
    for entry in sorted(others, key=lambda each: (each.name, each.key.id)):
        lines += [(entry.key.id, entry.name, "", _standing(entry))]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    for line in lines:
        padded = "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=False))
        console.result(f"{printable(f'{padded}  {line[3]}')}\n")
    if environment_key() is not None:
        console.remark("GRAPHWRIGHT_SIGNING_KEY is set: that key signs instead of these\n")


def _standing(entry: TrustedKey | None) -> str:
    if entry is None:
        return "not trusted here"
    if entry.revoked:
        return f"revoked in {shown(Path(entry.file))}"
    parts = [shown(Path(entry.file))]
    if not entry.unrestricted:
        parts.append(f"for {', '.join(entry.graphs)}")
    if entry.until is not None:
        parts.append(f"{'ended' if entry.expired() else 'until'} {entry.until}")
    return ", ".join(parts)
