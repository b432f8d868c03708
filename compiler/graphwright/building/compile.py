"""A checked graph -> the text of its module, through every gate but the type checker's.

Nothing here reads or writes a project's files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

from graphwright import __version__
from graphwright.diagnostic import Diagnostic, Severity
from graphwright.emit.errors import BuildError, TemplateError
from graphwright.emit.gates import GateError, check_module
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.layout.text import laid_out
from graphwright.emit.module import Origin, module_code
from graphwright.emit.templates import render
from graphwright.facts import Facts
from graphwright.ir.verify import verify
from graphwright.names import module_path
from graphwright.project.projects import shown
from graphwright.record import Record


class Draft(Record):
    """A module that is not laid out yet. `path` is below the output folder, `functions` are those of the nodes.

    `templates`: the project's own, if it has any.
    """

    path: PurePosixPath
    raw: str
    functions: tuple[str, ...]
    templates: Path | None


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
    templates replace the built-in ones. Raises `TemplateError` and `GateError` where a template is at fault.
    """
    from graphwright.checking.inspection import inspect
    from graphwright.source.reader import read_text

    facts = Facts(read_text(text, path), graph_id=graph_id, path=path)
    found = inspect(facts).findings
    module = module_path(graph_id)
    if facts.graph is None or any(each.severity is Severity.ERROR for each in found):
        return Compiled(graph_id, module, None, found)
    return Compiled(graph_id, module, finished(draft(facts, templates)), found)


def draft(facts: Facts, templates: Path | None = None, path: PurePosixPath | None = None) -> Draft:
    """The module of a graph in which no error was found, before its layout; `path` is where it goes, if that is known.

    Raises `BuildError` for a name that is not text.
    """
    if not _is_text(facts.path):
        raise BuildError(f"{facts.source.path}: its name is not UTF-8, and no module could say what it comes from")
    knowledge = Knowledge(facts)
    verify(knowledge.graph)
    module = module_code(knowledge, Origin(__version__, _text_digest(facts.source.text)))
    functions = tuple(node.function for node in module.nodes)
    return Draft(path or module_path(facts.graph_id), render(module, templates), functions, templates)


def _text_digest(text: str) -> str:
    """The sha256 of a source as text: the same whatever its lines end with, with a byte order mark or without."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def _is_text(name: str) -> bool:
    """Whether the name of a file is text: bytes that are not UTF-8 are no characters that could be written anywhere."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def finished(made: Draft) -> str:
    """The final text of a module, in UTF-8 the bytes that are written.

    Raises `GateError` where it does not pass, `TemplateError` where that is the fault of the project's templates.
    """
    text = laid_out(made.raw)
    try:
        check_module(text.encode(), made.functions, made.path)
    except GateError as error:
        if made.templates is None:
            raise
        raise TemplateError(f"the templates in {shown(made.templates)} do not give a module: {error}") from error
    return text
