"""Files that are replaced as a whole: a reader sees the old content or the new, a crash leaves one of them."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(file: Path, data: bytes, *, follow: bool = True) -> None:
    """Put `data` where `file` is, keeping its permissions; behind a symbolic link, where the link leads.

    Without `follow` a link is replaced like anything else. Raises OSError, which names the file, also where there is
    no file but a device, a pipe or a folder: whoever may replace those (root, in a container) must not do it by
    mistake.
    """
    target = file.resolve() if follow else file
    present = _mode(target)
    if present is not None and not (stat.S_ISREG(present) or stat.S_ISLNK(present)):
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    temporary: Path | None = None
    try:
        handle, temporary = _new_file(target)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if present is not None and stat.S_ISREG(present):
            temporary.chmod(stat.S_IMODE(present))
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):  # where the disk is full it names no file, and else the temporary one
            raise OSError(error.errno, error.strerror, str(file)) from error
        raise


def _mode(path: Path) -> int | None:
    """What lies at a path, links not followed, and its permissions; None where there is nothing."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def _new_file(target: Path) -> tuple[int, Path]:
    """An open file next to `target` that nobody else uses, with the permissions that new files get.

    The system applies the user's mask. To read the mask means to set it, for every thread of the process.
    """
    while True:
        name = target.with_name(f".{target.name[:32]}.{os.urandom(4).hex()}")
        try:
            return os.open(name, _CREATE, 0o666), name
        except FileExistsError:
            continue
