"""GW609: files that a graph writes into folders in which tools are searched for."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Final

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.registry import Finding, rule

_TOOLS: Final = ("rye/file-system/write", "rye/file-system/fs_write")
#: Folders to which the runtime does not write for a graph, unless the configuration makes folders in them writable.
_PROTECTED: Final = frozenset({".ai", ".git", ".graphwright", ".hg", ".jj", ".svn"})
#: Folders in which tools, directives and knowledge are searched for, in addition to the source roots.
_ITEMS: Final = (".ai/tools", ".ai/directives", ".ai/knowledge")


@rule("GW609", Severity.WARNING, "write access to a folder with tools")
def writes_tools(facts: Facts) -> Iterator[Finding]:
    """A graph that can write below `.ai` can create a tool, directive or graph of its own, which the next run would
    use.

    At run time, `rye/file-system/write` does not write below `.ai`, `.git` and `.graphwright`, to the output
    folder, to virtual environments, or to files and folders that the configuration names. The setting `writable`
    allows writes to the folders that it lists. This rule reports a `path` that will be denied, and a permission to
    write to a `writable` folder in which items are looked up.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.file-system.write]
        config:
          start: save
          nodes:
            save: {action: {item_id: tool:rye/file-system/write, params: {path: .ai/tools/report.py, content: ""}}}

    Passes:
        -    save: {action: {item_id: tool:rye/file-system/write, params: {path: .ai/tools/report.py, content: ""}}}
        +    save: {action: {item_id: tool:rye/file-system/write, params: {path: out/report.py, content: ""}}}
    """
    for caller in facts.callers:
        path = _literal_path(caller.action) if called_id(caller.action) in _TOOLS else None
        if path is None or caller.action.params_at is None:
            continue
        folder = next((part for part in path.parts if part.casefold() in _PROTECTED), None)
        if folder is not None and not any(path.is_relative_to(PurePosixPath(each)) for each in facts.options.writable):
            yield Finding(
                facts.source.span(caller.action.params_at),
                f"{caller.owner} writes below `{folder}`, which a graph may not do",
                note="will be denied",
                help="write somewhere else, or list the folder under `writable` in the configuration",
            )
    yield from _opened(facts)


def _opened(facts: Facts) -> Iterator[Finding]:
    """Permissions to write into a folder with items, which the configuration makes writable."""
    places = [*_ITEMS, *facts.options.roots]
    folders = [each for each in facts.options.writable if any(_overlap(each, place) for place in places)]
    for permission in (facts.graph.permissions or ()) if folders and facts.graph is not None else ():
        if any(fnmatchcase(f"rye.execute.tool.{tool.replace('/', '.')}", permission.pattern) for tool in _TOOLS):
            yield Finding(
                facts.source.span(permission.at),
                f"the graph may write to `{folders[0]}`, where tools and other items are looked up",
                note="what it writes there may be executed",
                help=f"remove `{folders[0]}` from `writable` in the configuration, or remove the permission",
            )


def _literal_path(action: ir.Action) -> PurePosixPath | None:
    """The literal part of the `path` param."""
    params = action.params
    value: object = None
    if isinstance(params, ir.Const) and isinstance(params.value, dict):
        value = params.value.get("path")
    elif isinstance(params, ir.MapOf):
        value = next((each for key, each in params.entries if key == "path"), None)
    if isinstance(value, ir.Const):
        value = value.value
    if isinstance(value, ir.Template) and isinstance(value.value, ir.Text) and value.value.parts:
        first = value.value.parts[0]
        value = first.rpartition("/")[0] if isinstance(first, str) else None  # the last name may be incomplete
    return PurePosixPath(value) if isinstance(value, str) and value else None


def _overlap(one: str, other: str) -> bool:
    """Whether one folder contains the other, or they are the same."""
    left, right = PurePosixPath(one), PurePosixPath(other)
    return left.is_relative_to(right) or right.is_relative_to(left)
