"""Checks the ownership of files that the search for a project finds in parent folders, as the runtime does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from graphwright.record import Record


class OwnershipError(Exception):
    """A file that another user could have written and that must not be ignored. `str()` is one line for the user."""


class Ancestor(Record):
    """A step of the search through parent folders: `folder`, and the previous one, `below` (at first, `folder`)."""

    folder: Path
    below: Path

    def applies(self, path: Path) -> bool:
        """Whether `path`, in the folder or below, applies.

        Files of other users above a folder that belongs to the user, as in `/tmp`, are ignored with a warning. If
        `below` belongs to another user as well, as in some containers, raises OwnershipError.
        """
        from graphwright_runtime.trust.owner import is_own, ownership_problem

        problem = ownership_problem(path, self.folder)
        if problem is None:
            return True
        if self.below != self.folder and is_own(self.below):
            _warn(problem)
            return False
        raise OwnershipError(problem)


def check_ownership(folder: Path) -> None:
    """Raise OwnershipError if another user could have written a folder or anything in it."""
    from graphwright_runtime.trust.owner import ownership_problem

    for file, top in ((folder, folder.parent), *((file, folder) for file in _below(folder))):
        if (problem := ownership_problem(file, top)) is not None:
            raise OwnershipError(problem)


def _below(folder: Path) -> Iterator[Path]:
    """Everything below a folder, following links; each folder is visited once."""
    known: set[str] = set()
    for here, folders, files in os.walk(folder, followlinks=True):
        known.add(os.path.realpath(here))
        yield from (Path(here, name) for name in sorted((*folders, *files)))
        folders[:] = [each for each in sorted(folders) if os.path.realpath(Path(here, each)) not in known]


def ancestors(folder: Path) -> list[Ancestor]:
    """The steps of a search from a folder up to the root of the file system."""
    folders = (folder, *folder.parents)
    return [Ancestor(each, below) for each, below in zip(folders, (folder, *folders), strict=False)]


@cache
def _warn(problem: str) -> None:
    import logging

    logging.getLogger("graphwright").warning("ignored: %s", problem)
