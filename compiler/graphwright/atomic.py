"""Files that are replaced as a whole: a reader sees the old content or the new, a crash leaves one of them."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def replace_file(file: Path, data: bytes, *, follow: bool = True) -> None:
    """Put `data` where `file` is, keeping its permissions; behind a symbolic link, where the link leads.

    Without `follow` a link is replaced like anything else. Raises OSError, which names the file, also where there is
    no file but a device, a pipe or a folder: whoever may replace those (root, in a container) must not do it by
    mistake.
    """
    import tempfile  # writing is rare, and this import is not cheap

    target = file.resolve() if follow else file
    present = _mode(target)
    if present is not None and not (stat.S_ISREG(present) or stat.S_ISLNK(present)):
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:32]}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        own = stat.S_IMODE(present) if present is not None and stat.S_ISREG(present) else 0o666 & ~_umask()
        temporary.chmod(own)
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


def _umask() -> int:
    """The mask that new files get; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
