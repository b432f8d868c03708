"""Find → read: reads a file and determines its project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from graphwright.checking.cache import Digests, digest_of
from graphwright.content import content_of
from graphwright.diagnostic import Span
from graphwright.fault import Fault
from graphwright.project.discover import FileProblem, Found, near_path, problem_of
from graphwright.project.projects import Projects, SourceFile
from graphwright.record import Record

#: Larger files, in bytes, are not graphs (`source.MAX_BYTES`, which a check with a warm cache does not import).
_MAX_BYTES = 32 * 1024 * 1024


class ReadFile(Record):
    """A file that was read.

    `shown` is its path in messages; `named` tells whether the caller named the file itself, and not a folder that
    contains it. `digest` is the sha256 of `data`, and `origin` is a text of everything that determines its module,
    except other files. `refusal` is the reason if there is no data: the file cannot be read, or is too large.
    """

    source_file: SourceFile
    shown: str
    named: bool
    data: bytes
    digest: str
    origin: str
    refusal: Fault | None = None


class FileReader:
    """Reads the files of one check; `texts` are contents that replace those of files (absolute paths).

    The digests of read files are added to `digests`. `hooks` are the files with the hooks of their projects, which need
    not exist.
    """

    def __init__(self, projects: Projects, texts: Mapping[Path, bytes], digests: Digests) -> None:
        self._projects = projects
        self._texts = texts
        self._digests = digests
        self._files: dict[str, Path] = {}
        self._fingerprints: dict[Path | None, str] = {}
        self.hooks: set[Path] = set()

    def read(self, found: Found) -> ReadFile | None:
        """Read a file; None for one below a folder that is too large to be a graph."""
        self._files[found.shown] = found.file
        source_file = self._projects.source_file(found.file, found.given)
        if source_file.project.hooks is not None:
            self.hooks.add(source_file.project.hooks)
        data = found.problem or self._data(found.file)
        if isinstance(data, FileProblem):
            near = near_path(found.shown) if data.reason == "missing" else None
            from graphwright.faults.files import UnreadableFile

            return _refused(
                found, source_file, UnreadableFile(_top(found), found.shown, data.reason, data.detail, near)
            )
        if len(data) > _MAX_BYTES:
            from graphwright.faults.yaml import BeyondLimit

            size = max(len(data), _size(found.file))
            refusal = BeyondLimit(_top(found), "size", _MAX_BYTES, size)
            return _refused(found, source_file, refusal) if found.named else None
        digest = self._digests[str(found.file)] = digest_of(data)
        origin = "\0".join((digest, source_file.graph_id, source_file.source, self._fingerprint(source_file)))
        return ReadFile(source_file, found.shown, found.named, data, digest, origin)

    def text(self, shown: str) -> str:
        """The text of a file, to show parts of it; empty if it cannot be read."""
        data = self._data(self._files.get(shown, Path(shown)))
        return "" if isinstance(data, FileProblem) else data.decode("utf-8-sig", "replace")

    def _data(self, file: Path) -> bytes | FileProblem:
        if file in self._texts:
            return self._texts[file]
        try:
            return content_of(file, _MAX_BYTES)
        except OSError as error:
            return problem_of(error)

    def _fingerprint(self, source_file: SourceFile) -> str:
        config = source_file.project.config
        if config.file not in self._fingerprints:
            self._fingerprints[config.file] = config.fingerprint
        return self._fingerprints[config.file]


def _top(found: Found) -> Span:
    return Span(found.shown, 1, 1, 1, 1)


def _refused(found: Found, source_file: SourceFile, fault: Fault) -> ReadFile:
    return ReadFile(source_file, found.shown, found.named, b"", "", "", fault)


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 if it no longer exists."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
