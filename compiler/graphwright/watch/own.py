"""Tells what a build has written from what others have changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from graphwright.building.publish import STAGED
from graphwright.checking.cache import digest_of
from graphwright.content import content_of


class Written:
    """What builds have left in their output folders, over all rounds."""

    def __init__(self) -> None:
        self._left: dict[str, str | None] = {}

    def note(self, left: Mapping[Path, str | None]) -> None:
        """Remember the sha256 of files that a build wrote, None for files that it removed."""
        self._left.update((str(file), digest) for file, digest in left.items())

    def is_own(self, path: str) -> bool:
        """Whether a path is as the builds left it: a file with its content, a temporary file, a folder for files."""
        if path.endswith(STAGED):
            return True
        if path in self._left:
            return _digest(path) == self._left[path]
        below, is_folder = f"{path}{os.sep}", os.path.isdir(path)  # noqa: PTH112 - called for each event
        return any(file.startswith(below) and (digest is not None) == is_folder for file, digest in self._left.items())


def _digest(path: str) -> str | None:
    try:
        return digest_of(content_of(path))
    except OSError:
        return None
