"""The output folders of a build: which module each graph becomes, what lies there now, what is left over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from graphwright.building import publish
from graphwright.checking.cache import Cache, Digests, digest_of
from graphwright.checking.collisions import collisions
from graphwright.checking.report import Checked
from graphwright.emit.errors import BuildError
from graphwright.names import module_path
from graphwright.presence import is_folder
from graphwright.project.config import ConfigError
from graphwright.project.ownership import StrangerError, refuse_strangers
from graphwright.project.projects import SUFFIXES, absolute, candidates, shown
from graphwright.record import Record


class Remembered(Record):
    """What an earlier build made of a graph: the sha256 of the module's text, and the files that it depends on."""

    body: str
    depends: tuple[str, ...]


class Unit:
    """One graph and its module. `setting` is whatever else the module depends on, as text."""

    def __init__(self, checked: Checked, output: Path, setting: str) -> None:
        self.checked = checked
        self.path = module_path(checked.graph_id)
        self.file = output / self.path
        self._subject = f"{checked.place.file}\0{self.file}"
        self._key = f"{checked.origin}\0{setting}"

    @cached_property
    def present(self) -> bytes | None:
        """The module as it lies there, with its signature; None where there is none that can be read."""
        return publish.content(self.file)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the module that lies there, without its signature; empty where there is none."""
        return "" if self.present is None else digest_of(publish.body(self.present))

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


class Target(Record):
    """One output folder. `typecheck`, `templates`: as its project's configuration or the command line has it."""

    output: Path
    units: tuple[Unit, ...]
    typecheck: bool
    templates: Path | None

    @property
    def package(self) -> str:
        """The name under which its modules are imported."""
        return self.output.name if self.output.name.isidentifier() else "generated"

    def has_source(self, graph_id: str) -> bool:
        """Whether there is a file that a graph with this id could be built from."""
        roots = dict.fromkeys(unit.checked.place.root for unit in self.units)
        files = (file for root in roots for file in candidates(graph_id, root) if file.suffix in SUFFIXES)
        return any(file.exists() for file in files)

    def left_over(self, given: Sequence[Path], there: Iterable[str]) -> Iterator[PurePosixPath]:
        """Generated modules, among the files that are `there`, whose source is gone or becomes another module now.

        Only sources below the `given` paths count: of others this build knows nothing.
        """
        paths = {str(unit.path) for unit in self.units}
        folders = dict.fromkeys(unit.checked.place.project.folder for unit in self.units)
        built = {unit.checked.place.file for unit in self.units}
        for module in publish.modules(self.output, (path for path in there if path not in paths)):
            sources = [absolute(folder / module.source) for folder in folders]
            asked = [each for each in sources if any(each == path or path in each.parents for path in given)]
            if asked and all(each in built or not each.exists() for each in asked):
                yield module.path


def targets(graphs: Iterable[Checked], output: Path | None, typecheck: bool | None) -> list[Target]:
    """The graphs by output folder; `output` and `typecheck` are what the command line says, where it says anything.

    Raises `BuildError` where graphs of several projects would become one module.
    """
    projects: dict[Path, list[Checked]] = {}
    for each in graphs:
        projects.setdefault(each.place.project.folder, []).append(each)
    groups: dict[Path, list[Checked]] = {}
    for members in projects.values():
        groups.setdefault(output or members[0].place.project.output, []).extend(members)
    for folder, members in groups.items() if len(groups) < len(projects) else ():
        for graph, other, module in collisions(members, folder):
            raise BuildError(f"{graph.shown} and {other.shown} would both become {shown(folder / module)}")
    return [_target(folder, members, typecheck) for folder, members in sorted(groups.items())]


def _target(output: Path, members: Sequence[Checked], typecheck: bool | None) -> Target:
    project = members[0].place.project
    templates = None if project.config.templates is None else absolute(project.folder / project.config.templates)
    if templates is not None and not is_folder(templates):
        raise ConfigError(f"{project.config.file}: `templates`: there is no folder `{templates}`")
    if templates is not None:
        try:
            refuse_strangers(templates)  # a build runs them
        except StrangerError as error:
            raise ConfigError(str(error)) from error
    checks = project.config.typecheck if typecheck is None else typecheck
    setting = f"{checks}\0{_fingerprint(templates)}"
    return Target(output, tuple(Unit(each, output, setting) for each in members), checks, templates)


def _fingerprint(templates: Path | None) -> str:
    """The content of a folder of templates."""
    if templates is None:
        return ""
    files = sorted(templates.glob("*.j2"))
    return digest_of(b"\0".join(file.name.encode() + b"\0" + file.read_bytes() for file in files))
