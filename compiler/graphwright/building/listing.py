"""The list of modules that builds wrote without signing them: `graphwright.modules` in the output folder.

It does for unsigned modules what the manifest does for signed ones: a build knows from it which modules are its own to
remove once their graphs are gone. An output folder can hold what other projects built, or be anybody's with `-o`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from graphwright.content import content_of

#: Name of the list of unsigned modules.
LISTING: Final = PurePosixPath("graphwright.modules")
_HEAD: Final = b"# modules that `graphwright build` wrote here unsigned; after a merge run it again\n"


def listed(output: Path) -> frozenset[str]:
    """The paths of the listed modules, from the folder; none where there is no list that can be read."""
    try:
        lines = content_of(output / LISTING).split(b"\n")
    except OSError:
        return frozenset()
    names = (line.rstrip(b"\r").decode("utf-8", "surrogateescape") for line in lines if not line.startswith(b"#"))
    return frozenset(name for name in names if name)


def render(paths: Iterable[str]) -> bytes:
    """The text of the list: the same bytes for the same modules."""
    return _HEAD + b"".join(f"{path}\n".encode("utf-8", "surrogateescape") for path in sorted(paths))
