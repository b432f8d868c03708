"""Loads the graph that GRAPH on the command line means: compiled from YAML, or imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.checking.cache import digest_of
from graphwright.checking.checker import check
from graphwright.checking.report import Report
from graphwright.cli.command import UsageError
from graphwright.cli.inputs import declared_types
from graphwright.cli.target import graph_file, is_path
from graphwright.content import content_of
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.errors import BuildError
from graphwright.project.projects import SUFFIXES, Project, SourceFile, absolute
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.cli.loading import CompiledGraph
    from graphwright.facts import Facts
    from graphwright_runtime.graph import AnyGraph


class Runnable(Record):
    """A graph that can be run, the JSON types of its inputs, and a function that finds the graphs that it calls.

    `graphs` is None if the runtime finds them itself, in the package of the caller.
    """

    graph: CompiledGraph
    types: Mapping[str, Sequence[str]]
    graphs: Callable[[str], AnyGraph | None] | None


def runnable(target: str, folder: str | None = None, texts: Mapping[Path, bytes] | None = None) -> Runnable | Report:
    """Load `target`; returns a report if the graph has errors. Raises `UsageError`.

    Ids belong to the project in `folder` (by default, the current one). `texts` as in `check`.
    """
    if target.endswith(".py") or _is_module(target):
        return _module(target)
    report = check([target if texts else graph_file(target, folder)], keep=True, texts=texts)
    if report.failed or not report.graphs:
        return report
    from graphwright.cli.loading import compiled

    facts, project = report.graphs[0].facts(), report.graphs[0].source_file.project
    schema = None if facts.graph is None else facts.graph.inputs_schema
    try:
        graph = compiled(facts)
    except (BuildError, ImportError) as error:
        raise UsageError(str(error)) from error
    return Runnable(graph, declared_types(schema), _Callees(facts, project).find)


def _is_module(target: str) -> bool:
    """Whether `target` is written like a module (`generated.reports.weekly`), and is neither a file nor an id."""
    return "." in target and "/" not in target and not target.endswith(SUFFIXES) and not is_path(target)


def _module(target: str) -> Runnable:
    from graphwright.cli.loading import NoGraphError, beside, graph_of, imported, input_types

    try:
        module = imported(target)
        graph = graph_of(module)
    except NoGraphError as error:
        raise UsageError(str(error)) from error
    return Runnable(graph, input_types(module), beside(module, graph))


class _Callees:
    """Compiles each graph that a run calls when it is first called."""

    def __init__(self, facts: Facts, project: Project) -> None:
        self._facts = facts
        self._project = project
        self._known: dict[str, AnyGraph | None] = {}

    def find(self, graph_id: str) -> AnyGraph | None:
        """The graph with an id; None if it does not exist. Raises NodeError if it has errors."""
        if graph_id not in self._known:
            facts = None if self._facts.project is None else self._facts.project.graph(graph_id)
            self._known[graph_id] = None if facts is None else _compiled(graph_id, facts, self._project)
        return self._known[graph_id]


def _compiled(graph_id: str, facts: Facts, project: Project) -> AnyGraph:
    """Compile a graph that one of `project` calls. Its own project's trust policy applies, and that of `project`."""
    from graphwright.cli.loading import compiled
    from graphwright_runtime.errors import NodeError

    file = absolute(facts.source.path)
    data = content_of(file)
    if digest_of(data) != facts.source.digest:
        raise NodeError(f"the graph `{graph_id}` changed while it was being read", category="permanent")
    found = check([file], texts={file: data}).diagnostics
    errors = [each for each in found if each.severity is Severity.ERROR]
    if not errors and project.config.trust.sources == "require":
        errors += _untrusted(data, SourceFile(file, file.parent, graph_id, facts.source.path, project))
    if errors:
        raise NodeError(f"the graph `{graph_id}` has errors: {_line(errors[0])}", category="permanent")
    return compiled(facts)


def _untrusted(data: bytes, source_file: SourceFile) -> Iterable[Diagnostic]:
    """GW801 by the policy of the caller's project: the graph's own (`~/.ai/tools`) may not require signatures."""
    from graphwright.checking.inspection import phrase
    from graphwright.trust.sources import SourceTrust

    fault = SourceTrust().fault(data, source_file.source, source_file)
    return () if fault is None else phrase(fault)


def _line(error: Diagnostic) -> str:
    return f"{error.span.path}:{error.span.line}: {error.code} {error.message}"
