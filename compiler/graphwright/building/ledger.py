"""Remembers what the modules of an output folder were made from, in one entry of the cache.

One entry for all modules takes less time to read and to write than one for each. Builds of the same folder wait for
each other (`publish.locked`), so none of them overwrites what another one stored.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from graphwright.building.targets import Unit
from graphwright.checking.cache import Cache, Digests, digest_of, is_listing
from graphwright.record import Record

#: A path that was accessed, and its digest (see `Digests`).
Accessed: TypeAlias = tuple[str, str | None]


class Made(Record):
    """How a module was made from the graph in `file`, a path.

    `source` is the sha256 of the graph, `setting` that of everything else that is not a file, `body` that of the text
    of the module. `depends` is what else was accessed.
    """

    file: str
    source: str
    setting: str
    body: str
    depends: tuple[Accessed, ...]

    @classmethod
    def of(cls, unit: Unit, text: bytes, depends: Collection[Accessed]) -> Made:
        """How this build makes a module with this text."""
        checked = unit.checked
        return cls(str(checked.source_file.file), checked.digest, unit.setting, digest_of(text), tuple(depends))

    @property
    def files(self) -> list[Path]:
        """The existing files that were accessed."""
        return [Path(path) for path, digest in self.depends if digest is not None and not is_listing(path)]


class Changes(Record):
    """What has changed since a module was made: its `source`, the `setting`, and `files`.

    `body` is the sha256 of the text of the module that was made. `folders` are those in which files were searched for
    and whose lists of files have changed.
    """

    body: str
    source: bool
    setting: bool
    files: tuple[Path, ...]
    folders: tuple[Path, ...]


class Ledger:
    """How the modules of an output folder were made by the last builds on this machine."""

    def __init__(self, cache: Cache, output: Path) -> None:
        self._cache = cache
        self._subject = f"modules\0{output}"
        self._digests = Digests()
        self._made: Mapping[str, Made] = {}
        with suppress(ValueError, TypeError, AttributeError, LookupError, RecursionError):  # someone else's entry
            self._made = _loads(cache.load(self._subject, "") or b"")

    def current(self, unit: Unit) -> Made | None:
        """How the module of a graph was made, if nothing that it was made from has changed; otherwise None."""
        made = self._last(unit)
        if made is None or (made.source, made.setting) != (unit.checked.digest, unit.setting):
            return None
        return None if any(self._digests[path] != digest for path, digest in made.depends) else made

    def changes(self, unit: Unit) -> Changes | None:
        """What has changed since the module of a graph was made; None if that is not known."""
        made = self._last(unit)
        if made is None:
            return None
        changed = [path for path, digest in made.depends if self._digests[path] != digest]
        files = tuple(Path(path) for path in changed if not is_listing(path))
        folders = tuple(dict.fromkeys(Path(path).parent for path in changed if is_listing(path)))
        return Changes(made.body, made.source != unit.checked.digest, made.setting != unit.setting, files, folders)

    def store(self, made: Mapping[str, Made], there: Collection[str]) -> None:
        """Add modules by path; forget those that are neither added nor `there`."""
        if not made:
            return
        kept = {path: each for path, each in self._made.items() if path in there}
        self._cache.store(self._subject, "", _dumps({**kept, **made}), ())

    def _last(self, unit: Unit) -> Made | None:
        made = self._made.get(str(unit.path))
        return made if made is not None and made.file == str(unit.checked.source_file.file) else None


def _dumps(made: Mapping[str, Made]) -> bytes:
    """The form in the cache, in which modules name what they depend on by its position in a list."""
    accessed: dict[Accessed, int] = {}
    rows = {
        path: (
            each.file, each.source, each.setting, each.body,
            [accessed.setdefault(pair, len(accessed)) for pair in each.depends],
        )
        for path, each in made.items()
    }  # fmt: skip
    return json.dumps((list(accessed), rows)).encode()


def _loads(data: bytes) -> dict[str, Made]:
    """Read the output of `_dumps`; raises all kinds of errors for anything else."""
    pairs, rows = json.loads(data)
    accessed = [(str(path), None if digest is None else str(digest)) for path, digest in pairs]
    return {
        path: Made(file, source, setting, body, tuple(accessed[number] for number in depends))
        for path, (file, source, setting, body, depends) in rows.items()
    }
