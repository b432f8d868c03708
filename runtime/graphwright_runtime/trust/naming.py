"""Checks the names of packages to verify: a misspelled name would silently verify nothing."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.needed import installed_first

#: Words that people use to turn an option on; they are not package names.
_SWITCHES: Final = frozenset({"1", "all", "always", "enable", "enabled", "enforce", "on", "strict", "true", "yes"})


def invalid_name(name: str) -> str | None:
    """Why a name cannot be imported; None if it can.

    Python normalizes names (NFKC), so a name in any other form is never the name of a package.
    """
    if not all(part.isidentifier() for part in name.split(".")):
        return f"{name!r} is not the name of a package"
    if unicodedata.normalize("NFKC", name) != name:
        return f"{name!a} is not the name of a package: Python reads it as `{unicodedata.normalize('NFKC', name)}`"
    return None


def unlikely_name(name: str) -> str | None:
    """Why a name in GRAPHWRIGHT_VERIFY is probably a mistake; None if it is plausible.

    A package that does not exist in the folders that the process can import from at startup may still be correct,
    because programs add folders and child processes run elsewhere. Its name must then be ASCII, not a word such as
    `on`, and not similar to that of an existing signed package.
    """
    top = name.partition(".")[0]
    folders = list(_folders())
    if any((folder / top).exists() for folder in folders):
        return None
    if name.lower() in _SWITCHES:
        return f"`{name}` is not a package; write it as `require:generated`"
    signed = sorted({each.parent.name for folder in folders for each in folder.glob(f"*/{MANIFEST}")})
    near = next((each for each in signed if _is_near(top, each)), None)
    if near is not None:
        return f"there is no package {top!a} here; did you mean `{near}`?"
    if not name.isascii():
        return f"there is no package {name!a} here, and its name contains look-alike characters"
    return None


def _folders() -> Iterator[Path]:
    """The folders to import from: the search path, and the folders that Python is about to add to its beginning."""
    yield from (Path(entry or os.curdir) for entry in sys.path)
    yield Path(os.curdir)
    arguments = [each for each in sys.orig_argv[1:] if each.endswith(".py")]
    yield from (Path(each).parent for each in arguments[:1])


def _is_near(name: str, other: str) -> bool:
    with installed_first():  # imported late: needed only for names that do not exist
        from difflib import SequenceMatcher

    return SequenceMatcher(None, name.casefold(), other.casefold()).ratio() >= 0.8
