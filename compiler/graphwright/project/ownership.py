"""Whether what the search for a project finds applies: the guard of the runtime, applied on the way up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from graphwright.record import Record


class OwnershipError(Exception):
    """Something in the user's own place belongs to someone else; the text is one line that says what to do."""


class Ancestor(Record):
    """Where a search from below has arrived: `folder`, and the folder below it that it came from, itself at first."""

    folder: Path
    below: Path

    def applies(self, path: Path) -> bool:
        """Whether `path`, which lies in the folder or below, applies.

        What another user put above the user's own folder, as in `/tmp`, is skipped with a remark. Where the folder
        that the search began with is another user's, too, as in some containers, nobody can say what was meant: raises
        OwnershipError.
        """
        from graphwright_runtime.trust.owner import distrusted, is_own

        problem = distrusted(path, self.folder)
        if problem is None:
            return True
        if self.below != self.folder and is_own(self.below):
            _tell(problem)
            return False
        raise OwnershipError(problem)


def check_ownership(folder: Path) -> None:
    """Raise OwnershipError where someone else could have written a folder that the user names, or a file in it."""
    from graphwright_runtime.trust.owner import distrusted

    for file, top in ((folder, folder.parent), *((file, folder) for file in _below(folder))):
        if (problem := distrusted(file, top)) is not None:
            raise OwnershipError(problem)


def _below(folder: Path) -> Iterator[Path]:
    """All that lies below a folder, also behind links; each folder once."""
    known: set[str] = set()
    for here, folders, files in os.walk(folder, followlinks=True):
        known.add(os.path.realpath(here))
        yield from (Path(here, name) for name in sorted((*folders, *files)))
        folders[:] = [each for each in sorted(folders) if os.path.realpath(Path(here, each)) not in known]


def ancestors(folder: Path) -> list[Ancestor]:
    """The way from a folder up to the top."""
    folders = (folder, *folder.parents)
    return [Ancestor(each, below) for each, below in zip(folders, (folder, *folders), strict=False)]


@cache
def _tell(problem: str) -> None:
    import logging

    logging.getLogger("graphwright").warning("ignored: %s", problem)
