"""`graphwright migrate`: translates a graph of another dialect."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.render.layout import harmless, printable

_EXAMPLES = """\
  graphwright migrate graphs/report.yaml          translate a file in place
  graphwright migrate graphs/report.yaml --diff   show what would change; write nothing
  graphwright migrate - < old.yaml > new.yaml     from standard input to standard output"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "migrate", "FILE [FILE ...] [options]",
        "Translate graphs of another dialect. What has no counterpart here stays as it is, below a comment that begins"
        " with `# migrate:`.",
        _EXAMPLES,
    )  # fmt: skip
    parser.add_argument("paths", nargs="+", metavar="FILE", help="a YAML file; `-` is standard input")
    parser.add_argument("--diff", action="store_true", help="print a diff to standard output; write nothing")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Translate each file; returns 1 if one of them needs manual changes."""
    return max(_migrate(path, console, diff=options.diff) for path in options.paths)


def _migrate(path: str, console: Console, *, diff: bool) -> int:
    from graphwright.checking.fix import decode
    from graphwright.dialects.migration import UntranslatableError, migrate
    from graphwright.line_diff import unified_diff
    from graphwright_runtime.atomic import replace_file

    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    shown = "<standard input>" if path == "-" else path
    try:
        found = migrate(data, shown)
    except UntranslatableError as error:
        raise UsageError(str(error)) from error
    if found is None:
        raise UsageError(f"{shown}: this is not a graph of another dialect that can be read; see `graphwright check`")
    after = decode(found.after)
    if diff:
        before = decode(data).splitlines(keepends=True)
        lines = unified_diff(before, after.splitlines(keepends=True), shown, f"{shown} (migrated)")
        console.result(harmless("".join(lines)))
    elif path == "-":
        console.result(after)
    else:
        replace_file(Path(path), found.after)
    marked = len(found.marked)
    console.remark(
        f"{printable(shown)} was {found.dialect}: {found.translated} translated, {marked} marked"
        + (" with `# migrate:`; " if marked else "; ")
        + ("nothing was written\n" if diff else "now run `graphwright check`\n")
    )
    for each in found.marked:
        console.remark(f"  {printable(each)}\n")
    return 1 if marked else 0
