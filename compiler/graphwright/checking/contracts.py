"""Reads the declarations of tools in the files of a project: manifests, and Python files that implement them.

Every file and folder that is read is recorded with its digest. The declaration of a Python file is cached by the
contents of all files that it depends on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphwright.checking.cache import Cache, Digests
from graphwright.content import content_of
from graphwright.project.projects import is_id, shown
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.contract.manifest import Declaration, Manifest

#: Records a path that was read.
Look: TypeAlias = Callable[[str], object]

#: Marks in the names of manifests: those next to tools, and those in the folder for contracts.
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
        self._python: dict[tuple[Path, tuple[Path, ...]], _Read] = {}
        self._manifests: dict[Path, Manifest | None] = {}

    def manifest(self, item_id: str, tools: Iterable[Path], contracts: Path, look: Look) -> Manifest | None:
        """The manifest of a tool: next to its file in a tool folder, otherwise in the project's folder of contracts."""
        *above, name = parts = item_id.split("/")
        if not is_id(parts):
            return None
        for root, mark in (*((each, _BESIDE) for each in tools), (contracts, _ANY)):
            folder = root.joinpath(*above)
            listing = f"{folder}/*{mark}"
            names = self._digests.manifests(listing)
            look(listing)
            for own in names:
                stem = own.rpartition(".")[0]
                if stem == f"{name}.contract" or (mark == _ANY and stem == name):
                    look(str(folder / own))
                    return self.file(folder / own, is_own=True)
        return None

    def file(self, path: Path, *, is_own: bool) -> Manifest | None:
        """The manifest in a file; `is_own` as in `contract.files`."""
        if path not in self._manifests:
            from graphwright.contract.files import read_manifest
            from graphwright.contract.manifest import Manifest

            try:
                data = content_of(path)
            except (OSError, ValueError) as error:
                problem = getattr(error, "strerror", None) or str(error)
                self._manifests[path] = Manifest(shown(path), problem=problem) if is_own else None
            else:
                self._manifests[path] = read_manifest(data, shown(path), is_own=is_own)
        return self._manifests[path]

    def python(self, file: Path, folders: tuple[Path, ...], look: Look) -> Declaration:
        """The declaration in a Python file; `folders` are searched for its imports."""
        key = (file, folders)
        if key not in self._python:
            self._python[key] = self._recalled(file, folders) or self._read(file, folders)
        for path in self._python[key].looked:
            look(path)
        return self._python[key].declaration

    def _recalled(self, file: Path, folders: tuple[Path, ...]) -> _Read | None:
        """The declaration that an earlier check read."""
        from graphwright.contract.manifest import Declaration

        entry = self._cache.load(*_named(file, folders), self._digests)
        with suppress(ValueError, TypeError):  # ignore a damaged entry
            if entry is not None:
                declaration, looked = json.loads(entry)
                return _Read(Declaration.from_json(declaration), tuple(map(str, looked)))
        return None

    def _read(self, file: Path, folders: tuple[Path, ...]) -> _Read:
        from graphwright.contract.python.tool import read_tool

        looked: dict[str, str | None] = {}

        def load(path: Path) -> bytes | None:
            digest = looked[str(path)] = self._digests[str(path)]
            try:
                return None if digest is None else content_of(path)
            except (OSError, ValueError):
                return None

        read = _Read(read_tool(file, folders, shown(file), load), tuple(looked))
        value = json.dumps([read.declaration.to_json(), list(looked)]).encode()
        self._cache.store(*_named(file, folders), value, looked.items())
        return read


def _named(file: Path, folders: tuple[Path, ...]) -> tuple[str, str]:
    """The subject and the key of a cache entry; messages name files relative to the working directory."""
    return "\0".join(("tool", str(file), *map(str, folders))), shown(file)
