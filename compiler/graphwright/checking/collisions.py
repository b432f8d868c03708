"""Finds graphs that would be compiled to the same module (GW007)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from graphwright.checking.report import Checked
from graphwright.names import module_path


def collisions(graphs: Iterable[Checked], output: Path | None = None) -> Iterator[tuple[Checked, Checked, str]]:
    """Each graph whose module belongs to another, earlier graph; with that graph and the module.

    Each project has its own modules, unless they share one `output`.

    Letter case is ignored, because many file systems ignore it. A graph whose name is also a folder of modules
    becomes the `__init__.py` of that package if both are spelled the same; otherwise, the returned module is the
    folder, such as `billing/`.
    """
    places: dict[Path, _Names] = {}
    for graph in graphs:
        names = places.setdefault(output or graph.source_file.project.folder, _Names())
        path = str(module_path(graph.graph_id))
        other = names.modules.get(path.removesuffix(".py").casefold())
        if other is not None:
            yield graph, other, path
        elif (clash := names.other_case(path)) is not None:
            yield graph, *clash
        else:
            names.add(path, graph)


class _Names:
    """The names of modules and packages that graphs have claimed, in lowercase."""

    def __init__(self) -> None:
        self.modules: dict[str, Checked] = {}
        self._packages: dict[str, tuple[str, Checked]] = {}
        self._above: dict[str, tuple[str, Checked]] = {}

    def other_case(self, path: str) -> tuple[Checked, str] | None:
        """A graph with another spelling of this module's name as a package, or of its package as a module."""
        name = path.removesuffix(".py")
        found = self._above.get(name.casefold())
        if found is not None and found[0] != name:
            return found[1], f"{found[0]}/"
        for each in _above(name):
            found = self._packages.get(each.casefold())
            if found is not None and found[0] != each:
                return found[1], f"{each}/"
        return None

    def add(self, path: str, graph: Checked) -> None:
        """Add a module without conflicts."""
        name = path.removesuffix(".py")
        self.modules[name.casefold()] = graph
        self._packages[name.casefold()] = name, graph
        for each in _above(name):
            self._above.setdefault(each.casefold(), (each, graph))


def _above(name: str) -> list[str]:
    """The packages that contain a module."""
    return [name[:end] for end, character in enumerate(name) if character == "/"]
