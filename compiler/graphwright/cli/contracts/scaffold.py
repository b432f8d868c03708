"""`graphwright contracts scaffold ID`: writes the Python file of a tool, with the signature that graphs expect."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright.analysis.jsontype import Type
    from graphwright.contract.catalogue import KnownTool
    from graphwright.facts import Facts
    from graphwright.project.projects import Project

_EXAMPLES = """\
  graphwright contracts scaffold team/fetch
  graphwright contracts scaffold team/fetch --diff     show what would change; write nothing"""


def parser() -> Parser:
    """The options of the command."""
    description = (
        "Write the Python file of a tool that the graphs of this project call, with type hints for what they pass and "
        "read, or for what its manifest declares. If the file exists, only what is missing is added: the function "
        "`execute`, or type hints for it."
    )
    parser = Parser("contracts scaffold", "ID [options]", description, _EXAMPLES)
    parser.add_argument("id", metavar="ID", help="the id of a tool")
    parser.add_argument("--diff", action="store_true", help="print a diff to standard output; write nothing")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Write the file, or report that there is nothing to add."""
    from graphwright.cli.contracts.graphs import named_tool, project_graphs
    from graphwright.contract.catalogue import known_tools
    from graphwright.project.projects import shown
    from graphwright.refactor.scaffold import NotScaffoldedError, scaffold

    project, graphs = project_graphs()
    tool = named_tool(options.id, known_tools(graphs))
    file = _file(tool, project, graphs)
    before = _content(file)
    params, result = _expected(tool, graphs)
    try:
        after = scaffold(before, tool.item_id, params, result)
    except NotScaffoldedError as error:
        raise UsageError(f"{shown(file)} {error}") from error
    if after == before:
        console.remark(f"{shown(file)}: `execute` has all the type hints that can be inferred\n")
    elif options.diff:
        from graphwright.checking.fix import Change
        from graphwright.cli.patch import difference

        console.result(difference(file, Change(before, after, 1)))
    else:
        _write(file, before, after, console)
    return 0


def _file(tool: KnownTool, project: Project, graphs: tuple[Facts, ...]) -> Path:
    """The Python file of a tool in the project; it may not exist yet."""
    from graphwright.project.projects import candidates, shown

    if tool.kind in ("graph", "built-in"):
        what = "is a graph" if tool.kind == "graph" else "comes with the runtime or the application"
        raise UsageError(f"`{tool.item_id}` {what}: it needs no Python file")
    found = next((facts.project.tool_file(tool.item_id) for facts in graphs if facts.project is not None), None)
    if found is None:
        own = candidates(tool.item_id, project.folder / ".ai" / "tools", (".py",))
        if not own:
            raise UsageError(f"`{tool.item_id}` cannot be the name of a file")
        return own[0]
    if found.suffix != ".py" or project.folder not in found.parents:
        why = "is not written in Python" if found.suffix != ".py" else "is not part of this project"
        raise UsageError(f"{shown(found)}, which implements `{tool.item_id}`, {why}")
    return found


def _content(file: Path) -> bytes:
    from graphwright.content import content_of
    from graphwright.project.projects import shown

    try:
        return content_of(file)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be read: {error.strerror}") from error


def _expected(tool: KnownTool, graphs: tuple[Facts, ...]) -> tuple[Type, Type]:
    """What the tool takes and returns: as declared, otherwise as the graphs use it."""
    from graphwright.contract.uses import uses_of
    from graphwright.schema.types import from_schema

    uses = uses_of(tool.item_id, graphs)
    declared = (from_schema(tool.params, fills=False), from_schema(tool.result, fills=False))
    params, result = (
        known if known.fields else used for known, used in zip(declared, (uses.params, uses.result), strict=True)
    )
    return params, result


def _write(file: Path, before: bytes, after: bytes, console: Console) -> None:
    from graphwright.cli.patch import UNSIGNED, is_signed
    from graphwright.project.projects import shown
    from graphwright.render.layout import printable
    from graphwright_runtime.atomic import replace_file

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, after)
    except OSError as error:
        raise UsageError(f"{shown(file)} cannot be written: {error.strerror}") from error
    console.remark(f"{printable(shown(file))}: {'extended' if before else 'written'}\n")
    if is_signed(after):
        console.remark(f"{printable(shown(file))}: {UNSIGNED}\n")
