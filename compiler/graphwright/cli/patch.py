"""Formats changes of files as a patch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.pattern import pattern
from graphwright.project.projects import shown

if TYPE_CHECKING:
    from graphwright.checking.fix import Change

#: A source signature, which covers every byte after its line.
_SIGNED = pattern(rb"\s*#\s*(?:rye|ryeos|graphwright):signed:")
#: The message about a signed file that was changed.
UNSIGNED: Final = "its signature covered the old contents; sign it again"


def is_signed(data: bytes) -> bool:
    """Whether a source has a signature, which a change invalidates."""
    return bool(_SIGNED.match(data))


def difference(file: Path, change: Change) -> str:
    """A unified diff of one file."""
    import difflib
    import io

    from graphwright.checking.fix import decode

    name = shown(file)
    before, after = (list(io.StringIO(decode(data), newline="\n")) for data in (change.before, change.after))
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
