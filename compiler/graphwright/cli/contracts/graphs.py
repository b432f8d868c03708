"""The graphs of the project in the working directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import UsageError

if TYPE_CHECKING:
    from graphwright.contract.catalogue import KnownTool
    from graphwright.facts import Facts
    from graphwright.project.projects import Project


def project_graphs() -> tuple[Project, tuple[Facts, ...]]:
    """The project of the working directory, and all its graphs, with the hooks that they share.

    Raises `UsageError` if there are no graphs.
    """
    from graphwright.checking.checker import check
    from graphwright.presence import is_folder
    from graphwright.project.projects import Projects, shown

    project = Projects().of(Path.cwd())
    roots = [root for root in project.roots if is_folder(root)] or [project.folder]
    graphs = check(roots, keep=True, graphs_only=True).graphs
    if not graphs:
        raise UsageError(f"there are no graphs in {', '.join(shown(root) for root in roots)}")
    found = [each.facts() for each in graphs]
    hooks = dict.fromkeys(each.hooks for each in found if each.hooks is not None)
    return project, (*found, *hooks)


def project_tools() -> tuple[Project, tuple[KnownTool, ...]]:
    """The project, and the tools that its graphs call, sorted by id."""
    from graphwright.contract.catalogue import known_tools

    project, graphs = project_graphs()
    return project, known_tools(graphs)


def named_tool(item_id: str, tools: tuple[KnownTool, ...]) -> KnownTool:
    """The tool with an id, with or without `tool:`. Raises `UsageError` if no graph calls it."""
    from graphwright.suggest import nearest

    wanted = item_id.removeprefix("tool:")
    found = next((each for each in tools if each.item_id == wanted), None)
    if found is not None:
        return found
    near = nearest(wanted, [each.item_id for each in tools])
    hint = f"; did you mean `{near}`?" if near else ""
    raise UsageError(f"no graph of this project calls a tool `{wanted}`{hint}")
