"""Graphs that would become one module (GW007)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from graphwright.checking.report import Checked
from graphwright.names import module_path


def collisions(graphs: Iterable[Checked]) -> Iterator[tuple[Checked, Checked, str]]:
    """Each graph whose module another graph, earlier in order, already has; with that graph and the module.

    Letter case makes no difference, for it makes none in many file systems; a module cannot have the name of a
    package either, for Python would never find it.
    """
    modules: dict[tuple[Path, str], Checked] = {}
    packages: dict[tuple[Path, str], Checked] = {}
    for graph in graphs:
        project = graph.place.project.folder
        path = str(module_path(graph.graph_id))
        name = path.removesuffix(".py").casefold()
        above = [(project, name[:end]) for end in range(len(name)) if name[end] == "/"]
        own = (project, name)
        clash = (
            modules.get(own) or packages.get(own) or next((modules[each] for each in above if each in modules), None)
        )
        if clash is not None:
            yield graph, clash, path
            continue
        modules[own] = graph
        for each in above:
            packages.setdefault(each, graph)
