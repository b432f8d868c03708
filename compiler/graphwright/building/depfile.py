"""The dependencies of a build as a depfile for make and ninja."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from graphwright.emit.errors import BuildError

#: Characters that cannot be escaped: make would read the path as another rule, a variable or even a command.
_UNESCAPABLE: Final = re.compile(r"[\n\r\t;|=]|\\$")
#: Backslashes are doubled only before an escaped character. A percent sign is special only in targets.
_SPECIAL: Final = re.compile(r"(\\*)([ #:])")
_SPECIAL_IN_TARGETS: Final = re.compile(r"(\\*)([ #:%])")


def depfile(sources: Mapping[Path, Iterable[Path]]) -> str:
    """A rule for each module, `module: source source`, then an empty rule for each source, in case it is deleted.

    Raises `BuildError` if a path contains characters that cannot be escaped.
    """
    rules = [
        f"{_name(module, _SPECIAL_IN_TARGETS)}: {' '.join(_name(file, _SPECIAL) for file in files)}\n"
        for module, files in sorted(sources.items())
    ]
    every = sorted({file for files in sources.values() for file in files})
    return "".join(rules + [f"\n{_name(file, _SPECIAL_IN_TARGETS)}:\n" for file in every])


def _name(file: Path, special: re.Pattern[str]) -> str:
    """A path relative to the working directory, escaped for make."""
    text = Path(os.path.relpath(file)).as_posix()
    if _UNESCAPABLE.search(text):
        raise BuildError(f"{text!r} cannot be written to a depfile: rename it, or build without `--depfile`")
    return special.sub(r"\1\1\\\2", text).replace("$", "$$")
