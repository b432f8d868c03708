"""Reads the two sides of `diff`: the files that OLD and NEW name, and their outlines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import UsageError
from graphwright.cli.modules import is_dotted, module_file
from graphwright.cli.target import graph_file, is_path
from graphwright.content import content_of
from graphwright.project.git import GitError, content_at, top_of
from graphwright.project.projects import SUFFIXES, absolute
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.checking.report import Checked
    from graphwright.compare.outline import Outline

_MODULE = ".py"


class Side(Record):
    """One side: `text` is the argument, `data` the content, and `file` its path, possibly at a revision."""

    text: str
    file: Path
    data: bytes

    @property
    def is_module(self) -> bool:
        """Whether it is a generated module, and not a graph."""
        return self.file.suffix == _MODULE


def side(text: str) -> Side:
    """The side that an argument names: a file, a file at a revision, a graph id, or a module. Raises `UsageError`."""
    revision, colon, path = text.partition(":")
    if colon and path and not is_path(text):
        return _at_revision(text, revision, path)
    if is_path(text) or Path(text).suffix in (*SUFFIXES, _MODULE):
        file = absolute(text)
    elif is_dotted(text):
        file = module_file(text)
    else:
        file = absolute(graph_file(text))
    if file.suffix not in (*SUFFIXES, _MODULE):
        raise UsageError(f"{text}: a graph is a YAML file, and a module a Python file")
    try:
        return Side(text, file, content_of(file))
    except OSError as error:
        raise UsageError(f"{text} cannot be read: {error.strerror}") from error


def _at_revision(text: str, revision: str, path: str) -> Side:
    here = Path.cwd()
    try:
        top = here if path.startswith(("./", "../")) else top_of(here)
        data = content_at(here, revision, path)
    except GitError as error:
        raise UsageError(f"{text} cannot be read: {error}") from error
    file = absolute(top / path)
    if file.suffix not in (*SUFFIXES, _MODULE):
        raise UsageError(f"{text}: a graph is a YAML file, and a module a Python file")
    return Side(text, file, data)


def outlines(old: Side, new: Side) -> tuple[Outline, Outline, list[str]]:
    """The outlines of both sides, and remarks about them. A graph is compiled to compare it with a module.

    Raises `UsageError` if a side cannot be compared.
    """
    remarks: list[str] = []
    as_modules = old.is_module or new.is_module
    return _outline(old, remarks, as_module=as_modules), _outline(new, remarks, as_module=as_modules), remarks


def _outline(side: Side, remarks: list[str], *, as_module: bool) -> Outline:
    if side.is_module:
        return _of_module(side.data, side.text)
    checked, errors = _checked(side)
    if as_module:
        if errors:
            raise UsageError(f"{side.text} has {errors}, so it cannot be compared with a module")
        return _of_module(_built(checked), side.text)
    if errors:
        remarks.append(f"{side.text} has {errors}: the comparison is as good as what could be read")
    from graphwright.compare.of_graph import graph_outline

    return graph_outline(checked.facts())


def _checked(side: Side) -> tuple[Checked, str]:
    """A readable graph, and its number of errors as text; empty if it has none."""
    from graphwright.checking.checker import check
    from graphwright.diagnostic import Severity

    report = check([side.file], texts={side.file: side.data}, keep=True)
    found = report.graphs[0] if report.graphs else None
    if found is None or found.facts().graph is None:
        first = next(iter(report.diagnostics), None)
        reason = "is not a graph" if first is None else f"cannot be read as a graph: {first.code} {first.message}"
        raise UsageError(f"{side.text} {reason}")
    count = report.count(Severity.ERROR)
    return found, f"{count} error{'s' if count > 1 else ''}" if count else ""


def _built(checked: Checked) -> bytes:
    """The unsigned module that a build would write."""
    from graphwright.emit.errors import BuildError
    from graphwright.emit.python import PYTHON

    project = checked.source_file.project
    templates = None if project.config.templates is None else absolute(project.folder / project.config.templates)
    try:
        return PYTHON.draft(checked.facts(), templates).finish().encode()
    except BuildError as error:
        raise UsageError(str(error)) from error


def _of_module(data: bytes, text: str) -> Outline:
    from graphwright.compare.of_module import module_outline
    from graphwright.readback.module import NotAGraphError, read_module

    try:
        return module_outline(read_module(data))
    except NotAGraphError as error:
        raise UsageError(f"{text} {error}") from error
