"""Reads and writes output folders.

Modules are written to temporary files in the same folder and then renamed, so that readers see either the old module or
the new one. Of the other files, only those are changed whose header says that graphwright generated them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from graphwright.content import content_of
from graphwright.deferred import deferred_signals
from graphwright.emit.backend import Backend
from graphwright.emit.errors import BuildError
from graphwright.pattern import pattern
from graphwright.record import Record

#: Suffix added to the name of a module for its provenance file.
PROVENANCE: Final = ".intoto.jsonl"

_HEAD_BYTES: Final = 2_000
_MARKER: Final = pattern(rb"^<{7} ", re.MULTILINE)
#: Suffix of temporary files that are about to be renamed.
STAGED: Final = ".staged"


class Generated(Record):
    """A generated file in an output folder; `source` is the source that its header names."""

    path: PurePosixPath
    source: str


def files(output: Path, ignored: Collection[str]) -> frozenset[str]:
    """The relative paths of all files below a folder, with `/`; folders with a name in `ignored` are skipped."""
    found: list[str] = []
    for folder, directories, names in os.walk(output):
        directories[:] = [each for each in directories if each not in ignored]
        below = os.path.relpath(folder, output).replace(os.sep, "/")
        found += names if below == "." else [f"{below}/{name}" for name in names]
    return frozenset(found)


def generated(output: Path, paths: Iterable[str], backend: Backend) -> Iterator[Generated]:
    """The generated files among `paths`, sorted by path."""
    for path in sorted(each for each in paths if each.endswith(backend.suffix)):
        try:
            header = backend.header(content_of(output / path, _HEAD_BYTES))
        except OSError:
            continue
        if header is not None:
            yield Generated(PurePosixPath(path), header.source)


def body(data: bytes, backend: Backend) -> bytes:
    """The content of a file without its signature line."""
    return data.partition(b"\n")[2] if data.startswith(backend.signed) else data


def signature_line(data: bytes, backend: Backend) -> bytes:
    """The signature line of a file, with its line feed; empty if it has none."""
    return data[: data.find(b"\n") + 1] if data.startswith(backend.signed) else b""


def is_foreign(data: bytes, backend: Backend) -> bool:
    """Whether a file has content that graphwright did not write."""
    return bool(data.strip()) and not data.startswith(backend.signed) and backend.header(data[:_HEAD_BYTES]) is None


def has_conflict_markers(data: bytes) -> bool:
    """Whether git could not merge a file and left both versions in it."""
    return _MARKER.search(data) is not None


def content(file: Path | str) -> bytes | None:
    """The content of a file; None if it does not exist or cannot be read."""
    try:
        return content_of(file)
    except OSError:
        return None


def publish(
    output: Path,
    contents: Mapping[PurePosixPath, bytes],
    stale: Iterable[PurePosixPath],
    there: Collection[str],
    backend: Backend,
) -> None:
    """Write `contents` to the folder and remove `stale` files. `there` are the `files` of the folder.

    All files are staged before the first one is renamed, and no Ctrl-C separates the renames. Raises `BuildError` if a
    file cannot be written; staged files and new folders are then removed. Staged files of a killed build are removed,
    too: the caller must hold the lock of the folder (`locked`).
    """
    wanted = {output / path: data for path, data in contents.items()}
    staged: dict[Path, Path] = {}
    folders: list[Path] = []
    try:
        for left in _abandoned(output, wanted, there):
            left.unlink(missing_ok=True)
        for file, data in sorted(wanted.items()):
            folders += [each for each in (file.parent, *file.parent.parents) if not each.exists()]
            file.parent.mkdir(parents=True, exist_ok=True)
            staged[file] = _staged(file, data)
        with deferred_signals():
            for file, temporary in staged.items():
                os.replace(temporary, file)  # noqa: PTH105 - a kill between two of these leaves files of two builds
            for path in stale:
                (output / path).unlink(missing_ok=True)
                _prune((output / path).parent, output, backend)
    except OSError as error:
        raise BuildError(f"{error.filename or output} cannot be written: {error.strerror or error}") from error
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
        for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
            with suppress(OSError):  # not empty after a successful build
                folder.rmdir()


def _staged(file: Path, data: bytes) -> Path:
    """Write `data` to a temporary file in the folder of `file`, with the permissions of `file`."""
    handle, name = tempfile.mkstemp(prefix=_stage(file), suffix=STAGED, dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(file.stat().st_mode & 0o7777 if file.exists() else 0o644)
    except BaseException:  # such as a full disk, or Ctrl-C
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _abandoned(output: Path, wanted: Iterable[Path], there: Iterable[str]) -> list[Path]:
    """The files in `there` that an interrupted build staged for `wanted` files and never renamed."""
    stages = {str(file.parent / _stage(file)) for file in wanted}
    left = (str(output / each) for each in there if each.endswith(STAGED))
    return [Path(each) for each in left if each.removesuffix(STAGED).rpartition(".")[0] + "." in stages]


def _stage(file: Path) -> str:
    """The prefix of the names of temporary files for `file`."""
    return f".{file.name[:32]}."


def _prune(folder: Path, output: Path, backend: Backend) -> None:
    """Remove a folder and its parents, up to the output folder, that contain only companions and ignored files."""
    while folder != output and output in folder.parents:
        for each in folder.iterdir():
            path, data = PurePosixPath(each.relative_to(output).as_posix()), content(each)
            if each.name not in backend.ignored and (data is None or not backend.is_companion(path, data)):
                return
        shutil.rmtree(folder)
        folder = folder.parent


@contextmanager
def locked(name: str, caches: Path | None) -> Iterator[None]:
    """Hold the lock `name` (any string), so that builds of one output folder wait for each other.

    The lock is a file below `caches`, or in the folder for temporary files if that is not writable. If neither is, or
    the system has no `fcntl` locks, nothing is locked, and builds must not run at the same time.
    """
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    with ExitStack() as stack:
        for folder in (None if caches is None else caches / "locks", None):
            with suppress(OSError, ImportError):
                import fcntl

                place = folder or Path(tempfile.gettempdir())
                place.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context((place / f"graphwright-{digest[:32]}.lock").open("a+b"))
                fcntl.flock(stream, fcntl.LOCK_EX)
                break
        yield
