"""Graphs that would become one module (GW007)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from graphwright.checking.report import Checked
from graphwright.names import module_path


def collisions(graphs: Iterable[Checked], output: Path | None = None) -> Iterator[tuple[Checked, Checked, str]]:
    """Each graph whose module another graph, earlier in order, already has; with that graph and the module.

    Each project has modules of its own, unless they all go to one `output`.

    Letter case makes no difference, for it makes none in many file systems; a module cannot have the name of a
    package either, for Python would never find it.
    """
    places: dict[Path, tuple[dict[str, Checked], dict[str, Checked]]] = {}
    for graph in graphs:
        modules, packages = places.setdefault(output or graph.place.project.folder, ({}, {}))
        path = str(module_path(graph.graph_id))
        name = path.removesuffix(".py").casefold()
        above = [name[:end] for end, character in enumerate(name) if character == "/"]
        clash = (
            modules.get(name) or packages.get(name) or next((modules[each] for each in above if each in modules), None)
        )
        if clash is not None:
            yield graph, clash, path
            continue
        modules[name] = graph
        for each in above:
            packages.setdefault(each, graph)
