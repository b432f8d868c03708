"""The output folder: what of it is ours, and how new modules get into it.

Modules are staged next to their places and renamed over them, so that a reader sees the old module or the new one. Of
what else lies in the folder only files are touched that say in their header that graphwright made them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from graphwright.content import content_of
from graphwright.emit.backend import Backend
from graphwright.emit.errors import BuildError
from graphwright.record import Record

#: What the name of a module gets behind it for the file with its provenance.
PROVENANCE: Final = ".intoto.jsonl"

_HEAD_BYTES: Final = 2_000
#: What the name of a file ends in that is about to be renamed.
_STAGED: Final = ".staged"


class Generated(Record):
    """A generated file that lies in an output folder; `source` is what it was made from, by its header."""

    path: PurePosixPath
    source: str


def files(output: Path, ignored: Collection[str]) -> frozenset[str]:
    """The paths of all files below a folder, from it, with `/`; folders of the names `ignored` are skipped."""
    found: list[str] = []
    for folder, directories, names in os.walk(output):
        directories[:] = [each for each in directories if each not in ignored]
        below = os.path.relpath(folder, output).replace(os.sep, "/")
        found += names if below == "." else [f"{below}/{name}" for name in names]
    return frozenset(found)


def generated(output: Path, paths: Iterable[str], backend: Backend) -> Iterator[Generated]:
    """The generated files among those of a folder, in order."""
    for path in sorted(each for each in paths if each.endswith(backend.suffix)):
        try:
            header = backend.header(content_of(output / path, _HEAD_BYTES))
        except OSError:
            continue
        if header is not None:
            yield Generated(PurePosixPath(path), header.source)


def body(data: bytes, backend: Backend) -> bytes:
    """A file without its signature."""
    return data.partition(b"\n")[2] if data.startswith(backend.signed) else data


def signature_line(data: bytes, backend: Backend) -> bytes:
    """The signature of a file, as the line that it is; empty where it has none."""
    return data[: data.find(b"\n") + 1] if data.startswith(backend.signed) else b""


def is_foreign(data: bytes, backend: Backend) -> bool:
    """Whether a file holds something that graphwright did not write."""
    return bool(data.strip()) and not data.startswith(backend.signed) and backend.header(data[:_HEAD_BYTES]) is None


def content(file: Path) -> bytes | None:
    """What a file holds; None where there is none that can be read."""
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
    """Put files into the folder and take stale ones out. `there` are its `files`.

    All files are written before the first one is renamed. Raises `BuildError` where that cannot be done; what was
    staged is then removed, with the folders that were made for it. What a killed build had staged for these files is
    removed, too: whoever publishes is alone (`locked`).
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
        for file, temporary in staged.items():
            temporary.replace(file)
        for path in stale:
            (output / path).unlink(missing_ok=True)
            _prune((output / path).parent, output, backend)
    except OSError as error:
        raise BuildError(f"{error.filename or output} cannot be written: {error.strerror or error}") from error
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
        for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
            with suppress(OSError):  # it holds something now, as it should
                folder.rmdir()


def _staged(file: Path, data: bytes) -> Path:
    """A new file next to `file` with its content and permissions."""
    handle, name = tempfile.mkstemp(prefix=_stage(file), suffix=_STAGED, dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(file.stat().st_mode & 0o7777 if file.exists() else 0o644)
    except BaseException:  # the disk is full, or somebody pressed Ctrl-C
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _abandoned(output: Path, wanted: Iterable[Path], there: Iterable[str]) -> list[Path]:
    """Those of the files that are `there` which another build staged for the `wanted` ones and never renamed."""
    stages = {str(file.parent / _stage(file)) for file in wanted}
    left = (str(output / each) for each in there if each.endswith(_STAGED))
    return [Path(each) for each in left if each.removesuffix(_STAGED).rpartition(".")[0] + "." in stages]


def _stage(file: Path) -> str:
    """How the name of a file begins that is about to be renamed to `file`."""
    return f".{file.name[:32]}."


def _prune(folder: Path, output: Path, backend: Backend) -> None:
    """Remove folders that hold nothing any more but what we or other programs put next to our files."""
    while folder != output and output in folder.parents:
        for each in folder.iterdir():
            path, data = PurePosixPath(each.relative_to(output).as_posix()), content(each)
            if each.name not in backend.ignored and (data is None or not backend.is_companion(path, data)):
                return
        shutil.rmtree(folder)
        folder = folder.parent


@contextmanager
def locked(name: str, caches: Path | None) -> Iterator[None]:
    """Hold the lock `name` (any text); builds of one output folder wait for each other. It lies below `caches`.

    Where neither that folder nor the system's for temporary files can be written, and on systems that have no such
    locks, nothing is held: builds there should not run at once.
    """
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    with ExitStack() as stack:
        for folder in (None if caches is None else caches / "locks", None):
            with suppress(OSError, ImportError):
                import fcntl

                source_file = folder or Path(tempfile.gettempdir())
                source_file.mkdir(parents=True, exist_ok=True)
                stream = stack.enter_context((source_file / f"graphwright-{digest[:32]}.lock").open("a+b"))
                fcntl.flock(stream, fcntl.LOCK_EX)
                break
        yield
