"""Imports everything that verification needs before modules of a project can be found.

A module that is imported late is searched for on the current search path, which begins with the folder of the script. A
`nacl.py` there could accept every signature. So everything is imported when verification is turned on; with
GRAPHWRIGHT_VERIFY, that is before Python adds the folder of the script.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: All late imports of verification and its errors and warnings; newer versions of Python print errors with `traceback`.
NEEDED: Final = (
    "ast",
    "linecache",
    "nacl.bindings",
    "nacl.exceptions",
    "pwd",
    "tempfile",
    "tomllib",
    "traceback",
    "unicodedata",
)
#: Modules that do not exist on every system.
_OPTIONAL: Final = frozenset({"pwd"})
_INSTALLED: Final = ("site-packages", "dist-packages")


def import_needed() -> None:
    """Import everything, preferring the standard library and installed packages. Raises ImportError."""
    with installed_first():
        for name in NEEDED:
            try:
                importlib.import_module(name)
            except ImportError:
                if name not in _OPTIONAL:
                    raise


@contextmanager
def installed_first() -> Iterator[None]:
    """Move folders of programs and projects to the end of the search path while the block runs."""
    before = sys.path[:]
    library = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib may not be imported yet
    installed = [each for each in before if each.startswith(library) or os.path.basename(each) in _INSTALLED]  # noqa: PTH119
    sys.path[:] = [*installed, *(each for each in before if each not in installed)]
    try:
        yield
    finally:
        sys.path[:] = before
