"""What lies at a path, as far as this user may look: what may not be looked at is not there for us.

`Path.is_file` and its kin raise where a folder on the way may not be entered, which is the rule and not the exception
in containers that run as somebody without a home.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path | os.DirEntry[str]) -> bool:
    """Whether there is a file; links that lead nowhere or round in a circle are none."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # ValueError: a null character
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def home() -> Path | None:
    """The home folder of the user; None for one who has none."""
    try:
        return Path.home()
    except RuntimeError:
        return None
