"""Renames a key in a whole project: in its graph, in the graphs that call it, and in Python code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.checking.checker import check
from graphwright.checking.fix import Change, apply_fixes, decode, encode
from graphwright.checking.report import Checked, Report
from graphwright.content import content_of
from graphwright.diagnostic import Diagnostic, Edit, Fix, Json, Severity, Span
from graphwright.emit.knowledge import Knowledge
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.names import module_name
from graphwright.presence import is_folder
from graphwright.project.projects import Project, absolute, shown
from graphwright.record import Record
from graphwright.refactor.callers import call_occurrences
from graphwright.refactor.graph import own_occurrences
from graphwright.refactor.key import Key, NotRenamedError, Occurrences, Uncertain
from graphwright.source.reader import read_bytes
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright import ir

#: Folders whose Python files do not belong to the project.
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})


class Renaming(Record):
    """The changed files of a rename, and the locations to check manually.

    The graph is the last file: if writing another file fails, the command can be repeated.
    """

    changes: Mapping[Path, Change]
    uncertain: tuple[Uncertain, ...]


def rename(graph: Checked, report: Report, key: Key, new: str, python: Sequence[Path]) -> Renaming:
    """Find everything that renames a key of a graph without errors; writes nothing.

    `report` is the check of the graph's project. `python` are files, and folders to search for files. Raises
    `NotRenamedError`.
    """
    wanted = Key(key.namespace, new)
    fault = key.reserved() or wanted.reserved() or wanted.invalid()
    if fault is not None:
        raise NotRenamedError(fault)
    facts = graph.facts()
    returns_state = _returns_state(facts)
    own = own_occurrences(facts, key, new, returns_state=returns_state)
    _refuse(facts, key, wanted, own, returns_state=returns_state)
    renames = _Renames()
    renames.add(graph.source_file.file, own)
    for other in report.graphs:
        found = call_occurrences(other.facts(), graph.graph_id, key, new, returns_state=returns_state)
        renames.add(other.source_file.file, found)
    if facts.hooks is not None and graph.source_file.project.hooks is not None:
        renames.add(graph.source_file.project.hooks, _in_hooks(graph, report, facts.hooks, key, new))
    module = f"{graph.source_file.project.output.name}.{module_name(graph.graph_id)}"
    for file in _python_files(python, graph.source_file.project, module, key):
        renames.add(file, _in_python(file, module, key, new, returns_state=returns_state))
    changes = renames.changes()
    changes[graph.source_file.file] = changes.pop(graph.source_file.file)
    _verify(graph, changes, key, wanted, returns_state=returns_state)
    return Renaming(changes, tuple(sorted(set(renames.uncertain), key=lambda each: each.span)))


class _Renames:
    """Collects occurrences by file."""

    def __init__(self) -> None:
        self._found: dict[Path, list[Occurrences]] = {}

    def add(self, file: Path, found: Occurrences | None) -> None:
        """Add the occurrences in a file."""
        if found is not None:
            self._found.setdefault(file, []).append(found)

    @property
    def uncertain(self) -> Iterator[Uncertain]:
        """The locations that are not changed."""
        return (each for found in self._found.values() for some in found for each in some.uncertain)

    def changes(self) -> dict[Path, Change]:
        """The files that change."""
        return {
            file: _applied(content_of(file), [edit for some in found for edit in some.edits])
            for file, found in self._found.items()
            if any(some.edits for some in found)
        }


def _applied(data: bytes, edits: Iterable[Edit]) -> Change:
    fixed = apply_fixes(decode(data), [Fix((edit,)) for edit in dict.fromkeys(edits)])
    return Change(data, encode(fixed.text, data), fixed.applied)


def _returns_state(facts: Facts) -> bool:
    """Whether every run that completes returns the state."""
    knowledge = Knowledge(facts)
    written = [node for node in knowledge.graph.nodes.values() if visit.output(node) is not None]
    return knowledge.returns_state and not any(facts.flow.may_complete(node.name) for node in written)


def _refuse(facts: Facts, key: Key, wanted: Key, own: Occurrences, *, returns_state: bool) -> None:
    """Raise `NotRenamedError` if there is nothing to rename, or the new name exists."""
    if not own.edits:
        near = nearest(key.name, _names(facts, key.namespace))
        hint = f"; did you mean `{key.namespace}.{near}`?" if near else ""
        raise NotRenamedError(f"the graph `{facts.graph_id}` has no `{key}`{hint}")
    if wanted == key:
        raise NotRenamedError(f"`{key}` already has that name")
    existing = own_occurrences(facts, wanted, wanted.name, returns_state=returns_state)
    if existing.edits:
        place = min(edit.span for edit in existing.edits)
        raise NotRenamedError(f"`{wanted}` already exists: {place.path}:{place.line}")


def _names(facts: Facts, namespace: str) -> list[str]:
    graph: ir.Graph | None = facts.graph
    if graph is None:
        return []
    return sorted(facts.assignment.all_keys if namespace == "state" else graph.inputs_at)


def _in_hooks(graph: Checked, report: Report, hooks: Facts, key: Key, new: str) -> Occurrences:
    """The occurrences in the hooks that all graphs of the project share; uncertain if other graphs have the key."""
    found = own_occurrences(hooks, key, new, returns_state=False)
    others = [other for other in report.graphs if other.source_file.file != graph.source_file.file]
    having = [other.graph_id for other in others if key.name in _names(other.facts(), key.namespace)]
    if not having:
        return found
    why = f"hooks of all graphs, and `{having[0]}` has this key, too"
    return Occurrences.of((), (*(Uncertain(edit.span, why) for edit in found.edits), *found.uncertain))


def _python_files(paths: Sequence[Path], project: Project, module: str, key: Key) -> Iterator[Path]:
    """The Python files that may import the module and use the key, without duplicates, in order."""
    last, name = module.rpartition(".")[2].encode(), key.name.encode()
    found: dict[Path, None] = {}
    for path in paths:
        files = _below(path, project.output) if is_folder(path) else [absolute(path)]
        found.update(dict.fromkeys(files))
    for file in found:
        data = content_of(file)
        if last in data and name in data:
            yield file


def _below(folder: Path, output: Path) -> Iterator[Path]:
    for each in sorted(absolute(folder).iterdir()):
        if each.name.startswith(".") or each.name in _SKIPPED or each == output or each.is_symlink():
            continue
        if each.is_dir():
            if not (each / "pyvenv.cfg").exists():
                yield from _below(each, output)
        elif each.suffix == ".py" and each.is_file():
            yield each


def _in_python(file: Path, module: str, key: Key, new: str, *, returns_state: bool) -> Occurrences | None:
    from graphwright.refactor.python import python_occurrences

    try:
        text = decode(content_of(file))
    except UnicodeDecodeError:
        return Occurrences((), (Uncertain(Span(shown(file), 1, 1, 1, 1), "this file is not valid UTF-8"),))
    return python_occurrences(shown(file), text, module, key, new, returns_state=returns_state)


def _verify(graph: Checked, changes: Mapping[Path, Change], key: Key, wanted: Key, *, returns_state: bool) -> None:
    """Raise `NotRenamedError` unless a check finds no new problems and renaming back restores the old files."""
    yaml = [file for file in changes if file.suffix != ".py"]
    after = check(yaml, texts={file: changes[file].after for file in yaml}, keep=True)
    worse = _first_new(_tally(check(yaml)), after)
    if worse is not None:
        place = f"{worse.span.path}:{worse.span.line}"
        raise NotRenamedError(f"with the new name, `graphwright check` finds {worse.code} at {place}: {worse.message}")
    own = next(each for each in after.graphs if each.source_file.file == graph.source_file.file).facts()
    back = own_occurrences(own, wanted, key.name, returns_state=returns_state)
    again = call_occurrences(own, graph.graph_id, wanted, key.name, returns_state=returns_state)
    change = changes[graph.source_file.file]
    if _content(_applied(change.after, (*back.edits, *again.edits)).after) != _content(change.before):
        raise NotRenamedError(f"`{key}` cannot be renamed: something else is called `{wanted}` already")


def _content(data: bytes) -> Json:
    """The value of a YAML file."""
    source = read_bytes(data, "")
    return None if source.root is None else source.value(source.root)


def _tally(report: Report) -> Counter[str]:
    return Counter(each.code for each in report.diagnostics if each.severity is not Severity.NOTE)


def _first_new(old: Counter[str], report: Report) -> Diagnostic | None:
    """The first finding with a code that occurs more often than before."""
    more = _tally(report) - old
    return next((each for each in report.diagnostics if each.code in more), None)
