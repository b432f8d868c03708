"""`graphwright contracts lock`: writes all contracts to one file, to compare them and to replace missing sources."""

from __future__ import annotations

import argparse

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

_EXAMPLES = """\
  graphwright contracts lock
  graphwright contracts lock --check     in continuous integration: is the file up to date?"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Write the contracts of all tools that the graphs of this project call to contracts.lock.json. Where the "
        "file, the manifest or the package of a tool is absent, its contract is read from there."
    )
    parser = Parser("contracts lock", "[options]", description, _EXAMPLES)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; print what differs, and exit with 1 if something does"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Write or compare the file; return 1 if it differs."""
    from graphwright.checking.contracts import LOCK
    from graphwright.cli.contracts.graphs import project_tools
    from graphwright.content import content_of
    from graphwright.contract.lockfile import locked
    from graphwright.project.projects import shown

    project, tools = project_tools()
    file, wanted = project.folder / LOCK, locked(tools)
    try:
        found: bytes | None = content_of(file)
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be read: {error.strerror}") from error
    if found == wanted:
        console.remark(f"{shown(file)} is up to date\n")
        return 0
    if options.check:
        console.result(_difference(shown(file), found, wanted))
        console.message(f"graphwright: {shown(file)} is not up to date; run `graphwright contracts lock`\n")
        return 1
    from graphwright_runtime.atomic import replace_file

    try:
        replace_file(file, wanted)
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be written: {error.strerror}") from error
    console.remark(f"{shown(file)}: {_counted(wanted)}\n")
    return 0


def _difference(name: str, found: bytes | None, wanted: bytes) -> str:
    from graphwright.line_diff import unified_diff

    before, after = ((data or b"").decode("utf-8", "replace").splitlines(keepends=True) for data in (found, wanted))
    return "".join(unified_diff(before, after, f"a/{name}", f"b/{name}"))


def _counted(wanted: bytes) -> str:
    import json

    count = len(json.loads(wanted)["tools"])
    return "1 tool" if count == 1 else f"{count} tools"
