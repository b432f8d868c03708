"""The output folders of a build: which module each graph becomes, and what lies there now."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from graphwright.building import publish
from graphwright.building.leftover import Module, Records, Remains, Sources, remains
from graphwright.checking.cache import Cache, Digests, digest_of
from graphwright.checking.collisions import collisions
from graphwright.checking.report import Checked
from graphwright.content import content_of
from graphwright.emit.backend import Backend
from graphwright.emit.errors import BuildError
from graphwright.presence import is_folder
from graphwright.project.config import ConfigError
from graphwright.project.ownership import OwnershipError, check_ownership
from graphwright.project.projects import SUFFIXES, Projects, absolute, candidates, shown
from graphwright.record import Record


class Remembered(Record):
    """What an earlier build made of a graph: the sha256 of the module's text, and the files that it depends on."""

    body: str
    depends: tuple[str, ...]


class Unit:
    """One graph and its module, `path` below the output folder. `setting`: what else it depends on, as text."""

    def __init__(self, checked: Checked, path: PurePosixPath, folder: Folder, setting: str) -> None:
        self.checked = checked
        self.path = path
        self.file = folder.output / path
        self._folder = folder
        self._subject = f"{checked.source_file.file}\0{self.file}"
        self._key = f"{checked.origin}\0{setting}"

    @cached_property
    def present(self) -> bytes | None:
        """The module as it lies there, with its signature; None where there is none that can be read."""
        return self._folder.content(self.path)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the module that lies there, without its signature; empty where there is none."""
        return "" if self.present is None else digest_of(publish.body(self.present, self._folder.backend))

    def remembered(self, cache: Cache, digests: Digests) -> Remembered | None:
        """What an earlier build with the same input made of it; `digests` are known already of files it depends on."""
        data = cache.load(self._subject, self._key, digests)
        if data is None:
            return None
        try:
            body, depends = json.loads(data)
            return Remembered(str(body), tuple(map(str, depends)))
        except (ValueError, TypeError, RecursionError):
            return None

    def remember(self, cache: Cache, text: bytes, depends: Sequence[tuple[str, str | None]]) -> None:
        """Note what this build made of it; `depends` are the paths that it looked at, with their `Digests`."""
        made = json.dumps([digest_of(text), [str(file) for file, digest in depends if digest is not None]])
        cache.store(self._subject, self._key, made.encode(), depends)

    def is_intact(self, made: Remembered) -> bool:
        """Whether the module that lies there is the one that was made."""
        return self.present is not None and self.digest == made.body


class Folder(Record):
    """An output folder and the paths of the files in it, from it, with `/`; `counts`: which files are there at all."""

    output: Path
    there: frozenset[str]
    counts: Callable[[Path], bool]
    backend: Backend

    @classmethod
    def read(cls, output: Path, counts: Callable[[Path], bool], backend: Backend) -> Folder:
        """The folder as it is, but for files that do not count."""
        files = publish.files(output, backend.ignored)
        return cls(output, frozenset(path for path in files if counts(output / path)), counts, backend)

    def content(self, path: PurePosixPath) -> bytes | None:
        """What a file holds; None where there is none that can be read."""
        return publish.content(self.output / path) if str(path) in self.there else None


class Target(Record):
    """One output folder and the graphs that go there.

    `remains`: what earlier builds left in it. `typecheck`, `templates`: as its project's configuration or the command
    line has it.
    """

    folder: Folder
    units: tuple[Unit, ...]
    remains: Remains
    typecheck: bool
    templates: Path | None

    @property
    def output(self) -> Path:
        """The output folder."""
        return self.folder.output

    @property
    def backend(self) -> Backend:
        """What the graphs are compiled by."""
        return self.folder.backend

    @property
    def package(self) -> str:
        """The name under which its modules are imported."""
        return self.output.name

    def has_source(self, graph_id: str) -> bool:
        """Whether there is a file that a graph with this id could be built from."""
        roots = dict.fromkeys(unit.checked.source_file.root for unit in self.units)
        return any(file.exists() for root in roots for file in candidates(graph_id, root, SUFFIXES))


def grouped(
    graphs: Iterable[Checked], output: Path | None, given: Sequence[Path], backend: Backend
) -> dict[Path, list[Checked]]:
    """The graphs by output folder; `output` is what the command line says, where it says anything.

    A folder that no graph goes to any more is among them where the project of a `given` path has it. Raises
    `BuildError` where graphs of several projects would become one module.
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
    """Raise where the output folder has a name that does not do."""
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
    """What a build of these graphs finds in an output folder. Raises `BuildError` and `ConfigError`."""
    projects = list({each.source_file.project.folder: each.source_file.project for each in members}.values())
    projects = projects or [Projects().of(path) for path in given]
    built = frozenset(each.source_file.file for each in members)

    def others(paths: Iterable[PurePosixPath]) -> Remains:
        beside = folder.there.difference(map(str, paths))
        homes = tuple(each.folder for each in projects)
        sources = Sources(homes, built, tuple(given), folder.counts, backend)
        return remains(folder.output, beside, sources, records)

    backend = folder.backend
    plain = backend.paths(each.graph_id for each in members).values()
    possible = {source_file for path in plain for source_file in backend.alternatives(path)}
    paths = backend.paths((each.graph_id for each in members), (each.path for each in others(possible).staying))
    left = others(paths.values())
    _check_displaced(folder, paths.values(), left.staying)
    config = projects[0].config
    templates = None if config.templates is None else absolute(projects[0].folder / config.templates)
    if templates is not None and not is_folder(templates):
        raise ConfigError(f"{config.file}: `templates`: the folder `{templates}` does not exist")
    if templates is not None:
        try:
            check_ownership(templates)  # a build runs them
        except OwnershipError as error:
            raise ConfigError(str(error)) from error
    checks = config.typecheck if typecheck is None else typecheck
    setting = f"{backend.name}\0{checks}\0{_fingerprint(templates)}"
    units = tuple(Unit(each, paths[each.graph_id], folder, setting) for each in members)
    return Target(folder, units, left, checks, templates)


def _check_displaced(folder: Folder, paths: Collection[PurePosixPath], staying: Iterable[Module]) -> None:
    """Raise where a module that is not part of this build stands in the way of one that is."""
    others = {module.path: module for module in staying if not module.edited}
    for path, source_file in folder.backend.displaced(paths, others).items():
        raise BuildError(
            f"{others[path].source} has to become {shown(folder.output / source_file)}, for there are graphs below it: "
            f"build it too, or all graphs"
        )


def _fingerprint(templates: Path | None) -> str:
    """The content of a folder of templates."""
    if templates is None:
        return ""
    files = sorted(templates.glob("*.j2"))
    return digest_of(b"\0".join(file.name.encode() + b"\0" + content_of(file) for file in files))
