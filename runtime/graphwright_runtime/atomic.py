"""Atomic replacement of files: readers, also after a crash, see either the old content or the new one."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(file: Path, data: bytes, *, follow: bool = True) -> None:
    """Write `data` to a file atomically, keeping its permissions.

    With `follow`, the target of a symbolic link is replaced, otherwise the link itself. Raises OSError, which names the
    file, also for devices, pipes and folders, which root could otherwise replace by mistake.
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
        if isinstance(error, OSError):  # it names the temporary file, or none if the disk is full
            raise OSError(error.errno, error.strerror, str(file)) from error
        raise


def _mode(path: Path) -> int | None:
    """The mode (type and permissions) of a path, without following links; None if it does not exist."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def _new_file(target: Path) -> tuple[int, Path]:
    """Create a file next to `target` with default permissions: its open descriptor and its path.

    The system applies the umask, which cannot be read without setting it for every thread of the process.
    """
    while True:
        name = target.with_name(f".{target.name[:32]}.{os.urandom(4).hex()}")
        try:
            return os.open(name, _CREATE, 0o666), name
        except FileExistsError:
            continue
