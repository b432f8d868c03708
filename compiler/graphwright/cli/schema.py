"""`graphwright schema`: prints the JSON Schema of the language."""

from __future__ import annotations

import argparse
import json

from graphwright.cli.command import Parser
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright schema > graph.schema.json
  # yaml-language-server: $schema=./graph.schema.json     (first line of a graph: completion in editors)"""


def parser() -> Parser:
    """The options of the command."""
    return Parser("schema", "", "Print the JSON Schema of the language, for editors and other tools.", _EXAMPLES)


def run(_options: argparse.Namespace, console: Console) -> int:
    """Print the schema."""
    from graphwright.language.json_schema import json_schema

    console.result(json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n")
    return 0
