"""Checks the ownership of files: files around a project apply only if the user controls them.

Configuration, trust files, tools, templates and error tables are searched for in parent folders up to `/`, including
`/tmp`, where other users can write. All of them must belong to the user or root and must not be world-writable. For
symbolic links, this applies to each link, the folder that contains it, and all folders on the way to its target.

In a container, the files of a project may belong to a user other than that of the process. GRAPHWRIGHT_SAFE_DIRECTORY
names folders whose contents are accepted regardless of their owner (separated by colons, `*` for all), like
`safe.directory` of git.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

#: The environment variable with folders whose contents are accepted regardless of their owner.
VARIABLE = "GRAPHWRIGHT_SAFE_DIRECTORY"
#: The maximum number of links that the system follows for one path.
_MAX_LINKS = 40


def status_of(path: Path) -> os.stat_result:
    """`os.lstat` of a path. Raises OSError."""
    return os.lstat(path)


def is_own(path: Path) -> bool:
    """Whether a path exists, belongs to the user or root, and is not world-writable."""
    try:
        return sys.platform == "win32" or _problem(path) is None
    except OSError:
        return False


def ownership_problem(path: Path, top: Path | None = None) -> str | None:
    """Why a path is not accepted, as one line for the user; None if it is accepted or does not exist.

    Checks the path, its parent folders up to `top` (by default, the one that contains it), and everything that links
    among them lead through.
    """
    if sys.platform == "win32":
        return None
    path = path.absolute()
    top = path.parent if top is None else top.absolute()
    try:
        return next(filter(None, map(_problem, _chain(path, top))), None)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{path} cannot be accessed: {error.strerror or error}"


def _chain(path: Path, top: Path) -> Iterator[Path]:
    above = [each for each in path.parents if each == top or top in each.parents]
    yield from (path, *above)
    yield from _behind_links(top.parent, path.relative_to(top.parent).parts)


def _behind_links(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    """The paths that the system visits when it resolves `parts` below a folder, starting at the first link.

    Raises OSError, also if links form a cycle.
    """
    pending, links = list(reversed(parts)), 0
    while pending:
        part = pending.pop()
        if part == "..":
            folder = Path(os.path.realpath(folder)).parent
            yield folder
            continue
        here = folder / part
        if links:
            yield here
        if not stat.S_ISLNK(status_of(here).st_mode):
            folder = here
            continue
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        target = here.readlink()
        folder = Path(target.anchor) if target.is_absolute() else folder
        yield folder
        pending += reversed(target.relative_to(target.anchor).parts)


def _problem(path: Path) -> str | None:
    """Why a single path, without its parents, is not accepted; None if it is. Raises OSError."""
    status = status_of(path)
    if _is_safe(path):
        return None
    if status.st_uid not in _owners():
        folder = path if stat.S_ISDIR(status.st_mode) else path.parent
        return (
            f"{path} belongs to {_name(status.st_uid)}, not to you ({_name(_own_id())}), and is not accepted here: "
            f"if you trust its contents, set {VARIABLE}={folder}"
        )
    if stat.S_ISLNK(status.st_mode) or not status.st_mode & stat.S_IWOTH:
        return None
    if stat.S_ISREG(status.st_mode):
        return f"{path} is world-writable; review it, then run `chmod o-w {path}`"
    # with the sticky bit, as in /tmp, users cannot move files of others; pipes and devices are never read
    if stat.S_ISDIR(status.st_mode) and not status.st_mode & stat.S_ISVTX:
        return (
            f"{path} is world-writable, so its files may come from any user: run `chmod o-w {path}`, or move "
            "the project to a folder of your own"
        )
    return None


def _owners() -> set[int]:
    """The ids of users whose files are accepted: root, the user of this process, and the one who called sudo."""
    own = {0, _own_id()}
    caller = os.environ.get("SUDO_UID", "")
    return own | {int(caller)} if own == {0} and caller.isascii() and caller.isdigit() else own


def _own_id() -> int:
    if sys.platform == "win32":
        return 0
    return os.geteuid()


def _is_safe(path: Path) -> bool:
    named = os.environ.get(VARIABLE, "")
    given = [Path(each).absolute() for each in named.split(os.pathsep) if each and each != "*"]
    folders = [*given, *(Path(os.path.realpath(each)) for each in given)]
    return "*" in named.split(os.pathsep) or any(each == path or each in path.parents for each in folders)


def _name(user: int) -> str:
    if sys.platform != "win32":
        import pwd

        with contextlib.suppress(KeyError):
            return f"{pwd.getpwuid(user).pw_name}, uid {user}"
    return f"uid {user}"
