"""What verifying needs, imported before anything of a project can be found.

A module that is imported late is looked for on the search path of that moment. In front of it stands the folder of the
script, where a `nacl.py` would accept every signature. So all of it is imported when verification is switched on:
with GRAPHWRIGHT_VERIFY that is before Python knows the script's folder.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Everything that verifying, refusing and warning import late; `traceback` is what newer Pythons print errors with.
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
#: Not on every system.
_OPTIONAL: Final = frozenset({"pwd"})
_INSTALLED: Final = ("site-packages", "dist-packages")


def import_needed() -> None:
    """Import it all, from the standard library and installed packages before any other folder. Raises ImportError."""
    with installed_first():
        for name in NEEDED:
            try:
                importlib.import_module(name)
            except ImportError:
                if name not in _OPTIONAL:
                    raise


@contextmanager
def installed_first() -> Iterator[None]:
    """While the block runs, folders of programs and projects come last on the search path."""
    before = sys.path[:]
    library = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib may not be imported yet
    installed = [each for each in before if each.startswith(library) or os.path.basename(each) in _INSTALLED]  # noqa: PTH119
    sys.path[:] = [*installed, *(each for each in before if each not in installed)]
    try:
        yield
    finally:
        sys.path[:] = before
