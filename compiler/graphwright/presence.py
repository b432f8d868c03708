"""Tests whether paths exist, without raising for paths that this user may not access.

`Path.is_file` and similar methods raise if a parent folder is not accessible, which is common in containers whose user
has no home directory.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path | os.DirEntry[str]) -> bool:
    """Whether a path is a file; false for broken and circular links."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # ValueError: a null character
        return False


def is_folder(path: Path) -> bool:
    """Whether a path is a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether a path exists."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def home() -> Path | None:
    """The home directory of the user; None if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        return None
