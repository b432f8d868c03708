"""Lists the modules that earlier builds wrote to an output folder, and that may be removed when their graphs are gone.

The manifest lists signed modules and `graphwright.modules` unsigned ones. Only listed modules are removed, because an
output folder can contain modules of other projects, and `-o` can name any folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from graphwright.content import content_of

#: The file name of the list of unsigned modules.
LISTING: Final = PurePosixPath("graphwright.modules")
_HEAD: Final = b"# modules that `graphwright build` wrote here unsigned; after a merge run it again\n"


def listed_modules(output: Path) -> frozenset[str]:
    """The paths, relative to the folder, of all modules that either list names. Verifies no signatures."""
    from graphwright.trust.audit import signed_modules

    return signed_modules(output) | listed_unsigned(output)


def listed_unsigned(output: Path) -> frozenset[str]:
    """The paths of the modules in the list of unsigned ones; none if it does not exist or cannot be read."""
    try:
        lines = content_of(output / LISTING).split(b"\n")
    except OSError:
        return frozenset()
    names = (line.rstrip(b"\r").decode("utf-8", "surrogateescape") for line in lines if not line.startswith(b"#"))
    return frozenset(name for name in names if name)


def render(paths: Iterable[str]) -> bytes:
    """The contents of the list of unsigned modules: the same bytes for the same modules."""
    return _HEAD + b"".join(f"{path}\n".encode("utf-8", "surrogateescape") for path in sorted(paths))
