"""Caches the findings of earlier checks by file, so that an unchanged graph is not parsed again.

An entry is valid as long as the file, the configuration, the compiler and all other files that the check read are
unchanged. Each entry is a small file that is replaced atomically, so that checks can run concurrently; an entry that
cannot be read or written is ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from graphwright.content import content_of
from graphwright.presence import home
from graphwright.project.projects import SUFFIXES

#: Suffixes of manifests.
MANIFESTS = (".yaml", ".yml", ".json")

#: Entries that were not used for this many seconds are removed.
_KEPT_S = 30 * 24 * 3600
_SWEPT = "swept"
#: Entries, including temporary files of a killed process. The configured folder may contain other files.
_ENTRIES = f"{'[0-9a-f]' * 16}/{'[0-9a-f]' * 2}/*{'[0-9a-f]' * 32}*"
#: The folder of the compiler's own files.
_PACKAGE = Path(__file__).parents[1]


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder for entries: `GRAPHWRIGHT_CACHE_DIR`, or one in the user's cache folder; None if there is no home."""
    chosen = environment.get("GRAPHWRIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform in ("win32", "darwin"):
        import platformdirs

        return platformdirs.user_cache_path("graphwright") / "check"
    # the result of platformdirs, without importing it, which takes a quarter of the time of a check with a warm cache
    base = environment.get("XDG_CACHE_HOME", "")
    if base.startswith("/"):
        return Path(base, "graphwright", "check")
    own = home()
    return None if own is None else own / ".cache" / "graphwright" / "check"


def digest_of(data: bytes | memoryview) -> str:
    """The sha256 of the content of a file in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of_names(names: Iterable[str]) -> str:
    """A digest of the names of the graphs in a folder."""
    return digest_of("\0".join(sorted(names)).encode(errors="surrogateescape"))


def graph_files(folder: Path | str) -> list[str]:
    """The names of possible graphs in a folder; empty if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.name.endswith(SUFFIXES)]
    except (OSError, ValueError):
        return []


def markdown_files(folder: Path | str) -> list[str]:
    """The names of possible directives in a folder, without suffix, sorted."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name[:-3] for entry in entries if entry.name.endswith(".md"))
    except (OSError, ValueError):
        return []


def programs(base: str) -> list[str]:
    """The names of the executable files with the path `base`, with any suffix or none, sorted."""
    folder, _, name = base.rpartition("/")
    try:
        with os.scandir(folder) as entries:
            named = [entry for entry in entries if entry.name == name or entry.name.startswith(f"{name}.")]
            return sorted(entry.name for entry in named if entry.is_file() and os.access(entry.path, os.X_OK))
    except (OSError, ValueError):
        return []


def python_files(folder: str) -> list[str]:
    """The names of what could be tools written in Python in a folder, without their suffix, sorted."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name[:-3] for entry in entries if entry.name.endswith(".py"))
    except (OSError, ValueError):
        return []


def subfolders(folder: Path | str) -> list[str]:
    """The names of the folders in a folder that ids can begin with."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.name[0] not in "._" and entry.is_dir()]
    except (OSError, ValueError):
        return []


def installed_packages(folder: str) -> list[str]:
    """The names of the folders with the metadata of installed packages, sorted; each contains a version."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.name.endswith(".dist-info"))
    except (OSError, ValueError):
        return []


def manifest_names(folder: str, mark: str) -> list[str]:
    """The names of the manifests in a folder, sorted: YAML and JSON files whose names contain `mark`."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if mark in entry.name and entry.name.endswith(MANIFESTS))
    except (OSError, ValueError):
        return []


def is_listing(path: str) -> bool:
    """Whether a path in the form of `Digests` stands for a list of names instead of a file."""
    return path.endswith(("/", ".*")) or "/*." in path


class Digests(dict[str, "str | None"]):
    """Digests by path, computed only once in a run, because many entries depend on the same files.

    The digest of a file is that of its content, None if it cannot be read. Other paths stand for lists of names: a
    folder (ending in `/`) for its graphs, a path ending in `.*` for `programs`, one ending in `/*` and a mark
    (`/*.contract.`, `/*.lock.`, `/*.`) for `manifest_names`, and one ending in `/*.md` for `markdown_files`, in `/*.py`
    for `python_files`, or in `/*.dist-info` for `installed_packages`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._graphs: dict[str, tuple[str, ...]] = {}
        self._manifests: dict[str, tuple[str, ...]] = {}

    def manifests(self, listing: str) -> tuple[str, ...]:
        """The names of the manifests in a folder; `listing` is its path, followed by `/*` and a mark."""
        if listing not in self._manifests:
            folder, _, mark = listing.rpartition("/*")
            names = manifest_names(folder, mark)
            self[listing] = digest_of_names(names)
            self._manifests[listing] = tuple(names)
        return self._manifests[listing]

    def graphs(self, folder: str) -> tuple[str, ...]:
        """The names of possible graphs in a folder (its path ends in `/`), without suffixes, sorted."""
        if folder not in self._graphs:
            files = graph_files(folder)
            self[folder] = digest_of_names(files)
            self._graphs[folder] = tuple(sorted({file.rpartition(".")[0] for file in files}))
        return self._graphs[folder]

    def __missing__(self, path: str) -> str | None:
        if str(path).endswith("/"):
            self.graphs(path)
        elif str(path).endswith("/*.md"):
            self[path] = digest_of_names(markdown_files(str(path).removesuffix("/*.md")))
        elif str(path).endswith("/*.dist-info"):
            self[path] = digest_of_names(installed_packages(str(path).removesuffix("/*.dist-info")))
        elif str(path).endswith("/*.py"):
            self[path] = digest_of_names(python_files(str(path).removesuffix("/*.py")))
        elif path.rpartition("/")[2].startswith("*."):
            self.manifests(path)
        elif str(path).endswith(".*"):
            self[path] = digest_of_names(programs(str(path).removesuffix(".*")))
        else:
            try:
                self[path] = digest_of(content_of(path))
            except (OSError, ValueError):
                self[path] = None
        return self[path]


def compiler_fingerprint(version: str) -> str:
    """A fingerprint of the compiler: its version and, while it is being edited, the sizes and times of its files."""
    marks: list[str] = [version]
    folders = [str(_PACKAGE)]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                if not entry.is_dir():
                    stat = entry.stat()
                    marks.append(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}")
                elif entry.name != "__pycache__":
                    folders.append(entry.path)
    return digest_of("\n".join(marks).encode())


class Cache:
    """The entries in one folder for one compiler; without a folder, it contains none."""

    def __init__(self, folder: Path | None, compiler: str) -> None:
        self.settings = (None if folder is None else str(folder), compiler)
        self._folder = folder / digest_of(compiler.encode())[:16] if folder else None
        self._compiler = compiler

    def load(self, subject: Path | str, key: str, digests: Digests | None = None) -> bytes | None:
        """The value stored for `subject` under `key`, if everything it depends on is unchanged; otherwise None.

        `digests` are already known digests of other files.
        """
        if self._folder is None:
            return None
        known = Digests() if digests is None else digests
        try:
            seal, _, body = content_of(self._entry(subject)).partition(b"\n")
            if seal != self._seal(key, body):
                return None
            depends, _, value = body.partition(b"\n")
            stale = any(known[path] != digest for path, digest in json.loads(depends))
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return None if stale else value

    def store(self, subject: Path | str, key: str, value: bytes, depends: Iterable[tuple[str, str | None]]) -> None:
        """Store `value` for `subject`, a string; `depends` are paths that it depends on, with their `Digests`."""
        if self._folder is None:
            return
        from graphwright_runtime.atomic import replace_file

        with contextlib.suppress(OSError, ValueError):
            place = Path(self._entry(subject))
            place.parent.mkdir(parents=True, exist_ok=True)
            body = json.dumps(list(depends)).encode() + b"\n" + value
            replace_file(place, self._seal(key, body) + b"\n" + body, follow=False)

    def sweep(self, now: float) -> None:
        """Remove entries that were not written for a month; at most once a day."""
        if self._folder is None:
            return
        mark = self._folder.parent / _SWEPT
        with contextlib.suppress(OSError):
            if mark.exists() and now - mark.stat().st_mtime < 24 * 3600:
                return
            mark.touch()
            for entry in self._folder.parent.glob(_ENTRIES):
                with contextlib.suppress(OSError):  # another process may sweep, too
                    if now - entry.stat().st_mtime > _KEPT_S:
                        entry.unlink()

    def _entry(self, subject: Path | str) -> str:
        name = digest_of(str(subject).encode(errors="surrogateescape"))
        return f"{self._folder}/{name[:2]}/{name[2:]}"

    def _seal(self, key: str, body: bytes) -> bytes:
        """A seal, in JSON, that identifies an undamaged entry for this key."""
        return b'"%b"' % digest_of(f"{self._compiler}\0{key}\0".encode(errors="surrogateescape") + body).encode()
