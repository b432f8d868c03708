"""Reads the declarations of tools in the files of a project: manifests, and Python files that implement them.

Every file and folder that is read is recorded with its digest. The declaration of a Python file is cached by the
contents of all files that it depends on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from graphwright.checking.cache import Cache, Digests
from graphwright.content import content_of
from graphwright.project.projects import is_id, shown
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.checking.installed import Installed, InstalledTool
    from graphwright.contract.manifest import Declaration, Manifest

#: Records a path that was read.
Look: TypeAlias = Callable[[str], object]

#: The lock file of a project (`contract.lockfile`), and the end of the names of others in its folder of contracts.
LOCK: Final = "contracts.lock.json"
LOCK_SUFFIX: Final = ".lock.json"
#: Separators of id and suffix in the names of manifests: next to tools, and in the folder for contracts.
_BESIDE, _ANY = ".contract.", "."


class _Read(Record):
    """The declaration in a Python file, and the files that were read for it."""

    declaration: Declaration
    looked: tuple[str, ...]


class ToolFiles:
    """The declarations of tools, for all graphs of one check: each file is read once."""

    def __init__(self, cache: Cache, digests: Digests) -> None:
        self._cache = cache
        self._digests = digests
        self._python: dict[tuple[Path, tuple[Path, ...], str | None], _Read] = {}
        self._manifests: dict[Path, Manifest | None] = {}
        self._alone: dict[int, Declaration] = {}
        self._locks: dict[Path, Mapping[str, Manifest] | str] = {}
        self._packages: tuple[Installed, tuple[str, ...]] | None = None

    def manifest(
        self, item_id: str, tools: Iterable[Path], contracts: Path, look: Look, package: str | None = None
    ) -> Manifest | None:
        """The manifest of a tool: next to its file in a tool folder, otherwise in a folder of contracts.

        That folder is the project's, or part of an installed package.
        """
        *above, name = parts = item_id.split("/")
        if not is_id(parts):
            return None
        for file, named in self._manifests_in(above, tools, contracts, look):
            if named == name:
                look(str(file))
                return self.file(file, is_own=True, name=None if package is None else f"{package}: {item_id}")
        return None

    def manifest_ids(self, above: list[str], tools: Iterable[Path], contracts: Path, look: Look) -> Iterator[str]:
        """The last parts of the ids of tools that have a manifest, below the folders of this name."""
        return (name for _, name in self._manifests_in(above, tools, contracts, look))

    def _manifests_in(
        self, above: list[str], tools: Iterable[Path], contracts: Path, look: Look
    ) -> Iterator[tuple[Path, str]]:
        """Every manifest, and the name of the tool that it declares."""
        for root, mark in (*((each, _BESIDE) for each in tools), (contracts, _ANY)):
            folder = root.joinpath(*above)
            listing = f"{folder}/*{mark}"
            names = self._digests.manifests(listing)
            look(listing)
            for own in names:
                stem = own.rpartition(".")[0]
                if mark == _ANY and own.endswith(LOCK_SUFFIX):
                    continue
                if mark == _ANY or stem.endswith(".contract"):
                    yield folder / own, stem.removesuffix(".contract")

    def elsewhere(self, item_id: str, project: Path, look: Look) -> Declaration | None:
        """The declaration of a tool without a file or manifest: of an installed one, otherwise from a lock file."""
        installed = self._installed(look)
        supplied = (self.manifest(item_id, (), each.folder, look, each.package) for each in installed.folders)
        manifest = next((found for found in supplied if found is not None), None)
        tool = installed.tools.get(item_id)
        if tool is not None:
            return self.python(tool.file, (tool.root,), look, tool).with_manifest(manifest)
        if manifest is None:
            manifest = next(self._in_locks(item_id, project, look), None)
        return None if manifest is None else self.alone(manifest)

    def alone(self, manifest: Manifest) -> Declaration:
        """The declaration of a tool that only has a manifest."""
        from graphwright.contract.manifest import Declaration

        known = self._alone.get(id(manifest))
        if known is None:
            known = self._alone[id(manifest)] = Declaration(manifest)
        return known

    def names_elsewhere(self, above: list[str], project: Path, look: Look) -> Iterator[str]:
        """The last parts of the ids of such tools below the folders of this name."""
        installed = self._installed(look)
        for each in installed.folders:
            yield from self.manifest_ids(above, (), each.folder, look)
        locked = (self._lock(file) for file in self._locks_of(project, look))
        ids = chain(installed.tools, *(each for each in locked if not isinstance(each, str)))
        yield from (name for *folders, name in (item_id.split("/") for item_id in ids) if folders == above)

    def _in_locks(self, item_id: str, project: Path, look: Look) -> Iterator[Manifest]:
        """The contracts of a tool in lock files, and those files that cannot be read."""
        from graphwright.contract.manifest import Manifest

        for file in self._locks_of(project, look):
            locked = self._lock(file)
            if isinstance(locked, str):
                yield Manifest(shown(file), problem=locked)
            elif item_id in locked:
                yield locked[item_id]

    def _locks_of(self, project: Path, look: Look) -> Iterator[Path]:
        """The lock files of a project, in order of precedence: those in its folder of contracts, then its own."""
        folder = project / "contracts"
        listing = f"{folder}/*.lock."
        look(listing)
        names = (name for name in self._digests.manifests(listing) if name.endswith(LOCK_SUFFIX))
        for file in (*(folder / name for name in names), project / LOCK):
            look(str(file))
            yield file

    def _installed(self, look: Look) -> Installed:
        if self._packages is None:
            from graphwright.checking.installed import installed

            looked: list[str] = []
            self._packages = installed(looked.append), tuple(looked)
        found, paths = self._packages
        for path in paths:
            look(path)
        return found

    def _lock(self, file: Path) -> Mapping[str, Manifest] | str:
        """The declarations in a project's lock file, by id, or the reason why it cannot be read."""
        if file not in self._locks:
            self._locks[file] = self._locked(file)
        return self._locks[file]

    def _locked(self, file: Path) -> Mapping[str, Manifest] | str:
        if self._digests[str(file)] is None:
            return {}
        from graphwright.contract.lockfile import read_lock

        try:
            return read_lock(content_of(file), shown(file))
        except (OSError, ValueError) as error:
            return str(error)

    def file(self, path: Path, *, is_own: bool, name: str | None = None) -> Manifest | None:
        """The manifest in a file; `is_own` as in `contract.files`, `name` as messages call it."""
        if path not in self._manifests:
            from graphwright.contract.files import read_manifest
            from graphwright.contract.manifest import Manifest

            name = name or shown(path)
            try:
                data = content_of(path)
            except (OSError, ValueError) as error:
                problem = getattr(error, "strerror", None) or str(error)
                self._manifests[path] = Manifest(name, problem=problem) if is_own else None
            else:
                self._manifests[path] = read_manifest(data, name, is_own=is_own)
        return self._manifests[path]

    def python(
        self, file: Path, folders: tuple[Path, ...], look: Look, tool: InstalledTool | None = None
    ) -> Declaration:
        """The declaration in a Python file; `folders` are searched for its imports.

        `tool`: an installed tool that is a function in it.
        """
        key = (file, folders, None if tool is None else tool.origin)
        if key not in self._python:
            self._python[key] = self._recalled(file, folders, tool) or self._read(file, folders, tool)
        for path in self._python[key].looked:
            look(path)
        return self._python[key].declaration

    def _recalled(self, file: Path, folders: tuple[Path, ...], tool: InstalledTool | None) -> _Read | None:
        """The declaration that an earlier check read."""
        from graphwright.contract.manifest import Declaration

        entry = self._cache.load(*_named(file, folders, tool), self._digests)
        with suppress(ValueError, TypeError):  # ignore a damaged entry
            if entry is not None:
                declaration, looked = json.loads(entry)
                return _Read(Declaration.from_json(declaration), tuple(map(str, looked)))
        return None

    def _read(self, file: Path, folders: tuple[Path, ...], tool: InstalledTool | None) -> _Read:
        from graphwright.contract.python.tool import read_tool

        looked: dict[str, str | None] = {}

        def load(path: Path) -> bytes | None:
            digest = looked[str(path)] = self._digests[str(path)]
            try:
                return None if digest is None else content_of(path)
            except (OSError, ValueError):
                return None

        if tool is None:
            declaration = read_tool(file, folders, shown(file), load)
        else:
            declaration = read_tool(file, folders, tool.origin, load, tool.function)
        value = json.dumps([declaration.to_json(), list(looked)]).encode()
        self._cache.store(*_named(file, folders, tool), value, looked.items())
        return _Read(declaration, tuple(looked))


def _named(file: Path, folders: tuple[Path, ...], tool: InstalledTool | None) -> tuple[str, str]:
    """The subject and the key of a cache entry; messages name files relative to the working directory."""
    name = shown(file) if tool is None else tool.origin
    return "\0".join(("tool", str(file), *map(str, folders), "" if tool is None else tool.function)), name
