"""The interface through which rules look up other files of a graph's project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from graphwright import ir
    from graphwright.contract.directives import Directive
    from graphwright.contract.manifest import Declaration
    from graphwright.facts import Facts


class Neighbours(Protocol):
    """The other files of a graph's project that rules need."""

    def graph(self, graph_id: str) -> Facts | None:
        """The facts of another graph, or None."""

    def graph_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of the ids of graphs in a folder (empty: at the top), sorted."""

    def tool_file(self, item_id: str) -> Path | None:
        """The file, Python or executable, in the project or the user's folder that implements a tool."""

    def folders(self, folder: str) -> tuple[str, ...]:
        """The last parts of the folders below a folder of ids (empty: at the top), sorted; checks do not use them."""

    def tool_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of the ids of tools in a folder (empty: at the top) that a file implements or declares."""

    def declaration(self, item_id: str) -> Declaration | None:
        """The declaration of a tool, in a manifest or in the file that implements it; None if there is none."""

    def directive(self, item_id: str) -> Directive | None:
        """The declaration of a directive of the project or the user; None if there is no such directive."""

    def directive_names(self, folder: str) -> tuple[str, ...]:
        """The last parts of the ids of directives in a folder (empty: at the top), sorted."""


def nested_graphs(project: Neighbours | None) -> Callable[[str], ir.Graph | None]:
    """A cached lookup of graphs of a project by item id."""

    @cache
    def graph_of(item_id: str) -> ir.Graph | None:
        other = None if project is None else project.graph(item_id)
        return None if other is None else other.graph

    return graph_of


def has_file(project: Neighbours | None, item_id: str) -> bool:
    """Whether a file of the project, or the user's, implements a tool."""
    return project is not None and project.tool_file(item_id) is not None


def nothing(_item_id: str) -> None:
    """What is known of an item without a project."""
