"""`graphwright rename`: renames a state key or an input wherever it is used."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright.checking.fix import Change
    from graphwright.checking.report import Checked, Report
    from graphwright.refactor.key import Key
    from graphwright.refactor.project import Renaming

_EXAMPLES = """\
  graphwright rename reports/weekly state.totl total          a key of the state
  graphwright rename graphs/weekly.yaml inputs.team group     an input
  graphwright rename reports/weekly state.totl total --diff   show what would change; write nothing
  graphwright rename reports/weekly state.totl total src      look for Python code in src only"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "rename", "GRAPH KEY NEW [PATH ...] [options]",
        "Rename a key of the state, or an input, in a graph: in templates, conditions, assigns and schemas, in graphs "
        "of the project that call it, and in Python code that imports its module. Comments and layout do not change. "
        "What may mean the same, but is not certain, is listed and left alone.",
        _EXAMPLES,
    )  # fmt: skip
    parser.add_argument("graph", metavar="GRAPH", help="a YAML file or the id of a graph")
    parser.add_argument("key", metavar="KEY", help="`state.NAME` or `inputs.NAME`")
    parser.add_argument("new", metavar="NEW", help="the new name, without `state.` or `inputs.`")
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="Python files and folders to look in (default: the project)"
    )
    parser.add_argument("--diff", action="store_true", help="print a diff to standard output; write nothing")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Rename; returns 1 if the graph has errors, which must be fixed first."""
    from graphwright.checking.report import exit_code
    from graphwright.cli.reporting import show
    from graphwright.presence import is_there
    from graphwright.refactor.key import NotRenamedError
    from graphwright.refactor.project import rename

    for path in options.paths:
        if not is_there(Path(path)):
            raise UsageError(f"{path}: there is no such file or folder")
    key, new = _key(options.key), options.new
    graph, own, report = _graph(options.graph)
    if graph is None or own.failed:
        show(own, console)
        return max(exit_code(own.diagnostics), 1)
    python = [Path(path) for path in options.paths] or [graph.source_file.project.folder]
    try:
        renaming = rename(graph, report, key, new.removeprefix(f"{key.namespace}."), python)
    except NotRenamedError as error:
        raise UsageError(str(error)) from error
    if options.diff:
        from graphwright.cli.patch import difference

        console.result("".join(difference(file, change) for file, change in sorted(renaming.changes.items())))
    else:
        _write(renaming.changes, console)
    _tell_uncertain(renaming, key, console)
    if not options.diff:
        console.remark("now run `graphwright build`\n")
    return 0


def _key(text: str) -> Key:
    from graphwright.refactor.key import NAMESPACES, Key

    namespace, dot, name = text.partition(".")
    if namespace not in NAMESPACES or not dot or not name:
        raise UsageError(f"`{text}` does not say what to rename: write `state.NAME` or `inputs.NAME` after the graph")
    return Key(namespace, name)


def _graph(text: str) -> tuple[Checked | None, Report, Report]:
    """The graph, its report, and the report of its project with all graphs that may call it."""
    from graphwright.checking.checker import check
    from graphwright.cli.target import graph_file
    from graphwright.presence import is_folder
    from graphwright.project.projects import absolute

    file = graph_file(text)
    own = check([file], keep=True)
    if not own.graphs:
        return None, own, own
    project = own.graphs[0].source_file.project
    roots = [root for root in project.roots if is_folder(root)]
    report = check([*roots, file], keep=True, graphs_only=True)
    found = next((each for each in report.graphs if each.source_file.file == absolute(file)), None)
    return found, own, report


def _write(changes: Mapping[Path, Change], console: Console) -> None:
    from graphwright.cli.patch import UNSIGNED, is_signed
    from graphwright.project.projects import shown
    from graphwright.render.layout import printable
    from graphwright_runtime.atomic import replace_file

    for file, change in changes.items():
        try:
            replace_file(file, change.after)
        except OSError as error:
            raise UsageError(f"{shown(file)} cannot be written: {error.strerror}") from error
        places = f"{change.applied} place{'' if change.applied == 1 else 's'}"
        console.remark(f"{printable(shown(file))}: {places} renamed\n")
        if is_signed(change.after):
            console.remark(f"{printable(shown(file))}: {UNSIGNED}\n")


def _tell_uncertain(renaming: Renaming, key: Key, console: Console) -> None:
    from graphwright.render.layout import printable

    if renaming.uncertain:
        console.message(f"left alone, please look at these places yourself (`{printable(str(key))}`):\n")
    places = (f"{each.span.path}:{each.span.line}: {each.why}" for each in renaming.uncertain)
    for place in dict.fromkeys(places):
        console.message(f"  {printable(place)}\n")
