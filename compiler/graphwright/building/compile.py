"""Compiles a graph in memory to the text of its module; runs every gate except the type checker.

It does not read or write files of a project.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.python import PYTHON
from graphwright.facts import Facts
from graphwright.record import Record


class Compiled(Record):
    """The result of a compilation: `text` is the module (None if there were errors), `diagnostics` are all findings."""

    graph_id: str
    path: PurePosixPath
    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def compile_source(
    text: str, *, graph_id: str = "graph", path: str = "graph.yaml", templates: Path | None = None
) -> Compiled:
    """Check and compile a graph in memory.

    `graph_id` and `path` (relative, with `/`) are the id and source that the module names. `templates` is a folder
    whose templates replace the built-in ones. Raises `TemplateError` and `GateError` if a template is broken.
    """
    from graphwright.checking.inspection import inspect
    from graphwright.source.reader import read_text

    facts = Facts(read_text(text, path), graph_id=graph_id, path=path)
    found = inspect(facts).findings
    module = PYTHON.paths([graph_id])[graph_id]
    if facts.graph is None or any(each.severity is Severity.ERROR for each in found):
        return Compiled(graph_id, module, None, found)
    return Compiled(graph_id, module, PYTHON.draft(facts, templates).finish(), found)
