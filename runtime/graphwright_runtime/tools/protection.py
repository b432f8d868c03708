"""What `rye/file-system/write` does not write to: from there a graph's own text would become the machine's.

A file below `.ai` is a tool, a directive or a graph that the next run finds; one below `.git` or in a virtual
environment is run by other programs; the output folder and the configuration decide what is imported and trusted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

#: Folders of these names, wherever they lie, and files.
_NAMES: Final = frozenset({
    ".ai", ".git", ".graphwright", ".hg", ".jj", ".svn", "graphwright.toml", "pyproject.toml", "pyvenv.cfg",
})  # fmt: skip
#: A file of this name is what git tells a repository by that has no `.git`, and runs what its `config` says.
_HEAD: Final = "head"
#: What the short names of such folders look like on file systems that have them.
_SHORT: Final = re.compile(r"(?:ai|git|graphw)~[0-9]+")
#: A folder that holds one of these is a virtual environment, or the output of a build.
_MARKS: Final = ("pyvenv.cfg", "graphwright.manifest")


class Protection(NamedTuple):
    """Where a graph may write, beyond what always holds: folders and files, absolute.

    `protected` are more of those that it does not write to: what the configuration of the project names. `writable` are
    folders that it may write to all the same.
    """

    protected: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()

    def refusal(self, root: Path, written: str, path: Path) -> str | None:
        """Why a path is not written to, None where it is.

        `root` is the project folder, `written` the path as the graph has it, `path` where that leads, all links
        followed; it lies in `root`.
        """
        open_ones = [each.resolve() for each in self.writable]
        for place in self._protecting(root, written, path):
            inside = [each for each in open_ones if place == each or place in each.parents]
            if not any(each == path or each in path.parents for each in inside):
                shown = place.relative_to(root).as_posix() if place.is_relative_to(root) else place.name
                return f"a graph may not write to `{shown}`; list its folder under `writable` to allow it"
        return None

    def _protecting(self, root: Path, written: str, path: Path) -> Iterator[Path]:
        """The folders and files that protect a path: itself or above it, up to the project folder."""
        below = [each for each in (path, *path.parents) if each.is_relative_to(root)]
        if _plain(path.name) == _HEAD:
            yield path
        yield from (each for each in below if (each != root and _is_reserved(each.name)) or _is_marked(each))
        # A link of such a name may lead elsewhere: what lies there is found by that name, too.
        lexical = root / written
        links = (each for each in (lexical, *lexical.parents) if _is_reserved(each.name))
        for each in (*self.protected, *(root / name for name in _NAMES), *links):
            place = each.resolve()
            if place != root and place in below:
                yield place


def _is_reserved(name: str) -> bool:
    """Whether a name is one of those."""
    plain = _plain(name)
    return plain in _NAMES or _SHORT.fullmatch(plain) is not None


def _plain(name: str) -> str:
    """A name as any file system reads it."""
    letters = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    plain = "".join(each for each in letters if unicodedata.category(each) != "Cf")  # some read over these
    return plain.partition(":")[0].rstrip(". ")  # and over what stands behind


def _is_marked(folder: Path) -> bool:
    try:
        return any((folder / mark).exists() for mark in _MARKS)
    except OSError:
        return True
