"""The files that `rye/file-system/write` refuses to write, because writing them could execute the content.

Files below `.ai` are tools, directives and graphs of later runs. Files below `.git` or in a virtual environment are
executed by other programs. The output folder and the configuration decide what is imported and trusted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

#: Protected names of folders and files, at any depth.
_NAMES: Final = frozenset({
    ".ai", ".git", ".graphwright", ".hg", ".jj", ".svn", "graphwright.toml", "pyproject.toml", "pyvenv.cfg",
})  # fmt: skip
#: With a file of this name, git treats a folder as a repository even without `.git`, and runs commands in its `config`.
_HEAD: Final = "head"
#: Short names (8.3) of protected folders, on file systems that have them.
_SHORT: Final = re.compile(r"(?:ai|git|graphw)~[0-9]+")
#: A folder that contains one of these is a virtual environment, or the output of a build.
_MARKS: Final = ("pyvenv.cfg", "graphwright.manifest")


class Protection(NamedTuple):
    """The part of the protection that a project configures: absolute paths of folders and files.

    `protected` adds paths to the built-in ones; `writable` are folders that a graph may write to even if they are
    protected.
    """

    protected: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()

    def refusal(self, root: Path, written: str, path: Path) -> str | None:
        """The reason for refusing to write a path; None if it may be written.

        `root` is the project folder, `written` the path in the params, and `path` its resolved form below `root`.
        """
        open_ones = [each.resolve() for each in self.writable]
        for place in self._protecting(root, written, path):
            inside = [each for each in open_ones if place == each or place in each.parents]
            if not any(each == path or each in path.parents for each in inside):
                shown = place.relative_to(root).as_posix() if place.is_relative_to(root) else place.name
                return f"a graph may not write to `{shown}`; list its folder under `writable` to allow it"
        return None

    def _protecting(self, root: Path, written: str, path: Path) -> Iterator[Path]:
        """The protected files and folders among a path and its parents up to the project folder."""
        below = [each for each in (path, *path.parents) if each.is_relative_to(root)]
        if _plain(path.name) == _HEAD:
            yield path
        yield from (each for each in below if (each != root and _is_reserved(each.name)) or _is_marked(each))
        # A link with a protected name can lead elsewhere; files there can then be found by the protected name.
        lexical = root / written
        links = (each for each in (lexical, *lexical.parents) if _is_reserved(each.name))
        for each in (*self.protected, *(root / name for name in _NAMES), *links):
            place = each.resolve()
            if place != root and place in below:
                yield place


def _is_reserved(name: str) -> bool:
    """Whether a name is protected, in any spelling."""
    plain = _plain(name)
    return plain in _NAMES or _SHORT.fullmatch(plain) is not None


def _plain(name: str) -> str:
    """A name normalized as the least strict file systems do."""
    letters = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    plain = "".join(each for each in letters if unicodedata.category(each) != "Cf")  # ignored by some file systems
    return plain.partition(":")[0].rstrip(". ")  # as is everything after a colon, and final dots and spaces


def _is_marked(folder: Path) -> bool:
    try:
        return any((folder / mark).exists() for mark in _MARKS)
    except OSError:
        return True
