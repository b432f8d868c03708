"""What earlier checks found, by file: an unchanged graph is not parsed again.

An entry counts as long as the file, the configuration, the compiler and every other file that the check looked at are
the same. One small file holds one entry and is replaced as a whole, so that several checks at once do no harm;
an entry that cannot be read or written is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from graphwright.atomic import replace_file
from graphwright.presence import home

#: Entries that nobody asked for in this time are removed.
_KEPT_S = 30 * 24 * 3600
_SWEPT = "swept"
#: The compiler's own files, all of them.
_PACKAGE = Path(__file__).parents[1]


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where entries live: `GRAPHWRIGHT_CACHE_DIR`, else below the user's cache folder; None for one without a home."""
    chosen = environment.get("GRAPHWRIGHT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform in ("win32", "darwin"):
        import platformdirs

        return platformdirs.user_cache_path("graphwright") / "check"
    # What platformdirs would say here, without its import, which costs a quarter of a warm start.
    base = environment.get("XDG_CACHE_HOME", "")
    if base.startswith("/"):
        return Path(base, "graphwright", "check")
    own = home()
    return None if own is None else own / ".cache" / "graphwright" / "check"


def digest_of(data: bytes) -> str:
    """What identifies the content of a file: the sha256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of_file(file: Path) -> str | None:
    """The digest of a file's content, None where there is no such file."""
    try:
        return digest_of(file.read_bytes())
    except OSError:
        return None


def compiler_fingerprint(version: str) -> str:
    """What identifies the compiler: its version, and the sizes and times of its files while it is being edited."""
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
    """The entries below one folder for one compiler; `None` as the folder remembers nothing."""

    def __init__(self, folder: Path | None, compiler: str) -> None:
        self._folder = folder / compiler[:16] if folder else None
        self._compiler = compiler

    def load(self, file: Path | str, key: str, digests: dict[str, str | None] | None = None) -> bytes | None:
        """What `store` was given for `file` under `key`, while all that it depends on is as it was; else None.

        `digests` remembers the other files that were looked at, for one check: many entries depend on the same ones.
        """
        if self._folder is None:
            return None
        try:
            with open(self._entry(file), "rb") as stream:  # noqa: PTH123 - a Path would cost as much as the reading
                head, _, value = stream.read().partition(b"\n")
            own_key, depends = json.loads(head)
            stale = own_key != self._salted(key) or _changed(depends, {} if digests is None else digests)
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return None if stale else value

    def store(self, file: Path | str, key: str, value: bytes, depends: Iterable[tuple[Path, str | None]]) -> None:
        """Remember `value`; `depends` are other files that it depends on, with their digests (None: no such file)."""
        if self._folder is None:
            return
        head = json.dumps([self._salted(key), [[str(other), digest] for other, digest in depends]])
        with contextlib.suppress(OSError, ValueError):
            place = Path(self._entry(file))
            place.parent.mkdir(parents=True, exist_ok=True)
            replace_file(place, head.encode() + b"\n" + value)

    def sweep(self, now: float) -> None:
        """Remove what was not written for a month; at most once a day."""
        if self._folder is None:
            return
        mark = self._folder.parent / _SWEPT
        with contextlib.suppress(OSError):
            if mark.exists() and now - mark.stat().st_mtime < 24 * 3600:
                return
            for entry in self._folder.parent.glob("*/??/*"):
                if now - entry.stat().st_mtime > _KEPT_S:
                    entry.unlink(missing_ok=True)
            mark.touch()

    def _entry(self, file: Path | str) -> str:
        name = digest_of(str(file).encode(errors="surrogateescape"))
        return f"{self._folder}/{name[:2]}/{name[2:]}"

    def _salted(self, key: str) -> str:
        return digest_of(f"{self._compiler}\0{key}".encode(errors="surrogateescape"))


def _changed(depends: Iterable[tuple[str, str | None]], digests: dict[str, str | None]) -> bool:
    for other, digest in depends:
        if other not in digests:
            digests[other] = digest_of_file(Path(other))
        if digests[other] != digest:
            return True
    return False
