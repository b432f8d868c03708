"""Which files a build depends on, in the form that make and ninja read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from graphwright.emit.errors import BuildError

#: What no backslash takes away from make: such a path would become another rule, a variable or even a command.
_UNSPEAKABLE: Final = re.compile(r"[\n\r\t;|=]|\\$")
#: Backslashes are doubled only in front of what is escaped itself. A percent sign is special in a target alone.
_SPECIAL: Final = re.compile(r"(\\*)([ #:])")
_SPECIAL_IN_TARGETS: Final = re.compile(r"(\\*)([ #:%])")


def depfile(sources: Mapping[Path, Iterable[Path]]) -> str:
    """A rule for each module, `module: source source`; then an empty rule for each source, so that it may vanish.

    Raises `BuildError` where a path cannot be written so that make reads it as a path.
    """
    rules = [
        f"{_name(module, _SPECIAL_IN_TARGETS)}: {' '.join(_name(file, _SPECIAL) for file in files)}\n"
        for module, files in sorted(sources.items())
    ]
    every = sorted({file for files in sources.values() for file in files})
    return "".join(rules + [f"\n{_name(file, _SPECIAL_IN_TARGETS)}:\n" for file in every])


def _name(file: Path, special: re.Pattern[str]) -> str:
    """A path from the working directory, escaped as make wants it in this place."""
    text = Path(os.path.relpath(file)).as_posix()
    if _UNSPEAKABLE.search(text):
        raise BuildError(f"{text!r} cannot be written to a depfile: rename it, or build without `--depfile`")
    return special.sub(r"\1\1\\\2", text).replace("$", "$$")
