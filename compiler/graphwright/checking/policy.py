"""Inspect → apply policy: filters the findings in a file by the configuration and the trust of its project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.levels import Levels
from graphwright.checking.library import Library
from graphwright.checking.reading import ReadFile
from graphwright.checking.recall import FOREIGN, GRAPH, HOOKS, Inspected
from graphwright.checking.report import Checked
from graphwright.diagnostic import Diagnostic, Span
from graphwright.fault import Fault
from graphwright.project.projects import SourceFile
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.trust.sources import SourceTrust


class Reported(Record):
    """The report of one file, and its graph, if it has one."""

    diagnostics: tuple[Diagnostic, ...]
    graph: Checked | None = None


class ProjectPolicy:
    """Applies the policies of projects to the findings of one check.

    Files that are not graphs are reported if they were named, unless `graphs_only`. With `keep`, graphs stay in
    `library`.
    """

    def __init__(self, library: Library, *, keep: bool, graphs_only: bool) -> None:
        self._library = library
        self._keep = keep
        self._graphs_only = graphs_only
        self._levels: dict[Path | None, Levels] = {}
        self._signatures: SourceTrust | None = None

    def apply(self, read: ReadFile, inspected: Inspected) -> Reported:
        """The findings to report for a file, with their configured severities."""
        graph = self._graph(read, inspected.nodes) if inspected.kind == GRAPH else None
        counts = inspected.kind in (GRAPH, HOOKS, FOREIGN) or (read.named and not self._graphs_only)
        found = inspected.findings if counts else ()
        untrusted = self._untrusted(read) if inspected.kind in (GRAPH, HOOKS) else ()
        return Reported(tuple(self._adjusted((*untrusted, *found), read.source_file)), graph)

    def refuse(self, read: ReadFile, fault: Fault) -> Reported:
        """The report of a file that was not inspected."""
        return Reported(tuple(self._adjusted(_phrased(fault), read.source_file)))

    def collisions(self, graphs: Iterable[Checked]) -> Iterator[Diagnostic]:
        """Graphs that would be compiled to the same module (GW007)."""
        from graphwright.checking.collisions import collisions
        from graphwright.faults.files import SameModule

        for graph, other, module in collisions(graphs):
            fault = SameModule(Span(graph.shown, 1, 1, 1, 1), module, (other.shown, graph.shown))
            yield from self._adjusted(_phrased(fault), graph.source_file)

    def _graph(self, read: ReadFile, nodes: int) -> Checked:
        signed = read.source_file.project.config.trust.sources != "off"
        data = read.data if self._keep or signed else None
        facts = partial(self._library.facts, read.source_file, read.shown, data, read.digest)
        return Checked(read.source_file, read.shown, read.digest, read.origin, nodes, facts)

    def _untrusted(self, read: ReadFile) -> Iterator[Diagnostic]:
        """GW801: neither ignored by comments nor cached."""
        if read.source_file.project.config.trust.sources != "off":
            from graphwright.trust.sources import SourceTrust

            self._signatures = self._signatures or SourceTrust()
            fault = self._signatures.fault(read.data, read.shown, read.source_file)
            if fault is not None:
                yield from _phrased(fault)

    def _adjusted(self, found: Iterable[Diagnostic], source_file: SourceFile) -> Iterator[Diagnostic]:
        """The diagnostics with the severities of their project's configuration."""
        config = source_file.project.config
        if config.file not in self._levels:
            self._levels[config.file] = Levels(config)
        levels = self._levels[config.file]
        for each in found:
            adjusted = levels.adjust(each, source_file.file)
            if adjusted is not None:
                yield adjusted


def _phrased(fault: Fault) -> Iterator[Diagnostic]:
    from graphwright.checking.inspection import phrase

    return phrase(fault)
