"""Is this the name of a package that could be verified? A misspelled one would verify nothing, without a word."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.needed import installed_first

#: What people write to switch something on. No package is meant.
_SWITCHES: Final = frozenset({"1", "all", "always", "enable", "enabled", "enforce", "on", "strict", "true", "yes"})


def strange(name: str) -> str | None:
    """Why no import can have this name, None where one can.

    Python reads names in one normal form (NFKC), so a name in another one is that of no package.
    """
    if not all(part.isidentifier() for part in name.split(".")):
        return f"{name!r} is not the name of a package"
    if unicodedata.normalize("NFKC", name) != name:
        return f"{name!a} is not the name of a package: Python reads it as `{unicodedata.normalize('NFKC', name)}`"
    return None


def misnamed(name: str) -> str | None:
    """Why a name that GRAPHWRIGHT_VERIFY holds is probably not the one that was meant, None where it may be.

    Looked at are the folders that the process can import from at its start. That a package is not among them is no
    reason by itself, as a program may add folders, and child processes work elsewhere: but then its name must be in
    plain letters, no word such as `on`, and not nearly that of a signed package that is there.
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
    """Where the process can import from: its search path, and what Python is about to put in front of it."""
    yield from (Path(entry or os.curdir) for entry in sys.path)
    yield Path(os.curdir)
    arguments = [each for each in sys.orig_argv[1:] if each.endswith(".py")]
    yield from (Path(each).parent for each in arguments[:1])


def _is_near(name: str, other: str) -> bool:
    with installed_first():  # only a name that is probably wrong costs this import
        from difflib import SequenceMatcher

    return SequenceMatcher(None, name.casefold(), other.casefold()).ratio() >= 0.8
