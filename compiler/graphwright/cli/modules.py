"""Finds the file of a generated module by its path, its dotted name, or the id of its graph."""

from __future__ import annotations

from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.cli.locating import locate
from graphwright.emit.python import PYTHON
from graphwright.names import module_path
from graphwright.presence import is_file
from graphwright.project.projects import SUFFIXES, Project, Projects, absolute, is_id, shown

_PACKAGE_MODULE = "__init__.py"


def module_file(target: str) -> Path:
    """The file of the module `target`. Imports nothing. Raises `UsageError` if it does not exist."""
    if target.endswith(".py"):
        return _existing(absolute(target), target)
    if Path(target).suffix in SUFFIXES:
        if not is_file(Path(target)):
            raise UsageError(f"{target}: there is no such file")
        source_file = Projects().source_file(absolute(target), absolute(target).parent)
        return _of_graph(source_file.graph_id, source_file.project)
    if is_dotted(target):
        return _of_name(target)
    return _of_graph(target, Projects().of(Path.cwd()))


def is_dotted(target: str) -> bool:
    """Whether `target` is written like the name of a module in a package: `generated.reports.weekly`."""
    parts = target.split(".")
    return len(parts) > 1 and all(part.isidentifier() for part in parts)


def _of_name(name: str) -> Path:
    base = locate(name).folder.joinpath(*name.split("."))
    for file in (base.with_name(f"{base.name}.py"), base / _PACKAGE_MODULE):
        if is_file(file):
            return file
    raise UsageError(f"there is no module `{name}`, neither here nor where Python looks for modules")


def _of_graph(graph_id: str, project: Project) -> Path:
    """The module of a graph in the output folder of its project."""
    if is_id(graph_id.split("/")):
        for path in PYTHON.alternatives(module_path(graph_id)):
            if is_file(project.output / path):
                return project.output / path
    output = shown(project.output)
    raise UsageError(f"there is no module of a graph `{graph_id}` in {output}{_hint(graph_id, project)}")


def _hint(graph_id: str, project: Project) -> str:
    from graphwright.project.projects import candidates
    from graphwright.suggest import nearest

    if any(is_file(file) for root in project.roots for file in candidates(graph_id, root, SUFFIXES)):
        return "; run `graphwright build`"
    names = [
        (file.parent if file.name == _PACKAGE_MODULE else file.with_suffix("")).relative_to(project.output).as_posix()
        for file in project.output.rglob("*.py")
    ]
    near = nearest(graph_id, [name for name in names if name != "."])
    return f"; did you mean `{near}`?" if near else ""


def _existing(file: Path, target: str) -> Path:
    if not is_file(file):
        raise UsageError(f"{target}: there is no such file")
    return file
