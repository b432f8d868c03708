"""A checked graph -> the text of its module, through every gate but the type checker's.

Nothing here reads or writes a project's files. Many graphs are finished together: the formatter is started once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from graphwright import __version__
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.errors import BuildError
from graphwright.emit.formatter import complaints, formatted
from graphwright.emit.gates import GateError, check_module
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.layout import render
from graphwright.emit.linemap import with_line_map, without_marks
from graphwright.emit.module import Origin, module_code
from graphwright.facts import Facts
from graphwright.names import module_path
from graphwright.record import Record
from graphwright.verify import verify


class Draft(Record):
    """A module that is not formatted yet. `path` is below the output folder, `functions` are those of the nodes."""

    path: PurePosixPath
    raw: str
    functions: tuple[str, ...]


class Compiled(Record):
    """What became of a text: the module, None where there were errors, and everything that was found."""

    graph_id: str
    path: PurePosixPath
    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def compile_source(
    text: str, *, graph_id: str = "graph", path: str = "graph.yaml", templates: Path | None = None
) -> Compiled:
    """Check and compile a graph in memory.

    `graph_id` and `path` (relative, with `/`) are what the module says of itself. `templates` is a folder whose
    templates replace the built-in ones. Raises `FormatterError` without the right ruff, `TemplateError` and
    `GateError` where a template is at fault.
    """
    from graphwright.checking.inspection import inspect
    from graphwright.source.reader import read_text

    facts = Facts(read_text(text, path), graph_id=graph_id, path=path)
    found = inspect(facts).findings
    module = module_path(graph_id)
    if facts.graph is None or any(each.severity is Severity.ERROR for each in found):
        return Compiled(graph_id, module, None, found)
    return Compiled(graph_id, module, finished([draft(facts, templates)])[module], found)


def draft(facts: Facts, templates: Path | None = None, path: PurePosixPath | None = None) -> Draft:
    """The module of a graph in which no error was found, before formatting; `path` is where it goes, if that is known.

    Raises `BuildError` for a name that is not text.
    """
    if not _is_text(facts.path):
        raise BuildError(f"{facts.source.path}: its name is not UTF-8, and no module could say what it comes from")
    knowledge = Knowledge(facts)
    verify(knowledge.graph)
    module = module_code(knowledge, Origin(__version__, facts.source.digest))
    functions = tuple(node.function for node in module.nodes)
    return Draft(path or module_path(facts.graph_id), render(module, templates), functions)


def _is_text(name: str) -> bool:
    """Whether the name of a file is text: bytes that are not UTF-8 are no characters that could be written anywhere."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def finished(drafts: Sequence[Draft]) -> dict[PurePosixPath, str]:
    """The final text of each module, by path.

    Raises `GateError` for the first module that does not pass, `NotAligned` where a template lays code out in a way
    that has no line map.
    """
    if not drafts:
        return {}
    laid_out = formatted({str(each.path): without_marks(each.raw) for each in drafts})
    texts = {str(each.path): with_line_map(each.raw, laid_out.pop(str(each.path))) for each in drafts}
    with complaints(texts) as linted:
        for each in drafts:
            check_module(texts[str(each.path)], each.functions, each.path)
        if problem := linted():
            raise GateError(problem)
    return {each.path: texts[str(each.path)] for each in drafts}
