"""Finds generated modules of earlier builds: those whose graph is gone, and those that remain unchanged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from typing import Protocol

from graphwright.building import publish
from graphwright.building.listing import listed_modules
from graphwright.checking.cache import digest_of
from graphwright.emit.backend import Backend
from graphwright.presence import is_there
from graphwright.project.projects import absolute
from graphwright.record import Record


class Records(Protocol):
    """A source of the digests of modules as they were built."""

    def recorded_digest(self, path: str) -> str | None:
        """The sha256 of the module at this path; None if it is not recorded."""


class Module(Record):
    """A generated module that is not part of this build.

    `source` is the file that it was generated from. `edited`: it was changed after it was built.
    """

    path: PurePosixPath
    source: str
    edited: bool


class Leftovers(Record):
    """The generated modules in an output folder that are not part of this build.

    `stale` modules no longer have a source and are removed. `kept` modules do not have one either, but were edited.
    `remaining` are all modules that are not stale, including those that are kept.
    """

    stale: tuple[PurePosixPath, ...]
    kept: tuple[PurePosixPath, ...]
    remaining: tuple[Module, ...]


class Sources(Record):
    """What a build knows about sources.

    `projects` are the folders that modules name their sources relative to. Only sources below the `given` paths can be
    gone, because the build has not looked for others; `complete`: it has looked wherever the project has graphs, so
    files that do not exist are gone, too, such as those of a source root that was removed or renamed.
    """

    projects: tuple[Path, ...]
    given: tuple[Path, ...]
    complete: bool
    backend: Backend

    def are_gone(self, source: str) -> bool:
        """Whether the build looked for this source, and has no graph of it for a module that is left over.

        The source no longer exists, is excluded or not a graph any more, or is now compiled to another module.
        """
        files = [absolute(folder / source) for folder in self.projects]
        if any(file == path or path in file.parents for file in files for path in self.given):
            return True
        return self.complete and not any(map(is_there, files))


def find_leftovers(output: Path, there: Iterable[str], sources: Sources, records: Records | None) -> Leftovers:
    """Classify the generated modules among the files in `there`. Only listed modules can be stale or kept."""
    others = list(publish.generated(output, there, sources.backend))
    ours = listed_modules(output) if others else frozenset()
    stale: list[PurePosixPath] = []
    kept: list[PurePosixPath] = []
    remaining: list[Module] = []
    for found in others:
        is_gone = str(found.path) in ours and sources.are_gone(found.source)
        present = (publish.content(output / found.path) or b"") if is_gone else None
        edited = present is not None and is_edited(present, records, str(found.path), sources.backend)
        if is_gone and not edited:
            stale.append(found.path)
            continue
        if edited:
            kept.append(found.path)
        remaining.append(Module(found.path, found.source, edited))
    return Leftovers(tuple(stale), tuple(kept), tuple(remaining))


def is_edited(data: bytes, records: Records | None, path: str, backend: Backend) -> bool:
    """Whether a module differs, in more than line endings, from what its signature line or the manifest records.

    False if neither records what was built, and for a module with conflict markers: git has both versions of it.
    """
    if publish.has_conflict_markers(data):
        return False
    recorded = recorded_digests(data, records, path, backend)
    return bool(recorded) and not is_as_built(publish.body(data, backend), recorded)


def recorded_digests(data: bytes, records: Records | None, path: str, backend: Backend) -> frozenset[str]:
    """The digests of the module as it was built, from its signature line and the manifest."""
    digest = publish.signature_line(data, backend).removeprefix(backend.signed).partition(b":")[0]
    listed = None if records is None else records.recorded_digest(path)
    return frozenset(each for each in (digest.decode("ascii", "replace"), listed) if each)


def is_as_built(text: bytes, recorded: Collection[str]) -> bool:
    """Whether a text without its signature has one of the digests, apart from its line endings."""
    return any(digest_of(each) in recorded for each in _as_built(text))


def _as_built(body: bytes) -> Collection[bytes]:
    """The possible original texts, before an editor or git changed line endings or trailing whitespace."""
    plain = body.replace(b"\r\n", b"\n")
    return (body, plain, b"\n".join(line.rstrip() for line in plain.split(b"\n")).rstrip(b"\n") + b"\n")
