"""What earlier builds left in an output folder: modules whose graph is gone, and those that this build leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path, PurePosixPath
from typing import Protocol

from graphwright.building import listing, publish
from graphwright.checking.cache import digest_of
from graphwright.emit.backend import Backend
from graphwright.project.projects import absolute
from graphwright.record import Record


class Records(Protocol):
    """What knows the digests of modules as they were built."""

    def digest_of(self, path: str) -> str | None:
        """The sha256 of the module at this path; None where there is no record."""


class Module(Record):
    """A generated module that this build does not make.

    `source` is the file that it came from. `edited`: somebody has changed it since it was built.
    """

    path: PurePosixPath
    source: str
    edited: bool


class Remains(Record):
    """`stale` modules have no source any more and go. `kept` ones have none either, but somebody edited them.

    `staying` is what else is there, whether or not this build knows its source; what is kept is among it.
    """

    stale: tuple[PurePosixPath, ...]
    kept: tuple[PurePosixPath, ...]
    staying: tuple[Module, ...]


class Sources(Record):
    """What a build knows of sources: the folders that modules name them from, and those that it builds.

    Only sources below the `given` paths can be gone: of others the build knows nothing. One that does not count is.
    """

    projects: tuple[Path, ...]
    built: frozenset[Path]
    given: tuple[Path, ...]
    counts: Callable[[Path], bool]
    backend: Backend

    def are_gone(self, source: str) -> bool:
        """Whether there is no such source any more, or it becomes another module now."""
        files = [absolute(folder / source) for folder in self.projects]
        asked = [each for each in files if any(each == path or path in each.parents for path in self.given)]
        return bool(asked) and all(each in self.built or not (each.exists() and self.counts(each)) for each in asked)


def remains(output: Path, there: Iterable[str], sources: Sources, records: Records | None) -> Remains:
    """Sort the generated modules among the files that are `there`.

    Only what the manifest of the folder, or its list of unsigned modules, names can go: the folder may hold what other
    projects built, too.
    """
    from graphwright.trust.listing import listed_modules

    ours = listed_modules(output) | listing.listed(output)
    stale: list[PurePosixPath] = []
    kept: list[PurePosixPath] = []
    staying: list[Module] = []
    for found in publish.generated(output, there, sources.backend):
        is_left = str(found.path) in ours and sources.are_gone(found.source)
        present = (publish.content(output / found.path) or b"") if is_left else None
        edited = present is not None and is_edited(present, records, str(found.path), sources.backend)
        if is_left and not edited:
            stale.append(found.path)
            continue
        if edited:
            kept.append(found.path)
        staying.append(Module(found.path, found.source, edited))
    return Remains(tuple(stale), tuple(kept), tuple(staying))


def is_edited(data: bytes, records: Records | None, path: str, backend: Backend) -> bool:
    """Whether a module is not what was built, by its signature line or the manifest. Other line ends do not count.

    Where neither says what was built, nobody can tell, and it counts as what it says it is.
    """
    digest = publish.signature_line(data, backend).removeprefix(backend.signed).partition(b":")[0]
    recorded = {digest.decode("ascii", "replace")} if digest else set[str]()
    if records is not None and (listed := records.digest_of(path)) is not None:
        recorded.add(listed)
    if not recorded:
        return False
    return not any(digest_of(text) in recorded for text in _as_built(publish.body(data, backend)))


def _as_built(body: bytes) -> Collection[bytes]:
    """What a text was before line ends or blanks at line ends came to it."""
    plain = body.replace(b"\r\n", b"\n")
    return (body, plain, b"\n".join(line.rstrip() for line in plain.split(b"\n")).rstrip(b"\n") + b"\n")
