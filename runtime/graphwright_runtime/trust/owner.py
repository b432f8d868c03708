"""Whose is this file? Files above or next to a project apply only if they belong to the user.

Configuration, trust files, tools, templates and rules for errors are looked for in folders that others may write to:
the search goes up to `/`, through `/tmp`. One guard judges all of them: the owner is the user or root, and nobody else
can write. Where symbolic links lead on, that applies to every link, to the folder that holds it, and to every folder on
the way to what it names.

In a container the files of a project may belong to another user than the process. GRAPHWRIGHT_SAFE_DIRECTORY names the
folders whose content counts whoever owns it (several behind colons, `*` for all), as git's `safe.directory` does.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

#: Names the folders whose content counts whoever owns it.
VARIABLE = "GRAPHWRIGHT_SAFE_DIRECTORY"
#: How many links the system follows for one path.
_MAX_LINKS = 40


def status_of(path: Path) -> os.stat_result:
    """What the system says of a path itself, links not followed. Raises OSError."""
    return os.lstat(path)


def is_own(path: Path) -> bool:
    """Whether a path belongs to the user or to root and is not for everybody to write; what is not there does not."""
    try:
        return sys.platform == "win32" or _objection(path) is None
    except OSError:
        return False


def distrusted(path: Path, top: Path | None = None) -> str | None:
    """Why a path does not apply here, as one line for the user; None where it does, or where there is nothing.

    Looked at are the path and the folders above it up to `top` (by default the one that it lies in), and all that
    links among them lead through.
    """
    if sys.platform == "win32":
        return None
    path = path.absolute()
    top = path.parent if top is None else top.absolute()
    try:
        return next(filter(None, map(_objection, _chain(path, top))), None)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{path} cannot be accessed: {error.strerror or error}"


def _chain(path: Path, top: Path) -> Iterator[Path]:
    above = [each for each in path.parents if each == top or top in each.parents]
    yield from (path, *above)
    yield from _behind_links(top.parent, path.relative_to(top.parent).parts)


def _behind_links(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    """What the system goes through on the way from a folder, along these parts, from the first link on.

    Raises OSError, also where links lead to each other.
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


def _objection(path: Path) -> str | None:
    """What stands against one path, whatever lies above it. Raises OSError."""
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
    # with the sticky bit, as in /tmp, nobody can move what is another's; pipes and devices nobody reads
    if stat.S_ISDIR(status.st_mode) and not status.st_mode & stat.S_ISVTX:
        return (
            f"{path} is world-writable, so its files may come from any user: run `chmod o-w {path}`, or move "
            "the project to a folder of your own"
        )
    return None


def _owners() -> set[int]:
    """The users whose files count: root, the one that this process runs as, and behind sudo the one who called it."""
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
