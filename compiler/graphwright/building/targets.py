"""The output folders of a build: the module that each graph is compiled to, and the current contents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from graphwright.building import publish
from graphwright.building.leftover import Leftovers, Module, Records, Sources, find_leftovers
from graphwright.checking.cache import digest_of
from graphwright.checking.collisions import collisions
from graphwright.checking.report import Checked
from graphwright.content import content_of
from graphwright.emit.backend import Backend
from graphwright.emit.errors import BuildError
from graphwright.presence import is_folder
from graphwright.project.config import ConfigError
from graphwright.project.ownership import OwnershipError, check_ownership
from graphwright.project.projects import SUFFIXES, Project, Projects, absolute, candidates, shown
from graphwright.record import Record


class Unit:
    """One graph and its module; `path` is relative to the output folder.

    `options` is a text of the settings of the build that determine the module.
    """

    def __init__(self, checked: Checked, path: PurePosixPath, folder: Folder, options: str) -> None:
        self.checked = checked
        self.path = path
        self.file = folder.output / path
        self._folder = folder
        self._options = options

    @cached_property
    def setting(self) -> str:
        """The digest of everything that determines the module, except the contents of files."""
        text = f"{self.checked.origin.removeprefix(self.checked.digest)}\0{self._options}"
        return digest_of(text.encode("utf-8", "surrogateescape"))

    @property
    def present(self) -> bytes | None:
        """The current module with its signature; None if it does not exist or cannot be read."""
        return self._folder.content(self.path)

    @cached_property
    def signature(self) -> tuple[bytes, str]:
        """The signature line of the current module and the sha256 of the text after it; both empty if there is none."""
        present = self.present
        if present is None:
            return b"", ""
        line = publish.signature_line(present, self._folder.backend)
        return line, digest_of(memoryview(present)[len(line) :])


class Folder(Record):
    """An output folder. `there` are the relative paths, with `/`, of its files that `included` accepts."""

    output: Path
    there: frozenset[str]
    included: Callable[[Path], bool]
    backend: Backend

    @classmethod
    def read(cls, output: Path, included: Callable[[Path], bool], backend: Backend) -> Folder:
        """Read the paths of the files in an output folder."""
        files = publish.files(output, backend.ignored)
        return cls(output, frozenset(path for path in files if included(output / path)), included, backend)

    def content(self, path: PurePosixPath) -> bytes | None:
        """The content of a file; None if it is not in the folder or cannot be read."""
        return publish.content(f"{self.output}/{path}") if str(path) in self.there else None


class Target(Record):
    """One output folder and the graphs that are compiled into it.

    `given` are the paths in which the build searched for graphs. `typecheck` and `templates` are the settings from the
    command line or the configuration of the project.
    """

    folder: Folder
    given: tuple[Path, ...]
    units: tuple[Unit, ...]
    leftovers: Leftovers
    typecheck: bool
    templates: Path | None

    @property
    def output(self) -> Path:
        """The output folder."""
        return self.folder.output

    @property
    def backend(self) -> Backend:
        """The backend that compiles the graphs."""
        return self.folder.backend

    @property
    def package(self) -> str:
        """The name of the package that its modules are imported from."""
        return self.output.name

    def has_other_source(self, graph_id: str) -> bool:
        """Whether a file that the build did not consider could contain the graph with this id."""
        roots = dict.fromkeys(unit.checked.source_file.root for unit in self.units)
        files = (file for root in roots for file in candidates(graph_id, root, SUFFIXES))
        return any(file.exists() and not self._considered(file) for file in files)

    def _considered(self, file: Path) -> bool:
        return any(file == path or path in file.parents for path in self.given) and self.folder.included(file)


def grouped(
    graphs: Iterable[Checked], output: Path | None, given: Sequence[Path], backend: Backend
) -> dict[Path, list[Checked]]:
    """The graphs by output folder; `output` is the folder from the command line, if any.

    If there are no graphs, the output folders of the projects of the `given` paths are included with no graphs. Raises
    `BuildError` if graphs of several projects would be compiled to the same module.
    """
    projects: dict[Path, list[Checked]] = {}
    for each in graphs:
        projects.setdefault(each.source_file.project.folder, []).append(each)
    groups: dict[Path, list[Checked]] = {}
    for members in projects.values():
        groups.setdefault(output or members[0].source_file.project.output, []).extend(members)
    for folder, members in groups.items() if len(groups) < len(projects) else ():
        for graph, other, module in collisions(members, folder):
            raise BuildError(f"{graph.shown} and {other.shown} would both compile to {shown(folder / module)}")
    for folder, members in groups.items():
        _check_name(folder, None if output is not None else members[0], backend)
    known = Projects()
    for path in given if not groups else ():
        if is_folder(path):
            groups.setdefault(output or known.of(path).output, [])
    return dict(sorted(groups.items()))


def _check_name(output: Path, configured: Checked | None, backend: Backend) -> None:
    """Raise `BuildError` or `ConfigError` if the output folder does not have a valid name."""
    text = backend.folder_fault(output)
    if text is None:
        return
    if configured is None:
        raise BuildError(f"`-o {shown(output)}`: {text}")
    config = configured.source_file.project.config
    raise ConfigError(f"{shown(config.file) if config.file else 'the configuration'}: `output`: {text}")


def target(
    folder: Folder,
    members: Sequence[Checked],
    given: Sequence[Path],
    typecheck: bool | None,
    records: Records | None,
) -> Target:
    """The target for building these graphs into a folder. Raises `BuildError` and `ConfigError`."""
    every = [each.source_file.project for each in members] or [Projects().of(path) for path in given]
    projects = list({each.folder: each for each in every}.values())
    complete = len(projects) == 1 and _is_complete(projects[0], folder.output, given)

    def leftovers(paths: Iterable[PurePosixPath]) -> Leftovers:
        others = folder.there.difference(map(str, paths))
        homes = tuple(each.folder for each in projects)
        sources = Sources(homes, tuple(given), complete, backend)
        return find_leftovers(folder.output, others, sources, records)

    backend = folder.backend
    paths = backend.paths(each.graph_id for each in members)
    left = leftovers(paths.values())
    if left.remaining:  # modules of other graphs, some of which may require that a module becomes a package
        possible = {alternative for path in paths.values() for alternative in backend.alternatives(path)}
        others = [each.path for each in left.remaining if each.path not in possible]
        paths = backend.paths((each.graph_id for each in members), others)
        left = leftovers(paths.values())
    _check_displaced(folder, paths.values(), left.remaining)
    config = projects[0].config
    templates = None if config.templates is None else absolute(projects[0].folder / config.templates)
    if templates is not None and not is_folder(templates):
        raise ConfigError(f"{config.file}: `templates`: the folder `{templates}` does not exist")
    if templates is not None:
        try:
            check_ownership(templates)  # because a build executes them
        except OwnershipError as error:
            raise ConfigError(str(error)) from error
    checks = config.typecheck if typecheck is None else typecheck
    options = f"{backend.name}\0{checks}\0{_fingerprint(templates)}"
    units = tuple(Unit(each, paths[each.graph_id], folder, options) for each in members)
    return Target(folder, tuple(given), units, left, checks, templates)


def _is_complete(project: Project, output: Path, given: Sequence[Path]) -> bool:
    """Whether these paths have all source roots of a project, whose output folder no other project shares."""
    if output != project.output or project.folder not in output.parents:
        return False
    roots = [root for root in project.roots if is_folder(root)]
    return bool(roots) and all(root in given or not set(root.parents).isdisjoint(given) for root in roots)


def _check_displaced(folder: Folder, paths: Collection[PurePosixPath], remaining: Iterable[Module]) -> None:
    """Raise `BuildError` if a module of this build needs the path of another module to change."""
    others = {module.path: module for module in remaining if not module.edited}
    for path, new_path in folder.backend.displaced(paths, others).items():
        raise BuildError(
            f"{others[path].source} must now be compiled to {shown(folder.output / new_path)}, because there are "
            f"graphs below it: build it too, or build all graphs"
        )


def _fingerprint(templates: Path | None) -> str:
    """A digest of the templates in a folder; empty if there is no folder."""
    if templates is None:
        return ""
    files = sorted(templates.glob("*.j2"))
    return digest_of(b"\0".join(file.name.encode() + b"\0" + content_of(file) for file in files))
