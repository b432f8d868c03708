"""Checks the names of packages to verify: a misspelled name would silently verify nothing."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
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
    near = next((each for each in _signed(folders) if _is_near(top, each)), None)
    if near is not None:
        return f"there is no package {top!a} here; did you mean `{near}`?"
    if not name.isascii():
        return f"there is no package {name!a} here, and its name contains look-alike characters"
    return None


def absent_package(name: str, path: Sequence[str] | None) -> str | None:
    """Why there is nothing to verify by this name; None if there is a signed package.

    `path` are the folders to search; None means those that Python would search, and the working directory.
    """
    if any((place / MANIFEST).is_file() for place in _places(name, path)):
        return None
    if any(place.is_dir() for place in _places(name, path)):
        return f"that package has no {MANIFEST}: name the one that `graphwright build` writes"
    where = "in the working directory or on the search path" if path is None else f"in {', '.join(path)}"
    signed = _signed(_folders() if path is None else map(Path, path))
    hint = f"signed there: {', '.join(signed)}" if signed else "`graphwright build` writes one"
    return f"there is no such package {where}; {hint}"


def _places(name: str, path: Sequence[str] | None) -> Iterator[Path]:
    """The folders that may be the package."""
    first, *rest = name.split(".")
    yield from (folder.joinpath(first, *rest) for folder in (_folders() if path is None else map(Path, path)))
    if rest and path is None:  # an editable installation may be on no path
        try:
            spec = find_spec(first)
        except (ImportError, ValueError):
            return
        for location in (None if spec is None else spec.submodule_search_locations) or ():
            yield Path(location, *rest)


def _signed(folders: Iterable[Path]) -> list[str]:
    """The names of the signed packages in these folders."""
    return sorted({each.parent.name for folder in folders for each in folder.glob(f"*/{MANIFEST}")})


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
