"""Which files a build depends on, in the form that make and ninja read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def depfile(sources: Mapping[Path, Iterable[Path]]) -> str:
    """A rule for each module, `module: source source`; then an empty rule for each source, so that it may vanish."""
    rules = [f"{_name(module)}: {' '.join(map(_name, files))}\n" for module, files in sorted(sources.items())]
    every = sorted({file for files in sources.values() for file in files})
    return "".join(rules + [f"\n{_name(file)}:\n" for file in every])


def _name(file: Path) -> str:
    """A path from the working directory, escaped as make wants it."""
    text = Path(os.path.relpath(file)).as_posix()
    for special, escaped in (("\\", "\\\\"), (" ", "\\ "), ("#", "\\#"), ("$", "$$"), (":", "\\:")):
        text = text.replace(special, escaped)
    return text
